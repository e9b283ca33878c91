//! From start to shutdown: the lock, the parts, the socket, the signals.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use artoo_command::Launcher;
use artoo_command::sandbox::Sandboxing;
use artoo_model::{ChatModel, KnownServers, Models, Timing};
use artoo_service::ProbedParts;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::instance::Instance;
use crate::notify::{self, ServiceNews};
use crate::secrets::Secrets;
use artoo_config::folder::Places;
use artoo_config::{Config, ConfigWatch};
use artoo_runtime::model_server::ModelServers;
use artoo_runtime::notices::Notices;
use artoo_runtime::offline::OfflineRules;
use artoo_runtime::schedules::Schedules;
use artoo_runtime::task::{Tasks, recover};
use artoo_runtime::upkeep::Upkeep;
use artoo_runtime::wiring::DaemonOptions;
use artoo_runtime::{clock, mcp, wiring};

/// How long running tasks may go on after a request to stop.
const GRACE: Duration = Duration::from_secs(10);

/// Runs the daemon until a signal ends it.
///
/// # Errors
/// When it cannot start; the text says what to do.
pub async fn run(
    places: &Places,
    config: &Config,
    watch: ConfigWatch,
    instance: Instance,
    secrets: Secrets,
) -> anyhow::Result<()> {
    let Secrets { redactor, token, advice } = secrets;
    let rules: Arc<dyn ChatModel> = Arc::new(OfflineRules);
    let known = KnownServers::open(places.known_servers());
    let models = Models::new(&config.models, Timing::default(), &redactor, &known, &rules)?;
    let advice: Vec<String> = config.advice().into_iter().chain(advice).collect();
    advice.iter().for_each(|advice| tracing::warn!("{advice}"));
    let probed = ProbedParts {
        models: models.clone(),
        watch,
        variables: artoo_config::from_variables(&config.settings),
    };
    let launcher = Some(Launcher::this_program().context("cannot find out which program this is")?);
    let options = DaemonOptions {
        models,
        control: config.control,
        storage: config.storage,
        redactor,
        launcher,
        web: config.web.clone(),
        sandbox: Sandboxing::Required,
        unasked: config.unasked,
        reflect: config.reflect,
        sync: true,
    };
    let daemon = wiring::assemble(places, options)?;
    let observer = mcp::observer(daemon.system.clone(), daemon.health.clone());
    daemon.toolbox.start_servers(config.servers.clone(), places.mcp_pins(), &observer);
    let surroundings = daemon.toolbox.server_surroundings();
    let model_servers = ModelServers::default();
    model_servers.start(config.models.commands(), &surroundings, &daemon.health);
    let search = config.web.search.as_ref().map(artoo_web::SearchConfig::label).unwrap_or_default();
    let configured = artoo_service::ConfigSummary {
        warnings: advice,
        model_key_missing: config.key_missing.is_some(),
        model_missing: config.missing_model().unwrap_or_default(),
        search,
        ..artoo_service::ConfigSummary::models(&config.models)
    };
    let service = artoo_service::Service::new(&daemon, token, places, clock::now())
        .configured(configured)
        .probing(probed);
    let upkeep = Upkeep::new(&daemon, config.storage, places.data.join("artifacts"));
    let notices = Notices::new(daemon.tasks.clone(), Arc::clone(&daemon.live), config.notify.clone());
    let upkeep = (upkeep, service.schedules(), notices);
    let served = serve(places, &instance, &daemon.tasks, service, upkeep).await;
    // Also after an error: a process that ends takes away what RocksDB's threads still use, which breaks them off.
    daemon.shut_down(Duration::ZERO).await;
    model_servers.shut_down().await;
    drop(instance);
    if served.is_ok() {
        tracing::info!("stopped");
    }
    served
}

/// Goes on with old tasks and answers on the socket until a signal comes; returns when the running tasks have ended or
/// are left off for the next daemon.
async fn serve(
    places: &Places,
    instance: &Instance,
    tasks: &Tasks,
    service: artoo_service::Service,
    (upkeep, schedules, notices): (Upkeep, Schedules, Notices),
) -> anyhow::Result<()> {
    let resumed = recover(tasks);
    if resumed > 0 {
        tracing::info!(resumed, "going on with tasks that had not ended when the daemon went down");
    }
    // Both handlers stand before the socket answers: whoever sees it may send a signal.
    let mut signals = Signals::install()?;
    let listener = instance.listen()?;
    let (phase, phases) = watch::channel(artoo_service::ServingPhase::Serving);
    let mut server = tokio::spawn(artoo_service::serve(listener, service, phases));
    tracing::info!(socket = %places.socket.display(), "ready");
    notify::tell(ServiceNews::Ready);
    // It holds the tasks, and through them the memory's inbox, which has to be gone at the end: it goes with this.
    let mut keeping = JoinSet::new();
    keeping.spawn(upkeep.run());
    keeping.spawn(notices.run());
    keeping.spawn(schedules.keep(tasks.clone()));

    tokio::select! {
        () = signals.next() => {}
        // A daemon that nobody can reach is of no use; the next client starts another one.
        ended = &mut server => anyhow::bail!("the server ended by itself: {ended:?}"),
    }
    tracing::info!("stopping: no new tasks; running ones may end");
    notify::tell(ServiceNews::Stopping);
    phase.send_replace(artoo_service::ServingPhase::Draining);
    // A second signal ends the process at once; the journals hold what has happened.
    tokio::spawn(async move {
        signals.next().await;
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    });
    drop(keeping);
    tasks.shut_down(GRACE).await;
    phase.send_replace(artoo_service::ServingPhase::Stopped);
    match server.await {
        Ok(result) => result?,
        Err(error) => tracing::warn!(%error, "the server ended badly"),
    }
    Ok(())
}

/// The signals that ask the daemon to end.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn install() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
