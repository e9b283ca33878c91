//! A conversation with the line editor: events of the running task are printed above the line.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use artoo_protocol::v1::FinalResult;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::exit::{DONE, Failure};
use crate::follow::{FollowOptions, follow};
use crate::keyboard::{Keyboard, UserInput};
use crate::one_shot::view;
use crate::output::{Printer, raw};
use crate::pager;
use crate::paths::AnswerReader;
use crate::render::ending::AnswerForm;
use crate::render::figures::short_id;
use crate::render::line::LIST_LINES;
use crate::render::text::one_line;
use crate::render::words::Phrase;
use crate::render::{Language, Line, Said, Tone, ending};
use crate::repl::activity::{Activity, Asked};
use crate::repl::editor::{EditorHandle, open};
use crate::repl::news;
use crate::repl::recent::RecentTasks;
use crate::repl::slash::{SlashAction, bare, help, is_command, near, parse, words, words_of_task};
use crate::repl::{AcceptedTask, Conversation, failure_lines};
use crate::terminal::{rows, spoken};

/// Requests that wait for the running task to end.
const WAITING: usize = 8;
/// Lines that wait for the running task to take them; it takes them at once.
const TYPED: usize = 8;

/// Lines of the screen around an answer: the request, the figures, the next line.
const AROUND: usize = 4;

struct LiveConversation {
    conversation: Conversation,
    printer: Printer,
    sender: SyncSender<String>,
    activity: Arc<Activity>,
    /// For the completion of ids.
    recent: Arc<RecentTasks>,
    running: Option<RunningTask>,
    waiting: VecDeque<String>,
    /// The last answer, for the pager.
    answer: String,
    /// That of the last request; before it, of the surroundings.
    language: Language,
}

struct RunningTask {
    task_id: String,
    /// The language of its request.
    language: Language,
    typed: mpsc::Sender<UserInput>,
    end: JoinHandle<Result<FinalResult, Failure>>,
}

/// Talks until the person leaves.
///
/// # Errors
/// When the editor cannot be told to go on, which does not happen while it lives.
pub async fn run(conversation: Conversation) -> Result<u8, Failure> {
    let activity = Arc::new(Activity::default());
    let recent = Arc::new(RecentTasks::default());
    recent.read(&conversation.daemon).await;
    let history = conversation.daemon.paths.history();
    let EditorHandle { inputs, printer: sender, go_on } =
        open(conversation.look, &history, Arc::clone(&activity), Arc::clone(&recent));
    let printer = Printer::editor(conversation.look, sender.clone());
    let told = Printer::editor(conversation.look, sender.clone());
    let news = tokio::spawn(news::watch(conversation.daemon.clone(), told));
    let (running, waiting, answer) = (None, VecDeque::new(), String::new());
    let language = spoken();
    let live = LiveConversation {
        conversation,
        printer,
        sender,
        activity,
        recent,
        running,
        waiting,
        answer,
        language,
    };
    let left = live.talk(inputs, &go_on).await;
    news.abort();
    left
}

impl LiveConversation {
    async fn talk(
        mut self,
        mut inputs: mpsc::Receiver<UserInput>,
        go_on: &SyncSender<()>,
    ) -> Result<u8, Failure> {
        loop {
            let next = tokio::select! {
                input = inputs.recv() => input.unwrap_or(UserInput::End),
                end = ended(&mut self.running) => {
                    self.task_ended(end).await?;
                    continue;
                }
            };
            let leaves = next == UserInput::End || matches!(&next, UserInput::Line(line) if is_quit(line));
            // The pager has the terminal to itself: the editor is told to go on when it has ended.
            if matches!(&next, UserInput::Line(line) if is(line, SlashAction::More)) {
                pager::page(self.answer.clone()).await?;
            }
            // The editor of somebody who leaves is not told to go on, so the terminal stays as it was before.
            if leaves || go_on.send(()).is_err() {
                return self.leave();
            }
            match next {
                UserInput::Interrupt => self.interrupt().await?,
                UserInput::Line(line) => self.line(line).await?,
                UserInput::End => {}
            }
        }
    }

    async fn line(&mut self, line: String) -> Result<(), Failure> {
        let asked = self.activity.asked() != Asked::Nothing && self.running.is_some();
        let line = bare(&line).filter(|_| !asked).map_or(line.clone(), str::to_owned);
        if is_command(&line) {
            if let Err(failure) = self.slash(line.trim()).await {
                self.fails(&failure).await?;
            }
        } else if asked {
            self.tell(UserInput::Line(line)).await;
        } else if let Some(name) = near(&line) {
            let text = self.language.fill(Phrase::NearCommand, &[&name]);
            self.printer.lines(&[Line::plain("  ").add(Tone::Warn, text)]).await?;
        } else if !line.trim().is_empty() {
            self.request(line).await?;
        }
        Ok(())
    }

    async fn request(&mut self, input: String) -> Result<(), Failure> {
        // Which of its lines belong together nobody can tell from outside.
        let lines = input.lines().filter(|line| !line.trim().is_empty()).count();
        if lines > 1 {
            let text = Language::of(&input).fill(Phrase::OneOfLines, &[&lines.to_string()]);
            let width = self.printer.width();
            let told = Line::plain("  ").hanging(Tone::Dim, &text, width, LIST_LINES);
            self.printer.lines(&told).await?;
        }
        if self.running.is_none() {
            return self.start(input).await;
        }
        let language = Language::of(&input);
        let (phrase, tone) = if self.waiting.len() < WAITING {
            self.waiting.push_back(input);
            (Phrase::TaskWaitsUntil, Tone::Dim)
        } else {
            (Phrase::TooManyWait, Tone::Bad)
        };
        self.printer.lines(&[Line::plain("  ").add(tone, language.say(phrase))]).await
    }

    async fn start(&mut self, input: String) -> Result<(), Failure> {
        let language = Language::of(&input);
        self.language = language;
        match self.conversation.submit(input.clone()).await {
            Ok(accepted) => {
                self.recent.note(&accepted.task_id, &input);
                self.running = Some(self.follow(accepted, language));
                Ok(())
            }
            Err(failure) => self.fails(&failure).await,
        }
    }

    fn follow(&self, accepted: AcceptedTask, language: Language) -> RunningTask {
        let (typed, receiver) = mpsc::channel(TYPED);
        let mut keyboard = Keyboard::Editor { typed: receiver, activity: Arc::clone(&self.activity) };
        let mut printer = Printer::editor(self.conversation.look, self.sender.clone())
            .living_in(Arc::clone(&self.activity));
        let daemon = self.conversation.daemon.clone();
        let attended = self.conversation.attended;
        let view = view(&self.conversation.global, &self.conversation.task);
        let task_id = accepted.task_id.clone();
        let end = tokio::spawn(async move {
            let what = FollowOptions {
                daemon: &daemon,
                task_id: &accepted.task_id,
                view,
                attended,
                subtitle: &accepted.subtitle,
            };
            follow(what, &mut printer, &mut keyboard).await
        });
        RunningTask { task_id, language, typed, end }
    }

    async fn task_ended(&mut self, end: Result<FinalResult, Failure>) -> Result<(), Failure> {
        let language = self.running.take().map_or_else(Language::default, |running| running.language);
        self.activity.ask(Asked::Nothing);
        self.activity.live(None);
        match end {
            Ok(result) => self.delivered(&result, language).await?,
            Err(Failure::Cancelled) => {
                let text = language.say(Phrase::NotFollowed);
                self.printer.lines(&[Line::plain("  ").add(Tone::Dim, text)]).await?;
            }
            Err(failure) => self.fails(&failure).await?,
        }
        match self.waiting.pop_front() {
            Some(input) => {
                self.printer
                    .lines(&[Line::new().add(Tone::Accent, "› ").foreign(Tone::Plain, &input)])
                    .await?;
                self.start(input).await
            }
            None => Ok(()),
        }
    }

    /// Keeps the answer for the pager, and says so where its beginning has left the screen.
    async fn delivered(&mut self, result: &FinalResult, language: Language) -> Result<(), Failure> {
        let width = self.printer.width();
        let reader = AnswerReader::here();
        let said = ending::answer(result, language, width, AnswerForm::Screen(&reader, usize::MAX));
        let lines = said.iter().filter_map(|said| match said {
            Said::Answer(line) => Some(line.text(false)),
            Said::Note(_) => None,
        });
        let lines: Vec<String> = lines.collect();
        self.answer = lines.iter().map(|line| format!("{line}\n")).collect();
        let shown = rows().is_none_or(|rows| lines.len() + AROUND <= rows);
        let told = if shown {
            Line::new()
        } else {
            Line::plain("  ").add(Tone::Dim, language.fill(Phrase::MoreShows, &[&lines.len().to_string()]))
        };
        self.printer.lines(&[told]).await
    }

    async fn fails(&mut self, failure: &Failure) -> Result<(), Failure> {
        let width = self.printer.width();
        self.printer.lines(&failure_lines(failure, width)).await
    }

    async fn interrupt(&mut self) -> Result<(), Failure> {
        for input in std::mem::take(&mut self.waiting) {
            let line = Line::plain("  ")
                .add(Tone::Warn, self.language.say(Phrase::Dropped))
                .foreign(Tone::Plain, &input);
            self.printer.lines(&[line]).await?;
        }
        if self.running.is_some() {
            self.tell(UserInput::Interrupt).await;
        }
        Ok(())
    }

    async fn tell(&mut self, typed: UserInput) {
        if let Some(running) = &self.running {
            // A task that has just ended takes nothing any more, and needs nothing.
            drop(running.typed.send(typed).await);
        }
    }

    async fn slash(&mut self, line: &str) -> Result<(), Failure> {
        let (slash, typed) = parse(line)?;
        let last = self.conversation.last_task.clone();
        match slash.action {
            SlashAction::More if self.answer.is_empty() => {
                Err(Failure::Usage("there is no answer yet; /tasks lists what ran".to_owned()))
            }
            SlashAction::Quit | SlashAction::More => Ok(()),
            SlashAction::Help => {
                let width = self.printer.width();
                self.printer.lines(&help(self.language, width)).await
            }
            SlashAction::Clear => {
                self.conversation.new_session();
                // Home, clear the screen, clear what was scrolled away (ECMA-48 and xterm).
                raw("\u{1b}[H\u{1b}[2J\u{1b}[3J")
            }
            SlashAction::Cancel if typed.is_empty() => {
                if self.running.is_none() {
                    return Err(Failure::Usage("no task runs here; /tasks lists all".to_owned()));
                }
                self.interrupt().await
            }
            SlashAction::Cancel => self.command(&words(&["cancel"], &typed)).await,
            SlashAction::Confirm => match typed.as_slice() {
                [answer] if self.activity.asked() != Asked::Nothing => {
                    self.tell(UserInput::Line((*answer).to_owned())).await;
                    Ok(())
                }
                _ => self.command(&words(&["confirm"], &typed)).await,
            },
            SlashAction::Command(fixed) => self.command(&words(fixed, &typed)).await,
            SlashAction::OfTask(fixed) => {
                let all = words_of_task(fixed, &typed, last.as_deref())?;
                self.command(&all).await
            }
        }
    }

    async fn command(&mut self, words: &[&str]) -> Result<(), Failure> {
        let printer = Printer::editor(self.conversation.look, self.sender.clone());
        self.conversation.command(printer, words).await.map(|_| ())
    }

    fn leave(&self) -> Result<u8, Failure> {
        if let Some(running) = &self.running {
            let id = one_line(short_id(&running.task_id));
            raw(&format!("{}\n", running.language.fill(Phrase::GoesOn, &[&id])))?;
        }
        Ok(DONE)
    }
}

/// Whether a line leaves the conversation.
fn is_quit(line: &str) -> bool {
    is(line, SlashAction::Quit)
}

/// Whether a line is the command that does this.
fn is(line: &str, action: SlashAction) -> bool {
    parse(bare(line).unwrap_or(line.trim())).is_ok_and(|(slash, _)| slash.action == action)
}

/// The end of the running task; waits for ever when none runs.
async fn ended(running: &mut Option<RunningTask>) -> Result<FinalResult, Failure> {
    match running {
        Some(running) => match (&mut running.end).await {
            Ok(end) => end,
            Err(error) => Err(Failure::Local(format!("following the task broke down: {error}"))),
        },
        None => std::future::pending().await,
    }
}
