//! Every RPC, one row: how long its answer may take to begin, who may call it, which fields of the request are redacted,
//! which are left as they are, and the function that answers it. A new RPC needs its row here and that function.

use std::time::Duration;

use artoo_protocol::v1;
use artoo_protocol::v1::artoo_service_server::ArtooService;
use artoo_redact::Redactor;
use tonic::{Request, Response, Status};

use super::entrance::{ANSWER_WITHIN, Callers, Entering, Redact, Rpc, json, json_lines, within};
use super::service::{Calls, ResponseStream};
use super::{
    audit, confirmation, diagnose, events, explain_action, export_memory, findings, forget, import_memory,
    law_proposals, list_megrams, list_prompts, mcp, query_memory, read_output, remember, replay_task,
    report_task, schedules, separate_requests, status, tasks, undo_task, verify_memory,
};

/// As long as most answers may take.
const USUAL: Option<Duration> = Some(ANSWER_WITHIN);
/// As long as it needs: what is journaled is done, and whoever wished it is told.
const UNBOUNDED: Option<Duration> = None;

/// So many seconds.
const fn seconds(seconds: u64) -> Option<Duration> {
    Some(Duration::from_secs(seconds))
}

/// Makes the service of the rows. The fields before the semicolon are redacted, those after it are not; each field of the
/// request has to stand on one side. Where people alone may call, the request has a field `token`: it has to be compared, and
/// nothing keeps or repeats it.
macro_rules! rpcs {
    ($(
        $name:ident, $deadline:expr, $callers:ident $(($what:literal $(if $condition:ident)?))?,
        $family:ident::$handler:ident($request:ident { $($text:ident $(as $form:ident)?),* ; $($left:ident),* })
            -> $response:ty;
    )*) => {
        /// The rows.
        #[cfg(test)]
        pub(super) const RPCS: &[Rpc] = &[$(<v1::$request as Entering>::RPC),*];

        /// The fields of the requests that are not redacted.
        #[cfg(test)]
        const LEFT: &[(&str, &[&str])] = &[$((stringify!($name), &[$(stringify!($left)),*])),*];

        $(impl Entering for v1::$request {
            const RPC: Rpc =
                Rpc { name: stringify!($name), deadline: $deadline, callers: Callers::$callers $(($what))? };

            fn redact(&mut self, _redactor: &Redactor) {
                let Self { $($text,)* $($left: _,)* } = self;
                $(redact!(_redactor, $text $(, $form)?);)*
            }

            $(
                $(fn is_restricted(&self) -> bool {
                    self.$condition
                })?

                person!($what);
            )?
        })*

        #[tonic::async_trait]
        impl ArtooService for Calls {
            type StreamEventsStream = ResponseStream<v1::StreamEventsResponse>;
            type ExportMemoryStream = ResponseStream<v1::ExportMemoryResponse>;

            $(async fn $handler(&self, request: Request<v1::$request>) -> Result<Response<$response>, Status> {
                let request = self.enter(request)?;
                within(<v1::$request as Entering>::RPC.deadline, $family::$handler(self, request)).await
            })*
        }
    };
}

/// Where the proof of a person is in a request of which only a person may make.
macro_rules! person {
    ($what:literal) => {
        fn token(&self) -> &str {
            &self.token
        }
    };
}

macro_rules! redact {
    ($redactor:ident, $text:ident) => {
        $text.redact($redactor)
    };
    ($redactor:ident, $text:ident, $form:ident) => {
        $form($text, $redactor)
    };
}

rpcs! {
    SubmitTask, USUAL, Anybody,
        tasks::submit_task(SubmitTaskRequest { input, session_id, request_id, working_directory; options })
            -> v1::SubmitTaskResponse;
    StreamEvents, USUAL, Anybody,
        events::stream_events(StreamEventsRequest { task_id; after_sequence, follow, heartbeat_ms })
            -> ResponseStream<v1::StreamEventsResponse>;
    AuditQuery, USUAL, Anybody,
        audit::audit_query(AuditQueryRequest { ; include_window }) -> v1::AuditQueryResponse;
    GetTask, USUAL, Anybody,
        tasks::get_task(GetTaskRequest { task_id; }) -> v1::GetTaskResponse;
    // A page's token is ours, and no answer repeats it.
    ListTasks, USUAL, Anybody,
        tasks::list_tasks(ListTasksRequest { state; page_size, page_token }) -> v1::ListTasksResponse;
    CancelTask, USUAL, Anybody,
        tasks::cancel_task(CancelTaskRequest { task_id; }) -> v1::CancelTaskResponse;
    ResolveConfirmation, USUAL, People("answer for a person"),
        confirmation::resolve_confirmation(ResolveConfirmationRequest { confirmation_id; approved, token, remember_for_task })
            -> v1::ResolveConfirmationResponse;
    AnswerClarification, USUAL, Anybody,
        confirmation::answer_clarification(AnswerClarificationRequest { task_id, answer; })
            -> v1::AnswerClarificationResponse;
    QueryMemory, USUAL, Anybody,
        query_memory::query_memory(QueryMemoryRequest { tags, level, text, compare_to; }) -> v1::QueryMemoryResponse;
    ListMegrams, USUAL, Anybody,
        list_megrams::list_megrams(ListMegramsRequest { tags, level, text, ids; page_size, page_token })
            -> v1::ListMegramsResponse;
    Remember, USUAL, People("write into the memory"),
        remember::remember(RememberRequest { text, tags, level; constraint, token }) -> v1::RememberResponse;
    Forget, UNBOUNDED, People("forget anything in the memory"),
        forget::forget(ForgetRequest { megram_ids, tags, level; dry_run, token }) -> v1::ForgetResponse;
    ExportMemory, USUAL, Anybody,
        export_memory::export_memory(ExportMemoryRequest { level; }) -> ResponseStream<v1::ExportMemoryResponse>;
    ImportMemory, UNBOUNDED, People("import anything into the memory"),
        import_memory::import_memory(ImportMemoryRequest { lines as json_lines; first_line, token }) -> v1::ImportMemoryResponse;
    SeparateRequests, USUAL, People("separate requests in the memory"),
        separate_requests::separate_requests(SeparateRequestsRequest { first, second; undo, token })
            -> v1::SeparateRequestsResponse;
    LawProposals, USUAL, People("decide about laws" if decide),
        law_proposals::law_proposals(LawProposalsRequest { rule_id; decide, accept, token }) -> v1::LawProposalsResponse;
    GetMemoryStats, USUAL, Anybody,
        verify_memory::get_memory_stats(GetMemoryStatsRequest { ; }) -> v1::GetMemoryStatsResponse;
    VerifyMemory, UNBOUNDED, People("rebuild the memory" if rebuild),
        verify_memory::verify_memory(VerifyMemoryRequest { ; rebuild, token }) -> v1::VerifyMemoryResponse;
    ExplainAction, USUAL, Anybody,
        explain_action::explain_action(ExplainActionRequest { tool, arguments as json, working_directory; })
            -> v1::ExplainActionResponse;
    // It reads the whole log.
    VerifyAudit, seconds(600), Anybody,
        audit::verify_audit(VerifyAuditRequest { task_id, anchors; include_memory }) -> v1::VerifyAuditResponse;
    // A page's token is ours, and no answer repeats it.
    ListFindings, USUAL, Anybody,
        findings::list_findings(ListFindingsRequest { ; page_size, page_token, open_only }) -> v1::ListFindingsResponse;
    GetFinding, USUAL, Anybody,
        findings::get_finding(GetFindingRequest { finding_id; }) -> v1::GetFindingResponse;
    AckFinding, USUAL, People("acknowledge what the auditor found"),
        findings::ack_finding(AckFindingRequest { finding_ids; token }) -> v1::AckFindingResponse;
    ListReports, USUAL, Anybody,
        findings::list_reports(ListReportsRequest { ; page_size, page_token }) -> v1::ListReportsResponse;
    // It folds a whole journal.
    ReplayTask, seconds(120), Anybody,
        replay_task::replay_task(ReplayTaskRequest { task_id, control; }) -> v1::ReplayTaskResponse;
    ReportTask, USUAL, Anybody,
        report_task::report_task(ReportTaskRequest { task_id; all }) -> v1::ReportTaskResponse;
    ReadOutput, USUAL, Anybody,
        read_output::read_output(ReadOutputRequest { task_id; offset }) -> v1::ReadOutputResponse;
    ListPrompts, USUAL, Anybody,
        list_prompts::list_prompts(ListPromptsRequest { task_id; after_call }) -> v1::ListPromptsResponse;
    // It copies what may be gigabytes, and what is begun is finished in any case.
    UndoTask, seconds(3_600), People("undo a task"),
        undo_task::undo_task(UndoTaskRequest { task_id; dry_run, force, token }) -> v1::UndoTaskResponse;
    ListMcpServers, USUAL, Anybody,
        mcp::list_mcp_servers(ListMcpServersRequest { ; }) -> v1::ListMcpServersResponse;
    // The digest has to be compared; nothing keeps or repeats it.
    ApproveMcpServer, USUAL, People("answer for a person"),
        mcp::approve_mcp_server(ApproveMcpServerRequest { name; digest, token }) -> v1::ApproveMcpServerResponse;
    AddSchedule, USUAL, People("make a recurring task"),
        schedules::add_schedule(AddScheduleRequest { when, input, working_directory; skip_missed, token })
            -> v1::AddScheduleResponse;
    ListSchedules, USUAL, Anybody,
        schedules::list_schedules(ListSchedulesRequest { ; }) -> v1::ListSchedulesResponse;
    RemoveSchedule, USUAL, People("remove a recurring task"),
        schedules::remove_schedule(RemoveScheduleRequest { schedule_id; token }) -> v1::RemoveScheduleResponse;
    RunSchedule, USUAL, People("run a recurring task"),
        schedules::run_schedule(RunScheduleRequest { schedule_id, request_id; token }) -> v1::RunScheduleResponse;
    // It waits for models. Their calls cost money.
    Diagnose, seconds(150), People("have the models called"),
        diagnose::diagnose(DiagnoseRequest { programs; wait_ms, salt, token }) -> v1::DiagnoseResponse;
    GetStatus, USUAL, Anybody,
        status::get_status(GetStatusRequest { ; }) -> v1::GetStatusResponse;
}

#[cfg(test)]
mod tests;
