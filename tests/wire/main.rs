//! The daemon as clients of any language meet it: its socket, many at a time, across power cuts, and with clients that
//! misbehave. Start reading at `submitting.rs`.

#[path = "../support/daemon.rs"]
mod daemon;

mod calls;
mod dice;
mod flooding;
mod frames;
mod memories;
mod stalling;
mod streaming;
mod submitting;
