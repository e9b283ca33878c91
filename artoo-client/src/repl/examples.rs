//! What one could ask first, of what lies in the folder where one stands.

use std::path::Path;

use crate::render::Language;

/// Entries of a folder that are looked at, in the order in which the system gives them.
const MOST_ENTRIES: usize = 500;
/// Examples that are shown.
const SHOWN: usize = 3;

/// What can be asked of an entry whose name ends like this, in English and in Chinese; `{0}` is its name.
const ASKED: &[(&str, [&str; 2])] = &[
    (".csv", ["how many rows and columns are in {0}", "{0}有几行几列"]),
    (".git", ["which git branch am I on", "查看当前git分支"]),
    (".zip", ["list the contents of {0}", "列出{0}的内容"]),
    (".txt", ["how many lines are in {0}", "{0}有多少行"]),
    (".md", ["how many lines are in {0}", "{0}有多少行"]),
];

/// What can be asked everywhere.
const EVERYWHERE: [&str; 2] = ["find the three largest files here", "找出当前目录里最大的3个文件"];

/// The examples of a folder, each with another ending.
pub fn of(folder: &Path, language: Language) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_ENTRIES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    // A name that would have to be quoted makes no simple example.
    names.retain(|name| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_')));
    let said = |both: &[&'static str; 2]| match language {
        Language::English => both[0],
        Language::Chinese => both[1],
    };
    let asked = ASKED.iter().filter_map(|(ending, both)| {
        let is_meant = |name: &&String| name.ends_with(ending) && (!name.starts_with('.') || name == ending);
        Some(said(both).replace("{0}", names.iter().find(is_meant)?))
    });
    asked.take(SHOWN - 1).chain([said(&EVERYWHERE).to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::render::Language;

    #[test]
    fn examples_are_of_what_lies_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        let largest = "find the three largest files here";
        assert_eq!(of(at, Language::English), [largest]);
        for name in ["my notes.txt", ".hidden.csv", "b.txt", "a.txt", "old.zip"] {
            std::fs::write(at.join(name), "x").expect("it can be written");
        }
        let found = of(at, Language::English);
        assert_eq!(found, ["list the contents of old.zip", "how many lines are in a.txt", largest]);
        std::fs::create_dir(at.join(".git")).expect("a folder");
        std::fs::write(at.join("sales.csv"), "x").expect("it can be written");
        let found = of(at, Language::Chinese);
        assert_eq!(found, ["sales.csv有几行几列", "查看当前git分支", "找出当前目录里最大的3个文件"]);
        assert_eq!(of(&at.join("nothing"), Language::Chinese), ["找出当前目录里最大的3个文件"]);
    }
}
