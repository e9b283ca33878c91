use artoo_types::control::{Directive, Ending, Reason, Urgency};
use artoo_types::setting::ControlParams;
use artoo_types::unit::{Cost, Distance, Implausibility};

use super::{Bounds, Cell, Decision, Situation, TABLE, decide, urgency};
use crate::testing::tolerant;

/// The enumeration as the design prints it: number, ∇L, D, P, Ω, macro-state.
const PRINTED: &str = "
 1 fall  near env   left  success
 2 fall  near logic left  success
 3 fall  near env   spent abandon
 4 fall  near logic spent abandon
 5 fall  far  env   left  refine
 6 fall  far  logic left  change_approach
 7 fall  far  env   spent abandon
 8 fall  far  logic spent abandon
 9 flat  near env   left  success
10 flat  near logic left  success
11 flat  near env   spent abandon
12 flat  near logic spent abandon
13 flat  far  env   left  change_path
14 flat  far  logic left  break_symmetry
15 flat  far  env   spent abandon
16 flat  far  logic spent abandon
17 rise  near env   left  success
18 rise  near logic left  success
19 rise  near env   spent abandon
20 rise  near logic spent abandon
21 rise  far  env   left  refine
22 rise  far  logic left  change_approach
23 rise  far  env   spent abandon
24 rise  far  logic spent abandon";

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Replan(Directive::Refine) => "refine",
        Decision::Replan(Directive::ChangePath) => "change_path",
        Decision::Replan(Directive::ChangeApproach) => "change_approach",
        Decision::Replan(Directive::BreakSymmetry) => "break_symmetry",
        Decision::Finish(Ending::Success, Reason::WithinTolerance) => "success",
        Decision::Finish(Ending::Abandon, Reason::BudgetExhausted) => "abandon",
        Decision::Finish(ending, reason) => panic!("the table cannot say {ending:?} {reason:?}"),
    }
}

fn situation(gradient: f64, distance: f64, p: f64, cost: f64) -> Situation {
    Situation {
        gradient,
        distance: Distance::clamped(distance),
        proven: true,
        implausibility: Implausibility::clamped(p),
        cost: Cost::clamped(cost),
    }
}

fn decided(s: Situation) -> &'static str {
    word(Cell::of(&tolerant(), &s).decision())
}

#[test]
fn every_row_stands_where_its_cell_looks_it_up() {
    for (number, (cell, _)) in TABLE.iter().enumerate() {
        assert_eq!(cell.index(), number, "{cell:?}");
    }
}

#[test]
fn all_24_cells_are_as_printed() {
    let lines: Vec<&str> = PRINTED.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 24);
    for line in lines {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let pick =
            |column: usize, word: &str, yes: f64, no: f64| if columns[column] == word { yes } else { no };
        let gradient = pick(1, "fall", -0.5, pick(1, "rise", 0.5, 0.0));
        let s = situation(
            gradient,
            pick(2, "near", 0.1, 0.9),
            pick(3, "env", 0.2, 0.8),
            pick(4, "left", 0.1, 0.9),
        );
        assert_eq!(decided(s), columns[5], "cell {}", columns[0]);
    }
}

#[test]
fn boundaries_fall_on_the_stated_side() {
    let (e, tiny) = (0.1, 1e-9);
    let check = |gradient, distance, p, cost, expected| {
        assert_eq!(
            decided(situation(gradient, distance, p, cost)),
            expected,
            "{gradient} {distance} {p} {cost}"
        );
    };
    // Ω = θ is spent.
    check(0.0, 0.9, 0.2, 0.8 - tiny, "change_path");
    check(0.0, 0.9, 0.2, 0.8, "abandon");
    check(0.0, 0.1, 0.2, 0.8, "abandon");
    check(0.0, 0.9, 0.2, 0.8 + tiny, "abandon");
    // D = δ is near.
    check(0.0, 0.3 - tiny, 0.2, 0.1, "success");
    check(0.0, 0.3, 0.2, 0.1, "success");
    check(0.0, 0.3 + tiny, 0.2, 0.1, "change_path");
    // |∇| = ε is signal, on both sides.
    for sign in [1.0, -1.0] {
        check(sign * (e - tiny), 0.9, 0.2, 0.1, "change_path");
        check(sign * e, 0.9, 0.2, 0.1, "refine");
        check(sign * (e + tiny), 0.9, 0.2, 0.1, "refine");
        check(sign * e, 0.9, 0.9, 0.1, "change_approach");
    }
    // P = ρ is environmental.
    check(0.0, 0.9, 0.5 - tiny, 0.1, "change_path");
    check(0.0, 0.9, 0.5, 0.1, "change_path");
    check(0.0, 0.9, 0.5 + tiny, 0.1, "break_symmetry");
    check(0.5, 0.9, 0.5, 0.1, "refine");
    check(0.5, 0.9, 0.5 + tiny, 0.1, "change_approach");
}

#[test]
fn rounding_does_not_decide_equality() {
    // In floating point 0.3 − 0.2 is less than 0.1, and 0.1 + 0.2 is more than 0.3.
    assert_eq!(decided(situation(0.3 - 0.2, 0.9, 0.2, 0.1)), "refine");
    assert_eq!(decided(situation(0.0, 0.1 + 0.2, 0.2, 0.1)), "success");
    assert_eq!(decided(situation(0.0, 0.9, 0.2, 0.6 + 0.4 * 0.5)), "abandon");
}

#[test]
fn without_proof_the_smallest_distance_is_far() {
    let s = Situation { proven: false, ..situation(0.0, 0.0, 0.0, 0.1) };
    assert_eq!(decided(s), "change_path");
    let spent = Situation { proven: false, ..situation(0.0, 0.0, 0.0, 0.9) };
    assert_eq!(decided(spent), "abandon");
}

#[test]
fn what_the_table_does_not_know_comes_in_this_order() {
    let near = Cell::of(&tolerant(), &situation(0.5, 0.1, 0.2, 0.1));
    let far = Cell::of(&tolerant(), &situation(0.5, 0.9, 0.2, 0.1));
    let spent = Cell::of(&tolerant(), &situation(0.5, 0.9, 0.2, 0.9));
    let all = Bounds { complete: true, denied_only: true, worsening: 2, directives_left: 0 };
    let open = Bounds { complete: false, ..all };
    let undenied = Bounds { denied_only: false, ..open };
    let end = |reason| Decision::Finish(Ending::Abandon, reason);
    let cases = [
        (spent, all, Decision::Finish(Ending::Accept, Reason::CriteriaMet)),
        (near, open, Decision::Finish(Ending::Success, Reason::WithinTolerance)),
        (far, open, end(Reason::Refused)),
        (spent, open, end(Reason::Refused)),
        (spent, undenied, end(Reason::BudgetExhausted)),
        (far, undenied, end(Reason::Diverging)),
        (far, Bounds { worsening: 1, ..undenied }, end(Reason::ReplansExhausted)),
        (far, Bounds { worsening: 1, directives_left: 1, ..undenied }, Decision::Replan(Directive::Refine)),
    ];
    for (cell, bounds, expected) in cases {
        assert_eq!(decide(cell, bounds), expected, "{cell:?} {bounds:?}");
    }
}

#[test]
fn urgency_is_the_sign_beyond_epsilon() {
    let params = ControlParams::default();
    let cases = [
        (0.1, false, Urgency::Steady),
        (0.1 + 1e-9, false, Urgency::Worsening),
        (0.1 + 1e-9, true, Urgency::Steady),
        (-0.1, false, Urgency::Steady),
        (-0.1 - 1e-9, false, Urgency::Improving),
        (-0.1 - 1e-9, true, Urgency::Improving),
        (0.0, false, Urgency::Steady),
    ];
    for (gradient, newly_matched, expected) in cases {
        assert_eq!(urgency(&params, gradient, newly_matched), expected, "{gradient} {newly_matched}");
    }
}
