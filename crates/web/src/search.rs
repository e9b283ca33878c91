//! `search`: the web searched through one of five providers. One table, `SearchProvider::row`, says where each is, what it needs, and how it is
//! asked; how its reply is read is in `replies`.

mod replies;

use std::fmt;

use artoo_redact::Secret;
use artoo_types::evidence::CallEnd;
use artoo_types::text::first_chars;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use super::address::AddressPolicy;
use super::get::{WebRequest, ask};
use super::link::Link;
use super::{Web, charset};
use artoo_types::evidence::NO_MATCH;
use artoo_types::tool::CallOutcome;

/// Results that are told.
const MAX_RESULTS: usize = 10;
/// Bytes of a reply that are read. Ten results are some 50 KB.
const MAX_BYTES: usize = 2 << 20;
/// Characters of a title, and of what a result says.
const MAX_TITLE_CHARS: usize = 200;
const MAX_SNIPPET_CHARS: usize = 500;

/// Who searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchProvider {
    /// DuckDuckGo's page without scripts. It needs no key.
    DuckDuckGo,
    /// LangSearch.
    LangSearch,
    /// Google's Custom Search.
    Google,
    /// Brave Search.
    Brave,
    /// A SearxNG of one's own.
    SearxNg,
}

/// What is known of a provider.
struct ProviderRow {
    word: &'static str,
    name: &'static str,
    /// Where it is unless the configuration says; `None` if everybody has their own.
    address: Option<&'static str>,
    needs_key: bool,
    needs_engine: bool,
}

impl SearchProvider {
    const ALL: [Self; 5] = [Self::DuckDuckGo, Self::LangSearch, Self::Google, Self::Brave, Self::SearxNg];

    /// The provider that the configuration names by this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.row().word == word)
    }

    /// Sources: the providers' own documentation of their interfaces.
    const fn row(self) -> ProviderRow {
        match self {
            Self::DuckDuckGo => ProviderRow {
                word: "duckduckgo",
                name: "DuckDuckGo",
                address: Some("https://html.duckduckgo.com/html/"),
                needs_key: false,
                needs_engine: false,
            },
            Self::LangSearch => ProviderRow {
                word: "langsearch",
                name: "LangSearch",
                address: Some("https://api.langsearch.com/v1/web-search"),
                needs_key: true,
                needs_engine: false,
            },
            Self::Google => ProviderRow {
                word: "google",
                name: "Google",
                address: Some("https://www.googleapis.com/customsearch/v1"),
                needs_key: true,
                needs_engine: true,
            },
            Self::Brave => ProviderRow {
                word: "brave",
                name: "Brave",
                address: Some("https://api.search.brave.com/res/v1/web/search"),
                needs_key: true,
                needs_engine: false,
            },
            Self::SearxNg => ProviderRow {
                word: "searxng",
                name: "SearxNG",
                address: None,
                needs_key: false,
                needs_engine: false,
            },
        }
    }
}

impl fmt::Display for SearchProvider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.row().name)
    }
}

/// A provider that can be asked.
#[derive(Debug, Clone)]
pub struct SearchConfig {
    provider: SearchProvider,
    link: Link,
    policy: AddressPolicy,
    key: Secret,
    engine: String,
}

/// Why a provider cannot be asked. Each names the setting that is missing or wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchConfigError {
    /// Everybody has their own of this one.
    #[error("{0} has no address of its own; set search.base_url")]
    NoAddress(&'static str),
    /// The address cannot be read.
    #[error("search.base_url is no address: {0}")]
    BadAddress(String),
    /// The address is of another kind.
    #[error("search.base_url must begin with http:// or https://")]
    NotHttp,
    /// This provider takes no question without a key.
    #[error("{0} needs a key; set search.api_key_file")]
    NoKey(&'static str),
    /// This provider wants to know which of its engines is asked.
    #[error("{0} needs the id of a search engine; set search.engine_id")]
    NoEngine(&'static str),
}

impl SearchConfig {
    /// A provider at its own address, or at one that the operator names, which may be anywhere.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn new(
        provider: SearchProvider,
        base_url: Option<&str>,
        key: Secret,
        engine: &str,
    ) -> Result<Self, SearchConfigError> {
        let row = provider.row();
        let (address, policy) = match (base_url, row.address) {
            (Some(named), _) => (named, AddressPolicy::Anywhere),
            (None, Some(own)) => (own, AddressPolicy::Public),
            (None, None) => return Err(SearchConfigError::NoAddress(row.name)),
        };
        let url =
            Url::parse(address.trim()).map_err(|error| SearchConfigError::BadAddress(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(SearchConfigError::NotHttp);
        }
        if row.needs_key && key.is_empty() {
            return Err(SearchConfigError::NoKey(row.name));
        }
        if row.needs_engine && engine.is_empty() {
            return Err(SearchConfigError::NoEngine(row.name));
        }
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let link = Link { url, host };
        Ok(Self { provider, link, policy, key, engine: engine.to_owned() })
    }

    /// What a person should know of it: `Brave`, `SearxNG at http://127.0.0.1:8888/`.
    pub fn label(&self) -> String {
        let mut url = self.link.url.clone();
        url.set_query(None);
        match self.policy {
            AddressPolicy::Anywhere => format!("{} at {url}", self.provider),
            AddressPolicy::Public => self.provider.to_string(),
            #[cfg(test)]
            AddressPolicy::PublicAnd(_) => self.provider.to_string(),
        }
    }

    /// How the provider is asked.
    fn question(&self, query: &str) -> Result<WebRequest, String> {
        let (mut link, mut headers, mut body) = (self.link.clone(), HeaderMap::new(), None);
        let key = |prefix: &str| {
            let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.key.expose()))
                .map_err(|_| "the key of search holds a character that no header can carry".to_owned())?;
            value.set_sensitive(true);
            Ok::<_, String>(value)
        };
        match self.provider {
            SearchProvider::DuckDuckGo => {
                link.url.query_pairs_mut().append_pair("q", query);
            }
            SearchProvider::LangSearch => {
                headers.insert(AUTHORIZATION, key("Bearer ")?);
                let wanted =
                    json!({"query": query, "freshness": "noLimit", "summary": false, "count": MAX_RESULTS});
                body = Some(("application/json", wanted.to_string()));
            }
            SearchProvider::Google => {
                link.url
                    .query_pairs_mut()
                    .append_pair("key", self.key.expose())
                    .append_pair("cx", &self.engine)
                    .append_pair("num", &MAX_RESULTS.to_string())
                    .append_pair("q", query);
            }
            SearchProvider::Brave => {
                headers.insert(HeaderName::from_static("x-subscription-token"), key("")?);
                let count = MAX_RESULTS.to_string();
                link.url.query_pairs_mut().append_pair("count", &count).append_pair("q", query);
            }
            SearchProvider::SearxNg => {
                if !link.url.path().trim_end_matches('/').ends_with("/search") {
                    let path = format!("{}/search", link.url.path().trim_end_matches('/'));
                    link.url.set_path(&path);
                }
                link.url.query_pairs_mut().append_pair("format", "json").append_pair("q", query);
            }
        }
        let accept =
            if self.provider == SearchProvider::DuckDuckGo { "text/html" } else { "application/json" };
        Ok(WebRequest { link, accept, headers, body })
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SearchHit {
    title: String,
    url: String,
    snippet: String,
}

/// Searches.
pub(super) async fn run(web: &Web, query: &str) -> CallOutcome {
    let Some(config) = &web.search else {
        return CallOutcome::failed("no search is configured; set [search] in config.toml".to_owned());
    };
    match tokio::time::timeout(web.deadline, found(web, config, query.trim())).await {
        Ok(Ok(found)) => CallOutcome::done(listing(&found)),
        Ok(Err(problem)) => CallOutcome::failed(problem),
        Err(_) => CallOutcome::ended(
            CallEnd::Timeout,
            format!(
                "{} did not answer within {} s; try again later",
                config.provider,
                web.deadline.as_secs()
            ),
        ),
    }
}

async fn found(web: &Web, config: &SearchConfig, query: &str) -> Result<Vec<SearchHit>, String> {
    let name = config.provider;
    let reply = ask(config.question(query)?, &config.policy, web.lookup.as_ref()).await?;
    let (status, status_line, kind) = (reply.status(), reply.status_line(), reply.content_type());
    if let Some(problem) = refused(config.provider, status, &status_line) {
        return Err(problem);
    }
    let (body, cut) = reply.body(MAX_BYTES).await?;
    if cut {
        return Err(format!("{name} sent more than {MAX_BYTES} bytes, which is no list of results"));
    }
    let (text, _) = charset::text(&body, &kind, kind.contains("html"));
    let mut found = replies::read(config.provider, &text)?;
    found.truncate(MAX_RESULTS);
    Ok(found)
}

/// What a status says that brings no results, and what to do.
fn refused(provider: SearchProvider, status: u16, status_line: &str) -> Option<String> {
    match (provider, status) {
        (SearchProvider::DuckDuckGo, 202 | 403) => Some(replies::captcha()),
        (_, 200..=299) => None,
        (SearchProvider::SearxNg, 403) => Some(
            "SearxNG does not give JSON here; add `json` to search.formats in its settings.yml".to_owned(),
        ),
        (_, 401 | 403) => Some(format!(
            "{provider} does not take the key ({status_line}); check search.api_key and what it may do"
        )),
        (_, 402 | 429) => Some(format!(
            "{provider} takes no more searches for now ({status_line}); wait, or choose another search.provider"
        )),
        (_, 300..=399) => Some(format!("{provider} redirects elsewhere; check search.base_url")),
        (_, _) => Some(format!(
            "{provider} answered {status_line}; try again later, or choose another search.provider"
        )),
    }
}

fn listing(found: &[SearchHit]) -> String {
    if found.is_empty() {
        return NO_MATCH.to_owned();
    }
    let one_line = |text: &str, max| first_chars(&text.split_whitespace().collect::<Vec<_>>().join(" "), max);
    let mut text = String::new();
    for (at, result) in found.iter().enumerate() {
        let title = one_line(&result.title, MAX_TITLE_CHARS);
        text.push_str(&format!("{}. {title}\n   {}\n", at + 1, result.url));
        let snippet = one_line(&result.snippet, MAX_SNIPPET_CHARS);
        if !snippet.is_empty() {
            text.push_str(&format!("   {snippet}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests;
