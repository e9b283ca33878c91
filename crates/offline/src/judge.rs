//! R4a and R4b: judging the criteria that code has not decided, and merging outputs.
//!
//! The plans of these rules carry a check with every criterion, so that there is nothing to judge. A criterion without one
//! is somebody else's, and fails: nothing here can tell that it is met.

use artoo_request::{Language, spoken_numbers};
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
            let heading = || heading(&one_line(&outcome.subtask.intent), &brief.request);
            if count == 1 { output } else { format!("## {}\n{output}", heading()) }
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

/// What one answer of several stands below. How many rows there are at most is told only where the person said so: of the rules' own
/// bound no receipt tells.
fn heading(intent: &str, request: &str) -> String {
    let said = spoken_numbers(request);
    let words: Vec<&str> = intent.split(' ').collect();
    let is_bound = |at: usize| {
        let ranks = |next: &&str| RANKS.contains(next) || next.starts_with('个');
        words[at].parse::<u64>().is_ok_and(|number| !said.contains(&number) && !request.contains(words[at]))
            && words.get(at + 1).is_some_and(ranks)
    };
    let kept = (0..words.len()).filter(|at| !is_bound(*at)).map(|at| {
        let behind = at > 0 && is_bound(at - 1);
        if behind { words[at].trim_start_matches('个') } else { words[at] }
    });
    let text = kept.collect::<Vec<_>>().join(" ");
    text.replace("的 文件", "的文件")
}

/// Words before which a number is that of the rows.
const RANKS: [&str; 6] = ["largest", "smallest", "newest", "oldest", "most", "files"];

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

#[cfg(test)]
mod tests {
    use super::heading;

    #[test]
    fn a_heading_tells_a_number_of_rows_that_was_asked_for() {
        for (intent, request, told) in [
            (
                "Find the 10 largest files",
                "count the lines of a.txt and list the largest files",
                "Find the largest files",
            ),
            (
                "Find the 10 largest files",
                "list the ten largest files and the free space",
                "Find the 10 largest files",
            ),
            ("Find the 3 largest files", "the 3 largest files and the oldest", "Find the 3 largest files"),
            (
                "Find files (larger than 10485760 bytes)",
                "files over 10 MB and the oldest",
                "Find files (larger than 10485760 bytes)",
            ),
            ("找出最大的 10 个文件", "统计a.txt的行数，再列出最大的文件", "找出最大的文件"),
        ] {
            assert_eq!(heading(intent, request), told);
        }
    }
}
