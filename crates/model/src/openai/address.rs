//! The address: the configured base URL as it is, with the path of its interface appended.

use reqwest::Url;

use crate::config::{ApiForm, ModelConfigError};

/// Where requests go, and how to speak of it without a secret.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// The whole endpoint.
    pub(super) endpoint: Url,
    /// The endpoint for messages: without its query.
    pub(super) shown: String,
    /// Whether the base URL had a path of its own, such as `/v1`.
    has_path: bool,
    /// How many segments were appended to it.
    path_segments: usize,
}

impl Address {
    /// The endpoint below `base_url`. A query of the base URL stays.
    ///
    /// # Errors
    /// [`ModelConfigError::BaseUrl`] when it is no HTTP address, holds a password, already ends in the endpoint, or
    /// repeats a segment.
    pub(super) fn new(base_url: &str, api: ApiForm) -> Result<Self, ModelConfigError> {
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
            let path = api.path().join("/");
            let problem = format!("artoo appends /{path} itself: write {}", right.trim_end_matches('/'));
            return Err(refuse(&bare(&url), problem));
        }
        if let Some(pair) = words.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(refuse(&bare(&url), format!("it has /{} twice: leave one out", pair[0])));
        }
        url.set_fragment(None);
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(api.path());
        }
        Ok(Self {
            shown: bare(&url),
            endpoint: url,
            has_path: !segments.is_empty(),
            path_segments: api.path().len(),
        })
    }

    /// Where the server lists its models; None for an address that has no path.
    pub(super) fn models(&self) -> Option<Url> {
        let mut url = self.endpoint.clone();
        let mut parts = url.path_segments_mut().ok()?;
        for _ in 0..self.path_segments {
            parts.pop();
        }
        parts.push("models");
        drop(parts);
        Some(url)
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
        [.., "chat" | "completions" | "responses" | "messages" | "models"] => Some(1),
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
mod tests {
    use super::Address;
    use crate::config::ApiForm;

    fn check(base_url: &str, expected: Result<&str, &str>) {
        match (Address::new(base_url, ApiForm::Chat), expected) {
            (Ok(address), Ok(endpoint)) => assert_eq!(address.endpoint.as_str(), endpoint, "{base_url}"),
            (Err(error), Err(part)) => {
                let said = error.to_string();
                assert!(said.contains(part) && !said.contains("hunter2"), "{base_url}: {said}");
            }
            (found, expected) => panic!("{base_url}: expected {expected:?}, found {found:?}"),
        }
    }

    #[test]
    fn the_base_url_is_used_as_given() {
        check("http://127.0.0.1:1/v1", Ok("http://127.0.0.1:1/v1/chat/completions"));
        check(" http://127.0.0.1:1/v1/ ", Ok("http://127.0.0.1:1/v1/chat/completions"));
        check("https://a.example/api/v3", Ok("https://a.example/api/v3/chat/completions"));
        check("https://a.example", Ok("https://a.example/chat/completions"));
        check("https://a.example/d?api-version=2", Ok("https://a.example/d/chat/completions?api-version=2"));
    }

    #[test]
    fn an_address_that_cannot_be_right_is_refused_with_the_right_one() {
        check("http://x/v1/chat/completions", Err("write http://x/v1"));
        check("http://x/v1/chat/completions/", Err("write http://x/v1"));
        check("http://x:8/chat", Err("write http://x:8"));
        check("http://x/v1/v1", Err("/v1 twice"));
        check("http://x/v1//v1/", Err("/v1 twice"));
        check("x.example/v1", Err("this is no address"));
        check("ftp://x/v1", Err("http:// or https://"));
        check("", Err("this is no address"));
        check("http://me:hunter2@x/v1", Err("api_key"));
        check("me:hunter2@x/v1", Err("base_url"));
    }

    #[test]
    fn each_interface_has_its_path() {
        for (api, path) in [(ApiForm::Responses, "/v1/responses"), (ApiForm::Messages, "/v1/messages")] {
            let address = Address::new("https://a.example/v1", api).unwrap();
            assert_eq!(address.endpoint.path(), path);
            let said = Address::new(&format!("https://a.example{path}"), api).unwrap_err().to_string();
            assert!(said.ends_with("write https://a.example/v1"), "{said}");
        }
    }

    #[test]
    fn an_unusual_address_is_told() {
        let advice = |url: &str, has_key| {
            Address::new(url, ApiForm::Chat).unwrap().advice(has_key).unwrap_or_default()
        };
        assert!(advice("http://localhost:11434", false).contains("/v1"));
        assert_eq!(advice("http://localhost:11434/v1", true), "");
        assert_eq!(advice("http://[::1]:11434/v1", true), "");
        assert!(advice("http://10.0.0.2/v1", true).contains("without encryption"));
        assert_eq!(advice("http://10.0.0.2/v1", false), "");
        assert_eq!(advice("https://a.example/v1", true), "");
    }
}
