use std::collections::BTreeMap;
use std::path::PathBuf;

use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::limits::MESSAGE_OUTPUT_CHARS;
use artoo_types::machine::HeldCall;
use artoo_types::plan::{BlockedTarget, Blocks};
use artoo_types::setting::{ProjectMode, UnaskedRules};
use artoo_types::taint::Taint;
use artoo_types::task::ConfirmationResolved;
use artoo_types::text::is_cut;
use artoo_types::tool::{Approval, ToolCall};
use artoo_types::{ConfirmationId, EffectId, SubtaskId, TaskId, Timestamp};
use serde_json::{Value, json};

use super::{RunOutcome, Toolbox, ToolboxConfig};
use crate::judged::{CallVerdict, JudgedCall};
use crate::outputs;
use artoo_command::stop::StopSignal;
use artoo_trash::TrashLimits;
use artoo_web::{SearchConfig, SearchProvider, WebConfig};

mod acts;
mod apple;
mod binding;
mod confining;
mod project;
mod tainted;

const SECRET: &str = "canary-0042-value-that-is-long";

fn redactor() -> Redactor {
    Redactor::new(&[KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::ApiKey }])
}

/// The internet of the tests: a search engine on this machine that is not there.
fn web() -> WebConfig {
    let provider = SearchProvider::SearxNg;
    let search = SearchConfig::new(provider, Some("http://127.0.0.1:9/"), Secret::default(), "").unwrap();
    WebConfig { enabled: true, search: Some(search) }
}

struct Bench {
    _dir: tempfile::TempDir,
    home: PathBuf,
    tools: Toolbox,
}

impl Bench {
    fn new() -> Self {
        Self::with_programs(&[])
    }

    /// The same on a machine that also has these programs, each a script.
    fn with_programs(programs: &[(&str, &str)]) -> Self {
        Self::with(programs, ProjectMode::Ask, TrashLimits::default())
    }

    fn with(programs: &[(&str, &str)], project: ProjectMode, trash: TrashLimits) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        for folder in ["project/.git/hooks", "artoo_workspace", "other", ".ssh", ".artoo", "stand-ins"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        std::fs::write(home.join("project/a.txt"), "a\n").unwrap();
        std::fs::write(home.join(".ssh/id"), "key\n").unwrap();
        for (name, script) in programs {
            crate::bench::make_program(&home.join("stand-ins").join(name), script);
        }
        let tools = Toolbox::new(ToolboxConfig {
            workspace: home.join("artoo_workspace"),
            home: home.clone(),
            data_dir: home.join(".artoo"),
            artifacts: home.join(".artoo/artifacts"),
            environment: BTreeMap::from([
                ("PATH".to_owned(), format!("{}/stand-ins:/usr/local/bin:/usr/bin:/bin", home.display())),
                ("GITHUB_TOKEN".to_owned(), SECRET.to_owned()),
            ]),
            redactor: redactor(),
            web: web(),
            trash,
            launcher: None,
            sandbox: artoo_command::sandbox::Sandboxing::Waived,
            unasked: UnaskedRules { project, ..UnaskedRules::default() },
        });
        Self { _dir: dir, home, tools: tools.for_task(id::<TaskId>()) }
    }

    fn call(&self, tool: &str, arguments: &Value) -> ToolCall {
        ToolCall {
            effect_id: EffectId(3),
            subtask_id: id::<SubtaskId>(),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            working_directory: self.home.join("project").to_string_lossy().into_owned(),
            blocked: Blocks::default(),
            deadline_ms: 30_000,
            taint: Default::default(),
            word: Default::default(),
            by_judge: false,
            shows_images: false,
        }
    }

    async fn outcome(&self, call: &ToolCall, approval: Option<&Approval>) -> RunOutcome {
        self.tools.run(self.judge(call), approval, StopSignal::never(), Timestamp(5)).await
    }

    async fn done(&self, tool: &str, arguments: Value) -> Receipt {
        match self.outcome(&self.call(tool, &arguments), None).await {
            RunOutcome::Done(receipt) => *receipt,
            held @ (RunOutcome::Held(..) | RunOutcome::Interrupted(_)) => panic!("held: {held:?}"),
        }
    }

    async fn recovered(&self, call: &ToolCall) -> RunOutcome {
        self.tools.recover(call.clone(), StopSignal::never(), Timestamp(5)).await
    }

    fn judge(&self, call: &ToolCall) -> JudgedCall {
        self.tools.judge(call.clone())
    }

    fn held(&self, call: &ToolCall) -> HeldCall {
        let judged = self.judge(call);
        judged.question().unwrap_or_else(|| panic!("{judged:?}")).clone()
    }

    /// How often calls were judged so far.
    fn judgements(&self) -> usize {
        self.tools.shared.judgements.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// Any id.
fn id<T: serde::de::DeserializeOwned>() -> T {
    serde_json::from_str("\"01890a5d-ac96-774b-bcce-b302099a8057\"").unwrap()
}

fn yes(held: &HeldCall) -> Approval {
    let resolved = ConfirmationResolved {
        confirmation_id: id::<ConfirmationId>(),
        effect_id: EffectId(3),
        approved: true,
        digest: held.digest.clone(),
        remember_for_task: false,
        denial: None,
    };
    Approval::from_confirmation(&resolved).unwrap()
}

#[tokio::test]
async fn a_call_becomes_a_receipt() {
    let bench = Bench::new();
    let receipt = bench.done("glob", json!({"pattern": "*.txt", "root": "."})).await;
    let project = bench.home.join("project").to_string_lossy().into_owned();
    assert_eq!(receipt.id.0, "r3");
    assert_eq!(receipt.output, format!("{project}/a.txt"));
    assert_eq!(receipt.target, format!("{project}/*.txt"));
    assert_eq!(receipt.arguments, r#"{"pattern":"*.txt","root":"."}"#);
    assert_eq!((receipt.end, receipt.exit, receipt.effect), (CallEnd::Ran, Some(0), EffectClass::Read));
    assert_eq!(receipt.time.started_at, Timestamp(5));
    assert!(receipt.succeeded() && receipt.handle.is_none());
    let shell = bench.done("shell", json!({"command": "grep -c a a.txt | sort"})).await;
    assert_eq!((shell.output.as_str(), shell.exit), ("1\n", Some(0)));
    assert_eq!(shell.classes, ["shell:grep", "shell:sort"]);
    let failed = bench.done("read_file", json!({"path": "none.txt"})).await;
    assert!(failed.call_failed() && failed.end == CallEnd::Ran && failed.exit == Some(1));
}

#[tokio::test]
async fn calls_that_cannot_be_read_are_refused_with_advice() {
    let bench = Bench::new();
    let unknown = bench.done("fly", json!({})).await;
    assert!(unknown.end == CallEnd::Refused && unknown.output.contains("glob"), "{unknown:?}");
    let missing = bench.done("write_file", json!({"path": "x"})).await;
    assert!(missing.end == CallEnd::Refused && missing.output.contains("content"), "{missing:?}");
    let secret = bench.done("read_file", json!({"path": "~/.artoo/journal"})).await;
    assert!(secret.end == CallEnd::Refused && secret.output.contains("data folder"), "{secret:?}");
    let existing = bench.done("write_file", json!({"path": "./a.txt", "content": "x"})).await;
    assert!(existing.end == CallEnd::Refused && existing.output.contains("already exists"), "{existing:?}");
    let forbidden = bench.done("shell", json!({"command": "rm -rf ~"})).await;
    assert!(forbidden.end == CallEnd::Refused && bench.home.exists(), "{forbidden:?}");
}

#[tokio::test]
async fn blocks_bind_every_class_and_the_normalised_target() {
    let bench = Bench::new();
    let target = bench.home.join("project/a.txt").to_string_lossy().into_owned();
    let pair = |class: &str| BlockedTarget { class: class.to_owned(), target: target.clone() };
    let classes = |class: &str| Blocks { classes: vec![class.to_owned()], ..Blocks::default() };
    let targets = |class: &str| Blocks { targets: vec![pair(class)], ..Blocks::default() };
    let read = json!({"path": "./x/../a.txt"});
    let cases = [
        ("shell", json!({"command": "cat a.txt | sort"}), classes("shell:sort"), true),
        ("shell", json!({"command": "cat a.txt | sort"}), classes("shell:find"), false),
        ("shell", json!({"command": "cat a.txt"}), classes("shell"), true),
        ("shell", json!({"command": "cat ./a.txt"}), targets("shell:cat"), true),
        ("read_file", read.clone(), classes("read_file"), true),
        ("read_file", read.clone(), targets("read_file"), true),
        ("read_file", read, targets("glob"), false),
    ];
    for (tool, arguments, blocked, refused) in cases {
        let call = ToolCall { blocked, ..bench.call(tool, &arguments) };
        assert_eq!(
            matches!(bench.judge(&call).verdict(), CallVerdict::Refuse(_)),
            refused,
            "{tool} {arguments}"
        );
        let RunOutcome::Done(receipt) = bench.outcome(&call, None).await else { panic!("held") };
        assert_eq!(receipt.end == CallEnd::Refused, refused, "{tool} {arguments}");
    }
}

#[test]
fn caution_asks_about_all_that_is_more_than_reading_and_making() {
    let bench = Bench::new();
    let at = |name: &str| bench.home.join("project").join(name).to_string_lossy().into_owned();
    let with = |tool: &str, arguments: Value, class: &str, target: String| {
        let cautions = vec![BlockedTarget { class: class.to_owned(), target }];
        let blocked = Blocks { cautions, ..Blocks::default() };
        bench.judge(&ToolCall { blocked, ..bench.call(tool, &arguments) })
    };
    let read = || json!({"path": "a.txt"});
    assert!(matches!(with("read_file", read(), "read_file", at("a.txt")).verdict(), CallVerdict::Run(_)));
    let new = json!({"path": "./new.txt", "content": "x"});
    assert!(matches!(with("write_file", new, "write_file", at("new.txt")).verdict(), CallVerdict::Run(_)));
    // What is asked about anyway says why, and that a yes to its kind does not count.
    let remove = || json!({"command": "rm a.txt"});
    let held = with("shell", remove(), "shell:rm", at("a.txt")).question().expect("it asks").clone();
    assert!(held.caution && held.why.iter().any(|why| why.contains("memory calls for caution")), "{held:?}");
    let held = with("shell", remove(), "shell:rm", at("b.txt")).question().expect("it asks").clone();
    assert!(!held.caution && !held.why.iter().any(|why| why.contains("memory")), "{held:?}");
    // Where no sandbox is, a command has none that is tight.
    let look = || json!({"command": "cat a.txt"});
    let held = with("shell", look(), "shell:cat", at("a.txt")).question().expect("it asks").clone();
    assert_eq!((held.effects.as_slice(), held.caution), (&[EffectClass::Read][..], true));
    assert!(matches!(with("shell", look(), "shell:cat", at("b.txt")).verdict(), CallVerdict::Run(_)));
}

#[tokio::test]
async fn a_held_call_runs_only_with_a_yes_to_exactly_it() {
    let bench = Bench::new();
    let file = bench.home.join("project/a.txt");
    let remove = bench.call("shell", &json!({"command": "rm a.txt"}));
    let held = bench.held(&remove);
    assert!(held.effects.contains(&EffectClass::Delete) && held.action == "rm a.txt" && !held.why.is_empty());
    assert!(matches!(bench.outcome(&remove, None).await, RunOutcome::Held(h, _) if *h == held));

    let other = bench.held(&bench.call("shell", &json!({"command": "rm -f a.txt"})));
    assert!(matches!(bench.outcome(&remove, Some(&yes(&other))).await, RunOutcome::Held(..)));
    let approval = yes(&held);
    std::fs::write(&file, "changed since\n").unwrap();
    assert!(
        matches!(bench.outcome(&remove, Some(&approval)).await, RunOutcome::Held(..)),
        "the file is another one now"
    );
    assert!(file.exists());

    let now = yes(&bench.held(&remove));
    let RunOutcome::Done(receipt) = bench.outcome(&remove, Some(&now)).await else { panic!("held") };
    assert!(receipt.succeeded() && !file.exists(), "{receipt:?}");
}

#[tokio::test]
async fn a_confirmed_call_is_judged_once_for_its_question_and_once_before_it_runs() {
    let bench = Bench::new();
    let stop = StopSignal::never;
    let remove = bench.call("shell", &json!({"command": "rm a.txt"}));
    let judged = bench.judge(&remove);
    assert_eq!(judged.intent(None), None);
    let outcome = bench.tools.run(judged, None, stop(), Timestamp(5)).await;
    let RunOutcome::Held(question, judged) = outcome else { panic!("{outcome:?}") };
    // As it comes back with the answer, the task has taken in more.
    let approval = yes(&question);
    let remove = ToolCall { taint: Taint::PRIVATE, ..remove };
    let judged = judged.renewed(&remove).expect("it is as it was");
    assert!(judged.intent(Some(&approval)).is_some());
    let outcome = bench.tools.run(judged, Some(&approval), stop(), Timestamp(6)).await;
    let RunOutcome::Done(receipt) = outcome else { panic!("{outcome:?}") };
    assert!(receipt.succeeded() && !bench.home.join("project/a.txt").exists(), "{receipt:?}");
    assert_eq!(bench.judgements(), 2);
}

#[tokio::test]
async fn a_judged_call_is_not_taken_for_another_or_for_a_changed_world() {
    let bench = Bench::new();
    let file = bench.home.join("project/a.txt");
    let remove = bench.call("shell", &json!({"command": "rm a.txt"}));
    let other = bench.call("shell", &json!({"command": "rm -f a.txt"}));
    assert!(bench.judge(&remove).renewed(&other).is_none());
    let judged = bench.judge(&remove);
    let approval = yes(judged.question().unwrap());
    std::fs::write(&file, "b\n").unwrap();
    assert!(bench.judge(&remove).renewed(&remove).is_some());
    // What was judged before the change neither stands nor runs.
    let outcome = bench.tools.run(judged, Some(&approval), StopSignal::never(), Timestamp(5)).await;
    let RunOutcome::Held(changed, _) = outcome else { panic!("{outcome:?}") };
    assert!(changed.why[0].contains("has changed since you were asked"), "{changed:?}");
    assert!(
        file.exists()
            && !bench.home.join(".artoo/trash").join(id::<TaskId>().to_string()).join("000003").exists()
    );
    let stale = bench.judge(&remove);
    std::fs::write(&file, "longer\n").unwrap();
    assert!(stale.renewed(&remove).is_none());
}

#[tokio::test]
async fn where_a_person_is_asked() {
    let bench = Bench::new();
    let cases = [
        ("write_file", json!({"path": "../other/x.txt", "content": ""}), true),
        ("write_file", json!({"path": "./.git/hooks/pre-commit", "content": ""}), true),
        ("write_file", json!({"path": "./new/x.txt", "content": ""}), false),
        ("write_file", json!({"path": "x.txt", "content": ""}), false),
        ("read_file", json!({"path": "~/.ssh/id"}), true),
        ("read_file", json!({"path": "../other/x.txt"}), false),
        ("glob", json!({"root": "~/.ssh", "pattern": "*"}), true),
        ("glob", json!({"pattern": "~/.ssh/*"}), true),
        ("edit_file", json!({"path": "./a.txt", "old": "a", "new": "b"}), true),
        ("shell", json!({"command": "ls"}), false),
        ("shell", json!({"command": "touch b"}), false),
        ("shell", json!({"command": "touch a.txt"}), true),
    ];
    for (tool, arguments, asked) in cases {
        let judged = bench.judge(&bench.call(tool, &arguments));
        assert_eq!(judged.question().is_some(), asked, "{tool} {arguments}: {judged:?}");
    }
}

#[tokio::test]
async fn long_outputs_are_cut_stored_and_paged() {
    let bench = Bench::new();
    let receipt = bench.done("shell", json!({"command": "seq 1 20000"})).await;
    assert!(is_cut(&receipt.output) && receipt.output.chars().count() < MESSAGE_OUTPUT_CHARS + 100);
    let handle = receipt.handle.clone().unwrap();
    let stored = std::fs::read_to_string(bench.home.join(".artoo/artifacts").join(handle)).unwrap();
    assert_eq!((stored.lines().count(), stored.len() as u64), (20_000, receipt.output_bytes));
    let page = bench.done("read_output", json!({"receipt": "r3", "offset": 4, "limit": 5})).await;
    assert_eq!(page.output, "3\n4\n5");
    let none = bench.done("read_output", json!({"receipt": "r9"})).await;
    assert!(none.exit == Some(1) && none.output.contains("r9"), "{none:?}");
    let again = bench.tools.for_task(id());
    again.remember(&receipt);
    let call = bench.call("read_output", &json!({"receipt": "r3", "limit": 3}));
    let RunOutcome::Done(page) = again.run(again.judge(call), None, StopSignal::never(), Timestamp(6)).await
    else {
        panic!("held")
    };
    assert_eq!(page.output, "1\n2", "a restarted task pages through the same output");
}

#[tokio::test]
async fn the_shorter_deadline_counts() {
    let bench = Bench::new();
    let receipt = bench.done("shell", json!({"command": "sleep 200", "timeout_ms": 100})).await;
    assert_eq!((receipt.end, receipt.exit), (CallEnd::Timeout, None));
    assert!(bench.tools.take_survivors().is_empty());
}

#[test]
fn only_what_may_run_and_does_more_than_reading_is_announced() {
    let bench = Bench::new();
    let intent = |tool: &str, arguments: Value| bench.judge(&bench.call(tool, &arguments)).intent(None);
    assert_eq!(intent("glob", json!({"pattern": "*", "root": "."})), None);
    assert_eq!(intent("shell", json!({"command": "cat a.txt"})), None);
    assert_eq!(intent("shell", json!({"command": "rm a.txt"})), None, "it waits for a person's word");
    assert_eq!(intent("write_file", json!({"path": "./a.txt", "content": "x"})), None, "it is refused");
    assert_eq!(intent("no_such_tool", json!({})), None);

    let made = intent("write_file", json!({"path": "b.txt", "content": "x"})).unwrap();
    let path = bench.home.join("project/b.txt").to_string_lossy().into_owned();
    assert_eq!((made.effects, made.targets), (vec![EffectClass::Create], vec![path]));

    let call = bench.call("shell", &json!({"command": "rm a.txt"}));
    let held = bench.held(&call);
    let approved = bench.judge(&call).intent(Some(&yes(&held))).unwrap();
    assert_eq!((approved.effects, approved.targets), (held.effects.clone(), held.targets.clone()));
    std::fs::write(bench.home.join("project/a.txt"), "changed\n").unwrap();
    assert_eq!(bench.judge(&call).intent(Some(&yes(&held))), None, "the yes was to another file");

    let secret = bench.call("read_file", &json!({"path": "~/.ssh/id"}));
    assert_eq!(
        bench.judge(&secret).intent(Some(&yes(&bench.held(&secret)))),
        None,
        "reading may be repeated"
    );
}

#[tokio::test]
async fn a_file_that_was_being_written_is_made_good() {
    let bench = Bench::new();
    let call = bench.call("write_file", &json!({"path": "b.txt", "content": "whole\n"}));
    let path = bench.home.join("project/b.txt");
    // It was not written: it is now. It was: that stands. Somebody else wrote another: that stays.
    for (before, note) in [(None, None), (Some("whole\n"), Some("before the daemon went down"))] {
        if let Some(content) = before {
            std::fs::write(&path, content).unwrap();
        }
        let RunOutcome::Done(receipt) = bench.recovered(&call).await else { panic!("not done") };
        assert!(receipt.succeeded(), "{receipt:?}");
        assert!(receipt.output.starts_with("wrote 6 bytes, 1 lines"), "{receipt:?}");
        assert_eq!(receipt.note.is_some(), note.is_some(), "{receipt:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\n");
    }
    std::fs::write(&path, "other\n").unwrap();
    let RunOutcome::Done(receipt) = bench.recovered(&call).await else { panic!("not done") };
    assert!(receipt.call_failed() && receipt.output.contains("already exists"), "{receipt:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "other\n");
}

#[tokio::test]
async fn what_may_have_happened_is_asked_about_and_not_run() {
    let bench = Bench::new();
    let call = bench.call("shell", &json!({"command": "rm a.txt"}));
    let RunOutcome::Interrupted(question) = bench.recovered(&call).await else { panic!("not asked") };
    assert!(bench.home.join("project/a.txt").exists());
    assert!(question.why[0].contains("may have happened"), "{question:?}");
    // A yes to that question runs it.
    let RunOutcome::Done(receipt) = bench.outcome(&call, Some(&yes(&question))).await else { panic!("held") };
    assert!(receipt.succeeded() && !bench.home.join("project/a.txt").exists(), "{receipt:?}");
}

#[tokio::test]
async fn an_output_is_redacted_before_anything_is_made_of_it() {
    let bench = Bench::new();
    // Long enough for an artifact, with a secret at every place where something could be cut.
    let text: String = (0..4_000).map(|n| format!("{n} {SECRET}\n")).collect();
    std::fs::write(bench.home.join("project/keys.txt"), &text).unwrap();
    for (tool, arguments) in [
        ("read_file", json!({"path": "./keys.txt", "limit": 9_000})),
        ("shell", json!({"command": "cat keys.txt"})),
        ("shell", json!({"command": "cat keys.txt >&2"})),
        ("shell", json!({"command": "head -c 60000 keys.txt"})),
        ("shell", json!({"command": "base64 keys.txt"})),
        ("shell", json!({"command": "base64 -w 0 keys.txt"})),
        ("shell", json!({"command": "xxd -p keys.txt | tr -d '\\n'"})),
    ] {
        let call = bench.call(tool, &arguments);
        let approval = bench.judge(&call).question().map(yes);
        let RunOutcome::Done(receipt) = bench.outcome(&call, approval.as_ref()).await else { panic!("held") };
        assert!(receipt.output_bytes > 1_000 && receipt.handle.is_some(), "{arguments}: {receipt:?}");
        assert!(receipt.output.contains("[redacted: api key]"), "{arguments}: {}", receipt.output);
        let handle = receipt.handle.clone().unwrap();
        let stored = std::fs::read_to_string(bench.home.join(".artoo/artifacts").join(&handle)).unwrap();
        assert_eq!(
            (outputs::digest(&stored), stored.len() as u64),
            (receipt.digest.clone(), receipt.output_bytes)
        );
        for text in [&stored, &receipt.output] {
            for part in ["canary-0", "y-0042-v", "t-is-long", "Y2FuYXJ5LTAw", "63616e6172792d30"] {
                assert!(!text.contains(part), "{arguments}: {part} is told");
            }
        }
    }
}

#[tokio::test]
async fn what_a_command_may_not_know_is_not_held_either() {
    let bench = Bench::new();
    let shown = format!("{:?}", bench.tools);
    assert!(shown.contains("/usr/local/bin") && !shown.contains("canary"), "{shown}");
    let receipt = bench.done("shell", json!({"command": "env"})).await;
    assert!(
        receipt.output.contains("PATH=") && !receipt.output.contains("GITHUB_TOKEN"),
        "{}",
        receipt.output
    );
}
