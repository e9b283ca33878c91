//! `write_file`: a new file, or the whole text of one that may be replaced. The text is complete under its name, or what was
//! there stays.

use std::fs::{File, Metadata, Permissions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use artoo_gate::paths::{PathAccess, PathRules, canonical};
use artoo_types::evidence::EffectClass;
use artoo_types::setting::ProjectMode;
use artoo_types::taint::Taint;
use artoo_types::text::escape;
use artoo_types::tool::{CallOutcome, names};
use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, RawMode, RenameFlags};
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Deserialize;

use super::edit_file::replace;
use crate::files::seen::FileState;
use crate::files::walk::plain;
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, FileRights, Judgement, Permission, Reach, Recovery, Tool, ToolRow};
use crate::work::{Running, ToolRun, Work};

pub(super) const ROW: ToolRow =
    ToolRow::of::<WriteFile>(names::WRITE_FILE, "make a new file; a bare name lands in `bare_names`")
        .unasked(|rights| match rights.files {
            FileRights::Project => "; replaces a file of this project at once, it is kept first",
            FileRights::Named => "; replaces at once what the request names or this task made",
            FileRights::Nothing => "; refused when it exists",
        });

#[derive(Debug, Deserialize, JsonSchema)]
struct WriteFile {
    /// the file
    path: String,
    /// its whole text
    content: String,
    /// whether it can be run
    #[serde(default)]
    executable: bool,
}

impl Tool for WriteFile {
    /// It brings nothing: it tells what it wrote.
    fn judge(&self, places: &PathRules, _: &Sandbox) -> Judgement {
        let path = places.written(&self.path);
        let permission = writing(&path, places);
        let is_there = std::fs::symlink_metadata(&path).is_ok();
        let effect = if is_there { EffectClass::Overwrite } else { EffectClass::Create };
        let facts = CallFacts::new(ROW.name, path, effect, Taint::NONE).looking_at_nothing();
        Judgement::new(facts, permission)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Writes
    }

    fn describe(&self, target: &str) -> String {
        let Self { content, executable, .. } = self;
        let kind = if *executable { "program" } else { "file" };
        format!("write {} bytes to the {kind} {target}:\n{}", content.len(), escape(content))
    }

    fn recovery(&self, places: &PathRules) -> Recovery {
        let path = places.written(&self.path);
        if holds(&path, self.content.as_bytes()) {
            let note = "it was written before the daemon went down".to_owned();
            Recovery::Done(written(&self.content, &path).noted([note]))
        } else if places.unasked.project == ProjectMode::Work && std::fs::symlink_metadata(&path).is_ok() {
            // Somebody may have changed since what it was to replace.
            Recovery::Unknown
        } else {
            Recovery::NotDone
        }
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(move |work| {
            let named = work.places.written(&self.path);
            if self.content.len() > MAX_BYTES {
                return CallOutcome::failed(format!("a new file may have {MAX_BYTES} bytes at most"));
            }
            let mode = if self.executable { 0o755 } else { 0o644 };
            // What came there since it was judged is not replaced.
            let is_there = std::fs::symlink_metadata(&named).is_ok();
            let write = if work.replaces && is_there { overwrite } else { create };
            match write(&named, self.content.as_bytes(), mode, work) {
                Ok(()) => written(&self.content, &named),
                Err(message) => CallOutcome::failed(message),
            }
        })
    }
}

/// Bytes of a new file. A model's reply is far shorter.
const MAX_BYTES: usize = 16 << 20;

/// Whether a file may be made at this normalised path, or replaced.
fn writing(path: &str, places: &PathRules) -> Permission {
    let access = places.writing(path);
    if let PathAccess::Never(why) = access {
        return Permission::refuse(format!("{why}, where no tool may write; name a path in the workspace"));
    }
    if let Ok(meta) = std::fs::symlink_metadata(path) {
        let may_replace = meta.is_file() && places.unasked.project == ProjectMode::Work;
        return match access {
            PathAccess::Free if may_replace && places.is_project_file(path) => Permission::Free,
            PathAccess::Free if may_replace => {
                Permission::ask(EffectClass::Overwrite, path, "it replaces a file that is there")
            }
            PathAccess::Free | PathAccess::Ask(_) | PathAccess::Never(_) => {
                Permission::refuse(format!("{path} already exists; choose another name, or use edit_file"))
            }
        };
    }
    match access {
        PathAccess::Free => Permission::Free,
        PathAccess::Ask(why) | PathAccess::Never(why) => Permission::ask(EffectClass::Create, path, why),
    }
}

/// Whether the file has exactly this content.
fn holds(path: &str, content: &[u8]) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let is_same_size = file.metadata().is_ok_and(|m| m.is_file() && m.len() == content.len() as u64);
    let mut found = Vec::new();
    is_same_size && file.take(content.len() as u64 + 1).read_to_end(&mut found).is_ok() && found == content
}

/// What is said of a file that has this content now.
fn written(content: &str, path: &str) -> CallOutcome {
    let lines = content.lines().count();
    CallOutcome::done(format!("wrote {} bytes, {lines} lines to {path}", content.len()))
}

/// Puts this text in the place of a file's, in one step. Its mode stays, unless it is to be a program.
fn overwrite(named: &str, content: &[u8], mode: u32, work: &Work) -> Result<(), String> {
    let path = canonical(named);
    let say = |error: std::io::Error| format!("{named}: {}", plain(&error));
    let meta = std::fs::symlink_metadata(&path).map_err(say)?;
    if !meta.is_file() {
        return Err(exists(named));
    }
    let state = |file: &File, meta: &Metadata| FileState::of_open(file, meta);
    let before = File::open(&path).map_err(say)?;
    if work.seen.has_changed(&path, state(&before, &meta)) {
        return Err(format!(
            "{named} has changed since this task read it; read it again, then write what is to be there"
        ));
    }
    // Replacing the file would get round what its mode forbids.
    rustix::fs::access(&*path, Access::WRITE_OK).map_err(|errno| say(errno.into()))?;
    let is_program = mode & 0o111 != 0;
    let permissions = if is_program { Permissions::from_mode(mode) } else { meta.permissions() };
    replace(Path::new(&path), content, permissions).map_err(say)?;
    if let Ok(now) = std::fs::metadata(&path) {
        work.seen.note(path, FileState::of_content(content, &now));
    }
    Ok(())
}

fn create(named: &str, content: &[u8], mode: u32, work: &Work) -> Result<(), String> {
    if std::fs::symlink_metadata(named).is_ok() {
        return Err(exists(named));
    }
    let path = PathBuf::from(canonical(named));
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(format!("{named} is not the path of a file"));
    };
    if !parent.is_dir() {
        if !work.places.in_roots(&parent.to_string_lossy()) {
            return Err(format!(
                "the folder {} does not exist, and folders are made inside the workspace and the working \
                 directory only",
                parent.display()
            ));
        }
        std::fs::create_dir_all(parent).map_err(|e| format!("{}: {}", parent.display(), plain(&e)))?;
    }
    // The folder is opened once: whatever happens to its path now, the file is made in the folder that was judged.
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let folder = rustix::fs::openat(CWD, parent, flags, Mode::empty())
        .map_err(|e| format!("{}: {}", parent.display(), plain(&e.into())))?;
    match make(&folder, Path::new(name), content, mode) {
        Ok(()) => {
            // The name is durable with the folder; where folders cannot be synced the file is still complete.
            let _ = rustix::fs::fsync(&folder);
            Ok(())
        }
        Err(Errno::EXIST) => Err(exists(named)),
        Err(errno) => Err(format!("{named}: {}", plain(&errno.into()))),
    }
}

/// Makes the file complete under its name, or not at all.
fn make(folder: &OwnedFd, name: &Path, content: &[u8], mode: u32) -> Result<(), Errno> {
    if let Some(done) = make_from_unnamed(folder, name, content, mode) {
        return done;
    }
    let temporary = temporary_name();
    let done = fill(folder, &temporary, content, mode).and_then(|()| put(folder, &temporary, name));
    if done.is_err() {
        // Already renamed or never made: nothing is left to remove.
        let _ = rustix::fs::unlinkat(folder, &temporary, AtFlags::empty());
    }
    done
}

/// As [`make`], by a file that has no name until it is complete: a process that dies meanwhile leaves nothing behind.
/// `None` if the system or the file system cannot do that.
#[cfg(target_os = "linux")]
fn make_from_unnamed(folder: &OwnedFd, name: &Path, content: &[u8], mode: u32) -> Option<Result<(), Errno>> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(folder, ".", flags, Mode::from_raw_mode(mode as RawMode)).ok()?;
    let mut file = File::from(fd);
    if let Err(error) = file.write_all(content).and_then(|()| file.sync_all()) {
        return Some(Err(Errno::from_io_error(&error).unwrap_or(Errno::IO)));
    }
    let own = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    match rustix::fs::linkat(CWD, own, folder, name, AtFlags::SYMLINK_FOLLOW) {
        // Without /proc, or where files cannot be linked.
        Err(Errno::NOENT | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM | Errno::XDEV) => None,
        done => Some(done),
    }
}

#[cfg(not(target_os = "linux"))]
fn make_from_unnamed(_: &OwnedFd, _: &Path, _: &[u8], _: u32) -> Option<Result<(), Errno>> {
    None
}

fn fill(folder: &OwnedFd, temporary: &Path, content: &[u8], mode: u32) -> Result<(), Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(folder, temporary, flags, Mode::from_raw_mode(mode as RawMode))?;
    let mut file = File::from(fd);
    file.write_all(content)
        .and_then(|()| file.sync_all())
        .map_err(|e| Errno::from_io_error(&e).unwrap_or(Errno::IO))
}

/// Gives the finished file its name, never replacing anything: a rename that refuses, or a hard link where the file
/// system knows no such rename.
fn put(folder: &OwnedFd, temporary: &Path, name: &Path) -> Result<(), Errno> {
    match rustix::fs::renameat_with(folder, temporary, folder, name, RenameFlags::NOREPLACE) {
        Err(errno) if artoo_trash::is_unsupported(errno) => {
            rustix::fs::linkat(folder, temporary, folder, name, AtFlags::empty())?;
            rustix::fs::unlinkat(folder, temporary, AtFlags::empty())
        }
        other => other,
    }
}

/// A name that no other call of this process uses.
fn temporary_name() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!(".artoo-{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)).into()
}

fn exists(path: &str) -> String {
    format!("{path} already exists; choose another name")
}
