//! Tools with one hostile server, run below the keeper of the real daemon.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use artoo_command::Launcher;
use artoo_command::sandbox::Sandboxing;
use artoo_command::stop::StopSignal;
use artoo_mcp::{McpEvent, McpServer, McpTransport, McpView, ServerState};
use artoo_redact::{Redactor, Secret};
use artoo_tools::{RunOutcome, Toolbox, ToolboxConfig};
use artoo_types::evidence::{EffectClass, Receipt};
use artoo_types::plan::Blocks;
use artoo_types::taint::Taint;
use artoo_types::task::ConfirmationResolved;
use artoo_types::tool::{Approval, ToolCall};
use artoo_types::{ConfirmationId, EffectId, SubtaskId, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

use artoo_testing::{PATIENCE, binaries};

/// The tool that the server always has.
pub(crate) const LOOK: &str = "bad__look";

/// The script of the hostile server.
pub(crate) fn script() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/mcp/hostile_server.py");
    assert!(std::path::Path::new(path).is_file(), "{path} is missing");
    path.to_owned()
}

/// Whether a process is there and has not ended.
pub(crate) fn is_alive(pid: &str) -> bool {
    let listed = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = String::from_utf8_lossy(&listed.expect("ps can be run").stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// Tools with a server named `bad`.
pub(crate) struct Bench {
    pub(crate) folder: Arc<TempDir>,
    pub(crate) tools: Toolbox,
    pub(crate) events: Arc<Mutex<Vec<McpEvent>>>,
    runtime: tokio::runtime::Runtime,
}

impl Bench {
    /// With a server that behaves in these ways, and of whose tools nothing is known.
    pub(crate) fn new(modes: &[&str]) -> Self {
        Self::with(modes, &[], |_| {})
    }

    /// As [`Bench::new`], where `look` only reads.
    pub(crate) fn reading(modes: &[&str]) -> Self {
        Self::with(modes, &[("look", EffectClass::Read)], |_| {})
    }

    /// With effects of tools and whatever else is to be different.
    pub(crate) fn with(
        modes: &[&str],
        effects: &[(&str, EffectClass)],
        change: impl Fn(&mut McpServer),
    ) -> Self {
        Self::again(Arc::new(tempfile::tempdir().expect("a temporary folder")), modes, effects, change)
    }

    /// In the folder of an earlier one, whose pins are there.
    pub(crate) fn again(
        folder: Arc<TempDir>,
        modes: &[&str],
        effects: &[(&str, EffectClass)],
        change: impl Fn(&mut McpServer),
    ) -> Self {
        let mut server = server(&folder, modes);
        server.effects = effects.iter().map(|(tool, effect)| ((*tool).to_owned(), *effect)).collect();
        change(&mut server);
        let tools = toolbox(&folder);
        let events: Arc<Mutex<Vec<McpEvent>>> = Arc::default();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let heard = Arc::clone(&events);
        let observer: artoo_mcp::Observer =
            Arc::new(move |event| heard.lock().expect("nobody panics with it").push(event));
        let pins = folder.path().join("pins.json");
        runtime.block_on(async { tools.start_servers(vec![server], pins, &observer) });
        Self { folder, tools, events, runtime }
    }

    /// The server, once it is in this state.
    pub(crate) fn once(&self, state: ServerState) -> McpView {
        let since = Instant::now();
        loop {
            let view = self.view();
            if view.state == state {
                return view;
            }
            assert!(since.elapsed() < PATIENCE, "not {state:?}: {view:#?} {:#?}", self.events);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The server as it is.
    pub(crate) fn view(&self) -> McpView {
        self.tools.servers().list().pop().expect("there is one server")
    }

    /// The names of the server's tools that models are offered.
    pub(crate) fn offered(&self) -> Vec<String> {
        let names = self.tools.specs("/").into_iter().map(|spec| spec.name);
        names.filter(|name| name.starts_with("bad__")).collect()
    }

    /// A call of `look`.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> ToolCall {
        ToolCall {
            effect_id: EffectId(1),
            subtask_id: serde_json::from_value(json!("0197b2c4-0000-7000-8000-000000000001"))
                .map(|id: SubtaskId| id)
                .expect("an id"),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            working_directory: self.folder.path().to_string_lossy().into_owned(),
            blocked: Blocks::default(),
            deadline_ms: 30_000,
            taint: Taint::NONE,
            word: Default::default(),
            by_judge: false,
            shows_images: false,
        }
    }

    /// Calls `look`; a person says yes if one is asked.
    pub(crate) fn look(&self, thing: &str) -> Receipt {
        self.run(&self.call(LOOK, &json!({ "thing": thing })), StopSignal::never())
    }

    /// Runs a call that a person has agreed to, if that is needed.
    pub(crate) fn run(&self, call: &ToolCall, stop: StopSignal) -> Receipt {
        let judged = self.tools.judge(call.clone());
        let approval = judged.question().map(|held| yes(&held.digest));
        match self.runtime.block_on(self.tools.run(judged, approval.as_ref(), stop, Timestamp(1))) {
            RunOutcome::Done(receipt) => *receipt,
            RunOutcome::Held(held, _) | RunOutcome::Interrupted(held) => panic!("held: {held:?}"),
        }
    }

    /// Every process that the server has noted down.
    pub(crate) fn pids(&self) -> Vec<String> {
        let noted = std::fs::read_to_string(self.folder.path().join("pids")).unwrap_or_default();
        noted.lines().map(str::to_owned).collect()
    }

    /// Ends the server.
    pub(crate) fn shut_down(&self) {
        self.runtime.block_on(self.tools.servers().shut_down());
    }
}

fn server(folder: &TempDir, modes: &[&str]) -> McpServer {
    let mut arguments = vec![script(), folder.path().to_string_lossy().into_owned()];
    arguments.extend(modes.iter().map(|mode| (*mode).to_owned()));
    McpServer {
        tools: None,
        name: "bad".to_owned(),
        way: McpTransport::Process {
            program: "python3".to_owned(),
            arguments,
            environment: BTreeMap::from([("GIVEN".to_owned(), Secret::new("by the operator"))]),
            full_power: false,
        },
        effects: BTreeMap::new(),
        default_effect: EffectClass::Unknown,
        start_timeout: Duration::from_secs(20),
        timeout: Duration::from_secs(10),
    }
}

fn toolbox(folder: &TempDir) -> Toolbox {
    let path = std::env::var("PATH").expect("tests have a PATH");
    let environment = [("PATH", path.as_str()), ("SECRET_TOKEN", "of-the-daemon"), ("LANG", "C.UTF-8")];
    Toolbox::new(ToolboxConfig {
        workspace: folder.path().join("workspace"),
        home: folder.path().to_owned(),
        data_dir: folder.path().join("data"),
        artifacts: folder.path().join("artifacts"),
        environment: environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        redactor: Redactor::default(),
        launcher: Some(Launcher { program: binaries().join("artoo-daemon"), uses_cgroups: true }),
        sandbox: Sandboxing::Required,
        unasked: Default::default(),
        web: Default::default(),
        trash: artoo_trash::TrashLimits::default(),
    })
}

fn yes(digest: &str) -> Approval {
    let resolved = ConfirmationResolved {
        confirmation_id: serde_json::from_value::<ConfirmationId>(json!(
            "0197b2c4-0000-7000-8000-000000000002"
        ))
        .expect("an id"),
        effect_id: EffectId(1),
        approved: true,
        digest: digest.to_owned(),
        remember_for_task: false,
        denial: None,
    };
    Approval::from_confirmation(&resolved).expect("it says yes")
}

/// Where the pins of a bench are.
pub(crate) fn pins(folder: &TempDir) -> PathBuf {
    folder.path().join("pins.json")
}
