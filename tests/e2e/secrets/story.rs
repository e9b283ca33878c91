//! Tasks that meet every canary: with good and bad ends, and everything that can be asked about them afterwards.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::canaries::{Canaries, Hunt};
use artoo_testing::model_server::{ModelServer, Reply, Seen, event_stream};
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask, tool};
use artoo_testing::{Ended, Home, TaskRun};

type Script = Box<dyn Fn(&Seen) -> Reply + Send + Sync>;

/// A server whose script changes from task to task.
#[derive(Clone, Default)]
struct Stage(Arc<Mutex<Option<Script>>>);

impl Stage {
    fn play(&self, script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(script));
    }

    fn server(&self) -> ModelServer {
        let stage = self.clone();
        ModelServer::start(move |seen| {
            let script = stage.0.lock().unwrap_or_else(PoisonError::into_inner);
            script.as_ref().map_or(Reply::Hang, |script| script(seen))
        })
    }
}

/// Everything that was printed, and by what.
#[derive(Default)]
struct Printed(Vec<(String, String)>);

impl Printed {
    fn keep(&mut self, name: &str, ended: &Ended) {
        self.0.push((format!("{name}, standard output"), ended.stdout.clone()));
        self.0.push((format!("{name}, standard error"), ended.stderr.clone()));
    }

    fn keep_run(&mut self, name: &str, run: &TaskRun) {
        self.0.extend(run.events.iter().map(|event| (format!("an event of {name}"), event.to_string())));
        self.0.push((format!("{name}, standard error"), run.stderr.clone()));
    }
}

#[test]
fn fifty_canaries_are_nowhere_to_be_seen() {
    let canaries = Arc::new(Canaries::new());
    let stage = Stage::default();
    let server = stage.server();
    let mut home = furnished(&canaries, &server);
    let mut printed = Printed::default();
    home.start();
    let live = home.client(&["events", "--json"]);
    let live_text = home.client(&["events"]);

    let mut tasks = Vec::new();
    stage.play(everything(&canaries));
    let request = format!(
        "Read what is there, {} and {}",
        canaries.at("request text"),
        canaries.at("variable DB_PASSWORD")
    );
    let run = home.run(&request, &["--session", canaries.at("request session")]);
    assert_eq!(run.code, Some(0), "{}", run.outline());
    let told = run.events.iter().map(Value::to_string).collect::<String>();
    for marker in [
        "[redacted: api key]",
        "[redacted: token]",
        "[redacted: password]",
        "[redacted: private key]",
        "the end of it",
    ] {
        assert!(told.contains(marker), "no {marker} in {}", run.outline());
    }
    assert_eq!(
        run.of_type("replan_request").len() + run.of_type("plan_directive").len(),
        2,
        "{}",
        run.outline()
    );
    tasks.push(run.id().to_owned());
    printed.keep_run("the first task", &run);
    // The same again, as people see it, in the same session.
    let text = home.artoo(&["run", "--session", canaries.at("request session"), "--", &request]);
    assert_eq!(text.code, Some(0), "{text:?}");
    printed.keep("the second task", &text);

    let end = |name: &str, run: &TaskRun, code: i32, tasks: &mut Vec<String>, printed: &mut Printed| {
        assert_eq!(run.code, Some(code), "{name}: {}", run.outline());
        tasks.push(run.id().to_owned());
        printed.keep_run(name, run);
    };
    stage.play(refusing(&canaries));
    end("an abandoned task", &home.run("Fail", &[]), 1, &mut tasks, &mut printed);
    stage.play(harmful(&canaries));
    end("a refused task", &home.run("Delete it", &[]), 4, &mut tasks, &mut printed);
    stage.play(unsure(&canaries));
    let mut asking = home.task("Ask me", &["--attended"]);
    let question = asking.event("clarification_request");
    let task = question["task_id"].as_str().expect("it has a task");
    printed.keep("an answer", &home.artoo(&["answer", task, canaries.at("request answer")]));
    end("an asking task", &asking.finish(), 0, &mut tasks, &mut printed);
    stage.play(|_| Reply::Hang);
    let mut hanging = home.task(&request, &[]);
    hanging.event("model_call_started");
    hanging.interrupt();
    end("a cancelled task", &hanging.finish(), 130, &mut tasks, &mut printed);

    ask_everything(&home, &tasks, &mut printed);
    for (name, client) in [("the live stream", live), ("the live stream as text", live_text)] {
        // Not an interrupt: a shell that starts the tests in the background lets its programs ignore those.
        client.terminate();
        printed.keep(name, &client.wait());
    }
    let (status, log) = home.terminate();
    assert!(status.success(), "{log}");
    printed.0.push(("the log".to_owned(), log));
    // A daemon that starts again reads all of it, and writes some of it anew.
    home.start();
    ask_everything(&home, &tasks, &mut printed);
    printed.0.push(("the log after a restart".to_owned(), home.terminate().1));
    search(&canaries, &home, &server, &printed);
}

/// A home with canaries in the environment, in the configuration and in files.
fn furnished(canaries: &Canaries, server: &ModelServer) -> Home {
    let mut home = Home::new().variable("ARTOO_LOG", "debug");
    for canary in canaries.of("variable") {
        let name = canary.place.split_once(' ').map_or("", |(_, name)| name);
        home.set(name, &canary.text);
    }
    let key = |name: &str| canaries.at(name);
    home.file("keys/brain", key("config api_key_file of the brain"));
    home.file("keys/outranked", key("config api_key_file that is outranked"));
    let keys = home.work().join("keys");
    for name in ["brain", "outranked"] {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(keys.join(name), mode).expect("the file is ours");
    }
    let keys = keys.display();
    home.configure(
        &format!(
            "[model]\nbase_url = \"{url}\"\nmodel = \"scripted\"\napi_key_file = \"{keys}/outranked\"\n\
             [model.brain]\napi_key_file = \"{keys}/brain\"\n[model.tool]\napi_key = \"{outranked}\"\n",
            url = server.base_url(),
            outranked = key("config api_key that is outranked"),
        ),
        0o600,
    );
    let tokens: String =
        canaries.of("file").map(|canary| format!("{}: {}\n", canary.place, canary.text)).collect();
    home.file("tokens.txt", &format!("{tokens}the end of it\n"));
    home.file(&format!("a {}.txt", key("file name")), "its name tells it\n");
    let known: Vec<&str> =
        canaries.of("variable").chain(canaries.of("config")).map(|canary| canary.text.as_str()).collect();
    let spelled = |text: &&str| {
        let json = Value::from(*text).to_string();
        format!(
            "{text}\n{json}\n{}\n{}\n",
            BASE64_STANDARD.encode(format!("user:{text}")),
            json.replace('"', "'")
        )
    };
    home.file("known.txt", &known.iter().map(spelled).collect::<String>());
    home.file("long.txt", &known.join(" ").repeat(200));
    home.file(
        "known.json",
        &json!({"all": known, "token": key("check"), "shell": key("shell json")}).to_string(),
    );
    home.file("out.txt", key("shell output"));
    home.file("error.txt", key("shell error"));
    home
}

/// A task that meets nearly all of them, in two rounds.
fn everything(canaries: &Arc<Canaries>) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static + use<> {
    let key = |name: &str| canaries.at(name).to_owned();
    let value =
        json!({"kind": "file_json", "path": "./known.json", "pointer": "/token", "op": "eq", "value": "x"});
    let mut first = subtask(1, "Look first", &["read_file"], &[], &[checked("the value is x", &value)]);
    first["context"] = json!(key("model context"));
    let told = criterion(&format!("It is told {}.", key("model criterion")));
    let holds = json!({"kind": "file_contains", "path": "./tokens.txt", "regex": "ghp_[0-9a-f]*|redacted", "unchanged": true});
    let second = [
        subtask(1, "Read tokens", &["read_file"], &[], &[told.clone(), checked("it holds tokens", &holds)]),
        subtask(1, "Read known", &["shell:cat"], &["known.txt"], &[criterion("It was read.")]),
        subtask(1, "Print", &["shell:cat"], &[], &[criterion("It was printed.")]),
        subtask(2, "List", &["glob"], &[], &[criterion("It was listed.")]),
        subtask(2, "Show the surroundings", &["shell:env"], &[], &[criterion("They were shown.")]),
    ];
    let shell = |command: &str| last_tool("shell", &json!({"command": command}));
    let mut ended = json!({"action": "finish", "status": "completed"});
    ended["output"] = json!(format!("listed, and {} is told", key("model finish")));
    let scenario = Scenario::new(plan(&[criterion("All is told.")], &[first]))
        .then_plan(plan(&[criterion("All is told.")], &second))
        .act("Look first", vec![last_tool("read_file", &json!({"path": "known.json"}))])
        .act("Read tokens", vec![last_tool("read_file", &json!({"path": "tokens.txt"}))])
        .act(
            "Read known",
            vec![
                tool("shell", &json!({"command": "cat long.txt"})),
                tool("read_output", &json!({"receipt": "r1", "offset": 1_000, "limit": 3_000})),
                shell("cat known.txt known.json long.txt"),
            ],
        )
        .act(
            "Print",
            vec![shell("cat out.txt; cat error.txt >&2; head -c 50 known.txt; tail -c 40 long.txt")],
        )
        .act(
            "List",
            vec![
                tool("glob", &json!({"root": ".", "pattern": format!("*{}*", key("model argument"))})),
                tool("glob", &json!({"root": ".", "pattern": "*"})),
                ended,
            ],
        )
        .act("Show the surroundings", vec![shell("env")]);
    let canaries = Arc::clone(canaries);
    move |seen| salted(&canaries, seen, scenario.reply(seen))
}

/// What a role said, with a canary in a place of its own.
fn salted(canaries: &Canaries, seen: &Seen, reply: Reply) -> Reply {
    let Reply::Sse(content) = reply else { return reply };
    let mut said: Value = serde_json::from_str(&content).expect("roles speak JSON");
    let key = |name: &str| canaries.at(name);
    match seen.role.as_str() {
        "R1" => {
            said["intent"] = json!(format!("Read what is there and {}.", key("model intent")));
            said["tags"] = json!(["files", key("model tag")]);
        }
        "R4a" | "R4b" => {
            for verdict in said["verdicts"].as_array_mut().into_iter().flatten() {
                verdict["evidence"] = json!(format!("{} shows it", key("model evidence")));
            }
            if seen.role == "R4b" {
                said["summary"] =
                    json!(format!("It ran, says {}\n{}", key("model summary"), key("variable SIGNING_KEY")));
            }
        }
        _ => {}
    }
    let mut content = said.to_string();
    if seen.role == "R2" {
        // The same letters, as nobody but a hostile server writes them.
        let escaped: String =
            key("model escaped").chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        content = content.replacen("\"context\":\"\"", &format!("\"context\":\"{escaped}\""), 1);
    }
    let stream = event_stream(&format!("I think of {}", key("model reasoning")), &content);
    Reply::Stream(stream.replace("\"scripted\"", &format!("\"{}\"", key("model name"))).into_bytes())
}

/// A server that plans and then refuses, in words that tell a canary.
fn refusing(canaries: &Arc<Canaries>) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static + use<> {
    let canaries = Arc::clone(canaries);
    let steps = [subtask(1, "Look", &["read_file"], &[], &[criterion("It was seen.")])];
    let scenario = Scenario::new(plan(&[criterion("It was seen.")], &steps));
    move |seen| {
        let said = format!(
            "no: {} and {}",
            canaries.at("model error"),
            canaries.at("config api_key_file of the brain")
        );
        match seen.role.as_str() {
            "R3" => Reply::status(403, &json!({"error": {"message": said, "code": said}}).to_string()),
            _ => scenario.reply(seen),
        }
    }
}

/// An executor that wants to delete something.
fn harmful(canaries: &Arc<Canaries>) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static + use<> {
    let name = canaries.at("request command");
    let steps = [subtask(1, "Delete it", &["shell:rm"], &[name], &[criterion("It is gone.")])];
    let command = json!({"command": format!("rm -f '{name}' tokens.txt")});
    let scenario = Scenario::new(plan(&[criterion("It is gone.")], &steps))
        .act("Delete it", vec![last_tool("shell", &command)]);
    scenario.script()
}

/// A perceiver that asks.
fn unsure(canaries: &Arc<Canaries>) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static + use<> {
    let asked = format!("Which one, {}?", canaries.at("variable VAULT_TOKEN"));
    move |seen| {
        let has_answer = !seen.section("Clarification").is_empty();
        let clarify = if has_answer { json!([]) } else { json!([asked]) };
        let answer = if has_answer { json!(seen.section("Clarification")) } else { Value::Null };
        let reading = json!({
            "slug": "ask", "intent": "Ask.", "constraints": {"scope": null, "deadline": null}, "tags": [],
            "clarify": clarify, "direct_answer": answer
        });
        Reply::Sse(reading.to_string())
    }
}

/// Every command that prints something about what there is, in both forms.
fn ask_everything(home: &Home, tasks: &[String], printed: &mut Printed) {
    let mut commands: Vec<Vec<&str>> = [
        "status",
        "tasks",
        "audit",
        "audit --window",
        "audit verify",
        "memory list",
        "memory pyramid",
        "memory export",
        "doctor",
        "config show",
    ]
    .iter()
    .map(|command| command.split(' ').collect())
    .collect();
    commands.push(vec!["explain", "cat tokens.txt"]);
    for task in tasks {
        commands.push(vec!["show", task]);
        commands.push(vec!["events", task]);
        commands.push(vec!["replay", task]);
    }
    for command in commands {
        for form in [&[][..], &["--json"]] {
            let ended = home.artoo(&[&command[..], form].concat());
            assert!(command[0] == "doctor" || ended.code == Some(0), "{command:?}: {ended:?}");
            printed.keep(&command.join(" "), &ended);
        }
    }
}

/// Looks into every file, every stream and every request.
fn search(canaries: &Canaries, home: &Home, server: &ModelServer, printed: &Printed) {
    let hunt: Hunt = canaries.hunt();
    let known = std::fs::read(home.work().join("known.txt")).expect("the file is ours");
    assert!(
        hunt.finds(&known) && hunt.finds(canaries.at("file github").as_bytes()),
        "the search finds nothing"
    );
    for (name, text) in &printed.0 {
        hunt.check(name, text.as_bytes());
    }
    // What a person wrote into the configuration stays there, and the token is what its file is for.
    hunt.check_files(&home.data(), &["config.toml", "confirm.token"]);
    let requests = server.requests();
    assert!(requests.len() > 20, "there were only {} requests", requests.len());
    for seen in requests {
        hunt.check(&format!("a prompt of {}", seen.role), seen.body.to_string().as_bytes());
        let key = match seen.role.as_str() {
            "R3" | "R4a" => canaries.at("variable TOOL_API_KEY"),
            _ => canaries.at("config api_key_file of the brain"),
        };
        assert_eq!(seen.headers.get("authorization"), Some(&format!("Bearer {key}")));
    }
}
