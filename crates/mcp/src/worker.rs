//! One server over time: it is started, listed, asked whether it is alive, and started again after it went away.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use artoo_types::tool::CallRefusal;
use parking_lot::Mutex;
use rmcp::RoleClient;
use rmcp::model::Tool;
use rmcp::service::{Peer, RunningServiceCancellationToken};
use tokio::sync::{Semaphore, watch};

use super::described::{DescribedTool, describe};
use super::pins::{PinnedTools, Pins, ToolDifference, differences, digest_of};
use super::program::ServerSurroundings;
use super::server::{McpServer, McpTransport};
use super::session::{self, MAX_TOOLS, Session};
use super::{ApproveRefusal, McpEvent, Observer};
use artoo_command::stop::StopSwitch;

/// Pause before a server is started again, doubled with each failure in a row up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause: somebody who mended the server does not want to wait for long.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
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
/// Starts in a row that fail in the same way, after which there is no further one: two minutes of a program, half an hour of
/// an address, which others may be mending.
const MAX_EQUAL_PROGRAM: u32 = 8;
const MAX_EQUAL_ADDRESS: u32 = 40;

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
            let most = match self.server.way {
                McpTransport::Process { .. } => MAX_EQUAL_PROGRAM,
                McpTransport::Http { .. } => MAX_EQUAL_ADDRESS,
            };
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
                        Ok(tools) => { self.adopt(&tools, None); continue }
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
        self.adopt(&tools, Some((peer.clone(), session.cut())));
        Ok(())
    }

    /// Takes over what the server says of its tools; pins it when the server is seen for the first time.
    fn adopt(&self, tools: &[Tool], connection: Option<(Peer<RoleClient>, RunningServiceCancellationToken)>) {
        let name = &self.server.name;
        let (seen, unfit) = self.describe(tools);
        let mut events = Vec::new();
        let pinned = {
            let mut pins = self.pins.lock();
            match pins.of(name) {
                Some(pinned) => pinned,
                None => match pins.pin(name, &seen) {
                    Ok(pinned) => {
                        let tools = pinned.keys().cloned().collect();
                        events.push(McpEvent::Pinned { server: name.clone(), tools });
                        pinned
                    }
                    Err(error) => {
                        tracing::warn!(server = name, %error, "the tools of an MCP server cannot be pinned, so none is offered");
                        PinnedTools::new()
                    }
                },
            }
        };
        let differences = differences(&pinned, &seen);
        events.push(McpEvent::Up { server: name.clone(), is_held: is_held(&differences) });
        let mut state = self.state.lock();
        let is_new =
            state.told.as_ref().is_none_or(|(at, told)| *told != differences && at.elapsed() >= TELL_EVERY);
        if is_held(&differences) && is_new {
            state.told = Some((Instant::now(), differences.clone()));
            events.push(McpEvent::Held { server: name.clone(), differences });
        }
        (state.pinned, state.seen, state.unfit) = (pinned, seen, unfit);
        state.is_doubtful = false;
        if let Some(connection) = connection {
            state.connection = Some(connection);
        }
        state.phase = ServerPhase::Ready;
        drop(state);
        self.turned.send_replace(());
        events.into_iter().for_each(|event| (self.observer)(event));
    }

    fn describe(&self, tools: &[Tool]) -> (Vec<DescribedTool>, BTreeMap<String, String>) {
        let mut seen: Vec<DescribedTool> = Vec::new();
        let mut unfit = BTreeMap::new();
        let wanted: Vec<&Tool> = tools.iter().filter(|tool| self.server.wants(&tool.name)).collect();
        let (taken, left) = wanted.split_at(wanted.len().min(MAX_TOOLS));
        if !left.is_empty() {
            let name = &self.server.name;
            let why = format!(
                "beyond the {MAX_TOOLS} that a server may have here: name those that you want in mcp.servers.{name}.tools"
            );
            tracing::warn!(server = name, more = left.len(), "an MCP server has more tools than are offered");
            unfit.insert(format!("{} more", left.len()), why);
        }
        for tool in taken {
            let described = describe(&self.server.name, tool, &self.surroundings.redactor);
            let why = match described {
                Ok(new) if seen.iter().any(|old| old.tool == new.tool || old.offered == new.offered) => {
                    "has the name of another one".to_owned()
                }
                Ok(new) => {
                    seen.push(new);
                    continue;
                }
                Err(why) => why,
            };
            let name = artoo_types::text::escape(&artoo_types::text::first_chars(&tool.name, 64));
            unfit.insert(name, why);
        }
        (seen, unfit)
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

/// How often in a row a server failed in the same way without having been ready.
#[derive(Debug, Default)]
struct EqualFailures {
    last: String,
    times: u32,
}

impl EqualFailures {
    /// Counts a failure. Numbers in its words, such as a process's, make no difference.
    fn add(&mut self, why: &str, was_ready: bool) -> u32 {
        let words: String = why.chars().filter(|c| !c.is_ascii_digit()).collect();
        self.times = if was_ready || words != self.last { 1 } else { self.times + 1 };
        self.last = words;
        self.times
    }
}

/// Whether a server with these differences is held: what is gone does no harm.
pub(crate) fn is_held(differences: &BTreeMap<String, ToolDifference>) -> bool {
    differences.values().any(|difference| *difference != ToolDifference::Gone)
}

/// The pause before the next start after so many failures in a row.
fn pause(failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(LONGEST_PAUSE)
}

/// The pins of all servers.
pub(crate) fn open_pins(file: PathBuf) -> Arc<Mutex<Pins>> {
    Arc::new(Mutex::new(Pins::open(file)))
}
