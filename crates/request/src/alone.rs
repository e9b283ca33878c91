//! Whether a request can be taken as it is said, without anybody reading it first.
//!
//! What refers to something that is not in it, corrects what was said before, or sets a time that words alone name, wants a
//! reader. So does what words alone can answer, for that is a short answer and no task.

use crate::clauses::{RequestReading, read};
use crate::language::is_han;
use crate::names::named_things;
use crate::normalise::quoted_ranges;
use crate::scan::{entries, is_entry};

/// Words for something that was named before.
const PRONOUNS: &str = "it, its, them, they, their, he, him, his, she, her, hers";

/// The same, where no noun follows them.
const POINTERS: &str = "this, that, these, those";

/// Words that refer to an earlier task or correct it.
const BACKWARDS: &str = "again, instead, actually, rather, previous, previously, earlier, aforementioned, nevertheless, meant, \
    sorry";

/// The same, as beginnings of a request.
const REPAIRS: &str = "no, nope, not, wait, and, also, then, but, ok now, as before, go on, go ahead, yes, what about, how about, \
    undo, redo, continue, resume, retry, repeat, the same";

/// Words that put something before a pronoun: behind them stands what it refers to.
const DETERMINERS: &str =
    "the, a, an, my, our, your, all, every, each, any, both, no, one, two, three, some, another, which";

/// Words of a time that only a reader can turn into a moment.
const TIMES: &str = "i, we, today, tonight, tomorrow, noon, midnight, morning, evening, monday, tuesday, wednesday, thursday, friday, \
    saturday, sunday, week, weekend, month, hour, hours, minutes, minute, seconds, eod, end, deadline, o'clock, am, pm";

/// Words in front of a time by which something is wanted.
const BY: &str = "by, until, till, before, within, deadline";

const CHINESE_BACKWARDS: &str = "它, 他们, 她们, 这个, 那个, 这些, 那些, 刚才, 刚刚, 上次, 上面, 之前, 以前, 前面, 再来, 再做, 再次, 重新, 继续, 还是, \
    不对, 不是, 改成, 改为, 一样, 截止, 期限, 今天, 明天, 今晚, 小时内, 分钟内, 点前, 号前, 日前, 周前, 月前, 下班前";

/// Whether the request stands alone. It then is something to do or to find out here, and its own words are its best
/// restatement.
pub fn stands_alone(request: &str) -> bool {
    alone(request, &read(request))
}

fn alone(request: &str, reading: &RequestReading) -> bool {
    if reading.needs_words_alone() {
        return false;
    }
    let plain = without_quotations(request);
    if entries(CHINESE_BACKWARDS).any(|word| plain.contains(word)) {
        return false;
    }
    let lower = plain.trim_start().to_lowercase();
    let begins =
        |word: &str| lower.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ',', '.', ':', '!']));
    !entries(REPAIRS).any(begins) && every_word_stands(&lower)
}

fn every_word_stands(plain: &str) -> bool {
    let words: Vec<Word<'_>> = words(plain);
    let is_named = |before: &[Word<'_>], at: usize| {
        let determined = before.iter().rev().skip(1).any(|word| is_entry(DETERMINERS, word.text));
        determined || !named_things(&plain[..at]).files.is_empty()
    };
    words.iter().enumerate().all(|(i, word)| {
        let next = words.get(i + 1).filter(|_| !word.ends_clause);
        if is_entry(BACKWARDS, word.text) {
            return false;
        }
        if is_entry(PRONOUNS, word.text) {
            return is_named(&words[..i], word.at);
        }
        if is_entry(POINTERS, word.text) {
            // "that file" points out of the request; "the file that it names" does not.
            let is_here =
                matches!(word.text, "this" | "these") && next.is_some_and(|next| is_place(next.text));
            return is_here || is_named(&words[..i], word.at);
        }
        !(is_entry(BY, word.text) && next.is_some() && names_time(&words[i + 1..]))
    })
}

/// Where the person is: "this folder", "these files".
fn is_place(word: &str) -> bool {
    const PLACES: &str = "folder, directory, project, repository, repo, machine, computer, file, files, code, codebase, package, \
        crate, module, program, script, year, branch";
    is_entry(PLACES, word)
}

/// Whether the next words name a time. A date that code can read is one as well.
fn names_time(words: &[Word<'_>]) -> bool {
    words.iter().take(3).any(|word| {
        is_entry(TIMES, word.text)
            || (word.text.contains(':') && word.text.starts_with(|c: char| c.is_ascii_digit()))
    }) || words.first().is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit()))
}

struct Word<'a> {
    text: &'a str,
    /// Where it begins.
    at: usize,
    ends_clause: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in text.split(|c: char| c.is_whitespace() || is_han(c)) {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            let ends_clause = piece.ends_with([',', '.', ';', ':', '!', '?', ')']);
            found.push(Word { text: bare, at, ends_clause });
        }
        // The separator behind a piece may take several bytes.
        let behind = text[at + piece.len()..].chars().next().map_or(0, char::len_utf8);
        at += piece.len() + behind;
    }
    found
}

fn without_quotations(request: &str) -> String {
    let mut plain = String::with_capacity(request.len());
    let mut at = 0;
    for (start, end) in quoted_ranges(request) {
        plain.push_str(&request[at..start]);
        plain.push_str(" \u{2026} ");
        at = end;
    }
    plain.push_str(&request[at..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::stands_alone;

    #[test]
    fn what_says_all_of_it_stands_alone() {
        for request in [
            "Two tests in this project fail. Find the two bugs, fix them and run the tests.",
            "count the lines of every .rs file below src and write the total to totals.txt",
            "Read notes.txt and tell me what it says",
            "Merge a.csv and b.csv into merged.csv, sorted by date",
            "Sort the files in ~/Downloads into folders by type; nothing may be lost, and tell me how many there were",
            "How many files are in /usr/share?",
            "统计 src 目录下有多少个 rs 文件",
            "Write \"do it again by tomorrow\" into notes.txt",
        ] {
            assert!(stands_alone(request), "{request}");
        }
    }

    #[test]
    fn what_points_elsewhere_corrects_or_sets_a_time_wants_a_reader() {
        for request in [
            "delete it",
            "delete that file",
            "run the tests again",
            "No, the second file: delete notes.txt",
            "and now delete a.txt",
            "Delete them and count the files in /tmp",
            "Write report.md by tomorrow evening",
            "Write report.md by 2026-11-22",
            "Write report.md before 18:00",
            "Write report.md within 10 minutes",
            "Write report.md before I am back",
            "把它删除，然后统计 a.txt",
            "明天之前写 report.md",
            "hello",
            "who are you",
            "what is 2+2",
            "",
        ] {
            assert!(!stands_alone(request), "{request}");
        }
    }
}
