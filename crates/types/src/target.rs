//! Targets: one spelling for one input, so that a blocked one cannot come back under another name.

use unicode_normalization::UnicodeNormalization;

use crate::tag::fold;

/// Folders of the system in which no person works, in lower case.
const SYSTEM_TOPS: &[&str] =
    &["", "/home", "/media", "/mnt", "/private", "/private/var", "/run", "/users", "/var", "/volumes"];
/// The same, with all that lies in them.
const SYSTEM_TREES: &[&str] = &[
    "/applications",
    "/bin",
    "/boot",
    "/dev",
    "/efi",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/library",
    "/opt",
    "/private/etc",
    "/proc",
    "/sbin",
    "/sys",
    "/system",
    "/usr",
    "/var/lib",
    "/var/log",
];

/// Where relative and home paths start.
#[derive(Debug, Clone, Copy)]
pub struct Bases<'a> {
    /// Absolute path of the task's working directory.
    pub working_directory: &'a str,
    /// Absolute path of the workspace.
    pub workspace: &'a str,
    /// Absolute path of the home folder.
    pub home: &'a str,
}

/// The absolute, lexical, NFC form of a path. `~` is the home folder; relative paths start at the working directory.
/// Symbolic links are not followed: this is about names.
pub fn normal_path(path: &str, bases: Bases<'_>) -> String {
    let path: String = path.trim().nfc().collect();
    let path = path.strip_prefix("file://").unwrap_or(&path);
    let absolute = if path == "~" {
        bases.home.to_owned()
    } else if let Some(rest) = path.strip_prefix("~/") {
        format!("{}/{rest}", bases.home)
    } else if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{}/{path}", bases.working_directory)
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in absolute.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Like [`normal_path`], but a bare file name is in [`bare_names_folder`]: where `write_file` puts it.
pub fn written_path(path: &str, bases: Bases<'_>) -> String {
    let bare = path.trim();
    if bare.contains('/') || bare == "~" || bare == "." || bare == ".." {
        normal_path(bare, bases)
    } else {
        normal_path(&format!("{}/{bare}", bare_names_folder(bases)), bases)
    }
}

/// The folder that a bare file name is in: the working directory, where the person stands; but the workspace where that is
/// the home folder, what holds it, a hidden folder in it, or a folder of the system.
pub fn bare_names_folder(bases: Bases<'_>) -> &str {
    let here = bases.working_directory.trim_end_matches('/');
    let lower = here.to_lowercase();
    let of_home = here.strip_prefix(bases.home.trim_end_matches('/'));
    let is_hidden = of_home.is_some_and(|rest| rest.contains("/."));
    let is_system = SYSTEM_TOPS.contains(&&*lower) || SYSTEM_TREES.iter().any(|tree| is_below(&lower, tree));
    if is_below(bases.home, here) || is_hidden || is_system {
        bases.workspace
    } else {
        bases.working_directory
    }
}

/// The normalised forms that a planned input may have: a plan does not say whether `notes` is a file or a query, so
/// both spellings count when a block is checked.
pub fn planned_forms(target: &str, bases: Bases<'_>) -> [String; 3] {
    [normal_path(target, bases), written_path(target, bases), fold(target)]
}

/// Whether `path` is `root` or below it. Both are normalised.
pub fn is_below(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Target of `glob`, and of a file search below a root.
pub fn rooted_pattern(root: &str, pattern: &str, bases: Bases<'_>) -> String {
    let pattern: String = pattern.trim().nfc().collect();
    let pattern = pattern.strip_prefix("**/").unwrap_or(&pattern);
    format!("{}/{}", normal_path(root, bases).trim_end_matches('/'), pattern)
}

#[cfg(test)]
mod tests {
    use super::{Bases, normal_path, planned_forms, rooted_pattern, written_path};

    const BASES: Bases<'_> = Bases { working_directory: "/w/d", workspace: "/h/artoo_workspace", home: "/h" };

    #[test]
    fn one_file_has_one_spelling() {
        let cases = [
            ("a.txt", "/w/d/a.txt"),
            ("./x/../a.txt", "/w/d/a.txt"),
            ("/w//d/./a.txt", "/w/d/a.txt"),
            ("~/a.txt", "/h/a.txt"),
            ("~", "/h"),
            ("../../../..", "/"),
            ("file:///w/d/a.txt", "/w/d/a.txt"),
            ("e\u{301}", "/w/d/\u{e9}"),
        ];
        for (path, normal) in cases {
            assert_eq!(normal_path(path, BASES), normal, "for {path:?}");
        }
    }

    #[test]
    fn a_bare_name_is_written_where_the_person_stands_unless_that_is_no_place_for_it() {
        let written = |working_directory, path| written_path(path, Bases { working_directory, ..BASES });
        for here in ["/w/d", "/h/papers", "/h/artoo_workspace", "/tmp/x", "/usrdata"] {
            assert_eq!(written(here, "report.md"), format!("{here}/report.md"));
        }
        for here in ["/h", "/h/", "/", "", "/etc/app", "/usr", "/Library/x", "/var/log", "/h/.config/app"] {
            assert_eq!(written(here, "report.md"), "/h/artoo_workspace/report.md", "in {here:?}");
        }
        assert_eq!(written("/h", "./report.md"), "/h/report.md");
    }

    #[test]
    fn a_planned_input_is_matched_as_path_and_as_query() {
        assert!(planned_forms("Notes.TXT", BASES).contains(&"notes.txt".to_owned()));
        assert!(planned_forms("Notes.TXT", BASES).contains(&"/w/d/Notes.TXT".to_owned()));
    }

    #[test]
    fn a_pattern_belongs_to_its_root() {
        assert_eq!(rooted_pattern(".", "**/*.rs", BASES), "/w/d/*.rs");
    }
}
