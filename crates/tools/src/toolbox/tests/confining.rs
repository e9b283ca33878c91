use std::collections::BTreeMap;

use artoo_redact::Redactor;
use artoo_types::plan::Blocks;
use artoo_types::tool::ToolCall;
use artoo_types::{EffectId, Timestamp};
use serde_json::json;

use crate::judged::CallVerdict;
use crate::toolbox::{RunOutcome, Toolbox, ToolboxConfig};
use artoo_command::sandbox::Sandboxing;
use artoo_command::stop::StopSignal;

fn toolbox(home: &std::path::Path, sandbox: Sandboxing) -> Toolbox {
    Toolbox::new(ToolboxConfig {
        workspace: home.join("workspace"),
        home: home.to_owned(),
        data_dir: home.join(".artoo"),
        artifacts: home.join(".artoo/artifacts"),
        environment: BTreeMap::new(),
        redactor: Redactor::default(),
        web: Default::default(),
        trash: artoo_trash::TrashLimits::default(),
        launcher: None,
        sandbox,
        unasked: Default::default(),
    })
}

fn call(home: &std::path::Path, command: &str) -> ToolCall {
    ToolCall {
        effect_id: EffectId(1),
        subtask_id: serde_json::from_str("\"01890a5d-ac96-774b-bcce-b302099a8057\"").unwrap(),
        tool: "shell".to_owned(),
        arguments: json!({"command": command}).to_string(),
        working_directory: home.to_string_lossy().into_owned(),
        blocked: Blocks::default(),
        deadline_ms: 30_000,
        taint: artoo_types::taint::Taint::default(),
        word: Default::default(),
        by_judge: false,
        shows_images: false,
    }
}

/// Every command asks, for this reason, and does not run.
async fn check(sandbox: Sandboxing, reason: &str) {
    let dir = tempfile::tempdir().unwrap();
    let tools = toolbox(dir.path(), sandbox.clone());
    for command in ["ls", "echo hello", "cat /etc/hosts | wc -l", "rm -f x", "no-such-program"] {
        let call = call(dir.path(), command);
        let judged = tools.judge(call);
        let CallVerdict::Ask(held) = judged.verdict() else { panic!("{command} does not ask: {sandbox:?}") };
        assert!(held.why.iter().any(|why| why.contains(reason)), "{command}: {:?}", held.why);
        let outcome = tools.run(judged, None, StopSignal::never(), Timestamp(1)).await;
        assert!(matches!(outcome, RunOutcome::Held(..)), "{command}: {outcome:?}");
    }
    assert_eq!(tools.confinement(), "");
    assert!(tools.confinement_lack().is_some_and(|lack| lack.contains(reason)));
}

#[tokio::test]
async fn where_nothing_confines_every_command_asks() {
    check(Sandboxing::Lacking("an old kernel".to_owned()), "an old kernel").await;
    check(Sandboxing::Required, "no keeper").await;
}

#[tokio::test]
async fn a_sandbox_that_was_waived_asks_only_what_the_gate_asks() {
    let dir = tempfile::tempdir().unwrap();
    let tools = toolbox(dir.path(), Sandboxing::Waived);
    assert!(matches!(tools.judge(call(dir.path(), "ls")).verdict(), CallVerdict::Run(_)));
    assert_eq!(tools.confinement_lack(), None);
}
