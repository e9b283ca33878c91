use artoo_protocol::v1::ExplainActionResponse;

use super::{joined, object};

#[test]
fn words_keep_their_borders() {
    for (words, command) in [
        (&["rm -rf a b"][..], "rm -rf a b"),
        (&["rm", "-rf", "a b"], "rm -rf 'a b'"),
        (&["echo", "it's", ""], r"echo 'it'\''s' ''"),
        (&["ls", "|", "sh"], "ls '|' sh"),
    ] {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(joined(&words), command);
    }
}

#[test]
fn the_json_form_has_its_four_fields_in_order() {
    let verdict = ExplainActionResponse {
        decision: "confirm".to_owned(),
        effects: vec!["delete".to_owned()],
        targets: vec!["/tmp/x".to_owned()],
        reasons: vec!["it deletes".to_owned()],
    };
    assert_eq!(
        object(&verdict),
        r#"{"decision":"confirm","effects":["delete"],"targets":["/tmp/x"],"why":["it deletes"]}"#
    );
}
