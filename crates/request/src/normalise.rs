//! Bringing a request into one form: NFKC, single spaces, no politeness, no final punctuation. Quoted text stays as it is.

use crate::language::is_han;
use unicode_normalization::UnicodeNormalization;

/// Words that ask nicely and say nothing else; removed from the front, again and again. Longest first within a language.
const OPENINGS: [&str; 63] = [
    "could you please ",
    "can you please ",
    "would you please ",
    "could you ",
    "can you ",
    "would you ",
    "will you ",
    "i would like you to ",
    "i'd like you to ",
    "i want you to ",
    "i need you to ",
    "please ",
    "please, ",
    "kindly ",
    "hey ",
    "hey, ",
    "hi ",
    "hi, ",
    "hello ",
    "pls ",
    "plz ",
    "so, ",
    "um, ",
    "uh, ",
    "quick question: ",
    "i want to know ",
    "i would like to know ",
    "i'd like to know ",
    "do you know ",
    "any chance you could ",
    "hello, ",
    "artoo, ",
    "artoo: ",
    "artoo ",
    "ok, ",
    "okay, ",
    "now ",
    "just ",
    "let's ",
    "help me ",
    "帮忙",
    "麻烦你",
    "麻烦",
    "请你帮我",
    "请帮我",
    "请帮忙",
    "请问",
    "请你",
    "请",
    "你能不能",
    "能不能",
    "可以帮我",
    "可不可以",
    "能帮我",
    "能否",
    "帮我",
    "给我",
    "我想知道",
    "想知道",
    "你好,",
    "麻烦您",
    "我想要",
    "我想",
];

/// Words that ask nicely at the end.
const CLOSINGS: [&str; 27] = [
    " please",
    " for me",
    " pls",
    " plz",
    " if you can",
    " if possible",
    " real quick",
    " quickly",
    " thx",
    " thanks",
    " thank you",
    ", please",
    ", thanks",
    ",谢谢",
    "谢谢",
    "好吗",
    "可以吗",
    "行吗",
    "一下吧",
    "吧",
    "呢",
    "呀",
    "啊",
    "哦",
    "哈",
    "谢谢啦",
    "谢谢你",
];

/// The request in the form that the templates are written for. Case is kept, because paths and quotations need it;
/// matching ignores it.
pub fn normalise(request: &str) -> String {
    let mut text = String::with_capacity(request.len());
    for (quoted, part) in quoted_parts(request) {
        if quoted {
            text.push_str(&part);
        } else {
            text.extend(part.nfkc().map(|found| match found {
                '。' => '.',
                '、' => ',',
                '’' | '‘' => '\'',
                _ if found.is_whitespace() => ' ',
                _ => found,
            }));
        }
    }
    strip_politeness(&squeeze(&text))
}

/// The byte ranges of quoted text, quotation marks included: `"..."`, `“...”`, `「...」`, `'...'` at a word's start.
pub fn quoted_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let close = closing_mark(first, text[..at].chars().next_back());
        let length = close.and_then(|mark| {
            rest[first.len_utf8()..].find(mark).map(|found| first.len_utf8() + found + mark.len_utf8())
        });
        match length {
            Some(length) => {
                ranges.push((at, at + length));
                at += length;
            }
            None => at += first.len_utf8(),
        }
    }
    ranges
}

/// The mark that closes a quotation opened by `first`, if `first` opens one here.
fn closing_mark(first: char, before: Option<char>) -> Option<char> {
    match first {
        '"' => Some('"'),
        '“' => Some('”'),
        '「' => Some('」'),
        '《' => Some('》'),
        '`' => Some('`'),
        '\'' if before.is_none_or(|found| !found.is_alphanumeric()) => Some('\''),
        '‘' => Some('’'),
        _ => None,
    }
}

fn quoted_parts(text: &str) -> Vec<(bool, String)> {
    let mut parts = Vec::new();
    let mut at = 0;
    for (start, end) in quoted_ranges(text) {
        parts.push((false, text[at..start].to_owned()));
        parts.push((true, text[start..end].to_owned()));
        at = end;
    }
    parts.push((false, text[at..].to_owned()));
    parts
}

/// Single spaces, none beside a Han character or before a comma; quoted text untouched.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (quoted, part) in quoted_parts(text) {
        if quoted {
            if out.ends_with(' ') && out.trim_end().chars().next_back().is_some_and(is_han) {
                out.pop();
            }
            out.push_str(&part);
            continue;
        }
        for found in part.chars() {
            let last = out.chars().next_back();
            if found == ' ' {
                if last.is_some_and(|last| last != ' ' && !is_han(last)) {
                    out.push(' ');
                }
            } else {
                if last == Some(' ') && (is_han(found) || matches!(found, ',' | ';' | '?' | '!')) {
                    out.pop();
                }
                out.push(found);
            }
        }
    }
    out.trim().to_owned()
}

fn strip_politeness(text: &str) -> String {
    let mut rest = text;
    // Each pass removes at least one character, so the loop ends; a request of politeness alone becomes empty.
    loop {
        let before = rest;
        rest = rest.trim();
        // `in ~` names the home folder, `the folder .` the one that one is in; `please~` and `files .` name nothing.
        let names_folder = [" ~", " in .", " folder .", " directory ."].iter().any(|end| rest.ends_with(end));
        if !names_folder {
            rest = rest.trim_end_matches(['.', '!', '?', ';', ',', ':', '~', '…']).trim();
        }
        for opening in OPENINGS {
            if let Some(after) = strip_front(rest, opening) {
                rest = after.trim_start_matches([',', ' ']);
                break;
            }
        }
        for closing in CLOSINGS {
            if let Some(after) = strip_back(rest, closing) {
                rest = after.trim_end();
                break;
            }
        }
        if rest == before {
            return rest.to_owned();
        }
    }
}

fn strip_front<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    (head.eq_ignore_ascii_case(word) && text.len() > word.len()).then(|| &text[word.len()..])
}

fn strip_back<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let cut = text.len().checked_sub(word.len())?;
    let tail = text.get(cut..)?;
    (cut > 0 && tail.eq_ignore_ascii_case(word)).then(|| &text[..cut])
}
