//! What of the request a draft leaves out: an action that no criterion speaks of, a file that nothing names.
//!
//! A claim of a model that a plan is whole proves nothing; the words of the person and the words of the draft are laid side
//! by side here. False demands are worse than a gap: any wording in either language counts that could speak of the action.

use artoo_request::{Action, RequestClause, RequestReading, is_look, mentions};
use artoo_types::criteria::{Check, Criterion, CriterionMode};
use artoo_types::plan::UncoveredPart;
use artoo_types::reply::PlannedStep;
use artoo_types::text::first_chars;

/// Characters of a clause in a reason: a sentence.
const PART_CHARS: usize = 200;
/// Most parts that are named; a planner reads no more at once.
const MOST_PARTS: usize = 8;

/// A criterion with the words around it.
struct ToldCriterion {
    check: Option<Check>,
    /// Its text and its check.
    own: String,
    /// The same, and what its step intends, with its inputs.
    near: String,
}

impl ToldCriterion {
    /// Whether it looks at what a call puts out, or at how it ends.
    fn shows_a_run(&self) -> bool {
        match &self.check {
            Some(
                Check::OutputContains { .. }
                | Check::OutputMatches { .. }
                | Check::OutputLines { .. }
                | Check::OutputJson { .. }
                | Check::ExitStatus { .. },
            ) => true,
            Some(
                Check::FileExists { .. }
                | Check::FileAbsent { .. }
                | Check::FileContains { .. }
                | Check::FileLines { .. }
                | Check::FileJson { .. }
                | Check::FilesMatch { .. }
                | Check::ToolCalled { .. },
            )
            | None => false,
        }
    }
}

/// The words of a plan.
#[derive(Default)]
pub(super) struct PlanWords {
    criteria: Vec<ToldCriterion>,
    all: String,
}

/// What a plan leaves out.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// The parts that it does not speak of.
    pub(super) uncovered: Vec<UncoveredPart>,
    /// Whether the rest is worth doing without them: something is left, and no change comes before one that the person
    /// put in front of it, as a deletion before the copy.
    pub(super) rest_stands: bool,
}

impl PlanWords {
    /// Adds a criterion of the whole task. Where one step does all, its words stand near.
    pub(super) fn add_task_criterion(&mut self, criterion: &Criterion, only_step: Option<&PlannedStep>) {
        let near =
            only_step.map(|step| format!("{} {}", step.intent, step.targets.join(" "))).unwrap_or_default();
        self.add(criterion.clone(), &near);
    }

    /// Adds a step that is drafted.
    pub(super) fn add_step(&mut self, step: &PlannedStep) {
        let near = format!("{} {}", step.intent, step.targets.join(" "));
        for criterion in &step.success_criteria {
            self.add(Criterion::from(criterion.clone()), &near);
        }
        for call in &step.calls {
            self.add_words(&call.arguments.to_string());
        }
        self.add_words(&format!("{near} {} {}", step.context, step.tools.join(" ")));
    }

    /// Adds a step that stays from an earlier plan.
    pub(super) fn add_kept(&mut self, step: &artoo_types::plan::SubTask) {
        let near = format!("{} {}", step.intent, step.targets.join(" "));
        for criterion in &step.success_criteria {
            self.add(criterion.clone(), &near);
        }
        self.add_words(&format!("{near} {} {}", step.context, step.tools.join(" ")));
    }

    fn add(&mut self, criterion: Criterion, near: &str) {
        let check = criterion.check.as_ref().and_then(|check| serde_json::to_string(check).ok());
        let own = format!("{} {}", criterion.text, check.unwrap_or_default());
        self.add_words(&own);
        self.criteria.push(ToldCriterion { check: criterion.check, near: format!("{own} {near}"), own });
    }

    fn add_words(&mut self, words: &str) {
        self.all.push_str(words);
        self.all.push('\n');
    }
}

/// Lays a request and a plan side by side.
pub(super) fn coverage(reading: &RequestReading, plan: &PlanWords) -> Coverage {
    let asked: Vec<&RequestClause> = reading.asked().collect();
    let covered: Vec<bool> = asked.iter().map(|clause| is_covered(clause, &asked, plan)).collect();
    let clauses = asked.iter().zip(&covered).filter(|(_, covered)| !**covered);
    let actions = clauses.map(|(clause, _)| UncoveredPart::Action(first_chars(&clause.text, PART_CHARS)));
    let files =
        unnamed_files(reading, &asked, plan).map(|file| UncoveredPart::File(first_chars(file, PART_CHARS)));
    let is_change = |of: bool| {
        move |(clause, covered): &(&&RequestClause, &bool)| clause.action.changes() && **covered == of
    };
    let first_gap = asked.iter().zip(&covered).position(|pair| is_change(false)(&pair));
    let last_change = asked.iter().zip(&covered).rposition(|pair| is_change(true)(&pair));
    let in_order = first_gap.is_none_or(|gap| last_change.is_none_or(|change| change < gap));
    Coverage {
        uncovered: actions.chain(files).take(MOST_PARTS).collect(),
        rest_stands: in_order && (asked.is_empty() || covered.iter().any(|covered| *covered)),
    }
}

/// An action that changes something is no matter of judgement: what says that it was done needs evidence.
pub(super) fn demand_evidence<'a>(
    reading: &RequestReading,
    criteria: impl Iterator<Item = &'a mut Criterion>,
) {
    for criterion in criteria.filter(|criterion| criterion.mode == CriterionMode::Plausible) {
        if reading.asked().any(|clause| clause.action.changes() && clause.action.is_told_in(&criterion.text))
        {
            criterion.mode = CriterionMode::Verifiable;
        }
    }
}

fn is_covered(clause: &RequestClause, asked: &[&RequestClause], plan: &PlanWords) -> bool {
    if clause.action.changes() {
        let count = |like: &dyn Fn(&RequestClause) -> bool| asked.iter().filter(|other| like(other)).count();
        let rivals = Rivals {
            of_action: count(&|other| other.action == clause.action) > 1,
            of_change: count(&|other| other.action.changes()) > 1,
        };
        return plan.criteria.iter().any(|criterion| speaks_of(criterion, clause, &rivals));
    }
    // A plan that answers the only clause of a request with anything at all answers that one.
    clause.action == Action::Answer
        || asked.len() == 1
        || clause.action.is_told_in(&plan.all)
        || clause.named_in(&plan.all)
        || clause.words_told_in(&plan.all)
        || (is_of_a_run(clause) && plan.criteria.iter().any(ToldCriterion::shows_a_run))
        || (clause.action == Action::Find && asks_for_a_cause(clause, asked))
}

/// Whether a clause asks to see something, or to run what was spoken of before, without a name.
fn is_of_a_run(clause: &RequestClause) -> bool {
    let ends_in_pronoun = || ["it", "them", "它"].iter().any(|word| clause.text.trim_end().ends_with(word));
    let is_of = clause.action == Action::Read || (clause.action == Action::Run && ends_in_pronoun());
    is_of && !clause.names_something()
}

/// Whether a clause asks what is wrong with what another one orders to be changed: the change shows that it was found.
fn asks_for_a_cause(clause: &RequestClause, asked: &[&RequestClause]) -> bool {
    const CAUSES: &str =
        "why, cause, reason, wrong, problem, fault, bug, error, 原因, 为什么, 问题, 错误, 毛病";
    let lower = clause.text.to_lowercase();
    let is_cause = CAUSES.split(", ").any(|word| lower.contains(word));
    is_cause && !clause.names_something() && asked.iter().any(|other| other.action == Action::Change)
}

/// Which other clauses of a request a criterion could mean as well.
struct Rivals {
    /// One of the same action.
    of_action: bool,
    /// One of any action that changes something.
    of_change: bool,
}

/// Whether a criterion speaks of the effect, or of the object, of an action that changes something.
fn speaks_of(criterion: &ToldCriterion, clause: &RequestClause, rivals: &Rivals) -> bool {
    let told = clause.effect_told_in(&criterion.own);
    let shown = criterion.check.as_ref().is_some_and(|check| shows(clause.action, check));
    let only_looks = criterion.check.is_none() && !told && is_look(&criterion.own);
    let object_suffices =
        !only_looks && matches!(clause.action, Action::Make | Action::Change | Action::Copy | Action::Move);
    if clause.names_something() {
        let of_object = clause.named_in(&criterion.near);
        return ((told || shown) && of_object) || (object_suffices && clause.named_in(&criterion.own));
    }
    let shared = clause.words_told_in(&criterion.near);
    (told && (!rivals.of_action || shared))
        || (shown && !rivals.of_change)
        || (object_suffices && clause.shares_words_with(&criterion.own))
}

/// Whether a check looks at what the action leaves.
fn shows(action: Action, check: &Check) -> bool {
    match check {
        Check::FileAbsent { .. } => matches!(action, Action::Delete | Action::Move),
        Check::FileExists { .. } => {
            matches!(action, Action::Make | Action::Copy | Action::Move | Action::Change)
        }
        Check::FileContains { .. }
        | Check::FileLines { .. }
        | Check::FileJson { .. }
        | Check::FilesMatch { .. } => {
            matches!(action, Action::Make | Action::Change | Action::Delete | Action::Move | Action::Copy)
        }
        Check::OutputContains { .. }
        | Check::OutputMatches { .. }
        | Check::OutputLines { .. }
        | Check::OutputJson { .. }
        | Check::ExitStatus { .. }
        | Check::ToolCalled { .. } => false,
    }
}

/// The files of the request that nothing in the plan names. The only file of the only question goes without saying: the
/// executor sees the person's words.
fn unnamed_files<'a>(
    reading: &'a RequestReading,
    asked: &[&RequestClause],
    plan: &'a PlanWords,
) -> impl Iterator<Item = &'a String> {
    let goes_without_saying =
        reading.files.len() == 1 && asked.len() <= 1 && !asked.iter().any(|clause| clause.action.changes());
    reading.files.iter().filter(move |file| !goes_without_saying && !mentions(&plan.all, file))
}
