//! Programs of the table whose harmless uses need a rule of their own, and the wrappers that are followed.

use artoo_types::evidence::EffectClass;

use super::acts;
use super::findings::RevealedText;
use super::listing::Splitting;
use super::options::{folders, is_one_of, judge, paths};
use super::programs::row::{Call, Operands, ReadOnlyUse};
use super::scope::VariableValue;
use super::walk::Walk;
use crate::arg::{Arg, Hole};

mod find;
mod git;
mod history;
mod new_files;
pub(crate) mod script;
mod showing;
pub(crate) mod sought;

pub(super) use find::{find, is_narrowed};
pub(super) use git::git;
pub(super) use new_files::{compress, copy, dd, link, mkdir, rename, sort, tar, tee, touch, unzip};
pub(super) use showing::{man, only_shows, openssl, set, shows_log, shows_once, sqlite};

/// `test` and `[`: a variable test evaluates its operand, which may run commands; so every word that is not known must
/// stand where it can only be a string or a path.
pub(crate) fn test(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let args = match args.last().and_then(Arg::fixed).as_deref() {
        Some("]") => &args[..args.len() - 1],
        Some(_) | None => args,
    };
    let args = if args.first().and_then(Arg::fixed).as_deref() == Some("!") { &args[1..] } else { args };
    let fixed: Vec<Option<String>> = args.iter().map(Arg::fixed).collect();
    for arg in args {
        walk.look_at(arg);
    }
    if fixed.iter().flatten().any(|text| matches!(text.as_str(), "-v" | "-R")) {
        walk.found.confirm("a test of a variable may run commands in its subscript");
    }
    let operator_at = match args.len() {
        2 => Some(0),
        3 => Some(1),
        _ => None,
    };
    let has_operator = operator_at.is_some_and(|at| fixed[at].as_deref().is_some_and(|t| !t.is_empty()));
    if args.iter().any(|a| a.fixed().is_none() && (!has_operator || a.may_hide_option() && a.is_loose())) {
        walk.found.confirm(
            "a test with words that are known only when it runs is followed only in its plain forms",
        );
    }
}

/// `date`: showing a time, never setting one.
pub(crate) fn date(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let known = arg.prefix();
        let is_whole = arg.fixed().is_some();
        let fine = match known.as_str() {
            "-d" | "--date" => rest.next().is_some_and(|a| !a.is_loose()),
            "-r" | "--reference" => rest.next().is_some_and(|a| {
                walk.path(a, false);
                !a.is_loose()
            }),
            "-u" | "-R" | "--utc" | "--universal" | "--rfc-email" => is_whole,
            _ => {
                known.starts_with('+')
                    || ["--date=", "--iso-8601", "--rfc-3339="].iter().any(|p| known.starts_with(p))
                    || known.starts_with("-I") && is_whole
            }
        };
        if !fine {
            walk.found.confirm("date is used unasked only to show a time");
        }
    }
}

/// `env` without arguments shows the environment that commands get, which holds no secrets.
pub(crate) fn env(walk: &mut Walk<'_>, _call: Call<'_>) {
    walk.found.reveal(RevealedText::Environment);
}

/// `hostname`: showing names, never setting one.
pub(crate) fn hostname(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let shows = ["-f", "-s", "-i", "-I", "-d", "-A", "--fqdn", "--short", "--long", "--all-fqdns"];
    if !args.iter().all(|a| a.fixed().is_some_and(|t| shows.contains(&t.as_str()))) {
        walk.found.confirm("hostname is used unasked only to show a name");
    }
}

/// `printf`: printing, never setting a variable.
pub(crate) fn printf(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let args = if args.first().and_then(Arg::fixed).as_deref() == Some("--") { &args[1..] } else { args };
    let Some(format) = args.first() else { return };
    match format.fixed() {
        Some(format) if !format.starts_with('-') && !sets_variable(&format) => {}
        Some(_) | None => walk.found.confirm("printf is used unasked only with a plain format"),
    }
}

/// Whether a format holds `%n`, which stores a number in a variable.
fn sets_variable(format: &str) -> bool {
    format.replace("%%", "").split('%').skip(1).any(|spec| {
        spec.chars().find(|c| c.is_ascii_alphabetic() && !matches!(c, 'h' | 'l' | 'L' | 'j' | 'z' | 't'))
            == Some('n')
    })
}

/// `ps`: processes, without their environments.
pub(crate) fn ps(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let mut is_value = false;
    for arg in args {
        let Some(text) = arg.fixed() else {
            if !arg.is_numeric() {
                walk.found.confirm("an argument of ps is known only when it runs");
            }
            is_value = false;
            continue;
        };
        let is_bare = !text.starts_with('-');
        if !is_value && (is_bare && text.contains('e') || text.contains('E')) {
            walk.found.confirm("ps would show the environments of processes");
        }
        is_value = !(is_value && is_bare) && ps_takes_next(&text);
    }
}

/// Whether the next word is the value of this one: the first letter that takes one is the last.
fn ps_takes_next(word: &str) -> bool {
    const LONG: &[&str] = &["--sort", "--format", "--pid", "--ppid", "--user", "--cols", "--columns"];
    let letters = match word.strip_prefix('-') {
        Some(rest) if rest.starts_with('-') => return LONG.contains(&word),
        Some(_) => "CGUgoOpqstu",
        None => "oOpqtUk",
    };
    word.char_indices().find(|(_, c)| letters.contains(*c)).is_some_and(|(at, _)| at + 1 == word.len())
}

/// `mktemp`: a new entry of the temporary folder, which is the call's own.
pub(crate) fn temporary(walk: &mut Walk<'_>, call: Call<'_>) {
    let is_plain =
        |arg: &Arg| matches!(arg.fixed().as_deref(), Some("-d" | "-q" | "-dq" | "--directory" | "--quiet"));
    if call.args.iter().all(is_plain) && !walk.scope.is_redirected {
        walk.flow.makes_scratch = true;
    } else {
        acts::judge(call, walk);
    }
}

/// `read -r name ...`: a line of standard input into variables of the command's own.
pub(crate) fn read_line(walk: &mut Walk<'_>, call: Call<'_>) {
    let mut args = call.args.iter();
    while let Some(arg) = args.next() {
        match arg.fixed().as_deref() {
            Some("-r") => {}
            // Up to the next NUL, as `find -print0` writes.
            Some("-d") if args.as_slice().first().and_then(Arg::fixed).as_deref() == Some("") => {
                args.next();
            }
            Some(name) if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                walk.set(name, VariableValue::Hole(Hole::Opaque));
            }
            Some(_) | None => walk.found.confirm("read is used unasked only as read -r name"),
        }
    }
}

/// `rg`: searching, never running another program for it.
pub(crate) fn ripgrep(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    const BANNED: &[&str] = &["--pre", "--hostname-bin", "--search-zip", "--hyperlink-format"];
    const GIVEN: &[&str] = &["--regexp", "--file", "--files", "--type-list"];
    const VALUES: &str = "eABCmgtTjfrMEd";
    let mut files = Vec::new();
    let (mut ended, mut value_follows, mut pattern_given) = (false, false, false);
    for arg in args {
        let Some(text) = arg.fixed() else {
            if !ended && (arg.may_hide_option() || arg.is_option()) {
                walk.found.confirm("an argument of rg may turn out to be an option; write ./* or --");
            }
            files.push(arg);
            continue;
        };
        if value_follows {
            value_follows = false;
            walk.path(arg, true);
        } else if ended || !text.starts_with('-') || text == "-" {
            files.push(arg);
        } else if text == "--" {
            ended = true;
        } else {
            // It knows no shorter forms of its long options.
            let name = text.split('=').next().unwrap_or_default();
            if is_one_of(&text, "z", &[]) || BANNED.contains(&name) {
                walk.found.confirm("rg is not used unasked with options that run other programs");
            }
            pattern_given |= is_one_of(&text, "ef", &[]) || GIVEN.contains(&name);
            value_follows = !text.starts_with("--") && text.ends_with(|c| VALUES.contains(c));
            let value = text.split_once('=').map(|(_, value)| value).or_else(|| text.get(2..));
            walk.path(&Arg::plain(value.unwrap_or_default()), true);
        }
    }
    let files: Vec<&Arg> = files.into_iter().skip(usize::from(!pattern_given)).collect();
    paths(Operands::Files, &files, walk);
    folders(&files, walk);
}

/// `jq` with a program of its own.
const JQ: ReadOnlyUse = ReadOnlyUse {
    operands: Operands::PatternThenFiles,
    values: "",
    except: Some(("fL", &["from-file", "library-path"])),
};

/// `jq`: a program of its own that reads no other files. `import "x" as $x;` and `include "x";` would.
pub(crate) fn jq(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let reads_files = |text: &str| {
        let words = ["import", "include"];
        let behind = words.into_iter().flat_map(|word| text.split(word).skip(1));
        // A remark can stand between the word and its file.
        behind.map(str::trim_start).any(|rest| rest.starts_with('"') || text.contains('#'))
    };
    if args.iter().any(|arg| reads_files(&arg.shown())) {
        walk.found.act(EffectClass::Read, "the jq program reads files that its text names");
    }
    judge(JQ, call, walk);
}

/// `xxd`: showing a file; its second operand is a file that it writes.
pub(crate) fn xxd(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    const VALUES: &[&str] =
        &["-s", "-seek", "-skip", "-l", "-len", "-c", "-cols", "-g", "-groupsize", "-o", "-offset"];
    let mut rest = args;
    while let [option, behind @ ..] = rest
        && option.is_option()
        && option.fixed().is_some_and(|text| text != "--")
    {
        let takes_next = option.fixed().is_some_and(|text| VALUES.contains(&text.as_str()));
        rest = if takes_next { behind.get(1..).unwrap_or_default() } else { behind };
    }
    if rest.len() > 1 || args.iter().any(|arg| arg.fixed().is_none()) {
        acts::judge(call, walk);
    }
    paths(Operands::Files, &rest.iter().collect::<Vec<_>>(), walk);
}

/// `uniq`: one input and no output file.
pub(crate) fn uniq(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let mut files = Vec::new();
    let mut value_follows = false;
    for arg in args {
        let text = arg.fixed().unwrap_or_default();
        if value_follows && text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() {
            value_follows = false;
        } else if arg.is_option() && arg.fixed().is_some() && text != "--" {
            value_follows = matches!(text.as_str(), "-f" | "-s" | "-w");
        } else {
            if arg.may_hide_option() {
                walk.found.confirm("an argument of uniq may turn out to be an option; write ./* or --");
            }
            files.push(arg);
        }
    }
    if files.len() > 1 || files.iter().any(|f| f.fixed().is_none()) {
        walk.found.confirm("the second operand of uniq is a file that it writes");
    }
    paths(Operands::Files, &files, walk);
}

/// What `nice` runs.
pub(crate) fn after_nice(args: &[Arg]) -> &[Arg] {
    match args.first().and_then(Arg::fixed).as_deref() {
        Some("-n") if args.get(1).and_then(Arg::fixed).is_some() => args.get(2..).unwrap_or_default(),
        Some(option) if option.starts_with('-') && option[1..].bytes().all(|b| b.is_ascii_digit()) => {
            &args[1..]
        }
        Some(_) | None => args,
    }
}

/// What `timeout` runs; returns None if its options are not followed.
pub(crate) fn after_timeout(args: &[Arg]) -> Option<&[Arg]> {
    let mut at = 0;
    while let Some(option) = args.get(at).and_then(Arg::fixed).filter(|t| t.starts_with('-')) {
        at += match option.as_str() {
            "-k" | "-s" => {
                args.get(at + 1)?.fixed()?;
                2
            }
            "--preserve-status" | "-v" => 1,
            _ => return None,
        };
    }
    let duration = args.get(at)?.fixed()?;
    duration.starts_with(|c: char| c.is_ascii_digit()).then(|| args.get(at + 1..).unwrap_or_default())
}

/// What `env` runs after settings of the language; returns None if it does anything else.
pub(crate) fn after_env(args: &[Arg]) -> Option<&[Arg]> {
    let mut at = 0;
    while let Some(setting) = args.get(at).filter(|a| a.prefix().contains('=')) {
        let text = setting.fixed()?;
        let (name, value) = text.split_once('=')?;
        if !(matches!(name, "LANG" | "TZ") || name.starts_with("LC_")) || value.contains('/') {
            return None;
        }
        at += 1;
    }
    args.get(at).filter(|a| !a.is_option()).map(|_| &args[at..])
}

/// What `xargs` runs, the mark that it replaces in place of appending, and how it splits what it reads; returns None if its options
/// are not followed.
pub(crate) fn after_xargs(args: &[Arg]) -> Option<(Option<String>, Splitting, &[Arg])> {
    let (mut at, mut mark, mut splitting) = (0, None, Splitting::Blanks);
    while let Some(option) = args.get(at).and_then(Arg::fixed).filter(|t| t.starts_with('-')) {
        at += 1;
        match option.as_str() {
            "-0" | "-0r" | "-r0" | "--null" => splitting = Splitting::Zeros,
            "-r" | "-t" | "--no-run-if-empty" => {}
            "-n" | "-L" | "-P" => {
                args.get(at)?.fixed()?;
                at += 1;
            }
            "-I" => {
                mark = Some(args.get(at)?.fixed()?);
                at += 1;
            }
            "-d" => {
                splitting = by_mark(&args.get(at)?.fixed()?);
                at += 1;
            }
            _ => match option.split_at_checked(2) {
                Some(("-I", text)) if !text.is_empty() => mark = Some(text.to_owned()),
                Some(("-n" | "-L" | "-P", number)) if number.bytes().all(|b| b.is_ascii_digit()) => {}
                Some(("-d", text)) if !text.is_empty() => splitting = by_mark(text),
                Some(_) | None => return None,
            },
        }
    }
    if mark.as_deref() == Some("") {
        return None;
    }
    if mark.is_some() && splitting == Splitting::Blanks {
        splitting = Splitting::Lines;
    }
    Some((mark, splitting, args.get(at..).unwrap_or_default()))
}

/// How `xargs -d` splits.
fn by_mark(mark: &str) -> Splitting {
    match mark {
        "\n" | "\\n" => Splitting::Lines,
        "\\0" => Splitting::Zeros,
        _ => Splitting::Mark,
    }
}
