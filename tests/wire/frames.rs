//! HTTP/2 by hand (RFC 9113), so that a client can do what no library does.

use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// How long a write may wait for a server that has stopped reading.
const WRITE_PATIENCE: Duration = Duration::from_secs(2);
/// What a connection begins with.
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const RESET: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;
pub(crate) const END_HEADERS: u8 = 4;

/// A connection that sends whatever it is told, and reads nothing.
pub(crate) struct Raw {
    stream: UnixStream,
    waiting: Vec<u8>,
}

impl Raw {
    /// A connection that has said nothing yet.
    pub(crate) fn silent(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).expect("the daemon takes connections");
        stream.set_write_timeout(Some(WRITE_PATIENCE)).expect("a socket has timeouts");
        Self { stream, waiting: Vec::new() }
    }

    /// A connection that has sent its greeting and its settings.
    pub(crate) fn greeted(socket: &Path) -> Self {
        let mut raw = Self::silent(socket);
        // A server that closes at once is seen by the next write.
        let _ = raw.bytes(GREETING).and_then(|()| raw.frame(SETTINGS, 0, 0, &[]));
        raw
    }

    /// Sends bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Sends a frame soon; [`Self::flush`] sends what is left.
    pub(crate) fn frame(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).expect("a frame is short").to_be_bytes();
        self.waiting.extend_from_slice(&length[1..]);
        self.waiting.extend_from_slice(&[kind, flags]);
        self.waiting.extend_from_slice(&stream.to_be_bytes());
        self.waiting.extend_from_slice(payload);
        if self.waiting.len() < 16 * 1024 { Ok(()) } else { self.flush() }
    }

    /// Sends what waits.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.stream.write_all(&waiting)
    }
}

/// The header block of a call, in HPACK (RFC 7541) without any compression.
pub(crate) fn call(path: &str) -> Vec<u8> {
    // POST and http stand in the static table as 3 and 6.
    let mut block = vec![0x83, 0x86];
    for (name, value) in [
        (":path", path),
        (":authority", "localhost"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ] {
        field(&mut block, name, value);
    }
    block
}

/// Adds a field that is not remembered.
pub(crate) fn field(block: &mut Vec<u8>, name: &str, value: &str) {
    block.push(0);
    for text in [name, value] {
        let length = u8::try_from(text.len()).ok().filter(|length| *length < 127).expect("a short text");
        block.push(length);
        block.extend_from_slice(text.as_bytes());
    }
}
