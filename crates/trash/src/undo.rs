//! Undoing a task: from everything that was kept of its calls to a list of steps, and the steps.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use artoo_types::undo::{UndoItem, UndoOutcome, Undoing};
use artoo_types::{EffectId, TaskId, Timestamp};

use super::backup::{free_name, recorded};
use super::decide::{CallStep, UndoDecision, decide};
use super::manifest::{AfterCall, Manifest};
use super::repository::{is_all_of, is_history, repository_of, why_left_alone};
use super::restore::{EntryRestore, state_at};
use super::state::{EntryState, RecordedEntry, Tree};
use super::{Change, Trash, TrashError};
use artoo_types::text::escape;

/// What the folder of what an undo replaced is called. It sorts behind the calls and is none.
const ASIDE: &str = "undo";

/// What an undo did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UndoReport {
    /// Each path, or each call that cannot be undone as a whole.
    pub items: Vec<UndoItem>,
}

/// One kept call.
struct CallRecord {
    folder: PathBuf,
    manifest: Manifest,
    after: Option<AfterCall>,
}

/// One path and what becomes of it.
struct PlannedRestore {
    root: PathBuf,
    path: PathBuf,
    outcome: UndoOutcome,
    why: String,
    bytes: u64,
    is_file: bool,
    wanted: Option<EntryRestore>,
}

impl Trash {
    /// Whether anything is known of this task.
    pub fn knows(&self, task_id: TaskId) -> bool {
        self.of_task(task_id).is_dir()
    }

    /// What an undo of the task would do now.
    ///
    /// # Errors
    /// When the trash cannot be read.
    pub fn list(&self, task_id: TaskId, force: bool) -> Result<UndoReport, TrashError> {
        let (records, broken) = self.records(task_id)?;
        Ok(told(plan(&records, force), &records, broken))
    }

    /// Takes back what the task did: deletions and overwrites are restored, what it made is removed. What it replaces is
    /// in the trash before. `force`: also what was changed by somebody else since. It can be repeated, also after a crash.
    ///
    /// # Errors
    /// When the trash cannot be read, or what would be replaced cannot be kept; then nothing was changed.
    pub fn undo(&self, task_id: TaskId, force: bool, now: Timestamp) -> Result<UndoReport, TrashError> {
        self.undo_up_to(task_id, force, now, usize::MAX)
    }

    /// The same, ended after so many steps as by a crash: for tests.
    pub(super) fn undo_up_to(
        &self,
        task_id: TaskId,
        force: bool,
        now: Timestamp,
        steps: usize,
    ) -> Result<UndoReport, TrashError> {
        let _alone = self.undoing.lock();
        let (records, broken) = self.records(task_id)?;
        let mut planned = plan(&records, force);
        self.set_aside(task_id, now, &planned)?;
        perform(&mut planned, steps);
        Ok(told(planned, &records, broken))
    }

    /// The kept calls of a task, in their order, and those whose record cannot be read. A folder that is not complete
    /// belongs to a call that did not start.
    fn records(&self, task_id: TaskId) -> Result<(Vec<CallRecord>, Vec<UndoItem>), TrashError> {
        let folder = self.of_task(task_id);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Default::default()),
            Err(error) => return Err(TrashError::io(&folder, error)),
        };
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| !name.starts_with(ASIDE) && !name.ends_with(".tmp"));
        names.sort_by_key(|name| order(name));
        let (mut records, mut broken) = (Vec::new(), Vec::new());
        for name in names {
            let folder = folder.join(name);
            match recorded(&folder) {
                Ok(Some((manifest, after))) => records.push(CallRecord { folder, manifest, after }),
                Ok(None) => {}
                Err(error) => broken.push(UndoItem {
                    path: escape(&folder.to_string_lossy()),
                    outcome: UndoOutcome::Skipped,
                    bytes: 0,
                    files: 0,
                    why: escape(&error.to_string()),
                }),
            }
        }
        Ok((records, broken))
    }

    /// Keeps what is about to be replaced or removed.
    fn set_aside(
        &self,
        task_id: TaskId,
        at: Timestamp,
        planned: &[PlannedRestore],
    ) -> Result<(), TrashError> {
        let replaced = planned.iter().filter_map(|planned| planned.wanted.as_ref());
        // Folders come back with what lies in them, which is named itself.
        let is_content =
            |state: &EntryState| matches!(state, EntryState::File { .. } | EntryState::Link { .. });
        let paths: Vec<String> = replaced
            .filter(|wanted| is_content(&wanted.now))
            .filter_map(|wanted| wanted.path.to_str().map(str::to_owned))
            .collect();
        if paths.is_empty() {
            return Ok(());
        }
        let change = Change {
            task_id,
            effect_id: EffectId(0),
            action: format!("undo of task {task_id}"),
            effects: Vec::new(),
            paths: Some(paths),
            project: None,
            at,
        };
        let folder = free_name(&self.of_task(task_id), ASIDE)?;
        let undo = Undoing::Trash { bytes: 0 };
        let kept = self.back_up_in(&folder, &change, &undo, &|| false);
        kept.map(|_| ()).map_err(|error| {
            TrashError::TooMuch(format!("nothing was undone: what it would replace cannot be kept ({error})"))
        })
    }
}

/// Calls by number, and each by attempt: `000003`, `000003-2`, `000003-10`.
fn order(name: &str) -> (u64, u64) {
    let (call, attempt) = name.split_once('-').unwrap_or((name, "1"));
    (call.parse().unwrap_or(u64::MAX), attempt.parse().unwrap_or(u64::MAX))
}

/// What to do with every path that a call changed.
fn plan(records: &[CallRecord], force: bool) -> Vec<PlannedRestore> {
    let mut paths: BTreeSet<&Path> = BTreeSet::new();
    for record in records {
        let after = record.after.iter().flat_map(|after| after.nodes.keys());
        let manifest = &record.manifest;
        paths.extend(manifest.nodes.keys().chain(after).chain(&manifest.roots).map(PathBuf::as_path));
    }
    spared(paths.into_iter().filter_map(|path| planned(records, path, force)).collect())
}

/// The plan without what would break a repository: one of which a part stays as somebody else left it stays as a whole, and
/// history is removed only with all of the repository that the task made.
fn spared(mut all: Vec<PlannedRestore>) -> Vec<PlannedRestore> {
    let mut repositories: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (index, planned) in all.iter().enumerate() {
        if let Some(repository) = repository_of(&planned.path) {
            repositories.entry(repository).or_default().push(index);
        }
    }
    let mut left: BTreeSet<usize> = BTreeSet::new();
    for (repository, members) in repositories {
        let is_left =
            |index: &usize| matches!(all[*index].outcome, UndoOutcome::Skipped | UndoOutcome::Failed);
        let removed = |index: &usize| all[*index].wanted.as_ref().is_some_and(|wanted| wanted.node.is_none());
        let gone: BTreeSet<&Path> =
            members.iter().filter(|index| removed(index)).map(|index| all[*index].path.as_path()).collect();
        let is_made = gone.contains(repository.as_path());
        if is_made && is_all_of(&gone, &repository) {
            continue;
        }
        if !(is_made || members.iter().any(is_left)) {
            left.extend(members.iter().filter(|index| removed(index) && is_history(&all[**index].path)));
            continue;
        }
        let why = why_left_alone(is_made && !members.iter().any(is_left));
        for index in members {
            let (outcome, why, root) = (UndoOutcome::Skipped, why.clone(), repository.clone());
            all[index] = PlannedRestore {
                outcome,
                why,
                root,
                wanted: None,
                path: all[index].path.clone(),
                ..all[index]
            };
        }
    }
    let mut index = 0..;
    all.retain(|_| index.next().is_none_or(|index| !left.contains(&index)));
    all
}

fn planned(records: &[CallRecord], path: &Path, force: bool) -> Option<PlannedRestore> {
    let state = |tree: &Tree| tree.get(path).map_or(EntryState::Absent, |node| node.state.clone());
    let (mut steps, mut sources): (Vec<CallStep>, Vec<&CallRecord>) = (Vec::new(), Vec::new());
    let mut root = None;
    for record in records {
        let Some(of) = record.manifest.roots.iter().find(|root| path.starts_with(root)) else { continue };
        let step = CallStep {
            before: state(&record.manifest.nodes),
            after: record.after.as_ref().map(|after| state(&after.nodes)),
        };
        if step.after.as_ref() != Some(&step.before) {
            root.get_or_insert_with(|| of.clone());
            steps.push(step);
            sources.push(record);
        }
    }
    let root = root?;
    let known: Vec<&EntryState> = steps.iter().filter_map(|step| step.after.as_ref()).collect();
    let now = match state_at(path, &known) {
        Ok(now) => now,
        Err(error) => {
            let (outcome, why) = (UndoOutcome::Failed, error.to_string());
            return Some(PlannedRestore {
                root,
                path: path.to_owned(),
                outcome,
                why,
                bytes: 0,
                is_file: false,
                wanted: None,
            });
        }
    };
    let (outcome, why, wanted) = match decide(&steps, &now, force) {
        UndoDecision::Unchanged if steps.iter().all(|step| step.after.is_none()) => return None,
        UndoDecision::Unchanged => (UndoOutcome::Unchanged, String::new(), None),
        UndoDecision::Skip(why) => (UndoOutcome::Skipped, why, None),
        UndoDecision::Restore(step) => {
            let record = sources[step];
            let node: Option<RecordedEntry> = record.manifest.nodes.get(path).cloned();
            let copies = record.folder.join("files");
            (
                UndoOutcome::Possible,
                String::new(),
                Some(EntryRestore { path: path.to_owned(), node, copies, now: now.clone() }),
            )
        }
    };
    let file = |state: &EntryState| match state {
        EntryState::File { bytes, .. } => Some(*bytes),
        EntryState::Absent | EntryState::Folder { .. } | EntryState::Link { .. } | EntryState::Other => None,
    };
    let shown = steps.iter().find_map(|step| file(&step.before)).or_else(|| file(&now));
    let (bytes, is_file) = (shown.unwrap_or(0), shown.is_some());
    Some(PlannedRestore { root, path: path.to_owned(), outcome, why, bytes, is_file, wanted })
}

/// Does it, `steps` steps at most.
fn perform(planned: &mut [PlannedRestore], steps: usize) {
    let mut left = steps;
    let mut each = |planned: &mut PlannedRestore, does: &dyn Fn(&EntryRestore) -> Result<(), TrashError>| {
        let Some(wanted) = planned.wanted.as_ref().filter(|_| planned.outcome != UndoOutcome::Failed) else {
            return;
        };
        if left == 0 {
            return;
        }
        left -= 1;
        let restored = if wanted.node.is_some() { UndoOutcome::Restored } else { UndoOutcome::Removed };
        match does(wanted) {
            Ok(()) => planned.outcome = restored,
            Err(error) => (planned.outcome, planned.why) = (UndoOutcome::Failed, error.to_string()),
        }
    };
    let is = |planned: &PlannedRestore, holds: &dyn Fn(&EntryRestore) -> bool| {
        planned.wanted.as_ref().is_some_and(holds)
    };
    for planned in planned.iter_mut().rev().filter(|p| is(p, &EntryRestore::is_removal)) {
        each(planned, &EntryRestore::remove);
    }
    for planned in planned.iter_mut().filter(|p| is(p, &EntryRestore::is_folder)) {
        each(planned, &EntryRestore::make_folder);
    }
    for planned in planned.iter_mut().filter(|p| is(p, &|w| w.node.is_some() && !w.is_folder())) {
        each(planned, &EntryRestore::put);
    }
    for planned in planned.iter_mut().rev().filter(|p| is(p, &EntryRestore::is_folder)) {
        each(planned, &EntryRestore::dress);
    }
}

/// Puts all of these as they have to be, and says of each how that went.
pub(super) fn put_all(all: Vec<EntryRestore>) -> Vec<(PathBuf, Result<(), String>)> {
    let mut planned: Vec<PlannedRestore> = all
        .into_iter()
        .map(|wanted| PlannedRestore {
            root: wanted.path.clone(),
            path: wanted.path.clone(),
            outcome: UndoOutcome::Possible,
            why: String::new(),
            bytes: 0,
            is_file: false,
            wanted: Some(wanted),
        })
        .collect();
    perform(&mut planned, usize::MAX);
    let told = |planned: PlannedRestore| {
        let is_failed = planned.outcome == UndoOutcome::Failed;
        (planned.path, if is_failed { Err(planned.why) } else { Ok(()) })
    };
    planned.into_iter().map(told).collect()
}

/// Paths that are told one by one; of more than that the folder is told in which they all lie.
const MOST_TOLD: usize = 8;

/// What ended alike below one named path, each path with what lies in it: a folder in which things changed did not change itself.
fn by_top(members: &[PlannedRestore]) -> Vec<(&Path, Vec<&PlannedRestore>)> {
    let mut tops: Vec<(&Path, Vec<&PlannedRestore>)> = Vec::new();
    // They are in the order of their paths: a folder comes before what lies in it.
    for one in members {
        match tops.iter_mut().find(|(top, _)| one.path.starts_with(top)) {
            Some((_, within)) => within.push(one),
            None => tops.push((&one.path, vec![one])),
        }
    }
    if tops.len() <= MOST_TOLD {
        return tops;
    }
    let root = members.first().map_or(Path::new(""), |one| one.root.as_path());
    vec![(root, members.iter().collect())]
}

/// The report: what belongs to one named path and ended alike is one item, named for what changed.
fn told(planned: Vec<PlannedRestore>, records: &[CallRecord], broken: Vec<UndoItem>) -> UndoReport {
    let mut items: Vec<UndoItem> = Vec::new();
    let mut groups: Vec<(PathBuf, UndoOutcome, String, Vec<PlannedRestore>)> = Vec::new();
    for one in planned {
        let group = groups
            .iter_mut()
            .find(|(root, outcome, why, _)| *root == one.root && *outcome == one.outcome && *why == one.why);
        match group {
            Some((.., members)) => members.push(one),
            None => groups.push((one.root.clone(), one.outcome, one.why.clone(), vec![one])),
        }
    }
    for (root, outcome, why, members) in groups {
        // What is left alone for one reason is left alone as a whole.
        let is_whole = outcome == UndoOutcome::Skipped && members.len() > 1;
        let tops = if is_whole { vec![(root.as_path(), members.iter().collect())] } else { by_top(&members) };
        for (path, members) in tops {
            items.push(UndoItem {
                path: escape(&path.to_string_lossy()),
                outcome,
                bytes: members.iter().map(|one| one.bytes).sum(),
                files: members.iter().filter(|one| one.is_file).count() as u64,
                why: escape(&why),
            });
        }
    }
    for record in records {
        if let Undoing::No { why } = &record.manifest.undo {
            items.push(UndoItem {
                path: record.manifest.action.clone(),
                outcome: UndoOutcome::Skipped,
                bytes: 0,
                files: 0,
                why: why.clone(),
            });
        }
    }
    items.extend(broken);
    UndoReport { items }
}
