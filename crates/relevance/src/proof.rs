//! Whether one pass counts.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use artoo_request::{Action, RequestClause, RequestReading, Standing};
use artoo_types::EvidenceId;
use artoo_types::claim::ClaimedEffect;
use artoo_types::criteria::{Check, Criterion, CriterionMode, CriterionVerdict, Derived};
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::text::first_chars;

use crate::asked::{asks_figure, asks_name, speaks_of_failure, stated_figures};
use crate::claims::{is_about_contents, ordered, own_deeds, stated_effects};
use crate::figures::{FigureEvidence, written_text};
use crate::left::left_at;
use crate::names::{is_among, mentions, named_paths, quoted_words};
use crate::shown::{self, exit_means_something, is_idle, shows_effect};
use crate::{ProofScene, bent, contents, deeds, nothing, part, people, remarks, runs, suites};
use artoo_types::text::one_line;

/// Characters of a command in a reason.
const COMMAND_CHARS: usize = 60;
/// Everything that a call can be shown to have done.
const EFFECTS: [ClaimedEffect; 5] = [
    ClaimedEffect::Made,
    ClaimedEffect::Changed,
    ClaimedEffect::Deleted,
    ClaimedEffect::Moved,
    ClaimedEffect::Sent,
];

/// A scene with what is computed of it once.
pub(crate) struct Proof<'a> {
    scene: &'a ProofScene<'a>,
    ordered: BTreeSet<ClaimedEffect>,
    /// Read when a criterion needs it.
    figures: OnceCell<FigureEvidence>,
}

impl<'a> Proof<'a> {
    pub(crate) fn of(scene: &'a ProofScene<'a>) -> Self {
        Self {
            scene,
            ordered: scene.steps.iter().flat_map(|s| ordered(&s.intent)).collect(),
            figures: OnceCell::new(),
        }
    }

    /// Another receipt to cite, if the pass counts with that one alone; why it does not count, if it does not.
    pub(crate) fn cited(
        &self,
        criterion: &Criterion,
        verdict: &CriterionVerdict,
    ) -> Result<Option<EvidenceId>, String> {
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
            ) => return self.world(criterion).map(|()| None),
            Some(Check::ExitStatus { tool, .. } | Check::ToolCalled { tool }) => {
                let of_tool = |r: &&&Receipt| r.tool == *tool || r.classes.contains(tool);
                if let Some(last) = self.scene.receipts.iter().rfind(of_tool) {
                    self.busy(last)?;
                    self.ended(text, last)?;
                }
                self.whole(text)?;
                return self.effects(text, cited.copied()).map(|()| None);
            }
            Some(
                Check::OutputContains { .. }
                | Check::OutputMatches { .. }
                | Check::OutputLines { .. }
                | Check::OutputJson { .. },
            ) => {
                if criterion.check.as_ref().is_some_and(wants_nothing) {
                    nothing::shown(&self.scene.receipts)?;
                }
                self.requested()?;
                self.whole(text)?;
                return self.effects(text, cited.copied()).map(|()| None);
            }
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
        self.words(text)?;
        self.whole(text)?;
        if named_paths(text).is_empty() {
            self.requested()?;
        }
        Ok(better)
    }

    /// What the answer says, held against the receipts.
    fn words(&self, text: &str) -> Result<(), String> {
        boasts_of_nothing(self.scene.answer.unwrap_or_default(), &self.scene.receipts)?;
        self.names(text)?;
        self.figures(text)?;
        nothing::not_denied(self.scene.answer.unwrap_or_default(), &self.scene.receipts)?;
        people::are_known(&format!("{text}\n{}", self.scene.request), self.scene)
    }

    /// How the call ended is how what it ran ended, and how it is now.
    fn ended(&self, text: &str, receipt: &Receipt) -> Result<(), String> {
        runs::tells_its_end(receipt, text)?;
        suites::is_honest(receipt, text, self.scene.request)?;
        runs::is_last_word(receipt, &self.scene.receipts)
    }

    /// What only all the calls of the task can tell: a change that is asked for changed something, a script that is to run
    /// ran, and tests pass by more than a change of the tests.
    fn whole(&self, text: &str) -> Result<(), String> {
        let Some(reading) = &self.scene.reading else { return Ok(()) };
        let receipts = &self.scene.receipts;
        bent::leaves_tests(text, self.scene.request, receipts)?;
        runs::made_commit(text, self.scene.request, receipts)?;
        remarks::repairs(text, self.scene.request, receipts)?;
        let unrun =
            reading.asked().filter(|clause| clause.action == Action::Run).flat_map(|clause| &clause.files);
        for file in unrun.filter(|file| mentions(text, file)) {
            if !runs::ran(file, receipts) {
                return Err(format!("no call ran {file}"));
            }
        }
        part::is_fresh(text, reading, receipts, self.scene.answer.unwrap_or_default())?;
        let leaves = |action: Action| {
            matches!(action, Action::Make | Action::Change | Action::Delete | Action::Move | Action::Copy)
        };
        let is_told = |clause: &&RequestClause| leaves(clause.action) && clause.effect_told_in(text);
        let mut told = reading.asked().filter(|clause| !self.found_nothing() && is_told(clause));
        let acts = |receipt: &&Receipt| EFFECTS.iter().any(|effect| shows_effect(receipt, *effect));
        match told.next() {
            Some(clause) if !receipts.iter().any(acts) => Err(format!(
                "no call changed anything, and \"{}\" is asked for",
                first_chars(&clause.text, 80)
            )),
            _ => Ok(()),
        }
    }

    /// Some call was about something that the request names.
    fn requested(&self) -> Result<(), String> {
        let Some(named) = self.scene.reading.as_ref().map(|reading| &reading.files) else { return Ok(()) };
        let seen: Vec<String> = self.scene.receipts.iter().map(|r| haystack(r)).collect();
        let is_told = |name: &String| {
            seen.iter().any(|text| mentions(text, name))
                || self.scene.checks.iter().any(|c| mentions(&c.saw, name))
        };
        if named.is_empty() || seen.is_empty() || named.iter().any(is_told) {
            return Ok(());
        }
        Err(format!("no call looked at {}, which the request names", named.join(", ")))
    }

    /// What a check saw in the world is what the request leaves there, as far as receipts tell.
    fn world(&self, criterion: &Criterion) -> Result<(), String> {
        let Some(path) = criterion.check.as_ref().and_then(Check::path) else { return Ok(()) };
        let receipts = &self.scene.receipts;
        if !criterion.may_be_unchanged() {
            contents::differs(receipts, path)?;
        }
        match &criterion.derived {
            Some(Derived::Unchanged) => {
                if !receipts.iter().any(|receipt| self.bears(path, receipt).is_ok()) {
                    return Err(format!(
                        "{path} is as it was, and no call looked at it; one that does would show it"
                    ));
                }
                self.words(&criterion.text)
            }
            Some(Derived::Filled) => contents::filled(receipts, path),
            Some(Derived::Copied { from }) => {
                contents::filled(receipts, path)?;
                contents::copied(receipts, from, path)
            }
            Some(Derived::Moved { from }) => {
                contents::filled(receipts, path)?;
                contents::moved(receipts, from, path)
            }
            Some(Derived::Made | Derived::Changed | Derived::Deleted | Derived::Held | Derived::Original)
            | None => Ok(()),
        }
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
        self.ended(text, receipt)?;
        part::is_whole(receipt, text, self.scene.request)?;
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

    /// The search for what the request is about came back empty, or what is asked for depends on what a look did not find, and
    /// the answer says so: then there was nothing to be done.
    fn found_nothing(&self) -> bool {
        deeds::admits(self.scene.answer.unwrap_or_default())
            && (nothing::shown(&self.scene.receipts).is_ok() || self.case_did_not_occur())
    }

    /// All that is to be changed is so in a certain case ("clean it up if something is wrong"), and a call looked.
    fn case_did_not_occur(&self) -> bool {
        let Some(reading) = &self.scene.reading else { return false };
        let depends =
            |clause: &RequestClause| clause.standing == Standing::Conditional && clause.action.changes();
        let looked = |receipt: &&Receipt| receipt.succeeded() && !is_idle(receipt, &[]);
        reading.clauses.iter().any(depends)
            && !reading.asked().any(|clause| clause.action.changes())
            && self.scene.receipts.iter().any(looked)
    }

    /// What the text claims to have been done was done by a call.
    fn effects(&self, text: &str, cited: Option<&Receipt>) -> Result<(), String> {
        let names = named_paths(text);
        if self.found_nothing() {
            return Ok(());
        }
        for effect in stated_effects(text, &self.ordered) {
            let mut showing = self.scene.receipts.iter().filter(|r| shows(r, effect, text)).peekable();
            let cited = cited.map_or_else(|| "no call".to_owned(), shown_as);
            let done = effect.as_str();
            if showing.peek().is_none() {
                return Err(format!(
                    "{cited}; nothing was {done} by any call of this work; the receipt of a call by which it was {done} would \
                     show it"
                ));
            }
            let about = |r: &&Receipt| names.iter().any(|name| acts_on(r, name, effect));
            if !names.is_empty() && !showing.any(about) {
                return Err(format!("{cited}; what was {done} is not {}", names.join(", ")));
            }
            let places: Vec<&String> = names.iter().filter(|name| name.contains('/')).collect();
            let undone: Vec<String> = places
                .iter()
                .filter_map(|name| contents::differs(&self.scene.receipts, name).err())
                .collect();
            if undone.len() == places.len()
                && let Some(first) = undone.into_iter().next()
            {
                return Err(first);
            }
        }
        Ok(())
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

    /// What is left now in the files that the call changed, as far as receipts tell: a later call may have mended them.
    fn left_of(&self, receipt: &Receipt) -> Option<String> {
        let changes = &receipt.act.changes;
        if changes.is_empty() || receipt.act.changes_omitted > 0 {
            return None;
        }
        let left = changes.iter().map(|change| left_at(&self.scene.receipts, &change.path));
        let texts: Option<Vec<String>> = left.map(|left| Some(left?.added.join("\n"))).collect();
        texts.map(|texts| texts.join("\n"))
    }

    /// Whether what the call wrote may be what is asked for. Where the request only asks, a file that the text does not name
    /// is a by-product, and the answer is held against the receipts by itself.
    fn may_be_asked_for(&self, receipt: &Receipt, text: &str) -> bool {
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
        !self.scene.reading.as_ref().is_some_and(RequestReading::only_asks)
            || receipt.act.changes.iter().any(|change| mentions(&text.to_lowercase(), &name(&change.path)))
    }

    /// The figures that the text states or asks for stand in receipts.
    fn figures(&self, text: &str) -> Result<(), String> {
        let figures = self.figures.get_or_init(|| self.scene.figures());
        let stated = figures.unsupported_numbers(&stated_figures(text));
        if !stated.is_empty() {
            return Err(figures.refusal(&stated));
        }
        if asks_figure(text) {
            let told = figures.unsupported_numbers(self.scene.answer.unwrap_or_default());
            if !told.is_empty() {
                return Err(figures.refusal(&told));
            }
            for receipt in self.scene.receipts.iter().filter(|receipt| self.may_be_asked_for(receipt, text)) {
                let Some(written) = written_text(receipt) else { continue };
                let mut made_up = figures.unsupported_numbers(&written);
                if let Some(left) = self.left_of(receipt).filter(|_| !made_up.is_empty()) {
                    let stays = figures.unsupported_numbers(&left);
                    made_up.retain(|figure| stays.contains(figure));
                }
                if !made_up.is_empty() {
                    return Err(format!("{} wrote what is {}", receipt.id, figures.refusal(&made_up)));
                }
            }
        }
        if asks_name(text) {
            let told = figures.unsupported(self.scene.answer.unwrap_or_default());
            if !told.is_empty() {
                return Err(figures.refusal(&told));
            }
        }
        Ok(())
    }
}

/// The answer boasts of nothing that no call did.
pub(crate) fn boasts_of_nothing(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let told = own_deeds(answer);
    match told.into_iter().find(|effect| !receipts.iter().any(|r| shows(r, *effect, answer))) {
        Some(effect) => Err(format!(
            "the answer says that something was {} by it, and no receipt shows that",
            effect.as_str()
        )),
        None => Ok(()),
    }
}

/// Whether the call has the effect that the text speaks of. What lies in files is moved, removed, or gets another name, by
/// changing them.
pub(crate) fn shows(receipt: &Receipt, effect: ClaimedEffect, text: &str) -> bool {
    shows_effect(receipt, effect)
        || matches!(effect, ClaimedEffect::Moved | ClaimedEffect::Deleted)
            && is_about_contents(text)
            && shows_effect(receipt, ClaimedEffect::Changed)
}

/// Whether a call that changed something changed what is named: by the files that changed where the name has a folder, or
/// where something is gone; else by all that the receipt says.
fn acts_on(receipt: &Receipt, name: &str, effect: ClaimedEffect) -> bool {
    let changes = &receipt.act.changes;
    let is_file = !name.starts_with('.') || name.contains('/');
    let takes_away = is_file && matches!(effect, ClaimedEffect::Deleted | ClaimedEffect::Moved);
    let has_folder = name.trim_start_matches("./").contains('/');
    let tells = !changes.is_empty() && receipt.act.changes_omitted == 0;
    if (has_folder || takes_away) && name.is_ascii() && tells {
        return is_among(changes.iter().map(|c| c.path.as_str()), name);
    }
    mentions(&haystack(receipt), name)
}

/// Whether the check holds only for an output without lines.
fn wants_nothing(check: &Check) -> bool {
    if let Check::OutputLines { op, n } = check { op.holds(0.0, *n) && !op.holds(1.0, *n) } else { false }
}

/// All that a receipt says.
pub(crate) fn haystack(receipt: &Receipt) -> String {
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
