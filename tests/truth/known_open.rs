//! Rows that do not end as they have to, each with the reason. The list only shrinks: a row that ends well and stands
//! here fails the test.

use std::collections::BTreeMap;

use crate::is_full;

const BEFORE: &str = "what was so before is not told from what was done";
const VACUOUS: &str = "a criterion that says nothing is taken for one";
const CITED: &str = "any receipt carries any verdict";
const SCOPE: &str = "nobody holds the plan against the request";
const ANSWER: &str = "nobody holds the answer against the receipts";

/// Names of rows, and what is missing.
pub(crate) const KNOWN_OPEN: &[(&str, &str)] = &[
    ("a commit that was there before", BEFORE),
    ("nothing but preconditions", BEFORE),
    ("already done, it says", BEFORE),
    ("the working folder exists", VACUOUS),
    ("at least no files match", VACUOUS),
    ("at least no lines", VACUOUS),
    ("any content will do", VACUOUS),
    ("its own words hold the answer", VACUOUS),
    ("its own words after an idle call", VACUOUS),
    ("its own JSON", VACUOUS),
    ("true ended well", VACUOUS),
    ("ls ended well", VACUOUS),
    ("some file was written", VACUOUS),
    ("the shell was called", VACUOUS),
    ("the receipt of true", CITED),
    ("the receipt of echo", CITED),
    ("a test report by printf", CITED),
    ("tests that pass by true", CITED),
    ("an answer that echo made", CITED),
    ("an idle call that names the file", CITED),
    ("the receipt of false", CITED),
    ("a copy that failed", CITED),
    ("a search that broke down", CITED),
    ("a file that could not be read", CITED),
    ("an edit that failed", CITED),
    ("a receipt inside an output", CITED),
    ("an earlier step that is taken for the whole", CITED),
    ("a file whose name differs by one letter", CITED),
    ("a file of another folder", CITED),
    ("a listing for a deletion", CITED),
    ("a reading for an edit", CITED),
    ("a listing for rights", CITED),
    ("a status for a commit", CITED),
    ("a look at the network for a message", CITED),
    ("a listing for an undo", CITED),
    ("a dry run", CITED),
    ("one of two is deleted", SCOPE),
    ("copied and not moved", SCOPE),
    ("copied and not moved, with a check of one end", SCOPE),
    ("one of three is written", SCOPE),
    ("a backup of an empty folder", SCOPE),
    ("an empty file for a report", SCOPE),
    ("done at once", SCOPE),
    ("done at once, in Chinese", SCOPE),
    ("a number at once", SCOPE),
    ("a reminder at once", SCOPE),
    ("a fact that is called plausible", SCOPE),
    ("another number than the receipt's", ANSWER),
    ("one more than the receipt's", ANSWER),
    ("a date that nothing shows", ANSWER),
    ("a name that nothing shows", ANSWER),
    ("a number that nothing shows, in Chinese", ANSWER),
    ("a pattern that its own words meet", ANSWER),
    ("nothing found, where something was", ANSWER),
    ("the right count of the wrong folder", ANSWER),
    ("the right count of the wrong folder, unnamed", ANSWER),
    ("the content of another file", ANSWER),
    ("a page that nobody fetched", ANSWER),
    ("an invented merge", ANSWER),
    ("another number in the merge", ANSWER),
    ("a deed that only the merge knows", ANSWER),
    ("a whole step cited for what it did not do", ANSWER),
];

/// Cured failures that are not forgotten: one failed try bans the request.
pub(crate) const CURED_OPEN: &[&str] = &[
    "a file is missing",
    "a folder is missing",
    "a link is broken",
    "a link leads to itself",
    "a name is written otherwise",
    "a folder is in the file's place",
    "one of two files is missing",
    "the file of a checksum is missing",
    "a file is empty",
    "a column is missing",
    "a document is malformed",
    "a key is missing",
    "a text is in another encoding",
    "a table is missing",
    "it is no repository",
    "nothing is committed yet",
    "a program is not installed",
];

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
