//! Who holds what. Every capability of the system is handed out here, once, by moving it.

use std::sync::Arc;
use std::thread::JoinHandle;

use artoo_command::Launcher;
use artoo_command::sandbox::Sandboxing;
use artoo_journal::{AcceptIndex, CrashPoint};
use artoo_model::Models;
use artoo_redact::Redactor;
use artoo_tools::{Toolbox, ToolboxConfig};
use artoo_types::setting::{ControlParams, UnaskedRules};
use artoo_web::WebConfig;

use crate::auditor::{
    self, AuditDesk, AuditLimits, AuditProgress, AuditorBell, AuditorConfig, AuditorPlaces, AuditorThread,
    SystemLog,
};
use crate::dreamer::{self, DreamerParts, DreamerTask};
use crate::health::Health;
use crate::live::LiveTaps;
use crate::memory::{self, MemoryInbox, MemoryView, OperatorDesk};
use crate::system::SystemBus;
use crate::task::{Disk, EffectServices, Listeners, Tasks, TasksConfig, enter_unindexed};
use artoo_config::StorageParams;
use artoo_config::folder::Places;

/// The parts of a running daemon.
pub struct Daemon {
    /// All tasks.
    pub tasks: Tasks,
    /// The live stream of all tasks.
    pub live: Arc<LiveTaps>,
    /// Where the operator asks the auditor.
    pub auditor: AuditDesk,
    /// How far the auditor has read: what is beyond that must not be deleted.
    pub audited: AuditProgress,
    /// Envelopes that belong to no task.
    pub system: SystemBus,
    /// What a person should look into.
    pub health: Health,
    /// Tells the auditor what no envelope says.
    pub auditor_bell: AuditorBell,
    /// Reads the memory for the operator.
    pub memory: MemoryView,
    /// Where the operator has the memory changed.
    pub memory_desk: OperatorDesk,
    /// Explains what the gate would do.
    pub toolbox: Toolbox,
    /// Takes secrets out of what clients say.
    pub redactor: Redactor,
    /// The threads to join at the end.
    auditor_thread: AuditorThread,
    memory_thread: JoinHandle<()>,
    memory_inbox: MemoryInbox,
    dreamer: DreamerTask,
}

/// What a daemon is made with besides its folders.
#[derive(Clone)]
pub struct DaemonOptions {
    /// Who thinks.
    pub models: Models,
    /// Weights, thresholds and budgets of the controller.
    pub control: ControlParams,
    /// What is kept how long.
    pub storage: StorageParams,
    /// Takes secrets out of everything that enters.
    pub redactor: Redactor,
    /// Starts the keepers of commands; without one, as in tests, commands run in process groups.
    pub launcher: Option<Launcher>,
    /// The internet, where the configuration opens it.
    pub web: WebConfig,
    /// Whether commands are confined, which takes a keeper.
    pub sandbox: Sandboxing,
    /// What may be done unasked.
    pub unasked: UnaskedRules,
    /// Whether ended tasks are reflected on.
    pub reflect: bool,
    /// Whether appends are synced. False in tests and benchmarks alone: then they are only written.
    pub sync: bool,
}

impl DaemonOptions {
    /// For tests and benchmarks: the default settings, no keepers, so that commands run in process groups and unconfined,
    /// no internet, no model calls besides those of tasks and for rules, and no syncs.
    pub fn without_keeper(models: Models) -> Self {
        Self {
            models,
            control: ControlParams::default(),
            storage: StorageParams::default(),
            redactor: Redactor::default(),
            launcher: None,
            web: WebConfig::default(),
            sandbox: Sandboxing::Waived,
            unasked: Default::default(),
            reflect: false,
            sync: false,
        }
    }
}

/// Puts the daemon together. Nothing runs before this, and nothing else hands out a capability:
/// the one memory writer goes to the thread of R5, the maintenance handle to its Dreamer, the desk that has it changed to
/// the operator's service; the auditor gets a read-only cursor over the journals, and the tasks a bell to ring for it; the
/// live taps go to the event streams alone; tools and models go to the tasks' effects; the redactor goes to every entrance.
///
/// # Errors
/// When a file cannot be opened or a setting is unusable; the text says what to do.
pub fn assemble(places: &Places, options: DaemonOptions) -> anyhow::Result<Daemon> {
    let crash = CrashPoint::from_env()?;
    let auditor_bell = AuditorBell::default();
    let health = Health::new(&places.data, options.storage.min_free_bytes, auditor_bell.clone());
    let (index, recovered) = AcceptIndex::open(&places.accept_index(), crash.clone())?;
    tracing::debug!(?recovered, "opened the accept index");
    enter_unindexed(&index, &recovered, &places.tasks(), &health)?;

    let live = Arc::new(LiveTaps::default());
    let system =
        SystemBus::open(places.system_journal(), crash.clone(), Arc::clone(&live), auditor_bell.clone())?;

    let auditor_config = AuditorConfig {
        places: AuditorPlaces::below(&places.data, places.tasks()),
        limits: AuditLimits::keeping(options.storage.audit_bytes, options.storage.audit_days),
        system_log: SystemLog::find(),
        health: health.clone(),
        system: system.clone(),
    };
    let auditor = auditor::start(auditor_config, &auditor_bell)?;

    // Nothing fails from here on, so that its thread is always joined.
    let (bell, work) = dreamer::work(options.reflect);
    let memory = memory::start(
        places.memory(),
        options.storage.memory_backups,
        bell.clone(),
        system.clone(),
        health.clone(),
    )?;

    let toolbox = toolbox(places, &options);
    let DaemonOptions { models, control, redactor, sync, .. } = options;
    let dreamer = dreamer::start(
        DreamerParts {
            models: models.clone(),
            redactor: redactor.clone(),
            memory: memory.inbox.clone(),
            system: system.clone(),
            journals: places.tasks(),
        },
        work,
    );
    let services = EffectServices::new(models, toolbox.clone(), memory.inbox.clone(), bell, redactor.clone());
    let disk = Disk::new(sync);
    let listeners = Listeners {
        live: Arc::clone(&live),
        auditor: auditor_bell.clone(),
        health: health.clone(),
        disk,
        system: system.clone(),
    };
    let tasks_config = TasksConfig {
        journals: places.tasks(),
        control,
        home: places.home.clone(),
        workspace: places.workspace.clone(),
    };
    let tasks = Tasks::new(tasks_config, services, listeners, index, crash);

    Ok(Daemon {
        tasks,
        live,
        auditor: auditor.desk,
        audited: auditor.progress,
        system,
        health,
        auditor_bell,
        memory: memory.view,
        memory_desk: memory.desk,
        toolbox,
        redactor,
        auditor_thread: auditor.thread,
        memory_thread: memory.thread,
        memory_inbox: memory.inbox,
        dreamer,
    })
}

/// The tools of this machine, with what an earlier run left behind put in order.
fn toolbox(places: &Places, options: &DaemonOptions) -> Toolbox {
    let toolbox = Toolbox::new(ToolboxConfig {
        workspace: places.workspace.clone(),
        home: places.home.clone(),
        data_dir: places.data.clone(),
        artifacts: places.data.join("artifacts"),
        environment: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect(),
        redactor: options.redactor.clone(),
        web: options.web.clone(),
        trash: options.storage.trash,
        launcher: options.launcher.clone(),
        sandbox: options.sandbox.clone(),
        unasked: options.unasked,
    });
    toolbox.adopt_orphans();
    let left = toolbox.end_leftovers();
    if left > 0 {
        tracing::warn!(left, "processes of an earlier run were still there and were ended");
    }
    // Found out now, so that no task waits for it.
    tracing::info!(means = toolbox.confinement(), "commands are confined by this");
    toolbox
}

impl Daemon {
    /// Ends tasks within `grace`, then memory and auditor, and returns when everything is on the disk.
    pub async fn shut_down(self, grace: std::time::Duration) {
        self.tasks.shut_down(grace).await;
        self.toolbox.servers().shut_down().await;
        // It waits for a model at most, and holds an inbox of the memory.
        self.dreamer.stop().await;
        self.memory_inbox.drain().await;
        let Self { tasks, memory_inbox, memory_desk, auditor_thread, memory_thread, .. } = self;
        let threads = [auditor_thread.stop(), memory_thread];
        // The memory's thread ends when its last inbox is gone; the desk holds one.
        drop((tasks, memory_inbox, memory_desk));
        let joined = tokio::task::spawn_blocking(move || threads.into_iter().for_each(|t| drop(t.join())));
        if tokio::time::timeout(std::time::Duration::from_secs(5), joined).await.is_err() {
            tracing::warn!("a thread did not end in time; what it had to write is in the journals");
        }
    }
}
