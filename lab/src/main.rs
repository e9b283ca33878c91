//! The laboratory's program: see docs/controller.md.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its results")]

use artoo_lab::plant::plants;
use artoo_lab::policy;
use artoo_lab::report::{detail, learned, rows, table};
use artoo_lab::trial::Tasks;

/// Tasks of each family on each plant where nothing else is said.
const EACH: u64 = 50;
/// The seed of the tasks that the tables are learned from.
const LEARNING_SEED: u64 = 50_000;
/// The seed of the tasks that policies are compared on.
const COMPARING_SEED: u64 = 1_000;

/// What stands above the tables of the belief.
const HEADER: &str = "\
# What the belief is made of: counts, a line each. Source: the 40 training plants of the laboratory (lab/data/plants.tsv, set
# `train`), whole tasks of 8 families through the machine, with a directive drawn for each round. Made anew by `make lab-learn`.
# The plants are invented: these are likelihoods of an invented world.
# prior: directive of the round, then steps that failed for the first time, by cause: approach, target, detail, transient, impossible
# move: what the calls show to have changed, the cause before, then steps by the cause after it, last the right matches
# try: what was meant to change, the cause before, then how often it was tried and how often it matched
# evidence: the six parts of `Evidence` in crates/control/src/belief.rs, then failed steps by cause
";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    let each = number("--each").unwrap_or(EACH);
    match args.first().map(String::as_str) {
        Some("learn") => {
            let counts = learned(&plants("train"), Tasks { seed: LEARNING_SEED, each });
            print!("{HEADER}{}", counts.write());
        }
        Some("compare") => {
            let sets: Vec<&str> = args.get(1).map(|list| list.split(',').collect()).unwrap_or_default();
            let names: Vec<&str> = match args.get(2).map(String::as_str) {
                Some("all") | None => policy::ALL.to_vec(),
                Some(list) => list.split(';').collect(),
            };
            for set in sets {
                let tasks = Tasks { seed: COMPARING_SEED, each };
                let rows = rows(&names, &plants(set), tasks, |line| eprintln!("{set} {line}"));
                print!("{}", table(set, &rows));
                if let Some(base) = rows.iter().find(|row| row.name == "static") {
                    for row in &rows {
                        print!("{}", detail(row, base));
                    }
                }
            }
        }
        _ => eprintln!("artoo-lab compare SET,... 'POLICY;...' [--each N] | artoo-lab learn [--each N]"),
    }
}
