//! The Dreamer's two requests, answered with templates over what the record says; nothing is concluded.

use serde_json::{Value, json};

use super::language::Language;
use super::prompt::Prompt;

/// Characters of what is quoted of the record: a rule has 600.
const QUOTED_CHARS: usize = 450;
/// Characters of a lesson's quotation: a lesson has 400.
const LESSON_CHARS: usize = 300;

/// A rule of the shape `sop`: the plan that worked, or the ones that failed, as they were written down. When the evidence
/// names none, the rule is empty, which no validator takes: then the evidence speaks for itself.
pub(super) fn rule(prompt: &Prompt) -> Value {
    let kind = prompt.section("Kind");
    let evidence = prompt.section("Evidence");
    let language = Language::of(evidence);
    let (mark, words) = if kind == "best_practice" {
        (". Plan: ", language.pick("This plan has worked repeatedly: ", "这个计划多次成功："))
    } else {
        (". Failed plans: ", language.pick("These plans have failed repeatedly: ", "这些计划多次失败："))
    };
    let told = evidence.lines().find_map(|line| Some(line.split_once(mark)?.1));
    let plan = told.map(|plan| plan.split(". Unmet: ").next().unwrap_or(plan).trim());
    let rule = plan.filter(|plan| !plan.is_empty()).map(|plan| format!("{words}{}", cut(plan, QUOTED_CHARS)));
    json!({
        "rule": rule.unwrap_or_default(),
        "conditions": language.pick("the same kind of request", "同类请求"),
        "kind": kind,
    })
}

/// A lesson of the shape `reflection`: the last trouble and what became of it, as it was written down.
pub(super) fn lesson(prompt: &Prompt) -> Value {
    let well = prompt.section("Ending").starts_with("success");
    let language = Language::of(prompt.section("Intent"));
    let trouble = last_of(prompt.section("Troubles")).or_else(|| last_of(prompt.section("Unmet")));
    let trouble = cut(trouble.unwrap_or_default(), LESSON_CHARS / 2);
    let plan = cut(last_of(prompt.section("Plans")).unwrap_or_default(), LESSON_CHARS / 2);
    let lesson = match (trouble.is_empty(), plan.is_empty(), well) {
        (true, _, _) => String::new(),
        (false, true, _) => trouble,
        (false, false, true) => {
            format!("{trouble}. {}{plan}", language.pick("What then worked: ", "后来成功的计划："))
        }
        (false, false, false) => {
            format!(
                "{trouble}. {}{plan}",
                language.pick("The last plan failed as well: ", "最后的计划也失败了：")
            )
        }
    };
    json!({
        "lesson": lesson,
        "tags": ["offline_rules"],
        "category": if well { "procedure" } else { "constraint" },
    })
}

/// The last line of a list.
fn last_of(list: &str) -> Option<&str> {
    list.lines().filter_map(|line| line.strip_prefix("- ")).next_back().map(str::trim)
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
