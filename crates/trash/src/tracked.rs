//! Which files git tracks, from its index, read without running git.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Largest index that is read, in bytes: far more than the most files that are kept.
const MAX_BYTES: u64 = 64 << 20;
/// Bytes of an entry before its flags: ten numbers of four bytes, and the name of an object.
const FIXED: usize = 60;

/// The tracked files and the folders above them, relative to the work tree; None where that cannot be told.
pub(super) fn tracked(git: &Path) -> Option<BTreeSet<PathBuf>> {
    let index = git.join("index");
    match index.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(BTreeSet::new()),
        Ok(meta) if meta.is_file() && meta.len() <= MAX_BYTES => read(&std::fs::read(index).ok()?),
        // Where `.git` is a file, the index lies elsewhere.
        Ok(_) | Err(_) => git.is_file().then(BTreeSet::new),
    }
}

/// The names in an index of version 2, 3 or 4 with names of objects of 20 bytes (gitformat-index(5)).
fn read(bytes: &[u8]) -> Option<BTreeSet<PathBuf>> {
    use std::os::unix::ffi::OsStrExt as _;
    let number = |at: usize| -> Option<u32> {
        Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
    };
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    let (mut at, mut last): (usize, Vec<u8>) = (12, Vec::new());
    let mut all = BTreeSet::new();
    for _ in 0..count {
        let flags = u16::from_be_bytes(bytes.get(at + FIXED..at + FIXED + 2)?.try_into().ok()?);
        let is_extended = flags & 0x4000 != 0;
        let mut name_at = at + FIXED + if is_extended { 4 } else { 2 };
        if version == 4 {
            let (stripped, length) = varint(bytes.get(name_at..)?)?;
            name_at += length;
            last.truncate(last.len().checked_sub(stripped)?);
        } else {
            last.clear();
        }
        let length = bytes.get(name_at..)?.iter().position(|byte| *byte == 0)?;
        last.extend_from_slice(&bytes[name_at..name_at + length]);
        at = match version {
            4 => name_at + length + 1,
            2 | 3 => at + (name_at + length - at) / 8 * 8 + 8,
            _ => return None,
        };
        if last.is_empty() {
            return None;
        }
        let path = Path::new(std::ffi::OsStr::from_bytes(&last));
        all.extend(path.ancestors().filter(|part| !part.as_os_str().is_empty()).map(Path::to_owned));
    }
    Some(all)
}

/// A number in git's own encoding, and how many bytes it takes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (index, byte) in bytes.iter().enumerate().take(5) {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
        value += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::tracked;

    fn git(folder: &Path, words: &[&str]) {
        let ran = std::process::Command::new("git").arg("-C").arg(folder).args(words).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {ran:?}");
    }

    #[test]
    fn every_form_of_the_index_tells_the_same() {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q"]);
        assert_eq!(tracked(&dir.path().join(".git")).unwrap().len(), 0);
        std::fs::create_dir_all(dir.path().join("out/deep")).unwrap();
        for name in ["a", "abcdefg", "out/deep/kept.txt", "out/deep/kept.txt2", "z z"] {
            std::fs::write(dir.path().join(name), name).unwrap();
        }
        git(dir.path(), &["add", "-f", "."]);
        for version in ["2", "3", "4"] {
            git(dir.path(), &["update-index", "--index-version", version]);
            let all = tracked(&dir.path().join(".git")).unwrap();
            let names: Vec<_> = all.iter().map(|path| path.to_string_lossy().into_owned()).collect();
            assert_eq!(
                names,
                ["a", "abcdefg", "out", "out/deep", "out/deep/kept.txt", "out/deep/kept.txt2", "z z"],
                "{version}"
            );
        }
        std::fs::write(dir.path().join(".git/index"), "DIRCxxxx").unwrap();
        assert!(tracked(&dir.path().join(".git")).is_none(), "what cannot be read says nothing");
    }
}
