//! Reading a request without a model, in English and in Chinese. A crate of its own, so that the planner's validator and
//! the offline rules cut a request at the same places, and neither can reach the other's tables.
//!
//! Start reading at [`cuts`].

mod joints;
mod language;
mod normalise;

pub use joints::{Cut, cuts, strip_joints};
pub use language::{Language, is_han};
pub use normalise::{normalise, quoted_ranges};
