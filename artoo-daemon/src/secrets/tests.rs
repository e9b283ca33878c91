use super::*;

fn places() -> Places {
    let at = |name: &str| std::path::PathBuf::from(name);
    Places {
        data: at("/home/ann-marie-1/.artoo"),
        socket: at("/home/ann-marie-1/.artoo/artoo.sock"),
        home: at("/home/ann-marie-1"),
        workspace: at("/home/ann-marie-1/artoo_workspace"),
    }
}

fn variables(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect()
}

fn gathered(keys: &[&str], pairs: &[(&str, &str)]) -> Secrets {
    let places = places();
    let none = |_: &str| None;
    let mut config = Config::load(&places, &artoo_config::Flags::default(), &none).unwrap();
    config.secrets = keys.iter().map(|key| Secret::new(key)).collect();
    Secrets::gather(&config, Secret::new("0123456789abcdef0123456789abcdef"), &places, variables(pairs))
}

#[test]
fn every_source_is_known_and_says_what_it_is() {
    let secrets = gathered(
        &["configured-key-1", "second-key-22"],
        &[("DB_PASSWORD", "hunter2hunter2"), ("CI_TOKEN", "ci-token-0001"), ("CLIENT_SECRET", "cs-0001-xyz")],
    );
    let redacted = secrets.redactor.redact(
        "configured-key-1 second-key-22 hunter2hunter2 ci-token-0001 cs-0001-xyz 0123456789abcdef0123456789abcdef",
    );
    assert_eq!(
        redacted,
        "[redacted: api key] [redacted: api key] [redacted: password] [redacted: token] [redacted: secret] \
         [redacted: confirmation token]"
    );
    assert!(secrets.advice.is_empty(), "{:?}", secrets.advice);
}

#[test]
fn words_switches_and_paths_are_no_secrets() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_string_lossy().into_owned();
    let secrets = gathered(
        &["ollama"],
        &[
            ("POSTGRES_PASSWORD", "postgres"),
            ("USE_TOKEN", "1"),
            ("SSH_KEY", &path),
            ("PATH", "/usr/bin:/bin"),
            ("KEYBOARD_LAYOUT", "us-intl-with-dead-keys"),
            ("DB_PASSWORD_FILE", "/run/secrets/db_password"),
        ],
    );
    let told = gathered(&[], &[("DB_PASSWORD_FILE", "no-path-at-all")]);
    assert_eq!(told.redactor.redact("no-path-at-all"), "[redacted: password]");
    let text =
        format!("ollama and postgres use 1 and {path} us-intl-with-dead-keys /run/secrets/db_password");
    assert_eq!(secrets.redactor.redact(&text), text);
}

#[test]
fn a_value_that_is_part_of_a_path_is_told_and_left() {
    let secrets = gathered(&[], &[("DB_PASSWORD", "ann-marie-1")]);
    assert_eq!(secrets.redactor.redact("/home/ann-marie-1/x"), "/home/ann-marie-1/x");
    let said = secrets.advice.join("\n");
    assert!(said.contains("DB_PASSWORD") && !said.contains("ann-marie"), "{said}");
}

#[test]
fn nothing_of_it_is_in_a_debug_form() {
    let secrets = gathered(&["configured-key-1"], &[("DB_PASSWORD", "hunter2hunter2")]);
    let shown = format!("{secrets:?}");
    assert!(!shown.contains("configured") && !shown.contains("hunter") && !shown.contains("0123"), "{shown}");
}

#[test]
fn a_redactor_for_early_words_knows_the_environment() {
    let early = redactor(&[], variables(&[("OPENAI_API_KEY", "sk-early-0001")]));
    assert_eq!(early.redact("cannot use sk-early-0001"), "cannot use [redacted: api key]");
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_process_cannot_be_looked_into() {
    use rustix::process::{DumpableBehavior, dumpable_behavior};
    close_process().unwrap();
    assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    // The kernel gives the files of such a process to root.
    use std::os::unix::fs::MetadataExt as _;
    assert_eq!(std::fs::metadata("/proc/self/environ").unwrap().uid(), 0);
}
