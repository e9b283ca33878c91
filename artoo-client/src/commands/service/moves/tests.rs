use std::path::PathBuf;

use super::{ServiceCommand, ServiceManager, ServiceMove, ServicePlaces, ServiceState, moves, state_query};

fn places() -> ServicePlaces {
    ServicePlaces {
        home: PathBuf::from("/home/m & e"),
        config: PathBuf::from("/home/m & e/.config"),
        program: PathBuf::from("/opt/50% \"off\"/artoo-daemon"),
        uid: 501,
        variables: vec![("ARTOO_DATA_DIR", PathBuf::from("/data/$x"))],
    }
}

fn of(command: ServiceCommand, manager: ServiceManager) -> Vec<ServiceMove> {
    moves(command, manager, &places()).expect("paths of plain text")
}

/// The commands among the moves, as they would be typed.
fn typed(moves: &[ServiceMove]) -> Vec<String> {
    let words = moves.iter().map(|step| match step {
        ServiceMove::Run(words) => words.join(" "),
        ServiceMove::Try(words) => format!("({})", words.join(" ")),
        ServiceMove::EndDaemon => "end".to_owned(),
        ServiceMove::Write(path, _) => format!("write {}", path.display()),
        ServiceMove::Remove(path) => format!("remove {}", path.display()),
        ServiceMove::MakeFolder(path) => format!("make {}", path.display()),
    });
    words.collect()
}

fn written(moves: &[ServiceMove]) -> &str {
    let file = moves.iter().find_map(|step| match step {
        ServiceMove::Write(_, text) => Some(text.as_str()),
        ServiceMove::Run(_)
        | ServiceMove::Try(_)
        | ServiceMove::EndDaemon
        | ServiceMove::Remove(_)
        | ServiceMove::MakeFolder(_) => None,
    });
    file.expect("an installation writes a file")
}

#[test]
fn systemd_gets_a_unit_that_names_this_program() {
    let moves = of(ServiceCommand::Install, ServiceManager::Systemd);
    assert_eq!(
        typed(&moves),
        [
            "make /home/m & e/.config/systemd/user",
            "write /home/m & e/.config/systemd/user/artoo.service",
            "systemctl --user daemon-reload",
            "systemctl --user enable artoo.service",
            "(systemctl --user stop artoo.service)",
            "end",
            "systemctl --user start artoo.service",
        ]
    );
    let unit = written(&moves);
    assert!(unit.contains("\nExecStart=\"/opt/50%% \\\"off\\\"/artoo-daemon\" --foreground\n"), "{unit}");
    assert!(unit.contains("\nEnvironment=\"ARTOO_DATA_DIR=/data/$$x\"\nRestart=on-failure\n"), "{unit}");
    assert!(!unit.contains("%h"), "{unit}");
}

#[test]
fn launchd_gets_an_agent_of_this_account() {
    let moves = of(ServiceCommand::Install, ServiceManager::Launchd);
    assert_eq!(
        typed(&moves),
        [
            "make /home/m & e/Library/LaunchAgents",
            "make /home/m & e/Library/Logs/artoo",
            "write /home/m & e/Library/LaunchAgents/com.artoo.daemon.plist",
            "(launchctl bootout gui/501/com.artoo.daemon)",
            "end",
            "launchctl bootstrap gui/501 /home/m & e/Library/LaunchAgents/com.artoo.daemon.plist",
        ]
    );
    let agent = written(&moves);
    assert!(agent.contains("<string>/opt/50% \"off\"/artoo-daemon</string>"), "{agent}");
    assert!(agent.contains("<string>/home/m &amp; e/Library/Logs/artoo/daemon.log</string>"), "{agent}");
    assert!(
        agent.contains("<key>ARTOO_DATA_DIR</key>\n\t\t<string>/data/$x</string>\n\t\t<key>PATH</key>"),
        "{agent}"
    );
    assert!(!agent.contains("<string>@"), "nothing is left to fill in: {agent}");
}

#[test]
fn what_is_taken_away_is_the_service_alone() {
    for manager in [ServiceManager::Systemd, ServiceManager::Launchd] {
        let removed: Vec<String> = typed(&of(ServiceCommand::Uninstall, manager))
            .into_iter()
            .filter(|m| m.starts_with("remove"))
            .collect();
        assert_eq!(removed.len(), 1, "{removed:?}");
        assert!(removed[0].ends_with("artoo.service") || removed[0].ends_with("com.artoo.daemon.plist"));
    }
}

#[test]
fn a_path_with_a_line_break_is_refused() {
    let places = ServicePlaces { program: PathBuf::from("/opt/a\nExecStartPre=/bin/rm"), ..places() };
    for manager in [ServiceManager::Systemd, ServiceManager::Launchd] {
        let refusal = moves(ServiceCommand::Install, manager, &places)
            .expect_err("it would be a line of its own")
            .to_string();
        assert!(refusal.contains("cannot stand in a service file"), "{refusal}");
    }
}

#[test]
fn what_the_system_says_of_the_service_is_read() {
    let asked = |manager| state_query(manager, &places()).join(" ");
    assert_eq!(asked(ServiceManager::Systemd), "systemctl --user is-active artoo.service");
    assert_eq!(asked(ServiceManager::Launchd), "launchctl print gui/501/com.artoo.daemon");
    let printed = |state: &str, code: &str| {
        format!(
            "gui/501/com.artoo.daemon = {{\n\tactive count = 1\n\tstate = {state}\n\tlast exit code = {code}\n}}\n"
        )
    };
    for (manager, said, state) in [
        (ServiceManager::Systemd, "active\n".to_owned(), Some(ServiceState::Running)),
        (ServiceManager::Systemd, "failed\n".to_owned(), Some(ServiceState::Failed)),
        (ServiceManager::Systemd, "inactive\n".to_owned(), Some(ServiceState::Stopped)),
        (ServiceManager::Systemd, String::new(), None),
        (ServiceManager::Launchd, printed("running", "(never exited)"), Some(ServiceState::Running)),
        (ServiceManager::Launchd, printed("not running", "78"), Some(ServiceState::Failed)),
        (ServiceManager::Launchd, printed("not running", "0"), Some(ServiceState::Stopped)),
        (ServiceManager::Launchd, String::new(), None),
    ] {
        assert_eq!(ServiceState::read(manager, &said), state, "{said:?}");
    }
}
