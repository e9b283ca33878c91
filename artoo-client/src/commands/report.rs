//! `artoo report`: a page about a task, or an index of the latest ones.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use artoo_protocol::v1::ReportTaskRequest;

use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::ids;
use crate::output::raw;
use crate::render::figures::short_id;

/// A page holds what a task read and knew: a new file is its owner's alone.
fn write(file: &Path, html: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).open(file)?.write_all(html.as_bytes())
}

/// Writes the page and says where; `-` is standard output. Without an id it is the index.
///
/// # Errors
/// The daemon's error, or that the file cannot be written.
pub async fn run(console: &mut Console, id: Option<&str>, output: Option<&Path>) -> Result<u8, Failure> {
    let (request, name) = match id {
        Some(id) => {
            let task_id = ids::task(console, id).await?;
            let name = format!("artoo-{}.html", short_id(&task_id));
            (ReportTaskRequest { task_id, all: false }, name)
        }
        None => (ReportTaskRequest { task_id: String::new(), all: true }, "artoo-tasks.html".to_owned()),
    };
    let html = console.daemon.answer(console.client.report_task(request).await)?.html;
    if output == Some(Path::new("-")) {
        raw(&html)?;
        return Ok(DONE);
    }
    let file = output.map_or_else(|| PathBuf::from(name), Path::to_owned);
    write(&file, &html)
        .map_err(|error| Failure::Local(format!("{} cannot be written: {error}", file.display())))?;
    let shown = file.display().to_string();
    let text = if console.json { serde_json::json!({ "file": shown }).to_string() } else { shown };
    console.printer.text(text).await?;
    Ok(DONE)
}
