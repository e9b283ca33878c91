//! Whether an output is a tool's, or what a model says; and on what its words may rest.

use artoo_types::EvidenceId;
use artoo_types::claim::ClaimedEffect;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::lesson::found_nothing;
use artoo_types::text::head_tail;
use artoo_types::tool::names::SHELL;

/// Characters of the words, and of what failing calls showed, whose numbers are known.
pub(crate) const TOLD_CHARS: usize = 4_000;
/// Programs that print what they are told.
const REPEATING: [&str; 3] = ["echo", "printf", "yes"];

/// The receipts on whose outputs words may rest: those of calls that worked and do not only repeat words.
pub(crate) fn shown<'a>(receipts: impl Iterator<Item = &'a Receipt>) -> Vec<EvidenceId> {
    receipts.filter(|receipt| shows(receipt)).map(|receipt| receipt.id.clone()).collect()
}

/// What calls showed that ran and failed, at most `max` characters: nothing may rest on it, but who repeats a number of it
/// invents none.
pub(crate) fn shown_in_failing<'a>(receipts: impl Iterator<Item = &'a Receipt>, max: usize) -> String {
    let outputs: Vec<&str> = failed(receipts).map(|receipt| receipt.output.trim()).collect();
    head_tail(&outputs.join("\n"), max)
}

/// The calls that ran and failed.
pub(crate) fn failed<'a>(receipts: impl Iterator<Item = &'a Receipt>) -> impl Iterator<Item = &'a Receipt> {
    receipts.filter(|r| r.end == CallEnd::Ran && r.call_failed() && !repeats(r))
}

/// Whether the output is not the output of one of these calls.
pub(crate) fn is_claim<'a>(output: &str, mut receipts: impl Iterator<Item = &'a Receipt>) -> bool {
    !receipts.any(|receipt| shows(receipt) && receipt.output.trim() == output.trim())
}

/// Whether a call is of a kind that has this effect.
pub(crate) fn has_effect(receipt: &Receipt, effect: ClaimedEffect) -> bool {
    match effect {
        ClaimedEffect::Made | ClaimedEffect::Changed => {
            matches!(receipt.effect, EffectClass::Create | EffectClass::Overwrite)
        }
        ClaimedEffect::Moved => {
            matches!(receipt.effect, EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete)
        }
        ClaimedEffect::Deleted => receipt.effect == EffectClass::Delete,
        ClaimedEffect::Sent => receipt.effect == EffectClass::Send,
    }
}

/// Whether the call worked, and does more than repeat words.
fn shows(receipt: &Receipt) -> bool {
    // A search that found nothing says so with its exit status.
    (receipt.succeeded() || receipt.exit == Some(1) && found_nothing(receipt)) && !repeats(receipt)
}

/// Whether the call only repeats what its arguments say.
fn repeats(receipt: &Receipt) -> bool {
    let mut programs = receipt
        .classes
        .iter()
        .filter_map(|class| class.split_once(':'))
        .filter(|(tool, _)| *tool == SHELL)
        .map(|(_, program)| program)
        .peekable();
    // What the shell puts in for a variable or a calculation is not the model's.
    let computes = receipt.arguments.contains('$');
    programs.peek().is_some() && programs.all(|program| REPEATING.contains(&program)) && !computes
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{CallEnd, Receipt};
    use artoo_types::{EffectId, EvidenceId};

    use super::{is_claim, shown, shown_in_failing};

    fn call(effect: u64, programs: &[&str], command: &str, output: &str) -> Receipt {
        Receipt {
            classes: programs.iter().map(|program| format!("shell:{program}")).collect(),
            arguments: format!("{{\"command\":{command:?}}}"),
            output: output.to_owned(),
            ..Receipt::quiet(EvidenceId::receipt(EffectId(effect)), "shell")
        }
    }

    #[test]
    fn a_call_that_repeats_words_or_failed_shows_nothing() {
        let listed = call(1, &["ls", "wc"], "ls | wc -l", "42\n");
        let repeated = call(2, &["echo"], "echo 42 files", "42 files\n");
        let computed = call(3, &["echo"], "echo $((6*7))", "42\n");
        let failed = Receipt { exit: Some(1), output_bytes: 2, ..call(4, &["ls"], "ls nowhere", "42") };
        let read = Receipt::quiet(EvidenceId::receipt(EffectId(5)), "read_file");
        let empty = Receipt { exit: Some(1), ..call(6, &["grep"], "grep x a.txt", "") };
        let all = [listed, repeated, computed, failed, read, empty];
        let ids: Vec<String> = shown(all.iter()).into_iter().map(|id| id.0).collect();
        assert_eq!(ids, ["r1", "r3", "r5", "r6"], "a search that ran and found nothing shows that");
        assert!(!is_claim("42", all.iter()));
        assert!(is_claim("42 files", all.iter()), "the words of the model, by way of echo");
        assert!(is_claim("there are 42", all.iter()));
    }

    #[test]
    fn what_failing_calls_showed_is_known_but_what_they_repeat_is_not() {
        let tested =
            Receipt { exit: Some(1), ..call(1, &["python3"], "python3 -m unittest", "expected 100, got 90") };
        let repeated = Receipt { exit: Some(1), ..call(2, &["echo"], "echo 4711; false", "4711") };
        let denied = Receipt { end: CallEnd::Denied, exit: None, ..call(3, &["ls"], "ls", "17") };
        let worked = call(4, &["ls"], "ls", "18");
        let calls = [tested, repeated, denied, worked];
        assert_eq!(shown_in_failing(calls.iter(), 100), "expected 100, got 90");
    }
}
