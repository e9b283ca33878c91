//! One call with its attempts: what is sent, and what follows a request that gave no reply.

use std::borrow::Cow;
use std::time::Duration;

use artoo_types::chat::{ChatReply, ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName};
use tokio::time::{Instant, sleep, timeout_at};

use super::endpoint::{Endpoint, MAX_DEADLINE_MS, ms};
use super::failure::CallTarget;
use super::ladder::LadderWalk;
use super::patience::MAX_TRIES;
use super::refusal::{Remedy, ServerRefusal};
use super::wire::BrokenBody;
use super::{body, estimate, room, wire};
use crate::config::ApiForm;

/// The version of Messages that is spoken.
pub(super) const MESSAGES_VERSION: &str = "2023-06-01";
/// Where Messages takes its key.
pub(super) const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");

/// One call with its attempts.
pub(super) struct Call<'a> {
    provider: &'a Endpoint,
    pub(super) walk: LadderWalk,
    /// The characters that the prompt may have, if that is known.
    room: Option<usize>,
    /// How often it was shortened in this call.
    shrinks: u32,
    started: Instant,
    /// How long it may be tried again.
    allowed: Duration,
    /// How long a reply may take that keeps coming.
    longest: Duration,
    /// HTTP requests, steps of the ladder included.
    attempts: u32,
    /// Those that count against [`MAX_TRIES`].
    tries: u32,
    /// What went wrong last.
    last: Option<String>,
    /// How long the server asked to wait, the last time.
    retry_after: Option<Duration>,
}

/// What follows a broken attempt.
enum NextTry {
    Again,
    Wait(Duration),
    GiveUp(ModelFailureKind, String),
}

impl<'a> Call<'a> {
    /// A call that has not begun. `wants_tools`: they are offered in the server's own form, if it has one.
    pub(super) fn new(provider: &'a Endpoint, request: &ChatRequest, wants_tools: bool) -> Self {
        let wants_tools = wants_tools && !request.native_tools.is_empty();
        Self {
            room: provider.room.known(),
            allowed: ms(request.deadline_ms.min(MAX_DEADLINE_MS)),
            ..Self::within(provider, provider.longest(request), wants_tools)
        }
    }

    /// The same call with a prompt that a context of so many tokens takes: some servers cut a longer one in silence.
    pub(super) fn fitting(mut self, request: &ChatRequest, context: Option<u64>) -> Self {
        let Some(tokens) = context else { return self };
        if let Some(fits) = room::fitting(request, self.walk.native_tools, tokens) {
            self.room = Some(self.room.map_or(fits, |room| room.min(fits)));
        }
        self
    }

    /// A call that ends within `wait`, for a prompt that fits anywhere.
    pub(super) fn within(provider: &'a Endpoint, wait: Duration, wants_tools: bool) -> Self {
        Self {
            provider,
            walk: provider.ladder.walk(wants_tools),
            room: None,
            shrinks: 0,
            started: Instant::now(),
            allowed: wait,
            longest: wait,
            attempts: 0,
            tries: 0,
            last: None,
            retry_after: None,
        }
    }

    /// Asks until there is a reply or a reason to give up: at most 4 tries, 8 steps of the ladder and 4 shorter prompts, which
    /// are 16 requests.
    pub(super) async fn outcome(mut self, request: &ChatRequest) -> ModelOutcome {
        loop {
            match self.once(request).await {
                Ok(reply) => return ModelOutcome::Reply(reply),
                Err(broken) => match self.after(request, &broken) {
                    NextTry::Again => {}
                    NextTry::Wait(wait) => sleep(wait).await,
                    NextTry::GiveUp(kind, message) => {
                        return ModelOutcome::Failure(self.failure(kind, &message));
                    }
                },
            }
        }
    }

    /// One HTTP request. None for its error: the deadline passed.
    pub(super) async fn once(&mut self, request: &ChatRequest) -> Result<ChatReply, Option<BrokenBody>> {
        let provider = self.provider;
        let fitted = self.room.map_or(Cow::Borrowed(request), |room| room::within(request, room));
        let body =
            body::body(provider.api, &fitted, &provider.model, self.walk.dialect, self.walk.native_tools);
        let body = body.to_string();
        let sent = body.len();
        let mut http = provider
            .client
            .post(provider.address.endpoint.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .headers(provider.headers.clone())
            .body(body);
        if provider.api == ApiForm::Messages {
            http = http.header("anthropic-version", MESSAGES_VERSION);
        }
        if let Some(authorization) = &provider.authorization {
            let name = if provider.api == ApiForm::Messages { KEY_HEADER } else { AUTHORIZATION };
            http = http.header(name, authorization.clone());
        }
        self.attempts += 1;
        let heard_out = self.started + self.longest;
        let (first, idle) = (ms(provider.patience.first_token_ms), ms(provider.patience.idle_ms));
        match timeout_at(heard_out, wire::attempt(provider.api, http, first, idle)).await {
            Err(_) => Err(None),
            Ok(Err(broken)) => Err(Some(broken)),
            Ok(Ok(gathered)) if gathered.is_filtered() => Err(Some(BrokenBody::Filtered)),
            Ok(Ok(gathered)) => {
                provider.ladder.remember(&self.walk);
                if self.shrinks > 0 {
                    provider.room.remember(room::chars(&fitted));
                }
                let mut reply = gathered.into_reply(&provider.model);
                let counted = estimate::filled(&mut reply, sent);
                let price = provider.price.flatten();
                reply.usage.cost_nanousd = price.and_then(|price| price.cost_nanousd(&counted));
                Ok(ChatReply { attempts: self.attempts, elapsed_ms: self.elapsed_ms(), ..reply })
            }
        }
    }

    /// What to do after an attempt that gave no reply.
    fn after(&mut self, request: &ChatRequest, broken: &Option<BrokenBody>) -> NextTry {
        let subject = self.subject();
        let (timing, patience) = (self.provider.timing, self.provider.patience);
        let Some(broken) = broken else { return self.too_late() };
        let (wait, kind, message) = match broken {
            BrokenBody::Refused(refusal) if self.walk.step(refusal) => {
                tracing::debug!(endpoint = subject.endpoint, dialect = ?self.walk.dialect, "asking in another form");
                return NextTry::Again;
            }
            BrokenBody::Refused(refusal) if self.shrink(request, refusal) => {
                tracing::debug!(
                    endpoint = subject.endpoint,
                    room = self.room,
                    "asking with a shorter prompt"
                );
                return NextTry::Again;
            }
            BrokenBody::Refused(refusal) => {
                let (kind, message) = subject.refused(refusal);
                self.retry_after = refusal.retry_after;
                // A longer wait is the task's, which people see and which outlives the daemon.
                let is_short = refusal.retry_after.is_none_or(|asked| asked <= timing.retry_after_cap);
                let waits = refusal.remedy() == Remedy::Wait && is_short;
                (waits.then(|| self.backoff(refusal.retry_after)), kind, message)
            }
            BrokenBody::Connect(why) => (
                timing.reconnect(self.tries + 1, self.started.elapsed()),
                // One's own server may take its time to load.
                if self.provider.is_started_here { ModelFailureKind::Busy } else { ModelFailureKind::Lost },
                subject.no_connection(why),
            ),
            BrokenBody::Cut { began, what } => {
                let wait = (!began).then(|| self.backoff(None));
                let kind = if *began { ModelFailureKind::Failed } else { ModelFailureKind::Lost };
                (wait, kind, subject.cut(*began, what))
            }
            BrokenBody::Silent { began } => {
                (None, ModelFailureKind::Deadline, subject.silent(*began, patience))
            }
            BrokenBody::Filtered => (None, ModelFailureKind::Refused, subject.filtered("")),
            BrokenBody::Encoded(how) => (None, ModelFailureKind::Refused, subject.encoded(how)),
            BrokenBody::Untrusted(why) => (None, ModelFailureKind::Unreachable, subject.untrusted(why)),
            BrokenBody::TooLong => (None, ModelFailureKind::Failed, subject.too_long(wire::MAX_REPLY_BYTES)),
        };
        self.tries += 1;
        let Some(wait) = wait else { return NextTry::GiveUp(kind, message) };
        if self.tries >= MAX_TRIES {
            return NextTry::GiveUp(kind, message);
        }
        tracing::debug!(endpoint = subject.endpoint, tries = self.tries, ?wait, "trying again");
        if self.started.elapsed() + wait < self.allowed {
            self.last = Some(message);
            return NextTry::Wait(wait);
        }
        // That nobody answers, or not yet, is known and says more than that time ran out.
        NextTry::GiveUp(kind, message)
    }

    /// Makes the prompt shorter where that is what the refusal asks for. False when nothing is left to leave out.
    fn shrink(&mut self, request: &ChatRequest, refusal: &ServerRefusal) -> bool {
        if refusal.remedy() != Remedy::Shorten || self.shrinks >= room::MAX_SHRINKS {
            return false;
        }
        let asked = room::chars(request);
        let sent = self.room.map_or(asked, |room| asked.min(room));
        let smaller = room::smaller(sent, refusal.fits());
        self.shrinks += 1;
        self.room = smaller.or(self.room);
        smaller.is_some()
    }

    fn backoff(&self, retry_after: Option<Duration>) -> Duration {
        self.provider.timing.backoff(self.tries + 1, retry_after, fastrand::f64())
    }

    fn retry_after_ms(&self, kind: ModelFailureKind) -> Option<u64> {
        let asked = self.retry_after.filter(|_| kind == ModelFailureKind::Busy)?;
        Some(u64::try_from(asked.as_millis()).unwrap_or(u64::MAX))
    }

    fn too_late(&self) -> NextTry {
        let last = self.last.as_deref();
        let time = if last.is_some() { self.allowed } else { self.longest };
        let message = self.subject().too_late(time.as_secs_f64(), last);
        NextTry::GiveUp(ModelFailureKind::Deadline, message)
    }

    fn failure(&self, kind: ModelFailureKind, message: &str) -> ModelFailure {
        ModelFailure {
            kind,
            message: self.provider.redactor.redact(message).into_owned(),
            attempts: self.attempts,
            elapsed_ms: self.elapsed_ms(),
            retry_after_ms: self.retry_after_ms(kind),
        }
    }

    pub(super) fn subject(&self) -> CallTarget<'a> {
        CallTarget {
            endpoint: &self.provider.address.shown,
            model: &self.provider.model,
            has_key: self.provider.authorization.is_some(),
            redactor: &self.provider.redactor,
        }
    }

    pub(super) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
