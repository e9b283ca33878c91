//! Merging outcomes by code, where code can.

use artoo_relevance::claims::claimed_effects;
use artoo_relevance::figures::FigureEvidence;
use artoo_request::{Language, RequestReading};
use artoo_types::EvidenceId;
use artoo_types::criteria::CriterionVerdict;
use artoo_types::evidence::{CheckEvidence, Receipt};
use artoo_types::limits::MESSAGE_OUTPUT_CHARS;
use artoo_types::outcome::{OutcomeStatus, SubTaskOutcome};
use artoo_types::plan::DispatchManifest;
use artoo_types::text::{first_chars, head_tail};
use serde_json::Value;

use crate::claimed::has_effect;
use crate::past::PastDeeds;
use crate::verdicts::{Citable, CitableEvidence};

/// The merged output and a summary, when one outcome is the result: the only one, or the one that the plan names.
pub(super) fn by_code(
    manifest: Option<&DispatchManifest>,
    outcomes: &[&SubTaskOutcome],
) -> Option<(Value, String)> {
    let result = result_of(manifest, outcomes)?;
    let steps: Vec<String> = outcomes.iter().map(|o| first_chars(&o.subtask.intent, 120)).collect();
    Some((Value::String(result.output.clone()), format!("Done: {}.", steps.join("; "))))
}

fn result_of<'a>(
    manifest: Option<&DispatchManifest>,
    outcomes: &[&'a SubTaskOutcome],
) -> Option<&'a SubTaskOutcome> {
    let named = manifest.and_then(|m| m.output_from);
    match (named, outcomes) {
        (Some(id), outcomes) => outcomes.iter().copied().find(|o| o.subtask_id == id),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

/// The artifact behind the merged output, when it is one outcome's cut output.
pub(super) fn handle_of(manifest: Option<&DispatchManifest>, outcomes: &[&SubTaskOutcome]) -> Option<String> {
    result_of(manifest, outcomes).and_then(|o| o.handle.clone())
}

/// The text that `output_*` checks read.
pub(super) fn text_of(output: &Value) -> String {
    match output {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            serde_json::to_string_pretty(other).unwrap_or_default()
        }
    }
}

/// The text that is delivered: the merged output, else what matched so far.
pub(super) fn delivered(merged: Option<&Value>, outcomes: &[&SubTaskOutcome]) -> String {
    merged.map_or_else(|| partial_output(outcomes), text_of)
}

/// What matched so far, joined in order.
pub(super) fn partial_output(outcomes: &[&SubTaskOutcome]) -> String {
    let matched: Vec<String> = outcomes
        .iter()
        .filter(|o| o.matched())
        .map(|o| format!("{}\n{}", first_chars(&o.subtask.intent, 200), o.output))
        .collect();
    head_tail(&matched.join("\n\n"), MESSAGE_OUTPUT_CHARS)
}

/// What failed steps said last, and those that matched where the whole is rejected, without the sentences that tell of deeds or
/// figures that no call shows; its first line says that nothing verified it. Empty where nothing is left.
pub(super) fn unverified_output(
    outcomes: &[&SubTaskOutcome],
    request: &str,
    is_all_rejected: bool,
) -> String {
    let failed = outcomes.iter().filter(|o| o.status == OutcomeStatus::Failed || is_all_rejected);
    let reading = artoo_request::read(request);
    let said: Vec<BorneOut> = failed
        .map(|outcome| borne_out(outcome, request, &reading))
        .filter(|said| !said.text.is_empty())
        .collect();
    if said.is_empty() {
        return String::new();
    }
    let language = Language::of(request);
    let mut mark = language
        .pick(
            "UNVERIFIED: the last attempt said this, and not all that was asked for is met.",
            "未经核实：这是最后一次尝试的说法，要求并未全部满足。",
        )
        .to_owned();
    let left_out: usize = said.iter().map(|said| said.left_out).sum();
    if left_out > 0 {
        mark.push_str(language.pick(" Left out: ", "已略去"));
        mark.push_str(&left_out.to_string());
        mark.push_str(
            language.pick(" of its sentences, which no call bears out.", "句没有任何调用可以证实的话。"),
        );
    }
    let texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    head_tail(&format!("{mark}\n\n{}", texts.join("\n\n")), MESSAGE_OUTPUT_CHARS)
}

/// What an attempt said, as far as its calls bear it out.
#[derive(Default)]
struct BorneOut {
    text: String,
    /// Sentences that they do not.
    left_out: usize,
}

fn borne_out(outcome: &SubTaskOutcome, request: &str, reading: &RequestReading) -> BorneOut {
    let receipts: Vec<&Receipt> = outcome.all_receipts().collect();
    // What a call that did not work put out is no answer.
    if receipts.iter().any(|receipt| !receipt.succeeded() && receipt.output.trim() == outcome.output.trim()) {
        return BorneOut::default();
    }
    let known = FigureEvidence::of(&receipts, &[request]);
    let stands = |sentence: &&str| {
        let shows =
            |effect| receipts.iter().any(|receipt| receipt.succeeded() && has_effect(receipt, effect));
        known.unsupported_numbers(sentence).is_empty()
            && claimed_effects(sentence, Some(reading)).into_iter().all(shows)
    };
    let mut left_out = 0;
    let mut lines: Vec<String> = Vec::new();
    for line in outcome.output.lines() {
        let (kept, lost): (Vec<&str>, Vec<&str>) = sentences(line).partition(stands);
        left_out += lost.len();
        let kept = kept.concat();
        // Nothing but the number or the dash of an item is left of it.
        let is_bare = |text: &str| !text.chars().any(char::is_alphabetic);
        if lost.is_empty() || !is_bare(&kept) {
            lines.push(kept.trim_end().to_owned());
        }
    }
    BorneOut { text: lines.join("\n").trim().to_owned(), left_out }
}

/// The sentences of a line, each with what follows it.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let ends = |at: usize| {
        line[..at].ends_with(['。', '！', '？'])
            || line[..at].ends_with([' ']) && line[..at].trim_end().ends_with(['.', '!', '?'])
    };
    let cuts = line.char_indices().map(|(at, _)| at).filter(move |at| *at > 0 && ends(*at));
    let mut from = 0;
    let mut all: Vec<&str> = cuts
        .map(|at| {
            let sentence = &line[from..at];
            from = at;
            sentence
        })
        .collect();
    all.push(&line[from..]);
    all.into_iter()
}

/// One paragraph on what is missing.
pub(super) fn gap_summary(outcomes: &[SubTaskOutcome], verdicts: &[CriterionVerdict]) -> String {
    let ran = outcomes.iter().filter(|o| o.status != OutcomeStatus::NotRun).count();
    let failed: Vec<&SubTaskOutcome> =
        outcomes.iter().filter(|o| o.status == OutcomeStatus::Failed).collect();
    let mut parts = vec![format!("{} of {ran} subtasks failed", failed.len())];
    for outcome in failed.iter().take(4) {
        let why = outcome.failure_reason.as_deref().unwrap_or("no reason given");
        parts.push(format!("\"{}\": {}", first_chars(&outcome.subtask.intent, 120), first_chars(why, 300)));
    }
    for verdict in verdicts.iter().filter(|v| !v.passed()).take(4) {
        parts.push(format!(
            "task criterion \"{}\": {}",
            verdict.criterion,
            first_chars(&verdict.evidence, 200)
        ));
    }
    parts.join("; ")
}

/// What a verdict on the task may cite: receipts, those of what was done before too, checks, and whole subtasks.
pub(super) fn evidence(
    outcomes: &[&SubTaskOutcome],
    past: &PastDeeds,
    checks: &[CheckEvidence],
) -> CitableEvidence {
    let mut evidence = CitableEvidence::new();
    for check in checks {
        evidence.insert(check.id.0.clone(), (check.id.clone(), Citable::Record));
    }
    for receipt in past.all() {
        evidence.insert(receipt.id.0.clone(), (receipt.id.clone(), Citable::Record));
    }
    for outcome in outcomes.iter().filter(|o| o.matched()) {
        let proof = outcome.all_receipts().last().map(|r| r.id.clone());
        let id = outcome.subtask_id.to_string();
        // A subtask stands for its receipts; one without any is only its own words.
        let (cited, kind) = match proof {
            Some(receipt) => (receipt, Citable::Record),
            None => (EvidenceId(id.clone()), Citable::Answer),
        };
        evidence.insert(id, (cited, kind));
        for receipt in outcome.all_receipts() {
            evidence.insert(receipt.id.0.clone(), (receipt.id.clone(), Citable::Record));
        }
    }
    evidence
}
