//! Whether evidence bears on a criterion. A judge may cite any receipt that exists; a pass counts only where the receipt ran,
//! does more than idle, speaks of what the criterion names, and shows the effect that the criterion claims.
//!
//! Everything here can only turn a pass into a fail, in words that say what would bear. Such a fail has no class: it says
//! nothing about the approach.
//!
//! This crate knows texts and receipts alone: no prompt, no model and no role, so that nothing here can ask anybody. Start with
//! [`hold`]; what a text claims to have been done is in [`claims`], what it says in figures in [`figures`], what it names in
//! `names`.

use artoo_request::RequestReading;
use artoo_types::criteria::{Criterion, CriterionVerdict, Verdict};
use artoo_types::evidence::{CheckEvidence, Receipt};
use artoo_types::plan::SubTask;
use artoo_types::text::first_chars;
use regex::Regex;

use crate::figures::FigureEvidence;

mod asked;
mod bent;
pub mod claims;
mod contents;
mod deeds;
mod dictated;
mod extras;
pub mod figures;
mod left;
mod names;
mod nothing;
mod orders;
mod part;
mod people;
mod pieces;
mod proof;
mod quotes;
mod remarks;
mod rerun;
mod runs;
mod shown;
mod suites;
mod veto;

use asked::asks_person;
use proof::{Proof, haystack};

pub use rerun::{Rerun, outcome as rerun_outcome, refute, reruns};
pub use runs::{says_well, shell_complains, tells_of_a_run};
pub use suites::suite;
pub use veto::veto;

/// A pattern that stands in the code.
#[allow(clippy::expect_used, reason = "the patterns are constants that the tests compile")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

/// Characters of a reason.
const REASON_CHARS: usize = 400;

/// Everything that a judgement may rest on.
#[derive(Debug, Default)]
pub struct ProofScene<'a> {
    /// The receipts that count, in order.
    pub receipts: Vec<&'a Receipt>,
    /// What checks saw.
    pub checks: &'a [CheckEvidence],
    /// The steps whose receipts these are.
    pub steps: Vec<&'a SubTask>,
    /// The text that is delivered, where a model may have written it.
    pub answer: Option<&'a str>,
    /// The person's words, and what was said before in their session.
    pub request: &'a str,
    /// Outputs of steps that matched before.
    pub accepted: Vec<&'a str>,
    /// The command that runs the tests of the place, where that says so itself.
    pub suite: Option<&'a str>,
    /// What the request asks for, where these receipts are all that there are.
    pub reading: Option<RequestReading>,
}

impl ProofScene<'_> {
    fn figures(&self) -> FigureEvidence {
        let known: Vec<&str> = self.accepted.iter().copied().chain([self.request]).collect();
        FigureEvidence::of(&self.receipts, &known)
    }

    /// All that is known, in small letters.
    fn known(&self) -> String {
        let receipts = self.receipts.iter().map(|receipt| haystack(receipt));
        let checks = self.checks.iter().map(|check| check.saw.clone());
        let told = self.accepted.iter().copied().chain([self.request]).map(str::to_owned);
        receipts.chain(checks).chain(told).collect::<Vec<_>>().join("\n").to_lowercase()
    }
}

/// Turns each pass whose evidence does not bear on its criterion into a fail. Where the judge cited one receipt and another
/// one bears, the other is cited.
pub fn hold(verdicts: &mut [CriterionVerdict], criteria: &[Criterion], scene: &ProofScene<'_>) {
    let proof = Proof::of(scene);
    for verdict in verdicts.iter_mut().filter(|v| v.passed()) {
        let Some(criterion) = criteria.get(verdict.index) else { continue };
        match proof.cited(criterion, verdict) {
            Ok(Some(better)) => verdict.cites = Some(better),
            Ok(None) => {}
            Err(reason) => {
                verdict.verdict = Verdict::Fail;
                verdict.failure_class = None;
                verdict.evidence = first_chars(&reason, REASON_CHARS);
            }
        }
    }
}

/// The figures and names of a delivered text that no receipt shows and the person did not say, and the effects that it tells
/// of and no receipt has; and that all tests pass, where the calls ran one file of them.
pub fn unsupported(answer: &str, scene: &ProofScene<'_>) -> Vec<String> {
    let figures = scene.figures();
    let mut found = figures.unsupported(answer);
    let off_pictures = figures.unshown_numbers(answer).into_iter().filter(|figure| !found.contains(figure));
    found.extend(off_pictures.collect::<Vec<_>>());
    if asks_person(scene.request) {
        found.extend(people::unknown(answer, &scene.known()));
    }
    found.extend(suites::partly_run(answer, scene.request, &scene.receipts));
    for effect in crate::claims::claimed_effects(answer, scene.reading.as_ref()) {
        if !scene.receipts.iter().any(|r| proof::shows(r, effect, answer)) {
            found.push(format!("something was {}", effect.as_str()));
        }
    }
    found
}

#[cfg(test)]
mod tests;
