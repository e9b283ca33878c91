//! Sizes and ages as people write them.

use artoo_types::tool::CallRefusal;
use serde_json::Value;

/// Units of size. Decimal with a B, binary with iB, and single letters as `du` and `find` read them.
const SIZES: &[(&str, u64)] = &[
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("kb", 1_000),
    ("kib", 1 << 10),
    ("m", 1 << 20),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1 << 30),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("t", 1 << 40),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
];

/// Units of age, in milliseconds. A bare number counts days; months have 30 days.
const AGES: &[(&str, u64)] = &[
    ("", 86_400_000),
    ("s", 1_000),
    ("min", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
    ("day", 86_400_000),
    ("days", 86_400_000),
    ("w", 604_800_000),
    ("week", 604_800_000),
    ("weeks", 604_800_000),
    ("mo", 2_592_000_000),
    ("month", 2_592_000_000),
    ("months", 2_592_000_000),
    ("y", 31_536_000_000),
    ("year", 31_536_000_000),
    ("years", 31_536_000_000),
];

/// A size in bytes.
pub(crate) fn bytes(value: &Value) -> Result<u64, CallRefusal> {
    amount(value, SIZES)
        .ok_or_else(|| CallRefusal(format!("{value} is not a size; write bytes or for example \"20MB\"")))
}

/// An age in milliseconds.
pub(crate) fn age_ms(value: &Value) -> Result<u64, CallRefusal> {
    amount(value, AGES)
        .ok_or_else(|| CallRefusal(format!("{value} is not an age; write for example \"7d\" or \"12h\"")))
}

fn amount(value: &Value, units: &[(&str, u64)]) -> Option<u64> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_lowercase(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().ok()?;
    let factor = units.iter().find(|(name, _)| *name == unit.trim())?.1;
    // Both are finite and not negative, and a cast saturates: an absurd size becomes the largest one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let product = (number * factor as f64) as u64;
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::{age_ms, bytes};
    use serde_json::json;

    #[test]
    fn sizes_are_decimal_with_b_and_binary_without() {
        let cases = [
            (json!(12), Some(12)),
            (json!("20MB"), Some(20_000_000)),
            (json!("1.5 GB"), Some(1_500_000_000)),
            (json!("2MiB"), Some(2 << 20)),
            (json!("4k"), Some(4096)),
            (json!("many"), None),
            (json!(-1), None),
            (json!(null), None),
        ];
        for (value, expected) in cases {
            assert_eq!(bytes(&value).ok(), expected, "{value}");
        }
    }

    #[test]
    fn a_bare_number_is_an_age_in_days() {
        assert_eq!(age_ms(&json!("7d")), Ok(7 * 86_400_000));
        assert_eq!(age_ms(&json!(2)), Ok(2 * 86_400_000));
        assert_eq!(age_ms(&json!("12h")), Ok(12 * 3_600_000));
        assert!(age_ms(&json!("yesterday")).is_err());
    }
}
