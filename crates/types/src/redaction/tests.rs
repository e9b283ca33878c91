use artoo_redact::{KnownSecret, Secret, SecretKind};

use super::*;
use crate::chat::ModelFailureKind;
use crate::criteria::Verdict;
use crate::evidence::{BeforeState, CallAct, CallEnd, CallTime, ChangeKind, EffectClass, FileChange};
use crate::memory::{FailedPlan, InputState, Level, Potentials, Relatedness};
use crate::plan::PlanMark;
use crate::setting::{ControlParams, PersonClock};
use crate::situation::{AskedPath, FileHead, GitState, PathKind, PlaceEntry, Situation};
use crate::task::{StopCause, TaskOptions};
use crate::undo::TargetKind;
use crate::{ConfirmationId, EffectId, EvidenceId, Timestamp};

const SECRET: &str = "canary-0042-value";

fn told() -> String {
    format!("before {SECRET} behind")
}

/// One input of each kind, with the secret in every text that comes from outside.
fn inputs() -> Vec<TaskInput> {
    let effect_id = EffectId(1);
    vec![
        TaskInput::Submitted {
            submitted: TaskSubmitted {
                input: told(),
                session_id: told(),
                request_id: told(),
                working_directory: told(),
                options: TaskOptions::default(),
            },
            setting: Box::new(setting()),
        },
        TaskInput::ModelFinished {
            effect_id,
            outcome: ModelOutcome::Reply(ChatReply {
                content: told(),
                tool_calls: vec![NativeToolCall { name: told(), arguments: told() }],
                finish_reason: Some(told()),
                model: told(),
                ..ChatReply::default()
            }),
        },
        TaskInput::ModelFinished {
            effect_id,
            outcome: ModelOutcome::Failure(ModelFailure {
                kind: ModelFailureKind::Failed,
                message: told(),
                attempts: 1,
                elapsed_ms: 1,
                retry_after_ms: None,
            }),
        },
        TaskInput::ToolHeld { effect_id, question: held() },
        TaskInput::ToolInterrupted { effect_id, question: held() },
        TaskInput::ToolStarting {
            effect_id,
            intent: Intent {
                effects: vec![EffectClass::Create],
                targets: vec![told()],
                digest: "d".to_owned(),
            },
        },
        TaskInput::ToolFinished { effect_id, receipt: Box::new(receipt()) },
        TaskInput::ChecksFinished {
            effect_id,
            evidence: vec![CheckEvidence {
                id: EvidenceId::check(effect_id, 0),
                criterion: 0,
                verdict: Verdict::Pass,
                failure_class: None,
                saw: told(),
                subjects: vec![told()],
                before: Some(BeforeState {
                    id: EvidenceId::check(effect_id, 0),
                    verdict: Some(Verdict::Pass),
                    saw: told(),
                    changed_by: None,
                    put_back: false,
                    moved_only: false,
                    changed_below: None,
                }),
            }],
        },
        TaskInput::MemoryAnswered { effect_id, reply: memory() },
        TaskInput::LookedAround {
            effect_id,
            situation: Box::new(Situation {
                entries: vec![PlaceEntry { path: told(), bytes: 1 }],
                has_more: false,
                heads: vec![FileHead { path: told(), text: told() }],
                git: Some(GitState { branch: told(), changed: Some(vec![told()]) }),
                programs: vec![told()],
                is_project: false,
                asked: vec![AskedPath {
                    unread: None,
                    path: told(),
                    kind: PathKind::File,
                    head: told(),
                    is_whole: true,
                    near: vec![told()],
                    others: vec![FileHead { path: told(), text: told() }],
                }],
                outside_repository: true,
                own_folder: told(),
            }),
        },
        TaskInput::Confirmed {
            confirmation_id: ConfirmationId(uuid::Uuid::nil()),
            approved: true,
            remember_for_task: false,
        },
        TaskInput::Clarified { answer: told() },
        TaskInput::Stop { cause: StopCause::Internal, detail: told() },
        TaskInput::Stopped { survivors: vec![told()] },
        TaskInput::Wake,
        TaskInput::Resumed { build: "b".to_owned() },
    ]
}

fn held() -> HeldCall {
    HeldCall {
        tool: told(),
        action: told(),
        classes: vec![told()],
        target: told(),
        effects: vec![EffectClass::Delete],
        targets: vec![told()],
        why: vec![told()],
        states: vec![TargetState {
            real: told(),
            leads_to: told(),
            kind: TargetKind::File,
            bytes: 1,
            files: 1,
            sha256: String::new(),
        }],
        undo: Undoing::No { why: told() },
        caution: false,
        digest: "d".to_owned(),
    }
}

fn setting() -> TaskSetting {
    TaskSetting {
        control: ControlParams::default(),
        deadline_ms: 1,
        max_tokens: None,
        interactive: false,
        tools: Vec::new(),
        native_tool_calls: false,
        models: Default::default(),
        build: String::new(),
        home: told(),
        workspace: told(),
        os: told(),
        clock: PersonClock { date: told(), utc_offset_minutes: 0 },
        provider: told(),
        workspace_files: vec![told()],
        session: vec![SessionPair {
            input: told(),
            summary: told(),
            answer: told(),
            taint: Default::default(),
        }],
    }
}

fn receipt() -> Receipt {
    Receipt {
        id: EvidenceId::receipt(EffectId(1)),
        tool: told(),
        classes: vec![told()],
        blame: told(),
        target: told(),
        arguments: told(),
        effect: EffectClass::Read,
        end: CallEnd::Ran,
        exit: Some(0),
        output: told(),
        output_bytes: 1,
        digest: "d".to_owned(),
        handle: None,
        time: CallTime { started_at: Timestamp(1), elapsed_ms: 1 },
        note: Some(told()),
        taint: Default::default(),
        act: CallAct {
            changes: vec![FileChange {
                path: told(),
                kind: ChangeKind::Made,
                before: None,
                after: None,
                modes: None,
            }],
            changes_omitted: 1,
            folders_unseen: 0,
            written: Some(told()),
            inputs: world().inputs,
            is_exact: false,
            image: None,
        },
    }
}

fn world() -> WorldState {
    let input = PlanInput { path: told(), state: InputState::Absent };
    WorldState { folder: told(), inputs: vec![input] }
}

fn memory() -> MemoryReply {
    let id = uuid::Uuid::nil();
    let tag = || Tag { space: told(), entity: told() };
    let megram = Megram {
        id,
        level: Level::M,
        created_at: Timestamp(1),
        last_recalled_at: None,
        tag: tag(),
        content: told(),
        state: told(),
        f: 0.5,
        sigma: 0.5,
        k: crate::rate::Rate::Timeless,
        agent_id: told(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: told(),
        failed: RememberedFailure {
            plans: vec![FailedPlan { mark: PlanMark(id), world: world() }],
            world: Some(world()),
        },
    };
    let sop = SopRecord { id, content: told(), sigma: 1.0, level: Level::C, overwritten: true };
    let via = Via { request: told(), relation: Relatedness::Alias, similarity: 0.5, why: told() };
    let entry = MemoryEntry {
        tag: tag(),
        potentials: Potentials::default(),
        sops: vec![sop],
        top: vec![megram],
        via: Some(via),
        proposals: vec![Proposal { id, content: told(), from: vec![id] }],
    };
    MemoryReply { entries: vec![entry], unavailable: Some(told()), present: world().inputs }
}

#[test]
fn no_input_brings_a_secret_in() {
    let redactor = Redactor::new(&[KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::ApiKey }]);
    for input in inputs() {
        let before = serde_json::to_string(&input).unwrap();
        let redacted = InputRedactor(&redactor).input(input.clone());
        let after = serde_json::to_string(&redacted).unwrap();
        assert!(!after.contains("canary"), "{after}");
        // Every mention is replaced, and nothing else changes.
        assert_eq!(before.replace(SECRET, "[redacted: api key]"), after);
        assert_eq!(InputRedactor(&redactor).input(redacted.clone()), redacted);
    }
}

#[test]
fn an_input_without_a_secret_is_as_it_was() {
    let redactor = Redactor::default();
    for input in inputs() {
        assert_eq!(InputRedactor(&redactor).input(input.clone()), input);
    }
}
