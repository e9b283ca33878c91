//! The words of artoo: ids, every message, the envelope, and the table of who may send what to whom.
//!
//! This crate holds values and their checks. It never reads a clock, a file or the network, and it decides nothing:
//! decisions live in `artoo-control` (the controller) and `artoo-roles` (everybody else).
//! Start with [`envelope`] (what travels), then [`contract`] (who may send it), then [`machine`] (what goes in and out
//! of the machine that runs one task).

pub mod belief;
pub mod brief;
pub mod changes;
pub mod chat;
pub mod claim;
pub mod contract;
pub mod control;
pub mod criteria;
pub mod deadline;
pub mod declare;
pub mod envelope;
pub mod evidence;
pub mod farewell;
pub mod finding;
pub mod force;
pub mod form;
pub mod ids;
pub mod laws;
mod lenient;
pub mod lesson;
pub mod limits;
pub mod machine;
pub mod memory;
pub mod operator;
pub mod outcome;
pub mod plan;
pub mod rate;
pub mod redaction;
pub mod reply;
pub mod role;
pub mod secret_places;
pub mod setting;
pub mod situation;
pub mod spelling;
pub mod tag;
pub mod taint;
pub mod target;
pub mod task;
pub mod text;
pub mod tool;
pub mod undo;
pub mod unit;
pub mod usage;

pub use envelope::{Envelope, Message, MessageKind, MessageVisitor};
pub use ids::{ConfirmationId, EffectId, EvidenceId, SubtaskId, TaskId, Timestamp};
