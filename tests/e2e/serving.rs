//! `artoo service` on Linux, with a systemctl that writes down what it was asked.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use artoo_testing::Home;

/// A home with a `systemctl` that notes its arguments and ends with this status.
fn home(status: i32) -> Home {
    let home = Home::new();
    let folder = home.root().join("bin");
    fs::create_dir_all(&folder).expect("the home can be written");
    let program = folder.join("systemctl");
    fs::write(&program, format!("#!/bin/sh\necho \"$*\" >>\"$HOME/asked\"\nexit {status}\n"))
        .expect("it can be written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    home
}

fn service(home: &Home, words: &[&str]) -> std::process::Output {
    let path = format!("{}:{}", home.root().join("bin").display(), std::env::var("PATH").expect("a PATH"));
    let mut command = home.command("artoo");
    command.env("PATH", path).env_remove("XDG_CONFIG_HOME").arg("service").args(words);
    command.output().expect("the client runs")
}

#[test]
fn a_service_is_installed_over_a_running_daemon_and_taken_away() {
    let mut home = home(0);
    home.start();
    let unit = home.root().join(".config/systemd/user/artoo.service");

    let printed = service(&home, &["install", "--print"]);
    assert!(printed.status.success(), "{printed:?}");
    let told = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(told.contains("systemctl --user enable artoo.service") && told.contains("ExecStart="), "{told}");
    assert!(!unit.exists() && !home.root().join("asked").exists(), "printing does nothing");

    let installed = service(&home, &["install"]);
    assert!(installed.status.success(), "{installed:?}");
    let text = fs::read_to_string(&unit).expect("the unit was written");
    assert!(text.contains("artoo-daemon\" --foreground"), "{text}");
    let asked = fs::read_to_string(home.root().join("asked")).expect("systemctl was asked");
    let lines: Vec<&str> = asked.lines().collect();
    assert_eq!(
        lines,
        [
            "--user daemon-reload",
            "--user enable artoo.service",
            "--user stop artoo.service",
            "--user start artoo.service"
        ]
    );
    assert_eq!(home.artoo(&["stop"]).stdout.trim(), "the daemon was not running", "the old one made way");

    home.configure("[model]\nmodle = \"x\"\n", 0o600);
    for word in ["restart", "start", "install"] {
        let refused = service(&home, &[word]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            refused.status.code() == Some(1) && said.contains("line 2") && said.contains("`model`"),
            "{refused:?}"
        );
    }
    let asked = fs::read_to_string(home.root().join("asked")).expect("systemctl was asked");
    assert_eq!(asked.lines().count(), 4, "nothing was stopped: {asked}");

    assert!(service(&home, &["uninstall"]).status.success());
    assert!(!unit.exists());
    assert!(home.data().join("audit").exists(), "what artoo knows stays");
}

#[test]
fn a_refusal_of_the_system_says_what_to_do() {
    let home = home(1);
    let refused = service(&home, &["install"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("loginctl enable-linger"), "{told}");
}

/// What `Type=notify` waits for.
#[test]
fn the_service_manager_hears_of_the_start_and_of_the_end() {
    let home = Home::new();
    let path = home.root().join("notify");
    let manager = std::os::unix::net::UnixDatagram::bind(&path).expect("the home can be written");
    manager.set_read_timeout(Some(std::time::Duration::from_secs(60))).expect("a socket has a timeout");
    let heard = || {
        let mut bytes = [0; 64];
        let length = manager.recv(&mut bytes).expect("it is told");
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    let mut home = home.variable("NOTIFY_SOCKET", &path.display().to_string());
    home.start();
    assert_eq!(heard(), "READY=1\n");
    assert_eq!(home.artoo(&["status"]).code, Some(0), "it answers from then on");
    let (status, _) = home.terminate();
    assert!(status.success(), "{status}");
    assert_eq!(heard(), "STOPPING=1\n");
}
