use std::os::unix::fs::symlink;

use super::Made;
use crate::sandbox::{Bounds, Confinement, Grant};

fn confinement(grants: Vec<Grant>) -> Confinement {
    Confinement::Confined(Bounds { hidden: Vec::new(), grants, network: false, modes: false })
}

fn text(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn what_a_failed_command_left_empty_goes_again() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, empty, full) = (dir.path().join("d"), dir.path().join("d/empty"), dir.path().join("full"));
    let grants = vec![Grant::NewFolder(text(&folder)), Grant::New(text(&empty)), Grant::New(text(&full))];
    for (exit, stays) in [(Some(0), true), (Some(1), false), (None, false)] {
        let made = Made::prepare(&confinement(grants.clone())).unwrap();
        assert_eq!(made.files().count(), 2);
        std::fs::write(&full, "text").unwrap();
        made.tidy(exit);
        assert_eq!((empty.exists(), folder.exists()), (stays, stays), "{exit:?}");
        assert!(full.exists(), "{exit:?}: what was written stays");
        std::fs::remove_file(&full).unwrap();
        // Where the command succeeded, the folder goes here.
        let _ = std::fs::remove_dir_all(&folder);
    }
}

#[test]
fn what_is_there_is_not_taken_and_nothing_is_left_of_a_start_that_failed() {
    let dir = tempfile::tempdir().unwrap();
    let (new, there) = (dir.path().join("new"), dir.path().join("there"));
    for make in [
        |path: &std::path::Path| std::fs::write(path, "mine"),
        |path: &std::path::Path| symlink("/nowhere", path),
    ] {
        make(&there).unwrap();
        let error = Made::prepare(&confinement(vec![Grant::New(text(&new)), Grant::New(text(&there))]));
        assert!(error.is_err_and(|error| error.to_string().contains(&text(&there))));
        assert!(!new.exists() && there.symlink_metadata().is_ok());
        std::fs::remove_file(&there).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn folders_and_links_of_the_command_itself_are_there_before_it_and_gone_when_it_fails() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let (own, soft, hard, file) = (base.join("own"), base.join("soft"), base.join("hard"), base.join("file"));
    std::fs::write(&file, "text").unwrap();
    let grants = vec![
        Grant::OwnFolder(text(&own)),
        Grant::Symlink { path: text(&soft), text: "../else where".to_owned() },
        Grant::HardLink { path: text(&hard), of: text(&file) },
    ];
    for (exit, stays) in [(Some(1), false), (None, false), (Some(0), true)] {
        let made = Made::prepare(&confinement(grants.clone())).unwrap();
        assert_eq!(std::fs::read_link(&soft).unwrap(), std::path::Path::new("../else where"));
        assert!(own.is_dir() && std::fs::read(&hard).unwrap() == b"text");
        made.tidy(exit);
        let there = [&own, &soft, &hard].map(|path| path.symlink_metadata().is_ok());
        assert_eq!(there, [stays; 3], "{exit:?}");
        assert!(file.exists(), "{exit:?}: the file has its first name still");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_made_behind_a_link_that_took_the_place_of_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    std::fs::create_dir(base.join("outside")).unwrap();
    symlink("outside", base.join("folder")).unwrap();
    let path = text(&base.join("folder/new"));
    for grant in [
        Grant::New(path.clone()),
        Grant::NewFolder(path.clone()),
        Grant::OwnFolder(path.clone()),
        Grant::Symlink { path: path.clone(), text: "x".to_owned() },
    ] {
        assert!(Made::prepare(&confinement(vec![grant.clone()])).is_err(), "{grant:?}");
        assert!(base.join("outside/new").symlink_metadata().is_err(), "{grant:?}");
    }
}

#[test]
fn what_took_the_place_of_a_new_file_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let new = dir.path().join("new");
    let made = Made::prepare(&confinement(vec![Grant::New(text(&new))])).unwrap();
    std::fs::remove_file(&new).unwrap();
    std::fs::write(&new, "").unwrap();
    made.tidy(Some(1));
    assert!(new.exists(), "it is another file");
}
