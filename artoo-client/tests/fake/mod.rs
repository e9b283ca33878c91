//! A daemon that plays prepared events over a real socket.

pub(crate) mod terminal;

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use artoo_protocol::v1::artoo_service_server::{ArtooService, ArtooServiceServer};
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::*;
use tokio::sync::watch;
use tokio_stream::wrappers::UnixListenerStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status};

/// The task that every request becomes.
pub(crate) const TASK: &str = "0197b2c4-1a2b-7000-8000-000000000001";
/// The question that a task may ask.
pub(crate) const QUESTION: &str = "0197b2c4-1a2b-7000-8000-0000000000aa";

/// What the daemon plays, and what it was told.
#[derive(Default)]
pub(crate) struct Script {
    /// Events, in order; their sequence is their place.
    pub events: Vec<Payload>,
    /// The stream breaks once after this many events.
    pub breaks_after: Option<usize>,
    /// Once, the stream gives this many events and a heartbeat, and is silent from then on.
    pub silent_after: Option<usize>,
    /// From this event on, the stream waits until the task is cancelled or its question answered.
    pub waits_before: Option<usize>,
    /// The refusal of every submission.
    pub refusal: Option<Status>,
    /// What was submitted.
    pub submitted: Vec<SubmitTaskRequest>,
    /// What was answered.
    pub resolved: Vec<ResolveConfirmationRequest>,
    /// Where streams were asked to start.
    pub asked_after: Vec<u64>,
}

/// The daemon in a folder of its own; it stops when this is dropped.
pub(crate) struct Fake {
    /// The data folder.
    pub data: tempfile::TempDir,
    /// What it plays.
    pub script: Arc<Mutex<Script>>,
    server: tokio::task::JoinHandle<()>,
}

impl Fake {
    pub(crate) async fn start(script: Script) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(data.path().join("confirm.token"), "secret\n").expect("the token can be written");
        let script = Arc::new(Mutex::new(script));
        let (go_on, _) = watch::channel(false);
        let service = Service { script: Arc::clone(&script), go_on: Arc::new(go_on) };
        let listener =
            tokio::net::UnixListener::bind(data.path().join("artoo.sock")).expect("the socket is free");
        let server = tokio::spawn(async move {
            tonic::transport::Server::builder()
                .add_service(ArtooServiceServer::new(service))
                .serve_with_incoming(UnixListenerStream::new(listener))
                .await
                .expect("the server runs until it is stopped");
        });
        Self { data, script, server }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.data.path().join("artoo.sock")
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The program under test, with this data folder and nothing of the surroundings.
pub(crate) fn artoo(data: &Path, arguments: &[&str]) -> tokio::process::Command {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_artoo"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", data)
        .env("ARTOO_DATA_DIR", data)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true);
    command
}

struct Service {
    script: Arc<Mutex<Script>>,
    go_on: Arc<watch::Sender<bool>>,
}

type Reply<T> = Result<Response<T>, Status>;
type Stream_<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

fn task() -> Task {
    Task {
        task_id: TASK.to_owned(),
        slug: "count_lines".to_owned(),
        state: "finished".to_owned(),
        directive: "accept".to_owned(),
        input: "count the lines".to_owned(),
        ..Default::default()
    }
}

impl Service {
    fn events(&self, after: u64) -> (Vec<StreamEventsResponse>, Option<usize>, bool) {
        let mut script = self.script.lock().expect("no test panicked");
        script.asked_after.push(after);
        let from = usize::try_from(after).expect("a small number");
        let all = script.events.iter().enumerate().map(|(index, payload)| StreamEventsResponse {
            event: Some(Event {
                sequence: index as u64 + 1,
                task_id: TASK.to_owned(),
                from: "R1".to_owned(),
                to: "R2".to_owned(),
                payload: Some(payload.clone()),
                ..Default::default()
            }),
            heartbeat: None,
        });
        let mut events: Vec<_> = all.collect();
        let breaks = script.breaks_after.take();
        if let Some(length) = breaks {
            events.truncate(length);
        }
        let waits = script.waits_before.map(|at| at.saturating_sub(from));
        (events.split_off(from.min(events.len())), waits, breaks.is_some())
    }
}

#[tonic::async_trait]
impl ArtooService for Service {
    type StreamEventsStream = Stream_<StreamEventsResponse>;
    type ExportMemoryStream = Stream_<ExportMemoryResponse>;

    async fn submit_task(&self, request: Request<SubmitTaskRequest>) -> Reply<SubmitTaskResponse> {
        let mut script = self.script.lock().expect("no test panicked");
        script.submitted.push(request.into_inner());
        match &script.refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(Response::new(SubmitTaskResponse { task_id: TASK.to_owned(), already_known: false })),
        }
    }

    async fn stream_events(&self, request: Request<StreamEventsRequest>) -> Reply<Self::StreamEventsStream> {
        let request = request.into_inner();
        let silent_after = self.script.lock().expect("no test panicked").silent_after.take();
        let (mut events, waits, breaks) = self.events(request.after_sequence);
        if let Some(length) = silent_after {
            assert!(request.heartbeat_ms > 0, "the client wants to know whether the daemon lives");
            events.truncate(length);
            events.push(StreamEventsResponse { event: None, heartbeat: Some(Heartbeat::default()) });
            let silence = tokio_stream::pending();
            return Ok(Response::new(Box::pin(
                tokio_stream::iter(events.into_iter().map(Ok)).chain(silence),
            )));
        }
        let later = waits.map(|at| events.split_off(at.min(events.len()))).unwrap_or_default();
        let mut go_on = self.go_on.subscribe();
        let first = tokio_stream::iter(events.into_iter().map(Ok));
        let end = breaks.then(|| Err(Status::unavailable("going down")));
        let later = async move {
            if !later.is_empty() {
                go_on.wait_for(|go_on| *go_on).await.expect("the service lives as long as its streams");
            }
            tokio_stream::iter(later.into_iter().map(Ok))
        };
        let later = futures_of(later);
        Ok(Response::new(Box::pin(first.chain(later).chain(tokio_stream::iter(end)))))
    }

    async fn audit_query(&self, _: Request<AuditQueryRequest>) -> Reply<AuditQueryResponse> {
        Ok(Response::new(AuditQueryResponse { report: Some(AuditReport::default()) }))
    }

    async fn get_task(&self, _: Request<GetTaskRequest>) -> Reply<GetTaskResponse> {
        Ok(Response::new(GetTaskResponse { task: Some(task()) }))
    }

    async fn list_tasks(&self, _: Request<ListTasksRequest>) -> Reply<ListTasksResponse> {
        let open = ConfirmationRequest { confirmation_id: QUESTION.to_owned(), ..Default::default() };
        let tasks = vec![Task { open_confirmations: vec![open], ..task() }];
        Ok(Response::new(ListTasksResponse { tasks, next_page_token: String::new() }))
    }

    async fn cancel_task(&self, _: Request<CancelTaskRequest>) -> Reply<CancelTaskResponse> {
        self.go_on.send_replace(true);
        Ok(Response::new(CancelTaskResponse { task: Some(task()) }))
    }

    async fn resolve_confirmation(
        &self,
        request: Request<ResolveConfirmationRequest>,
    ) -> Reply<ResolveConfirmationResponse> {
        self.script.lock().expect("no test panicked").resolved.push(request.into_inner());
        self.go_on.send_replace(true);
        Ok(Response::new(ResolveConfirmationResponse { task: Some(task()) }))
    }

    async fn answer_clarification(
        &self,
        _: Request<AnswerClarificationRequest>,
    ) -> Reply<AnswerClarificationResponse> {
        Ok(Response::new(AnswerClarificationResponse { task: Some(task()) }))
    }

    async fn query_memory(&self, _: Request<QueryMemoryRequest>) -> Reply<QueryMemoryResponse> {
        let relation = Relation {
            other: "b".to_owned(),
            relation: "alias".to_owned(),
            similarity: 0.75,
            why: "w".to_owned(),
        };
        Ok(Response::new(QueryMemoryResponse { clusters: Vec::new(), relations: vec![relation] }))
    }

    async fn list_megrams(&self, _: Request<ListMegramsRequest>) -> Reply<ListMegramsResponse> {
        Err(Status::unimplemented("not in this build"))
    }

    async fn remember(&self, _: Request<RememberRequest>) -> Reply<RememberResponse> {
        Err(Status::unimplemented("not in this build"))
    }

    async fn forget(&self, request: Request<ForgetRequest>) -> Reply<ForgetResponse> {
        let megram = Megram { content: "a lesson".to_owned(), ..Default::default() };
        let megrams = if request.into_inner().dry_run { vec![megram] } else { Vec::new() };
        Ok(Response::new(ForgetResponse { forgotten: 2, megrams }))
    }

    async fn separate_requests(
        &self,
        _: Request<SeparateRequestsRequest>,
    ) -> Reply<SeparateRequestsResponse> {
        Ok(Response::new(SeparateRequestsResponse { changed: true, relation: None }))
    }

    async fn get_memory_stats(&self, _: Request<GetMemoryStatsRequest>) -> Reply<GetMemoryStatsResponse> {
        Err(Status::unimplemented("not in this build"))
    }

    async fn verify_memory(&self, _: Request<VerifyMemoryRequest>) -> Reply<VerifyMemoryResponse> {
        let findings = vec!["x| belongs to no memory".to_owned()];
        Ok(Response::new(VerifyMemoryResponse { findings, total_findings: 1, ..Default::default() }))
    }

    async fn export_memory(&self, _: Request<ExportMemoryRequest>) -> Reply<Self::ExportMemoryStream> {
        let lines =
            ["{\"a\":1}\n", "{\"b\":2}\n"].map(|line| Ok(ExportMemoryResponse { lines: line.to_owned() }));
        Ok(Response::new(Box::pin(tokio_stream::iter(lines))))
    }

    async fn import_memory(&self, _: Request<ImportMemoryRequest>) -> Reply<ImportMemoryResponse> {
        Err(Status::unimplemented("not in this build"))
    }

    async fn explain_action(&self, request: Request<ExplainActionRequest>) -> Reply<ExplainActionResponse> {
        let arguments = request.into_inner().arguments;
        let decision = if arguments.contains("rm") { "confirm" } else { "safe" };
        Ok(Response::new(ExplainActionResponse {
            decision: decision.to_owned(),
            reasons: vec![arguments],
            ..Default::default()
        }))
    }

    async fn verify_audit(&self, _: Request<VerifyAuditRequest>) -> Reply<VerifyAuditResponse> {
        let findings = vec!["segment 1 line 7: altered".to_owned()];
        Ok(Response::new(VerifyAuditResponse { findings, lines: 9, ..Default::default() }))
    }

    async fn replay_task(&self, _: Request<ReplayTaskRequest>) -> Reply<ReplayTaskResponse> {
        Ok(Response::new(ReplayTaskResponse { identical: true, ..Default::default() }))
    }

    async fn report_task(&self, _: Request<ReportTaskRequest>) -> Reply<ReportTaskResponse> {
        Ok(Response::new(ReportTaskResponse { html: "<!doctype html>".to_owned() }))
    }

    async fn undo_task(&self, _: Request<UndoTaskRequest>) -> Reply<UndoTaskResponse> {
        Ok(Response::new(UndoTaskResponse::default()))
    }

    async fn list_mcp_servers(&self, _: Request<ListMcpServersRequest>) -> Reply<ListMcpServersResponse> {
        Ok(Response::new(ListMcpServersResponse::default()))
    }

    async fn approve_mcp_server(
        &self,
        _: Request<ApproveMcpServerRequest>,
    ) -> Reply<ApproveMcpServerResponse> {
        Err(Status::not_found("there is no MCP server of that name"))
    }

    async fn get_status(&self, _: Request<GetStatusRequest>) -> Reply<GetStatusResponse> {
        Ok(Response::new(GetStatusResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol_version: artoo_protocol::PROTOCOL_VERSION,
            provider: "offline".to_owned(),
            ..Default::default()
        }))
    }
}

/// A stream that a future makes.
fn futures_of<S>(future: impl Future<Output = S> + Send + 'static) -> impl Stream<Item = S::Item> + Send
where
    S: Stream + Send + Unpin + 'static,
    S::Item: Send + 'static,
{
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        let mut stream = future.await;
        while let Some(item) = stream.next().await {
            if sender.send(item).await.is_err() {
                return;
            }
        }
    });
    tokio_stream::wrappers::ReceiverStream::new(receiver)
}
