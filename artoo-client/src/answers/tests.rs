use super::Key;

#[test]
fn only_a_clear_word_approves() {
    for (line, key) in [
        ("y", Some(Key::Yes)),
        (" YES ", Some(Key::Yes)),
        ("t", Some(Key::Task)),
        ("n", Some(Key::No)),
        ("d", Some(Key::Details)),
        ("", None),
        ("\u{1b}y", None),
        ("yy", None),
        ("y n", None),
    ] {
        assert_eq!(Key::read(line), key, "{line:?}");
    }
}
