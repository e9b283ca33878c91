//! Keys from files and commands.

use std::time::Duration;

use artoo_model::Secret;

use super::*;

fn with_key(line: &str) -> Home {
    Home::with(&format!("[model]\nmodel = \"m\"\n{line}\n"))
}

#[test]
fn a_key_file_is_found_from_the_home_the_data_folder_or_the_root() {
    let check = |configured: &str| {
        let home = with_key(&format!("api_key_file = \"{configured}\""));
        home.write("key", "  sk-from-home\n", 0o600);
        home.write(".artoo/key", "sk-from-data\n", 0o400);
        home.config().models.tool.api_key
    };
    assert_eq!(check("~/key"), Secret::new("sk-from-home"));
    assert_eq!(check("key"), Secret::new("sk-from-data"));
    let home = Home::new().env("OPENAI_MODEL", "m");
    let path = home.write("key", "sk-anywhere", 0o600);
    home.write(".artoo/config.toml", &format!("[model]\napi_key_file = \"{}\"\n", path.display()), 0o644);
    assert_eq!(home.config().models.brain.api_key, Secret::new("sk-anywhere"));
}

#[test]
fn a_key_file_that_cannot_serve_is_refused() {
    let check = |text: &str, mode: u32, expected: &str| {
        let home = with_key("api_key_file = \"~/my key\"");
        home.write("my key", text, mode);
        let error = home.error();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains("very-secret"), "{error}");
    };
    check(
        "sk-very-secret",
        0o640,
        "~/my key holds a key and others can read it (mode 0640): run `chmod 600 '/",
    );
    check(" \n", 0o600, "`model.api_key_file` names ~/my key, which holds no key");
    check("sk-very-secret\nsk-two", 0o600, "names ~/my key, which has more than one line");
    check(&"k".repeat(9_000), 0o600, "~/my key is larger than 8192 bytes");
    let error = with_key("api_key_file = \"~/none\"").error();
    assert_eq!(error, "`model.api_key_file` names ~/none, which does not exist; write the key into it");
}

#[test]
fn a_command_prints_the_key_once_for_both_tiers() {
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("runs");
    let home =
        with_key(&format!("api_key_command = \"echo run >> '{}'; echo ' sk-printed '\"", counter.display()));
    let models = home.config().models;
    assert_eq!(models.brain.api_key, Secret::new("sk-printed"));
    assert_eq!(models.tool.api_key, Secret::new("sk-printed"));
    assert_eq!(fs::read_to_string(&counter).unwrap(), "run\n");
}

#[test]
fn a_failing_command_is_quoted_without_what_it_printed() {
    let check = |command: &str, expected: &str| {
        let error = with_key(&format!("api_key_command = '{command}'")).error();
        assert!(error.starts_with(&format!("`model.api_key_command` {expected}")), "{error}");
        assert!(!error.contains("very-secret") && error.len() < 500, "{error}");
    };
    check("echo sk-very-secret; echo no  store >&2; exit 3", "failed with exit code 3; it says: no store");
    check("echo sk-very-secret; exit 1", "failed with exit code 1; run it in a shell to see why");
    check("kill -9 $$", "failed with signal 9");
    check("head -c 100000 /dev/zero >&2; exit 1", "failed with exit code 1");
    check("yes long | head -c 5000 >&2; exit 1", "failed with exit code 1; it says: long long");
    check("true", "printed no key");
    check("printf \"sk-very-secret\\nb\"", "printed something that has more than one line");
    check("head -c 9000 /dev/zero", "printed more than 8192 bytes");
    check("printf \"\\377\"", "printed something that is not text");
}

#[test]
fn a_command_that_does_not_end_is_given_up() {
    let check = |command: &str| {
        let home = with_key(&format!("api_key_command = '{command}'"));
        let settings = Settings::read(&home.places, &home.flags, &|_| None).unwrap();
        let error = tier::models(
            effective::draft(&settings).models,
            &settings,
            &home.places,
            Duration::from_millis(50),
        )
        .unwrap()
        .1
        .unwrap()
        .to_string();
        assert!(error.starts_with("`model.api_key_command` did not end within 0.05 seconds"), "{error}");
    };
    check("sleep 600");
    // The output stays open although the shell has ended; the output is closed although the shell goes on.
    check("echo sk-early; sleep 600 &");
    check("exec >&-; sleep 600; true");
}

#[test]
fn a_command_that_is_given_up_ends_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    let reading = pipe.clone();
    // Reading ends when the last process that holds the pipe for writing is gone.
    std::thread::spawn(move || sender.send(fs::read(reading).unwrap()));
    let home = with_key(&format!("api_key_command = \"exec 9>'{}'; sleep 600 & sleep 600\"", pipe.display()));
    let settings = Settings::read(&home.places, &home.flags, &|_| None).unwrap();
    tier::models(effective::draft(&settings).models, &settings, &home.places, Duration::from_millis(200))
        .unwrap()
        .1
        .unwrap();
    // Lets the reader go also when the command was ended before it opened the pipe.
    drop(fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap());
    receiver.recv_timeout(Duration::from_secs(60)).unwrap();
}

#[test]
fn showing_or_refusing_a_configuration_runs_no_command() {
    let marker = tempfile::tempdir().unwrap();
    let file = marker.path().join("ran");
    let command = format!("api_key_command = \"touch '{}'; echo sk-1\"\n", file.display());
    Home::with(&format!("[model]\nmodel = \"m\"\n{command}")).shown("model.api_key_command");
    Home::with(&format!("[model]\nmodel = \"m\"\nprovider = \"offline\"\n{command}")).config();
    Home::with(&format!("[model]\nprovider = \"openai\"\n{command}")).config();
    Home::with(&format!("[model]\nmodel = \"m\"\n{command}[control]\ntheta = 2\n")).error();
    assert!(!file.exists());
    Home::with(&format!("[model]\nmodel = \"m\"\n{command}")).config();
    assert!(file.exists());
}

#[test]
fn two_ways_to_one_key_are_refused_only_at_the_same_rank() {
    let error = with_key("api_key = \"sk-1\"\napi_key_file = \"~/k\"").error();
    assert!(
        error.ends_with("`model.api_key_file` and `model.api_key` are both set; keep one of them"),
        "{error}"
    );
    let error = with_key("[model.tool]\napi_key_command = \"x\"\napi_key_file = \"~/k\"").error();
    assert!(error.contains("`model.tool.api_key_command` and `model.tool.api_key_file`"), "{error}");

    let home = with_key("api_key_command = \"exit 1\"").env("OPENAI_API_KEY", "sk-env");
    assert_eq!(home.config().models.brain.api_key, Secret::new("sk-env"));
    assert_eq!(home.shown("model.api_key_command"), "model.api_key_command is not set  (default)");
}

#[test]
fn a_tiers_own_way_to_a_key_outranks_the_shared_key() {
    let home = with_key("[model.tool]\napi_key_command = \"echo sk-tool\"\n[model.brain]\napi_key = \"\"")
        .env("OPENAI_API_KEY", "sk-shared");
    let models = home.config().models;
    assert_eq!(models.tool.api_key, Secret::new("sk-tool"));
    assert!(models.brain.api_key.is_empty());
}

#[test]
fn every_key_that_is_written_anywhere_is_known() {
    let home = Home::with(
        "[model]\nprovider = \"offline\"\napi_key_file = \"~/shared\"\n[model.tool]\napi_key = \"sk-outranked\"\n\
         [model.brain]\napi_key_command = \"exit 1\"\n",
    )
    .env("OPENAI_API_KEY", "sk-environment")
    .env("TOOL_API_KEY", "sk-tool");
    home.write("shared", "sk-in-a-file\n", 0o600);
    let secrets = home.config().secrets;
    for key in ["sk-environment", "sk-tool", "sk-outranked", "sk-in-a-file"] {
        assert!(secrets.contains(&Secret::new(key)), "{key} is not known");
    }
    assert!(!secrets.iter().any(Secret::is_empty));
    let home = with_key("api_key_command = \"echo sk-printed\"");
    assert!(home.config().secrets.contains(&Secret::new("sk-printed")));
    let url = "https://h/v1?api-version=2024-10-21&code=sk-in-the-query&x";
    let home = Home::new().env("OPENAI_MODEL", "m").env("OPENAI_BASE_URL", url);
    let secrets = home.config().secrets;
    assert_eq!(secrets, [Secret::new("sk-in-the-query"), Secret::new("sk-in-the-query")]);
    // A file that is not there keeps nobody from starting offline.
    assert_eq!(
        Home::with("[model]\nprovider = \"offline\"\napi_key_file = \"~/none\"\n").config().secrets,
        []
    );
}

#[test]
fn without_its_key_a_tier_has_the_built_in_rules_and_says_why() {
    let home = with_key("api_key_command = \"exit 1\"");
    let config = home.load().unwrap();
    assert!(!config.models.brain.kind.is_server() && !config.models.tool.kind.is_server());
    let missing = config.missing_model().unwrap();
    assert!(
        missing.starts_with("`model.api_key_command` ") && missing.contains("artoo restart"),
        "{missing}"
    );
    assert_eq!(config.advice(), [missing]);

    let home = with_key("api_key = \"sk-1\"\n[model.tool]\napi_key_file = \"~/none\"");
    let config = home.load().unwrap();
    assert!(config.models.brain.kind.is_server() && !config.models.tool.kind.is_server());
    assert!(config.missing_model().unwrap().starts_with("`model.tool.api_key_file` names ~/none"));
}
