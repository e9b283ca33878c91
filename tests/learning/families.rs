//! The tasks, in the order in which they are run.

use Likeness::{First, NewTarget, NewWords, NewWordsAndTarget};
use Trap::{Binary, Compressed, Count, Lines, Moved, None as Free};

/// What lies in wait in a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trap {
    /// Nothing: the habit works. The memory must do no harm here.
    None,
    /// A tool that runs and finds nothing in a class of files: `sed` in compressed logs.
    Compressed,
    /// A tool that breaks down on a class of files: `read_file` on binary recordings.
    Binary,
    /// A folder that was moved: what lies in `reports/` lies in `archive/reports/` now.
    Moved,
    /// A tool that reads a file as one JSON document, where each line is one.
    Lines,
    /// A wrong procedure: `wc -l` counts the header and prints the name as well.
    Count,
}

/// How a task is like the first one of its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// It is the first: what it teaches cannot be known before.
    First,
    /// The same words about another target of the class.
    NewTarget,
    /// Other words about the same target.
    NewWords,
    /// Other words about another target of the class.
    NewWordsAndTarget,
}

/// One task.
#[derive(Debug)]
pub(crate) struct Task {
    /// What lies in wait.
    pub(crate) trap: Trap,
    /// How it is like the first of its family.
    pub(crate) likeness: Likeness,
    /// The request.
    pub(crate) request: &'static str,
    /// What the output of a right result holds.
    pub(crate) truth: &'static str,
    /// Whether it is in the short form of `make test`.
    pub(crate) in_short: bool,
}

const fn task(trap: Trap, likeness: Likeness, request: &'static str, truth: &'static str) -> Task {
    Task { trap, likeness, request, truth, in_short: false }
}

/// The same, in the short form too.
const fn short(trap: Trap, likeness: Likeness, request: &'static str, truth: &'static str) -> Task {
    Task { trap, likeness, request, truth, in_short: true }
}

/// 40 tasks for the naive model.
pub(crate) const NAIVE: &[Task] = &[
    short(Compressed, First, "Find lines with timeout in logs/mon.log.gz", "timeout at mon"),
    short(Free, First, "Show note notes/garden.txt", "note garden"),
    short(Moved, First, "Show report reports/q1.txt", "report q1"),
    short(Count, First, "Count records in tables/north.csv", "4"),
    short(Binary, First, "Show recording records/one.dat", "recording one"),
    short(Compressed, NewTarget, "Find lines with timeout in logs/tue.log.gz", "timeout at tue"),
    short(Moved, NewTarget, "Show report reports/q2.txt", "report q2"),
    short(Count, NewTarget, "Count records in tables/south.csv", "3"),
    short(Binary, NewTarget, "Show recording records/two.dat", "recording two"),
    short(Compressed, NewWords, "Which lines of logs/mon.log.gz mention timeout?", "timeout at mon"),
    task(Free, NewTarget, "Show note notes/kitchen.txt", "note kitchen"),
    short(Moved, NewWords, "Display the report reports/q1.txt", "report q1"),
    short(Count, NewWords, "How many records are in tables/north.csv?", "4"),
    task(Binary, NewWords, "Display the recording records/one.dat", "recording one"),
    short(Compressed, NewWordsAndTarget, "Look for timeout in old/wed.log.gz", "timeout at wed"),
    task(Free, NewWordsAndTarget, "Which lines of plain/live.log mention timeout?", "timeout at live"),
    short(Count, NewWordsAndTarget, "Tell the number of records of tables/east.csv", "5"),
    task(Compressed, NewTarget, "Find lines with refused in logs/thu.log.gz", "refused at thu"),
    task(Moved, NewTarget, "Show report reports/q3.txt", "report q3"),
    task(Binary, NewTarget, "Show recording records/three.dat", "recording three"),
    task(Free, NewTarget, "Find lines with timeout in plain/live.log", "timeout at live"),
    task(Moved, NewTarget, "Show report reports/q4.txt", "report q4"),
    task(Compressed, NewWordsAndTarget, "Which lines of old/fri.log.gz mention refused?", "refused at fri"),
    task(Count, NewTarget, "Count records in tables/west.csv", "2"),
    task(Free, NewWordsAndTarget, "Open the note notes/cellar.txt", "note cellar"),
    task(Binary, NewTarget, "Show recording records/four.dat", "recording four"),
    task(Moved, NewWords, "Show report reports/q2.txt again", "report q2"),
    task(Compressed, NewTarget, "Find lines with refused in old/fri.log.gz", "refused at fri"),
    task(Count, NewWordsAndTarget, "How many records does tables/total.csv have?", "6"),
    task(Binary, NewWords, "Print the recording records/two.dat", "recording two"),
    task(Free, NewTarget, "Show note notes/attic.txt", "note attic"),
    task(Moved, NewWordsAndTarget, "What does reports/year.txt say?", "report year"),
    task(Compressed, NewWords, "Search logs/tue.log.gz for timeout", "timeout at tue"),
    task(Count, NewWords, "How many records are in tables/south.csv?", "3"),
    task(Free, NewTarget, "Find lines with refused in plain/live.log", "refused at live"),
    task(Moved, NewTarget, "Show report reports/q5.txt", "report q5"),
    task(Binary, NewWordsAndTarget, "What is in records/five.dat?", "recording five"),
    task(Compressed, NewTarget, "Find lines with timeout in logs/sat.log.gz", "timeout at sat"),
    task(Free, NewWords, "Display the note notes/garden.txt", "note garden"),
    task(Count, NewTarget, "Count records in tables/inner.csv", "7"),
];

/// Tasks that the offline rules understand. One kind of trap is left for them: what lies elsewhere they see before they plan.
pub(crate) const OFFLINE: &[Task] = &[
    short(Lines, First, "what is the value of level in events/q1.json", "report q1"),
    short(Free, First, "show the first 2 lines of notes/garden.txt", "note garden"),
    short(Lines, NewTarget, "what is the value of level in events/q2.json", "report q2"),
    short(Lines, NewWords, "show the value of level in events/q1.json", "report q1"),
    task(Lines, NewTarget, "what is the value of level in events/q3.json", "report q3"),
    short(Free, NewTarget, "show the first 2 lines of notes/kitchen.txt", "note kitchen"),
    task(Lines, NewWords, "read the value of level in events/q2.json", "report q2"),
    task(Lines, NewTarget, "what is the value of level in events/q4.json", "report q4"),
    task(Free, NewTarget, "show the first 2 lines of notes/attic.txt", "note attic"),
    task(Lines, NewTarget, "what is the value of level in events/q5.json", "report q5"),
    task(Lines, NewTarget, "what is the value of level in events/year.json", "report year"),
    task(Free, NewWords, "print the first 2 lines of notes/garden.txt", "note garden"),
];

impl Trap {
    /// The failure of this trap: the tool class and whether a target is of its class.
    pub(crate) fn springs(self, class: &str, target: &str) -> bool {
        match self {
            Self::None => false,
            Self::Compressed => class == "shell:sed" && target.ends_with(".gz"),
            Self::Binary => class == "read_file" && target.ends_with(".dat"),
            Self::Moved => target.contains("/work/reports/"),
            Self::Lines => class == "read_file" && target.contains("/work/events/"),
            Self::Count => class == "shell:wc" && target.ends_with(".csv"),
        }
    }

    /// Every trap.
    pub(crate) const ALL: [Self; 6] =
        [Self::Compressed, Self::Binary, Self::Moved, Self::Lines, Self::Count, Self::None];

    /// What it is called in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "no trap",
            Self::Compressed => "tool finds nothing in *.gz",
            Self::Binary => "tool breaks on *.dat",
            Self::Moved => "moved folder",
            Self::Lines => "one document a line",
            Self::Count => "wrong procedure",
        }
    }
}

impl Likeness {
    /// Every kind.
    pub(crate) const ALL: [Self; 4] = [Self::First, Self::NewTarget, Self::NewWords, Self::NewWordsAndTarget];

    /// What it is called in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::First => "first of its family",
            Self::NewTarget => "another target",
            Self::NewWords => "other words",
            Self::NewWordsAndTarget => "other words and target",
        }
    }
}
