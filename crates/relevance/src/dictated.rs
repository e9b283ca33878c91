//! What a request dictates to the letter, and whether the file holds it: the figures of a text that is to be written, and
//! replacements of one value by another.
//!
//! It speaks only where code is sure: one file is named, the calls show what they left in it, and nothing else is asked of it.

use std::sync::LazyLock;

use artoo_request::{Action, RequestReading};
use artoo_types::evidence::Receipt;
use artoo_types::text::first_chars;
use regex::Regex;

use crate::figures;
use crate::left::{LinesLeft, left_at};
use crate::pattern;

/// Characters of a line in a reason.
const LINE_CHARS: usize = 80;

/// Words behind which a text is dictated.
static DICTATES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\b(?:(?:that|which)\s+(?:says|reads)|saying|reading|says|with\s+(?:(?:the|this|following)\s+){0,2}(?:text|contents?|lines?|words?))\s*[:,]?\s+|(?:内容|文字|正文)\s*(?:为|是|如下)?\s*[：:]\s*|写着\s*[：:]?\s*)",
    )
});
/// Words of a text that is to be found out rather than repeated.
static COMPUTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:how|which|what|when|who|where|whether|why|sums?|totals? of|number of|counts?|average|mean|median|list of|names? of|result|each|every|all|today|current|now|largest|smallest|latest|first|last|about)\b|多少|总|合计|平均|数量|每|所有|今天|当前|什么|哪",
    )
});
/// Where a dictated text ends, if it stands on one line.
static ENDS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[.!?](?:\s|$)|[。！？]|\n|[,;]?\s+(?:and\s+)?then\s"));

const VALUE: &str = r#"["'`“]?([$€£]?[vV]?\d[\w.,:%/-]*)["'`”]?"#;
const WORD: &str = r#"["'`“]?([\w][\w.:/#-]*)["'`”]?"#;

/// Orders to change something. Two of them in one clause may be about different things.
static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:change|set|update|bump|raise|lower|increase|reduce|decrease|switch|replace|swap|substitute|adjust|adapt|fix|add|remove|delete|rewrite|improve|rename|correct|clean|reformat)\b|改|替换|换成|换为|设为|设成|调整|调到|更新",
    )
});
/// Those that put one value in the place of another.
static EXCHANGING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:change|set|update|bump|raise|lower|increase|reduce|decrease|switch|replace|swap|substitute|correct)\b|改|替换|换|设|调|更新",
    )
});
/// "From 8080 to 9090", "从 8080 改为 9090": the first value and the second.
static EXCHANGES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    vec![
        pattern(&format!(r"(?i)\bfrom\s+{VALUE}\s+to\s+{VALUE}")),
        pattern(&format!(r"(?i)\b(?:replace|swap|substitute)s?\s+{VALUE}\s+(?:by|with)\s+{VALUE}")),
        pattern(&format!(r"从\s*{VALUE}\s*(?:改|变|换|调|升|降)\w{{0,2}}?(?:为|成|到|至)\s*{VALUE}")),
        pattern(&format!(r"[把将]\s*{VALUE}\s*(?:改|换|替换|更改|修改)(?:为|成)\s*{VALUE}")),
    ]
});
/// "Replace red by blue in": two words.
static WORDS_EXCHANGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\breplace\s+(?:the\s+word\s+)?{WORD}\s+(?:by|with)\s+{WORD}(?:\s+in\b|\s*[.,;]|\s*$)"
    ))
});
/// "Set the port to 8080": the new value.
static SETS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    vec![
        pattern(&format!(
            r"(?i)\b(?:change|set|update|bump|raise|lower|increase|reduce|switch)\b[^.;,]*?\bto\s+{VALUE}"
        )),
        pattern(&format!(r"(?:改|设|换|调|更新)\w{{0,2}}?(?:为|成|到)\s*{VALUE}")),
    ]
});
/// Names and units in a dictated text: words of capital letters.
static NAMES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z][A-Z0-9]+\b"));
/// A value as it stands in a line.
static VALUES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:[.,:/-]\d+)*"));

/// The file that the request names holds the figures that the request dictates for it.
pub(crate) fn is_written(
    request: &str,
    reading: &RequestReading,
    receipts: &[&Receipt],
) -> Result<(), String> {
    let Some((path, text)) = dictation(request, reading) else { return Ok(()) };
    let Some(left) = left_at(receipts, path).filter(|left| left.is_whole) else { return Ok(()) };
    let written = left.added.join("\n");
    let mut missing = figures::missing(&text, &written);
    let mut other = figures::missing(&written, request);
    // A name that is left out may be left out; another in its place is wrong.
    let lacks = |text: &str, name: &str| !text.to_lowercase().contains(&name.to_lowercase());
    let names = |of: &str, in_text: &str| -> Vec<String> {
        let all = NAMES.find_iter(of).map(|name| name.as_str());
        all.filter(|name| lacks(in_text, name)).map(str::to_owned).collect()
    };
    let (left_out, put_in) = (names(&text, &written), names(&written, request));
    if !left_out.is_empty() && !put_in.is_empty() {
        missing.extend(left_out);
        other.extend(put_in);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join(", ");
    if other.is_empty() {
        return Err(format!("{path} does not say {missing}, and the request dictates it; write it"));
    }
    Err(format!("{path} says {}, the request {missing}; write what the request says", other.join(", ")))
}

/// The only file that the request makes, and the text that it dictates for it.
fn dictation<'a>(request: &str, reading: &'a RequestReading) -> Option<(&'a str, String)> {
    let [path] = reading.files.as_slice() else { return None };
    let mut making = reading.asked().filter(|clause| matches!(clause.action, Action::Make | Action::Answer));
    let clause = making.next().filter(|clause| clause.files.contains(path))?;
    let marks: Vec<_> = DICTATES.find_iter(request).collect();
    let [mark] = marks.as_slice() else { return None };
    let behind_colon = mark.as_str().contains([':', '：']);
    let rest = match behind_colon {
        true => &request[mark.end()..],
        // What follows may be another order.
        false => DICTATES.find(&clause.text).map(|mark| &clause.text[mark.end()..])?,
    };
    let text = &rest[..ENDS.find(rest).map_or(rest.len(), |end| end.start())];
    (!COMPUTED.is_match(text)).then(|| (path.as_str(), text.to_owned()))
}

/// One value that is to take the place of another.
#[derive(Debug, PartialEq, Eq)]
struct Replacement {
    /// What was there, where the request says it.
    from: Option<String>,
    to: String,
}

/// The file that the request names has each new value, and no other value of it was changed.
pub(crate) fn is_replaced(
    request: &str,
    reading: &RequestReading,
    receipts: &[&Receipt],
) -> Result<(), String> {
    let Some((path, wanted, is_all)) = replacements(request, reading) else { return Ok(()) };
    let Some(left) = left_at(receipts, path).filter(|left| !left.is_empty() && !left.is_whole) else {
        return Ok(());
    };
    let changed = exchanged(&left);
    let mut wrong: Vec<String> = wanted.iter().filter_map(|one| unmet(one, path, &left, &changed)).collect();
    if is_all {
        let is_wanted = |change: &ValueChange<'_>| {
            let leads_to = |one: &Replacement| {
                one.from.as_deref().is_none_or(|from| same(from, change.old)) && same(&one.to, change.new)
            };
            // A wrong value in the right place is told above.
            let is_told = |one: &Replacement| one.from.as_deref().is_some_and(|from| same(from, change.old));
            wanted.iter().any(|one| leads_to(one) || is_told(one))
        };
        wrong.extend(changed.iter().filter(|change| !is_wanted(change)).map(|change| {
            let [before, after] =
                [change.before, change.after].map(|line| first_chars(line.trim(), LINE_CHARS));
            format!("in {path} `{before}` became `{after}`, which nobody asked for; change it back")
        }));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

/// The only file of the request with the replacements in it, and whether they are all that is asked for.
fn replacements<'a>(request: &str, reading: &'a RequestReading) -> Option<(&'a str, Vec<Replacement>, bool)> {
    let [path] = reading.files.as_slice() else { return None };
    let mut changing: Vec<&str> =
        reading.asked().filter(|clause| clause.action.changes()).map(|clause| clause.text.as_str()).collect();
    if reading.asked().any(|clause| clause.action.changes() && clause.action != Action::Change) {
        return None;
    }
    // "In config.ini change the port": no clause begins with its verb.
    if reading.clauses.is_empty() {
        changing.push(request);
    }
    let unnamed = |text: &str| text.replace(path.as_str(), " ");
    let per_clause: Vec<Vec<Replacement>> =
        changing.iter().map(|text| replacements_of(&unnamed(text))).collect();
    let is_all = per_clause.iter().all(|found| !found.is_empty())
        && changing.iter().all(|text| ORDERS.find_iter(text).count() <= 1);
    let wanted: Vec<Replacement> = per_clause.into_iter().flatten().collect();
    (!wanted.is_empty()).then_some((path.as_str(), wanted, is_all))
}

fn replacements_of(text: &str) -> Vec<Replacement> {
    let plain = |value: &str| value.trim_end_matches(['.', ',', ':', '/', '-', '%']).to_owned();
    let mut found = Vec::new();
    if !EXCHANGING.is_match(text) {
        return found;
    }
    for captures in EXCHANGES.iter().flat_map(|form| form.captures_iter(text)) {
        found.push(Replacement { from: Some(plain(&captures[1])), to: plain(&captures[2]) });
    }
    if found.is_empty() {
        let sets = SETS.iter().flat_map(|form| form.captures_iter(text));
        found.extend(sets.map(|captures| Replacement { from: None, to: plain(&captures[1]) }));
    }
    if found.is_empty() {
        let words = WORDS_EXCHANGED.captures_iter(text);
        found.extend(words.map(|c| Replacement { from: Some(plain(&c[1])), to: plain(&c[2]) }));
    }
    found
}

/// In what way the file lacks a value that it is to have.
fn unmet(wanted: &Replacement, path: &str, left: &LinesLeft, changed: &[ValueChange<'_>]) -> Option<String> {
    let to = &wanted.to;
    let bare = to.trim_start_matches(['$', '€', '£', 'v', 'V']);
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit());
    let holds = |line: &String| match is_number {
        true => values(line).any(|value| same(value, to)) || line.split_whitespace().any(|word| word == to),
        false => line.contains(to.as_str()),
    };
    if left.added.iter().chain(&left.around).any(holds) {
        return None;
    }
    let Some(from) = wanted.from.as_deref() else {
        return Some(format!("{path} was changed and does not say {to}, which the request asks for"));
    };
    let is_value = from.contains(|c: char| c.is_ascii_digit());
    match changed.iter().find(|change| same(change.old, from)) {
        Some(change) => {
            Some(format!("{path} says {} where it said {from}, the request wants {to} there", change.new))
        }
        // A word may stand for something else than itself: "replace tabs by spaces".
        None if !is_value && !left.removed.iter().any(|line| line.contains(from)) => None,
        None => Some(format!("{path} does not say {to}, which the request wants in the place of {from}")),
    }
}

/// A value that became another in a line that is otherwise the same.
struct ValueChange<'a> {
    old: &'a str,
    new: &'a str,
    before: &'a str,
    after: &'a str,
}

fn exchanged(left: &LinesLeft) -> Vec<ValueChange<'_>> {
    let skeleton = |line: &str| VALUES.replace_all(line, "#").into_owned();
    let mut taken = vec![false; left.added.len()];
    let mut found = Vec::new();
    for before in &left.removed {
        let bones = skeleton(before);
        let is_it = |at: &usize| !taken[*at] && skeleton(&left.added[*at]) == bones;
        let Some(at) = (0..left.added.len()).find(is_it) else { continue };
        taken[at] = true;
        let after = &left.added[at];
        let pairs = values(before).zip(values(after)).filter(|(old, new)| old != new);
        found.extend(pairs.map(|(old, new)| ValueChange { old, new, before, after }));
    }
    found
}

fn values(line: &str) -> impl Iterator<Item = &str> {
    VALUES.find_iter(line).map(|found| found.as_str())
}

/// Whether two values are the same, however they are written: 1250 and 1250.00, v1.2 and 1.2.
fn same(one: &str, other: &str) -> bool {
    let bare = |value: &str| value.trim_matches(|c: char| !c.is_ascii_digit()).replace(',', "");
    let (one_bare, other_bare) = (bare(one), bare(other));
    let is_number = |value: &str| value.parse::<f64>().ok();
    one == other
        || !one_bare.is_empty()
            && (one_bare == other_bare
                || is_number(&one_bare).zip(is_number(&other_bare)).is_some_and(|(a, b)| a == b))
}

#[cfg(test)]
mod tests;
