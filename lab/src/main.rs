//! The laboratory's program: see docs/controller.md.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its results")]

use std::path::Path;

use artoo_control::belief::Tables;
use artoo_lab::plant::plants;
use artoo_lab::report::{Row, detail, learned, rows, table};
use artoo_lab::trial::Tasks;
use artoo_lab::{figures, policy};

/// Tasks of each family on each plant where nothing else is said.
const EACH: u64 = 50;
/// The same where the tables are learned: 720 kinds of evidence under five causes want many failed steps.
const LEARNING_EACH: u64 = 200;
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

/// Writes the figures of docs/controller.md from these rows.
fn draw(folder: &Path, rows: &[Row]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let write = |name: &str, figure: String| std::fs::write(folder.join(name), figure);
    write("loss.svg", figures::loss())?;
    write("table.svg", figures::table())?;
    write("belief.svg", figures::belief(Tables::built_in()))?;
    let find = |name: &str| rows.iter().find(|row| row.name == name);
    if let (Some(base), Some(table), Some(belief), Some(oracle)) =
        (find("static"), find("table"), find("belief"), find("oracle"))
    {
        write("families.svg", figures::families(&[table, belief, oracle], base))?;
        write("confusion.svg", figures::confusion(belief))?;
    }
    Ok(())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    let each = |usual: u64| number("--each").unwrap_or(usual);
    match args.first().map(String::as_str) {
        Some("learn") => {
            let counts = learned(&plants("train"), Tasks { seed: LEARNING_SEED, each: each(LEARNING_EACH) });
            print!("{HEADER}{}", counts.write());
        }
        Some("compare") => {
            let sets: Vec<&str> = args.get(1).map(|list| list.split(',').collect()).unwrap_or_default();
            let names: Vec<&str> = match args.get(2).map(String::as_str) {
                Some("all") | None => policy::ALL.to_vec(),
                Some("robust") => policy::ROBUST.to_vec(),
                Some(list) => list.split(';').collect(),
            };
            for set in sets {
                let tasks = Tasks { seed: COMPARING_SEED, each: each(EACH) };
                let rows = rows(&names, &plants(set), tasks, |line| eprintln!("{set} {line}"));
                print!("{}", table(set, &rows));
                for row in &rows {
                    if let Some(base) = rows.iter().find(|base| base.name == policy::base(&row.name)) {
                        print!("{}", detail(row, base));
                    }
                }
                let folder = args.iter().position(|arg| arg == "--figures").and_then(|at| args.get(at + 1));
                if let Some(folder) = folder
                    && let Err(problem) = draw(Path::new(folder), &rows)
                {
                    eprintln!("the figures were not written to {folder}: {problem}");
                }
            }
        }
        _ => eprintln!(
            "artoo-lab compare SET,... all|robust|'POLICY;...' [--each N] [--figures FOLDER] | artoo-lab learn [--each N]"
        ),
    }
}
