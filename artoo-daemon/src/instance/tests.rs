use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::{Instance, InstanceError, new_token, old_token};
use artoo_config::folder::Places;

fn places(folder: &tempfile::TempDir) -> Places {
    let at = |name: &str| folder.path().join(name);
    let places = Places { data: at("data"), socket: at("data/s"), home: at("home"), workspace: at("work") };
    places.prepare().expect("it can be made");
    places
}

/// What taking the lock says, when the file holds this.
fn acquired(holds: &str) -> (tempfile::TempDir, PathBuf, Result<Instance, InstanceError>) {
    let folder = tempfile::tempdir().expect("a folder");
    let places = places(&folder);
    let lock = places.data.join("daemon.lock");
    std::fs::write(&lock, holds).expect("it can be written");
    let instance = Instance::acquire(&places);
    (folder, lock, instance)
}

#[test]
fn a_lock_file_that_nobody_holds_is_taken_whatever_it_says() {
    for left in ["", "1\n", "4294967295 and much more that somebody wrote\n"] {
        let (_folder, lock, instance) = acquired(left);
        assert!(instance.is_ok(), "{left:?}");
        assert_eq!(std::fs::read_to_string(lock).expect("it is there"), format!("{}\n", std::process::id()));
    }
}

#[test]
fn what_lies_in_the_place_of_the_lock_file_stays_as_it_is() {
    let text = "precious: longer than the number of a process\n";
    let (_folder, lock, instance) = acquired(text);
    assert!(matches!(instance, Err(InstanceError::NotALock(..))), "{instance:?}");
    assert_eq!(std::fs::read_to_string(lock).expect("it is there"), text);
    let folder = tempfile::tempdir().expect("a folder");
    let places = places(&folder);
    let (lock, other) = (places.data.join("daemon.lock"), folder.path().join("other"));
    for content in ["precious\n", "1234 and more\n"] {
        std::fs::write(&other, content).expect("it can be written");
        let _ = std::fs::remove_file(&lock);
        std::os::unix::fs::symlink(&other, &lock).expect("a link");
        let instance = Instance::acquire(&places);
        assert!(matches!(instance, Err(InstanceError::NotALock(..))), "{instance:?}");
        assert_eq!(std::fs::read_to_string(&other).expect("it is there"), content);
    }
}

#[test]
fn a_second_daemon_is_told_of_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let places = places(&folder);
    let _first = Instance::acquire(&places).expect("nobody has it");
    let second = Instance::acquire(&places);
    let own = std::process::id().to_string();
    assert!(matches!(second, Err(InstanceError::Taken { pid, .. }) if pid == own));
}

#[test]
fn a_file_in_the_place_of_the_socket_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let places = places(&folder);
    let instance = Instance::acquire(&places).expect("nobody has it");
    std::fs::write(&places.socket, "mine").expect("it can be written");
    assert!(matches!(instance.listen(), Err(InstanceError::NotASocket(_))));
    drop(instance);
    assert_eq!(std::fs::read_to_string(&places.socket).expect("it is there"), "mine");
}

#[test]
fn every_start_has_a_token_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("confirm.token");
    let first = new_token(&path).expect("there is room");
    assert_eq!(old_token(&path).as_ref(), Some(&first));
    let second = new_token(&path).expect("there is room");
    assert_ne!(first, second);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("it is there").count(),
        1,
        "nothing is left beside it"
    );
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("it is ours");
    assert_eq!(old_token(&path), None, "others could read it");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    std::fs::write(&path, &second[1..]).expect("it is ours");
    assert_eq!(old_token(&path), None, "it is not whole");
}

// Fails when the service gives up at once, as before, or ends a daemon that was not started by a client.
#[test]
fn a_daemon_that_a_client_started_gives_way_to_a_service_and_no_other_does() {
    for (holder, is_taken) in [("started by a client", true), ("", false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let places = places(&folder);
        let lock = places.data.join("daemon.lock");
        let hold =
            "exec 9<>\"$1\" && flock 9 && printf '%s\\n%s\\n' $$ \"$2\" >&9 && echo ready && exec sleep 60";
        let mut other = std::process::Command::new("bash")
            .args(["-c", hold, "bash"])
            .arg(&lock)
            .arg(holder)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("bash starts");
        let mut said = [0; 5];
        std::io::Read::read_exact(other.stdout.as_mut().expect("a pipe"), &mut said)
            .expect("it holds the lock");
        let taken = Instance::acquire_from_client(&places, std::time::Duration::from_secs(30));
        assert_eq!(taken.is_ok(), is_taken, "{holder:?}: {:?}", taken.err());
        let _ = other.kill();
        other.wait().expect("it ends");
    }
}
