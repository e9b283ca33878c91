//! Tools with and without a sandbox, around one [`World`].

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::OnceLock;

use artoo_command::Launcher;
use artoo_command::sandbox::Sandboxing;
use artoo_command::stop::StopSignal;
use artoo_redact::Redactor;
use artoo_tools::{CallVerdict, RunOutcome, Toolbox, ToolboxConfig};
use artoo_types::evidence::Receipt;
use artoo_types::machine::HeldCall;
use artoo_types::plan::Blocks;
use artoo_types::setting::{ProjectMode, UnaskedRules};
use artoo_types::task::ConfirmationResolved;
use artoo_types::tool::{Approval, PersonsWord, ToolCall};
use artoo_types::undo::UndoOutcome;
use artoo_types::{ConfirmationId, EffectId, SubtaskId, TaskId, Timestamp};
use serde_json::json;

use crate::probes::PRELUDE;
use crate::world::World;
use artoo_testing::binaries;

/// A program that the gate takes for harmless, in whose way the probe is put.
const MASK: &str = "basename";

pub(crate) struct Bench {
    tools: Toolbox,
    runtime: tokio::runtime::Runtime,
    folder: String,
    /// The files that the request of its task names.
    named: Vec<String>,
}

impl Bench {
    /// As the daemon runs commands.
    pub(crate) fn confined(world: &World) -> Self {
        Self::new(world, true, Sandboxing::Required)
    }

    /// Without a keeper and without a sandbox: a process group alone.
    pub(crate) fn free(world: &World) -> Self {
        Self::new(world, false, Sandboxing::Waived)
    }

    /// As the daemon runs the commands of a task in this folder that are not understood: in a box.
    pub(crate) fn boxed(world: &World, folder: &str) -> Self {
        let mut bench = Self::with(world, true, Sandboxing::Required, ProjectMode::Work);
        bench.tools = bench.tools.for_task(any_id::<TaskId>());
        bench.folder = world.path(folder).to_string_lossy().into_owned();
        bench
    }

    /// The same for a request that names these files, whatever they are.
    pub(crate) fn naming(self, named: &[&str]) -> Self {
        Self { named: named.iter().map(|name| (*name).to_owned()).collect(), ..self }
    }

    /// As the daemon on this kind of machine.
    pub(crate) fn new(world: &World, is_kept: bool, sandbox: Sandboxing) -> Self {
        Self::with(world, is_kept, sandbox, ProjectMode::Ask)
    }

    fn with(world: &World, is_kept: bool, sandbox: Sandboxing, project: ProjectMode) -> Self {
        let path = std::env::var("PATH").expect("tests have a PATH");
        let probes = world.path("probes");
        let launcher = Launcher { program: binaries().join("artoo-daemon"), uses_cgroups: true };
        let tools = Toolbox::new(ToolboxConfig {
            workspace: world.path("workspace"),
            home: world.path("home"),
            data_dir: world.path("home/.artoo"),
            artifacts: world.path("home/.artoo/artifacts"),
            environment: BTreeMap::from([("PATH".to_owned(), format!("{}:{path}", probes.display()))]),
            redactor: Redactor::default(),
            web: Default::default(),
            trash: artoo_trash::TrashLimits::default(),
            launcher: is_kept.then_some(launcher),
            sandbox,
            unasked: UnaskedRules { project, ..UnaskedRules::default() },
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        Self { tools, runtime, folder: world.path("work").to_string_lossy().into_owned(), named: Vec::new() }
    }

    /// Fails where this machine cannot confine: the suite would show nothing then.
    pub(crate) fn assert_confines() {
        let world = World::new();
        let bench = Self::confined(&world);
        let lack = bench.tools.confinement_lack();
        assert!(lack.is_none(), "THE SANDBOX CANNOT BE TESTED HERE: {}", lack.unwrap_or_default());
        println!("confined by {}", bench.tools.confinement());
    }

    /// Runs a probe as a command that is taken for harmless.
    pub(crate) fn hostile(&self, world: &World, program: &str) -> Receipt {
        let file = world.path("probes").join(MASK);
        let text = format!("#!{}\n{PRELUDE}{program}\n", python());
        fs::write(&file, world.filled(&text)).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is there");
        let call = self.call(&format!("{MASK} probe 2>&1"));
        assert!(
            matches!(self.tools.judge(call.clone()).verdict(), CallVerdict::Run(_)),
            "{MASK} must be harmless to the gate"
        );
        self.run(&call, None)
    }

    /// Runs a probe as a program that nobody understands.
    pub(crate) fn unknown(&self, world: &World, program: &str) -> Receipt {
        let file = world.path("probes/unknown.py");
        fs::write(&file, world.filled(&format!("{PRELUDE}{program}\n"))).expect("a file");
        self.unasked(&format!("{} {} 2>&1", python(), file.display()))
    }

    /// Takes back what its calls did; returns the outcomes that are no success.
    pub(crate) fn undo(&self) -> Vec<String> {
        let report =
            self.tools.trash().undo(any_id::<TaskId>(), false, Timestamp(9)).expect("the trash can be read");
        let is_done = |outcome| {
            matches!(outcome, UndoOutcome::Restored | UndoOutcome::Removed | UndoOutcome::Unchanged)
        };
        let bad = report.items.into_iter().filter(|item| !is_done(item.outcome));
        bad.map(|item| format!("{item:?}")).collect()
    }

    /// Whether this command would run unasked.
    pub(crate) fn runs_unasked(&self, command: &str) -> bool {
        matches!(self.tools.judge(self.call(command)).verdict(), CallVerdict::Run(_))
    }

    /// Runs a command without asking anybody.
    pub(crate) fn unasked(&self, command: &str) -> Receipt {
        self.run(&self.call(command), None)
    }

    /// What a person would be asked about this command.
    pub(crate) fn question(&self, command: &str) -> HeldCall {
        match self.tools.judge(self.call(command)).verdict() {
            CallVerdict::Ask(held) => held.clone(),
            CallVerdict::Run(_) => panic!("{command}: it would run unasked"),
            CallVerdict::Refuse(reason) => panic!("{command}: {reason}"),
        }
    }

    /// Runs a command that a person has agreed to.
    pub(crate) fn agreed(&self, command: &str) -> Receipt {
        self.answered(command, &self.question(command)).unwrap_or_else(|| panic!("{command} is asked again"))
    }

    /// Runs a command after a yes to this question; none when it is asked anew.
    pub(crate) fn answered(&self, command: &str, question: &HeldCall) -> Option<Receipt> {
        let resolved = ConfirmationResolved {
            confirmation_id: any_id::<ConfirmationId>(),
            effect_id: EffectId(1),
            approved: true,
            digest: question.digest.clone(),
            remember_for_task: false,
            denial: None,
        };
        let approval = Approval::from_confirmation(&resolved).expect("it says yes");
        self.outcome(&self.call(command), Some(&approval)).ok()
    }

    fn run(&self, call: &ToolCall, approval: Option<&Approval>) -> Receipt {
        self.outcome(call, approval).unwrap_or_else(|held| panic!("held: {held:?}"))
    }

    fn outcome(&self, call: &ToolCall, approval: Option<&Approval>) -> Result<Receipt, Box<HeldCall>> {
        let judged = self.tools.judge(call.clone());
        match self.runtime.block_on(self.tools.run(judged, approval, StopSignal::never(), Timestamp(1))) {
            RunOutcome::Done(receipt) => Ok(*receipt),
            RunOutcome::Held(held, _) | RunOutcome::Interrupted(held) => Err(held),
        }
    }

    fn call(&self, command: &str) -> ToolCall {
        ToolCall {
            effect_id: EffectId(1),
            subtask_id: any_id::<SubtaskId>(),
            tool: "shell".to_owned(),
            arguments: json!({"command": command}).to_string(),
            working_directory: self.folder.clone(),
            blocked: Blocks::default(),
            deadline_ms: 60_000,
            taint: Default::default(),
            word: PersonsWord { named: self.named.clone(), ..PersonsWord::default() },
            by_judge: false,
            shows_images: false,
        }
    }
}

/// The Python of this machine: the program itself, not a script that looks for it.
fn python() -> &'static str {
    static PYTHON: OnceLock<String> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let ran = std::process::Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output()
            .expect("these tests need python3");
        String::from_utf8(ran.stdout).expect("a path").trim().to_owned()
    })
}

fn any_id<T: serde::de::DeserializeOwned>() -> T {
    serde_json::from_str("\"01890a5d-ac96-774b-bcce-b302099a8057\"").expect("it is an id")
}
