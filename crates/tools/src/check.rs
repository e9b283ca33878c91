//! The evaluation of checks: what was measured, in numbers, and whether the predicate holds.

mod calls;
mod compare;
mod file;
mod output;
mod shown;
mod subject;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_redact::Redactor;
use artoo_types::criteria::{Check, Verdict};
use artoo_types::evidence::CheckEvidence;
use artoo_types::lesson::{CallResult, Shortfall, lesson};
use artoo_types::limits::{MAX_CRITERIA, MAX_SUBTASKS, TOOL_CALL_MS};
use artoo_types::machine::{AskedCheck, CheckSubject};
use artoo_types::text::head_tail;
use artoo_types::{EffectId, EvidenceId, Timestamp};

use crate::installed::HelperPrograms;
use crate::outputs::Outputs;
use crate::work::Work;
use artoo_command::stop::StopSignal;
use artoo_gate::paths::PathRules;

/// Characters of `saw`.
const MAX_SAW_CHARS: usize = 600;
/// Checks that one evaluation makes: before a plan begins, those of its task and of all its subtasks.
const MAX_CHECKS: usize = MAX_CRITERIA * (1 + MAX_SUBTASKS);

/// What one check came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckFinding {
    /// The predicate holds.
    Holds(String),
    /// It was measured and does not hold; the last call of the attempt tells why.
    Fails(String),
    /// The same, and this call tells why.
    FailsAfter(CallResult, String),
    /// The output is not in the form that the plan wanted.
    WrongForm(String),
    /// The surroundings prevent the measurement.
    Prevented(String),
    /// A limit, a rule or the check itself prevents it.
    Unmeasured(String),
}

impl CheckFinding {
    /// What was measured, if the predicate holds.
    fn held(&self) -> Option<&str> {
        match self {
            Self::Holds(saw) => Some(saw),
            Self::Fails(_)
            | Self::FailsAfter(..)
            | Self::WrongForm(_)
            | Self::Prevented(_)
            | Self::Unmeasured(_) => None,
        }
    }
}

/// What checks look at.
pub(crate) struct CheckScene<'a> {
    pub(crate) subject: &'a CheckSubject,
    pub(crate) work: &'a Work,
    pub(crate) redactor: &'a Redactor,
}

/// Evaluates checks in order, one evidence each, within the deadline of a tool call.
pub(crate) async fn evaluate(
    effect_id: EffectId,
    checks: &[AskedCheck],
    subject: &CheckSubject,
    places: PathRules,
    (artifacts, outputs): (PathBuf, Arc<Outputs>),
    redactor: Redactor,
) -> Vec<CheckEvidence> {
    let limit = Duration::from_millis(TOOL_CALL_MS);
    let work = Work {
        places,
        // Checks look for files themselves; they ask no program.
        installed: HelperPrograms::default(),
        artifacts,
        outputs,
        seen: Arc::default(),
        deadline: Instant::now() + limit,
        stop: StopSignal::never(),
        now: Timestamp::default(),
        agreed: None,
        replaces: false,
        shows_images: false,
    };
    let asked = checks.to_vec();
    let their_subject = subject.clone();
    let thread = tokio::task::spawn_blocking(move || {
        let scene = CheckScene { subject: &their_subject, work: &work, redactor: &redactor };
        let each = |(index, asked): (usize, &AskedCheck)| {
            let finding = if index >= MAX_CHECKS {
                CheckFinding::Unmeasured(format!("only {MAX_CHECKS} checks are made at once"))
            } else if work.ended().is_some() {
                CheckFinding::Unmeasured("no time was left to make this check".to_owned())
            } else {
                measure(&asked.check, &scene)
            };
            let subjects = subject::subjects(&asked.check, &scene);
            CheckEvidence { subjects, ..evidence(effect_id, index, asked.criterion, finding, &their_subject) }
        };
        asked.iter().enumerate().map(each).collect()
    });
    match tokio::time::timeout(limit + Duration::from_secs(1), thread).await {
        Ok(Ok(evidence)) => evidence,
        Ok(Err(_)) | Err(_) => {
            let broken = |(index, asked): (usize, &AskedCheck)| {
                let finding = CheckFinding::Unmeasured("the check could not be made in time".to_owned());
                evidence(effect_id, index, asked.criterion, finding, subject)
            };
            checks.iter().enumerate().map(broken).collect()
        }
    }
}

fn measure(check: &Check, scene: &CheckScene<'_>) -> CheckFinding {
    match check {
        Check::FileExists { path } => file::exists(path, scene),
        Check::FileAbsent { path } => file::absent(path, scene),
        Check::FileContains { path, text, regex } => {
            file::contains(path, text.as_deref(), regex.as_deref(), scene)
        }
        Check::FileLines { path, op, n } => file::lines(path, *op, *n, scene),
        Check::FileJson { path, pointer, op, value } => file::json(path, pointer, *op, value, scene),
        Check::FilesMatch { glob, op, n } => file::matching(glob, *op, *n, scene),
        Check::OutputContains { text } => output::contains(text, scene),
        Check::OutputMatches { regex } => output::matches(regex, scene),
        Check::OutputLines { op, n } => output::lines(*op, *n, scene),
        Check::OutputJson { pointer, op, value } => output::json(pointer, *op, value, scene),
        Check::ExitStatus { tool, value } => calls::exit_status(tool, *value, scene),
        Check::ToolCalled { tool } => calls::called(tool, scene),
    }
}

fn evidence(
    effect_id: EffectId,
    index: usize,
    criterion: usize,
    finding: CheckFinding,
    subject: &CheckSubject,
) -> CheckEvidence {
    let last = subject.calls.last().map(CallResult::from);
    let (shortfall, saw) = match finding {
        CheckFinding::Holds(saw) => (None, saw),
        CheckFinding::Fails(saw) => (Some(Shortfall::NotSo { last }), saw),
        CheckFinding::FailsAfter(call, saw) => (Some(Shortfall::NotSo { last: Some(call) }), saw),
        CheckFinding::WrongForm(saw) => (Some(Shortfall::WrongForm { last }), saw),
        CheckFinding::Prevented(saw) => (Some(Shortfall::Prevented), saw),
        CheckFinding::Unmeasured(saw) => (Some(Shortfall::Unmeasured), saw),
    };
    let verdict = if shortfall.is_some() { Verdict::Fail } else { Verdict::Pass };
    let failure_class = shortfall.and_then(lesson);
    let saw = head_tail(&artoo_redact::sanitise::sanitise(&saw).text, MAX_SAW_CHARS);
    CheckEvidence {
        id: EvidenceId::check(effect_id, index),
        criterion,
        verdict,
        failure_class,
        saw,
        subjects: Vec::new(),
        before: None,
    }
}

#[cfg(test)]
mod tests;
