//! `write_file`: new files only. The text is complete under its name, or there is no file.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::arguments::WriteArguments;
use crate::tool::walk::plain;
use crate::tool::{Work, unique};
use artoo_gate::places::canonical;
use artoo_types::tool::CallOutcome;

/// Bytes of a new file. A model's reply is far shorter.
const MAX_BYTES: usize = 16 << 20;

/// Makes the file.
pub(crate) fn run(arguments: &WriteArguments, work: &Work) -> CallOutcome {
    let named = work.places.written(&arguments.path);
    if arguments.content.len() > MAX_BYTES {
        return CallOutcome::failed(format!("a new file may have {MAX_BYTES} bytes at most"));
    }
    match create(&named, arguments.content.as_bytes(), work) {
        Ok(()) => written(&arguments.content, &named),
        Err(message) => CallOutcome::failed(message),
    }
}

/// What is said of a file that has this content now.
pub(crate) fn written(content: &str, path: &str) -> CallOutcome {
    let lines = content.lines().count();
    CallOutcome::done(format!("wrote {} bytes, {lines} lines to {path}", content.len()))
}

fn create(named: &str, content: &[u8], work: &Work) -> Result<(), String> {
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
    match make(&folder, Path::new(name), content) {
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
fn make(folder: &OwnedFd, name: &Path, content: &[u8]) -> Result<(), Errno> {
    if let Some(done) = make_from_unnamed(folder, name, content) {
        return done;
    }
    let temporary = PathBuf::from(format!(".artoo-{}.tmp", unique()));
    let done = fill(folder, &temporary, content).and_then(|()| put(folder, &temporary, name));
    if done.is_err() {
        // Already renamed or never made: nothing is left to remove.
        let _ = rustix::fs::unlinkat(folder, &temporary, AtFlags::empty());
    }
    done
}

/// As [`make`], by a file that has no name until it is complete: a process that dies meanwhile leaves nothing behind.
/// None where the system or the file system cannot do that.
#[cfg(target_os = "linux")]
fn make_from_unnamed(folder: &OwnedFd, name: &Path, content: &[u8]) -> Option<Result<(), Errno>> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(folder, ".", flags, Mode::from_raw_mode(0o644)).ok()?;
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
fn make_from_unnamed(_: &OwnedFd, _: &Path, _: &[u8]) -> Option<Result<(), Errno>> {
    None
}

fn fill(folder: &OwnedFd, temporary: &Path, content: &[u8]) -> Result<(), Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(folder, temporary, flags, Mode::from_raw_mode(0o644))?;
    let mut file = File::from(fd);
    file.write_all(content)
        .and_then(|()| file.sync_all())
        .map_err(|e| Errno::from_io_error(&e).unwrap_or(Errno::IO))
}

/// Gives the finished file its name, never replacing anything: a rename that refuses, or a hard link where the file
/// system knows no such rename.
fn put(folder: &OwnedFd, temporary: &Path, name: &Path) -> Result<(), Errno> {
    match rustix::fs::renameat_with(folder, temporary, folder, name, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            rustix::fs::linkat(folder, temporary, folder, name, AtFlags::empty())?;
            rustix::fs::unlinkat(folder, temporary, AtFlags::empty())
        }
        other => other,
    }
}

fn exists(path: &str) -> String {
    format!("{path} already exists, and write_file makes new files only; choose another name")
}

/// Replaces the content of an existing file in one step, keeping its permissions.
pub(crate) fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let permissions = path.metadata()?.permissions();
    let folder = path.parent().unwrap_or(Path::new("/"));
    let temporary = folder.join(format!(".artoo-{}.tmp", unique()));
    // Nobody else may look into it before it has the permissions of the file that it replaces.
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let done = file
        .set_permissions(permissions)
        .and_then(|()| file.write_all(content))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&temporary, path));
    if done.is_err() {
        // The temporary file is of no use to anybody; the first error tells what went wrong.
        let _ = std::fs::remove_file(&temporary);
    }
    done
}
