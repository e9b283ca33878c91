//! The laboratory of the controller: invented plants, and whole tasks that run through the production machine.
//!
//! A plant is a world in numbers ([`plant`]): how often judges err, how often a planner follows advice, what receipts show.
//! A task has a hidden cause of failure in each step. [`world`] plays every role and every tool from it, and the
//! [`artoo_task::TaskMachine`] does the rest as it does in the daemon. Only differences between policies mean anything.

pub mod draw;
pub mod figures;
pub mod plant;
pub mod policy;
pub mod report;
pub mod svg;
pub mod trial;
pub mod world;
