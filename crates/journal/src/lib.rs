//! The one truth on disk: append, sync, read, follow, torn tails.
//!
//! Three journals share one line format (see [`mod@line`]): a task's steps ([`TaskJournal`]), the accepted tasks
//! ([`AcceptIndex`]) and the envelopes that belong to no task ([`SystemJournal`]). Each record is one line, written by
//! one write call, chained to the line before it and closed by a checksum. This crate never interprets a step: folding
//! is `artoo-task`'s. Start with [`TaskJournal`], then [`Follower`], which reads what the journals write.

mod accept;
mod crash;
mod error;
mod follow;
mod group;
pub mod line;
mod line_file;
mod repeats;
mod rewrite;
mod scan;
mod system;
mod task;

pub use accept::{AcceptIndex, AcceptRecord, AcceptedTask, EndRecord};
pub use crash::{CrashPoint, CrashPointError};
pub use error::{BadLine, JournalError};
pub use follow::{EnvelopeReader, Follower, SystemReader, TaskReader, envelopes_after, read, read_system};
pub use group::sync_new;
pub use line::LineFault;
pub use line_file::AppendedLine;
pub use scan::OpenReport;
pub use system::SystemJournal;
pub use task::{TaskJournal, task_ids, task_path};

#[cfg(test)]
mod testing;
