use std::time::Duration;

use artoo_redact::Secret;
use artoo_types::evidence::CallEnd;

use super::{SearchConfig, SearchProvider};
use crate::Web;
use crate::server::{Names, Script, Server, page};
use artoo_types::evidence::NO_MATCH;
use artoo_types::tool::CallOutcome;

const KEY: &str = "a-key-that-nobody-may-see";
const JSON: &str = "Content-Type: application/json\r\n";

async fn searched(provider: SearchProvider, server: &Server, query: &str) -> CallOutcome {
    let base = server.url("127.0.0.1", "");
    let config = SearchConfig::new(provider, Some(&base), Secret::new(KEY), "engine-7").unwrap();
    let web = Web { search: Some(config), ..Web::of_test(&[], Names::default(), Duration::from_secs(5)) };
    web.search(query).await
}

async fn check(provider: SearchProvider, body: &'static str, kind: &'static str, asked: &[&str]) {
    let server = Server::start("127.0.0.1", move |_| page("200 OK", kind, body)).await;
    let produced = searched(provider, &server, " rust & \"async\" traits ").await;
    assert_eq!(
        produced.output,
        "1. Async in traits\n   https://blog.example/async?a=1&b=2\n   What is stable & what is not.\n\
         2. Second\n   https://two.example/\n",
        "{provider}: {produced:?}"
    );
    let request = server.seen().remove(0);
    for part in asked {
        assert!(request.contains(part), "{provider}: {part} in {request}");
    }
}

#[tokio::test]
async fn every_provider_is_asked_and_understood() {
    let encoded = "q=rust+%26+%22async%22+traits";
    check(
        SearchProvider::Brave,
        r#"{"web":{"results":[{"title":"Async in <strong>traits</strong>","url":"https://blog.example/async?a=1&b=2",
            "description":"What is stable &amp; what is not."},{"title":"bad","url":"javascript:x"},
            {"title":"Second","url":"https://two.example/"}]}}"#,
        JSON,
        &["GET /?count=10&", encoded, &format!("x-subscription-token: {KEY}")],
    )
    .await;
    check(
        SearchProvider::Google,
        r#"{"items":[{"title":"Async in traits","link":"https://blog.example/async?a=1&b=2",
            "snippet":"What is stable &amp;\nwhat is not."},{"title":"Second","link":"https://two.example/"}]}"#,
        JSON,
        &[encoded, "cx=engine-7", KEY],
    )
    .await;
    check(
        SearchProvider::LangSearch,
        r#"{"code":200,"data":{"webPages":{"value":[{"name":"Async in traits","snippet":"What is stable & what is not.",
            "url":"https://blog.example/async?a=1&b=2"},{"name":"Second","url":"https://two.example/"}]}}}"#,
        JSON,
        &["POST / ", &format!("authorization: Bearer {KEY}"), r#""query":"rust & \"async\" traits""#],
    )
    .await;
    check(
        SearchProvider::SearxNg,
        r#"{"query":"x","results":[{"title":"Async in traits","url":"https://blog.example/async?a=1&b=2",
            "content":"What is stable & what is not."},{"title":"Second","url":"https://two.example/","content":null}]}"#,
        JSON,
        &["GET /search?format=json&", encoded],
    )
    .await;
    check(
        SearchProvider::DuckDuckGo,
        r#"<div class="serp__results"><div id="links" class="results">
            <div class="result results_links"><h2><a rel="nofollow" class="result__a"
            href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fblog.example%2Fasync%3Fa%3D1%26b%3D2&amp;rut=abc">Async in <b>traits</b></a></h2>
            <a class="result__snippet" href="//duckduckgo.com/l/?uddg=x">What is <b>stable</b> &amp; what is not.</a></div>
            <div class="result result--ad"><a class="result__a"
            href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_domain%3Dx">Buy</a>
            <a class="result__snippet">now</a></div>
            <div class="result"><a class="result__a" href="https://two.example/">Second</a></div></div></div>"#,
        "Content-Type: text/html\r\n",
        &[encoded],
    )
    .await;
}

#[tokio::test]
async fn nothing_found_is_said_as_such() {
    for (provider, body) in [
        (SearchProvider::SearxNg, r#"{"results":[]}"#),
        (SearchProvider::Google, "{}"),
        (SearchProvider::Brave, "{}"),
        (SearchProvider::DuckDuckGo, "<div class='no-results'>No results.</div>"),
    ] {
        let server = Server::start("127.0.0.1", move |_| page("200 OK", JSON, body)).await;
        let produced = searched(provider, &server, "x").await;
        assert_eq!((produced.output.as_str(), produced.exit), (NO_MATCH, Some(0)), "{provider}");
    }
}

#[tokio::test]
async fn more_than_ten_results_are_cut_and_long_ones_are_short() {
    let one = format!(r#"{{"title":"{0}","url":"https://x.example/","content":"{0}"}}"#, "w ".repeat(2_000));
    let body = format!(r#"{{"results":[{}]}}"#, vec![one; 25].join(","));
    let server = Server::start("127.0.0.1", move |_| page("200 OK", JSON, &body)).await;
    let produced = searched(SearchProvider::SearxNg, &server, "x").await;
    assert_eq!(produced.output.lines().count(), 30);
    assert!(produced.output.len() < 10_000, "{}", produced.output.len());
}

#[tokio::test]
async fn the_address_of_a_result_is_one_line_and_not_too_long() {
    let long = format!("https://x.example/{}", "a".repeat(5_000));
    let results = serde_json::json!({"results": [
        {"title": "Broken", "url": "https://x.example/a\nb\tc d"},
        {"title": "Long", "url": long},
        {"title": "None", "url": "file:///etc/passwd"},
    ]});
    let server = Server::start("127.0.0.1", move |_| page("200 OK", JSON, results.to_string())).await;
    let produced = searched(SearchProvider::SearxNg, &server, "x").await;
    assert_eq!(produced.output, "1. Broken\n   https://x.example/abc%20d\n");
    let lead = |to: &str| format!("//duckduckgo.com/l/?uddg={to}");
    let html = format!(
        "<div class='results'><a class='result__a' href='{}'>Broken</a><a class='result__a' href='{}'>Long</a></div>",
        lead("https%3A%2F%2Fx.example%2Fa%0Ab"),
        lead(&format!("https%3A%2F%2Fx.example%2F{}", "a".repeat(5_000)))
    );
    let server =
        Server::start("127.0.0.1", move |_| page("200 OK", "Content-Type: text/html\r\n", &html)).await;
    let produced = searched(SearchProvider::DuckDuckGo, &server, "x").await;
    assert_eq!(produced.output, "1. Broken\n   https://x.example/ab\n");
}

#[tokio::test]
async fn what_goes_wrong_is_said_with_what_to_do() {
    let google = SearchProvider::Google;
    for (provider, status, body, expected) in [
        (google, "401 Unauthorized", "", "check search.api_key"),
        (SearchProvider::Brave, "403 Forbidden", "", "check search.api_key"),
        (SearchProvider::Brave, "429 Too Many Requests", "", "wait, or choose another"),
        (google, "500 Oops", "", "try again later"),
        (google, "302 Found", "", "check search.base_url"),
        (SearchProvider::SearxNg, "403 Forbidden", "", "settings.yml"),
        (SearchProvider::SearxNg, "200 OK", "<html>", "no list of results"),
        (SearchProvider::DuckDuckGo, "202 Accepted", "", "a person asks"),
        (SearchProvider::DuckDuckGo, "200 OK", "<div class='anomaly-modal__title'>", "a person asks"),
        (SearchProvider::DuckDuckGo, "200 OK", "<p>something else", "choose another search.provider"),
    ] {
        let server = Server::start("127.0.0.1", move |_| page(status, "", body)).await;
        let produced = searched(provider, &server, "x").await;
        assert_eq!(produced.exit, Some(1), "{status}");
        assert!(produced.output.contains(expected), "{status}: {produced:?}");
        assert!(!format!("{produced:?}").contains(KEY));
    }
    let silent = Server::start("127.0.0.1", |_| Script::Drip(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), 50)).await;
    let config =
        SearchConfig::new(google, Some(&silent.url("127.0.0.1", "")), Secret::new(KEY), "e").unwrap();
    let web = Web { search: Some(config), ..Web::of_test(&[], Names::default(), Duration::from_millis(300)) };
    let produced = web.search("x").await;
    assert_eq!(produced.end, CallEnd::Timeout, "{produced:?}");
    // The key of Google stands in the address, which no error tells.
    let nobody = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let base = format!("http://{nobody}/");
    let config = SearchConfig::new(google, Some(&base), Secret::new(KEY), "e").unwrap();
    assert!(!format!("{config:?}").contains(KEY));
    let web = Web { search: Some(config), ..Web::of_test(&[], Names::default(), Duration::from_secs(5)) };
    let produced = web.search("x").await;
    assert!(produced.output.contains("no connection") && !produced.output.contains(KEY), "{produced:?}");
}

#[test]
fn a_provider_that_lacks_something_says_what() {
    let new = |provider, base, key, engine| SearchConfig::new(provider, base, Secret::new(key), engine);
    for (made, expected) in [
        (new(SearchProvider::SearxNg, None, "", ""), "search.base_url"),
        (new(SearchProvider::Brave, None, "", ""), "search.api_key_file"),
        (new(SearchProvider::LangSearch, None, "", ""), "search.api_key_file"),
        (new(SearchProvider::Google, None, KEY, ""), "search.engine_id"),
        (new(SearchProvider::SearxNg, Some("ftp://x/"), "", ""), "http"),
    ] {
        let error = made.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let duck = new(SearchProvider::DuckDuckGo, None, "", "").unwrap();
    assert_eq!(duck.label(), "DuckDuckGo");
    let own = new(SearchProvider::SearxNg, Some("http://127.0.0.1:8888?token=x"), "", "").unwrap();
    assert_eq!(own.label(), "SearxNG at http://127.0.0.1:8888/");
}
