//! Reading a role's request back: sections of the user message, blocks with an indented body, the setting.

use super::language::Language;

/// The mark of the runtime in a text that was shortened.
pub(super) const OMITTED: &str = " characters omitted ...]";

/// One `## Title` section of the user message.
#[derive(Clone, Debug)]
struct Section {
    title: String,
    body: String,
}

/// The user message of one request, cut into its sections.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompt {
    sections: Vec<Section>,
}

/// One block of a section: a `[...]` heading line and the output below it, with the indentation removed.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// What stands inside the brackets.
    pub(super) label: String,
    /// The rest of the heading line.
    pub(super) rest: String,
    /// The indented lines, joined by newlines.
    pub(super) body: String,
}

/// The facts of the `## Setting` section that commands are built from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Setting {
    /// Today, as `2026-11-21`.
    pub(super) date: String,
    /// Where the task runs; absolute.
    pub(super) working_directory: String,
    /// Where a bare file name of `write_file` lands; absolute.
    pub(super) workspace: String,
    /// The home folder; absolute.
    pub(super) home: String,
    /// Whether this is macOS, whose `find` and `stat` differ.
    pub(super) macos: bool,
    /// Whether somebody is there to answer a question.
    pub(super) interactive: bool,
    /// Names of files that are in the workspace already.
    pub(super) workspace_files: Vec<String>,
}

impl Prompt {
    /// Cuts `text` at its `## ` lines. The section named `last` is the person's own text: it runs to the end of the
    /// message, whatever its lines look like.
    pub(super) fn parse(text: &str, last: &str) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        for line in text.lines() {
            let open = sections.last().is_some_and(|section| section.title == last);
            match line.strip_prefix("## ") {
                Some(title) if !open => {
                    sections.push(Section { title: title.trim().to_owned(), body: String::new() });
                }
                _ => {
                    if let Some(section) = sections.last_mut() {
                        section.body.push_str(line);
                        section.body.push('\n');
                    }
                }
            }
        }
        Self { sections }
    }

    /// The body of a section without surrounding blank lines; empty when the section is not there.
    pub(super) fn section(&self, title: &str) -> &str {
        self.sections
            .iter()
            .find(|section| section.title == title)
            .map_or("", |section| section.body.trim_matches('\n'))
    }

    /// Whether the section is there at all.
    pub(super) fn has(&self, title: &str) -> bool {
        self.sections.iter().any(|section| section.title == title)
    }

    /// The blocks of a section, in order.
    pub(super) fn blocks(&self, title: &str) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        for line in self.section(title).lines() {
            // Where the whole section was shortened, the mark stands at the line's beginning and belongs to the block.
            let omitted = line.contains(OMITTED);
            if let (Some(inner), false) = (line.strip_prefix('['), omitted) {
                let (label, rest) = split_label(inner);
                blocks.push(Block { label, rest, body: String::new() });
            } else if let Some(block) = blocks.last_mut() {
                block.body.push_str(line.strip_prefix("  ").unwrap_or(line));
                block.body.push('\n');
            }
        }
        for block in &mut blocks {
            let kept = block.body.trim_end_matches('\n').len();
            block.body.truncate(kept);
        }
        blocks
    }

    /// The `name: value` lines of a section whose name is `name`, in order.
    pub(super) fn values<'a>(&'a self, title: &str, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.section(title)
            .lines()
            .filter_map(move |line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
    }

    /// The first value of that name, or the empty text.
    pub(super) fn value(&self, title: &str, name: &str) -> &str {
        self.section(title)
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
            .unwrap_or("")
    }

    /// The facts of the `## Setting` section.
    pub(super) fn setting(&self) -> Setting {
        let of = |name: &str| self.value("Setting", name).to_owned();
        let os = of("os").to_lowercase();
        Setting {
            date: of("date"),
            working_directory: of("working_directory"),
            workspace: of("workspace"),
            home: of("home"),
            macos: os.contains("mac") || os.contains("darwin"),
            interactive: of("interactive") == "yes",
            workspace_files: of("workspace_files").split(" | ").map(str::to_owned).collect(),
        }
    }

    /// The names in the `## Tools` section.
    pub(super) fn tools(&self) -> Vec<String> {
        self.section("Tools")
            .lines()
            .map(|line| line.trim_start_matches(['-', ' ', '`']))
            .map(|line| line.chars().take_while(|found| found.is_alphanumeric() || *found == '_').collect())
            .filter(|name: &String| !name.is_empty())
            .collect()
    }

    /// The language of the person's own words in the section `title`.
    pub(super) fn language(&self, title: &str) -> Language {
        Language::of(self.section(title))
    }
}

/// Splits the text behind an opening bracket: after an id at the first closing bracket, else at the line's last one,
/// because an intent may itself hold brackets.
fn split_label(inner: &str) -> (String, String) {
    let numbered = inner.starts_with(|found: char| found.is_ascii_digit());
    let end = if numbered && inner.ends_with(']') { Some(inner.len() - 1) } else { inner.find(']') };
    match end {
        Some(at) => (inner[..at].to_owned(), inner[at + 1..].trim().to_owned()),
        None => (inner.to_owned(), String::new()),
    }
}
