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
