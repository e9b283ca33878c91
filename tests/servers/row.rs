//! A row of the table, and how it ended.

use std::fmt;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::time::Instant;

use artoo_testing::TaskRun;
use serde_json::Value;

/// Where the servers lie.
pub(crate) struct Servers {
    /// For `PYTHONPATH`.
    pub(crate) python: PathBuf,
    /// Holds `node_modules`.
    pub(crate) npm: PathBuf,
}

/// One server, one situation, and how a task has to end in it.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) server: &'static str,
    pub(crate) name: &'static str,
    pub(crate) end: End,
    pub(crate) task: fn(&Servers) -> Told,
}

/// What is right.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    /// The task is done, and what is told holds these words.
    Done(&'static [&'static str]),
    /// It is not done, and what is told holds these words.
    Refused(&'static [&'static str]),
    /// It is not done, and what is told holds one of these words.
    RefusedOneWay(&'static [&'static str]),
}

impl End {
    fn allows(self, told: &Told) -> bool {
        let holds = |word: &&str| told.words.contains(*word);
        match self {
            Self::Done(words) => told.is_done && words.iter().all(holds),
            Self::Refused(words) => !told.is_done && words.iter().all(holds),
            Self::RefusedOneWay(words) => !told.is_done && words.iter().any(holds),
        }
    }
}

/// What a person is told at the end.
pub(crate) struct Told {
    is_done: bool,
    words: String,
}

/// How a row ended.
pub(crate) struct Ended {
    row: Row,
    seconds: f64,
    /// None if the harness had to end it.
    told: Option<Told>,
}

impl Row {
    /// Runs it to its end, whatever that is.
    pub(crate) fn run(self, servers: &Servers) -> Ended {
        let began = Instant::now();
        // The panic has been printed; the other rows do not depend on this one.
        let told = catch_unwind(std::panic::AssertUnwindSafe(|| (self.task)(servers))).ok();
        Ended { row: self, seconds: began.elapsed().as_secs_f64(), told }
    }
}

impl Told {
    /// What something else than a task told.
    pub(crate) fn new(is_done: bool, words: impl Into<String>) -> Self {
        Self { is_done, words: words.into() }
    }
}

impl From<&TaskRun> for Told {
    /// The end of a task: its reason, its words, what was tried and what a person can do next.
    fn from(run: &TaskRun) -> Self {
        let result = run.result();
        let is_done = run.code == Some(0) && result["directive"] == "accept";
        let texts = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let words = if is_done { texts(&result["output"]) } else { texts(&result["summary"]) };
        let lists: Vec<String> = ["tried", "ruled_out", "next_moves"]
            .iter()
            .filter_map(|name| result[*name].as_array().filter(|list| !list.is_empty()))
            .map(|list| list.iter().map(texts).collect::<Vec<_>>().join("; "))
            .collect();
        let lists = if is_done { String::new() } else { format!(" | {}", lists.join(" | ")) };
        Self { is_done, words: format!("[{}] {words}{lists}", texts(&result["reason"])) }
    }
}

impl Ended {
    pub(crate) fn is_right(&self) -> bool {
        self.told.as_ref().is_some_and(|told| self.row.end.allows(told))
    }
}

/// Characters of a line of what was told.
const SHOWN_CHARS: usize = 240;

impl fmt::Display for Ended {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { server, name, end, .. } = self.row;
        let mark = if self.is_right() { "ok  " } else { "FAIL" };
        let told = match &self.told {
            Some(Told { is_done: true, words }) => format!("done: {words}"),
            Some(Told { is_done: false, words }) => format!("refused: {words}"),
            None => "no end of its own".to_owned(),
        };
        let line: String = told.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = line.chars().take(SHOWN_CHARS).collect();
        write!(to, "{mark} {server:<10} {name:<46} {:>5.1} s  {shown}", self.seconds)?;
        if !self.is_right() {
            write!(to, "\n     wanted: {end:?}; all that was told: {told}")?;
        }
        Ok(())
    }
}
