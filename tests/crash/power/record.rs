//! What a program asked of the disk, as `recorder.c` wrote it down.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The number by which the recorder tells files apart. It may come again after a file is gone.
pub(crate) type Inode = u64;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    Create { inode: Inode, path: PathBuf },
    Write { inode: Inode, path: PathBuf, offset: usize, bytes: Vec<u8> },
    SetLength { inode: Inode, path: PathBuf, length: usize },
    SyncFile { inode: Inode, path: PathBuf },
    SyncFolder { path: PathBuf },
    MakeFolder { path: PathBuf },
    Rename { from: PathBuf, to: PathBuf },
    Link { path: PathBuf, target: PathBuf },
    Remove { path: PathBuf },
}

/// A call, and where its record ends: what was seen when the recording had that length came after it.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) call: Call,
    pub(crate) end: u64,
}

/// Builds the recorder into `folder`. The error says why it cannot be had here.
pub(crate) fn build(folder: &Path) -> Result<PathBuf, String> {
    if !cfg!(target_os = "linux") {
        return Err("the recorder needs the dynamic linker of Linux".to_owned());
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crash/power/recorder.c");
    let library = folder.join("recorder.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&library, &source])
        .output()
        .map_err(|error| format!("there is no C compiler ({error})"))?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    Ok(library)
}

/// Every call that stands in the file. A record that is still being written is left out.
pub(crate) fn read(file: &Path) -> Vec<Recorded> {
    let bytes = std::fs::read(file).expect("the recorder made its file");
    let (mut at, mut calls) = (0, Vec::new());
    while let Some((call, end)) = next(&bytes, at) {
        calls.push(Recorded { call, end: end as u64 });
        at = end;
    }
    calls
}

fn next(bytes: &[u8], at: usize) -> Option<(Call, usize)> {
    let length = bytes[at..].iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[at..at + length]).expect("a head of a record is text");
    let fields: Vec<&str> = line.split(' ').collect();
    let [kind, inode, number, a, b] = fields[..] else { panic!("no record: {line}") };
    let parse = |text: &str| -> usize { text.parse().unwrap_or_else(|_| panic!("no record: {line}")) };
    let a_at = at + length + 1;
    let b_at = a_at + parse(a);
    let end = b_at + parse(b);
    let (a, b) = (bytes.get(a_at..b_at)?, bytes.get(b_at..end)?);
    let inode = inode.parse().expect("an inode is a number");
    let path = path_of(a);
    let call = match kind {
        "C" => Call::Create { inode, path },
        "W" => Call::Write { inode, path, offset: parse(number), bytes: b.to_vec() },
        "T" => Call::SetLength { inode, path, length: parse(number) },
        "S" => Call::SyncFile { inode, path },
        "D" => Call::SyncFolder { path },
        "M" => Call::MakeFolder { path },
        "R" => Call::Rename { from: path, to: path_of(b) },
        "Y" => Call::Link { path, target: path_of(b) },
        "U" => Call::Remove { path },
        other => panic!("no kind of record: {other}"),
    };
    Some((call, end))
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(std::str::from_utf8(bytes).expect("paths of a test are text"))
}
