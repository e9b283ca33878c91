//! The Dreamer's two requests, answered with templates over what the record says; nothing is concluded.

use artoo_request::Language;
use artoo_types::brief::{LessonBrief, RuleBrief};
use artoo_types::memory::plans;
use artoo_types::reply::RuleKind;
use serde_json::{Value, json};

use crate::lines::one_line;

/// Characters of what is quoted of the record: a rule has 600.
const QUOTED_CHARS: usize = 450;
/// Characters of a lesson's quotation: a lesson has 400.
const LESSON_CHARS: usize = 300;

/// A rule of the shape `sop`: the plan that worked, or the ones that failed, as they were written down. When the evidence
/// names none, the rule is empty, which no validator takes: then the evidence speaks for itself.
pub(crate) fn rule(brief: &RuleBrief) -> Value {
    let contents: Vec<String> = brief.evidence.iter().map(|megram| one_line(&megram.content)).collect();
    let language = Language::of(&contents.join("\n"));
    type Told = fn(&str) -> Option<&str>;
    let (told, words): (Told, _) = match brief.kind {
        RuleKind::BestPractice => {
            (plans::worked, language.pick("This plan has worked repeatedly: ", "这个计划多次成功："))
        }
        RuleKind::Constraint => {
            (plans::failed, language.pick("These plans have failed repeatedly: ", "这些计划多次失败："))
        }
    };
    let plan = contents.iter().find_map(|content| told(content));
    json!({
        "rule": plan.map(|plan| format!("{words}{}", cut(plan, QUOTED_CHARS))).unwrap_or_default(),
        "conditions": language.pick("the same kind of request", "同类请求"),
        "kind": brief.kind,
    })
}

/// A lesson of the shape `reflection`: the last trouble and what became of it, as it was written down.
pub(crate) fn lesson(brief: &LessonBrief) -> Value {
    let language = Language::of(&brief.intent);
    let quoted = |line: Option<&String>| cut(line.map_or("", |line| line.trim()), LESSON_CHARS / 2);
    let trouble = quoted(brief.troubles.last().or(brief.unmet.last()));
    let plan = quoted(brief.plans.last());
    let well = brief.well;
    let lesson = match (trouble.is_empty(), plan.is_empty(), well) {
        (true, _, _) => String::new(),
        (false, true, _) => trouble,
        (false, false, true) => plans::overcome(&trouble, &plan, language == Language::Chinese),
        (false, false, false) => {
            format!(
                "{trouble}. {}{plan}",
                language.pick("The last plan failed as well: ", "最后的计划也失败了：")
            )
        }
    };
    json!({
        "lesson": lesson,
        "category": if well { "procedure" } else { "constraint" },
    })
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
