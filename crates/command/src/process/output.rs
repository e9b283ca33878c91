//! What a command prints: read to its end while it runs, bounded, and joined.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::MAX_OUTPUT_BYTES;

/// Bytes at each end of an output that are kept of a command that was stopped. Nobody judges what it printed, and the end
/// of a task must not wait for megabytes of it.
const KEPT_END_BYTES: usize = 1 << 20;
/// Bytes that a command may still add to an output once it was told to end: its last words.
const LAST_WORDS_BYTES: usize = 64 << 10;

/// Bytes of a line that a cut gives up rather than to leave half of it: half a secret looks like none.
const MAX_CUT_LINE: usize = 64 << 10;

/// How long the end of an output is waited for when something that writes to it could not be ended.
const HELD_OPEN: Duration = Duration::from_millis(50);
/// The same when everything that wrote to it is gone, so that its end must come: this program is only short of time.
const CLOSED: Duration = Duration::from_secs(5);

/// What is read of the two outputs.
pub(super) struct Output {
    out: PipeReader,
    err: PipeReader,
}

impl Output {
    /// Reads both pipes until they end. `full` hears when one of them is too long.
    pub(super) fn read(
        out: Option<impl AsyncRead + Unpin + Send + 'static>,
        err: Option<impl AsyncRead + Unpin + Send + 'static>,
        full: mpsc::Sender<()>,
    ) -> Self {
        Self { out: PipeReader::start(out, full.clone()), err: PipeReader::start(err, full) }
    }

    /// The command is being ended: little more is kept of what it prints.
    pub(super) fn hear_last_words(&self) {
        for reading in [&self.out, &self.err] {
            let mut kept = reading.kept.lock();
            kept.room = kept.room.min(LAST_WORDS_BYTES);
        }
    }

    /// Everything that was kept, once the command is gone. Of a command that was stopped: both ends of it. `held_open`:
    /// something that may write is still there.
    pub(super) async fn finish(self, was_stopped: bool, held_open: bool) -> String {
        let limit = if held_open { HELD_OPEN } else { CLOSED };
        let (mut out, mut err) = (self.out.finish(limit).await, self.err.finish(limit).await);
        if was_stopped {
            [&mut out, &mut err].into_iter().for_each(keep_ends);
        }
        joined(&out, &err)
    }
}

/// What was read of one pipe so far, and the task that reads on.
struct PipeReader {
    kept: Arc<Mutex<OutputTail>>,
    task: Option<JoinHandle<()>>,
}

struct OutputTail {
    bytes: Vec<u8>,
    /// Bytes that may still be added.
    room: usize,
    /// Whether something was not added.
    is_cut: bool,
}

impl PipeReader {
    /// Reads a pipe into memory until it ends or is too long; then says so once and reads on without keeping anything, so
    /// that the child is not blocked while it is being stopped.
    fn start(pipe: Option<impl AsyncRead + Unpin + Send + 'static>, full: mpsc::Sender<()>) -> Self {
        let kept =
            Arc::new(Mutex::new(OutputTail { bytes: Vec::new(), room: MAX_OUTPUT_BYTES, is_cut: false }));
        let shared = Arc::clone(&kept);
        let task = pipe.map(|mut pipe| {
            tokio::spawn(async move {
                let mut chunk = vec![0; 64 << 10];
                loop {
                    let Ok(read @ 1..) = pipe.read(&mut chunk).await else { return };
                    let mut kept = shared.lock();
                    let taken = read.min(kept.room);
                    kept.room -= taken;
                    kept.bytes.extend_from_slice(&chunk[..taken]);
                    if taken < read {
                        kept.is_cut = true;
                        // A full channel means that it was already said.
                        let _ = full.try_send(());
                    }
                }
            })
        });
        Self { kept, task }
    }

    /// What was kept when the pipe ends, or at the limit.
    async fn finish(self, limit: Duration) -> Vec<u8> {
        if let Some(task) = self.task {
            let abort = task.abort_handle();
            if tokio::time::timeout(limit, task).await.is_err() {
                abort.abort();
            }
        }
        let mut kept = self.kept.lock();
        let mut bytes = std::mem::take(&mut kept.bytes);
        if kept.is_cut {
            bytes.truncate(line_end(&bytes, bytes.len()));
        }
        bytes
    }
}

/// Replaces the middle of a long output by a remark, from the end of a line to the beginning of another.
fn keep_ends(bytes: &mut Vec<u8>) {
    if bytes.len() <= 2 * KEPT_END_BYTES {
        return;
    }
    let head = line_end(bytes, KEPT_END_BYTES);
    let tail = line_start(bytes, bytes.len() - KEPT_END_BYTES);
    let remark = format!("\n[... {} bytes were not kept ...]\n", tail - head);
    bytes.splice(head..tail, remark.into_bytes());
}

/// The end of the last whole line before a cut; the cut itself when the line is too long for that.
fn line_end(bytes: &[u8], cut: usize) -> usize {
    let line = bytes[..cut].iter().rev().take(MAX_CUT_LINE).position(|byte| *byte == b'\n');
    line.map_or(cut, |length| cut - length)
}

/// The start of the first whole line after a cut; the cut itself when the line is too long for that.
fn line_start(bytes: &[u8], cut: usize) -> usize {
    let line = bytes[cut..].iter().take(MAX_CUT_LINE).position(|byte| *byte == b'\n');
    line.map_or(cut, |length| cut + length + 1)
}

/// Standard output, then standard error. Bytes that are not UTF-8 are replaced.
fn joined(out: &[u8], err: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(out).into_owned();
    if !err.is_empty() {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&String::from_utf8_lossy(err));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        keep_ends(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_cut_leaves_no_half_of_a_line() {
        let line = "one token in a line of 32 bytes\n";
        let text = line.repeat(3 * KEPT_END_BYTES / line.len() + 1);
        for shift in 0..line.len() {
            let kept = cut(&text[shift..]);
            let (head, tail) = kept.split_once("\n[... ").unwrap();
            let (_, tail) = tail.split_once(" bytes were not kept ...]\n").unwrap();
            assert!(head.ends_with("32 bytes\n") && tail.starts_with("one token"), "{shift}");
            assert!(head.len() <= KEPT_END_BYTES && tail.len() <= KEPT_END_BYTES, "{shift}");
            assert!(head.len() + line.len() > KEPT_END_BYTES, "{shift}: no more than a line is given up");
        }
    }

    #[test]
    fn what_is_one_line_or_short_enough_is_kept() {
        assert_eq!(cut("short\n"), "short\n");
        let exact = "x".repeat(2 * KEPT_END_BYTES);
        assert_eq!(cut(&exact), exact);
        let long = cut(&"x".repeat(2 * KEPT_END_BYTES + 7));
        assert!(long.contains("\n[... 7 bytes were not kept ...]\n") && long.len() > 2 * KEPT_END_BYTES);
    }

    #[tokio::test]
    async fn an_output_that_is_too_long_ends_with_a_whole_line() {
        let line = b"0123456789abcdef 0123456789abcde\n";
        let pipe = line.repeat(MAX_OUTPUT_BYTES / line.len() + 10);
        let (full, mut told) = mpsc::channel(1);
        let reading = PipeReader::start(Some(std::io::Cursor::new(pipe)), full);
        let kept = reading.finish(CLOSED).await;
        assert!(told.recv().await.is_some());
        assert!(kept.len() <= MAX_OUTPUT_BYTES && kept.len() + line.len() > MAX_OUTPUT_BYTES);
        assert!(kept.ends_with(line));
    }
}
