use artoo_protocol::v1::ExplainActionResponse;

use super::{MAX_SENT_BYTES, joined, object, read, request};

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

#[tokio::test]
async fn every_end_mark_ends_a_command() {
    for (input, end, wanted) in [
        ("ls\nrm x\n", b'\n', &["ls", "rm x"][..]),
        ("ls\n\nrm x", b'\n', &["ls", "", "rm x"]),
        ("echo a\nrm x\0ls\0\n", b'\0', &["echo a\nrm x", "ls"]),
        ("", b'\n', &[]),
    ] {
        let (sender, mut commands) = tokio::sync::mpsc::channel(8);
        let text = input.as_bytes().to_vec();
        tokio::task::spawn_blocking(move || read(&text[..], end, &sender).unwrap()).await.unwrap();
        let mut found = Vec::new();
        while let Some(command) = commands.recv().await {
            found.push(command);
        }
        assert_eq!(found, wanted, "{input:?}");
    }
}

#[test]
fn a_command_of_any_length_can_be_asked_about() {
    let sent = request(&"é".repeat(MAX_SENT_BYTES), "/").arguments;
    assert!(sent.len() <= MAX_SENT_BYTES + 100, "{}", sent.len());
}
