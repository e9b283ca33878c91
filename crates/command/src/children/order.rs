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
pub struct CommandOrder {
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
pub enum CommandReport {
    /// It could not be started; why.
    NotStarted(String),
    /// It is over, and so is everything that it had started, except for what is named.
    Over {
        /// The command's exit status as shells count it; `None` if it would not go.
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
pub(super) fn written(order: &CommandOrder) -> std::io::Result<([u8; HEADER_BYTES], Vec<u8>)> {
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

/// Waits for the next order; `None` if the other side is closed.
pub(super) fn receive(mut control: &UnixStream) -> std::io::Result<Option<(CommandOrder, Streams)>> {
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
    let order: CommandOrder = serde_json::from_slice(&body)?;
    if order.has_input != input.is_some() {
        return Err(std::io::Error::other("an order came with other pipes than it names"));
    }
    Ok(Some((order, Streams { outputs, input })))
}

/// Sends a report: one line.
pub(super) fn send_report(mut control: &UnixStream, report: &CommandReport) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    control.write_all(&line)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsFd as _;
    use std::os::unix::net::UnixStream;

    use super::{CommandOrder, MAX_ORDER_BYTES, receive, send_first, written};

    fn order(text: &str) -> CommandOrder {
        CommandOrder {
            arguments: vec!["bash".to_owned(), "-c".to_owned(), text.to_owned()],
            folder: "/x".to_owned(),
            environment: [("A".to_owned(), "\n1".to_owned())].into(),
            scratch: "/tmp/x".into(),
            confinement: crate::sandbox::Confinement::Guarded(vec!["/home/\"\n".to_owned()]),
            has_input: false,
        }
    }

    #[test]
    fn an_order_arrives_with_its_outputs() {
        let (ours, its) = UnixStream::pair().unwrap();
        let (mut out, writer) = std::io::pipe().unwrap();
        let sent = order(&"x".repeat(300_000));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (header, body) = written(&sent).unwrap();
                send_first(ours.as_fd(), &header, [writer.as_fd(), writer.as_fd()], None).unwrap();
                (&ours).write_all(&body).unwrap();
            });
            let (order, streams) = receive(&its).unwrap().expect("there is an order");
            assert_eq!(order, sent);
            assert!(streams.input.is_none());
            for output in streams.outputs {
                std::fs::File::from(output).write_all(b"said ").unwrap();
            }
        });
        drop(writer);
        let mut said = String::new();
        out.read_to_string(&mut said).unwrap();
        assert_eq!(said, "said said ", "both outputs are passed on, and nobody else holds them");
        drop(ours);
        assert!(receive(&its).unwrap().is_none(), "the other side is closed");
    }

    #[test]
    fn an_input_is_passed_on_where_there_is_one() {
        let (ours, its) = UnixStream::pair().unwrap();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let send = |order: &CommandOrder, has_pipe: bool| {
            let (header, body) = written(order).unwrap();
            let input = has_pipe.then(|| reader.as_fd());
            send_first(ours.as_fd(), &header, [ours.as_fd(), ours.as_fd()], input).unwrap();
            (&ours).write_all(&body).unwrap();
        };
        let fed = CommandOrder { has_input: true, ..order("cat") };
        send(&fed, true);
        let (received, streams) = receive(&its).unwrap().expect("there is an order");
        assert_eq!(received, fed);
        writer.write_all(b"words").unwrap();
        drop(writer);
        let mut said = String::new();
        std::fs::File::from(streams.input.expect("it has one")).read_to_string(&mut said).unwrap();
        assert_eq!(said, "words");
        send(&fed, false);
        assert!(receive(&its).is_err(), "its input is missing");
    }

    #[test]
    fn what_is_no_order_is_refused() {
        let (ours, its) = UnixStream::pair().unwrap();
        (&ours).write_all(&[0; 8]).unwrap();
        assert!(receive(&its).is_err(), "it has no outputs");
        assert!(written(&order(&"x".repeat(MAX_ORDER_BYTES))).is_err());
        let (_, writer) = std::io::pipe().unwrap();
        send_first(ours.as_fd(), &u64::MAX.to_be_bytes(), [writer.as_fd(), writer.as_fd()], None).unwrap();
        assert!(receive(&its).is_err(), "its length is nonsense");
    }
}
