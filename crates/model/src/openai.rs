//! Servers that speak Chat Completions, Responses or Messages. What differs is where a request goes, how it is written
//! ([`body`]) and how its reply is read ([`gather`]); all else is the same for the three.

mod address;
mod body;
mod failure;
mod gather;
mod ladder;
mod patience;
mod probe;
mod refusal;
mod room;
mod sse;
mod wire;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use artoo_redact::Redactor;
use artoo_types::chat::{ChatReply, ChatRequest, ModelFailure, ModelFailureKind, ModelOutcome};
use artoo_types::limits::MODEL_CALL_MS;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, sleep, timeout_at};

use crate::config::{ApiForm, ModelConfigError, Patience, ProviderConfig, ToolCallForm};
use crate::prices::TokenPrice;
use crate::probe::Probing;
use crate::{Answer, ChatModel};
use address::Address;
use failure::CallTarget;
use ladder::{Ladder, LadderWalk};
use patience::MAX_TRIES;
pub use patience::Timing;
use refusal::{Remedy, ServerRefusal};
use room::PromptRoom;
use wire::BrokenBody;

/// The version of Messages that is spoken.
const MESSAGES_VERSION: &str = "2023-06-01";
/// Where Messages takes its key.
const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");
/// Longest deadline of a call: a day, so that adding it to a clock reading cannot overflow.
const MAX_DEADLINE_MS: u64 = 24 * 60 * 60 * 1000;

/// One model on one server. It remembers which form of structured output the server takes.
#[derive(Debug)]
pub struct OpenAi {
    client: reqwest::Client,
    address: Address,
    authorization: Option<HeaderValue>,
    redactor: Redactor,
    model: String,
    api: ApiForm,
    native_tools: bool,
    timing: Timing,
    patience: Patience,
    ladder: Ladder,
    room: PromptRoom,
    headers: HeaderMap,
    /// Whether the daemon starts the server.
    is_started_here: bool,
    /// None where no file is configured; then Some(None) where the file has no price.
    price: Option<Option<TokenPrice>>,
}

impl OpenAi {
    /// A provider for `config`; `kind` is not looked at. Nothing is sent.
    ///
    /// # Errors
    /// [`ModelConfigError`] when no call could succeed.
    pub fn new(
        config: &ProviderConfig,
        timing: Timing,
        redactor: &Redactor,
    ) -> Result<Self, ModelConfigError> {
        let address = Address::new(&config.base_url, config.api)?;
        let url = address.shown.clone();
        if config.model.trim().is_empty() {
            return Err(ModelConfigError::NoModel { url });
        }
        let authorization = if config.api_key.is_empty() {
            None
        } else {
            let scheme = if config.api == ApiForm::Messages { "" } else { "Bearer " };
            let header = HeaderValue::from_str(&format!("{scheme}{}", config.api_key.expose()));
            let mut header = header.map_err(|_| ModelConfigError::Key { url: url.clone() })?;
            header.set_sensitive(true);
            Some(header)
        };
        let client = client(&address, timing, config.ca_file.as_deref())?;
        let headers = headers(config, &address)?;
        let read = |file: &PathBuf| TokenPrice::read(file, config.model.trim());
        let price = config.prices.as_ref().map(read).transpose()?;
        Ok(Self {
            is_started_here: config.command.is_some(),
            price,
            client,
            address,
            authorization,
            redactor: redactor.clone(),
            model: config.model.trim().to_owned(),
            native_tools: config.tool_calls == ToolCallForm::Native,
            timing,
            patience: config.patience,
            ladder: Ladder::new(config.api),
            api: config.api,
            room: PromptRoom::default(),
            headers,
        })
    }

    /// What is unusual about the configured address, if anything: for the start and for `artoo doctor`.
    pub fn advice(&self) -> Option<String> {
        let unpriced = || {
            (self.price == Some(None)).then(|| {
                format!("the file of prices has none for {}, so that nobody knows what it costs", self.model)
            })
        };
        self.address.advice(self.authorization.is_some()).or_else(unpriced)
    }

    async fn run(&self, request: &ChatRequest) -> ModelOutcome {
        let wants_tools = self.native_tools && !request.native_tools.is_empty();
        let allowed = Duration::from_millis(request.deadline_ms.min(MAX_DEADLINE_MS));
        let mut call = Call {
            provider: self,
            walk: self.ladder.walk(wants_tools),
            room: self.room.known(),
            shrinks: 0,
            started: Instant::now(),
            allowed,
            longest: self.longest(request),
            attempts: 0,
            tries: 0,
            last: None,
            retry_after: None,
        };
        // At most 4 tries, 8 steps of the ladder and 4 shorter prompts: 16 requests.
        loop {
            match call.once(request).await {
                Ok(reply) => return ModelOutcome::Reply(reply),
                Err(broken) => match call.after(request, &broken) {
                    NextTry::Again => {}
                    NextTry::Wait(wait) => sleep(wait).await,
                    NextTry::GiveUp(kind, message) => {
                        return ModelOutcome::Failure(call.failure(kind, &message));
                    }
                },
            }
        }
    }
}

impl ChatModel for OpenAi {
    fn complete(&self, request: ChatRequest) -> Answer<'_> {
        Box::pin(async move { self.run(&request).await })
    }

    fn label(&self) -> String {
        format!("{} at {}", self.model, self.address.host())
    }

    fn native_tool_calls(&self) -> bool {
        self.native_tools
    }

    fn probe(&self, wait: Duration) -> Probing<'_> {
        Box::pin(async move { Some(self.try_out(wait).await) })
    }

    /// What `call_ms` allows; a request that allows less than is usual allows that much less of it.
    fn longest(&self, request: &ChatRequest) -> Duration {
        let share = request.deadline_ms.min(MODEL_CALL_MS) as f64 / MODEL_CALL_MS as f64;
        ms(self.patience.call_ms.min(MAX_DEADLINE_MS)).mul_f64(share)
    }
}

/// One call with its attempts.
struct Call<'a> {
    provider: &'a OpenAi,
    walk: LadderWalk,
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
    /// One HTTP request. None for its error: the deadline passed.
    async fn once(&mut self, request: &ChatRequest) -> Result<ChatReply, Option<BrokenBody>> {
        let provider = self.provider;
        let fitted = self.room.map_or(Cow::Borrowed(request), |room| room::within(request, room));
        let body =
            body::body(provider.api, &fitted, &provider.model, self.walk.dialect, self.walk.native_tools);
        let mut http = provider
            .client
            .post(provider.address.endpoint.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .headers(provider.headers.clone())
            .body(body.to_string());
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
                let price = provider.price.flatten();
                reply.usage.cost_nanousd = price.and_then(|price| price.cost_nanousd(&reply.usage));
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

    fn subject(&self) -> CallTarget<'a> {
        CallTarget {
            endpoint: &self.provider.address.shown,
            model: &self.provider.model,
            has_key: self.provider.authorization.is_some(),
            redactor: &self.provider.redactor,
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The HTTP client. It follows no redirect, which would carry the request elsewhere, and repeats nothing by itself.
fn client(
    address: &Address,
    timing: Timing,
    ca_file: Option<&Path>,
) -> Result<reqwest::Client, ModelConfigError> {
    // A second installation fails because the first one holds, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("artoo/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(timing.connect)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never());
    if !address.is_encrypted() {
        // Without encryption no certificate is looked at: a machine that has none can still use a local server.
        builder = builder.tls_certs_only([]);
    }
    if address.is_loopback() {
        builder = builder.no_proxy();
    }
    if let Some(file) = ca_file {
        let refuse = |problem: String| ModelConfigError::CaFile { file: file.display().to_string(), problem };
        let pem = std::fs::read(file).map_err(|error| refuse(error.to_string()))?;
        let found = reqwest::Certificate::from_pem_bundle(&pem);
        let certificates = found.map_err(|error| refuse(error.to_string()))?;
        if certificates.is_empty() {
            return Err(refuse("it holds no certificate in PEM form".to_owned()));
        }
        builder = builder.tls_certs_merge(certificates);
    }
    let url = address.shown.clone();
    builder
        .build()
        .map_err(|error| ModelConfigError::Client { url, problem: error.without_url().to_string() })
}

/// The header fields that are configured. They outrank artoo's own.
fn headers(config: &ProviderConfig, address: &Address) -> Result<HeaderMap, ModelConfigError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &config.headers {
        let refuse = || ModelConfigError::Header { url: address.shown.clone(), name: name.clone() };
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refuse())?;
        let mut field = HeaderValue::from_str(value.expose()).map_err(|_| refuse())?;
        field.set_sensitive(true);
        headers.insert(key, field);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
