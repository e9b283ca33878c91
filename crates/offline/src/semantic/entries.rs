//! Questions about one value of a JSON document: "what port is set in prefs.json", 配置.json里端口是多少.

use serde_json::Value;

use super::lexicon::Meaning;
use super::named_table::NamedTable;
use super::{Token, tokens::tokens};

/// Names and places of values that are looked through.
const MOST_ENTRIES: usize = 2_000;
/// Words that say nothing of a value but that it is one.
const OF_A_VALUE: [&str; 22] = [
    "set",
    "setting",
    "settings",
    "configured",
    "value",
    "key",
    "used",
    "given",
    "stored",
    "look",
    "using",
    "use",
    "设置",
    "设的",
    "设成",
    "配置",
    "值",
    "选项",
    "字段",
    "设为",
    "设",
    "配",
];

/// The dotted name of the value that is asked for, where the document has it once.
pub(super) fn entry(table: &NamedTable<'_>, document: &Value) -> Option<String> {
    let mut entries: Vec<(String, String)> = Vec::new();
    collect(document, "", &mut entries);
    let mut named = table.clone();
    named.columns = entries.iter().map(|(name, _)| name.clone()).collect();
    named.columns.sort();
    named.columns.dedup();
    let mut names: Vec<String> = Vec::new();
    for token in tokens(&named) {
        match token {
            Token::Column(name) => names.push(name),
            Token::Means(
                Meaning::Nothing
                | Meaning::InAll
                | Meaning::Is
                | Meaning::Which
                | Meaning::Much
                | Meaning::List
                | Meaning::With,
            ) => {}
            Token::Word(word) if OF_A_VALUE.contains(&word.to_lowercase().as_str()) => {}
            Token::Means(_) | Token::Not(_) | Token::Number(_) | Token::Word(_) => return None,
        }
    }
    // "the port of the mail server": the other names are those of what it lies in.
    let lies_in = |place: &str, last: &str| {
        let parts: Vec<&str> = place.split('.').collect();
        parts.last() == Some(&last) && names.iter().all(|name| parts.contains(&name.as_str()))
    };
    let mut found = entries.iter().filter(|(name, place)| names.contains(name) && lies_in(place, name));
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(only.1.clone())
}

/// Every value that is none of several: its name, and where it is.
fn collect(value: &Value, place: &str, entries: &mut Vec<(String, String)>) {
    let Value::Object(fields) = value else { return };
    for (name, inner) in fields {
        // A name with a dot in it could not be told from two.
        if name.contains('.') || entries.len() >= MOST_ENTRIES {
            continue;
        }
        let here = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        collect(inner, &here, entries);
        entries.push((name.clone(), here));
    }
}
