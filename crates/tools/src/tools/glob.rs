//! `glob`: the files below a folder that match a pattern.

use std::ffi::OsStr;
use std::path::Path;

use artoo_gate::origin::of_path;
use artoo_gate::paths::PathRules;
use artoo_types::evidence::NO_MATCH;
use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::taint::Taint;
use artoo_types::target::rooted_pattern;
use artoo_types::text::name_line;
use artoo_types::tool::{CallOutcome, CallRefusal, names as tool_names};
use globset::{GlobBuilder, GlobMatcher};
use schemars::JsonSchema;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::files::names;
use crate::files::reading;
use crate::files::walk::{WalkOmissions, folder};
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

pub(super) const ROW: ToolRow = ToolRow::of::<Glob>(
    tool_names::GLOB,
    "list the files below a folder whose name or path matches a pattern such as *.rs or src/**/*.{c,h}",
)
.looking();

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
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let (root, pattern) = split(&self.root, &self.pattern);
        let target = rooted_pattern(&root, pattern.trim_start_matches("./"), places.bases());
        let root = places.path(&root);
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
pub(crate) fn find(
    root: &str,
    pattern: &str,
    work: &Work,
) -> Result<(Vec<String>, WalkOmissions), CallOutcome> {
    let root = folder(&work.places.path(root))?;
    let pattern = Pattern::new(pattern).map_err(|e| CallOutcome::ended(CallEnd::Refused, e.0))?;
    let (mut paths, mut omitted) = names::search(&root, SKIPPED, work, |entry| {
        let may_match = entry.kind.is_some_and(|kind| kind.is_file() || kind.is_symlink());
        if !may_match || !pattern.may_match(entry.name) {
            return None;
        }
        let path = entry.path();
        let is_file = entry.kind.is_some_and(|kind| kind.is_file())
            || path.metadata().is_ok_and(|metadata| metadata.is_file());
        (is_file && pattern.matches(&root, &path)).then(|| path.to_string_lossy().into_owned())
    })?;
    omitted.cut |= paths.len() > MAX_FOUND;
    paths.truncate(MAX_FOUND);
    paths.sort_unstable();
    Ok((paths, omitted))
}

/// One path a line, whatever is in its name; past `max` a line says how many more there are; nothing is said as such.
pub(crate) fn listing(paths: &[String], max: usize) -> String {
    let shown: Vec<String> = paths.iter().take(max).map(|path| name_line(path).into_owned()).collect();
    told(&shown, paths.len())
}

/// The same of lines that are ready.
pub(crate) fn joined(lines: &[String], max: usize) -> String {
    told(&lines[..lines.len().min(max)], lines.len())
}

fn told(shown: &[String], all: usize) -> String {
    if shown.is_empty() {
        return NO_MATCH.to_owned();
    }
    let mut text = shown.join("\n");
    if all > shown.len() {
        text.push_str(&format!("\n... and {} more", all - shown.len()));
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
pub(super) struct Pattern {
    matcher: GlobMatcher,
    by_name: bool,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn new(pattern: &str) -> Result<Self, CallRefusal> {
        let pattern: String = pattern.trim().nfc().collect();
        let is_path = pattern.starts_with("./");
        let pattern = pattern.strip_prefix("./").unwrap_or(&pattern);
        if pattern.is_empty() || pattern.len() > MAX_PATTERN_BYTES {
            return Err(CallRefusal(format!(
                "a pattern has 1 to {MAX_PATTERN_BYTES} bytes, for example *.rs"
            )));
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
                CallRefusal(format!(
                    "{pattern:?} is not a glob pattern: {kind}; write for example *.{{rs,md}}"
                ))
            })?
            .compile_matcher();
        Ok(Self { matcher, by_name })
    }

    /// Whether the path, which lies below the root, matches.
    pub(super) fn matches(&self, root: &Path, path: &Path) -> bool {
        let part =
            if self.by_name { path.file_name() } else { path.strip_prefix(root).ok().map(Path::as_os_str) };
        part.is_some_and(|part| self.is_match(part))
    }

    /// Whether a path with this name at its end can match.
    fn may_match(&self, name: &OsStr) -> bool {
        !self.by_name || self.is_match(name)
    }

    fn is_match(&self, part: &OsStr) -> bool {
        let text = part.to_string_lossy();
        if text.is_ascii() {
            return self.matcher.is_match(text.as_ref());
        }
        self.matcher.is_match(text.nfc().collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{listing, split};
    use crate::bench::Bench;
    use crate::tools::FILE_SEARCH;

    #[test]
    fn patterns_without_a_slash_match_names_and_others_paths() {
        let bench = Bench::new();
        for name in ["a.rs", "b.md", "src/c.rs", "src/deep/d.rs", ".git/e.rs", ".hidden/f.rs", "日本語.txt"]
        {
            bench.put(name, "x");
        }
        let cases = [
            ("*.rs", "~/.hidden/f.rs\n~/a.rs\n~/src/c.rs\n~/src/deep/d.rs"),
            ("**/*.rs", "~/.hidden/f.rs\n~/a.rs\n~/src/c.rs\n~/src/deep/d.rs"),
            ("src/*.rs", "~/src/c.rs"),
            ("./*.rs", "~/a.rs"),
            ("src/**/*.rs", "~/src/c.rs\n~/src/deep/d.rs"),
            ("**/deep/*.rs", "~/src/deep/d.rs"),
            ("*.{md,txt}", "~/b.md\n~/日本語.txt"),
            ("日本*", "~/日本語.txt"),
            ("*.py", "(no match)"),
        ];
        for (pattern, output) in cases {
            bench.check("glob", &json!({"root": ".", "pattern": pattern}), 0, output);
        }
        let absolute = format!("{}/src/*.rs", bench.work.places.working_directory);
        bench.check("glob", &json!({"root": ".", "pattern": absolute}), 0, "~/src/c.rs");
        bench.check(
            "glob",
            &json!({"root": "missing", "pattern": "*"}),
            1,
            "~/missing: no such file or folder",
        );
    }

    #[test]
    fn one_name_is_one_line_of_every_listing() {
        let bench = Bench::new();
        bench.put("a.rs\n/etc/passwd", "fn main() {}\n");
        bench.put("b\u{1b}[31m.rs", "fn other() {}\n");
        let (a, b) = ("a.rs\\u{a}/etc/passwd", "b\\u{1b}[31m.rs");
        bench.check("glob", &json!({"root": ".", "pattern": "*"}), 0, &format!("~/{a}\n~/{b}"));
        let search = json!({"query": "", "root": ".", "order": "size", "kind": "file"});
        bench.check(FILE_SEARCH, &search, 0, &format!("14\t~/{b}\n13\t~/{a}"));
        bench.check(
            "grep",
            &json!({"pattern": "fn"}),
            0,
            &format!("{a}:1:fn main() {{}}\n{b}:1:fn other() {{}}"),
        );
    }

    #[test]
    fn secret_folders_are_left_out_of_wider_walks() {
        let bench = Bench::new();
        std::fs::write(format!("{}/.ssh/id", bench.work.places.home), "key").unwrap();
        std::fs::write(format!("{}/.artoo/id", bench.work.places.home), "key").unwrap();
        let produced = bench.run("glob", &json!({"root": "~", "pattern": "id"}));
        assert_eq!(produced.output, "(no match)");
        assert!(produced.note.is_some_and(|n| n.contains("2 places")));
    }

    #[test]
    fn long_listings_say_how_many_more_there_are() {
        let paths: Vec<String> = (0..5).map(|n| format!("/{n}")).collect();
        assert_eq!(listing(&paths, 2), "/0\n/1\n... and 3 more");
        assert_eq!(listing(&paths[..2], 2), "/0\n/1");
    }

    #[test]
    fn a_pattern_that_is_a_path_brings_its_root() {
        let own = |root: &str, pattern: &str| (root.to_owned(), pattern.to_owned());
        assert_eq!(split(".", "*.rs"), own(".", "*.rs"));
        assert_eq!(split(".", "/a/b/*.rs"), own("/a/b", "./*.rs"));
        assert_eq!(split(".", "~/x/**/y"), own("~/x", "./**/y"));
        assert_eq!(split(".", "/a/b.txt"), own("/a", "./b.txt"));
        assert_eq!(split(".", "/*"), own("/", "./*"));
    }
}
