use artoo_protocol::v1::ImportMemoryResponse;

use super::{ids_and_tags, imported, parts};

#[test]
fn an_import_is_cut_between_lines_and_keeps_their_numbers() {
    let cut = |text: &str, bytes, most| parts(text, bytes, most);
    let part = |number: u64, lines: &str| (number, lines.to_owned());
    assert_eq!(cut("aa\n\nbb\ncc\n", 7, 9), [part(1, "aa\n\nbb\n"), part(4, "cc\n")]);
    assert_eq!(cut("a long line\nx", 4, 9), [part(1, "a long line\n"), part(2, "x\n")]);
    assert_eq!(cut("a\nb\nc", 99, 2), [part(1, "a\nb\n"), part(3, "c\n")]);
    assert!(cut("\n \n", 4, 9).is_empty());
}

#[test]
fn digits_are_an_id_and_everything_else_is_a_tag() {
    let words = ["0197b2c4", "0197B2C4-12", "intent:find", "tool:glob,path:/x"].map(str::to_owned);
    let (ids, tags) = ids_and_tags(&words);
    assert_eq!(ids, ["0197b2c4", "0197B2C4-12"]);
    let tags: Vec<_> = tags.iter().map(|tag| (tag.space.as_str(), tag.entity.as_str())).collect();
    assert_eq!(tags, [("intent:find", ""), ("tool:glob", "path:/x")]);
}

#[test]
fn an_import_tells_what_became_of_each_line() {
    let check = |total: ImportMemoryResponse, expected: &[&str]| {
        let lines: Vec<String> = imported(&total, 80).iter().map(|line| line.text(false)).collect();
        assert_eq!(lines, expected);
    };
    check(ImportMemoryResponse { imported: 3, ..Default::default() }, &["3 new"]);
    check(
        ImportMemoryResponse {
            known: 1,
            buried: 2,
            refused: 30,
            errors: vec!["line 7: no".to_owned()],
            ..Default::default()
        },
        &[
            "0 new, 1 known already, 2 stay away: they were forgotten here, 30 refused",
            "  line 7: no",
            "  and 29 more",
        ],
    );
}
