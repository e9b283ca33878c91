//! One model on one server: what is configured of it, the HTTP client, and what its replies have shown of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use artoo_redact::Redactor;
use artoo_types::chat::ChatRequest;
use artoo_types::limits::MODEL_CALL_MS;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::address::Address;
use super::ladder::Ladder;
use super::patience::Timing;
use super::room::PromptRoom;
use crate::config::{ApiForm, ModelConfigError, Patience, ProviderConfig};
use crate::prices::TokenPrice;

/// Longest deadline of a call: a day, so that adding it to a clock reading cannot overflow.
pub(super) const MAX_DEADLINE_MS: u64 = 24 * 60 * 60 * 1000;

/// Where requests go and how. It remembers which form of structured output the server takes.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) client: reqwest::Client,
    pub(super) address: Address,
    pub(super) authorization: Option<HeaderValue>,
    pub(super) redactor: Redactor,
    pub(super) model: String,
    pub(super) api: ApiForm,
    pub(super) timing: Timing,
    pub(super) patience: Patience,
    pub(super) ladder: Ladder,
    pub(super) room: PromptRoom,
    pub(super) headers: HeaderMap,
    /// Whether the daemon starts the server.
    pub(super) is_started_here: bool,
    /// None where no file is configured; then Some(None) where the file has no price.
    pub(super) price: Option<Option<TokenPrice>>,
}

impl Endpoint {
    /// What `config` says; its `kind` is not looked at. Nothing is sent.
    ///
    /// # Errors
    /// [`ModelConfigError`] when no call could succeed.
    pub(super) fn new(
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
            timing,
            patience: config.patience,
            ladder: Ladder::new(config.api),
            api: config.api,
            room: PromptRoom::default(),
            headers,
        })
    }

    /// What is unusual about it, if anything: for the start and for `artoo doctor`.
    pub(super) fn advice(&self) -> Option<String> {
        let unpriced = || {
            (self.price == Some(None)).then(|| {
                format!("the file of prices has none for {}, so that nobody knows what it costs", self.model)
            })
        };
        self.address.advice(self.authorization.is_some()).or_else(unpriced)
    }

    /// What `call_ms` allows; a request that allows less than is usual allows that much less of it.
    pub(super) fn longest(&self, request: &ChatRequest) -> Duration {
        let share = request.deadline_ms.min(MODEL_CALL_MS) as f64 / MODEL_CALL_MS as f64;
        ms(self.patience.call_ms.min(MAX_DEADLINE_MS)).mul_f64(share)
    }
}

/// So many milliseconds.
pub(super) const fn ms(milliseconds: u64) -> Duration {
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
