//! `artoo report`: a page about a task, or an index of the latest ones.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use artoo_protocol::v1::ReportTaskRequest;
use rustix::fs::OFlags;

use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::ids;
use crate::output::raw;
use crate::render::figures::short_id;
use crate::render::text::{escape, shell_word};
use crate::render::{Line, Tone};
use crate::terminal::spoken;

/// A page holds what a task read and knew: a new file is its owner's alone. A link is followed where a person named it, and not
/// where it lies in the place of the usual name, for a folder may be a stranger's.
fn write(file: &Path, is_named: bool, html: &str) -> std::io::Result<()> {
    if !is_named && file.is_symlink() {
        return Err(std::io::Error::other("it is a symbolic link; say --output to write through it"));
    }
    let flags = if is_named { OFlags::empty() } else { OFlags::NOFOLLOW };
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).custom_flags(flags.bits().cast_signed());
    options.open(file)?.write_all(html.as_bytes())
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
    write(&file, output.is_some(), &html)
        .map_err(|error| Failure::Local(format!("{} cannot be written: {error}", file.display())))?;
    // Where it lies, for whoever has left the folder by then.
    let shown = std::path::absolute(&file).unwrap_or(file).display().to_string();
    let text = if console.json { serde_json::json!({ "file": shown }).to_string() } else { shown.clone() };
    console.printer.text(text).await?;
    if !console.json {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let how = spoken().screen(&format!("open it in a browser: {opener} {}", shell_word(&shown, "/.-_")));
        console.printer.notes(&[Line::new().add(Tone::Dim, escape(&how))]).await?;
    }
    Ok(DONE)
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn a_link_under_the_usual_name_is_not_written_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, other) = (folder.path().join("artoo-tasks.html"), folder.path().join("other"));
        std::fs::write(&other, "theirs").expect("it can be written");
        std::os::unix::fs::symlink(&other, &link).expect("a link");
        assert!(write(&link, false, "page").is_err());
        assert_eq!(std::fs::read_to_string(&other).expect("it is there"), "theirs");
        write(&link, true, "page").expect("a person named it");
        assert_eq!(std::fs::read_to_string(&other).expect("it is there"), "page");
        let plain = folder.path().join("plain.html");
        for page in ["one", "another"] {
            write(&plain, false, page).expect("it can be written");
            assert_eq!(std::fs::read_to_string(&plain).expect("it is there"), page);
        }
    }
}
