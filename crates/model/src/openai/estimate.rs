//! How many tokens a call took, where the server does not say: what bounds them must not hold for some servers alone.

use artoo_types::chat::{ChatReply, Usage};

/// Bytes of a token. English has four, code three, and a Chinese character, which is three bytes, is mostly one: a bound is
/// better met too early than not at all.
const TOKEN_BYTES: usize = 3;

/// Notes in the reply what the server did not report of it, for a prompt of so many bytes, and returns the whole count.
pub(super) fn filled(reply: &mut ChatReply, sent: usize) -> Usage {
    let tokens = |bytes: usize| bytes.div_ceil(TOKEN_BYTES) as u64;
    let calls = reply.tool_calls.iter().map(|call| call.name.len() + call.arguments.len());
    let said = tokens(reply.content.len() + calls.sum::<usize>());
    let prompt = reply.usage.prompt.map_or_else(|| tokens(sent), |_| 0);
    let completion = reply.usage.completion.map_or(said, |_| 0);
    reply.usage.estimated = Some(prompt + completion).filter(|tokens| *tokens > 0);
    let whole = |told: Option<u64>, estimated: u64| Some(told.unwrap_or(0) + estimated);
    Usage {
        prompt: whole(reply.usage.prompt, prompt),
        completion: whole(reply.usage.completion, completion),
        ..reply.usage
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::chat::{ChatReply, NativeToolCall, Usage};

    use super::filled;

    #[test]
    fn what_a_server_does_not_report_is_counted_by_its_bytes() {
        let call = NativeToolCall { name: "shell".to_owned(), arguments: "{}".to_owned() };
        let reply = |prompt, completion| ChatReply {
            content: "said".to_owned(),
            tool_calls: vec![call.clone()],
            usage: Usage { prompt, completion, ..Usage::default() },
            ..ChatReply::default()
        };
        for (told, estimated, whole) in [
            ((None, None), Some(104), (100, 4)),
            ((Some(7), None), Some(4), (7, 4)),
            ((None, Some(9)), Some(100), (100, 9)),
            ((Some(7), Some(9)), None, (7, 9)),
            ((Some(0), Some(0)), None, (0, 0)),
        ] {
            let mut reply = reply(told.0, told.1);
            let counted = filled(&mut reply, 299);
            assert_eq!((counted.prompt, counted.completion), (Some(whole.0), Some(whole.1)));
            assert_eq!((reply.usage.estimated, reply.usage.prompt), (estimated, told.0), "{told:?}");
        }
    }
}
