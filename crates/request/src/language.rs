//! The two languages the rules speak, and picking one of two texts.

/// The language of a request; answers, headings and file sections are in the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Everything that is not Chinese.
    English,
    /// A text whose own words are Chinese. What it quotes or names can be in any language.
    Chinese,
}

/// Words that English sentences are made of, and the verbs that requests begin with. Names of programs and things are none: a Chinese
/// sentence uses them as they are.
const ENGLISH: &[&str] = &[
    "a",
    "an",
    "the",
    "this",
    "that",
    "these",
    "those",
    "my",
    "your",
    "all",
    "every",
    "each",
    "any",
    "some",
    "no",
    "not",
    "and",
    "or",
    "but",
    "of",
    "in",
    "into",
    "on",
    "onto",
    "to",
    "from",
    "for",
    "with",
    "without",
    "by",
    "at",
    "as",
    "under",
    "below",
    "inside",
    "than",
    "is",
    "are",
    "was",
    "were",
    "be",
    "do",
    "does",
    "did",
    "has",
    "have",
    "can",
    "could",
    "will",
    "would",
    "should",
    "please",
    "what",
    "which",
    "where",
    "when",
    "who",
    "why",
    "how",
    "many",
    "much",
    "it",
    "its",
    "i",
    "me",
    "we",
    "you",
    "there",
    "here",
    "count",
    "list",
    "show",
    "find",
    "search",
    "open",
    "read",
    "write",
    "create",
    "make",
    "delete",
    "remove",
    "move",
    "copy",
    "rename",
    "print",
    "give",
    "tell",
    "summarize",
    "translate",
    "explain",
    "compare",
    "convert",
    "sort",
    "replace",
    "add",
    "change",
    "save",
    "unpack",
    "run",
];

/// Chinese words that make a sentence and stand in few names.
const CHINESE: &[&str] = &[
    "吗",
    "什么",
    "怎么",
    "多少",
    "几个",
    "几行",
    "哪",
    "请",
    "把",
    "一下",
    "所有",
    "给我",
    "帮",
    "是",
    "有没有",
    "里的",
    "中的",
    "列出",
    "统计",
    "找出",
    "查找",
    "删除",
    "打开",
    "读取",
    "复制",
    "移动",
    "改名",
    "显示",
    "查看",
    "创建",
    "翻译",
    "总结",
];

impl Language {
    /// The language of a request.
    pub fn of(request: &str) -> Self {
        let said = without_names(request);
        let han = said.chars().any(is_han);
        let mut words = said.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
        if !han {
            // Nothing but a name, or a name behind a Chinese word that nothing sets apart: 读取笔记.txt
            let only_names = words.next().is_none() && without_quotes(request).chars().any(is_han);
            return if only_names { Self::Chinese } else { Self::English };
        }
        let is_sentence = CHINESE.iter().any(|word| said.contains(word));
        let is_english = words.any(|word| ENGLISH.contains(&word.to_ascii_lowercase().as_str()));
        if is_english && !is_sentence { Self::English } else { Self::Chinese }
    }

    /// The text of this language.
    pub fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// The request without what it quotes, and without the names of files in it.
fn without_names(request: &str) -> String {
    let text = without_quotes(request);
    text.split_whitespace().map(unnamed).collect::<Vec<_>>().join(" ")
}

/// The request without what stands between quotation marks; as it is where one is not closed.
fn without_quotes(request: &str) -> String {
    let mut closing = None;
    let mut rest = String::new();
    for c in request.chars() {
        match closing {
            Some(mark) if c == mark => closing = None,
            Some(_) => {}
            None => {
                closing = QUOTES.iter().find(|(open, _)| *open == c).map(|(_, close)| *close);
                rest.push(if closing.is_some() { ' ' } else { c });
            }
        }
    }
    if closing.is_none() { rest } else { request.to_owned() }
}

const QUOTES: [(char, char); 6] =
    [('"', '"'), ('`', '`'), ('“', '”'), ('「', '」'), ('『', '』'), ('《', '》')];

/// What stands in a word around a name: a path from its beginning, or up to the ending of a file's name.
fn unnamed(word: &str) -> &str {
    let ends_name = |c: char| !c.is_ascii_alphanumeric();
    if let Some(start) = word.find(['/', '~', '@']) {
        return &word[..start];
    }
    let ending = word.match_indices('.').find_map(|(dot, _)| {
        let rest = &word[dot + 1..];
        let length = rest.find(ends_name).unwrap_or(rest.len());
        ((1..=5).contains(&length) && dot > 0).then_some(dot + 1 + length)
    });
    // `sources.tar.gz` has two of them.
    let ending = ending.map(|end| {
        let more = word[end..].strip_prefix('.').map_or(0, |rest| rest.find(ends_name).unwrap_or(rest.len()));
        if (1..=5).contains(&more) { end + 1 + more } else { end }
    });
    ending.map_or(word, |end| &word[end..])
}

/// Whether a character is a Chinese ideograph (the unified blocks and extension A).
pub fn is_han(found: char) -> bool {
    matches!(found, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn names_and_quotes_are_no_language() {
        for (text, language) in [
            ("count the lines of 笔记.txt", Language::English),
            ("how many files are in 下载", Language::English),
            ("open ~/文档/照片", Language::English),
            ("summarize 《红楼梦》 in ten lines", Language::English),
            ("列出 sales.csv 的列", Language::Chinese),
            ("统计笔记.txt的行数", Language::Chinese),
            ("读取笔记.txt", Language::Chinese),
            ("用 python 写一个 hello world", Language::Chinese),
            ("find 一下所有 pdf", Language::Chinese),
            ("麻烦解压sources.tar.gz", Language::Chinese),
            ("unpack 资料.tar.gz", Language::English),
        ] {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
