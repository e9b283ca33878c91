//! Rows that do not end as they have to, each with the reason. The list only shrinks: a row that ends well and stands
//! here fails the test.

use std::collections::BTreeMap;

use crate::is_full;

const BEFORE: &str = "what was so before is not told from what was done";
const SCOPE: &str = "nobody holds the plan against the request";
const ANSWER: &str = "nobody holds the answer against the receipts";

/// Names of rows, and what is missing.
pub(crate) const KNOWN_OPEN: &[(&str, &str)] = &[
    ("already done, it says", BEFORE),
    ("copied and not moved", SCOPE),
    ("copied and not moved, with a check of one end", SCOPE),
    ("a backup of an empty folder", SCOPE),
    ("an empty file for a report", SCOPE),
    ("a name that nothing shows", ANSWER),
    ("nothing found, where something was", ANSWER),
    ("the right count of the wrong folder, unnamed", ANSWER),
];

/// Cured failures that are not forgotten, or whose request is not done even without one.
pub(crate) const CURED_OPEN: &[&str] =
    &["a file is where a folder has to be", "a link is broken", "a table is missing"];

/// Wrong ways that stay forbidden when the file has changed.
pub(crate) const WRONG_OPEN: &[&str] = &[
    "a pattern in other letters",
    "another separator",
    "a column that is none",
    "a header that is counted",
    "a title that is not first",
    "an end that is not last",
    "equal lines that are apart",
    "numbers sorted as words",
    "an ending in other letters",
    "an equals sign for a colon",
    "a line that is not there",
    "a key in another place",
    "a column too few",
    "comments with a space before them",
    "words over two lines",
    "a name in quotes",
    "tabs for spaces",
    "the size of something else",
    "dates the other way round",
    "a list on one line",
];

/// What is wrong, by name, is what is known to be. Only where everything was run is a name missed that is well again.
pub(crate) fn check_open(all_wrong: &BTreeMap<&str, Vec<String>>, known: &[&str]) {
    let is_known = |name: &str| known.contains(&name);
    let new = all_wrong.iter().filter(|(name, wrong)| !wrong.is_empty() && !is_known(name));
    let new: Vec<String> = new.map(|(name, wrong)| format!("{name}: {}", wrong.join("; "))).collect();
    assert!(new.is_empty(), "{}", new.join("\n"));
    let well = all_wrong.iter().filter(|(name, wrong)| wrong.is_empty() && is_known(name));
    let well: Vec<&&str> = well.map(|(name, _)| name).collect();
    assert!(!is_full() || well.is_empty(), "these are well now: take them out of the list: {well:?}");
    assert!(
        known.iter().all(|name| !is_full() || all_wrong.contains_key(name)),
        "the list names what is not there"
    );
}
