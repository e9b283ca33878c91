//! The whole memory as lines of JSON, page by page.

use artoo_protocol::v1;
use artoo_store::{ListQuery, MemoryPage, MemoryReader, PageCursor};
use artoo_types::memory::Level;
use futures_util::stream::unfold;
use tonic::Status;

use super::memory_search::note_reading;
use super::service::{Calls, ResponseStream, blocking};
use super::shutdown::ShutdownSignal;
use super::{errors, fields};

/// Memories in one message of the stream: some tens of kilobytes, far below the largest message.
const PAGE: usize = 100;

struct ExportState {
    memory: MemoryReader,
    level: Option<Level>,
    after: Option<PageCursor>,
    stop: ShutdownSignal,
}

/// Every memory of a level, or every memory. One that is written meanwhile may be missing; none comes twice.
pub(super) async fn export_memory(
    calls: &Calls,
    request: v1::ExportMemoryRequest,
) -> Result<ResponseStream<v1::ExportMemoryResponse>, Status> {
    let level = fields::level(&request.level)?;
    let memory = calls.parts.memory()?;
    note_reading(calls, &[], "export");
    let start = ExportState { memory, level, after: None, stop: calls.stop.clone() };
    Ok(Box::pin(unfold(Some(start), |open| async move {
        let exporting = open?;
        match exporting.page().await {
            Err(status) => Some((Err(status), None)),
            Ok(page) => {
                let next = page.next.clone();
                let going_on = next.map(|after| ExportState { after: Some(after), ..exporting });
                Some((lines(&page), going_on))
            }
        }
    })))
}

impl ExportState {
    async fn page(&self) -> Result<MemoryPage, Status> {
        if self.stop.is_set() {
            return Err(errors::shutting_down());
        }
        let memory = self.memory.clone();
        let query =
            ListQuery { level: self.level, after: self.after.clone(), limit: PAGE, ..ListQuery::default() };
        blocking(move || memory.list(&query).map_err(|error| errors::of_store(&error))).await
    }
}

fn lines(page: &MemoryPage) -> Result<v1::ExportMemoryResponse, Status> {
    let mut lines = String::new();
    for megram in &page.megrams {
        let line = serde_json::to_string(megram).map_err(|error| {
            errors::broken("MEMORY", &format!("the memory {} cannot be written: {error}", megram.id))
        })?;
        lines.push_str(&line);
        lines.push('\n');
    }
    Ok(v1::ExportMemoryResponse { lines })
}
