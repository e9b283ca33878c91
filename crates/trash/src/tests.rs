use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use artoo_types::evidence::EffectClass;
use artoo_types::undo::{UndoItem, UndoOutcome, Undoing};
use artoo_types::{EffectId, TaskId, Timestamp};

use super::measure::{PathBudget, measure};
use super::{Change, Trash, TrashLimits, TrashRecord, real_paths};

mod deciding;
mod repositories;
mod sweeping;
mod undoing;

/// A folder with some things in it, and a trash.
struct Bench {
    _dir: tempfile::TempDir,
    root: PathBuf,
    trash: Trash,
}

fn task() -> TaskId {
    serde_json::from_str("\"01890a5d-ac96-774b-bcce-b302099a8057\"").unwrap()
}

impl Bench {
    fn new() -> Self {
        Self::with(TrashLimits::default())
    }

    fn with(limits: TrashLimits) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join(".artoo")).unwrap();
        fs::create_dir_all(root.join("work/folder/deep")).unwrap();
        for (name, content) in
            [("a.txt", "old a\n"), ("b.txt", "old b\n"), ("folder/c.txt", "c\n"), ("folder/deep/d", "d\n")]
        {
            fs::write(root.join("work").join(name), content).unwrap();
        }
        symlink("../a.txt", root.join("work/folder/link")).unwrap();
        fs::set_permissions(root.join("work/a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::set_permissions(root.join("work/folder/deep"), fs::Permissions::from_mode(0o750)).unwrap();
        let trash = Trash::new(&root.join(".artoo"), limits);
        Self { _dir: dir, root, trash }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join("work").join(name)
    }

    fn paths(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| self.path(name).to_string_lossy().into_owned()).collect()
    }

    fn appraise(&self, effect: EffectClass, names: &[&str]) -> Undoing {
        let paths = real_paths(&[effect], &self.paths(names));
        let mut budget = PathBudget::default();
        let measured: BTreeMap<_, _> =
            paths.iter().map(|path| (path.clone(), measure(path, &mut budget))).collect();
        self.trash.appraise(&[effect], Some(&paths), &measured)
    }

    /// Keeps what call number `call` is about to change.
    fn keep(&self, call: u64, effect: EffectClass, names: &[&str]) -> TrashRecord {
        let undo = self.appraise(effect, names);
        assert!(undo.is_possible(), "{undo:?}");
        let change = Change {
            task_id: task(),
            effect_id: EffectId(call),
            action: "an action".to_owned(),
            effects: vec![effect],
            paths: Some(real_paths(&[effect], &self.paths(names))),
            project: None,
            at: Timestamp(i64::try_from(call).unwrap()),
        };
        self.trash.back_up(&change, &undo, &|| false).unwrap()
    }

    /// One whole call.
    fn call(&self, call: u64, effect: EffectClass, names: &[&str], does: impl FnOnce(&Self)) {
        let kept = self.keep(call, effect, names);
        does(self);
        kept.settle(&|| false);
    }

    /// What an undo says of each path below the working folder.
    fn undo(&self) -> Vec<(String, UndoOutcome)> {
        self.told(&self.trash.undo(task(), false, Timestamp(99)).unwrap())
    }

    fn told(&self, undone: &super::UndoReport) -> Vec<(String, UndoOutcome)> {
        let base = format!("{}/", self.root.join("work").display());
        undone.items.iter().map(|item| (item.path.replace(&base, ""), item.outcome)).collect()
    }

    /// What undos put aside.
    fn aside(&self) -> Vec<String> {
        let folder = self.trash.of_task(task()).join("undo/files");
        fs::read_dir(folder).unwrap().map(|e| fs::read_to_string(e.unwrap().path()).unwrap()).collect()
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }
}

/// Everything below a folder that a person can see: names, contents, modes, links.
fn seen(root: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let (path, meta) = (entry.path(), entry.path().symlink_metadata().unwrap());
            let what = if meta.is_symlink() {
                format!("-> {}", fs::read_link(&path).unwrap().display())
            } else if meta.is_dir() {
                folders.push(path.clone());
                String::new()
            } else {
                format!("{} {}", meta.mtime(), fs::read_to_string(&path).unwrap())
            };
            lines.push(format!("{} {:o} {what}", path.display(), meta.mode()));
        }
    }
    lines.sort();
    lines
}
