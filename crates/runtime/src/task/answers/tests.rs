use uuid::Uuid;

use super::*;

const YES: Consent = Consent { approved: true, remember_for_task: false };
const NO: Consent = Consent { approved: false, remember_for_task: false };

/// One question after the other: whether it is open, the word, and what becomes of it.
#[test]
fn the_first_word_on_an_action_counts() {
    let answers = AnswerLog::default();
    let (a, b) = (ConfirmationId(Uuid::from_u128(1)), ConfirmationId(Uuid::from_u128(2)));
    let check = |id, word, open, expected: &str| {
        let place = match answers.confirm(id, word, open) {
            None => "unknown",
            Some(AnswerOrder::First) => "first",
            Some(AnswerOrder::Repeated) => "again",
            Some(AnswerOrder::Late) => "late",
        };
        assert_eq!(place, expected, "{id:?} {word:?} {open}");
    };
    check(a, YES, false, "unknown");
    check(a, NO, true, "first");
    // The task may not have taken it in yet, or have done so already.
    for open in [true, false] {
        check(a, NO, open, "again");
        check(a, YES, open, "late");
    }
    check(b, YES, true, "first");
    check(b, Consent { remember_for_task: true, ..YES }, true, "late");
    check(a, NO, false, "again");
}

#[test]
fn the_first_answer_to_a_question_counts_and_a_new_question_takes_a_new_one() {
    let answers = AnswerLog::default();
    let (which, when) = (vec!["which?".to_owned()], vec!["when?".to_owned()]);
    let check = |questions: &[String], answer, expected: &str| {
        let place = match answers.clarify(questions, answer) {
            None => "unknown",
            Some(AnswerOrder::First) => "first",
            Some(AnswerOrder::Repeated) => "again",
            Some(AnswerOrder::Late) => "late",
        };
        assert_eq!(place, expected, "{questions:?} {answer}");
    };
    check(&[], "this", "unknown");
    check(&which, "this", "first");
    for questions in [&which[..], &[]] {
        check(questions, "this", "again");
        check(questions, "that", "late");
    }
    check(&when, "now", "first");
    check(&[], "now", "again");
}
