//! One server over time: it is started, listed, asked whether it is alive, and started again after it went away.

mod adopting;
mod restarts;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use artoo_types::tool::CallRefusal;
use parking_lot::Mutex;
use rmcp::RoleClient;
use rmcp::service::{Peer, RunningServiceCancellationToken};
use tokio::sync::{Semaphore, watch};

use super::described::DescribedTool;
use super::offerings;
use super::pins::{PinnedTools, Pins, ToolDifference, differences, digest_of};
use super::program::ServerSurroundings;
use super::server::McpServer;
use super::session::{self, Session};
use super::{ApproveRefusal, McpEvent, Observer};
use artoo_command::stop::StopSwitch;
use restarts::{EqualFailures, pause};

/// A server that lived so long has not failed in a row.
const STEADY: Duration = Duration::from_secs(60);
/// How often an idle server is asked whether it is alive.
const PING_EVERY: Duration = Duration::from_secs(30);
/// How long it has to answer that.
const PING_WITHIN: Duration = Duration::from_secs(10);
/// Pause before a list that changed is read again: a server that changes it all the time is read once a second.
const READ_AGAIN: Duration = Duration::from_secs(1);
/// A server that differs in ever new ways is told of so often at most; each time is a line of the audit log.
const TELL_EVERY: Duration = Duration::from_secs(60);
/// Calls of one server at once; the rest queues. Most servers do one thing at a time.
const MAX_CALLS: usize = 8;
/// How long a call waits for a server that is starting.
const PATIENCE: Duration = Duration::from_secs(10);
/// After a late call a server is waited for so many times as long before it is started again: what it keeps in its memory
/// would go with it.
const SILENCES: u32 = 4;

/// One server.
pub(crate) struct Worker {
    pub(crate) server: McpServer,
    surroundings: ServerSurroundings,
    pins: Arc<Mutex<Pins>>,
    observer: Observer,
    state: Mutex<WorkerState>,
    /// Told whenever the phase turns.
    turned: watch::Sender<()>,
    stop: StopSwitch,
    pub(crate) calls: Semaphore,
    /// It is being found out whether a server that is late is there at all.
    is_doubted: AtomicBool,
}

/// Where a server is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ServerPhase {
    Starting,
    Ready,
    /// None: it is not started again.
    Down {
        why: String,
        again: Option<Instant>,
    },
    Stopped,
}

struct WorkerState {
    phase: ServerPhase,
    /// It has failed since it was ready for the last time.
    is_doubtful: bool,
    pinned: PinnedTools,
    /// What it says of its tools now, while it is ready.
    seen: Vec<DescribedTool>,
    /// Tools that cannot be offered, and why.
    unfit: BTreeMap<String, String>,
    connection: Option<(Peer<RoleClient>, RunningServiceCancellationToken)>,
    told: Option<(Instant, BTreeMap<String, ToolDifference>)>,
}

/// What is known of a server at one moment.
pub(crate) struct ServerSnapshot {
    pub(crate) phase: ServerPhase,
    pub(crate) pinned: PinnedTools,
    pub(crate) seen: Vec<DescribedTool>,
    pub(crate) unfit: BTreeMap<String, String>,
    pub(crate) differences: BTreeMap<String, ToolDifference>,
}

impl Worker {
    pub(crate) fn new(
        server: McpServer,
        surroundings: ServerSurroundings,
        pins: Arc<Mutex<Pins>>,
        observer: Observer,
    ) -> Self {
        let pinned = pins.lock().of(&server.name).unwrap_or_default();
        let state = WorkerState {
            phase: ServerPhase::Starting,
            is_doubtful: false,
            pinned,
            seen: Vec::new(),
            unfit: BTreeMap::new(),
            connection: None,
            told: None,
        };
        Self {
            server,
            surroundings,
            pins,
            observer,
            state: Mutex::new(state),
            turned: watch::Sender::new(()),
            stop: StopSwitch::new().0,
            calls: Semaphore::new(MAX_CALLS),
            is_doubted: AtomicBool::new(false),
        }
    }

    /// Keeps the server running until [`Self::stop`].
    pub(crate) async fn run(self: Arc<Self>) {
        let (mut failures, mut equal) = (0, EqualFailures::default());
        loop {
            let began = Instant::now();
            self.turn(ServerPhase::Starting);
            let why = self.live().await;
            if self.stop.signal().is_stopped() {
                self.turn(ServerPhase::Stopped);
                return;
            }
            failures = if began.elapsed() >= STEADY { 1 } else { failures + 1 };
            let was_ready = self.state.lock().phase == ServerPhase::Ready;
            let most = restarts::most_equal(&self.server.way);
            let is_last = equal.add(&why, was_ready) >= most;
            let pause = (!is_last).then(|| pause(failures));
            let why = if is_last {
                format!(
                    "{why}; it failed {most} times in the same way and is not started again: mend it, then artoo restart"
                )
            } else {
                why
            };
            tracing::warn!(server = self.server.name, "an MCP server went down: {why}");
            self.turn(ServerPhase::Down {
                why: why.clone(),
                again: pause.map(|pause| Instant::now() + pause),
            });
            (self.observer)(McpEvent::Down { server: self.server.name.clone(), why });
            let mut stop = self.stop.signal();
            match pause {
                // It ends early only to stop, which the next turn sees.
                Some(pause) => drop(tokio::time::timeout(pause, stop.stopped()).await),
                None => {
                    stop.stopped().await;
                    self.turn(ServerPhase::Stopped);
                    return;
                }
            }
        }
    }

    /// Makes [`Self::run`] end the server and return.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// One life of the server, from its start to its end. Returns why it ended.
    async fn live(&self) -> String {
        let mut stop = self.stop.signal();
        let opened = tokio::select! {
            biased;
            () = stop.stopped() => return String::new(),
            opened = Session::open(&self.server, &self.surroundings) => opened,
        };
        let session = match opened {
            Ok(session) => session,
            Err(why) => return why,
        };
        let (peer, changed, cut) = (session.peer(), session.changed(), session.cut());
        if let Err(why) = self.read(&peer, &session).await {
            cut.cancel();
            let more = session.over().await;
            return format!("{why} ({more})");
        }
        let over = session.over();
        tokio::pin!(over);
        loop {
            let why = tokio::select! {
                biased;
                () = stop.stopped() => "it was stopped".to_owned(),
                why = &mut over => return why,
                () = changed.notified() => {
                    tokio::time::sleep(READ_AGAIN).await;
                    match session::list(&peer, self.server.start_timeout).await {
                        Ok(tools) => { self.adopt(&tools, &offerings::tools(&peer), None); continue }
                        Err(why) => why,
                    }
                }
                () = tokio::time::sleep(PING_EVERY) => {
                    let is_idle = self.calls.available_permits() == MAX_CALLS;
                    let is_doubted = self.is_doubted.load(Ordering::Relaxed);
                    if !is_idle || is_doubted || session::answers(&peer, PING_WITHIN).await {
                        continue;
                    }
                    "it does not answer any more".to_owned()
                }
            };
            cut.cancel();
            over.await;
            return why;
        }
    }

    async fn read(&self, peer: &Peer<RoleClient>, session: &Session) -> Result<(), String> {
        let tools = session::list(peer, self.server.start_timeout).await?;
        self.adopt(&tools, &offerings::tools(peer), Some((peer.clone(), session.cut())));
        Ok(())
    }

    /// The tools that may be offered: those that are as they were pinned. Before the server has started for the first
    /// time, those that are pinned.
    pub(crate) fn offered(&self) -> Vec<DescribedTool> {
        let state = self.state.lock();
        let is_same = |pin: &&DescribedTool| state.seen.iter().any(|seen| seen.digest == pin.digest);
        match state.phase {
            ServerPhase::Starting if !state.is_doubtful => state.pinned.values().cloned().collect(),
            ServerPhase::Ready => state.pinned.values().filter(is_same).cloned().collect(),
            ServerPhase::Starting | ServerPhase::Down { .. } | ServerPhase::Stopped => Vec::new(),
        }
    }

    /// The tool that models call by this name, or why it cannot be called; `None` if the server never had it.
    pub(crate) fn find(&self, offered: &str) -> Option<Result<DescribedTool, CallRefusal>> {
        let state = self.state.lock();
        let seen = state.seen.iter().find(|tool| tool.offered == offered);
        let Some(pin) = state.pinned.values().find(|tool| tool.offered == offered) else {
            return seen.map(|tool| Err(self.held(&tool.tool)));
        };
        Some(match (&state.phase, seen) {
            (ServerPhase::Ready, Some(tool)) if tool.digest != pin.digest => Err(self.held(&pin.tool)),
            (ServerPhase::Ready, None) => Err(CallRefusal(format!(
                "the MCP server {} does not have the tool {} any more",
                self.server.name, pin.tool
            ))),
            (
                ServerPhase::Ready | ServerPhase::Starting | ServerPhase::Down { .. } | ServerPhase::Stopped,
                _,
            ) => Ok(pin.clone()),
        })
    }

    fn held(&self, tool: &str) -> CallRefusal {
        let name = &self.server.name;
        CallRefusal(format!(
            "the MCP server {name} describes its tool {tool} in another way than when it was agreed to, so that it is \
             held until a person has looked at it: artoo mcp approve {name}"
        ))
    }

    /// What makes requests, once the server is ready and describes this tool as it was pinned.
    ///
    /// # Errors
    /// Why it cannot be called, in words.
    pub(crate) async fn ready(&self, tool: &DescribedTool) -> Result<Peer<RoleClient>, CallRefusal> {
        let name = &self.server.name;
        let waiting = async {
            let mut turned = self.turned.subscribe();
            loop {
                if let Some(known) = self.now(tool) {
                    return known;
                }
                if turned.changed().await.is_err() {
                    return Err(CallRefusal(format!("the MCP server {name} is stopped")));
                }
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        waited.unwrap_or_else(|_| {
            Err(CallRefusal(format!("the MCP server {name} is still starting; try again later")))
        })
    }

    /// What can be said without waiting.
    fn now(&self, tool: &DescribedTool) -> Option<Result<Peer<RoleClient>, CallRefusal>> {
        let name = &self.server.name;
        let state = self.state.lock();
        match &state.phase {
            ServerPhase::Ready => {
                let is_same = state.seen.iter().any(|seen| seen.digest == tool.digest);
                let peer = state.connection.as_ref().filter(|_| is_same).map(|(peer, _)| peer.clone());
                Some(peer.ok_or_else(|| self.held(&tool.tool)))
            }
            ServerPhase::Stopped => Some(Err(CallRefusal(format!("the MCP server {name} is stopped")))),
            ServerPhase::Down { why, again } if again.is_none_or(|at| at > Instant::now() + PATIENCE) => {
                Some(Err(CallRefusal(format!("the MCP server {name} is not running: {why}"))))
            }
            ServerPhase::Down { .. } | ServerPhase::Starting => None,
        }
    }

    /// A call was not answered in time. A server that is only slow is left alone, with all that it keeps in its memory; one
    /// that says nothing for much longer is started again.
    pub(crate) async fn doubt(self: Arc<Self>, peer: Peer<RoleClient>) {
        if self.is_doubted.swap(true, Ordering::Relaxed) {
            return;
        }
        if !session::answers(&peer, self.server.timeout * SILENCES).await {
            tracing::warn!(
                server = self.server.name,
                "an MCP server says nothing any more; it is started again"
            );
            if let Some((_, cut)) = self.state.lock().connection.take() {
                cut.cancel();
            }
        }
        self.is_doubted.store(false, Ordering::Relaxed);
    }

    /// Pins what the server says now. `digest` is that of what the operator has seen.
    pub(crate) fn approve(&self, digest: &str) -> Result<BTreeMap<String, ToolDifference>, ApproveRefusal> {
        let name = self.server.name.clone();
        let mut state = self.state.lock();
        if state.phase != ServerPhase::Ready {
            return Err(ApproveRefusal::NotRunning);
        }
        if digest_of(&state.seen) != digest {
            return Err(ApproveRefusal::OtherNow);
        }
        let differences = differences(&state.pinned, &state.seen);
        state.pinned = self.pins.lock().pin(&name, &state.seen).map_err(ApproveRefusal::NotWritten)?;
        state.told = None;
        drop(state);
        (self.observer)(McpEvent::Approved { server: name, differences: differences.clone() });
        Ok(differences)
    }

    /// What is known of it now.
    pub(crate) fn snapshot(&self) -> ServerSnapshot {
        let state = self.state.lock();
        let is_ready = state.phase == ServerPhase::Ready;
        ServerSnapshot {
            phase: state.phase.clone(),
            pinned: state.pinned.clone(),
            seen: state.seen.clone(),
            unfit: state.unfit.clone(),
            differences: if is_ready { differences(&state.pinned, &state.seen) } else { BTreeMap::new() },
        }
    }

    fn turn(&self, phase: ServerPhase) {
        let mut state = self.state.lock();
        state.connection = None;
        if matches!(phase, ServerPhase::Down { .. }) {
            state.is_doubtful = true;
            state.seen.clear();
            state.unfit.clear();
        }
        state.phase = phase;
        drop(state);
        self.turned.send_replace(());
    }
}

/// Whether a server with these differences is held: what is gone does no harm.
pub(crate) fn is_held(differences: &BTreeMap<String, ToolDifference>) -> bool {
    differences.values().any(|difference| *difference != ToolDifference::Gone)
}

/// The pins of all servers.
pub(crate) fn open_pins(file: PathBuf) -> Arc<Mutex<Pins>> {
    Arc::new(Mutex::new(Pins::open(file)))
}
