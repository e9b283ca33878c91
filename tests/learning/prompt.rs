//! What the naive model reads in its prompts.

use artoo_testing::model_server::Seen;

/// A request as the planner understands it.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) wants: Wants,
    /// The file that it names.
    pub(crate) file: String,
}

/// What is wanted of the file.
#[derive(Debug, Clone)]
pub(crate) enum Wants {
    /// The lines with this word.
    Lines(String),
    /// The number of its records.
    Count,
    /// What is in it.
    Content,
}

impl Ask {
    /// Understands a request; each names one file with its folder.
    pub(crate) fn read(request: &str) -> Self {
        let words: Vec<&str> = request.split_whitespace().map(bare).collect();
        let file = words.iter().find(|word| word.contains('/')).copied().unwrap_or_default().to_owned();
        let after = |mark: &str| {
            let at = words.iter().position(|word| *word == mark)?;
            words.get(at + 1).map(|word| (*word).to_owned())
        };
        let lower = request.to_lowercase();
        let counts = ["count", "how many", "number of"].iter().any(|said| lower.contains(said));
        let wants = if counts {
            Wants::Count
        } else if lower.contains("lines") || lower.starts_with("look for") || lower.starts_with("search") {
            let word = after("with").or_else(|| after("mention")).or_else(|| after("for"));
            Wants::Lines(word.unwrap_or_default())
        } else {
            Wants::Content
        };
        Self { wants, file }
    }
}

/// Values of `name: value` lines in the directive.
pub(crate) fn directive(seen: &Seen, name: &str) -> Vec<String> {
    let section = seen.section("Directive");
    let values = section.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    values.map(str::to_owned).collect()
}

/// The class and the target of a line such as `read_file | /a/b`.
pub(crate) fn pair(value: &str) -> (&str, &str) {
    value.split_once(" | ").unwrap_or((value, ""))
}

/// The indented text of the last block of a section, without its indentation.
pub(crate) fn last_block(section: &str) -> String {
    let lines: Vec<&str> = section.lines().collect();
    let start = lines.iter().rposition(|line| line.starts_with('[')).map_or(0, |at| at + 1);
    let text: Vec<&str> = lines[start..].iter().map(|line| line.trim_start()).collect();
    text.join("\n")
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| matches!(c, '?' | ',' | '.' | '!' | '"'))
}
