//! What a text names: paths and file names, and words in quotation marks.

/// Characters of a name; what is longer is no name.
const NAME_CHARS: usize = 200;
/// Letters and digits of the ending of a file name.
const ENDING_CHARS: usize = 8;
/// Letters and digits of a name that begins with its dot.
const HIDDEN_CHARS: usize = 20;
/// Abbreviations and words that look like a file name or a path.
const NO_NAMES: [&str; 14] = [
    "e.g",
    "i.e",
    "a.m",
    "p.m",
    "u.s",
    "and/or",
    "n/a",
    "yes/no",
    "true/false",
    "he/she",
    "input/output",
    "i/o",
    "w/o",
    "km/h",
];

/// The paths and file names of a text, in order, each once. A name without a slash counts by its ending: `report.md`.
pub(crate) fn named_paths(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for token in tokens(text) {
        if let Some(name) = path_of(&token)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// The words in quotation marks, without those that are paths.
pub(crate) fn quoted_words(text: &str) -> Vec<String> {
    const MARKS: [(char, char); 8] = [
        ('`', '`'),
        ('"', '"'),
        ('“', '”'),
        ('「', '」'),
        ('『', '』'),
        ('《', '》'),
        ('‘', '’'),
        ('\'', '\''),
    ];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| MARKS.iter().any(|(open, _)| open == c)) {
        let close = MARKS.iter().find(|(mark, _)| *mark == open).map_or(open, |(_, close)| *close);
        let after = &rest[at + open.len_utf8()..];
        // An apostrophe inside a word opens nothing.
        let inside_word = open == '\'' && rest[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        match after.find(close).filter(|_| !inside_word) {
            Some(end) => {
                let word = after[..end].trim();
                if !word.is_empty() && word.chars().count() <= NAME_CHARS && path_of(word).is_none() {
                    found.push(word.to_owned());
                }
                rest = &after[end + close.len_utf8()..];
            }
            None => rest = after,
        }
    }
    found
}

/// Whether `haystack` mentions the path: its last part, or a pattern that covers it. Case does not matter.
pub(crate) fn mentions(haystack: &str, path: &str) -> bool {
    let haystack = haystack.to_lowercase();
    let path = path.to_lowercase();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or(&path);
    if last.is_empty() || last == "~" || haystack.contains(last) {
        return true;
    }
    let unspaced = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    // Chinese has no spaces: the words before a name stick to it.
    let suffixes = last.char_indices().skip(1).take_while(|(at, _)| last[..*at].chars().all(unspaced));
    if last.starts_with(unspaced) && suffixes.into_iter().any(|(at, _)| is_name_end(&haystack, &last[at..])) {
        return true;
    }
    tokens(&haystack).iter().any(|token| {
        let pattern = token.rsplit('/').next().unwrap_or(token);
        pattern.contains('*') && covers(pattern, last)
    })
}

/// Whether one of these absolute paths is the named one, or lies in it. Where the name has no folder, its last part decides.
pub(crate) fn is_among<'a>(mut paths: impl Iterator<Item = &'a str>, name: &str) -> bool {
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "." | ".." | "~"));
    let wanted = format!("/{}/", parts.collect::<Vec<_>>().join("/"));
    paths.any(|path| format!("{path}/").contains(&wanted))
}

fn is_name_end(haystack: &str, end: &str) -> bool {
    !end.starts_with('.') && haystack.contains(end)
}

/// Whether a pattern with `*` covers the name.
fn covers(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        if i + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// Pieces between spaces, quotation marks, brackets and Chinese punctuation, without a closing full stop.
fn tokens(text: &str) -> Vec<String> {
    let separates = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '`' | '"'
                    | '\''
                    | '“'
                    | '”'
                    | '「'
                    | '」'
                    | '『'
                    | '』'
                    | '《'
                    | '》'
                    | '‘'
                    | '’'
                    | '('
                    | ')'
                    | '（'
                    | '）'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '<'
                    | '>'
                    | ','
                    | ';'
                    | '，'
                    | '。'
                    | '；'
                    | '：'
                    | '、'
                    | '！'
                    | '？'
                    | '|'
                    | '='
            )
    };
    text.split(separates)
        .map(|t| t.trim_end_matches(['.', ':', '!', '?', '…']).to_owned())
        .filter(|t| !t.is_empty() && t.chars().count() <= NAME_CHARS)
        .collect()
}

/// The path that a token is, if it is one.
fn path_of(token: &str) -> Option<String> {
    let token = token.trim().trim_end_matches(['.', ':']);
    let folded = token.to_lowercase();
    if NO_NAMES.contains(&folded.as_str()) || token.contains(char::is_whitespace) {
        return None;
    }
    let is_rooted = ["/", "~/", "./", "../"].iter().any(|p| token.starts_with(p) && token.len() > p.len());
    if is_rooted && token.chars().any(char::is_alphanumeric) {
        let last = token.rsplit('/').next().unwrap_or(token);
        let folders = &token[..token.len() - last.len()];
        let name = file_name(last).unwrap_or_else(|| before_chinese(last));
        return Some(format!("{folders}{name}"));
    }
    if token.contains("://") {
        return Some(token.to_owned());
    }
    let last = token.rsplit('/').next().unwrap_or(token);
    file_name(last).map(|name| format!("{}{name}", &token[..token.len() - last.len()]))
}

/// A name of Latin letters without the Chinese words that follow it.
fn before_chinese(piece: &str) -> String {
    let latin: String = piece.chars().take_while(char::is_ascii).collect();
    if latin.is_empty() { piece.to_owned() } else { latin }
}

/// The file name that a piece is: a stem, a dot, and an ending of letters and digits with a letter. Chinese words may
/// follow the ending without a space.
fn file_name(piece: &str) -> Option<String> {
    let dot = piece.rfind('.')?;
    let (stem, ending) = (&piece[..dot], &piece[dot + 1..]);
    let ending: String = ending.chars().take_while(char::is_ascii_alphanumeric).collect();
    let behind = piece[dot + 1 + ending.len()..].chars().next();
    let most = if stem.is_empty() { HIDDEN_CHARS } else { ENDING_CHARS };
    let is_ending = (1..=most).contains(&ending.len())
        && ending.chars().any(|c| c.is_ascii_alphabetic())
        && behind.is_none_or(|c| !c.is_ascii());
    let is_stem = stem.is_empty() && ending.len() > 2 || stem.chars().any(char::is_alphanumeric);
    let is_number = stem.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',') && !stem.is_empty();
    (is_ending && is_stem && !is_number).then(|| format!("{stem}.{ending}"))
}

#[cfg(test)]
mod tests {
    use super::{mentions, named_paths, quoted_words};

    #[test]
    fn paths_and_file_names_are_found_and_prose_is_not() {
        let check = |text: &str, expected: &[&str]| assert_eq!(named_paths(text), expected, "{text}");
        check("notes.txt is deleted.", &["notes.txt"]);
        check("The file `/w/a b.md` and ./x/y exist", &["/w/a", "b.md", "./x/y"]);
        check("report.md and/or summary.pdf, e.g. 3.14 or 1,250.00", &["report.md", "summary.pdf"]);
        check("结果已写入待办.md。", &["结果已写入待办.md"]);
        check("把日志 a.log 删掉", &["a.log"]);
        check("src/main.rs has a fn; it ended at 5 p.m. on km/h", &["src/main.rs"]);
        check("All is well. No name here", &[]);
        check("./l.txt一共有4711行，./src里有3个", &["./l.txt", "./src"]);
        check("~/.ssh/config and .gitignore", &["~/.ssh/config", ".gitignore"]);
    }

    #[test]
    fn words_in_quotation_marks_are_found_without_apostrophes() {
        assert_eq!(
            quoted_words("it doesn't say \"hello world\" nor `x.txt` nor 'bye' or 「你好」"),
            ["hello world", "bye", "你好"]
        );
    }

    #[test]
    fn a_mention_is_a_name_a_pattern_or_the_end_of_a_chinese_word() {
        let check = |haystack: &str, path: &str, expected: bool| {
            assert_eq!(mentions(haystack, path), expected, "{haystack} {path}");
        };
        check("rm -v notes.txt", "/w/Notes.txt", true);
        check("rm *.log", "old.log", true);
        check("rm a*.log", "old.log", false);
        check("true", "old.log", false);
        check("wrote /w/待办.md", "结果已写入待办.md", true);
        check("ls /tmp", "待办.md", false);
    }
}
