use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

use super::{around, real};

/// What is granted below a folder when these paths in it are hidden.
fn granted(folder: &std::path::Path, hidden: &[&str]) -> BTreeSet<String> {
    let base = folder.canonicalize().unwrap();
    let hidden: Vec<String> =
        hidden.iter().map(|path| base.join(path).to_string_lossy().into_owned()).collect();
    let found = around(&hidden, BTreeSet::new(), |mut found, inode| {
        let path =
            std::fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&inode))).unwrap();
        if let Ok(below) = path.strip_prefix(&base) {
            found.insert(below.to_string_lossy().into_owned());
        }
        assert!(!base.starts_with(&path), "nothing on the way is granted: {}", path.display());
        Ok(found)
    });
    found.unwrap()
}

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["home/.artoo", "home/.config/gh", "home/.config/other", "home/project"] {
        std::fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    std::fs::write(dir.path().join("home/notes"), "").unwrap();
    symlink(dir.path().join("home/.artoo"), dir.path().join("home/way-in")).unwrap();
    dir
}

fn check(hidden: &[&str], expected: &[&str]) {
    let dir = folder();
    let expected: BTreeSet<String> = expected.iter().map(|path| (*path).to_owned()).collect();
    assert_eq!(granted(dir.path(), hidden), expected, "{hidden:?}");
}

#[test]
fn everything_beside_the_way_to_what_is_hidden_is_granted_and_no_link() {
    check(&["home/.artoo"], &["home/.config", "home/notes", "home/project"]);
    check(&["home/.artoo", "home/.config/gh"], &["home/.config/other", "home/notes", "home/project"]);
    check(&["home", "home/.artoo"], &[]);
}

#[test]
fn what_is_not_there_hides_nothing_and_case_does_not_matter() {
    check(&["home/.artoo", "home/project/.netrc"], &["home/.config", "home/notes", "home/project"]);
    let dir = folder();
    std::fs::create_dir(dir.path().join("home/.ARTOO")).unwrap();
    let seen = granted(dir.path(), &["home/.artoo"]);
    assert!(!seen.contains("home/.ARTOO"), "{seen:?}");
}

#[test]
fn too_much_beside_what_is_hidden_is_an_error() {
    let dir = folder();
    let hidden = [dir.path().canonicalize().unwrap().join("home/.artoo").to_string_lossy().into_owned()];
    let all = around(&hidden, 0, |count, _| Ok(count + 1)).unwrap();
    // Other programs of this machine may take files away from beside it meanwhile.
    for number in all..super::MAX_INODES + 1_000 {
        std::fs::write(dir.path().join(format!("home/{number}")), "").unwrap();
    }
    let error = around(&hidden, (), |(), _| Ok(())).unwrap_err();
    assert!(error.to_string().contains("/home"), "{error}");
}

#[test]
fn a_link_that_took_the_place_of_a_folder_is_not_followed() {
    let dir = folder();
    let base = dir.path().canonicalize().unwrap();
    assert!(real(&base.join("home/project")).is_ok());
    std::fs::remove_dir(base.join("home/project")).unwrap();
    symlink("/etc", base.join("home/project")).unwrap();
    assert!(real(&base.join("home/project")).is_err());
    assert!(real(&base.join("home/project/passwd")).is_err());
}
