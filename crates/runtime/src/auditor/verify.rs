//! The check of the audit log: its chain from the oldest segment to its newest line, against every head that was
//! recorded elsewhere. It reads the disk, whatever the auditor remembers.

use std::io::{self, ErrorKind};
use std::path::Path;

use artoo_audit::verify::{Flaw, Verifier};
use artoo_types::operator::AuditHead;

use super::anchors;
use super::reports;
use super::segment::{self, WholeLines};
use super::verify_task::{AuditedTask, TaskLines};

/// Findings that are told; a log that was rewritten has one for each of its segments.
pub const MAX_FINDINGS: usize = 100;
/// Fewest digits of a noted hash: with 16 of 64 no two lines are ever taken for each other.
pub const LEAST_DIGITS: usize = 16;
/// A segment that goes while it is read is no fault: the log outgrew its bounds. Then everything is read again.
const ATTEMPTS: usize = 3;

/// What to hold the log against.
#[derive(Debug, Clone, Default)]
pub struct KnownHeads {
    /// The auditor's own word on the last line on the disk, when it runs.
    pub live: Option<AuditHead>,
    /// Hashes that a person noted down, lower case, whole or at least their first [`LEAST_DIGITS`] digits.
    pub noted: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogVerification {
    /// What is wrong, with segment and line, first one first. Nothing: the log is intact.
    pub findings: Vec<String>,
    /// Segments.
    pub segments: u32,
    /// Their lines.
    pub lines: u64,
    /// The last line.
    pub head: AuditHead,
    /// Recorded heads that the log was held against.
    pub anchors: u64,
    /// Where noted hashes were found.
    pub found: Vec<FoundAnchor>,
}

/// A noted hash that the log holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAnchor {
    /// Its line.
    pub head: AuditHead,
    /// The segment that holds it.
    pub segment: String,
}

/// Checks what concerns one task: its journal, its lines of the log in `folder` with the chain that runs through them, and
/// that both have the same messages.
///
/// # Errors
/// When a file cannot be read, or the journal is deleted.
pub fn verify_task(
    folder: &Path,
    system_journal: &Path,
    known: &KnownHeads,
    task: &AuditedTask,
) -> io::Result<LogVerification> {
    again_when_gone(|| LogCheck::run(folder, system_journal, known, Some(task)))
}

/// Checks the log in `folder`. Reports in the journal at `system_journal` carry heads, too.
///
/// # Errors
/// When a file cannot be read.
pub fn verify(folder: &Path, system_journal: &Path, known: &KnownHeads) -> io::Result<LogVerification> {
    again_when_gone(|| LogCheck::run(folder, system_journal, known, None))
}

fn again_when_gone(check: impl Fn() -> io::Result<LogVerification>) -> io::Result<LogVerification> {
    let mut attempt = 1;
    loop {
        match check() {
            Err(error) if error.kind() == ErrorKind::NotFound && attempt < ATTEMPTS => attempt += 1,
            outcome => return outcome,
        }
    }
}

struct LogCheck<'a> {
    known: &'a KnownHeads,
    verifier: Verifier,
    checked: LogVerification,
    /// The task that alone is of interest, if one is.
    task: Option<(&'a AuditedTask, TaskLines)>,
    /// Ordinal of the first line.
    first: Option<u64>,
}

impl<'a> LogCheck<'a> {
    fn run(
        folder: &Path,
        system_journal: &Path,
        known: &'a KnownHeads,
        task: Option<&'a AuditedTask>,
    ) -> io::Result<LogVerification> {
        let numbers = segment::numbers(folder)?;
        let mut checked = LogVerification::default();
        let mut recorded = match anchors::read(folder)? {
            Some((heads, wrong)) => {
                checked.findings.extend(wrong);
                heads
            }
            // Before the first line there is nothing to record.
            None if numbers.is_empty() => Vec::new(),
            None => {
                let file = anchors::FILE;
                checked
                    .findings
                    .push(format!("{file} is gone: the heads that were recorded in it cannot be compared"));
                Vec::new()
            }
        };
        recorded.extend(heads_of_reports(system_journal)?);
        recorded.extend(known.live.clone());
        checked.anchors = recorded.iter().filter(|head| head.seq > 0).count() as u64;
        let verifier = Verifier::new().with_anchors(recorded);
        let task = task.map(|task| (task, TaskLines::of(task.task_id)));
        let mut check = Self { known, verifier, checked, task, first: None };
        for number in &numbers {
            check.segment(folder, *number, Some(number) == numbers.last())?;
        }
        check.finish()
    }

    fn segment(&mut self, folder: &Path, number: u32, is_last: bool) -> io::Result<()> {
        let name = segment::name(number);
        self.checked.segments += 1;
        self.verifier.next_segment();
        let mut lines = WholeLines::open(&segment::path(folder, number), 0)?;
        let mut is_sound = true;
        while let Some(line) = lines.next_line()? {
            self.checked.lines += 1;
            let outcome = self.verifier.check(line);
            if let Ok(head) = &outcome {
                self.first.get_or_insert(head.seq);
            }
            if let Some((_, own)) = &mut self.task {
                own.see(line, number, &outcome.as_ref().map_err(|bad| format!("{name}: {bad}")).copied());
            }
            match outcome {
                Ok(head) => {
                    let noted = |noted: &String| head.hash.starts_with(noted.as_str());
                    if self.known.noted.iter().any(noted) {
                        let head = head.clone();
                        self.checked.found.push(FoundAnchor { head, segment: name.clone() });
                    }
                }
                Err(bad) if is_sound => {
                    is_sound = false;
                    self.checked.findings.push(format!("{name}: {bad}"));
                }
                Err(_) => {}
            }
        }
        // The auditor may be writing a line right now, but none before its head.
        let is_being_written =
            is_last && self.known.live.as_ref().is_some_and(|live| self.verifier.head().seq >= live.seq);
        if lines.rest() > 0 && !is_being_written {
            self.checked.findings.push(format!("{name}: it ends in the middle of a line"));
        }
        Ok(())
    }

    fn finish(self) -> io::Result<LogVerification> {
        let Self { known, verifier, mut checked, task, first } = self;
        let (head, flaws) = verifier.finish();
        checked.head = head;
        checked.findings.extend(flaws.iter().map(ToString::to_string));
        for noted in &known.noted {
            if !checked.found.iter().any(|found| found.head.hash.starts_with(noted.as_str())) {
                checked.findings.push(format!(
                    "no line of the log has the hash {noted}: the log was changed or cut since it was noted, or the \
                     line was in a segment that is deleted by now"
                ));
            }
        }
        if let Some((task, own)) = task {
            // A log that begins late without a record of the deletion lacks lines that it should have.
            let is_explained = !flaws.iter().any(|flaw| matches!(flaw, Flaw::NoBeginning { .. }));
            let own = own.compare(task, is_explained && first.is_some_and(|first| first > 1))?;
            let segments = u32::try_from(own.segments.len()).unwrap_or(u32::MAX);
            checked = LogVerification {
                findings: own.findings,
                segments,
                lines: own.lines,
                head: own.head,
                ..checked
            };
        }
        checked.findings.truncate(MAX_FINDINGS);
        Ok(checked)
    }
}

/// The heads that reports carry. Damage of that journal is told elsewhere.
fn heads_of_reports(system_journal: &Path) -> io::Result<Vec<AuditHead>> {
    let mut heads = Vec::new();
    reports::visit(system_journal, |_, report| heads.push(report.head))?;
    Ok(heads)
}
