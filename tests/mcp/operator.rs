//! What the operator sees of servers, and says about them.

use crate::bench::script;
use artoo_testing::audit_log;
use artoo_testing::{Home, wait_until};

/// Writes the configuration of a server that behaves in this way.
fn configure(home: &Home, mode: &str) {
    let notes = home.root().to_string_lossy().into_owned();
    let text = format!(
        "[mcp.servers.bad]\ncommand = \"python3\"\nargs = [{:?}, {notes:?}, {mode:?}]\n\
         env = {{ BAD_TOKEN = \"tok-0123456789-bad\" }}\neffects = {{ look = \"read\" }}\n",
        script()
    );
    home.configure(&text, 0o600);
}

fn wait_for(home: &Home, state: &str) {
    wait_until(state, || home.json(&["mcp", "list"])["servers"][0]["state"] == state);
}

#[test]
fn a_change_is_held_shown_and_agreed_to_with_the_token() {
    let mut home = Home::new();
    configure(&home, "plain");
    home.start();
    wait_for(&home, "ready");
    assert!(home.terminate().0.success());
    configure(&home, "changed");
    home.start();
    wait_for(&home, "held");
    let listed = home.artoo(&["mcp", "list"]);
    for part in
        ["! bad  held  stdio", "changed look", "- Looks at a thing.", "id_rsa", "artoo mcp approve bad"]
    {
        assert!(listed.stdout.contains(part), "{part:?}: {listed:?}");
    }
    let doctor = home.artoo(&["doctor"]).stdout;
    assert!(
        doctor.split_whitespace().collect::<Vec<_>>().join(" ").contains("the MCP server bad is held"),
        "{doctor}"
    );

    let token = home.data().join("confirm.token");
    let real = std::fs::read(&token).expect("it is ours");
    std::fs::write(&token, "0".repeat(64)).expect("it is ours");
    let refused = home.artoo(&["mcp", "approve", "bad"]);
    assert_eq!(refused.code, Some(5), "{refused:?}");
    std::fs::write(&token, real).expect("it is ours");
    assert_eq!(home.artoo(&["mcp", "approve", "good"]).code, Some(5), "there is no such server");
    let agreed = home.json(&["mcp", "approve", "bad"]);
    assert_eq!(agreed["state"], "ready", "{agreed:#}");

    let steps: Vec<String> = std::fs::read_to_string(home.data().join("journal/system.jsonl"))
        .expect("there is one")
        .lines()
        .filter_map(|line| {
            let envelope: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let payload = &envelope["payload"];
            (payload["type"] == "mcp_change")
                .then(|| format!("{} {}", envelope["from"], payload["body"]["step"]).replace('"', ""))
        })
        .collect();
    assert_eq!(steps, ["runtime first_seen", "runtime held", "operator approved"]);
    // The answer comes when the auditor has read everything.
    home.json(&["audit"]);
    let log = audit_log::log(&home.data());
    let approved = |line: &&serde_json::Value| line["summary"] == "Approved bad: look: changed";
    assert_eq!(log.iter().filter(approved).count(), 1, "{log:#?}");
}

#[test]
fn one_that_does_not_run_is_named_by_the_doctor_and_delays_nothing() {
    let mut home = Home::new();
    configure(&home, "silent");
    let since = std::time::Instant::now();
    home.start();
    assert!(since.elapsed() < std::time::Duration::from_secs(15), "{:?}", since.elapsed());
    home.configure("[mcp.servers.gone]\ncommand = \"artoo-no-such-program\"\n", 0o600);
    home.kill();
    home.start();
    wait_for(&home, "down");
    let warnings = home.json(&["status"])["warnings"].to_string();
    assert!(warnings.contains("the MCP server gone does not run"), "{warnings}");
    let shown = home.daemon_program(&["config", "show"]).stdout;
    assert!(shown.contains("mcp.servers.gone.command = artoo-no-such-program  (config.toml)"), "{shown}");
}
