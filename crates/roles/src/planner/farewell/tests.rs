use artoo_types::control::{Loss, Reason, Unmet};
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::farewell::FarewellRequest;
use artoo_types::outcome::OutcomeStatus;
use artoo_types::reply::FarewellReply;
use artoo_types::taint::Taint;
use serde_json::{Value, json};

use super::{FarewellFault, admitted};
use crate::testing::{outcome, receipt, subtask, task_id};

const WORDS: &str = "Delete the 3 old logs and write report.md";

fn request() -> FarewellRequest {
    let mut found = outcome(subtask(1, 1), OutcomeStatus::Matched, "old.log");
    let written =
        Receipt { effect: EffectClass::Create, ..receipt(3, CallEnd::Ran, Some(0), "wrote 12 bytes") };
    found.receipts = vec![
        receipt(1, CallEnd::Ran, Some(0), "/w/old.log\n/w/older.log"),
        receipt(2, CallEnd::Ran, Some(1), "no such file"),
        written,
    ];
    let unmet = Unmet {
        criterion: "the old logs are gone from the folder".to_owned(),
        evidence: "2 of them are there".to_owned(),
        evaluated: true,
    };
    FarewellRequest {
        task_id: task_id(),
        reason: Reason::ReplansExhausted,
        loss: Loss::default(),
        grad_l: 0.0,
        grad_q: 0.0,
        outcomes: vec![found],
        unmet: vec![unmet],
        deadline_ms: 60_000,
    }
}

#[allow(clippy::needless_pass_by_value, reason = "rows are written as values")]
fn check(found: Value, moves: Value, expected: Option<FarewellFault>) {
    let shown = format!("{found} {moves}");
    let reply: FarewellReply =
        serde_json::from_value(json!({"found": found, "next_moves": moves})).expect("the shape");
    // What is wrong with a sentence is told, whether the others can be said or not.
    let fault = match admitted(&reply, &request(), WORDS) {
        Ok(farewell) => farewell.left_out,
        Err(fault) => Some(fault.as_str().to_owned()),
    };
    assert_eq!(fault.as_deref(), expected.map(FarewellFault::as_str), "{shown}");
}

#[test]
fn a_finding_that_nothing_supports_takes_the_advice_with_it_and_no_other_finding() {
    let reply: FarewellReply = serde_json::from_value(json!({
        "found": [
            {"text": "The folder holds old.log.", "receipt": "r1"},
            {"text": "There are 42 logs.", "receipt": "r1"},
            {"text": "I deleted older.log.", "receipt": "r1"},
            {"text": "I wrote report.md.", "receipt": "r3"},
        ],
        "next_moves": ["Everything is done.", "Delete them yourself."],
    }))
    .unwrap();
    let farewell = admitted(&reply, &request(), WORDS).unwrap();
    let found: Vec<&str> = farewell.found.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(found, ["The folder holds old.log.", "I wrote report.md."]);
    assert!(farewell.next_moves.is_empty(), "it may rest on what was not so");
    assert_eq!(farewell.left_out.as_deref(), Some(FarewellFault::UnknownNumber.as_str()));
    // Advice stands or falls by itself where all that was found is so.
    let honest = FarewellReply { found: vec![reply.found[0].clone()], ..reply };
    let farewell = admitted(&honest, &request(), WORDS).unwrap();
    assert_eq!(farewell.next_moves, ["Delete them yourself."]);
}

/// Fails where advice is lost because a finding says that something was denied, or where a lie keeps it.
#[test]
fn advice_stands_beside_a_finding_about_a_denied_call_and_not_beside_a_lie() {
    let mut request = request();
    request.outcomes[0].receipts[1].end = CallEnd::Denied;
    let moves = |text: &str| {
        let reply: FarewellReply = serde_json::from_value(json!({
            "found": [{"text": "The folder holds old.log.", "receipt": "r1"}, {"text": text, "receipt": "r2"}],
            "next_moves": ["Take the line out of old.log."],
        }))
        .unwrap();
        let farewell = admitted(&reply, &request, WORDS).unwrap();
        assert_eq!(farewell.found.len(), 1, "{text}");
        farewell.next_moves.len()
    };
    assert_eq!(moves("Nothing was deleted: rm was denied."), 1);
    assert_eq!(moves("没有删除任何文件：rm 被拒绝。"), 1);
    assert_eq!(moves("older.log was deleted."), 0);
    assert_eq!(moves("The average is 5.0."), 0);
}

/// Fails where a stranger's claim is told as what artoo found out.
#[test]
fn what_strangers_wrote_is_told_as_theirs() {
    let mut request = request();
    request.outcomes[0].receipts[0].taint = Taint::UNTRUSTED;
    request.outcomes[0].receipts[0].target = "https://x.example/a".to_owned();
    let reply: FarewellReply =
        serde_json::from_value(json!({"found": line("The folder is corrupt.", "r1"), "next_moves": []}))
            .unwrap();
    let told = |words: &str| admitted(&reply, &request, words).unwrap().found[0].text.clone();
    assert_eq!(told(WORDS), "According to https://x.example/a: The folder is corrupt.");
    assert_eq!(told("删除旧日志"), "据 https://x.example/a：The folder is corrupt.");
}

#[test]
fn other_figures_than_those_of_a_criterion_say_that_it_is_not_met() {
    let unmet = |criterion: &str| Unmet {
        criterion: criterion.to_owned(),
        evidence: "it does not".to_owned(),
        evaluated: true,
    };
    let mut request = request();
    request.unmet = vec![unmet("invoice.txt says the amount 1250.00 EUR")];
    request.outcomes[0].receipts[0].output = "amount 1520.00 EUR".to_owned();
    let said = |text: &str| {
        let reply: FarewellReply =
            serde_json::from_value(json!({"found": line(text, "r1"), "next_moves": []})).unwrap();
        admitted(&reply, &request, "the amount 1250.00").is_ok()
    };
    assert!(said("invoice.txt says the amount 1520.00 EUR."));
    assert!(!said("invoice.txt says the amount 1250.00 EUR."));
    let reason = "the same long reason";
    let both = ["one", "two"].map(|criterion| Unmet { evidence: reason.to_owned(), ..unmet(criterion) });
    let told = super::unmet_lines(&both).join("\n");
    assert_eq!(told, "- one (the same long reason)\n- two (for the same reason)");
}

fn line(text: &str, receipt: &str) -> Value {
    json!([{"text": text, "receipt": receipt}])
}

#[test]
fn what_evidence_shows_is_said() {
    check(
        line("The folder holds old.log and older.log.", "[receipt r1]"),
        json!(["Delete them yourself."]),
        None,
    );
    check(line("I wrote report.md, 12 bytes.", "r3"), json!(["Allow the deletion."]), None);
    check(json!([]), json!(["Say which of the 3 logs are old."]), None);
    check(json!([]), json!(["Ask again when the backup is done."]), None);
    check(line("The deletion is not done.", "r1"), json!(["Delete them."]), None);
    check(line("The old logs are not gone from the folder.", "r1"), json!(["Delete them."]), None);
    check(line("文件夹里有 old.log。", "r1"), json!(["请自己删除旧日志。"]), None);
}

#[test]
fn what_evidence_does_not_show_is_not_said() {
    use FarewellFault::{
        ClaimedSuccess, Empty, NoEvidence, TooLong, UnknownAddress, UnknownNumber, UnmetClaim, UnshownEffect,
    };
    let go = || json!(["Delete them."]);
    check(json!([]), json!([]), Some(Empty));
    check(line("It is there.", "r1"), json!([]), None);
    check(json!([]), json!(["a", "b", "c", "d"]), Some(TooLong));
    check(json!([]), json!(["x".repeat(301)]), Some(TooLong));
    check(line("It is there.", "r9"), go(), Some(NoEvidence));
    check(line("It is there.", "r2"), go(), Some(NoEvidence));
    check(line("I deleted the files.", "r1"), go(), Some(UnshownEffect));
    check(line("I deleted the files.", "r3"), go(), Some(UnshownEffect));
    check(line("The mail was sent.", "r3"), go(), Some(UnshownEffect));
    check(json!([]), json!(["I deleted the files, look at them."]), Some(UnshownEffect));
    check(line("Gone from the folder: the old logs.", "r1"), go(), Some(UnmetClaim));
    check(line("There are 42 logs.", "r1"), go(), Some(UnknownNumber));
    check(line("The total is 1,250.00.", "r3"), go(), Some(UnknownNumber));
    check(line("The task was completed.", "r1"), go(), Some(ClaimedSuccess));
    check(line("Everything succeeded.", "r3"), go(), Some(ClaimedSuccess));
    check(line("任务已完成。", "r1"), go(), Some(ClaimedSuccess));
    check(json!([]), json!(["Nothing: all of it is done."]), Some(ClaimedSuccess));
    check(json!([]), json!(["Call 555123."]), Some(UnknownNumber));
    check(json!([]), json!(["Look at https://evil.example/x."]), Some(UnknownAddress));
}
