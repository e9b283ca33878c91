//! Programs in other languages that are simple enough to be followed: `awk` and `sed`.

use artoo_types::evidence::EffectClass;

use crate::arg::Arg;
use crate::glob;
use crate::options::paths;
use crate::programs::row::{Call, Operands};
use crate::walk::Walk;

/// Words of awk that run, read or redirect more than its operands, wherever they stand.
const AWK_BANNED: &[&str] =
    &["system", "getline", "ARGV", "ARGC", "close", "fflush", "load", "include", "eval"];
/// Words after which a slash begins an expression and not a division.
const AWK_BEFORE_REGEX: &[&str] =
    &["print", "printf", "return", "in", "delete", "case", "else", "do", "exit"];

/// `awk`: a program that prints what it reads.
pub(crate) fn awk(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let mut rest = args.iter();
    let mut program = None;
    let mut files = Vec::new();
    while let Some(arg) = rest.next() {
        let known = arg.fixed();
        match known.as_deref() {
            Some("-F" | "-v") if program.is_none() => {
                if rest.next().is_none_or(|value| value.may_hide_option()) {
                    walk.found.confirm("a setting of awk is known only when it runs");
                }
            }
            Some(text) if program.is_none() && (text.starts_with("-F") || text.starts_with("-v")) => {}
            Some("--") if program.is_none() => {}
            Some(text) if program.is_none() && !text.starts_with('-') => program = Some(text.to_owned()),
            Some(text) if program.is_some() && !text.starts_with('-') => files.push(arg),
            None if program.is_some() && !arg.is_option() => files.push(arg),
            Some(_) | None => {
                walk.found
                    .confirm("awk is used unasked only with -F, -v, a program that is known, and files");
                files.push(arg);
            }
        }
    }
    if !program.as_deref().is_some_and(awk_only_prints) {
        if let Some(text) = &program {
            walk.foreign_text(text);
        }
        walk.found.confirm("the awk program may run commands or write files");
    }
    paths(Operands::Files, &files, walk);
}

/// Whether an awk program runs nothing and redirects nothing. What cannot be told for sure counts as no.
pub(crate) fn awk_only_prints(program: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if program.split(|c| !is_word(c)).any(|word| AWK_BANNED.contains(&word)) {
        return false;
    }
    let chars: Vec<char> = program.chars().collect();
    let branches = program.split(|c| !is_word(c)).any(|w| matches!(w, "if" | "while" | "for" | "switch"));
    let (mut at, mut prints, mut word, mut last) = (0, false, String::new(), '{');
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        if is_word(c) {
            if at == 0 || !is_word(chars[at - 1]) {
                word.clear();
            }
            word.push(c);
            prints |= matches!(word.as_str(), "print" | "printf");
        }
        match c {
            '"' => match end_of_string(&chars, at) {
                Some(end) => at = end,
                None => return false,
            },
            // Behind `if (...)` a slash begins an expression, behind other brackets it divides.
            '/' if last == ')' && branches => return false,
            '/' if is_word(last) && AWK_BEFORE_REGEX.contains(&word.as_str()) => return false,
            '/' if !(is_word(last) || matches!(last, ')' | ']' | '$' | '"' | '+' | '-' | '/')) => {
                match end_of_regex(&chars, at) {
                    Some(end) => at = end,
                    None => return false,
                }
            }
            '/' if matches!(last, '"' | '+' | '-' | '$' | '/') => return false,
            '|' if next == '|' => at += 1,
            '|' => return false,
            '>' if prints => match end_of_stderr(&chars, at) {
                Some(end) => at = end,
                None => return false,
            },
            // Comments, includes and indirect calls; inside of strings and expressions they are plain characters.
            '\\' | '@' | '#' | '`' => return false,
            // A line end is no end of a statement behind a comma or an operator, so it does not count.
            ';' | '{' | '}' => prints = false,
            _ => {}
        }
        if !c.is_whitespace() || c == '\n' {
            last = c;
        }
        at += 1;
    }
    true
}

/// The last character of `> "/dev/stderr"`, when nothing is joined to it.
fn end_of_stderr(chars: &[char], start: usize) -> Option<usize> {
    let rest: String = chars[start + 1..].iter().collect();
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let behind = rest[blanks..].strip_prefix("\"/dev/stderr\"")?;
    let is_end = behind.trim_start_matches(' ').chars().next().is_none_or(|c| matches!(c, ';' | '}' | '\n'));
    is_end.then_some(start + blanks + "\"/dev/stderr\"".len())
}

fn end_of_string(chars: &[char], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '"' => return Some(at),
            '\n' => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The slash that ends an expression; returns None if brackets make it doubtful which one does.
fn end_of_regex(chars: &[char], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => at = end_of_bracket(chars, at, &['/', '"'])?,
            '"' | '\n' => return None,
            '/' => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The `]` that ends the bracket that opens here, when everybody says so: none when it holds one of these marks, an escape,
/// or a bracket that is not the name of a class.
fn end_of_bracket(chars: &[char], open: usize, marks: &[char]) -> Option<usize> {
    let first = if chars.get(open + 1) == Some(&'^') { open + 2 } else { open + 1 };
    let mut at = first;
    loop {
        match chars.get(at)? {
            ']' => return (at > first).then_some(at),
            '[' => at = end_of_class(chars, at)?,
            '\n' => return None,
            // Not everybody takes a backslash for an escape here.
            '\\' if matches!(chars.get(at + 1)?, ']' | '[' | '\n') => return None,
            '\\' => at += 1,
            c if marks.contains(c) => return None,
            _ => {}
        }
        at += 1;
    }
}

/// The `]` of `[:name:]`.
fn end_of_class(chars: &[char], open: usize) -> Option<usize> {
    (chars.get(open + 1)? == &':').then_some(())?;
    let letters = chars[open + 2..].iter().take_while(|c| c.is_ascii_lowercase()).count();
    let end = open + 2 + letters;
    (letters > 0 && chars.get(end)? == &':' && chars.get(end + 1)? == &']').then_some(end + 1)
}

/// `sed`: a script that prints or replaces text on its way to standard output.
pub(crate) fn sed(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let mut scripts = Vec::new();
    let mut words = Vec::new();
    let mut rest = args.iter();
    let (mut ended, mut replaces) = (false, false);
    while let Some(arg) = rest.next() {
        match arg.fixed().as_deref() {
            Some("--") if !ended => ended = true,
            Some(text) if !ended && text.starts_with("--expression=") => {
                scripts.push(text.strip_prefix("--expression=").map(str::to_owned));
            }
            Some("-e" | "--expression") if !ended => scripts.push(rest.next().and_then(Arg::fixed)),
            Some("-n" | "-E" | "-r" | "-s" | "-u" | "-z" | "-nE" | "-En" | "-nr" | "-rn" | "--quiet")
                if !ended => {}
            Some("-ne" | "-nEe" | "-Ee") if !ended => scripts.push(rest.next().and_then(Arg::fixed)),
            Some(text) if !ended && text.starts_with('-') && text.len() > 1 => {
                // With an ending after it, -i also makes files of other names.
                let in_place = matches!(text, "-i" | "--in-place");
                if !in_place {
                    walk.found.confirm(&format!("sed is not used unasked with {text}"));
                }
                replaces |= in_place || text.starts_with("-i") || text.starts_with("--i");
            }
            Some(_) => words.push(arg),
            None => {
                if !ended && arg.may_hide_option() {
                    walk.found.confirm("an argument of sed may turn out to be an option; write ./* or --");
                }
                words.push(arg);
            }
        }
    }
    let mut files = words.into_iter();
    if scripts.is_empty() {
        scripts.push(files.next().and_then(Arg::fixed));
    }
    if !scripts.iter().all(|script| script.as_deref().is_some_and(sed_only_prints)) {
        walk.found.confirm("the sed script may write files or run commands");
    }
    let files: Vec<&Arg> = files.collect();
    paths(Operands::Files, &files, walk);
    if replaces {
        let why = "sed would change its files in place";
        let is_known = walk.scope.folder == walk.scope.paths.working_directory;
        let named: Option<Vec<Vec<String>>> =
            files.iter().map(|f| glob::named(f, &walk.scope.folder).filter(|_| is_known)).collect();
        match named.map(|names| names.concat()) {
            Some(names) => {
                let paths: Vec<String> = names.iter().map(|name| walk.scope.resolve(name)).collect();
                paths.iter().for_each(|path| walk.found.touch(path.clone()));
                walk.found.act_on(EffectClass::Overwrite, why, &paths);
                // It writes a new file beside each and renames it, which cannot be granted beside what runs later.
                let is_guarded = |path: &String| {
                    path.rsplit_once('/').is_none_or(|(folder, _)| walk.scope.paths.covers_guarded(folder))
                };
                if let Some(path) = paths.iter().find(|path| is_guarded(path)) {
                    walk.found.confirm(&format!(
                        "sed -i makes a new file beside {path}, where files lie that may run later; edit_file does not"
                    ));
                }
            }
            None => {
                walk.found.act(EffectClass::Overwrite, why);
                files.iter().for_each(|file| walk.found.touch(walk.scope.resolve(&file.shown())));
            }
        }
    }
}

/// Whether a script has only commands without files, y, and s without the flags that write or run.
pub(crate) fn sed_only_prints(script: &str) -> bool {
    let mut rest = script.trim();
    while !rest.is_empty() {
        let Some(start) = address(rest).map(str::trim_start) else { return false };
        let Some(after) = command(start) else { return false };
        let after = after.trim_start_matches([' ', '\t']);
        if start.starts_with('{') || after.starts_with('}') {
            rest = after.trim_start();
            continue;
        }
        match after.strip_prefix([';', '\n']) {
            Some(more) => rest = more.trim_start(),
            None if after.is_empty() => return true,
            None => return false,
        }
    }
    true
}

/// The script after an address, which may be absent.
fn address(script: &str) -> Option<&str> {
    let mut rest = one_address(script)?;
    if let Some(second) = rest.strip_prefix(',') {
        let second = second.strip_prefix(['+', '~']).unwrap_or(second);
        rest = one_address(second)?;
    }
    let rest = rest.trim_start();
    Some(rest.strip_prefix('!').unwrap_or(rest))
}

fn one_address(script: &str) -> Option<&str> {
    if let Some(inner) = script.strip_prefix('/') {
        let rest = delimited(inner, '/')?;
        return Some(rest.strip_prefix('I').unwrap_or(rest));
    }
    let rest = script.strip_prefix('$').unwrap_or(script);
    Some(rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~'))
}

/// The script after one command.
fn command(script: &str) -> Option<&str> {
    let mut chars = script.chars();
    match chars.next()? {
        'p' | 'd' | '=' | 'g' | 'G' | 'h' | 'H' | 'x' | 'n' | 'N' | 'P' | 'D' | '{' | '}' => {
            Some(chars.as_str())
        }
        'y' => {
            let mark = chars.next().filter(|c| c.is_ascii_punctuation() && !matches!(c, '\\' | '['))?;
            delimited(delimited(chars.as_str(), mark)?, mark)
        }
        'q' => Some(chars.as_str().trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')),
        's' => {
            let mark = chars.next().filter(|c| c.is_ascii_punctuation() && *c != '\\')?;
            let replacement = delimited(chars.as_str(), mark)?;
            let flags = delimited(replacement, mark)?;
            Some(flags.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'i' | 'I')))
        }
        _ => None,
    }
}

/// The text after the next unescaped mark; returns None if there is none, or when a bracket makes it doubtful which one ends it.
fn delimited(text: &str, mark: char) -> Option<&str> {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '\n' => return None,
            c if c == mark => {
                let length: usize = chars[..=at].iter().map(|c| c.len_utf8()).sum();
                return Some(&text[length..]);
            }
            '[' => at = end_of_bracket(&chars, at, &[mark])?,
            _ => {}
        }
        at += 1;
    }
    None
}
