//! The daemon dies in every append and before every sync of its journals, one after the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::kills::{check, check_audit};
use crate::person::{Day, follow};
use crate::story::{self, Kind, Story, play};
use crate::victim::Victim;
use artoo_testing::Home;
use artoo_testing::dice::setting;
use artoo_testing::model_server::ModelServer;

/// More boundaries than a story has.
const MOST: u64 = 200;

/// One story with a daemon that dies at this point. False when it came to its end before.
fn check_point(home: &Home, kind: Kind, number: usize, point: &str) -> bool {
    let story = Story { kind, number };
    let mut first = Victim::start(home, Some(point));
    let day = Day::default();
    std::thread::scope(|threads| {
        let person = threads.spawn(|| {
            let _evening = day.evening();
            follow(home, &story, &Day::default()).expect("the day is not over")
        });
        while !day.is_over() && !first.is_dead() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let died = first.is_dead();
        first.kill();
        let mut second = Victim::start(home, None);
        assert!(second.listens(home), "{point}: it does not start again");
        let seen = person.join().expect("the story comes to its end");
        check(home, &story, &seen);
        check_audit(home, number + 1);
        second.kill();
        died
    })
}

#[test]
#[allow(clippy::print_stderr, reason = "the figures of the run")]
fn no_boundary_of_the_journals_loses_or_doubles_anything() {
    let step = usize::try_from(setting("ARTOO_CRASH_STEP", 9)).expect("a small number");
    let server = ModelServer::forgetful(play);
    let died = AtomicUsize::new(0);
    for kind in [Kind::Append, Kind::Write, Kind::Replan] {
        let home = story::home(&server.base_url());
        let mut number = 0;
        for boundary in ["append", "sync"] {
            let step = if boundary == "sync" { step.min(2) } else { step };
            for n in (1..=MOST).step_by(step) {
                let point = format!("{boundary}:{n}");
                if !check_point(&home, kind, number, &point) {
                    break;
                }
                number += 1;
                died.fetch_add(1, Ordering::Relaxed);
            }
            number += 1;
        }
    }
    let died = died.into_inner();
    eprintln!("the daemon died at {died} boundaries; nothing was lost or doubled");
    assert!(died >= 9, "the points cover the stories: {died}");
}
