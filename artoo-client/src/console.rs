//! What every command works with: the daemon, and a place to print.

use std::path::PathBuf;

use artoo_protocol::json::to_json;
use artoo_protocol::{Message, Name};
use clap::Args;

use crate::connection::{Client, DaemonConnector};
use crate::exit::Failure;
use crate::output::Printer;
use crate::paths::ClientPaths;
use crate::render::Line;
use crate::terminal::TerminalLook;

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub struct GlobalFlags {
    /// Do not start the daemon when it does not answer
    #[arg(long, global = true)]
    pub no_start: bool,
    /// Print JSON; streams print one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Socket of the daemon [default: $ARTOO_SOCKET, else artoo.sock in the data folder]
    #[arg(long, global = true, value_name = "PATH")]
    pub socket: Option<PathBuf>,
}

impl GlobalFlags {
    /// The daemon that the flags name.
    ///
    /// # Errors
    /// When there is no place for its socket.
    pub fn daemon(&self) -> Result<DaemonConnector, Failure> {
        Ok(DaemonConnector { paths: ClientPaths::find(self.socket.as_deref())?, may_start: !self.no_start })
    }
}

/// A connected daemon and a printer, for one command.
pub struct Console {
    /// Where the daemon is.
    pub daemon: DaemonConnector,
    /// Makes calls.
    pub client: Client,
    /// Prints lines and JSON.
    pub printer: Printer,
    /// Whether JSON is wanted.
    pub json: bool,
}

impl Console {
    /// Connected, printing to standard output.
    ///
    /// # Errors
    /// When the daemon does not answer.
    pub async fn new(global: &GlobalFlags) -> Result<Self, Failure> {
        let daemon = global.daemon()?;
        let client = daemon.connect().await?;
        Ok(Self { daemon, client, printer: Printer::stdout(TerminalLook::detect()), json: global.json })
    }

    /// Prints the message as JSON, or else these lines.
    ///
    /// # Errors
    /// When nobody takes the output.
    pub async fn print<M: Message + Name>(
        &mut self,
        message: &M,
        lines: impl FnOnce(&M, &TerminalLook) -> Vec<Line>,
    ) -> Result<(), Failure> {
        if self.json {
            return self.printer.text(to_json(message).to_string()).await;
        }
        let lines = lines(message, &self.printer.look);
        self.printer.lines(&lines).await
    }
}
