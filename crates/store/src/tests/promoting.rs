use artoo_memory::consolidation::{CANDIDATE_AGE_MS, Candidate, RuleText, Sign};
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram, SopRecord, state};
use artoo_types::tag::Tag;
use uuid::Uuid;

use super::{DAY, START, Store, after, megram, rule, tool_tag};
use crate::{PromotedRule, PromotionOutcome};

/// Writes `count` outcomes on `tag`, numbered from `first`, made `days` after the start.
fn teach(store: &mut Store, tag: &Tag, first: u128, count: u128, sigma: f64, days: f64) {
    for number in first..first + count {
        store.write(&Megram { sigma, created_at: after(days), ..megram(number, tag) });
    }
}

fn candidates(store: &mut Store, now: Timestamp) -> Vec<Candidate> {
    let found = store.maintenance.candidates(now, 4).expect("it looks");
    store.verified();
    found
}

fn text() -> RuleText {
    RuleText::new("glob from the root").expect("it is one line")
}

fn promote(store: &mut Store, now: Timestamp, candidate: &Candidate) -> PromotionOutcome {
    let promotion = store.maintenance.promote(now, candidate, &text()).expect("the database works");
    store.verified();
    promotion
}

/// The rule that the one candidate at `now` becomes.
fn promoted(store: &mut Store, now: Timestamp) -> PromotedRule {
    let found = candidates(store, now);
    let [candidate] = &found[..] else { panic!("{found:?}") };
    match promote(store, now, candidate) {
        PromotionOutcome::Promoted(promoted) => *promoted,
        PromotionOutcome::Stale(why) => panic!("{why}"),
    }
}

fn stale(store: &mut Store, now: Timestamp, candidate: &Candidate) {
    let before = store.reader.list(&crate::ListQuery::default()).expect("it lists");
    assert!(matches!(promote(store, now, candidate), PromotionOutcome::Stale(_)));
    assert_eq!(store.reader.list(&crate::ListQuery::default()).expect("it lists"), before);
}

fn sops(store: &Store, now: Timestamp, tag: &Tag) -> Vec<SopRecord> {
    store.reader.query_c(now, tag).expect("it reads")
}

#[test]
fn enough_evidence_becomes_a_rule_and_stays() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    teach(&mut store, &tag, 1, 5, 1.0, 0.0);
    assert_eq!(candidates(&mut store, START), [], "4.5 is not enough");
    teach(&mut store, &tag, 6, 1, 1.0, 0.0);
    let before = store.reader.query_mk(START, &tag).expect("it reads");
    let made = promoted(&mut store, START).rule;
    assert_eq!((made.level, made.sigma, made.parents.len()), (Level::C, 1.0, 6));
    assert_eq!(store.reader.query_mk(START, &tag).expect("it reads"), before, "the sources stay");
    for id in &made.parents {
        assert!(store.reader.get(*id).expect("it reads").is_some());
    }
    let mut store = store.reopened();
    let [sop] = &sops(&store, START, &tag)[..] else { panic!("one rule") };
    assert_eq!((sop.id, sop.content.as_str(), sop.overwritten), (made.id, "glob from the root", false));
    // The same evidence makes no second rule, however often it is looked at, and more of it none either.
    assert_eq!(candidates(&mut store, after(0.1)), []);
    teach(&mut store, &tag, 7, 20, 1.0, 0.2);
    assert_eq!(candidates(&mut store, after(0.3)), []);
    store.maintenance.rebuild().expect("it rebuilds");
    assert_eq!(candidates(&mut store, after(0.4)), []);
}

#[test]
fn a_constraint_survives_the_next_tick() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    teach(&mut store, &tag, 1, 6, -1.0, 0.0);
    let made = promoted(&mut store, START).rule;
    assert_eq!(made.sigma, -1.0);
    assert!(store.reader.query_mk(START, &tag).expect("it reads").decision <= -3.0);
    for minutes in 1..=20 {
        let report = store.maintenance.tick(START.plus_ms(minutes * 300_000)).expect("it ticks");
        assert_eq!(report.demoted, []);
    }
    assert_eq!(sops(&store, after(1.0), &tag).len(), 1);
}

#[test]
fn a_contradicted_best_practice_is_outdated_then_falls() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    teach(&mut store, &tag, 1, 6, 1.0, 0.0);
    let made = promoted(&mut store, START).rule;
    teach(&mut store, &tag, 11, 1, -1.0, 1.0);
    assert!(sops(&store, after(1.0), &tag)[0].overwritten, "a fresh failure against an old rule");
    assert_eq!(
        store.maintenance.tick(after(1.0)).expect("it ticks").demoted,
        [],
        "old successes still carry it"
    );
    teach(&mut store, &tag, 12, 7, -1.0, 1.0);
    let report = store.maintenance.tick(after(1.0)).expect("it ticks");
    assert_eq!(report.demoted.iter().map(|fallen| fallen.rule).collect::<Vec<_>>(), [made.id]);
    store.verified();
    assert_eq!(sops(&store, after(1.0), &tag), []);
    // What brought it down does not become a constraint at once: that needs evidence of its own.
    assert_eq!(candidates(&mut store, after(1.0)), []);
    teach(&mut store, &tag, 21, 5, -1.0, 1.1);
    assert_eq!(candidates(&mut store, after(1.1)), [], "4.5 since the fall");
    teach(&mut store, &tag, 31, 1, -1.0, 1.1);
    let constraint = promoted(&mut store, after(1.1)).rule;
    assert_eq!(constraint.sigma, -1.0);
    assert!(constraint.parents.iter().all(|id| id.as_u128() >= 21), "{:?}", constraint.parents);
}

#[test]
fn a_law_is_never_outdated() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    store.remember(&Megram { level: Level::T, ..rule(1, &tag, 1.0) });
    teach(&mut store, &tag, 11, 9, -1.0, 1.0);
    assert!(!sops(&store, after(1.0), &tag)[0].overwritten);
}

#[test]
fn the_same_evidence_makes_no_second_rule() {
    let again = |what: &str, undo: &dyn Fn(&mut Store, &Megram)| {
        let mut store = Store::new();
        let tag = tool_tag("/tmp");
        teach(&mut store, &tag, 1, 12, 1.0, 0.0);
        let made = promoted(&mut store, START).rule;
        undo(&mut store, &made);
        store.verified();
        assert_eq!(sops(&store, after(0.1), &tag), [], "{what}");
        assert_eq!(candidates(&mut store, after(0.1)), [], "{what}");
        store = store.reopened();
        assert_eq!(candidates(&mut store, after(0.1)), [], "{what}, after a restart");
        store.maintenance.rebuild().expect("it rebuilds");
        assert_eq!(candidates(&mut store, after(0.1)), [], "{what}, after a rebuild");
        teach(&mut store, &tag, 40, 5, 1.0, 0.2);
        assert_eq!(candidates(&mut store, after(0.2)), [], "{what}, with 4.5 more");
        teach(&mut store, &tag, 50, 1, 1.0, 0.2);
        let second = promoted(&mut store, after(0.2)).rule;
        assert!(second.id != made.id && second.parents.iter().all(|id| id.as_u128() >= 40), "{what}");
    };
    again("forgotten", &|store, made| {
        store.forget(after(0.1), &[made.id]);
    });
    again("fallen", &|store, made| {
        let tag = made.tag.clone();
        // Failures in a task that a stranger's text had touched bring a rule down, and are no evidence for another.
        for number in 20..40 {
            store.write(&Megram {
                sigma: -1.0,
                tainted: true,
                created_at: after(0.1),
                ..megram(number, &tag)
            });
        }
        assert_eq!(store.maintenance.tick(after(0.1)).expect("it ticks").demoted.len(), 1);
    });
}

#[test]
fn a_forgotten_tag_begins_anew() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    teach(&mut store, &tag, 1, 6, 1.0, 0.0);
    let made = promoted(&mut store, START).rule;
    assert_eq!(store.forget_tag(after(1.0), &tag), 7);
    store.verified();
    assert_eq!(store.writer.remember(after(1.0), &made).expect("it stays away"), crate::WriteOutcome::Buried);
    teach(&mut store, &tag, 11, 6, 1.0, 2.0);
    assert!(promoted(&mut store, after(2.0)).rule.id != made.id);
}

#[test]
fn strangers_and_sayings_never_promote() {
    let never = |what: &str, change: &dyn Fn(&mut Megram)| {
        let mut store = Store::new();
        for number in 1..=30 {
            let mut one = megram(number, &tool_tag("/tmp"));
            change(&mut one);
            store.remember(&one);
        }
        assert_eq!(candidates(&mut store, START), [], "{what}");
    };
    never("tainted", &|one| one.tainted = true);
    for said in [state::REFLECTION, state::DECLARED, "imported"] {
        never(said, &|one| one.state = said.to_owned());
    }
}

#[test]
fn the_gate_is_tested_again_when_the_rule_is_made() {
    let changed = |what: &str, change: &dyn Fn(&mut Store, &Tag)| {
        let mut store = Store::new();
        let tag = tool_tag("/tmp");
        teach(&mut store, &tag, 1, 6, 1.0, 0.0);
        let found = candidates(&mut store, START).remove(0);
        assert_eq!((found.sign, found.count), (Sign::For, 6));
        change(&mut store, &tag);
        stale(&mut store, after(0.01), &found);
        assert_eq!(
            sops(&store, after(0.01), &tag).iter().filter(|sop| sop.content == text().as_str()).count(),
            0,
            "{what}"
        );
    };
    changed("evidence was forgotten", &|store, _| {
        store.forget(START, &[Uuid::from_u128(3)]);
    });
    changed("failures came in", &|store, tag| teach(store, tag, 11, 4, -1.0, 0.005));
    changed("somebody said so already", &|store, tag| store.remember(&rule(99, tag, 1.0)));
    changed("enough is left, and a quoted one is gone", &|store, tag| {
        teach(store, tag, 11, 6, 1.0, 0.005);
        store.forget(after(0.005), &[Uuid::from_u128(3)]);
    });
}

#[test]
fn words_that_take_their_time_make_a_rule_and_stale_ones_none() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    for number in 1..=5 {
        store.write(&Megram { f: 1.0, ..megram(number, &tag) });
    }
    let found = candidates(&mut store, START).remove(0);
    assert_eq!(found.potentials.attention, 5.0);
    stale(&mut store, START.plus_ms(CANDIDATE_AGE_MS + 1), &found);
    let mut store = Store::at(super::copy_of(store.folder.path()));
    // Half a minute later its attention is a little below 5; it was enough when it was found.
    let promotion = promote(&mut store, START.plus_ms(30_000), &found);
    assert!(matches!(promotion, PromotionOutcome::Promoted(_)), "{promotion:?}");
    stale(&mut store, START.plus_ms(31_000), &found);
}

#[test]
fn a_quiet_week_finds_nothing_and_writes_nothing() {
    let mut store = Store::new();
    let tag = tool_tag("/tmp");
    teach(&mut store, &tag, 1, 6, 1.0, 0.0);
    promoted(&mut store, START);
    teach(&mut store, &tool_tag("/few"), 11, 4, 1.0, 0.0);
    teach(&mut store, &tool_tag("/torn"), 21, 5, 1.0, 0.0);
    teach(&mut store, &tool_tag("/torn"), 31, 5, -1.0, 0.0);
    let before = store.open().disk.changes();
    for tick in 0..(7 * DAY / 300_000) {
        let now = START.plus_ms(tick * 300_000);
        store.maintenance.tick(now).expect("it ticks");
        assert_eq!(store.maintenance.candidates(now, 4).expect("it looks"), []);
    }
    assert_eq!(store.open().disk.changes(), before);
}

#[test]
fn candidates_come_a_few_at_a_time_until_all_are_rules() {
    let mut store = Store::new();
    for place in 0..6 {
        teach(&mut store, &tool_tag(&format!("/{place}")), 100 * place + 1, 6, 1.0, 0.0);
    }
    let first = candidates(&mut store, START);
    assert_eq!(first.len(), 4);
    assert_eq!(candidates(&mut store, START), first, "nothing is lost when no words were found");
    first.iter().for_each(|found| {
        assert!(matches!(promote(&mut store, START, found), PromotionOutcome::Promoted(_)));
    });
    assert_eq!(candidates(&mut store, START).len(), 2);
}

#[test]
fn nothing_is_distilled_while_the_clock_lies_behind() {
    let mut store = Store::new();
    teach(&mut store, &tool_tag("/tmp"), 1, 6, 1.0, 10.0);
    assert_eq!(candidates(&mut store, after(9.0)), []);
    assert_eq!(candidates(&mut store, after(10.0)).len(), 1);
}
