//! Rows that do not end as they have to, each with what is missing. The list only shrinks: where all rows are run, one
//! that ends well and stands here fails the test.

const RENAME: &str = "renaming what stands in files is taken for moving a file";
const ABSENT: &str = "the words by which a search says that it found nothing are taken for a find";
const READER: &str = "a request that stands alone is read by R1 all the same, which is one call more";

/// Names of rows, and what is missing.
pub(crate) const WAITS_FOR: &[(&str, &str)] = &[
    ("a function renamed in nine files", RENAME),
    ("a question whose premise is wrong", ABSENT),
    ("a filter that drops a zero", READER),
    ("a sum by region, in Chinese", READER),
    ("a fact looked up, in Chinese", READER),
];
