use artoo_types::plan::SubTask;
use artoo_types::reply::PlannedStep;
use serde_json::{Value, json};

use super::{lineage, succeeds};
use crate::testing::subtask;

#[test]
fn at_least_half_of_the_words_make_a_successor() {
    for (intent, failed, expected) in [
        ("find the notes", "find the notes", true),
        ("Find the NOTES!", "find the notes", true),
        ("find my notes", "find the notes", true),
        ("find notes", "find the old notes", true),
        ("find my mails", "find the notes", false),
        ("count words", "find the notes", false),
        ("", "find the notes", false),
        ("列出下载文件", "列出下载的文件", true),
        ("删除旧的照片", "列出下载文件", false),
    ] {
        assert_eq!(succeeds(intent, failed, false), expected, "{intent} after {failed}");
        assert_eq!(succeeds(failed, intent, false), expected, "the relation is symmetric");
        assert!(succeeds(intent, failed, true), "the only step succeeds whatever failed");
    }
}

fn old(n: u32, intent: &str) -> SubTask {
    SubTask { intent: intent.to_owned(), ..subtask(n, n) }
}

fn step(intent: &str, more: &Value) -> PlannedStep {
    let mut step = json!({"sequence": 1, "intent": intent, "success_criteria": ["it is done"]});
    for (key, value) in more.as_object().into_iter().flatten() {
        step[key.as_str()] = value.clone();
    }
    serde_json::from_value(step).unwrap()
}

/// The numbers of the earlier steps that these succeed; 0 for none.
fn ancestors(steps: &[PlannedStep], open: &[SubTask], matched: &[SubTask]) -> Vec<u32> {
    let (open, matched): (Vec<&SubTask>, Vec<&SubTask>) = (open.iter().collect(), matched.iter().collect());
    let number = |id| open.iter().find(|old| Some(old.subtask_id) == id).map_or(0, |old| old.ordinal);
    lineage(steps, &open, &matched).into_iter().map(number).collect()
}

fn none() -> Value {
    json!({})
}

#[test]
fn the_nearest_open_step_is_the_ancestor() {
    let open = [old(1, "count the lines of a.csv"), old(2, "count the lines of b.csv")];
    let steps = [step("count the lines of b.csv again", &none()), step("count the lines in a.csv", &none())];
    assert_eq!(ancestors(&steps, &open, &[]), [2, 1]);
    // A step may be split.
    let split = [step("count the lines of a.csv", &none()), step("count the lines of a.csv twice", &none())];
    assert_eq!(ancestors(&split, &open[..1], &[]), [1, 1]);
}

#[test]
fn what_matched_leaves_its_blocks_behind() {
    // The step that comes alone is the sibling of one that matched, not its successor.
    let matched = [old(1, "count the lines of a.csv")];
    let open = [old(2, "count the lines of b.csv")];
    assert_eq!(ancestors(&[step("count the lines of b.csv", &none())], &open, &matched), [2]);
    assert_eq!(ancestors(&[step("count the lines of a.csv", &none())], &open, &matched), [0]);
    let redo = json!({"supersedes": ["s1"]});
    assert_eq!(ancestors(&[step("count the lines of b.csv", &redo)], &open, &matched), [0]);
}

#[test]
fn what_the_model_says_counts_before_words() {
    let open = [old(1, "list the files"), old(2, "sum the sizes")];
    let by_id = json!({"replaces": open[1].subtask_id.to_string()});
    assert_eq!(ancestors(&[step("list the files", &by_id)], &open, &[]), [2]);
    assert_eq!(ancestors(&[step("list the files", &json!({"replaces": 2}))], &open, &[]), [2]);
    for nonsense in [json!({"replaces": "nobody"}), json!({"replaces": {"a": 1}}), json!({"replaces": null})]
    {
        assert_eq!(ancestors(&[step("list the files", &nonsense)], &open, &[]), [1], "{nonsense}");
    }
}

#[test]
fn the_one_open_step_that_is_left_is_succeeded_by_what_succeeds_nothing() {
    let open = [old(1, "list the files"), old(2, "sum the sizes")];
    let steps = [step("list the files", &none()), step("du over the folder", &none())];
    assert_eq!(ancestors(&steps, &open, &[]), [1, 2]);
    assert_eq!(ancestors(&steps[1..], &open[..1], &[]), [1], "a plan of one step after a plan of one step");
    assert_eq!(ancestors(&steps[1..], &open, &[]), [0], "which of the two it is nobody can tell");
}
