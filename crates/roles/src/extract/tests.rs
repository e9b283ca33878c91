use artoo_types::chat::ChatReply;
use artoo_types::reply::SopReply;

use super::{ReplyRejected, parse_reply};

const GOOD: &str = r#"{"rule":"r","conditions":"c","kind":"constraint"}"#;

fn read(content: &str) -> Result<SopReply, ReplyRejected> {
    parse_reply(&ChatReply { content: content.to_owned(), ..ChatReply::default() })
}

#[test]
fn one_object_is_found_in_every_honest_wrapping() {
    for content in [
        GOOD.to_owned(),
        format!("Sure, here it is:\n```json\n{GOOD}\n```\nAnything else?"),
        format!("<think>maybe {{\"rule\":\"draft\"}}?</think>\n{GOOD}"),
        format!("the end of a thought {{x}}</think>{GOOD}"),
        format!("A set {{a, b}} and then {GOOD}"),
        format!("{GOOD}\n{GOOD}"),
        format!("For example {{\"a\":1}}. {GOOD}"),
        GOOD.replace("\"r\"", "\"a } and \\\" in a string {\""),
    ] {
        assert!(read(&content).is_ok(), "{content}: {:?}", read(&content));
    }
}

#[test]
fn what_is_not_one_answer_is_rejected_and_says_why() {
    let other = GOOD.replace("\"r\"", "\"other\"");
    for (content, word) in [
        ("I am sorry, I cannot do that.".to_owned(), "no JSON object"),
        (format!("{GOOD}{other}"), "2 different"),
        ("{\"rule\":\"r\"}".to_owned(), "conditions"),
        ("<think>draft ".to_owned() + GOOD, "no JSON object"),
        ("{\"rule\":\"r".to_owned(), "no JSON object"),
        ("[1,2]".to_owned(), "no JSON object"),
        (String::new(), "no JSON object"),
        (GOOD.replace("constraint", "whim"), "kind"),
    ] {
        let rejected = read(&content).unwrap_err().to_string();
        assert!(rejected.contains(word), "{content}: {rejected}");
    }
}

#[test]
fn a_cut_reply_is_rejected_even_when_it_parses() {
    let reply = ChatReply {
        content: GOOD.to_owned(),
        finish_reason: Some("length".to_owned()),
        ..ChatReply::default()
    };
    assert_eq!(parse_reply::<SopReply>(&reply), Err(ReplyRejected::CutOff));
}

#[test]
fn many_open_braces_do_not_take_forever() {
    assert!(read(&"{".repeat(20_000)).is_err());
}
