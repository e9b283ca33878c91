//! The whole output of a task, part by part.

use artoo_protocol::v1;
use tonic::Status;

use super::service::{Calls, blocking};
use super::{errors, fields};

/// Bytes of one part.
const PART_BYTES: usize = 512 * 1024;

/// A part of the output that the final result of a task holds cut.
pub(super) async fn read_output(
    calls: &Calls,
    request: v1::ReadOutputRequest,
) -> Result<v1::ReadOutputResponse, Status> {
    let task_id = fields::task_id(&request.task_id)?;
    let (tasks, toolbox) = (calls.parts.tasks.clone(), calls.parts.toolbox.clone());
    blocking(move || {
        let view = tasks.get(task_id).map_err(|error| errors::of_task(&error))?;
        let handle = view.result.and_then(|result| result.marks.handle).ok_or_else(|| {
            let why = "no output of this task was cut: its final result holds all of it";
            errors::not_now("OUTPUT_NOT_CUT", &request.task_id, why)
        })?;
        let stored = toolbox.stored_output(&handle);
        let text = stored.map_err(|why| errors::not_found("output", &handle, &why.to_string()))?;
        part(&text, request.offset).ok_or_else(|| {
            errors::invalid("offset", "no part begins there: begin with 0, then use next_offset")
        })
    })
    .await
}

fn part(text: &str, offset: u64) -> Option<v1::ReadOutputResponse> {
    let start = usize::try_from(offset).ok()?;
    let rest = text.get(start..)?;
    let taken = &rest[..rest.floor_char_boundary(PART_BYTES.min(rest.len()))];
    Some(v1::ReadOutputResponse {
        text: taken.to_owned(),
        next_offset: (start + taken.len()) as u64,
        total_bytes: text.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::{PART_BYTES, part};

    #[test]
    fn parts_end_between_characters_and_together_are_the_whole() {
        let text = "日本".repeat(PART_BYTES / 4);
        let (mut read, mut offset) = (String::new(), 0);
        loop {
            let part = part(&text, offset).expect("a part begins there");
            assert!(part.text.len() <= PART_BYTES);
            read.push_str(&part.text);
            offset = part.next_offset;
            if offset == part.total_bytes {
                break;
            }
        }
        assert!(read == text);
        assert!(part(&text, 1).is_none(), "in the midst of a character");
        assert!(part(&text, text.len() as u64 + 1).is_none());
    }
}
