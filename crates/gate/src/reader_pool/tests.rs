use std::sync::mpsc::channel;
use std::thread::ThreadId;
use std::time::Duration;

use super::{MAX_IDLE, MAX_LOST, READ_TIMEOUT, ReaderPool};

fn here() -> ThreadId {
    std::thread::current().id()
}

#[test]
fn a_reader_that_has_answered_takes_the_next() {
    let readers = ReaderPool::new();
    let first = readers.read(READ_TIMEOUT, here).expect("it answers");
    assert_ne!(first, here());
    for _ in 0..3 {
        assert_eq!(readers.read(READ_TIMEOUT, here), Some(first));
    }
}

#[test]
fn a_panic_is_no_answer_and_the_next_command_is_read() {
    let readers = ReaderPool::new();
    let first = readers.read(READ_TIMEOUT, here);
    assert_eq!(readers.read(READ_TIMEOUT, || panic!("a panic of this test")), None);
    let next = readers.read(READ_TIMEOUT, here);
    assert!(next.is_some() && next != first);
}

#[test]
fn the_stack_is_deep() {
    fn deep(levels: usize) -> usize {
        let here = std::hint::black_box([levels; 512]);
        if levels == 0 { here[0] } else { deep(levels - 1) + here[1] - levels }
    }
    // 4 MiB at least, where a usual thread has 2.
    assert_eq!(ReaderPool::new().read(READ_TIMEOUT, || deep(1 << 10)), Some(0));
}

/// A parser without end costs one reader; with too many of them nothing is read until one has found its end.
#[test]
fn one_that_finds_no_end_is_left_alone_and_so_are_not_many() {
    let readers = ReaderPool::new();
    let mut held = Vec::new();
    for _ in 0..MAX_LOST {
        let (release, wait) = channel::<()>();
        let lost = readers.read(Duration::from_millis(1), move || {
            let _ = wait.recv();
            here()
        });
        assert_eq!(lost, None);
        held.push(release);
    }
    assert_eq!(readers.read(READ_TIMEOUT, here), None);
    held.pop();
    while readers.lost() == MAX_LOST {
        std::thread::yield_now();
    }
    assert!(readers.read(READ_TIMEOUT, here).is_some());
}

#[test]
fn many_at_once_are_all_answered_and_few_wait_afterwards() {
    let readers = ReaderPool::new();
    let meeting = std::sync::Arc::new(std::sync::Barrier::new(3 * MAX_IDLE));
    std::thread::scope(|scope| {
        for number in 0..3 * MAX_IDLE {
            let (readers, meeting) = (&readers, meeting.clone());
            scope.spawn(move || {
                let answer = readers.read(READ_TIMEOUT, move || {
                    // Each waits for all others, so that they are at work at the same time.
                    meeting.wait();
                    number
                });
                assert_eq!(answer, Some(number));
            });
        }
    });
    assert_eq!(readers.idle.lock().len(), MAX_IDLE);
}
