//! What a task is given: the request, the tools, the parameters.

use artoo_types::task::{TaskOptions, TaskSubmitted};
use artoo_types::tool::ToolSpec;

use artoo_types::setting::{ControlParams, PersonClock, TaskSetting};

use crate::plant::TaskTruth;

/// What the steps are called; their first words tell them apart, the rest is alike, as in work on several files of a kind.
pub(super) const NAMES: [&str; 4] = ["alpha", "bravo", "charlie", "delta"];

/// The surroundings of every task, with these parameters of the controller.
pub(super) fn setting(control: ControlParams) -> TaskSetting {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        signature: "{}".to_owned(),
        purpose: "for the laboratory".to_owned(),
        schema: "{}".to_owned(),
        reads: false,
    };
    TaskSetting {
        control,
        deadline_ms: 600_000,
        max_tokens: None,
        interactive: false,
        tools: ["t4", "t5", "t6", "t7", "shell"].map(tool).to_vec(),
        native_tool_calls: false,
        models: Default::default(),
        home: "/h".to_owned(),
        workspace: "/h/ws".to_owned(),
        os: "linux".to_owned(),
        clock: PersonClock { date: "2026-11-22".to_owned(), utc_offset_minutes: 0 },
        provider: "laboratory".to_owned(),
        workspace_files: Vec::new(),
        session: Vec::new(),
        build: String::new(),
    }
}

/// The request; it names the inputs of steps that have only one.
pub(super) fn submitted(truth: &TaskTruth) -> TaskSubmitted {
    let single = truth.steps.iter().enumerate().filter(|(_, step)| step.targets == 1);
    let named: Vec<String> = single.map(|(s, _)| target_name(s, 0, 0)).collect();
    let input = match named.as_slice() {
        [] => "look into it".to_owned(),
        named => format!("look into {}", named.join(", ")),
    };
    TaskSubmitted {
        input,
        session_id: String::new(),
        request_id: String::new(),
        working_directory: "/w".to_owned(),
        options: TaskOptions::default(),
    }
}

/// How a target of a step is spelled; changed parameters that are part of it make it another.
pub(super) fn target_name(s: usize, target: usize, folded: u32) -> String {
    match folded {
        0 => format!("/w/s{s}/g{target}"),
        n => format!("/w/s{s}/g{target}v{n}"),
    }
}

/// What a step is to achieve, in the words of its version.
pub(super) fn intent(s: usize, version: u32) -> String {
    format!("{} look into the parts, version {version}", NAMES[s])
}

/// The class of a number.
pub(super) fn class_name(class: usize) -> String {
    if class < 4 { format!("shell:p{class}") } else { format!("t{class}") }
}

/// The number of a class.
pub(super) fn class_number(name: &str) -> Option<usize> {
    name.chars().last()?.to_digit(10).map(|digit| digit as usize)
}

/// The number of the target in a name.
pub(super) fn target_number(name: &str) -> Option<usize> {
    name.split("/g").nth(1)?.split('v').next()?.parse().ok()
}

/// The step that an intent speaks of.
pub(super) fn step_number(intent: &str) -> Option<usize> {
    NAMES.iter().position(|name| intent.starts_with(name))
}
