//! What the outputs of calls show: lines, texts and numbers.

use std::collections::BTreeSet;

use artoo_types::EvidenceId;

use crate::check::{CheckFinding, CheckScene};

/// The full outputs of the calls that a claim may rest on.
pub(super) struct ShownOutputs {
    outputs: Vec<(EvidenceId, String)>,
    /// Numbers that stand in them, and how many lines they have with and without a heading.
    numbers: BTreeSet<String>,
    /// Numbers that the steps' own words have: no finding, but no invention either.
    told: BTreeSet<String>,
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
        Self { outputs, numbers, told: numbers_of(&subject.told).collect() }
    }

    /// Whether no call shows anything.
    pub(super) fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// The first finding among the outputs, with the receipt that it is from.
    pub(super) fn find(&self, look: impl Fn(&str) -> Option<String>) -> Option<CheckFinding> {
        let mut found = self.outputs.iter().filter_map(|(id, output)| Some((id, look(output)?)));
        found.next().map(|(id, saw)| CheckFinding::Holds(format!("{saw}, in {id}")))
    }

    /// Whether an output holds this text, or the numbers in it are those of the outputs.
    pub(super) fn gives(&self, text: &str) -> bool {
        let mut numbers = numbers_of(text).peekable();
        let holds = self.outputs.iter().any(|(_, output)| output.contains(text.trim()));
        holds || (numbers.peek().is_some() && numbers.all(|number| self.numbers.contains(&number)))
    }

    /// Whether this line of a text, without the mark of a list, stands in an output or tells numbers of the outputs.
    pub(super) fn has_line(&self, line: &str) -> bool {
        let line = line.trim();
        let bare = line.trim_start_matches(['-', '*', '•']).trim().trim_matches('`');
        line.is_empty() || self.gives(line) || (!bare.is_empty() && self.gives(bare))
    }

    /// A number of the text that neither the outputs nor the steps' words have.
    pub(super) fn unknown_number(&self, text: &str) -> Option<String> {
        let is_known = |number: &String| self.numbers.contains(number) || self.told.contains(number);
        text.lines().flat_map(figures_of).find(|number| !is_known(number))
    }
}

/// The numbers that a line of a text tells: not the mark of a list ("1."), nor what belongs to a name (`python3`, `r9`).
fn figures_of(line: &str) -> Vec<String> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_mark = digits > 0 && line[digits..].starts_with(['.', ')', '、']) && {
        let behind = &line[digits..];
        behind.chars().nth(1).is_none_or(|c| c.is_whitespace() || behind.starts_with('、'))
    };
    let line = if is_mark { &line[digits..] } else { line };
    let mut figures = Vec::new();
    let mut before = ' ';
    for word in line.split_inclusive(|c: char| !c.is_ascii_digit() && c != '.' && c != ',') {
        let number = word.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        if !before.is_ascii_alphabetic() && before != '_' {
            figures.extend(numbers_of(number));
        }
        before = word.chars().next_back().unwrap_or(' ');
    }
    figures
}

/// The numbers of a text, without separators of thousands.
fn numbers_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    parts
        .map(|part| part.trim_matches(['.', ',']).replace(',', ""))
        .filter(|number| number.contains(|c: char| c.is_ascii_digit()))
}
