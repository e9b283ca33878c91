//! Rows that do not end as they have to, each with what is missing. The list only shrinks: where all rows are run, one
//! that ends well and stands here fails the test.

const BOX: &str = "what is not known to be harmless runs unasked in a box, in a project";

/// Names of rows, and what is missing.
pub(crate) const WAITS_FOR: &[(&str, &str)] = &[];
