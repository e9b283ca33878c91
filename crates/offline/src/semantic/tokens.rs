//! The parts of a question about a table: its columns, the words of the lexicon, numbers, and words that are nothing else.

use artoo_request::{NUMBER_WORDS, chinese_number, is_han, quoted_ranges};

use super::lexicon::{self, LEXICON, Meaning};
use super::{NamedTable, Token};

pub(super) fn tokens(table: &NamedTable<'_>) -> Vec<Token> {
    let text = table.rest.as_str();
    let quoted = quoted_ranges(text);
    let mut tokens: Vec<Token> = Vec::new();
    let values = long_values(table);
    let flags: Vec<String> = table.flags().into_iter().cloned().collect();
    let mut at = 0;
    let mut open_word = String::new();
    while at < text.len() {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let before = text[..at].chars().next_back();
        let known = denied_at(table, &flags, rest, before).or_else(|| known_at(table, rest, before));
        let compared = matches!(tokens.last(), Some(Token::Means(Meaning::Compare(_) | Meaning::Between)));
        let number = counted(rest, compared).filter(|_| open_word.is_empty());
        let known = longer(known, number);
        let value = value_at(&values, rest, before);
        // A word that says nothing in a question says something where it is a value.
        let says_nothing =
            |token: &Token| matches!(token, Token::Means(Meaning::Nothing | Meaning::Much | Meaning::List));
        let value = value.filter(|value| {
            known.as_ref().is_none_or(|(length, token)| {
                value.len() > *length || (value.len() == *length && says_nothing(token))
            })
        });
        let known = value.map(|value| (value.len(), Token::Word(value.to_owned()))).or(known);
        // What is written in Latin begins another word.
        let ends_word = known.is_some() || !first.is_alphanumeric() || first.is_ascii();
        if ends_word && !open_word.is_empty() {
            tokens.push(Token::Word(std::mem::take(&mut open_word)));
        }
        if let Some((_, end)) = quoted.iter().find(|(start, _)| *start == at) {
            let inner =
                rest[first.len_utf8()..end - at].trim_end_matches(['"', '”', '」', '\'', '`', '》', '’']);
            let column = table.columns.iter().find(|column| column.as_str() == inner);
            tokens.push(column.map_or_else(|| Token::Word(inner.to_owned()), |c| Token::Column(c.clone())));
            at = *end;
        } else if let Some((length, token)) = known {
            tokens.push(token);
            at += length;
        } else if first.is_ascii_alphanumeric() {
            let length = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '@')))
                .unwrap_or(rest.len());
            let word = rest[..length].trim_end_matches('.');
            let spoken = NUMBER_WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
            let number = word.parse().ok().or(spoken.map(|(_, number)| *number)).or_else(|| vague(word));
            tokens.push(number.map_or_else(|| Token::Word(word.to_owned()), Token::Number));
            at += length.max(1);
        } else if first.is_alphanumeric() {
            open_word.push(first);
            at += first.len_utf8();
        } else {
            // What joins or denies is no punctuation to pass over; a dash that stands alone is.
            let is_dash = matches!(first, '-' | '–' | '—')
                && !rest[first.len_utf8()..].starts_with(|c: char| !c.is_whitespace());
            if !(is_dash
                || first.is_whitespace()
                || matches!(first, '◊' | ',' | '?' | ':' | '.' | '\'' | '!' | '(' | ')'))
            {
                tokens.push(Token::Word(first.to_string()));
            }
            at += first.len_utf8();
        }
    }
    if !open_word.is_empty() {
        tokens.push(Token::Word(open_word));
    }
    tokens
}

/// A number, where no word that is known is longer.
fn longer(known: Option<(usize, Token)>, number: Option<(usize, u64)>) -> Option<(usize, Token)> {
    match (known, number) {
        (Some((length, _)), Some((longer, number))) if longer >= length => {
            Some((longer, Token::Number(number)))
        }
        (None, Some((length, number))) => Some((length, Token::Number(number))),
        (known, _) => known,
    }
}

/// The length of a word if it stands at the front as a whole.
fn starts_with(rest: &str, word: &str, before: Option<char>) -> Option<usize> {
    let head = rest.get(..word.len())?;
    let edge = |found: Option<char>| !found.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let latin = |found: Option<char>| found.is_some_and(|c| c.is_ascii_alphanumeric());
    let whole = (!latin(word.chars().next()) || edge(before))
        && (!latin(word.chars().next_back()) || edge(rest[word.len()..].chars().next()));
    (whole && head.to_lowercase() == word.to_lowercase()).then_some(word.len())
}

/// What denies a column of yes and no, right before it.
const DENIALS: [&str; 22] = [
    "not ",
    "not yet ",
    "aren't ",
    "isn't ",
    "are not ",
    "is not ",
    "not been ",
    "haven't been ",
    "hasn't been ",
    "un",
    "没有",
    "没",
    "未",
    "还没有",
    "还没",
    "尚未",
    "还未",
    "不是",
    "并未",
    "并没有",
    "没有被",
    "未被",
];

/// A denied column of yes and no at the front.
fn denied_at(
    table: &NamedTable<'_>,
    flags: &[String],
    rest: &str,
    before: Option<char>,
) -> Option<(usize, Token)> {
    let forms = |flag: &String| {
        let names = other_names(&table.columns, flag).iter().copied().chain([flag.as_str()]);
        let said = names.flat_map(|name| DENIALS.iter().map(move |denial| format!("{denial}{name}")));
        said.filter_map(|said| starts_with(rest, &said, before)).max()
    };
    flags.iter().find_map(|flag| Some((forms(flag)?, Token::Not(flag.clone()))))
}

/// The longest column or word of the lexicon at the front.
fn known_at(table: &NamedTable<'_>, rest: &str, before: Option<char>) -> Option<(usize, Token)> {
    let starts = |word: &str| starts_with(rest, word, before);
    let columns = table.columns.iter().filter(|column| !column.trim().is_empty()).filter_map(|column| {
        let many = plurals(column);
        let length = many
            .iter()
            .find_map(|many| starts(many))
            .or_else(|| starts(column))
            .or_else(|| {
                column.contains(['_', '-']).then(|| starts(&column.replace(['_', '-'], " "))).flatten()
            })
            .or_else(|| other_names(&table.columns, column).iter().find_map(|name| starts(name)))?;
        Some((length, Token::Column(column.clone())))
    });
    let words = LEXICON.iter().filter_map(|(word, meaning)| Some((starts(word)?, Token::Means(*meaning))));
    // "sales" are the rows of sales.csv, and a sale is what one of them is about.
    let one = table.stem.strip_suffix('s').and_then(&starts);
    let rows = starts(&table.stem)
        .map(|length| (length, Token::Means(Meaning::Rows)))
        .or(one.map(|length| (length, Token::Means(Meaning::Nothing))));
    // A column wins over a word of the same length.
    let mut best: Option<(usize, Token)> = None;
    for (length, token) in columns.chain(words).chain(rows) {
        if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
            best = Some((length, token));
        }
    }
    best
}

/// How the column is called in the other language, where no other column could be meant.
fn other_names(columns: &[String], column: &str) -> &'static [&'static str] {
    let of = |name: &str| lexicon::COLUMNS.iter().find(|names| names.contains(&name.to_lowercase().as_str()));
    let Some(names) = of(column) else { return &[] };
    let others = columns.iter().filter(|other| of(other) == Some(names)).count();
    if others == 1 { names } else { &[] }
}

/// How more than one of a column's values is called: "countries", "statuses", "totals".
fn plurals(column: &str) -> Vec<String> {
    let mut many = vec![format!("{column}s"), format!("{column}es")];
    many.extend(column.strip_suffix('y').map(|stem| format!("{stem}ies")));
    many
}

/// Most values of a table that are looked for as a whole.
const MOST_VALUES: usize = 400;

/// The values of the table that could be taken apart, or for another word.
fn long_values(table: &NamedTable<'_>) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in table.cells() {
        let value = value.trim();
        let is_long = value.chars().count() > if value.chars().any(is_han) { 1 } else { 2 }
            && value.chars().any(char::is_alphabetic);
        if is_long && values.len() < MOST_VALUES && !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
    }
    values
}

/// The longest of these values at the front.
fn value_at<'a>(values: &'a [String], rest: &str, before: Option<char>) -> Option<&'a str> {
    let starts = |value: &&String| {
        let Some(head) = rest.get(..value.len()) else { return false };
        let next = rest[value.len()..].chars().next();
        let goes_on = |edge: Option<char>, inner: Option<char>| {
            edge.is_some_and(|c| c.is_ascii_alphanumeric())
                && inner.is_some_and(|c| c.is_ascii_alphanumeric())
        };
        head.to_lowercase() == value.to_lowercase()
            && !goes_on(before, value.chars().next())
            && !goes_on(next, value.chars().next_back())
    };
    values.iter().filter(starts).max_by_key(|value| value.len()).map(String::as_str)
}

/// A number that is only hinted at.
fn vague(word: &str) -> Option<u64> {
    match word.to_ascii_lowercase().as_str() {
        "couple" => Some(2),
        "few" => Some(5),
        _ => None,
    }
}

/// A Chinese number before a word for rows, or behind one that compares: "三行", "超过九千", but not the one in a name.
fn counted(rest: &str, compared: bool) -> Option<(usize, u64)> {
    let (length, number) = chinese_number(rest)?;
    let is_counted = ["行", "条", "个", "名", "位", "人", "项", "笔", "单"]
        .iter()
        .any(|word| rest[length..].starts_with(word));
    (is_counted || compared && rest.starts_with(is_han)).then_some((length, number))
}
