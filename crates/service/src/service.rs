//! The parts of the daemon that answer clients, and what the answers to calls share.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use artoo_model::{ModelConfig, Models, ProviderConfig, ProviderKind};
use artoo_redact::{Redactor, Secret};
use artoo_store::MemoryReader;
use artoo_tools::Toolbox;
use artoo_types::Timestamp;
use tokio::sync::Semaphore;
use tokio_stream::Stream;
use tonic::Status;

use super::errors;
use super::shutdown::ShutdownSignal;
use artoo_config::ConfigWatch;
use artoo_config::folder::Places;
use artoo_runtime::auditor::AuditDesk;
use artoo_runtime::health::Health;
use artoo_runtime::live::LiveTaps;
use artoo_runtime::memory::{MemoryView, OperatorDesk};
use artoo_runtime::schedules::Schedules;
use artoo_runtime::system::SystemBus;
use artoo_runtime::task::Tasks;
use artoo_runtime::wiring::Daemon;

/// Replays at once. Each takes one core as long as it lasts.
pub(super) const MAX_REPLAYS: usize = 2;

/// What the status says of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigSummary {
    /// `offline` or `openai`; empty when unknown.
    pub provider: String,
    /// The model that perceives, plans and judges; empty when offline.
    pub brain_model: String,
    /// The model that executes; empty when offline.
    pub tool_model: String,
    /// Who searches the web; empty when nobody does.
    pub search: String,
    /// What a person should look into, each with what to do.
    pub warnings: Vec<String>,
    /// What of that is missing for a model.
    pub model_missing: String,
    /// Whether a model is named and its key could not be fetched.
    pub model_key_missing: bool,
}

impl ConfigSummary {
    /// What a configuration of the models says of itself.
    pub fn models(config: &ModelConfig) -> Self {
        let name = |tier: &ProviderConfig| match tier.kind.is_server() {
            true => tier.model.clone(),
            false => String::new(),
        };
        let kinds = [config.brain.kind, config.tool.kind];
        let provider = kinds.into_iter().find(|kind| *kind != ProviderKind::default()).unwrap_or_default();
        Self {
            provider: provider.as_str().to_owned(),
            brain_model: name(&config.brain),
            tool_model: name(&config.tool),
            ..Self::default()
        }
    }
}

/// What only the daemon can look into: its models with their keys, and the configuration that it read.
pub struct ProbedParts {
    /// Who answers.
    pub models: Models,
    /// The configuration file as it was read.
    pub watch: ConfigWatch,
    /// Settings that come from variables, with the variable of each.
    pub variables: Vec<(&'static str, &'static str)>,
}

/// What is said of the daemon itself.
pub(super) struct DaemonFacts {
    pub(super) start: StartReading,
    pub(super) configured: ConfigSummary,
    /// None in tests, which have no models to probe.
    pub(super) probed: Option<ProbedParts>,
}

/// When the daemon started, by both clocks.
pub(super) struct StartReading {
    pub(super) at: Timestamp,
    pub(super) steady: Instant,
}

/// The parts of the daemon that answer clients. None of them can write memory but by a journaled wish.
pub struct Service {
    pub(super) tasks: Tasks,
    pub(super) live: Arc<LiveTaps>,
    pub(super) auditor: AuditDesk,
    pub(super) system: SystemBus,
    pub(super) health: Health,
    pub(super) memory: MemoryView,
    pub(super) memory_desk: OperatorDesk,
    pub(super) toolbox: Toolbox,
    pub(super) redactor: Redactor,
    pub(super) token: Secret,
    pub(super) places: Places,
    pub(super) schedules: Schedules,
    pub(super) about: DaemonFacts,
    /// One permit for each replay that may be under way.
    pub(super) replays: Arc<Semaphore>,
}

impl Service {
    /// The service of this daemon. `token` is what a person proves to be a person with.
    pub fn new(daemon: &Daemon, token: Secret, places: &Places, started_at: Timestamp) -> Self {
        Self {
            tasks: daemon.tasks.clone(),
            live: Arc::clone(&daemon.live),
            auditor: daemon.auditor.clone(),
            system: daemon.system.clone(),
            health: daemon.health.clone(),
            memory: daemon.memory.clone(),
            memory_desk: daemon.memory_desk.clone(),
            toolbox: daemon.toolbox.clone(),
            redactor: daemon.redactor.clone(),
            token,
            places: places.clone(),
            schedules: Schedules::open(places.schedules(), &daemon.health),
            about: DaemonFacts {
                start: StartReading { at: started_at, steady: Instant::now() },
                configured: ConfigSummary::default(),
                probed: None,
            },
            replays: Arc::new(Semaphore::new(MAX_REPLAYS)),
        }
    }

    /// The memory.
    pub(super) fn memory(&self) -> Result<MemoryReader, Status> {
        self.memory.reader().map_err(|why| errors::not_now("MEMORY_UNAVAILABLE", "memory", &why.to_string()))
    }

    /// The recurring tasks, for what hands them in.
    pub fn schedules(&self) -> Schedules {
        self.schedules.clone()
    }

    /// The same service, with what a diagnosis looks into.
    #[must_use]
    pub fn probing(self, probed: ProbedParts) -> Self {
        let about = DaemonFacts { probed: Some(probed), ..self.about };
        Self { about, ..self }
    }

    /// The same service, with what its status says of the configuration.
    #[must_use]
    pub fn configured(self, configured: ConfigSummary) -> Self {
        let about = DaemonFacts { configured, ..self.about };
        Self { about, ..self }
    }
}

/// The service at work: its parts, and the word that ends its streams.
#[derive(Clone)]
pub(super) struct Calls {
    pub(super) parts: Arc<Service>,
    pub(super) stop: ShutdownSignal,
}

/// What a stream of answers is.
pub(super) type ResponseStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// Runs what reads files or the database on a thread that may wait.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Status> + Send + 'static,
) -> Result<T, Status> {
    let done = tokio::task::spawn_blocking(work).await;
    // What a panic says is in the log, and no client's business.
    done.unwrap_or_else(|_| {
        Err(errors::broken("INTERNAL", "the answer broke off; debug.log in the data folder says why"))
    })
}
