//! What the outputs of calls show: lines, texts and numbers.

use std::collections::BTreeSet;

use artoo_relevance::figures::FigureEvidence;
use artoo_types::EvidenceId;

use crate::check::{CheckFinding, CheckScene};

/// The full outputs of the calls that a claim may rest on.
pub(super) struct ShownOutputs {
    outputs: Vec<(EvidenceId, String)>,
    /// Those of calls that ran and failed: nothing good rests on them.
    failed: Vec<(EvidenceId, String)>,
    /// Numbers that stand in them, and how many lines they have with and without a heading.
    numbers: BTreeSet<String>,
    /// What the steps' own words and failing calls tell: no finding, but no invention either.
    told: String,
    /// The classes of the calls.
    classes: Vec<String>,
}

impl ShownOutputs {
    /// Those that can be read; one that was swept shows nothing.
    pub(super) fn of(scene: &CheckScene<'_>) -> Self {
        let (work, subject) = (scene.work, scene.subject);
        let read = |id: &EvidenceId| Some((id.clone(), work.outputs.read(&work.artifacts, &id.0).ok()?));
        let outputs: Vec<(EvidenceId, String)> = subject.shown.iter().filter_map(read).collect();
        let mut numbers = BTreeSet::new();
        for (_, output) in &outputs {
            let lines = output.lines().filter(|line| !line.trim().is_empty()).count();
            numbers.extend(numbers_of(output));
            numbers.extend([lines, lines.saturating_sub(1)].map(|count| count.to_string()));
        }
        let failed = subject.failed.iter().filter_map(read).collect();
        let classes = subject.calls.iter().flat_map(|call| call.classes.clone()).collect();
        Self { outputs, failed, numbers, told: subject.told.clone(), classes }
    }

    /// Whether no call shows anything.
    pub(super) fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// The first finding among the outputs, with the receipt that it is from.
    pub(super) fn find(&self, look: impl Fn(&str) -> Option<String>) -> Option<CheckFinding> {
        first(&self.outputs, look)
    }

    /// The first finding among the outputs of calls that failed.
    pub(super) fn find_in_failed(&self, look: impl Fn(&str) -> Option<String>) -> Option<CheckFinding> {
        first(&self.failed, look)
    }

    /// Whether an output holds this text, or the numbers in it are those of the outputs. How a run ended is told by its own
    /// output alone, and that it ended well by one that did.
    pub(super) fn gives(&self, text: &str) -> bool {
        let holds = |(_, output): &(EvidenceId, String)| output.contains(text.trim());
        if artoo_relevance::tells_of_a_run(text) {
            return self.outputs.iter().any(holds);
        }
        self.outputs.iter().any(holds) || self.has_numbers(text) || self.has_figures(text)
    }

    /// Whether the text tells figures of several digits, and all are those of the outputs, however they are written.
    fn has_figures(&self, text: &str) -> bool {
        let is_more_than_one = text.chars().filter(char::is_ascii_digit).nth(1).is_some();
        is_more_than_one && self.evidence(&[]).shows_all(text)
    }

    fn evidence(&self, told: &[&str]) -> FigureEvidence {
        let outputs: Vec<&str> = self.outputs.iter().map(|(_, output)| output.as_str()).collect();
        let classes: Vec<&str> = self.classes.iter().map(String::as_str).collect();
        FigureEvidence::as_shown(&outputs, told, &classes)
    }

    /// Whether the text tells numbers, and all of them are those of the outputs.
    fn has_numbers(&self, text: &str) -> bool {
        let mut numbers = numbers_of(text).peekable();
        numbers.peek().is_some() && numbers.all(|number| self.numbers.contains(&number))
    }

    /// Whether this line of a text, without the mark of a list, stands in an output or tells numbers of the outputs.
    pub(super) fn has_line(&self, line: &str) -> bool {
        let line = line.trim();
        let bare = line.trim_start_matches(['-', '*', '•']).trim().trim_matches('`');
        let stands = |text: &str| {
            self.outputs.iter().any(|(_, output)| output.contains(text)) || self.has_numbers(text)
        };
        // The cells of a row of a table stand in a line, apart from each other.
        let mut cells =
            line.split('|').map(|cell| cell.trim().trim_matches('`')).filter(|cell| !cell.is_empty());
        let is_row = |line: &str| {
            let cells = || bare.split('|').map(|cell| cell.trim().trim_matches('`'));
            bare.contains('|') && cells().all(|cell| line.contains(cell))
        };
        let is_in_a_line = || self.outputs.iter().any(|(_, output)| output.lines().any(is_row));
        line.is_empty()
            || stands(line)
            || (!bare.is_empty() && stands(bare))
            || cells.nth(1).is_some() && is_in_a_line()
    }

    /// The figures of the text that neither the outputs nor what is told hold, in whatever way they are written.
    pub(super) fn unknown_figures(&self, text: &str) -> Vec<String> {
        self.evidence(&[&self.told]).unsupported_numbers(text)
    }
}

fn first(outputs: &[(EvidenceId, String)], look: impl Fn(&str) -> Option<String>) -> Option<CheckFinding> {
    let mut found = outputs.iter().filter_map(|(id, output)| Some((id, look(output)?)));
    found.next().map(|(id, saw)| CheckFinding::Holds(format!("{saw}, in {id}")))
}

/// The numbers of a text, without separators of thousands.
fn numbers_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    parts
        .map(|part| part.trim_matches(['.', ',']).replace(',', ""))
        .filter(|number| number.contains(|c: char| c.is_ascii_digit()))
}
