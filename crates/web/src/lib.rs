//! Pages of the internet, and search. This crate never decides whether a request may be made; it holds each one to public
//! addresses. It is one of its own to quarantine reqwest and rustls: requests leave from here alone, and no command that
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

use artoo_types::tool::{CallOutcome, CallRefusal};

use address::AddressPolicy;
use get::{Lookup, SystemLookup};
use link::Link;
pub use search::{SearchConfig, SearchConfigError, SearchProvider};

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
pub struct Web {
    policy: AddressPolicy,
    lookup: Arc<dyn Lookup>,
    search: Option<SearchConfig>,
    deadline: Duration,
}

impl Web {
    /// The network as the configuration allows it.
    pub fn new(config: &WebConfig) -> Self {
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
    pub async fn fetch(&self, address: &str) -> CallOutcome {
        fetch::run(self, address).await
    }

    /// Searches.
    pub async fn search(&self, query: &str) -> CallOutcome {
        search::run(self, query).await
    }
}

/// The one spelling of an address; as it is when it cannot be read.
pub fn address(text: &str) -> String {
    Link::read(text).map_or_else(|_| text.trim().to_owned(), |link| link.url.into())
}

/// Why this address is never connected to, whoever allows it; `None` if it may be looked up.
pub fn unfit_address(text: &str) -> Option<CallRefusal> {
    match Link::read(text) {
        Err(problem) => Some(CallRefusal(problem)),
        Ok(link) => {
            // No person need be asked about an address that is never connected to.
            let literal = link.host.parse().ok().and_then(|address| AddressPolicy::Public.refusal(address));
            literal.map(|what| CallRefusal(link::not_public(&link.host, what)))
        }
    }
}

/// Why this is never searched for, whoever allows it; `None` if it may be.
pub fn unfit_query(text: &str) -> Option<CallRefusal> {
    let chars = text.trim().chars().count();
    (chars == 0 || chars > MAX_QUERY_CHARS)
        .then(|| CallRefusal(format!("a search has 1 to {MAX_QUERY_CHARS} characters; this one has {chars}")))
}

#[cfg(test)]
mod tests {
    use super::{address, unfit_address, unfit_query};

    #[test]
    fn a_query_has_a_length_and_an_address_is_one() {
        assert!(unfit_query(" \n ").is_some_and(|why| why.0.contains("1 to 400")));
        assert_eq!(unfit_query(&"é".repeat(400)), None);
        assert!(unfit_query(&"é".repeat(401)).is_some_and(|why| why.0.contains("this one has 401")));
        assert!(
            unfit_address("http://[::ffff:127.0.0.1]/").is_some_and(|why| why.0.contains("public internet"))
        );
        assert!(unfit_address("file:///etc/passwd").is_some_and(|why| why.0.contains("only http")));
        assert_eq!(unfit_address("https://example.org/?q=100%25&x=%zz%"), None);
        assert_eq!(address(" HTTPS://Example.org:443/a/../b#c "), "https://example.org/b");
        assert_eq!(address("no address"), "no address");
    }
}
