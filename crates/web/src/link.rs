//! An address of the web as text, and what is wrong with it before anything is looked up.

use std::net::Ipv4Addr;

use reqwest::Url;
use reqwest::header::HeaderValue;

/// Longest address, in bytes. Browsers and servers agree on about so much.
pub(crate) const MAX_BYTES: usize = 2_048;
/// Ports below this are for services of the system. Of these only the two of the web may be used, so that no request is
/// taken for a mail or a command of another protocol.
const FIRST_FREE_PORT: u16 = 1_024;
/// Names that never lead out of this machine or house.
const LOCAL_NAMES: &[&str] = &["localhost", "local", "internal", "home.arpa", "localdomain"];

/// An address that may be looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) url: Url,
    /// The name, or the address of the machine as text.
    pub(crate) host: String,
}

impl Link {
    /// Reads an address. The error says what to give instead.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > MAX_BYTES {
            return Err(format!("an address has at most {MAX_BYTES} bytes"));
        }
        if text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(
                "the address holds white space, a control character or a backslash; encode them".to_owned()
            );
        }
        let mut url = Url::parse(text).map_err(|error| {
            format!("{text:?} is no address ({error}); give one such as https://example.org/page")
        })?;
        url.set_fragment(None);
        let link = Self::of(url)?;
        if link.host.parse::<Ipv4Addr>().is_ok() && written_host(text) != link.host {
            return Err(format!("write the address of the machine as {}", link.host));
        }
        Ok(link)
    }

    /// Where a redirect leads.
    pub(crate) fn redirected(&self, location: &HeaderValue) -> Result<Self, String> {
        let text =
            location.to_str().map_err(|_| "it redirects to something that is no address".to_owned())?;
        let url =
            self.url.join(text).map_err(|_| "it redirects to something that is no address".to_owned())?;
        if url.as_str().len() > MAX_BYTES {
            return Err("it redirects to an address that is too long".to_owned());
        }
        if self.url.scheme() == "https" && url.scheme() == "http" {
            return Err("it redirects from https to plain http, which is not followed".to_owned());
        }
        let mut url = url;
        url.set_fragment(None);
        Self::of(url).map_err(|problem| format!("it redirects to where nothing is fetched from: {problem}"))
    }

    fn of(url: Url) -> Result<Self, String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("only http and https are fetched, not {}", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the address holds a name or a password; leave them out".to_owned());
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if !matches!(port, 80 | 443) && port < FIRST_FREE_PORT {
            return Err(format!("port {port} is not used by the web; leave it out"));
        }
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let name = host.trim_end_matches('.');
        let is_local =
            |local: &str| name == local || name.strip_suffix(local).is_some_and(|n| n.ends_with('.'));
        if name.is_empty() || LOCAL_NAMES.iter().any(|local| is_local(local)) {
            return Err(format!(
                "{host:?} is a name of this machine or network, and only the internet is fetched from"
            ));
        }
        Ok(Self { url, host })
    }
}

/// That an address may not be connected to.
pub(crate) fn not_public(host: &str, what: &str) -> String {
    format!("{host} is not on the public internet ({what}), and only that is fetched from")
}

/// The host as it was written.
fn written_host(text: &str) -> &str {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.split_once(':').map_or(authority, |(host, _)| host)
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::Link;

    #[test]
    fn addresses_of_the_web_are_read() {
        for (text, host, port) in [
            ("https://example.org/a?b=c#d", "example.org", 443),
            (" http://Example.ORG ", "example.org", 80),
            ("http://8.8.8.8/x", "8.8.8.8", 80),
            ("https://[2606:4700::1111]:8443/", "2606:4700::1111", 8443),
            ("http://bücher.example/", "xn--bcher-kva.example", 80),
        ] {
            let link = Link::read(text).unwrap();
            assert_eq!((link.host.as_str(), link.url.port_or_known_default()), (host, Some(port)), "{text}");
            assert!(!link.url.as_str().contains('#'));
        }
    }

    #[test]
    fn everything_else_is_refused_before_it_is_looked_up() {
        for (text, expected) in [
            ("", "no address"),
            ("example.org", "no address"),
            ("file:///etc/passwd", "only http and https"),
            ("ftp://example.org/", "only http and https"),
            ("javascript:alert(1)", "only http and https"),
            ("https://user:pass@example.org/", "name or a password"),
            ("https://user@example.org/", "name or a password"),
            ("http://localhost/", "this machine"),
            ("http://LOCALHOST./", "this machine"),
            ("http://a.localhost:8080/", "this machine"),
            ("http://printer.local/", "this machine"),
            ("http://metadata.google.internal/", "this machine"),
            ("http://2130706433/", "127.0.0.1"),
            ("http://0x7f000001/", "127.0.0.1"),
            ("http://0177.0.0.1/", "127.0.0.1"),
            ("http://127.1/", "127.0.0.1"),
            ("http://0x8.8.8.8/", "8.8.8.8"),
            ("http://\u{ff11}27.0.0.1/", "127.0.0.1"),
            ("http://8.8.8.8./", "8.8.8.8"),
            ("http://example.org:25/", "port 25"),
            ("http://example.org:0/", "port 0"),
            ("http://exa mple.org/", "white space"),
            ("http://example.org/\n", "ok"),
            ("http://exam\tple.org/", "white space"),
            ("http:\\\\example.org", "backslash"),
            ("http://256.256.256.256/", "no address"),
        ] {
            match Link::read(text) {
                Ok(link) => assert_eq!(expected, "ok", "{text}: {link:?}"),
                Err(error) => assert!(error.contains(expected), "{text}: {error}"),
            }
        }
        assert!(Link::read(&format!("https://example.org/{}", "a".repeat(3_000))).is_err());
    }

    #[test]
    fn redirects_are_held_to_the_same_rules() {
        let from = Link::read("https://example.org/a/b").unwrap();
        let to = |location: &str| {
            from.redirected(&HeaderValue::from_str(location).unwrap()).map(|l| l.url.to_string())
        };
        assert_eq!(to("/c").unwrap(), "https://example.org/c");
        assert_eq!(to("//other.example/x").unwrap(), "https://other.example/x");
        for location in [
            "http://example.org/",
            "file:///etc/passwd",
            "https://u:p@example.org/",
            "https://localhost/",
            "https://example.org:22/",
            "data:text/html,x",
        ] {
            assert!(to(location).is_err(), "{location}");
        }
        let plain = Link::read("http://example.org/").unwrap();
        assert!(plain.redirected(&HeaderValue::from_static("https://example.org/")).is_ok());
    }
}
