//! Starting effects: model calls, tools, checks and memory, each a small task whose end is an input.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use artoo_command::stop::{StopSignal, StopSwitch};
use artoo_model::Models;
use artoo_redact::Redactor;
use artoo_tools::{JudgedCall, RunOutcome, Toolbox};
use artoo_types::chat::{ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome};
use artoo_types::evidence::Receipt;
use artoo_types::machine::{AskedCheck, CheckSubject, TaskInput};
use artoo_types::memory::MemoryQuery;
use artoo_types::tag::Tag;
use artoo_types::tool::{Approval, ToolCall};
use artoo_types::{EffectId, TaskId};
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, JoinSet};

use crate::clock;
use crate::dreamer::DreamerBell;
use crate::memory::MemoryInbox;

/// Model calls at once, over all tasks. Servers limit by account, and more would only queue there.
const MODEL_CALLS: usize = 32;
/// Calls of one task that are kept as they were judged until they are answered; one that is not is judged again.
const MAX_HELD: usize = 64;
/// Tool calls at once, over all tasks: they compete for the person's machine.
const TOOL_CALLS: usize = 16;

/// How long a look at the working folder may take.
const LOOK: Duration = Duration::from_secs(8);

/// What effects are carried out with. Shared by all tasks.
#[derive(Clone)]
pub struct EffectServices {
    models: Models,
    toolbox: Toolbox,
    memory: MemoryInbox,
    dreamer: DreamerBell,
    redactor: Redactor,
    model_calls: Arc<Semaphore>,
    tool_calls: Arc<Semaphore>,
}

impl EffectServices {
    /// EffectServices with these tools.
    pub fn new(
        models: Models,
        toolbox: Toolbox,
        memory: MemoryInbox,
        dreamer: DreamerBell,
        redactor: Redactor,
    ) -> Self {
        Self {
            models,
            toolbox,
            memory,
            dreamer,
            redactor,
            model_calls: Arc::new(Semaphore::new(MODEL_CALLS)),
            tool_calls: Arc::new(Semaphore::new(TOOL_CALLS)),
        }
    }

    /// The memory's inbox.
    pub fn memory(&self) -> &MemoryInbox {
        &self.memory
    }

    /// Where ended tasks are told.
    pub fn dreamer(&self) -> &DreamerBell {
        &self.dreamer
    }

    /// What takes secrets out of everything that enters a task.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// The models.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The tools.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }
}

/// The request with the bytes of its pictures.
async fn with_pictures(mut request: ChatRequest, toolbox: &Toolbox) -> ChatRequest {
    for image in &mut request.images {
        let (toolbox, handle) = (toolbox.clone(), image.shown.handle.clone());
        let loaded = tokio::task::spawn_blocking(move || toolbox.stored_picture(&handle)).await;
        image.data = loaded.ok().flatten().map(Arc::from);
    }
    request
}

/// Calls that wait for a person's word, by their effects.
type HeldCalls = Arc<Mutex<BTreeMap<EffectId, JudgedCall>>>;

/// The effects of one task that are under way.
pub(super) struct RunningEffects {
    services: EffectServices,
    toolbox: Toolbox,
    /// Calls that wait for a person's word, as they were judged.
    held: HeldCalls,
    stop: StopSwitch,
    signal: StopSignal,
    /// Model calls, checks and memory queries: ended by dropping them.
    calls: JoinSet<TaskInput>,
    /// Tool calls: they have children, which must be gone before the task is.
    tools: JoinSet<TaskInput>,
}

impl RunningEffects {
    pub(super) fn new(services: EffectServices, task_id: TaskId) -> Self {
        let toolbox = services.toolbox.for_task(task_id);
        let (stop, signal) = StopSwitch::new();
        Self {
            services,
            toolbox,
            held: HeldCalls::default(),
            stop,
            signal,
            calls: JoinSet::new(),
            tools: JoinSet::new(),
        }
    }

    /// The call, judged. One that comes back with an answer was judged for its question, and stands as long as what it is
    /// about looks the same.
    pub(super) fn judge(&self, call: ToolCall) -> JudgedCall {
        let held = self.held.lock().remove(&call.effect_id);
        held.and_then(|judged| judged.renewed(&call)).unwrap_or_else(|| self.toolbox.judge(call))
    }

    /// Makes an earlier receipt of the task known to `read_output` again.
    pub(super) fn remember(&self, receipt: &Receipt) {
        self.toolbox.remember(receipt);
    }

    pub(super) fn redactor(&self) -> &Redactor {
        self.services.redactor()
    }

    pub(super) fn call_model(&mut self, effect_id: EffectId, request: ChatRequest) {
        let services = self.services.clone();
        self.calls.spawn(async move {
            let request = with_pictures(request, &services.toolbox).await;
            let started = std::time::Instant::now();
            let model = services.models.tier(request.tier);
            let longest = model.longest(&request);
            let work = async {
                let _place = services.model_calls.acquire().await;
                model.complete(request).await
            };
            // The provider keeps its time itself; this covers the wait for a place, and a provider that hangs.
            let outcome =
                tokio::time::timeout(longest + Duration::from_secs(1), work).await.unwrap_or_else(|_| {
                    ModelOutcome::Failure(ModelFailure {
                        kind: ModelFailureKind::Deadline,
                        message: format!("the model did not answer within {} s", longest.as_secs()),
                        attempts: 1,
                        elapsed_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
                        retry_after_ms: None,
                    })
                });
            TaskInput::ModelFinished { effect_id, outcome }
        });
    }

    pub(super) fn run_tool(&mut self, judged: JudgedCall, approval: Option<Approval>) {
        let (toolbox, signal, effect_id) = (self.toolbox.clone(), self.signal.clone(), judged.effect_id());
        self.tool(
            effect_id,
            async move { toolbox.run(judged, approval.as_ref(), signal, clock::now()).await },
        );
    }

    /// Finds out what became of a call that was under way when the daemon went down.
    pub(super) fn recover_tool(&mut self, call: ToolCall) {
        let (toolbox, signal) = (self.toolbox.clone(), self.signal.clone());
        self.tool(call.effect_id, async move { toolbox.recover(call, signal, clock::now()).await });
    }

    fn tool(&mut self, effect_id: EffectId, work: impl Future<Output = RunOutcome> + Send + 'static) {
        let (places, held) = (Arc::clone(&self.services.tool_calls), Arc::clone(&self.held));
        let mut stopped = self.signal.clone();
        self.tools.spawn(async move {
            let _place = tokio::select! {
                place = places.acquire() => place,
                // It never started; the task is ending and asks for nothing more.
                () = stopped.stopped() => return TaskInput::Wake,
            };
            match work.await {
                RunOutcome::Done(receipt) => TaskInput::ToolFinished { effect_id, receipt },
                RunOutcome::Held(question, judged) => {
                    let mut held = held.lock();
                    if held.len() < MAX_HELD {
                        held.insert(effect_id, *judged);
                    }
                    TaskInput::ToolHeld { effect_id, question: *question }
                }
                RunOutcome::Interrupted(question) => {
                    TaskInput::ToolInterrupted { effect_id, question: *question }
                }
            }
        });
    }

    pub(super) fn run_checks(
        &mut self,
        effect_id: EffectId,
        checks: Vec<AskedCheck>,
        subject: CheckSubject,
        working_directory: String,
    ) {
        let toolbox = self.toolbox.clone();
        self.calls.spawn(async move {
            let evidence = toolbox.evaluate(effect_id, &checks, &subject, &working_directory).await;
            TaskInput::ChecksFinished { effect_id, evidence }
        });
    }

    /// A look at the place; with the words of a request, the one that the built-in rules are given.
    pub(super) fn look_around(&mut self, effect_id: EffectId, working_directory: String, request: String) {
        let toolbox = self.toolbox.clone();
        self.calls.spawn(async move {
            let seen = tokio::time::timeout(LOOK, async {
                if request.is_empty() {
                    return toolbox.situation(effect_id, &working_directory).await;
                }
                let here = working_directory.clone();
                let named =
                    move |seen: &_, home: &str| artoo_offline::named_paths(&request, &here, home, seen);
                toolbox.rules_situation(&working_directory, named).await
            });
            // A plan without it is better than none.
            let situation = Box::new(seen.await.unwrap_or_default());
            TaskInput::LookedAround { effect_id, situation }
        });
    }

    pub(super) fn query_memory(&mut self, effect_id: EffectId, mut query: MemoryQuery, folder: &str) {
        let (memory, toolbox) = (self.services.memory.clone(), self.toolbox.clone());
        if !query.intent.is_empty() {
            // R2 asks about its request; where the task works, the runtime knows.
            query.tags.push(Tag::folder(folder));
        }
        self.calls.spawn(async move {
            let mut reply = memory.query(query).await;
            // What failed binds while its inputs are as they were, so the plan is told what they are now.
            let failures = reply.entries.iter().flat_map(|entry| &entry.top).map(|megram| &megram.failed);
            let paths: Vec<String> = failures.flat_map(|failed| failed.paths()).map(str::to_owned).collect();
            reply.present = toolbox.states_of(paths, "/".to_owned()).await;
            TaskInput::MemoryAnswered { effect_id, reply }
        });
    }

    pub(super) fn write_memory(&self, megram: artoo_types::memory::Megram) {
        self.services.memory.write(megram);
    }

    /// Ends model calls now, and tells tools to end.
    pub(super) fn stop(&mut self) {
        self.calls.abort_all();
        self.stop.stop();
    }

    /// Children that would not go.
    pub(super) fn survivors(&self) -> Vec<String> {
        self.toolbox.take_survivors()
    }

    /// Whether no tool runs.
    pub(super) fn tools_gone(&self) -> bool {
        self.tools.is_empty()
    }

    /// The end of the next effect. Pending for ever while none runs. An error is a bug of ours.
    pub(super) async fn next(&mut self) -> Result<TaskInput, JoinError> {
        loop {
            let joined = tokio::select! {
                Some(joined) = self.calls.join_next(), if !self.calls.is_empty() => joined,
                Some(joined) = self.tools.join_next(), if !self.tools.is_empty() => joined,
                else => std::future::pending().await,
            };
            match joined {
                Ok(input) => return Ok(input),
                Err(error) if error.is_cancelled() => {}
                Err(error) => return Err(error),
            }
        }
    }
}
