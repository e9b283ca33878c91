//! Checks on files.

use std::io::Read as _;

use artoo_types::criteria::Compare;
use serde_json::Value;

use crate::check::{CheckFinding, CheckScene, compare};
use crate::files::walk::plain;
use crate::tools::glob;
use crate::tools::read_file::open;
use artoo_gate::paths::PathAccess;

/// Bytes of a file that a check reads.
const MAX_BYTES: u64 = 64 << 20;

pub(super) fn exists(path: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let path = match allowed(path, scene) {
        Ok(path) => path,
        Err(finding) => return finding,
    };
    match std::fs::symlink_metadata(&path) {
        Ok(meta) if meta.is_dir() => CheckFinding::Holds(format!("{path} exists, a folder")),
        Ok(meta) => CheckFinding::Holds(format!("{path} exists, {} bytes", meta.len())),
        Err(error) => absence(&path, &error),
    }
}

/// A bare name must be absent where it could have been written and where the task works.
pub(super) fn absent(path: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let here = scene.work.places.path(path);
    let written = scene.work.places.written(path);
    match absent_at(&here, scene) {
        CheckFinding::Holds(_) if here != written => absent_at(&written, scene),
        finding @ (CheckFinding::Holds(_)
        | CheckFinding::Fails(_)
        | CheckFinding::FailsAfter(..)
        | CheckFinding::WrongForm(_)
        | CheckFinding::Prevented(_)
        | CheckFinding::Unmeasured(_)) => finding,
    }
}

fn absent_at(path: &str, scene: &CheckScene<'_>) -> CheckFinding {
    let path = match allowed(path, scene) {
        Ok(path) => path,
        Err(finding) => return finding,
    };
    match std::fs::symlink_metadata(&path) {
        Ok(meta) => CheckFinding::Fails(format!("{path} exists, {} bytes", meta.len())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            CheckFinding::Holds(format!("{path} does not exist"))
        }
        Err(error) => CheckFinding::Prevented(format!("{path} cannot be looked at: {}", plain(&error))),
    }
}

/// What a file holds, as tools tell it: without secrets. A check that knew more would tell, answer by answer, what they are.
pub(super) fn contains(
    path: &str,
    text: Option<&str>,
    regex: Option<&str>,
    scene: &CheckScene<'_>,
) -> CheckFinding {
    if text.is_none() && regex.is_none() {
        return CheckFinding::Unmeasured(
            "the check names neither a text nor a regular expression".to_owned(),
        );
    }
    let expression = match regex.map(compare::regex).transpose() {
        Ok(expression) => expression,
        Err(finding) => return finding,
    };
    let (path, bytes) = match content(path, scene) {
        Ok(read) => read,
        Err(finding) => return finding,
    };
    let size = bytes.len();
    let bytes = scene.redactor.redact_bytes(&bytes);
    if let Some(text) = text
        && !holds(&bytes, text)
    {
        return CheckFinding::Fails(format!("{path}, {size} bytes, does not contain {text:?}"));
    }
    match expression.map(|e| e.find(&bytes).map(|m| m.start())) {
        Some(None) => CheckFinding::Fails(format!(
            "{path}, {size} bytes, has no match of /{}/",
            regex.unwrap_or_default()
        )),
        Some(Some(at)) => CheckFinding::Holds(format!("{path}, {size} bytes, matches at byte {at}")),
        None => CheckFinding::Holds(format!("{path}, {size} bytes, contains {:?}", text.unwrap_or_default())),
    }
}

pub(super) fn lines(path: &str, op: Compare, n: f64, scene: &CheckScene<'_>) -> CheckFinding {
    match content(path, scene) {
        Ok((path, bytes)) => {
            let ends = bytes.iter().filter(|b| **b == b'\n').count();
            let unended = usize::from(bytes.last().is_some_and(|b| *b != b'\n'));
            compare::count(&format!("lines of {path}"), ends + unended, op, n)
        }
        Err(finding) => finding,
    }
}

pub(super) fn json(
    path: &str,
    pointer: &str,
    op: Compare,
    value: &Value,
    scene: &CheckScene<'_>,
) -> CheckFinding {
    match content(path, scene) {
        Ok((path, bytes)) => {
            let bytes = scene.redactor.redact_bytes(&bytes);
            match compare::json(&path, &String::from_utf8_lossy(&bytes), pointer, op, value) {
                CheckFinding::WrongForm(saw) => CheckFinding::Fails(saw),
                finding @ (CheckFinding::Holds(_)
                | CheckFinding::Fails(_)
                | CheckFinding::FailsAfter(..)
                | CheckFinding::Prevented(_)
                | CheckFinding::Unmeasured(_)) => finding,
            }
        }
        Err(finding) => finding,
    }
}

pub(super) fn matching(pattern: &str, op: Compare, n: f64, scene: &CheckScene<'_>) -> CheckFinding {
    let (root, pattern) = glob::split(".", pattern);
    let root = scene.work.places.path(&root);
    if let Err(finding) = readable(&root, scene) {
        return finding;
    }
    match glob::find(&root, &pattern, scene.work) {
        Ok((_, omitted)) if omitted.cut => {
            CheckFinding::Unmeasured(format!("there are too many files below {root} to count"))
        }
        Ok((mut paths, _)) => {
            paths.retain(|path| !is_hidden_from(&pattern, path.strip_prefix(&root).unwrap_or(path)));
            let counted = format!("files {pattern} below {root}");
            match compare::count(&counted, paths.len(), op, n) {
                CheckFinding::Fails(saw) if !paths.is_empty() => {
                    CheckFinding::Fails(format!("{saw}; there is {}", first_of(&root, &paths)))
                }
                finding @ (CheckFinding::Holds(_)
                | CheckFinding::Fails(_)
                | CheckFinding::FailsAfter(..)
                | CheckFinding::WrongForm(_)
                | CheckFinding::Prevented(_)
                | CheckFinding::Unmeasured(_)) => finding,
            }
        }
        Err(produced) if produced.end == artoo_types::evidence::CallEnd::Refused => {
            CheckFinding::Unmeasured(produced.output)
        }
        Err(produced) if produced.exit.is_some() => CheckFinding::Fails(produced.output),
        Err(produced) => CheckFinding::Prevented(produced.output),
    }
}

/// Files that a count names.
const MAX_NAMED: usize = 6;

/// Whether a path below the root has a hidden part that the pattern does not ask for: as in a shell, a star stands for no dot at
/// the beginning of a name.
fn is_hidden_from(pattern: &str, below: &str) -> bool {
    let is_hidden = |part: &str| part.len() > 1 && part.starts_with('.') && part != "..";
    below.split('/').any(is_hidden) && !pattern.split(['/', '{', ',']).any(is_hidden)
}

/// The first of these paths, below the root.
fn first_of(root: &str, paths: &[String]) -> String {
    let below = |path: &String| path.strip_prefix(root).unwrap_or(path).trim_start_matches('/').to_owned();
    let named = paths.iter().take(MAX_NAMED).map(below).collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(MAX_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Whether `bytes` hold `text`. The standard library searches strings in linear time, not bytes; replaced bytes cannot
/// make a text appear that is not there, except the replacement character itself.
pub(super) fn holds(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// Where a checked name lies. A bare name is where `write_file` puts it when the work wrote a file that is there; else it is in the working directory if it is there.
pub(super) fn located(path: &str, scene: &CheckScene<'_>) -> String {
    let (here, written) = (scene.work.places.path(path), scene.work.places.written(path));
    let is_there = |path: &String| std::fs::symlink_metadata(path).is_ok();
    let (calls, past) = (&scene.subject.calls, &scene.subject.past);
    let wrote = calls.iter().chain(past).any(|call| call.tool == "write_file");
    let is_written = wrote && is_there(&written);
    if !is_written && here != written && is_there(&here) { here } else { written }
}

fn allowed(path: &str, scene: &CheckScene<'_>) -> Result<String, CheckFinding> {
    let path = located(path, scene);
    readable(&path, scene).map(|()| path)
}

/// A check comes from a model: it must not become a way to read what a tool may not read unasked.
fn readable(path: &str, scene: &CheckScene<'_>) -> Result<(), CheckFinding> {
    match scene.work.places.opening(path) {
        PathAccess::Free => Ok(()),
        PathAccess::Ask(why) | PathAccess::Never(why) => {
            Err(CheckFinding::Unmeasured(format!("not looked at: {why}")))
        }
    }
}

fn content(path: &str, scene: &CheckScene<'_>) -> Result<(String, Vec<u8>), CheckFinding> {
    let path = allowed(path, scene)?;
    if let Err(error) = std::fs::metadata(&path) {
        return Err(absence(&path, &error));
    }
    let reader = open(&path, scene.work).map_err(CheckFinding::Prevented)?;
    let mut bytes = Vec::new();
    let read = reader.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|e| CheckFinding::Prevented(format!("{path} cannot be read: {}", plain(&e))))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(CheckFinding::Unmeasured(format!(
            "{path} is larger than {MAX_BYTES} bytes, too large to check"
        )));
    }
    Ok((path, bytes))
}

fn absence(path: &str, error: &std::io::Error) -> CheckFinding {
    if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) {
        CheckFinding::Fails(format!("{path} does not exist"))
    } else {
        CheckFinding::Prevented(format!("{path} cannot be looked at: {}", plain(error)))
    }
}

#[cfg(test)]
mod tests {
    use super::{first_of, is_hidden_from};

    #[test]
    fn a_star_stands_for_no_hidden_file() {
        for (pattern, below, is_hidden) in [
            ("./*.*", "/.hidden", true),
            ("*.txt", "/old/.cache/a.txt", true),
            ("*.txt", "/old/a.txt", false),
            (".*", "/.hidden", false),
            ("**/.github/*.yml", "/.github/ci.yml", false),
            ("{.a,b}*", "/.ab", false),
        ] {
            assert_eq!(is_hidden_from(pattern, below), is_hidden, "{pattern} {below}");
        }
    }

    #[test]
    fn a_count_names_some_of_the_files() {
        let paths: Vec<String> = (0..8).map(|n| format!("/w/{n}")).collect();
        assert_eq!(first_of("/w", &paths[..2]), "0, 1");
        assert_eq!(first_of("/w", &paths), "0, 1, 2, 3, 4, 5 and 2 more");
    }
}
