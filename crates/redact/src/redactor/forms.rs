//! The spellings in which a known secret may come up: as it is, in JSON, in an address, in base64, in hexadecimal.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD as STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD};

/// Secrets up to this length are looked for in every spelling, longer ones only as they are and in JSON: what is longer
/// is a file and no key.
const MAX_SPELLED: usize = 4_096;
/// A line of a secret of several lines that is this long counts as a secret of its own.
const MIN_LINE: usize = 24;

/// Characters that stay as they are in an address, letters and digits aside: what RFC 3986 leaves unreserved, then what
/// the usual functions of Python, of JavaScript and for whole addresses leave in addition.
const UNESCAPED: [&[u8]; 4] = [b"-_.~", b"-_.~/", b"-_.~!'()*", b"-_.~!'()*;,/?:@&=+$#"];

/// Every spelling of `secret`, each once.
pub(super) fn spellings(secret: &str) -> BTreeSet<Vec<u8>> {
    let mut forms = BTreeSet::new();
    for part in parts(secret) {
        forms.insert(part.as_bytes().to_vec());
        for text in in_json(part) {
            forms.insert(text.into_bytes());
        }
        if part.len() > MAX_SPELLED {
            continue;
        }
        let bytes = part.as_bytes();
        for unescaped in UNESCAPED {
            forms.insert(in_address(bytes, unescaped, str::to_uppercase));
            forms.insert(in_address(bytes, unescaped, str::to_lowercase));
        }
        let in_form = in_address(bytes, b"-_.~ ", str::to_uppercase);
        forms.insert(in_form.into_iter().map(|b| if b == b' ' { b'+' } else { b }).collect());
        for shift in 0..3 {
            forms.insert(in_base64(bytes, shift, &STANDARD_NO_PAD));
            forms.insert(in_base64(bytes, shift, &URL_SAFE_NO_PAD));
        }
        forms.insert(hex::encode(bytes).into_bytes());
        forms.insert(hex::encode_upper(bytes).into_bytes());
    }
    forms
}

/// The secret, and its long lines when it has several: half of a key file is secret too.
fn parts(secret: &str) -> Vec<&str> {
    let mut parts = vec![secret];
    if secret.contains('\n') {
        let long = |line: &&str| line.len() >= MIN_LINE && !line.contains([' ', '\t', '-']);
        parts.extend(secret.lines().map(str::trim).filter(long));
    }
    parts
}

/// The text of a JSON string that holds the secret: with what must be escaped, with slashes escaped too, and with
/// everything that is not ASCII escaped.
fn in_json(secret: &str) -> [String; 3] {
    let quoted = serde_json::Value::from(secret).to_string();
    let plain = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(secret).to_owned();
    let slashes = plain.replace('/', "\\/");
    let mut ascii = String::new();
    for c in plain.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| ascii.push_str(&format!("\\u{unit:04x}")));
        }
    }
    [plain, slashes, ascii]
}

fn in_address(secret: &[u8], unescaped: &[u8], case: impl Fn(&str) -> String) -> Vec<u8> {
    let mut text = Vec::with_capacity(secret.len());
    for byte in secret {
        if byte.is_ascii_alphanumeric() || unescaped.contains(byte) {
            text.push(*byte);
        } else {
            text.extend(case(&format!("%{byte:02x}")).into_bytes());
        }
    }
    text
}

/// The characters of base64 that the secret alone decides, when `shift` other bytes stand before it in a group of three.
/// Each character holds six bits: those that hold a bit of what stands before or behind are left out.
fn in_base64(secret: &[u8], shift: usize, engine: &impl Engine) -> Vec<u8> {
    let bytes: Vec<u8> = std::iter::repeat_n(0, shift).chain(secret.iter().copied()).collect();
    let (first, last) = ((shift * 8).div_ceil(6), bytes.len() * 8 / 6);
    engine.encode(&bytes).into_bytes().get(first..last).unwrap_or_default().to_vec()
}
