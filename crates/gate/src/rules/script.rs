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
/// Slashes of an awk program that may be read in two ways. Each doubles the readings.
const MAX_AMBIGUOUS: usize = 6;

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
    if files.iter().any(|file| file.fixed().is_some_and(|path| path.starts_with("/inet"))) {
        walk.found.confirm("gawk takes a file below /inet for a connection");
    }
    paths(Operands::Files, &files, walk);
}

/// Whether an awk program runs nothing and redirects nothing. What cannot be told for sure counts as no.
pub(crate) fn awk_only_prints(program: &str) -> bool {
    if program.split(|c| !is_word(c)).any(|word| AWK_BANNED.contains(&word)) {
        return false;
    }
    let chars: Vec<char> = program.chars().collect();
    AwkReading { chars: &chars, at: 0, prints: false, last: '{', depth: 0, ambiguous: 0 }.only_prints()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// One way to read an awk program, up to a place in it. Where a slash can divide as well as begin an expression, which not all
/// awks decide alike (mawk begins one behind `length`), both readings are followed to the end.
#[derive(Clone)]
struct AwkReading<'a> {
    chars: &'a [char],
    at: usize,
    /// A statement that prints has begun.
    prints: bool,
    /// The last character that was no blank.
    last: char,
    /// Round brackets that are open, in which not every awk ends a statement with the line.
    depth: usize,
    /// Slashes so far that were read in two ways.
    ambiguous: usize,
}

impl AwkReading<'_> {
    /// Whether the rest of the program runs nothing and redirects nothing, whatever its slashes are.
    fn only_prints(mut self) -> bool {
        while self.at < self.chars.len() {
            let c = self.chars[self.at];
            let next = self.chars.get(self.at + 1).copied().unwrap_or(' ');
            match c {
                _ if is_word(c) => self.word(),
                '"' => match end_of_string(self.chars, self.at) {
                    Some(end) => self.at = end,
                    None => return false,
                },
                '/' if begins_operand(self.last) && (self.last != '\n' || self.depth == 0) => {
                    match end_of_regex(self.chars, self.at) {
                        RegexEnd::At(end) => self.at = end,
                        RegexEnd::Open | RegexEnd::Doubtful => return false,
                    }
                }
                '/' => {
                    self.ambiguous += 1;
                    let as_regex = match end_of_regex(self.chars, self.at) {
                        // In this reading the program is none.
                        RegexEnd::Open => true,
                        RegexEnd::Doubtful => false,
                        RegexEnd::At(end) => Self { at: end + 1, last: '/', ..self.clone() }.only_prints(),
                    };
                    if self.ambiguous > MAX_AMBIGUOUS || !as_regex {
                        return false;
                    }
                }
                '|' if next == '|' => self.at += 1,
                '|' => return false,
                '>' if self.prints => match end_of_stderr(self.chars, self.at) {
                    Some(end) => self.at = end,
                    None => return false,
                },
                // Comments, includes and indirect calls; inside of strings and expressions they are plain characters.
                '\\' | '@' | '#' | '`' => return false,
                // A line end is no end of a statement behind a comma or an operator, so it does not count.
                ';' | '{' | '}' => self.prints = false,
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            let c = self.chars[self.at];
            if !c.is_whitespace() || c == '\n' {
                self.last = c;
            }
            self.at += 1;
        }
        true
    }

    /// Reads a word up to its last letter.
    fn word(&mut self) {
        let length = self.chars[self.at..].iter().take_while(|c| is_word(**c)).count();
        let word: String = self.chars[self.at..self.at + length].iter().collect();
        self.prints |= matches!(word.as_str(), "print" | "printf");
        self.at += length - 1;
    }
}

/// Whether nothing that a slash could divide ends with this character.
fn begins_operand(last: char) -> bool {
    matches!(
        last,
        '(' | ',' | '{' | ';' | '!' | '~' | '=' | '&' | '|' | '?' | ':' | '<' | '>' | '*' | '%' | '^' | '\n'
    )
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

/// Where an expression ends that begins at a slash.
enum RegexEnd {
    /// At this slash.
    At(usize),
    /// Nowhere: no awk takes that for an expression.
    Open,
    /// Brackets make it doubtful.
    Doubtful,
}

fn end_of_regex(chars: &[char], start: usize) -> RegexEnd {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' if chars.get(at + 1) == Some(&'\n') => return RegexEnd::Doubtful,
            '\\' => at += 1,
            '[' => match end_of_bracket(chars, at, &['/']) {
                Some(end) => at = end,
                None => return RegexEnd::Doubtful,
            },
            '\n' => return RegexEnd::Open,
            '/' => return RegexEnd::At(at),
            _ => {}
        }
        at += 1;
    }
    RegexEnd::Open
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
