//! The planner's question to its model.

use artoo_types::control::{MacroState, PlanDirective, Urgency};
use artoo_types::limits::PRIOR_OUTPUT_CHARS;
use artoo_types::setting::TaskSetting;
use artoo_types::task::TaskSpec;
use artoo_types::text::{first_chars, head_tail, indented};

use super::calibrate::Known;
use crate::prompt::{Sections, one_line, setting_lines, tool_lines};

/// What the question is made of.
pub(super) struct Draft<'a> {
    pub(super) setting: &'a TaskSetting,
    pub(super) working_directory: &'a str,
    pub(super) spec: Option<&'a TaskSpec>,
    pub(super) directive: Option<&'a PlanDirective>,
    pub(super) known: &'a Known,
    pub(super) reasons: &'a [String],
}

/// The user message.
pub(super) fn user_message(draft: &Draft<'_>) -> String {
    let reasons: Vec<String> = draft.reasons.iter().map(|r| format!("- {}", one_line(r))).collect();
    let (intent, raw) = draft.spec.map(|s| (intent_text(s), s.raw_input.as_str())).unwrap_or_default();
    Sections::default()
        .add("Setting", &setting(draft))
        .add("Tools", &tool_lines(draft.setting.tools.iter()))
        .add("Memory", &draft.known.lines())
        .add("Established", &draft.directive.map(established).unwrap_or_default())
        .add("Directive", &draft.directive.map(directive_lines).unwrap_or_default())
        .add("Rejected draft", &reasons.join("\n"))
        .add("Intent", &intent)
        .add("Request", raw)
        .finish()
}

/// The setting, and what is in the workspace already.
fn setting(draft: &Draft<'_>) -> String {
    let lines = setting_lines(draft.setting, draft.working_directory);
    if draft.setting.workspace_files.is_empty() {
        return lines;
    }
    format!("{lines}\nworkspace_files: {}", draft.setting.workspace_files.join(" | "))
}

fn intent_text(spec: &TaskSpec) -> String {
    let mut text = spec.intent.clone();
    for (name, value) in [("scope", &spec.constraints.scope), ("deadline", &spec.constraints.deadline)] {
        if let Some(value) = value {
            text.push_str(&format!("\n{name}: {value}"));
        }
    }
    text
}

/// Kept results share the bound of prior outputs.
fn established(directive: &PlanDirective) -> String {
    let share = PRIOR_OUTPUT_CHARS / directive.established.len().max(1);
    let blocks: Vec<String> = directive
        .established
        .iter()
        .map(|o| {
            let output = indented(&head_tail(&o.output, share.max(200)));
            format!("[subtask {}] {}\n{output}", o.subtask_id, first_chars(&one_line(&o.subtask.intent), 300))
        })
        .collect();
    blocks.join("\n")
}

fn directive_lines(directive: &PlanDirective) -> String {
    let mut lines = vec![
        format!("directive: {}", MacroState::from(directive.directive).as_str()),
        format!("replan: {} of {}", directive.replan, directive.max_replans),
        format!("urgency: {}", urgency_words(directive.urgency)),
        format!("rationale: {}", one_line(&directive.rationale)),
    ];
    for tool in &directive.blocked_tools {
        lines.push(format!("blocked tool: {} | {}", tool.class, tool.intent));
    }
    for target in &directive.blocked_targets {
        lines.push(format!("blocked target: {} | {}", target.class, one_line(&target.target)));
    }
    for target in &directive.failed_before {
        lines.push(format!("failed before: {} | {}", target.class, one_line(&target.target)));
    }
    if !directive.tried_classes.is_empty() {
        lines.push(format!("use a tool class other than: {}", directive.tried_classes.join(", ")));
    }
    if !directive.unmet.is_empty() {
        lines.push("unmet:".to_owned());
        for unmet in directive.unmet.iter().take(24) {
            let [criterion, evidence] = [&unmet.criterion, &unmet.evidence].map(|text| one_line(text));
            lines.push(format!("- {criterion} ({})", first_chars(&evidence, 300)));
        }
    }
    lines.join("\n")
}

fn urgency_words(urgency: Urgency) -> &'static str {
    match urgency {
        Urgency::Improving => "improving: keep the decomposition, change only what failed",
        Urgency::Steady => "steady",
        Urgency::Worsening => "worsening: differ from both failed rounds",
    }
}
