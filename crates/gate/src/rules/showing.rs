//! Programs that can do much, and only show something in a few of their uses.

use crate::acts;
use crate::arg::Arg;
use crate::programs::row::{Call, Harmless, Program};
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
    let Some((first, rest)) = words.split_first() else { return false };
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
        walk.found.reveals |= args.is_empty();
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
