//! Following one task to its end: events become lines, questions are put, Ctrl+C cancels.

use std::collections::VecDeque;

use artoo_protocol::json::event_to_json;
use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{CancelTaskRequest, Event, FinalResult};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::answers::{AnswerOutcome, OpenQuestion};
use crate::connection::{Client, DaemonConnector};
use crate::events::{EventStream, StreamChange};
use crate::exit::Failure;
use crate::keyboard::{Keyboard, UserInput};
use crate::output::{FRAME, Printer};
use crate::render::brief::BriefScreen;
use crate::render::compact::TaskScreen;
use crate::render::ending::AnswerForm;
use crate::render::line::LIST_LINES;
use crate::render::table::MOST_ROWS;
use crate::render::words::Phrase;
use crate::render::{Line, Tone, bars, ending, pipeline, trajectory};
use crate::repl::activity::Asked;
use crate::terminal::now_ms;
use crate::whole;

/// Events that were received and not printed yet; the daemon is held back beyond that.
const EVENTS_AHEAD: usize = 64;

/// How events are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventView {
    /// One living line, then the answer and a line of figures.
    Brief,
    /// The plan, each step with its evidence, each decision, then the answer.
    Steps,
    /// One line a message, then the answer.
    Pipeline,
    /// One JSON object a line.
    Json,
    /// The answer alone.
    Answer,
}

/// What to follow, and how.
pub struct FollowOptions<'a> {
    /// The daemon.
    pub daemon: &'a DaemonConnector,
    /// The task.
    pub task_id: &'a str,
    /// How events are shown.
    pub view: EventView,
    /// Whether questions are put to the person.
    pub attended: bool,
    /// What stands beside the task's name.
    pub subtitle: &'a str,
}

/// Follows a task until its final result.
///
/// # Errors
/// [`Failure::Cancelled`] after a second Ctrl+C, which leaves the task to the daemon; else what stopped the stream.
pub async fn follow(
    what: FollowOptions<'_>,
    printer: &mut Printer,
    keyboard: &mut Keyboard,
) -> Result<FinalResult, Failure> {
    let events = EventStream::new(what.daemon, what.task_id, 0, true);
    let (sender, mut received) = mpsc::channel(EVENTS_AHEAD);
    let pump = EventPump(tokio::spawn(pump(events, sender)));
    let mut follower = TaskFollower {
        screen: TaskScreen::new(printer.width(), what.subtitle).with_evidence(),
        brief: BriefScreen::new(printer.width()),
        began_ms: now_ms(),
        client: what.daemon.connect().await?,
        questions: VecDeque::new(),
        cancelling: None,
        interrupted: false,
        what,
        printer,
    };
    let mut frames = tokio::time::interval(FRAME);
    let result = loop {
        let listening = follower.listening();
        let spins = follower.printer.spins() && follower.spins();
        tokio::select! {
            event = received.recv() => match event {
                Some(Ok(StreamChange::Event(event))) => {
                    if let Some(result) = follower.event(*event, keyboard).await? {
                        break result;
                    }
                }
                Some(Ok(StreamChange::Lost)) => follower.daemon(Phrase::DaemonGone).await?,
                Some(Ok(StreamChange::Back)) => follower.daemon(Phrase::DaemonBack).await?,
                Some(Err(failure)) => return Err(failure),
                None => return Err(Failure::Local("the events ended before the task did".to_owned())),
            },
            typed = keyboard.next(listening), if !keyboard.is_closed() => {
                follower.typed(typed, keyboard).await?;
            }
            cancelled = settled(&mut follower.cancelling) => {
                follower.cancelling = None;
                cancelled.map_err(|status| follower.what.daemon.failure(status))?;
            }
            _ = frames.tick(), if spins => {
                follower.spin();
            }
        }
    };
    drop(pump);
    Ok(result)
}

struct TaskFollower<'a> {
    what: FollowOptions<'a>,
    client: Client,
    screen: TaskScreen,
    brief: BriefScreen,
    /// When following began, in milliseconds since the Unix epoch.
    began_ms: i64,
    printer: &'a mut Printer,
    questions: VecDeque<OpenQuestion>,
    /// The call that cancels. It lasts until the task has ended; events go on meanwhile.
    cancelling: Option<JoinHandle<Result<(), tonic::Status>>>,
    interrupted: bool,
}

impl TaskFollower<'_> {
    fn listening(&self) -> bool {
        self.what.attended && !self.questions.is_empty()
    }

    fn spins(&self) -> bool {
        !self.listening() && self.what.view != EventView::Json
    }

    fn spin(&mut self) {
        let elapsed = u64::try_from(now_ms().saturating_sub(self.began_ms)).unwrap_or(0);
        let width = self.printer.width();
        self.brief.resize(width);
        let stops = if self.printer.edits() { Phrase::EscStops } else { Phrase::CtrlCStops };
        let line = self.brief.living(elapsed, stops);
        self.printer.spin(&line);
    }

    async fn event(&mut self, event: Event, keyboard: &mut Keyboard) -> Result<Option<FinalResult>, Failure> {
        let steps = self.screen.event(&event);
        let mut at_once = self.brief.event(&event);
        if self.interrupted && matches!(event.payload, Some(Payload::TaskCancelled(_))) {
            // It was said when the key was pressed.
            at_once.clear();
        }
        let ends = matches!(event.payload, Some(Payload::FinalResult(_)));
        match self.what.view {
            EventView::Brief => {
                self.printer.notes(&at_once).await?;
            }
            EventView::Steps if ends => {}
            EventView::Steps => self.printer.notes(&steps).await?,
            EventView::Json => self.printer.text(event_to_json(&event).to_string()).await?,
            EventView::Pipeline => {
                let line = pipeline::line(&event, self.printer.width());
                self.printer.notes(&[line]).await?;
            }
            EventView::Answer => {}
        }
        match event.payload {
            Some(Payload::FinalResult(result)) => {
                let mut result = result;
                if !self.printer.look.live && self.what.view != EventView::Json {
                    let missing = whole::complete(&mut self.client, &mut result).await;
                    self.printer.notes(missing.as_slice()).await?;
                }
                self.finish(&result).await?;
                return Ok(Some(result));
            }
            Some(Payload::ConfirmationRequest(question)) => {
                self.put(OpenQuestion::confirmation(question), keyboard).await?;
            }
            Some(Payload::ClarificationRequest(request)) => {
                self.put(OpenQuestion::clarification(self.what.task_id, request), keyboard).await?;
            }
            Some(Payload::ConfirmationResolved(resolved)) => {
                self.close(|question| question.is_about(&resolved.confirmation_id), keyboard).await?;
            }
            Some(Payload::ClarificationAnswer(_)) => {
                self.close(OpenQuestion::is_clarification, keyboard).await?;
            }
            Some(_) | None => {}
        }
        Ok(None)
    }

    /// Says that the daemon went away, or is back.
    async fn daemon(&mut self, said: Phrase) -> Result<(), Failure> {
        self.brief.daemon(said);
        if matches!(self.what.view, EventView::Json | EventView::Answer) {
            return Ok(());
        }
        let tone = if said == Phrase::DaemonGone { Tone::Warn } else { Tone::Good };
        let width = self.printer.width();
        let line = Line::plain("  ").add(tone, self.brief.language().say(said)).fit(width);
        self.printer.notes(&[line]).await
    }

    async fn finish(&mut self, result: &FinalResult) -> Result<(), Failure> {
        self.printer.stop_spinning();
        let width = self.printer.width();
        self.brief.resize(width);
        let exact = matches!(self.what.view, EventView::Answer | EventView::Json);
        let reader = self.printer.reader().filter(|_| !exact).cloned();
        let form = reader.as_ref().map_or(AnswerForm::Exact, |reader| AnswerForm::Screen(reader, MOST_ROWS));
        let answer = || ending::answer(result, self.brief.language(), width, form);
        match self.what.view {
            EventView::Json => Ok(()),
            EventView::Brief => {
                let said = bars::charted(self.brief.ending(result, form), self.printer.look);
                self.printer.said(&said).await
            }
            // Whoever reads the answer alone learns beside it why there is none.
            EventView::Answer if result.directive().is_delivered() => self.printer.said(&answer()).await,
            EventView::Answer => {
                let cause = self.brief.cause(result);
                self.printer.notes(&cause).await?;
                self.printer.said(&answer()).await
            }
            EventView::Steps | EventView::Pipeline => {
                let mut lines = ending::verdict(result, self.screen.past(), width);
                lines.extend(trajectory::lines(&result.trajectory, width));
                lines.extend(ending::costs(
                    &result.usage.clone().unwrap_or_default(),
                    self.screen.past().answerer,
                ));
                lines.push(Line::new());
                if !result.directive().is_delivered() {
                    lines.extend(ending::summary(result, self.brief.language(), width));
                }
                self.printer.notes(&lines).await?;
                let said = bars::charted(answer(), self.printer.look);
                self.printer.said(&said).await
            }
        }
    }

    async fn put(&mut self, question: OpenQuestion, keyboard: &mut Keyboard) -> Result<(), Failure> {
        if !self.what.attended {
            return Ok(());
        }
        self.questions.push_back(question);
        if self.questions.len() == 1 {
            self.show_first(keyboard).await?;
        }
        Ok(())
    }

    /// Takes questions that were answered elsewhere, or expired, away.
    async fn close(
        &mut self,
        gone: impl Fn(&OpenQuestion) -> bool,
        keyboard: &mut Keyboard,
    ) -> Result<(), Failure> {
        let first_gone = self.questions.front().is_some_and(&gone);
        self.questions.retain(|question| !gone(question));
        if first_gone {
            self.show_first(keyboard).await?;
        }
        Ok(())
    }

    async fn show_first(&mut self, keyboard: &mut Keyboard) -> Result<(), Failure> {
        self.printer.stop_spinning();
        let Some(question) = self.questions.front() else {
            keyboard.ask(Asked::Nothing);
            return Ok(());
        };
        let lines = question.lines(self.brief.language(), self.printer.width());
        keyboard.ask(if question.is_clarification() { Asked::Line } else { Asked::Key });
        self.printer.notes(&lines).await
    }

    async fn typed(&mut self, typed: UserInput, keyboard: &mut Keyboard) -> Result<(), Failure> {
        match typed {
            UserInput::Interrupt => self.interrupt().await,
            UserInput::End => {
                let answer = self.questions.front().map(OpenQuestion::default_answer).unwrap_or_default();
                self.answer(answer, keyboard).await
            }
            UserInput::Line(line) => self.answer(&line, keyboard).await,
        }
    }

    async fn answer(&mut self, line: &str, keyboard: &mut Keyboard) -> Result<(), Failure> {
        let (width, language) = (self.printer.width(), self.brief.language());
        let Some(question) = self.questions.front_mut() else { return Ok(()) };
        let daemon = (self.what.daemon, &mut self.client);
        match question.answer(line, daemon, language, width).await {
            AnswerOutcome::Accepted => {
                self.questions.pop_front();
                self.show_first(keyboard).await
            }
            AnswerOutcome::AskAgain(lines) => self.printer.notes(&lines).await,
            AnswerOutcome::Refused(failure) => {
                self.questions.pop_front();
                let line = Line::plain("  ").add(Tone::Bad, "! ").foreign(Tone::Plain, &failure.to_string());
                self.printer.notes(&[line]).await?;
                self.show_first(keyboard).await
            }
        }
    }

    async fn interrupt(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.interrupted, true) {
            return Err(Failure::Cancelled);
        }
        if self.what.view != EventView::Json {
            let text = self.brief.language().say(Phrase::Cancelling);
            let lines = Line::plain("  ").hanging(Tone::Warn, text, self.printer.width(), LIST_LINES);
            self.printer.notes(&lines).await?;
        }
        let request = CancelTaskRequest { task_id: self.what.task_id.to_owned() };
        let mut client = self.client.clone();
        self.cancelling = Some(tokio::spawn(async move {
            match client.cancel_task(request).await {
                Ok(_) => Ok(()),
                // It ended in the meantime: its final result is on the way.
                Err(status) if status.code() == tonic::Code::FailedPrecondition => Ok(()),
                Err(status) => Err(status),
            }
        }));
        Ok(())
    }
}

/// The end of the call that cancels; waits for ever when there is none.
async fn settled(
    cancelling: &mut Option<JoinHandle<Result<(), tonic::Status>>>,
) -> Result<(), tonic::Status> {
    match cancelling {
        Some(call) => call.await.unwrap_or(Ok(())),
        None => std::future::pending().await,
    }
}

/// Passes events on, so that a wait for the next one is never given up half way.
async fn pump(mut events: EventStream, sender: mpsc::Sender<Result<StreamChange, Failure>>) {
    loop {
        let next = events.next_change().await;
        let more = matches!(next, Ok(Some(_)));
        let Some(item) = next.transpose() else { return };
        if sender.send(item).await.is_err() || !more {
            return;
        }
    }
}

/// Ends its task when it is dropped.
struct EventPump(tokio::task::JoinHandle<()>);

impl Drop for EventPump {
    fn drop(&mut self) {
        self.0.abort();
    }
}
