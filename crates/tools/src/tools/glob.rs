//! `glob`: the files below a folder that match a pattern.

use std::path::Path;

use artoo_gate::origin::of_path;
use artoo_gate::places::Places;
use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::taint::Taint;
use artoo_types::target::rooted_pattern;
use artoo_types::tool::{CallOutcome, NO_MATCH, Refusal};
use globset::{GlobBuilder, GlobMatcher};
use schemars::JsonSchema;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::files::reading;
use crate::files::walk::{Omitted, folder, walk};
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Containment, Judgement, Running, Tool, ToolRow};
use crate::work::{ToolRun, Work};

pub(super) const ROW: ToolRow = ToolRow::of::<Glob>(
    "glob",
    "list the files below a folder whose name or path matches a pattern such as *.rs or src/**/*.{c,h}",
);

#[derive(Debug, Deserialize, JsonSchema)]
struct Glob {
    /// folder to start from; the working directory unless given
    #[serde(default = "here")]
    root: String,
    /// glob; without a slash it is matched with file names at any depth
    pattern: String,
}

fn here() -> String {
    ".".to_owned()
}

/// Paths that one call lists.
const MAX_LISTED: usize = 10_000;
/// Paths that are collected before sorting. 1,000,000 paths of some 100 bytes are 100 MB for a moment.
const MAX_FOUND: usize = 1_000_000;
/// Bytes of a pattern.
const MAX_PATTERN_BYTES: usize = 4_096;
/// Folders that are never walked into.
const SKIPPED: &[&str] = &[".git"];

impl Tool for Glob {
    fn judge(&self, places: &Places, _: &Sandbox) -> Judgement {
        let (root, pattern) = split(&self.root, &self.pattern);
        let target = rooted_pattern(&root, pattern.trim_start_matches("./"), places.bases());
        let root = places.path(&root);
        let brings = Taint { untrusted: false, ..of_path(places, &root) };
        Judgement::new(CallFacts::new(ROW.name, target, EffectClass::Read, brings), reading(&root, places))
    }

    fn containment(&self) -> Containment {
        Containment::Program
    }

    fn carries_out(&self, _: &CallFacts, _: &Places) -> Option<EffectClass> {
        None
    }

    fn leaving(&self) -> Option<&str> {
        None
    }

    fn describe(&self, target: &str) -> String {
        format!("list the files {target}")
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(move |work| {
            let (root, pattern) = split(&self.root, &self.pattern);
            match find(&root, &pattern, work) {
                Ok((paths, omitted)) => {
                    CallOutcome::done(listing(&paths, MAX_LISTED)).noted(omitted.remark())
                }
                Err(outcome) => outcome,
            }
        })
    }
}

/// The paths that match, sorted. The error is what the call produces instead.
pub(crate) fn find(root: &str, pattern: &str, work: &Work) -> Result<(Vec<String>, Omitted), CallOutcome> {
    let root = folder(&work.places.path(root))?;
    let pattern = Pattern::new(pattern).map_err(|e| CallOutcome::ended(CallEnd::Refused, e.0))?;
    let mut paths = Vec::new();
    let mut too_many = false;
    let mut omitted = walk(&root, SKIPPED, work, |entry| {
        let is_file = entry.file_type().is_some_and(|kind| {
            kind.is_file() || (kind.is_symlink() && entry.path().metadata().is_ok_and(|m| m.is_file()))
        });
        if is_file && pattern.matches(&root, entry.path()) {
            if paths.len() < MAX_FOUND {
                paths.push(entry.path().to_string_lossy().into_owned());
            } else {
                too_many = true;
            }
        }
    })?;
    omitted.cut |= too_many;
    paths.sort_unstable();
    Ok((paths, omitted))
}

/// One path a line; past `max` a line says how many more there are; nothing is said as such.
pub(crate) fn listing(paths: &[String], max: usize) -> String {
    if paths.is_empty() {
        return NO_MATCH.to_owned();
    }
    let mut text = paths.iter().take(max).map(String::as_str).collect::<Vec<_>>().join("\n");
    if paths.len() > max {
        text.push_str(&format!("\n... and {} more", paths.len() - max));
    }
    text
}

/// Root and pattern, where a pattern that is a path of its own brings its own root: the parts before the first wildcard.
/// The rest then starts with `./`, because it is matched with paths and not with names at any depth.
pub(crate) fn split(root: &str, pattern: &str) -> (String, String) {
    let pattern = pattern.trim();
    if !pattern.starts_with('/') && !pattern.starts_with("~/") {
        return (root.to_owned(), pattern.to_owned());
    }
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts.iter().take_while(|part| !part.contains(['*', '?', '[', '{', '\\'])).count();
    let fixed = fixed.min(parts.len().saturating_sub(1));
    let own = parts[..fixed].join("/");
    (if own.is_empty() { "/".to_owned() } else { own }, format!("./{}", parts[fixed..].join("/")))
}

/// A pattern that is ready to be compared.
struct Pattern {
    matcher: GlobMatcher,
    by_name: bool,
}

impl Pattern {
    fn new(pattern: &str) -> Result<Self, Refusal> {
        let pattern: String = pattern.trim().nfc().collect();
        let is_path = pattern.starts_with("./");
        let pattern = pattern.strip_prefix("./").unwrap_or(&pattern);
        if pattern.is_empty() || pattern.len() > MAX_PATTERN_BYTES {
            return Err(Refusal(format!("a pattern has 1 to {MAX_PATTERN_BYTES} bytes, for example *.rs")));
        }
        let rest = pattern.strip_prefix("**/").unwrap_or(pattern);
        let by_name = !is_path && !rest.contains('/') && rest != "**";
        let text = if by_name { rest } else { pattern };
        let matcher = GlobBuilder::new(text)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(|e| {
                let kind = e.kind();
                Refusal(format!("{pattern:?} is not a glob pattern: {kind}; write for example *.{{rs,md}}"))
            })?
            .compile_matcher();
        Ok(Self { matcher, by_name })
    }

    fn matches(&self, root: &Path, path: &Path) -> bool {
        let part = if self.by_name { path.file_name().map(Path::new) } else { path.strip_prefix(root).ok() };
        part.is_some_and(|part| {
            let text: String = part.to_string_lossy().nfc().collect();
            self.matcher.is_match(&text)
        })
    }
}

#[cfg(test)]
mod tests;
