//! One message of each kind, every field set.

use artoo_types::envelope::MessageKind;
use serde_json::{Value, json};

/// The task of the samples.
pub(super) const TASK: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
const STEP: &str = "01890a5d-ac96-774b-bcce-b302099a8058";
const OTHER: &str = "01890a5d-ac96-774b-bcce-b302099a8059";
const TIME: i64 = 1_767_225_600_123;

/// The body of one message of each kind.
pub(super) fn samples() -> Vec<(MessageKind, Value)> {
    let mut samples = people();
    samples.extend(planning());
    samples.extend(results());
    samples.extend(effects());
    samples
}

/// One check of each kind.
pub(super) fn checks() -> Vec<Value> {
    vec![
        json!({"kind": "file_exists", "path": "/a", "unchanged": true}),
        json!({"kind": "file_absent", "path": "/a", "unchanged": true}),
        json!({"kind": "file_contains", "path": "/a", "text": "t", "regex": "r+", "unchanged": true}),
        json!({"kind": "file_lines", "path": "/a", "op": "ge", "n": 2.5, "unchanged": true}),
        json!({"kind": "file_json", "path": "/a", "pointer": "/p", "op": "eq", "value": {"x": [1.5, "y", true]}, "unchanged": true}),
        json!({"kind": "output_contains", "text": "t"}),
        json!({"kind": "output_matches", "regex": "r+"}),
        json!({"kind": "output_lines", "op": "ne", "n": 3.0}),
        json!({"kind": "output_json", "pointer": "/p", "op": "lt", "value": 7}),
        json!({"kind": "exit_status", "tool": "shell:find", "value": 1}),
        json!({"kind": "tool_called", "tool": "glob"}),
        json!({"kind": "files_match", "glob": "*.rs", "op": "gt", "n": 4.0, "unchanged": true}),
    ]
}

fn people() -> Vec<(MessageKind, Value)> {
    vec![
        (
            MessageKind::TaskSubmitted,
            json!({
                "input": "find the ten largest files", "session_id": "s1", "request_id": "k1",
                "working_directory": "/home/ada",
                "options": {"time_budget_ms": 1, "deadline_ms": 2, "max_replans": 3, "max_tokens": 4, "unattended": true},
            }),
        ),
        (MessageKind::ClarificationRequest, json!({"questions": ["Which folder?"], "expires_at": TIME})),
        (MessageKind::ClarificationAnswer, json!({"answer": "this one", "assumed": true})),
        (
            MessageKind::TaskSpec,
            json!({
                "task_id": TASK, "slug": "largest_files", "intent": "list them",
                "constraints": {"scope": "/home", "deadline": "2026-01-01"}, "raw_input": "find", "tags": ["files"],
                "intent_tag": {"space": "intent:list_them", "entity": "env:local"}, "direct_answer": "42",
                "assumptions": ["the home folder"], "deadline": TIME,
            }),
        ),
        (
            MessageKind::ConfirmationRequest,
            json!({
                "confirmation_id": OTHER, "effect_id": 4, "subtask_id": STEP, "tool": "shell", "action": "rm x",
                "working_directory": "/tmp", "effects": ["delete", "unknown"], "targets": ["/tmp/x"],
                "why": ["it deletes"], "undoable": true, "digest": "abc", "expires_at": TIME,
                "undo_bytes": 5, "undo_why": "it is sent", "rememberable": true,
                "states": [{"real": "/tmp/x", "leads_to": "/tmp/y", "kind": "link", "bytes": 5, "files": 1, "sha256": "ab"}],
            }),
        ),
        (
            MessageKind::ConfirmationResolved,
            json!({
                "confirmation_id": OTHER, "effect_id": 4, "approved": true, "digest": "abc",
                "remember_for_task": true, "denial": "unanswered",
            }),
        ),
        (MessageKind::TaskCancelled, json!({"cause": "token_ceiling", "detail": "too many"})),
        (MessageKind::AuditQuery, json!({"include_window": true})),
        (MessageKind::AuditReport, audit_report()),
        (MessageKind::AuditFindings, json!({"findings": [finding()]})),
        (MessageKind::FindingAck, json!({"findings": ["f0123456789"]})),
        (MessageKind::TaskUndo, json!({"undone_task_id": OTHER, "force": true})),
        (
            MessageKind::TaskUndone,
            json!({
                "undone_task_id": OTHER,
                "items": [{"path": "/tmp/x", "outcome": "skipped", "bytes": 5, "files": 1, "why": "changed"}],
            }),
        ),
        (MessageKind::McpChange, json!({"server": "notes", "step": "held", "tools": ["read: changed"]})),
        (
            MessageKind::MemoryChange,
            json!({
                "kind": "forgotten", "tags": [{"space": "tool:glob", "entity": "path:*"}], "ids": [OTHER],
                "requests": ["list them"], "count": 2, "level": "C", "why": "asked for",
            }),
        ),
        (MessageKind::Lagged, json!({"from": 3, "to": 5})),
    ]
}

fn planning() -> Vec<(MessageKind, Value)> {
    vec![
        (
            MessageKind::MemoryQuery,
            json!({"tags": [{"space": "tool:glob", "entity": "path:*"}], "tool_clusters": 5, "intent": "list them"}),
        ),
        (
            MessageKind::MemoryReply,
            json!({
                "entries": [{
                    "tag": {"space": "tool:glob", "entity": "path:*"},
                    "potentials": {"attention": 1.5, "decision": -0.5, "action": "caution"},
                    "sops": [{"id": OTHER, "content": "never", "sigma": -1.0, "level": "C", "overwritten": true}],
                    "top": [megram()],
                    "proposals": [{"id": OTHER, "content": "perhaps", "from": [OTHER]}],
                    "via": {"request": "show them", "relation": "alias", "similarity": 0.75, "why": "the words"},
                }],
                "unavailable": "the disk", "present": [input()],
            }),
        ),
        (
            MessageKind::PlanDraftRejected,
            json!({
                "task_id": TASK, "attempt": 2, "outcome": "model_unavailable", "reasons": ["no criteria"],
                "decline": {"reason": "no", "nearest": ["list"], "how_to_configure": "set a model"},
                "memories": [OTHER],
            }),
        ),
        (
            MessageKind::DispatchManifest,
            json!({
                "task_id": TASK, "round": 2, "task_criteria": [criterion()], "subtasks": [subtask()],
                "kept": [STEP], "superseded": [OTHER], "output_from": STEP,
            }),
        ),
        (MessageKind::SubTask, subtask()),
        (
            MessageKind::PlanDirective,
            json!({
                "task_id": TASK, "replan": 1, "max_replans": 3, "loss": loss(), "prev_directive": "refine",
                "directive": "break_symmetry", "blocked_tools": [{"class": "glob", "intent": "look", "subtask_id": STEP}],
                "blocked_targets": [{"class": "glob", "target": "/a"}],
                "failed_before": [{"class": "shell:ls", "target": "/b"}], "tried_classes": ["glob"],
                "failed_criterion": "ten files", "failure_class": "mixed", "budget_pressure": 0.4, "grad_l": -0.1,
                "grad_q": 0.2, "urgency": "worsening", "rationale": "stuck", "unmet": [unmet()],
                "belief": [{"subtask_id": STEP, "intent": "look", "chances": {"approach": 0.1, "target": 0.2, "detail": 0.3,
                            "transient": 0.15, "impossible": 0.25}, "axis": "detail", "enforced": true, "pinned": ["glob"]}],
                "redo": [OTHER],
                "established": [outcome()],
            }),
        ),
        (
            MessageKind::FarewellRequest,
            json!({
                "task_id": TASK, "reason": "diverging", "outcomes": [outcome()], "unmet": [unmet()],
                "deadline_ms": 60_000, "loss": loss(), "grad_l": 0.5, "grad_q": 0.6,
            }),
        ),
        (
            MessageKind::Farewell,
            json!({
                "task_id": TASK, "found": [{"text": "There are two.", "cites": "r3"}], "next_moves": ["look"],
                "left_out": "too long",
            }),
        ),
        (
            MessageKind::FinalResult,
            json!({
                "task_id": TASK, "summary": "it was refused", "output": {"n": 2.5, "list": ["x", true]},
                "loss": loss(), "grad_l": 0.1, "grad_q": -0.2, "replans": 2, "prev_directive": "change_path",
                "directive": "abandon", "reason": "refused", "unmet": [unmet()], "partial": true, "not_in_receipts": ["1250.00"], "handle": "ab12.txt",
                "form": {
                    "heading": "{n} files", "heading_of_one": "One file", "nothing": "no files", "remark": "in b", "layout": "cells",
                    "columns": [{"name": "size", "kind": "bytes"}], "total": "together", "root": "/a",
                    "sections": [{
                    "heading": "{n} files", "heading_of_one": "One file", "nothing": "no files", "remark": "in b", "layout": "cells",
                    "columns": [{"name": "size", "kind": "bytes"}], "total": "together", "root": "/a",
                }]
                },
                "next_moves": ["say yes"], "tried": ["glob"], "ruled_out": ["/a"],
                "trajectory": [{"loss": loss(), "directive": "change_approach", "grad_l": 0.3, "grad_q": 0.4}],
                "unanswered_confirmation": true,
                "usage": {
                    "roles": {"R4a": {"calls": 1, "prompt_tokens": 2, "completion_tokens": 3, "elapsed_ms": 4}},
                    "tool_calls": 5, "elapsed_ms": 6,
                },
                "taint": ["private"],
            }),
        ),
        (MessageKind::MegramWrite, json!({"megram": megram()})),
    ]
}

fn results() -> Vec<(MessageKind, Value)> {
    vec![
        (
            MessageKind::ExecutionResult,
            json!({
                "subtask_id": STEP, "attempt": 2, "status": "uncertain", "output": "ten", "answer": "a5",
                "handle": "out-1", "tool_calls": ["glob: /a → x"], "receipts": [receipt()],
                "infrastructure": "deadline",
            }),
        ),
        (
            MessageKind::CorrectionSignal,
            json!({
                "subtask_id": STEP, "attempt": 3, "what_was_wrong": "nine", "what_to_do": "ten",
                "failure_class": "environmental", "prior_calls": ["glob"],
            }),
        ),
        (MessageKind::SubTaskOutcome, outcome()),
        (
            MessageKind::ReplanRequest,
            json!({
                "task_id": TASK, "outcomes": [outcome()], "failed_outcomes": [STEP], "task_verdicts": [verdict()],
                "task_history": [{"judged": 2, "failed": 1}], "task_criteria": [criterion()],
                "gap_summary": "one is missing", "partial_output": "nine", "not_in_receipts": ["1250.00"],
            }),
        ),
        (
            MessageKind::OutcomeSummary,
            json!({
                "task_id": TASK, "merged_output": ["x", 1.5], "summary": "done", "outcomes": [outcome()],
                "task_verdicts": [verdict()], "task_history": [{"judged": 2, "failed": 1}],
                "task_criteria": [criterion()], "not_in_receipts": ["1250.00"],
            }),
        ),
    ]
}

fn effects() -> Vec<(MessageKind, Value)> {
    vec![
        (
            MessageKind::ToolCallStarted,
            json!({"effect_id": 4, "subtask_id": STEP, "tool": "shell", "arguments": "{}"}),
        ),
        (
            MessageKind::ToolCallFinished,
            json!({
                "effect_id": 4, "subtask_id": STEP, "receipt": "r4", "tool": "shell", "target": "/a",
                "effect": "overwrite", "end": "timeout", "exit": 1, "output": "x", "elapsed_ms": 7,
                "taint": ["untrusted"], "changes": [change()],
            }),
        ),
        (
            MessageKind::ModelCallStarted,
            json!({"call": 1, "role": "R4b", "subtask_id": STEP, "prompt_chars": 900, "repair": true}),
        ),
        (
            MessageKind::ModelCallFinished,
            json!({
                "call": 1, "role": "R1", "subtask_id": STEP, "model": "m",
                "usage": {"prompt": 1, "cached": 2, "completion": 3, "reasoning": 4}, "elapsed_ms": 5, "attempts": 2,
                "failure": "too late",
            }),
        ),
    ]
}

fn audit_report() -> Value {
    let health = json!({"execution_failures": 1, "environmental_retries": 2, "logical_retries": 3});
    json!({
        "trigger": "on-demand", "window_start": TIME, "window_end": TIME + 1, "tasks_observed": 4,
        "total_corrections": 5, "gap_trends": [{"task_id": TASK, "trend": "improving"}],
        "boundary_violations": ["R1 to R5"], "drift_alerts": ["R2"], "anomalies": ["thrashing"],
        "tool_health": health,
        "totals": {
            "tasks_observed": 6, "total_corrections": 7, "replans": 8, "envelopes": 9,
            "reasons": {"criteria_met": 10}, "boundary_violations": 11, "anomalies": 12, "drift_alerts": 13,
            "tool_health": health,
        },
        "head": {"seq": 14, "hash": "ab"}, "anchored_in": ["audit/anchors.jsonl"], "unread": 15,
        "window": {
            "envelopes": 16, "replans": 17, "reasons": {"criteria_met": 18}, "findings": {"drops": 19},
            "roles": [{
                "role": "R3", "measure": "failed verdicts", "bad": 20, "all": 21, "bad_before": 22, "all_before": 23,
            }],
        },
        "health": {
            "reasons": {"criteria_met": 24}, "distances": [{"round": 1, "mean": 0.25, "tasks": 26}],
            "accepts": 27, "replans_per_accept": 1.5,
        },
        "open_findings": 28,
    })
}

fn finding() -> Value {
    json!({
        "id": "f0123456789", "time": TIME, "task_id": TASK, "sequence": 7, "kind": "plateau", "detail": "D is 0.50",
        "message": "plan_directive R7 → R2: refine",
    })
}

fn loss() -> Value {
    json!({"D": 0.1, "P": 0.2, "Omega": 0.3, "L": 0.4})
}

fn unmet() -> Value {
    json!({"criterion": "ten files", "evidence": "nine", "evaluated": true})
}

fn criterion() -> Value {
    json!({"text": "ten files", "mode": "plausible", "check": {"kind": "output_lines", "op": "eq", "n": 10.0}})
}

fn verdict() -> Value {
    json!({
        "index": 1, "criterion": "ten files", "mode": "verifiable", "verdict": "fail", "failure_class": "logical",
        "cites": "r3", "evidence": "nine",
    })
}

fn subtask() -> Value {
    json!({
        "subtask_id": STEP, "parent_task_id": TASK, "round": 1, "ordinal": 2, "sequence": 3, "intent": "look",
        "context": "here", "tools": ["glob"], "targets": ["/a"], "success_criteria": [criterion()], "replaces": OTHER,
        "prior_outputs": [{"subtask_id": OTHER, "sequence": 1, "intent": "first", "output": "x"}],
        "blocked": {"classes": ["shell:rm"], "targets": [{"class": "glob", "target": "/a"}],
                    "cautions": [{"class": "shell:rm", "target": "/b"}]},
        "known": [{"force": "prefer", "content": "glob was quick"}],
    })
}

fn outcome() -> Value {
    json!({
        "subtask_id": STEP, "parent_task_id": TASK, "status": "not_run", "output": "x", "handle": "out-1",
        "failure_reason": "nine", "criteria_verdicts": [verdict()], "tool_calls": ["glob"], "receipts": [receipt()],
        "gap_trajectory": [{
            "attempt": 1, "score": 0.5, "unmet_criteria": ["ten"], "unmet_indexes": [1], "failure_class": "logical",
        }],
        "denied": "refused", "subtask": subtask(),
    })
}

fn receipt() -> Value {
    json!({
        "id": "r4", "tool": "shell", "classes": ["shell:ls"], "blame": "shell:ls", "target": "/a",
        "arguments": "{\"command\":\"ls\"}", "effect": "system", "end": "cancelled", "exit": -1, "output": "x",
        "output_bytes": 9, "digest": "abc", "handle": "out-1", "started_at": TIME, "elapsed_ms": 3,
        "note": "from an index", "taint": ["untrusted", "private"], "changes": [change()], "changes_omitted": 2,
        "written": "new",
    })
}

fn change() -> Value {
    json!({"path": "/a", "kind": "changed", "before": "abc", "after": "def"})
}

fn input() -> Value {
    json!({"path": "/w/a", "state": "present", "sha256": "ab12"})
}

fn megram() -> Value {
    json!({
        "id": OTHER, "level": "K", "created_at": TIME, "last_recalled_at": TIME + 1, "space": "tool:glob",
        "entity": "path:*", "content": "it works", "state": "change_path", "f": 0.5, "sigma": -0.25, "k": 0.05,
        "agent_id": "R7", "task_id": TASK, "parents": [STEP], "tainted": true, "about": "list them",
        "failed_plans": [{"mark": STEP, "folder": "/w", "inputs": [input()]}],
        "failed_in": {"folder": "/w", "inputs": [input()]},
    })
}
