//! Which new step takes the place of which earlier one: what a block on the earlier one binds.

use std::collections::BTreeSet;

use artoo_types::SubtaskId;
use artoo_types::plan::SubTask;
use artoo_types::reply::PlannedStep;
use artoo_types::tag::fold;

/// How alike two intents must be, as shared words over all words, for one to succeed the other.
const ALIKE: f64 = 0.5;

/// For each step of a draft the open step of the plan before (failed, or never run) that it takes the place of. What the
/// model says counts; else the most similar open step, unless a matched one is more so, where half of the words are
/// shared; and where one open step is left without a successor, the steps that succeed nothing are its. A step that
/// redoes a matched one succeeds no other.
pub(super) fn lineage(
    steps: &[PlannedStep],
    open: &[&SubTask],
    matched: &[&SubTask],
) -> Vec<Option<SubtaskId>> {
    let mut found: Vec<Option<SubtaskId>> =
        steps.iter().map(|step| said(step, open).or_else(|| most_similar(step, open, matched))).collect();
    let mut childless = open.iter().filter(|old| !found.contains(&Some(old.subtask_id)));
    let (last, more) = (childless.next(), childless.next());
    if let (Some(only), None) = (last, more) {
        for (step, place) in steps.iter().zip(&mut found) {
            if place.is_none() && is_new(step, matched) {
                *place = Some(only.subtask_id);
            }
        }
    }
    found
}

/// What the model says: an id, or the number of a step in the plan before.
fn said(step: &PlannedStep, open: &[&SubTask]) -> Option<SubtaskId> {
    let word = step.replaces.as_deref()?;
    let named = |old: &&&SubTask| old.subtask_id.to_string() == word || old.ordinal.to_string() == word;
    open.iter().find(named).map(|old| old.subtask_id)
}

fn most_similar(step: &PlannedStep, open: &[&SubTask], matched: &[&SubTask]) -> Option<SubtaskId> {
    if !step.supersedes.is_empty() {
        return None;
    }
    let rank = |old: &SubTask| {
        let shares_target = old.targets.iter().any(|target| step.targets.contains(target));
        (likeness(&step.intent, &old.intent), shares_target, old.sequence == step.sequence)
    };
    // Of several that are equally near the first counts.
    let mut best: Option<(&SubTask, (f64, bool, bool))> = None;
    for old in open {
        let of_old = rank(old);
        if of_old.0 >= ALIKE && best.is_none_or(|(_, of_best)| of_old > of_best) {
            best = Some((old, of_old));
        }
    }
    let (old, of_old) = best?;
    let is_nearer = matched.iter().any(|kept| rank(kept) > of_old);
    (!is_nearer).then_some(old.subtask_id)
}

/// Whether a step says nothing of a matched one.
fn is_new(step: &PlannedStep, matched: &[&SubTask]) -> bool {
    step.supersedes.is_empty() && matched.iter().all(|kept| likeness(&step.intent, &kept.intent) < ALIKE)
}

/// Whether a step with this intent succeeds the failed one, by its words alone: at least half of them are shared; a plan of
/// one step succeeds whatever failed. For directives that do not say which step they mean.
pub(super) fn succeeds(intent: &str, failed_intent: &str, only_step: bool) -> bool {
    only_step || likeness(intent, failed_intent) >= ALIKE
}

/// Shared words over all words.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count() as f64;
    let all = a.union(&b).count() as f64;
    if all == 0.0 { 1.0 } else { shared / all }
}

/// Words of the text; for scripts without spaces its single characters.
fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let mut out = BTreeSet::new();
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        if word.is_ascii() {
            out.insert(word.to_owned());
        } else {
            out.extend(word.chars().map(String::from));
        }
    }
    out
}

#[cfg(test)]
mod tests;
