//! What a developer types in a week (`corpus/week.tsv`, and `corpus/week2.tsv`, which was held out): how much of what is harmless is asked about all the same, and that
//! nothing runs unasked that should be asked about.

use std::path::Path;

use artoo_types::setting::{ProjectMode, UnaskedRules};

use super::{home, unfold};
use crate::paths::PathRules;
use crate::{Decision, explain};

/// Files of the project, and what is in them.
const FILES: &[&str] = &[
    "src/main.rs",
    "src/lib.rs",
    "src/app.py",
    "src/util.js",
    "tests/test_app.py",
    "docs/guide.md",
    "README.md",
    "a.txt",
    "b.txt",
    "data.csv",
    "people.json",
    "app.log",
    "old.log.gz",
    "Makefile",
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "old.tar.gz",
    "x.db",
    "backup.zip",
    "photo.jpg",
    "run.sh",
    "config.yml",
    "feed.xml",
    "fix.patch",
    "hello.c",
    "a.out",
    "cert.crt",
    "server.key",
    "server.pem",
    ".env",
    "build/out.o",
    "SUMS",
];
/// The largest share of harmless commands that may be asked about, in percent.
const MOST_ALARMS_PERCENT: usize = 3;

/// What becomes of a command, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Safe,
    Boxed,
    Asks,
    Never,
}

impl Fate {
    fn read(word: &str) -> Self {
        match word {
            "safe" => Self::Safe,
            "boxed" => Self::Boxed,
            "asks" => Self::Asks,
            "never" => Self::Never,
            _ => panic!("{word:?} is no verdict"),
        }
    }

    fn of(command: &str, paths: &PathRules) -> (Self, Vec<String>) {
        let told = explain(command, paths);
        let fate = match told.decision {
            Decision::Safe => Self::Safe,
            Decision::Confirm if told.boxed(paths).is_some() => Self::Boxed,
            Decision::Confirm => Self::Asks,
            Decision::Forbidden => Self::Never,
        };
        (fate, told.why)
    }
}

#[test]
#[allow(clippy::print_stdout)] // the figures are the point
fn a_week_of_commands_is_not_asked_about_without_need_and_none_that_needs_it_runs_unasked() {
    let (_dir, paths) = home();
    let project = Path::new(&paths.working_directory);
    for name in FILES {
        let path = project.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "a,b\n").unwrap();
    }
    let paths = PathRules {
        unasked: UnaskedRules { project: ProjectMode::Work, ..paths.unasked },
        real: Default::default(),
        ..paths
    };
    let (mut all, mut harmless, mut alarms, mut misses) = (0, 0, Vec::new(), Vec::new());
    let lines =
        include_str!("../../corpus/week.tsv").lines().chain(include_str!("../../corpus/week2.tsv").lines());
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (right, command) = line.split_once('\t').unwrap();
        let right: Vec<Fate> = right.split('|').map(Fate::read).collect();
        let (fate, why) = Fate::of(&unfold(command), &paths);
        let says = || format!("{command}: {fate:?}, {right:?} is right: {why:?}");
        all += 1;
        let is_harmless = right.iter().all(|right| *right < Fate::Asks);
        harmless += usize::from(is_harmless);
        if is_harmless && fate >= Fate::Asks {
            alarms.push(says());
        }
        if right == [Fate::Safe] && fate == Fate::Boxed {
            println!("week: boxed: {}", says());
        }
        if right.iter().all(|right| fate < *right) {
            misses.push(says());
        }
    }
    println!(
        "week: {all} commands, {harmless} of them harmless: {} false alarms ({:.1} %), {} misses",
        alarms.len(),
        100.0 * alarms.len() as f64 / harmless as f64,
        misses.len()
    );
    alarms.iter().for_each(|alarm| println!("week: false alarm: {alarm}"));
    misses.iter().for_each(|miss| println!("week: miss: {miss}"));
    assert!(all >= 500, "a week has more commands than {all}");
    assert!(misses.is_empty(), "{misses:#?}");
    assert!(alarms.len() * 100 <= harmless * MOST_ALARMS_PERCENT, "{alarms:#?}");
}
