use artoo_protocol::v1::{FormColumn, OutputForm};

use super::shown;
use crate::paths::AnswerReader;
use crate::render::Language;

fn reader() -> AnswerReader {
    AnswerReader { here: "/home/ada/site".into(), home: Some("/home/ada".into()) }
}

fn form(layout: &str, columns: &[(&str, &str)]) -> OutputForm {
    let column =
        |(name, kind): &(&str, &str)| FormColumn { name: (*name).to_owned(), kind: (*kind).to_owned() };
    OutputForm {
        heading: "{n} largest files in ~/site".to_owned(),
        heading_of_one: "The largest file in ~/site".to_owned(),
        nothing: "no files in ~/site".to_owned(),
        layout: layout.to_owned(),
        columns: columns.iter().map(column).collect(),
        ..OutputForm::default()
    }
}

fn check(form: &OutputForm, output: &str, expected: &[&str]) {
    let table = shown(form, output, &reader(), Language::English, 5).expect("it is a table");
    let lines: Vec<String> = table.lines.iter().map(|line| line.text(false)).collect();
    assert_eq!(lines, expected, "{output}");
}

#[test]
fn sizes_have_units_and_paths_begin_where_the_person_is() {
    let ranked = OutputForm { total: "together".to_owned(), ..form("cells", &[("", "bytes"), ("", "path")]) };
    check(
        &ranked,
        "42100000\t/home/ada/site/data/a b.zst\n8049999\t/home/ada/intro.mp4\n12\t/etc/x\n",
        &[
            "Three largest files in ~/site",
            "   42.1 MB  data/a b.zst",
            "    8.0 MB  ~/intro.mp4",
            "  12 bytes  /etc/x",
            "   50.2 MB  together",
        ],
    );
    check(&ranked, "5\t/home/ada/site/x\n", &["The largest file in ~/site", "  5 bytes  x"]);
    check(&ranked, "(no match)", &["no files in ~/site"]);
}

#[test]
fn rows_of_a_csv_file_are_a_table() {
    let bare =
        |layout| OutputForm { heading: String::new(), heading_of_one: String::new(), ..form(layout, &[]) };
    check(
        &bare("records"),
        "name,note,amount\n\"Lee, Ann\",\"say \"\"hi\"\"\",4\nBo,,19.5\n... and 3 more\n",
        &[
            "name      note      amount",
            "Lee, Ann  say \"hi\"       4",
            "Bo                    19.5",
            "... and 3 more",
        ],
    );
    check(&bare("rows"), "North,4\nWest,12\n", &["North   4", "West   12"]);
    let text = shown(&bare("records"), "no such rows\n", &reader(), Language::English, 5);
    assert_eq!(text.map(|table| table.lines.len()), None);
}

#[test]
fn several_answers_are_tables_below_each_other() {
    let both = OutputForm {
        sections: vec![form("text", &[]), form("cells", &[("", "bytes"), ("", "path")])],
        ..OutputForm::default()
    };
    let output = "## Lines in a.txt\n2 lines\n\n## Find files\n12\t/etc/x\n3\t/home/ada/site/y";
    let table = super::sections(&both, output, &reader(), Language::English, 5).expect("two answers");
    let lines: Vec<String> = table.lines.iter().map(|line| line.text(false)).collect();
    let expected = [
        "Lines in a.txt",
        "2 lines",
        "",
        "Two largest files in ~/site",
        "  12 bytes  /etc/x",
        "   3 bytes  y",
    ];
    assert_eq!(lines, expected);
    let one = output.replace("\n\n## ", "\n\n");
    assert_eq!(super::sections(&both, &one, &reader(), Language::English, 5), None);
}

#[test]
fn the_row_of_the_root_comes_last() {
    let folders = OutputForm {
        total: "everything".to_owned(),
        root: "/home/ada/site".to_owned(),
        ..form("cells", &[("", "bytes"), ("", "path")])
    };
    check(
        &folders,
        "4000\t/home/ada/site\n3000\t/home/ada/site/src",
        &["The largest file in ~/site", "  3.0 kB  src", "  4.0 kB  everything"],
    );
}

#[test]
fn columns_with_names_are_summed() {
    let languages = OutputForm {
        total: "together".to_owned(),
        heading: "Lines by language".to_owned(),
        ..form("cells", &[("lines", "number"), ("files", "number"), ("language", "text")])
    };
    check(
        &languages,
        "1200\t3\tRust\n7\t1\tC\n... and 2 more",
        &[
            "Lines by language",
            "  lines  files  language",
            "   1200      3  Rust",
            "      7      1  C",
            "  ... and 2 more",
            "   1207      4  together",
        ],
    );
}

#[test]
fn matches_and_objects_are_tables_too() {
    let matches = form("matches", &[]);
    check(
        &matches,
        "/home/ada/site/a:1.rs:12:  // TODO: x\n(not readable: 1)",
        &["The largest file in ~/site", "  a:1.rs  12: // TODO: x", "  (not readable: 1)"],
    );
    let objects = OutputForm { heading: String::new(), ..form("objects", &[]) };
    check(
        &objects,
        "{\"age\":34,\"name\":\"Ann\"}\n{\"city\":\"Rome\",\"name\":\"Bo\"}",
        &["age  name  city", " 34  Ann", "     Bo    Rome"],
    );
}

#[test]
fn what_is_no_table_is_left_alone_and_a_long_one_is_counted() {
    let paths = form("cells", &[("", "path")]);
    assert_eq!(shown(&form("text", &[]), "a\tb", &reader(), Language::English, 5), None);
    assert_eq!(shown(&form("objects", &[]), "[1]", &reader(), Language::English, 5), None);
    assert_eq!(shown(&paths, "(something else)", &reader(), Language::English, 5), None);
    let many: String = (0..1_234).map(|n| format!("/home/ada/site/{n}\n")).collect();
    let table = shown(&paths, &many, &reader(), Language::English, 5).expect("it is a table");
    assert_eq!((table.lines.len(), table.left_out), (6, 1_229));
    assert_eq!(table.lines[0].text(false), "1,234 largest files in ~/site");
}

#[test]
fn nothing_in_a_cell_is_obeyed() {
    let paths = form("cells", &[("", "path")]);
    check(&paths, "/home/ada/site/\u{1b}[2J", &["The largest file in ~/site", "  \\x1b[2J"]);
}
