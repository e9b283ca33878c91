//! What replays of many tasks found, as one table: what was decided against what is decided now.

use std::collections::BTreeMap;

use artoo_protocol::v1::{ControllerDecision, ReplayTaskResponse};
use serde_json::{Value, json};

use crate::render::figures::{count, short_id};
use crate::render::text::{one_line, pad};
use crate::render::{Line, Tone};

/// Most tasks that are named.
const NAMED: usize = 20;

/// The replays of many tasks, added up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replays {
    tasks: u64,
    rounds: u64,
    /// What was recorded, and what is decided now: how often.
    pairs: BTreeMap<(String, String), u64>,
    parted: Vec<String>,
    /// Tasks that could not be folded to the end, with why.
    failed: Vec<(String, String)>,
}

impl Replays {
    /// Adds the replay of a task.
    pub fn add(&mut self, task_id: &str, replay: &ReplayTaskResponse) {
        self.tasks += 1;
        for pair in &replay.decisions {
            self.rounds += 1;
            let key = (word(pair.recorded.as_ref()), word(pair.replayed.as_ref()));
            *self.pairs.entry(key).or_default() += 1;
        }
        if replay.decisions.iter().any(|pair| !pair.agrees) {
            self.parted.push(task_id.to_owned());
        } else if let Some(difference) = replay.first_difference.as_ref() {
            self.failed.push((task_id.to_owned(), one_line(&difference.about)));
        }
    }

    /// Adds a task that cannot be replayed.
    pub fn add_failure(&mut self, task_id: &str, why: &str) {
        self.failed.push((task_id.to_owned(), one_line(why)));
    }

    /// Whether every decision of every task is the one that was recorded.
    pub fn identical(&self) -> bool {
        self.parted.is_empty() && self.failed.is_empty()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let pairs = self.pairs.iter().map(|((recorded, replayed), rounds)| {
            json!({"recorded": recorded, "replayed": replayed, "rounds": rounds})
        });
        let failed = self.failed.iter().map(|(id, why)| json!({"task_id": id, "why": why}));
        json!({
            "tasks": self.tasks, "rounds": self.rounds, "identical": self.identical(),
            "decisions": pairs.collect::<Vec<_>>(), "parted": self.parted, "failed": failed.collect::<Vec<_>>(),
        })
    }

    /// For people.
    pub fn lines(&self, settings: &[String], width: usize) -> Vec<Line> {
        let with =
            if settings.is_empty() { String::new() } else { format!(", with {}", settings.join(", ")) };
        let (tasks, rounds) = (count(self.tasks, "task"), count(self.rounds, "round"));
        let parted = format!("{} decided otherwise", count(self.parted.len() as u64, "task"));
        let mut lines = vec![Line::new().add(Tone::Strong, format!("{tasks}, {rounds}{with}: {parted}"))];
        lines.push(row("recorded", "replayed", "rounds", Tone::Dim));
        for ((recorded, replayed), rounds) in &self.pairs {
            let tone = if recorded == replayed { Tone::Plain } else { Tone::Warn };
            lines.push(row(recorded, replayed, &rounds.to_string(), tone));
        }
        if !self.parted.is_empty() {
            let named: Vec<&str> = self.parted.iter().take(NAMED).map(|id| short_id(id)).collect();
            let more = if self.parted.len() > NAMED { ", ..." } else { "" };
            let text = format!("decided otherwise: {}{more}", named.join(", "));
            lines.extend(Line::plain("  ").hanging(Tone::Dim, &text, width, 4));
        }
        for (id, why) in self.failed.iter().take(NAMED) {
            let text = format!("{} was not compared to its end: {why}", short_id(id));
            lines.extend(Line::plain("  ").hanging(Tone::Bad, &text, width, 2));
        }
        lines.into_iter().map(|line| line.fit(width)).collect()
    }
}

fn row(recorded: &str, replayed: &str, rounds: &str, tone: Tone) -> Line {
    Line::plain("  ").add(tone, format!("{}{}{rounds:>6}", pad(recorded, 30), pad(replayed, 30)))
}

/// A decision in a word or two.
fn word(decided: Option<&ControllerDecision>) -> String {
    let Some(decided) = decided else { return "nothing".to_owned() };
    if decided.reason.is_empty() {
        return one_line(&decided.directive);
    }
    one_line(&format!("{} · {}", decided.directive, decided.reason))
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{ReplayDifference, ReplayedDecision};

    use super::*;

    fn decided(directive: &str, reason: &str) -> Option<ControllerDecision> {
        let (directive, reason) = (directive.to_owned(), reason.to_owned());
        Some(ControllerDecision { directive, reason, ..ControllerDecision::default() })
    }

    fn pair(recorded: Option<ControllerDecision>, replayed: Option<ControllerDecision>) -> ReplayedDecision {
        ReplayedDecision { agrees: recorded == replayed, recorded, replayed }
    }

    #[test]
    fn tasks_are_added_up_by_what_was_and_is_decided() {
        let same = || pair(decided("refine", ""), decided("refine", ""));
        let other = pair(decided("change_path", ""), decided("abandon", "budget_exhausted"));
        let replay = |decisions| ReplayTaskResponse { decisions, ..ReplayTaskResponse::default() };
        let mut all = Replays::default();
        all.add("0197b2c4-0000-7000-8000-000000000001", &replay(vec![same(), same()]));
        assert!(all.identical());
        all.add("0197b2c4-0000-7000-8000-000000000002", &replay(vec![same(), other]));
        assert_eq!((all.tasks, all.rounds, all.identical()), (2, 4, false));
        let text: Vec<String> =
            all.lines(&["theta=0.15".to_owned()], 80).iter().map(|line| line.text(false)).collect();
        assert!(text[0].contains("2 tasks, 4 rounds, with theta=0.15: 1 task decided otherwise"), "{text:?}");
        assert!(text.iter().any(|line| line.contains("abandon · budget_exhausted")), "{text:?}");
        assert_eq!(all.json()["decisions"][1]["rounds"], 3, "{}", all.json());
        all.add_failure("0197b2c4-0000-7000-8000-000000000003", "its journal is gone");
        assert!(all.lines(&[], 120).iter().any(|line| line.text(false).contains("its journal is gone")));
    }

    #[test]
    fn a_difference_beside_the_decisions_is_told() {
        let difference = ReplayDifference { about: "a wish".to_owned(), ..ReplayDifference::default() };
        let mut all = Replays::default();
        all.add("0197b2c4", &ReplayTaskResponse { first_difference: Some(difference), ..Default::default() });
        assert!(!all.identical());
    }
}
