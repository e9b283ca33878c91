//! The daemon as clients of any language meet it: its socket, many at a time, across power cuts, and with clients that
//! misbehave. Start reading at `submitting.rs`.

mod calls;
mod flooding;
mod frames;
mod memories;
mod stalling;
mod streaming;
mod submitting;
