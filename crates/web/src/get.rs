//! One exchange with a server: the name is looked up once, every address is held against the policy, and the connection
//! goes to exactly those addresses. No proxy, no cookie, no redirect, no second try, nothing compressed.

use std::fmt;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};

use super::address::AddressPolicy;
use super::link::{Link, not_public};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);
/// Addresses of one name that are tried.
const MAX_ADDRESSES: usize = 16;

/// The addresses that a lookup gives, or why there are none.
pub(crate) type Addresses<'a> = Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, String>> + Send + 'a>>;

/// Where names are looked up.
pub(crate) trait Lookup: fmt::Debug + Send + Sync {
    /// The addresses of a name.
    fn addresses<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

/// The system's own resolver.
#[derive(Debug)]
pub(crate) struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await.map_err(|error| error.to_string())?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// What is asked of a server.
#[derive(Debug, Clone)]
pub(crate) struct WebRequest {
    pub(crate) link: Link,
    pub(crate) accept: &'static str,
    /// Headers of its own, such as a key.
    pub(crate) headers: HeaderMap,
    /// With a body it is posted: its type and its text.
    pub(crate) body: Option<(&'static str, String)>,
}

/// What a server replied, its body not yet read.
#[derive(Debug)]
pub(crate) struct WebReply {
    response: reqwest::Response,
}

/// Asks. The error says in words what is wrong and names the host, never the whole address, which may hold a key.
pub(crate) async fn ask(
    question: WebRequest,
    policy: &AddressPolicy,
    lookup: &dyn Lookup,
) -> Result<WebReply, String> {
    let WebRequest { link, accept, headers, body } = question;
    let host = link.host.clone();
    let addresses = checked(&link, policy, lookup).await?;
    let client = client(&link, addresses.clone())
        .map_err(|error| format!("no connection can be prepared: {}", in_words(error)))?;
    let request = match body {
        None => client.get(link.url),
        Some((kind, text)) => client.post(link.url).header(CONTENT_TYPE, kind).body(text),
    };
    let response = request.header(ACCEPT, accept).headers(headers).send().await;
    let response = response.map_err(|error| {
        if error.is_connect() {
            format!("there is no connection to {host}: {}", in_words(error))
        } else {
            format!("{host} did not reply as a web server does: {}", in_words(error))
        }
    })?;
    // It cannot be another address; should it be one, nothing of the reply is used.
    if let Some(remote) = response.remote_addr()
        && !addresses.contains(&remote.ip())
    {
        return Err(format!("{host} answered from an address that was not checked"));
    }
    if let Some(encoding) = response.headers().get(CONTENT_ENCODING).filter(|e| *e != "identity") {
        return Err(format!(
            "{host} sent the page compressed ({}), which was not asked for and is not unpacked",
            encoding.to_str().unwrap_or("in an unknown way")
        ));
    }
    Ok(WebReply { response })
}

impl WebReply {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// `404 Not Found`.
    pub(crate) fn status_line(&self) -> String {
        self.response.status().to_string()
    }

    pub(crate) fn header(&self, name: &reqwest::header::HeaderName) -> Option<&HeaderValue> {
        self.response.headers().get(name)
    }

    /// The type of the content, in small letters; empty when none is told.
    pub(crate) fn content_type(&self) -> String {
        let told = self.header(&CONTENT_TYPE).and_then(|value| value.to_str().ok());
        told.unwrap_or_default().to_ascii_lowercase()
    }

    /// How long the content is said to be.
    pub(crate) fn told_length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// The content, at most `max` bytes of it, and whether there was more.
    pub(crate) async fn body(mut self, max: usize) -> Result<(Vec<u8>, bool), String> {
        let mut body = Vec::new();
        loop {
            match self.response.chunk().await {
                Ok(None) => return Ok((body, false)),
                Ok(Some(chunk)) if body.len() + chunk.len() > max => {
                    body.extend_from_slice(&chunk[..max - body.len()]);
                    return Ok((body, true));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Err(error) => return Err(format!("the reply broke off: {}", in_words(error))),
            }
        }
    }
}

/// The addresses that may be connected to. One that may not be spoils the whole name: who answers with both kinds tries
/// something.
async fn checked(link: &Link, policy: &AddressPolicy, lookup: &dyn Lookup) -> Result<Vec<IpAddr>, String> {
    let host = link.host.as_str();
    let mut addresses = match host.parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) => lookup.addresses(host).await.map_err(|problem| {
            format!("the name {host} cannot be looked up ({problem}); check its spelling")
        })?,
    };
    for address in &addresses {
        if let Some(what) = policy.refusal(*address) {
            return Err(not_public(host, what));
        }
    }
    addresses.truncate(MAX_ADDRESSES);
    if addresses.is_empty() {
        return Err(format!("the name {host} has no address; check its spelling"));
    }
    Ok(addresses)
}

/// A client for one request to these addresses.
fn client(link: &Link, addresses: Vec<IpAddr>) -> Result<reqwest::Client, reqwest::Error> {
    // A second installation fails because the first one holds, which is what is wanted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("artoo/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .dns_resolver(Arc::new(CheckedAddresses(addresses)));
    if link.url.scheme() == "http" {
        // Without encryption no certificate is looked at, and finding the system's takes time.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

/// Answers with the addresses that were checked, whatever the name.
#[derive(Debug)]
struct CheckedAddresses(Vec<IpAddr>);

impl Resolve for CheckedAddresses {
    fn resolve(&self, _name: Name) -> Resolving {
        let addresses: Vec<SocketAddr> = self.0.iter().map(|address| SocketAddr::new(*address, 0)).collect();
        Box::pin(async move { Ok(Box::new(addresses.into_iter()) as Addrs) })
    }
}

/// An error with its causes, without the address.
fn in_words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
    // A chain of causes is a handful long.
    for _ in 0..8 {
        let Some(next) = cause else { break };
        let words = next.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = next.source();
    }
    text
}
