//! The conversation: a line editor, one session, one task at a time.
//!
//! The editor runs on a thread of its own and sends the conversation what was typed; events of the running task are
//! printed above its line. Without a terminal that can do this, lines are read and answered one after the other.

pub mod activity;
pub mod editor;
pub mod examples;
pub mod keys;
pub mod live;
pub mod news;
pub mod plain;
pub mod recent;
pub mod slash;

use std::io::IsTerminal;
use std::path::Path;

use artoo_protocol::v1::{GetStatusRequest, ListTasksRequest};
use artoo_protocol::words::TaskState;
use clap::Parser;

use crate::arguments::Arguments;
use crate::commands;
use crate::commands::status::{changed, headline, missing};
use crate::connection::{Client, DaemonConnector};
use crate::console::{Console, GlobalFlags};
use crate::exit::Failure;
use crate::material::named_files;
use crate::one_shot::{TaskArguments, submission, subtitle};
use crate::output::Printer;
use crate::render::figures::short_id;
use crate::render::line::LIST_LINES;
use crate::render::text::{columns, pad};
use crate::render::words::Phrase;
use crate::render::{Language, Line, Tone, question};
use crate::terminal::{TerminalLook, someone_is_there, spoken};

/// Waiting tasks of each kind that are told of at the start.
const WAITING_SHOWN: u32 = 5;
/// Lines of a question, or of how to answer it.
const WAITING_LINES: usize = 4;

/// What every task of a conversation shares.
pub struct Conversation {
    /// The daemon.
    pub daemon: DaemonConnector,
    /// Flags of every command.
    pub global: GlobalFlags,
    /// Bounds for each task; its session is the conversation's.
    pub task: TaskArguments,
    /// How output looks.
    pub look: TerminalLook,
    /// Whether questions can be put.
    pub attended: bool,
    /// The last task, for commands that need one and name none.
    pub last_task: Option<String>,
}

/// A task that was accepted.
pub struct AcceptedTask {
    /// The task.
    pub task_id: String,
    /// What stands beside its name.
    pub subtitle: String,
}

/// Opens a conversation and returns the exit code when it is over.
///
/// # Errors
/// When the daemon does not answer at the start; later that is printed and the conversation goes on.
pub async fn run(global: &GlobalFlags, task: &TaskArguments) -> Result<u8, Failure> {
    let look = TerminalLook::detect();
    let mut conversation = Conversation {
        daemon: global.daemon()?,
        global: global.clone(),
        task: task.clone(),
        look,
        attended: !task.unattended && (task.attended || someone_is_there()),
        last_task: None,
    };
    if conversation.task.session.is_none() {
        conversation.new_session();
    }
    let mut client = conversation.daemon.connect().await?;
    if !look.live || global.json || !std::io::stdin().is_terminal() {
        return plain::run(conversation).await;
    }
    let mut printer = Printer::stdout(look);
    let language = spoken();
    if let Ok(status) = client.get_status(GetStatusRequest {}).await {
        let status = status.into_inner();
        let lines =
            std::iter::once(headline(&status, language).fit(look.width)).chain(changed(&status, language));
        printer.lines(&lines.chain(missing(&status, language, look.width)).collect::<Vec<_>>()).await?;
    }
    for (at, example) in examples::of(Path::new("."), language).iter().enumerate() {
        let label = if at == 0 { language.say(Phrase::ForExample) } else { "" };
        let head = Line::new().add(Tone::Dim, pad(label, columns(language.say(Phrase::ForExample))));
        printer.lines(&[head.foreign(Tone::Plain, example).fit(look.width)]).await?;
    }
    printer.lines(&[Line::new().add(Tone::Dim, language.say(Phrase::Keys))]).await?;
    printer.lines(&waiting(&conversation.daemon, &mut client, look.width).await).await?;
    live::run(conversation).await
}

/// The tasks that wait for an answer of the person, the newest first, each with how to give it.
async fn waiting(daemon: &DaemonConnector, client: &mut Client, width: usize) -> Vec<Line> {
    let mut tasks = Vec::new();
    for state in [TaskState::WaitingForConfirmation, TaskState::WaitingForClarification] {
        let request = ListTasksRequest {
            page_size: WAITING_SHOWN,
            page_token: String::new(),
            state: state.as_str().to_owned(),
        };
        // A conversation can begin without knowing.
        tasks.extend(daemon.answer(client.list_tasks(request).await).unwrap_or_default().tasks);
    }
    let mut lines = Vec::new();
    for task in &tasks {
        let language = Language::of(&task.input);
        let head = Line::plain("  ").add(Tone::Warn, language.say(Phrase::TaskWaits));
        for open in &task.open_confirmations {
            let how = language.fill(Phrase::HowToAnswer, &[short_id(&open.confirmation_id)]);
            lines.push(head.clone().fit(width));
            lines.extend(question::action(open, language, width));
            lines.extend(Line::plain("    ").hanging(Tone::Dim, &how, width, WAITING_LINES));
        }
        if let Some(asked) = task.open_clarification.as_ref().and_then(|open| open.questions.first()) {
            let how = language.fill(Phrase::HowToTell, &[short_id(&task.task_id)]);
            lines.extend(head.hanging(Tone::Accent, asked, width, WAITING_LINES));
            lines.extend(Line::plain("    ").hanging(Tone::Dim, &how, width, WAITING_LINES));
        }
    }
    lines
}

impl Conversation {
    /// Forgets what was said: the next task sees nothing of the ones before.
    pub fn new_session(&mut self) {
        self.task.session = Some(uuid::Uuid::now_v7().to_string());
    }

    /// Hands a request in.
    ///
    /// # Errors
    /// The daemon's error.
    pub async fn submit(&mut self, input: String) -> Result<AcceptedTask, Failure> {
        let mut client = self.daemon.connect().await?;
        let subtitle = subtitle(&mut client).await;
        let request = submission(named_files(&input), &self.task, self.attended)?;
        let task_id = self.daemon.answer(client.submit_task(request).await)?.task_id;
        self.last_task = Some(task_id.clone());
        Ok(AcceptedTask { task_id, subtitle })
    }

    /// Runs one command line, printing through this printer.
    ///
    /// # Errors
    /// What kept it from being done; a line that is not understood is a [`Failure::Usage`].
    pub async fn command(&self, mut printer: Printer, words: &[&str]) -> Result<u8, Failure> {
        // The window may have another width by now.
        printer.width();
        let line = std::iter::once("artoo").chain(words.iter().copied());
        let arguments = Arguments::try_parse_from(line)
            .map_err(|error| Failure::Usage(error.to_string().trim_end().to_owned()))?;
        let Some(command) = arguments.command else {
            return Err(Failure::Usage("that is no command".to_owned()));
        };
        let client = self.daemon.connect().await?;
        let json = arguments.global.json;
        let mut console = Console { daemon: self.daemon.clone(), client, printer, json };
        commands::run_on(&mut console, command).await
    }
}

/// A failure as lines of a conversation, of this width.
pub fn failure_lines(failure: &Failure, width: usize) -> Vec<Line> {
    let text = spoken().screen(&failure.to_string());
    let mark = |index| if index == 0 { "! " } else { "  " };
    text.lines()
        .enumerate()
        .flat_map(|(index, line)| {
            let head = Line::plain("  ").add(Tone::Bad, mark(index));
            head.hanging(Tone::Plain, line, width, LIST_LINES)
        })
        .take(4 * LIST_LINES)
        .collect()
}
