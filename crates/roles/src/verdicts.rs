//! From a model's verdicts to verdicts that count: a pass needs a citation of evidence that exists.

use std::collections::BTreeMap;

use artoo_types::EvidenceId;
use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, FailureClass, Verdict};
use artoo_types::evidence::CheckEvidence;
use artoo_types::reply::VerdictReply;
use artoo_types::text::first_chars;

use crate::before::{self, WorldFinding};
use crate::prompt::one_line;

/// What a verdict may cite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Citable {
    /// A receipt or a check: supports any criterion.
    Record,
    /// An answer: supports only plausible criteria about the text itself.
    Answer,
}

/// Evidence that may be cited, by the words that a model may use for it.
pub(crate) type CitableEvidence = BTreeMap<String, (EvidenceId, Citable)>;

/// Characters of a verdict's own words.
const EVIDENCE_CHARS: usize = 500;

/// The verdict that a check gives.
pub(crate) fn from_check(criterion: &Criterion, evidence: &CheckEvidence) -> CriterionVerdict {
    let WorldFinding { verdict, failure_class, cites, words } = before::finding(criterion, evidence);
    CriterionVerdict {
        index: evidence.criterion,
        criterion: criterion.text.clone(),
        mode: criterion.mode,
        verdict,
        failure_class,
        cites: Some(cites),
        evidence: first_chars(&words, EVIDENCE_CHARS),
        before: evidence.before.as_ref().and_then(|before| before.verdict),
    }
}

/// The verdicts of a model on the criteria with these indexes. A criterion that it left out, a pass without valid
/// citation, and a pass of a verifiable criterion that cites an answer are fails; of two verdicts on one criterion the
/// fail counts.
pub(crate) fn from_model(
    criteria: &[Criterion],
    asked: &[usize],
    replies: &[VerdictReply],
    evidence: &CitableEvidence,
) -> Vec<CriterionVerdict> {
    asked
        .iter()
        .filter_map(|index| Some((*index, criteria.get(*index)?)))
        .map(|(index, criterion)| {
            let mine = on_criterion(asked, replies, index);
            let worst = mine.iter().find(|r| r.verdict == Verdict::Fail).or(mine.first());
            match worst {
                Some(reply) => counted(index, criterion, reply, evidence),
                None => fail(index, criterion, None, None, "the validator gave no verdict on it"),
            }
        })
        .collect()
}

/// The verdicts on this criterion. Without any index they stand in the order in which they were asked for; with one too few
/// or too many nobody knows which is which.
pub(crate) fn on_criterion<'a>(
    asked: &[usize],
    replies: &'a [VerdictReply],
    index: usize,
) -> Vec<&'a VerdictReply> {
    let in_order = replies.len() == asked.len() && replies.iter().all(|r| r.criterion.is_none());
    let is_on = |at: usize, reply: &VerdictReply| match reply.criterion {
        Some(named) => named == index,
        None => in_order && asked.get(at) == Some(&index),
    };
    replies.iter().enumerate().filter(|(at, reply)| is_on(*at, reply)).map(|(_, reply)| reply).collect()
}

fn counted(
    index: usize,
    criterion: &Criterion,
    reply: &VerdictReply,
    evidence: &CitableEvidence,
) -> CriterionVerdict {
    let cited = reply.receipt.as_ref().and_then(|word| evidence.get(bare(word)));
    let cites = cited.map(|(id, _)| id.clone());
    let words = first_chars(&reply.evidence, EVIDENCE_CHARS);
    if reply.verdict == Verdict::Fail {
        return fail(index, criterion, reply.failure_class, cites, &words);
    }
    match cited {
        None => fail(
            index,
            criterion,
            None,
            None,
            &format!("passed without citing evidence that exists: {words}"),
        ),
        Some((_, Citable::Answer)) if criterion.mode == CriterionMode::Verifiable => {
            fail(index, criterion, None, cites, &format!("only the answer itself was cited: {words}"))
        }
        Some(_) => CriterionVerdict {
            index,
            criterion: criterion.text.clone(),
            mode: criterion.mode,
            verdict: Verdict::Pass,
            failure_class: None,
            cites,
            evidence: words,
            before: None,
        },
    }
}

/// A failing verdict.
pub(crate) fn fail(
    index: usize,
    criterion: &Criterion,
    failure_class: Option<FailureClass>,
    cites: Option<EvidenceId>,
    evidence: &str,
) -> CriterionVerdict {
    CriterionVerdict {
        index,
        criterion: criterion.text.clone(),
        mode: criterion.mode,
        verdict: Verdict::Fail,
        failure_class,
        cites,
        evidence: evidence.to_owned(),
        before: None,
    }
}

/// Models like to write `[receipt r3]` or `receipt r3` for `r3`.
fn bare(word: &str) -> &str {
    let word = word.trim().trim_start_matches('[').trim_end_matches(']');
    let word = word.strip_prefix("receipt ").or_else(|| word.strip_prefix("subtask ")).unwrap_or(word);
    word.trim()
}

/// Lines of the `## Checked` section.
pub(crate) fn checked_lines(criteria: &[Criterion], checks: &[CheckEvidence]) -> String {
    let lines: Vec<String> = checks
        .iter()
        .filter_map(|c| {
            let found = before::finding(criteria.get(c.criterion)?, c);
            let word = if found.verdict == Verdict::Pass { "pass" } else { "fail" };
            Some(format!("[{}] {} {word}: {}", c.id, c.criterion, first_chars(&one_line(&found.words), 300)))
        })
        .collect();
    lines.join("\n")
}

/// Lines of a criteria section, only those with these indexes.
pub(crate) fn criteria_lines(criteria: &[Criterion], asked: &[usize]) -> String {
    let lines: Vec<String> = asked
        .iter()
        .filter_map(|i| {
            let criterion = criteria.get(*i)?;
            let mode = match criterion.mode {
                CriterionMode::Verifiable => "verifiable",
                CriterionMode::Plausible => "plausible",
            };
            Some(format!("{i}. [{mode}] {}", one_line(&criterion.text)))
        })
        .collect();
    lines.join("\n")
}

/// The line of the `## Not in any receipt` section.
pub(crate) fn unsupported_line(unsupported: &[String]) -> String {
    one_line(&unsupported.join("; "))
}

/// Indexes of the criteria that no check decides.
pub(crate) fn unchecked(criteria: &[Criterion]) -> Vec<usize> {
    criteria.iter().enumerate().filter(|(_, c)| c.check.is_none()).map(|(i, _)| i).collect()
}

#[cfg(test)]
mod tests;
