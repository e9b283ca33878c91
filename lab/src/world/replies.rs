//! What models say, what calls leave behind, and what checks see.

use artoo_types::brief::Brief;
use artoo_types::chat::{ChatReply, ChatRequest, ModelOutcome, Usage};
use artoo_types::criteria::{FailureClass, Verdict};
use artoo_types::evidence::{CallEnd, CheckEvidence, EffectClass, Receipt};
use artoo_types::machine::{AskedCheck, CheckSubject, TaskInput};
use artoo_types::tool::ToolCall;
use artoo_types::{EffectId, EvidenceId, SubtaskId};
use serde_json::{Value, json};

use super::attempt::Bench;
use super::surroundings::{NAMES, class_name, target_name};
use super::{Status, World};
use crate::plant::{Mode, Trouble};

/// A reply of a model that took this long.
pub(super) fn outcome(content: &Value, secs: f64) -> ModelOutcome {
    ModelOutcome::Reply(ChatReply {
        content: content.to_string(),
        usage: Usage { prompt: Some(10), completion: Some(5), ..Usage::default() },
        attempts: 1,
        elapsed_ms: (secs * 1000.0) as u64,
        ..ChatReply::default()
    })
}

impl World<'_> {
    /// The reply to a request, and the seconds that it takes.
    pub(super) fn reply(&mut self, request: &ChatRequest) -> (Value, f64) {
        let secs = self.scene.truth.model_secs;
        let Some(brief) = request.brief.as_deref() else { return (Value::Null, secs) };
        if let Brief::Plan(_) = brief {
            (self.plan(), 1.5 * secs)
        } else if let Brief::Act(act) = brief {
            (self.act(act.subtask.subtask_id), secs)
        } else if let Brief::Judge(judge) = brief {
            let verdicts = self.verdicts(judge.subtask.subtask_id, &judge.asked);
            let of_task = self.task_verdicts(&judge.task_asked);
            (json!({"verdicts": verdicts, "task_verdicts": of_task, "correction": null}), secs)
        } else if let Brief::Merge(merge) = brief {
            let verdicts = self.task_verdicts(&merge.asked);
            (
                json!({"merged_output": "the parts were looked into", "summary": "done", "verdicts": verdicts}),
                1.5 * secs,
            )
        } else if let Brief::Farewell(_) = brief {
            (json!({"found": [], "next_moves": []}), secs)
        } else {
            (json!({"slug": "look", "intent": "look into it"}), secs)
        }
    }

    fn act(&mut self, id: SubtaskId) -> Value {
        let Some(s) = self.ids.get(&id).copied().flatten() else {
            self.cover.called = !self.cover.called;
            return match self.cover.called {
                true => {
                    json!({"action": "tool", "tool": "t4", "arguments": {"target": "zulu", "n": self.scene.round}})
                }
                false => json!({"action": "finish", "status": "completed", "output": "zulu is covered"}),
            };
        };
        if self.steps[s].work.called {
            self.steps[s].work.called = false;
            let broke = self.steps[s].work.last.as_ref().is_some_and(|attempt| attempt.broke);
            let status = if broke { "failed" } else { "completed" };
            return json!({"action": "finish", "status": status, "output": shown(s)});
        }
        let step = &mut self.steps[s];
        let class = Bench { scene: &self.scene, s, step }.attempt();
        self.used[class] = true;
        self.steps[s].work.called = true;
        let (class, target) =
            (self.steps[s].class, target_name(s, self.steps[s].target, self.steps[s].folded));
        let n = format!("{}.{}", self.scene.round, self.steps[s].work.attempts);
        match class {
            0..4 => {
                json!({"action": "tool", "tool": "shell", "arguments": {"command": format!("p{class} {target} {n}")}})
            }
            _ => {
                json!({"action": "tool", "tool": class_name(class), "arguments": {"target": target, "n": n}})
            }
        }
    }

    pub(super) fn run_tool(&mut self, call: &ToolCall) {
        let id = EvidenceId::receipt(call.effect_id);
        let of_step = self.ids.get(&call.subtask_id).copied().flatten();
        let quiet = Receipt {
            arguments: call.arguments.clone(),
            effect: EffectClass::Unknown,
            ..Receipt::quiet(id.clone(), &call.tool)
        };
        let (receipt, secs) = match of_step {
            None => {
                self.cover.receipt = id.to_string();
                let output = "zulu is covered: all that was missing is there".to_owned();
                (Receipt { target: "zulu".to_owned(), output, ..quiet }, 0.5)
            }
            Some(s) => {
                let class = class_name(self.steps[s].class);
                let blame = match self.scene.truth.steps[s].auxiliary {
                    Some(other) if self.scene.draw(57, s, 0) < self.scene.plant.miscited => class_name(other),
                    _ => class,
                };
                let target = target_name(s, self.steps[s].target, self.steps[s].folded);
                let Some(attempt) = self.steps[s].work.last.as_mut() else { return };
                attempt.receipt = Some(id.to_string());
                let (end, exit) = match (attempt.broke, attempt.call_failed) {
                    (true, _) => (CallEnd::Timeout, None),
                    (false, failed) => (CallEnd::Ran, Some(i64::from(failed))),
                };
                (
                    Receipt {
                        classes: vec![blame.clone()],
                        blame,
                        target,
                        end,
                        exit,
                        output: shown(s),
                        ..quiet
                    },
                    attempt.secs,
                )
            }
        };
        let input = TaskInput::ToolFinished { effect_id: call.effect_id, receipt: Box::new(receipt) };
        self.agenda.after(secs, input);
    }

    fn verdicts(&self, id: SubtaskId, asked: &[usize]) -> Vec<Value> {
        let Some(s) = self.ids.get(&id).copied().flatten() else {
            let receipt = &self.cover.receipt;
            return asked
                .iter()
                .map(|i| json!({"criterion": i, "verdict": "pass", "receipt": receipt, "evidence": "seen"}))
                .collect();
        };
        let Some(attempt) = &self.steps[s].work.last else { return Vec::new() };
        let of = |i: &usize| {
            let fails = attempt.failed.get(*i).copied().unwrap_or(false);
            let class = attempt.blames_approach.get(*i).copied().flatten();
            json!({"criterion": i, "verdict": if fails { "fail" } else { "pass" },
                   "failure_class": class.map(|logical| if logical { "logical" } else { "environmental" }),
                   "receipt": attempt.receipt, "evidence": "seen"})
        };
        asked.iter().map(of).collect()
    }

    /// Verdicts on criteria of the task. A judge that finds something wrong cites the step that it stems from, mostly.
    fn task_verdicts(&self, asked: &[usize]) -> Vec<Value> {
        let seen = self.task_seen();
        let some = self.steps.iter().find_map(|step| step.work.last.as_ref()?.receipt.clone());
        let blamed = self.blamed().and_then(|s| self.steps[s].work.last.as_ref()?.receipt.clone());
        let of = |j: &usize| {
            let (fails, logical) = seen[*j % seen.len()];
            json!({"criterion": j, "verdict": if fails { "fail" } else { "pass" },
                   "failure_class": fails.then_some(if logical { "logical" } else { "environmental" }),
                   "receipt": if fails { blamed.clone().or(some.clone()) } else { some.clone() }, "evidence": "seen"})
        };
        asked.iter().map(of).collect()
    }

    /// Whether the whole is wrong although it may look right.
    pub(super) fn is_wrong(&self) -> bool {
        !self.cover.whole || self.wrong_step().is_some()
    }

    /// The last step that matched and is not right.
    pub(super) fn wrong_step(&self) -> Option<usize> {
        let wrong = |s: &usize| {
            let step = &self.steps[*s];
            step.status == Status::Matched && (!step.is_right || step.stale)
        };
        (0..self.steps.len()).rev().find(wrong)
    }

    /// The step that R4b cites when it rejects the whole.
    fn blamed(&self) -> Option<usize> {
        match self.wrong_step().filter(|_| self.scene.draw(53, 0, 0) < 0.7) {
            Some(wrong) => Some(wrong),
            None => Some((self.scene.draw(55, 0, 0) * self.steps.len() as f64) as usize),
        }
    }

    /// Per task criterion: whether it is seen as failed, and as a failure of the approach.
    pub(super) fn task_seen(&self) -> Vec<(bool, bool)> {
        let wrong = self.is_wrong();
        let games = self.wrong_step().is_some_and(|s| self.scene.truth.steps[s].trouble == Trouble::Gameable);
        let found = match (self.cover.whole, games) {
            (false, _) => 0.85,
            (true, true) => 0.3,
            (true, false) => 0.55,
        };
        let of = |(j, mode): (usize, &Mode)| {
            let at = self.scene.draw(50, 0, j);
            let seen =
                if wrong { at < found } else { at < 0.5 * self.scene.plant.noise && *mode != Mode::Check };
            (seen, self.scene.draw(51, 0, j) < 0.7)
        };
        self.scene.truth.task_modes.iter().enumerate().map(of).collect()
    }

    /// What checks see: before the task nothing holds, so that what holds after it was made.
    pub(super) fn check(
        &self,
        effect: EffectId,
        checks: &[AskedCheck],
        subject: &CheckSubject,
    ) -> Vec<CheckEvidence> {
        let before = *subject == CheckSubject::default();
        let seen = |asked: &AskedCheck| {
            let path = serde_json::to_value(&asked.check).ok();
            let path = path.as_ref().and_then(|check| check["path"].as_str()).unwrap_or_default().to_owned();
            let mut parts = path.trim_matches('/').split('/').skip(1);
            let (what, s, i) = (parts.next(), parts.next(), parts.next());
            let number = |word: Option<&str>| word.and_then(|w| w.parse::<usize>().ok()).unwrap_or(0);
            match what {
                Some("task") => {
                    let unfinished = self.steps.iter().any(|step| step.status != Status::Matched);
                    let (fails, logical) = self.task_seen()[number(i)];
                    if unfinished { (self.is_wrong(), true) } else { (fails, logical) }
                }
                _ => self.steps[number(s)].work.last.as_ref().map_or((true, true), |attempt| {
                    (attempt.failed.get(number(i)).copied().unwrap_or(true), !attempt.call_failed)
                }),
            }
        };
        let evidence = |(n, asked): (usize, &AskedCheck)| {
            let (fails, logical) = if before { (true, true) } else { seen(asked) };
            let class = if logical { FailureClass::Logical } else { FailureClass::Environmental };
            CheckEvidence {
                id: EvidenceId::check(effect, n),
                criterion: asked.criterion,
                verdict: if fails { Verdict::Fail } else { Verdict::Pass },
                failure_class: fails.then_some(class),
                saw: "measured".to_owned(),
                subjects: Vec::new(),
                before: None,
            }
        };
        checks.iter().enumerate().map(evidence).collect()
    }

    /// The criteria of a step.
    pub(super) fn criteria(&self, s: usize) -> Vec<Value> {
        let of = |(i, criterion): (usize, &crate::plant::StepCriterion)| {
            criterion_json(
                &format!("{} part {i} is as it should be", NAMES[s]),
                criterion.mode,
                &format!("sub/{s}/{i}"),
            )
        };
        self.scene.truth.steps[s].criteria.iter().enumerate().map(of).collect()
    }

    /// The criteria of the task.
    pub(super) fn task_criteria(&self) -> Vec<Value> {
        let of = |(j, mode): (usize, &Mode)| {
            criterion_json(&format!("the whole is as it should be, point {j}"), *mode, &format!("task/0/{j}"))
        };
        self.scene.truth.task_modes.iter().enumerate().map(of).collect()
    }
}

fn criterion_json(text: &str, mode: Mode, place: &str) -> Value {
    let word = if mode == Mode::Plausible { "plausible" } else { "verifiable" };
    let check =
        (mode == Mode::Check).then(|| json!({"kind": "file_exists", "path": format!("/chk/{place}")}));
    json!({"text": text, "mode": word, "check": check})
}

/// What a call on a step puts out: enough words that evidence bears on its criteria.
fn shown(s: usize) -> String {
    format!("{} parts 0 1 2 3: the whole is as it should be, point 0, point 1", NAMES[s])
}
