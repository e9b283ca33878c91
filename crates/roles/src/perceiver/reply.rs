//! Reading R1's replies.

use artoo_request::{arithmetic, claims_action, days, normalise, read};
use artoo_types::TaskId;
use artoo_types::declare::declaration;
use artoo_types::reply::TaskSpecReply;
use artoo_types::tag::{Tag, intent_slug};
use artoo_types::task::TaskSpec;
use artoo_types::text::first_chars;

/// The questions worth asking: not blank, at most `most`, each short enough for a screen.
pub(super) fn questions(reply: &TaskSpecReply, most: usize) -> Vec<String> {
    reply
        .clarify
        .iter()
        .map(|q| q.trim())
        .filter(|q| !q.is_empty())
        .take(most)
        .map(|q| first_chars(q, 400))
        .collect()
}

/// What code works out by itself, and no model's word stands against: a calculation, days from date to date, a day of the week.
pub(super) fn worked_out(request: &str, today: &str) -> Option<String> {
    let question = normalise(request).to_lowercase();
    arithmetic::calculate(&question).or_else(|| days::answer(&question, today))
}

/// Whether an answer may end the task before anything is planned: words alone can answer the request, and the answer claims
/// nothing that nobody did. Else it is dropped, and the task goes the normal way.
pub(super) fn may_answer(request: &str, answer: &str) -> bool {
    let noted = declaration(request).is_some_and(|found| found.rest.is_empty());
    read(request).needs_words_alone() && !claims_action(answer, noted)
}

/// The checked reading. A blank intent is replaced by the request itself.
pub(super) fn task_spec(
    task_id: TaskId,
    reply: TaskSpecReply,
    raw_input: String,
    assumptions: Vec<String>,
) -> TaskSpec {
    let intent = if reply.intent.trim().is_empty() { raw_input.clone() } else { reply.intent };
    TaskSpec {
        task_id,
        slug: clean_slug(&reply.slug, &intent),
        intent_tag: Tag::intent(&intent),
        intent,
        constraints: reply.constraints,
        deadline: None,
        raw_input,
        tags: reply.tags.iter().take(8).map(|t| first_chars(t, 40)).collect(),
        direct_answer: reply.direct_answer.filter(|a| !a.trim().is_empty()),
        assumptions,
    }
}

/// A short snake_case label: the given one with everything else replaced, or one made from the text.
pub(super) fn clean_slug(given: &str, text: &str) -> String {
    let clean = |s: &str| {
        let lower = s.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        words.join("_").chars().take(48).collect::<String>()
    };
    let slug = clean(given);
    if slug.is_empty() { intent_slug(text) } else { slug }
}
