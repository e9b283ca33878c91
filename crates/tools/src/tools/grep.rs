//! `grep`: the lines of text files that match a pattern, with their numbers.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use artoo_gate::origin::of_path;
use artoo_gate::paths::{PathAccess, PathRules};
use artoo_types::evidence::{CallEnd, EffectClass, NO_MATCH};
use artoo_types::target::is_below;
use artoo_types::text::name_line;
use artoo_types::tool::{CallOutcome, CallRefusal, names};
use regex::bytes::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::glob::Pattern;
use super::read_file::open;
use crate::files::content::binary;
use crate::files::reading;
use crate::files::walk::{IgnoreFiles, WalkScope, walk};
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

mod lines;

use lines::{FoundLines, MatchLayout};

pub(super) const ROW: ToolRow = ToolRow::of::<Grep>(
    names::GREP,
    "find lines in text files by a regular expression, with their numbers; skips binary files and what .gitignore names",
)
.looking();

#[derive(Debug, Deserialize, JsonSchema)]
struct Grep {
    /// regular expression, without look-around
    #[serde(alias = "regex", alias = "query")]
    pattern: String,
    /// file or folder; the working directory unless given
    #[serde(default = "here")]
    path: String,
    /// only files whose name or path matches, such as *.rs
    #[serde(alias = "include")]
    glob: Option<String>,
    /// any case
    #[serde(default)]
    ignore_case: bool,
    /// lines shown before and after each
    #[serde(default)]
    context: usize,
    /// most lines; 200 unless given
    limit: Option<usize>,
    /// also what .gitignore names
    #[serde(default)]
    ignored: bool,
}

fn here() -> String {
    ".".to_owned()
}

/// Matching lines that are shown unless the call says otherwise.
const DEFAULT_LIMIT: usize = 200;
/// Matching lines that one call shows.
const MAX_LIMIT: usize = 5_000;
/// Lines of context on each side.
const MAX_CONTEXT: usize = 20;
/// Bytes of the compiled pattern.
const MAX_PATTERN_BYTES: usize = 4 << 20;
/// Bytes of one file that are read.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Files that could not be read which are named.
const MAX_NAMED: usize = 5;
/// Folders that are never walked into.
const SKIPPED: &[&str] = &[".git"];

impl Tool for Grep {
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let path = places.path(&self.path);
        let (permission, brings) = (reading(&path, places), of_path(places, &path));
        let facts = CallFacts::new(ROW.name, path.clone(), EffectClass::Read, brings).looking_at(&path);
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Reads
    }

    fn describe(&self, target: &str) -> String {
        format!("search the text of {target}")
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(move |work| match search(&self, work) {
            Ok(outcome) | Err(outcome) => outcome,
        })
    }
}

/// What a search left out, told beside what it found.
#[derive(Debug, Default)]
struct SearchOmissions {
    unreadable: Vec<String>,
    binary: usize,
    /// Files that strangers sent, in a folder that they did not.
    from_strangers: usize,
    secret: usize,
    cut: usize,
}

impl SearchOmissions {
    fn remarks(&self) -> Vec<String> {
        let named: Vec<&str> = self.unreadable.iter().take(MAX_NAMED).map(String::as_str).collect();
        let more = self.unreadable.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let counted = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let unreadable =
            (!named.is_empty()).then(|| format!("could not be read: {}{more}", named.join(", ")));
        [
            unreadable,
            counted(self.binary, "binary files skipped"),
            counted(self.secret, "files that may hold secrets left out"),
            counted(self.from_strangers, "downloaded files left out; name them as the path"),
            counted(self.cut, "files read only in their first 64 MiB"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn search(arguments: &Grep, work: &Work) -> Result<CallOutcome, CallOutcome> {
    let refused = |refusal: CallRefusal| CallOutcome::ended(CallEnd::Refused, refusal.0);
    let pattern = pattern(arguments).map_err(refused)?;
    let names = arguments.glob.as_deref().map(Pattern::new).transpose().map_err(refused)?;
    let root = work.places.path(&arguments.path);
    let is_file = std::fs::metadata(&root).is_ok_and(|meta| !meta.is_dir());
    let (files, walked) = if is_file {
        (vec![PathBuf::from(&root)], None)
    } else {
        files(&root, names.as_ref(), arguments.ignored, work)?
    };
    let limit = arguments.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    let layout = MatchLayout { context: arguments.context.min(MAX_CONTEXT), limit };
    let mut found = FoundLines::new(layout);
    let mut omitted = SearchOmissions::default();
    let is_untrusted = of_path(&work.places, &root).untrusted;
    for file in files {
        if let Some(ended) = work.ended() {
            return Err(ended);
        }
        let path = file.to_string_lossy();
        if !is_file && !is_untrusted && of_path(&work.places, &path).untrusted {
            omitted.from_strangers += 1;
        } else if !is_file && work.places.opening(&path) != PathAccess::Free {
            omitted.secret += 1;
        } else {
            let shown = if is_file { None } else { Some(shown(&path, &work.places)) };
            search_file(&path, shown.as_deref(), &pattern, work, &mut found, &mut omitted)?;
        }
    }
    if is_file && let Some(why) = omitted.unreadable.pop() {
        return Err(CallOutcome::failed(why));
    }
    let remarks = found.remark().into_iter().chain(walked).chain(omitted.remarks());
    let remarks: Vec<String> = remarks.collect();
    let text = found.into_text().unwrap_or_else(|| NO_MATCH.to_owned());
    Ok(CallOutcome::done(text).noted(remarks))
}

fn pattern(arguments: &Grep) -> Result<Regex, CallRefusal> {
    if arguments.pattern.is_empty() {
        return Err(CallRefusal("the pattern is empty; give a word or a regular expression".to_owned()));
    }
    RegexBuilder::new(&arguments.pattern)
        .case_insensitive(arguments.ignore_case)
        .size_limit(MAX_PATTERN_BYTES)
        .build()
        .map_err(|error| {
            let why = error.to_string();
            let why = why.lines().last().unwrap_or_default();
            CallRefusal(format!(
                "{:?} is no regular expression: {why}; write \\( for a parenthesis itself, and no look-around",
                arguments.pattern
            ))
        })
}

/// The files below a folder, sorted, and what the walk says of those that it left out.
fn files(
    root: &str,
    names: Option<&Pattern>,
    ignored: bool,
    work: &Work,
) -> Result<(Vec<PathBuf>, Option<String>), CallOutcome> {
    let root = crate::files::walk::folder(root)?;
    let mut files = Vec::new();
    let ignore_files = if ignored { IgnoreFiles::Unread } else { IgnoreFiles::Heeded };
    let omitted = walk(&root, WalkScope { skip: SKIPPED, ignore_files }, work, |entry| {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && names.is_none_or(|names| names.matches(&root, entry.path())) {
            files.push(entry.path().to_owned());
        }
    })?;
    files.sort_unstable();
    Ok((files, omitted.remark()))
}

/// How a file is called in the result: as seen from the working directory, where it lies below that.
fn shown(path: &str, places: &PathRules) -> String {
    let folder = places.working_directory.trim_end_matches('/');
    let shown = if is_below(path, folder) { &path[folder.len() + 1..] } else { path };
    name_line(shown).into_owned()
}

fn search_file(
    path: &str,
    shown: Option<&str>,
    pattern: &Regex,
    work: &Work,
    found: &mut FoundLines,
    omitted: &mut SearchOmissions,
) -> Result<(), CallOutcome> {
    let mut reader = match open(path, work) {
        Ok(reader) => reader,
        Err(why) => {
            omitted.unreadable.push(why);
            return Ok(());
        }
    };
    match reader.fill_buf() {
        Ok(start) if binary(start).is_some() => {
            if shown.is_none() {
                return Err(CallOutcome::failed(format!(
                    "{path} is binary; ask shell with strings about it"
                )));
            }
            omitted.binary += 1;
            return Ok(());
        }
        Ok(_) => {}
        Err(error) => {
            omitted.unreadable.push(format!("{path}: {}", crate::files::walk::plain(&error)));
            return Ok(());
        }
    }
    let mut reader = std::io::Read::take(reader, MAX_FILE_BYTES);
    found.begin(shown.map(Path::new));
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                omitted.unreadable.push(format!("{path}: {}", crate::files::walk::plain(&error)));
                break;
            }
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        found.line(number, text, pattern.is_match(text));
        if number % LOOK_EVERY == 0
            && let Some(ended) = work.ended()
        {
            return Err(ended);
        }
    }
    omitted.cut += usize::from(reader.limit() == 0);
    Ok(())
}

/// How often the clock and the stop signal are looked at, in lines.
const LOOK_EVERY: u64 = 10_000;

#[cfg(test)]
mod tests;
