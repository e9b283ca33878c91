//! A request cut into words: Latin words and names at spaces, runs of Chinese characters in one piece.

use artoo_types::tag::fold;

/// Characters of a request that are looked at: the rest of a longer one is not compared word by word.
const MAX_CHARS: usize = 2_000;

/// One piece of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A word, a number or a name such as `~/notes.txt`, in lower case.
    Word(String),
    /// Chinese characters without anything between them.
    Run(Vec<char>),
    /// A comma or the end of a sentence.
    Break,
}

/// Cuts the folded text.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let folded: String = fold(text).chars().take(MAX_CHARS).collect();
    let chars: Vec<char> = folded.chars().filter(|c| !matches!(c, '\'' | '’' | '`')).collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let end = at + 1;
        if is_han(c) {
            let end = until(&chars, at, is_han);
            pieces.push(Piece::Run(chars[at..end].to_vec()));
            at = end;
        } else if begins_word(c) {
            let end = until(&chars, at, in_word).max(end);
            push_word(&mut pieces, &chars[at..end]);
            at = end;
        } else {
            if matches!(c, ',' | ';' | '!' | '?' | '。' | '、' | ':') {
                pieces.push(Piece::Break);
            } else if c == '%' {
                pieces.push(Piece::Word("%".to_owned()));
            }
            at = end;
        }
    }
    pieces
}

/// The text as far as it matters for being the same: folded, without punctuation.
pub(super) fn plain(text: &str) -> String {
    pieces(text)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Word(word) => Some(word),
            Piece::Run(run) => Some(run.into_iter().collect()),
            Piece::Break => None,
        })
        .collect::<Vec<String>>()
        .join(" ")
}

/// Chinese characters. Kana and Hangul are words of their own, like Latin ones.
pub(super) fn is_han(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F)
}

fn begins_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '~' | '.' | '*' | '_' | '@' | '#' | '$' | '€')
}

fn in_word(c: char) -> bool {
    !is_han(c)
        && (c.is_alphanumeric()
            || matches!(c, '/' | '~' | '.' | '*' | '_' | '@' | '-' | '+' | '#' | ':' | ',' | '=' | '$' | '€'))
}

fn until(chars: &[char], from: usize, belongs: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|c| !belongs(*c)).map_or(chars.len(), |length| from + length)
}

fn push_word(pieces: &mut Vec<Piece>, chars: &[char]) {
    let raw: String = chars.iter().collect();
    let word = raw.trim_end_matches(['.', ',', ':', '-', '=']);
    let ended = raw.ends_with([',', ':']);
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    if word.contains(',') && !has_digit {
        // "a,b" is two words; "1,000" is one.
        for part in word.split(',').filter(|part| !part.is_empty()) {
            pieces.extend([Piece::Word(part.to_owned()), Piece::Break]);
        }
    } else if word.contains('-') && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
        pieces
            .extend(word.split('-').filter(|part| !part.is_empty()).map(|part| Piece::Word(part.to_owned())));
    } else {
        push_name(pieces, &word.replace(',', ""));
    }
    if ended {
        pieces.push(Piece::Break);
    }
}

/// "100mb" and "5pm" are a number and a unit; "~/Downloads" is the folder of that name, ".rs" and "*.rs" the kind.
fn push_name(pieces: &mut Vec<Piece>, word: &str) {
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let (number, rest) = word.split_at(digits);
    let number = number.trim_start_matches('.');
    if !number.is_empty() && !rest.is_empty() && rest.chars().all(char::is_alphabetic) && rest.len() <= 3 {
        pieces.extend([Piece::Word(number.to_owned()), Piece::Word(rest.to_owned())]);
        return;
    }
    let short = word.strip_prefix("~/").unwrap_or(word).trim_end_matches('/');
    let short = short.strip_prefix("*.").or_else(|| short.strip_prefix('.')).unwrap_or(short);
    let name =
        if short.is_empty() || short.contains(['/', '.', '*']) { word.trim_end_matches('/') } else { short };
    if !name.is_empty() {
        pieces.push(Piece::Word(name.to_owned()));
    }
}
