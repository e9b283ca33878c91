//! Criteria that say nothing: they hold whatever is done, so that any plan with them would end well.

use std::collections::BTreeSet;

use artoo_types::brief::EmptyClaim;
use artoo_types::claim::ClaimedEffect;
use artoo_types::criteria::{Check, Compare, Criterion};
use artoo_types::target::{Bases, is_below, written_path};
use artoo_types::text::first_chars;
use regex::RegexBuilder;

use artoo_relevance::claims;

/// What a pattern must match to be said to match every text: nothing, a word, spaces, several lines, another script.
const PROBES: [&str; 6] = ["", "x", "   ", "\n", "Zq 7;\n\n-_\tk", "例子"];
/// From here on "at most" leaves out nothing that a check can count.
const EVERY_COUNT: f64 = 1e9;
/// Bytes of a compiled pattern, as in the evaluation of checks: a larger one is an error there, not an empty claim.
const PATTERN_BYTES: usize = 1 << 20;
/// Characters of a pattern or path in a reason.
const SHOWN_CHARS: usize = 60;

/// Words that say "it is done" and nothing else.
const HOLLOW: [&str; 52] = [
    "it",
    "this",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "been",
    "be",
    "the",
    "a",
    "of",
    "and",
    "as",
    "all",
    "whole",
    "everything",
    "task",
    "tasks",
    "request",
    "goal",
    "work",
    "job",
    "step",
    "steps",
    "subtask",
    "subtasks",
    "thing",
    "things",
    "result",
    "what",
    "done",
    "complete",
    "completed",
    "finished",
    "fulfilled",
    "accomplished",
    "achieved",
    "executed",
    "performed",
    "met",
    "successful",
    "successfully",
    "success",
    "succeeded",
    "requested",
    "asked",
    "wanted",
    "ok",
    "well",
    "fine",
];
/// The same in Chinese, longest first: what is left of a text without them is its content.
const HOLLOW_CHINESE: [&str; 20] = [
    "全部完成",
    "已经",
    "任务",
    "请求",
    "步骤",
    "工作",
    "目标",
    "所有",
    "全部",
    "成功",
    "完成",
    "结束",
    "达成",
    "执行",
    "已",
    "的",
    "了",
    "都",
    "被",
    "好",
];

/// What makes the check of a criterion hold whatever is done.
pub(super) fn empty_claim(criterion: &Criterion, bases: Bases<'_>) -> Option<EmptyClaim> {
    let always_there = |path: &str| {
        let path = written_path(path, bases);
        let is_root =
            [bases.working_directory, bases.workspace, bases.home].iter().any(|own| is_below(own, &path));
        (path == "/" || is_root).then(|| EmptyClaim::AlwaysThere(first_chars(&path, SHOWN_CHARS)))
    };
    match criterion.check.as_ref()? {
        Check::FileAbsent { .. } | Check::FileJson { .. } | Check::OutputJson { .. } => None,
        Check::ExitStatus { .. } | Check::ToolCalled { .. } => None,
        Check::FileExists { path } => always_there(path),
        Check::FileLines { path, op, n } => always_there(path).or_else(|| every_count(*op, *n)),
        Check::FileContains { path, text, regex } => {
            let text_claim = text.as_deref().map(every_text);
            let pattern_claim = regex.as_deref().map(every_match);
            let claims: Vec<Option<EmptyClaim>> = text_claim.into_iter().chain(pattern_claim).collect();
            let is_empty = claims.iter().all(Option::is_some);
            always_there(path).or_else(|| claims.into_iter().flatten().next().filter(|_| is_empty))
        }
        Check::OutputContains { text } => every_text(text),
        Check::OutputMatches { regex } => every_match(regex),
        Check::OutputLines { op, n } => every_count(*op, *n),
        Check::FilesMatch { glob, op, n } => every_count(*op, *n).or_else(|| any_file(glob, *op, *n)),
    }
}

fn every_text(text: &str) -> Option<EmptyClaim> {
    text.trim().is_empty().then(|| EmptyClaim::EveryText(text.to_owned()))
}

fn every_match(pattern: &str) -> Option<EmptyClaim> {
    let compiled = RegexBuilder::new(pattern)
        .multi_line(true)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .build()
        .ok()?;
    PROBES
        .iter()
        .all(|probe| compiled.is_match(probe))
        .then(|| EmptyClaim::EveryText(first_chars(pattern, SHOWN_CHARS)))
}

/// Counts are whole numbers from 0.
fn every_count(op: Compare, n: f64) -> Option<EmptyClaim> {
    let (always, sign) = match op {
        Compare::Ge => (n <= 0.0, ">="),
        Compare::Gt => (n < 0.0, ">"),
        Compare::Ne => (n < 0.0 || n.fract() != 0.0, "!="),
        Compare::Le => (n >= EVERY_COUNT, "<="),
        Compare::Lt => (n >= EVERY_COUNT, "<"),
        Compare::Eq => (false, "=="),
    };
    always.then(|| EmptyClaim::EveryCount(format!("{sign} {n}")))
}

/// "At least one file of any name".
fn any_file(glob: &str, op: Compare, n: f64) -> Option<EmptyClaim> {
    let names_nothing = glob.chars().all(|c| matches!(c, '*' | '/' | '.' | '~' | '?'));
    let at_least_one = match op {
        Compare::Ge => n <= 1.0,
        Compare::Gt => n < 1.0,
        Compare::Ne => n == 0.0,
        Compare::Le | Compare::Lt | Compare::Eq => false,
    };
    (names_nothing && at_least_one).then(|| EmptyClaim::AlwaysThere(first_chars(glob, SHOWN_CHARS)))
}

/// Whether all that the criteria say is that it is done.
pub(super) fn are_hollow(criteria: &[Criterion]) -> bool {
    !criteria.is_empty() && criteria.iter().all(|c| c.check.is_none() && is_hollow(&c.text))
}

/// Whether they ask only that something stays as it is, so that doing nothing meets them.
pub(super) fn are_preconditions(criteria: &[Criterion]) -> bool {
    !criteria.is_empty() && criteria.iter().all(|c| c.unchanged)
}

fn is_hollow(text: &str) -> bool {
    let mut folded = text.to_lowercase();
    for word in HOLLOW_CHINESE {
        folded = folded.replace(word, " ");
    }
    let mut words = folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    !text.trim().is_empty() && words.all(|w| HOLLOW.contains(&w))
}

/// What a step is to do to the world, when nothing that decides about it looks at the world: each of its criteria asks only
/// whether a tool was called and how that ended.
pub(super) fn unproven_effect(intent: &str, criteria: &[Criterion]) -> Option<ClaimedEffect> {
    let asks_tool =
        |c: &Criterion| matches!(c.check, Some(Check::ExitStatus { .. } | Check::ToolCalled { .. }));
    let of_intent = claims::ordered(intent);
    let stated: BTreeSet<ClaimedEffect> =
        criteria.iter().flat_map(|c| claims::stated_effects(&c.text, &of_intent)).collect();
    let effect = of_intent.union(&stated).copied().next()?;
    (!criteria.is_empty() && criteria.iter().all(asks_tool)).then_some(effect)
}

#[cfg(test)]
mod tests;
