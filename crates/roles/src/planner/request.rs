//! The planner's question to its model.

use artoo_types::belief::{Chances, StepAxis, StepBelief};
use artoo_types::brief::{AdviceOrigin, Brief, Kinship, LearnedFrom, MemoryAdvice, PlanBrief};
use artoo_types::control::{MacroState, PlanDirective, Urgency};
use artoo_types::limits::{PRIOR_OUTPUT_CHARS, PromptLimits};
use artoo_types::tag::fold;
use artoo_types::task::TaskSpec;
use artoo_types::text::{first_chars, head_tail, indented, name_line};

use super::farewell::unmet_lines;
use super::situation::situation_lines;
use crate::prompt::{Prompt, Sections, force_words, one_line, setting_lines, tool_lines};

impl Prompt for PlanBrief {
    fn user_message(&self, _: &PromptLimits) -> String {
        let memory: Vec<String> = self.memory.iter().map(memory_line).collect();
        let faults: Vec<String> =
            self.faults.iter().map(|f| format!("- {}", one_line(&f.to_string()))).collect();
        let directive = self.directive.as_deref();
        let intent = intent_text(&self.spec);
        let is_told = fold(&intent) == fold(&self.spec.raw_input);
        let intent = if is_told { String::new() } else { intent };
        Sections::default()
            .add("Tools", &tool_lines(self.setting.tools.iter()))
            .add("Setting", &setting(self))
            .add("Situation", &self.situation.as_deref().map(situation_lines).unwrap_or_default())
            .add("Memory", &memory.join("\n"))
            .add("Established", &directive.map(established).unwrap_or_default())
            .add("Done", &self.record.join("\n"))
            .add("Directive", &directive.map(directive_lines).unwrap_or_default())
            .add("Rejected draft", &faults.join("\n"))
            .add("Intent", &intent)
            .add("Request", &self.spec.raw_input)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Plan(self)
    }
}

/// The setting, and what is in the workspace already.
fn setting(brief: &PlanBrief) -> String {
    let lines = setting_lines(&brief.setting, &brief.working_directory);
    if brief.setting.workspace_files.is_empty() {
        return lines;
    }
    let files: Vec<_> = brief.setting.workspace_files.iter().map(|name| name_line(name)).collect();
    format!("{lines}\nworkspace_files: {}", files.join(" | "))
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
            let veto = directive.grounds.vetoed.iter().find(|veto| veto.subtask == o.subtask_id);
            let veto = veto.map(|veto| format!(" (VETOED, it does not stand: {})", one_line(&veto.why)));
            let intent = first_chars(&one_line(&o.subtask.intent), 300);
            format!("[subtask {}] {intent}{}\n{output}", o.subtask_id, veto.unwrap_or_default())
        })
        .collect();
    blocks.join("\n")
}

fn directive_lines(directive: &PlanDirective) -> String {
    let mut lines = vec![
        format!("directive: {}", MacroState::from(directive.directive).as_str()),
        format!("replan: {} of {}", directive.replan, directive.max_replans),
        format!("urgency: {}", urgency_words(directive.urgency)),
        format!("rationale: {}", one_line(&directive.grounds.rationale)),
    ];
    for step in &directive.grounds.steps {
        lines.push(format!("step \"{}\": {}", first_chars(&one_line(&step.intent), 120), step_words(step)));
    }
    for id in &directive.grounds.redo {
        lines.push(format!("do anew: {id}"));
    }
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
        lines.extend(unmet_lines(&directive.unmet[..directive.unmet.len().min(24)]));
    }
    lines.join("\n")
}

/// What is to change about one step, with the belief that speaks for it.
fn step_words(step: &StepBelief) -> String {
    let Chances { approach, target, detail, transient, .. } = step.chances;
    let (words, chance) = match step.axis {
        StepAxis::Own => return "as you see fit".to_owned(),
        StepAxis::Again => ("the same once more, it passes by itself", transient),
        StepAxis::Detail => ("keep tool and input, change how they are used", detail + transient),
        StepAxis::Target => ("another input", target),
        StepAxis::Approach => ("another tool", approach),
    };
    let must = if step.enforced { "must: " } else { "" };
    format!("{must}{words} ({:.0} %)", 100.0 * chance)
}

fn urgency_words(urgency: Urgency) -> &'static str {
    match urgency {
        Urgency::Improving => "improving: keep the decomposition, change only what failed",
        Urgency::Steady => "steady",
        Urgency::Worsening => "worsening: differ from both failed rounds",
    }
}

/// Characters of an id: those of its time in milliseconds, which `artoo show` takes for the whole.
const ID_CHARS: usize = 13;

/// A line of advice: how much it binds, what it says, and where it comes from.
fn memory_line(advice: &MemoryAdvice) -> String {
    let origin = advice.origin.as_ref().map(origin).unwrap_or_default();
    let source = advice.learned_from.as_ref().map(source).unwrap_or_default();
    format!("{}: {}{origin}{source}", force_words(advice.force), advice.content)
}

fn origin(origin: &AdviceOrigin) -> String {
    let short = |id: &dyn std::fmt::Display| id.to_string().chars().take(ID_CHARS).collect::<String>();
    match origin {
        AdviceOrigin::Rule(level, id) => format!(" (level {level:?}, rule {})", short(id)),
        AdviceOrigin::Decision(state, task) => {
            let state = Some(state.clone()).filter(|state| !state.is_empty());
            let task = task.map(|id| format!("task {}", short(&id)));
            let parts: Vec<String> = state.into_iter().chain(task).collect();
            if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
        }
    }
}

fn source(from: &LearnedFrom) -> String {
    let how = match from.kinship {
        Kinship::SameTask => "the same task in other words",
        Kinship::SameBeginning => "a request that begins like the same task in other words",
        Kinship::LooksAlike => "another request that looks like this one",
    };
    format!(" (learned from {how}: \"{}\")", from.request)
}
