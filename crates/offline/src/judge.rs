//! R4a and R4b: judging the criteria that code has not decided, and merging outputs.
//!
//! The plans of these rules carry a check with every criterion, so usually there is nothing to judge. What is judged is
//! the one sentence about exit statuses that [`super::measure`] writes; every other criterion fails, because nothing
//! here can tell that it is met.

use serde_json::{Value, json};

use super::language::Language;
use super::prompt::{Block, Prompt};

/// The reply of the shape `verdicts`.
pub(super) fn verdicts(prompt: &Prompt) -> Value {
    let language = prompt.language("Subtask");
    let verdicts = judge(prompt, "Criteria", language);
    let unmet: Vec<&str> = verdicts
        .iter()
        .filter(|verdict| verdict["verdict"] == "fail")
        .filter_map(|verdict| verdict["evidence"].as_str())
        .collect();
    let correction = (!unmet.is_empty()).then(|| {
        json!({
            "what_was_wrong": unmet.join("; "),
            "what_to_do": language.pick("Take another way than before.", "换一种方法。"),
        })
    });
    json!({"verdicts": verdicts, "correction": correction})
}

/// The reply of the shape `merge_verdict`.
pub(super) fn merge(prompt: &Prompt) -> Value {
    let language = prompt.language("Request");
    let outcomes = prompt.blocks("Outcomes");
    let merged: Vec<String> = outcomes
        .iter()
        .map(|outcome| {
            if outcomes.len() == 1 {
                outcome.body.clone()
            } else {
                format!("## {}\n{}", intent_of(outcome), outcome.body)
            }
        })
        .collect();
    let summary = match language {
        Language::English => format!(
            "{} results, put together by the offline rules in the order of the steps.",
            outcomes.len()
        ),
        Language::Chinese => format!("{} 项结果，由离线规则按步骤顺序汇总。", outcomes.len()),
    };
    json!({"merged_output": merged.join("\n\n"), "summary": summary, "verdicts": judge(prompt, "Task criteria", language)})
}

fn judge(prompt: &Prompt, section: &str, language: Language) -> Vec<Value> {
    let receipts = prompt.blocks("Receipts");
    prompt
        .section(section)
        .lines()
        .filter_map(|line| {
            let (number, text) = line.split_once(". ")?;
            Some(verdict(number.trim().parse().ok()?, text, &receipts, language))
        })
        .collect()
}

fn verdict(index: u64, text: &str, receipts: &[Block], language: Language) -> Value {
    let asked = exit_sentence(text);
    let Some((class, status)) = asked else {
        let reason =
            language.pick("the offline rules cannot judge this criterion", "离线规则无法判断这条标准");
        return json!({"criterion": index, "verdict": "fail", "failure_class": "logical", "receipt": null, "evidence": reason});
    };
    let last = receipts.iter().rev().find(|block| block.rest.split(' ').next() == Some(class));
    let Some(block) = last else {
        let evidence = format!("{}`{class}`", language.pick("no receipt of ", "没有收据："));
        return json!({"criterion": index, "verdict": "fail", "failure_class": "logical", "receipt": null, "evidence": evidence});
    };
    let id = block.label.trim_start_matches("receipt ").trim();
    let seen = block.rest.rsplit_once("exit=").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or("");
    let met = seen.parse::<i64>().ok() == Some(status);
    let class = if met { Value::Null } else { json!("environmental") };
    json!({
        "criterion": index,
        "verdict": if met { "pass" } else { "fail" },
        "failure_class": class,
        "receipt": id,
        "evidence": block.rest,
    })
}

/// The tool class and the status of "`x` ended with exit status 0" in either language.
fn exit_sentence(text: &str) -> Option<(&str, i64)> {
    let text = text.trim_start_matches("[verifiable] ").trim_start_matches("[plausible] ");
    let (class, rest) = text.strip_prefix('`')?.split_once('`')?;
    let status = rest
        .strip_prefix(" ended with exit status ")
        .or_else(|| rest.strip_prefix(" 以退出码 ").and_then(|rest| rest.strip_suffix(" 结束")))?;
    Some((class, status.parse().ok()?))
}

/// The intent in the heading line `1. intent: matched`.
fn intent_of(outcome: &Block) -> &str {
    let rest = outcome.rest.split_once(". ").map_or(outcome.rest.as_str(), |(_, rest)| rest);
    rest.rsplit_once(": ").map_or(rest, |(intent, _)| intent)
}
