//! The client's runs: what it prints line by line, how it ends, and what a task's events were.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long one step may take on a machine that does much else. A test that gets here has failed.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// Between two looks at something that cannot be waited for.
pub const POLL: Duration = Duration::from_millis(5);

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said on standard error.
    pub stderr: String,
}

/// A running client. Dropping it kills it.
pub struct Client {
    child: Child,
    lines: Receiver<String>,
    read: Vec<String>,
    said: Option<JoinHandle<String>>,
}

impl Client {
    /// Starts a program whose output is a pipe.
    pub fn spawn(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let said = Some(collect(child.stderr.take()));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        Self { child, lines, read: Vec::new(), said }
    }

    /// Writes all of this to its standard input, and closes that.
    pub fn type_in(&mut self, input: &str) {
        let mut pipe = self.child.stdin.take().expect("standard input is a pipe");
        // A client that does not read to the end says so itself.
        let _ = pipe.write_all(input.as_bytes());
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends what Ctrl+C sends.
    pub fn interrupt(&self) {
        self.signal(rustix::process::Signal::INT);
    }

    /// Asks it to end, as `kill` does.
    pub fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).expect("the client is our child");
    }

    /// Reads events up to the first of this type, and returns it. Panics when the client ends before.
    pub fn event(&mut self, kind: &str) -> Value {
        let since = Instant::now();
        loop {
            match self.lines.recv_timeout(PATIENCE.saturating_sub(since.elapsed())) {
                Ok(line) => {
                    let event: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
                    self.read.push(line);
                    if event["type"] == kind {
                        return event;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {kind} in time; so far {:#?}", self.read),
                Err(RecvTimeoutError::Disconnected) => panic!("no {kind}: {:?}", self.finish_reading()),
            }
        }
    }

    /// The next line that it prints; none when it has ended.
    pub fn line(&mut self) -> Option<String> {
        self.line_within(PATIENCE)
    }

    /// As [`Client::line`], for a task in which something takes longer.
    pub fn line_within(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing more within {patience:?}"),
        }
    }

    /// Waits until it has ended.
    pub fn wait(mut self) -> Ended {
        self.finish_reading()
    }

    /// Waits until it has ended, and reads its lines as the events of one task.
    pub fn finish(self) -> TaskRun {
        let ended = self.wait();
        TaskRun { events: lines(&ended.stdout), code: ended.code, stderr: ended.stderr }
    }

    fn finish_reading(&mut self) -> Ended {
        let since = Instant::now();
        loop {
            match self.lines.recv_timeout(PATIENCE.saturating_sub(since.elapsed())) {
                Ok(line) => self.read.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("still running after {PATIENCE:?}: {:#?}", self.read)
                }
            }
        }
        let status = wait(&mut self.child, "the program");
        let stderr = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        let stdout = self.read.iter().map(|line| format!("{line}\n")).collect();
        Ended { code: status.code(), stdout, stderr }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What `run --json` printed, event by event.
#[derive(Debug)]
pub struct TaskRun {
    /// Every line.
    pub events: Vec<Value>,
    /// The exit code.
    pub code: Option<i32>,
    /// Standard error.
    pub stderr: String,
}

impl TaskRun {
    /// The last line.
    pub fn result(&self) -> &Value {
        self.events.last().unwrap_or_else(|| panic!("no event at all: {:?} {}", self.code, self.stderr))
    }

    /// The task's id.
    pub fn id(&self) -> &str {
        self.result()["task_id"].as_str().expect("every event names its task")
    }

    /// The events of one type.
    pub fn of_type(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["type"] == kind).collect()
    }

    /// Types, sequence numbers and directives, for a failure's message.
    pub fn outline(&self) -> String {
        let line = |event: &Value| format!("{} {} {}", event["sequence"], event["type"], event["directive"]);
        let lines: Vec<String> = self.events.iter().map(line).collect();
        format!(
            "exit {:?}\n{}\n{}\n{:#}",
            self.code,
            lines.join("\n"),
            self.stderr,
            self.events.last().unwrap_or(&Value::Null)
        )
    }
}

/// JSON lines as values. Panics on a line that is none.
pub fn lines(text: &str) -> Vec<Value> {
    let parse =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"));
    text.lines().map(parse).collect()
}

/// Waits until `done`. Panics with `what` after [`PATIENCE`].
pub fn wait_until(what: &str, done: impl Fn() -> bool) {
    let since = Instant::now();
    while !done() {
        assert!(since.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(POLL);
    }
}

/// Waits until a child has ended. Panics with `what` after [`PATIENCE`].
pub(crate) fn wait(child: &mut Child, what: &str) -> ExitStatus {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be asked") {
            return status;
        }
        assert!(since.elapsed() < PATIENCE, "{what} does not end");
        std::thread::sleep(POLL);
    }
}

/// Reads a pipe to its end on a thread, so that the program never waits for it.
pub(crate) fn collect(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    let mut pipe = pipe.expect("standard error is a pipe");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has given what it had.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
