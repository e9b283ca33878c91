//! Receipts for those who judge: what was run and changed in full, of long outputs what bears on the claim.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::EvidenceId;
use artoo_types::evidence::Receipt;
use artoo_types::text::head_tail;

use super::{LINES_CHARS, Shown, block_with, chars, fair_share, receipt_headline};

/// Characters of an output, as a rule.
const OUTPUT_CHARS: usize = 3_000;
/// Characters of the last output: most answers rest on it.
const LAST_CHARS: usize = 6_000;
/// Least characters of an output among many.
const LEAST_CHARS: usize = 300;
/// Characters of one line between the head and the tail of an output.
const LINE_CHARS: usize = 300;
/// Shorter texts are repeated: to name where they stand would not be shorter.
const COPY_CHARS: usize = 160;
/// Words of a claim that are looked for.
const MARKS: usize = 80;

/// These receipts in so many characters. A long output is shown with its head, its tail, and between them the lines in which
/// a number or a name of the claim stands; one that is the same as an earlier one names that. Where there is no room, of
/// the oldest only what was called is told.
pub(crate) fn judged_blocks(receipts: &[Receipt], mut room: usize, claim: &str) -> String {
    let marks = marks(claim);
    let share = fair_share(receipts.iter().map(chars).collect(), room).saturating_sub(LINES_CHARS);
    let mut shown: BTreeMap<&str, &EvidenceId> = BTreeMap::new();
    let mut blocks = Vec::new();
    for (index, receipt) in receipts.iter().enumerate() {
        let is_last = index + 1 == receipts.len();
        let most = share.clamp(LEAST_CHARS, if is_last { LAST_CHARS } else { OUTPUT_CHARS });
        let output = match shown.get(receipt.output.as_str()) {
            Some(id) if receipt.output.chars().count() >= COPY_CHARS => Shown::Same((*id).clone()),
            Some(_) | None => Shown::Text(excerpt(&receipt.output, most, &marks)),
        };
        shown.entry(&receipt.output).or_insert(&receipt.id);
        blocks.push(block_with(receipt, most, &output));
    }
    let mut kept = Vec::new();
    for (receipt, block) in receipts.iter().zip(blocks).rev() {
        let fits = |text: &String| text.chars().count() < room;
        let Some(text) = Some(block).filter(fits).or_else(|| Some(receipt_headline(receipt)).filter(fits))
        else {
            kept.push("[earlier receipts omitted]".to_owned());
            break;
        };
        room -= text.chars().count() + 1;
        kept.push(text);
    }
    kept.reverse();
    kept.join("\n")
}

/// The text with the outputs of these receipts that it repeats word for word named in their place.
pub(crate) fn copies_named(text: &str, receipts: &[Receipt]) -> String {
    let mut told = text.to_owned();
    for receipt in receipts.iter().rev() {
        let output = receipt.output.trim();
        if output.chars().count() >= COPY_CHARS && told.contains(output) {
            told = told.replace(output, &format!("[the output of receipt {}, word for word]", receipt.id));
        }
    }
    told
}

/// The numbers and names of a claim.
fn marks(claim: &str) -> BTreeSet<&str> {
    let is_between = |c: char| c.is_whitespace() || "()[]{}<>\"'`,;:|=*".contains(c);
    let words = claim.split(is_between).map(|word| word.trim_matches(['.', '!', '?', '-']));
    let tells = |word: &&str| {
        let has = |is: fn(char) -> bool| word.chars().any(is);
        let is_number = has(|c| c.is_ascii_digit()) && word.len() > 1;
        let is_name = word.len() > 3 && (has(char::is_uppercase) || has(|c| "/_.@".contains(c)));
        is_number || is_name || has(|c| !c.is_ascii()) && word.len() > 3
    };
    words.filter(tells).take(MARKS).collect()
}

/// At most `most` characters of a text, and some words about what is left out.
fn excerpt(text: &str, most: usize, marks: &BTreeSet<&str>) -> String {
    let total = text.chars().count();
    if total <= most {
        return text.to_owned();
    }
    let at = |chars: usize| text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (at(most / 4), at(total - most / 4));
    let (mut room, mut omitted, mut between) = (most / 2, 0, Vec::new());
    let gap = |omitted: usize| format!("[... {omitted} characters omitted ...]");
    for line in text[head..tail].split('\n') {
        let size = line.chars().count();
        let cost = size.min(LINE_CHARS);
        if cost <= room && cost > 0 && marks.iter().any(|mark| line.contains(mark)) {
            if omitted > 0 {
                between.push(gap(omitted));
            }
            (room, omitted) = (room - cost, 0);
            between.push(head_tail(line, LINE_CHARS));
        } else {
            omitted += size + 1;
        }
    }
    if omitted > 0 {
        between.push(gap(omitted));
    }
    format!("{}\n{}\n{}", text[..head].trim_end(), between.join("\n"), text[tail..].trim_start())
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{CallEnd, Receipt};

    use super::{copies_named, judged_blocks};
    use crate::testing::receipt;

    fn log() -> String {
        let line = |n: usize| format!("2026-11-22 request {n} took {} ms\n", n * 7);
        (0..1_000).map(line).collect()
    }

    #[test]
    fn of_a_long_output_the_lines_of_the_claim_are_shown() {
        let receipts = [receipt(1, CallEnd::Ran, Some(0), &log()), receipt(2, CallEnd::Ran, Some(0), "ok")];
        let told = judged_blocks(&receipts, 60_000, "The slowest took 4809 ms.");
        assert!(told.chars().count() < 3_600, "{}", told.chars().count());
        assert!(told.contains("  2026-11-22 request 687 took 4809 ms\n  [... "), "{told}");
        assert!(told.contains("request 0 took") && told.contains("request 999 took"), "head and tail stay");
        assert!(!told.contains("request 686 took"));
    }

    #[test]
    fn a_short_output_is_whole_and_a_copy_names_its_first() {
        let long = "a line of output\n".repeat(20);
        let receipts = [1, 2].map(|n| receipt(n, CallEnd::Ran, Some(0), &long));
        let told = judged_blocks(&receipts, 60_000, "");
        assert_eq!(told.matches("a line of output").count(), 20);
        assert!(told.ends_with("output of 340 bytes: the same as in receipt r1"), "{told}");
        let said = copies_named(&format!("It says:\n{}\nThat is all.", long.trim()), &receipts);
        assert_eq!(said, "It says:\n[the output of receipt r2, word for word]\nThat is all.");
        assert_eq!(copies_named("ok", &receipts), "ok");
    }

    #[test]
    fn many_receipts_share_the_room_and_the_calls_of_the_oldest_stay() {
        let of = |n: u64| Receipt {
            arguments: format!("{{\"pattern\":\"{n}\"}}"),
            ..receipt(n, CallEnd::Ran, Some(0), &format!("{n}{}", "x".repeat(5_000)))
        };
        let receipts: Vec<Receipt> = (1..=40).map(of).collect();
        let told = judged_blocks(&receipts, 8_000, "");
        assert!(told.chars().count() <= 8_100, "{}", told.chars().count());
        assert!(told.contains("[receipt r40]") && told.contains("{\"pattern\":\"40\"}"));
    }
}
