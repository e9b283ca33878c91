//! How numbers are written elsewhere: `1.910,50`, `1'910.50`, `1 910,50`, `1，910`, `3万5000`.

use std::sync::LazyLock;

use regex::Regex;

use crate::pattern;

/// A number with its digits behind the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NumberReading {
    pub(super) value: f64,
    pub(super) decimals: i32,
}

/// A number in a form that English has not, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LocalForm {
    pub(super) range: std::ops::Range<usize>,
    /// What it may be as one number, the likeliest first.
    pub(super) whole: Vec<NumberReading>,
    /// What it is if its sign parts numbers: `12,5` may be 12 and 5. Empty where it cannot.
    pub(super) parts: Vec<NumberReading>,
}

/// Thousands by a point, an apostrophe, a space or a wide comma, with or without decimals; a decimal comma.
static LOCAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)
        (?P<wan>(?:\d+(?:\.\d+)?\ ?亿\ ?)?\d+(?:\.\d+)?\ ?万\ ?\d{1,4}|\d+(?:\.\d+)?\ ?亿\ ?\d+(?:\.\d+)?\ ?万|\d+(?:\.\d+)?\ ?亿\ ?\d{1,4})
        |(?P<point>\d{1,3}(?:\.\d{3})+(?:,\d+)?)
        |(?P<apostrophe>\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?)
        |(?P<narrow>\d{1,3}(?:[\u{a0}\u{202f}\u{2009}]\d{3})+(?:[.,]\d+)?)
        |(?P<space>\d{1,3}(?:\ \d{3})+(?:,\d+)?)
        |(?P<wide>\d{1,3}(?:，\d{3})+(?:\.\d+)?)
        |(?P<comma>\d+,\d+)",
    )
});

/// The signs in such numbers.
const SIGNS: [char; 11] = ['.', ',', '\'', '’', '，', '\u{a0}', '\u{202f}', '\u{2009}', ' ', '万', '亿'];

/// Every such number of a text.
pub(super) fn local_forms(text: &str) -> Vec<LocalForm> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(captures) = LOCAL.captures_at(text, from) {
        let Some(whole) = captures.get(0) else { break };
        let names = ["wan", "point", "apostrophe", "narrow", "space", "wide", "comma"];
        let name = names.into_iter().find(|name| captures.name(name).is_some()).unwrap_or_default();
        let form =
            is_alone(text, &whole.range()).then(|| form(name, whole.as_str(), whole.range())).flatten();
        // What is no number by itself may begin another one.
        let run = whole.as_str().bytes().take_while(u8::is_ascii_digit).count();
        from = if form.is_some() { whole.end() } else { whole.start() + run };
        found.extend(form);
    }
    found
}

/// Nothing of a longer number, a date or a time stands at it.
fn is_alone(text: &str, range: &std::ops::Range<usize>) -> bool {
    let mut before = text[..range.start].chars().rev();
    let mut after = text[range.end..].chars();
    let (first, second) = (after.next(), after.next());
    let joins = |c: char| matches!(c, '.' | ',' | ':' | '/' | '\'' | '’' | '，');
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let last = before.next();
    let is_front = digit(last) || last.is_some_and(|c| joins(c) || c == '-') && digit(before.next());
    let is_back = digit(first) || first.is_some_and(|c| joins(c) || c == '-') && digit(second);
    !is_front && !is_back && !last.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
}

fn form(name: &str, text: &str, range: std::ops::Range<usize>) -> Option<LocalForm> {
    let english = |text: &str| reading(&text.replace(',', "."));
    let bare = |text: &str| {
        text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect::<String>()
    };
    let begins_with_zero = text.starts_with('0');
    let mut parts = Vec::new();
    let whole = match name {
        "wan" => vec![of_ten_thousands(text)?],
        "point" if begins_with_zero => return None,
        "point" => {
            let big = english(&text.replace('.', ""))?;
            // `1.910` is English for less than two.
            let small = reading(text).filter(|_| !text.contains(','));
            small.into_iter().chain([big]).collect()
        }
        "apostrophe" | "narrow" => vec![english(&bare(text))?],
        "space" => {
            parts = text.split(' ').map(english).collect::<Option<Vec<_>>>()?;
            vec![english(&bare(text))?]
        }
        "wide" => {
            parts = text.split('，').map(reading).collect::<Option<Vec<_>>>()?;
            vec![reading(&bare(text))?]
        }
        _ => {
            let (front, back) = text.split_once(',')?;
            // Three digits behind a comma are thousands, for most.
            let is_grouped = back.len() == 3 && front.len() <= 3 && !begins_with_zero;
            parts = vec![reading(front)?, reading(back)?];
            match is_grouped {
                true => vec![reading(&text.replace(',', ""))?, english(text)?],
                false => vec![english(text)?],
            }
        }
    };
    // A comma of English thousands parts nothing in a text that claims.
    let parts = if name == "comma" && whole.len() > 1 { Vec::new() } else { parts };
    Some(LocalForm { range, whole, parts })
}

/// `1.2亿3000万`, `3万5000`.
fn of_ten_thousands(text: &str) -> Option<NumberReading> {
    let number =
        |text: &str| if text.trim().is_empty() { Some(0.0) } else { text.trim().parse::<f64>().ok() };
    let (hundred_millions, rest) = text.split_once('亿').unwrap_or(("", text));
    let (ten_thousands, ones) = rest.split_once('万').unwrap_or(("", rest));
    let value = number(hundred_millions)? * 1e8 + number(ten_thousands)? * 1e4 + number(ones)?;
    Some(NumberReading { value, decimals: 0 })
}

/// A number with a point before its decimals, or without.
pub(super) fn reading(text: &str) -> Option<NumberReading> {
    let value = text.parse().ok()?;
    let decimals = text.split_once('.').map_or(0, |(_, d)| i32::try_from(d.len()).unwrap_or(9));
    Some(NumberReading { value, decimals })
}

/// What such numbers of a tool's output are beside the numbers that they are made of.
pub(super) fn local_numbers(text: &str) -> Vec<f64> {
    if !text.contains(SIGNS) {
        return Vec::new();
    }
    let is_number = |form: &LocalForm| {
        let shown = &text[form.range.clone()];
        // Two columns stand side by side like that; with a decimal comma they do not.
        form.parts.len() < 2 || !shown.contains(' ') || shown.contains(',')
    };
    let forms = local_forms(text).into_iter().filter(is_number);
    forms.flat_map(|form| form.whole.into_iter().map(|one| one.value)).collect()
}

#[cfg(test)]
mod tests {
    use super::{local_forms, local_numbers};

    #[test]
    fn one_number_is_read_in_the_forms_of_each_country() {
        for (text, expected) in [
            ("1.910,50", vec![1910.5]),
            ("1'910.50", vec![1910.5]),
            ("1’910.50", vec![1910.5]),
            ("1 910,50", vec![1910.5]),
            ("1\u{a0}910,50", vec![1910.5]),
            ("1\u{202f}910", vec![1910.0]),
            ("1，910", vec![1910.0]),
            ("12,5", vec![12.5]),
            ("1.910", vec![1.91, 1910.0]),
            ("1.234.567", vec![1_234_567.0]),
            ("3万5000", vec![35_000.0]),
            ("1亿2000万", vec![120_000_000.0]),
            ("0.910", vec![]),
            ("3,5,7", vec![]),
            ("200,49871.88", vec![]),
            ("2025-11-03 123", vec![]),
        ] {
            assert_eq!(local_numbers(text), expected, "{text}");
        }
        assert_eq!(local_numbers("north 120 500"), Vec::<f64>::new(), "two columns");
        assert_eq!(local_forms("1 910")[0].parts.len(), 2);
    }
}
