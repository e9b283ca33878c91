//! Set-ups that are broken on purpose: `artoo doctor` finds each, and the line that it prints mends it.

mod certificates;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use artoo_testing::model_server::{ModelServer, Reply, dead_base_url};
use artoo_testing::{Client, Ended, Home, binaries};
use certificates::{AUTHORITY, TlsServer};
use serde_json::{Value, json};

/// How the server of each row is: it takes one key and one model, below `/v1`, and can be slow.
fn server(delay: Duration) -> ModelServer {
    ModelServer::scripted_whole(move |seen| {
        let is_ours = seen.headers.get("authorization").is_some_and(|key| key == "Bearer right-key");
        if !seen.path.starts_with("/v1/") {
            return Reply::status(404, "no such page");
        }
        if !is_ours {
            return Reply::status(401, "who are you?");
        }
        if seen.path == "/v1/models" {
            let list = json!({"data": [{"id": "scripted"}, {"id": "other"}]}).to_string();
            return Reply::Status { code: 200, headers: Vec::new(), body: list };
        }
        if seen.body["model"] != "scripted" {
            return Reply::status(404, "try pulling it first");
        }
        std::thread::sleep(delay);
        Reply::Sse(json!({"action": "finish", "status": "completed", "output": "ready"}).to_string())
    })
}

/// A home whose `config.toml` names this server, and all is well.
fn sound(url: &str) -> Home {
    let home = Home::new();
    home.configure(&config(url, "scripted", "right-key"), 0o600);
    home
}

fn config(url: &str, model: &str, key: &str) -> String {
    format!("# mine\n[model]\nbase_url = {url:?}\nmodel = {model:?}\napi_key = {key:?}\n")
}

/// What a person types in the shell of this home, which may start the daemon.
fn typed(home: &Home, line: &str) -> Ended {
    let path = format!(
        "{}:{}:{}",
        home.root().join("bin").display(),
        binaries().display(),
        std::env::var("PATH").expect("a PATH")
    );
    let mut shell = home.command("artoo");
    let environment: Vec<_> =
        shell.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    shell = std::process::Command::new("sh");
    shell.env_clear().current_dir(home.work()).stdin(std::process::Stdio::null());
    shell.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    for (name, value) in environment {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    shell.env("PATH", path).arg("-c").arg(line);
    Client::spawn(shell).wait()
}

/// The check with this name, in what `doctor --json` printed.
fn check(ended: &Ended, name: &str) -> Value {
    let printed: Value = serde_json::from_str(ended.stdout.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("no JSON ({error}): {ended:?}"));
    let checks = printed["checks"].as_array().cloned().unwrap_or_default();
    checks
        .into_iter()
        .find(|check| check["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {printed:#}"))
}

/// The doctor's first look finds `name` to be as `verdict` says, in words that hold `part`; the line that it prints, with what is
/// in capitals filled in, mends it.
fn mends(row: &str, home: &Home, (name, verdict, part): (&str, &str, &str), filled: &[(&str, &str)]) {
    mends_after(row, home, "artoo doctor", (name, verdict, part), filled);
}

fn mends_after(
    row: &str,
    home: &Home,
    look: &str,
    (name, verdict, part): (&str, &str, &str),
    filled: &[(&str, &str)],
) {
    let first = typed(home, &format!("{look} --json"));
    let found = check(&first, name);
    assert_eq!(found["verdict"], verdict, "{row}: {found:#}");
    assert!(found["saw"].as_str().is_some_and(|saw| saw.contains(part)), "{row}: no {part:?} in {found:#}");
    assert_ne!(first.code, Some(if verdict == "wrong" { 0 } else { 1 }), "{row}: {first:?}");
    let mut line = found["command"].as_str().unwrap_or_default().to_owned();
    assert!(!line.is_empty(), "{row}: nothing to do about {found:#}");
    for (word, value) in filled {
        assert!(line.contains(word), "{row}: no {word} in {line}");
        line = line.replace(word, value);
    }
    let again = if line.starts_with("artoo doctor") {
        typed(home, &format!("{line} --json"))
    } else {
        typed(home, &format!("{line} >&2; artoo doctor --json"))
    };
    let mended = check(&again, name);
    assert_eq!(mended["verdict"], "fine", "{row}: after {line}: {mended:#}\n{}", again.stderr);
}

const NO_DELAY: Duration = Duration::ZERO;

#[test]
fn a_key_that_is_not_taken_is_given_anew_where_it_stands() {
    let server = server(NO_DELAY);
    let home = Home::new();
    home.configure(&config(&server.base_url(), "scripted", "wrong-key"), 0o600);
    mends("in the file", &home, ("model", "wrong", "does not accept the key"), &[("KEY", "right-key")]);
    let home = Home::with_model(&server.base_url());
    mends("in a variable", &home, ("model", "wrong", "does not accept the key"), &[("=KEY", "=right-key")]);
    let home = Home::new();
    home.configure(&format!("[model]\nbase_url = {:?}\nmodel = \"scripted\"\n", server.base_url()), 0o600);
    mends("none", &home, ("model", "wrong", "wants a key and none is configured"), &[("KEY", "right-key")]);
}

#[test]
fn a_model_that_the_server_does_not_have_is_named_right() {
    let server = server(NO_DELAY);
    let home = Home::new();
    home.configure(&config(&server.base_url(), "scriptde", "right-key"), 0o600);
    mends("a slip", &home, ("model", "wrong", "the model scriptde"), &[]);
    let text = fs::read_to_string(home.data().join("config.toml")).expect("it is there");
    assert!(text.starts_with("# mine\n") && text.contains("model = \"scripted\""), "{text}");
}

#[test]
fn an_address_where_nobody_answers_is_given_anew() {
    let server = server(NO_DELAY);
    let url = server.base_url();
    let home = sound(&dead_base_url());
    mends("a closed port", &home, ("model", "wrong", "nobody answers"), &[("URL", &url)]);
    let home = sound(url.trim_end_matches("/v1"));
    mends("no /v1", &home, ("model", "wrong", "found nothing"), &[("URL", &url)]);
}

/// Whatever is wrong with a model, the built-in rules can answer again: the line for that stands there too.
#[test]
fn the_way_back_to_the_built_in_rules_is_told() {
    let server = server(NO_DELAY);
    let back = "artoo config unset model.model && artoo restart";
    for (row, text) in [
        ("a closed port", config(&dead_base_url(), "scripted", "right-key")),
        ("a wrong key", config(&server.base_url(), "scripted", "wrong-key")),
        ("no such model", config(&server.base_url(), "nonsense", "right-key")),
        ("no server", "[model]\nmodel = \"foo\"\n".to_owned()),
    ] {
        let home = Home::new();
        home.configure(&text, 0o600);
        let found = check(&typed(&home, "artoo doctor --json --wait 2s"), "model");
        assert_eq!(found["verdict"], "wrong", "{row}: {found:#}");
        assert!(found["remedy"].as_str().is_some_and(|remedy| remedy.contains(back)), "{row}: {found:#}");
        let after = typed(&home, &format!("{back} && artoo status && artoo doctor"));
        assert!(after.code == Some(0) && after.stdout.contains("offline rules"), "{row}: {after:?}");
    }
    let home = Home::with_model(&dead_base_url());
    let found = check(&typed(&home, "artoo doctor --json"), "model");
    let remedy = found["remedy"].as_str().unwrap_or_default();
    assert!(remedy.contains("unset OPENAI_MODEL; artoo restart"), "in a variable: {found:#}");
}

/// A daemon that works is not ended for a configuration that the next one would not start with.
#[test]
fn a_restart_that_would_fail_leaves_the_daemon_running() {
    let home = Home::new();
    assert_eq!(typed(&home, "artoo status").code, Some(0));
    let answers = |row: &str| {
        let ended = typed(&home, "artoo --no-start status");
        assert_eq!(ended.code, Some(0), "{row}: {ended:?}");
    };
    for (row, text, said) in [
        ("unknown key", "# mine\n[model]\nmodle = \"x\"\n", "config.toml line 3"),
        ("no TOML", "[model\n", "config.toml line 1"),
        ("no number", "[control]\nmax_replans = \"some\"\n", "max_replans"),
    ] {
        home.configure(text, 0o600);
        let ended = typed(&home, "artoo restart");
        assert_eq!(ended.code, Some(1), "{row}: {ended:?}");
        for part in [said, "Nothing was stopped", "artoo config unset KEY"] {
            assert!(ended.stderr.contains(part), "{row}: no {part} in {ended:?}");
        }
        answers(row);
    }
    let ended = typed(&home, "artoo --no-start restart");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    answers("--no-start");
    let stopped = typed(&home, "artoo stop");
    assert!(
        stopped.code == Some(0) && stopped.stderr.contains("it will not start as things are"),
        "{stopped:?}"
    );
    let gone = typed(&home, "artoo restart");
    assert!(gone.code == Some(3) && gone.stderr.contains("max_replans"), "{gone:?}");
    home.configure("", 0o600);
    assert_eq!(typed(&home, "artoo restart").code, Some(0));
}

#[test]
fn the_authority_of_a_certificate_is_named() {
    let server = server(NO_DELAY);
    let home = Home::new();
    let tls = TlsServer::before(&home, &server.base_url());
    home.configure(&config(&tls.url, "scripted", "right-key"), 0o600);
    let authority = home.root().join("authority.pem");
    fs::write(&authority, AUTHORITY).expect("the home can be written");
    let file = authority.display().to_string();
    mends("TLS", &home, ("model", "wrong", "certificate"), &[("FILE", &file)]);
}

#[test]
fn a_slow_model_is_given_time() {
    let server = server(Duration::from_secs(3));
    let home = sound(&server.base_url());
    let look = "artoo doctor --wait 1s";
    mends_after("slow", &home, look, ("model", "wrong", "did not answer within 1 s"), &[]);
}

#[test]
fn files_that_others_can_reach_are_closed() {
    let server = server(NO_DELAY);
    let home = sound(&server.base_url());
    let config = home.data().join("config.toml");
    let open = |file: &Path| {
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).expect("the file is ours");
    };
    open(&config);
    mends("the configuration", &home, ("configuration", "wrong", "others can reach it"), &[]);
    open(&home.data().join("confirm.token"));
    mends("the token", &home, ("token", "wrong", "others can reach it"), &[]);
    open(&config);
    let fixed = typed(&home, "artoo doctor --fix");
    assert!(
        fixed.code == Some(0) && fixed.stdout.contains("fixed: chmod 600 ~/.artoo/config.toml"),
        "{fixed:?}"
    );
}

#[test]
fn a_key_that_artoo_does_not_know_is_taken_out() {
    let server = server(NO_DELAY);
    let home = sound(&server.base_url());
    let text = format!("{}modle = \"x\"\n", config(&server.base_url(), "scripted", "right-key"));
    home.configure(&text, 0o600);
    mends("unknown key", &home, ("config.toml", "wrong", "did you mean `model`?"), &[("KEY", "model.modle")]);
    assert_eq!(typed(&home, "artoo doctor").code, Some(0));
}

#[test]
fn too_little_room_is_asked_for_less() {
    let server = server(NO_DELAY);
    let home = Home::new();
    let text = format!(
        "{}[storage]\nmin_free_mib = 1073741824\n",
        config(&server.base_url(), "scripted", "right-key")
    );
    home.configure(&text, 0o600);
    mends("disk", &home, ("disk", "wrong", "no new task is accepted"), &[]);
}

#[test]
fn what_came_after_the_start_is_applied_by_a_restart() {
    let server = server(NO_DELAY);
    let mut home = Home::new();
    assert_eq!(typed(&home, "artoo status").code, Some(0));
    home.configure(&config(&server.base_url(), "scripted", "right-key"), 0o600);
    mends("the file", &home, ("settings", "note", "changed after the daemon started"), &[]);
    home.set("TOOL_MODEL", "scripted");
    mends("a variable", &home, ("environment", "note", "TOOL_MODEL"), &[]);
    home.set("TOOL_MODEL", "other");
    let fixed = typed(&home, "artoo doctor --fix");
    assert!(fixed.stdout.contains("fixed: artoo restart"), "{fixed:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_service_whose_program_is_gone_is_written_anew() {
    let server = server(NO_DELAY);
    let home = sound(&server.base_url());
    let (programs, units) = (home.root().join("bin"), home.root().join(".config/systemd/user"));
    fs::create_dir_all(&programs).and_then(|()| fs::create_dir_all(&units)).expect("the home can be written");
    let control = programs.join("systemctl");
    fs::write(&control, "#!/bin/sh\nexit 0\n").expect("the home can be written");
    fs::set_permissions(&control, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let unit = "[Service]\nExecStart=\"/gone/artoo-daemon\" --foreground\n";
    fs::write(units.join("artoo.service"), unit).expect("the home can be written");
    mends("service", &home, ("service", "wrong", "which is gone"), &[]);
}

/// A program of this shell, in front of all others.
fn stub(home: &Home, name: &str, script: &str) {
    let folder = home.root().join("bin");
    fs::create_dir_all(&folder).expect("the home can be written");
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("the home can be written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[cfg(target_os = "linux")]
#[test]
fn a_service_that_failed_or_was_stopped_is_started() {
    let server = server(NO_DELAY);
    let home = sound(&server.base_url());
    let (state, units) = (home.root().join("state"), home.root().join(".config/systemd/user"));
    let script = "case \"$2\" in is-active) cat ~/state;; start) echo active > ~/state;; esac";
    stub(&home, "systemctl", script);
    let unit =
        format!("[Service]\nExecStart=\"{}\" --foreground\n", binaries().join("artoo-daemon").display());
    fs::create_dir_all(&units)
        .and_then(|()| fs::write(units.join("artoo.service"), unit))
        .expect("the home can be written");
    for (said, verdict, part) in
        [("failed", "wrong", "and it failed"), ("inactive", "note", "it does not run now")]
    {
        fs::write(&state, said).expect("the home can be written");
        mends("service", &home, ("service", verdict, part), &[]);
    }
}

#[test]
fn a_program_that_rules_need_and_that_is_not_there_is_told() {
    let server = server(NO_DELAY);
    let home = sound(&server.base_url());
    let folder = home.root().join("few");
    fs::create_dir(&folder).expect("the home can be written");
    for name in ["sh", "find", "awk", "sort", "git"] {
        let path = std::env::var("PATH").expect("a PATH");
        let there = path.split(':').map(|folder| Path::new(folder).join(name)).find(|file| file.exists());
        if let Some(file) = there {
            std::os::unix::fs::symlink(file, folder.join(name)).expect("the home can be written");
        }
    }
    let home = home.variable("PATH", &folder.display().to_string());
    let lacking = || {
        let ended = home.client_that_may_start_a_daemon(&["doctor"]).wait();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.stdout
    };
    let said = lacking();
    assert!(said.contains("jq is not there") && said.contains("JSON files"), "{said}");
    assert!(!said.contains("find is not there"), "{said}");
    stub(&home, "jq", "exit 0");
    fs::rename(home.root().join("bin/jq"), folder.join("jq")).expect("the home can be written");
    assert!(!lacking().contains("jq is not there"));
}

/// A key that the shell has for another program, or half a configuration, stops nothing: what is missing is told wherever a person
/// looks.
#[test]
fn a_model_that_is_not_named_is_told_and_the_rules_answer() {
    let mut home = Home::new().variable("OPENAI_API_KEY", "sk-other-program");
    home.file("a.txt", "one\n");
    let told = "OPENAI_API_KEY is set and no model is named";
    for provider in ["", "openai"] {
        home.set("ARTOO_PROVIDER", provider);
        let told = if provider.is_empty() { told } else { "ARTOO_PROVIDER is set and no model is named" };
        assert_eq!(typed(&home, "artoo restart").code, Some(0));
        let answered = typed(&home, "artoo 'how many txt files are here'");
        assert!(answered.code == Some(0) && answered.stdout.contains('1'), "{answered:?}");
        let status = typed(&home, "artoo status");
        assert!(status.stdout.contains(told) && status.stdout.contains("offline rules"), "{status:?}");
        let doctor = typed(&home, "artoo doctor --json");
        let found = check(&doctor, "model");
        assert!(found["verdict"] == "note" && found["command"] == "artoo setup", "{found:#}");
        assert!(found["saw"].as_str().is_some_and(|saw| saw.contains(told)), "{found:#}");
    }
}

/// A password store that is locked, a file or a variable that is gone: artoo works without a model and says what is missing.
#[test]
fn a_key_that_cannot_be_fetched_is_told_and_the_rules_answer() {
    let home = Home::new();
    home.file("a.txt", "one\n");
    for (line, told) in [
        ("api_key_command = \"echo locked >&2; exit 1\"", "`model.api_key_command` "),
        ("api_key_command = \"printenv NO_SUCH_KEY\"", "`model.api_key_command` "),
        ("api_key_file = \"gone\"", "`model.api_key_file` names "),
    ] {
        home.configure(
            &format!("[model]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n{line}\n"),
            0o600,
        );
        let restarted = typed(&home, "artoo restart");
        assert_eq!(restarted.code, Some(0), "{line}: {restarted:?}");
        let answered = typed(&home, "artoo 'how many txt files are here'");
        assert!(answered.code == Some(0) && answered.stdout.contains('1'), "{line}: {answered:?}");
        // A line each, where a person looks.
        assert!(restarted.stdout.contains(told), "{line}: {restarted:?}");
        assert!(answered.stderr.contains(&format!("no model: {told}")), "{line}: {answered:?}");
        let status = typed(&home, "artoo status");
        assert!(
            status.stdout.contains(told) && status.stdout.contains("offline rules"),
            "{line}: {status:?}"
        );
        let found = check(&typed(&home, "artoo doctor --json"), "model");
        let saw = found["saw"].as_str().unwrap_or_default();
        assert!(found["verdict"] == "note" && saw.contains(told), "{line}: {found:#}");
        // Another model is no mend of a key that is not there.
        assert_eq!(found["command"], "artoo restart", "{line}: {found:#}");
    }
}

/// The key of a search or of a server is no reason not to start.
#[test]
fn other_keys_that_cannot_be_fetched_stop_nothing_else() {
    let home = Home::new();
    home.file("a.txt", "one\n");
    home.configure(
        "[search]\nprovider = \"brave\"\napi_key_file = \"gone\"\n[mcp.servers.notes]\nurl = \"https://example.org/mcp\"\napi_key_file = \"gone\"\n",
        0o600,
    );
    let restarted = typed(&home, "artoo restart");
    assert_eq!(restarted.code, Some(0), "{restarted:?}");
    for told in ["search.api_key_file", "mcp.servers.notes.api_key_file"] {
        assert!(restarted.stdout.contains(told), "{restarted:?}");
    }
    let answered = typed(&home, "artoo 'how many txt files are here'");
    assert!(answered.code == Some(0) && answered.stdout.contains('1'), "{answered:?}");
    assert!(!answered.stderr.contains("no model"), "{answered:?}");
}
