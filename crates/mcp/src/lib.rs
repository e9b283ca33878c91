//! Servers of the Model Context Protocol: programs and addresses of others, whose tools join the tools here. This crate
//! never asks a person and never judges a call; it tells what the operator says of it. It is one of its own to quarantine
//! rmcp.
//!
//! A server's words are a stranger's. What it says of its tools is bounded and cleaned, and pinned when it is seen for the
//! first time: what it says differently later is held until the operator agrees. What its tools do, the operator says;
//! what it says itself is not believed. A server runs with the person's full power, so that every call is asked about
//! unless the operator said that the tool only reads.
//! Start with [`Mcp`] (what the toolbox holds), then `worker` (one server over time), then `pins`.

mod call;
mod described;
mod failure;
mod meter;
mod offerings;
mod pins;
mod program;
mod result;
mod server;
mod session;
mod worker;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use artoo_types::evidence::EffectClass;
use artoo_types::tool::{CallRefusal, ToolSpec};
use parking_lot::Mutex;
use tokio::task::JoinSet;

pub use call::McpCall;
use described::DescribedTool;
pub use pins::ToolDifference;
pub use program::ServerSurroundings;
use server::SEPARATOR;
pub use server::{MAX_NAME_CHARS, MAX_SERVERS, McpServer, McpTransport, is_name};
pub use session::MAX_TOOLS;
use worker::{ServerPhase, Worker, is_held, open_pins};

/// Characters of all tools of all servers in one prompt; what does not fit is not offered. A prompt of 192,000 characters
/// leaves this much when everything else is as long as it can be.
const MAX_PROMPT_CHARS: usize = 12_000;

/// Something about a server that the daemon should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpEvent {
    /// Its tools were seen for the first time and pinned.
    Pinned {
        /// The server.
        server: String,
        /// The tools' own names.
        tools: Vec<String>,
    },
    /// It describes tools in another way than they are pinned, or has new ones.
    Held {
        /// The server.
        server: String,
        /// How, by the tools' own names.
        differences: BTreeMap<String, ToolDifference>,
    },
    /// The operator agreed to what it says now.
    Approved {
        /// The server.
        server: String,
        /// What was different, by the tools' own names.
        differences: BTreeMap<String, ToolDifference>,
    },
    /// It answers.
    Up {
        /// The server.
        server: String,
        /// Whether something of it is held.
        is_held: bool,
    },
    /// It does not run, or does not answer; it is started again after a while.
    Down {
        /// The server.
        server: String,
        /// Why, in words.
        why: String,
    },
}

/// Who hears of events. It must not wait.
pub type Observer = Arc<dyn Fn(McpEvent) + Send + Sync>;

/// Why the operator's agreement was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ApproveRefusal {
    /// There is no such server.
    #[error("there is no MCP server of that name; artoo mcp list shows them")]
    Unknown,
    /// It has to say what it offers first.
    #[error(
        "the MCP server does not run now, so that nobody knows what it would offer; artoo mcp list says why"
    )]
    NotRunning,
    /// It says something else than what the operator looked at.
    #[error(
        "the MCP server describes its tools in yet another way now; look at them again with artoo mcp list"
    )]
    OtherNow,
    /// The pins cannot be written.
    #[error("what was agreed to cannot be written down: {0}; make room in the data folder and try again")]
    NotWritten(std::io::Error),
}

/// Where a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerState {
    /// It is being started.
    Starting,
    /// It runs, and its tools are what was agreed to.
    Ready,
    /// It runs, and some of its tools are not what was agreed to.
    Held,
    /// It does not run, or does not answer.
    Down,
    /// It was stopped.
    Stopped,
}

/// Whether a tool is what was agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinState {
    /// It is.
    Pinned,
    /// It is not.
    Different(ToolDifference),
    /// It cannot be offered, whatever was agreed to.
    Unfit,
}

/// One server, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpView {
    /// Its name.
    pub name: String,
    /// `stdio` or `http`.
    pub transport: &'static str,
    /// Where it stands.
    pub state: ServerState,
    /// Why it is down; empty otherwise.
    pub why: String,
    /// Its tools, those that are pinned and those that it has now.
    pub tools: Vec<McpToolView>,
    /// Digest of what it says of its tools now: what an agreement is bound to. Empty while it does not run.
    pub digest: String,
}

/// One tool of a server, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpToolView {
    /// Its name for its server.
    pub name: String,
    /// Its name for models.
    pub offered: String,
    /// Whether models are offered it now.
    pub is_offered: bool,
    /// What the operator says that it does.
    pub effect: EffectClass,
    /// Whether it is what was agreed to.
    pub pin: PinState,
    /// Why it is unfit; empty otherwise.
    pub why: String,
    /// What is pinned: description and schema as text; empty when nothing is.
    pub before: String,
    /// What the server says now; empty when it does not run or does not have it any more.
    pub after: String,
}

/// All configured servers. Cheap to clone; clones share everything. Before [`Mcp::start`] there are none.
#[derive(Clone, Default)]
pub struct Mcp {
    running: Arc<OnceLock<RunningServers>>,
}

struct RunningServers {
    workers: Vec<Arc<Worker>>,
    lives: Mutex<JoinSet<()>>,
}

impl std::fmt::Debug for Mcp {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.workers().iter().map(|worker| worker.server.name.as_str()).collect();
        formatter.debug_tuple("Mcp").field(&names).finish()
    }
}

impl Mcp {
    /// Starts these servers, each in the background. `pins` is the file of what they said when they were agreed to. Only
    /// the first call counts. It needs a tokio runtime.
    pub fn start(
        &self,
        servers: Vec<McpServer>,
        pins: PathBuf,
        surroundings: &ServerSurroundings,
        observer: &Observer,
    ) {
        self.running.get_or_init(|| {
            let pins = open_pins(pins);
            let worker = |server| {
                Arc::new(Worker::new(server, surroundings.clone(), Arc::clone(&pins), Arc::clone(observer)))
            };
            let workers: Vec<Arc<Worker>> = servers.into_iter().take(MAX_SERVERS).map(worker).collect();
            let lives = workers.iter().map(|worker| Arc::clone(worker).run()).collect();
            RunningServers { workers, lives: Mutex::new(lives) }
        });
    }

    /// The tools that are offered now, in the order of the servers.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.offered().iter().map(DescribedTool::spec).collect()
    }

    /// The tool of this name with its server, or why it cannot be called; `None` if it is no server's name.
    pub fn find(&self, offered: &str) -> Option<Result<McpTool, CallRefusal>> {
        let (prefix, _) = offered.split_once(SEPARATOR)?;
        let worker = self.workers().iter().find(|worker| worker.server.name == prefix)?;
        let unknown = || {
            Err(CallRefusal(format!(
                "the MCP server {prefix} has no tool {offered:?}, or did not start yet; use another tool"
            )))
        };
        let found = worker.find(offered).unwrap_or_else(unknown);
        Some(found.map(|described| McpTool { worker: Arc::clone(worker), described }))
    }

    /// All servers, for people.
    pub fn list(&self) -> Vec<McpView> {
        let offered = self.offered();
        self.workers().iter().map(|worker| view(worker, &offered)).collect()
    }

    /// The operator agrees to what a server says now. `digest` is that of [`McpView`], of what the operator has seen.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn approve(
        &self,
        server: &str,
        digest: &str,
    ) -> Result<BTreeMap<String, ToolDifference>, ApproveRefusal> {
        let worker = self.workers().iter().find(|worker| worker.server.name == server);
        worker.ok_or(ApproveRefusal::Unknown)?.approve(digest)
    }

    /// Ends every server with all that it started. Within 6 s.
    pub async fn shut_down(&self) {
        let Some(running) = self.running.get() else { return };
        running.workers.iter().for_each(|worker| worker.stop());
        let mut lives = std::mem::take(&mut *running.lives.lock());
        while lives.join_next().await.is_some() {}
    }

    fn workers(&self) -> &[Arc<Worker>] {
        self.running.get().map(|running| running.workers.as_slice()).unwrap_or_default()
    }

    /// The tools that are offered now: as many as fit into a prompt.
    fn offered(&self) -> Vec<DescribedTool> {
        let mut left = MAX_PROMPT_CHARS;
        let mut offered = Vec::new();
        for tool in self.workers().iter().flat_map(|worker| worker.offered()) {
            let chars = tool.prompt_chars();
            if chars > left {
                tracing::debug!(tool = tool.offered, "there is no room to offer this tool");
                continue;
            }
            left -= chars;
            offered.push(tool);
        }
        offered
    }
}

/// A tool with the server that has it.
#[derive(Clone)]
pub struct McpTool {
    pub(crate) worker: Arc<Worker>,
    pub(crate) described: DescribedTool,
}

fn view(worker: &Worker, offered: &[DescribedTool]) -> McpView {
    let now = worker.snapshot();
    let (state, why) = match &now.phase {
        ServerPhase::Starting => (ServerState::Starting, String::new()),
        ServerPhase::Ready if is_held(&now.differences) => (ServerState::Held, String::new()),
        ServerPhase::Ready => (ServerState::Ready, String::new()),
        ServerPhase::Down { why, .. } => (ServerState::Down, why.clone()),
        ServerPhase::Stopped => (ServerState::Stopped, String::new()),
    };
    let text = |tool: Option<&DescribedTool>| {
        tool.map_or_else(String::new, |tool| format!("{}\n{}", tool.said, tool.schema))
    };
    let seen = |name: &str| now.seen.iter().find(|tool| tool.tool == name);
    let mut names: Vec<&str> = now.pinned.keys().map(String::as_str).collect();
    names.extend(
        now.seen.iter().map(|tool| tool.tool.as_str()).filter(|name| !now.pinned.contains_key(*name)),
    );
    let tool = |name: &str| McpToolView {
        name: artoo_types::text::escape(name),
        offered: described::offered(&worker.server.name, name),
        is_offered: offered.iter().any(|tool| Some(tool) == now.pinned.get(name)),
        effect: worker.server.effect(name),
        pin: now.differences.get(name).copied().map_or(PinState::Pinned, PinState::Different),
        why: String::new(),
        before: text(now.pinned.get(name)),
        after: text(seen(name)),
    };
    let mut tools: Vec<McpToolView> = names.into_iter().map(tool).collect();
    tools.extend(now.unfit.iter().map(|(name, why)| McpToolView {
        name: name.clone(),
        offered: String::new(),
        is_offered: false,
        effect: EffectClass::Unknown,
        pin: PinState::Unfit,
        why: why.clone(),
        before: String::new(),
        after: String::new(),
    }));
    let is_running = now.phase == ServerPhase::Ready;
    McpView {
        name: worker.server.name.clone(),
        transport: worker.server.transport(),
        state,
        why,
        tools,
        digest: if is_running { pins::digest_of(&now.seen) } else { String::new() },
    }
}
