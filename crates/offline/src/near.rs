//! Words that are one letter away from ones that the rules know: what a request probably means, as a question.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use artoo_request::is_han;

use crate::clause::UnderstoodRequest;
use crate::concepts;
use crate::kinds::KINDS;
use crate::places::PERSONAL;
use crate::requests::TEMPLATES;
use crate::semantic;

/// Shortest word that is taken for a slip: shorter ones are too much alike.
const SHORTEST: usize = 3;
/// Most requests that are tried.
const MOST_TRIED: usize = 40;
/// Characters that are written for each other: they sound alike or look alike. Nothing else is a slip in Chinese, where most pairs of
/// characters are an ordinary word.
const CONFUSED: &str = "记计纪|找照招|件建健见|文闻纹|录路陆|目木|删册山|除出初|移已以|动洞|制置至致|命名明|改该|查察茶|显先险|示事视|列例|同通|树数|大达|小晓|最嘴醉|新心辛|旧就|搜馊|索所锁|排牌派|序续|压牙|缩所|解姐|包报抱|图涂|片骗|频品|档挡|夹家加|字子|均军君|求球|和合河|总种宗|内类|容荣|口扣|程成城|盘判|空控|统同桶|行形型|贝备倍|拷烤|复付夫|重冲|打大|开凯|读独|取去|写些|入人|创窗|末未|已己|日曰|土士|千干|误务|知支|公工|栽载|直值|处除|份分|帐账|圆园|像象|须需|错措|历里利|史使|分份|支只|提题|交叫|签千|比笔|较教|差插|重虫";

/// How a request is read with other words in it.
pub(crate) type ReadAgain<'a> = dyn Fn(&str) -> Option<UnderstoodRequest> + 'a;

/// The request as it is probably meant, where each word that nobody knows is one letter away from a known one or one of `names`,
/// and what it asks for; None as well where it could be meant in more than one way.
pub(crate) fn meant(
    text: &str,
    names: &[String],
    read: &ReadAgain<'_>,
) -> Option<(String, UnderstoodRequest)> {
    english(text, names, read).or_else(|| chinese(text, names, read))
}

fn english(text: &str, names: &[String], read: &ReadAgain<'_>) -> Option<(String, UnderstoodRequest)> {
    let known =
        |word: &String| vocabulary().contains(word) || names.iter().any(|name| name.to_lowercase() == *word);
    let mut parts: Vec<Vec<String>> = Vec::new();
    let mut slips = 0;
    for word in text.split(' ') {
        let bare = word.trim_matches(|found: char| !found.is_ascii_alphanumeric());
        let lower = bare.to_ascii_lowercase();
        let is_word = bare.len() >= SHORTEST && bare.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_word || known(&lower) {
            parts.push(vec![word.to_owned()]);
            continue;
        }
        let near: Vec<String> = vocabulary()
            .iter()
            .chain(names)
            .filter(|known| is_near(&lower, &known.to_lowercase()))
            .map(|known| word.replace(bare, known))
            .collect();
        slips += usize::from(!near.is_empty());
        parts.push(if near.is_empty() { vec![word.to_owned()] } else { near });
    }
    if slips == 0 || slips > 3 {
        return None;
    }
    let mut ways: Vec<String> = vec![String::new()];
    for choices in &parts {
        let longer = ways.iter().flat_map(|way| choices.iter().map(move |word| format!("{way} {word}")));
        ways = longer.take(MOST_TRIED).collect();
    }
    only(ways.iter().map(|way| way.trim().to_owned()), read)
}

/// The one thing that all ways of saying it come to.
fn only(ways: impl Iterator<Item = String>, read: &ReadAgain<'_>) -> Option<(String, UnderstoodRequest)> {
    let mut found = ways.filter_map(|way| read(&way).map(|request| (way, request)));
    let first = found.next()?;
    found.all(|(_, request)| request.clauses == first.1.clauses).then_some(first)
}

/// Whether two words of Latin letters are one slip apart: a letter too many, too few, another, or two that changed places.
fn is_near(one: &str, other: &str) -> bool {
    one != other
        && other.len() > SHORTEST
        && one.len().abs_diff(other.len()) <= 1
        && strsim::osa_distance(one, other) == 1
}

/// A Chinese word of which one character is another.
fn chinese(text: &str, names: &[String], read: &ReadAgain<'_>) -> Option<(String, UnderstoodRequest)> {
    let chars: Vec<char> = text.chars().collect();
    let names = names.iter().map(|name| name.chars().collect::<Vec<char>>());
    let words: Vec<Vec<char>> =
        chinese_words().iter().cloned().chain(names.filter(|name| name.len() == 2)).collect();
    let mut ways: Vec<String> = Vec::new();
    for at in 0..chars.len() {
        for word in &words {
            let Some(found) = chars.get(at..at + word.len()) else { continue };
            let apart: Vec<(&char, &char)> =
                found.iter().zip(word).filter(|(one, other)| one != other).collect();
            let is_slip = matches!(apart.as_slice(), [(one, other)] if are_confused(**one, **other))
                && found.iter().all(|one| is_han(*one))
                && !words.contains(&found.to_vec());
            if !is_slip {
                continue;
            }
            let way: String = chars[..at].iter().chain(word).chain(&chars[at + word.len()..]).collect();
            if !ways.contains(&way) && ways.len() < MOST_TRIED {
                ways.push(way);
            }
        }
    }
    only(ways.into_iter(), read)
}

/// Whether one character is easily written in the place of the other.
fn are_confused(one: char, other: char) -> bool {
    CONFUSED.split('|').any(|alike| alike.contains(one) && alike.contains(other))
}

/// The words of all templates and of all kinds of file, in small letters.
fn vocabulary() -> &'static BTreeSet<String> {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let english = TEMPLATES.iter().flat_map(|row| row.english.iter().copied());
        let all = english
            .chain(crate::fragments::all())
            .chain(KINDS.iter().flat_map(|kind| kind.words.iter().copied()))
            .chain(PERSONAL.iter().map(|(word, _)| *word))
            .chain(concepts::vocabulary())
            .chain(semantic::vocabulary());
        let mut words = BTreeSet::new();
        for text in all {
            let mut slot = false;
            for part in text.split_inclusive(|found: char| !found.is_ascii_alphabetic()) {
                let word = part.trim_end_matches(|found: char| !found.is_ascii_alphabetic());
                if !slot && word.len() >= 3 {
                    words.insert(word.to_ascii_lowercase());
                }
                slot = part.ends_with(['{', '<']);
            }
        }
        words
    })
}

/// The Chinese verbs and nouns of two characters that requests are made of.
fn chinese_words() -> &'static [Vec<char>] {
    static WORDS: OnceLock<Vec<Vec<char>>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let chinese = TEMPLATES.iter().flat_map(|row| row.chinese.iter().copied());
        let all = chinese
            .chain(crate::fragments::all())
            .chain(KINDS.iter().flat_map(|kind| kind.words.iter().copied()))
            .chain(PERSONAL.iter().map(|(word, _)| *word))
            .chain(concepts::vocabulary())
            .chain(semantic::vocabulary());
        let mut words: Vec<Vec<char>> = Vec::new();
        for text in all {
            for run in text.split(|found: char| !is_han(found)) {
                let chars: Vec<char> = run.chars().collect();
                if chars.len() == 2 && !words.contains(&chars) {
                    words.push(chars);
                }
            }
        }
        words
    })
}

#[cfg(test)]
mod tests {
    use crate::clauses::understand;

    fn meant(text: &str) -> Option<String> {
        super::meant(text, &[], &|way| understand(way).ok()).map(|(way, _)| way)
    }

    #[test]
    fn one_letter_away_is_what_is_meant() {
        for (text, expected) in [
            ("cound the lines of python code", "count the lines of python code"),
            ("fnd the largest files here", "find the largest files here"),
            ("find the larjest fiels here", "find the largest files here"),
            ("统记python代码的行数", "统计python代码的行数"),
            ("查照notes.txt", "查找notes.txt"),
            ("册除notes.txt", "删除notes.txt"),
            ("现在在哪个分知", "现在在哪个分支"),
            ("show the last two lins of a.txt", "show the last two line of a.txt"),
        ] {
            assert_eq!(meant(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_slip_is_left_alone() {
        for text in [
            "write a poem about the sea",
            "make me a sandwich",
            "把桌子搬走",
            "delete everything",
            // Ordinary words are one character away from others.
            "订单.csv的行数",
            "订单.csv有哪些列",
            "有多各个文件",
            "最近的几次提交",
            "这是什么操作系统",
            "把合同的pdf都找出来",
            "2025年的照片有哪些",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
