//! Words at a clause's front that ask, soften, order or forbid, before the verb.

use crate::joints::strip_joints;
use crate::scan::{begins_with_words, entries};

/// Words before a verb that say nothing about what is asked for. Longest first where one begins another.
const LEADS: &str = "i would like you to, i'd like you to, i would like to, i'd like to, i want you to, i want to, i need you to, \
    i need to, you should, you must, you can, we need to, we want to, we should, could you, can you, would you, \
    please, kindly, make sure to, make sure that you, be sure to, don't forget to, do not forget to, remember to, \
    go ahead and, try to, after that, after this, afterwards, afterward, when done, when you are done, once done, \
    once finished, when finished, as well, to do so, instead, now, next, then, also, and, just, only, finally, \
    lastly, first, firstly, second, secondly, third, last, carefully, quickly, immediately, permanently, \
    recursively, safely, simply, again, automatically, so";

/// The same in Chinese.
const CHINESE_LEADS: &str = "完成后, 做完后, 做完之后, 之后, 此外, 另外, 最后, 然后, 接着, 随后, 同时, 顺便, 记得, 请你, 请帮我, 请, 帮我, 给我, 麻烦, 需要, 我想要, 我想, 我要, 你要, 只需, 只要, \
    只, 都, 就, 也, 再, 先, 自动, 直接, 一并, 并";

/// Words that forbid what follows.
const NEGATIONS: &str = "do not, don't, don’t, never, not, avoid, without, no need to, you must not, must not, 不要, 别, 不用, 无需, 无须, 不必, \
    不得, 不许, 不准, 禁止, 切勿, 请勿, 勿, 不能, 不可, 绝不";

/// Words that make what follows depend on something.
const CONDITIONS: &str = "if, unless, in case, should there, when, whenever, once, as soon as, provided, 如果, 要是, 若, 假如, 万一, 一旦, 如有, 倘若, \
    只有在";

/// A piece of a request without the words before its verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead<'a> {
    /// What follows them.
    pub(crate) rest: &'a str,
    /// They forbid it.
    pub(crate) forbids: bool,
    /// They make it depend on something.
    pub(crate) depends: bool,
}

/// Takes the words before the verb away.
pub(crate) fn strip_leads(piece: &str) -> Lead<'_> {
    let mut rest = strip_bullet(piece.trim());
    let mut forbids = false;
    // Each pass takes at least one character away, so the loop ends.
    loop {
        let before = rest;
        rest = strip_joints(rest).trim_start_matches([',', ' ', ':']);
        if entries(CONDITIONS).any(|word| begins_with_words(rest, word).is_some()) && !is_done(rest) {
            return Lead { rest, forbids, depends: true };
        }
        let ordered = |word: &&str| *word != "last" || rest["last".len()..].starts_with(',');
        let is_lead = |word: &'static str| begins_with_words(rest, word).filter(|_| ordered(&word));
        if let Some(after) = entries(LEADS).find_map(is_lead) {
            rest = after;
        }
        if let Some(after) = entries(CHINESE_LEADS).find_map(|word| rest.strip_prefix(word)) {
            rest = after;
        }
        if let Some(after) = entries(NEGATIONS).find_map(|word| begins_with_words(rest, word)) {
            forbids = true;
            rest = after;
        }
        if rest == before || rest.is_empty() {
            return Lead { rest, forbids, depends: false };
        }
    }
}

/// "When done" depends on nothing but what was asked for before.
fn is_done(rest: &str) -> bool {
    entries(LEADS).any(|lead| begins_with_words(rest, lead).is_some())
}

/// Takes the mark of a list's line away: `- `, `* `, `1. `, `2) `.
fn strip_bullet(piece: &str) -> &str {
    let digits = piece.trim_start_matches(|found: char| found.is_ascii_digit());
    let numbered = (digits.len() < piece.len()).then(|| digits.strip_prefix(['.', ')', '、'])).flatten();
    let marked = piece.strip_prefix(['-', '*', '•']).filter(|rest| rest.starts_with(' '));
    numbered
        .filter(|rest| !rest.starts_with(|found: char| found.is_ascii_digit()))
        .or(marked)
        .unwrap_or(piece)
        .trim_start()
}

/// Whether a line is one of a list.
pub(crate) fn is_bullet(line: &str) -> bool {
    strip_bullet(line.trim()).len() < line.trim().len()
}
