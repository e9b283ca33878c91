//! Checks on the output of a subtask or of the task.
//!
//! Where the output is a tool's, it is looked at as it is. Where it is a model's text, it is a claim: what the check asks
//! for must stand in the output of a call, or be a number that such outputs give.

use artoo_types::criteria::Compare;
use artoo_types::evidence::NO_MATCH;
use serde_json::Value;

use crate::check::shown::ShownOutputs;
use crate::check::{CheckFinding, CheckScene, compare};
use crate::outputs;

pub(super) fn contains(text: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let look = |output: &str| {
        let size = output.chars().count();
        if output.contains(text) {
            CheckFinding::Holds(format!("the output, {size} characters, contains {text:?}"))
        } else {
            CheckFinding::Fails(format!("the output, {size} characters, does not contain {text:?}"))
        }
    };
    with_output(scene, look, is_neutral(text), |_, shown| shown.gives(text))
}

pub(super) fn matches(expression: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let regex = match compare::regex(expression) {
        Ok(regex) => regex,
        Err(finding) => return finding,
    };
    let look = |output: &str| {
        let size = output.chars().count();
        match regex.find(output.as_bytes()) {
            Some(at) => {
                CheckFinding::Holds(format!("the output, {size} characters, matches at byte {}", at.start()))
            }
            None => {
                let saw = format!("the output, {size} characters, has no match of /{expression}/");
                if stands_elsewhere(expression, output) {
                    CheckFinding::WrongForm(saw)
                } else {
                    CheckFinding::Fails(saw)
                }
            }
        }
    };
    with_output(scene, look, is_neutral(expression), |output, shown| {
        let found = regex.find(output.as_bytes()).map(|at| String::from_utf8_lossy(at.as_bytes()));
        found.is_some_and(|found| shown.gives(&found))
    })
}

/// Whether what the expression asks for stands in the output, only not alone, or not at the place where the plan wanted it:
/// that is a matter of form. An output without it misses what was asked.
fn stands_elsewhere(expression: &str, output: &str) -> bool {
    compare::regex(&compare::without_anchors(expression))
        .is_ok_and(|anywhere| anywhere.find(output.as_bytes()).is_some_and(|found| !found.is_empty()))
}

/// Counts the lines that are not empty; the remark that nothing was found is no line. Of a text that holds a list, the lines of
/// the list may be meant.
pub(super) fn lines(op: Compare, n: f64, scene: &CheckScene<'_>) -> CheckFinding {
    let look = |output: &str| {
        let lines = output.lines().filter(|line| !line.trim().is_empty()).count();
        let lines = if output.trim() == NO_MATCH { 0 } else { lines };
        compare::count("non-empty lines of the output", lines, op, n)
    };
    let claim = match claim(scene) {
        Ok(claim) => claim,
        Err(output) => return output.map_or_else(CheckFinding::Prevented, |output| look(&output)),
    };
    let (text, shown) = claim;
    let own = look(&text);
    // What is told around a tool's lines is no line of the result, if all of those are told.
    let told_whole =
        || shown.find(|output| Some(look(output).held()?.to_owned()).filter(|_| is_told(output, &text)));
    let of_list = || {
        let list = listed(&text)?;
        let saw = compare::count("lines of the list in the output", list.len(), op, n);
        let is_shown = !shown.is_empty() && list.iter().all(|line| shown.has_line(line));
        let saw = saw.held().filter(|_| is_shown && shown.unknown_figures(&text).is_empty())?;
        Some(CheckFinding::Holds(format!("{saw}, each in the output of a call")))
    };
    match (own.held(), text.lines().find(|line| !shown.has_line(line))) {
        (Some(saw), None) if shown.is_empty() => unshown(saw),
        (Some(saw), None) => CheckFinding::Holds(format!("{saw}, each in the output of a call")),
        (Some(_), Some(line)) => {
            told_whole().or_else(of_list).unwrap_or_else(|| unshown(&format!("{line:?}")))
        }
        (None, _) => told_whole().or_else(of_list).unwrap_or(own),
    }
}

/// The lines of a text that a person would call its list: those of its blocks of code, else those with a mark or a number
/// before them, else the rows of its table without the heading. None where there is no list.
fn listed(text: &str) -> Option<Vec<&str>> {
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let mut is_inside = false;
    let mut fenced = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if is_fence(line) {
            is_inside = !is_inside;
        } else if is_inside {
            fenced.push(line);
        }
    }
    let marked: Vec<&str> = text.lines().filter_map(without_mark).collect();
    let is_rule = |line: &str| line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let mut table = text.lines().map(str::trim).filter(|line| line.starts_with('|')).collect::<Vec<_>>();
    if table.len() > 1 && is_rule(table[1]) {
        table.drain(..2);
    }
    let rows = table.into_iter().map(|row| row.trim_matches('|').trim()).collect();
    [fenced, marked, rows].into_iter().find(|lines| !lines.is_empty())
}

/// A line of a list without what marks it as one.
fn without_mark(line: &str) -> Option<&str> {
    let line = line.trim();
    let marked = ["- ", "* ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = [". ", ") ", "、"].iter().find_map(|sign| rest.strip_prefix(sign));
        behind.filter(|_| rest.len() < line.len())
    };
    marked.or_else(numbered)
}

/// Whether the text repeats every line of an output.
fn is_told(output: &str, text: &str) -> bool {
    output.lines().all(|line| text.contains(line.trim()))
}

pub(super) fn json(pointer: &str, op: Compare, value: &Value, scene: &CheckScene<'_>) -> CheckFinding {
    let look = |output: &str| compare::json("the output", output, pointer, op, value);
    with_output(scene, look, true, |output, shown| {
        let document: Option<Value> = serde_json::from_str(output.trim()).ok();
        let measured = document.as_ref().and_then(|document| compare::at(document, pointer));
        measured.is_some_and(|value| leaves(value).iter().all(|leaf| shown.gives(leaf)))
    })
}

/// The texts and numbers of a document.
fn leaves(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) => vec![value.to_string()],
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(fields) => fields.values().flat_map(leaves).collect(),
    }
}

/// Looks at the output of a tool; at a model's text together with the outputs of calls. `supported` tells whether what the
/// text says, and no such output by itself, follows from them. A call that failed shows what it put out as well, where what is
/// looked for `is_neutral`.
fn with_output(
    scene: &CheckScene<'_>,
    look: impl Fn(&str) -> CheckFinding,
    is_neutral: bool,
    supported: impl Fn(&str, &ShownOutputs) -> bool,
) -> CheckFinding {
    let (text, shown) = match claim(scene) {
        Ok(claim) => claim,
        Err(output) => return output.map_or_else(CheckFinding::Prevented, |output| look(&output)),
    };
    let own = look(&text);
    let held = |output: &str| look(output).held().map(str::to_owned);
    let by_call = shown.find(held).or_else(|| shown.find_in_failed(held).filter(|_| is_neutral));
    // That a pattern fits a text does not tell which number stands there.
    let borne_out = |finding: CheckFinding| match shown.unknown_figures(&text).as_slice() {
        [] => finding,
        figures => CheckFinding::WrongForm(format!(
            "a call shows it, but the text says {}, which no call shows",
            figures.join(", ")
        )),
    };
    match (own.held(), by_call) {
        (Some(_) | None, Some(finding)) => borne_out(finding),
        (Some(saw), None) if supported(&text, &shown) => {
            borne_out(CheckFinding::Holds(format!("{saw}, from what the outputs of calls give")))
        }
        (Some(saw), None) => unshown(saw),
        (None, None) => own,
    }
}

/// Whether what is looked for, a text or a pattern, does not say that something went well, or says it of one test that it names.
fn is_neutral(wanted: &str) -> bool {
    let words =
        ["\\b", "\\s", "\\a", "\\z"].iter().fold(wanted.to_lowercase(), |text, sign| text.replace(sign, " "));
    let says_ok = words.split(|c: char| !c.is_alphanumeric()).any(|word| word == "ok");
    words.contains("test_") || !says_ok && !artoo_relevance::says_well(&words)
}

fn unshown(saw: &str) -> CheckFinding {
    CheckFinding::WrongForm(format!("the text says so, no receipt shows it: {saw}"))
}

/// The text of a model in full and the outputs of calls; in the place of an error the output of a tool, in full, or why it
/// cannot be read.
fn claim(scene: &CheckScene<'_>) -> Result<(String, ShownOutputs), Result<String, String>> {
    let full = match &scene.subject.handle {
        None => Ok(scene.subject.output.clone()),
        Some(handle) => outputs::load(&scene.work.artifacts, handle),
    };
    match full {
        Ok(text) if scene.subject.is_claim => Ok((text, ShownOutputs::of(scene))),
        output @ (Ok(_) | Err(_)) => Err(output),
    }
}
