//! Which values the text of a JSON object has, found without reading them.

/// A text, list or object in the text of a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The same for values that are spelled the same.
    pub(super) hash: u64,
    /// Where in the list the first value is that is not within this one.
    pub(super) next: usize,
    /// False for the object itself and the values of its own fields, which stay where a person looks for them.
    pub(super) may_be_referred_to: bool,
}

/// A list or object whose end is not reached yet.
struct OpenValue {
    index: usize,
    hash: u64,
}

/// Fields of the object itself are at this depth.
const OWN_FIELDS: usize = 1;

/// Every value of at least `min` bytes in the text of a JSON object without spaces, in the order of their beginnings; what is
/// within another one follows it. Names of fields are none.
pub(super) fn values(json: &[u8], min: usize) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::with_capacity(json.len() / (2 * min) + 16);
    let mut open: Vec<OpenValue> = Vec::with_capacity(16);
    let mut at = 0;
    while let Some(byte) = json.get(at) {
        let start = at;
        let hash = match byte {
            b'"' => {
                at = string_end(json, start);
                let hash = hash_of(&json[start..at]);
                let is_name = json.get(at) == Some(&b':');
                if !is_name && at - start >= min && open.len() > OWN_FIELDS {
                    let next = found.len() + 1;
                    found.push(Value { start, end: at, hash, next, may_be_referred_to: true });
                }
                hash
            }
            b'{' | b'[' => {
                at += 1;
                open.push(OpenValue { index: found.len(), hash: u64::from(*byte) });
                found.push(Value { start, end: at, hash: 0, next: 0, may_be_referred_to: false });
                continue;
            }
            b'}' | b']' => {
                at += 1;
                let Some(OpenValue { index, hash }) = open.pop() else { continue };
                let next = found.len();
                let value = &mut found[index];
                (value.end, value.hash, value.next) = (at, hash, next);
                value.may_be_referred_to = open.len() > OWN_FIELDS;
                if at - value.start < min {
                    // What is within it is shorter still.
                    found.truncate(index);
                }
                hash
            }
            _ => {
                let is_structure = |byte: &u8| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']');
                at += json[start..].iter().position(is_structure).unwrap_or(json.len() - start);
                hash_of(&json[start..at])
            }
        };
        if let Some(around) = open.last_mut() {
            around.hash = mixed(around.hash, hash);
        }
    }
    found
}

/// Where the string that begins at `start` has ended.
fn string_end(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        while let Some(word) = json.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            if holds_any(u64::from_le_bytes(*word), [b'"', b'\\']) {
                break;
            }
            at += 8;
        }
        match json.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return json.len(),
        }
    }
}

/// Whether one of the eight bytes is one of these two (Mycroft's test for a zero byte).
fn holds_any(word: u64, bytes: [u8; 2]) -> bool {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([128; 8]);
    let has_zero = |word: u64| word.wrapping_sub(LOW) & !word & HIGH != 0;
    bytes.into_iter().any(|byte| has_zero(word ^ (LOW * u64::from(byte))))
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads well enough that two values seldom meet; the writer compares what it wrote.
fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(26) ^ word).wrapping_mul(ODD)
}

fn hash_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mixed(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mixed(hash, u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::{string_end, values};

    #[test]
    fn strings_end_where_they_are_closed() {
        for length in 0..40 {
            for inner in ["", "\\\"", "\\\\", "größer 答案"] {
                let text = format!("\"{}{inner}{}\"", "x".repeat(length), "y".repeat(length % 9));
                let json = format!("{text},\"more\"");
                assert_eq!(string_end(json.as_bytes(), 0), text.len(), "{json}");
            }
        }
        assert_eq!(string_end(br#""open"#, 0), 5);
    }

    #[test]
    fn values_that_are_spelled_the_same_have_one_hash() {
        let json = r#"{"a":{"x":[1,{"k":"some text"}],"y":[1,{"k":"some text"}],"z":[1,{"k":"some texT"}],"w":[1,{"j":"some text"}]}}"#;
        let lists: Vec<u64> = values(json.as_bytes(), 8)
            .iter()
            .filter(|v| json.as_bytes()[v.start] == b'[')
            .map(|v| v.hash)
            .collect();
        assert_eq!(lists.len(), 4);
        assert_eq!(lists[0], lists[1]);
        assert!(lists[2] != lists[0] && lists[3] != lists[0] && lists[2] != lists[3]);
    }
}
