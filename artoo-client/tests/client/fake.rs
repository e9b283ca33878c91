//! A daemon that plays prepared events over a real socket.

pub(crate) mod terminal;

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use artoo_protocol::v1::artoo_service_server::{ArtooService, ArtooServiceServer};
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::*;
use parking_lot::Mutex;
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
pub(crate) struct FakeScript {
    /// Events, in order; their sequence is their place.
    pub events: Vec<Payload>,
    /// Events of the live stream of all tasks, if that is to have its own; it goes on without more.
    pub news: Vec<Payload>,
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
pub(crate) struct FakeDaemon {
    /// The data folder.
    pub data: tempfile::TempDir,
    /// What it plays.
    pub script: Arc<Mutex<FakeScript>>,
    server: tokio::task::JoinHandle<()>,
}

impl FakeDaemon {
    pub(crate) async fn start(script: FakeScript) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(data.path().join("confirm.token"), "secret\n").expect("the token can be written");
        let script = Arc::new(Mutex::new(script));
        let (go_on, _) = watch::channel(false);
        let service = FakeService { script: Arc::clone(&script), go_on: Arc::new(go_on) };
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

impl Drop for FakeDaemon {
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

struct FakeService {
    script: Arc<Mutex<FakeScript>>,
    go_on: Arc<watch::Sender<bool>>,
}

type ReplyStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The service: one row for each call with one answer, then the calls that stream.
macro_rules! service {
    ($($call:ident($request:ident) -> $response:ident: $answer:expr;)* $({ $($rest:tt)* })?) => {
        #[tonic::async_trait]
        impl ArtooService for FakeService {
            $(async fn $call(&self, request: Request<$request>) -> Result<Response<$response>, Status> {
                let answer: fn(&Self, $request) -> Result<$response, Status> = $answer;
                answer(self, request.into_inner()).map(Response::new)
            })*

            $($($rest)*)?
        }
    };
}

service! {
    submit_task(SubmitTaskRequest) -> SubmitTaskResponse: FakeService::submit;
    audit_query(AuditQueryRequest) -> AuditQueryResponse: |_, _| {
        Ok(AuditQueryResponse { report: Some(AuditReport::default()) })
    };
    get_task(GetTaskRequest) -> GetTaskResponse: |_, _| Ok(GetTaskResponse { task: Some(task()) });
    list_tasks(ListTasksRequest) -> ListTasksResponse: |_, _| {
        let open = ConfirmationRequest { confirmation_id: QUESTION.to_owned(), ..Default::default() };
        let tasks = vec![Task { open_confirmations: vec![open], ..task() }];
        Ok(ListTasksResponse { tasks, next_page_token: String::new() })
    };
    cancel_task(CancelTaskRequest) -> CancelTaskResponse: |service, _| {
        service.go_on.send_replace(true);
        Ok(CancelTaskResponse { task: Some(task()) })
    };
    resolve_confirmation(ResolveConfirmationRequest) -> ResolveConfirmationResponse: |service, request| {
        service.script.lock().resolved.push(request);
        service.go_on.send_replace(true);
        Ok(ResolveConfirmationResponse { task: Some(task()) })
    };
    answer_clarification(AnswerClarificationRequest) -> AnswerClarificationResponse: |_, _| {
        Ok(AnswerClarificationResponse { task: Some(task()) })
    };
    query_memory(QueryMemoryRequest) -> QueryMemoryResponse: |_, _| {
        let (other, relation, why) = ("b".to_owned(), "alias".to_owned(), "w".to_owned());
        let relations = vec![Relation { other, relation, similarity: 0.75, why }];
        Ok(QueryMemoryResponse { clusters: Vec::new(), relations })
    };
    list_megrams(ListMegramsRequest) -> ListMegramsResponse: missing;
    remember(RememberRequest) -> RememberResponse: missing;
    forget(ForgetRequest) -> ForgetResponse: |_, request| {
        let megram = Megram { content: "a lesson".to_owned(), ..Default::default() };
        let megrams = if request.dry_run { vec![megram] } else { Vec::new() };
        Ok(ForgetResponse { forgotten: 2, megrams })
    };
    separate_requests(SeparateRequestsRequest) -> SeparateRequestsResponse: |_, _| {
        Ok(SeparateRequestsResponse { changed: true, relation: None })
    };
    law_proposals(LawProposalsRequest) -> LawProposalsResponse: missing;
    get_memory_stats(GetMemoryStatsRequest) -> GetMemoryStatsResponse: missing;
    verify_memory(VerifyMemoryRequest) -> VerifyMemoryResponse: |_, _| {
        let findings = vec!["x| belongs to no memory".to_owned()];
        Ok(VerifyMemoryResponse { findings, total_findings: 1, ..Default::default() })
    };
    import_memory(ImportMemoryRequest) -> ImportMemoryResponse: missing;
    explain_action(ExplainActionRequest) -> ExplainActionResponse: |_, request| {
        let decision = if request.arguments.contains("rm") { "confirm" } else { "safe" }.to_owned();
        Ok(ExplainActionResponse { decision, reasons: vec![request.arguments], ..Default::default() })
    };
    verify_audit(VerifyAuditRequest) -> VerifyAuditResponse: |_, _| {
        let findings = vec!["segment 1 line 7: altered".to_owned()];
        Ok(VerifyAuditResponse { findings, lines: 9, ..Default::default() })
    };
    list_findings(ListFindingsRequest) -> ListFindingsResponse: |_, _| {
        let closed = ListedFinding { acknowledged_at: Some(Default::default()), ..finding() };
        let findings = vec![finding(), closed];
        Ok(ListFindingsResponse { findings, open: 1, ..Default::default() })
    };
    get_finding(GetFindingRequest) -> GetFindingResponse: |_, request| match request.finding_id.as_str() {
        "f01" => Ok(GetFindingResponse { finding: Some(finding()) }),
        _ => Err(Status::not_found("no finding is called that")),
    };
    ack_finding(AckFindingRequest) -> AckFindingResponse: |_, _| {
        let closed = ListedFinding { acknowledged_at: Some(Default::default()), ..finding() };
        Ok(AckFindingResponse { findings: vec![closed], open: 0 })
    };
    list_reports(ListReportsRequest) -> ListReportsResponse: |_, _| {
        let report = AuditReport { trigger: "periodic".to_owned(), tasks_observed: 3, ..Default::default() };
        Ok(ListReportsResponse { reports: vec![ListedReport { sequence: 7, report: Some(report) }], ..Default::default() })
    };
    replay_task(ReplayTaskRequest) -> ReplayTaskResponse: |_, _| {
        Ok(ReplayTaskResponse { identical: true, ..Default::default() })
    };
    report_task(ReportTaskRequest) -> ReportTaskResponse: |_, request| {
        let of = if request.all { "all" } else { "one" };
        Ok(ReportTaskResponse { html: format!("<!doctype html>{of}") })
    };
    read_output(ReadOutputRequest) -> ReadOutputResponse: |_, request| {
        let whole = "first\nsecond\nthird";
        let start = usize::try_from(request.offset).unwrap_or_default();
        let text = whole.get(start..(start + 8).min(whole.len())).unwrap_or_default().to_owned();
        let next_offset = request.offset + text.len() as u64;
        Ok(ReadOutputResponse { text, next_offset, total_bytes: whole.len() as u64 })
    };
    list_prompts(ListPromptsRequest) -> ListPromptsResponse: |_, request| {
        let message = PromptMessage { speaker: "system".to_owned(), content: "You are\nR2".to_owned() };
        let prompt = |call: u64| Prompt {
            call,
            role: "R2".to_owned(),
            messages: vec![message.clone()],
            chars: 10,
            same_chars: 10 * (call - 1),
            schema: "plan".to_owned(),
            ..Default::default()
        };
        Ok(ListPromptsResponse { prompts: vec![prompt(request.after_call + 1)], more: request.after_call == 0 })
    };
    undo_task(UndoTaskRequest) -> UndoTaskResponse: |_, _| Ok(UndoTaskResponse::default());
    list_mcp_servers(ListMcpServersRequest) -> ListMcpServersResponse: |_, _| {
        Ok(ListMcpServersResponse::default())
    };
    approve_mcp_server(ApproveMcpServerRequest) -> ApproveMcpServerResponse: missing;
    add_schedule(AddScheduleRequest) -> AddScheduleResponse: missing;
    list_schedules(ListSchedulesRequest) -> ListSchedulesResponse: |_, _| Ok(ListSchedulesResponse::default());
    remove_schedule(RemoveScheduleRequest) -> RemoveScheduleResponse: missing;
    run_schedule(RunScheduleRequest) -> RunScheduleResponse: missing;
    diagnose(DiagnoseRequest) -> DiagnoseResponse: |_, _| Ok(DiagnoseResponse::default());
    get_status(GetStatusRequest) -> GetStatusResponse: |_, _| {
        Ok(GetStatusResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol_version: artoo_protocol::PROTOCOL_VERSION,
            provider: "offline".to_owned(),
            ..Default::default()
        })
    };
    {
        type StreamEventsStream = ReplyStream<StreamEventsResponse>;
        type ExportMemoryStream = ReplyStream<ExportMemoryResponse>;

        async fn stream_events(
            &self,
            request: Request<StreamEventsRequest>,
        ) -> Result<Response<Self::StreamEventsStream>, Status> {
            Ok(Response::new(self.stream(&request.into_inner())))
        }

        async fn export_memory(
            &self,
            _: Request<ExportMemoryRequest>,
        ) -> Result<Response<Self::ExportMemoryStream>, Status> {
            let lines = ["{\"a\":1}\n", "{\"b\":2}\n"];
            let lines = lines.map(|line| Ok(ExportMemoryResponse { lines: line.to_owned() }));
            Ok(Response::new(Box::pin(tokio_stream::iter(lines))))
        }
    }
}

/// The answer of every call that no test makes.
fn missing<Q, R>(_: &FakeService, _: Q) -> Result<R, Status> {
    Err(Status::unimplemented("not in this build"))
}

fn finding() -> ListedFinding {
    let finding = AuditFinding {
        id: "f0123456789".to_owned(),
        task_id: TASK.to_owned(),
        sequence: 7,
        kind: "plateau".to_owned(),
        detail: "D is 0.50 and did not fall".to_owned(),
        message: "plan_directive R7 → R2: refine".to_owned(),
        ..Default::default()
    };
    ListedFinding {
        finding: Some(finding),
        acknowledged_at: None,
        advice: "Give the task a hint.".to_owned(),
    }
}

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

impl FakeService {
    fn submit(&self, request: SubmitTaskRequest) -> Result<SubmitTaskResponse, Status> {
        let mut script = self.script.lock();
        script.submitted.push(request);
        match &script.refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(SubmitTaskResponse { task_id: TASK.to_owned(), already_known: false }),
        }
    }

    fn events(&self, after: u64) -> (Vec<StreamEventsResponse>, Option<usize>, bool) {
        let mut script = self.script.lock();
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

    fn stream(&self, request: &StreamEventsRequest) -> ReplyStream<StreamEventsResponse> {
        let news = self.script.lock().news.clone();
        if request.task_id.is_empty() && !news.is_empty() {
            let news = news.into_iter().map(|payload| {
                let event = Event { payload: Some(payload), ..Default::default() };
                Ok(StreamEventsResponse { event: Some(event), heartbeat: None })
            });
            return Box::pin(tokio_stream::iter(news.collect::<Vec<_>>()).chain(tokio_stream::pending()));
        }
        let silent_after = self.script.lock().silent_after.take();
        let (mut events, waits, breaks) = self.events(request.after_sequence);
        if let Some(length) = silent_after {
            assert!(request.heartbeat_ms > 0, "the client wants to know whether the daemon lives");
            events.truncate(length);
            events.push(StreamEventsResponse { event: None, heartbeat: Some(Heartbeat::default()) });
            let silence = tokio_stream::pending();
            return Box::pin(tokio_stream::iter(events.into_iter().map(Ok)).chain(silence));
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
        Box::pin(first.chain(later).chain(tokio_stream::iter(end)))
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
