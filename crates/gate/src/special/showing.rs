//! Programs that can do much, and only show something in a few of their uses.

use crate::acts;
use crate::survey::Survey;
use crate::word::Arg;

/// Programs, and the first words with which they only show something.
const SHOWING: &[(&str, &[&str])] = &[
    ("apt", &["list", "show", "search", "policy"]),
    ("brew", &["list", "--prefix", "--cellar"]),
    ("crontab", &["-l"]),
    ("csrutil", &["status"]),
    ("defaults", &["read", "domains", "read-type"]),
    ("diskutil", &["list", "info"]),
    ("dpkg", &["-l", "-L", "-s", "-S", "--list", "--status", "--listfiles"]),
    ("ip", &["a", "addr", "address", "route", "r", "link"]),
    ("kill", &["-l"]),
    ("launchctl", &["list", "print"]),
    ("mdutil", &["-s"]),
    ("pmset", &["-g"]),
    ("rpm", &["-q", "-qa", "-qi", "-ql"]),
    ("scutil", &["--get", "--dns", "--proxy"]),
    ("spctl", &["--status"]),
    ("sysctl", &["-n", "-a", "hw.ncpu", "hw.memsize", "kern.ostype"]),
    (
        "systemctl",
        &[
            "status",
            "list-units",
            "list-unit-files",
            "list-timers",
            "is-active",
            "is-enabled",
            "is-failed",
            "show",
            "cat",
        ],
    ),
    ("tmutil", &["listbackups", "status", "latestbackup", "destinationinfo"]),
    ("ulimit", &["-a", "-n", "-u", "-c", "-f", "-s", "-t", "-v"]),
];
/// Programs that only show something when they are given nothing.
const ALONE: &[&str] = &["arch", "ifconfig", "mount", "umask", "jobs", "times", "wait"];
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
/// Words with which `ip` shows something. It takes every shorter form of the others too.
const IP_SHOWS: &[&str] = &["show", "list"];

/// Whether a program of this table only shows something this time.
pub(crate) fn only_shows(name: &str, args: &[Arg]) -> bool {
    let words: Option<Vec<String>> = args.iter().map(Arg::fixed).collect();
    let Some(words) = words else { return false };
    let Some((first, rest)) = words.split_first() else { return ALONE.contains(&name) };
    let is_row = SHOWING.iter().any(|(program, firsts)| *program == name && firsts.contains(&first.as_str()));
    let is_shown = name != "ip" || rest.first().is_none_or(|word| IP_SHOWS.contains(&word.as_str()));
    // With a number behind it, a limit is set.
    let is_shown = is_shown && (name != "ulimit" || rest.is_empty());
    is_row
        && is_shown
        && rest.iter().all(|word| {
            let is_plain = !word.starts_with('-') && !word.contains('=');
            is_plain || HARMLESS.contains(&word.as_str())
        })
}

/// `set`: how the shell goes on after a failure, and nothing that changes how it reads or writes.
pub(crate) fn set(survey: &mut Survey<'_>, args: &[Arg]) {
    let is_plain = |word: &str| {
        matches!(word, "pipefail" | "errexit" | "nounset")
            || word
                .strip_prefix(['-', '+'])
                .is_some_and(|flags| !flags.is_empty() && flags.chars().all(|c| "euo".contains(c)))
    };
    if args.is_empty() || !args.iter().all(|a| a.fixed().is_some_and(|text| is_plain(&text))) {
        survey.reveals |= args.is_empty();
        survey.confirm("set is used unasked only as set -euo pipefail");
    }
}

/// `man`: the page of a program.
pub(crate) fn man(survey: &mut Survey<'_>, args: &[Arg]) {
    let is_name = |text: &str| {
        text == "-w"
            || text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
                && !text.starts_with('-')
    };
    if !args.iter().all(|a| a.fixed().is_some_and(|text| is_name(&text))) {
        acts::judge("man", args, survey);
    }
}

/// `sqlite3`: what is in a database, by the plainest of questions.
pub(crate) fn sqlite(survey: &mut Survey<'_>, args: &[Arg]) {
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
        acts::judge("sqlite3", args, survey);
        return;
    };
    let text = question.trim().trim_end_matches(';').to_lowercase();
    let lists = [".schema", ".tables", ".indexes", ".databases"].contains(&text.as_str());
    let selects =
        text.starts_with("select ") && !text.contains(';') && !ACTING.iter().any(|word| text.contains(word));
    if (lists || selects) && !file.starts_with('-') && survey.is_there(file) {
        let file = Arg::plain(file);
        survey.path(&file, true);
        survey.operand(&file);
    } else {
        acts::judge("sqlite3", args, survey);
    }
}
