//! What the auditor finds while a conversation goes on, in a line above the one that is edited.

use std::time::Duration;

use artoo_protocol::v1::event::Payload;

use crate::commands::findings;
use crate::connection::DaemonConnector;
use crate::events::EventStream;
use crate::exit::Failure;
use crate::output::Printer;
use crate::render::{Line, Tone};

/// How long a daemon that went away is left alone. It is never started from here.
const PAUSE: Duration = Duration::from_secs(30);
/// Findings of one message that get a line each; more are counted.
const LINES: usize = 3;

/// Prints new findings until nobody takes the output.
pub async fn watch(daemon: DaemonConnector, mut printer: Printer) {
    let daemon = daemon.running();
    while tell(&daemon, &mut printer).await.is_ok() {
        tokio::time::sleep(PAUSE).await;
    }
}

/// Prints new findings until the daemon goes away.
///
/// # Errors
/// When nobody takes the output any more.
async fn tell(daemon: &DaemonConnector, printer: &mut Printer) -> Result<(), Failure> {
    let mut events = EventStream::new(daemon, "", 0, true);
    while let Ok(Some(event)) = events.next().await {
        let Some(Payload::AuditFindings(found)) = &event.payload else { continue };
        let width = printer.look.width;
        let shown = found.findings.iter().take(LINES);
        let mut lines: Vec<Line> =
            shown.map(|finding| findings::news(&finding.id, &finding.kind, &finding.detail, width)).collect();
        let rest = found.findings.len().saturating_sub(LINES);
        if rest > 0 {
            lines.push(Line::plain("  ").add(Tone::Warn, format!("! and {rest} more: artoo audit list")));
        }
        printer.lines(&lines).await?;
    }
    Ok(())
}
