//! Where the words of a client come in: every text of a request is redacted before anything looks at it, so that neither
//! an answer nor a refusal, neither a log line nor a task can repeat a secret.

use artoo_protocol::v1;
use artoo_types::redact::Redactor;

/// A request whose texts can be redacted. Each names all its fields, so that a new one cannot be forgotten.
pub(super) trait Entering {
    /// Takes secrets out of every text.
    fn redact(&mut self, redactor: &Redactor);
}

impl Entering for v1::SubmitTaskRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { input, session_id, request_id, working_directory, options: _ } = self;
        [input, session_id, request_id, working_directory].into_iter().for_each(|text| redactor.clean(text));
    }
}

impl Entering for v1::StreamEventsRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id, after_sequence: _, follow: _, heartbeat_ms: _ } = self;
        redactor.clean(task_id);
    }
}

impl Entering for v1::AuditQueryRequest {
    fn redact(&mut self, _redactor: &Redactor) {
        let Self { include_window: _ } = self;
    }
}

impl Entering for v1::GetTaskRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id } = self;
        redactor.clean(task_id);
    }
}

impl Entering for v1::ListTasksRequest {
    fn redact(&mut self, redactor: &Redactor) {
        // A page's token is ours, and no answer repeats it.
        let Self { page_size: _, page_token: _, state } = self;
        redactor.clean(state);
    }
}

impl Entering for v1::CancelTaskRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id } = self;
        redactor.clean(task_id);
    }
}

impl Entering for v1::ResolveConfirmationRequest {
    fn redact(&mut self, redactor: &Redactor) {
        // The token has to be compared; nothing keeps or repeats it.
        let Self { confirmation_id, approved: _, token: _, remember_for_task: _ } = self;
        redactor.clean(confirmation_id);
    }
}

impl Entering for v1::AnswerClarificationRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id, answer } = self;
        redactor.clean(task_id);
        redactor.clean(answer);
    }
}

impl Entering for v1::QueryMemoryRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { tags, level, text, compare_to } = self;
        redact_tags(tags, redactor);
        [level, text, compare_to].into_iter().for_each(|text| redactor.clean(text));
    }
}

impl Entering for v1::ListMegramsRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { tags, level, text, page_size: _, page_token: _, ids } = self;
        redact_tags(tags, redactor);
        redactor.clean_all(ids);
        redactor.clean(level);
        redactor.clean(text);
    }
}

impl Entering for v1::RememberRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { text, tags, level, constraint: _ } = self;
        redact_tags(tags, redactor);
        redactor.clean(text);
        redactor.clean(level);
    }
}

impl Entering for v1::ForgetRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { megram_ids, tags, level, dry_run: _ } = self;
        redact_tags(tags, redactor);
        redactor.clean_all(megram_ids);
        redactor.clean(level);
    }
}

impl Entering for v1::ExportMemoryRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { level } = self;
        redactor.clean(level);
    }
}

impl Entering for v1::ImportMemoryRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { lines, first_line: _ } = self;
        let clean = lines.split_inclusive('\n').map(|line| {
            let mut line = line.to_owned();
            redactor.clean_json(&mut line);
            line
        });
        *lines = clean.collect();
    }
}

impl Entering for v1::SeparateRequestsRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { first, second, undo: _ } = self;
        redactor.clean(first);
        redactor.clean(second);
    }
}

impl Entering for v1::GetMemoryStatsRequest {
    fn redact(&mut self, _redactor: &Redactor) {
        let Self {} = self;
    }
}

impl Entering for v1::VerifyMemoryRequest {
    fn redact(&mut self, _redactor: &Redactor) {
        let Self { rebuild: _ } = self;
    }
}

impl Entering for v1::ExplainActionRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { tool, arguments, working_directory } = self;
        redactor.clean(tool);
        redactor.clean_json(arguments);
        redactor.clean(working_directory);
    }
}

impl Entering for v1::VerifyAuditRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id, include_memory: _, anchors } = self;
        redactor.clean(task_id);
        redactor.clean_all(anchors);
    }
}

impl Entering for v1::ReplayTaskRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id, control } = self;
        redactor.clean(task_id);
        *control = std::mem::take(control)
            .into_iter()
            .map(|(key, value)| (redactor.redact(&key).into_owned(), redactor.redact(&value).into_owned()))
            .collect();
    }
}

impl Entering for v1::ReportTaskRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id } = self;
        redactor.clean(task_id);
    }
}

impl Entering for v1::UndoTaskRequest {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { task_id, dry_run: _, force: _ } = self;
        redactor.clean(task_id);
    }
}

impl Entering for v1::ListMcpServersRequest {
    fn redact(&mut self, _redactor: &Redactor) {
        let Self {} = self;
    }
}

impl Entering for v1::ApproveMcpServerRequest {
    fn redact(&mut self, redactor: &Redactor) {
        // The token and the digest have to be compared; nothing keeps or repeats them.
        let Self { name, digest: _, token: _ } = self;
        redactor.clean(name);
    }
}

impl Entering for v1::GetStatusRequest {
    fn redact(&mut self, _redactor: &Redactor) {
        let Self {} = self;
    }
}

fn redact_tags(tags: &mut [v1::Tag], redactor: &Redactor) {
    for v1::Tag { space, entity } in tags {
        redactor.clean(space);
        redactor.clean(entity);
    }
}

#[cfg(test)]
mod tests;
