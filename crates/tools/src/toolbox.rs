//! What the daemon holds: the tools, judged before they run and told about afterwards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use artoo_command::Launcher;
use artoo_command::children::Children;
use artoo_command::process;
use artoo_command::sandbox::{Confinement, ConfinementMeans, Sandboxing, derive};
use artoo_gate::paths::{PathRules, canonical};
use artoo_gate::{CommandBox, Explanation};
use artoo_mcp::{Mcp, McpCall, McpServer, Observer, ServerSurroundings};
use artoo_redact::Redactor;
use artoo_trash::{KeptProject, Trash, TrashLimits};
use artoo_types::evidence::{CheckEvidence, EffectClass, Receipt};
use artoo_types::machine::{AskedCheck, CheckSubject, HeldCall};
use artoo_types::memory::{InputState, PlanInput};
use artoo_types::setting::UnaskedRules;
use artoo_types::tool::{CallRefusal, ToolCall, ToolSpec};
use artoo_types::{EffectId, TaskId};
use artoo_web::{Web, WebConfig};
use parking_lot::Mutex;

use crate::check;
use crate::files::own::OwnFiles;
use crate::files::seen::SeenFiles;
use crate::files::state;
use crate::flow::{self, TaintFlow};
use crate::installed::{HelperPrograms, is_program};
use crate::judged::{JudgedCall, PreparedTool, Ruling};
use crate::leak::leaked;
use crate::outputs::{self, OutputLost, Outputs};
use crate::question::{BoundQuestion, QuestionDraft};
use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Permission, PlaceRights, Tool};
use crate::tools;
use turns::CallTurns;

mod folder;
mod run;
mod said;
mod turns;

/// Where the tools work.
#[derive(Debug, Clone)]
pub struct ToolboxConfig {
    /// Where bare names are written by a task that works in the home folder or a folder of the system.
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
    /// What may be done unasked.
    pub unasked: UnaskedRules,
}

/// The tools. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct Toolbox {
    shared: Arc<ToolboxParts>,
    outputs: Arc<Outputs>,
    /// The state in which this task last read its files.
    seen: Arc<SeenFiles>,
    /// What this task has made.
    own: Arc<OwnFiles>,
    /// Whose turn it is among the calls of this task.
    turns: CallTurns,
    /// What calls of this task bring.
    flow: TaintFlow,
    /// The task that it works for; without one nothing can be undone.
    task_id: Option<TaskId>,
    /// Processes of this task that would not end.
    survivors: Arc<Mutex<Vec<String>>>,
}

#[derive(Debug)]
struct ToolboxParts {
    config: ToolboxConfig,
    /// What requests into the internet are made with.
    web: Web,
    /// The programs that were there when the toolbox was made.
    installed: HelperPrograms,
    children: Children,
    sandbox: Sandbox,
    trash: Trash,
    mcp: Mcp,
    #[cfg(test)]
    judgements: std::sync::atomic::AtomicUsize,
}

/// How a call ended for the caller.
#[derive(Debug)]
pub enum RunOutcome {
    /// It has a receipt, whether it ran or was refused.
    Done(Box<Receipt>),
    /// It did not run: it needs a person's yes to exactly this action, and the approval given does not cover it. The call
    /// can be run with one.
    Held(Box<HeldCall>, Box<JudgedCall>),
    /// It had begun when the daemon went down, and whether it happened cannot be told.
    Interrupted(Box<HeldCall>),
}

/// A call that was read and judged, before anybody is asked.
struct WeighedCall {
    tool: Box<dyn Tool>,
    judgement: Judgement,
    /// Where it was judged, with what was looked up for that: it holds for this judgement alone.
    places: PathRules,
}

impl WeighedCall {
    fn parts(self) -> (CallFacts, PreparedTool, Permission) {
        let Judgement { facts, permission, confinement, .. } = self.judgement;
        (facts, PreparedTool { tool: self.tool, confinement }, permission)
    }

    /// Goes back to how the call runs without what it would be given; false if there is no such way.
    fn close(&mut self) -> bool {
        let Some(closed) = self.judgement.closed.take() else { return false };
        (self.judgement.facts, self.judgement.confinement) = *closed;
        self.judgement.permission = Permission::Free;
        true
    }
}

impl Toolbox {
    /// The tools with these places.
    pub fn new(mut config: ToolboxConfig) -> Self {
        config.environment = process::passed(config.environment);
        let path = config.environment.get("PATH").map_or(process::DEFAULT_PATH, String::as_str);
        let (pages, search) = (config.web.enabled, config.web.enabled && config.web.search.is_some());
        let shared = ToolboxParts {
            web: Web::new(&config.web),
            installed: HelperPrograms::find(path).with_web(pages, search),
            children: Children::new(config.launcher.clone(), &config.data_dir),
            sandbox: Sandbox::new(config.sandbox.clone(), config.launcher.clone(), config.places("/")),
            trash: Trash::new(&config.data_dir, config.trash),
            mcp: Mcp::default(),
            #[cfg(test)]
            judgements: Default::default(),
            config,
        };
        Self::with(Arc::new(shared), None)
    }

    fn with(shared: Arc<ToolboxParts>, task_id: Option<TaskId>) -> Self {
        Self {
            shared,
            outputs: Arc::default(),
            seen: Arc::default(),
            own: Arc::default(),
            turns: CallTurns::default(),
            flow: TaintFlow::default(),
            task_id,
            survivors: Arc::default(),
        }
    }

    /// The same tools for one task: `read_output` knows the receipts of this handle and its clones alone, and what its
    /// calls change is kept as this task's.
    pub fn for_task(&self, task_id: TaskId) -> Self {
        Self::with(Arc::clone(&self.shared), Some(task_id))
    }

    /// Where what calls change is kept.
    pub fn trash(&self) -> &Trash {
        &self.shared.trash
    }

    /// Makes an earlier receipt of the task known again, after a restart.
    pub fn remember(&self, receipt: &Receipt) {
        self.outputs.remember(receipt);
        self.own.learn(receipt);
        self.learn_seen(receipt);
    }

    /// What a command looked at, and what it left, is what the task knows of these files.
    fn learn_seen(&self, receipt: &Receipt) {
        for input in &receipt.act.inputs {
            if let InputState::Present(sha256) = &input.state {
                self.seen.note_digest(&canonical(&input.path), sha256);
            }
        }
        for change in &receipt.act.changes {
            if let Some(sha256) = &change.after {
                self.seen.note_digest(&canonical(&change.path), sha256);
            }
        }
    }

    /// The tools in the order in which they should be considered: those that existed on this machine when this toolbox was
    /// made, then those that MCP servers offer now, each with what of it runs unasked in this working directory. What a task was offered stands in its setting; what comes and goes
    /// later does not change that.
    pub fn specs(&self, working_directory: &str) -> Vec<ToolSpec> {
        let workspace = self.shared.config.workspace.to_string_lossy();
        let here = if working_directory.is_empty() { &*workspace } else { working_directory };
        let rights = PlaceRights::of(&self.places(here), &self.shared.sandbox);
        let mut specs = tools::specs(&self.shared.installed, rights);
        specs.extend(self.shared.mcp.specs());
        specs
    }

    /// Judges a call without running it. It may look at the file system; it changes nothing.
    pub fn judge(&self, call: ToolCall) -> JudgedCall {
        let weighed = self.weigh(&call);
        self.ruled(call, weighed, true)
    }

    /// A stored output by the handle that a receipt or a result names. It waits for the disk.
    ///
    /// # Errors
    /// It is gone, damaged, or no such name.
    pub fn stored_output(&self, handle: &str) -> Result<String, OutputLost> {
        outputs::load(&self.shared.config.artifacts, handle).map_err(OutputLost)
    }

    /// A picture that a receipt shows, in Base64; None where it is stored no more. It waits for the disk.
    pub fn stored_picture(&self, handle: &str) -> Option<String> {
        outputs::load_picture(&self.shared.config.artifacts, handle)
    }

    /// What a shell command would do in this folder.
    pub fn explain(&self, command: &str, working_directory: &str) -> Explanation {
        artoo_gate::explain(command, &self.places(working_directory))
    }

    /// What would happen with a command that runs unasked in a box, in a sentence; None if it would not.
    pub fn explain_box(&self, command: &str, working_directory: &str) -> Option<String> {
        let ConfinementMeans::Confining(_) = self.shared.sandbox.means() else { return None };
        let places = self.places(working_directory);
        Some(match self.explain(command, working_directory).boxed(&places)? {
            CommandBox::Reading => {
                "runs unasked in a box: no network, no secrets, writes only to a temporary folder and \
                                    to new files that it names"
                    .to_owned()
            }
            CommandBox::Project(root) => {
                let project = KeptProject { root, denied: Vec::new() };
                self.shared.trash.measure_project(&project).problem.is_none().then(|| {
                    let root = project.root;
                    format!("runs unasked in a box: no network, no secrets, writes only below {root}, which is kept first")
                })?
            }
        })
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
        let outputs = (artifacts, Arc::clone(&self.outputs));
        check::evaluate(effect_id, checks, subject, places, outputs, redactor).await
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
        std::mem::take(&mut *self.survivors.lock())
    }

    /// How commands are confined, in a few words; empty when they are not. The first answer takes some milliseconds.
    pub fn confinement(&self) -> String {
        self.shared.sandbox.words()
    }

    /// What to tell the person when commands cannot be confined here; `None` if they can.
    pub fn confinement_lack(&self) -> Option<String> {
        self.shared.sandbox.lack()
    }

    /// Which of these programs, by their file names, commands do not find. What is no file name is found nowhere.
    pub fn missing_programs(&self, names: &[String]) -> Vec<String> {
        let path = self.search_path();
        let folders: Vec<&Path> = path.split(':').filter(|f| f.starts_with('/')).map(Path::new).collect();
        let is_there =
            |name: &str| !name.contains('/') && folders.iter().any(|folder| is_program(&folder.join(name)));
        names.iter().filter(|name| !is_there(name)).cloned().collect()
    }

    /// Starts these servers in the background; their tools join as soon as they are known. `pins` is the file of what the
    /// servers said when that was agreed to. Only the first call counts. It needs a tokio runtime.
    pub fn start_servers(&self, servers: Vec<McpServer>, pins: PathBuf, observer: &Observer) {
        self.shared.mcp.start(servers, pins, &self.server_surroundings(), observer);
    }

    /// What every server is started with that outlives a task.
    pub fn server_surroundings(&self) -> ServerSurroundings {
        let ToolboxParts { config, children, sandbox, .. } = &*self.shared;
        let confinement = match sandbox.means() {
            ConfinementMeans::Confining(_) => derive::all_but_own(&self.places("/")),
            ConfinementMeans::Lacking(_) | ConfinementMeans::Waived => Confinement::FullPower,
        };
        ServerSurroundings {
            children: children.clone(),
            environment: config.environment.clone(),
            home: config.home.clone(),
            redactor: config.redactor.clone(),
            confinement,
        }
    }

    /// The servers.
    pub fn servers(&self) -> &Mcp {
        &self.shared.mcp
    }

    /// What is now at these absolute paths, in a form that can be compared later.
    pub async fn states_of(&self, paths: Vec<String>, working_directory: String) -> Vec<PlanInput> {
        if paths.is_empty() {
            return Vec::new();
        }
        let places = self.places(&working_directory);
        let looked = tokio::task::spawn_blocking(move || state::states_of(&paths, &places)).await;
        looked.unwrap_or_else(|error| {
            tracing::error!(%error, "the inputs of a call could not be looked at");
            Vec::new()
        })
    }

    /// Where programs are looked for, as in `PATH`.
    pub(crate) fn search_path(&self) -> String {
        let environment = &self.shared.config.environment;
        environment.get("PATH").cloned().unwrap_or_else(|| process::DEFAULT_PATH.to_owned())
    }

    pub(crate) fn places(&self, working_directory: &str) -> PathRules {
        self.shared.config.places(working_directory)
    }

    /// The judgement on a call by itself.
    fn weigh(&self, call: &ToolCall) -> Result<WeighedCall, CallRefusal> {
        #[cfg(test)]
        self.shared.judgements.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if !call.working_directory.starts_with('/') {
            let why = format!("the working directory {:?} is not an absolute path", call.working_directory);
            return Err(CallRefusal(why));
        }
        let tool: Box<dyn Tool> = match self.shared.mcp.find(&call.tool) {
            Some(found) => Box::new(McpCall::read(found?, &call.arguments)?),
            None => tools::read(&call.tool, &call.arguments, &self.shared.installed)?,
        };
        let places = self.places(&call.working_directory);
        let mut judgement = tool.judge(&places, &self.shared.sandbox);
        if judgement.facts.cautioned(&call.blocked, &call.tool).is_some() {
            judgement = judgement.careful(tool.reach());
        }
        let leak = tool.reach().leaving().and_then(|text| leaked(text, &self.shared.config.redactor));
        if let Some(refusal) = leak.or_else(|| judgement.facts.blocked(&call.blocked, &call.tool)) {
            judgement.permission = Permission::Refuse(refusal);
        }
        Ok(WeighedCall { tool, judgement, places })
    }

    /// What the task has taken in may make a question of a call that would run by itself.
    fn in_task(&self, call: &ToolCall, mut weighed: WeighedCall) -> WeighedCall {
        let taint = call.taint | self.flow.so_far();
        said::heed(call, weighed.tool.reach(), &mut weighed.judgement, &weighed.places, &self.own);
        flow::guard(weighed.tool.reach(), &mut weighed.judgement, taint, &weighed.places);
        let is_free = weighed.judgement.permission == Permission::Free;
        if !(is_free && self.can_be_kept(call, &weighed)) && weighed.close() {
            flow::guard(weighed.tool.reach(), &mut weighed.judgement, taint, &weighed.places);
        }
        weighed
    }

    /// Whether what a call is given can be kept before it runs.
    fn can_be_kept(&self, call: &ToolCall, weighed: &WeighedCall) -> bool {
        let WeighedCall { tool, judgement: Judgement { facts, confinement, closed, .. }, .. } = weighed;
        if closed.is_none() || !facts.replaces() {
            return true;
        }
        let targets = facts.changes.clone().unwrap_or_default();
        let draft = QuestionDraft {
            call,
            tool: tool.as_ref(),
            facts,
            confinement,
            effects: vec![facts.effect],
            targets,
            why: Vec::new(),
        };
        let trash = self.task_id.map(|_| &self.shared.trash);
        draft.bind(&self.shared.config.environment, trash).held.undo.is_possible()
    }

    /// The call as it stands in its task now. `records`: with what it is about to do, also where nobody is asked.
    fn ruled(&self, call: ToolCall, weighed: Result<WeighedCall, CallRefusal>, records: bool) -> JudgedCall {
        let weighed = match weighed {
            Ok(weighed) => self.in_task(&call, weighed),
            Err(refusal) => {
                let facts = CallFacts::unread(&call.tool);
                return JudgedCall { call, facts, ruling: Ruling::Refused(refusal) };
            }
        };
        let (facts, prepared, permission) = weighed.parts();
        let ruling = match permission {
            Permission::Refuse(refusal) => Ruling::Refused(refusal),
            Permission::Ask { effects, targets, why } => {
                let question = self.question(&call, &facts, &prepared, effects, targets, why);
                Ruling::Asks(prepared, question)
            }
            Permission::Free => {
                let replaces = facts.replaces();
                let is_recorded = replaces || records && facts.effect != EffectClass::Read;
                let (effects, targets) = (vec![facts.effect], vec![facts.target.clone()]);
                let record = is_recorded
                    .then(|| self.question(&call, &facts, &prepared, effects, targets, Vec::new()));
                match record {
                    // What is changed unasked can be put back; what cannot be put back is asked about.
                    Some(question) if replaces && !question.held.undo.is_possible() => {
                        Ruling::Asks(prepared, question)
                    }
                    record => Ruling::Free(prepared, record),
                }
            }
        };
        JudgedCall { call, facts, ruling }
    }

    /// The question about a call.
    fn question(
        &self,
        call: &ToolCall,
        facts: &CallFacts,
        prepared: &PreparedTool,
        effects: Vec<EffectClass>,
        targets: Vec<String>,
        why: Vec<String>,
    ) -> BoundQuestion {
        let PreparedTool { tool, confinement } = prepared;
        let tool = tool.as_ref();
        let draft = QuestionDraft { call, tool, facts, confinement, effects, targets, why };
        let trash = self.task_id.map(|_| &self.shared.trash);
        draft.bind(&self.shared.config.environment, trash)
    }
}

impl ToolboxConfig {
    fn places(&self, working_directory: &str) -> PathRules {
        let text = |path: &PathBuf| path.to_string_lossy().trim_end_matches('/').to_owned();
        PathRules {
            working_directory: working_directory.to_owned(),
            workspace: text(&self.workspace),
            home: text(&self.home),
            data_dir: text(&self.data_dir),
            unasked: self.unasked,
            real: Default::default(),
        }
    }
}

#[cfg(test)]
mod tests;
