//! An executor asks the person, and goes on with what they say, or with what it assumes.

use artoo_types::MessageKind;
use artoo_types::envelope::{Message, Role};
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::limits::QUESTION_EXPIRY_MS;
use artoo_types::machine::TaskInput;
use artoo_types::tool::{ToolCall, ToolSpec, names};

use super::CHECKED;
use super::world::{Tool, World, reply, scripted};

/// A world whose executor first makes these calls, one a turn; calls that are not put to the person run.
fn world(asks: &'static [&'static str]) -> World {
    let (mut script, mut turn) = (scripted(CHECKED), 0);
    let mut world = World::new(move |request| match request.role {
        Role::Executor if turn < asks.len() => {
            turn += 1;
            let arguments = asks[turn - 1];
            reply(&format!(r#"{{"action":"tool","tool":"ask_person","arguments":{arguments}}}"#))
        }
        _ => script(request),
    })
    .tools(|call: &ToolCall| Tool::Ran(i64::from(call.tool == names::ASK_PERSON), "not asked"));
    let spec = world.setting.tools[0].clone();
    world.setting.tools.push(ToolSpec { name: names::ASK_PERSON.to_owned(), reads: true, ..spec });
    world.submit();
    world
}

/// The receipts of the questions.
fn receipts(world: &World) -> Vec<Receipt> {
    let results = world.envelopes().into_iter().filter_map(|envelope| match &envelope.payload {
        Message::ExecutionResult(result) => Some(result.receipts.clone()),
        _ => None,
    });
    results.flatten().filter(|receipt| receipt.tool == names::ASK_PERSON).collect()
}

fn asked(world: &World) -> Vec<String> {
    let questions = world.envelopes().into_iter().filter_map(|envelope| match &envelope.payload {
        Message::ClarificationRequest(request) => {
            Some((envelope.from, envelope.to, request.questions.clone()))
        }
        _ => None,
    });
    questions
        .flat_map(|(from, to, questions)| {
            assert_eq!((from, to), (Role::Runtime, Role::User));
            questions
        })
        .collect()
}

const PORT: &str = r#"{"question":"Which port?","choices":["80","8080"]}"#;

#[test]
fn the_answer_is_a_receipt_and_a_number_means_its_choice() {
    for (said, output) in [("2", "8080"), (" port 9 ", "port 9"), ("", "the person leaves it to you")] {
        let mut world = world(&[PORT]);
        assert_eq!(asked(&world), ["Which port?  [1] 80  [2] 8080"]);
        world.put(TaskInput::Clarified { answer: said.to_owned() });
        world.result();
        world.check_stream();
        let receipts = receipts(&world);
        assert_eq!((receipts[0].end, receipts[0].exit), (CallEnd::Ran, Some(0)));
        assert!(receipts[0].output.starts_with(output), "{}", receipts[0].output);
        assert_eq!(receipts[0].target, "Which port?");
    }
}

#[test]
fn a_question_stays_open_over_a_restart_and_expires_as_others_do() {
    let mut open = world(&[PORT]);
    open.restart();
    open.put(TaskInput::Wake);
    assert_eq!(asked(&open).len(), 1, "it is not asked again");
    // The daemon was away for longer than the person had.
    assert_eq!(receipts(&open)[0].end, CallEnd::Timeout);
    open.result();

    let mut open = world(&[PORT]);
    open.now = open.now.plus_ms(QUESTION_EXPIRY_MS - 1_000);
    open.put(TaskInput::Wake);
    assert!(receipts(&open).is_empty(), "there is time left");
    open.put(TaskInput::Clarified { answer: "1".to_owned() });
    assert_eq!(receipts(&open)[0].output, "80");
    open.result();
}

#[test]
fn a_task_asks_so_often_and_nothing_twice() {
    let mut world = world(&[PORT, r#"{"question":"Why?"}"#, r#"{"question":"How?"}"#]);
    world.put(TaskInput::Clarified { answer: "1".to_owned() });
    world.put(TaskInput::Clarified { answer: "because".to_owned() });
    world.result();
    assert_eq!(asked(&world), ["Which port?  [1] 80  [2] 8080", "Why?"]);
    let ends: Vec<(String, Option<i64>)> =
        receipts(&world).into_iter().map(|receipt| (receipt.output, receipt.exit)).collect();
    let expected = [("80", 0), ("because", 0), ("not asked", 1)];
    assert_eq!(ends, expected.map(|(output, exit)| (output.to_owned(), Some(exit))));
}

#[test]
fn questions_of_one_turn_are_put_one_after_the_other() {
    let mut script = scripted(CHECKED);
    let mut turn = 0;
    let mut world = World::new(move |request| match request.role {
        Role::Executor if turn == 0 => {
            turn += 1;
            let ask = |question: &str| {
                format!(r#"{{"action":"tool","tool":"ask_person","arguments":{{"question":"{question}"}}}}"#)
            };
            reply(&format!("[{},{}]", ask("A?"), ask("B?")))
        }
        _ => script(request),
    });
    let spec = world.setting.tools[0].clone();
    world.setting.tools.push(ToolSpec { name: names::ASK_PERSON.to_owned(), reads: true, ..spec });
    world.submit();
    assert_eq!(asked(&world), ["A?"]);
    world.put(TaskInput::Clarified { answer: "a".to_owned() });
    assert_eq!(asked(&world), ["A?", "B?"]);
    world.put(TaskInput::Clarified { answer: "b".to_owned() });
    world.result();
    let said: Vec<String> = receipts(&world).into_iter().map(|receipt| receipt.output).collect();
    assert_eq!(said, ["a", "b"]);
    assert!(world.trace().contains(&MessageKind::ClarificationAnswer.as_str()));
}

#[test]
fn where_nobody_attends_nothing_is_asked() {
    let (mut script, mut turn) = (scripted(CHECKED), 0);
    let mut world = World::new(move |request| match request.role {
        Role::Executor if turn == 0 => {
            turn += 1;
            reply(&format!(r#"{{"action":"tool","tool":"ask_person","arguments":{PORT}}}"#))
        }
        Role::Executor => {
            let told = &request.messages[1].content;
            assert!(told.contains("[refused] ask_person: nobody can be asked in this task"), "{told}");
            script(request)
        }
        _ => script(request),
    });
    world.setting.interactive = false;
    world.submit();
    world.result();
    assert!(asked(&world).is_empty() && receipts(&world).is_empty());
}
