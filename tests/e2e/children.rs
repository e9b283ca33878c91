//! Tools with the keeper of the real daemon: whatever a command starts ends with it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use artoo_command::Launcher;
use artoo_command::sandbox::Sandboxing;
use artoo_command::stop::{StopSignal, StopSwitch};
use artoo_redact::Redactor;
use artoo_tools::{CallVerdict, RunOutcome, Toolbox, ToolboxConfig};
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::plan::Blocks;
use artoo_types::task::ConfirmationResolved;
use artoo_types::tool::{Approval, ToolCall};
use artoo_types::{ConfirmationId, EffectId, SubtaskId, Timestamp};
use serde_json::json;
use tempfile::TempDir;

use crate::hostile::{alive, check_gone, commands, mark};
use crate::rows::check_rows;
use artoo_testing::{PATIENCE, binaries};

struct Bench {
    folder: TempDir,
    tools: Toolbox,
    runtime: tokio::runtime::Runtime,
}

impl Bench {
    fn new() -> Self {
        Self::with_cgroups(true)
    }

    fn with_cgroups(uses_cgroups: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = std::env::var("PATH").expect("tests have a PATH");
        let tools = Toolbox::new(ToolboxConfig {
            workspace: folder.path().join("workspace"),
            home: folder.path().to_owned(),
            data_dir: folder.path().join("data"),
            artifacts: folder.path().join("artifacts"),
            environment: BTreeMap::from([("PATH".to_owned(), path)]),
            redactor: Redactor::default(),
            web: Default::default(),
            trash: artoo_trash::TrashLimits::default(),
            launcher: Some(Launcher { program: binaries().join("artoo-daemon"), uses_cgroups }),
            sandbox: Sandboxing::Required,
            unasked: Default::default(),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        Self { folder, tools, runtime }
    }

    fn call(&self, command: &str) -> ToolCall {
        ToolCall {
            effect_id: EffectId(1),
            subtask_id: any_id::<SubtaskId>(),
            tool: "shell".to_owned(),
            arguments: json!({"command": command}).to_string(),
            working_directory: self.folder.path().to_string_lossy().into_owned(),
            blocked: Blocks::default(),
            deadline_ms: 60_000,
            taint: Default::default(),
            word: Default::default(),
            by_judge: false,
            shows_images: false,
        }
    }

    /// Runs a call that a person has agreed to, if that is needed.
    fn run(&self, call: &ToolCall, stop: StopSignal) -> Receipt {
        let judged = self.tools.judge(call.clone());
        let approval = match judged.verdict() {
            CallVerdict::Ask(held) => Some(yes(&held.digest)),
            CallVerdict::Run(_) => None,
            CallVerdict::Refuse(reason) => panic!("{}: {reason}", call.arguments),
        };
        let run = self.tools.run(judged, approval.as_ref(), stop, Timestamp(1));
        match self.runtime.block_on(run) {
            RunOutcome::Done(receipt) => *receipt,
            RunOutcome::Held(held, _) | RunOutcome::Interrupted(held) => panic!("held: {held:?}"),
        }
    }

    fn done(&self, command: &str) -> Receipt {
        self.run(&self.call(command), StopSignal::never())
    }

    /// Runs a command, ends it as soon as something with the mark runs, and returns how long the end took.
    fn stopped(&self, command: &str, mark: &str) -> (Receipt, Duration) {
        let (switch, signal) = StopSwitch::new();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| self.run(&self.call(command), signal));
            let since = Instant::now();
            // A busy machine takes its time for the first; a second one there may never be.
            let is_awaited = |running: usize| {
                let most = if running == 0 { 30 } else { 1 };
                running < 2 && since.elapsed() < Duration::from_secs(most)
            };
            // What was counted is what counts: of a chain of short lives the next look may fall between two.
            let mut running_now = alive(mark).len();
            while is_awaited(running_now) {
                std::thread::sleep(Duration::from_millis(5));
                running_now = alive(mark).len();
            }
            assert!(running_now > 0, "{command}: nothing runs");
            let told = Instant::now();
            switch.stop();
            let receipt = running.join().expect("the call returns");
            (receipt, told.elapsed())
        })
    }
}

fn any_id<T: serde::de::DeserializeOwned>() -> T {
    serde_json::from_str("\"01890a5d-ac96-774b-bcce-b302099a8057\"").expect("it is an id")
}

fn yes(digest: &str) -> Approval {
    let resolved = ConfirmationResolved {
        confirmation_id: any_id::<ConfirmationId>(),
        effect_id: EffectId(1),
        approved: true,
        digest: digest.to_owned(),
        remember_for_task: false,
        denial: None,
    };
    Approval::from_confirmation(&resolved).expect("it says yes")
}

#[test]
fn whatever_a_command_starts_ends_with_a_stop() {
    let numbers = 0..commands("").len();
    // With control groups where this machine lets them be made, and without.
    let rows = numbers.flat_map(|number| [(number, true), (number, false)]).collect();
    check_rows(rows, |(number, uses_cgroups)| {
        let mark = mark();
        let (name, command) = commands(&mark).swap_remove(*number);
        let name = &format!("{name}, {uses_cgroups}");
        let bench = Bench::with_cgroups(*uses_cgroups);
        let (receipt, took) = bench.stopped(&format!("echo begun; {command}"), &mark);
        check_gone(name, &mark, took, &bench.tools.take_survivors().join(", "));
        assert_eq!(receipt.end, CallEnd::Cancelled, "{name}: {receipt:?}");
        assert!(receipt.output.starts_with("begun\n"), "{name}: the output so far is kept: {receipt:?}");
    });
}

#[test]
fn a_command_that_prints_too_much_is_ended() {
    check_rows(vec!["", "trap '' TERM; "], |trap| {
        let mark = mark();
        let bench = Bench::new();
        let receipt = bench.done(&format!("{trap}yes {mark}"));
        assert_eq!((receipt.end, receipt.exit), (CallEnd::Error, None), "{trap}");
        assert!(receipt.output_bytes < 4 << 20, "{trap}: {}", receipt.output_bytes);
        assert!(receipt.note.is_some_and(|note| note.contains("more than")), "{trap}");
        assert!(alive(&mark).is_empty(), "{trap}");
    });
}

#[test]
fn what_a_finished_command_left_running_is_ended_and_named() {
    let mark = mark();
    let bench = Bench::new();
    let detached = format!("(setsid sleep {mark} & until [ $(cat /proc/$!/comm) = sleep ]; do :; done)");
    let receipt = bench.done(&format!("{detached}; echo done; exit 3"));
    assert_eq!(
        (receipt.end, receipt.exit, receipt.output.as_str()),
        (CallEnd::Ran, Some(3), "done\n"),
        "{receipt:?}"
    );
    assert_eq!(receipt.note.as_deref(), Some("ended what it had left running: sleep"));
    assert!(alive(&mark).is_empty());
    let plain = bench.done("echo done");
    assert_eq!((plain.exit, plain.note), (Some(0), None));
}

#[test]
fn a_command_that_outlasts_its_deadline_ends_with_all_it_started() {
    let mark = mark();
    let bench = Bench::new();
    let call = ToolCall {
        deadline_ms: 300,
        ..bench.call(&format!("echo begun; (setsid sleep {mark} &); sleep {mark}"))
    };
    let receipt = bench.run(&call, StopSignal::never());
    assert_eq!((receipt.end, receipt.output.as_str()), (CallEnd::Timeout, "begun\n"), "{receipt:?}");
    assert!(alive(&mark).is_empty());
}

#[test]
fn a_command_inherits_no_descriptors_no_terminal_and_leaves_no_core() {
    let bench = Bench::new();
    let open = std::fs::File::open("/dev/null").expect("it exists");
    rustix::io::fcntl_setfd(&open, rustix::io::FdFlags::empty()).expect("it is open");
    // The third is the folder that `ls` reads.
    let receipt = bench.done("ls /dev/fd/ | wc -l; ulimit -c; (: < /dev/tty) 2>/dev/null || echo none");
    assert_eq!(receipt.output, "4\n0\nnone\n", "{receipt:?}");
}

#[test]
fn statuses_and_outputs_come_through() {
    let bench = Bench::new();
    let rows = [
        ("echo out; echo err >&2", 0, "out\nerr\n"),
        ("kill -9 $$", 137, ""),
        ("exit 42", 42, ""),
        ("cat", 0, ""),
    ];
    for (command, exit, output) in rows {
        let receipt = bench.done(command);
        assert_eq!(
            (receipt.end, receipt.exit, receipt.output.as_str()),
            (CallEnd::Ran, Some(exit), output),
            "{command}"
        );
    }
    let gone = ToolCall { working_directory: "/nowhere".to_owned(), ..bench.call("ls") };
    let receipt = bench.run(&gone, StopSignal::never());
    assert!(receipt.end == CallEnd::Error && receipt.output.contains("/nowhere"), "{receipt:?}");
}

#[test]
fn what_an_earlier_run_left_behind_is_ended_at_the_next_start() {
    let mark = mark();
    let bench = Bench::new();
    let call = bench.call(&format!("setsid sleep {mark} & sleep {mark}"));
    std::thread::scope(|scope| {
        scope.spawn(|| bench.run(&call, StopSignal::never()));
        let since = Instant::now();
        while alive(&mark).len() < 3 {
            assert!(since.elapsed() < PATIENCE, "nothing runs");
            std::thread::sleep(Duration::from_millis(5));
        }
        // Another toolbox with the same data folder: what runs is not its own.
        let ended = bench.tools.end_leftovers();
        assert!(ended >= 3, "{ended}");
        assert!(alive(&mark).is_empty());
    });
}
