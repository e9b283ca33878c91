//! The JSON form of messages: field names as in the protocol files, times as RFC 3339, numbers as numbers.

use std::sync::OnceLock;

use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, SerializeOptions};
use serde_json::{Map, Value};

use crate::FILE_DESCRIPTOR_SET;
use crate::v1::Event;

/// Fields of an event that some payload also has with another meaning. The payload's is printed as `<type>_<field>`.
const TAKEN: [&str; 3] = ["sequence", "from", "to"];

/// Any message of `artoo.v1` as JSON.
///
/// Empty lists and zeros are printed, optional fields that are absent are not. The figures of a loss carry their symbols
/// `D`, `P`, `Omega` and `L`.
pub fn to_json<M: Message + Name>(message: &M) -> Value {
    let Some(descriptor) = pool().get_message_by_name(&M::full_name()) else {
        return Value::Null;
    };
    let Ok(message) = DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice()) else {
        return Value::Null;
    };
    let options = SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false)
        .skip_default_fields(false);
    let mut value =
        message.serialize_with_options(serde_json::value::Serializer, &options).unwrap_or(Value::Null);
    name_figures(&mut value);
    value
}

/// An event as one flat object: `type` is the payload's name, the event's fields follow, then the payload's.
///
/// A payload's `task_id` and `round` are the event's. Where a payload has a field of its own called `sequence`, `from`
/// or `to`, it is printed as `<type>_<field>`. An event without a payload that this build knows has the type `unknown`.
pub fn event_to_json(event: &Event) -> Value {
    let Value::Object(mut fields) = to_json(event) else {
        return Value::Null;
    };
    let kind = event_kind(event);
    let payload = fields.remove(kind);
    let mut flat = Map::new();
    flat.insert("type".to_owned(), Value::from(kind));
    flat.append(&mut fields);
    if let Some(Value::Object(payload)) = payload {
        for (name, value) in payload {
            if TAKEN.contains(&name.as_str()) {
                flat.insert(format!("{kind}_{name}"), value);
            } else {
                flat.entry(name).or_insert(value);
            }
        }
    }
    Value::Object(flat)
}

/// The name of an event's payload, for example `task_spec`; `unknown` when it has none that this build knows.
pub fn event_kind(event: &Event) -> &'static str {
    event.payload.as_ref().map_or("unknown", payload_name)
}

include!(concat!(env!("OUT_DIR"), "/payload_name.rs"));

/// A `google.protobuf.Value` as JSON. Numbers without a fraction become integers; an absent kind is null.
pub fn value_to_json(value: &prost_types::Value) -> Value {
    use prost_types::value::Kind;
    match &value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(flag)) => Value::Bool(*flag),
        Some(Kind::StringValue(text)) => Value::String(text.clone()),
        Some(Kind::NumberValue(number)) => number_to_json(*number),
        Some(Kind::ListValue(list)) => list.values.iter().map(value_to_json).collect(),
        Some(Kind::StructValue(fields)) => {
            fields.fields.iter().map(|(name, value)| (name.clone(), value_to_json(value))).collect()
        }
    }
}

/// JSON as a `google.protobuf.Value`. Numbers become doubles: integers beyond 2^53 lose their last digits.
pub fn json_to_value(json: &Value) -> prost_types::Value {
    use prost_types::value::Kind;
    let kind = match json {
        Value::Null => Kind::NullValue(0),
        Value::Bool(flag) => Kind::BoolValue(*flag),
        Value::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        Value::String(text) => Kind::StringValue(text.clone()),
        Value::Array(items) => {
            Kind::ListValue(prost_types::ListValue { values: items.iter().map(json_to_value).collect() })
        }
        Value::Object(fields) => Kind::StructValue(prost_types::Struct {
            fields: fields.iter().map(|(name, value)| (name.clone(), json_to_value(value))).collect(),
        }),
    };
    prost_types::Value { kind: Some(kind) }
}

/// The largest magnitude up to which every integer is a double of its own.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

fn number_to_json(number: f64) -> Value {
    #[allow(clippy::cast_possible_truncation, reason = "it has no fraction and is within the exact integers")]
    if number.fract() == 0.0 && number.abs() <= EXACT_INTEGERS {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

fn pool() -> &'static DescriptorPool {
    static POOL: OnceLock<DescriptorPool> = OnceLock::new();
    POOL.get_or_init(|| {
        DescriptorPool::decode(FILE_DESCRIPTOR_SET)
            .expect("the build script compiled this descriptor set from the protocol files")
    })
}

/// Gives the figures of every loss their symbols.
fn name_figures(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match (name.as_str(), value) {
                    ("loss", Value::Object(figures)) => rename_figures(figures),
                    // What tasks produce is theirs: it may hold a `loss` of its own.
                    ("output" | "merged_output" | "value", value) => restore_integers(value),
                    (_, value) => name_figures(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(name_figures),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Writes numbers of a `google.protobuf.Value`, which are doubles, as integers where they have no fraction.
fn restore_integers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(double) = number.as_f64() {
                *value = number_to_json(double);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(restore_integers),
        Value::Object(fields) => fields.values_mut().for_each(restore_integers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn rename_figures(figures: &mut Map<String, Value>) {
    *figures = std::mem::take(figures)
        .into_iter()
        .map(|(name, value)| {
            let symbol = match name.as_str() {
                "d" => "D".to_owned(),
                "p" => "P".to_owned(),
                "omega" => "Omega".to_owned(),
                "l" => "L".to_owned(),
                _ => name,
            };
            (symbol, value)
        })
        .collect();
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{event_to_json, json_to_value, to_json, value_to_json};
    use crate::v1::event::Payload;
    use crate::v1::{Event, FinalResult, Lagged, Loss, SubTask, Task, TrajectoryPoint};

    fn event(payload: Option<Payload>) -> Event {
        Event {
            sequence: 7,
            task_id: "t".to_owned(),
            time: Some(prost_types::Timestamp { seconds: 1_700_000_000, nanos: 5_000_000 }),
            from: "R7".to_owned(),
            to: "user".to_owned(),
            round: 1,
            event_id: "e".to_owned(),
            refused: false,
            payload,
        }
    }

    /// The flat form of an event with this payload has these fields.
    fn check(payload: Payload, expected: &[(&str, Value)]) {
        let flat = event_to_json(&event(Some(payload)));
        for (name, value) in expected {
            assert_eq!(&flat[*name], value, "{name} of {flat:#}");
        }
    }

    #[test]
    fn a_final_result_is_flat_and_its_figures_carry_their_symbols() {
        let loss = Loss { d: 0.5, p: 0.0, omega: 0.25, l: 0.4 };
        let symbols = json!({"D": 0.5, "P": 0.0, "Omega": 0.25, "L": 0.4});
        let result = FinalResult {
            task_id: "t".to_owned(),
            directive: "abandon".to_owned(),
            reason: "refused".to_owned(),
            loss: Some(loss),
            trajectory: vec![TrajectoryPoint {
                loss: Some(loss),
                directive: "refine".to_owned(),
                ..Default::default()
            }],
            output: Some(json_to_value(&json!({"loss": {"d": 3}, "rows": [1, 2.5]}))),
            ..Default::default()
        };
        check(
            Payload::FinalResult(result),
            &[
                ("type", json!("final_result")),
                ("sequence", json!(7)),
                ("time", json!("2023-11-14T22:13:20.005Z")),
                ("directive", json!("abandon")),
                ("reason", json!("refused")),
                ("unmet", json!([])),
                ("loss", symbols.clone()),
                ("output", json!({"loss": {"d": 3}, "rows": [1, 2.5]})),
            ],
        );
        let flat = event_to_json(&event(Some(Payload::FinalResult(FinalResult {
            trajectory: vec![TrajectoryPoint { loss: Some(loss), ..Default::default() }],
            ..Default::default()
        }))));
        assert_eq!(flat["trajectory"][0]["loss"], symbols);
    }

    #[test]
    fn fields_of_the_payload_do_not_overwrite_those_of_the_event() {
        let step = SubTask { sequence: 2, round: 1, intent: "look".to_owned(), ..Default::default() };
        check(
            Payload::SubTask(step),
            &[
                ("sequence", json!(7)),
                ("sub_task_sequence", json!(2)),
                ("round", json!(1)),
                ("intent", json!("look")),
            ],
        );
        check(
            Payload::Lagged(Lagged { from: 3, to: 9 }),
            &[
                ("from", json!("R7")),
                ("to", json!("user")),
                ("lagged_from", json!(3)),
                ("lagged_to", json!(9)),
            ],
        );
    }

    #[test]
    fn an_event_of_a_newer_daemon_is_still_printed() {
        assert_eq!(event_to_json(&event(None))["type"], "unknown");
        assert_eq!(event_to_json(&event(None))["sequence"], 7);
    }

    #[test]
    fn values_survive_the_way_there_and_back() {
        for value in [
            json!(null),
            json!(true),
            json!("é"),
            json!(3),
            json!(-2.5),
            json!([1, "x", {"a": [null]}]),
            json!({"n": {"m": 9_007_199_254_740_992_i64}}),
        ] {
            assert_eq!(value_to_json(&json_to_value(&value)), value);
        }
    }

    #[test]
    fn a_message_has_the_field_names_of_the_protocol() {
        assert_eq!(to_json(&Task { slug: "s".to_owned(), ..Default::default() })["slug"], "s");
    }
}
