use super::Copied;
use crate::sandbox::{Bounds, Confinement, Grant};

fn granting(index: &std::path::Path) -> Confinement {
    Confinement::Confined(Bounds {
        hidden: Vec::new(),
        grants: vec![Grant::Index(index.to_string_lossy().into_owned())],
        network: false,
        modes: false,
    })
}

#[test]
fn a_changed_copy_takes_the_place_of_the_index() {
    let dir = tempfile::tempdir().unwrap();
    let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
    std::fs::create_dir(&scratch).unwrap();
    std::fs::write(&index, "before").unwrap();
    let copied = Copied::of(&granting(&index), &scratch).unwrap().unwrap();
    assert_eq!(std::fs::read_to_string(&copied.copy).unwrap(), "before");
    std::fs::write(&copied.copy, "after").unwrap();
    copied.put_back().unwrap();
    assert_eq!(std::fs::read_to_string(&index).unwrap(), "after");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no lock stays behind");
}

#[test]
fn a_link_in_the_place_of_the_copy_is_not_followed_and_a_lock_is_respected() {
    let dir = tempfile::tempdir().unwrap();
    let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
    std::fs::create_dir(&scratch).unwrap();
    std::fs::write(&index, "before").unwrap();
    std::fs::write(dir.path().join("secret"), "canary").unwrap();
    let copied = Copied::of(&granting(&index), &scratch).unwrap().unwrap();
    std::fs::write(&copied.copy, "after").unwrap();
    std::fs::write(dir.path().join("index.lock"), "").unwrap();
    copied.put_back().unwrap_err();
    std::fs::remove_file(dir.path().join("index.lock")).unwrap();
    std::fs::remove_file(&copied.copy).unwrap();
    std::os::unix::fs::symlink(dir.path().join("secret"), &copied.copy).unwrap();
    copied.put_back().unwrap_err();
    assert_eq!(std::fs::read_to_string(&index).unwrap(), "before");
}

#[test]
fn a_pipe_in_the_place_of_the_copy_holds_nobody_up() {
    let dir = tempfile::tempdir().unwrap();
    let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
    std::fs::create_dir(&scratch).unwrap();
    std::fs::write(&index, "before").unwrap();
    let copied = Copied::of(&granting(&index), &scratch).unwrap().unwrap();
    std::fs::remove_file(&copied.copy).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&copied.copy).status().unwrap();
    assert!(made.success());
    // Opened without a writer, it would wait for ever.
    copied.put_back().unwrap_err();
    assert_eq!(std::fs::read_to_string(&index).unwrap(), "before");
}

#[test]
fn what_somebody_staged_meanwhile_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (index, scratch) = (dir.path().join("index"), dir.path().join("scratch"));
    std::fs::create_dir(&scratch).unwrap();
    std::fs::write(&index, "before").unwrap();
    let copied = Copied::of(&granting(&index), &scratch).unwrap().unwrap();
    std::fs::write(&copied.copy, "after").unwrap();
    std::fs::write(&index, "staged by somebody else").unwrap();
    let refused = copied.put_back().unwrap_err();
    assert!(refused.to_string().contains("another program changed it"), "{refused}");
    assert_eq!(std::fs::read_to_string(&index).unwrap(), "staged by somebody else");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "no lock stays behind");
    // A command that changed nothing takes nothing back either.
    std::fs::write(&copied.copy, "before").unwrap();
    copied.put_back().unwrap();
    assert_eq!(std::fs::read_to_string(&index).unwrap(), "staged by somebody else");
}
