//! Tasks folded again, sound and damaged ones.

use std::path::PathBuf;

use artoo_journal::line::{LineHash, seal};
use serde_json::Value;

use super::*;

/// A value with what its references `{"@":[offset,len]}` lead to in their place.
fn in_full(value: Value, journal: &str) -> Value {
    match value {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("@") => {
            let [offset, len] = [0, 1].map(|part| {
                let number = fields["@"][part].as_u64().expect("a reference has two numbers");
                usize::try_from(number).expect("a journal of a test is small")
            });
            in_full(serde_json::from_str(&journal[offset..offset + len]).expect("JSON"), journal)
        }
        Value::Object(fields) => {
            fields.into_iter().map(|(name, field)| (name, in_full(field, journal))).collect()
        }
        Value::Array(items) => items.into_iter().map(|item| in_full(item, journal)).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

impl Running {
    async fn replay(
        &mut self,
        task_id: &str,
        control: &[(&str, &str)],
    ) -> Result<v1::ReplayTaskResponse, Status> {
        let control = control.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let request = v1::ReplayTaskRequest { task_id: task_id.to_owned(), control };
        in_time(self.client.replay_task(request)).await.map(tonic::Response::into_inner)
    }

    fn journal(&self, task_id: &str) -> PathBuf {
        self.folder.path().join(format!("data/tasks/{task_id}.jsonl"))
    }

    /// A task that has ended.
    async fn ended_task(&mut self) -> String {
        let home = self.folder.path().join("home");
        std::fs::write(home.join("a.txt"), "one\n").expect("the home can be written");
        let task_id = self.submit(&format!("how many files are in {}", home.display())).await;
        assert!(self.events(&task_id, 0).await.len() > 10);
        // The journal has the end a moment before the index.
        let mut patience = 1_000;
        while self.daemon.tasks.counts().0 > 0 && patience > 0 {
            patience -= 1;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        task_id
    }

    /// Changes the records of a journal, written in full, and seals every line anew, as somebody would who knows how.
    fn rewrite(&self, task_id: &str, change: impl Fn(&mut Vec<Value>)) {
        let path = self.journal(task_id);
        let text = std::fs::read_to_string(&path).expect("the journal");
        let mut records: Vec<Value> =
            text.lines().map(|line| in_full(serde_json::from_str(line).expect("JSON"), &text)).collect();
        change(&mut records);
        let mut prev = LineHash::GENESIS;
        let mut sealed = String::new();
        for mut record in records {
            let fields = record.as_object_mut().expect("a record is an object");
            fields.shift_remove("prev");
            fields.shift_remove("crc");
            fields.shift_remove("whole");
            let line = seal(&record.to_string(), prev).expect("an object");
            prev = LineHash::of(&line);
            sealed.push_str(&line);
            sealed.push('\n');
        }
        std::fs::write(&path, sealed).expect("the journal can be written");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_task_is_the_same_again() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    let lines = std::fs::read_to_string(running.journal(&task_id)).expect("the journal").lines().count();
    let replay = running.replay(&task_id, &[]).await.expect("it is replayed");
    assert!(replay.identical && replay.first_difference.is_none() && replay.remarks.is_empty(), "{replay:?}");
    assert_eq!(replay.steps, lines as u64);
    assert_eq!(replay.envelopes, running.events(&task_id, 0).await.len() as u64);
    let decisions = replay.decisions;
    assert!(decisions.iter().all(|pair| pair.agrees && pair.recorded == pair.replayed), "{decisions:?}");
    let end = decisions.last().and_then(|pair| pair.replayed.clone()).expect("a task ends with a decision");
    assert_eq!((end.directive.as_str(), end.reason.as_str()), ("accept", "criteria_met"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_task_is_compared_as_far_as_it_is() {
    let mut running = start(silent()).await;
    let task_id = running.submit("think").await;
    let replay = running.replay(&task_id, &[]).await.expect("it is replayed");
    assert!(replay.identical, "{replay:?}");
    assert_eq!(replay.remarks, ["The task is still at work; what it has done so far was compared."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rewritten_record_is_named_down_to_its_field() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    running.rewrite(&task_id, |records| {
        let last = records.last_mut().expect("records");
        let envelopes = last["envelopes"].as_array_mut().expect("a list");
        let result = envelopes.last_mut().expect("the result");
        result["payload"]["body"]["loss"]["D"] = Value::from(0.5);
    });
    let replay = running.replay(&task_id, &[]).await.expect("every line is whole");
    let difference = replay.first_difference.expect("it was rewritten");
    assert!(!replay.identical);
    assert_eq!(difference.step, replay.steps + 1);
    assert!(difference.path.ends_with("].payload.body.loss.D"), "{difference:?}");
    assert!(difference.about.starts_with("final_result from R7 to user"), "{difference:?}");
    assert_eq!((difference.recorded.as_str(), difference.replayed.as_str()), ("0.5", "0.0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_lost_its_end_is_not_the_same() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    running.rewrite(&task_id, |records| drop(records.pop()));
    let replay = running.replay(&task_id, &[]).await.expect("every line is whole");
    let difference = replay.first_difference.expect("the end is gone");
    assert_eq!(difference.about, "the end of the journal");
    assert_eq!(difference.replayed, "the end of the task: accept (criteria_met)");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_no_decision_depends_on_is_found_too() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    let sound = std::fs::read(running.journal(&task_id)).expect("the journal");
    running.rewrite(&task_id, |records| {
        records[0]["input"]["setting"]["provider"] = Value::from("another name");
    });
    let replay = running.replay(&task_id, &[]).await.expect("every line is whole");
    let difference = replay.first_difference.expect("the task ended with another last line");
    assert!(!replay.identical && difference.about.starts_with("the hash of the last line"), "{difference:?}");
    assert_ne!(difference.recorded, difference.replayed);
    std::fs::write(running.journal(&task_id), sound).expect("the journal can be written");
    assert!(running.replay(&task_id, &[]).await.expect("every line is whole").identical);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_byte_names_its_line_whichever_it_is() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    let path = running.journal(&task_id);
    let sound = std::fs::read(&path).expect("the journal");
    let starts: Vec<usize> = std::iter::once(0)
        .chain(sound.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1))
        .collect();
    let lines = starts.len() - 1;
    for line in [1, lines / 2, lines] {
        let mut changed = sound.clone();
        changed[starts[line - 1] + 30] ^= 1;
        std::fs::write(&path, changed).expect("the journal can be written");
        let refusal = refused(running.replay(&task_id, &[]).await, Code::DataLoss, "JOURNAL_DAMAGED");
        let details = refusal.get_error_details();
        let named = details.error_info().expect("a reason").metadata["line"].clone();
        assert_eq!(named, line.to_string(), "{}", refusal.message());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_whose_journal_is_gone_says_so() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    std::fs::remove_file(running.journal(&task_id)).expect("the journal is there");
    let refusal = refused(running.replay(&task_id, &[]).await, Code::NotFound, "TASK_DELETED");
    assert!(refusal.message().contains(&task_id), "{}", refusal.message());
}

#[tokio::test(flavor = "multi_thread")]
async fn other_settings_are_checked_and_decide() {
    let mut running = start(offline()).await;
    let task_id = running.ended_task().await;
    let same =
        running.replay(&task_id, &[("theta", "0.7"), ("control.alpha", "0.5")]).await.expect("known keys");
    assert!(same.identical, "{same:?}");
    assert_eq!(same.remarks, ["With other settings only the controller's decisions are compared."]);
    for (key, value, words) in [
        ("thetta", "0.5", "did you mean `theta` (a number from 0 to 1)?"),
        ("theta", "7", "`theta` must be a number from 0 to 1"),
    ] {
        let refusal = running.replay(&task_id, &[(key, value)]).await;
        let refusal = refused(refusal, Code::InvalidArgument, "INVALID_FIELD");
        assert!(refusal.message().contains(words), "{}", refusal.message());
    }
    let unknown = running.replay("01890a5d-ac96-774b-bcce-b302099a8057", &[]).await;
    refused(unknown, Code::NotFound, "NOT_FOUND");
    refused(running.replay("0189", &[]).await, Code::InvalidArgument, "INVALID_FIELD");
}
