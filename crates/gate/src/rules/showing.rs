//! Programs that can do much, and only show something in a few of their uses.

use crate::acts;
use crate::arg::Arg;
use crate::findings::RevealedText;
use crate::options::paths;
use crate::programs::row::{Call, Harmless, Operands, Program};
use crate::walk::Walk;

/// Options that may stand behind the first word.
const HARMLESS: &[&str] = &[
    "-a",
    "-n",
    "-l",
    "--all",
    "--installed",
    "--upgradable",
    "--no-pager",
    "--plain",
    "--type=service",
    "--state=running",
    "--failed",
    "--user",
    "--json",
    "--formula",
    "--cask",
    "--versions",
    "-g",
];
/// Whether a program that can do more only shows something this time.
pub(crate) fn only_shows(program: &Program, args: &[Arg]) -> bool {
    let words: Option<Vec<String>> = args.iter().map(Arg::fixed).collect();
    let Some(words) = words else { return false };
    let (firsts, seconds) = match program.harmless {
        Harmless::Alone => return words.is_empty(),
        Harmless::FirstWords(firsts) => (firsts, None),
        Harmless::FirstWordsThen(firsts, seconds) => (firsts, Some(seconds)),
        Harmless::No | Harmless::Reading(_) | Harmless::Rule(_) => return false,
    };
    // `systemctl --user status`: such options may stand in front too.
    let leading =
        words.iter().take_while(|word| HARMLESS.contains(&word.as_str()) && !firsts.contains(&word.as_str()));
    let Some((first, rest)) = words[leading.count()..].split_first() else { return false };
    let may_follow = |second: &String| seconds.is_none_or(|seconds| seconds.contains(&second.as_str()));
    firsts.contains(&first.as_str())
        && rest.first().is_none_or(may_follow)
        && rest.iter().all(|word| {
            let is_plain = !word.starts_with('-') && !word.contains('=');
            is_plain || HARMLESS.contains(&word.as_str())
        })
}

/// `set`: how the shell goes on after a failure, and nothing that changes how it reads or writes.
pub(crate) fn set(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let is_plain = |word: &str| {
        matches!(word, "pipefail" | "errexit" | "nounset")
            || word
                .strip_prefix(['-', '+'])
                .is_some_and(|flags| !flags.is_empty() && flags.chars().all(|c| "euo".contains(c)))
    };
    if args.is_empty() || !args.iter().all(|a| a.fixed().is_some_and(|text| is_plain(&text))) {
        if args.is_empty() {
            walk.found.reveal(RevealedText::Environment);
        }
        walk.found.confirm("set is used unasked only as set -euo pipefail");
    }
}

/// `man`: the page of a program.
pub(crate) fn man(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let is_name = |text: &str| {
        text == "-w"
            || text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
                && !text.starts_with('-')
    };
    if !args.iter().all(|a| a.fixed().is_some_and(|text| is_name(&text))) {
        acts::judge(call, walk);
    }
}

/// `sqlite3`: what is in a database, by the plainest of questions.
pub(crate) fn sqlite(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    /// Words by which a question writes files, loads programs or opens other databases.
    const ACTING: &[&str] = &[
        "writefile",
        "readfile",
        "load_extension",
        "edit(",
        "fsdir",
        "attach",
        "pragma",
        "into",
        "shell",
        "fts3_tokenizer",
        "zipfile",
        "generate",
        "sqlar",
    ];
    let words: Option<Vec<String>> = args.iter().map(Arg::fixed).collect();
    let words: Vec<String> = words.unwrap_or_default().into_iter().filter(|w| w != "-readonly").collect();
    let [file, question] = words.as_slice() else {
        acts::judge(call, walk);
        return;
    };
    let text = question.trim().trim_end_matches(';').to_lowercase();
    let lists = [".schema", ".tables", ".indexes", ".databases"].contains(&text.as_str());
    let selects =
        text.starts_with("select ") && !text.contains(';') && !ACTING.iter().any(|word| text.contains(word));
    if (lists || selects) && !file.starts_with('-') && walk.is_there(file) {
        let file = Arg::plain(file);
        walk.path(&file, true);
        walk.operand(&file);
    } else {
        acts::judge(call, walk);
    }
}

/// `openssl`: digests, random numbers, and what a certificate says. Its other uses write files or talk to the network.
pub(crate) fn openssl(walk: &mut Walk<'_>, call: Call<'_>) {
    /// Uses that only look: options alone, and options with a file that is read.
    const LOOKING: &[(&str, &[&str], &[&str])] = &[
        ("rand", &["-hex", "-base64"], &[]),
        (
            "dgst",
            &["-hex", "-r", "-c", "-sha1", "-sha224", "-sha256", "-sha384", "-sha512", "-md5", "-sha3-256"],
            &[],
        ),
        (
            "x509",
            &[
                "-noout",
                "-text",
                "-dates",
                "-startdate",
                "-enddate",
                "-subject",
                "-issuer",
                "-fingerprint",
                "-serial",
                "-pubkey",
                "-email",
                "-purpose",
                "-sha256",
                "-sha1",
                "-hash",
            ],
            &["-in"],
        ),
    ];
    let words: Option<Vec<String>> = call.args.iter().map(Arg::fixed).collect();
    let words = words.unwrap_or_default();
    let known = words.first().and_then(|first| LOOKING.iter().find(|(name, ..)| name == first));
    let mut files = Vec::new();
    let fits = known.is_some_and(|(_, alone, with_file)| {
        let mut rest = words[1..].iter();
        while let Some(word) = rest.next() {
            if with_file.contains(&word.as_str()) {
                let Some(file) = rest.next() else { return false };
                files.push(Arg::plain(file));
            } else if !word.starts_with('-') {
                files.push(Arg::plain(word));
            } else if !alone.contains(&word.as_str()) {
                return false;
            }
        }
        true
    });
    if fits {
        paths(Operands::Files, &files.iter().collect::<Vec<_>>(), walk);
    } else {
        acts::judge(call, walk);
    }
}

/// `journalctl` and `dmesg`: the log, and none of the ways to clean it up.
pub(crate) fn shows_log(walk: &mut Walk<'_>, call: Call<'_>) {
    const LONG: &[&str] = &[
        "--no-pager",
        "--since",
        "--until",
        "--unit",
        "--lines",
        "--boot",
        "--list-boots",
        "--user",
        "--reverse",
    ];
    // What is a number of lines to the one sets the level of the console with the other.
    let known: &[u8] = if call.name == "journalctl" { b"nubkrexp" } else { b"uxTHLlptkre" };
    let is_fine = |arg: &Arg| {
        arg.fixed().is_some_and(|text| match text.strip_prefix('-') {
            None => !text.contains('/'),
            Some(letters) if letters.starts_with('-') => {
                LONG.contains(&text.split('=').next().unwrap_or_default())
            }
            Some(letters) => letters.bytes().all(|b| b.is_ascii_digit() || known.contains(&b)),
        })
    };
    if !call.args.iter().all(is_fine) {
        acts::judge(call, walk);
    }
}

/// `top`: one look at the machine, in lines.
pub(crate) fn shows_once(walk: &mut Walk<'_>, call: Call<'_>) {
    let words: Option<Vec<String>> = call.args.iter().map(Arg::fixed).collect();
    let words = words.unwrap_or_default().concat();
    let is_once = words.strip_prefix("-b").map(|rest| rest.trim_start_matches('-'));
    if !is_once.and_then(|rest| rest.strip_prefix('n')).is_some_and(|count| {
        !count.is_empty() && count.len() < 3 && count.bytes().all(|b| b.is_ascii_digit())
    }) {
        acts::judge(call, walk);
    }
}
