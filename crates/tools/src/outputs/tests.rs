use super::{digest, load, name, store};

#[test]
fn what_is_stored_is_read_back_under_its_digest() {
    let dir = tempfile::tempdir().unwrap();
    let text = "zwei\nZeilen\n";
    let d = digest(text);
    store(dir.path(), &d, text).unwrap();
    store(dir.path(), &d, text).unwrap();
    assert_eq!(load(dir.path(), &name(&d)).unwrap(), text);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file stays");
}

#[test]
fn handles_cannot_leave_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    for handle in ["../secret.txt", "/etc/passwd", "a.txt", ""] {
        assert!(load(dir.path(), handle).is_err(), "{handle}");
    }
}

#[test]
fn storing_an_output_again_renews_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let d = digest("text");
    let modified = || std::fs::metadata(dir.path().join(name(&d))).unwrap().modified().unwrap();
    store(dir.path(), &d, "text").unwrap();
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    std::fs::File::open(dir.path().join(name(&d))).unwrap().set_modified(long_ago).unwrap();
    store(dir.path(), &d, "text").unwrap();
    assert!(modified() > long_ago);
}

#[test]
fn a_damaged_output_is_told_and_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let d = digest("text");
    store(dir.path(), &d, "text").unwrap();
    // As a power cut leaves a file that was not synced.
    std::fs::write(dir.path().join(name(&d)), "").unwrap();
    assert!(load(dir.path(), &name(&d)).unwrap_err().contains("damaged"));
    store(dir.path(), &d, "text").unwrap();
    assert_eq!(load(dir.path(), &name(&d)).unwrap(), "text");
}
