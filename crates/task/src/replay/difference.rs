//! Where two outputs of the same step part, down to the field.

use std::fmt::Write;

use artoo_types::envelope::Role;
use artoo_types::machine::{StepOutput, TaskEffect};
use artoo_types::text::first_chars;
use artoo_types::{EffectId, Envelope};
use serde::Serialize;
use serde_json::Value;

use super::{ControllerDecision, DecisionPair};

/// Characters of a value that a difference shows. A criterion or a path fits; of a long text the part is shown where
/// it begins to differ.
const VALUE_CHARS: usize = 240;
/// Characters of a text that are shown before the first one that differs.
const BEFORE_CHARS: usize = 40;
/// Stands for a value that one side does not have.
const NOTHING: &str = "nothing";

/// The first difference between a journal and its replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayDifference {
    /// Ordinal of the step.
    pub seq: u64,
    /// The first field that differs, as the journal's line spells it: `envelopes[2].payload.body.loss.D`.
    pub path: String,
    /// What that is part of, in words: `plan_directive from R7 to R2 (sequence 23, round 1)`.
    pub about: String,
    /// What the journal says, in JSON, at most some 240 characters.
    pub recorded: String,
    /// What the replay makes of the same inputs, likewise.
    pub folded: String,
}

impl ReplayDifference {
    /// The journal does not count its steps as it should.
    pub(super) fn of_seq(expected: u64, got: u64) -> Self {
        Self {
            seq: expected,
            path: "seq".to_owned(),
            about: "the ordinal of the step".to_owned(),
            recorded: got.to_string(),
            folded: expected.to_string(),
        }
    }

    /// The journal ends although the task does not: `recorded` and `folded` say in words what there is and what is
    /// missing.
    pub fn of_end(seq: u64, recorded: &str, folded: &str) -> Self {
        Self {
            seq,
            path: String::new(),
            about: "the end of the journal".to_owned(),
            recorded: recorded.to_owned(),
            folded: folded.to_owned(),
        }
    }

    /// The first of these decisions on which recording and replay do not agree.
    pub(super) fn of_decisions(seq: u64, decisions: &[DecisionPair]) -> Self {
        let parted = decisions.iter().find(|pair| !pair.agrees());
        let words =
            |decided: Option<ControllerDecision>| decided.map_or_else(|| NOTHING.to_owned(), |d| d.words());
        let round = parted.and_then(|pair| pair.recorded.or(pair.folded)).map_or(0, |decided| decided.round);
        Self {
            seq,
            path: String::new(),
            about: format!("the controller's decision on round {round}"),
            recorded: words(parted.and_then(|pair| pair.recorded)),
            folded: words(parted.and_then(|pair| pair.folded)),
        }
    }
}

/// The first difference, envelopes before effects. `None` when both have the same JSON form, which is what a journal
/// holds.
pub(super) fn between(seq: u64, recorded: &StepOutput, folded: &StepOutput) -> Option<ReplayDifference> {
    in_list(seq, "envelopes", (&recorded.envelopes, &folded.envelopes), about_envelope)
        .or_else(|| in_list(seq, "effects", (&recorded.effects, &folded.effects), about_effect))
}

/// The first effect whose completion would mean something else: a recording cannot answer what was not asked. Wakes
/// and memories complete nothing, and the words of a prompt may differ.
pub(crate) fn in_wants(seq: u64, recorded: &[TaskEffect], folded: &[TaskEffect]) -> Option<ReplayDifference> {
    let recorded: Vec<Want<'_>> = recorded.iter().filter_map(Want::of).collect();
    let folded: Vec<Want<'_>> = folded.iter().filter_map(Want::of).collect();
    in_list(seq, "effects", (&recorded, &folded), |want| format!("what {} wants from outside", want.who))
}

/// What makes two effects ask for the same.
#[derive(PartialEq, Serialize)]
struct Want<'a> {
    kind: &'static str,
    effect_id: EffectId,
    who: &'a str,
    tool: &'a str,
    arguments: &'a str,
}

impl<'a> Want<'a> {
    fn of(effect: &'a TaskEffect) -> Option<Self> {
        let plain = |kind, effect_id, who| Some(Self { kind, effect_id, who, tool: "", arguments: "" });
        match effect {
            TaskEffect::CallModel { effect_id, request } => {
                plain("call_model", *effect_id, request.role.as_str())
            }
            TaskEffect::RunTool { call, .. } => Some(Self {
                tool: &call.tool,
                arguments: &call.arguments,
                ..plain("run_tool", call.effect_id, Role::Executor.as_str())?
            }),
            TaskEffect::RecoverTool { call } => Some(Self {
                tool: &call.tool,
                arguments: &call.arguments,
                ..plain("recover_tool", call.effect_id, Role::Executor.as_str())?
            }),
            TaskEffect::RunChecks { effect_id, .. } => {
                plain("run_checks", *effect_id, Role::AgentValidator.as_str())
            }
            TaskEffect::QueryMemory { effect_id, .. } => {
                plain("query_memory", *effect_id, Role::Planner.as_str())
            }
            TaskEffect::LookAround { effect_id, .. } => {
                plain("look_around", *effect_id, Role::Planner.as_str())
            }
            TaskEffect::StopAll => plain("stop_all", EffectId(0), Role::Runtime.as_str()),
            TaskEffect::WriteMemory { .. } | TaskEffect::WakeAt { .. } => None,
        }
    }
}

/// The first difference of two lists, item by item.
fn in_list<T: PartialEq + Serialize>(
    seq: u64,
    name: &str,
    (recorded, folded): (&[T], &[T]),
    about: impl Fn(&T) -> String,
) -> Option<ReplayDifference> {
    for i in 0..recorded.len().max(folded.len()) {
        let (a, b) = (recorded.get(i), folded.get(i));
        let Some(item) = a.or(b) else { continue };
        if a == b {
            continue;
        }
        let (a, b) = (a.map(json), b.map(json));
        let mut path = format!("{name}[{i}]");
        if let Some((a, b)) = first(&mut path, a.as_ref(), b.as_ref()) {
            let (recorded, folded) = shown(a, b);
            return Some(ReplayDifference { seq, path, about: about(item), recorded, folded });
        }
    }
    None
}

fn json<T: Serialize>(item: &T) -> Value {
    // Every message has a JSON form: the journal wrote it.
    serde_json::to_value(item).unwrap_or_default()
}

/// The first values that differ below `path`, which grows to where they are.
fn first<'a>(
    path: &mut String,
    recorded: Option<&'a Value>,
    folded: Option<&'a Value>,
) -> Option<(Option<&'a Value>, Option<&'a Value>)> {
    if recorded == folded {
        return None;
    }
    let length = path.len();
    if let (Some(Value::Object(a)), Some(Value::Object(b))) = (recorded, folded) {
        let added = b.keys().filter(|name| !a.contains_key(*name));
        for name in a.keys().chain(added) {
            path.push('.');
            path.push_str(name);
            if let found @ Some(_) = first(path, a.get(name), b.get(name)) {
                return found;
            }
            path.truncate(length);
        }
        return None;
    }
    if let (Some(Value::Array(a)), Some(Value::Array(b))) = (recorded, folded) {
        for i in 0..a.len().max(b.len()) {
            // Writing into a string cannot fail.
            let _ = write!(path, "[{i}]");
            if let found @ Some(_) = first(path, a.get(i), b.get(i)) {
                return found;
            }
            path.truncate(length);
        }
        return None;
    }
    Some((recorded, folded))
}

/// Both values in bounded JSON; two long texts from a little before where they part.
fn shown(recorded: Option<&Value>, folded: Option<&Value>) -> (String, String) {
    if let (Some(Value::String(a)), Some(Value::String(b))) = (recorded, folded) {
        let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
        let skipped = same.saturating_sub(BEFORE_CHARS);
        return (text_from(a, skipped), text_from(b, skipped));
    }
    let show = |value: Option<&Value>| {
        value.map_or_else(|| NOTHING.to_owned(), |value| first_chars(&value.to_string(), VALUE_CHARS))
    };
    (show(recorded), show(folded))
}

/// The text as JSON without its first characters.
fn text_from(text: &str, skipped: usize) -> String {
    let rest: String = text.chars().skip(skipped).take(VALUE_CHARS + 1).collect();
    let quoted = Value::String(rest).to_string();
    let mark = if skipped > 0 { "…" } else { "" };
    first_chars(&format!("{mark}{quoted}"), VALUE_CHARS)
}

fn about_envelope(envelope: &Envelope) -> String {
    let Envelope { from, to, sequence, round, .. } = envelope;
    let (kind, from, to) = (envelope.payload.kind().as_str(), from.as_str(), to.as_str());
    format!("{kind} from {from} to {to} (sequence {sequence}, round {round})")
}

fn about_effect(effect: &TaskEffect) -> String {
    match effect {
        TaskEffect::CallModel { request, .. } => {
            format!("the request of {} to a model", request.role.as_str())
        }
        TaskEffect::RunTool { call, .. } => format!("the call of {} by R3", call.tool),
        TaskEffect::RecoverTool { call } => format!("what became of the call of {}", call.tool),
        TaskEffect::RunChecks { .. } => "the checks to evaluate".to_owned(),
        TaskEffect::QueryMemory { .. } => "the question of R2 to the memory".to_owned(),
        TaskEffect::LookAround { .. } => "the look of R2 at the working folder".to_owned(),
        TaskEffect::WriteMemory { .. } => "what R7 has remembered".to_owned(),
        TaskEffect::WakeAt { .. } => "when to wake".to_owned(),
        TaskEffect::StopAll => "stopping everything".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The first difference of two values: where it is, and what either side holds there.
    #[track_caller]
    fn check(recorded: &Value, folded: &Value, expected: Option<(&str, &str, &str)>) {
        let mut path = "x".to_owned();
        let found = first(&mut path, Some(recorded), Some(folded)).map(|(a, b)| shown(a, b));
        let found = found.as_ref().map(|(a, b)| (path.as_str(), a.as_str(), b.as_str()));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_first_differing_field_is_named_with_both_values() {
        let value = json!({"a": [1, {"b": "same", "c": 2.5}], "d": null});
        check(&value, &value, None);
        check(&value, &json!({"d": null, "a": [1, {"c": 2.5, "b": "same"}]}), None);
        check(&value, &json!({"a": [1, {"b": "same", "c": 2}], "d": 1}), Some(("x.a[1].c", "2.5", "2")));
        check(&value, &json!({"a": [1, 2], "d": 1}), Some(("x.a[1]", r#"{"b":"same","c":2.5}"#, "2")));
        check(&value, &json!({"a": [1], "d": null}), Some(("x.a[1]", r#"{"b":"same","c":2.5}"#, NOTHING)));
        check(&json!({"a": 1}), &json!({"a": 1, "b": 2}), Some(("x.b", NOTHING, "2")));
        check(&json!({"a": 1, "b": 2}), &json!({"a": 1}), Some(("x.b", "2", NOTHING)));
    }

    #[test]
    fn long_texts_are_shown_from_where_they_part() {
        let text = |middle: &str| json!("文".repeat(5_000) + middle + &"b".repeat(5_000));
        let mut path = String::new();
        let (recorded, folded) = (text("1"), text("2"));
        let (a, b) = first(&mut path, Some(&recorded), Some(&folded)).expect("they differ");
        let (a, b) = shown(a, b);
        assert!(a.starts_with(&format!("…\"{}1bb", "文".repeat(BEFORE_CHARS))), "{a}");
        assert!(b.starts_with(&format!("…\"{}2bb", "文".repeat(BEFORE_CHARS))), "{b}");
        assert!(a.chars().count() <= VALUE_CHARS + 1, "{a}");
    }
}
