//! The address: the configured base URL as it is, with `/chat/completions` appended.

use reqwest::Url;

use crate::config::ModelConfigError;

/// Where requests go, and how to speak of it without a secret.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// The whole endpoint.
    pub(super) endpoint: Url,
    /// The endpoint for messages: without its query.
    pub(super) shown: String,
    /// Whether the base URL had a path of its own, such as `/v1`.
    has_path: bool,
}

impl Address {
    /// The endpoint below `base_url`. A query of the base URL stays.
    ///
    /// # Errors
    /// [`ModelConfigError::BaseUrl`] when it is no HTTP address, holds a password, already ends in the endpoint, or
    /// repeats a segment.
    pub(super) fn new(base_url: &str) -> Result<Self, ModelConfigError> {
        let refuse = |url: &str, problem: String| ModelConfigError::BaseUrl { url: url.to_owned(), problem };
        let base_url = base_url.trim();
        let Ok(mut url) = Url::parse(base_url) else {
            let example = "write an address such as http://127.0.0.1:11434/v1";
            // Text that is no address may hold a password in any place.
            let shown = if base_url.contains('@') { "..." } else { base_url };
            return Err(refuse(shown, format!("this is no address: {example}")));
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse(&bare(&url), "put the key into api_key, not into the address".to_owned()));
        }
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            let shown = if base_url.contains('@') { "...".to_owned() } else { bare(&url) };
            return Err(refuse(&shown, "it must start with http:// or https:// and a host".to_owned()));
        }
        let segments: Vec<String> = match url.path_segments() {
            Some(parts) => parts.filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            None => Vec::new(),
        };
        let words: Vec<&str> = segments.iter().map(String::as_str).collect();
        if let Some(end) = endpoint_end(&words) {
            let kept = words[..words.len() - end].join("/");
            let right = format!("{}/{kept}", url.origin().ascii_serialization());
            let problem =
                format!("artoo appends /chat/completions itself: write {}", right.trim_end_matches('/'));
            return Err(refuse(&bare(&url), problem));
        }
        if let Some(pair) = words.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(refuse(&bare(&url), format!("it has /{} twice: leave one out", pair[0])));
        }
        url.set_fragment(None);
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().push("chat").push("completions");
        }
        Ok(Self { shown: bare(&url), endpoint: url, has_path: !segments.is_empty() })
    }

    /// Host and port, for labels.
    pub(super) fn host(&self) -> String {
        let host = self.endpoint.host_str().unwrap_or_default();
        self.endpoint.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether the server is on this machine: then no proxy is asked.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.endpoint.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Whether the connection is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.endpoint.scheme() == "https"
    }

    /// What is unusual about the address, if anything.
    pub(super) fn advice(&self, has_key: bool) -> Option<String> {
        if !self.has_path {
            return Some(format!(
                "the base URL has no path, so requests go to {}; most servers want /v1 at its end",
                self.shown
            ));
        }
        (has_key && !self.is_encrypted() && !self.is_loopback())
            .then(|| format!("the key travels to {} without encryption", self.host()))
    }
}

/// How many last segments belong to an endpoint rather than to a base URL.
fn endpoint_end(segments: &[&str]) -> Option<usize> {
    match segments {
        [.., "chat", "completions"] => Some(2),
        [.., "chat" | "completions" | "responses" | "models"] => Some(1),
        _ => None,
    }
}

/// The address without what may be secret in it.
fn bare(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Both fail only for addresses that cannot hold a user, and then there is nothing to take out.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string().trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests;
