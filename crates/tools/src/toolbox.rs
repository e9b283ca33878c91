//! What the daemon holds: the tools, judged before they run and told about afterwards.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use artoo_types::evidence::{CallEnd, CheckEvidence, EffectClass, Receipt};
use artoo_types::machine::{AskedCheck, CheckSubject, HeldCall};
use artoo_types::redact::Redactor;
use artoo_types::taint::Taint;
use artoo_types::tool::{Approval, ToolCall, ToolSpec};
use artoo_types::{EffectId, TaskId, Timestamp};

use self::keeping::Keeping;
use self::perform::Terms;
use self::question::Told;
use crate::action::{self, Action};
use crate::artifact::Outputs;
use crate::installed::Installed;
use crate::judge::{self, Gate, judge};
use crate::leak;
use crate::receipt::receipt;
use crate::registry::{self, ToolRow};
use crate::taint::{self, Flow};
use crate::tool::seen::SeenFiles;
use artoo_command::Launcher;
use artoo_command::children::Children;
use artoo_command::process;
use artoo_command::sandbox::Means;
use artoo_command::sandbox::{Confinement, Sandboxing};
use artoo_command::stop::StopSignal;
use artoo_gate::places::{Places, canonical};
use artoo_gate::{self as gate, Explanation};
use artoo_mcp::Mcp;
use artoo_trash::{Trash, TrashLimits};
use artoo_types::tool::CallOutcome;
use artoo_web::{Web, WebConfig};

mod confining;
mod keeping;
mod perform;
mod question;
mod recover;
mod servers;

/// Where the tools work.
#[derive(Debug, Clone)]
pub struct ToolboxConfig {
    /// Where bare names are written.
    pub workspace: PathBuf,
    /// The person's home folder.
    pub home: PathBuf,
    /// artoo's own folder, which no tool may read or write.
    pub data_dir: PathBuf,
    /// Where full outputs are stored.
    pub artifacts: PathBuf,
    /// The environment that child processes get, apart from what the process module sets itself. Only the names that it
    /// allows are taken.
    pub environment: BTreeMap<String, String>,
    /// Takes secrets out of what tools put out, and of what checks read, before anything is made of it.
    pub redactor: Redactor,
    /// The network, where tools may use it.
    pub web: WebConfig,
    /// What the trash may hold.
    pub trash: TrashLimits,
    /// How a keeper is started. Without one, commands run in a process group, which they can leave.
    pub launcher: Option<Launcher>,
    /// Whether commands are confined.
    pub sandbox: Sandboxing,
}

/// The tools. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct Toolbox {
    shared: Arc<Shared>,
    outputs: Arc<Outputs>,
    /// The state in which this task last read its files.
    seen: Arc<SeenFiles>,
    /// What calls of this task bring.
    flow: Flow,
    /// The task that it works for; without one nothing can be undone.
    task_id: Option<TaskId>,
    /// Processes of this task that would not end.
    survivors: Arc<Mutex<Vec<String>>>,
}

#[derive(Debug)]
struct Shared {
    config: ToolboxConfig,
    /// What requests into the internet are made with.
    web: Web,
    /// The programs that were there when the toolbox was made.
    installed: Installed,
    children: Children,
    /// How commands are confined, found out when it is first asked.
    means: OnceLock<Means>,
    trash: Trash,
    mcp: Mcp,
}

/// What is known of a call before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFacts {
    /// The tool's name, or `shell:<program>` for each program of a shell call.
    pub classes: Vec<String>,
    /// The class that gets the blame if the call fails.
    pub blame: String,
    /// The normalised target.
    pub target: String,
    /// The strongest effect.
    pub effect: EffectClass,
    /// What it may bring into its task.
    pub brings: Taint,
    /// What it changes, with all that lies in it, as absolute paths; none when that is known only once it has run.
    pub changes: Option<Vec<String>>,
}

/// What the gate says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may run unasked.
    Run {
        /// Its strongest effect.
        effect: EffectClass,
        /// What is known of it.
        facts: CallFacts,
    },
    /// A person has to decide.
    Ask(HeldCall),
    /// It does not run. The reason says what to do instead.
    Refuse(String),
}

/// How a call ended for the caller.
#[derive(Debug, Clone, PartialEq)]
pub enum RunOutcome {
    /// It has a receipt, whether it ran or was refused.
    Done(Box<Receipt>),
    /// It did not run: it needs a person's yes to exactly this action, and the approval given does not cover it.
    Held(Box<HeldCall>),
    /// It had begun when the daemon went down, and whether it happened cannot be told.
    Interrupted(Box<HeldCall>),
}

/// A call that was read and judged.
enum Weighed {
    Known { row: &'static ToolRow, action: Action, facts: CallFacts, gate: Gate, confinement: Confinement },
    Unreadable(String),
}

impl Weighed {
    fn brings(&self) -> Taint {
        match self {
            Self::Known { facts, .. } => facts.brings,
            Self::Unreadable(_) => Taint::NONE,
        }
    }
}

impl Toolbox {
    /// The tools with these places.
    pub fn new(mut config: ToolboxConfig) -> Self {
        config.environment = process::passed(config.environment);
        let children = Children::new(config.launcher.clone(), &config.data_dir);
        let path = config.environment.get("PATH").map_or(process::DEFAULT_PATH, String::as_str);
        let (pages, search) = (config.web.enabled, config.web.enabled && config.web.search.is_some());
        let installed = Installed::find(path).with_web(pages, search);
        let web = Web::new(&config.web);
        let trash = Trash::new(&config.data_dir, config.trash);
        let mcp = Mcp::default();
        let shared = Shared { web, config, installed, children, means: OnceLock::new(), trash, mcp };
        Self {
            shared: Arc::new(shared),
            outputs: Arc::default(),
            seen: Arc::default(),
            flow: Flow::default(),
            task_id: None,
            survivors: Arc::default(),
        }
    }

    /// The same tools for one task: `read_output` knows the receipts of this handle and its clones alone, and what its
    /// calls change is kept as this task's.
    pub fn for_task(&self, task_id: TaskId) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            outputs: Arc::default(),
            seen: Arc::default(),
            flow: Flow::default(),
            task_id: Some(task_id),
            survivors: Arc::default(),
        }
    }

    /// Where what calls change is kept.
    pub fn trash(&self) -> &Trash {
        &self.shared.trash
    }

    /// Makes an earlier receipt of the task known again, after a restart.
    pub fn remember(&self, receipt: &Receipt) {
        self.outputs.remember(receipt);
    }

    /// The tools in the order in which they should be considered: those that existed on this machine when this toolbox was
    /// made, then those that MCP servers offer now. What a task was offered stands in its setting; what comes and goes
    /// later does not change that.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let mut specs = registry::specs(&self.shared.installed);
        specs.extend(self.shared.mcp.specs());
        specs
    }

    /// Judges a call without running it. It may look at the file system; it changes nothing.
    pub fn examine(&self, call: &ToolCall) -> Verdict {
        match self.weigh(call) {
            Weighed::Unreadable(reason) => Verdict::Refuse(reason),
            Weighed::Known { action, facts, gate, confinement, .. } => match gate {
                Gate::Free => Verdict::Run { effect: facts.effect, facts },
                Gate::Ask { effects, targets, why } => {
                    let told = Told { call, action: &action, facts: &facts, confinement: &confinement };
                    Verdict::Ask(self.held(told, effects, targets, &why))
                }
                Gate::Refuse(reason) => Verdict::Refuse(reason),
            },
        }
    }

    /// What a shell command would do in this folder.
    pub fn explain(&self, command: &str, working_directory: &str) -> Explanation {
        gate::explain(command, &self.places(working_directory))
    }

    /// Runs a call, or says why not. `now` is when it starts; the receipt's other times are measured. It returns within
    /// the call's deadline, or shortly after `stop`, plus the time that children get to end.
    pub async fn run(
        &self,
        call: &ToolCall,
        approval: Option<&Approval>,
        stop: StopSignal,
        now: Timestamp,
    ) -> RunOutcome {
        let started = Instant::now();
        let alone = self.weigh_alone(call);
        // What it may bring counts from before the look at what the task holds: of two calls at once that must not mix,
        // one sees the other.
        let under_way = self.flow.enter(alone.brings());
        let (facts, produced) = match self.in_task(call, alone) {
            Weighed::Unreadable(reason) => (unread_facts(call), CallOutcome::ended(CallEnd::Refused, reason)),
            Weighed::Known { row, action, facts, gate, confinement } => {
                let asked = match gate {
                    Gate::Free => None,
                    Gate::Ask { effects, targets, why } => {
                        let told = Told { call, action: &action, facts: &facts, confinement: &confinement };
                        let held = self.held(told, effects, targets, &why);
                        match approval {
                            Some(approval) if approval.covers(&held.digest) => Some(held),
                            Some(_) => return RunOutcome::Held(Box::new(question::changed(held))),
                            None => return RunOutcome::Held(Box::new(held)),
                        }
                    }
                    Gate::Refuse(reason) => {
                        let refused = CallOutcome::ended(CallEnd::Refused, reason);
                        return self.done(call, facts, refused, started, now).await;
                    }
                };
                let kept = match self.keep(call, &action, &facts, asked.as_ref(), &stop, now).await {
                    Keeping::Done(kept) => kept,
                    Keeping::Changed(held) => return RunOutcome::Held(held),
                    Keeping::Failed(reason) => {
                        let failed = CallOutcome::ended(CallEnd::Error, reason);
                        return self.done(call, facts, failed, started, now).await;
                    }
                };
                let is_written = matches!(action, Action::WriteFile(_) | Action::EditFile(_));
                let agreed = asked.as_ref().map(|_| canonical(&facts.target));
                let terms = Terms { confinement, agreed, stop: stop.clone(), now };
                let produced = self.perform(call, row, action, terms).await;
                // Text of strangers may have come into the task after this call was made; an edited file is a new one,
                // which has lost what the old one said of itself.
                let is_strange = (call.taint | self.flow.so_far()).untrusted;
                if is_written && produced.exit == Some(0) && is_strange {
                    taint::mark_origin(&facts.target);
                }
                keeping::settle(kept, stop).await;
                (facts, produced)
            }
        };
        under_way.settle(facts.brings);
        self.done(call, facts, produced, started, now).await
    }

    /// Evaluates checks, in the order asked. It looks and changes nothing.
    pub async fn evaluate(
        &self,
        effect_id: EffectId,
        checks: &[AskedCheck],
        subject: &CheckSubject,
        working_directory: &str,
    ) -> Vec<CheckEvidence> {
        let places = self.places(working_directory);
        let ToolboxConfig { artifacts, redactor, .. } = self.shared.config.clone();
        crate::check::evaluate(effect_id, checks, subject, places, artifacts, redactor).await
    }

    /// Makes this process take over what the keepers of commands lose, so that a call can end that too. For a program
    /// that starts no processes of its own that leave its session.
    pub fn adopt_orphans(&self) {
        self.shared.children.adopt_orphans();
    }

    /// Ends what calls of an earlier run with the same data folder left behind: for a program that holds the lock of that
    /// folder, before it runs a call. Returns how many processes there were. It waits up to 3 s.
    pub fn end_leftovers(&self) -> usize {
        self.shared.children.end_leftovers()
    }

    /// How it is made sure that nothing outlives its call, in a few words.
    pub fn children(&self) -> String {
        self.shared.children.means()
    }

    /// Processes that would not end when their call was stopped, since the last time this was asked.
    pub fn take_survivors(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.survivors))
    }

    fn places(&self, working_directory: &str) -> Places {
        let config = &self.shared.config;
        let text = |path: &PathBuf| path.to_string_lossy().trim_end_matches('/').to_owned();
        Places {
            working_directory: working_directory.to_owned(),
            workspace: text(&config.workspace),
            home: text(&config.home),
            data_dir: text(&config.data_dir),
            real: Default::default(),
        }
    }

    /// The call as it stands in its task now.
    fn weigh(&self, call: &ToolCall) -> Weighed {
        self.in_task(call, self.weigh_alone(call))
    }

    /// What the task has taken in may make a question of a call that would run by itself.
    fn in_task(&self, call: &ToolCall, alone: Weighed) -> Weighed {
        let Weighed::Known { row, action, mut facts, gate, confinement } = alone else { return alone };
        let taint = call.taint | self.flow.so_far() | facts.brings;
        let gate = taint::gate(&action, &mut facts, gate, taint, &self.places(&call.working_directory));
        Weighed::Known { row, action, facts, gate, confinement }
    }

    fn weigh_alone(&self, call: &ToolCall) -> Weighed {
        if !call.working_directory.starts_with('/') {
            return Weighed::Unreadable(format!(
                "the working directory {:?} is not an absolute path",
                call.working_directory
            ));
        }
        let read = match self.shared.mcp.find(&call.tool) {
            Some(found) => found.and_then(|tool| action::of_server(tool, &call.arguments)),
            None => action::read(&call.tool, &call.arguments, &self.shared.installed),
        };
        let (row, action) = match read {
            Ok(read) => read,
            Err(reason) => return Weighed::Unreadable(reason),
        };
        let places = self.places(&call.working_directory);
        let (mut facts, gate, confinement) = if let Action::Shell(shell) = &action {
            self.weigh_shell(&shell.command, &places)
        } else {
            let (facts, gate) = judge(row, &action, &places);
            (facts, gate, Confinement::FullPower)
        };
        facts.brings = taint::brings(&action, &facts, &places);
        let (gate, confinement) = match judge::cautioned(&call.blocked, &call.tool, &facts) {
            Some(_) => judge::careful(&action, &facts, gate, confinement),
            None => (gate, confinement),
        };
        let unfit = leak::unfit(&action, &self.shared.config.redactor);
        let refusal = unfit.or_else(|| judge::blocked(&call.blocked, row, &facts));
        let gate = refusal.map_or(gate, Gate::Refuse);
        Weighed::Known { row, action, facts, gate, confinement }
    }

    /// The receipt of a call. An output may have many megabytes, which are redacted, digested and stored on a thread that
    /// may take its time.
    async fn done(
        &self,
        call: &ToolCall,
        facts: CallFacts,
        produced: CallOutcome,
        started: Instant,
        now: Timestamp,
    ) -> RunOutcome {
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let made = {
            let (shared, call) = (Arc::clone(&self.shared), call.clone());
            tokio::task::spawn_blocking(move || {
                receipt(&call, facts, produced, &shared.config, now, elapsed_ms)
            })
        };
        let receipt = made.await.unwrap_or_else(|error| {
            let broken =
                CallOutcome::ended(CallEnd::Error, format!("no receipt could be made of it: {error}"));
            receipt(call, unread_facts(call), broken, &self.shared.config, now, elapsed_ms)
        });
        self.outputs.remember(&receipt);
        RunOutcome::Done(Box::new(receipt))
    }
}

fn unread_facts(call: &ToolCall) -> CallFacts {
    CallFacts {
        classes: vec![call.tool.clone()],
        blame: call.tool.clone(),
        target: String::new(),
        effect: EffectClass::Unknown,
        brings: Taint::NONE,
        changes: None,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
