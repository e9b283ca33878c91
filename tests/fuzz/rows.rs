//! The readers. Beside not breaking, some have a law of their own, which is asserted in their function.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::languages;
use artoo_config::folder::Places;
use artoo_config::{Flags, Settings};
use artoo_gate::paths::PathRules;
use artoo_journal::line::{LineHash, seal, unseal};
use artoo_protocol::{Message, v1};
use artoo_redact::sanitise::sanitise;
use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};
use artoo_types::chat::ChatReply;
use serde_json::Value;

/// One reader.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) seeds: Vec<Vec<u8>>,
    pub(crate) read: fn(&[u8]),
}

/// All of them.
pub(crate) fn rows() -> Vec<Row> {
    let row = |name, seeds, read| Row { name, seeds, read };
    vec![
        row("gate", commands(), gate),
        row("request", requests(), request),
        row("reply", texts(REPLIES), reply),
        row("journal", lines(), journal_line),
        row("journal-file", vec![journal()], journal_file),
        row(
            "journal-references",
            texts(&[r#"{"@":[2,9]}"#, r#"[{"@":[8,40]},{"@":[60,20]},"x"]"#]),
            journal_references,
        ),
        row("proto", messages(), proto),
        row("screen", texts(SCREENS), screen),
        row("secrets", texts(SCREENS), secrets),
        row("config", texts(CONFIGS), config),
        row("deadline", texts(TIMES), deadline),
        row("awk", texts(languages::AWK), languages::awk),
        row("sed", texts(languages::SED), languages::sed),
        row("jq", texts(languages::JQ), languages::jq),
        row("find", texts(languages::FIND), languages::find),
    ]
}

/// A shell command of a model. It is judged, and the same is judged the same.
fn gate(input: &[u8]) {
    let base = "/nowhere-at-all/home";
    let paths = PathRules {
        working_directory: format!("{base}/project"),
        workspace: format!("{base}/artoo_workspace"),
        home: base.to_owned(),
        data_dir: format!("{base}/.artoo"),
        unasked: Default::default(),
        real: Default::default(),
    };
    let text = String::from_utf8_lossy(input);
    let judged = artoo_gate::explain(&text, &paths);
    let again = artoo_gate::explain(&text, &paths);
    assert_eq!(judged.decision, again.decision);
}

fn request(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let reading = artoo_request::read(&text);
    assert_eq!(format!("{reading:?}"), format!("{:?}", artoo_request::read(&text)));
}

/// What a model said, for every shape at once: any object is one.
fn reply(input: &[u8]) {
    let content = String::from_utf8_lossy(input).into_owned();
    let reply = ChatReply {
        content,
        tool_calls: Vec::new(),
        finish_reason: None,
        usage: Default::default(),
        model: String::new(),
        attempts: 1,
        elapsed_ms: 0,
    };
    if let Ok(read) = artoo_roles::parse_reply::<Value>(&reply) {
        assert!(read.is_object(), "{read}");
    }
}

/// A line of a journal. What is taken for whole has the checksum of its bytes.
fn journal_line(input: &[u8]) {
    if let Ok(line) = unseal(input) {
        assert_eq!(line.json.as_bytes(), input);
        serde_json::from_str::<Value>(line.json).expect("a whole line is JSON");
    }
}

/// A whole journal, to its end and past every bad line.
fn journal_file(input: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("journal.jsonl");
    std::fs::write(&path, input).expect("a file");
    read_to_end(&path, input.len());
}

/// References to anywhere, in a line that is whole: they lead to earlier bytes, or the line is bad.
fn journal_references(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let first =
        seal(r#"{"a":[{"@":[2,3]},{"@":[5,9]},"some text that stands here","x"]}"#, LineHash::GENESIS);
    let first = first.expect("it is an object");
    let second = seal(&format!(r#"{{"a":{text},"whole":"00000000"}}"#), LineHash::of(&first));
    let journal = [first, second.expect("it is an object"), String::new()].join("\n");
    journal_file(journal.as_bytes());
}

fn read_to_end(path: &Path, length: usize) {
    let mut reader = artoo_journal::read(path, 0).expect("it is there");
    // Each step takes at least one byte, so that it ends.
    for _ in 0..=length {
        match reader.next_record() {
            Ok(Some(_)) | Err(_) => {}
            Ok(None) => return,
        }
    }
    panic!("the reader does not come to an end");
}

fn proto(input: &[u8]) {
    let _ = v1::SubmitTaskRequest::decode(input);
    let _ = v1::ImportMemoryRequest::decode(input);
    let _ = v1::QueryMemoryRequest::decode(input);
    if let Ok(event) = v1::Event::decode(input) {
        serde_json::to_string(&artoo_protocol::json::event_to_json(&event)).expect("JSON can be printed");
    }
}

/// What a terminal would show. Doing it again changes nothing.
fn screen(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let once = sanitise(&text).text.into_owned();
    assert_eq!(sanitise(&once).text, once);
}

/// A text with a secret in it, whatever stands around it.
fn secrets(input: &[u8]) {
    const SECRET: &str = "canary-of-the-fuzzer-0042";
    let known = KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::ApiKey };
    let redactor = Redactor::new(&[known]);
    let text = String::from_utf8_lossy(input);
    for text in [format!("{text}{SECRET}"), format!("{SECRET}{text}"), format!("{text}{SECRET}{text}")] {
        let redacted = redactor.redact(&text);
        assert!(!redacted.contains(SECRET), "{redacted}");
    }
}

/// A configuration that a person wrote: read, or refused with words.
fn config(input: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let places = Places { data: at(""), socket: at("s"), home: at("home"), workspace: at("workspace") };
    let file = at("config.toml");
    std::fs::write(&file, input).expect("a file");
    std::fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("it is ours");
    let flags = Flags { provider: None, set: Vec::new() };
    if let Err(why) = Settings::read(&places, &flags, &|_| None) {
        assert!(!why.to_string().is_empty());
    }
}

fn deadline(input: &[u8]) {
    let _ = artoo_types::deadline::read(&String::from_utf8_lossy(input), 60);
}

fn commands() -> Vec<Vec<u8>> {
    let corpora = [
        include_str!("../../crates/gate/corpus/corpus.tsv"),
        include_str!("../../crates/gate/corpus/evasions.tsv"),
        include_str!("../../crates/gate/corpus/attacks.tsv"),
    ];
    let commands = corpora.iter().flat_map(|corpus| corpus.lines()).filter(|line| !line.starts_with('#'));
    commands.filter_map(|line| line.split('\t').nth(1)).map(|command| command.as_bytes().to_vec()).collect()
}

fn requests() -> Vec<Vec<u8>> {
    let all = [
        include_str!("../offline/held_out/english.txt"),
        include_str!("../offline/held_out/chinese.txt"),
        include_str!("../offline/held_out/english_more.txt"),
        include_str!("../offline/held_out/chinese_more.txt"),
    ];
    let requests = all.iter().flat_map(|file| file.lines()).filter(|line| !line.starts_with('#'));
    requests.filter_map(|line| line.split('|').nth(1)).map(|request| request.as_bytes().to_vec()).collect()
}

fn texts(of: &[&str]) -> Vec<Vec<u8>> {
    of.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn lines() -> Vec<Vec<u8>> {
    let objects =
        [r#"{"seq":1,"input":{"kind":"tick"}}"#, r#"{"a":"b","c":[1,2,{"d":null}]}"#, r#"{"text":"é把\n"}"#];
    objects.iter().filter_map(|object| seal(object, LineHash::GENESIS)).map(String::into_bytes).collect()
}

/// A journal of lines that follow one another.
fn journal() -> Vec<u8> {
    let mut prev = LineHash::GENESIS;
    let mut journal = Vec::new();
    for seq in 0..6 {
        let line = seal(&format!(r#"{{"seq":{seq},"time":"2026-01-01T00:00:00Z"}}"#), prev)
            .expect("it is an object");
        prev = LineHash::of(&line);
        journal.extend(line.bytes().chain([b'\n']));
    }
    journal
}

fn messages() -> Vec<Vec<u8>> {
    let text = || "text é把".to_owned();
    let submitted = v1::SubmitTaskRequest { input: text(), session_id: text(), ..Default::default() };
    let import = v1::ImportMemoryRequest { lines: text(), first_line: 7, token: text() };
    let event = v1::Event { task_id: text(), sequence: 9, ..Default::default() };
    vec![submitted.encode_to_vec(), import.encode_to_vec(), event.encode_to_vec()]
}

const REPLIES: &[&str] = &[
    r#"{"goal": "g", "criteria": [{"id": "c1", "text": "t", "verifiable": true}], "n": -1.5e3}"#,
    "<think>{\"a\": 1}</think>\n```json\n{\"b\": [1, 2, {\"c\": null}]}\n```\nThat is all.",
    r#"Sure! {"verdicts": [{"criterion": 1, "pass": "true", "evidence": ["r1"]}]} and {"other": 1}"#,
    r#"{"text": "a \"quoted\" } brace { and \\ back \u00e9 \ud83d\ude00"}"#,
];

const SCREENS: &[&str] = &[
    "plain text\twith a tab\r\nand lines\n",
    "\u{1b}[31mred\u{1b}[0m \u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7} \u{9b}2J",
    "a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{e0041}f 👩\u{200d}👧 ✌\u{fe0f}",
    r#"{"key": "sk-abcdefghijklmnopqrstuvwxyz123456", "url": "https://u:p@h/?token=abc"}"#,
];

const CONFIGS: &[&str] = &[
    "[model]\nbase_url = \"http://localhost:1234/v1\"\nmodel = \"m\"\n[control]\nmax_replans = 5\n",
    "[[mcp.servers]]\nname = 'a'\ncommand = [\"x\", \"y\"]\n# comment\n[gate]\nproject = \"work\"\n",
];

const TIMES: &[&str] = &[
    "2026-12-24T18:00:00Z",
    "by 18:00 on 24 December",
    "in 2 hours",
    "bis Freitag 9 Uhr",
    "今天下午五点之前",
];
