//! The whole of an output that a final result holds cut, for programs and files, which take any length.

use artoo_protocol::json::json_to_value;
use artoo_protocol::v1::{FinalResult, ReadOutputRequest};
use tonic::Status;

use crate::connection::Client;
use crate::render::{Line, Tone};

/// Most bytes of an output that are put together: more than the longest output of a tool.
const MAX_BYTES: u64 = 64 << 20;

/// Puts the whole output in the place of one that is cut. What is returned says why it stays cut.
pub async fn complete(client: &mut Client, result: &mut FinalResult) -> Option<Line> {
    result.handle.as_ref()?;
    match read(client, &result.task_id).await {
        Ok(text) => {
            result.output = Some(json_to_value(&text.into()));
            result.handle = None;
            None
        }
        Err(status) => {
            let why = format!(
                "! the output is cut in its middle, and all of it cannot be had: {}",
                status.message()
            );
            Some(Line::new().foreign(Tone::Warn, &why))
        }
    }
}

async fn read(client: &mut Client, task_id: &str) -> Result<String, Status> {
    let mut text = String::new();
    loop {
        let offset = text.len() as u64;
        let request = ReadOutputRequest { task_id: task_id.to_owned(), offset };
        let part = client.read_output(request).await?.into_inner();
        text.push_str(&part.text);
        if part.next_offset >= part.total_bytes {
            return Ok(text);
        }
        if part.text.is_empty() || part.total_bytes > MAX_BYTES {
            return Err(Status::out_of_range("the daemon gave no further part of it"));
        }
    }
}
