//! Model servers of one's own: programs that the daemon starts, keeps running and ends with itself. A task that asks one
//! before it answers waits for it like for every busy model.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_command::children::supervised::{CommandFate, SupervisedCommand};
use artoo_command::children::{CommandOrder, CommandReport};
use artoo_command::process::Scratch;
use artoo_command::sandbox::Confinement;
use artoo_command::stop::{StopSignal, StopSwitch};
use artoo_mcp::ServerSurroundings;
use artoo_redact::sanitise::sanitise;
use parking_lot::Mutex;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;
use tokio::task::JoinSet;

use crate::health::{Concern, Health};

/// Pause before a server is started again, doubled with each failure in a row up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A server that lived so long has not failed in a row.
const STEADY: Duration = Duration::from_secs(60);
/// Starts in a row that fail, after which there is no further one: about two minutes.
const MAX_FAILURES: u32 = 8;
/// Characters of a server's last words that are told where it failed.
const LAST_WORDS: usize = 300;
/// Bytes of one run that go to the log; the rest is read and dropped.
const MAX_LOGGED: usize = 64 * 1024;

/// The model servers of this daemon.
#[derive(Default)]
pub struct ModelServers {
    running: Mutex<Option<(StopSwitch, JoinSet<()>)>>,
}

impl ModelServers {
    /// Starts these commands, each once, in the background. It needs a tokio runtime.
    pub fn start(&self, commands: BTreeSet<String>, surroundings: &ServerSurroundings, health: &Health) {
        let (stop, signal) = StopSwitch::new();
        let mut lives = JoinSet::new();
        for command in commands {
            lives.spawn(keep(command, surroundings.clone(), health.clone(), signal.clone()));
        }
        *self.running.lock() = Some((stop, lives));
    }

    /// Ends them with all that they started. Within 3 s.
    pub async fn shut_down(&self) {
        let Some((stop, mut lives)) = self.running.lock().take() else { return };
        stop.stop();
        while lives.join_next().await.is_some() {}
    }
}

/// Keeps one server running until it is told to stop.
async fn keep(command: String, surroundings: ServerSurroundings, health: Health, mut stop: StopSignal) {
    let concern = Concern::ModelServer(command.clone());
    let mut failures = 0;
    loop {
        let began = Instant::now();
        let why = live(&command, &surroundings, &mut stop).await;
        if stop.is_stopped() {
            return;
        }
        failures = if began.elapsed() >= STEADY { 1 } else { failures + 1 };
        let next =
            if failures < MAX_FAILURES { "it is started again" } else { "mend it, then artoo restart" };
        let what = format!("the model server of model.command ended: {why}; {next}");
        tracing::warn!(command, "{what}");
        health.raise(concern.clone(), what);
        if failures >= MAX_FAILURES {
            return;
        }
        let pause = FIRST_PAUSE.saturating_mul(1 << (failures - 1).min(16)).min(LONGEST_PAUSE);
        // Ended early it is only to stop.
        let _ = tokio::time::timeout(pause, stop.stopped()).await;
    }
}

/// One life of a server. Returns why it ended.
async fn live(command: &str, surroundings: &ServerSurroundings, stop: &mut StopSignal) -> String {
    let children = &surroundings.children;
    let Some(launcher) = children.launcher() else { return "programs cannot be started here".to_owned() };
    let scratch = match Scratch::new(children.mark()) {
        Ok(scratch) => scratch,
        Err(error) => return format!("no private temporary folder can be made: {error}"),
    };
    let mut environment = surroundings.environment.clone();
    environment.insert("TMPDIR".to_owned(), scratch.folder().to_string_lossy().into_owned());
    let order = CommandOrder {
        arguments: ["/bin/sh", "-c", command].map(str::to_owned).into(),
        folder: surroundings.home.to_string_lossy().into_owned(),
        environment,
        scratch: scratch.folder().to_owned(),
        // The operator wrote it down, and it needs the machine's hardware and its own files.
        confinement: Confinement::FullPower,
        has_input: false,
    };
    let started = SupervisedCommand::start(children, launcher, &order, &scratch.name()).await;
    let (mut supervised, pipes) = match started {
        Ok(started) => started,
        Err(error) => return format!("it cannot be started: {error}"),
    };
    tracing::info!(command, "a model server is started");
    let words = Arc::new(Mutex::new(String::new()));
    for pipe in [pipes.out, pipes.err] {
        tokio::spawn(listen(pipe, surroundings.clone(), Arc::clone(&words)));
    }
    let fate = tokio::select! {
        fate = supervised.carry_out() => fate,
        () = stop.stopped() => supervised.end().await,
    };
    let (why, is_ready) = match fate {
        CommandFate::Told(CommandReport::NotStarted(why)) => (format!("it cannot be started: {why}"), false),
        CommandFate::Told(CommandReport::Over { is_ready, .. }) => ("it exited".to_owned(), is_ready),
        CommandFate::Lost(_) => ("the process that watched over it was killed".to_owned(), false),
    };
    supervised.part(is_ready).await;
    let words = words.lock().clone();
    if words.is_empty() { why } else { format!("{why}; its last words: {words}") }
}

/// Reads what a server prints to its end, so that it never waits for it.
async fn listen(mut pipe: pipe::Receiver, surroundings: ServerSurroundings, words: Arc<Mutex<String>>) {
    let mut bytes = vec![0; 4096];
    let mut logged = 0;
    while let Ok(read @ 1..) = pipe.read(&mut bytes).await {
        let text = String::from_utf8_lossy(&bytes[..read]);
        let text = surroundings.redactor.redact(&sanitise(&text).text).into_owned();
        if logged < MAX_LOGGED {
            tracing::debug!("a model server says: {text}");
            logged += read;
        }
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let skip = line.chars().count().saturating_sub(LAST_WORDS);
        *words.lock() = line.chars().skip(skip).collect();
    }
}
