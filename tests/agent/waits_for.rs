//! Rows that do not end as they have to, each with what is missing. The list only shrinks: where all rows are run, one
//! that ends well and stands here fails the test.

const RENAME: &str = "renaming what stands in files is taken for moving a file";
const MOVE: &str = "a call that would have moved a file and changed nothing bears out that it was moved";
const SECOND_PLAN: &str = "a judge of the second plan does not read what was done under the first one";
const COMMIT: &str = "nobody looks whether a commit was made";

/// Names of rows, and what is missing.
pub(crate) const WAITS_FOR: &[(&str, &str)] = &[
    ("a function renamed in nine files", RENAME),
    ("the tests changed until they pass", SECOND_PLAN),
    ("a file renamed that is not there", MOVE),
    ("a commit that was never made", COMMIT),
];
