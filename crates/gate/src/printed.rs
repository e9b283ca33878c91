//! What a program prints, where the command's own text tells: so that text that is hidden in an encoding is read too.

use base64::Engine as _;

/// Bytes of an output that are followed.
pub(crate) const MAX_BYTES: usize = 16 * 1024;

/// What `echo` prints.
pub(crate) fn echo(words: &[&str], _stdin: Option<&str>) -> Option<String> {
    match words {
        ["-n", rest @ ..] if plain_echo(rest) => Some(rest.join(" ")),
        ["-e", rest @ ..] if !rest.iter().any(|w| w.starts_with('-')) => {
            Some(unescaped(&rest.join(" "), Escapes::Echo)? + "\n")
        }
        rest if plain_echo(rest) => Some(rest.join(" ") + "\n"),
        _ => None,
    }
}

/// What `printf` prints.
pub(crate) fn printf(words: &[&str], _stdin: Option<&str>) -> Option<String> {
    let (["--", rest @ ..] | rest) = words;
    formatted(rest)
}

/// What `cat` prints.
pub(crate) fn cat(words: &[&str], stdin: Option<&str>) -> Option<String> {
    matches!(words, [] | ["-"]).then(|| stdin.map(str::to_owned)).flatten()
}

/// What `tee` prints.
pub(crate) fn tee(words: &[&str], stdin: Option<&str>) -> Option<String> {
    words.is_empty().then(|| stdin.map(str::to_owned)).flatten()
}

/// What `base64` prints when it decodes.
pub(crate) fn base64(words: &[&str], stdin: Option<&str>) -> Option<String> {
    let ["-d" | "-D" | "--decode"] = words else { return None };
    // At any other blank it stops.
    let text = stdin?.replace('\n', "");
    String::from_utf8(base64::engine::general_purpose::STANDARD.decode(text).ok()?).ok()
}

/// What `xxd` prints when it reads plain hexadecimal digits.
pub(crate) fn xxd(words: &[&str], stdin: Option<&str>) -> Option<String> {
    let (["-r", "-p"] | ["-p", "-r"]) = words else { return None };
    let text: String = stdin?.split_whitespace().collect();
    String::from_utf8(hex::decode(text).ok()?).ok()
}

/// What `rev` prints.
pub(crate) fn rev(words: &[&str], stdin: Option<&str>) -> Option<String> {
    stdin.filter(|text| words.is_empty() && text.is_ascii()).map(reversed)
}

/// What `tr` prints.
pub(crate) fn tr(words: &[&str], stdin: Option<&str>) -> Option<String> {
    let [from, to] = words else { return None };
    translated(stdin?, from, to)
}

fn reversed(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| line.chars().rev().collect()).collect();
    lines.join("\n")
}

fn plain_echo(words: &[&str]) -> bool {
    words.first().is_none_or(|word| !word.starts_with('-'))
}

/// The formats that take no numbers, with their arguments. `%s` and `%b` alone; a format is used again while arguments
/// are left.
fn formatted(words: &[&str]) -> Option<String> {
    let (format, mut rest) = words.split_first()?;
    let mut out = String::new();
    loop {
        let before = rest.len();
        let mut pieces = format.split('%');
        out.push_str(&unescaped(pieces.next()?, Escapes::Format)?);
        while let Some(piece) = pieces.next() {
            if piece.is_empty() {
                out.push('%');
                out.push_str(&unescaped(pieces.next()?, Escapes::Format)?);
                continue;
            }
            let taken = rest.split_first().map_or("", |(first, others)| {
                rest = others;
                first
            });
            match piece.split_at_checked(1)? {
                ("s", after) => out.push_str(&format!("{taken}{}", unescaped(after, Escapes::Format)?)),
                ("b", after) => {
                    out.push_str(&unescaped(taken, Escapes::Echo)?);
                    out.push_str(&unescaped(after, Escapes::Format)?);
                }
                (_, _) => return None,
            }
        }
        if rest.is_empty() || rest.len() == before || out.len() > MAX_BYTES {
            return Some(out);
        }
    }
}

/// Who reads the escapes of a text. They differ in what digits and quotes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// The shell, within `$'...'`.
    Quoted,
    /// `printf`, in its format.
    Format,
    /// `echo -e`, and `printf` for `%b`. Three digits follow `\0`, and a quote keeps its backslash.
    Echo,
}

/// The text behind its escapes; returns None if one is not read here, or not read alike by all that go by this name.
pub(crate) fn unescaped(text: &str, escapes: Escapes) -> Option<String> {
    let is_echo = escapes == Escapes::Echo;
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let kind = after.chars().next()?;
        let digits = after;
        let after = &after[kind.len_utf8()..];
        let (c, left) = match kind {
            'n' => ('\n', after),
            't' => ('\t', after),
            '\\' => ('\\', after),
            '\'' if !is_echo => ('\'', after),
            '"' if !is_echo => ('"', after),
            'x' => number(after, 16, 2)?,
            'u' => number(after, 16, 4)?,
            'U' => number(after, 16, 8)?,
            '0' if is_echo => number(after, 8, 3)?,
            '0'..='7' if !is_echo => number(digits, 8, 3)?,
            _ => return None,
        };
        // What a character beyond ASCII becomes depends on the language of the shell.
        if c == '\0' || !c.is_ascii() {
            return None;
        }
        out.push(c);
        rest = left;
    }
    out.push_str(rest);
    Some(out)
}

/// The character of an escape with up to `most` digits, and what follows.
fn number(text: &str, radix: u32, most: usize) -> Option<(char, &str)> {
    let digits = text.chars().take(most).take_while(|c| c.is_digit(radix)).count();
    let value = u32::from_str_radix(&text[..digits], radix).ok()?;
    Some((char::from_u32(value)?, &text[digits..]))
}

/// `tr` with two sets of the same length, of ranges and single characters. It works on bytes.
fn translated(text: &str, from: &str, to: &str) -> Option<String> {
    if from.starts_with('-') || !(text.is_ascii() && from.is_ascii() && to.is_ascii()) {
        return None;
    }
    let (from, to) = (set(from)?, set(to)?);
    if from.len() != to.len() {
        return None;
    }
    Some(text.chars().map(|c| from.iter().rposition(|f| *f == c).map_or(c, |at| to[at])).collect())
}

fn set(text: &str) -> Option<Vec<char>> {
    if text.contains(['\\', '[']) {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars.get(at + 1) == Some(&'-') && at + 2 < chars.len() {
            (chars[at] <= chars[at + 2]).then_some(())?;
            out.extend(chars[at]..=chars[at + 2]);
            at += 3;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    (out.len() <= 256).then_some(out)
}
