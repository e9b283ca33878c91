//! The tools of the network: pages of the internet, and search. Requests leave from this process alone; no command that
//! a tool starts has a network of its own.
//!
//! Start with [`fetch`] and [`search`]; what may be connected to is decided in [`address`] and [`link`], and held in
//! [`get`], the one place that connects.

mod address;
mod charset;
mod fetch;
mod get;
mod html;
mod link;
mod page;
mod search;
#[cfg(test)]
mod server;

use std::sync::Arc;
use std::time::Duration;

use artoo_types::redact::{Redactor, SecretKind};
use artoo_types::text::first_chars;

use crate::action::Action;
use artoo_types::tool::CallOutcome;
use address::AddressPolicy;
use get::{Lookup, SystemLookup};
use link::Link;
pub use search::{SearchConfig, SearchProvider};

/// Longest search query, in characters. What a person would type is far shorter, and a long one carries things away.
const MAX_QUERY_CHARS: usize = 400;

/// How long a page may take with all redirects, and a search.
const DEADLINE: Duration = Duration::from_secs(10);

/// Which of the network tools there are.
#[derive(Debug, Clone, Default)]
pub struct WebConfig {
    /// Whether pages may be fetched and searched at all.
    pub enabled: bool,
    /// Who searches; without it there is no search.
    pub search: Option<SearchConfig>,
}

/// What requests are made with.
#[derive(Debug, Clone)]
pub(crate) struct Web {
    policy: AddressPolicy,
    lookup: Arc<dyn Lookup>,
    search: Option<SearchConfig>,
    deadline: Duration,
}

impl Web {
    /// The network as the configuration allows it.
    pub(crate) fn new(config: &WebConfig) -> Self {
        Self {
            policy: AddressPolicy::Public,
            lookup: Arc::new(SystemLookup),
            search: config.search.clone(),
            deadline: DEADLINE,
        }
    }

    /// A network of a test: these addresses of its own servers count as public, and names are looked up there.
    #[cfg(test)]
    fn of_test(also: &[std::net::IpAddr], lookup: impl Lookup + 'static, deadline: Duration) -> Self {
        Self {
            policy: AddressPolicy::PublicAnd(also.to_vec()),
            lookup: Arc::new(lookup),
            search: None,
            deadline,
        }
    }

    /// Fetches a page.
    pub(crate) async fn fetch(&self, address: &str) -> CallOutcome {
        fetch::run(self, address).await
    }

    /// Searches.
    pub(crate) async fn search(&self, query: &str) -> CallOutcome {
        search::run(self, query).await
    }
}

/// The one spelling of an address; as it is when it cannot be read.
pub(crate) fn address(text: &str) -> String {
    Link::read(text).map_or_else(|_| text.trim().to_owned(), |link| link.url.into())
}

/// Why this call may not leave the machine, whoever allows it; none when it may.
pub(crate) fn unfit(action: &Action, redactor: &Redactor) -> Option<String> {
    let text = match action {
        Action::FetchUrl(a) => {
            match Link::read(&a.url) {
                Err(problem) => return Some(problem),
                Ok(link) => {
                    // No person need be asked about an address that is never connected to.
                    let literal =
                        link.host.parse().ok().and_then(|address| AddressPolicy::Public.refusal(address));
                    if let Some(what) = literal {
                        return Some(link::not_public(&link.host, what));
                    }
                }
            }
            a.url.as_str()
        }
        Action::Search(a) => {
            let chars = a.query.trim().chars().count();
            if chars == 0 || chars > MAX_QUERY_CHARS {
                return Some(format!("a search has 1 to {MAX_QUERY_CHARS} characters; this one has {chars}"));
            }
            a.query.as_str()
        }
        // A server may be anywhere.
        Action::Mcp(call) => call.spelled(),
        Action::FindFiles(_)
        | Action::Glob(_)
        | Action::ReadFile(_)
        | Action::WriteFile(_)
        | Action::EditFile(_)
        | Action::AppleScript(_)
        | Action::Shortcut(_)
        | Action::Shell(_)
        | Action::ReadOutput(_) => return None,
    };
    tells_secret(text, redactor).then(|| {
        format!("{:?} holds a secret, which never leaves this machine; leave it out", {
            first_chars(&redactor.redact(text), 80)
        })
    })
}

/// Whether a text tells a secret, as it is or with its percent signs read; what stands in the place of one counts too,
/// because it was one.
fn tells_secret(text: &str, redactor: &Redactor) -> bool {
    let plain = percent_decoded(text);
    [text, plain.as_str()]
        .into_iter()
        .any(|form| redactor.redact(form) != form || SecretKind::stands_in(form))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = code.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(byte.unwrap_or(if *first == b'+' { b' ' } else { *first }));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
