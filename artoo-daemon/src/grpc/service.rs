//! What a client may ask, and who answers it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_model::{ModelConfig, ProviderConfig, ProviderKind};
use artoo_protocol::v1;
use artoo_protocol::v1::artoo_service_server::ArtooService;
use artoo_store::MemoryReader;
use artoo_tools::Toolbox;
use artoo_types::Timestamp;
use artoo_types::redact::Redactor;
use artoo_types::secret::Secret;
use tokio::sync::Semaphore;
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

use super::entrance::Entering;
use super::replay_task::MAX_REPLAYS;
use super::shutdown::Stop;
use super::{convert, errors};
use crate::auditor::AuditDesk;
use crate::folder::Places;
use crate::health::Health;
use crate::live::LiveTaps;
use crate::memory::{MemoryView, OperatorDesk};
use crate::system::SystemBus;
use crate::task::Tasks;
use crate::wiring::Daemon;

/// How long an answer may take. The slowest one, a cancellation, waits 4 s.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// What the status says of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Configured {
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
}

impl Configured {
    /// What a configuration of the models says of itself.
    pub fn models(config: &ModelConfig) -> Self {
        let name = |tier: &ProviderConfig| match tier.kind {
            ProviderKind::OpenAi => tier.model.clone(),
            ProviderKind::Offline => String::new(),
        };
        let kinds = [config.brain.kind, config.tool.kind];
        let provider = kinds.into_iter().find(|kind| *kind == ProviderKind::OpenAi).unwrap_or_default();
        Self {
            provider: provider.as_str().to_owned(),
            brain_model: name(&config.brain),
            tool_model: name(&config.tool),
            ..Self::default()
        }
    }
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
    pub(super) started_at: Timestamp,
    pub(super) started: Instant,
    pub(super) configured: Configured,
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
            started_at,
            started: Instant::now(),
            configured: Configured::default(),
            replays: Arc::new(Semaphore::new(MAX_REPLAYS)),
        }
    }

    /// The memory.
    pub(super) fn memory(&self) -> Result<MemoryReader, Status> {
        self.memory.reader().map_err(|why| errors::not_now("MEMORY_UNAVAILABLE", "memory", &why))
    }

    /// The same service, with what its status says of the configuration.
    #[must_use]
    pub fn configured(self, configured: Configured) -> Self {
        Self { configured, ..self }
    }
}

/// The service at work: its parts, and the word that ends its streams.
#[derive(Clone)]
pub(super) struct Calls {
    pub(super) parts: Arc<Service>,
    pub(super) stop: Stop,
}

impl Calls {
    /// The words of a client, without secrets. Nothing else may take a request out of its cover.
    fn enter<T: Entering>(&self, request: Request<T>) -> T {
        let mut request = request.into_inner();
        request.redact(&self.parts.redactor);
        request
    }
}

/// What a stream of answers is.
pub(super) type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

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

/// An answer within the time that an answer may take.
async fn within<T>(answer: impl Future<Output = Result<T, Status>>) -> Result<Response<T>, Status> {
    match tokio::time::timeout(ANSWER_WITHIN, answer).await {
        Ok(answer) => answer.map(Response::new),
        Err(_) => Err(errors::too_late("the daemon is too busy to answer; try again in a moment")),
    }
}

#[tonic::async_trait]
impl ArtooService for Calls {
    type StreamEventsStream = Answers<v1::StreamEventsResponse>;
    type ExportMemoryStream = Answers<v1::ExportMemoryResponse>;

    async fn submit_task(
        &self,
        request: Request<v1::SubmitTaskRequest>,
    ) -> Result<Response<v1::SubmitTaskResponse>, Status> {
        within(self.submit(self.enter(request))).await
    }

    async fn stream_events(
        &self,
        request: Request<v1::StreamEventsRequest>,
    ) -> Result<Response<Self::StreamEventsStream>, Status> {
        within(self.events(self.enter(request))).await
    }

    async fn audit_query(
        &self,
        request: Request<v1::AuditQueryRequest>,
    ) -> Result<Response<v1::AuditQueryResponse>, Status> {
        let include_window = self.enter(request).include_window;
        let Some(report) = self.parts.auditor.report(include_window).await else {
            return Err(errors::too_late(
                "the auditor did not report within 3 s; ask again, and if it stays silent look at debug.log in the \
                 data folder",
            ));
        };
        Ok(Response::new(v1::AuditQueryResponse { report: Some(convert::audit_report(&report)) }))
    }

    async fn get_task(
        &self,
        request: Request<v1::GetTaskRequest>,
    ) -> Result<Response<v1::GetTaskResponse>, Status> {
        within(self.get(self.enter(request))).await
    }

    async fn list_tasks(
        &self,
        request: Request<v1::ListTasksRequest>,
    ) -> Result<Response<v1::ListTasksResponse>, Status> {
        within(self.list(self.enter(request))).await
    }

    async fn cancel_task(
        &self,
        request: Request<v1::CancelTaskRequest>,
    ) -> Result<Response<v1::CancelTaskResponse>, Status> {
        within(self.cancel(self.enter(request))).await
    }

    async fn resolve_confirmation(
        &self,
        request: Request<v1::ResolveConfirmationRequest>,
    ) -> Result<Response<v1::ResolveConfirmationResponse>, Status> {
        let peer = request.extensions().get().copied();
        within(self.confirm(peer, self.enter(request))).await
    }

    async fn answer_clarification(
        &self,
        request: Request<v1::AnswerClarificationRequest>,
    ) -> Result<Response<v1::AnswerClarificationResponse>, Status> {
        within(self.clarify(self.enter(request))).await
    }

    async fn query_memory(
        &self,
        request: Request<v1::QueryMemoryRequest>,
    ) -> Result<Response<v1::QueryMemoryResponse>, Status> {
        within(self.recall(self.enter(request))).await
    }

    async fn list_megrams(
        &self,
        request: Request<v1::ListMegramsRequest>,
    ) -> Result<Response<v1::ListMegramsResponse>, Status> {
        within(self.megrams(self.enter(request))).await
    }

    async fn remember(
        &self,
        request: Request<v1::RememberRequest>,
    ) -> Result<Response<v1::RememberResponse>, Status> {
        let peer = request.extensions().get().copied();
        within(self.write_down(peer, self.enter(request))).await
    }

    async fn forget(
        &self,
        request: Request<v1::ForgetRequest>,
    ) -> Result<Response<v1::ForgetResponse>, Status> {
        let peer = request.extensions().get().copied();
        // It has no deadline: what is journaled is done, and erasing much from the files takes longer than other answers.
        self.forget_megrams(peer, self.enter(request)).await.map(Response::new)
    }

    async fn export_memory(
        &self,
        request: Request<v1::ExportMemoryRequest>,
    ) -> Result<Response<Self::ExportMemoryStream>, Status> {
        self.export(&self.enter(request)).map(Response::new)
    }

    async fn import_memory(
        &self,
        request: Request<v1::ImportMemoryRequest>,
    ) -> Result<Response<v1::ImportMemoryResponse>, Status> {
        let peer = request.extensions().get().copied();
        // It has no deadline: what is journaled is done.
        self.take_in(peer, self.enter(request)).await.map(Response::new)
    }

    async fn separate_requests(
        &self,
        request: Request<v1::SeparateRequestsRequest>,
    ) -> Result<Response<v1::SeparateRequestsResponse>, Status> {
        let peer = request.extensions().get().copied();
        within(self.separate(peer, self.enter(request))).await
    }

    async fn get_memory_stats(
        &self,
        _request: Request<v1::GetMemoryStatsRequest>,
    ) -> Result<Response<v1::GetMemoryStatsResponse>, Status> {
        within(self.memory_stats()).await
    }

    async fn verify_memory(
        &self,
        request: Request<v1::VerifyMemoryRequest>,
    ) -> Result<Response<v1::VerifyMemoryResponse>, Status> {
        let peer = request.extensions().get().copied();
        // It has no deadline: a large memory takes longer than other answers.
        self.check_memory(peer, self.enter(request)).await.map(Response::new)
    }

    async fn explain_action(
        &self,
        request: Request<v1::ExplainActionRequest>,
    ) -> Result<Response<v1::ExplainActionResponse>, Status> {
        within(self.explain(self.enter(request))).await
    }

    async fn verify_audit(
        &self,
        request: Request<v1::VerifyAuditRequest>,
    ) -> Result<Response<v1::VerifyAuditResponse>, Status> {
        self.verify(self.enter(request)).await.map(Response::new)
    }

    async fn replay_task(
        &self,
        request: Request<v1::ReplayTaskRequest>,
    ) -> Result<Response<v1::ReplayTaskResponse>, Status> {
        // It has a deadline of its own: folding a long journal takes longer than other answers.
        self.replay(self.enter(request)).await.map(Response::new)
    }

    async fn report_task(
        &self,
        _request: Request<v1::ReportTaskRequest>,
    ) -> Result<Response<v1::ReportTaskResponse>, Status> {
        Err(errors::cannot_yet("make reports about tasks"))
    }

    async fn undo_task(
        &self,
        request: Request<v1::UndoTaskRequest>,
    ) -> Result<Response<v1::UndoTaskResponse>, Status> {
        let peer = request.extensions().get().copied();
        // It has a deadline of its own: copying much takes longer than other answers.
        self.undo(peer, self.enter(request)).await.map(Response::new)
    }

    async fn list_mcp_servers(
        &self,
        _request: Request<v1::ListMcpServersRequest>,
    ) -> Result<Response<v1::ListMcpServersResponse>, Status> {
        Ok(Response::new(self.mcp_servers()))
    }

    async fn approve_mcp_server(
        &self,
        request: Request<v1::ApproveMcpServerRequest>,
    ) -> Result<Response<v1::ApproveMcpServerResponse>, Status> {
        let peer = request.extensions().get().copied();
        within(self.approve_mcp_server(peer, self.enter(request))).await
    }

    async fn get_status(
        &self,
        _request: Request<v1::GetStatusRequest>,
    ) -> Result<Response<v1::GetStatusResponse>, Status> {
        within(self.status()).await
    }
}
