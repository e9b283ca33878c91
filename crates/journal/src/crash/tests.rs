use super::CrashPoint;

fn check(text: &str, appends: u64, syncs: u64) -> bool {
    let point = CrashPoint::parse(text).expect("a crash point");
    let other = point.clone();
    let mut hit = false;
    for _ in 0..appends {
        hit = other.at_append();
    }
    for _ in 0..syncs {
        hit = point.at_sync();
    }
    hit
}

#[test]
fn it_hits_at_exactly_the_number_over_all_clones() {
    assert!(check("append:3", 3, 0));
    assert!(!check("append:3", 2, 0));
    assert!(!check("append:3", 4, 0));
    assert!(check("sync:2", 7, 2));
    assert!(!check("sync:2", 2, 1));
    assert!(!check("", 1, 1));
}

#[test]
fn anything_else_is_refused() {
    for text in ["append", "append:0", "append:x", "sync:-1", "write:1", ":1"] {
        let error = CrashPoint::parse(text).expect_err(text);
        assert!(error.to_string().contains("append:N or sync:N"), "{error}");
    }
}
