//! Paths of an answer as links, for terminals that open what is clicked: OSC 8, see
//! <https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda>.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::paths::AnswerReader;

/// Links of one answer. Each costs a look at the disk.
const MOST: usize = 200;
/// Bytes that stand in a link as they are; all others are written as `%20`.
const PLAIN: &[u8] = b"-._~/";

/// Whether the terminal of this environment is known to take links. Others might print them.
pub fn are_taken(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let text =
        |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned()).unwrap_or_default();
    // In these the terminal is another program, which may not pass them on.
    if !text("TMUX").is_empty() || !text("STY").is_empty() {
        return false;
    }
    let program = text("TERM_PROGRAM");
    let term = text("TERM");
    let at_least = |name: &str, version: u32| text(name).parse::<u32>().is_ok_and(|found| found >= version);
    ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(&program.as_str())
        || ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm"].contains(&term.as_str())
        || at_least("VTE_VERSION", 5_000)
        || at_least("KONSOLE_VERSION", 201_200)
        || !text("WT_SESSION").is_empty()
}

/// The text with each path in it that is there as a link to it. `host`: this machine's name.
pub fn linked(text: &str, host: &str, reader: &AnswerReader) -> String {
    let mut left = MOST;
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        for word in line.split_inclusive([' ', '\t', '\n']) {
            let bare = word.trim_end_matches([' ', '\t', '\n']);
            let name = bare.trim_end_matches([',', '.', ';', ':', ')', '。', '，']);
            match target(name, reader).filter(|_| left > 0) {
                Some(path) => {
                    left -= 1;
                    out.push_str(&format!(
                        "\u{1b}]8;;file://{host}{}\u{1b}\\{name}\u{1b}]8;;\u{1b}\\",
                        encoded(&path)
                    ));
                    out.push_str(&word[name.len()..]);
                }
                None => out.push_str(word),
            }
        }
    }
    out
}

/// What a word leads to, if it is the path of something that is there: from the root, from the home folder, or from where the
/// person is. A word without a slash or a point is a word.
fn target(word: &str, reader: &AnswerReader) -> Option<PathBuf> {
    let path = match word.strip_prefix("~/") {
        Some(rest) => reader.home.as_ref()?.join(rest),
        None if word.trim_matches('.').contains(['/', '.']) => reader.here.join(word),
        None => return None,
    };
    let is_whole = path.is_absolute() && word.len() > 1 && !word.contains(char::is_control);
    (is_whole && path.symlink_metadata().is_ok()).then_some(path)
}

fn encoded(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let byte = |byte: &u8| {
        if byte.is_ascii_alphanumeric() || PLAIN.contains(byte) {
            char::from(*byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    path.as_os_str().as_bytes().iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{are_taken, linked};
    use crate::paths::AnswerReader;

    #[test]
    fn only_terminals_that_are_known_get_links() {
        for (environment, taken) in [
            (vec![("TERM", "xterm-256color")], false),
            (vec![("TERM", "xterm-kitty")], true),
            (vec![("TERM_PROGRAM", "WezTerm")], true),
            (vec![("VTE_VERSION", "7200")], true),
            (vec![("VTE_VERSION", "4999")], false),
            (vec![("VTE_VERSION", "7200"), ("TMUX", "/tmp/tmux-1000/default")], false),
            (vec![], false),
        ] {
            let variable = |name: &str| {
                environment.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            };
            assert_eq!(are_taken(variable), taken, "{environment:?}");
        }
    }

    #[test]
    fn what_is_there_is_linked_and_the_text_stays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let home = folder.path();
        std::fs::write(home.join("笔.txt"), "").expect("it can be written");
        let root = home.display();
        let link = |shown: &str| {
            format!("\u{1b}]8;;file://host{root}/%E7%AC%94.txt\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\")
        };
        std::fs::create_dir_all(home.join("sub.d"))
            .and_then(|()| std::fs::write(home.join("sub.d/a"), ""))
            .expect("it can be written");
        let reader = AnswerReader { here: home.join("sub.d"), home: Some(home.to_owned()) };
        let below = format!("\u{1b}]8;;file://host{root}/sub.d/./a\u{1b}\\./a\u{1b}]8;;\u{1b}\\");
        for (text, expected) in [
            ("1 byte  ./a  a  b.txt".to_owned(), format!("1 byte  {below}  a  b.txt")),
            (format!("3 lines  {root}/笔.txt\n"), format!("3 lines  {}\n", link(&format!("{root}/笔.txt")))),
            ("see ~/笔.txt, please".to_owned(), format!("see {}, please", link("~/笔.txt"))),
            (format!("{root}/gone.txt and / and 笔.txt"), format!("{root}/gone.txt and / and 笔.txt")),
        ] {
            assert_eq!(linked(&text, "host", &reader), expected);
        }
    }
}
