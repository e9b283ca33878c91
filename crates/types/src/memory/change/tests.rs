use super::{ChangeKind, MemoryChange};

#[test]
fn every_kind_is_the_word_that_journals_hold() {
    for kind in ChangeKind::ALL {
        let change = MemoryChange::of(kind, "because");
        let json = serde_json::to_value(&change).expect("it has a JSON form");
        assert_eq!(json, serde_json::json!({"kind": kind.as_str(), "count": 0, "why": "because"}));
        assert_eq!(serde_json::from_value::<MemoryChange>(json).expect("it reads itself"), change);
    }
}
