use std::collections::BTreeMap;

use super::{Action, Standing, claims_action, read};

mod chinese;
mod english;
mod hard;
mod later;

/// A request, the actions that it asks for, and the files that it names.
type Everyday = (&'static str, &'static [Action], &'static [&'static str]);

/// How many of what was expected was found, and how much else.
#[derive(Default)]
struct Tally {
    hits: usize,
    missed: usize,
    false_demands: usize,
}

impl Tally {
    fn add<T: PartialEq + Clone + std::fmt::Debug>(&mut self, request: &str, expected: &[T], found: &[T]) {
        let mut left = found.to_vec();
        for one in expected {
            match left.iter().position(|other| other == one) {
                Some(at) => {
                    left.remove(at);
                    self.hits += 1;
                }
                None => {
                    println!("missed {one:?}: {request:?} {found:?}");
                    self.missed += 1;
                }
            }
        }
        for other in &left {
            println!("false {other:?}: {request:?}");
        }
        self.false_demands += left.len();
    }

    /// Precision and recall in percent.
    fn figures(&self) -> (usize, usize) {
        let share = |of: usize| (100 * self.hits).checked_div(self.hits + of).unwrap_or(100);
        (share(self.false_demands), share(self.missed))
    }
}

/// Precision and recall of a table: of the actions, and of the files.
fn measure(table: &[Everyday]) -> ((usize, usize), (usize, usize)) {
    let (mut actions, mut files) = (Tally::default(), Tally::default());
    for (request, expected, names) in table {
        let reading = read(request);
        let found: Vec<Action> =
            reading.clauses.iter().filter(|c| c.standing != Standing::Forbidden).map(|c| c.action).collect();
        actions.add(request, expected, &found);
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        files.add(request, &names, &reading.files);
    }
    (actions.figures(), files.figures())
}

#[test]
fn everyday_requests_are_read_with_these_figures() {
    let figures: BTreeMap<&str, _> = [
        ("english", measure(&english::ENGLISH)),
        ("chinese", measure(&chinese::CHINESE)),
        ("later", measure(&later::LATER)),
    ]
    .into();
    println!("(precision, recall) of actions and of files: {figures:?}");
    // A false demand is worse for a person than a clause that is missed.
    for (table, (actions, files)) in figures {
        let (precision, recall) = if table == "later" { (94, 75) } else { (98, 97) };
        assert!(actions.0 >= precision && actions.1 >= recall, "{table}: {actions:?}");
        assert!(files.0 >= precision && files.1 >= recall, "{table}: {files:?}");
    }
}

/// A reading that is kept is the one of these words, however many were read meanwhile.
#[test]
fn what_was_read_before_reads_the_same() {
    let requests: Vec<String> = (0..200)
        .map(|n| format!("Copy a{n}.txt to b{n}.txt, then delete a{n}.txt. Do not touch c{n}.txt."))
        .collect();
    let first: Vec<_> = requests.iter().map(|request| read(request)).collect();
    for (n, (request, first)) in requests.iter().zip(&first).enumerate() {
        let [again, once_more] = [read(request), read(request)];
        assert_eq!((&again, &once_more), (first, first));
        assert!(first.files.contains(&format!("a{n}.txt")), "{first:?}");
    }
    let long = format!("Delete a.txt. {}", "Then count the lines. ".repeat(1_000));
    assert_eq!(read(&long), read(&long));
    assert!(crate::clauses::kept_readings() <= 32);
}
