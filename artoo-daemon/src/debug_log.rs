//! `debug.log`: what the daemon tells about itself, in two files of a bounded size.

use std::backtrace::Backtrace;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};

use artoo_redact::Redactor;
use parking_lot::Mutex;
use rustix::fs::OFlags;
use rustix::io::Errno;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::prelude::*;

mod redacting;

use redacting::RedactingWriter;

/// What is logged unless `ARTOO_LOG` says otherwise. The library that speaks to MCP servers would repeat all that they say.
const DEFAULT_FILTER: &str = "info,rmcp=off";
/// Largest size of `debug.log`; a larger one is put aside as `debug.log.1`, in the place of the one before.
const LOG_BYTES: u64 = 16 * 1024 * 1024;
/// The log is no symbolic link.
const NO_LINK: i32 = OFlags::NOFOLLOW.bits().cast_signed();

/// Writes the log to `debug.log` in the data folder, and to standard error when that is wanted, each line without
/// secrets. A panic, which is a bug of ours, is a line of the log too.
///
/// # Errors
/// When the file cannot be opened.
pub fn start(data: &Path, also_stderr: bool, redactor: &Redactor) -> io::Result<()> {
    let log = RedactingWriter {
        inner: RotatingLog::open(data.join("debug.log"), LOG_BYTES)?,
        redactor: redactor.clone(),
    };
    let filter = || {
        tracing_subscriber::EnvFilter::try_from_env("ARTOO_LOG")
            .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(DEFAULT_FILTER))
    };
    let to_file = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(log).with_filter(filter());
    let to_stderr = also_stderr.then(|| {
        let inner: fn() -> io::Stderr = io::stderr;
        let stderr = RedactingWriter { inner, redactor: redactor.clone() };
        tracing_subscriber::fmt::layer().with_ansi(false).with_writer(stderr).with_filter(filter())
    });
    tracing_subscriber::registry().with(to_file).with(to_stderr).init();
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let message = panic.payload_as_str().unwrap_or("no message");
    // Empty unless RUST_BACKTRACE asks for it.
    let backtrace = Backtrace::capture();
    tracing::error!(place, message, %backtrace, "a bug in artoo; please report it");
}

/// A file that is put aside when it has grown to its limit, also while the daemon runs. Nothing that happens to it is
/// an error of whoever logs: what cannot be written is counted, and said when writing works again.
#[derive(Debug)]
struct RotatingLog {
    path: PathBuf,
    limit: u64,
    state: Mutex<LogFile>,
}

#[derive(Debug)]
struct LogFile {
    file: File,
    bytes: u64,
    lost: u64,
}

impl RotatingLog {
    fn open(path: PathBuf, limit: u64) -> io::Result<Self> {
        let file = open(&path)?;
        let bytes = file.metadata()?.len();
        Ok(Self { path, limit, state: Mutex::new(LogFile { file, bytes, lost: 0 }) })
    }

    fn write_line(&self, line: &[u8]) {
        let mut state = self.state.lock();
        if state.bytes >= self.limit {
            self.put_aside(&mut state);
        }
        if state.lost > 0 {
            let said = format!("{} lines of this log could not be written\n", state.lost);
            if state.file.write_all(said.as_bytes()).is_ok() {
                state.lost = 0;
            }
        }
        match state.file.write_all(line) {
            Ok(()) => state.bytes += line.len() as u64,
            Err(_) => state.lost += 1,
        }
    }

    /// Starts a new file. When that fails the old one goes on for as long again.
    fn put_aside(&self, state: &mut LogFile) {
        let mut aside = self.path.clone().into_os_string();
        aside.push(".1");
        state.bytes = 0;
        if std::fs::rename(&self.path, aside).is_ok()
            && let Ok(file) = open(&self.path)
        {
            state.file = file;
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let opened = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(NO_LINK).open(path);
    opened.map_err(|error| match Errno::from_io_error(&error) {
        // What it leads to is somebody else's.
        Some(Errno::LOOP) => io::Error::other("it is a symbolic link; remove it"),
        Some(_) | None => error,
    })
}

impl Write for &RotatingLog {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.write_line(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for RotatingLog {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

#[cfg(test)]
mod tests;
