//! A record that somebody changed and sealed again is found by folding: one byte in any field that matters.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::machine::StepRecord;
use serde_json::Value;

use super::stories;
use crate::replay::Replay;

/// Fields of inputs, by kind of input, that no message, effect or decision depends on, and why. Folding cannot find a
/// change in them; the hash of the last line, which is kept outside the journal, does.
const NO_TRACE: &[(&str, &str, &str)] = &[
    ("resumed", "input.build", "as below"),
    ("submitted", "input.setting.build", "it says whose prompts these are, and is in none of them"),
    ("submitted", "input.setting.control.tables", "in no story do two editions of the belief part"),
    (
        "submitted",
        "input.setting.control.theta",
        "the table's limit; the belief weighs what a round is worth",
    ),
    (
        "submitted",
        "input.setting.control.worth",
        "a round of these stories is worth far more than it costs, or far less",
    ),
    ("submitted", "input.setting.provider", "a name for people; whoever answers, the reply decides"),
    ("submitted", "input.setting.tools[].schema", "models get it only with native tool calls"),
    (
        "tool_starting",
        "input.intent.digest",
        "the state that the call met; evidence for people, compared with nothing",
    ),
];

/// Kinds of inputs.
const KINDS: usize = 14;

/// One place in a record: the way from its top.
type Way = Vec<Step>;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Field(String),
    Item(usize),
}

/// The ways to everything in `value` that has a text of its own.
fn leaves(value: &Value, way: &Way, found: &mut Vec<Way>) {
    let step = |step: Step| way.iter().cloned().chain([step]).collect::<Way>();
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(value, &step(Step::Field(name.clone())), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| leaves(value, &step(Step::Item(i)), found));
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => found.push(way.clone()),
    }
}

/// The way without the numbers of items: fields of the same kind have the same.
fn pattern(way: &Way) -> String {
    let word = |step: &Step| match step {
        Step::Field(name) => format!(".{name}"),
        Step::Item(_) => "[]".to_owned(),
    };
    way.iter().map(word).collect::<String>().trim_start_matches('.').to_owned()
}

fn at<'a>(value: &'a mut Value, way: &Way) -> &'a mut Value {
    way.iter().fold(value, |value, step| match step {
        Step::Field(name) => value.get_mut(name).expect("the way was just found"),
        Step::Item(i) => value.get_mut(i).expect("the way was just found"),
    })
}

/// Changes one byte of the value's text, or one character of a foreign script. `dice` chooses which.
fn change(value: &mut Value, dice: u64) {
    *value = match value {
        Value::Bool(yes) => Value::Bool(!*yes),
        Value::Number(number) => {
            let text = number.to_string();
            let places = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at);
            // The last of 17 digits may stand for nothing.
            let changed = places.rev().map(|place| Value::Number(with_digit(&text, place)));
            changed.into_iter().find(|changed| changed != value).expect("some digit counts")
        }
        Value::String(text) => {
            let mut chars: Vec<char> = text.chars().collect();
            if chars.is_empty() {
                chars.push('x');
            } else {
                let place = usize::try_from(dice % chars.len() as u64).expect("within the text");
                chars[place] = if chars[place] == 'q' { 'z' } else { 'q' };
            }
            Value::String(chars.into_iter().collect())
        }
        Value::Null | Value::Array(_) | Value::Object(_) => unreachable!("not a leaf"),
    };
}

fn with_digit(number: &str, place: usize) -> serde_json::Number {
    let mut text = number.as_bytes().to_vec();
    text[place] = if text[place] == b'9' { b'8' } else { text[place] + 1 };
    serde_json::from_slice(&text).expect("it still is a number")
}

/// A number that depends on these words alone.
fn dice(words: &[&str], number: usize) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes()).chain(number.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Whether a replay from before the changed record on finds it, and where. A record that cannot be read is found too.
fn is_found(before: &Replay, changed: Value, rest: &[StepRecord]) -> Option<u64> {
    let mut replay = before.clone();
    let seq = before.seen().steps + 1;
    let Ok(record) = serde_json::from_value::<StepRecord>(changed) else { return Some(seq) };
    std::iter::once(record).chain(rest.iter().cloned()).find(|record| !replay.take(record.clone()));
    replay.seen().difference.as_ref().map(|difference| difference.seq)
}

#[test]
fn one_changed_byte_in_any_field_that_matters_is_found() {
    // By kind of input and field: whether a change was ever found.
    let mut inputs: BTreeMap<(String, String), bool> = BTreeMap::new();
    for (name, world) in stories::all() {
        let mut replay = Replay::new(world.machine.task_id);
        for (i, record) in world.records.iter().enumerate() {
            let seq = i as u64 + 1;
            let line = serde_json::to_value(record).expect("a record has a JSON form");
            let kind = line["input"]["kind"].as_str().expect("an input names its kind").to_owned();
            let mut ways = Vec::new();
            leaves(&line, &Vec::new(), &mut ways);
            for way in ways {
                let field = pattern(&way);
                let mut changed = line.clone();
                change(at(&mut changed, &way), dice(&[name, &field], i));
                let found = is_found(&replay, changed, &world.records[i + 1..]);
                if field == "at" || field.starts_with("input.") {
                    assert!(found.is_none_or(|found| found >= seq), "{name}, step {seq}: {field}");
                    *inputs.entry((kind.clone(), field)).or_default() |= found.is_some();
                } else {
                    assert_eq!(found, Some(seq), "{name}, step {seq}: {field}");
                }
            }
            assert!(replay.take(record.clone()), "{name}: {:?}", replay.seen().difference);
        }
    }
    let kinds: BTreeSet<&str> = inputs.keys().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds.len(), KINDS, "a kind of input has no story: {kinds:?}");
    let never = |(key, found): (&(String, String), &bool)| (!found).then(|| key.clone());
    let unnoticed: BTreeSet<(String, String)> = inputs.iter().filter_map(never).collect();
    let no_trace = NO_TRACE.iter().map(|(kind, field, _)| ((*kind).to_owned(), (*field).to_owned()));
    assert_eq!(unnoticed, no_trace.collect());
}
