//! Which commands did the work of an accepted task, and which did not: what several tasks of one folder may turn out to
//! share. One task says little; R5 makes knowledge of it when several agree (`artoo-memory`'s `sharing`).
//!
//! Only what receipts bear out counts: the command ran with status 0, does more than look, and a verifiable criterion
//! that was met rests on it. A command that failed in the same step, where another one then did the work, was the wrong one here.

use artoo_types::criteria::{CriterionMode, CriterionVerdict};
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::memory::{Megram, MegramWrite, state};
use artoo_types::outcome::SubTaskOutcome;
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use artoo_types::text::first_chars;
use artoo_types::tool::names::SHELL;
use serde_json::Value;

use crate::quantize::{ABOUT_CHARS, Provenance};

/// Most commands of one task, for and against: what several tasks share is little.
const MAX_COMMANDS: usize = 4;
/// Characters of a command; a longer one is a script for this task alone.
const MAX_COMMAND_CHARS: usize = 160;
/// f: three of them weigh as much as one accepted task.
const MAGNITUDE: f64 = 0.3;

/// What the last round of an accepted task teaches about the commands of its folder.
pub(crate) fn of_task(
    from: &Provenance,
    folder: &str,
    intent: &str,
    outcomes: &[SubTaskOutcome],
    task_verdicts: &[CriterionVerdict],
) -> Vec<MegramWrite> {
    let mut told: Vec<(String, f64)> = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.matched()) {
        let (good, bad) = commands(outcome, task_verdicts);
        let valued = good.into_iter().map(|c| (c, 1.0)).chain(bad.into_iter().map(|c| (c, -1.0)));
        for (command, sigma) in valued {
            if told.iter().all(|(known, _)| *known != command) && told.len() < MAX_COMMANDS {
                told.push((command, sigma));
            }
        }
    }
    let write = |(command, sigma): (String, f64)| {
        let tag = Tag::practice(folder, &command);
        let name = format!("practice:{}|{}", tag.space, tag.entity);
        let megram = Megram {
            state: state::PRACTICE.to_owned(),
            f: MAGNITUDE,
            sigma,
            k: Rate::Slow,
            about: first_chars(intent, ABOUT_CHARS),
            ..from.experience(&name, tag, &command)
        };
        MegramWrite { megram }
    };
    told.into_iter().map(write).collect()
}

/// The commands that did the work of a step, and those that were tried instead and failed.
fn commands(outcome: &SubTaskOutcome, task_verdicts: &[CriterionVerdict]) -> (Vec<String>, Vec<String>) {
    let acting: Vec<(&Receipt, String)> = outcome
        .receipts
        .iter()
        .filter(|r| r.tool == SHELL && does_work(r.effect) && r.end == CallEnd::Ran)
        .filter_map(|r| Some((r, command(r)?)))
        .collect();
    let worked = |receipt: &Receipt| receipt.succeeded() && bears(receipt, &acting, outcome, task_verdicts);
    let good: Vec<String> =
        acting.iter().filter(|(r, _)| worked(r)).map(|(_, command)| command.clone()).collect();
    let failed = |(r, command): &&(&Receipt, String)| !r.succeeded() && !good.contains(command);
    let bad = if good.is_empty() {
        Vec::new()
    } else {
        acting.iter().filter(failed).map(|(_, command)| command.clone()).collect()
    };
    (good, bad)
}

/// Whether a call of this class is work that a later task may want as well. What only looks is found by looking, and what
/// takes away, leaves the machine or changes the system is nobody's habit.
fn does_work(effect: EffectClass) -> bool {
    match effect {
        EffectClass::Create | EffectClass::Overwrite | EffectClass::Unknown => true,
        EffectClass::Read | EffectClass::Delete | EffectClass::Send | EffectClass::System => false,
    }
}

/// Whether a met verifiable criterion cites the call, or rests on a check where this was the only command that did anything.
fn bears(
    receipt: &Receipt,
    acting: &[(&Receipt, String)],
    outcome: &SubTaskOutcome,
    task_verdicts: &[CriterionVerdict],
) -> bool {
    let is_alone = acting.iter().filter(|(other, _)| other.succeeded()).count() == 1;
    outcome.criteria_verdicts.iter().chain(task_verdicts).any(|verdict| {
        let is_proof = verdict.passed() && verdict.mode == CriterionMode::Verifiable;
        let cites = verdict.cites.as_ref().filter(|_| is_proof);
        cites.is_some_and(|id| *id == receipt.id || id.is_check() && is_alone)
    })
}

/// The command on one line; none where it is a script, or holds what must not be told.
fn command(receipt: &Receipt) -> Option<String> {
    let arguments: Value = serde_json::from_str(&receipt.arguments).ok()?;
    let command = arguments.get("command")?.as_str()?.trim();
    let is_short = !command.is_empty() && command.chars().count() <= MAX_COMMAND_CHARS;
    let is_plain = !command.contains(['\n', '\r']) && !command.contains("[redacted");
    (is_short && is_plain).then(|| command.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use artoo_types::Timestamp;
    use artoo_types::evidence::{EffectClass, Receipt};

    use super::*;
    use crate::testing::*;

    fn ran(id: &str, command: &str, exit: i64) -> Receipt {
        Receipt {
            tool: SHELL.to_owned(),
            effect: EffectClass::Overwrite,
            arguments: serde_json::json!({ "command": command }).to_string(),
            ..call(id, "shell:make", "/w", exit)
        }
    }

    /// What these calls teach, where the only criterion is met and cites this.
    #[track_caller]
    fn check(cites: &str, receipts: &[Receipt], expected: &[(&str, f64)]) {
        let mut outcome = matched("run the tests", 0);
        outcome.criteria_verdicts = vec![citing(pass(0, Verifiable), cites)];
        outcome.receipts = receipts.to_vec();
        let from = Provenance { task_id: task_id(), round: 0, at: Timestamp(7), tainted: false };
        let writes = of_task(&from, "/w", "do the tests pass?", &[outcome], &[]);
        let told: Vec<(&str, f64)> =
            writes.iter().map(|w| (w.megram.content.as_str(), w.megram.sigma)).collect();
        assert_eq!(told, expected, "{cites}");
        assert!(writes.iter().all(|w| w.megram.tag.space == "folder:/w" && w.megram.f == MAGNITUDE));
    }

    #[test]
    fn a_command_that_a_met_criterion_rests_on_is_told() {
        check("r1", &[ran("r1", " make   check", 0)], &[("make check", 1.0)]);
        check("c1.0", &[ran("r1", "make check", 0)], &[("make check", 1.0)]);
        check("c1.0", &[ran("r1", "make check", 0), ran("r2", "make lint", 0)], &[]);
        check("r9", &[ran("r1", "make check", 0)], &[]);
        let looked = Receipt { effect: EffectClass::Read, ..ran("r1", "cat notes", 0) };
        check("r1", &[looked], &[]);
        let deleted = Receipt { effect: EffectClass::Delete, ..ran("r1", "rm notes", 0) };
        check("r1", &[deleted], &[]);
        check("r1", &[ran("r1", "python3 -c 'a\nb'", 0)], &[]);
        check("r1", &[ran("r1", "curl -H [redacted: token]", 0)], &[]);
        check("r1", &[ran("r1", &"x".repeat(200), 0)], &[]);
    }

    #[test]
    fn a_command_that_failed_before_another_did_the_work_speaks_against_itself() {
        let both = [ran("r1", "make check", 2), ran("r2", "pytest -q", 0)];
        check("r2", &both, &[("pytest -q", 1.0), ("make check", -1.0)]);
        let cycle = [ran("r1", "make check", 2), ran("r2", "make check", 0)];
        check("r2", &cycle, &[("make check", 1.0)]);
        check("r1", &[ran("r1", "make check", 2)], &[]);
    }
}
