//! Every task that a test has run is folded again when the test is over: whatever happened to it, the journal must lead
//! to the same decisions.

use std::path::Path;

use artoo_journal::{read, task_ids, task_path};
use artoo_task::replay::Replay;
use artoo_types::TaskId;

/// Folds every journal of a data folder again. Panics at the first difference, and at a damaged line. A torn tail is
/// what a power cut leaves, and none.
pub(crate) fn check(data: &Path) {
    let journals = data.join("tasks");
    if !journals.is_dir() {
        return;
    }
    let ids = task_ids(&journals).unwrap_or_else(|error| panic!("{error}"));
    ids.into_iter().for_each(|id| check_task(&journals, id));
}

fn check_task(journals: &Path, id: TaskId) {
    let path = task_path(journals, id);
    let damaged = |error| -> ! {
        panic!("{error} (a test that damages journals says so with Home::journals_are_damaged)")
    };
    let mut reader = read(&path, 0).unwrap_or_else(|error| damaged(error));
    let mut replay = Replay::new(id);
    while let Some(record) = reader.next_record().unwrap_or_else(|error| damaged(error)) {
        let input = format!("{:.1000}", format!("{:?}", record.input));
        if !replay.take(record) {
            panic!("task {id} folds differently: {:#?}\nafter the input {input}", replay.seen().difference);
        }
    }
}
