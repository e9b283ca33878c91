use artoo_types::Timestamp;
use artoo_types::chat::{ChatRequest, ModelFailureKind, ModelOutcome};
use artoo_types::control::PlanDirective;
use artoo_types::limits::MAX_PARALLEL;
use artoo_types::memory::MemoryReply;
use artoo_types::plan::{DispatchManifest, NoPlan, PlanDraftRejected};
use artoo_types::setting::{ModelTraits, TaskSetting};
use artoo_types::situation::{PlaceEntry, Situation};
use serde_json::{Value, json};

use super::{Effect, Input, Planner};
use crate::prompt::tests::setting;
use crate::testing::{directive, says, section, silence, spec, task_id, text, user_text};

mod coverage;
mod derived;
mod known;
mod memory;
mod prompts;
mod rejections;
mod replans;
mod states;

/// A draft of one step that nothing is wrong with.
fn draft() -> Value {
    json!({"task_criteria": ["all notes are listed"], "subtasks": [step(1, "list the notes", &["glob"], &["/w/notes"])]})
}

fn step(sequence: u32, intent: &str, tools: &[&str], targets: &[&str]) -> Value {
    json!({"sequence": sequence, "intent": intent, "tools": tools, "targets": targets, "success_criteria": ["it is done"]})
}

/// A draft of these steps.
fn draft_of(steps: &[Value]) -> Value {
    json!({"task_criteria": ["all notes are listed"], "subtasks": steps})
}

fn step_on(planner: &mut Planner, input: Input) -> Vec<Effect> {
    planner.step(Timestamp(0), input)
}

/// A planner that has asked its model for the first plan.
fn asked(memory: MemoryReply) -> Planner {
    let mut planner = Planner::new(task_id(), &setting(true), "/w");
    let effects = step_on(&mut planner, Input::Spec(spec()));
    assert!(matches!(effects.as_slice(), [Effect::Recall(_)]), "memory comes before every plan: {effects:?}");
    only_question(step_on(&mut planner, Input::Memory(memory)));
    planner
}

/// Sends the directive and an empty memory; returns the question for the next plan.
fn redirect(planner: &mut Planner, directive: PlanDirective) -> ChatRequest {
    let effects = step_on(planner, Input::Directive(directive));
    assert!(matches!(effects.as_slice(), [Effect::Recall(_)]), "memory comes before every plan: {effects:?}");
    only_question(step_on(planner, Input::Memory(MemoryReply::default())))
}

fn only_question(effects: Vec<Effect>) -> ChatRequest {
    let [Effect::AskModel(request)] = <[Effect; 1]>::try_from(effects).expect("one effect") else {
        panic!("no question to the model")
    };
    request
}

/// Answers with the draft; the memory knows nothing of what it plans.
fn answer(planner: &mut Planner, draft: &Value) -> Vec<Effect> {
    answer_knowing(planner, draft, MemoryReply::default())
}

/// Answers with the draft; the memory says this of what it plans, when it is asked.
fn answer_knowing(planner: &mut Planner, draft: &Value, memory: MemoryReply) -> Vec<Effect> {
    let effects = step_on(planner, Input::Model(says(draft)));
    match effects.as_slice() {
        [Effect::Recall(_)] => step_on(planner, Input::Memory(memory)),
        _ => effects,
    }
}

/// The plan that the draft becomes.
fn accepted(planner: &mut Planner, draft: &Value) -> DispatchManifest {
    match answer(planner, draft).as_slice() {
        [Effect::Dispatch(manifest)] => manifest.clone(),
        other => panic!("the draft was not accepted: {other:?}"),
    }
}

/// The notice of a draft that is sent back, and the question that goes with it.
fn sent_back(planner: &mut Planner, draft: &Value) -> (PlanDraftRejected, ChatRequest) {
    sent_back_with(answer(planner, draft).as_slice())
}

fn sent_back_with(effects: &[Effect]) -> (PlanDraftRejected, ChatRequest) {
    match effects {
        [Effect::Reject(notice), Effect::AskModel(request)] => {
            assert_eq!(notice.outcome, NoPlan::SentBack);
            (notice.clone(), request.clone())
        }
        other => panic!("the draft was not sent back: {other:?}"),
    }
}

/// The notice that ends planning.
fn ended(effects: &[Effect]) -> PlanDraftRejected {
    match effects {
        [Effect::Reject(notice)] => notice.clone(),
        other => panic!("planning did not end: {other:?}"),
    }
}

#[test]
fn a_good_draft_becomes_a_plan_with_ids_of_the_runtime() {
    let mut planner = asked(MemoryReply::default());
    let two =
        draft_of(&[step(1, " find ", &[" GLOB "], &["/w"]), step(2, "count", &["shell:wc"], &[" ", " a "])]);
    let plan = accepted(&mut planner, &two);
    assert_eq!((plan.task_id, plan.round, plan.task_criteria.len()), (task_id(), 0, 1));
    let seen: Vec<_> = plan
        .subtasks
        .iter()
        .map(|s| (s.ordinal, s.sequence, s.intent.as_str(), s.tools[0].as_str()))
        .collect();
    assert_eq!(seen, [(1, 1, "find", "glob"), (2, 2, "count", "shell:wc")]);
    assert_eq!(plan.subtasks[1].targets, ["a"], "blank inputs are dropped");
    assert_ne!(plan.subtasks[0].subtask_id, plan.subtasks[1].subtask_id);
    assert_eq!(plan, accepted(&mut asked(MemoryReply::default()), &two), "the same inputs make the same ids");
}

#[test]
fn the_calls_that_a_step_begins_with_are_kept_as_many_as_one_turn_holds() {
    let mut planner = asked(MemoryReply::default());
    let mut begun = step(1, "find", &["glob"], &[]);
    let call = |n: usize| json!({"tool": " glob ", "args": {"n": n}, "final": n == 8});
    begun["calls"] = (1..=9).map(call).collect();
    let plan = accepted(&mut planner, &draft_of(&[begun]));
    let opening = &plan.subtasks[0].opening;
    assert_eq!(opening.len(), MAX_PARALLEL);
    assert_eq!((opening[0].tool.as_str(), opening[0].arguments.as_str()), ("glob", r#"{"n":1}"#));
    assert!(opening[7].is_final && !opening[0].is_final);
    assert!(plan.subtasks[0].context.contains("1 more were planned and not made"));
    let without = accepted(&mut asked(MemoryReply::default()), &draft());
    assert!(without.subtasks[0].opening.is_empty());
    let journaled = serde_json::to_string(&without.subtasks[0]).expect("a step is JSON");
    assert!(!journaled.contains("opening"), "{journaled}");
}

#[test]
fn a_rejected_draft_goes_back_with_its_reasons_twice_and_then_there_is_no_plan() {
    let mut planner = asked(MemoryReply::default());
    let bad = json!({"task_criteria": [], "subtasks": []});
    for attempt in 1..=2 {
        let (notice, request) = sent_back(&mut planner, &bad);
        assert_eq!(notice.attempt, attempt);
        let reasons = "- the plan has no subtask\n- the plan has no task criterion";
        assert_eq!(section(user_text(&request), "Rejected draft"), Some(reasons));
    }
    let notice = ended(&answer(&mut planner, &bad));
    assert_eq!((notice.attempt, notice.outcome), (3, NoPlan::CannotPlan));
    assert_eq!(notice.reasons.len(), 2);
}

#[test]
fn only_the_reasons_of_the_last_draft_are_shown_and_a_third_good_draft_is_a_plan() {
    let mut planner = asked(MemoryReply::default());
    sent_back(&mut planner, &json!({}));
    let (_, request) = sent_back(&mut planner, &draft_of(&[step(0, "list", &["glob"], &[])]));
    assert_eq!(
        section(user_text(&request), "Rejected draft"),
        Some("- subtask 1 has sequence 0; use 1, 2, 3 …")
    );
    accepted(&mut planner, &draft());
}

#[test]
fn a_planner_that_declines_ends_planning_with_its_own_words() {
    let decline =
        json!({"reason": "no mail here", "nearest": ["list files"], "how_to_configure": "add a mail tool"});
    let mut planner = asked(MemoryReply::default());
    let notice = ended(&answer(&mut planner, &json!({"subtasks": [], "decline": decline})));
    assert_eq!(
        (notice.outcome, notice.reasons.as_slice()),
        (NoPlan::Declined, &["no mail here".to_owned()][..])
    );
    let said = notice.decline.expect("the words travel with the notice");
    assert_eq!(
        (said.nearest.as_slice(), said.how_to_configure.as_str()),
        (&["list files".to_owned()][..], "add a mail tool")
    );
    let mut both = draft();
    both["decline"] = json!({"reason": "not really"});
    accepted(&mut asked(MemoryReply::default()), &both);
}

#[test]
fn a_model_without_a_usable_answer_ends_planning() {
    let check = |outcomes: Vec<ModelOutcome>, expected: NoPlan| {
        let mut planner = asked(MemoryReply::default());
        let mut effects = Vec::new();
        for outcome in outcomes {
            effects = step_on(&mut planner, Input::Model(outcome));
        }
        assert_eq!(ended(&effects).outcome, expected);
    };
    check(vec![silence(ModelFailureKind::Unreachable)], NoPlan::ModelUnavailable);
    check(vec![silence(ModelFailureKind::Deadline)], NoPlan::ModelUnavailable);
    check(vec![silence(ModelFailureKind::Failed); 2], NoPlan::ModelUnavailable);
    check(vec![text("I would list them"), text("as I said")], NoPlan::WrongForm);
}

#[test]
fn a_reply_of_the_wrong_form_is_repaired_once_and_is_no_rejected_draft() {
    let mut planner = asked(MemoryReply::default());
    let negative = draft().to_string().replace("\"sequence\":1", "\"sequence\":-1");
    let effects = step_on(&mut planner, Input::Model(text(&negative)));
    let request = only_question(effects);
    assert_eq!(request.messages.len(), 4);
    assert!(request.messages[3].content.contains("subtasks[0].sequence"), "{}", request.messages[3].content);
    let (notice, _) = sent_back(&mut planner, &json!({}));
    assert_eq!(notice.attempt, 1);
}

#[test]
fn a_language_model_plans_when_memory_and_place_are_known_in_whichever_order() {
    let place = || {
        let entries = vec![PlaceEntry { path: "orders.csv".to_owned(), bytes: 7 }];
        Input::Situation(Situation { entries, ..Situation::default() })
    };
    for memory_first in [true, false] {
        let setting = TaskSetting {
            models: ModelTraits { language_model: true, ..Default::default() },
            ..setting(true)
        };
        let mut planner = Planner::new(task_id(), &setting, "/w");
        for input in [Input::Spec(spec()), Input::Directive(directive())] {
            let effects = step_on(&mut planner, input);
            assert!(matches!(effects.as_slice(), [Effect::Recall(_), Effect::LookAround]), "{effects:?}");
            let mut answers = [Input::Memory(MemoryReply::default()), place()];
            if !memory_first {
                answers.reverse();
            }
            let [one, other] = answers;
            assert_eq!(step_on(&mut planner, one), []);
            let request = only_question(step_on(&mut planner, other));
            let told = section(user_text(&request), "Situation").unwrap_or_default();
            assert!(told.contains("orders.csv 7"), "{told}");
        }
    }
}
