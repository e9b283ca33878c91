use artoo_types::setting::{ControlParams, SessionPair, TaskSetting};
use artoo_types::tool::ToolSpec;

use super::Sections;

/// The surroundings that role tests share.
pub(crate) fn setting(interactive: bool) -> TaskSetting {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        signature: "{x}".to_owned(),
        purpose: "for tests".to_owned(),
        schema: "{}".to_owned(),
    };
    TaskSetting {
        control: ControlParams::default(),
        deadline_ms: 600_000,
        max_tokens: None,
        interactive,
        tools: ["glob", "read_file", "write_file", "find_files", "shell"].map(tool).to_vec(),
        native_tool_calls: false,
        home: "/h".to_owned(),
        workspace: "/h/artoo_workspace".to_owned(),
        os: "linux".to_owned(),
        date: "2026-11-21".to_owned(),
        provider: "test".to_owned(),
        session: vec![SessionPair { input: "before".to_owned(), summary: "done".to_owned() }],
    }
}

#[test]
fn empty_sections_are_left_out() {
    let text = Sections::default().add("A", "1").add("B", "").add("C", "3\n").finish();
    assert_eq!(text, "## A\n1\n\n## C\n3\n");
}
