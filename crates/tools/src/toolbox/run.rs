//! Running a call that was judged, and what became of one that the end of the daemon interrupted.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_command::sandbox::{Confinement, ModeRights};
use artoo_command::stop::StopSignal;
use artoo_gate::origin::has_origin;
use artoo_gate::paths::canonical;
use artoo_trash::{Change, TrashError, TrashRecord, real_paths};
use artoo_types::Timestamp;
use artoo_types::evidence::{CallEnd, CallTime, EffectClass};
use artoo_types::memory::{InputState, MAX_INPUTS, PlanInput};
use artoo_types::text::{escape, first_chars};
use artoo_types::tool::{Approval, CallOutcome, ToolCall, joined_remarks};
use artoo_types::undo::Undoing;

use super::{RunOutcome, Toolbox};
use crate::flow;
use crate::judged::{JudgedCall, NotReady, ReadyCall};
use crate::question::BoundQuestion;
use crate::receipt::{is_tellable, receipt};
use crate::survey::{Survey, SurveyPlan, SurveyedAct};
use crate::tool::{CallFacts, Judgement, Permission, Reach, Recovery};
use crate::work::{Commands, ToolRun, Work};

/// Characters of the action that are recorded.
const MAX_ACTION_CHARS: usize = 2_000;

/// Bytes of an output whose receipt is made at once: it takes some ten microseconds, and is stored nowhere.
const SHORT_OUTPUT_BYTES: usize = 4_096;

/// What was copied of what a call changes; nothing when it changes nothing.
type Backup = Result<Option<TrashRecord>, TrashError>;

impl Toolbox {
    /// Runs a call, or says why not. `now` is when it starts; the receipt's other times are measured. It returns within
    /// the call's deadline, or shortly after `stop`, plus the time that children get to end.
    pub async fn run(
        &self,
        judged: JudgedCall,
        approval: Option<&Approval>,
        stop: StopSignal,
        now: Timestamp,
    ) -> RunOutcome {
        let unknown = PlanInput { path: judged.facts.blame.clone(), state: InputState::Unknown };
        let inputs = match judged.facts.looks_at.clone() {
            Some(paths) => self.states_of(paths, judged.call.working_directory.clone()).await,
            None => vec![unknown.clone()],
        };
        let mut outcome = self.run_judged(judged, approval, stop, now).await;
        if let RunOutcome::Done(receipt) = &mut outcome
            && receipt.end != CallEnd::Refused
        {
            let config = &self.shared.config;
            let (mut told, hidden): (Vec<PlanInput>, Vec<PlanInput>) =
                inputs.into_iter().partition(|input| is_tellable(&input.path, &config.redactor));
            if !hidden.is_empty() {
                // Nobody can tell later whether that has changed.
                told.insert(0, unknown);
            }
            told.truncate(MAX_INPUTS);
            receipt.act.inputs = told;
            if receipt.end == CallEnd::Ran {
                self.learn_seen(receipt);
            }
        }
        outcome
    }

    /// Runs it, or says why not.
    async fn run_judged(
        &self,
        judged: JudgedCall,
        approval: Option<&Approval>,
        stop: StopSignal,
        now: Timestamp,
    ) -> RunOutcome {
        let started = Instant::now();
        let first = match judged.permitted(approval) {
            Ok(ready) => ready,
            Err(not_ready) => return self.not_run(*not_ready, started, now).await,
        };
        let _turn = self.turns.wait(&first.facts, stop.clone()).await;
        // What a person agreed to change is copied first, because that takes its time.
        let copied = match &first.agreed {
            Some(_) => Some(self.back_up(&first, &stop, now).await),
            None => None,
        };
        // The world may have changed since the call was judged, so it is judged once more, right before it runs. What it
        // may bring counts from before the look at what the task holds: of two calls at once that must not mix, one sees
        // the other.
        let call = first.call;
        let alone = self.weigh(&call);
        let brings = alone.as_ref().map(|weighed| weighed.judgement.facts.brings).unwrap_or_default();
        // What was freed to run in a box brings no more than the box lets in.
        let is_boxed = first.facts.project.is_some() || first.facts.is_exact;
        let brings = if is_boxed { first.facts.brings } else { brings };
        let under_way = self.flow.enter(brings);
        let ready = match self.ruled(call, alone, false).permitted(approval) {
            Ok(ready) => ready,
            Err(not_ready) => {
                if let Some(Ok(Some(record))) = copied {
                    record.discard();
                }
                return self.not_run(*not_ready, started, now).await;
            }
        };
        let backup = match copied {
            Some(backup) => backup,
            None => self.back_up(&ready, &stop, now).await,
        };
        let record = match backup {
            Ok(record) => record,
            Err(why)
                if ready
                    .agreed
                    .as_ref()
                    .map_or(ready.facts.replaces(), |question| question.held.undo.is_possible()) =>
            {
                let failed = not_kept(&why);
                return self.done(ready.call, ready.facts, unacted(failed), started, now).await;
            }
            // It replaces nothing, or it was told that it cannot be undone.
            Err(why) => {
                tracing::warn!(%why, "what a call did cannot be listed for an undo");
                None
            }
        };
        let ReadyCall { call, facts, .. } = &ready;
        let (call, facts) = (call.clone(), facts.clone());
        let is_written = ready.prepared.tool.reach() == Reach::Writes;
        let had_origin = is_written && has_origin(&facts.target);
        let survey = self.survey(&ready, &stop).await;
        let mends_modes = !self.sets_modes(&ready.prepared.confinement);
        let mut outcome = self.perform(ready, stop.clone(), now).await;
        let remarks = put_back(record.clone(), mends_modes).await;
        outcome.note = joined_remarks(outcome.note.into_iter().chain(remarks));
        let act = compared(survey, &stop).await;
        // Text of strangers may have come into the task after this call was made. An edited file is a new one, which has
        // lost what the old one said of itself; a file of the person's own stays theirs.
        let is_strange = match facts.effect {
            EffectClass::Create => (call.taint | self.flow.so_far()).untrusted,
            EffectClass::Read
            | EffectClass::Overwrite
            | EffectClass::Delete
            | EffectClass::Send
            | EffectClass::System
            | EffectClass::Unknown => had_origin,
        };
        if is_written && outcome.exit == Some(0) && is_strange {
            flow::mark_origin(&facts.target);
        }
        settle(record, stop).await;
        under_way.settle(facts.brings);
        self.done(call, facts, (outcome, act), started, now).await
    }

    /// Whether a command in this confinement can set the modes of what it writes, on this machine.
    fn sets_modes(&self, confinement: &Confinement) -> bool {
        match confinement.modes() {
            ModeRights::Nothing => false,
            ModeRights::OfGrants => self.shared.sandbox.means().has_modes(),
            ModeRights::All => true,
        }
    }

    /// Finds out what became of a call that had begun to do more than reading when the daemon went down. A new file that
    /// holds what was to be written was written; one that is absent is written now, which replaces nothing. Of anything
    /// else nobody can tell, and a person has to decide.
    pub async fn recover(&self, call: ToolCall, stop: StopSignal, now: Timestamp) -> RunOutcome {
        let weighed = self.weigh(&call);
        let recovery = weighed.as_ref().ok().map(|w| w.tool.recovery(&self.places(&call.working_directory)));
        match (weighed, recovery) {
            (Ok(weighed), Some(Recovery::Done(outcome))) => {
                // It is there by now, as what this call made.
                let facts = CallFacts { effect: EffectClass::Create, ..weighed.judgement.facts };
                let survey = SurveyPlan::of_files(&facts, &self.places(&call.working_directory)).of_new();
                let act = compared(Some(survey), &stop).await;
                self.done(call, facts, (outcome, act), Instant::now(), now).await
            }
            (Ok(weighed), Some(Recovery::Unknown)) => {
                let weighed = self.in_task(&call, weighed);
                let Judgement { facts, permission, .. } = &weighed.judgement;
                let (effects, targets, mut why) = match permission.clone() {
                    Permission::Ask { effects, targets, why } => (effects, targets, why),
                    Permission::Free | Permission::Refuse(_) => {
                        (vec![facts.effect], vec![facts.target.clone()], Vec::new())
                    }
                };
                why.insert(
                    0,
                    "it was under way when the daemon went down: it may have happened, wholly or in part; look before \
                     you say yes, which runs it again"
                        .to_owned(),
                );
                let (facts, prepared, _) = weighed.parts();
                let question = self.question(&call, &facts, &prepared, effects, targets, why);
                RunOutcome::Interrupted(Box::new(question.held))
            }
            // It did not happen; or it can be read no more, so a yes could not run it either: the refusal says why.
            (weighed, _) => {
                let judged = self.ruled(call, weighed, true);
                self.run(judged, None, stop, now).await
            }
        }
    }

    /// What comes of a call that has no permission.
    async fn not_run(&self, not_ready: NotReady, started: Instant, now: Timestamp) -> RunOutcome {
        match not_ready {
            NotReady::Refused(call, facts, refusal) => {
                let refused = CallOutcome::ended(CallEnd::Refused, refusal.0);
                self.done(call, facts, unacted(refused), started, now).await
            }
            NotReady::Held(question, judged) => RunOutcome::Held(question, judged),
        }
    }

    /// Looks at what a call may change, right before it starts; nothing for one that only reads.
    async fn survey(&self, ready: &ReadyCall, stop: &StopSignal) -> Option<Survey> {
        let plan = SurveyPlan::of(ready, &self.places(&ready.call.working_directory))?;
        let stop = stop.clone();
        tokio::task::spawn_blocking(move || plan.look(&|| stop.is_stopped())).await.ok()
    }

    /// Copies what a call is about to change into the trash.
    async fn back_up(&self, ready: &ReadyCall, stop: &StopSignal, now: Timestamp) -> Backup {
        let effects = ready.effects();
        let Some(task_id) = self.task_id.filter(|_| effects.iter().any(|e| *e != EffectClass::Read)) else {
            return Ok(None);
        };
        let held = |question: &BoundQuestion| question.held.undo.clone();
        // A project is kept whatever else the call does: what runs later is put back from there.
        let is_kept = ready.facts.project.is_some();
        let undo = ready.agreed.as_ref().filter(|_| !is_kept).map_or(Undoing::Trash { bytes: 0 }, held);
        let action = ready.prepared.tool.describe(&escape(&ready.facts.target));
        let change = Change {
            task_id,
            effect_id: ready.call.effect_id,
            action: first_chars(&action, MAX_ACTION_CHARS),
            paths: ready.facts.changes.as_deref().map(|paths| real_paths(&effects, paths)),
            project: ready.facts.project.clone(),
            effects,
            at: now,
        };
        let (trash, stop) = (self.trash().clone(), stop.clone());
        let kept = tokio::task::spawn_blocking(move || trash.back_up(&change, &undo, &|| stop.is_stopped()));
        kept.await.unwrap_or_else(|error| Err(TrashError::Broken(error.to_string()))).map(Some)
    }

    /// Runs the call; it returns within its deadline, plus the time that children get to end.
    async fn perform(&self, ready: ReadyCall, stop: StopSignal, now: Timestamp) -> CallOutcome {
        let ReadyCall { call, facts, prepared, agreed } = ready;
        let limit = Duration::from_millis(call.deadline_ms.max(1));
        let timeout = prepared.tool.timeout(limit).min(limit).max(Duration::from_millis(1));
        let (shared, config) = (&self.shared, &self.shared.config);
        let work = Work {
            places: self.places(&call.working_directory),
            installed: shared.installed.clone(),
            artifacts: config.artifacts.clone(),
            outputs: Arc::clone(&self.outputs),
            seen: Arc::clone(&self.seen),
            deadline: Instant::now() + timeout,
            stop,
            now,
            agreed: agreed.map(|_| canonical(&facts.target)),
            replaces: facts.replaces(),
            shows_images: call.shows_images,
        };
        let commands = Commands {
            children: shared.children.clone(),
            environment: config.environment.clone(),
            home: config.home.clone(),
            survivors: Arc::clone(&self.survivors),
        };
        let (confinement, web) = (prepared.confinement, shared.web.clone());
        prepared.tool.run(ToolRun { work, timeout, confinement, commands, web }).await
    }

    /// The receipt of a call. An output may have many megabytes, which are redacted, digested and stored on a thread that
    /// may take its time.
    async fn done(
        &self,
        call: ToolCall,
        facts: CallFacts,
        (outcome, act): (CallOutcome, SurveyedAct),
        started: Instant,
        now: Timestamp,
    ) -> RunOutcome {
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let make = {
            let shared = Arc::clone(&self.shared);
            let time = CallTime { started_at: now, elapsed_ms };
            move |call: &ToolCall, facts, outcome, act| {
                let config = &shared.config;
                receipt(call, facts, outcome, act, &config.artifacts, &config.redactor, time)
            }
        };
        let is_short = outcome.output.len() <= SHORT_OUTPUT_BYTES && act.texts.is_empty();
        let made = {
            let (make, call) = (make.clone(), call.clone());
            let made = move || make(&call, facts, outcome, act);
            if is_short {
                // A thread of its own would take longer than this does, and waking one more often still.
                std::panic::catch_unwind(AssertUnwindSafe(made)).map_err(|_| "it broke".to_owned())
            } else {
                tokio::task::spawn_blocking(made).await.map_err(|error| error.to_string())
            }
        };
        let receipt = made.unwrap_or_else(|error| {
            let broken =
                CallOutcome::ended(CallEnd::Error, format!("no receipt could be made of it: {error}"));
            make(&call, CallFacts::unread(&call.tool), broken, SurveyedAct::default())
        });
        self.remember(&receipt);
        RunOutcome::Done(Box::new(receipt))
    }
}

/// What a call changed.
async fn compared(survey: Option<Survey>, stop: &StopSignal) -> SurveyedAct {
    let Some(survey) = survey else { return SurveyedAct::default() };
    let stop = stop.clone();
    let compared = tokio::task::spawn_blocking(move || survey.compare(&|| stop.is_stopped())).await;
    compared.unwrap_or_else(|error| {
        tracing::warn!(%error, "what a call changed could not be told");
        SurveyedAct { unseen: 1, ..SurveyedAct::default() }
    })
}

/// The end of a call that did nothing.
fn unacted(outcome: CallOutcome) -> (CallOutcome, SurveyedAct) {
    (outcome, SurveyedAct::default())
}

/// What becomes of a call whose changes could not be undone.
fn not_kept(why: &impl std::fmt::Display) -> CallOutcome {
    let words = "not run: what it changes could not be kept in the trash, so it could not be undone";
    CallOutcome::ended(CallEnd::Error, format!("{words}: {why}"))
}

/// Puts back what a call changed of what runs later in its project, and says so.
async fn put_back(record: Option<TrashRecord>, mends_modes: bool) -> Option<String> {
    let record = record?;
    // It is done whatever stops the call: until then the change stands.
    let done = tokio::task::spawn_blocking(move || record.put_back(mends_modes, &|| false)).await;
    let report = match done {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => {
            return Some(format!(
                "what it changed of what a person decides about could not be put back: {error}"
            ));
        }
        Err(error) => {
            return Some(format!(
                "what it changed of what a person decides about could not be put back: {error}"
            ));
        }
    };
    let mut remarks = Vec::new();
    for (why, restored) in [
        ("a person decides about what runs later", &report.runs_later),
        ("a change of it was asked about in this task, and nobody allowed it", &report.denied),
    ] {
        if !restored.is_empty() {
            remarks.push(format!("put back, because {why}: {}", some_of(restored)));
        }
    }
    if !report.failed.is_empty() {
        remarks.push(format!(
            "changed, for a person to decide about, and not put back: {}",
            some_of(&report.failed)
        ));
    }
    joined_remarks(remarks)
}

/// Paths that a remark names.
const MAX_NAMED: usize = 8;

fn some_of(paths: &[String]) -> String {
    let named = paths.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(MAX_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Records what a call left behind.
async fn settle(record: Option<TrashRecord>, stop: StopSignal) {
    if let Some(record) = record
        && let Err(error) = tokio::task::spawn_blocking(move || record.settle(&|| stop.is_stopped())).await
    {
        tracing::warn!(%error, "what a call left behind could not be recorded");
    }
}
