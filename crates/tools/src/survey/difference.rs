//! What two looks at the same places differ in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use artoo_types::evidence::{ChangeKind, FileChange, ModeChange};
use artoo_types::limits::MAX_CHANGES;
use similar::TextDiff;

use super::look::{EntryKind, Look, SeenEntry, is_made_by_programs};
use super::{SurveyedAct, WrittenText};

/// Files of one call whose texts are shown.
const MAX_TEXTS: usize = 8;
/// Lines around each difference.
const CONTEXT_LINES: usize = 2;
/// How long one difference may be looked for; a coarser one is given after that.
const DIFF_TIME: Duration = Duration::from_millis(50);

/// One path that is another than before.
struct PathDifference<'a> {
    path: &'a Path,
    kind: ChangeKind,
    then: Option<&'a SeenEntry>,
    now: Option<&'a SeenEntry>,
}

/// What is another after a call than before. `is_shown` tells of which files the text may be shown.
pub(super) fn difference(before: &Look, after: &Look, is_shown: &dyn Fn(&str) -> bool) -> SurveyedAct {
    let mut found: Vec<PathDifference<'_>> = Vec::new();
    for (path, then) in &before.entries {
        let now = after.entries.get(path);
        let kind = match now {
            None => ChangeKind::Deleted,
            Some(now) if before.differs(then, now) => ChangeKind::Changed,
            Some(_) => continue,
        };
        found.push(PathDifference { path, kind, then: Some(then), now });
    }
    for (path, now) in &after.entries {
        if !before.entries.contains_key(path) {
            found.push(PathDifference { path, kind: ChangeKind::Made, then: None, now: Some(now) });
        }
    }
    // A folder that came or went as a whole stands for what lies in it, which therefore comes after everything else.
    let whole: Vec<PathBuf> =
        found.iter().filter(|one| one.is_whole_folder()).map(|one| one.path.to_owned()).collect();
    found.sort_by_cached_key(|one| {
        let is_within = whole.iter().any(|folder| folder != one.path && one.path.starts_with(folder));
        (is_made_by_programs(one.path), is_within, one.path.to_owned())
    });
    let more = found.len().saturating_sub(MAX_CHANGES) as u64;
    let texts = texts(&found, is_shown);
    found.truncate(MAX_CHANGES);
    let unseen = before.unseen.union(&after.unseen).count() as u64;
    let changes = found.into_iter().map(PathDifference::into_change).collect();
    SurveyedAct { changes, more, unseen, texts }
}

impl PathDifference<'_> {
    fn is_whole_folder(&self) -> bool {
        let is_folder = |entry: &SeenEntry| entry.kind == EntryKind::Folder;
        self.kind != ChangeKind::Changed && self.then.or(self.now).is_some_and(is_folder)
    }

    fn modes(&self) -> Option<ModeChange> {
        let (then, now) = self.then.zip(self.now)?;
        let is_file = then.kind == EntryKind::File && now.kind == EntryKind::File;
        (is_file && then.mode != now.mode).then_some(ModeChange { before: then.mode, after: now.mode })
    }

    fn into_change(self) -> FileChange {
        let digest = |entry: Option<&SeenEntry>| entry.and_then(|entry| entry.digest.clone());
        FileChange {
            path: self.path.to_string_lossy().into_owned(),
            kind: self.kind,
            before: digest(self.then),
            after: digest(self.now),
            modes: self.modes(),
        }
    }
}

/// What was written to the first files. What was only moved was not written.
fn texts(found: &[PathDifference<'_>], is_shown: &dyn Fn(&str) -> bool) -> Vec<WrittenText> {
    let gone: Vec<&String> = found
        .iter()
        .filter(|one| one.kind == ChangeKind::Deleted)
        .filter_map(|one| one.then?.digest.as_ref())
        .collect();
    let mut texts = Vec::new();
    for one in found.iter().filter(|one| !is_made_by_programs(one.path)) {
        let Some(now) = one.now else { continue };
        let Some(text) = &now.text else { continue };
        let path = one.path.to_string_lossy().into_owned();
        let is_moved =
            one.kind == ChangeKind::Made && now.digest.as_ref().is_some_and(|digest| gone.contains(&digest));
        let is_git = one.path.components().any(|part| part.as_os_str() == ".git");
        if is_moved || is_git || !is_shown(&path) {
            continue;
        }
        let text = match one.then.map(|then| (then.text.as_deref(), then.digest.as_deref())) {
            None => text.clone(),
            Some((Some(then), _)) => unified(then, text),
            // What was there is not known, so what is new of it is not either.
            Some((None, _)) => continue,
        };
        if !text.is_empty() {
            texts.push(WrittenText { path, text });
        }
        if texts.len() == MAX_TEXTS {
            break;
        }
    }
    texts
}

/// The lines that differ, each with a few around it.
fn unified(then: &str, now: &str) -> String {
    let difference = TextDiff::configure().timeout(DIFF_TIME).diff_lines(then, now);
    difference.unified_diff().context_radius(CONTEXT_LINES).to_string()
}
