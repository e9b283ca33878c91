//! The service definitions of launchd and systemd say what the daemon relies on.

use std::path::Path;
use std::process::Command;

use plist::{Dictionary, Value};

/// What is wrong with the LaunchAgent template.
pub(crate) fn launch_agent_errors(template: &str) -> Vec<String> {
    let file = "launchd/com.artoo.daemon.plist";
    let value = match Value::from_reader_xml(template.as_bytes()) {
        Ok(value) => value,
        Err(error) => return vec![format!("{file}: not a property list: {error}")],
    };
    let Some(agent) = value.as_dictionary() else {
        return vec![format!("{file}: the top value must be a dictionary")];
    };
    let string = |text: &str| Value::String(text.to_owned());
    let strings = |texts: &[&str]| Value::Array(texts.iter().map(|text| string(text)).collect());
    let restart_after_failure = Dictionary::from_iter([("SuccessfulExit", Value::Boolean(false))]);
    let log = "@HOME@/Library/Logs/artoo/daemon.log";
    let expected = [
        ("Label", string("com.artoo.daemon")),
        ("ProgramArguments", strings(&["@ARTOO_DAEMON@", "--foreground"])),
        ("RunAtLoad", Value::Boolean(true)),
        ("KeepAlive", Value::Dictionary(restart_after_failure)),
        ("ThrottleInterval", Value::Integer(10.into())),
        ("ExitTimeOut", Value::Integer(30.into())),
        ("Umask", Value::Integer(0o077.into())),
        ("ProcessType", string("Interactive")),
        ("LimitLoadToSessionType", strings(&["Aqua", "Background"])),
        ("StandardOutPath", string(log)),
        ("StandardErrorPath", string(log)),
    ];
    let mut errors: Vec<String> = expected
        .iter()
        .filter(|(key, value)| agent.get(key) != Some(value))
        .map(|(key, value)| format!("{file}: `{key}` is {:?} and must be {value:?}", agent.get(key)))
        .collect();
    let environment = agent.get("EnvironmentVariables").and_then(Value::as_dictionary);
    let path = environment.and_then(|variables| variables.get("PATH")).and_then(Value::as_string);
    if !path.is_some_and(|path| path.split(':').all(|folder| folder.starts_with(['/', '@']))) {
        errors.push(format!(
            "{file}: `EnvironmentVariables` must set PATH to absolute folders: launchd's own is short"
        ));
    }
    let known = |key: &String| key == "EnvironmentVariables" || expected.iter().any(|(name, _)| name == key);
    errors.extend(agent.keys().filter(|key| !known(key)).map(|key| {
        format!("{file}: `{key}` is not checked. Add it to tests/architecture/services.rs, or remove it.")
    }));
    errors
}

/// What is wrong with the systemd user unit.
pub(crate) fn unit_errors(unit: &str) -> Vec<String> {
    let file = "systemd/artoo.service";
    let expected = [
        ("Unit", "Description", "artoo, a local agent daemon"),
        ("Unit", "StartLimitIntervalSec", "60"),
        ("Unit", "StartLimitBurst", "5"),
        ("Service", "Type", "notify"),
        ("Service", "ExecStart", "%h/.local/bin/artoo-daemon --foreground"),
        ("Service", "Restart", "on-failure"),
        ("Service", "RestartSec", "5"),
        ("Service", "TimeoutStartSec", "300"),
        ("Service", "TimeoutStopSec", "30"),
        ("Service", "UMask", "0077"),
        ("Service", "NoNewPrivileges", "yes"),
        ("Service", "Delegate", "yes"),
        ("Install", "WantedBy", "default.target"),
    ];
    let mut section = "";
    let mut entries = Vec::new();
    let mut errors = Vec::new();
    for (number, line) in unit.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if let Some((key, value)) = line.split_once('=') {
            entries.push((section, key, value));
        } else {
            errors.push(format!("{file}:{}: neither a section nor `Key=value`: {line}", number + 1));
        }
    }
    errors.extend(
        expected
            .iter()
            .filter(|entry| !entries.contains(entry))
            .map(|(section, key, value)| format!("{file}: [{section}] must hold `{key}={value}`")),
    );
    errors.extend(entries.iter().filter(|entry| !expected.contains(entry)).map(|(section, key, value)| {
        format!(
            "{file}: [{section}] `{key}={value}` is not checked. Add it to tests/architecture/services.rs, or remove it."
        )
    }));
    errors
}

/// What `systemd-analyze` says about a unit, or none where it is not installed. The program named in the unit need not
/// be installed: a copy that starts `/bin/true` is examined.
pub(crate) fn analyze(unit: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let copy = folder.path().join("artoo.service");
    let program = ["/bin/true", "/usr/bin/true"].into_iter().find(|path| Path::new(path).exists())?;
    std::fs::write(&copy, unit.replace("%h/.local/bin/artoo-daemon", program))
        .expect("the copy can be written");
    let output = Command::new("systemd-analyze")
        .args(["verify", "--user"])
        .arg(&copy)
        .env("XDG_RUNTIME_DIR", folder.path())
        .output()
        .ok()?;
    // A value that systemd does not understand is a warning with exit status 0: whatever it says is an error here.
    let mut said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if !output.status.success() && said.is_empty() {
        said = format!("systemd-analyze ended with {}", output.status);
    }
    Some(said)
}
