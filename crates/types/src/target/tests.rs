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
fn bare_names_are_written_to_the_workspace() {
    assert_eq!(written_path("report.md", BASES), "/h/artoo_workspace/report.md");
    assert_eq!(written_path("./report.md", BASES), "/w/d/report.md");
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
