use artoo_types::TaskId;
use uuid::Uuid;

use super::{JournalCursor, MAX_DONE};

fn task(n: usize) -> TaskId {
    TaskId(Uuid::from_u128(n as u128))
}

#[test]
fn a_task_counts_as_read_once_it_is_closed_whatever_came_after_it() {
    let mut cursor = JournalCursor::default();
    cursor.advance(task(5), 100);
    cursor.close(task(9));
    assert!(cursor.has_read(task(9)));
    for unread in [4, 5, 10] {
        assert!(!cursor.has_read(task(unread)), "{unread}");
    }
    assert_eq!((cursor.offset(task(5)), cursor.offset(task(4))), (100, 0));
    cursor.close(task(5));
    assert!(cursor.has_read(task(5)) && !cursor.has_read(task(4)));
}

#[test]
fn what_is_remembered_is_bounded_and_an_open_task_stays_open() {
    let mut cursor = JournalCursor::default();
    cursor.advance(task(1), 7);
    for n in 2..4 * MAX_DONE {
        cursor.close(task(n));
        assert!(cursor.done.len() <= MAX_DONE, "{n}");
    }
    assert!((2..4 * MAX_DONE).all(|n| cursor.has_read(task(n))));
    assert!(!cursor.has_read(task(1)) && !cursor.has_read(task(4 * MAX_DONE)));
    assert_eq!(cursor.open_tasks().collect::<Vec<_>>(), [task(1)]);
    cursor.close(task(1));
    assert!(cursor.has_read(task(1)));
}
