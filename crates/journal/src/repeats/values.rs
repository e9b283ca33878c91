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
    let (mut found, mut open): (Vec<Value>, Vec<OpenValue>) = (Vec::new(), Vec::new());
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
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
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
