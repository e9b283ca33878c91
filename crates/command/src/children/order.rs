//! What the daemon and a keeper say to each other over one socket: an order with the outputs of its command, then a
//! report. The end of the daemon's side means: end everything. There is one order at a time.

use std::collections::BTreeMap;
use std::io::{IoSlice, IoSliceMut, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use crate::sandbox::Confinement;

/// Longest order in bytes. A command comes from a model's reply or a plan, and the environment holds a bounded number of
/// names; the system itself allows 128 KiB for one argument.
const MAX_ORDER_BYTES: usize = 4 << 20;
/// Longest report in bytes: a few names of programs, see [`super::tree::MAX_NAMES`], of at most 16 bytes each.
pub(super) const MAX_REPORT_BYTES: usize = 64 << 10;
/// Bytes before an order: its length.
const HEADER_BYTES: usize = 8;
/// Standard output and standard error.
const OUTPUTS: usize = 2;
/// Those, and a standard input where the command has one.
const MAX_STREAMS: usize = OUTPUTS + 1;

/// A command to be started and kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Program and arguments.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub folder: String,
    /// Its whole environment.
    pub environment: BTreeMap<String, String>,
    /// Its own temporary folder.
    pub scratch: PathBuf,
    /// What it may do.
    pub confinement: Confinement,
    /// Whether the daemon writes to its standard input, which is empty otherwise.
    #[serde(default)]
    pub has_input: bool,
}

/// The ends of pipes that a command gets.
#[derive(Debug)]
pub(super) struct Streams {
    pub(super) outputs: [OwnedFd; OUTPUTS],
    pub(super) input: Option<OwnedFd>,
}

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// It could not be started; why.
    NotStarted(String),
    /// It is over, and so is everything that it had started, except for what is named.
    Over {
        /// The command's exit status as shells count it; none when it would not go.
        exit: Option<i64>,
        /// What still ran when the command had ended by itself.
        left_running: Vec<String>,
        /// What the system would not let go.
        survivors: Vec<String>,
        /// Whether the keeper can take another order. If not, it ends.
        is_ready: bool,
    },
}

/// The two parts of an order on the wire: the first goes with [`send_first`], the second follows as plain bytes.
pub(super) fn written(order: &Order) -> std::io::Result<([u8; HEADER_BYTES], Vec<u8>)> {
    let body = serde_json::to_vec(order)?;
    if body.len() > MAX_ORDER_BYTES {
        return Err(std::io::Error::other(format!("the command is longer than {MAX_ORDER_BYTES} bytes")));
    }
    Ok(((body.len() as u64).to_be_bytes(), body))
}

/// Sends the first part together with the outputs, and the input if there is one. It fits into an empty socket as a whole.
pub(super) fn send_first(
    control: BorrowedFd<'_>,
    header: &[u8; HEADER_BYTES],
    outputs: [BorrowedFd<'_>; OUTPUTS],
    input: Option<BorrowedFd<'_>>,
) -> std::io::Result<()> {
    let streams: Vec<BorrowedFd<'_>> = outputs.into_iter().chain(input).collect();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_STREAMS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !ancillary.push(SendAncillaryMessage::ScmRights(&streams)) {
        return Err(std::io::Error::other("the pipes of a command do not fit into a message"));
    }
    sendmsg(control, &[IoSlice::new(header)], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// Waits for the next order; none when the other side is closed.
pub(super) fn receive(mut control: &UnixStream) -> std::io::Result<Option<(Order, Streams)>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_STREAMS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut header = [0; HEADER_BYTES];
    let first =
        recvmsg(control.as_fd(), &mut [IoSliceMut::new(&mut header)], &mut ancillary, RecvFlags::empty())?;
    if first.bytes == 0 {
        return Ok(None);
    }
    let mut streams = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            streams.extend(descriptors);
        }
    }
    for stream in &streams {
        // This process starts nothing before it returns from here.
        fcntl_setfd(stream, FdFlags::CLOEXEC)?;
    }
    let input = (streams.len() == MAX_STREAMS).then(|| streams.pop()).flatten();
    let outputs = <[OwnedFd; OUTPUTS]>::try_from(streams)
        .map_err(|_| std::io::Error::other("an order came without the outputs of its command"))?;
    control.read_exact(&mut header[first.bytes..])?;
    let length = usize::try_from(u64::from_be_bytes(header)).unwrap_or(usize::MAX);
    if length > MAX_ORDER_BYTES {
        return Err(std::io::Error::other("an order is too long"));
    }
    let mut body = vec![0; length];
    control.read_exact(&mut body)?;
    let order: Order = serde_json::from_slice(&body)?;
    if order.has_input != input.is_some() {
        return Err(std::io::Error::other("an order came with other pipes than it names"));
    }
    Ok(Some((order, Streams { outputs, input })))
}

/// Sends a report: one line.
pub(super) fn send_report(mut control: &UnixStream, report: &Report) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    control.write_all(&line)
}

#[cfg(test)]
mod tests;
