//! The tools of macOS, through the process boundary: stand-ins in the place of the programs tell what they were called
//! with, and say what the real ones were seen to say.

use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use serde_json::{Value, json};

use super::{Bench, RunOutcome, yes};
use crate::judged::CallVerdict;

/// Writes its arguments, one a line, and the file behind `--input-path`; then says what a Mac said.
fn stand_in(says: &str) -> String {
    format!(
        "#!/bin/bash\nprintf '<%s>\\n' \"$@\" >>\"$HOME/called\"\n\
         [ \"$3\" != --input-path ] || cat \"$4\" >>\"$HOME/called\"\n{says}\n"
    )
}

impl Bench {
    /// Runs the call with a person's yes.
    async fn confirmed(&self, tool: &str, arguments: Value) -> Receipt {
        let call = self.call(tool, &arguments);
        let RunOutcome::Held(held, _) = self.outcome(&call, None).await else {
            panic!("{tool} ran without a question")
        };
        assert!(!self.home.join("called").exists(), "nothing ran before the yes");
        assert_eq!(held.effects, [EffectClass::Unknown]);
        assert!(held.why[0].contains("everything that you may do") && !held.undo.is_possible(), "{held:?}");
        let RunOutcome::Done(receipt) = self.outcome(&call, Some(&yes(&held))).await else { panic!("held") };
        *receipt
    }

    fn called(&self) -> String {
        std::fs::read_to_string(self.home.join("called")).unwrap()
    }
}

#[tokio::test]
async fn a_script_is_one_argument_whatever_it_holds() {
    let script = "tell application \"Reminders\"\n  name of lists -- $(touch x) `id` 'q'\nend tell";
    let bench = Bench::with_programs(&[("osascript", &stand_in("echo 'Home, Work'"))]);
    let receipt = bench.confirmed("applescript", json!({"script": script})).await;
    assert_eq!((receipt.exit, receipt.output.as_str()), (Some(0), "Home, Work\n"));
    assert_eq!(receipt.classes, ["applescript"]);
    assert_eq!(bench.called(), format!("<-e>\n<{script}>\n"));
}

#[tokio::test]
async fn a_question_shows_the_whole_script_and_what_it_names() {
    let bench = Bench::with_programs(&[("osascript", &stand_in(""))]);
    let call =
        bench.call("applescript", &json!({"script": "tell application \"Mail\" to \u{202e}quit\u{1b}[2J"}));
    let held = bench.held(&call);
    assert_eq!(held.targets, ["application mail"]);
    assert!(held.action.starts_with("run this AppleScript:\ntell application \"Mail\" to "), "{held:?}");
    assert!(!held.action.contains(['\u{202e}', '\u{1b}']), "{held:?}");
    let empty = bench.call("applescript", &json!({"script": " "}));
    assert!(matches!(bench.judge(&empty).verdict(), CallVerdict::Refuse(_)));
}

#[tokio::test]
async fn what_macos_does_not_allow_says_how_to_allow_it() {
    let said = "41:52: execution error: Not authorized to send Apple events to Mail. (-1743)";
    let bench = Bench::with_programs(&[("osascript", &stand_in(&format!("echo '{said}' >&2; exit 1")))]);
    let receipt =
        bench.confirmed("applescript", json!({"script": "tell application \"Mail\" to beep"})).await;
    assert_eq!(receipt.exit, Some(1));
    assert!(receipt.output.starts_with(said) && receipt.output.contains("Privacy & Security > Automation"));
}

#[tokio::test]
async fn a_shortcut_gets_its_name_and_its_input() {
    let bench = Bench::with_programs(&[("shortcuts", &stand_in("echo done"))]);
    let receipt = bench.confirmed("shortcuts", json!({"name": "Save $(id); it", "input": "a\nb"})).await;
    assert_eq!((receipt.exit, receipt.output.as_str()), (Some(0), "done\n"));
    assert_eq!(receipt.target, "Save $(id); it");
    let called = bench.called();
    let lines: Vec<&str> = called.lines().collect();
    assert_eq!(lines[..3], ["<run>", "<Save $(id); it>", "<--input-path>"]);
    assert_eq!(lines[4..], ["a", "b"]);
    let file = lines[3].trim_matches(['<', '>']);
    assert!(!std::path::Path::new(file).exists(), "{file} goes with the call");
}

#[tokio::test]
async fn a_shortcut_that_is_not_there_names_the_nearest() {
    let says = "case $1 in list) printf 'Morning Lights\\nCall Mum\\n';; \
                *) echo 'Error: The operation couldn’t be completed. Couldn’t find shortcut' >&2; exit 1;; esac";
    let bench = Bench::with_programs(&[("shortcuts", &stand_in(says))]);
    let receipt = bench.confirmed("shortcuts", json!({"name": "morning light"})).await;
    assert_eq!(receipt.exit, Some(1));
    assert!(receipt.output.ends_with("the nearest names are \"Morning Lights\""), "{receipt:?}");
    assert_eq!(bench.called(), "<run>\n<morning light>\n<list>\n");
}

#[tokio::test]
async fn a_shortcut_that_fails_is_not_said_to_be_missing() {
    let says = "case $1 in list) echo 'Call Mum';; *) echo 'Error: no phone' >&2; exit 1;; esac";
    let bench = Bench::with_programs(&[("shortcuts", &stand_in(says))]);
    let receipt = bench.confirmed("shortcuts", json!({"name": "Call Mum"})).await;
    assert_eq!((receipt.exit, receipt.output.as_str()), (Some(1), "Error: no phone\n"));
}

#[tokio::test]
async fn what_does_not_answer_is_ended_at_the_deadline() {
    let bench = Bench::with_programs(&[("osascript", &stand_in("sleep 300"))]);
    let mut call = bench.call("applescript", &json!({"script": "display dialog \"?\""}));
    call.deadline_ms = 300;
    let held = bench.held(&call);
    let RunOutcome::Done(receipt) = bench.outcome(&call, Some(&yes(&held))).await else { panic!("held") };
    assert_eq!((receipt.end, receipt.exit), (CallEnd::Timeout, None));
    assert!(bench.tools.take_survivors().is_empty());
}

#[tokio::test]
async fn a_machine_without_the_programs_has_no_such_tools() {
    let bench = Bench::new();
    let offered: Vec<String> = bench.tools.specs("/").into_iter().map(|spec| spec.name).collect();
    for (tool, arguments) in [("applescript", json!({"script": "beep"})), ("shortcuts", json!({"name": "x"}))]
    {
        assert!(!offered.contains(&tool.to_owned()), "{offered:?}");
        let receipt = bench.done(tool, arguments).await;
        assert_eq!(receipt.end, CallEnd::Refused);
        assert!(receipt.output.contains("no tool") && receipt.output.contains("read_file"), "{receipt:?}");
    }
    let mac = Bench::with_programs(&[("osascript", "#!/bin/sh\n"), ("shortcuts", "#!/bin/sh\n")]);
    assert_eq!(mac.tools.specs("/").len(), offered.len() + 2);
}
