//! The law of R5: potentials, decay, what the Dreamer may do, key codec.
//!
//! This crate decides; it never reads a clock, a file or a database, and it never calls a model. Times are inputs, and
//! what should be done is an output; `artoo-store` does it.
//! Start with [`accumulator`] (how the two channels are kept without a scan), then [`expiry`] and [`trust`] (what is
//! forgotten, and which rules fall), [`consolidation`] (which evidence becomes a rule), then [`dreamer`] (who decides what
//! goes), then [`record`] and [`key`] (what is kept, and where it lies on the disk).

pub mod accumulator;
pub mod admission;
pub mod clock;
pub mod consolidation;
pub mod crossing;
pub mod dreamer;
pub mod encoding;
pub mod expiry;
pub mod filing;
pub mod hypothesis;
pub mod key;
pub mod known;
pub mod law;
pub mod potential;
pub mod priority;
pub mod record;
pub mod relate;
pub mod sharing;
pub mod sign;
pub mod sum;
pub mod trust;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod simulation;
