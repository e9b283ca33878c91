//! The file search: names in the folders of a person.
//!
//! Where the system has an index of names, its answer is taken and each result looked at again; without one, or when it
//! knows nothing, the folders are walked. Both filter by the same rules, so that the answer means the same.

use std::path::Path;
use std::time::UNIX_EPOCH;

use artoo_gate::origin::of_path;
use artoo_gate::places::Places;
use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::target::rooted_pattern;
use artoo_types::tool::{CallOutcome, Refusal};
use globset::{GlobBuilder, GlobMatcher};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::glob::listing;
use crate::files::walk::{Omitted, folder, walk};
use crate::files::{index, measure, reading};
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Containment, Judgement, Running, Tool, ToolRow};
use crate::work::{ToolRun, Work};

/// The name of the file search: it is `mdfind` where Spotlight answers it.
pub(crate) const FILE_SEARCH: &str = if cfg!(target_os = "macos") { "mdfind" } else { "find_files" };

pub(super) const ROW: ToolRow = ToolRow::of::<FindFiles>(
    FILE_SEARCH,
    "find files of the person by name, kind, size or age; searches the home folder unless root is given",
);

#[derive(Debug, Deserialize, JsonSchema)]
struct FindFiles {
    /// part of the name, any case, or a glob; empty for every name
    query: String,
    /// file, folder, image, video, audio, pdf, document, archive or code
    kind: Option<String>,
    /// bytes, or a size such as 20MB
    #[schemars(with = "Option<String>")]
    larger_than: Option<Value>,
    /// an age such as 7d, 12h or 2w
    #[schemars(with = "Option<String>")]
    newer_than: Option<Value>,
    /// most results
    limit: Option<u64>,
    /// folder to search
    root: Option<String>,
    /// name, size (biggest first) or newest
    order: Option<String>,
}

impl FindFiles {
    fn root(&self) -> &str {
        self.root.as_deref().unwrap_or("~")
    }
}

impl Tool for FindFiles {
    fn judge(&self, places: &Places, _: &Sandbox) -> Judgement {
        let target = rooted_pattern(self.root(), &self.query, places.bases());
        let root = places.path(self.root());
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
        run.on_thread(move |work| match search(&self, work) {
            Ok(outcome) | Err(outcome) => outcome,
        })
    }
}

/// Results unless the call says otherwise.
const DEFAULT_LIMIT: u64 = 1_000;
/// Results that one call lists.
const MAX_LISTED: u64 = 10_000;
/// Results that are collected before sorting. 500,000 of some 150 bytes are 75 MB for a moment.
const MAX_FOUND: usize = 500_000;
/// Folders that are no place of a person's own files: version control, packages, caches, waste.
const SKIPPED: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "__pycache__",
    ".cache",
    "Caches",
    ".npm",
    ".cargo",
    ".rustup",
    ".venv",
    ".tox",
    ".Trash",
    ".local",
];

/// File kinds by extension, in lower case.
const KINDS: &[(&str, &[&str])] = &[
    (
        "image",
        &[
            "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "bmp", "tif", "tiff", "svg", "ico", "raw",
            "cr2", "nef", "arw", "dng", "avif", "psd",
        ],
    ),
    ("video", &["mp4", "mov", "m4v", "mkv", "avi", "webm", "wmv", "flv", "mpg", "mpeg", "3gp", "ts"]),
    (
        "audio",
        &["mp3", "m4a", "aac", "flac", "wav", "ogg", "oga", "opus", "aiff", "aif", "wma", "alac", "mid"],
    ),
    ("pdf", &["pdf"]),
    (
        "document",
        &[
            "pdf", "doc", "docx", "odt", "rtf", "txt", "md", "pages", "tex", "xls", "xlsx", "ods", "csv",
            "numbers", "ppt", "pptx", "odp", "key", "epub", "html", "htm",
        ],
    ),
    (
        "archive",
        &["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "dmg", "iso", "jar", "tbz2", "txz"],
    ),
    (
        "code",
        &[
            "rs", "py", "js", "ts", "tsx", "jsx", "c", "h", "cc", "cpp", "hpp", "go", "java", "kt", "swift",
            "rb", "php", "sh", "bash", "zsh", "pl", "lua", "sql", "cs", "scala", "m", "mm", "r", "jl", "hs",
            "ml", "ex", "exs", "erl", "clj", "html", "css", "scss", "vue", "toml", "yaml", "yml", "json",
            "proto",
        ],
    ),
];

/// One result.
struct Found {
    path: String,
    bytes: u64,
    modified_ms: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Name,
    Size,
    Newest,
}

/// The conditions of one search, read once.
struct Wanted {
    query: Query,
    kind: Option<String>,
    larger_than: Option<u64>,
    newer_than_ms: Option<i64>,
    order: Order,
}

enum Query {
    Part(String),
    Glob(Box<GlobMatcher>),
}

fn search(arguments: &FindFiles, work: &Work) -> Result<CallOutcome, CallOutcome> {
    let refused = |refusal: Refusal| CallOutcome::ended(CallEnd::Refused, refusal.0);
    let wanted = Wanted::read(arguments, work).map_err(refused)?;
    let root = folder(&work.places.path(arguments.root()))?;
    let mut notes = Vec::new();
    let mut found = indexed(&root, &wanted, arguments, work, &mut notes);
    if found.is_empty() {
        let (walked, omitted) = walked(&root, &wanted, work)?;
        found = walked;
        notes.extend(omitted.remark());
    }
    let limit = arguments.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LISTED);
    let lines = wanted.lines(found);
    let text = listing(&lines, usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(CallOutcome::done(text).noted(notes))
}

/// What an index of this machine knows, looked at again; nothing where it knows nothing, which tells nothing.
fn indexed(
    root: &Path,
    wanted: &Wanted,
    arguments: &FindFiles,
    work: &Work,
    notes: &mut Vec<String>,
) -> Vec<Found> {
    // In a folder that holds secrets, which a person allowed, a walk leaves none of them out, and an index has other rules.
    if work.places.is_secret(&root.to_string_lossy()) {
        return Vec::new();
    }
    let wants_newest = wanted.newer_than_ms.is_some() || wanted.order == Order::Newest;
    let question = index::Question { part: &arguments.query, root, wants_newest };
    for answer in index::answers(question, work) {
        let below = answer.paths.iter().filter(|path| is_walked(path, root, work));
        let found: Vec<Found> = below.filter_map(|path| wanted.accepts(path)).take(MAX_FOUND).collect();
        if !found.is_empty() {
            notes.push(answer.note);
            return found;
        }
    }
    Vec::new()
}

fn walked(root: &Path, wanted: &Wanted, work: &Work) -> Result<(Vec<Found>, Omitted), CallOutcome> {
    let mut found = Vec::new();
    let mut too_many = false;
    let mut omitted = walk(root, SKIPPED, work, |entry| {
        if wanted.may_match(&entry.file_name().to_string_lossy())
            && let Some(result) = wanted.accepts(entry.path())
        {
            if found.len() < MAX_FOUND {
                found.push(result);
            } else {
                too_many = true;
            }
        }
    })?;
    omitted.cut |= too_many;
    Ok((found, omitted))
}

impl Wanted {
    fn read(arguments: &FindFiles, work: &Work) -> Result<Self, Refusal> {
        let kind = arguments.kind.as_deref().map(|k| k.trim().to_lowercase()).filter(|k| !k.is_empty());
        if let Some(kind) = &kind
            && kind != "file"
            && kind != "folder"
            && !KINDS.iter().any(|(name, _)| name == kind)
        {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            return Err(Refusal(format!("there is no kind {kind:?}; the kinds are file, folder, {names}")));
        }
        let order = match arguments.order.as_deref().map(str::trim) {
            None | Some("" | "name") => Order::Name,
            Some("size") => Order::Size,
            Some("newest") => Order::Newest,
            Some(other) => {
                let why = format!("there is no order {other:?}; the orders are name, size, newest");
                return Err(Refusal(why));
            }
        };
        let larger_than = arguments.larger_than.as_ref().filter(|v| !v.is_null());
        let newer_than = arguments.newer_than.as_ref().filter(|v| !v.is_null());
        let age = newer_than.map(measure::age_ms).transpose()?;
        Ok(Self {
            query: Query::read(&arguments.query)?,
            kind,
            larger_than: larger_than.map(measure::bytes).transpose()?,
            newer_than_ms: age.map(|ms| work.now.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX))),
            order,
        })
    }

    fn may_match(&self, name: &str) -> bool {
        let folded = fold(name);
        match &self.query {
            Query::Part(part) => folded.contains(part.as_str()),
            Query::Glob(glob) => glob.is_match(&folded),
        }
    }

    fn accepts(&self, path: &Path) -> Option<Found> {
        let name = path.file_name()?.to_string_lossy();
        if !self.may_match(&name) {
            return None;
        }
        let meta = path.symlink_metadata().ok()?;
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let fits = match self.kind.as_deref() {
            None => meta.is_file() || meta.is_dir(),
            Some("folder") => meta.is_dir(),
            Some("file") => meta.is_file(),
            Some(kind) => {
                meta.is_file()
                    && KINDS.iter().any(|(name, list)| *name == kind && list.contains(&extension.as_str()))
            }
        };
        let age = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let modified_ms = age.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX));
        let is_large = self.larger_than.is_none_or(|bytes| meta.is_file() && meta.len() > bytes);
        let is_new = self.newer_than_ms.is_none_or(|since| modified_ms >= since);
        (fits && is_large && is_new).then(|| Found {
            path: path.to_string_lossy().into_owned(),
            bytes: meta.len(),
            modified_ms,
        })
    }

    fn lines(&self, mut found: Vec<Found>) -> Vec<String> {
        found.sort_unstable_by(|a, b| {
            let first = match self.order {
                Order::Name => std::cmp::Ordering::Equal,
                Order::Size => b.bytes.cmp(&a.bytes),
                Order::Newest => b.modified_ms.cmp(&a.modified_ms),
            };
            first.then_with(|| a.path.cmp(&b.path))
        });
        let with_size = self.order == Order::Size;
        found
            .into_iter()
            .map(|f| if with_size { format!("{}\t{}", f.bytes, f.path) } else { f.path })
            .collect()
    }
}

impl Query {
    fn read(query: &str) -> Result<Self, Refusal> {
        let folded = fold(query);
        let folded = folded.strip_prefix("**/").unwrap_or(&folded);
        if !folded.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(folded.to_owned()));
        }
        GlobBuilder::new(folded)
            .build()
            .map(|glob| Self::Glob(Box::new(glob.compile_matcher())))
            .map_err(|e| Refusal(format!("{query:?} is not a glob pattern: {}", e.kind())))
    }
}

/// Whether a walk of this folder comes by this path.
fn is_walked(path: &Path, root: &Path, work: &Work) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    let is_plain = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    is_plain
        && below.iter().next().is_some()
        && !below.iter().any(|part| SKIPPED.contains(&part.to_string_lossy().as_ref()))
        && !work.places.is_secret(&path.to_string_lossy())
}

#[cfg(test)]
mod tests;
