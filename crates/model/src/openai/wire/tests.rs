use std::time::Duration;

use artoo_types::chat::ChatReply;
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use tokio::time::{Instant, sleep};

use super::{BrokenBody, MAX_REPLY_BYTES, ReplyParts, read};
use crate::config::ApiForm;
use crate::openai::refusal::ServerRefusal;

const FIRST: Duration = Duration::from_secs(300);
const IDLE: Duration = Duration::from_secs(60);

/// Reads pieces that come so many seconds after one another. The clock is tokio's, which jumps.
async fn timed(pieces: Vec<(u64, Result<&str, &str>)>) -> Result<ReplyParts, BrokenBody> {
    let pieces: Vec<_> = pieces
        .into_iter()
        .map(|(after, piece)| (after, piece.map(|text| Bytes::from(text.to_owned())).map_err(str::to_owned)))
        .collect();
    let body = stream::iter(pieces).then(|(after, piece)| async move {
        sleep(Duration::from_secs(after)).await;
        piece
    });
    read(ApiForm::Chat, Box::pin(body), Instant::now() + FIRST, IDLE).await
}

async fn body(text: &str) -> Result<ChatReply, BrokenBody> {
    timed(vec![(0, Ok(text))]).await.map(|gathered| gathered.into_reply("m"))
}

/// The body is read as this content.
async fn check(text: &str, content: &str) {
    match body(text).await {
        Ok(reply) => assert_eq!(reply.content, content, "{text:?}"),
        Err(broken) => panic!("{text:?}: {broken:?}"),
    }
}

const A: &str = r#"data: {"choices":[{"delta":{"content":"a"}}]}"#;
const END: &str = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
const WHOLE: &str = r#"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}"#;

#[tokio::test(start_paused = true)]
async fn streams_of_all_shapes_are_read() {
    check(&format!("{A}\n\n{END}\n\ndata: [DONE]\n\n"), "a").await;
    check(&format!(": keep-alive\n\n: PROCESSING\n\n{A}\n\n: x\n{A}\n\n{END}\n\ndata: [DONE]\n\n"), "aa")
        .await;
    check(&format!("{A}\r\n\r\n{A}\r\n\r\n{END}\r\n\r\ndata: [DONE]\r\n\r\n"), "aa").await;
    check(&format!("{A}\n\n{END}\n\ndata: [DONE]\n\n").replace("data: ", "data:"), "a").await;
    check(&format!("{A}\n\n{END}\n\n"), "a").await;
    check(&format!("{A}\n\n{END}"), "a").await;
    check(&format!("{A}\n\n"), "a").await;
    check(&format!("\n\n\r\n{A}\n\n\n\n{END}\n\n"), "a").await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_stream_is_read() {
    check(WHOLE, "a").await;
    check(&format!("\n\n \r\n{WHOLE}\n"), "a").await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_read_after_the_end() {
    let open = vec![(0, Ok(A)), (0, Ok("\n\ndata: [DONE]\n\n")), (1_000, Err("never looked at"))];
    assert!(timed(open).await.is_ok());
    let begun = Instant::now();
    let unclosed = vec![(0, Ok(A)), (0, Ok("\n\n")), (0, Ok(END)), (0, Ok("\n\n")), (1_000, Err("broken"))];
    assert!(timed(unclosed).await.is_ok(), "the reason for its end makes a reply whole");
    assert_eq!(begun.elapsed(), IDLE, "usage could still have come");
}

#[tokio::test(start_paused = true)]
async fn an_error_in_the_stream_is_told() {
    let error = r#"data: {"error":{"message":"upstream is gone","code":502}}"#;
    match body(&format!("{error}\n\n")).await {
        Err(BrokenBody::Refused(ServerRefusal { status, said, .. })) => {
            assert_eq!((status, said.as_str()), (Some(502), "upstream is gone"));
        }
        other => panic!("{other:?}"),
    }
    match body(&format!("{A}\n\n{error}\n\n")).await {
        Err(BrokenBody::Cut { began: true, what }) => assert!(what.contains("upstream is gone"), "{what}"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(body(r#"{"error":"words"}"#).await, Err(BrokenBody::Refused(_))));
}

#[tokio::test(start_paused = true)]
async fn a_break_is_told_with_whether_the_answer_had_begun() {
    let cut = |began, what: &str| Some(BrokenBody::Cut { began, what: what.to_owned() });
    let thought = "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n\n";
    assert_eq!(timed(vec![(0, Err("reset"))]).await.err(), cut(false, "reset"));
    assert_eq!(timed(vec![(0, Ok(thought)), (0, Err("reset"))]).await.err(), cut(false, "reset"));
    assert_eq!(timed(vec![(0, Ok(A)), (0, Ok("\n\n")), (0, Err("reset"))]).await.err(), cut(true, "reset"));
    assert_eq!(timed(vec![(0, Ok(&WHOLE[..20])), (0, Err("reset"))]).await.err(), cut(false, "reset"));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_reply_is_told_with_its_beginning() {
    let what = |broken: Result<ChatReply, BrokenBody>| match broken {
        Err(BrokenBody::Cut { began: false, what }) => what,
        other => panic!("{other:?}"),
    };
    assert!(what(body("<html>a proxy's page</html>").await).contains("<html>a proxy's page"));
    assert!(what(body("data: nonsense\n\n").await).contains("nonsense"));
    assert!(what(body("{\"choices\": [").await).contains("{\"choices\""));
    assert!(what(body("{\"hello\": 1}").await).contains("hello"));
    assert!(what(body("").await).contains("empty"));
    let late = body(&format!("{A}\n\ndata: nonsense\n\n")).await;
    assert!(matches!(late, Err(BrokenBody::Cut { began: true, .. })), "{late:?}");
}

#[tokio::test(start_paused = true)]
async fn whatever_comes_ends_silence() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    for sign in [": keep-alive\n\n", "\n\n"] {
        let mut pieces = vec![(50, Ok(sign)); 10];
        pieces.push((50, Ok(event)));
        assert!(timed(pieces).await.is_ok(), "{sign:?} is a sign of life");
        let begun = Instant::now();
        let broken = timed(vec![(20, Ok(sign)), (1_000, Ok(event))]).await;
        assert_eq!(broken.err(), Some(BrokenBody::Silent { began: false }));
        assert_eq!(begun.elapsed(), FIRST, "a sign does not shorten the wait for the first token");
    }
    let begun = Instant::now();
    assert!(timed(vec![(250, Ok(event))]).await.is_ok(), "a prompt may take long to read");
    assert_eq!(begun.elapsed(), Duration::from_secs(250));
    let broken = timed(vec![(0, Ok(event)), (1_000, Ok(event))]).await;
    assert_eq!(broken.err(), Some(BrokenBody::Silent { began: true }));
    assert_eq!(begun.elapsed(), Duration::from_secs(250) + IDLE, "and nothing after it");

    let slow = timed(vec![(50, Ok(event)); 10]).await;
    assert_eq!(
        slow.unwrap().into_reply("m").content,
        "aaaaaaaaaa",
        "500 s with data in between are no silence"
    );

    let thinking = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n";
    let mut pieces = vec![(50, Ok(thinking)); 10];
    pieces.push((50, Ok(event)));
    assert!(timed(pieces).await.is_ok(), "reasoning is data");

    let halting = vec![(50, Ok(&WHOLE[..10])), (50, Ok(&WHOLE[10..20])), (50, Ok(&WHOLE[20..]))];
    assert!(timed(halting).await.is_ok(), "pieces of a plain body are data");
}

#[tokio::test(start_paused = true)]
async fn a_reply_without_end_is_cut_at_the_bound() {
    let event =
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x".repeat(65_536));
    let endless = stream::repeat(Ok::<Bytes, String>(Bytes::from(event)));
    assert_eq!(
        read(ApiForm::Chat, Box::pin(endless), Instant::now() + IDLE, IDLE).await.err(),
        Some(BrokenBody::TooLong)
    );
    let comments = stream::repeat(Ok::<Bytes, String>(Bytes::from(vec![b'\n'; 65_536])));
    assert_eq!(
        read(ApiForm::Chat, Box::pin(comments), Instant::now() + IDLE, IDLE).await.err(),
        Some(BrokenBody::TooLong)
    );
    let fitting = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
        "x".repeat(MAX_REPLY_BYTES / 2)
    );
    assert_eq!(body(&fitting).await.unwrap().content.len(), MAX_REPLY_BYTES / 2);
}
