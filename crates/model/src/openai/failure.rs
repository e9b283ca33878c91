//! Failures in words that say what to do.

use std::time::Duration;

use artoo_redact::Redactor;
use artoo_types::chat::ModelFailureKind;
use artoo_types::text::first_chars;

use super::refusal::{Remedy, ServerRefusal};
use crate::config::Patience;

/// Characters of a server's words that a message quotes: enough for a sentence, too few for a page.
const QUOTED_CHARS: usize = 300;

/// Who failed, for the words of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallTarget<'a> {
    /// The endpoint.
    pub(super) endpoint: &'a str,
    /// The model.
    pub(super) model: &'a str,
    /// Whether a key is configured.
    pub(super) has_key: bool,
    /// What every word of a server passes before it is cut.
    pub(super) redactor: &'a Redactor,
}

impl CallTarget<'_> {
    /// The kind of a refusal that stays one, and its message.
    pub(super) fn refused(&self, refusal: &ServerRefusal) -> (ModelFailureKind, String) {
        let CallTarget { endpoint, model, .. } = self;
        let status =
            refusal.status.map_or_else(|| "an error object".to_owned(), |status| format!("HTTP {status}"));
        let said = self.quoted(&refusal.said);
        let unreachable = ModelFailureKind::Unreachable;
        match refusal.remedy() {
            // The server's own words may repeat the key, so they are not quoted.
            Remedy::Key if self.has_key => (
                unreachable,
                format!(
                    "{endpoint} does not accept the key ({status}): check api_key, api_key_file or \
                     api_key_command, and OPENAI_API_KEY, BRAIN_API_KEY and TOOL_API_KEY"
                ),
            ),
            Remedy::Key => (
                unreachable,
                format!(
                    "{endpoint} wants a key and none is configured ({status}): set api_key, api_key_file or \
                     api_key_command, or OPENAI_API_KEY"
                ),
            ),
            Remedy::Credit => (
                unreachable,
                format!(
                    "the account at {endpoint} has no credit left ({status}: {said}): top it up, or set another model"
                ),
            ),
            Remedy::Permission => (
                unreachable,
                format!(
                    "the account may not use {model} at {endpoint} ({status}: {said}): check model and api_key"
                ),
            ),
            Remedy::Model => (
                unreachable,
                format!("{endpoint} does not know the model {model} ({status}: {said}): check model"),
            ),
            Remedy::Shorten => (
                ModelFailureKind::Refused,
                format!(
                    "the prompt does not fit into the context of {model} at {endpoint} ({status}: {said}): give the server a \
                     larger context, or set another model"
                ),
            ),
            Remedy::Proxy => (unreachable, self.proxied(&format!("{status}: {said}"))),
            Remedy::Reword => (ModelFailureKind::Refused, self.filtered(&said)),
            Remedy::Address => (
                unreachable,
                format!(
                    "tried POST {endpoint} with the model {model} and found nothing ({status}: {said}): check base_url, \
                     which for most servers ends in /v1, and model"
                ),
            ),
            Remedy::Wait if refusal.is_busy() => {
                (ModelFailureKind::Busy, format!("{endpoint} is busy ({status}: {said})"))
            }
            Remedy::Wait => (
                ModelFailureKind::Lost,
                format!("{endpoint} kept failing ({status}: {said}): try again later, or set another model"),
            ),
            Remedy::None => (
                ModelFailureKind::Refused,
                format!("{endpoint} refused the request for {model} ({status}: {said})"),
            ),
        }
    }

    /// A proxy in between does not let anything through.
    fn proxied(&self, why: &str) -> String {
        format!(
            "the proxy before {} does not let artoo through ({why}): check HTTPS_PROXY and HTTP_PROXY in the daemon's \
             environment, with a name and password if it wants them, or except the server with NO_PROXY",
            self.endpoint
        )
    }

    /// No connection.
    pub(super) fn no_connection(&self, why: &str) -> String {
        // So the HTTP library says that a proxy refused; it has no type for it.
        if why.contains("tunnel error") {
            return self.proxied(&self.quoted(why));
        }
        format!(
            "nobody answers at {} ({}): start the server, or check base_url",
            self.endpoint,
            self.quoted(why)
        )
    }

    /// A filter took offence.
    pub(super) fn filtered(&self, said: &str) -> String {
        let Self { endpoint, model, .. } = self;
        let said = if said.is_empty() { String::new() } else { format!(" ({said})") };
        format!(
            "the content filter of {endpoint} stopped the reply{said}: say it in other words, or set another model than {model}"
        )
    }

    /// A body in another encoding.
    pub(super) fn encoded(&self, encoding: &str) -> String {
        format!(
            "{} sent a reply compressed with {}, which nobody asked for: turn compression off there, or at the proxy before it",
            self.endpoint,
            self.quoted(encoding)
        )
    }

    /// A certificate that nobody here vouches for.
    pub(super) fn untrusted(&self, why: &str) -> String {
        format!(
            "the certificate of {} is not accepted ({}): set ca_file to the certificate of the authority that signed it",
            self.endpoint,
            self.quoted(why)
        )
    }

    /// The reply broke off.
    pub(super) fn cut(&self, began: bool, what: &str) -> String {
        let what = self.quoted(what);
        if began {
            format!("the reply of {} broke off in its midst ({what}): try again", self.endpoint)
        } else {
            format!("{} gave no reply ({what}): try again, and check base_url and api", self.endpoint)
        }
    }

    /// The head of a server's words.
    fn quoted(&self, words: &str) -> String {
        first_chars(&self.redactor.redact(words), QUOTED_CHARS)
    }

    /// Silence.
    pub(super) fn silent(&self, began: bool, patience: Patience) -> String {
        let Self { endpoint, model, .. } = self;
        let seconds = |ms: u64| Duration::from_millis(ms).as_secs_f64();
        if began {
            let idle = seconds(patience.idle_ms);
            return format!(
                "{endpoint} began a reply and then sent nothing for {idle} s: it may hang; try again, or set idle_ms"
            );
        }
        let first = seconds(patience.first_token_ms);
        format!(
            "{endpoint} sent nothing for {first} s: it may be overloaded or still loading {model}; set first_token_ms if \
             it needs longer, or a faster model"
        )
    }

    /// The deadline; `last` is what went wrong before.
    pub(super) fn too_late(&self, seconds: f64, last: Option<&str>) -> String {
        let last = last.map_or_else(String::new, |last| format!("; before that: {last}"));
        format!(
            "{} did not answer within {seconds} s{last}: try again, set call_ms, or a faster model",
            self.endpoint
        )
    }

    /// Nothing in the time that a probe gives it.
    pub(super) fn slow(&self, wait: Duration) -> String {
        let Self { endpoint, model, .. } = self;
        format!(
            "{endpoint} did not answer within {} s: it may be loading {model}; look again, or set a faster model",
            wait.as_secs_f64()
        )
    }

    /// Too much.
    pub(super) fn too_long(&self, bytes: usize) -> String {
        format!(
            "the reply of {} is longer than {} MiB: {} may be looping",
            self.endpoint,
            bytes >> 20,
            self.model
        )
    }
}
