//! A prompt that is longer than the server's context: how much of it is left out, remembered for as long as the daemon runs.

use std::borrow::Cow;

use artoo_types::chat::{ChatRequest, Speaker};
use artoo_types::text::head_tail;
use parking_lot::Mutex;

/// How often one call is shortened before it is given up: each time by a tenth at least.
pub(super) const MAX_SHRINKS: u32 = 4;
/// Characters below which a prompt says nothing any more.
const LEAST_CHARS: usize = 2_000;
/// What is taken for the share of a prompt that fits where the server names no figures.
const USUAL_SHARE: f64 = 0.6;
/// Share of a context that is left to the reply.
const REPLY_SHARE: f64 = 0.25;
/// The most tokens that are left to it.
const REPLY_TOKENS: f64 = 8_192.0;
/// Tokens are no characters, and a reply needs room as well.
const MARGIN: f64 = 0.85;

/// The characters of a prompt that a server has shown to take, once it refused a longer one.
#[derive(Debug, Default)]
pub(super) struct PromptRoom(Mutex<Option<usize>>);

impl PromptRoom {
    /// What is known.
    pub(super) fn known(&self) -> Option<usize> {
        *self.0.lock()
    }

    /// A prompt of so many characters was answered after a longer one was refused.
    pub(super) fn remember(&self, chars: usize) {
        *self.0.lock() = Some(chars);
    }
}

/// Characters of a request's messages.
pub(super) fn chars(request: &ChatRequest) -> usize {
    request.messages.iter().map(|message| message.content.chars().count()).sum()
}

/// The room to try after a prompt of `sent` characters was refused; `fits` is the share of it that the server says would
/// have fitted. None if too little would be left.
pub(super) fn smaller(sent: usize, fits: Option<f64>) -> Option<usize> {
    let share = fits.unwrap_or(USUAL_SHARE).clamp(0.05, 1.0) * MARGIN;
    let room = (sent as f64 * share) as usize;
    (room >= LEAST_CHARS && room < sent).then_some(room)
}

/// The characters that the messages of a request may have so that a context of so many tokens takes them, beside the tools that
/// stand in it and a reply; None if they all fit. A schema of the reply is no part of what a model reads. Tokens are
/// estimated, rather too many than too few.
pub(super) fn fitting(request: &ChatRequest, native_tools: bool, context: u64) -> Option<usize> {
    let context = context as f64;
    let messages: f64 = request.messages.iter().map(|message| tokens(&message.content)).sum();
    let tools = request.native_tools.iter().filter(|_| native_tools);
    let rest: f64 = tools.map(|tool| tokens(&tool.name) + tokens(&tool.purpose) + tokens(&tool.schema)).sum();
    let takes = context - (context * REPLY_SHARE).min(REPLY_TOKENS) - rest;
    if messages <= takes {
        return None;
    }
    let longest = &request.messages[longest(request)?].content;
    let tokens_a_char = tokens(longest) / longest.chars().count().max(1) as f64;
    let excess = ((messages - takes) / tokens_a_char).ceil() as usize;
    Some(chars(request).saturating_sub(excess).max(LEAST_CHARS))
}

/// About as many tokens as a text is for a model: words take four characters a token, figures and signs two, and characters
/// of other scripts one.
fn tokens(text: &str) -> f64 {
    let weight = |c: char| match c {
        'a'..='z' | 'A'..='Z' | ' ' => 0.3,
        '\0'..='\x7f' => 0.5,
        _ => 1.0,
    };
    text.chars().map(weight).sum()
}

/// The longest message that is not the role's own instructions.
fn longest(request: &ChatRequest) -> Option<usize> {
    let length = |at: &usize| request.messages[*at].content.chars().count();
    let is_cut = |at: &usize| request.messages[*at].speaker != Speaker::System;
    (0..request.messages.len()).filter(is_cut).max_by_key(length)
}

/// The request with at most `room` characters, as far as cutting its longest message in the middle goes. The role's own
/// instructions stay whole, and the cut says that it is one.
pub(super) fn within(request: &ChatRequest, room: usize) -> Cow<'_, ChatRequest> {
    let excess = chars(request).saturating_sub(room);
    let Some(longest) = longest(request).filter(|_| excess > 0) else { return Cow::Borrowed(request) };
    let mut request = request.clone();
    let text = &mut request.messages[longest].content;
    *text = head_tail(text, text.chars().count().saturating_sub(excess));
    request.steady.clear();
    Cow::Owned(request)
}

#[cfg(test)]
mod tests {
    use super::smaller;

    #[test]
    fn a_refused_prompt_leaves_a_smaller_room_until_nothing_is_left() {
        assert_eq!(smaller(100_000, Some(0.5)), Some(42_500));
        assert_eq!(smaller(100_000, None), Some(51_000));
        assert_eq!(smaller(10_000, Some(0.1)), None);
        let (mut room, mut steps) = (1_000_000, 0);
        while let Some(next) = smaller(room, Some(1.0)) {
            assert!(next < room);
            (room, steps) = (next, steps + 1);
            assert!(steps < 100);
        }
    }
}
