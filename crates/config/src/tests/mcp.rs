//! MCP servers in `config.toml`.

use std::time::Duration;

use artoo_mcp::McpTransport;
use artoo_types::evidence::EffectClass;

use super::*;

const NOTES: &str = r#"
[mcp.servers.notes]
command = "notes-server"
args = ["--folder", "/tmp"]
env = { NOTES_TOKEN = "tok-of-the-notes", MODE = "quiet" }
effects = { search = "read", "delete-note" = "delete" }
timeout_ms = 5000

[mcp.servers.web]
url = "https://example.org/mcp?key=in-the-query"
headers = { X-Api-Key = "key-of-the-header", Accept-Language = "de" }
default_effect = "send"
"#;

#[test]
fn a_server_is_read_with_everything_that_is_said_of_it() {
    let config = Home::with(NOTES).config();
    let [notes, web] = config.servers.as_slice() else { panic!("{:#?}", config.servers) };
    let McpTransport::Process { program, arguments, environment, full_power } = &notes.way else {
        panic!("{notes:?}")
    };
    assert_eq!((program.as_str(), arguments.len(), *full_power), ("notes-server", 2, false));
    let told = NOTES.replace("timeout_ms = 5000", "full_power = true");
    let powerful = Home::with(&told).config().servers.remove(0).way;
    assert!(matches!(powerful, McpTransport::Process { full_power: true, .. }), "{powerful:?}");
    assert_eq!(environment["NOTES_TOKEN"].expose(), "tok-of-the-notes");
    assert_eq!(notes.effects["search"], EffectClass::Read);
    assert_eq!(notes.effects["delete-note"], EffectClass::Delete);
    assert_eq!(notes.default_effect, EffectClass::Unknown);
    assert_eq!((notes.timeout, notes.start_timeout), (Duration::from_secs(5), Duration::from_secs(20)));
    assert!(matches!(&web.way, McpTransport::Http { headers, .. } if headers.len() == 2), "{web:?}");
    assert_eq!(web.default_effect, EffectClass::Send);
    assert!(Home::new().config().servers.is_empty());
}

#[test]
fn what_is_secret_is_hidden_and_known_to_the_redactor() {
    let home = Home::with(NOTES);
    let config = home.config();
    let text = as_text(&show(&config.settings));
    for part in ["mcp.servers.notes.env = MODE = quiet, NOTES_TOKEN = set (hidden)  (config.toml)", "quiet"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("mcp.servers.notes.start_timeout_ms = 20000  (default)"), "{text}");
    for secret in ["tok-of-the-notes", "key-of-the-header", "in-the-query"] {
        assert!(!text.contains(secret), "{text}");
    }
    let known: Vec<&str> = config.secrets.iter().map(Secret::expose).collect();
    for secret in ["tok-of-the-notes", "key-of-the-header", "in-the-query"] {
        assert!(known.contains(&secret), "{secret} is not known");
    }
    assert!(!known.contains(&"quiet") && !known.contains(&"de"), "plain values are not taken out of texts");
    assert!(!format!("{:?}", config.servers).contains("tok-of-the-notes"));
    let exposed = Home::new();
    exposed.write(".artoo/config.toml", NOTES, 0o644);
    assert!(exposed.error().contains("others can read it"), "{}", exposed.error());
}

#[test]
fn a_key_comes_from_a_file_or_a_command() {
    let home = Home::with(
        "[mcp.servers.a]\nurl = \"https://h/mcp\"\napi_key_file = \"a.key\"\n\
         [mcp.servers.b]\ncommand = \"b\"\napi_key_command = \"printf key-of-b\"\napi_key_env = \"B_KEY\"\n",
    );
    home.write(".artoo/a.key", "key-of-a\n", 0o600);
    let config = home.config();
    let McpTransport::Http { headers, .. } = &config.servers[0].way else { panic!("{:?}", config.servers) };
    assert_eq!(headers["authorization"].expose(), "Bearer key-of-a");
    let McpTransport::Process { environment, .. } = &config.servers[1].way else {
        panic!("{:?}", config.servers)
    };
    assert_eq!(environment["B_KEY"].expose(), "key-of-b");
    let known: Vec<&str> = config.secrets.iter().map(Secret::expose).collect();
    assert!(known.contains(&"key-of-a") && known.contains(&"key-of-b"), "{}", known.len());
}

#[test]
fn one_that_is_not_enabled_is_not_started_and_needs_no_key() {
    let home =
        Home::with("[mcp.servers.a]\nurl = \"https://h\"\napi_key_file = \"no such\"\nenabled = false\n");
    assert!(home.config().servers.is_empty());
    assert_eq!(home.shown("mcp.servers.a.enabled"), "mcp.servers.a.enabled = false  (config.toml)");
}

#[test]
fn mistakes_are_named_with_their_line_and_what_to_write() {
    let rows: &[(&str, &[&str])] = &[
        ("[mcp.servers.a]\ncomand = \"x\"\n", &["line 2", "`comand`", "`command`"]),
        ("[mcp.server.a]\ncommand = \"x\"\n", &["unknown key `server`", "`servers`"]),
        ("[mpc.servers.a]\ncommand = \"x\"\n", &["line 1", "unknown key"]),
        ("mcp = 3\n", &["line 1", "[mcp.servers.NAME]"]),
        ("[mcp]\nservers = []\n", &["line 2", "[mcp.servers.NAME]"]),
        ("[mcp.servers.\"a b\"]\ncommand = \"x\"\n", &["letters, digits"]),
        ("[mcp.servers.a__b]\ncommand = \"x\"\n", &["single _"]),
        ("[mcp.servers.a]\n", &["mcp.servers.a.command", "is not set"]),
        ("[mcp.servers.a]\ncommand = \"x\"\nurl = \"https://h\"\n", &["both set"]),
        ("[mcp.servers.a]\ncommand = 3\n", &["line 2", "mcp.servers.a.command"]),
        ("[mcp.servers.a]\ncommand = \"x\"\nargs = \"-v\"\n", &["a list of texts"]),
        ("[mcp.servers.a]\ncommand = \"x\"\neffects = { b = \"reads\" }\n", &["read or create", "\"reads\""]),
        ("[mcp.servers.a]\ncommand = \"x\"\ntimeout_ms = 5\n", &["from 100 to"]),
        ("[mcp.servers.a]\ncommand = \"x\"\nheaders = { a = \"b\" }\n", &["is for a `url`"]),
        ("[mcp.servers.a]\nurl = \"https://h\"\nenv = { a = \"b\" }\n", &["is for a `command`"]),
        ("[mcp.servers.a]\ncommand = \"x\"\napi_key = \"k\"\n", &["api_key_env", "which variable"]),
        ("[mcp.servers.a]\nurl = \"http://h/mcp\"\napi_key = \"k\"\n", &["no encryption"]),
        ("[mcp.servers.a]\nurl = \"https://h\"\napi_key = \"k\"\napi_key_file = \"f\"\n", &["both set"]),
    ];
    for (text, parts) in rows {
        let error = Home::with(text).error();
        for part in *parts {
            assert!(error.contains(part), "{text}: {part:?} is not in: {error}");
        }
    }
    let local = Home::with("[mcp.servers.a]\nurl = \"http://127.0.0.1:8000/mcp\"\napi_key = \"k\"\n");
    assert_eq!(local.config().servers.len(), 1, "this machine needs no encryption");
    let many: String = (0..17).map(|i| format!("[mcp.servers.a{i}]\ncommand = \"x\"\n")).collect();
    assert!(Home::with(&many).error().contains("more than 16"));
}

#[test]
fn the_documentation_shows_the_keys_as_they_are() {
    let page = include_str!("../../../../docs/settings.md");
    let table = mcp_markdown_table();
    assert!(page.contains(&table), "put this table into docs/settings.md:\n{table}");
}

/// Another server starts although one has no key.
#[test]
fn a_server_without_its_key_is_left_out_and_told() {
    let home = Home::with(
        "[mcp.servers.plain]\ncommand = \"true\"\n[mcp.servers.keyed]\nurl = \"https://example.org/mcp\"\napi_key_file = \"~/nokey\"\n",
    );
    let config = home.config();
    let names: Vec<&str> = config.servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["plain"]);
    let [why] = config.advice().try_into().expect("one thing is told");
    assert!(why.contains("mcp.servers.keyed.api_key_file") && why.contains("artoo restart"), "{why}");
}
