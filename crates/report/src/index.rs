//! Many tasks, a line each.

use artoo_types::Timestamp;
use maud::html;

use crate::foreign;
use crate::{frame, seconds};

/// One task of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLine {
    /// The whole id.
    pub task_id: String,
    /// What was asked.
    pub input: String,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// How it ended, in a word or two; `at work` while it has not.
    pub end: String,
    /// Whether it delivered.
    pub delivered: bool,
    /// Model calls.
    pub calls: u64,
    /// From acceptance to the end, in milliseconds.
    pub elapsed_ms: u64,
}

/// A page about these tasks, in the order given. `left_out` older ones are counted only.
pub fn index(tasks: &[TaskLine], left_out: usize) -> String {
    let delivered = tasks.iter().filter(|task| task.delivered).count();
    let body = html! {
        header { h1 { "Tasks" } p { (delivered) " of " (tasks.len()) " delivered" } }
        table {
            thead { tr { th { "when" } th { "what" } th { "end" } th.n { "model calls" } th.n { "time" } } }
            tbody {
                @for task in tasks {
                    tr {
                        td.dim { (task.created_at) }
                        td { (foreign(&task.input)) br; span.dim { (task.task_id) } }
                        td.(if task.delivered { "good" } else { "bad" }) { (task.end.replace('_', " ")) }
                        td.n { (task.calls) }
                        td.n { (seconds(task.elapsed_ms)) }
                    }
                }
            }
        }
        @if left_out > 0 { p.dim { (left_out) " older tasks are not listed." } }
    };
    frame::document("Tasks", &body).into_string()
}
