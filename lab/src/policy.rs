//! The policies that are compared.

use artoo_types::setting::{ControlParams, Law, Steering};

use crate::world::{Planner, Policy};

/// Replans of the policies that are compared at equal rounds, those of the notes that the plants come from.
pub const ROUNDS: u32 = 3;

/// A policy of the whole controller.
fn policy(law: Law, planner: Planner, max_replans: u32) -> Policy {
    let steering = Steering { law, ..Steering::default() };
    Policy {
        control: ControlParams { steering, max_replans, ..ControlParams::default() },
        planner,
        false_evidence: 0.0,
        skill: 0.0,
    }
}

/// The belief with this worth of a success and this many replans.
pub fn belief(worth: f64, max_replans: u32) -> Policy {
    let mut policy = policy(Law::Belief, Planner::Advised, max_replans);
    policy.control.steering.worth = worth;
    policy
}

/// A success worth anything: what stops is the count of replans alone.
pub const PRICELESS: f64 = 1e9;

/// What `all` stands for: every policy that is compared, the one that the others are held against first.
pub const ALL: [&str; 21] = [
    "static",
    "no replan",
    "random cell",
    "blocks only",
    "words",
    "table",
    "belief",
    "default",
    "oracle",
    "static, 5 replans",
    "belief, 5 replans",
    "belief, 5 replans, worth",
    "oracle, 5 replans",
    "belief, half trust",
    "belief, ignored",
    "static, 10 % false",
    "belief, 10 % false",
    "static, 20 % false",
    "belief, 20 % false",
    "static, better planner",
    "belief, better planner",
];

/// What `robust` stands for: the belief where its evidence counts half, is wrong, or its planner is another, each against the
/// static replanner in the same world.
pub const ROBUST: [&str; 9] = [
    "static",
    "belief, half trust",
    "belief, ignored",
    "static, 10 % false",
    "belief, 10 % false",
    "static, 20 % false",
    "belief, 20 % false",
    "static, better planner",
    "belief, better planner",
];

/// The static replanner in the same world as this policy, which it is held against.
pub fn base(name: &str) -> &'static str {
    let world = ["5 replans", "10 % false", "20 % false", "better planner"]
        .into_iter()
        .find(|world| name.contains(world));
    match world {
        Some("5 replans") => "static, 5 replans",
        Some("10 % false") => "static, 10 % false",
        Some("20 % false") => "static, 20 % false",
        Some("better planner") => "static, better planner",
        _ if name == DEFAULT && ControlParams::default().max_replans > ROUNDS => "static, 5 replans",
        _ => "static",
    }
}

/// The controller as it is where nobody sets anything.
pub const DEFAULT: &str = "default";

/// How much more often a better planner finds the right change by itself.
const BETTER: f64 = 0.25;

/// The policy of this name.
pub fn named(name: &str) -> Option<Policy> {
    let usual = Steering::default().worth;
    Some(match name {
        "no replan" => policy(Law::Bare, Planner::Deaf, 0),
        "static" => policy(Law::Bare, Planner::Deaf, ROUNDS),
        "static, 5 replans" => policy(Law::Bare, Planner::Deaf, 5),
        "random cell" => policy(Law::Drawn, Planner::Advised, ROUNDS),
        "blocks only" => policy(Law::Table, Planner::Deaf, ROUNDS),
        "words" => policy(Law::Words, Planner::Advised, ROUNDS),
        "table" => policy(Law::Table, Planner::Advised, ROUNDS),
        "belief" => belief(PRICELESS, ROUNDS),
        DEFAULT => Policy { control: ControlParams::default(), ..belief(PRICELESS, ROUNDS) },
        "belief, ignored" => Policy { planner: Planner::Deaf, ..belief(PRICELESS, ROUNDS) },
        "belief, 5 replans" => belief(PRICELESS, 5),
        "belief, 5 replans, worth" => belief(usual, 5),
        "oracle" => policy(Law::Bare, Planner::Oracle, ROUNDS),
        "oracle, 5 replans" => policy(Law::Bare, Planner::Oracle, 5),
        "belief, half trust" => {
            let mut half = belief(PRICELESS, ROUNDS);
            half.control.steering.trust = 0.5;
            half
        }
        "belief, 10 % false" => Policy { false_evidence: 0.1, ..belief(PRICELESS, ROUNDS) },
        "belief, 20 % false" => Policy { false_evidence: 0.2, ..belief(PRICELESS, ROUNDS) },
        "static, 10 % false" => Policy { false_evidence: 0.1, ..policy(Law::Bare, Planner::Deaf, ROUNDS) },
        "static, 20 % false" => Policy { false_evidence: 0.2, ..policy(Law::Bare, Planner::Deaf, ROUNDS) },
        "belief, better planner" => Policy { skill: BETTER, ..belief(PRICELESS, ROUNDS) },
        "static, better planner" => Policy { skill: BETTER, ..policy(Law::Bare, Planner::Deaf, ROUNDS) },
        _ => {
            return name
                .strip_prefix("belief, 5 replans, worth ")
                .and_then(|n| Some(belief(n.parse().ok()?, 5)));
        }
    })
}
