//! CSV and JSON values, read from text that a tool has returned.

use serde_json::{Map, Value};

/// The records of a CSV text: quoted fields, doubled quotes, fields over several lines. Blank lines are no records.
/// Fails when a quotation is never closed.
pub(crate) fn read_csv(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut records = Vec::new();
    let mut record: Vec<String> = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut any = false;
    let text = text.trim_start_matches('\u{feff}');
    let separator = separator(text);
    let mut chars = text.chars().peekable();
    while let Some(found) = chars.next() {
        match found {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => {
                quoted = !quoted;
                any = true;
            }
            found if found == separator && !quoted => {
                record.push(std::mem::take(&mut field));
                any = true;
            }
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                if any || !field.is_empty() {
                    record.push(std::mem::take(&mut field));
                    records.push(std::mem::take(&mut record));
                }
                any = false;
            }
            other => field.push(other),
        }
    }
    if quoted {
        return Err("a quotation in the table is never closed".to_owned());
    }
    if any || !field.is_empty() {
        record.push(field);
        records.push(record);
    }
    Ok(records)
}

/// What stands between the fields, by the heading: a comma, else a semicolon, else a tabulator.
fn separator(text: &str) -> char {
    let heading = text.lines().next().unwrap_or_default();
    let bare: String = heading.split('"').step_by(2).collect();
    [',', ';', '\t'].into_iter().find(|sign| bare.contains(*sign)).unwrap_or(',')
}

/// A CSV text as a JSON array of one object for each data row. Values stay texts, as CSV knows no others. Fails when
/// a row has another number of fields than the header or two columns have one name.
pub(crate) fn csv_to_json(text: &str) -> Result<Value, String> {
    let mut records = read_csv(text)?.into_iter();
    let header = records.next().ok_or("the table has no header line")?;
    let mut rows = Vec::new();
    for (index, record) in records.enumerate() {
        if record.len() != header.len() {
            return Err(format!(
                "data row {} has {} fields, the header has {}",
                index + 1,
                record.len(),
                header.len()
            ));
        }
        let row: Map<String, Value> =
            header.iter().cloned().zip(record.into_iter().map(Value::String)).collect();
        if row.len() != header.len() {
            return Err("two columns have the same name".to_owned());
        }
        rows.push(Value::Object(row));
    }
    Ok(Value::Array(rows))
}

/// The value at a dotted key of a JSON text, as a person would read it: texts without quotation marks.
pub(crate) fn json_value(text: &str, key: &str) -> Result<String, String> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| format!("the file is not valid JSON: {error}"))?;
    if let Some(value) = only_leaf(&document, key) {
        return Ok(value);
    }
    let mut value = &document;
    for part in key.split('.') {
        let next = match value {
            Value::Object(map) => map.get(part),
            Value::Array(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        value = next.ok_or_else(|| format!("there is no `{key}` in the file (`{part}` is missing)"))?;
    }
    Ok(shown(value))
}

/// The value of a name that stands at one place alone, further down, with where that is; None where it stands at the top.
fn only_leaf(document: &Value, key: &str) -> Option<String> {
    fn collect(value: &Value, key: &str, path: &str, found: &mut Vec<(String, String)>) {
        let Value::Object(map) = value else { return };
        for (name, inner) in map {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if name == key {
                found.push((path.clone(), shown(inner)));
            }
            collect(inner, key, &path, found);
        }
    }
    if key.contains('.') || document.get(key).is_some() {
        return None;
    }
    let mut found = Vec::new();
    collect(document, key, "", &mut found);
    match found.as_slice() {
        [(path, value)] => Some(format!("{value} ({path})")),
        _ => None,
    }
}

/// The names at the top of a JSON text.
pub(crate) fn json_names(text: &str) -> Vec<String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => map.keys().cloned().collect(),
        Ok(Value::Array(items)) => match items.first() {
            Some(Value::Object(map)) => map.keys().cloned().collect(),
            Some(_) | None => Vec::new(),
        },
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// A JSON text with a line for each value.
pub(crate) fn json_pretty(text: &str) -> Result<String, String> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| format!("the file is not valid JSON: {error}"))?;
    serde_json::to_string_pretty(&document).map_err(|error| error.to_string())
}

/// A value as a person would read it: texts without quotation marks.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

/// One part of a dotted key as a step of a path: a number for an array, else a name.
pub(crate) fn json_step(part: &str) -> Value {
    part.parse::<u64>().map_or_else(|_| Value::from(part), Value::from)
}
