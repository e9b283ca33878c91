//! Lines of a corpus: a class, a tab, a command, and perhaps a tab and a reason.

use artoo_gate::Decision;

/// A command, and what must be said of it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// The weakest class that is right.
    pub(crate) class: Decision,
    /// The command as it would run.
    pub(crate) command: String,
}

/// The project's own corpora, which the gate's unit tests hold it to word by word.
const OWN: &[&str] = &[
    include_str!("../../crates/gate/corpus/corpus.tsv"),
    include_str!("../../crates/gate/corpus/evasions.tsv"),
    include_str!("../../crates/gate/corpus/acts.tsv"),
    include_str!("../../crates/gate/corpus/attacks.tsv"),
];

/// The lines of the project's own corpora, then those of the file that `ARTOO_LAW1_CORPUS` names.
pub(crate) fn all() -> Vec<Line> {
    let mut found: Vec<Line> = OWN.iter().flat_map(|text| lines(text)).collect();
    if let Ok(path) = std::env::var("ARTOO_LAW1_CORPUS") {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        found.extend(lines(&text));
    }
    found
}

/// The lines of a corpus. Panics on a line that is not one: a corpus that is read wrongly proves nothing.
fn lines(text: &str) -> Vec<Line> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(line).collect()
}

fn line(text: &str) -> Line {
    let mut fields = text.split('\t');
    let class = match fields.next() {
        Some("safe") => Decision::Safe,
        Some("confirm") => Decision::Confirm,
        Some("forbidden") => Decision::Forbidden,
        Some(_) | None => panic!("{text:?} begins with no class"),
    };
    let command = fields.next().unwrap_or_else(|| panic!("{text:?} has no command"));
    Line { class, command: unfolded(command) }
}

/// The command behind its tokens: `<NL>` a line break, `<TAB>` a tab, `<U+XXXX>` a character, `<REPEAT:n:text>` n times
/// the text.
fn unfolded(command: &str) -> String {
    let mut out = String::new();
    let mut rest = command;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let token = after.split_once('>').and_then(|(name, after)| Some((token(name)?, after)));
        rest = match token {
            Some((text, after)) => {
                out.push_str(&text);
                after
            }
            None => {
                out.push('<');
                after
            }
        };
    }
    out + rest
}

fn token(name: &str) -> Option<String> {
    match name {
        "NL" => Some("\n".to_owned()),
        "TAB" => Some("\t".to_owned()),
        _ => {
            if let Some(rest) = name.strip_prefix("REPEAT:") {
                let (count, text) = rest.split_once(':')?;
                return Some(text.repeat(count.parse().ok()?));
            }
            let code = u32::from_str_radix(name.strip_prefix("U+")?, 16).ok()?;
            char::from_u32(code).map(|c| c.to_string())
        }
    }
}
