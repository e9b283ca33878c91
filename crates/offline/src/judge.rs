//! R4a and R4b: judging the criteria that code has not decided, and merging outputs.
//!
//! The plans of these rules carry a check with every criterion, so that there is nothing to judge. A criterion without one
//! is somebody else's, and fails: nothing here can tell that it is met.

use artoo_request::Language;
use artoo_types::brief::{JudgeBrief, MergeBrief};
use serde_json::{Value, json};

use crate::lines::{one_line, plain_lines};

/// The reply of the shape `verdicts`.
pub(crate) fn verdicts(brief: &JudgeBrief) -> Value {
    let language = Language::of(&brief.subtask.intent);
    let correction = (!brief.asked.is_empty()).then(|| {
        json!({
            "what_was_wrong": vec![cannot_judge(language); brief.asked.len()].join("; "),
            "what_to_do": language.pick("Take another way than before.", "换一种方法。"),
        })
    });
    json!({"verdicts": failed(&brief.asked, language), "correction": correction})
}

/// The reply of the shape `merge_verdict`.
pub(crate) fn merge(brief: &MergeBrief) -> Value {
    let language = Language::of(&brief.request);
    let count = brief.outcomes.len();
    let merged: Vec<String> = brief
        .outcomes
        .iter()
        .map(|outcome| {
            let output = plain_lines(&outcome.output);
            if count == 1 { output } else { format!("## {}\n{output}", one_line(&outcome.subtask.intent)) }
        })
        .collect();
    let summary = match language {
        Language::English => {
            format!("{count} results, put together by the offline rules in the order of the steps.")
        }
        Language::Chinese => format!("{count} 项结果，由离线规则按步骤顺序汇总。"),
    };
    json!({
        "merged_output": merged.join("\n\n"),
        "summary": summary,
        "verdicts": failed(&brief.asked, language),
    })
}

fn failed(asked: &[usize], language: Language) -> Vec<Value> {
    let verdict = |index: &usize| {
        json!({
            "criterion": index,
            "verdict": "fail",
            "failure_class": "logical",
            "receipt": null,
            "evidence": cannot_judge(language),
        })
    };
    asked.iter().map(verdict).collect()
}

fn cannot_judge(language: Language) -> &'static str {
    language.pick("the offline rules cannot judge this criterion", "离线规则无法判断这条标准")
}
