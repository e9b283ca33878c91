//! One HTTP request and the reading of what comes back, under two timers: for the first sign of a reply, and for silence after it.

use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream::{Stream, StreamExt};
use reqwest::header::{CONTENT_ENCODING, LOCATION, RETRY_AFTER};
use tokio::time::{Instant, timeout, timeout_at};

use super::gather::{BadChunk, ReplyParts};
use super::patience::retry_after;
use super::refusal::{ServerRefusal, one_line};
use super::sse::EventCutter;
use crate::config::ApiForm;

/// Bytes of one reply on the wire. The longest sensible reply has about 32 kB of text, which a stream of one-character
/// chunks blows up about two hundred times.
pub(super) const MAX_REPLY_BYTES: usize = 8 * 1024 * 1024;

/// Bytes of an error page that are read: enough for any error object.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// Bytes of a body that is no reply that are kept for a message about it: more than the message quotes.
const MAX_HEAD_BYTES: usize = 4 * 1024;

/// Why an attempt gave no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BrokenBody {
    /// No connection came about.
    Connect(String),
    /// The server said no.
    Refused(ServerRefusal),
    /// The reply broke off or is none.
    Cut {
        /// Whether part of the answer had come.
        began: bool,
        /// What happened.
        what: String,
    },
    /// The server fell silent.
    Silent {
        /// Whether anything of a reply had come.
        began: bool,
    },
    /// The reply is longer than [`MAX_REPLY_BYTES`].
    TooLong,
    /// A filter of the server stopped the reply.
    Filtered,
    /// The body is in an encoding that was not asked for.
    Encoded(String),
    /// The server's certificate is not trusted.
    Untrusted(String),
}

/// Sends the request and reads the reply.
///
/// # Errors
/// [`BrokenBody`].
pub(super) async fn attempt(
    api: ApiForm,
    request: reqwest::RequestBuilder,
    first_token: Duration,
    idle: Duration,
) -> Result<ReplyParts, BrokenBody> {
    let silent_at = Instant::now() + first_token;
    let response = match timeout_at(silent_at, request.send()).await {
        Err(_) => return Err(BrokenBody::Silent { began: false }),
        Ok(Err(error)) if is_untrusted(&error) => return Err(BrokenBody::Untrusted(chain(&error))),
        Ok(Err(error)) if error.is_connect() => return Err(BrokenBody::Connect(chain(&error))),
        Ok(Err(error)) => return Err(BrokenBody::Cut { began: false, what: chain(&error) }),
        Ok(Ok(response)) => response,
    };
    if !response.status().is_success() {
        return Err(BrokenBody::Refused(refusal(response, idle).await));
    }
    if let Some(encoding) = encoding(&response) {
        return Err(BrokenBody::Encoded(encoding));
    }
    let body = response.bytes_stream().map(|piece| piece.map_err(|error| chain(&error)));
    read(api, Box::pin(body), silent_at, idle).await
}

/// Reads a reply: events, or one JSON object from a server that does not stream. Patience ends at `silent_at`
/// or, if that is later, `idle` after the last sign of life; from the first data on, `idle` after the last piece.
///
/// # Errors
/// [`BrokenBody`].
pub(super) async fn read<S>(
    api: ApiForm,
    mut body: Pin<Box<S>>,
    silent_at: Instant,
    idle: Duration,
) -> Result<ReplyParts, BrokenBody>
where
    S: Stream<Item = Result<Bytes, String>>,
{
    let gathered = ReplyParts::new(api);
    let mut reader = BodyReader { gathered, ..BodyReader::default() };
    let mut silent_at = silent_at;
    loop {
        let end = match timeout_at(silent_at, poll_fn(|task| body.as_mut().poll_next(task))).await {
            Ok(Some(Ok(piece))) => match reader.feed(&piece)? {
                BodyProgress::Nothing => {
                    silent_at = silent_at.max(Instant::now() + idle);
                    continue;
                }
                BodyProgress::Data => {
                    reader.has_data = true;
                    silent_at = Instant::now() + idle;
                    continue;
                }
                BodyProgress::End => None,
            },
            Ok(None) => None,
            Ok(Some(Err(what))) => Some(BrokenBody::Cut { began: reader.gathered.has_content(), what }),
            Err(_) => Some(BrokenBody::Silent { began: reader.has_data }),
        };
        return reader.end(end);
    }
}

/// What a piece of a body brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyProgress {
    Nothing,
    Data,
    End,
}

#[derive(Debug, Default)]
enum BodyForm {
    #[default]
    Unknown,
    Events(EventCutter),
    Whole(Vec<u8>),
}

#[derive(Debug, Default)]
struct BodyReader {
    form: BodyForm,
    bytes: usize,
    head: Vec<u8>,
    has_data: bool,
    gathered: ReplyParts,
}

impl BodyReader {
    fn feed(&mut self, piece: &[u8]) -> Result<BodyProgress, BrokenBody> {
        self.bytes += piece.len();
        if self.bytes > MAX_REPLY_BYTES {
            return Err(BrokenBody::TooLong);
        }
        // The start of the body, for a message about a body that is no reply.
        let room = MAX_HEAD_BYTES.saturating_sub(self.head.len()).min(piece.len());
        self.head.extend_from_slice(&piece[..room]);
        if matches!(self.form, BodyForm::Unknown) {
            // What the body is, its first byte tells more reliably than its declared type.
            match piece.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => return Ok(BodyProgress::Nothing),
                // No text begins so (RFC 1952).
                Some(0x1f) => return Err(BrokenBody::Encoded("gzip".to_owned())),
                Some(b'{' | b'[') => self.form = BodyForm::Whole(Vec::new()),
                Some(_) => self.form = BodyForm::Events(EventCutter::default()),
            }
        }
        match &mut self.form {
            BodyForm::Unknown => Ok(BodyProgress::Nothing),
            BodyForm::Whole(body) => {
                body.extend_from_slice(piece);
                let blank = piece.iter().all(u8::is_ascii_whitespace);
                Ok(if blank { BodyProgress::Nothing } else { BodyProgress::Data })
            }
            BodyForm::Events(cutter) => {
                let events = cutter.feed(piece);
                let fed = if events.is_empty() { BodyProgress::Nothing } else { BodyProgress::Data };
                for event in events {
                    match self.gathered.take_event(&event) {
                        Ok(true) => return Ok(BodyProgress::End),
                        Ok(false) => {}
                        Err(untaken) => return Err(self.broken(untaken)),
                    }
                }
                Ok(fed)
            }
        }
    }

    /// The reply, unless `broken` came in its midst. A reply whose end was announced is whole, whatever happened to
    /// the connection afterwards. One that ends in order without an announcement is taken as it is: not every server
    /// makes one, and JSON shows by itself whether it is whole.
    fn end(mut self, broken: Option<BrokenBody>) -> Result<ReplyParts, BrokenBody> {
        let last = match std::mem::take(&mut self.form) {
            BodyForm::Unknown => Ok(false),
            BodyForm::Events(cutter) => match cutter.finish() {
                Some(event) if broken.is_none() => self.gathered.take_event(&event),
                Some(_) | None => Ok(false),
            },
            BodyForm::Whole(body) => match self.gathered.take_body(&body) {
                // Part of an object is no object: the break is what happened.
                Err(BadChunk::NotJson) if broken.is_some() => Ok(false),
                taken => taken.map(|()| true),
            },
        };
        match (last, broken) {
            (Err(untaken), _) => Err(self.broken(untaken)),
            (Ok(_), Some(broken)) if !self.gathered.is_finished() => Err(broken),
            (Ok(_), _) if !self.gathered.has_chunks() => Err(self.broken(BadChunk::NotJson)),
            (Ok(_), _) => Ok(self.gathered),
        }
    }

    fn broken(&self, untaken: BadChunk) -> BrokenBody {
        let began = self.gathered.has_content();
        match untaken {
            // What was said before it cannot be taken back by asking again.
            BadChunk::Refused(refusal) if began => {
                BrokenBody::Cut { began, what: format!("the server broke the reply off: {}", refusal.said) }
            }
            BadChunk::Refused(refusal) => BrokenBody::Refused(refusal),
            BadChunk::NotJson => {
                let head = one_line(&String::from_utf8_lossy(&self.head));
                let what = if head.is_empty() {
                    "the reply is empty".to_owned()
                } else if began {
                    "the reply has a chunk that is no JSON".to_owned()
                } else {
                    format!("the reply is none that was asked for; it begins: {head}")
                };
                BrokenBody::Cut { began, what }
            }
        }
    }
}

/// Reads what the server says instead of a reply. A body that does not come leaves the status alone to speak.
async fn refusal(mut response: reqwest::Response, idle: Duration) -> ServerRefusal {
    let status = response.status();
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let wait = header(RETRY_AFTER).and_then(|value| retry_after(value, SystemTime::now()));
    let location = header(LOCATION).map(str::to_owned);
    let encoding = encoding(&response);
    let mut body = Vec::new();
    while body.len() < MAX_ERROR_BYTES {
        match timeout(idle, response.chunk()).await {
            Ok(Ok(Some(piece))) => body.extend_from_slice(&piece),
            Ok(Ok(None) | Err(_)) | Err(_) => break,
        }
    }
    let mut refusal = ServerRefusal::from_status(status.as_u16(), &String::from_utf8_lossy(&body), wait);
    if let Some(location) = location.filter(|_| status.is_redirection()) {
        refusal.said = format!("it points to {}", one_line(&location));
    }
    if let Some(encoding) = encoding {
        refusal.said =
            format!("its words are compressed with {}, which nobody asked for", one_line(&encoding));
    }
    if refusal.said.is_empty() {
        refusal.said = status.canonical_reason().unwrap_or("no reason given").to_owned();
    }
    refusal
}

/// The encoding of a body, unless it is none.
fn encoding(response: &reqwest::Response) -> Option<String> {
    let value = response.headers().get(CONTENT_ENCODING)?.to_str().ok()?.trim();
    (!value.is_empty() && !value.eq_ignore_ascii_case("identity")).then(|| value.to_owned())
}

/// Whether the connection failed because nobody here vouches for the server's certificate.
fn is_untrusted(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    for _ in 0..16 {
        let Some(inner) = cause else { break };
        if let Some(rustls::Error::InvalidCertificate(_)) = inner.downcast_ref() {
            return true;
        }
        // What an error of input and output holds is not its source, and one may hold another.
        let inside = inner.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = inside.map(|inside| inside as &(dyn Error + 'static)).or_else(|| inner.source());
    }
    false
}

/// The error with its causes, without the address, which may hold a secret.
fn chain(error: &reqwest::Error) -> String {
    // The outermost text repeats the address; the causes say what happened.
    let mut said: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(inner) = cause.filter(|_| said.len() < 8) {
        let text = inner.to_string();
        // "client error (Connect)" only says which step its cause broke.
        let only_a_step = text.starts_with("client error (") && inner.source().is_some();
        if !only_a_step && !said.contains(&text) {
            said.push(text);
        }
        cause = inner.source();
    }
    if said.is_empty() {
        return if error.is_timeout() { "timed out".to_owned() } else { "the connection failed".to_owned() };
    }
    one_line(&said.join(": "))
}

#[cfg(test)]
mod tests;
