use super::RotatingLog;

#[test]
fn a_log_that_has_grown_is_put_aside_while_it_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("debug.log");
    let log = RotatingLog::open(path.clone(), 40).expect("there is room");
    for n in 0..50 {
        log.write_line(format!("line {n} of the log\n").as_bytes());
    }
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it is there");
    let (now, before) = (text("debug.log"), text("debug.log.1"));
    assert!(now.ends_with("line 49 of the log\n"), "{now}");
    assert!(now.len() <= 60 && before.len() <= 60, "{now}{before}");
    let both = before + &now;
    let numbers: Vec<u32> = both.lines().map(|l| l[5..7].trim().parse().expect("a number")).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 2);
}

#[test]
fn a_log_that_was_large_already_is_put_aside_with_the_first_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("debug.log");
    std::fs::write(&path, "x".repeat(100)).expect("there is room");
    let log = RotatingLog::open(path.clone(), 40).expect("there is room");
    log.write_line(b"new\n");
    assert_eq!(std::fs::read_to_string(path).expect("it is there"), "new\n");
}

#[test]
fn lines_that_could_not_be_written_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("debug.log");
    let log = RotatingLog::open(path.clone(), 1_000).expect("there is room");
    {
        let mut state = log.state.lock();
        // What is open for reading alone takes nothing, like a full disk.
        state.file = std::fs::File::open(&path).expect("it is there");
    }
    log.write_line(b"one\n");
    log.write_line(b"two\n");
    log.state.lock().file = super::open(&path).expect("it is there");
    log.write_line(b"three\n");
    let said = "2 lines of this log could not be written\nthree\n";
    assert_eq!(std::fs::read_to_string(path).expect("it is there"), said);
}

#[test]
fn what_a_link_leads_to_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, other) = (folder.path().join("debug.log"), folder.path().join("other"));
    std::fs::write(&other, "theirs\n").expect("there is room");
    std::os::unix::fs::symlink(&other, &path).expect("a link");
    let refused = RotatingLog::open(path, 40).map(drop).expect_err("it is a link");
    assert!(refused.to_string().contains("symbolic link"), "{refused}");
    assert_eq!(std::fs::read_to_string(other).expect("it is there"), "theirs\n");
}
