//! A plain agent loop, as a baseline: one system text, one transcript that is read again on every call, a `bash` tool,
//! several commands a turn. No gate, no question, no sandbox, no judge, no record. What the model says last is the answer.
//!
//! The model is a closure, so that the same replies drive it and artoo. Give it folders that may be lost: nothing here
//! keeps a command from anything.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What such loops tell a model, in fewer words than the usual ones: a longer text would only be paid for again each turn.
pub const SYSTEM: &str = "You are an agent that does tasks on this computer with the tool `bash`. Every command runs in a new \
    shell in the working folder, with your own rights. You may call the tool several times in one turn. Look before you \
    change anything, change only what the task asks for, check your work, and when you are done say the result in plain \
    text without a call. Outputs are cut in the middle when they are long; a command that takes too long is ended.";
/// The schema of the one tool, which is sent with every call.
pub const TOOL: &str = r#"{"type":"function","function":{"name":"bash","description":"Run a command in bash","parameters":{"type":"object","properties":{"command":{"type":"string","description":"the command"}},"required":["command"]}}}"#;
/// Characters of one output in the transcript. Well-known loops cut at 10,000 too.
const OUTPUT_CHARS: usize = 10_000;
/// Bytes of one output that are kept until it is cut.
const OUTPUT_BYTES: u64 = 8 << 20;
/// Calls of the model after which the loop gives up.
const MOST_CALLS: usize = 100;
/// Between two looks whether a command has ended.
const POLL: Duration = Duration::from_millis(5);

/// One turn of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Commands, run in order.
    Commands(Vec<String>),
    /// The answer, which ends the task.
    Answer(String),
}

/// What a task cost, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainRun {
    /// Calls of the model.
    pub calls: usize,
    /// Characters that the model read: system text, tool and transcript, on every call again.
    pub read: usize,
    /// Characters that the model wrote.
    pub written: usize,
    /// Outputs of the commands, in order, cut as the model saw them.
    pub outputs: Vec<String>,
    /// The answer; none when the loop gave up.
    pub answer: Option<String>,
}

/// Runs one task in `folder`. `mind` is asked with the number of the call, from 0, and the outputs so far; a command may
/// take `patience`.
///
/// # Errors
/// A command that could not be started.
pub fn run(
    request: &str,
    folder: &Path,
    environment: &[(String, String)],
    patience: Duration,
    mut mind: impl FnMut(usize, &[String]) -> Said,
) -> std::io::Result<PlainRun> {
    let mut run = PlainRun::default();
    let mut transcript = chars(SYSTEM) + chars(TOOL) + chars(request);
    while run.calls < MOST_CALLS {
        let said = mind(run.calls, &run.outputs);
        run.calls += 1;
        run.read += transcript;
        match said {
            Said::Answer(answer) => {
                run.written += chars(&answer);
                run.answer = Some(answer);
                break;
            }
            Said::Commands(commands) => {
                for command in commands {
                    // What the wire carries for a call, as JSON text.
                    let call = serde_json::json!({"name": "bash", "arguments": {"command": command}});
                    let output = bash(&command, folder, environment, patience)?;
                    run.written += chars(&call.to_string());
                    transcript += chars(&call.to_string()) + chars(&output);
                    run.outputs.push(output);
                }
            }
        }
    }
    Ok(run)
}

/// What a command put out, with how it ended.
fn bash(
    command: &str,
    folder: &Path,
    environment: &[(String, String)],
    patience: Duration,
) -> std::io::Result<String> {
    let mut child = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env_clear()
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let pipe = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has given what it had.
        let _ = pipe.map(|pipe| pipe.take(OUTPUT_BYTES).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let end = end_of(&mut child, patience)?;
    let output = reader.join().unwrap_or_default();
    Ok(format!("{}\n{end}", cut(output.trim_end())))
}

/// Waits for a command; past its time it is ended with all that it started.
fn end_of(child: &mut Child, patience: Duration) -> std::io::Result<String> {
    let since = Instant::now();
    let end = loop {
        if let Some(status) = child.try_wait()? {
            break format!("[exit {}]", status.code().unwrap_or(-1));
        }
        if since.elapsed() > patience {
            break format!("[ended after {} s]", patience.as_secs());
        }
        std::thread::sleep(POLL);
    };
    // What it left behind would hold the pipe, and outlive the measurement. It fails where nothing is left.
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
    child.wait()?;
    Ok(end)
}

/// The text with its middle left out, and how much that is.
fn cut(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    let Some(over) = all.len().checked_sub(OUTPUT_CHARS).filter(|over| *over > 0) else {
        return text.to_owned();
    };
    let half = OUTPUT_CHARS / 2;
    let (head, tail): (String, String) =
        (all[..half].iter().collect(), all[all.len() - half..].iter().collect());
    format!("{head}\n[... {over} characters left out ...]\n{tail}")
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests;
