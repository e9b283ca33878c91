use std::time::{Duration, Instant};

use artoo_types::evidence::CallEnd;

use super::MAX_BYTES;
use crate::Web;
use crate::server::{Names, Script, Server, page};
use artoo_types::tool::CallOutcome;

const HTML: &str = "Content-Type: text/html\r\n";
const TEXT: &str = "Content-Type: text/plain\r\n";

/// Names of servers on this machine that count as public; 127.0.0.9 does not.
fn names() -> Names {
    Names::default().with("a.example", &[&["127.0.0.1"]]).with("b.example", &[&["127.0.0.1"]])
}

async fn fetched(url: &str, names: Names) -> CallOutcome {
    let web = Web::of_test(&["127.0.0.1".parse().unwrap()], names, Duration::from_secs(5));
    web.fetch(url).await
}

async fn fetched_from(reply: impl Fn(&str) -> Script + Send + Sync + 'static) -> CallOutcome {
    let server = Server::start("127.0.0.1", reply).await;
    fetched(&server.url("a.example", "/x"), names()).await
}

#[track_caller]
fn check_failed(produced: &CallOutcome, expected: &str) {
    assert_eq!((produced.end, produced.exit), (CallEnd::Ran, Some(1)), "{produced:?}");
    assert!(produced.output.contains(expected), "{produced:?}");
}

#[tokio::test]
async fn a_page_comes_as_text_and_the_request_tells_nothing() {
    let server =
        Server::start("127.0.0.1", |_| page("200 OK", HTML, "<title>T</title><p>Hello <b>you</b>")).await;
    let produced = fetched(&server.url("a.example", "/dir?q=1#part"), names()).await;
    assert_eq!(produced, CallOutcome::done("Title: T\n\nHello you\n".to_owned()));
    let request = server.seen().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /dir?q=1 http/1.1\r\n"), "{request}");
    assert!(request.contains(concat!("user-agent: artoo/", env!("CARGO_PKG_VERSION"))), "{request}");
    for header in ["cookie:", "accept-encoding:", "referer:", "authorization:"] {
        assert!(!request.contains(header), "{request}");
    }
}

#[tokio::test]
async fn json_and_text_come_as_they_are() {
    for (kind, body) in [
        ("application/json", "{\"a\": [1,  2]}"),
        ("application/vnd.api+json; charset=utf-8", "{}"),
        ("text/csv", "a,b\n1,2\n"),
        ("text/plain", "<b>not a page</b>"),
    ] {
        let header = format!("Content-Type: {kind}\r\n");
        let produced = fetched_from(move |_| page("200 OK", &header, body)).await;
        assert_eq!((produced.output.as_str(), produced.exit), (body, Some(0)), "{kind}");
    }
    let german =
        fetched_from(|_| page("200 OK", "Content-Type: text/html; charset=iso-8859-1\r\n", b"gr\xfcn")).await;
    assert_eq!(german.output, "gr\u{fc}n\n");
    let untold = fetched_from(|_| page("200 OK", "", "<!DOCTYPE html><p>untold")).await;
    assert_eq!(untold.output, "untold\n");
}

#[tokio::test]
async fn what_is_no_text_is_refused_with_its_kind_and_size() {
    check_failed(
        &fetched_from(|_| page("200 OK", "Content-Type: image/png\r\n", [0; 77])).await,
        "image/png, 77 bytes",
    );
    check_failed(&fetched_from(|_| page("200 OK", TEXT, b"ab\0cd")).await, "text/plain, 5 bytes");
    check_failed(&fetched_from(|_| page("200 OK", "", b"\0\x01")).await, "not text");
    // What is packed could unpack to anything.
    let packed =
        |_: &str| page("200 OK", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", b"\x1f\x8b\x08");
    check_failed(&fetched_from(packed).await, "compressed (gzip)");
}

#[tokio::test]
async fn redirects_are_followed_and_told() {
    let server = Server::start("127.0.0.1", |request| {
        if request.starts_with("GET /start") {
            let port = request.split_once("a.example:").and_then(|(_, r)| r.split("\r\n").next()).unwrap();
            page("302 Found", &format!("Location: http://b.example:{port}/end\r\nSet-Cookie: id=1\r\n"), "")
        } else {
            page("200 OK", TEXT, "here")
        }
    })
    .await;
    let produced = fetched(&server.url("a.example", "/start"), names()).await;
    assert_eq!(produced.output, "here");
    let note = produced.note.unwrap();
    assert!(note.contains("redirected to http://b.example:") && note.ends_with("/end"), "{note}");
    assert!(server.seen().iter().all(|request| !request.to_lowercase().contains("cookie")));
}

#[tokio::test]
async fn no_redirect_leads_to_this_machine_or_house() {
    for location in [
        "http://127.0.0.9/",
        "http://127.0.0.9:8080/x",
        "http://[::1]:8080/",
        "http://10.0.0.1/",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:127.0.0.9]/",
        "file:///etc/passwd",
        "http://inside.example/",
        "http://0x7f000009/",
        "http://[64:ff9b::7f00:9]/",
    ] {
        let names = names().with("inside.example", &[&["192.168.1.1"]]);
        let server =
            Server::start("127.0.0.1", move |_| page("301 Moved", &format!("Location: {location}\r\n"), ""))
                .await;
        let produced = fetched(&server.url("a.example", "/"), names).await;
        assert_eq!((produced.end, produced.exit), (CallEnd::Ran, Some(1)), "{location}: {produced:?}");
        let says = ["public internet", "this machine", "only http"];
        assert!(says.iter().any(|words| produced.output.contains(words)), "{location}: {produced:?}");
    }
    let ring = Server::start("127.0.0.1", |_| page("302 Found", "Location: /again\r\n", "")).await;
    check_failed(&fetched(&ring.url("a.example", "/"), names()).await, "more than 5 times");
    assert_eq!(ring.seen().len(), 6);
}

#[tokio::test]
async fn a_name_is_looked_up_once_for_a_request_and_again_for_each_redirect() {
    // The second server stands where the name would lead if it were looked up again for the connection.
    let server = Server::start("127.0.0.1", |request| {
        if request.starts_with("GET /turn") {
            page("302 Found", "Location: /end\r\n", "")
        } else {
            page("200 OK", TEXT, "the checked one")
        }
    })
    .await;
    let inside =
        Server::start(&format!("127.0.0.9:{}", server.address.port()), |_| page("200 OK", TEXT, "inside"))
            .await;
    let rebinding = || Names::default().with("turns.example", &[&["127.0.0.1"], &["127.0.0.9"]]);
    let produced = fetched(&server.url("turns.example", "/plain"), rebinding()).await;
    assert_eq!(produced.output, "the checked one");
    check_failed(&fetched(&server.url("turns.example", "/turn"), rebinding()).await, "public internet");
    // A name that leads to both leads nowhere.
    let both = || Names::default().with("both.example", &[&["127.0.0.1", "127.0.0.9"]]);
    check_failed(&fetched(&server.url("both.example", "/plain"), both()).await, "public internet");
    assert_eq!((inside.seen().len(), server.seen().len()), (0, 2));
}

#[tokio::test]
async fn a_page_that_takes_its_time_or_has_no_end_ends_all_the_same() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".to_vec();
    let dripping = head.clone();
    let server = Server::start("127.0.0.1", move |_| Script::Drip(dripping.clone(), 20)).await;
    let web = Web::of_test(&["127.0.0.1".parse().unwrap()], names(), Duration::from_millis(400));
    let since = Instant::now();
    let produced = web.fetch(&server.url("a.example", "/")).await;
    assert_eq!(produced.end, CallEnd::Timeout, "{produced:?}");
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());

    let produced = fetched_from(move |_| Script::Pour(head.clone())).await;
    assert_eq!((produced.exit, produced.output.len()), (Some(0), MAX_BYTES), "{:?}", produced.note);
    assert!(produced.note.unwrap().contains("was cut"));
}

#[tokio::test]
async fn replies_that_break_their_own_word_are_told() {
    let short = |_: &str| {
        Script::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nab".to_vec())
    };
    check_failed(&fetched_from(short).await, "broke off");
    check_failed(
        &fetched_from(|_| Script::Send(b"SSH-2.0-OpenSSH_9\r\n".to_vec())).await,
        "as a web server does",
    );
    check_failed(&fetched_from(|_| page("404 Not Found", TEXT, "nothing here")).await, "404 Not Found");
    check_failed(&fetched("http://none.example/", names()).await, "cannot be looked up");
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    check_failed(&fetched(&format!("http://a.example:{free}/"), names()).await, "no connection");
}

#[tokio::test]
async fn without_a_test_nothing_on_this_machine_can_be_reached() {
    let server = Server::start("127.0.0.1", |_| page("200 OK", TEXT, "inside")).await;
    let web = Web::new(&crate::WebConfig { enabled: true, search: None });
    for url in
        [server.url("127.0.0.1", "/"), server.url("[::ffff:127.0.0.1]", "/"), server.url("localhost", "/")]
    {
        let produced = web.fetch(&url).await;
        assert_eq!(produced.exit, Some(1), "{url}: {produced:?}");
    }
    assert!(server.seen().is_empty());
}
