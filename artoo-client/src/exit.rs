//! How the command ends: the exit codes, and failures in words that say what to do.

use artoo_protocol::v1::FinalResult;
use artoo_protocol::words::Reason;
use tonic_types::StatusExt;

use crate::render::text::escape;

/// Accept or success; for other commands: done.
pub const DONE: u8 = 0;
/// Abandon; for other commands: what was looked for is not so.
pub const ABANDONED: u8 = 1;
/// The command line was not understood.
pub const USAGE: u8 = 2;
/// The daemon does not answer and could not be started.
pub const UNREACHABLE: u8 = 3;
/// The task stopped because an action needed a confirmation that nobody gave.
pub const UNCONFIRMED: u8 = 4;
/// The daemon refused the request.
pub const REFUSED: u8 = 5;
/// Nobody reads the output, as shells report a command that a closed pipe ended.
pub const UNREAD: u8 = 141;
/// Cancelled, as shells report a command that Ctrl+C ended.
pub const CANCELLED: u8 = 130;

/// The exit code of a task that ended like this.
pub fn code_of(result: &FinalResult) -> u8 {
    if result.directive().is_delivered() {
        return DONE;
    }
    let reason = result.reason();
    if reason == Reason::Cancelled {
        CANCELLED
    } else if reason == Reason::Refused && result.unanswered_confirmation {
        UNCONFIRMED
    } else {
        ABANDONED
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that does not exist.
    Usage(String),
    /// Nobody answers at the socket.
    Unreachable {
        /// The socket, as people write its path.
        socket: String,
        /// Why, one sentence a line.
        reason: String,
    },
    /// The daemon answered with an error.
    Refused(Box<tonic::Status>),
    /// Something on this side of the socket went wrong.
    Local(String),
    /// The person stopped it.
    Cancelled,
    /// Nobody reads the output any more, for example behind `head`.
    Unread,
}

impl Failure {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => USAGE,
            Self::Unreachable { .. } => UNREACHABLE,
            Self::Refused(_) => REFUSED,
            Self::Local(_) => ABANDONED,
            Self::Cancelled => CANCELLED,
            Self::Unread => UNREAD,
        }
    }

    /// The failure without the advice to run `artoo doctor`.
    pub fn finding(&self) -> String {
        let Self::Unreachable { socket, reason } = self else { return self.to_string() };
        let reason: String = reason.lines().map(|line| format!("\n  {}", escape(line))).collect();
        format!("the daemon does not answer at {socket}{reason}")
    }

    /// Whether there is nothing to say: the person knows.
    pub fn is_silent(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Unread)
    }

    /// An error of the daemon that this side makes up, because it did not have to ask.
    pub fn not_found(what: String) -> Self {
        Self::Refused(Box::new(tonic::Status::not_found(what)))
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(message) | Self::Local(message) => f.write_str(&escape(message)),
            Self::Unreachable { .. } => write!(f, "{}\n  Try: artoo doctor", self.finding()),
            Self::Refused(status) => {
                f.write_str(&escape(status.message()))?;
                let violations =
                    status.get_details_bad_request().into_iter().flat_map(|d| d.field_violations);
                // What the message says already is not said twice.
                for violation in violations.filter(|v| !status.message().contains(&v.description)) {
                    write!(f, "\n  {}: {}", escape(&violation.field), escape(&violation.description))?;
                }
                if let Some(delay) = status.get_details_retry_info().and_then(|info| info.retry_delay) {
                    write!(f, "\n  Try again in {} s.", delay.as_secs().max(1))?;
                }
                Ok(())
            }
            Self::Cancelled => f.write_str("cancelled"),
            Self::Unread => f.write_str("nobody reads the output"),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Local(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::FinalResult;

    use super::{Failure, code_of};

    fn check(directive: &str, reason: &str, unanswered: bool, code: u8) {
        let result = FinalResult {
            directive: directive.to_owned(),
            reason: reason.to_owned(),
            unanswered_confirmation: unanswered,
            ..Default::default()
        };
        assert_eq!(code_of(&result), code, "{directive} {reason} {unanswered}");
    }

    #[test]
    fn the_code_follows_the_directive() {
        check("accept", "criteria_met", false, 0);
        check("success", "within_tolerance", true, 0);
        check("abandon", "replans_exhausted", false, 1);
        check("abandon", "replans_exhausted", true, 1);
        check("abandon", "refused", true, 4);
        check("abandon", "refused", false, 1);
        check("abandon", "cancelled", false, 130);
        check("a word of a newer daemon", "", false, 1);
    }

    #[test]
    fn a_refusal_names_the_fields_and_the_time_to_wait() {
        use tonic_types::{ErrorDetails, StatusExt};
        let mut details = ErrorDetails::new();
        details.add_bad_request_violation("input", "must not be\u{1b} blank");
        details.set_retry_info(Some(std::time::Duration::from_secs(3)));
        let status = tonic::Status::with_error_details(tonic::Code::InvalidArgument, "no", details);
        let failure = Failure::Refused(Box::new(status));
        assert_eq!(failure.to_string(), "no\n  input: must not be\\x1b blank\n  Try again in 3 s.");
        assert_eq!(failure.code(), 5);

        let mut details = ErrorDetails::new();
        details.add_bad_request_violation("control", "unknown key `x`");
        let status = tonic::Status::with_error_details(
            tonic::Code::InvalidArgument,
            "control: unknown key `x`",
            details,
        );
        assert_eq!(Failure::Refused(Box::new(status)).to_string(), "control: unknown key `x`");
    }
}
