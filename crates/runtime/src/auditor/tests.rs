//! The auditor over real files, turn by turn, without its thread where a test has to know when things happen.

use std::collections::BTreeMap;
use std::fs;
use std::mem::take;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use artoo_journal::{CrashPoint, TaskJournal, read_system};
use artoo_types::contract::CONTRACT;
use artoo_types::control::{Ending, FinalResult, Loss, MacroState, Reason};
use artoo_types::criteria::FailureClass;
use artoo_types::machine::{StepRecord, TaskInput};
use artoo_types::operator::{AuditReport, Trigger};
use artoo_types::outcome::CorrectionSignal;
use artoo_types::task::{StopCause, TaskCancelled, TaskOptions, TaskSubmitted};
use artoo_types::usage::TaskUsage;
use artoo_types::{Envelope, Message, SubtaskId, TaskId, Timestamp};
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;

use super::reader::AuditorLoop;
use super::storage::{RealStorage, Storage};
use super::verify::{KnownHeads, LogVerification, verify};
use super::{AuditLimits, AuditorBell, AuditorConfig, AuditorPlaces, SystemLog, segment};
use crate::clock;
use crate::health::Health;
use crate::live::LiveTaps;
use crate::system::SystemBus;

mod crashes;
mod damage;
mod reading;
mod stalls;
mod tampering;

/// A data folder with journals, and what the auditor needs of the daemon.
struct World {
    folder: TempDir,
    places: AuditorPlaces,
    journals: BTreeMap<TaskId, TaskJournal>,
}

/// A run of the daemon: its bell and its system bus.
struct Run {
    bell: AuditorBell,
    system: SystemBus,
    health: Health,
}

fn task(n: u128) -> TaskId {
    TaskId(Uuid::from_u128(n))
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let places = AuditorPlaces::below(folder.path(), folder.path().join("tasks"));
        for made in [&places.segments, &places.journals] {
            fs::create_dir(made).expect("the folder is new");
        }
        Self { folder, places, journals: BTreeMap::new() }
    }

    fn system_journal(&self) -> PathBuf {
        self.folder.path().join("system.jsonl")
    }

    fn run(&self) -> Run {
        let bell = AuditorBell::default();
        let live = Arc::new(LiveTaps::default());
        let system = SystemBus::open(self.system_journal(), CrashPoint::never(), live, bell.clone());
        let health = Health::new(self.folder.path(), 0, bell.clone());
        Run { bell, system: system.expect("the journal can be made"), health }
    }

    /// Appends one step to a task's journal, which is made for the first one.
    fn step(&mut self, n: u128, sequence: u64, payloads: Vec<Message>) {
        let folder = &self.places.journals;
        let journal = self.journals.entry(task(n)).or_insert_with(|| {
            TaskJournal::create_unsynced(folder, task(n), CrashPoint::never()).expect("it is new")
        });
        let envelopes = (sequence..).zip(payloads).map(|(sequence, payload)| envelope(n, sequence, payload));
        let (seq, at) = (journal.next_seq(), clock::now());
        let record = StepRecord {
            seq,
            at,
            input: TaskInput::Wake,
            envelopes: envelopes.collect(),
            effects: Vec::new(),
        };
        journal.append(&record).expect("the disk has room");
    }

    /// A task of four envelopes in two steps, one of them a correction.
    fn first_half(&mut self, n: u128) {
        self.step(n, 1, vec![submitted(), correction()]);
    }

    fn second_half(&mut self, n: u128) {
        self.step(n, 3, vec![cancelled(), end()]);
    }

    fn check(&self, known: &KnownHeads) -> LogVerification {
        verify(&self.places.segments, &self.system_journal(), known).expect("the files can be read")
    }

    /// Every line of the log.
    fn lines(&self) -> Vec<Value> {
        let mut lines = Vec::new();
        for number in segment::numbers(&self.places.segments).expect("a folder") {
            let text = fs::read_to_string(segment::path(&self.places.segments, number)).expect("text");
            lines.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line")));
        }
        lines
    }

    /// Sequence and kind of each message of a task that the log holds, in its order; of the system for none.
    fn logged(&self, task_id: Option<TaskId>) -> Vec<(u64, String)> {
        let task_id = serde_json::to_value(task_id).expect("an id");
        let is_of = |line: &&Value| line["event"] == "message" && line["task_id"] == task_id;
        let place = |line: &Value| (line["sequence"].as_u64(), line["kind"].as_str().map(str::to_owned));
        let seen = self.lines().iter().filter(is_of).map(place).collect::<Vec<_>>();
        seen.into_iter()
            .map(|(sequence, kind)| (sequence.expect("a number"), kind.expect("a word")))
            .collect()
    }

    /// The findings of the log, by kind.
    fn findings(&self) -> Vec<String> {
        let findings = self.lines().into_iter().filter(|line| line["event"] == "finding");
        findings.map(|line| line["kind"].as_str().expect("a word").to_owned()).collect()
    }

    /// The envelopes of the system journal.
    fn system(&self) -> Vec<Envelope> {
        let read = read_system(&self.system_journal(), 0).expect("it is there");
        read.map(|envelope| envelope.expect("a whole line").0).collect()
    }

    /// The reports on record.
    fn reports(&self) -> Vec<AuditReport> {
        let mut reports = Vec::new();
        for envelope in self.system() {
            if let Message::AuditReport(report) = envelope.payload {
                reports.push(report);
            }
        }
        reports
    }
}

impl Run {
    /// An auditor that works when it is told to.
    fn auditor(&self, world: &World, limits: AuditLimits, storage: Box<dyn Storage>) -> AuditorLoop {
        let config = self.config(world, limits);
        AuditorLoop::open(config, storage, self.bell.inbox().clone()).expect("it opens")
    }

    fn config(&self, world: &World, limits: AuditLimits) -> AuditorConfig {
        AuditorConfig {
            places: world.places.clone(),
            limits,
            system_log: SystemLog::Absent,
            health: self.health.clone(),
            system: self.system.clone(),
        }
    }

    /// One that has begun, on the real disk.
    fn begun(&self, world: &World) -> AuditorLoop {
        let mut auditor = self.auditor(world, AuditLimits::default(), Box::new(RealStorage));
        auditor.begin();
        auditor
    }

    /// Has everything read that waits.
    fn settle(&self, auditor: &mut AuditorLoop) {
        loop {
            let waiting = take(&mut *self.bell.inbox().waiting());
            if !waiting.is_something() {
                return;
            }
            auditor.turn(waiting);
        }
    }

    fn report(&self, auditor: &mut AuditorLoop) -> AuditReport {
        self.settle(auditor);
        auditor.report(artoo_audit::ReportRequest { trigger: Trigger::OnDemand, include_window: false }, 0)
    }

    /// Has it look once at what waits; true when that was the end.
    fn turn(&self, auditor: &mut AuditorLoop) -> bool {
        let waiting = take(&mut *self.bell.inbox().waiting());
        auditor.turn(waiting)
    }

    /// Ends the auditor in order.
    fn stop(&self, auditor: &mut AuditorLoop) {
        self.bell.inbox().stop();
        assert!(self.turn(auditor), "it stops");
    }
}

fn envelope(n: u128, sequence: u64, payload: Message) -> Envelope {
    let row = CONTRACT.iter().find(|row| row.kind == payload.kind()).expect("every kind has a row");
    Envelope {
        id: Uuid::nil(),
        sequence,
        task_id: Some(task(n)),
        round: 0,
        time: Timestamp(1_000),
        from: row.from,
        to: row.to,
        refused: false,
        payload,
    }
}

fn submitted() -> Message {
    TaskSubmitted {
        input: "count the files".to_owned(),
        session_id: String::new(),
        request_id: String::new(),
        working_directory: "/work".to_owned(),
        options: TaskOptions::default(),
    }
    .into()
}

fn correction() -> Message {
    CorrectionSignal {
        subtask_id: SubtaskId(Uuid::nil()),
        attempt: 2,
        what_was_wrong: "empty".to_owned(),
        what_to_do: "look again".to_owned(),
        failure_class: Some(FailureClass::Logical),
        prior_calls: Vec::new(),
    }
    .into()
}

fn cancelled() -> Message {
    TaskCancelled { cause: StopCause::Cancelled, detail: String::new() }.into()
}

fn end() -> Message {
    FinalResult {
        task_id: task(1),
        summary: "the end".to_owned(),
        output: Value::Null,
        loss: Loss::default(),
        grad_l: 0.0,
        grad_q: 0.0,
        replans: 0,
        prev_directive: MacroState::Init,
        directive: Ending::Abandon,
        reason: Reason::Cancelled,
        unmet: Vec::new(),
        marks: Default::default(),
        next_moves: Vec::new(),
        tried: Vec::new(),
        ruled_out: Vec::new(),
        trajectory: Vec::new(),
        unanswered_confirmation: false,
        usage: TaskUsage::default(),
        taint: Default::default(),
    }
    .into()
}

/// Segments of a few lines, so that a short test has several.
fn small() -> AuditLimits {
    AuditLimits { segment_bytes: 2_000, ..AuditLimits::default() }
}

/// Waits until `done`; a bound against hanging for ever, on whose length no test depends.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let since = std::time::Instant::now();
    while !done() {
        assert!(since.elapsed() < Duration::from_secs(60), "{what} does not happen");
        std::thread::sleep(Duration::from_millis(2));
    }
}
