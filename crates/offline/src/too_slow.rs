//! A command of the rules that its deadline ended: another way would take as long, so that the task ends with that cause.

use artoo_request::Language;
use artoo_types::brief::PlanBrief;
use serde_json::{Value, json};

/// The beginnings of what is told, by which a later plan knows it.
const FRONTS: [&str; 2] = ["stopped after ", "运行了 "];

/// What a person is told of a command that was stopped after so many seconds.
pub(crate) fn told(language: Language, seconds: u64) -> String {
    let [english, chinese] = FRONTS;
    match language {
        Language::English => format!(
            "{english}{seconds} s: there is much to read here; name a subfolder or a kind of file, or give it more time (--deadline 30m)"
        ),
        Language::Chinese => format!(
            "{chinese}{seconds} 秒后停止：这里的内容太多；请指定子文件夹或文件类型，或给更多时间（--deadline 30m）"
        ),
    }
}

/// The reply to a plan after a round that was too slow: nothing else is tried.
pub(crate) fn reply(brief: &PlanBrief) -> Option<Value> {
    let directive = brief.directive.as_deref()?;
    let told = |text: &'_ str| FRONTS.iter().find_map(|front| text.find(front));
    let evidence = directive.unmet.iter().map(|unmet| unmet.evidence.as_str());
    let reason = evidence.filter_map(|text| text.get(told(text)?..)).next()?;
    let receipt = brief.record.iter().rev().find_map(|line| line.split_whitespace().find_map(id))?;
    Some(json!({
        "task_criteria": [],
        "subtasks": [],
        "output_from": null,
        "decline": null,
        "impossible": {"reason": reason, "evidence": [receipt]},
    }))
}

/// The id of a receipt, `r7` or `[r7]`.
fn id(word: &str) -> Option<&str> {
    let word = word.trim_matches(['[', ']', ':']);
    let digits = word.strip_prefix('r')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(word)
}

#[cfg(test)]
mod tests {
    use artoo_request::Language;

    use super::{id, told};

    #[test]
    fn what_is_told_begins_as_a_later_plan_expects_it() {
        for (language, front) in
            [(Language::English, super::FRONTS[0]), (Language::Chinese, super::FRONTS[1])]
        {
            let text = told(language, 270);
            assert!(text.starts_with(&format!("{front}270 ")), "{text}");
        }
    }

    #[test]
    fn the_id_of_a_receipt_is_known() {
        assert_eq!(["r7", "[r12]", "r7:"].map(id), [Some("r7"), Some("r12"), Some("r7")]);
        assert_eq!(["run", "r", "7", "r7x"].map(id), [None; 4]);
    }
}
