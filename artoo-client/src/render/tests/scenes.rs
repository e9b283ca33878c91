//! Tasks as their events, made up to look like real ones.

use artoo_protocol::json::json_to_value;
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::*;
use prost_types::Timestamp;
use serde_json::json;

const TASK: &str = "0197b2c4-1a2b-7000-8000-000000000001";

pub(super) fn event(sequence: u64, from: &str, to: &str, payload: Option<Payload>) -> Event {
    // One event each 40 ms.
    let nanos = i32::try_from(sequence * 40_000_000).expect("a few events");
    Event {
        sequence,
        task_id: TASK.to_owned(),
        time: Some(Timestamp { seconds: 1_700_000_000, nanos }),
        from: from.to_owned(),
        to: to.to_owned(),
        payload,
        ..Default::default()
    }
}

fn play(messages: Vec<(&str, &str, Payload)>) -> Vec<Event> {
    let number = |(index, (from, to, payload))| event(index as u64 + 1, from, to, Some(payload));
    messages.into_iter().enumerate().map(number).collect()
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn tag(space: &str) -> Option<Tag> {
    Some(Tag { space: text(space), entity: text("env:local") })
}

fn submitted(input: &str) -> Payload {
    Payload::TaskSubmitted(TaskSubmitted { input: text(input), ..Default::default() })
}

fn spec(slug: &str) -> Payload {
    Payload::TaskSpec(TaskSpec { slug: text(slug), intent: text("do as asked"), ..Default::default() })
}

fn criterion(words: &str, checked: bool) -> Criterion {
    let check = checked.then(|| Check { kind: text("output_lines"), ..Default::default() });
    Criterion { text: text(words), mode: text("verifiable"), check, derived: None }
}

fn step(ordinal: u32, intent: &str, tool: &str, criteria: Vec<Criterion>) -> SubTask {
    SubTask {
        subtask_id: format!("s{ordinal}"),
        ordinal,
        sequence: ordinal,
        intent: text(intent),
        tools: vec![text(tool)],
        success_criteria: criteria,
        ..Default::default()
    }
}

fn plan(steps: &[SubTask]) -> Payload {
    let task_criteria = vec![criterion("the report lists ten files", true)];
    Payload::DispatchManifest(DispatchManifest {
        subtasks: steps.to_vec(),
        task_criteria,
        ..Default::default()
    })
}

fn verdict(words: &str, passed: bool, class: Option<&str>, evidence: &str) -> CriterionVerdict {
    CriterionVerdict {
        criterion: text(words),
        mode: text("verifiable"),
        verdict: text(if passed { "pass" } else { "fail" }),
        failure_class: class.map(text),
        cites: passed.then(|| text("c4.0")),
        evidence: text(evidence),
        ..Default::default()
    }
}

fn outcome(
    step: &SubTask,
    status: &str,
    reason: Option<&str>,
    verdicts: Vec<CriterionVerdict>,
) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: step.subtask_id.clone(),
        status: text(status),
        failure_reason: reason.map(text),
        criteria_verdicts: verdicts,
        subtask: Some(step.clone()),
        ..Default::default()
    }
}

fn loss(d: f64, p: f64, omega: f64) -> Option<Loss> {
    Some(Loss { d, p, omega, l: d })
}

pub(super) fn usage() -> TaskUsage {
    let cost =
        |calls, prompt_tokens| RoleUsage { calls, prompt_tokens, completion_tokens: 20, elapsed_ms: 1_250 };
    TaskUsage {
        roles: [(text("R1"), cost(1, 300)), (text("R2"), cost(2, 4_000))].into(),
        tool_calls: 2,
        elapsed_ms: 200,
        cost_usd: None,
        estimated_tokens: None,
    }
}

fn end(directive: &str, reason: &str) -> FinalResult {
    FinalResult {
        task_id: text(TASK),
        directive: text(directive),
        reason: text(reason),
        loss: loss(0.0, 0.0, 0.01),
        usage: Some(usage()),
        ..Default::default()
    }
}

/// Two steps, both done, with something remembered.
pub(super) fn accepted() -> Vec<Event> {
    let heeded = StepAdvice { force: text("prefer"), content: text("find_files: 2 earlier successes") };
    let find = SubTask {
        known: vec![heeded],
        ..step(1, "find files, largest first", "find_files", vec![criterion("ten paths", true); 3])
    };
    let write = step(
        2,
        "write report.md",
        "write_file",
        vec![criterion("it exists", true), criterion("it reads well", false)],
    );
    let entry = MemoryEntry {
        tag: tag("intent:find_the_ten"),
        potentials: Some(Potentials { attention: 2.31, decision: 2.31, action: text("exploit") }),
        sops: vec![SopRecord {
            content: text("sort by size"),
            sigma: 1.0,
            level: text("C"),
            ..Default::default()
        }],
        ..Default::default()
    };
    let done = |step: &SubTask, saw: &str| {
        Payload::SubTaskOutcome(outcome(step, "matched", None, vec![verdict("ten paths", true, None, saw)]))
    };
    let result = FinalResult {
        summary: text("Ten largest files (report: ~/artoo_workspace/report.md)"),
        output: Some(json_to_value(&json!(["42.1 MB  data/archive.tar.zst", "8.0 MB  数据/表格.csv"]))),
        trajectory: vec![TrajectoryPoint { loss: loss(0.0, 0.0, 0.01), ..Default::default() }],
        ..end("accept", "criteria_met")
    };
    play(vec![
        ("user", "R1", submitted("find the ten largest files here and write them to a report")),
        ("R1", "R2", spec("largest_files_report")),
        (
            "R2",
            "R5",
            Payload::MemoryQuery(MemoryQuery {
                tags: tag("intent:find_the_ten").into_iter().collect(),
                tool_clusters: 8,
                ..Default::default()
            }),
        ),
        (
            "R5",
            "R2",
            Payload::MemoryReply(MemoryReply {
                entries: vec![entry],
                unavailable: None,
                present: Vec::new(),
            }),
        ),
        ("R2", "dispatcher", plan(&[find.clone(), write.clone()])),
        ("dispatcher", "R3", Payload::SubTask(find.clone())),
        ("R4a", "R4b", done(&find, "10 paths, re-counted")),
        ("dispatcher", "R3", Payload::SubTask(write.clone())),
        ("R4a", "R4b", done(&write, "12 lines, sections present")),
        ("R7", "user", Payload::FinalResult(result)),
    ])
}

fn another_place() -> PlanDirective {
    PlanDirective {
        replan: 1,
        max_replans: 3,
        loss: loss(1.0, 0.0, 0.21),
        prev_directive: text("init"),
        directive: text("change_path"),
        blocked_targets: vec![BlockedTarget {
            class: text("read_file"),
            target: text("~/Documents/budget.xlsx"),
        }],
        rationale: text("first failure, the place was wrong rather than the method"),
        urgency: text("steady"),
        ..Default::default()
    }
}

/// A first round that failed, and why the second is different.
pub(super) fn replanned() -> Vec<Event> {
    let read = step(1, "read budget.xlsx", "read_file", vec![criterion("the sum is reported", true)]);
    let find = step(1, "find budget*.xlsx", "find_files", vec![criterion("a path", true)]);
    let failed = outcome(
        &read,
        "failed",
        Some("not found: ~/Documents/budget.xlsx"),
        vec![verdict("sum of column Amount is reported", false, Some("environmental"), "no such file")],
    );
    let call = ToolCallStarted {
        tool: text("read_file"),
        arguments: text("{\"path\":\"~/Documents/budget.xlsx\"}"),
        ..Default::default()
    };
    let attempt = ExecutionResult { attempt: 1, status: text("failed"), ..Default::default() };
    let again = CorrectionSignal {
        attempt: 2,
        what_was_wrong: text("the file is not there"),
        what_to_do: text("look for another spelling"),
        failure_class: text("environmental"),
        ..Default::default()
    };
    let short = ReplanRequest {
        outcomes: vec![failed.clone()],
        failed_outcomes: vec![text("s1")],
        gap_summary: text("the file was not found"),
        ..Default::default()
    };
    let found =
        outcome(&find, "matched", None, vec![verdict("a path", true, None, "~/Downloads/budget-2026.xlsx")]);
    let point = |d, directive: &str| TrajectoryPoint {
        loss: loss(d, 0.0, 0.2),
        directive: text(directive),
        ..Default::default()
    };
    let result = FinalResult {
        summary: text("The sum is 1,204.50."),
        loss: loss(0.0, 0.0, 0.22),
        grad_l: -0.58,
        replans: 1,
        trajectory: vec![point(1.0, "change_path"), point(0.0, "accept")],
        ..end("accept", "criteria_met")
    };
    let mut events = play(vec![
        ("R1", "R2", spec("sum_budget")),
        ("R2", "dispatcher", plan(std::slice::from_ref(&read))),
        ("dispatcher", "R3", Payload::SubTask(read.clone())),
        ("runtime", "R3", Payload::ToolCallStarted(call)),
        ("R3", "R4a", Payload::ExecutionResult(attempt)),
        ("R4a", "R3", Payload::CorrectionSignal(again)),
        ("R4a", "R4b", Payload::SubTaskOutcome(failed)),
        ("R4b", "R7", Payload::ReplanRequest(short)),
        ("R7", "R2", Payload::PlanDirective(another_place())),
        ("R2", "dispatcher", plan(std::slice::from_ref(&find))),
        ("dispatcher", "R3", Payload::SubTask(find.clone())),
        ("R4a", "R4b", Payload::SubTaskOutcome(found)),
        ("R7", "user", Payload::FinalResult(result)),
    ]);
    events[9].round = 1;
    events
}

/// A command that changed two files, and one that said much.
pub(super) fn acted() -> Vec<Event> {
    let change = |path: &str, kind: &str, before: Option<&str>, after: Option<&str>| FileChange {
        path: text(path),
        kind: text(kind),
        before: before.map(|digit| digit.repeat(64)),
        after: after.map(|digit| digit.repeat(64)),
        modes: None,
    };
    let changes = vec![
        change("/work/prices.csv", "changed", Some("3"), Some("7")),
        change("/work/\u{1b}[31mold.csv", "deleted", Some("a"), None),
    ];
    let edit = Receipt {
        id: text("r1"),
        tool: text("shell"),
        arguments: json!({"command": "sed -i s/1250/1520/ prices.csv\nrm old.csv"}).to_string(),
        end: text("ran"),
        exit: Some(0),
        elapsed_ms: 12,
        changes: changes.clone(),
        changes_omitted: 3,
        written: Some(text("@@ -1 +1 @@\n-1250.00\n+1520.00\n")),
        note: Some(text(
            "interrupted: it began and the daemon went down; run again on your yes; put back: \u{1b}x",
        )),
        ..Default::default()
    };
    let output: Vec<String> = (1..=40).map(|number| format!("line {number}")).collect();
    let look = Receipt {
        id: text("r2"),
        tool: text("read_file"),
        arguments: text("{\"path\":\"prices.csv\"}"),
        end: text("ran"),
        exit: Some(0),
        output: output.join("\n"),
        output_bytes: 310_444,
        ..Default::default()
    };
    let finished = ToolCallFinished {
        receipt: text("r1"),
        tool: text("shell"),
        end: text("ran"),
        exit: Some(0),
        elapsed_ms: 12,
        changes,
        ..Default::default()
    };
    let attempt = ExecutionResult {
        attempt: 1,
        status: text("completed"),
        receipts: vec![edit, look],
        ..Default::default()
    };
    play(vec![
        ("runtime", "R3", Payload::ToolCallFinished(finished)),
        ("R3", "R4a", Payload::ExecutionResult(attempt)),
    ])
}

/// Nothing helped; what there is, is told.
pub(super) fn stopped() -> Vec<Event> {
    let find = step(1, "list candidates", "glob", vec![criterion("some", true)]);
    let read = step(2, "read them", "read_file", vec![criterion("all", true)]);
    let short = ReplanRequest {
        outcomes: vec![
            outcome(&find, "matched", None, vec![verdict("some", true, None, "4 paths")]),
            outcome(
                &read,
                "failed",
                None,
                vec![verdict("all", false, None, ""), verdict("sum", false, None, "")],
            ),
        ],
        ..Default::default()
    };
    let point = |d| TrajectoryPoint { loss: loss(d, 0.5, 0.5), ..Default::default() };
    let result = FinalResult {
        summary: text("The file could not be found."),
        output: Some(json_to_value(&json!("a.xlsx\nb.xlsx"))),
        loss: loss(0.67, 0.5, 0.78),
        replans: 3,
        unmet: vec![Unmet {
            criterion: text("the sum is reported"),
            evidence: text("no file was read"),
            evaluated: true,
        }],
        partial: true,
        next_moves: vec![text("give the folder: artoo \"... in ~/Archive\"")],
        tried: vec![text("glob"), text("find_files"), text("shell:grep")],
        ruled_out: vec![text("~/Documents"), text("~/Downloads")],
        trajectory: vec![point(1.0), point(0.67), point(0.67), point(0.67)],
        ..end("abandon", "replans_exhausted")
    };
    play(vec![
        ("R4a", "R4b", Payload::SubTaskOutcome(outcome(&read, "not_run", None, Vec::new()))),
        ("R4b", "R7", Payload::ReplanRequest(short)),
        ("R7", "user", Payload::FinalResult(result)),
    ])
}

pub(super) fn deletion() -> ConfirmationRequest {
    ConfirmationRequest {
        confirmation_id: text("q1"),
        tool: text("shell"),
        action: text("rm build/a.o build/b.o build/c.o\u{202e}"),
        working_directory: text("~/src/app"),
        effects: vec![text("delete")],
        targets: vec![text("~/src/app/build/a.o"), text("~/src/app/build/b.o"), text("~/src/app/build/c.o")],
        why: vec![text("it deletes files that this task did not make")],
        states: ["a", "b", "c"]
            .map(|name| TargetState {
                real: format!("/home/me/src/app/build/{name}.o"),
                leads_to: format!("/home/me/src/app/build/{name}.o"),
                kind: text("file"),
                bytes: 400_123,
                files: 1,
                sha256: "9f86d081884c7d659a2feaa0c55ad015".repeat(2),
            })
            .to_vec(),
        undoable: true,
        undo_bytes: 1_200_369,
        rememberable: true,
        digest: text("9f86d081884c7d65"),
        ..Default::default()
    }
}

/// A model that is busy twice, answers, and is busy again.
pub(super) fn busy() -> Vec<Event> {
    let waits = || ModelCallFinished {
        role: text("R3"),
        failure: Some(text("HTTP 503: Loading model")),
        retry_in_ms: Some(3_000),
        ..Default::default()
    };
    let calls = [waits(), waits(), ModelCallFinished { model: text("m"), ..Default::default() }, waits()];
    play(calls.map(|call| ("runtime", "R3", Payload::ModelCallFinished(call))).into())
}

/// An action that nobody confirmed, and a stop from outside.
pub(super) fn denied() -> Vec<Event> {
    let resolved = ConfirmationResolved {
        confirmation_id: text("q1"),
        denial: Some(text("unanswered")),
        ..Default::default()
    };
    let failed = ModelCallFinished {
        call: 3,
        role: text("R2"),
        failure: Some(text("no route to host")),
        ..Default::default()
    };
    let stop = TaskCancelled { cause: text("deadline"), detail: text("10 minutes are over") };
    let rejected = PlanDraftRejected {
        outcome: text("sent_back"),
        reasons: vec![text("step 1 has no criterion")],
        ..Default::default()
    };
    let result = FinalResult {
        summary: text("[LAW1] Nothing was deleted."),
        unanswered_confirmation: true,
        loss: loss(1.0, 0.0, 0.1),
        ..end("abandon", "refused")
    };
    play(vec![
        ("R2", "R7", Payload::PlanDraftRejected(rejected)),
        ("runtime", "user", Payload::ConfirmationRequest(deletion())),
        ("user", "runtime", Payload::ConfirmationResolved(resolved)),
        ("runtime", "R2", Payload::ModelCallFinished(failed)),
        ("runtime", "R7", Payload::TaskCancelled(stop)),
        ("runtime", "user", Payload::Lagged(Lagged { from: 3, to: 9 })),
        ("R7", "user", Payload::FinalResult(result)),
    ])
}
