//! The file search: names in the folders of a person.
//!
//! On macOS Spotlight answers it; elsewhere, and when Spotlight does not answer, the folders are walked. Both filter by
//! the same rules, so that the answer means the same.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use artoo_types::evidence::CallEnd;
use artoo_types::tag::fold;
use globset::{GlobBuilder, GlobMatcher};

use crate::arguments::FindArguments;
use crate::receipt::Produced;
use crate::tool::glob::listing;
use crate::tool::walk::{Omitted, folder, walk};
use crate::tool::{Work, measure};

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

/// Searches.
pub(crate) fn run(arguments: &FindArguments, work: &Work) -> Produced {
    match search(arguments, work) {
        Ok(produced) | Err(produced) => produced,
    }
}

fn search(arguments: &FindArguments, work: &Work) -> Result<Produced, Produced> {
    let refused = |message| Produced::ended(CallEnd::Refused, message);
    let wanted = Wanted::read(arguments, work).map_err(refused)?;
    let root = folder(&work.places.path(arguments.root.as_deref().unwrap_or("~")))?;
    let mut found = Vec::new();
    let mut too_many = false;
    let mut take = |path: &Path| {
        if let Some(result) = wanted.accepts(path) {
            if found.len() < MAX_FOUND {
                found.push(result);
            } else {
                too_many = true;
            }
        }
    };
    let mut note = None;
    let mut omitted = Omitted::default();
    if let Some(paths) = spotlight(&root, arguments, work) {
        note = Some("answered from the Spotlight index".to_owned());
        for path in paths.iter().filter(|p| !left_out(p, &root, work)) {
            take(path);
        }
    } else {
        omitted = walk(&root, SKIPPED, work, |entry| {
            if wanted.may_match(&entry.file_name().to_string_lossy()) {
                take(entry.path());
            }
        })?;
    }
    omitted.cut |= too_many;
    let limit = arguments.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LISTED);
    let lines = wanted.lines(found);
    let text = listing(&lines, usize::try_from(limit).unwrap_or(usize::MAX));
    let notes: Vec<String> = note.into_iter().chain(omitted.remark()).collect();
    Ok(Produced::done(text).noted((!notes.is_empty()).then(|| notes.join("; "))))
}

impl Wanted {
    fn read(arguments: &FindArguments, work: &Work) -> Result<Self, String> {
        let kind = arguments.kind.as_deref().map(|k| k.trim().to_lowercase()).filter(|k| !k.is_empty());
        if let Some(kind) = &kind
            && kind != "file"
            && kind != "folder"
            && !KINDS.iter().any(|(name, _)| name == kind)
        {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "there is no kind {kind:?}; the kinds are file, folder, {}",
                names.join(", ")
            ));
        }
        let order = match arguments.order.as_deref().map(str::trim) {
            None | Some("" | "name") => Order::Name,
            Some("size") => Order::Size,
            Some("newest") => Order::Newest,
            Some(other) => {
                return Err(format!("there is no order {other:?}; the orders are name, size, newest"));
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
    fn read(query: &str) -> Result<Self, String> {
        let folded = fold(query);
        let folded = folded.strip_prefix("**/").unwrap_or(&folded);
        if !folded.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(folded.to_owned()));
        }
        GlobBuilder::new(folded)
            .build()
            .map(|glob| Self::Glob(Box::new(glob.compile_matcher())))
            .map_err(|e| format!("{query:?} is not a glob pattern: {}", e.kind()))
    }
}

/// What Spotlight knows under `root`; none where there is no Spotlight or it does not answer. The query is matched
/// again afterwards, so the question may be the wider one.
fn spotlight(root: &Path, arguments: &FindArguments, work: &Work) -> Option<Vec<PathBuf>> {
    let plain = arguments.query.trim();
    if !cfg!(target_os = "macos") || plain.is_empty() || plain.contains(['*', '?', '[', '{', '"', '\\']) {
        return None;
    }
    work.ended().is_none().then_some(())?;
    let answer = std::process::Command::new("/usr/bin/mdfind")
        .arg("-0")
        .arg("-onlyin")
        .arg(root)
        .arg(format!("kMDItemFSName == \"*{plain}*\"cd"))
        .env_clear()
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    answer.status.success().then(|| text.split('\0').filter(|p| !p.is_empty()).map(PathBuf::from).collect())
}

/// Whether a walk would have left this path out.
fn left_out(path: &Path, root: &Path, work: &Work) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    below.iter().any(|part| SKIPPED.contains(&part.to_string_lossy().as_ref()))
        || work.places.is_secret(&path.to_string_lossy())
}

#[cfg(test)]
mod tests;
