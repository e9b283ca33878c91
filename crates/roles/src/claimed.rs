//! Whether an output is a tool's, or what a model says; and on what its words may rest.

use artoo_types::EvidenceId;
use artoo_types::evidence::Receipt;
use artoo_types::lesson::found_nothing;
use artoo_types::tool::names::SHELL;

/// Programs that print what they are told.
const REPEATING: [&str; 3] = ["echo", "printf", "yes"];

/// The receipts on whose outputs words may rest: those of calls that worked and do not only repeat words.
pub(crate) fn shown<'a>(receipts: impl Iterator<Item = &'a Receipt>) -> Vec<EvidenceId> {
    receipts.filter(|receipt| shows(receipt)).map(|receipt| receipt.id.clone()).collect()
}

/// Whether the output is not the output of one of these calls.
pub(crate) fn is_claim<'a>(output: &str, mut receipts: impl Iterator<Item = &'a Receipt>) -> bool {
    !receipts.any(|receipt| shows(receipt) && receipt.output.trim() == output.trim())
}

fn shows(receipt: &Receipt) -> bool {
    let mut programs = receipt
        .classes
        .iter()
        .filter_map(|class| class.split_once(':'))
        .filter(|(tool, _)| *tool == SHELL)
        .map(|(_, program)| program)
        .peekable();
    // What the shell puts in for a variable or a calculation is not the model's.
    let computes = receipt.arguments.contains('$');
    let repeats =
        programs.peek().is_some() && programs.all(|program| REPEATING.contains(&program)) && !computes;
    // A search that found nothing says so with its exit status.
    (receipt.succeeded() || receipt.exit == Some(1) && found_nothing(receipt)) && !repeats
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::Receipt;
    use artoo_types::{EffectId, EvidenceId};

    use super::{is_claim, shown};

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
}
