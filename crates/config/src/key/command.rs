//! A command that prints a key: one bounded run of a shell, ended with everything it started when its time is over.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::value::KEY_LIMIT;

/// Most characters of what a failing command says about itself.
const COMPLAINT_LIMIT: usize = 300;
/// Pause between two looks at a command that has closed its output and not ended: at most a thousand looks in ten seconds.
const POLL_PERIOD: Duration = Duration::from_millis(10);
/// How long the complaint of a command that was ended is waited for.
const COMPLAINT_TIMEOUT: Duration = Duration::from_millis(500);

/// What `command` prints, run by `/bin/sh` without an input.
///
/// # Errors
/// A phrase that follows the setting's key, with the start of what the command complained about and never with what it
/// printed.
pub(super) fn run(command: &str, deadline: Duration) -> Result<String, String> {
    let end = Instant::now() + deadline;
    let mut child = Command::new("/bin/sh")
        .arg("-c")
        .arg(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own can be ended as a whole.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let printed = child.stdout.take().map(read_in_background);
    let complaint = child.stderr.take().map(read_in_background);
    let said = |wait: Duration| {
        let bytes = complaint.as_ref().and_then(|complaint| complaint.recv_timeout(wait).ok());
        first_words(&bytes.unwrap_or_default())
    };
    let Some((bytes, status)) = wait(&mut child, printed.as_ref(), end) else {
        end_group(&mut child);
        let seconds = deadline.as_secs_f64();
        return Err(format!("did not end within {seconds} seconds{}", said(COMPLAINT_TIMEOUT)));
    };
    if !status.success() {
        let how = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        };
        return Err(format!("failed with {how}{}", said(COMPLAINT_TIMEOUT)));
    }
    if bytes.len() > KEY_LIMIT {
        return Err(format!("printed more than {KEY_LIMIT} bytes, which is no key"));
    }
    String::from_utf8(bytes).map_err(|_| "printed something that is not text".to_owned())
}

/// The output and how the command ended, or nothing when `end` came first. Until this returns a status the process is
/// not collected, so that its number belongs to no other process.
fn wait(
    child: &mut Child,
    printed: Option<&Receiver<Vec<u8>>>,
    end: Instant,
) -> Option<(Vec<u8>, ExitStatus)> {
    let left = end.saturating_duration_since(Instant::now());
    let bytes = match printed.map(|printed| printed.recv_timeout(left)) {
        Some(Ok(bytes)) => bytes,
        Some(Err(RecvTimeoutError::Timeout)) => return None,
        Some(Err(RecvTimeoutError::Disconnected)) | None => Vec::new(),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some((bytes, status)),
            Ok(None) if Instant::now() < end => std::thread::sleep(POLL_PERIOD),
            Ok(None) | Err(_) => return None,
        }
    }
}

/// The first bytes of a pipe, one more than a key may have; the rest is read and dropped, so that the writer can end.
fn read_in_background(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    // One message is ever sent: the sender never waits.
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        let mut head = Vec::new();
        // What a broken pipe still gave counts.
        drop(pipe.by_ref().take(KEY_LIMIT as u64 + 1).read_to_end(&mut head));
        drop(sender.send(head));
        drop(std::io::copy(&mut pipe, &mut std::io::sink()));
    });
    receiver
}

fn end_group(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // The only failure is that the group has ended already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    drop(child.wait());
}

/// The start of a complaint as one line, ready to be appended.
fn first_words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line: String = words.collect::<Vec<_>>().join(" ").chars().take(COMPLAINT_LIMIT).collect();
    if line.is_empty() { "; run it in a shell to see why".to_owned() } else { format!("; it says: {line}") }
}
