use super::Taint;

const ALL: [Taint; 4] = [Taint::NONE, Taint::UNTRUSTED, Taint::PRIVATE, Taint::BOTH];

#[test]
fn it_only_grows() {
    for a in ALL {
        for b in ALL {
            let both = a | b;
            assert_eq!(both, b | a);
            assert_eq!((both | a, both | b), (both, both));
            assert_eq!(both.untrusted, a.untrusted || b.untrusted);
            assert_eq!(both.private, a.private || b.private);
        }
    }
    assert!((Taint::PRIVATE | Taint::UNTRUSTED).is_both());
}

#[test]
fn journals_hold_the_bits_that_are_set() {
    let texts = ["[]", r#"["untrusted"]"#, r#"["private"]"#, r#"["untrusted","private"]"#];
    for (taint, text) in ALL.into_iter().zip(texts) {
        assert_eq!(serde_json::to_string(&taint).unwrap(), text);
        assert_eq!(serde_json::from_str::<Taint>(text).unwrap(), taint);
    }
    assert_eq!(Taint::BOTH.words(), ["untrusted", "private"]);
}
