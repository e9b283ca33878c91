//! Which pieces of a request only want to know something.

use crate::scan::{begins_with_words, entries, first_word, is_entry};

/// What a question asks after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    /// How or why: what follows in the sentence is part of the question.
    How,
    /// What, which, who, whether: an order may follow behind "then".
    What,
    /// How many of the things of a machine: this is counted, and orders may follow.
    Count,
}

const HOW: &str = "how to, how do, how can, how could, how would, how should, how does, how is, how are, how did, why, what does, \
    what do, what did, what happens, what would, what should, what's the command, what is the command, \
    what's the difference, what is the difference, explain how, explain why, explain what, tell me how, \
    tell me why, show me how, describe how, teach me, is it safe to";

const WHAT: &str = "what, what's, which, who, who's, whom, whose, how, where's, what're";

/// Words that begin a question where its sentence ends in a question mark.
const MARKED: &str = "is, are, was, were, do, does, did, has, have, had, can, could, should, would, will, may, might, am, when, \
    where, isn't, aren't, don't, doesn't, didn't, shall, must, any";

const CHINESE_HOW: &str = "怎么, 如何, 怎样, 为什么, 为何, 为啥, 什么意思, 是什么, 是做什么, 干什么用, 有什么区别, 区别是, 会不会, 是不是, 是否安全, 做什么的";

const CHINESE_COUNT: &str = "多少, 几个, 几行, 几张";

/// What a piece asks after, if it is a question. `marked`: its sentence ends in a question mark, and is no polite order.
pub(crate) fn asking(piece: &str, marked: bool) -> Option<Asking> {
    if begins_with_words(piece, "how many").is_some() || begins_with_words(piece, "how much").is_some() {
        return Some(Asking::Count);
    }
    let begins = |table: &'static str| entries(table).any(|words| begins_with_words(piece, words).is_some());
    if begins(HOW) || entries(CHINESE_HOW).any(|word| piece.contains(word)) {
        return Some(Asking::How);
    }
    if begins(WHAT) || (marked && is_entry(MARKED, first_word(piece).to_lowercase().as_str())) {
        return Some(Asking::What);
    }
    if entries(CHINESE_COUNT).any(|word| piece.contains(word)) {
        return Some(Asking::Count);
    }
    (marked && (piece.ends_with('吗') || piece.contains("什么"))).then_some(Asking::What)
}

/// Whether a Chinese request that ends like a question is a polite order: "能帮我删除 a.txt 吗".
pub(crate) fn is_polite(sentence: &str) -> bool {
    const POLITE: &str = "能帮, 可以帮, 能不能, 可不可以, 能否, 请, 麻烦, 帮, 可否";
    entries(POLITE).any(|word| sentence.trim_start().trim_start_matches('你').starts_with(word))
}
