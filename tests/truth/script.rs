//! Short words for what roles say.

use serde_json::{Value, json};

pub(crate) use artoo_testing::scripted_roles::{checked, criterion, plausible, subtask, tool};

/// R3 runs a command.
pub(crate) fn sh(command: &str) -> Value {
    tool("shell", &json!({"command": command}))
}

/// R3 runs a command whose output is the result.
pub(crate) fn last_sh(command: &str) -> Value {
    artoo_testing::scripted_roles::last_tool("shell", &json!({"command": command}))
}

/// R3 reads a file.
pub(crate) fn read(path: &str) -> Value {
    tool("read_file", &json!({"path": path}))
}

/// R3 makes a file.
pub(crate) fn write(path: &str, content: &str) -> Value {
    tool("write_file", &json!({"path": path, "content": content}))
}

/// R3 replaces a text of a file.
pub(crate) fn edit(path: &str, old: &str, new: &str) -> Value {
    tool("edit_file", &json!({"path": path, "old": old, "new": new}))
}

/// R3 says that it is done.
pub(crate) fn claim(output: &str) -> Value {
    artoo_testing::scripted_roles::finish("completed", output)
}

/// The file exists.
pub(crate) fn exists(text: &str, path: &str) -> Value {
    checked(text, &json!({"kind": "file_exists", "path": path}))
}

/// The file does not exist.
pub(crate) fn absent(text: &str, path: &str) -> Value {
    checked(text, &json!({"kind": "file_absent", "path": path}))
}

/// The file holds a text.
pub(crate) fn holds(text: &str, path: &str, part: &str) -> Value {
    checked(text, &json!({"kind": "file_contains", "path": path, "text": part}))
}

/// What held before and has to hold still.
pub(crate) fn unchanged(text: &str, mut check: Value) -> Value {
    check["unchanged"] = json!(true);
    checked(text, &check)
}

/// A check of another kind.
pub(crate) fn check(text: &str, kind: &str, mut fields: Value) -> Value {
    fields["kind"] = json!(kind);
    checked(text, &fields)
}
