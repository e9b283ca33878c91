//! Which tasks have a story that teaches, and what is in it.

use artoo_types::control::{Ending, FinalResult, Loss, MacroState, Reason};
use artoo_types::criteria::FailureClass;
use artoo_types::envelope::Role;
use artoo_types::outcome::CorrectionSignal;
use artoo_types::usage::TaskUsage;
use artoo_types::{Envelope, Message, Timestamp};
use serde_json::Value;
use uuid::Uuid;

use super::super::story::{Story, StoryReader};
use crate::testing::{directive, manifest, spec, subtask, subtask_id, task_id};

fn result(directive: Ending) -> Message {
    FinalResult {
        task_id: task_id(),
        summary: String::new(),
        output: Value::Null,
        loss: Loss::default(),
        grad_l: 0.0,
        grad_q: 0.0,
        replans: 0,
        prev_directive: MacroState::Init,
        directive,
        reason: Reason::CriteriaMet,
        unmet: Vec::new(),
        marks: Default::default(),
        next_moves: Vec::new(),
        tried: Vec::new(),
        ruled_out: Vec::new(),
        trajectory: Vec::new(),
        unanswered_confirmation: false,
        usage: TaskUsage::default(),
        taint: Default::default(),
    }
    .into()
}

fn correction(number: u32) -> Message {
    CorrectionSignal {
        subtask_id: subtask_id(1),
        attempt: 2,
        what_was_wrong: format!("mishap {number}."),
        what_to_do: "Look elsewhere.".to_owned(),
        failure_class: Some(FailureClass::Logical),
        prior_calls: Vec::new(),
    }
    .into()
}

fn told(messages: Vec<Message>) -> Option<Story> {
    let mut teller = StoryReader::default();
    for payload in messages {
        teller.observe(&Envelope {
            id: Uuid::nil(),
            sequence: 1,
            task_id: Some(task_id()),
            round: 0,
            time: Timestamp(9),
            from: Role::Solver,
            to: Role::User,
            refused: false,
            payload,
        });
    }
    teller.trouble()
}

#[test]
fn only_what_went_wrong_on_the_way_is_a_story() {
    let smooth = |ending| vec![spec().into(), manifest(0, vec![subtask(1, 1)]).into(), result(ending)];
    assert_eq!(told(smooth(Ending::Accept)), None);
    assert!(told(smooth(Ending::Abandon)).is_some_and(|story| !story.well));
    for trouble in [correction(1), directive().into()] {
        let story = told(vec![spec().into(), trouble, result(Ending::Success)]).expect("there was trouble");
        assert!(story.well && story.troubles.len() == 1 && story.at == Timestamp(9), "{story:?}");
    }
    assert_eq!(told(vec![spec().into(), correction(1)]), None, "it has not ended");
    assert_eq!(told(vec![correction(1), result(Ending::Abandon)]), None, "nobody knows what was asked");
}

#[test]
fn a_story_keeps_its_plans_and_the_last_of_its_troubles() {
    let mut messages: Vec<Message> =
        vec![spec().into(), manifest(0, vec![subtask(1, 1), subtask(2, 2)]).into()];
    messages.extend((0..20).map(correction));
    messages.push(result(Ending::Accept));
    let story = told(messages).expect("there was trouble");
    assert_eq!(story.plans, ["1 [glob] step 1; 2 [glob] step 2"]);
    assert_eq!(story.troubles.len(), 12);
    assert_eq!(story.troubles[11], "corrected: mishap 19. Then: Look elsewhere.");
}
