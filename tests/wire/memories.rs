//! What the calls of the memory refuse, as clients of any language see it: a code, the field, and what to send instead.

use artoo_protocol::v1;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::calls::{Calls, in_time, runtime};
use artoo_testing::Home;

const UNKNOWN: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// Refused with this code; a wrong field is named, and the message has these words.
fn check<T: std::fmt::Debug>(row: &str, answer: Result<T, Status>, code: Code, field: &str, words: &str) {
    let status = answer.expect_err(row);
    assert_eq!(status.code(), code, "{row}: {status:?}");
    assert!(status.message().contains(words), "{row}: {status:?}");
    let details = status.get_error_details();
    assert!(details.error_info().is_some_and(|info| info.domain == "artoo"), "{row}: {status:?}");
    let named = details.bad_request().map(|bad| bad.field_violations[0].field.clone());
    assert_eq!(named.unwrap_or_default(), field, "{row}: {status:?}");
}

#[test]
fn the_calls_of_the_memory_name_what_is_wrong() {
    let mut home = Home::new();
    home.start();
    let token = std::fs::read_to_string(home.data().join("confirm.token")).expect("it is ours");
    let socket = home.socket();
    let rows = async move {
        let mut client = Calls::new(&socket).client().await;
        let invalid = Code::InvalidArgument;
        let guessed = v1::RememberRequest { text: "a".to_owned(), ..Default::default() };
        check("no token", client.remember(guessed).await, Code::PermissionDenied, "", "confirm.token");
        let remember = |text: &str, level: &str| v1::RememberRequest {
            text: text.to_owned(),
            level: level.to_owned(),
            token: token.clone(),
            ..Default::default()
        };
        check("no text", client.remember(remember(" ", "")).await, invalid, "text", "say what");
        let long = "x".repeat(1_001);
        check("too long", client.remember(remember(&long, "")).await, invalid, "text", "at most 1000");
        check("no such level", client.remember(remember("a", "X")).await, invalid, "level", "M, K, C or T");
        let mut untagged = remember("a", "");
        untagged.tags = vec![v1::Tag::default()];
        check("an empty tag", client.remember(untagged).await, invalid, "tags", "no space");
        let mut tagged = remember("a", "");
        tagged.tags = vec![v1::Tag { space: "a".to_owned(), entity: String::new() }; 33];
        check("many tags", client.remember(tagged).await, invalid, "tags", "at most 32");

        let forget_all = |megram_ids: Vec<String>| v1::ForgetRequest {
            megram_ids,
            token: token.clone(),
            ..Default::default()
        };
        let forget = |id: &str| forget_all(vec![id.to_owned()]);
        let nothing = forget_all(Vec::new());
        check("nothing named", client.forget(nothing).await, invalid, "megram_ids", "name memories, or tags");
        check("no id", client.forget(forget("nonsense")).await, invalid, "ids", "not the id of a memory");
        check("a short id", client.forget(forget("018")).await, invalid, "ids", "first 4 digits");
        check("an unknown id", client.forget(forget(UNKNOWN)).await, Code::NotFound, "", UNKNOWN);
        let many = forget_all(vec![UNKNOWN.to_owned(); 1_001]);
        check("many ids", client.forget(many).await, invalid, "ids", "at most 1000");

        let list = |page_token: &str, ids: &[&str]| v1::ListMegramsRequest {
            page_token: page_token.to_owned(),
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            ..Default::default()
        };
        check(
            "a foreign page",
            client.list_megrams(list("abc", &[])).await,
            invalid,
            "page_token",
            "earlier page",
        );
        let both = client.list_megrams(list("abc", &[UNKNOWN])).await;
        check("ids and a page", both, invalid, "ids", "without tags");
        check(
            "unknown",
            client.list_megrams(list("", &[UNKNOWN])).await,
            Code::NotFound,
            "",
            "artoo memory list",
        );

        let lines =
            v1::ImportMemoryRequest { lines: "\n".repeat(5_001), first_line: 0, token: token.clone() };
        check("many lines", client.import_memory(lines).await, invalid, "lines", "at most 5000");
        let separate = |first: &str, second: &str| v1::SeparateRequestsRequest {
            first: first.to_owned(),
            second: second.to_owned(),
            undo: false,
            token: token.clone(),
        };
        check("one request", client.separate_requests(separate("", "b")).await, invalid, "first", "empty");
        check(
            "the same",
            client.separate_requests(separate("b", "B.")).await,
            invalid,
            "second",
            "same words",
        );
        let long = "x".repeat(64 * 1024 + 1);
        check("long", client.separate_requests(separate("a", &long)).await, invalid, "second", "65536");
        let mut stream = client
            .export_memory(v1::ExportMemoryRequest { level: String::new() })
            .await
            .expect("what is there can be read")
            .into_inner();
        while let Some(part) = stream.message().await.expect("it ends") {
            // The laws are there from the first start.
            let is_law = |line: &str| line.contains(r#""level":"T""#);
            assert!(part.lines.lines().all(is_law), "nothing else was written: {}", part.lines);
        }
    };
    runtime().block_on(in_time("every call is answered", rows));
}
