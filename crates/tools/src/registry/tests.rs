use super::{TOOLS, find, specs};
use serde_json::Value;

#[test]
fn signatures_and_schemas_name_the_same_arguments() {
    for spec in specs() {
        let schema: Value = serde_json::from_str(&spec.schema).unwrap();
        let inside = spec.signature.trim_matches(['{', '}']);
        let written: Vec<&str> = inside.split(", ").map(|a| a.trim_end_matches('?')).collect();
        let known: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(written, known, "{}", spec.name);
    }
}

#[test]
fn names_are_unique_and_found() {
    for (index, row) in TOOLS.iter().enumerate() {
        assert!(TOOLS.iter().skip(index + 1).all(|other| other.name != row.name));
        assert_eq!(find(row.name).map(|r| r.kind), Some(row.kind));
        assert!(row.timeout_ms > 0);
    }
    assert!(find("rm").is_none());
}
