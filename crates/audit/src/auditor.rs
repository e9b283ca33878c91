//! The fold over every envelope.

use std::collections::{BTreeMap, VecDeque};

use artoo_types::contract::allows;
use artoo_types::criteria::FailureClass;
use artoo_types::finding::{AuditFinding, FindingCategory, FindingKind};
use artoo_types::operator::{AuditHead, AuditReport, AuditTotals, ReportStanding, Trigger, WindowFigures};
use artoo_types::outcome::ExecutionStatus;
use artoo_types::{Envelope, Message, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::drift::Drift;
use crate::event::{AuditEvent, Findings, ObservedMessage};
use crate::shelf::FindingShelf;
use crate::summary::summary;
use crate::task_watch::{TaskWatch, check_clock, check_sequence};
use crate::window::ReportWindow;

/// Most running tasks that are kept in view, at 1 to 10 KiB each: more than a daemon has queued and at work. Only tasks
/// that never ended, because their journals were lost, can fill it.
const MAX_TASKS: usize = 16_384;
/// Ended tasks that are remembered, so that a second end is seen: what comes after an end comes soon.
const MAX_ENDED: usize = 1_024;

/// Findings that wait to be told. They are told many times a second; what is beyond is on the shelf all the same.
const MAX_UNTOLD: usize = 1_024;

/// R6. A pure fold over envelopes; serialise it to go on after a restart at the same place of the journals.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Auditor {
    window: ReportWindow,
    totals: AuditTotals,
    tasks: BTreeMap<TaskId, TaskWatch>,
    ended: VecDeque<TaskId>,
    system_sequence: u64,
    system_time: Option<Timestamp>,
    disk_low: bool,
    drift: Drift,
    shelf: FindingShelf,
    /// Findings that the operator was not told yet.
    untold: Vec<AuditFinding>,
}

/// What the operator asked for, or what came due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportRequest {
    /// What made it.
    pub trigger: Trigger,
    /// Whether the report says more of its window.
    pub include_window: bool,
}

/// What the daemon tells the auditor although no envelope says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incident {
    /// The disk of the data folder is nearly full. It may be told again and again; one finding comes of it until the
    /// disk has room again.
    DiskPressure {
        /// How it is, in words.
        what: String,
    },
    /// The disk has room again.
    DiskRelieved,
    /// Somebody set the wall clock.
    ClockSet {
        /// By how many milliseconds; negative is back.
        by_ms: i64,
    },
    /// A log or journal is not what was written.
    LogDamage {
        /// Which, where, and what was done about it.
        what: String,
    },
}

impl Auditor {
    /// Takes in one envelope. The first event is the message itself; each further one is a finding. Envelopes of one
    /// task have to come in the order of its journal; those of different tasks may mix.
    pub fn observe(&mut self, envelope: &Envelope) -> Vec<AuditEvent> {
        self.window.start.get_or_insert(envelope.time);
        self.totals.envelopes += 1;
        self.window.envelopes += 1;
        let mut found = Findings::new();
        check_contract(envelope, &mut found);
        match envelope.task_id {
            Some(task_id) => self.observe_task(task_id, envelope, &mut found),
            None => self.observe_system(envelope, &mut found),
        }
        check_drops(envelope, &mut found);
        let said = summary(envelope);
        let message = if found.is_empty() { String::new() } else { said_by(envelope, &said) };
        let mut events = vec![AuditEvent::Message(ObservedMessage {
            time: envelope.time,
            task_id: envelope.task_id,
            sequence: envelope.sequence,
            round: envelope.round,
            from: envelope.from,
            to: envelope.to,
            kind: envelope.payload.kind(),
            refused: envelope.refused,
            summary: said,
        })];
        for (kind, detail) in found {
            // An overload says something of the auditor, not of the message that gave the occasion.
            let of_message = kind != FindingKind::Overload;
            let (task_id, sequence, message) = if of_message {
                (envelope.task_id, envelope.sequence, message.as_str())
            } else {
                (None, 0, "")
            };
            let found = FoundPlace { time: envelope.time, task_id, sequence, message };
            events.push(self.found(found, kind, detail));
        }
        events
    }

    /// Takes in what no envelope says. None when there is nothing to report.
    pub fn incident(&mut self, now: Timestamp, incident: Incident) -> Option<AuditEvent> {
        let (kind, detail) = match incident {
            Incident::DiskPressure { what } => {
                if std::mem::replace(&mut self.disk_low, true) {
                    return None;
                }
                (FindingKind::DiskPressure, what)
            }
            Incident::DiskRelieved => {
                self.disk_low = false;
                return None;
            }
            Incident::ClockSet { by_ms } => {
                let (way, by) = (if by_ms < 0 { "back" } else { "forward" }, by_ms.unsigned_abs());
                let detail = format!("the clock was set {way} by {}.{:03} s", by / 1000, by % 1000);
                (FindingKind::ClockJump, detail)
            }
            Incident::LogDamage { what } => (FindingKind::LogDamage, what),
        };
        self.window.start.get_or_insert(now);
        Some(self.found(FoundPlace::outside(now), kind, detail))
    }

    /// The report on the time since the last one, whatever made it, and the drift that was found in making it; the
    /// window starts anew, the totals go on. Whoever keeps the log adds what only the log knows: its head.
    pub fn report(&mut self, now: Timestamp, request: ReportRequest) -> (AuditReport, Vec<AuditEvent>) {
        let roles = if request.include_window { self.drift.shares() } else { Vec::new() };
        let mut events = Vec::new();
        for detail in self.drift.judge() {
            events.push(self.found(FoundPlace::outside(now), FindingKind::RoleDrift, detail));
        }
        let open_findings = self.shelf.open().count() as u64;
        let mut window = std::mem::replace(&mut self.window, ReportWindow::starting_at(now));
        let health = window.health();
        let figures = request.include_window.then(|| WindowFigures {
            envelopes: window.envelopes,
            replans: window.replans,
            reasons: std::mem::take(&mut window.reasons),
            findings: std::mem::take(&mut window.findings),
            roles,
        });
        let (window_start, tasks_observed) = (window.start.unwrap_or(now), window.tasks_observed);
        let (total_corrections, tool_health) = (window.corrections, window.tool_health);
        let (gap_trends, boundary_violations, drift_alerts, anomalies) = window.into_lists();
        let report = AuditReport {
            trigger: request.trigger,
            window_start,
            window_end: now,
            tasks_observed,
            total_corrections,
            gap_trends,
            boundary_violations,
            drift_alerts,
            anomalies,
            tool_health,
            totals: self.totals.clone(),
            head: AuditHead::default(),
            anchored_in: Vec::new(),
            standing: ReportStanding { unread: 0, health, open_findings },
            window: figures,
        };
        (report, events)
    }

    /// When the window of the next report began; none before the first message.
    pub fn window_start(&self) -> Option<Timestamp> {
        self.window.start
    }

    /// Forgets what it knows of a running task, whose journal is to be read anew from its start.
    pub fn forget(&mut self, task_id: TaskId) {
        self.tasks.remove(&task_id);
    }

    /// What the operator has not acknowledged yet, and what was acknowledged last.
    pub fn shelf(&self) -> &FindingShelf {
        &self.shelf
    }

    /// The findings that the operator was not told yet. They stay here until the envelope that tells of them was
    /// observed, so that none is told twice or never, wherever a crash comes in between.
    pub fn untold(&self) -> &[AuditFinding] {
        &self.untold
    }

    /// The sums since the data folder was made.
    pub fn totals(&self) -> &AuditTotals {
        &self.totals
    }

    fn observe_task(&mut self, task_id: TaskId, envelope: &Envelope, found: &mut Findings) {
        if !self.tasks.contains_key(&task_id) && self.ended.contains(&task_id) {
            let kind = envelope.payload.kind().as_str();
            found.push((FindingKind::UndecidedEnd, format!("a {kind} came after the task had ended")));
            return;
        }
        self.make_room(task_id, found);
        let view = self.tasks.entry(task_id).or_default();
        view.observe_order(envelope, found);
        if envelope.refused {
            return;
        }
        view.observe(envelope, found);
        envelope.payload.visit(&mut self.drift);
        self.count(task_id, &envelope.payload);
    }

    fn observe_system(&mut self, envelope: &Envelope, found: &mut Findings) {
        check_sequence(&mut self.system_sequence, envelope.sequence, found);
        if let Some(last) = self.system_time {
            // Nothing has to happen outside tasks, so only steps back are suspicious.
            check_clock(last, envelope.time, true, found);
        }
        self.system_time = Some(envelope.time);
        if envelope.refused {
            return;
        }
        if let Message::AuditFindings(told) = &envelope.payload {
            for finding in &told.findings {
                self.shelf.raise(finding);
                self.untold.retain(|untold| untold.id != finding.id);
            }
        }
        if let Message::FindingAck(seen) = &envelope.payload {
            for id in &seen.findings {
                self.shelf.acknowledge(id, envelope.time);
            }
        }
    }

    /// Keeps the figures that reports carry.
    fn count(&mut self, task_id: TaskId, message: &Message) {
        if let Message::ExecutionResult(m) = message {
            let failed = u64::from(m.status == ExecutionStatus::Failed);
            self.window.tool_health.execution_failures += failed;
            self.totals.tool_health.execution_failures += failed;
        }
        if let Message::CorrectionSignal(m) = message {
            self.window.corrections += 1;
            self.totals.total_corrections += 1;
            for health in [&mut self.window.tool_health, &mut self.totals.tool_health] {
                match m.failure_class {
                    Some(FailureClass::Environmental) => health.environmental_retries += 1,
                    Some(FailureClass::Logical) => health.logical_retries += 1,
                    None => {}
                }
            }
        }
        if let Message::PlanDirective(m) = message {
            self.totals.replans += 1;
            self.window.replans += 1;
            self.trend(task_id, m.loss.distance.get());
        }
        if let Message::FinalResult(m) = message {
            self.trend(task_id, m.loss.distance.get());
            self.window.ended(m);
            self.totals.tasks_observed += 1;
            *self.totals.reasons.entry(m.reason.as_str().to_owned()).or_default() += 1;
            self.tasks.remove(&task_id);
            if self.ended.len() == MAX_ENDED {
                self.ended.pop_front();
            }
            self.ended.push_back(task_id);
        }
    }

    fn trend(&mut self, task_id: TaskId, distance: f64) {
        let trend = self.tasks.entry(task_id).or_default().trend(distance);
        self.window.trend(task_id, trend);
    }

    /// Forgets the task that was quiet longest when a new one would be one too many.
    fn make_room(&mut self, task_id: TaskId, found: &mut Findings) {
        if self.tasks.len() < MAX_TASKS || self.tasks.contains_key(&task_id) {
            return;
        }
        let quiet = self.tasks.iter().min_by_key(|(_, view)| view.last_seen()).map(|(id, _)| *id);
        if let Some(id) = quiet {
            self.tasks.remove(&id);
            found.push((
                FindingKind::Overload,
                format!("task {id} is out of view: too many tasks have not ended"),
            ));
        }
    }

    fn found(&mut self, place: FoundPlace<'_>, kind: FindingKind, detail: String) -> AuditEvent {
        let FoundPlace { time, task_id, sequence, message } = place;
        let (id, message) = (Default::default(), message.to_owned());
        let finding = AuditFinding { id, time, task_id, sequence, kind, detail, message }.named();
        match finding.kind.category() {
            FindingCategory::Boundary => self.totals.boundary_violations += 1,
            FindingCategory::Anomaly => self.totals.anomalies += 1,
            FindingCategory::Drift => self.totals.drift_alerts += 1,
        }
        self.window.note(&finding);
        if self.shelf.raise(&finding) && self.untold.len() < MAX_UNTOLD {
            self.untold.push(finding.clone());
        }
        AuditEvent::Finding(finding)
    }
}

/// Where something was found.
#[derive(Clone, Copy)]
struct FoundPlace<'a> {
    time: Timestamp,
    task_id: Option<TaskId>,
    sequence: u64,
    /// The message that gave it away, in a line.
    message: &'a str,
}

impl FoundPlace<'_> {
    /// No message gave it away.
    fn outside(now: Timestamp) -> Self {
        Self { time: now, task_id: None, sequence: 0, message: "" }
    }
}

/// A message as the evidence of a finding.
fn said_by(envelope: &Envelope, said: &str) -> String {
    let (from, to) = (envelope.from.as_str(), envelope.to.as_str());
    format!("{} {from} → {to}: {said}", envelope.payload.kind().as_str())
}

fn check_contract(envelope: &Envelope, found: &mut Findings) {
    let kind = envelope.payload.kind();
    let (from, to) = (envelope.from.as_str(), envelope.to.as_str());
    let allowed = allows(kind, envelope.from, envelope.to).is_some();
    let what = match (allowed, envelope.refused) {
        (true, false) => return,
        (false, true) => "which the contract does not allow; it was delivered to nobody",
        (false, false) => "which the contract does not allow, and it was delivered",
        (true, true) => "and the bus refused it",
    };
    found.push((FindingKind::BoundaryViolation, format!("{from} sent {} to {to}, {what}", kind.as_str())));
}

fn check_drops(envelope: &Envelope, found: &mut Findings) {
    if let Message::Lagged(m) = &envelope.payload {
        let count = m.to.saturating_sub(m.from).saturating_add(1);
        let what = format!("a live stream dropped {count} events, {} to {}", m.from, m.to);
        found.push((FindingKind::Drops, what));
    }
}

#[cfg(test)]
mod tests;
