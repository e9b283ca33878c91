//! Builders for tests: outcomes, verdicts, receipts and rounds with everything that a test does not care about filled in.

use artoo_types::criteria::{Check, Criterion, CriterionMode, CriterionVerdict, FailureClass, Verdict};
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::farewell::Farewell;
use artoo_types::outcome::{
    Denial, GapPoint, JudgedTimes, OutcomeStatus, OutcomeSummary, ReplanRequest, SubTaskOutcome,
};
use artoo_types::plan::{Blocks, DispatchManifest, SubTask};
use artoo_types::setting::{ControlParams, Law, PersonClock, Steering, TaskSetting};
use artoo_types::tag::Tag;
use artoo_types::task::{Constraints, TaskSpec};
use artoo_types::tool::ToolSpec;
use artoo_types::{EvidenceId, SubtaskId, TaskId, Timestamp};
use serde_json::Value;

use crate::loss::Spending;
use crate::solver::{Effect, Input, Solver};
use artoo_types::spelling::TaskFolders;

pub(crate) use CriterionMode::{Plausible, Verifiable};
pub(crate) use FailureClass::{Environmental, Logical};

pub(crate) fn task_id() -> TaskId {
    "0197b2c4-0000-7000-8000-000000000001".parse().map(TaskId).expect("the literal is a UUID")
}

pub(crate) fn places() -> TaskFolders {
    TaskFolders {
        working_directory: "/home/u/wd".into(),
        workspace: "/home/u/ws".into(),
        home: "/home/u".into(),
    }
}

pub(crate) fn criterion(text: &str, mode: CriterionMode) -> Criterion {
    Criterion { text: text.into(), mode, check: None, unchanged: false, derived: None }
}

pub(crate) fn checked(text: &str, path: &str) -> Criterion {
    Criterion { check: Some(Check::FileExists { path: path.into() }), ..criterion(text, Verifiable) }
}

pub(crate) fn pass(index: usize, mode: CriterionMode) -> CriterionVerdict {
    CriterionVerdict {
        index,
        criterion: format!("criterion {index}"),
        mode,
        verdict: Verdict::Pass,
        failure_class: None,
        cites: Some(EvidenceId("c1.0".into())),
        evidence: "seen".into(),
        before: None,
    }
}

pub(crate) fn fail(index: usize, mode: CriterionMode, class: Option<FailureClass>) -> CriterionVerdict {
    CriterionVerdict {
        verdict: Verdict::Fail,
        failure_class: class,
        cites: None,
        evidence: "not seen".into(),
        ..pass(index, mode)
    }
}

pub(crate) fn citing(mut verdict: CriterionVerdict, receipt: &str) -> CriterionVerdict {
    verdict.cites = Some(EvidenceId(receipt.into()));
    verdict
}

/// A call that ran with this exit status and said something; a program may do more than read.
pub(crate) fn call(id: &str, class: &str, target: &str, exit: i64) -> Receipt {
    let tool = class.split(':').next().unwrap_or(class);
    Receipt {
        tool: tool.into(),
        target: target.into(),
        effect: if tool == "shell" { EffectClass::Unknown } else { EffectClass::Read },
        exit: Some(exit),
        output: "lines".into(),
        output_bytes: 5,
        ..Receipt::quiet(EvidenceId(id.into()), class)
    }
}

/// An outcome whose criteria are those of its verdicts.
pub(crate) fn outcome(
    intent: &str,
    status: OutcomeStatus,
    verdicts: Vec<CriterionVerdict>,
    receipts: Vec<Receipt>,
) -> SubTaskOutcome {
    let criteria = verdicts.iter().map(|v| criterion(&v.criterion, v.mode)).collect();
    let id = SubtaskId(task_id().derive(intent, 0));
    SubTaskOutcome {
        subtask_id: id,
        parent_task_id: task_id(),
        status,
        output: String::new(),
        handle: None,
        failure_reason: None,
        gap_trajectory: vec![gap(1, &[])],
        criteria_verdicts: verdicts,
        task_verdicts: Vec::new(),
        tool_calls: Vec::new(),
        receipts,
        earlier: Vec::new(),
        denied: None,
        subtask: SubTask {
            subtask_id: id,
            parent_task_id: task_id(),
            round: 0,
            ordinal: 1,
            sequence: 1,
            intent: intent.into(),
            context: String::new(),
            prior_outputs: Vec::new(),
            opening: Vec::new(),
            tools: vec!["glob".into()],
            targets: Vec::new(),
            success_criteria: criteria,
            replaces: None,
            blocked: Blocks::default(),
            known: Vec::new(),
        },
    }
}

pub(crate) fn matched(intent: &str, criteria: usize) -> SubTaskOutcome {
    let verdicts = (0..criteria).map(|i| pass(i, Verifiable)).collect();
    outcome(intent, OutcomeStatus::Matched, verdicts, vec![call("r1", "glob", "/home/u/wd/ok", 0)])
}

/// A subtask with one verifiable criterion that failed; its verdict cites its one call.
pub(crate) fn failed(intent: &str, class: Option<FailureClass>, receipt: Receipt) -> SubTaskOutcome {
    let verdict = citing(fail(0, Verifiable, class), &receipt.id.0);
    outcome(intent, OutcomeStatus::Failed, vec![verdict], vec![receipt])
}

pub(crate) fn denied(intent: &str, denial: Denial) -> SubTaskOutcome {
    let mut outcome = unjudged(intent, 1);
    outcome.denied = Some(denial);
    outcome
}

/// A subtask that failed before anything was judged, for a stated reason.
pub(crate) fn unjudged(intent: &str, criteria: usize) -> SubTaskOutcome {
    let mut outcome = outcome(
        intent,
        OutcomeStatus::Failed,
        (0..criteria).map(|i| pass(i, Verifiable)).collect(),
        Vec::new(),
    );
    outcome.criteria_verdicts.clear();
    outcome.failure_reason = Some("the deadline of the step passed".into());
    outcome
}

pub(crate) fn not_run(intent: &str) -> SubTaskOutcome {
    SubTaskOutcome { status: OutcomeStatus::NotRun, failure_reason: None, ..unjudged(intent, 1) }
}

pub(crate) fn gap(attempt: u32, unmet: &[usize]) -> GapPoint {
    GapPoint {
        attempt,
        score: 0.0,
        unmet_criteria: Vec::new(),
        unmet_indexes: unmet.to_vec(),
        failure_class: None,
    }
}

/// A round that fell short, without task criteria.
pub(crate) fn replan(outcomes: Vec<SubTaskOutcome>) -> ReplanRequest {
    ReplanRequest {
        task_id: task_id(),
        failed_outcomes: Vec::new(),
        outcomes,
        task_verdicts: Vec::new(),
        task_history: Vec::new(),
        task_criteria: Vec::new(),
        gap_summary: "it fell short".into(),
        partial_output: "some lines".into(),
        unverified_output: String::new(),
        not_in_receipts: vec!["77".into()],
    }
}

/// The same with task criteria and their verdicts; all judged once.
pub(crate) fn replan_with(outcomes: Vec<SubTaskOutcome>, task: Vec<CriterionVerdict>) -> ReplanRequest {
    ReplanRequest {
        task_criteria: task.iter().map(|v| criterion(&v.criterion, v.mode)).collect(),
        task_history: vec![JudgedTimes { judged: 1, failed: 1 }; task.len()],
        task_verdicts: task,
        ..replan(outcomes)
    }
}

pub(crate) fn summary(outcomes: Vec<SubTaskOutcome>, task: Vec<CriterionVerdict>) -> OutcomeSummary {
    let request = replan_with(outcomes, task);
    OutcomeSummary {
        task_id: task_id(),
        merged_output: Value::String("the answer".into()),
        summary: "All is well.".into(),
        outcomes: request.outcomes,
        task_verdicts: request.task_verdicts,
        task_history: request.task_history,
        task_criteria: request.task_criteria,
        not_in_receipts: vec!["1250.00".into()],
    }
}

pub(crate) fn manifest(round: u32, outcomes: &[SubTaskOutcome]) -> DispatchManifest {
    DispatchManifest {
        task_id: task_id(),
        round,
        task_criteria: vec![criterion("the report exists", Verifiable)],
        subtasks: outcomes.iter().map(|o| o.subtask.clone()).collect(),
        kept: Vec::new(),
        superseded: Vec::new(),
        output_from: None,
        uncovered: Vec::new(),
        form: None,
    }
}

pub(crate) fn spec() -> TaskSpec {
    TaskSpec {
        task_id: task_id(),
        slug: "sum_the_budget".into(),
        intent: "sum the amounts".into(),
        constraints: Constraints::default(),
        deadline: None,
        raw_input: "sum the amounts in budget.csv".into(),
        tags: Vec::new(),
        intent_tag: Tag::intent("sum the amounts"),
        direct_answer: None,
        assumptions: Vec::new(),
    }
}

pub(crate) fn setting(control: ControlParams) -> TaskSetting {
    let tool = |name: &str| ToolSpec {
        name: name.into(),
        signature: String::new(),
        purpose: String::new(),
        schema: "{}".into(),
        reads: false,
    };
    TaskSetting {
        control,
        deadline_ms: 600_000,
        max_tokens: None,
        interactive: true,
        tools: ["glob", "read_file", "write_file", "read_output", "shell"].map(tool).to_vec(),
        native_tool_calls: false,
        models: Default::default(),
        home: places().home,
        workspace: places().workspace,
        os: "linux".into(),
        clock: PersonClock { date: "2026-01-01".into(), utc_offset_minutes: 0 },
        provider: "offline rules".into(),
        workspace_files: Vec::new(),
        session: Vec::new(),
        build: String::new(),
    }
}

/// The table alone, with three replans.
pub(crate) fn by_the_table() -> ControlParams {
    let steering = Steering { law: Law::Table, ..Steering::default() };
    ControlParams { max_replans: 3, steering, ..ControlParams::default() }
}

/// The table, with a tolerance, which is none by default.
pub(crate) fn tolerant() -> ControlParams {
    ControlParams { delta: 0.3, ..by_the_table() }
}

/// A controller that knows its request.
pub(crate) fn solver_with(control: ControlParams) -> Solver {
    let mut solver = Solver::new(task_id(), &setting(control), &places().working_directory, Timestamp(0));
    assert!(solver.step(Timestamp(0), Spending::default(), Input::Spec(spec())).is_empty());
    solver
}

pub(crate) fn solver() -> Solver {
    solver_with(tolerant())
}

/// One step at `now` milliseconds; a question for last words is answered with none.
pub(crate) fn at(solver: &mut Solver, now: i64, input: Input) -> Vec<Effect> {
    let mut effects = solver.step(Timestamp(now), Spending::default(), input);
    if effects.pop_if(|effect| matches!(effect, Effect::AskFarewell(_))).is_some() {
        let silent = Input::Farewell(Farewell::silent(task_id(), None));
        effects.extend(solver.step(Timestamp(now), Spending::default(), silent));
    }
    effects
}
