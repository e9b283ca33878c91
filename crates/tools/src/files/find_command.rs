//! A shell `find` by name in a person's folders, answered from Spotlight's index instead of minutes of walking.
//!
//! Only a command that is nothing but that is taken: one folder, one name, perhaps a type. Anything else in it, an action,
//! a path test, a depth, a second command, and the command runs as it is; no word of it is ever left out. The receipt
//! keeps the command as it was asked for, and its note gives both forms.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use crate::files::index;
use crate::work::Work;
use artoo_types::target::is_below;
use artoo_types::tool::CallOutcome;

/// Folders of people. Elsewhere a walk is quick, and an index knows little.
const PERSONAL: &[&str] = &["/Users", "/home", "/Volumes"];

/// A `find` that an index can answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NameSearch {
    root: String,
    name: String,
    any_case: bool,
    kind: Option<char>,
}

/// The answer to this command from the index; `None` if the command has to run.
pub(crate) fn answered(command: &str, work: &Work) -> Option<CallOutcome> {
    let search = NameSearch::read(command, &work.places.home)?;
    let root = Path::new(&search.root);
    // Through a link `find` looks only at the link itself. A place with secrets that a person allowed is searched whole.
    root.symlink_metadata().ok().filter(std::fs::Metadata::is_dir)?;
    if work.places.is_secret(&search.root) {
        return None;
    }
    let flags = if search.any_case { "c" } else { "" };
    let comparison = format!("\"{}\"{flags}", search.name);
    let matcher = search.matcher()?;
    let mut found: Vec<String> = index::mdfind(&comparison, root, work)?
        .iter()
        .filter(|path| path.starts_with(root) && search.accepts(path, &matcher))
        .map(|path| path.to_string_lossy().into_owned())
        // The sandbox keeps these from a command that runs, and the index knows them all the same.
        .filter(|path| !work.places.is_secret(path))
        .collect();
    if found.is_empty() {
        return None;
    }
    found.sort_unstable();
    let note = format!(
        "answered from the Spotlight index with mdfind -onlyin {} 'kMDItemFSName == {comparison}' in the place of \
         running {command}",
        search.root
    );
    Some(CallOutcome::done(format!("{}\n", found.join("\n"))).noted(Some(note)))
}

impl NameSearch {
    fn read(command: &str, home: &str) -> Option<Self> {
        let words = words(command)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ["find", root, tests @ ..] = words.as_slice() else { return None };
        let (mut name, mut kind) = (None, None);
        for pair in tests.chunks(2) {
            match pair {
                ["-name", text] if name.is_none() => name = Some((*text, false)),
                ["-iname", text] if name.is_none() => name = Some((*text, true)),
                ["-type", "f"] if kind.is_none() => kind = Some('f'),
                ["-type", "d"] if kind.is_none() => kind = Some('d'),
                _ => return None,
            }
        }
        let (name, any_case) = name?;
        // These are more than a name: Spotlight knows `*` alone, and `find` reads the rest as a pattern of its own.
        if name.is_empty() || name.contains(['?', '[', ']', '{', '}', '\\', '"', '/']) {
            return None;
        }
        let root = match root.strip_prefix('~') {
            Some(rest) => (rest.is_empty() || rest.starts_with('/')).then(|| format!("{home}{rest}"))?,
            None => (*root).to_owned(),
        };
        if name.starts_with('~') || root.split('/').any(|part| part == ".." || part == ".") {
            return None;
        }
        let is_personal = is_below(&root, home) || PERSONAL.iter().any(|place| is_below(&root, place));
        let root = root.trim_end_matches('/').to_owned();
        // The folder itself is looked at by `find` as well; what an index says of it differs.
        let own = root.rsplit('/').next().unwrap_or_default().to_owned();
        let search = Self { root, name: name.to_owned(), any_case, kind };
        (is_personal && !search.matcher()?.is_match(&own)).then_some(search)
    }

    fn matcher(&self) -> Option<GlobMatcher> {
        GlobBuilder::new(&self.name)
            .case_insensitive(self.any_case)
            .backslash_escape(false)
            .build()
            .ok()
            .map(|glob| glob.compile_matcher())
    }

    fn accepts(&self, path: &Path, matcher: &GlobMatcher) -> bool {
        let Ok(meta) = path.symlink_metadata() else { return false };
        let fits = match self.kind {
            None => true,
            Some('d') => meta.is_dir(),
            Some(_) => meta.is_file(),
        };
        fits && path.file_name().is_some_and(|name| matcher.is_match(name))
    }
}

/// The words of a command that is one simple command: plain characters, quotes around plain characters, a `~/` at the
/// start of the folder, and at the end perhaps the errors thrown away. None for anything that a shell reads otherwise.
fn words(command: &str) -> Option<Vec<String>> {
    let command = command.trim();
    let command = command.strip_suffix("2>/dev/null").map_or(command, str::trim_end);
    let plain = |c: char| c.is_alphanumeric() || "_-./+,:@%~".contains(c);
    let mut words = Vec::new();
    let mut rest = command;
    while !rest.is_empty() {
        let word = match rest.chars().next()? {
            quote @ ('"' | '\'') => {
                let inside = rest[1..].split_once(quote)?.0;
                rest = &rest[inside.len() + 2..];
                // Nothing of this means anything between either quotes.
                inside.chars().all(|c| plain(c) || " *()&".contains(c)).then_some(())?;
                // A tilde between quotes is a name like any other.
                (!inside.starts_with('~')).then_some(())?;
                inside.to_owned()
            }
            _ => {
                let end = rest.find(' ').unwrap_or(rest.len());
                let word = &rest[..end];
                rest = &rest[end..];
                word.chars().all(plain).then(|| word.to_owned())?
            }
        };
        words.push(word);
        match rest.strip_prefix(' ') {
            Some(more) => rest = more.trim_start_matches(' '),
            None => rest.is_empty().then_some(())?,
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests;
