//! Rows that do not end as they have to, each with the reason. The list only shrinks: a row that ends well and stands
//! here fails the test.

use std::collections::BTreeMap;

/// Names of rows, and what is missing.
pub(crate) const KNOWN_OPEN: &[(&str, &str)] = &[];

/// Nothing is wrong: cured failures are forgotten, and wrong ways bind in their state alone.
pub(crate) fn check_none(all_wrong: &BTreeMap<&str, Vec<String>>) {
    let wrong = all_wrong.iter().filter(|(_, wrong)| !wrong.is_empty());
    let wrong: Vec<String> = wrong.map(|(name, wrong)| format!("{name}: {}", wrong.join("; "))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
