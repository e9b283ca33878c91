//! The surroundings of one task, fixed when it starts, so that the task is a fold over its inputs.

use serde::{Deserialize, Serialize};

use crate::limits::{MODEL_WAIT_MS, PromptLimits};
use crate::taint::Taint;
use crate::tool::ToolSpec;

/// Weights and thresholds of the controller. Source of the defaults: the table "Loss Hyperparameters" of the design.
///
/// They stand in every journal. Journals of earlier builds lack a new field, and their records must stay the same to the
/// byte: give it `#[serde(skip_serializing_if)]` for its default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ControlParams {
    /// α, weight of D.
    pub alpha: f64,
    /// β, weight of P before the budget shrinks it.
    pub beta: f64,
    /// λ, weight of Ω.
    pub lambda: f64,
    /// Share of Ω that comes from directives.
    pub w1: f64,
    /// Share of Ω that comes from time.
    pub w2: f64,
    /// ε. Changes below this are a plateau.
    pub epsilon: f64,
    /// δ. At or below this distance plausible gaps are tolerated; none by default, since most ends by tolerance were false.
    pub delta: f64,
    /// ρ. Above this implausibility the approach is wrong.
    pub rho: f64,
    /// θ. At or above this cost no replan can pay for itself.
    pub theta: f64,
    /// Time budget of a task, in milliseconds.
    pub time_budget_ms: u64,
    /// Most directives of a task.
    pub max_replans: u32,
    /// Most corrections of a subtask.
    pub max_retries: u32,
    /// What decides how the next plan must differ.
    #[serde(flatten)]
    pub steering: Steering,
    /// How long a task waits for a model that is busy or gone, in milliseconds, beside its time budget.
    #[serde(skip_serializing_if = "is_usual_wait")]
    pub model_wait_ms: u64,
    /// What the model calls of a task may cost, in dollars; 0: without bound.
    #[serde(skip_serializing_if = "is_no_bound")]
    pub max_cost: f64,
}

/// What decides how the next plan must differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Steering {
    /// Which change decides.
    pub gradient: GradientKind,
    /// By which law the next plan is steered. Journals that do not say are of builds that knew the first one alone.
    #[serde(default = "Law::of_earlier_builds", skip_serializing_if = "Law::is_of_earlier_builds")]
    pub law: Law,
    /// What a success is worth to the person, in model calls: a round that costs more than its chance of that is not run.
    /// Journals that do not say are of builds where it was 60.
    #[serde(default = "worth_of_earlier_builds", skip_serializing_if = "is_worth_of_earlier_builds")]
    pub worth: f64,
    /// How much evidence counts for the belief: 1 as it was measured, 0 not at all.
    #[serde(skip_serializing_if = "is_full")]
    pub trust: f64,
    /// How often the planner finds the right change by itself.
    #[serde(skip_serializing_if = "is_usual_skill")]
    pub skill: f64,
    /// The edition of the belief: its tables, and what follows from it. Journals that do not say are of builds that knew the
    /// first one alone.
    #[serde(default = "first_edition", skip_serializing_if = "is_first_edition")]
    pub tables: u32,
}

impl Default for Steering {
    fn default() -> Self {
        Self {
            gradient: GradientKind::Quality,
            law: Law::default(),
            worth: USUAL_WORTH,
            trust: 1.0,
            skill: USUAL_SKILL,
            tables: BELIEF_TABLES,
        }
    }
}

/// What a success is worth where nobody says more, in model calls.
const USUAL_WORTH: f64 = 150.0;

/// How often a planner finds the right change by itself, where nothing better is known.
const USUAL_SKILL: f64 = 0.35;
/// The newest edition of the belief (`artoo_control::belief`).
pub const BELIEF_TABLES: u32 = 3;

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_usual_skill(skill: &f64) -> bool {
    *skill == USUAL_SKILL
}

fn worth_of_earlier_builds() -> f64 {
    60.0
}

fn first_edition() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_first_edition(edition: &u32) -> bool {
    *edition == first_edition()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_worth_of_earlier_builds(worth: &f64) -> bool {
    *worth == worth_of_earlier_builds()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_full(trust: &f64) -> bool {
    *trust == 1.0
}

/// By which law the controller says how the next plan must differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// The table, its blocks bound to steps that are worded alike: as builds before the belief had it.
    Words,
    /// The table, its blocks bound to the step that failed and to what takes its place.
    Table,
    /// The table says the kind of change, and the belief in the cause of each failure what is enforced step by step.
    #[default]
    Belief,
    /// No law: a planner that merely sees what failed, until the replans are spent. For comparison in the laboratory.
    Bare,
    /// The table with a directive drawn for each round. For learning in the laboratory.
    Drawn,
}

impl Law {
    fn of_earlier_builds() -> Self {
        Self::Words
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_of_earlier_builds(&self) -> bool {
        *self == Self::Words
    }

    /// Whether the cell of a round is an order; else it is shown, and steps are told apart or nothing is said.
    pub fn has_cells(self) -> bool {
        match self {
            Self::Words | Self::Table | Self::Drawn => true,
            Self::Belief | Self::Bare => false,
        }
    }

    /// Whether plans say which step takes the place of which.
    pub fn knows_lineage(self) -> bool {
        self != Self::Words
    }
}

/// Which change the decision table and Law 2 read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GradientKind {
    /// Of the quality part Q = αD + βP: time passing is not divergence.
    #[default]
    Quality,
    /// Of the whole L, as version 0.8 of the design had it.
    Full,
}

impl Default for ControlParams {
    fn default() -> Self {
        Self {
            alpha: 0.6,
            beta: 0.3,
            lambda: 0.4,
            w1: 0.6,
            w2: 0.4,
            epsilon: 0.1,
            delta: 0.0,
            rho: 0.5,
            theta: 0.8,
            time_budget_ms: 300_000,
            max_replans: 5,
            max_retries: 2,
            steering: Steering::default(),
            model_wait_ms: MODEL_WAIT_MS,
            max_cost: 0.0,
        }
    }
}

/// What artoo may do unasked in a project, whose files it keeps first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProjectMode {
    /// No more than elsewhere.
    #[default]
    Ask,
    /// Change its files.
    Work,
}

impl ProjectMode {
    /// The words of the setting.
    pub const WORDS: [(&'static str, Self); 2] = [("work", Self::Work), ("ask", Self::Ask)];
}

/// Bytes that a call may write of which nobody was asked, where nothing else is set: more than people keep as documents, and
/// no disk is filled by it at once.
pub const UNASKED_BYTES: u64 = 256 << 20;

/// What may be done unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnaskedRules {
    /// What may be done in a project.
    pub project: ProjectMode,
    /// Bytes that one call writes at most.
    pub bytes: u64,
}

impl Default for UnaskedRules {
    fn default() -> Self {
        Self { project: ProjectMode::default(), bytes: UNASKED_BYTES }
    }
}

impl SessionPair {
    /// What the person was told: what the task delivered, else how it ended.
    pub fn told(&self) -> &str {
        if self.answer.is_empty() { &self.summary } else { &self.answer }
    }
}

/// An earlier turn of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionPair {
    /// What the person said.
    pub input: String,
    /// How that task ended, in a sentence or two.
    pub summary: String,
    /// What it delivered, cut where it is long; all answers of a session share `limits::SESSION_CHARS`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// What that task had taken in: who reads its summary takes it in too.
    #[serde(default, skip_serializing_if = "Taint::is_none")]
    pub taint: Taint,
}

/// Everything about the machine and the configuration that the task may read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskSetting {
    /// Controller parameters, options of the request already applied.
    pub control: ControlParams,
    /// Hard deadline in milliseconds from acceptance, waits for a person not counted.
    pub deadline_ms: u64,
    /// Ceiling of tokens, if any.
    pub max_tokens: Option<u64>,
    /// Whether a person can be asked.
    pub interactive: bool,
    /// Tools that exist here.
    pub tools: Vec<ToolSpec>,
    /// Whether the executor's model is offered tools natively.
    pub native_tool_calls: bool,
    /// What is known of who answers.
    #[serde(flatten)]
    pub models: ModelTraits,
    /// Absolute path of the home folder.
    pub home: String,
    /// Absolute path of the workspace.
    pub workspace: String,
    /// `linux` or `macos`.
    pub os: String,
    /// What the person's clock shows.
    #[serde(flatten)]
    pub clock: PersonClock,
    /// What answers as the model, for people: `offline rules` or a model's name.
    pub provider: String,
    /// Names of files in the workspace, newest first, at most `limits::WORKSPACE_FILES`: what artoo made before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workspace_files: Vec<String>,
    /// The last turns of the session, oldest first, at most `limits::SESSION_PAIRS`.
    pub session: Vec<SessionPair>,
    /// The build of artoo that runs the task: prompts are compared within one build alone. Empty when unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub build: String,
}

impl TaskSetting {
    /// What was said in the session before the task.
    pub fn said_before(&self) -> String {
        self.session.iter().map(|pair| format!("{}\n{}\n", pair.input, pair.told())).collect()
    }
}

/// What is known of who answers as the models of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelTraits {
    /// Whether a language model plans. Then no model is asked about a request that says all of it itself; the rules that
    /// answer offline read every request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub language_model: bool,
    /// Whether the rules that plan without a model are told what the request names: which files are there, how they begin.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rules_look: bool,
    /// Whether R4a may look for itself before it judges.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub judge_looks: bool,
    /// Tokens of the brain's context, where they are known when the task starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brain_context: Option<u64>,
    /// The same of the model that answers R3 and R4a.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_context: Option<u64>,
    /// Whether the model that answers R3 and R4a is shown pictures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tool_sees: bool,
}

impl ModelTraits {
    /// The bounds of prompts for the brain.
    pub fn brain_limits(&self) -> PromptLimits {
        PromptLimits::of(self.brain_context)
    }

    /// The bounds of prompts for the model that answers R3 and R4a.
    pub fn tool_limits(&self) -> PromptLimits {
        PromptLimits::of(self.tool_context)
    }
}

/// What the clock of the person shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonClock {
    /// Today's date where the person is, ISO 8601.
    pub date: String,
    /// How far it is east of UTC, in minutes.
    #[serde(default, skip_serializing_if = "is_utc")]
    pub utc_offset_minutes: i32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_usual_wait(ms: &u64) -> bool {
    *ms == MODEL_WAIT_MS
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_no_bound(dollars: &f64) -> bool {
    *dollars == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_utc(minutes: &i32) -> bool {
    *minutes == 0
}

#[cfg(test)]
mod tests {
    use super::{BELIEF_TABLES, ControlParams, Law, Steering};

    /// What a journal says of the controller, and what it is read as.
    #[track_caller]
    fn check(journal: &str, law: Law, tables: u32) {
        let params: ControlParams = serde_json::from_str(journal).expect(journal);
        assert_eq!((params.steering.law, params.steering.tables), (law, tables), "{journal}");
        assert_eq!(params.steering.skill, 0.35, "{journal}");
        let again = serde_json::to_string(&params).expect("numbers and words");
        assert_eq!(
            again.contains("tables"),
            tables > 1,
            "{journal}: its record must stay as it was: {again}"
        );
        assert!(!again.contains("skill") && !again.contains("trust"), "{again}");
    }

    #[test]
    fn old_journals_are_steered_as_they_were() {
        check(r#"{"max_replans":3}"#, Law::Words, 1);
        check(r#"{"max_replans":3,"law":"table"}"#, Law::Table, 1);
        check(r#"{"max_replans":3,"law":"belief"}"#, Law::Belief, 1);
        let written = serde_json::to_string(&ControlParams::default()).expect("numbers and words");
        check(&written, Law::Belief, BELIEF_TABLES);
        let usual = Steering::default();
        assert_eq!((usual.law, usual.tables), (Law::Belief, BELIEF_TABLES), "what a new task is steered by");
    }

    #[test]
    fn a_journal_that_names_no_worth_is_of_a_build_where_it_was_60() {
        let worth = |journal: &str| {
            let params: ControlParams = serde_json::from_str(journal).expect(journal);
            let again = serde_json::to_string(&params).expect("numbers and words");
            (params.steering.worth, again.contains("worth"))
        };
        assert_eq!(worth(r#"{"max_replans":3,"law":"belief"}"#), (60.0, false), "its record stays as it was");
        let written = serde_json::to_string(&ControlParams::default()).expect("numbers and words");
        assert_eq!(worth(&written), (150.0, true));
    }
}
