//! Whether evidence bears on a criterion. A judge may cite any receipt that exists; a pass counts only where the receipt ran,
//! does more than idle, speaks of what the criterion names, and shows the effect that the criterion claims.
//!
//! Everything here can only turn a pass into a fail, in words that say what would bear. Such a fail has no class: it says
//! nothing about the approach.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use artoo_types::EvidenceId;
use artoo_types::claim::ClaimedEffect;
use artoo_types::criteria::{Check, Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::evidence::{CallEnd, CheckEvidence, Receipt};
use artoo_types::plan::SubTask;
use artoo_types::text::first_chars;

use crate::claims::{ordered, own_deeds, stated_effects};
use crate::figures::{FigureEvidence, written_text};
use crate::names::{is_among, mentions, named_paths, quoted_words};
use crate::prompt::one_line;

mod asked;
mod shown;

use asked::{asks_figure, asks_name, speaks_of_failure, stated_figures};
use shown::{exit_means_something, is_idle, shows_effect};

/// Characters of a command in a reason.
const COMMAND_CHARS: usize = 60;
/// Characters of a reason.
const REASON_CHARS: usize = 400;

/// Everything that a judgement may rest on.
#[derive(Debug, Default)]
pub(crate) struct ProofScene<'a> {
    /// The receipts that count, in order.
    pub(crate) receipts: Vec<&'a Receipt>,
    /// What checks saw.
    pub(crate) checks: &'a [CheckEvidence],
    /// The steps whose receipts these are.
    pub(crate) steps: Vec<&'a SubTask>,
    /// The text that is delivered, where a model may have written it.
    pub(crate) answer: Option<&'a str>,
    /// The person's words, and what was said before in their session.
    pub(crate) request: &'a str,
    /// Outputs of steps that matched before.
    pub(crate) accepted: Vec<&'a str>,
}

impl ProofScene<'_> {
    fn figures(&self) -> FigureEvidence {
        let known: Vec<&str> = self.accepted.iter().copied().chain([self.request]).collect();
        FigureEvidence::of(&self.receipts, &known)
    }
}

/// Turns each pass whose evidence does not bear on its criterion into a fail. Where the judge cited one receipt and another
/// one bears, the other is cited.
pub(crate) fn hold(verdicts: &mut [CriterionVerdict], criteria: &[Criterion], scene: &ProofScene<'_>) {
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
/// of and no receipt has.
pub(crate) fn unsupported(answer: &str, scene: &ProofScene<'_>) -> Vec<String> {
    let mut found = scene.figures().unsupported(answer);
    for effect in crate::claims::told_effects(answer) {
        if !scene.receipts.iter().any(|r| shows_effect(r, effect)) {
            found.push(format!("something was {}", effect.as_str()));
        }
    }
    found
}

/// A scene with what is computed of it once.
struct Proof<'a> {
    scene: &'a ProofScene<'a>,
    ordered: BTreeSet<ClaimedEffect>,
    /// Read when a criterion needs it.
    figures: OnceCell<FigureEvidence>,
}

impl<'a> Proof<'a> {
    fn of(scene: &'a ProofScene<'a>) -> Self {
        Self {
            scene,
            ordered: scene.steps.iter().flat_map(|s| ordered(&s.intent)).collect(),
            figures: OnceCell::new(),
        }
    }

    /// Another receipt to cite, if the pass counts with that one alone; why it does not count, if it does not.
    fn cited(&self, criterion: &Criterion, verdict: &CriterionVerdict) -> Result<Option<EvidenceId>, String> {
        let text = criterion.text.as_str();
        let cited = verdict.cites.as_ref().and_then(|id| self.scene.receipts.iter().find(|r| r.id == *id));
        match &criterion.check {
            Some(
                Check::FileExists { .. }
                | Check::FileAbsent { .. }
                | Check::FileContains { .. }
                | Check::FileLines { .. }
                | Check::FileJson { .. }
                | Check::FilesMatch { .. },
            ) => return Ok(None),
            Some(Check::ExitStatus { tool, .. } | Check::ToolCalled { tool }) => {
                let of_tool = |r: &&&Receipt| r.tool == *tool || r.classes.contains(tool);
                if let Some(last) = self.scene.receipts.iter().rfind(of_tool) {
                    self.busy(last)?;
                }
                return self.effects(text, cited.copied()).map(|()| None);
            }
            Some(
                Check::OutputContains { .. }
                | Check::OutputMatches { .. }
                | Check::OutputLines { .. }
                | Check::OutputJson { .. },
            ) => return self.effects(text, cited.copied()).map(|()| None),
            None => {}
        }
        self.effects(text, cited.copied())?;
        if criterion.mode == CriterionMode::Plausible {
            return Ok(None);
        }
        let better = match cited {
            Some(receipt) => self.bearing(text, receipt)?,
            None => None,
        };
        self.own_deeds()?;
        self.names(text)?;
        self.figures(text)?;
        Ok(better)
    }

    /// The cited receipt bears, or another one does.
    fn bearing(&self, text: &str, cited: &Receipt) -> Result<Option<EvidenceId>, String> {
        match self.bears(text, cited) {
            Ok(()) => Ok(None),
            Err(reason) => {
                let other = self.scene.receipts.iter().find(|r| self.bears(text, r).is_ok());
                other.map(|r| Some(r.id.clone())).ok_or(reason)
            }
        }
    }

    fn bears(&self, text: &str, receipt: &Receipt) -> Result<(), String> {
        let shown = format!("{} (`{}`)", receipt.id, call_of(receipt));
        if receipt.end != CallEnd::Ran {
            return Err(format!("{shown} did not run; a call that ran would show it"));
        }
        let is_read = receipt.exit == Some(0) || receipt.exit.is_none();
        if !is_read && !exit_means_something(receipt, text) && !speaks_of_failure(text) {
            let exit = receipt.exit.unwrap_or_default();
            return Err(format!(
                "{shown} ended with exit status {exit}; a call that did its work would show it"
            ));
        }
        self.busy(receipt)?;
        let names = named_paths(text);
        let haystack = haystack(receipt);
        if !names.is_empty() && !names.iter().any(|name| mentions(&haystack, name)) {
            return Err(format!("{shown} says nothing of {}", names.join(", ")));
        }
        Ok(())
    }

    /// A call that does nothing shows nothing, unless the plan asked for exactly that.
    fn busy(&self, receipt: &Receipt) -> Result<(), String> {
        let planned: Vec<&str> = self.scene.steps.iter().flat_map(|s| &s.tools).map(String::as_str).collect();
        if is_idle(receipt, &planned) {
            return Err(format!(
                "{} does nothing that could show it; a call that does the work would",
                shown_as(receipt)
            ));
        }
        Ok(())
    }

    /// What the text claims to have been done was done by a call.
    fn effects(&self, text: &str, cited: Option<&Receipt>) -> Result<(), String> {
        let names = named_paths(text);
        for effect in stated_effects(text, &self.ordered) {
            let mut showing = self.scene.receipts.iter().filter(|r| shows_effect(r, effect)).peekable();
            let cited = cited.map_or_else(|| "no call".to_owned(), shown_as);
            let done = effect.as_str();
            if showing.peek().is_none() {
                return Err(format!(
                    "{cited}; nothing was {done} by any call of this work; the receipt of a call by which it was {done} would \
                     show it"
                ));
            }
            let about = |r: &&Receipt| names.iter().any(|name| acts_on(r, name));
            if !names.is_empty() && !showing.any(about) {
                return Err(format!("{cited}; what was {done} is not {}", names.join(", ")));
            }
        }
        Ok(())
    }

    /// The answer boasts of nothing that no call did.
    fn own_deeds(&self) -> Result<(), String> {
        let told = own_deeds(self.scene.answer.unwrap_or_default());
        match told.into_iter().find(|effect| !self.scene.receipts.iter().any(|r| shows_effect(r, *effect))) {
            Some(effect) => Err(format!(
                "the answer says that something was {} by it, and no receipt shows that",
                effect.as_str()
            )),
            None => Ok(()),
        }
    }

    /// Everything that the text names was looked at or changed by some call, or stands in a check.
    fn names(&self, text: &str) -> Result<(), String> {
        let seen: Vec<String> = self.scene.receipts.iter().map(|r| haystack(r)).collect();
        let told = |name: &str| {
            seen.iter().any(|text| mentions(text, name))
                || self.scene.checks.iter().any(|c| mentions(&c.saw, name))
                || self.scene.accepted.iter().any(|text| mentions(text, name))
        };
        if let Some(name) = named_paths(text).iter().find(|name| !told(name)) {
            return Err(format!("no receipt says anything of {name}"));
        }
        let quoted = quoted_words(text);
        let holds = |word: &String| {
            let word = word.to_lowercase();
            let answer = self.scene.answer.unwrap_or_default().to_lowercase();
            answer.contains(&word) || seen.iter().any(|text| text.to_lowercase().contains(&word))
        };
        if !quoted.is_empty() && !quoted.iter().any(holds) {
            return Err(format!("neither a receipt nor the answer holds \"{}\"", quoted.join("\", \"")));
        }
        Ok(())
    }

    /// The figures that the text states or asks for stand in receipts.
    fn figures(&self, text: &str) -> Result<(), String> {
        let figures = self.figures.get_or_init(|| self.scene.figures());
        let stated = figures.unsupported_numbers(&stated_figures(text));
        if !stated.is_empty() {
            return Err(not_shown(&stated));
        }
        if asks_figure(text) {
            let told = figures.unsupported_numbers(self.scene.answer.unwrap_or_default());
            if !told.is_empty() {
                return Err(not_shown(&told));
            }
            for receipt in &self.scene.receipts {
                let Some(written) = written_text(receipt) else { continue };
                let made_up = figures.unsupported_numbers(&written);
                if !made_up.is_empty() {
                    return Err(format!("{} wrote what is {}", receipt.id, not_shown(&made_up)));
                }
            }
        }
        if asks_name(text) {
            let told = figures.unsupported(self.scene.answer.unwrap_or_default());
            if !told.is_empty() {
                return Err(not_shown(&told));
            }
        }
        Ok(())
    }
}

/// Whether a call that changed something changed what is named: by the files that changed where the name has a folder, else
/// by all that the receipt says.
fn acts_on(receipt: &Receipt, name: &str) -> bool {
    let changes = &receipt.act.changes;
    let has_folder = name.trim_start_matches("./").contains('/');
    if has_folder && name.is_ascii() && !changes.is_empty() && receipt.act.changes_omitted == 0 {
        return is_among(changes.iter().map(|c| c.path.as_str()), name);
    }
    mentions(&haystack(receipt), name)
}

fn not_shown(figures: &[String]) -> String {
    format!("not in any receipt: {}; let a tool compute or read it", figures.join(", "))
}

/// All that a receipt says.
fn haystack(receipt: &Receipt) -> String {
    let changed: Vec<&str> = receipt.act.changes.iter().map(|c| c.path.as_str()).collect();
    let written = receipt.act.written.as_deref().unwrap_or_default();
    let note = receipt.note.as_deref().unwrap_or_default();
    [&receipt.arguments, receipt.target.as_str(), &receipt.output, note, written, &changed.join("\n")]
        .join("\n")
}

/// The receipt as a reason names it: its id and what ran.
fn shown_as(receipt: &Receipt) -> String {
    format!("{} is `{}`", receipt.id, call_of(receipt))
}

/// What ran, on one line.
fn call_of(receipt: &Receipt) -> String {
    let command = shown::command(receipt).unwrap_or_else(|| format!("{} {}", receipt.tool, receipt.target));
    first_chars(one_line(&command).trim(), COMMAND_CHARS)
}

#[cfg(test)]
mod tests;
