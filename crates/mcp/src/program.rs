//! A server that is a program: it runs below a keeper like every command, so that nothing of it outlives the daemon. It is
//! no command in another respect: it has the person's full power, as its documentation expects, apart from reading artoo's
//! own folder, in which the proof lies that a person answers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use artoo_redact::{Redactor, Secret};
use artoo_types::text::first_chars;
use parking_lot::Mutex;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;

use super::described::visible;
use artoo_command::children::supervised::{CommandFate, SupervisedCommand};
use artoo_command::children::{Children, CommandOrder, CommandReport};
use artoo_command::process::{DEFAULT_PATH, Scratch};
use artoo_command::sandbox::Confinement;

/// Bytes of standard error that go to the log for one run of a server; the rest is read and dropped.
const MAX_LOGGED_BYTES: usize = 64 * 1024;
/// Characters of a server's last words that are told where it failed.
const LAST_WORDS_CHARS: usize = 300;

/// What every server of this daemon is started with.
#[derive(Debug, Clone)]
pub struct ServerSurroundings {
    /// What starts and ends it.
    pub children: Children,
    /// The daemon's environment, as far as commands may have it.
    pub environment: BTreeMap<String, String>,
    /// Where it runs.
    pub home: PathBuf,
    /// Takes secrets out of what it says.
    pub redactor: Redactor,
    /// What a program may do unless the operator says more.
    pub confinement: Confinement,
}

/// A running program.
pub(crate) struct ServerProgram {
    command: SupervisedCommand,
    last_words: Arc<Mutex<String>>,
    /// Goes when the program has.
    _scratch: Scratch,
}

/// Its standard input and output.
pub(crate) struct ProgramPipes {
    pub(crate) input: pipe::Sender,
    pub(crate) output: pipe::Receiver,
}

impl ServerProgram {
    /// Starts it in the home folder, with an environment of listed names and those that are configured.
    ///
    /// # Errors
    /// Why it cannot be started, in words. That a program does not exist shows only at its end.
    pub(crate) async fn start(
        name: &str,
        command: (&str, &[String]),
        configured: &BTreeMap<String, Secret>,
        confinement: Confinement,
        surroundings: &ServerSurroundings,
    ) -> Result<(Self, ProgramPipes), String> {
        let ServerSurroundings { children, home, redactor, .. } = surroundings;
        let Some(launcher) = children.launcher() else {
            return Err(
                "programs cannot be started here, because nothing would end what they start".to_owned()
            );
        };
        let scratch = Scratch::new(children.mark())
            .map_err(|error| format!("no private temporary folder can be made: {error}"))?;
        let (program, arguments) = command;
        let order = CommandOrder {
            arguments: std::iter::once(program.to_owned()).chain(arguments.iter().cloned()).collect(),
            folder: home.to_string_lossy().into_owned(),
            environment: environment(surroundings, configured, &scratch),
            scratch: scratch.folder().to_owned(),
            confinement,
            has_input: true,
        };
        let started = SupervisedCommand::start(children, launcher, &order, &scratch.name()).await;
        let (command, pipes) = started.map_err(|error| format!("it cannot be started: {error}"))?;
        let Some(input) = pipes.input else {
            return Err("it cannot be started: it has no standard input".to_owned());
        };
        let last_words = Arc::new(Mutex::new(String::new()));
        tokio::spawn(listen(name.to_owned(), pipes.err, redactor.clone(), Arc::clone(&last_words)));
        Ok((Self { command, last_words, _scratch: scratch }, ProgramPipes { input, output: pipes.out }))
    }

    /// Ends it with all that it started. Returns why it is over, as far as it says something about it; empty when it was
    /// alive and well. Within 3 s.
    pub(crate) async fn end(mut self) -> String {
        let (said, is_ready) = match self.command.end().await {
            CommandFate::Told(CommandReport::NotStarted(why)) => {
                (format!("it cannot be started: {why}"), false)
            }
            CommandFate::Told(CommandReport::Over { survivors, is_ready, .. }) => {
                if !survivors.is_empty() {
                    tracing::warn!(?survivors, "processes of an MCP server cannot be ended");
                }
                (String::new(), is_ready)
            }
            CommandFate::Lost(_) => ("the process that watched over it was killed".to_owned(), false),
        };
        self.command.part(is_ready).await;
        let words = self.last_words.lock().clone();
        match (said.is_empty(), words.is_empty()) {
            (_, true) => said,
            (true, false) => format!("its last words: {words}"),
            (false, false) => format!("{said}; its last words: {words}"),
        }
    }
}

/// The whole environment of a server. What is configured counts more than what is usual, except for the private folder,
/// by whose name a later run finds what this one left.
fn environment(
    surroundings: &ServerSurroundings,
    configured: &BTreeMap<String, Secret>,
    scratch: &Scratch,
) -> BTreeMap<String, String> {
    let mut all = surroundings.environment.clone();
    all.entry("PATH".to_owned()).or_insert_with(|| DEFAULT_PATH.to_owned());
    all.insert("HOME".to_owned(), surroundings.home.to_string_lossy().into_owned());
    all.extend(configured.iter().map(|(name, value)| (name.clone(), value.expose().to_owned())));
    all.insert("TMPDIR".to_owned(), scratch.folder().to_string_lossy().into_owned());
    all
}

/// Reads standard error to its end, so that the program never waits for it.
async fn listen(name: String, mut pipe: pipe::Receiver, redactor: Redactor, last_words: Arc<Mutex<String>>) {
    let mut bytes = vec![0; 4096];
    let mut logged = 0;
    while let Ok(read @ 1..) = pipe.read(&mut bytes).await {
        let text = String::from_utf8_lossy(&bytes[..read]);
        let text = redactor.redact(&visible(&text)).into_owned();
        if logged < MAX_LOGGED_BYTES {
            tracing::debug!(server = name, "says: {text}");
            logged += read;
        }
        let words: Vec<char> = text.chars().collect();
        let tail: String = words[words.len().saturating_sub(LAST_WORDS_CHARS)..].iter().collect();
        *last_words.lock() = first_chars(&tail, LAST_WORDS_CHARS);
    }
}
