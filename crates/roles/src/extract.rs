//! Reading one JSON object out of what a model said: strictly first, then tolerantly, never by inventing.

use artoo_types::chat::ChatReply;
use serde::de::DeserializeOwned;

/// A reply that is not what was asked for. Its words go back to the model once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyRejected {
    /// The server says that the reply was cut.
    #[error("the reply was cut off at the length limit; answer with a shorter JSON object")]
    CutOff,
    /// Nothing in it is a JSON object.
    #[error("the reply holds no JSON object; answer with exactly one JSON object and nothing else")]
    NoObject,
    /// More than one object, and they differ.
    #[error("the reply holds {0} different JSON objects; answer with exactly one")]
    Ambiguous(usize),
    /// The object does not have the required shape.
    #[error("the JSON object does not fit: {0}")]
    Shape(String),
}

/// Reads the reply as a `T`. A reasoning block is dropped, prose around one balanced object is ignored, unknown fields
/// are ignored; text without an object, two different objects, or a missing field is rejected.
pub fn parse_reply<T: DeserializeOwned>(reply: &ChatReply) -> Result<T, ReplyRejected> {
    if reply.finish_reason.as_deref() == Some("length") {
        return Err(ReplyRejected::CutOff);
    }
    let text = without_thoughts(&reply.content);
    let text = text.trim();
    if serde_json::from_str::<serde_json::Value>(text).is_ok_and(|v| v.is_object()) {
        return shape(text);
    }
    let mut objects = balanced_objects(text);
    objects.dedup();
    match objects.as_slice() {
        [] => Err(ReplyRejected::NoObject),
        [one] => shape(one),
        several => {
            // Examples and asides may be objects too. One that fits is the answer; two that fit are not.
            let fitting: Vec<T> = several.iter().filter_map(|o| serde_json::from_str(o).ok()).collect();
            let count = fitting.len();
            let mut fitting = fitting.into_iter();
            match (fitting.next(), fitting.next()) {
                (Some(only), None) => Ok(only),
                _ => Err(ReplyRejected::Ambiguous(count.max(several.len()))),
            }
        }
    }
}

/// The reply as the text that it is, without a reasoning block; none where it is empty, was cut off, or begins or is fenced
/// like JSON.
pub(crate) fn plain_text(reply: &ChatReply) -> Option<String> {
    if reply.finish_reason.as_deref() == Some("length") {
        return None;
    }
    let text = without_thoughts(&reply.content);
    let text = text.trim();
    let is_json = text.starts_with(['{', '<']) || text.starts_with("```json");
    (!text.is_empty() && !is_json).then(|| text.to_owned())
}

fn shape<T: DeserializeOwned>(text: &str) -> Result<T, ReplyRejected> {
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|e| {
        let path = e.path().to_string();
        let inner = e.into_inner();
        ReplyRejected::Shape(if path == "." { inner.to_string() } else { format!("at `{path}`: {inner}") })
    })
}

/// The text without `<think>…</think>` blocks. A closing mark without an opening one ends a block that began before the
/// text; an opening one without an end swallows the rest, because a draft is not an answer.
fn without_thoughts(text: &str) -> String {
    const OPEN: &str = "<think>";
    const CLOSE: &str = "</think>";
    let mut rest = text;
    let mut out = String::with_capacity(text.len());
    if let Some(close) = rest.find(CLOSE)
        && rest.find(OPEN).is_none_or(|open| close < open)
    {
        rest = &rest[close + CLOSE.len()..];
    }
    while let Some(open) = rest.find(OPEN) {
        out.push_str(&rest[..open]);
        match rest[open..].find(CLOSE) {
            Some(close) => rest = &rest[open + close + CLOSE.len()..],
            None => return out,
        }
    }
    out.push_str(rest);
    out
}

/// Every outermost `{…}` of the text that is valid JSON, in order. One pass; strings and escapes are respected.
fn balanced_objects(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    // Each candidate may cost one pass over the text. An honest reply has a handful of braces outside its object; the
    // bound keeps hostile text linear.
    for _ in 0..256 {
        let Some(offset) = text[at..].find('{') else { break };
        let start = at + offset;
        match object_end(bytes, start) {
            Some(end) if serde_json::from_str::<serde_json::Value>(&text[start..end]).is_ok() => {
                found.push(&text[start..end]);
                at = end;
            }
            Some(_) => at = start + 1,
            // Without a closing brace no later object can be balanced around it, but a later one may stand alone.
            None => at = start + 1,
        }
    }
    found
}

fn object_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (i, b) in bytes.iter().enumerate().skip(start) {
        match b {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
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
}
