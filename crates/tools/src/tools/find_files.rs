//! The file search: names in the folders of a person.
//!
//! Where the system has an index of names, its answer is taken and each result looked at again; without one, or when it
//! knows nothing, the folders are walked. Both filter by the same rules, so that the answer means the same.

use std::path::Path;
use std::time::UNIX_EPOCH;

use artoo_gate::origin::of_path;
use artoo_gate::paths::PathRules;
use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::target::rooted_pattern;
use artoo_types::text::name_line;
use artoo_types::tool::{CallOutcome, CallRefusal, names as tool_names};
use globset::{GlobBuilder, GlobMatcher};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::glob::joined;
use crate::files::walk::{WalkOmissions, folder};
use crate::files::{index, measure, names, reading};
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

/// The name of the file search: it is `mdfind` where Spotlight answers it.
pub(crate) const FILE_SEARCH: &str =
    if cfg!(target_os = "macos") { tool_names::MDFIND } else { tool_names::FIND_FILES };

pub(super) const ROW: ToolRow = ToolRow::of::<FindFiles>(
    FILE_SEARCH,
    "find files of the person by name, kind, size or age; searches the home folder unless root is given",
)
.looking();

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
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let target = rooted_pattern(self.root(), &self.query, places.bases());
        let root = places.path(self.root());
        let brings = Taint { untrusted: false, ..of_path(places, &root) };
        let facts = CallFacts::new(ROW.name, target, EffectClass::Read, brings).looking_at(&root);
        Judgement::new(facts, reading(&root, places))
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Reads
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
struct FoundFile {
    path: String,
    bytes: u64,
    modified_ms: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ResultOrder {
    Name,
    Size,
    Newest,
}

/// The conditions of one search, read once.
struct SearchConditions {
    query: NameQuery,
    kind: Option<String>,
    larger_than: Option<u64>,
    newer_than_ms: Option<i64>,
    order: ResultOrder,
}

enum NameQuery {
    Part(String),
    Glob(Box<GlobMatcher>),
}

fn search(arguments: &FindFiles, work: &Work) -> Result<CallOutcome, CallOutcome> {
    let refused = |refusal: CallRefusal| CallOutcome::ended(CallEnd::Refused, refusal.0);
    let wanted = SearchConditions::read(arguments, work).map_err(refused)?;
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
    let text = joined(&lines, usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(CallOutcome::done(text).noted(notes))
}

/// What an index of this machine knows, looked at again; nothing where it knows nothing, which tells nothing.
fn indexed(
    root: &Path,
    wanted: &SearchConditions,
    arguments: &FindFiles,
    work: &Work,
    notes: &mut Vec<String>,
) -> Vec<FoundFile> {
    // In a folder that holds secrets, which a person allowed, a walk leaves none of them out, and an index has other rules.
    if work.places.is_secret(&root.to_string_lossy()) {
        return Vec::new();
    }
    let wants_newest = wanted.newer_than_ms.is_some() || wanted.order == ResultOrder::Newest;
    let question = index::NameQuestion { part: &arguments.query, root, wants_newest };
    for answer in index::answers(question, work) {
        let below = answer.paths.iter().filter(|path| is_walked(path, root, work));
        let found: Vec<FoundFile> = below.filter_map(|path| wanted.accepts(path)).take(MAX_FOUND).collect();
        if !found.is_empty() {
            notes.push(answer.note);
            return found;
        }
    }
    Vec::new()
}

fn walked(
    root: &Path,
    wanted: &SearchConditions,
    work: &Work,
) -> Result<(Vec<FoundFile>, WalkOmissions), CallOutcome> {
    let (mut found, mut omitted) = names::search(root, SKIPPED, work, |entry| {
        wanted.may_match(&entry.name.to_string_lossy()).then(|| wanted.accepts(&entry.path())).flatten()
    })?;
    omitted.cut |= found.len() > MAX_FOUND;
    found.truncate(MAX_FOUND);
    Ok((found, omitted))
}

impl SearchConditions {
    fn read(arguments: &FindFiles, work: &Work) -> Result<Self, CallRefusal> {
        let kind = arguments.kind.as_deref().map(|k| k.trim().to_lowercase()).filter(|k| !k.is_empty());
        if let Some(kind) = &kind
            && kind != "file"
            && kind != "folder"
            && !KINDS.iter().any(|(name, _)| name == kind)
        {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            return Err(CallRefusal(format!(
                "there is no kind {kind:?}; the kinds are file, folder, {names}"
            )));
        }
        let order = match arguments.order.as_deref().map(str::trim) {
            None | Some("" | "name") => ResultOrder::Name,
            Some("size") => ResultOrder::Size,
            Some("newest") => ResultOrder::Newest,
            Some(other) => {
                let why = format!("there is no order {other:?}; the orders are name, size, newest");
                return Err(CallRefusal(why));
            }
        };
        let larger_than = arguments.larger_than.as_ref().filter(|v| !v.is_null());
        let newer_than = arguments.newer_than.as_ref().filter(|v| !v.is_null());
        let age = newer_than.map(measure::age_ms).transpose()?;
        Ok(Self {
            query: NameQuery::read(&arguments.query)?,
            kind,
            larger_than: larger_than.map(measure::bytes).transpose()?,
            newer_than_ms: age.map(|ms| work.now.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX))),
            order,
        })
    }

    fn may_match(&self, name: &str) -> bool {
        let folded = fold(name);
        match &self.query {
            NameQuery::Part(part) => folded.contains(part.as_str()),
            NameQuery::Glob(glob) => glob.is_match(&folded),
        }
    }

    fn accepts(&self, path: &Path) -> Option<FoundFile> {
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
        (fits && is_large && is_new).then(|| FoundFile {
            path: path.to_string_lossy().into_owned(),
            bytes: meta.len(),
            modified_ms,
        })
    }

    fn lines(&self, mut found: Vec<FoundFile>) -> Vec<String> {
        found.sort_unstable_by(|a, b| {
            let first = match self.order {
                ResultOrder::Name => std::cmp::Ordering::Equal,
                ResultOrder::Size => b.bytes.cmp(&a.bytes),
                ResultOrder::Newest => b.modified_ms.cmp(&a.modified_ms),
            };
            first.then_with(|| a.path.cmp(&b.path))
        });
        let with_size = self.order == ResultOrder::Size;
        found
            .into_iter()
            .map(|f| (f.bytes, name_line(&f.path).into_owned()))
            .map(|(bytes, path)| if with_size { format!("{bytes}\t{path}") } else { path })
            .collect()
    }
}

impl NameQuery {
    fn read(query: &str) -> Result<Self, CallRefusal> {
        let folded = fold(query);
        let folded = folded.strip_prefix("**/").unwrap_or(&folded);
        if !folded.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(folded.to_owned()));
        }
        GlobBuilder::new(folded)
            .build()
            .map(|glob| Self::Glob(Box::new(glob.compile_matcher())))
            .map_err(|e| CallRefusal(format!("{query:?} is not a glob pattern: {}", e.kind())))
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
mod tests {
    use serde_json::json;

    use crate::bench::Bench;
    use crate::tools::FILE_SEARCH;

    #[test]
    fn names_are_found_in_any_case_and_script() {
        let bench = Bench::new();
        for name in [
            "Report 2024.PDF",
            "photos/Urlaub.JPG",
            "node_modules/report.js",
            "报告.docx",
            "ｗｉｄｅ.txt",
            "small/report",
        ] {
            bench.put(name, "x");
        }
        let cases = [
            (json!({"query": "report", "root": "."}), "~/Report 2024.PDF\n~/small/report"),
            (json!({"query": "report", "kind": "pdf", "root": "."}), "~/Report 2024.PDF"),
            (json!({"query": "*.jpg", "root": "."}), "~/photos/Urlaub.JPG"),
            (json!({"query": "", "kind": "image", "root": "."}), "~/photos/Urlaub.JPG"),
            (json!({"query": "报告", "root": "."}), "~/报告.docx"),
            (json!({"query": "wide", "root": "."}), "~/ｗｉｄｅ.txt"),
            (json!({"query": "", "kind": "folder", "root": "."}), "~/photos\n~/small"),
            (json!({"query": "nothing of the kind", "root": "."}), "(no match)"),
        ];
        for (arguments, output) in cases {
            bench.check(FILE_SEARCH, &arguments, 0, output);
        }
    }

    #[test]
    fn sizes_and_ages_narrow_and_order() {
        let mut bench = Bench::new();
        bench.put("big.bin", vec![b'x'; 3_000]);
        bench.put("mid.bin", vec![b'x'; 2_000]);
        bench.put("low.bin", vec![b'x'; 10]);
        bench.check(
            FILE_SEARCH,
            &json!({"query": "bin", "root": ".", "larger_than": "1kB", "order": "size"}),
            0,
            "3000\t~/big.bin\n2000\t~/mid.bin",
        );
        bench.check(
            FILE_SEARCH,
            &json!({"query": "bin", "root": ".", "order": "size", "limit": 1}),
            0,
            "3000\t~/big.bin\n... and 2 more",
        );
        let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(86_400);
        for name in ["big.bin", "mid.bin", "low.bin"] {
            let file = std::fs::File::options().write(true).open(bench.path(name)).unwrap();
            let days = if name == "mid.bin" { 9 } else { 1 };
            file.set_modified(old + std::time::Duration::from_secs(86_400 * days)).unwrap();
        }
        bench.work.now = artoo_types::Timestamp(12 * 86_400_000);
        bench.check(FILE_SEARCH, &json!({"query": "bin", "root": ".", "newer_than": "7d"}), 0, "~/mid.bin");
        bench.check(
            FILE_SEARCH,
            &json!({"query": "bin", "root": ".", "order": "newest"}),
            0,
            "~/mid.bin\n~/big.bin\n~/low.bin",
        );
    }

    #[test]
    fn the_home_folder_is_searched_unless_told_otherwise() {
        let bench = Bench::new();
        bench.put("holiday.txt", "x");
        bench.check(FILE_SEARCH, &json!({"query": "holiday"}), 0, "~/holiday.txt");
    }
}
