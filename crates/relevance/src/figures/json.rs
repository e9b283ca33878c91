//! JSON that a tool has shown, as the table that it is and with the names by which its values are called.

use serde_json::Value;

/// Bytes of an output that is read as JSON.
const MOST_BYTES: usize = 200_000;
/// Most names of values that are told, and how deep they lie at most.
const MOST_KEYS: usize = 500;
const MOST_DEPTH: usize = 8;

/// The whole output as JSON; none when it is something else, a number alone, or too much.
pub(super) fn document(output: &str) -> Option<Value> {
    let begins = output.trim_start().starts_with(['{', '[']);
    if !begins || output.len() > MOST_BYTES {
        return None;
    }
    serde_json::from_str(output).ok()
}

/// A list of objects as lines with a cell for each name of the first object; empty for every other document.
pub(super) fn rows(document: &Value) -> String {
    let objects: Vec<_> = document.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    let names: Vec<&String> = objects.first().into_iter().flat_map(|row| row.keys()).collect();
    let line = |row: &&serde_json::Map<String, Value>| {
        names.iter().map(|name| cell(row.get(name.as_str()))).collect::<Vec<_>>().join(",") + "\n"
    };
    objects.iter().map(line).collect()
}

/// One word for a value, so that the cells of a row stay in their columns.
fn cell(value: Option<&Value>) -> String {
    let text = match value {
        Some(Value::Number(number)) => return number.to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(is)) => is.to_string(),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => String::new(),
    };
    let word: String = text.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

/// The lists of a document by the name that they have, with how many values are in them.
pub(super) fn lists(document: &Value) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut open = vec![("", document, 0)];
    while let Some((name, value, depth)) = open.pop() {
        if depth >= MOST_DEPTH || found.len() >= MOST_KEYS {
            continue;
        }
        match value {
            Value::Array(values) => {
                if !name.is_empty() {
                    found.push((name.to_owned(), values.len()));
                }
                open.extend(values.iter().take(MOST_KEYS).map(|inner| ("", inner, depth + 1)));
            }
            Value::Object(fields) => {
                open.extend(fields.iter().map(|(name, inner)| (name.as_str(), inner, depth + 1)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

/// The names of the values, from the top down, one a line: `server.port`.
pub(super) fn keys(document: &Value) -> String {
    let mut named = String::new();
    let mut open = vec![(String::new(), document, 0)];
    let mut count = 0;
    while let Some((path, value, depth)) = open.pop() {
        for (name, inner) in value.as_object().into_iter().flatten() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            count += 1;
            if count > MOST_KEYS || depth >= MOST_DEPTH {
                return named;
            }
            named.push_str(&path);
            named.push('\n');
            open.push((path, inner, depth + 1));
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::{document, keys, rows};

    /// Fails when a value leaves its column, or a name is not told from the top down.
    #[test]
    fn a_list_of_objects_is_a_table_and_its_values_have_names() {
        let list = document("[{\"name\": \"Ann Lee\", \"age\": 34}, {\"name\": \"\", \"age\": 27}]")
            .expect("it is JSON");
        assert_eq!(rows(&list), "Ann_Lee,34\n_,27\n");
        let config = document("{\"server\": {\"port\": 1}}").expect("it is JSON");
        assert_eq!((rows(&config).as_str(), keys(&config).as_str()), ("", "server\nserver.port\n"));
        assert_eq!((document("12"), document("[1] and more")), (None, None));
    }
}
