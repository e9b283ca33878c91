//! Why artoo asks, how a task ended, and what the commands of a conversation are for, in the language of the person. All of it is said
//! in English first, in the events that the journal keeps; what is shown is looked up by that text, as message catalogues do. What is in
//! no catalogue is shown as it came.

use crate::render::Language;

/// The Chinese catalogue: a row of two columns for each reason.
const CHINESE: &str = include_str!("reasons/chinese.tsv");

/// The sentences that an end is told in, and what helps then.
const ENDINGS: &str = include_str!("reasons/endings.tsv");
/// What the commands of a conversation are for.
const COMMANDS: &str = include_str!("reasons/commands.tsv");

/// What commands say that have no request: how the daemon is, what was undone, what is wrong with a command line.
const SCREENS: &str = include_str!("reasons/screens.tsv");

/// Deepest reason within a reason; they are at most three deep.
const DEPTH: usize = 4;

impl Language {
    /// A reason of the daemon in this language.
    pub fn reason(self, text: &str) -> String {
        match self {
            Self::English => text.to_owned(),
            Self::Chinese => in_chinese(text, DEPTH).unwrap_or_else(|| text.to_owned()),
        }
    }

    /// How a task ended, or what helps, in this language: sentence by sentence, for an end is told in several.
    pub fn ending(self, text: &str) -> String {
        match self {
            Self::English => text.to_owned(),
            Self::Chinese => sentences_in_chinese(text),
        }
    }

    /// The first sentence of an end: up to where the catalogue knows it, for what is named in it may hold the end of one.
    pub fn first_sentence(self, text: &str) -> &str {
        let ends = || {
            let points = text.match_indices(". ").map(|(at, _)| at + 1);
            points.chain(text.match_indices('。').map(|(at, stop)| at + stop.len())).chain([text.len()])
        };
        let is_known =
            |end: &usize| rows(ENDINGS).any(|(english, _)| holes(english, &text[..*end]).is_some());
        let end = ends().filter(is_known).min().or_else(|| ends().min()).unwrap_or(text.len());
        &text[..end]
    }

    /// What a command says, in this language: line by line, and what stands in the gaps of a line as well.
    pub fn screen(self, text: &str) -> String {
        match self {
            Self::English => text.to_owned(),
            Self::Chinese => {
                let said = |line: &str| {
                    let start = line.trim_start();
                    format!("{}{}", &line[..line.len() - start.len()], screen_in_chinese(start, DEPTH))
                };
                text.split('\n').map(said).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// What a command is for, in this language.
    pub fn command(self, text: &str) -> &str {
        let said = || rows(COMMANDS).find(|(english, _)| *english == text).map(|(_, said)| said);
        match self {
            Self::English => text,
            Self::Chinese => said().unwrap_or(text),
        }
    }
}

/// Every sentence that is in the catalogue in Chinese, and every other one as it came.
fn sentences_in_chinese(text: &str) -> String {
    let mut said = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let ends = rest.match_indices(". ").map(|(at, _)| at + 1).chain([rest.len()]);
        // What is named in a sentence may hold the end of one.
        let known = ends
            .clone()
            .find_map(|end| Some((end, row_in_chinese(ENDINGS, &rest[..end], &|hole| hole.to_owned())?)));
        let first = ends.min().unwrap_or(rest.len());
        let (end, sentence) = known.unwrap_or_else(|| (first, rest[..first].to_owned()));
        // Chinese sentences stand without a blank between them.
        if !said.is_empty() && !said.ends_with(['。', '：', '；']) {
            said.push(' ');
        }
        said.push_str(&sentence);
        rest = rest[end..].trim_start();
    }
    said
}

/// The Chinese of a line of a screen; as it came where no row fits.
fn screen_in_chinese(text: &str, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else { return text.to_owned() };
    let found = row_in_chinese(SCREENS, text, &|hole| screen_in_chinese(hole, depth));
    found.unwrap_or_else(|| text.to_owned())
}

/// What a catalogue has for a text: the first row that fits.
fn row_in_chinese(catalogue: &str, text: &str, part: &dyn Fn(&str) -> String) -> Option<String> {
    rows(catalogue).find_map(|(english, said)| Some(filled(said, &holes(english, text)?, part)))
}

/// The Chinese of a reason; None if it is in no row.
fn in_chinese(text: &str, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    row_in_chinese(CHINESE, text, &|hole| part(hole, depth))
}

/// The rows of a catalogue; what begins with `#` is a remark.
fn rows(catalogue: &str) -> impl Iterator<Item = (&str, &str)> {
    catalogue.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// What stands in a gap: a reason of its own, several of them behind each other, or a name.
fn part(hole: &str, depth: usize) -> String {
    if let Some(said) = in_chinese(hole, depth) {
        return said;
    }
    let parts: Vec<Option<String>> = hole.split(", ").map(|one| in_chinese(one, depth)).collect();
    if parts.iter().all(Option::is_none) {
        return hole.to_owned();
    }
    let said = hole.split(", ").zip(parts).map(|(one, said)| said.unwrap_or_else(|| one.to_owned()));
    said.collect::<Vec<_>>().join("、")
}

/// What stands in a text in the place of `{0}`, `{1}` of this row, in the order of the row; None if it is not of this row.
fn holes<'a>(row: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = row.split('{').enumerate().map(|(at, piece)| {
        // Behind the first one each piece begins with the number of the gap before it.
        if at == 0 { piece } else { piece.split_once('}').map_or("", |(_, rest)| rest) }
    });
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let end = if pieces.peek().is_none() {
            rest.ends_with(piece).then(|| rest.len() - piece.len())
        } else {
            rest.find(piece)
        };
        let end = end.filter(|end| *end > 0)?;
        found.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    rest.is_empty().then_some(found)
}

fn filled(said: &str, holes: &[&str], part: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for (at, piece) in said.split('{').enumerate() {
        let (number, rest) = if at == 0 { ("", piece) } else { piece.split_once('}').unwrap_or(("", piece)) };
        let hole = number.parse().ok().and_then(|number: usize| holes.get(number));
        text.extend(hole.map(|hole| part(hole)));
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests;
