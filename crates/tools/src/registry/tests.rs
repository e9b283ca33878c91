use serde_json::Value;

use super::{TOOLS, find, names, specs};
use crate::installed::{Installed, Program};

/// Every program there is, at places that nothing asks for here.
fn all() -> Installed {
    Installed::of(&[
        (Program::Osascript, "/usr/bin/osascript"),
        (Program::Shortcuts, "/usr/bin/shortcuts"),
        (Program::Mdfind, "/usr/bin/mdfind"),
    ])
    .with_web(true, true)
}

#[test]
fn signatures_and_schemas_name_the_same_arguments() {
    for spec in specs(&all()) {
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
        assert_eq!(find(row.name, &all()).map(|r| r.kind), Some(row.kind));
        assert!(row.timeout_ms > 0);
    }
    assert!(find("rm", &all()).is_none());
}

#[test]
fn a_tool_whose_program_is_missing_is_neither_offered_nor_found() {
    let bare = Installed::default();
    let offered =
        |installed: &Installed| specs(installed).into_iter().map(|spec| spec.name).collect::<Vec<_>>();
    for name in ["applescript", "shortcuts", "search", "fetch_url"] {
        assert!(!offered(&bare).contains(&name.to_owned()) && offered(&all()).contains(&name.to_owned()));
        assert!(find(name, &bare).is_none() && !names(&bare).contains(name), "{name}");
    }
    assert_eq!(specs(&bare).len() + 4, TOOLS.len(), "the others need nothing");
}

/// The order in which the design has an executor consider its tools.
#[test]
fn tools_stand_in_the_order_of_their_priority() {
    let order: Vec<String> = specs(&all()).into_iter().map(|spec| spec.name).collect();
    let place = |name: &str| order.iter().position(|n| n == name).unwrap();
    let wanted = [super::FILE_SEARCH, "glob", "read_file", "write_file", "applescript", "shortcuts", "shell"];
    assert!(wanted.is_sorted_by_key(|name| place(name)), "{order:?}");
}
