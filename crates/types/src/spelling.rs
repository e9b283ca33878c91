//! Whether a text names a target: by its path, from where relative paths start, as a query or as an address.

use crate::tag::fold;
use crate::target::Bases;

/// Where relative and home paths start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskFolders {
    /// Absolute path of the task's working directory.
    pub working_directory: String,
    /// Absolute path of the workspace.
    pub workspace: String,
    /// Absolute path of the home folder.
    pub home: String,
}

impl TaskFolders {
    /// The same places, borrowed.
    pub fn bases(&self) -> Bases<'_> {
        Bases { working_directory: &self.working_directory, workspace: &self.workspace, home: &self.home }
    }
}

/// Whether `text` (folded, see [`crate::tag::fold`]) names the normalised target. A file name alone names a file
/// only where relative paths start: `budget.xlsx` does not name a guess such as `~/Documents/budget.xlsx`. The working
/// directory counts as named by every text, a pattern is named when its folder and the pattern are, and a list of paths
/// when each of them is.
pub fn names(text: &str, target: &str, places: &TaskFolders) -> bool {
    if target.is_empty() {
        return false;
    }
    if spellings(target, places).iter().any(|spelling| occurs(text, &fold(spelling))) {
        return true;
    }
    if !target.starts_with('/') {
        return false;
    }
    if target.contains(" /") {
        return target.split(" /").enumerate().all(|(i, piece)| {
            let path = if i == 0 { piece.to_owned() } else { format!("/{piece}") };
            names(text, &path, places)
        });
    }
    target == places.working_directory || names_pattern(text, target, places)
}

/// Whether `text` (folded) names the program of a tool class, or the tool: `shell:python3` by `python3` or `python`.
pub fn names_program(text: &str, class: &str) -> bool {
    let program = fold(class.strip_prefix("shell:").unwrap_or(class));
    let name = program.rsplit_once('/').map_or(program.as_str(), |(_, name)| name);
    let family = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    [program.as_str(), name, family].into_iter().any(|spelling| occurs(text, spelling))
}

/// A folder with a pattern in it. A pattern of stars alone says nothing, so the folder decides.
fn names_pattern(text: &str, target: &str, places: &TaskFolders) -> bool {
    match target.rsplit_once('/') {
        Some((folder, pattern)) if pattern.contains(['*', '?', '[', '{']) => {
            let folder = if folder.is_empty() { "/" } else { folder };
            let all = pattern.chars().all(|c| c == '*');
            (all || occurs(text, &fold(pattern))) && names(text, folder, places)
        }
        Some(_) | None => false,
    }
}

/// How people and programs may write the target.
fn spellings(target: &str, places: &TaskFolders) -> Vec<String> {
    let below = |base: &str| target.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    let mut all = vec![target.to_owned()];
    for base in [&places.working_directory, &places.workspace] {
        if let Some(rest) = below(base).filter(|rest| !rest.is_empty()) {
            all.extend([rest.to_owned(), format!("./{rest}")]);
        }
    }
    if let Some(rest) = below(&places.home) {
        all.push(format!("~/{rest}"));
        // Folders such as Downloads are named by their name alone, wherever one stands.
        if !rest.is_empty() && !rest.contains(['/', '.', '*']) {
            all.push(rest.to_owned());
        }
    }
    all
}

/// Whether `spelling` occurs in `text` as a whole: not inside a longer word or path.
fn occurs(text: &str, spelling: &str) -> bool {
    let whole = |(at, _): (usize, &str)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + spelling.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let ends = match next {
            Some('/' | '.') => !second.is_some_and(continues),
            Some(c) => !continues(c),
            None => true,
        };
        ends && !before.is_some_and(|c| continues(c) || matches!(c, '.' | '~'))
    };
    !spelling.is_empty() && text.match_indices(spelling).any(whole)
}

/// Whether a character goes on a word or a path. Scripts that are written without spaces do not: a path may stand right
/// beside them.
fn continues(c: char) -> bool {
    matches!(c, '_' | '-' | '/' | '*') || (c.is_alphanumeric() && u32::from(c) < 0x2E80)
}

#[cfg(test)]
mod tests {
    use crate::tag::fold;

    use super::{TaskFolders, names, names_program};

    fn places() -> TaskFolders {
        TaskFolders {
            working_directory: "/home/u/wd".into(),
            workspace: "/home/u/ws".into(),
            home: "/home/u".into(),
        }
    }

    fn check(text: &str, target: &str, expected: bool) {
        assert_eq!(names(&fold(text), target, &places()), expected, "{text:?} and {target:?}");
    }

    #[test]
    fn a_file_name_names_a_file_only_where_relative_paths_start() {
        check("sum budget.csv please", "/home/u/wd/budget.csv", true);
        check("sum ./budget.csv.", "/home/u/wd/budget.csv", true);
        check("sum budget.csv", "/home/u/ws/budget.csv", true);
        check("sum budget.csv", "/home/u/Documents/budget.csv", false);
        check("sum ~/Documents/Budget.csv", "/home/u/Documents/budget.csv", true);
        check("sum /home/u/Documents/budget.csv", "/home/u/Documents/budget.csv", true);
        check("把budget.csv里的数相加", "/home/u/wd/budget.csv", true);
        check("sum \"my budget.csv\"", "/home/u/wd/my budget.csv", true);
    }

    #[test]
    fn a_program_is_named_with_and_without_its_folder_and_version() {
        for (text, class, expected) in [
            ("run make in here", "shell:make", true),
            ("remake it", "shell:make", false),
            ("run the python script", "shell:python3", true),
            ("run ./total.sh", "shell:./total.sh", true),
            ("run total.sh", "shell:./total.sh", true),
            ("count the lines", "shell:wc", false),
            ("count the lines", "write_file", false),
        ] {
            assert_eq!(names_program(&fold(text), class), expected, "{text:?} and {class}");
        }
    }

    #[test]
    fn a_name_inside_a_longer_one_is_not_named() {
        check("sum budget.csv.old", "/home/u/wd/budget.csv", false);
        check("sum mybudget.csv", "/home/u/wd/budget.csv", false);
        check("sum Documents/budget.csv", "/home/u/wd/budget.csv", false);
        check("read /home/u/wd/a/b", "/home/u/wd/a", false);
        check("https://a.b/c/d", "https://a.b/c", false);
    }

    #[test]
    fn folders_patterns_queries_and_lists() {
        check("list my Downloads", "/home/u/Downloads", true);
        check("list ~/Downloads/", "/home/u/Downloads", true);
        check("list ~/Downloads", "/home/u/Downloads/*", true);
        check("list ~/Downloads", "/home/u/Documents/*", false);
        check("how many files are here", "/home/u/wd/**", true);
        check("count *.rs in src", "/home/u/wd/src/*.rs", true);
        check("count files in src", "/home/u/wd/src/*.rs", false);
        check("search for Rust tutorials", "rust tutorials", true);
        check("search for rust", "go tutorials", false);
        check("fetch https://a.b/c.", "https://a.b/c", true);
        check("diff a.txt b.txt", "/home/u/wd/a.txt /home/u/wd/b.txt", true);
        check("diff a.txt", "/home/u/wd/a.txt /home/u/wd/b.txt", false);
        check("anything", "", false);
    }
}
