//! How much is at a path, without reading what is in its files: what a question tells, and what a yes is bound to.

use std::path::Path;

use artoo_types::undo::TargetKind;
use rustix::fs::FileType;
use sha2::{Digest, Sha256};

use super::MAX_PATHS;
use super::project::PathMeasure;
use super::walk::{MetEntry, WalkHalt, walk};

/// How many paths may still be looked at for one call.
#[derive(Debug)]
pub struct PathBudget(usize);

impl Default for PathBudget {
    fn default() -> Self {
        Self(MAX_PATHS)
    }
}

/// Looks at a path whose folder has its links resolved, and at everything below it.
pub fn measure(path: &str, budget: &mut PathBudget) -> PathMeasure {
    let mut seen =
        PathMeasure { kind: TargetKind::Absent, bytes: 0, files: 0, listing: String::new(), problem: None };
    let (mut hash, mut is_first) = (Sha256::new(), true);
    let mut meet = |met: &MetEntry<'_>| {
        let kind = kind(met);
        if std::mem::take(&mut is_first) {
            seen.kind = kind;
        }
        let size = u64::try_from(met.stat.st_size).unwrap_or(0);
        match kind {
            TargetKind::File => {
                seen.files += 1;
                seen.bytes += size;
            }
            TargetKind::Folder | TargetKind::Link | TargetKind::Absent => {}
            TargetKind::Other => {
                let what = if met.is_foreign { "another file system" } else { "a device, pipe or socket" };
                seen.problem.get_or_insert(format!("{} is {what}, which is not kept", met.path.display()));
            }
        }
        if met.path.to_str().is_none() {
            seen.problem.get_or_insert("it holds a name that is not text, which is not kept".to_owned());
        }
        let stat = met.stat;
        let line = format!(
            "{:?} {} {:o} {size} {} {}\n",
            met.path, stat.st_ino, stat.st_mode, stat.st_mtime, stat.st_mtime_nsec
        );
        hash.update(line.as_bytes());
        Ok(())
    };
    match walk(Path::new(path), None, &mut budget.0, &mut meet) {
        Ok(()) => {}
        Err(WalkHalt::TooMany) => {
            seen.problem.get_or_insert(format!("it is more than {MAX_PATHS} files, or too deep, to be kept"));
        }
        Err(WalkHalt::Failed(error)) => {
            if seen.kind == TargetKind::Absent {
                seen.kind = TargetKind::Other;
            }
            seen.problem.get_or_insert(error.to_string());
        }
    }
    seen.listing = hex::encode(hash.finalize());
    seen
}

fn kind(met: &MetEntry<'_>) -> TargetKind {
    match FileType::from_raw_mode(met.stat.st_mode) {
        FileType::Directory if met.is_foreign => TargetKind::Other,
        FileType::Directory => TargetKind::Folder,
        FileType::RegularFile => TargetKind::File,
        FileType::Symlink => TargetKind::Link,
        FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => TargetKind::Other,
    }
}
