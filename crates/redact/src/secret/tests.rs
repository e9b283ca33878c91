use super::Secret;

#[test]
fn a_secret_is_in_no_debug_form() {
    let secret = Secret::new(" sk-hidden\n");
    let shown = format!("{secret:?} {secret:#?} {:?}", Some(&secret));
    assert!(!shown.contains("hidden") && shown.contains("Secret(***)"), "{shown}");
    assert_eq!(secret.expose(), "sk-hidden", "a line break is no part of a key");
    assert_eq!(format!("{:?}", Secret::new("  ")), "Secret(none)");
}
