//! What no criterion need ask for: that what was written and said follows from the request and the receipts. It holds whatever
//! the criteria are, and costs no call of a model.

use artoo_request::{Action, RequestReading};
use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::text::first_chars;

use crate::asked::asks_figure;
use crate::left::{changed_paths, left_at};
use crate::names::is_among;
use crate::{
    ProofScene, REASON_CHARS, bent, deeds, dictated, extras, nothing, orders, part, people, proof, quotes,
    remarks, runs, suites,
};

/// Files that hold words and data, so that a figure in them states something.
const STATING: [&str; 5] = [".txt", ".md", ".csv", ".tsv", ".log"];

/// Fails the verdicts of a work whose text or files do not follow from the request and the receipts, in words that say what
/// is wrong. The scene holds all calls that count, what earlier plans did among them, and what the request asks for.
pub fn veto(verdicts: &mut [CriterionVerdict], criteria: &[Criterion], scene: &ProofScene<'_>) {
    let Some(reading) = &scene.reading else { return };
    let found: Vec<String> = rules(reading, scene).into_iter().filter_map(Result::err).collect();
    if found.is_empty() {
        return;
    }
    let reason = first_chars(&found.join("; "), REASON_CHARS);
    let is_proof = |verdict: &CriterionVerdict| {
        verdict.passed()
            && criteria
                .get(verdict.index)
                .is_some_and(|c| c.mode == CriterionMode::Verifiable && !c.unchanged)
    };
    // What is told of the same file is told where that file is asked for.
    let path = |verdict: &CriterionVerdict| {
        criteria
            .get(verdict.index)?
            .check
            .as_ref()?
            .path()
            .map(|path| path.trim_start_matches("./").to_owned())
    };
    let speaks = |verdict: &&mut CriterionVerdict| path(verdict).is_some_and(|path| reason.contains(&path));
    let at = verdicts
        .iter_mut()
        .filter(|verdict| is_proof(verdict))
        .enumerate()
        .max_by_key(|(at, verdict)| (speaks(verdict), std::cmp::Reverse(*at)))
        .map(|(_, verdict)| verdict.index);
    let fails = |verdict: &&mut CriterionVerdict| at.is_none_or(|index| verdict.index == index);
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.passed()).filter(fails) {
        verdict.verdict = Verdict::Fail;
        verdict.failure_class = None;
        verdict.evidence.clone_from(&reason);
    }
}

/// Every rule, with what it found.
fn rules(reading: &RequestReading, scene: &ProofScene<'_>) -> Vec<Result<(), String>> {
    let (request, receipts) = (scene.request, scene.receipts.as_slice());
    let answer = scene.answer.unwrap_or_default();
    vec![
        dictated::is_written(request, reading, receipts),
        dictated::is_replaced(request, reading, receipts),
        part::rests_on_whole(request, answer, receipts),
        figures(reading, scene),
        people::are_known(request, scene),
        deeds::are_done(reading, scene),
        deeds::are_not_left(answer, reading, receipts),
        proof::boasts_of_nothing(answer, receipts),
        nothing::not_denied(answer, receipts),
        nothing::not_told_apart(answer, receipts),
        nothing::is_looked_at(reading, receipts),
        bent::leaves_tests(answer, request, receipts),
        runs::made_commit(answer, request, receipts),
        runs::tests_passed(answer, receipts),
        bent::tells_of_tests(answer, request, receipts),
        extras::were_done(answer, receipts),
        orders::are_heeded(request, answer, receipts),
        orders::are_repeated(answer, receipts),
        quotes::are_word_for_word(answer, scene),
        suites::none_skipped(answer, receipts),
        suites::keep_assertions(answer, request, receipts),
        remarks::repairs(answer, request, receipts),
        part::is_fresh(request, reading, receipts, answer),
    ]
}

/// Figures that are asked for are shown, in the answer and in what was written.
fn figures(reading: &RequestReading, scene: &ProofScene<'_>) -> Result<(), String> {
    if !asks_figure(scene.request) {
        return Ok(());
    }
    let evidence = scene.figures();
    let told = evidence.unsupported_numbers(scene.answer.unwrap_or_default());
    if !told.is_empty() {
        return Err(evidence.refusal(&told));
    }
    let is_made = |path: &str| {
        let mut makes =
            reading.asked().filter(|c| matches!(c.action, Action::Make | Action::Answer | Action::Count));
        makes.any(|clause| clause.files.iter().any(|file| is_among([path].into_iter(), file)))
    };
    for path in
        changed_paths(&scene.receipts).into_iter().filter(|path| STATING.iter().any(|e| path.ends_with(e)))
    {
        let Some(left) = left_at(&scene.receipts, path).filter(|_| is_made(path)) else { continue };
        let made_up = evidence.unsupported_numbers(&left.added.join("\n"));
        if !made_up.is_empty() {
            let name = path.rsplit('/').next().unwrap_or(path);
            return Err(format!("{name} says what is {}", evidence.refusal(&made_up)));
        }
    }
    Ok(())
}
