//! R3: carrying out the recipe that the plan put into the context, one action a turn.

use artoo_request::Language;
use artoo_types::brief::{ActBrief, Turn};
use artoo_types::evidence::{CallEnd, NO_MATCH, Receipt};
use artoo_types::outcome::CorrectionSignal;
use artoo_types::plan::PriorOutput;
use artoo_types::tool::lacks_rest;
use artoo_types::tool::names::{GLOB, SHELL, WRITE_FILE};
use serde_json::{Value, json};

use crate::lines::{one_line, plain_lines};
use crate::measure::FOUND_PATH;
use crate::query;
use crate::report::{compose, find_output};
use crate::shell::quote;
use crate::table;
use crate::too_slow;

/// Names that are tried for a new file: `report.md`, `report-2.md` and so on.
const MOST_NAMES: usize = 99;
/// Characters of a failed tool's output that the reason quotes.
const QUOTED_CHARS: usize = 300;

/// A call that this attempt has already made.
#[derive(Clone, Debug)]
struct DoneCall<'a> {
    tool: &'a str,
    target: &'a str,
    exit: Option<i64>,
    output: String,
    /// Nothing of the output is missing.
    is_whole: bool,
    /// Seconds that it ran until its deadline ended it.
    stopped_after: Option<u64>,
}

/// What the context says to do.
#[derive(Clone, Debug, Default)]
struct StepRecipe {
    first: Option<Value>,
    then: Option<Value>,
    otherwise: Vec<Value>,
}

/// The reply of the shape `action`.
pub(crate) fn act(brief: &ActBrief) -> Value {
    let language = Language::of(&brief.subtask.intent);
    let recipe = read_recipe(&brief.subtask.context);
    let Some(first) = recipe.first else {
        return failed(language.pick(
            "The context holds no recipe that the offline rules can read, so nothing was done.",
            "上下文中没有离线规则能读懂的步骤，因此没有执行任何操作。",
        ));
    };
    let done: Vec<DoneCall> = brief.turns.iter().skip(brief.earlier_turns).filter_map(DoneCall::of).collect();
    let prior = &brief.subtask.prior_outputs;
    if let Some(correction) = &brief.correction {
        return corrected(correction, language, &recipe.otherwise, &done);
    }
    if let Some(report) = first.get("report") {
        return write_report(language, report, prior, &done);
    }
    match done.last() {
        None => match located(&first, prior) {
            Ok(action) => action,
            Err(path_missing) => failed(&format!(
                "{}{path_missing}",
                language.pick("No file to work on: ", "没有可处理的文件：")
            )),
        },
        Some(last) if last.exit != Some(0) && !name_taken(last, recipe.then.as_ref()) => {
            failed_call(language, last)
        }
        Some(last) => match &recipe.then {
            Some(then) => computed(language, then, &done),
            None => finished(language, last),
        },
    }
}

/// A second attempt never repeats the first: it takes the next line of the recipe, or says that there is none.
fn corrected(
    correction: &CorrectionSignal,
    language: Language,
    otherwise: &[Value],
    done: &[DoneCall<'_>],
) -> Value {
    let attempt = correction.attempt as usize;
    let wrong = one_line(&correction.what_was_wrong);
    let next = attempt.checked_sub(2).and_then(|index| otherwise.get(index));
    match (next, done.last()) {
        (Some(_), Some(last)) if last.exit == Some(0) => finished(language, last),
        (Some(_), Some(last)) => failed_call(language, last),
        (Some(action), _) => action.clone(),
        (None, _) => failed(&format!(
            "{}{wrong}",
            language.pick(
                "No other way is planned for this step. What was wrong: ",
                "这一步没有其他方法。问题："
            )
        )),
    }
}

/// The planned action, with the path that an earlier step found put in.
fn located(action: &Value, prior: &[PriorOutput]) -> Result<Value, String> {
    let mut action = action.clone();
    let from = action.as_object_mut().and_then(|fields| fields.remove("path_from"));
    if let Some(from) = from {
        let intent = from["intent"].as_str().unwrap_or_default();
        let (unwanted, wanted) = (from["not"].as_str().unwrap_or_default(), from["rather"].as_str());
        let output = find_output(prior, intent).unwrap_or_default();
        let found = || {
            let lines = output.lines().map(|line| line.rsplit('\t').next().unwrap_or(line).trim());
            lines.filter(|path| path.starts_with('/') && *path != unwanted)
        };
        let named = found().find(|path| Some(*path) == wanted);
        let path = named.or_else(|| found().next()).ok_or_else(|| intent.to_owned())?;
        let shell = action["tool"] == SHELL;
        for value in action["arguments"].as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
            if let Value::String(text) = value {
                *text = if shell {
                    text.replace(&quote(FOUND_PATH), &quote(path))
                } else {
                    text.replace(FOUND_PATH, path)
                };
            }
        }
    }
    action["action"] = json!("tool");
    Ok(action)
}

fn write_report(language: Language, recipe: &Value, prior: &[PriorOutput], done: &[DoneCall<'_>]) -> Value {
    let content = match compose(recipe, prior) {
        Ok(content) => content,
        Err(reason) => return failed(&reason),
    };
    let path = recipe["path"].as_str().unwrap_or_default();
    let free_name = recipe["free_name"].as_bool().unwrap_or(false);
    match done.last() {
        Some(last) if last.tool == WRITE_FILE && last.exit == Some(0) => {
            let label = language.pick("Report: ", "报告：");
            completed(&format!("{content}\n{label}{}", last.target))
        }
        _ => next_write(language, path, free_name, &content, done),
    }
}

/// The next step towards a new file: the call that writes it, after a look at the names that are taken when the plan
/// asks for a free one.
fn next_write(
    language: Language,
    path: &str,
    free_name: bool,
    content: &str,
    done: &[DoneCall<'_>],
) -> Value {
    let listed = done.iter().find(|call| call.tool == GLOB);
    let failure = done.iter().find(|call| call.exit != Some(0));
    if let Some(call) = failure {
        return failed_call(language, call);
    }
    if !free_name {
        return tool(WRITE_FILE, &json!({"path": path, "content": content}));
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let dotted = if ending.is_empty() { String::new() } else { format!(".{ending}") };
    let Some(listed) = listed else {
        return tool(GLOB, &json!({"root": folder, "pattern": format!("{stem}*{dotted}")}));
    };
    let taken: Vec<&str> = listed.output.lines().collect();
    let free = (1..=MOST_NAMES)
        .map(|number| if number == 1 { path.to_owned() } else { format!("{folder}/{stem}-{number}{dotted}") })
        .find(|candidate| !taken.contains(&candidate.as_str()));
    match free {
        Some(free) => tool(WRITE_FILE, &json!({"path": free, "content": content})),
        None => failed(
            language.pick("All numbered names for the new file are taken.", "新文件的编号名称都已被占用。"),
        ),
    }
}

/// The answer that is computed from the first call's output, or the call that writes it to a file.
fn computed(language: Language, then: &Value, done: &[DoneCall<'_>]) -> Value {
    let Some(source) = done.first() else { return failed("no output") };
    if lacks_rest(&source.output) || !source.is_whole {
        return failed(language.pick(
            "The output is too long to be read whole, and a result from a part of it would be wrong.",
            "输出太长，无法完整读取；只根据一部分计算会得出错误结果。",
        ));
    }
    let result = match then["compute"].as_str().unwrap_or_default() {
        "count_paths" => {
            let paths = source.output.lines().filter(|line| line.starts_with('/')).count();
            let complete = source.output.trim() == NO_MATCH || paths == source.output.lines().count();
            let noun = if paths == 1 && then["one"].is_string() { &then["one"] } else { &then["noun"] };
            let noun = noun.as_str().unwrap_or_default();
            let between = language.pick(" ", " 个");
            if complete {
                Ok(format!("{paths}{between}{noun}"))
            } else {
                Err("the list of files is not complete".to_owned())
            }
        }
        "told" => Ok(then["text"].as_str().unwrap_or_default().to_owned()),
        "json_pretty" => table::json_pretty(&source.output),
        "json_value" => table::json_value(&source.output, then["key"].as_str().unwrap_or_default()),
        "json_valid" => Ok(validity(language, then, &source.output)),
        "table_query" => serde_json::from_value(then["query"].clone())
            .map_err(|error| error.to_string())
            .and_then(|query| query::answer(&query, &source.output, language == Language::Chinese)),
        "csv_to_json" => match table::csv_to_json(&source.output) {
            Ok(rows) => return write_json(language, then, &rows, done),
            Err(reason) => Err(reason),
        },
        other => Err(format!("unknown calculation `{other}`")),
    };
    match (result, then["save"].as_str()) {
        (Ok(output), Some(path)) => write_text(language, path, &output, done),
        (Ok(output), None) => completed(&output),
        (Err(reason), _) => failed(&reason),
    }
}

/// The call that writes a computed text to a new file, and what is told when it is written.
fn write_text(language: Language, path: &str, text: &str, done: &[DoneCall<'_>]) -> Value {
    let lines = text.lines().count();
    match done.last() {
        Some(last) if last.tool == WRITE_FILE && last.exit == Some(0) => completed(&match language {
            Language::English => format!("Wrote {lines} lines to {}", last.target),
            Language::Chinese => format!("已写入 {lines} 行：{}", last.target),
        }),
        _ => next_write(language, path, false, &format!("{text}\n"), done),
    }
}

/// Whether a text is JSON, and where it stops to be.
fn validity(language: Language, then: &Value, text: &str) -> String {
    let name = then["name"].as_str().unwrap_or_default();
    match (serde_json::from_str::<Value>(text), language) {
        (Ok(_), Language::English) => format!("{name} is valid JSON"),
        (Ok(_), Language::Chinese) => format!("{name} 是有效的 JSON"),
        (Err(error), Language::English) => format!("{name} is not valid JSON: {error}"),
        (Err(error), Language::Chinese) => format!("{name} 不是有效的 JSON：{error}"),
    }
}

fn write_json(language: Language, then: &Value, rows: &Value, done: &[DoneCall<'_>]) -> Value {
    let path = then["path"].as_str().unwrap_or_default();
    let count = rows.as_array().map_or(0, Vec::len);
    match done.last() {
        Some(last) if last.tool == WRITE_FILE && last.exit == Some(0) => completed(&match language {
            Language::English => format!("Wrote {count} records to {}", last.target),
            Language::Chinese => format!("已把 {count} 条记录写入 {}", last.target),
        }),
        _ => {
            let content = format!("{}\n", serde_json::to_string_pretty(rows).unwrap_or_default());
            let free_name = then["free_name"].as_bool().unwrap_or(false);
            next_write(language, path, free_name, &content, done)
        }
    }
}

/// Whether a failed call is the write of a step that computes: `next_write` reports it.
fn name_taken(last: &DoneCall<'_>, then: Option<&Value>) -> bool {
    last.tool == WRITE_FILE && then.is_some()
}

fn read_recipe(context: &str) -> StepRecipe {
    let mut recipe = StepRecipe::default();
    for line in context.lines() {
        let Some((label, text)) = line.split_once(": ") else { continue };
        let Ok(value) = serde_json::from_str::<Value>(text) else { continue };
        match label {
            "do" if recipe.first.is_none() => recipe.first = Some(value),
            "then" if recipe.then.is_none() => recipe.then = Some(value),
            "else" => recipe.otherwise.push(value),
            _ => {}
        }
    }
    recipe
}

impl<'a> DoneCall<'a> {
    /// The call, unless it was not made.
    fn of(turn: &'a Turn) -> Option<Self> {
        let Turn::Called(receipt) = turn else { return None };
        let Receipt { tool, target, exit, output, handle, end, time, .. } = &**receipt;
        let seconds = time.elapsed_ms / 1_000;
        let stopped_after = (*end == CallEnd::Timeout).then_some(seconds);
        let is_whole = handle.is_none();
        Some(Self { tool, target, exit: *exit, output: plain_lines(output), is_whole, stopped_after })
    }
}

fn finished(language: Language, last: &DoneCall<'_>) -> Value {
    if !last.is_whole {
        return failed(
            language.pick("The output is too long to be passed on whole.", "输出太长，无法完整转述。"),
        );
    }
    completed(&last.output)
}

fn completed(output: &str) -> Value {
    json!({"action": "finish", "status": "completed", "output": output})
}

fn failed(reason: &str) -> Value {
    json!({"action": "finish", "status": "failed", "output": reason})
}

fn failed_call(language: Language, call: &DoneCall<'_>) -> Value {
    if let Some(seconds) = call.stopped_after {
        return failed(&too_slow::told(language, seconds));
    }
    let exit = call.exit.map_or_else(|| language.pick("none", "无").to_owned(), |status| status.to_string());
    let said: String = call.output.chars().take(QUOTED_CHARS).collect();
    failed(&match language {
        Language::English => format!("`{}` failed with exit status {exit}: {said}", call.tool),
        Language::Chinese => format!("`{}` 失败，退出码 {exit}：{said}", call.tool),
    })
}

fn tool(name: &str, arguments: &Value) -> Value {
    json!({"action": "tool", "tool": name, "arguments": arguments, "final": false})
}
