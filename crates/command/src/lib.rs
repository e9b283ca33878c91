//! Commands: their processes, their sandbox, and that nothing outlives its call. This crate never decides whether a command
//! may run and never asks a person. It is a crate of its own to quarantine landlock, seccompiler and libc, and so that
//! nothing else can start a process below a keeper.
//!
//! Start with [`process`] (one command from start to end), then [`children`] (the keeper), then [`sandbox`].

pub mod children;
mod launcher;
pub mod process;
pub mod sandbox;
pub mod stop;

pub use launcher::Launcher;
