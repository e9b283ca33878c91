//! The text of a report: one section for each prior output, copied as it is.

use artoo_types::plan::PriorOutput;
use serde_json::Value;

use crate::lines::plain_lines;

/// Composes the Markdown text from the recipe of a report step. Fails when the output of a section is not there.
pub(crate) fn compose(recipe: &Value, prior: &[PriorOutput]) -> Result<String, String> {
    let text = |field: &str| recipe[field].as_str().unwrap_or_default();
    let chinese = recipe["chinese"].as_bool().unwrap_or(false);
    let (folder, date) = if chinese { ("文件夹", "日期") } else { ("Folder", "Date") };
    let mut out =
        format!("# {}\n\n{folder}: `{}`  \n{date}: {}\n", text("title"), text("folder"), text("date"));
    for section in recipe["sections"].as_array().into_iter().flatten() {
        let heading = section["heading"].as_str().unwrap_or_default();
        let from = section["from"].as_str().unwrap_or_default();
        let output = find_output(prior, from).ok_or_else(|| match chinese {
            true => format!("缺少“{from}”的输出"),
            false => format!("the output of \"{from}\" is missing"),
        })?;
        let columns: Vec<&str> =
            section["columns"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        out.push_str(&format!("\n## {heading}\n\n{}", body(&output, &columns)));
    }
    Ok(out)
}

/// The output of the earlier step with this intent.
pub(crate) fn find_output(prior: &[PriorOutput], intent: &str) -> Option<String> {
    prior.iter().find(|earlier| earlier.intent == intent).map(|earlier| plain_lines(&earlier.output))
}

/// A table when every line has one cell for each column, else the text in a fence that it does not contain.
fn body(output: &str, columns: &[&str]) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let table = !columns.is_empty()
        && !lines.is_empty()
        && lines.iter().all(|line| line.split('\t').count() == columns.len());
    if table {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = row(columns.iter().map(|name| (*name).to_owned()).collect());
        out.push_str(&row(columns.iter().map(|_| "---".to_owned()).collect()));
        for line in lines {
            out.push_str(&row(line.split('\t').map(|cell| cell.replace('|', "\\|")).collect()));
        }
        return out;
    }
    let mut fence = "```".to_owned();
    while output.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}text\n{output}\n{fence}\n")
}
