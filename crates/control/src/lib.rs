//! R7, the Goal Gradient Solver: the controller of the loop that plans, acts and measures.
//!
//! It turns what the validators measured into one decision a round: how the next plan must differ, or how the task
//! ends. It is pure: time, cost and messages are inputs, directives, memories and the one result are outputs. It never
//! plans, runs, merges or judges anything itself, and it reads no clock.
//!
//! The figures of a round *t*:
//!
//! | symbol | formula | where |
//! |---|---|---|
//! | D, distance | max(D_sub, D_task), each Σ weight of failed criteria / evaluated criteria; weight 1 if verifiable, k/N if plausible | [`loss::distance`] |
//! | P, implausibility | logical / (logical + environmental) failed criteria; 0 without a failure, 0.5 with none classified | [`loss::implausibility`] |
//! | Ω, cost | w₁·min(1, directives/maxReplans) + w₂·min(1, max(elapsed/time_budget, tokens/max_tokens)) | [`loss::cost`] |
//! | L, loss | αD + β(1−Ω)P + λΩ | [`loss::total`] |
//! | Q, quality part | αD + βP | [`loss::quality`] |
//! | ∇L, ∇Q | L_t − L_{t−1}, Q_t − Q_{t−1}; 0 in the first round | [`loss::Gradient`] |
//!
//! Start with [`solver`], the step machine; then [`cascade`], the table of 24 cells that it asks; then [`blame`], what a
//! directive may block, and [`belief`], what is thought of each failed step alone.

pub mod belief;
pub mod blame;
pub mod calibrate;
pub mod cascade;
pub mod directive;
mod farewell;
pub mod feedback;
pub mod finish;
pub mod history;
pub mod loss;
mod practice;
pub mod quantize;
pub mod reading;
pub mod solver;
pub mod steering;
pub mod task_end;

pub use cascade::Decision;
pub use loss::Spending;
pub use solver::{Effect, Input, Solver};

#[cfg(test)]
mod testing;
