//! The table of tools. What a model is offered, what is parsed and what runs all come from here.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use artoo_types::tool::{CallRefusal, ToolSpec};

use crate::installed::HelperPrograms;
use crate::tool::{PlaceRights, Tool, ToolRow};

mod applescript;
mod ask_person;
mod edit_file;
mod fetch_url;
mod find_files;
pub(crate) mod glob;
mod grep;
pub(crate) mod mcp;
pub(crate) mod read_file;
mod read_output;
mod rights;
mod search;
mod shell;
mod shortcuts;
mod write_file;

#[cfg(test)]
pub(crate) use find_files::FILE_SEARCH;

/// In the order in which an executor should consider them.
const TOOLS: &[ToolRow] = &[
    find_files::ROW,
    glob::ROW,
    grep::ROW,
    read_file::ROW,
    write_file::ROW,
    edit_file::ROW,
    applescript::ROW,
    shortcuts::ROW,
    shell::ROW,
    search::ROW,
    fetch_url::ROW,
    read_output::ROW,
    ask_person::ROW,
];

/// The tools of this machine as they are offered to a model that works where this holds.
pub(crate) fn specs(installed: &HelperPrograms, rights: PlaceRights) -> Vec<ToolSpec> {
    on(installed)
        .map(|row| {
            let told = told(row);
            ToolSpec {
                name: row.name.to_owned(),
                signature: told.signature.clone(),
                purpose: format!("{}{}", row.purpose, (row.unasked)(rights)),
                schema: told.schema.clone(),
                reads: row.reads,
            }
        })
        .collect()
}

/// What is told of a tool's arguments.
struct ArgumentTexts {
    signature: String,
    schema: String,
}

/// Derived once: it takes longer than all else that is done for a task before its first step.
fn told(row: &ToolRow) -> &'static ArgumentTexts {
    static TOLD: LazyLock<BTreeMap<&'static str, ArgumentTexts>> = LazyLock::new(|| {
        let told =
            |row: &ToolRow| ArgumentTexts { signature: row.signature(), schema: row.schema().to_string() };
        TOOLS.iter().map(|row| (row.name, told(row))).collect()
    });
    &TOLD[row.name]
}

/// Reads a call of a tool that this machine has.
///
/// # Errors
/// What is wrong with it, and what to do instead.
pub(crate) fn read(
    tool: &str,
    arguments: &str,
    installed: &HelperPrograms,
) -> Result<Box<dyn Tool>, CallRefusal> {
    let row = on(installed).find(|row| row.name == tool).ok_or_else(|| {
        let names: Vec<&str> = on(installed).map(|row| row.name).collect();
        CallRefusal(format!("there is no tool {tool:?} on this machine; the tools are {}", names.join(", ")))
    })?;
    row.read(arguments)
}

fn on(installed: &HelperPrograms) -> impl Iterator<Item = &'static ToolRow> {
    TOOLS.iter().filter(|row| row.is_on(installed))
}

#[cfg(test)]
pub(crate) mod tests;
