//! The short form of `make lab`: a few tasks of each family on the main plant hold the ordering of the policies.

use artoo_lab::plant::plants;
use artoo_lab::policy;
use artoo_lab::report::Row;
use artoo_lab::trial::{Tally, Tasks};

const TASKS: Tasks = Tasks { seed: 1, each: 16 };

fn row(name: &str) -> Row {
    let policy = policy::named(name).unwrap_or_else(|| panic!("no policy is called {name}"));
    Row::of(name, &policy, &plants("main"), TASKS)
}

#[test]
fn policies_stand_in_their_order() {
    let success = |row: &Row| row.mean(Tally::success);
    let rows = ["no replan", "static", "belief", "oracle", policy::DEFAULT].map(row);
    let [nothing, bare, belief, oracle, default] = rows.each_ref().map(success);
    assert!(nothing + 20.0 < bare, "a task that is not planned anew fails: {nothing:.1} and {bare:.1}");
    assert!(bare < belief, "the belief must earn its place: {bare:.1} and {belief:.1}");
    assert!(belief < oracle, "nobody knows more than the one who knows: {belief:.1} and {oracle:.1}");
    assert!(bare < default, "what steers where nothing is set, too: {bare:.1} and {default:.1}");
    let falsehood = |row: &Row| row.mean(Tally::falsehood);
    for row in [&rows[2], &rows[4]] {
        assert!(
            falsehood(row) <= falsehood(&rows[1]),
            "{}: no more false deliveries than a planner without a controller",
            row.name
        );
    }
}

#[test]
fn the_same_luck_makes_the_same_tasks() {
    let of = || {
        let row = row("no replan");
        (row.tallies[0].families.clone(), row.tallies[0].calls)
    };
    assert_eq!(of(), of());
}

#[test]
fn every_plant_has_tasks_of_its_own() {
    let main = plants("main")[0];
    let policy = policy::named("no replan").expect("it is one");
    let row = Row::of("no replan", &policy, &[main, main], TASKS);
    assert_ne!(row.tallies[0].calls, row.tallies[1].calls, "the same world twice is two samples of tasks");
}

#[test]
fn every_set_of_plants_is_whole() {
    assert_eq!(plants("main").len(), 1);
    for set in ["train", "held", "fresh", "blind", "sealed", "sealed2"] {
        assert_eq!(plants(set).len(), 40, "{set}");
    }
    assert_ne!(plants("held"), plants("fresh"));
}

#[test]
fn every_policy_that_is_listed_is_one_and_so_is_what_it_is_held_against() {
    for name in policy::ALL.into_iter().chain(policy::ROBUST) {
        assert!(policy::named(name).is_some(), "{name}");
        assert!(policy::ALL.contains(&name) && policy::ALL.contains(&policy::base(name)), "{name}");
    }
    for name in policy::ROBUST {
        assert!(policy::ROBUST.contains(&policy::base(name)), "{name}");
    }
}

#[test]
fn falsehood_beyond_chance_is_told_from_the_luck_of_a_few_tasks() {
    let lies = |places: &[usize]| Tally {
        lies: (0..100).map(|task| places.contains(&task)).collect(),
        ..Tally::default()
    };
    let bare = lies(&[1, 2, 3, 4]);
    assert!(!lies(&[1, 2, 5, 6, 7]).lies_beyond_chance(&bare), "three against two is luck");
    let more: Vec<usize> = (1..16).collect();
    assert!(lies(&more).lies_beyond_chance(&bare), "eleven against none is not");
    assert!(!bare.lies_beyond_chance(&lies(&more)), "fewer are not more");
    let others: Vec<usize> = (20..35).collect();
    assert!(!lies(&others).lies_beyond_chance(&lies(&more)), "as many lies elsewhere are not more");
}
