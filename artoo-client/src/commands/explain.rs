//! What the gate would do with a shell command.

use std::collections::VecDeque;
use std::io::BufRead;
use std::path::PathBuf;

use artoo_protocol::v1::{ExplainActionRequest, ExplainActionResponse};
use artoo_protocol::words::GateDecision;
use clap::Args;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinHandle};
use tonic::{Response, Status};

use crate::console::Console;
use crate::exit::{DONE, Failure};
use crate::one_shot::folder;
use crate::render::text::shell_word;
use crate::render::{Line, Tone};

/// Commands that are asked about at the same time. The answers come in the order of the commands.
const AT_ONCE: usize = 32;
/// Bytes of a command that are sent. The gate reads no command that is longer than a fraction of this, and says so.
const MAX_SENT_BYTES: usize = 64 << 10;

/// What the daemon said of one command, when it has.
type PendingExplanation = (String, JoinHandle<Result<Response<ExplainActionResponse>, Status>>);

/// A command to explain.
#[derive(Debug, Clone, Args)]
pub struct ExplainArguments {
    /// Where it would run [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Read one command a line from standard input
    #[arg(long)]
    pub stdin: bool,
    /// Together with --stdin: commands end with a NUL byte, not with a line feed
    #[arg(short = '0')]
    pub nul: bool,
    /// How this command is used
    #[arg(long, action = clap::ArgAction::Help)]
    pub help: Option<bool>,
    /// The command; quote what a shell would read itself, or put all of it after "--" where it has flags that stand above
    #[arg(value_name = "COMMAND", required_unless_present = "stdin", allow_hyphen_values = true)]
    pub command: Vec<String>,
}

/// `artoo explain`.
///
/// # Errors
/// The daemon's error, or that standard input cannot be read.
pub async fn run(console: &mut Console, arguments: ExplainArguments) -> Result<u8, Failure> {
    let folder = folder(arguments.cwd.as_deref())?;
    if arguments.stdin {
        let end = if arguments.nul { b'\0' } else { b'\n' };
        return all(console, end, &folder).await;
    }
    let command = joined(&arguments.command);
    let response = console.client.explain_action(request(&command, &folder)).await;
    show(console, &command, response, false).await?;
    Ok(DONE)
}

/// Every command of standard input, each ended by this byte.
async fn all(console: &mut Console, end: u8, folder: &str) -> Result<u8, Failure> {
    let (sender, mut commands) = mpsc::channel(AT_ONCE);
    let reader = tokio::task::spawn_blocking(move || read(std::io::stdin().lock(), end, &sender));
    let mut waiting: VecDeque<PendingExplanation> = VecDeque::new();
    let mut is_open = true;
    while is_open || !waiting.is_empty() {
        let has_room = is_open && waiting.len() < AT_ONCE;
        tokio::select! {
            biased;
            response = first(&mut waiting) => {
                let Some((command, _)) = waiting.pop_front() else { continue };
                show(console, &command, response.map_err(std::io::Error::other)?, true).await?;
            }
            command = commands.recv(), if has_room => match command {
                Some(command) => {
                    let (mut client, request) = (console.client.clone(), request(&command, folder));
                    let asked = tokio::spawn(async move { client.explain_action(request).await });
                    waiting.push_back((command, asked));
                }
                None => is_open = false,
            },
        }
    }
    reader.await.map_err(std::io::Error::other)??;
    Ok(DONE)
}

/// The answer that is next to be shown; never, while nothing is asked.
async fn first(
    waiting: &mut VecDeque<PendingExplanation>,
) -> Result<Result<Response<ExplainActionResponse>, Status>, JoinError> {
    match waiting.front_mut() {
        Some((_, asked)) => asked.await,
        None => std::future::pending().await,
    }
}

/// Passes on the commands. Every end mark ends one, an empty one too, so that answers can be counted; what follows the
/// last mark is one only when it is not blank. What is no text stays recognisable as such, and the gate asks about it.
fn read(mut input: impl BufRead, end: u8, commands: &mpsc::Sender<String>) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    while input.read_until(end, &mut bytes)? > 0 {
        let is_ended = bytes.last() == Some(&end);
        if is_ended {
            bytes.pop();
        }
        let command = String::from_utf8_lossy(&bytes).into_owned();
        bytes.clear();
        let is_one = is_ended || !command.trim().is_empty();
        if is_one && commands.blocking_send(command).is_err() {
            // Nobody listens any more.
            return Ok(());
        }
    }
    Ok(())
}

fn request(command: &str, folder: &str) -> ExplainActionRequest {
    let sent = &command[..command.floor_char_boundary(MAX_SENT_BYTES)];
    ExplainActionRequest {
        tool: "shell".to_owned(),
        arguments: json!({ "command": sent }).to_string(),
        working_directory: folder.to_owned(),
    }
}

async fn show(
    console: &mut Console,
    command: &str,
    response: Result<Response<ExplainActionResponse>, Status>,
    named: bool,
) -> Result<(), Failure> {
    let verdict = console.daemon.answer(response)?;
    if console.json {
        return console.printer.text(object(&verdict)).await;
    }
    let mut lines = Vec::new();
    if named {
        lines.push(Line::new().add(Tone::Accent, "$ ").foreign(Tone::Strong, command));
    }
    lines.extend(lines_of(&verdict));
    console.printer.lines(&lines).await
}

/// The pinned form: `{"decision": ..., "effects": [...], "targets": [...], "why": [...]}`, and `"box"` where the command runs
/// unasked in one.
fn object(verdict: &ExplainActionResponse) -> String {
    let mut object = json!({
        "decision": verdict.decision,
        "effects": verdict.effects,
        "targets": verdict.targets,
        "why": verdict.reasons,
    });
    if !verdict.r#box.is_empty() {
        object["box"] = json!(verdict.r#box);
    }
    object.to_string()
}

fn lines_of(verdict: &ExplainActionResponse) -> Vec<Line> {
    let (tone, meaning) = match verdict.decision() {
        GateDecision::Safe => (Tone::Good, "runs unasked"),
        GateDecision::Confirm => (Tone::Warn, "a person must say yes"),
        GateDecision::Forbidden | GateDecision::Unknown(_) => (Tone::Bad, "never runs"),
    };
    let (tone, meaning) =
        if verdict.r#box.is_empty() { (tone, meaning) } else { (Tone::Good, verdict.r#box.as_str()) };
    let word = if verdict.r#box.is_empty() { verdict.decision.as_str() } else { "boxed" };
    let mut lines = vec![
        Line::new()
            .foreign(tone, word)
            .add(Tone::Dim, "   ")
            .foreign(Tone::Dim, meaning)
            .add(Tone::Dim, "   ")
            .foreign(Tone::Plain, &verdict.effects.join(", ")),
    ];
    lines.extend(
        verdict
            .targets
            .iter()
            .map(|target| Line::plain("  ").add(Tone::Dim, "target  ").foreign(Tone::Plain, target)),
    );
    lines.extend(
        verdict
            .reasons
            .iter()
            .map(|why| Line::plain("  ").add(Tone::Dim, "why     ").foreign(Tone::Plain, why)),
    );
    lines
}

/// A command from words that a shell took apart: one word is the command itself, several are quoted where they need it.
fn joined(words: &[String]) -> String {
    match words {
        [command] => command.clone(),
        words => {
            let quoted = words.iter().map(|word| shell_word(word, "-_./=:,@%+~*?"));
            quoted.collect::<Vec<_>>().join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::ExplainActionResponse;

    use super::{MAX_SENT_BYTES, joined, object, read, request};

    #[test]
    fn words_keep_their_borders() {
        for (words, command) in [
            (&["rm -rf a b"][..], "rm -rf a b"),
            (&["rm", "-rf", "a b"], "rm -rf 'a b'"),
            (&["echo", "it's", ""], r"echo 'it'\''s' ''"),
            (&["ls", "|", "sh"], "ls '|' sh"),
        ] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(joined(&words), command);
        }
    }

    #[test]
    fn the_json_form_has_its_four_fields_in_order() {
        let verdict = ExplainActionResponse {
            decision: "confirm".to_owned(),
            effects: vec!["delete".to_owned()],
            targets: vec!["/tmp/x".to_owned()],
            reasons: vec!["it deletes".to_owned()],
            r#box: String::new(),
        };
        let four = r#"{"decision":"confirm","effects":["delete"],"targets":["/tmp/x"],"why":["it deletes"]"#;
        assert_eq!(object(&verdict), format!("{four}}}"));
        let boxed = ExplainActionResponse { r#box: "runs unasked".to_owned(), ..verdict };
        assert_eq!(object(&boxed), format!(r#"{four},"box":"runs unasked"}}"#));
    }

    #[tokio::test]
    async fn every_end_mark_ends_a_command() {
        for (input, end, wanted) in [
            ("ls\nrm x\n", b'\n', &["ls", "rm x"][..]),
            ("ls\n\nrm x", b'\n', &["ls", "", "rm x"]),
            ("echo a\nrm x\0ls\0\n", b'\0', &["echo a\nrm x", "ls"]),
            ("", b'\n', &[]),
        ] {
            let (sender, mut commands) = tokio::sync::mpsc::channel(8);
            let text = input.as_bytes().to_vec();
            tokio::task::spawn_blocking(move || read(&text[..], end, &sender).unwrap()).await.unwrap();
            let mut found = Vec::new();
            while let Some(command) = commands.recv().await {
                found.push(command);
            }
            assert_eq!(found, wanted, "{input:?}");
        }
    }

    #[test]
    fn a_command_of_any_length_can_be_asked_about() {
        let sent = request(&"é".repeat(MAX_SENT_BYTES), "/").arguments;
        assert!(sent.len() <= MAX_SENT_BYTES + 100, "{}", sent.len());
    }
}
