//! Lines without secrets: what is between whoever logs and whoever writes.

use std::io::{self, Write};

use artoo_redact::Redactor;
use tracing_subscriber::fmt::MakeWriter;

/// Writers of lines without secrets.
pub(super) struct RedactingWriter<M> {
    /// The writers behind.
    pub(super) inner: M,
    /// What every line passes.
    pub(super) redactor: Redactor,
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for RedactingWriter<M> {
    type Writer = RedactedLine<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        RedactedLine { inner: self.inner.make_writer(), redactor: self.redactor.clone() }
    }
}

/// The writer of one line. The formatter hands a line over as a whole, so that no secret comes in two parts.
pub(super) struct RedactedLine<W> {
    inner: W,
    redactor: Redactor,
}

impl<W: Write> Write for RedactedLine<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.inner.write_all(&self.redactor.redact_bytes(line))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests;
