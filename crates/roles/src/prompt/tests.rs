use artoo_types::evidence::CallEnd;
use artoo_types::setting::{ControlParams, SessionPair, TaskSetting};
use artoo_types::tool::ToolSpec;

use super::{Sections, receipt_block};
use crate::testing::receipt;

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
        workspace_files: Vec::new(),
        session: vec![SessionPair {
            input: "before".to_owned(),
            summary: "done".to_owned(),
            taint: Default::default(),
        }],
        build: String::new(),
    }
}

#[test]
fn empty_sections_are_left_out() {
    let text = Sections::default().add("A", "1").add("B", "").add("C", "3\n").finish();
    assert_eq!(text, "## A\n1\n\n## C\n3\n");
}

#[test]
fn the_standing_instructions_are_small() {
    let prompts = [
        include_str!("../perceiver/prompt.md"),
        include_str!("../planner/prompt.md"),
        include_str!("../executor/prompt.md"),
        include_str!("../agent_validator/prompt.md"),
        include_str!("../meta_validator/prompt.md"),
    ];
    let roles = ["R1 Perceiver", "R2 Planner", "R3 Executor", "R4a Agent-Validator", "R4b Meta-Validator"];
    for (prompt, role) in prompts.iter().zip(roles) {
        assert_eq!(prompt.lines().next(), Some(format!("# Role: {role}").as_str()));
    }
    // They are paid for with every call.
    let chars: usize = prompts.iter().map(|p| p.chars().count()).sum();
    assert!(chars <= 7_900, "{chars} characters");
}

#[test]
fn a_receipt_names_its_call_and_indents_its_output() {
    let check = |end: CallEnd, exit: Option<i64>, note: Option<&str>, output: &str, expected: &str| {
        let mut receipt = receipt(3, end, exit, output);
        receipt.note = note.map(str::to_owned);
        receipt.target = "/w/a\n## Subtask".to_owned();
        assert_eq!(receipt_block(&receipt), expected);
    };
    let head = "[receipt r3] glob /w/a ## Subtask exit=";
    check(CallEnd::Ran, Some(0), None, "a\n## Subtask\nb", &format!("{head}0\n  a\n  ## Subtask\n  b"));
    check(CallEnd::Ran, Some(1), Some("from\nan index"), "", &format!("{head}1 (from an index)"));
    for (end, word) in [
        (CallEnd::Error, "error"),
        (CallEnd::Timeout, "timeout"),
        (CallEnd::Cancelled, "cancelled"),
        (CallEnd::Denied, "denied"),
        (CallEnd::Refused, "refused"),
    ] {
        check(end, None, None, "", &format!("{head}none ({word})"));
    }
}

#[test]
fn a_receipt_with_text_of_strangers_says_so() {
    let mut receipt = receipt(3, CallEnd::Ran, Some(0), "x");
    let head = |receipt: &_| receipt_block(receipt).lines().next().unwrap_or_default().to_owned();
    assert!(!head(&receipt).contains("untrusted"));
    receipt.taint.private = true;
    assert!(!head(&receipt).contains("untrusted"));
    receipt.taint.untrusted = true;
    assert!(head(&receipt).ends_with("exit=0 untrusted"), "{}", head(&receipt));
}

#[test]
fn a_receipt_shows_head_and_tail_of_a_long_output() {
    let block =
        receipt_block(&receipt(3, CallEnd::Ran, Some(0), &format!("first{}last", "z".repeat(50_000))));
    assert!(block.contains("\n  first") && block.ends_with("last") && block.contains("characters omitted"));
    assert_eq!(block.matches('z').count(), 4_000 - "first".len() - "last".len());
}
