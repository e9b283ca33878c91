//! What a reader of finished tasks makes of them, who knows no hidden cause: the laboratory knows what is true.

use artoo_control::belief::Tables;
use artoo_control::calibrate::{Calibration, Story};
use artoo_lab::plant::plants;
use artoo_lab::policy;
use artoo_lab::trial::{Tasks, run};

/// What tasks of a policy on the main plant say.
fn calibrated(name: &str, each: u64) -> Calibration {
    let policy = policy::named(name).unwrap_or_else(|| panic!("no policy is called {name}"));
    let (mut stories, mut rounds) = (Vec::<Story>::new(), 0);
    for plant in &plants("main") {
        run(plant, &policy, Tasks { seed: 7, each }, |_, course| {
            stories.extend(course.stories.0.iter().cloned());
            rounds += course.stories.1;
        });
    }
    Calibration::of(&stories, rounds, Tables::built_in())
}

#[test]
fn tasks_of_the_world_that_the_tables_come_from_confirm_them_and_false_evidence_is_noticed() {
    let seen = calibrated("belief", 20);
    assert!(seen.is_enough(), "{} rounds", seen.rounds);
    assert!(seen.trust.high > 0.6, "evidence there is as good as it was measured: {:?}", seen.trust);
    let differ = seen.evidence.iter().filter(|share| share.differs()).count();
    assert!(4 * differ < seen.evidence.len(), "{differ} of {} shares differ", seen.evidence.len());
    let skill = seen.skill.expect("the planner was left alone at times");
    assert!(skill.low < 0.35 && skill.high > 0.1, "{skill:?}");
    let lying = calibrated("belief, 20 % false", 20).trust;
    assert!(lying.value < seen.trust.value, "{lying:?} and {:?}", seen.trust);
    assert!(!calibrated("belief", 1).is_enough(), "a handful of tasks changes nothing");
}
