//! The protocol between the daemon and everybody else: code generated from `proto/`, and the JSON form of its messages.
//!
//! This crate exists so that the client needs nothing else of artoo. It sees no internal crate and decides nothing.
//! Start with `proto/artoo/v1/service.proto`; [`json`] turns messages into what `--json` prints, [`words`] the words in
//! their fields into enums.

pub mod json;
mod request_codec;
pub mod words;

pub use prost::{Message, Name};

/// Messages, client and server of `artoo.v1`.
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::wildcard_enum_match_arm,
    clippy::semicolon_if_nothing_returned,
    clippy::uninlined_format_args,
    reason = "generated from commented protocol files"
)]
pub mod v1 {
    tonic::include_proto!("artoo.v1");
    include!(concat!(env!("OUT_DIR"), "/server/artoo.v1.rs"));
}

/// Every file of the protocol as an encoded `google.protobuf.FileDescriptorSet`, for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/artoo.v1.bin"));

/// Version of the protocol. It changes when an older client can no longer work with a newer daemon.
pub const PROTOCOL_VERSION: u32 = 1;

/// Largest message that is sent, in bytes: a report page is the largest thing there is.
pub const MAX_REPLY_BYTES: usize = 16 * 1024 * 1024;

/// Largest message that the daemon takes, in bytes: 64 KiB of input and its envelope fit many times.
pub const MAX_REQUEST_BYTES: usize = 1024 * 1024;
