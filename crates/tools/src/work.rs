//! What a call works with while it runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use artoo_command::children::Children;
use artoo_command::process::{self, Command};
use artoo_command::sandbox::Confinement;
use artoo_command::stop::StopSignal;
use artoo_gate::paths::PathRules;
use artoo_types::Timestamp;
use artoo_types::evidence::CallEnd;
use artoo_types::tool::CallOutcome;
use artoo_web::Web;
use parking_lot::Mutex;

use crate::files::seen::SeenFiles;
use crate::installed::HelperPrograms;
use crate::outputs::Outputs;

/// How long after its deadline a tool's thread may still answer. It looks at the clock at least every few milliseconds,
/// unless the file system itself hangs.
const GRACE: Duration = Duration::from_millis(500);

/// A call that is under way.
pub(crate) type Running = Pin<Box<dyn Future<Output = CallOutcome> + Send>>;

/// What a file tool works with.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub(crate) places: PathRules,
    pub(crate) installed: HelperPrograms,
    /// The folder of full outputs.
    pub(crate) artifacts: PathBuf,
    pub(crate) outputs: Arc<Outputs>,
    pub(crate) seen: Arc<SeenFiles>,
    pub(crate) deadline: Instant,
    pub(crate) stop: StopSignal,
    pub(crate) now: Timestamp,
    /// Where the target really is that a person agreed to; `None` if nobody was asked.
    pub(crate) agreed: Option<String>,
    /// Whether the call may put something in the place of what is there: what it would replace is kept.
    pub(crate) replaces: bool,
    /// Whoever reads the receipt sees pictures.
    pub(crate) shows_images: bool,
}

impl Work {
    /// Set when the work has to end now.
    pub(crate) fn ended(&self) -> Option<CallOutcome> {
        if self.stop.is_stopped() {
            Some(CallOutcome::ended(CallEnd::Cancelled, "stopped before it was done".to_owned()))
        } else if Instant::now() >= self.deadline {
            Some(timed_out())
        } else {
            None
        }
    }
}

/// What starts the commands of one task.
#[derive(Debug, Clone)]
pub(crate) struct Commands {
    pub(crate) children: Children,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) home: PathBuf,
    /// Processes that would not end.
    pub(crate) survivors: Arc<Mutex<Vec<String>>>,
}

/// What one call runs with.
#[derive(Debug, Clone)]
pub(crate) struct ToolRun {
    pub(crate) work: Work,
    pub(crate) timeout: Duration,
    /// What a command may do.
    pub(crate) confinement: Confinement,
    pub(crate) commands: Commands,
    pub(crate) web: Web,
}

impl ToolRun {
    /// Does the work on a thread of its own. One that hangs in the file system is left behind after the deadline.
    pub(crate) fn on_thread(self, work: impl FnOnce(&Work) -> CallOutcome + Send + 'static) -> Running {
        let timeout = self.timeout + GRACE;
        Box::pin(async move {
            let thread = tokio::task::spawn_blocking(move || work(&self.work));
            match tokio::time::timeout(timeout, thread).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(error)) => CallOutcome::ended(CallEnd::Error, format!("the tool broke down: {error}")),
                Err(_) => timed_out(),
            }
        })
    }

    /// Talks to the internet, until the deadline or until it is stopped.
    pub(crate) fn online<W: Future<Output = CallOutcome> + Send>(
        self,
        work: impl FnOnce(Web) -> W + Send + 'static,
    ) -> Running {
        Box::pin(async move {
            let Self { web, timeout, work: Work { mut stop, .. }, .. } = self;
            tokio::select! {
                outcome = tokio::time::timeout(timeout, work(web)) => outcome.unwrap_or_else(|_| {
                    CallOutcome::ended(CallEnd::Timeout, "the deadline passed before the reply came".to_owned())
                }),
                () = stop.stopped() => {
                    CallOutcome::ended(CallEnd::Cancelled, "stopped before the reply came".to_owned())
                }
            }
        })
    }

    /// Runs a program with these arguments, which no shell reads, within what the call may do.
    pub(crate) async fn program(&self, arguments: Vec<String>) -> CallOutcome {
        self.bounded_program(arguments, None).await
    }

    /// The same, until it has written so many bytes.
    pub(crate) async fn bounded_program(
        &self,
        arguments: Vec<String>,
        most_bytes: Option<u64>,
    ) -> CallOutcome {
        let command = Command {
            arguments,
            folder: self.work.places.working_directory.clone(),
            environment: self.commands.environment.clone(),
            home: self.commands.home.clone(),
            timeout: self.timeout,
            confinement: self.confinement.clone(),
            most_bytes,
        };
        let stop = self.work.stop.clone();
        let (outcome, survivors) = process::run(command, &self.commands.children, stop).await;
        self.commands.survivors.lock().extend(survivors);
        outcome
    }
}

fn timed_out() -> CallOutcome {
    CallOutcome::ended(
        CallEnd::Timeout,
        "the deadline passed before it was done; narrow the folder or the pattern".to_owned(),
    )
}
