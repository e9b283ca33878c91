//! Texts that become one line.

/// The text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

/// The text without what its lines end with: carriage returns, and line ends after the last one.
pub(crate) fn plain_lines(text: &str) -> String {
    let lines = text.lines().collect::<Vec<_>>().join("\n");
    lines.trim_end_matches('\n').to_owned()
}
