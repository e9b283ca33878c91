use serde_json::{Value, json};

use super::{Earlier, RecentBytes, Repeats, expand};

/// Lines that were written one after the other.
#[derive(Default)]
struct Written {
    repeats: Repeats,
    bytes: Vec<u8>,
}

impl Written {
    /// Writes the object; the line, and whether it refers to anything.
    fn write(&mut self, object: &str) -> (String, bool) {
        let at = self.bytes.len() as u64;
        let short = self.repeats.shorten(object, at);
        let line = short.clone().unwrap_or_else(|| object.to_owned());
        let mut bytes = line.clone().into_bytes();
        bytes.push(b'\n');
        self.repeats.wrote(at, &bytes);
        self.bytes.extend(&bytes);
        (line, short.is_some())
    }

    /// The line at byte `at` with everything in its place.
    fn read(&self, line: &str, at: u64) -> Option<String> {
        let (open, _) = line.split_once(",\"whole\":\"").expect("it has references");
        let mut earlier = RecentBytes::default();
        earlier.push(0, &self.bytes);
        expand(open, at, &earlier).map(|open| open + "}")
    }
}

fn long(word: &str) -> String {
    format!("{word}: \"größer\\ 答案\" {}", "x".repeat(40))
}

#[test]
fn what_stands_there_already_is_referred_to_and_reads_back() {
    let mut written = Written::default();
    let receipt = json!({"tool": "shell", "output": long("out"), "classes": ["read"]});
    let first = json!({"seq": 1, "input": {"receipt": receipt, "note": long("note")}}).to_string();
    assert_eq!(written.write(&first), (first.clone(), false));
    let at = written.bytes.len() as u64;
    let second =
        json!({"seq": 2, "envelopes": [{"receipts": [receipt, {"output": long("out")}]}]}).to_string();
    let (line, is_short) = written.write(&second);
    assert!(is_short && line.matches("{\"@\":[").count() == 2, "{line}");
    assert!(line.len() < second.len() - 60, "{line}");
    assert_eq!(written.read(&line, at).as_deref(), Some(second.as_str()));
    // A value that holds references is one that can be referred to.
    let third =
        json!({"seq": 3, "envelopes": [{"receipts": [receipt, {"output": long("out")}]}]}).to_string();
    let at = written.bytes.len() as u64;
    let (line, _) = written.write(&third);
    assert_eq!(line.matches("{\"@\":[").count(), 1, "{line}");
    assert_eq!(written.read(&line, at).as_deref(), Some(third.as_str()));
}

#[test]
fn a_line_refers_to_its_own_beginning() {
    let mut written = Written::default();
    let object = json!({"input": {"text": long("a")}, "envelopes": [{"text": long("a")}]}).to_string();
    let (line, is_short) = written.write(&object);
    assert!(is_short);
    assert_eq!(written.read(&line, 0).as_deref(), Some(object.as_str()));
}

/// The fields that a person looks for stand where they are looked for.
#[test]
fn the_own_fields_of_a_record_are_written_in_full() {
    let mut written = Written::default();
    let input = json!({"kind": long("a")});
    for seq in 1..=2 {
        let (line, _) =
            written.write(&json!({"seq": seq, "input": input, "effects": [long("b")]}).to_string());
        assert!(line.contains("\"input\":{\"kind\":") && line.contains("\"effects\":["), "{line}");
    }
}

/// Somebody's words are never taken for a reference.
#[test]
fn a_record_that_looks_like_a_reference_is_written_as_it_is() {
    let mut written = Written::default();
    written.write(&json!({"input": {"text": long("a")}}).to_string());
    let object = json!({"input": {"@": [0, 9]}, "envelopes": [{"text": long("a")}]}).to_string();
    assert_eq!(written.write(&object), (object, false));
    let quoted = json!({"input": {"text": "{\"@\":[0,9]}"}, "envelopes": [{"text": long("a")}]}).to_string();
    let at = written.bytes.len() as u64;
    let (line, is_short) = written.write(&quoted);
    assert!(is_short, "within a text it is none");
    assert_eq!(written.read(&line, at).as_deref(), Some(quoted.as_str()));
}

#[test]
fn nothing_refers_to_a_line_that_was_not_written() {
    let mut repeats = Repeats::default();
    let object = json!({"input": {"text": long("a")}}).to_string();
    assert_eq!(repeats.shorten(&object, 0), None);
    repeats.failed();
    assert_eq!(repeats.shorten(&object, 0), None);
}

#[test]
fn a_reference_that_leads_nowhere_is_none() {
    let mut earlier = RecentBytes::default();
    earlier.push(0, b"{\"a\":{\"@\":[0,5]}}\n");
    for line in [
        "{\"a\":{\"@\":[40,5]}",
        "{\"a\":{\"@\":[0,0]}",
        "{\"a\":{\"@\":[18446744073709551615,5]}",
        "{\"a\":{\"@\":[0,18446744073709551615]}",
        "{\"a\":{\"@\":[5]}",
        "{\"a\":{\"@\":[0,5",
        // Itself, and what follows it.
        "{\"a\":{\"@\":[18,12]}",
    ] {
        assert_eq!(expand(line, 18, &earlier), None, "{line}");
    }
    assert_eq!(expand("{\"a\":{\"@\":[0,5]}", 18, &earlier).as_deref(), Some("{\"a\":{\"a\":"));
}

/// Each line of a forged journal holds the one before it twice: 2^64 bytes in 64 short lines.
#[test]
fn what_grows_without_bound_is_none() {
    struct Doubling;
    impl Earlier for Doubling {
        fn bytes(&self, offset: u64, _: usize) -> Option<std::borrow::Cow<'_, [u8]>> {
            let before = offset / 100 * 100;
            let text = if before == 0 {
                "x".repeat(1 << 20)
            } else {
                format!("{{\"@\":[{},9]}}{{\"@\":[{},9]}}", before - 100, before - 100)
            };
            Some(text.into_bytes().into())
        }
    }
    assert_eq!(expand("{\"@\":[6400,9]}", 7000, &Doubling), None);
}

#[test]
fn what_is_far_back_is_written_again() {
    let mut written = Written::default();
    let object = json!({"input": {"text": long("a")}}).to_string();
    written.write(&object);
    for n in 0..24 {
        written.write(&json!({"input": {"text": format!("{n}{}", "y".repeat(50_000))}}).to_string());
    }
    assert_eq!(written.write(&object), (object, false));
    assert!(written.repeats.recent.bytes.len() <= 2 * super::KEPT_BYTES);
}

/// Random records out of few words, so that much repeats: each reads back as it was given.
#[test]
fn random_records_read_back() {
    let mut state = 7_u64;
    let mut dice = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    fn value(dice: &mut impl FnMut(u64) -> u64, depth: u32) -> Value {
        match dice(if depth > 4 { 3 } else { 5 }) {
            0 => json!(dice(4)),
            1 => {
                json!(["short", "{\"@\":[1,2]}", "\\\"", "größer"][usize::try_from(dice(4)).expect("small")])
            }
            2 => json!(long(&dice(5).to_string())),
            3 => (0..dice(4)).map(|_| value(dice, depth + 1)).collect(),
            _ => (0..dice(4))
                .map(|i| (format!("field {i}"), value(dice, depth + 1)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
    let (mut written, mut short) = (Written::default(), 0);
    for seq in 0..400 {
        let at = written.bytes.len() as u64;
        let object =
            json!({"seq": seq, "input": value(&mut dice, 0), "effects": value(&mut dice, 0)}).to_string();
        let (line, is_short) = written.write(&object);
        if is_short {
            short += 1;
            assert_eq!(written.read(&line, at), Some(object));
        } else {
            assert_eq!(line, object);
        }
    }
    assert!(short > 90, "{short}");
}
