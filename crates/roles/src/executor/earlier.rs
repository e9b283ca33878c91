//! What steps of earlier plans did and saw, shortly: who carries their work on begins with that, and not with nothing.

use artoo_types::brief::EarlierWork;
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::limits::PromptLimits;
use artoo_types::text::{first_chars, head_tail, indented};

use crate::past::is_deed;
use crate::prompt::one_line;
use crate::receipt::{changed_files, receipt_headline};

/// Characters of all calls together.
const CALLS_CHARS: usize = 10_000;
/// The last calls, whose outputs are told at some length.
const LAST_CALLS: usize = 3;
/// Characters of the output of one of these.
const LAST_OUTPUT_CHARS: usize = 1_500;
/// Characters of the output of any other.
const OUTPUT_CHARS: usize = 200;
/// Characters of what was called.
const CALL_CHARS: usize = 300;
/// Characters of the files that a call changed.
const CHANGES_CHARS: usize = 300;
/// Characters of an answer.
const ANSWER_CHARS: usize = 1_500;
/// Characters of why a step counts no more.
const ENDING_CHARS: usize = 500;
/// Steps that are told of: more than a task has plans.
const MAX_WORKS: usize = 8;

/// What stands above it.
const HEADING: &str = "[what earlier plans did and saw; what they saw may be another by now; read_output shows the whole output \
                       of a receipt]";

/// The section, in the room that the model's context leaves it; empty where nothing was done. Only the last step's answer is told:
/// it had those before it.
pub(super) fn earlier_work(works: &[EarlierWork], limits: &PromptLimits) -> String {
    let mut works: Vec<&EarlierWork> = works.iter().filter(|work| made(work).next().is_some()).collect();
    works.drain(..works.len().saturating_sub(MAX_WORKS));
    let calls: Vec<&Receipt> = works.iter().flat_map(|work| made(work)).collect();
    if calls.is_empty() {
        return String::new();
    }
    let told = told_calls(&calls, limits);
    let left_out = told.iter().filter(|told| told.is_none()).count();
    let mut told = told.into_iter();
    let mut lines = vec![HEADING.to_owned()];
    if left_out > 0 {
        lines.push(format!("[{left_out} calls are left out here]"));
    }
    let last = works.len() - 1;
    for (index, work) in works.into_iter().enumerate() {
        lines.extend(told.by_ref().take(made(work).count()).flatten());
        let answer = head_tail(work.answer.trim(), limits.scaled(ANSWER_CHARS));
        if index == last && !answer.is_empty() {
            lines.push(format!("[its answer]\n{}", indented(&answer)));
        }
        lines.push(format!("[it ended: {}]", first_chars(&one_line(&work.ending), ENDING_CHARS)));
    }
    lines.join("\n")
}

/// The calls that came to pass.
fn made(work: &EarlierWork) -> impl Iterator<Item = &Receipt> {
    work.receipts.iter().filter(|receipt| receipt.end != CallEnd::Refused)
}

/// What is told of each call; nothing of those that find no room. The last ones come first, then what changed something, then
/// what only looked, each from its end.
fn told_calls(calls: &[&Receipt], limits: &PromptLimits) -> Vec<Option<String>> {
    let last = calls.len().saturating_sub(LAST_CALLS);
    let rank = |index: usize| match (index >= last, is_deed(calls[index])) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    let mut order: Vec<usize> = (0..calls.len()).rev().collect();
    order.sort_by_key(|index| rank(*index));
    let mut room = limits.scaled(CALLS_CHARS);
    let mut told = vec![None; calls.len()];
    for index in order {
        let text = if index >= last { at_length(calls[index], limits) } else { in_a_line(calls[index]) };
        let chars = text.chars().count() + 1;
        if chars > room {
            break;
        }
        room -= chars;
        told[index] = Some(text);
    }
    told
}

fn in_a_line(receipt: &Receipt) -> String {
    let output = one_line(&first_chars(receipt.output.trim(), OUTPUT_CHARS));
    let output = if output.is_empty() { output } else { format!(" → {output}") };
    format!("{}{output}", call(receipt))
}

fn at_length(receipt: &Receipt, limits: &PromptLimits) -> String {
    let output = head_tail(receipt.output.trim_end(), limits.scaled(LAST_OUTPUT_CHARS));
    if output.is_empty() { call(receipt) } else { format!("{}\n{}", call(receipt), indented(&output)) }
}

/// What was called, how it ended, and what it changed.
fn call(receipt: &Receipt) -> String {
    let head = first_chars(&one_line(&receipt_headline(receipt)), CALL_CHARS);
    let changes = changed_files(receipt).map(|files| format!("; {}", first_chars(&files, CHANGES_CHARS)));
    format!("{}{}", head.trim_end(), changes.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use artoo_types::brief::EarlierWork;
    use artoo_types::evidence::{CallEnd, ChangeKind, EffectClass, FileChange, Receipt};

    use artoo_types::limits::PromptLimits;

    use super::earlier_work;
    use crate::testing::receipt;

    fn usual() -> PromptLimits {
        PromptLimits::default()
    }

    fn look(n: u64, output: &str) -> Receipt {
        receipt(n, CallEnd::Ran, Some(0), output)
    }

    fn edit(n: u64) -> Receipt {
        let mut edit = Receipt { effect: EffectClass::Overwrite, ..look(n, "edited") };
        let (path, kind) = (format!("/w/{n}.rs"), ChangeKind::Changed);
        edit.act.changes = vec![FileChange { path, kind, before: None, after: None, modes: None }];
        edit
    }

    fn work(receipts: Vec<Receipt>) -> EarlierWork {
        EarlierWork {
            receipts,
            answer: "half of it\n## Request".to_owned(),
            ending: "no result\nafter 60 tool calls".to_owned(),
        }
    }

    #[test]
    fn calls_are_told_with_their_ends_what_they_changed_and_the_last_outputs() {
        let refused = receipt(2, CallEnd::Refused, None, "no");
        let told = earlier_work(
            &[work(vec![look(1, "a\n## b"), refused, edit(3), look(4, ""), look(5, "1\n2")])],
            &usual(),
        );
        let lines: Vec<&str> = told.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "[receipt r1] glob /w/* exit=0 arguments: {\"pattern\":\"*\"} → a ## b",
                "[receipt r3] glob /w/* exit=0 arguments: {\"pattern\":\"*\"}; changed /w/3.rs",
                "  edited",
                "[receipt r4] glob /w/* exit=0 arguments: {\"pattern\":\"*\"}",
                "[receipt r5] glob /w/* exit=0 arguments: {\"pattern\":\"*\"}",
                "  1",
                "  2",
                "[its answer]",
                "  half of it",
                "  ## Request",
                "[it ended: no result after 60 tool calls]",
            ]
        );
        assert_eq!(earlier_work(&[], &usual()), "");
        assert_eq!(earlier_work(&[work(Vec::new())], &usual()), "");
    }

    #[test]
    fn what_changed_something_outlives_what_only_looked_and_all_of_it_is_bounded() {
        let mut receipts = vec![edit(1)];
        receipts.extend((2..=200).map(|n| look(n, &"x".repeat(3_000))));
        let works = vec![work(receipts); 9];
        let small = earlier_work(&works, &PromptLimits::of(Some(8_192)));
        let told = earlier_work(&works, &usual());
        assert!(small.chars().count() < told.chars().count(), "{}", small.chars().count());
        assert_eq!(told.matches("[its answer]").count(), 1, "the last one's");
        assert!(told.chars().count() <= 16_000, "{}", told.chars().count());
        assert!(told.contains("; changed /w/1.rs") && told.contains("[receipt r200]"), "{told}");
        assert!(told.contains(" calls are left out here]") && !told.contains("[receipt r2]"), "{told}");
    }
}
