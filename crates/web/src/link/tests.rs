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
