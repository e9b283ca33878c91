//! Whether a request can be taken as it is said, without anybody reading it first.
//!
//! What refers to something that is not in it, corrects what was said before, or sets a time that words alone name, wants a
//! reader. So does what words alone can answer, for that is a short answer and no task.

use crate::clauses::{RequestReading, read};
use crate::han_names::han_names;
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
    undo, redo, continue, resume, retry, repeat, the same, do the same";

/// Words that put something before a pronoun: behind them stands what it refers to.
const DETERMINERS: &str =
    "the, a, an, my, our, your, all, every, each, any, both, no, one, two, three, some, another, which";

/// Words of a time that only a reader can turn into a moment.
const TIMES: &str = "i, we, today, tonight, tomorrow, noon, midnight, morning, evening, monday, tuesday, wednesday, thursday, friday, \
    saturday, sunday, week, weekend, month, hour, hours, minutes, minute, seconds, eod, end, deadline, o'clock, am, pm";

/// Words behind "that" which begin a sentence of its own, so that "that" points at nothing.
const SUBJECTS: &str = "the, a, an, my, our, your, its, all, every, each, any, both, no, some, there, nothing, everything, nobody, \
    it, they, he, she";

/// Words behind a word that points back, where it compares.
const COMPARISONS: &str = "of, than";

/// Lengths of time. "by month" is how something is grouped.
const PERIODS: &str = "hour, minute, week, month";

/// Words in front of a time by which something is wanted.
const BY: &str = "by, until, till, before, within, deadline";

const CHINESE_BACKWARDS: &str = "那个, 那些, 刚才, 刚刚, 上次, 上面, 之前, 以前, 前面, 再来, 再做, 再次, 重新, 继续, 还是, 不对, 不是, 一样, 截止, \
    期限, 今天, 明天, 今晚, 小时内, 分钟内, 点前, 号前, 日前, 周前, 月前, 下班前";

/// What holds one of them and points nowhere.
const CHINESE_OTHERWISE: &str = "重新命名, 是不是, 重新生成, 不是空";

/// The same, as beginnings of a request: a correction has no object of its own.
const CHINESE_REPAIRS: &str = "改成, 改为, 换成, 请改成, 请改为, 那就, 再, 也, 还要";

/// Pronouns, which may stand for what the request named before them.
const CHINESE_PRONOUNS: &str = "它, 他们, 她们, 这个, 这些";

/// Where the person is, behind 这个.
const CHINESE_PLACES: &str = "项目, 工程, 文件夹, 目录, 仓库, 代码库, 程序, 代码, 电脑, 机器, 分支";

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
    if !chinese_stands(&plain) {
        return false;
    }
    let lower = plain.trim_start().to_lowercase();
    let begins =
        |word: &str| lower.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ',', '.', ':', '!']));
    !entries(REPAIRS).any(begins) && every_word_stands(&lower)
}

fn chinese_stands(plain: &str) -> bool {
    let told =
        entries(CHINESE_OTHERWISE).fold(plain.trim_start().to_owned(), |text, word| text.replace(word, ""));
    if entries(CHINESE_BACKWARDS).any(|word| told.contains(word))
        || entries(CHINESE_REPAIRS).any(|word| told.starts_with(word))
    {
        return false;
    }
    let is_here = |behind: &str| entries(CHINESE_PLACES).any(|place| behind.starts_with(place));
    let mut places = ["这个", "这些", "本"].into_iter().flat_map(|word| {
        told.match_indices(word).filter(|(at, word)| is_here(&told[at + word.len()..])).map(|(at, _)| at)
    });
    let first_place = places.by_ref().min();
    entries(CHINESE_PRONOUNS).flat_map(|word| told.match_indices(word)).all(|(at, word)| {
        is_here(&told[at + word.len()..])
            || first_place.is_some_and(|place| place < at)
            || !named_things(&told[..at]).files.is_empty()
            || !han_names(&told[..at]).is_empty()
    })
}

fn every_word_stands(plain: &str) -> bool {
    let words: Vec<Word<'_>> = words(plain);
    let is_named = |at: usize| {
        let before = &words[..at];
        let determined = before.iter().rev().skip(1).any(|word| is_entry(DETERMINERS, word.text));
        let here = (0..at.saturating_sub(1)).any(|pointer| is_here(&words, pointer));
        determined || here || !named_things(&plain[..words[at].at]).files.is_empty()
    };
    words.iter().enumerate().all(|(i, word)| {
        let next = words.get(i + 1).filter(|_| !word.ends_clause);
        if is_entry(BACKWARDS, word.text) {
            return next.is_some_and(|next| is_entry(COMPARISONS, next.text));
        }
        if is_entry(PRONOUNS, word.text) {
            return is_named(i);
        }
        if is_entry(POINTERS, word.text) {
            // "that file" points out of the request; "the file that it names" does not.
            let joins = word.text == "that" && joins(&words, i);
            return joins || is_here(&words, i) || is_named(i);
        }
        let groups = word.text == "by" && next.is_some_and(|next| is_entry(PERIODS, next.text));
        groups || !(is_entry(BY, word.text) && next.is_some() && names_time(&words[i + 1..]))
    })
}

/// Whether the word says where the person is: "this folder", "these files".
fn is_here(words: &[Word<'_>], at: usize) -> bool {
    matches!(words[at].text, "this" | "these")
        && words.get(at + 1).is_some_and(|next| !words[at].ends_clause && is_place(next.text))
}

/// Whether this "that" only joins: "show that the tests pass", "files that end in .log".
fn joins(words: &[Word<'_>], at: usize) -> bool {
    let Some(next) = words.get(at + 1).filter(|_| !words[at].ends_clause) else { return false };
    let begins_sentence = is_entry(SUBJECTS, next.text) || next.is_path;
    let before = at.checked_sub(1).map(|before| &words[before]).filter(|before| !before.ends_clause);
    let is_plural =
        |word: &&Word<'_>| word.text.len() > 3 && word.text.ends_with('s') && !word.text.ends_with("ss");
    begins_sentence || before.filter(is_plural).is_some()
}

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
    /// It is written as a path: `./area`, `a.txt`.
    is_path: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in text.split(|c: char| c.is_whitespace() || is_han(c)) {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            let ends_clause = piece.ends_with([',', '.', ';', ':', '!', '?', ')']);
            let is_path = piece.starts_with(['.', '/', '~']) || bare.contains(['.', '/']);
            found.push(Word { text: bare, at, ends_clause, is_path });
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
            "make does not build this project. Find out why, fix it, and show that ./area runs",
            "make does not build this project. Find out why, fix it, and show that ./area runs and prints the right values.",
            "npm test fails in this project. Find out why and fix package.json.",
            "Clean up this folder and tell me what was in it",
            "Build this project and show that the tests pass",
            "Show that ./area runs",
            "Prove that a.txt and b.txt are equal",
            "Check that every file below src has a licence header",
            "Delete files that end in .log",
            "List functions that nobody calls below src",
            "In 通知.md the typos shall be corrected, in the file itself; then summarise it and list what you changed",
            "Read notes.txt, translate the file into Chinese and put it into notes.zh.txt",
            "Use tabs instead of spaces in main.py",
            "List the files that are older than config.ini rather than newer",
            "Sum the sales in sales.csv by month",
            "Write a shell script rotate.sh that rotates the logs in logs/. Prove that it works.",
            "Run the tests of this crate, and if they fail fix them",
            "把 config.ini 里的端口改为 9090",
            "把 config.ini 里的 8080 改成 9090，workers 改成 8",
            "将 a.txt 重新命名为 b.txt",
            "这个项目编译不了，找出原因并修复它",
            "统计这个文件夹里有多少个文件",
            "清理这个目录，告诉我删除了什么",
            "读取 notes.txt，把它翻译成英文写入 notes.en.txt",
            "修改 通知.md：把 teh 改成 the，然后用两句话概括它",
            "运行本项目的测试并修复这些错误",
            "检查 data.json 是不是合法的 JSON",
        ] {
            assert!(stands_alone(request), "{request}");
        }
    }

    #[test]
    fn what_points_elsewhere_corrects_or_sets_a_time_wants_a_reader() {
        for request in [
            "delete it",
            "delete that file",
            "delete that one",
            "delete that",
            "show that",
            "show that again",
            "Fix it and show that it runs",
            "Make it shorter and write it to notes.txt",
            "Do the same with b.txt",
            "Use b.txt instead",
            "Use b.txt instead, of course",
            "Rename them by date",
            "Write report.md by the end of the month",
            "Now put those into a.zip",
            "Convert these to png",
            "What about b.txt?",
            "改成 b.txt",
            "改为 9090，写进 config.ini",
            "把它改成英文",
            "删除这个",
            "删除这些文件",
            "那个文件里有多少行？",
            "再统计一次 src 目录",
            "重新运行测试",
            "把刚才的结果写入 out.txt",
            "继续修复测试",
            "和上次一样处理 b.csv",
            "不对，是 b.txt",
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
