use std::collections::BTreeMap;
use std::time::Duration;

use artoo_types::evidence::CallEnd;

use super::{Command, run};
use crate::children::Children;
use crate::sandbox::Confinement;
use crate::stop::{StopSignal, StopSwitch};
use artoo_types::tool::CallOutcome;

fn command(text: &str, folder: &std::path::Path) -> Command {
    let environment = [
        ("PATH", std::env::var("PATH").unwrap_or_default()),
        ("SECRET_KEY", "k".to_owned()),
        ("BASH_ENV", "/tmp/x".to_owned()),
        ("LC_ALL", "C".to_owned()),
    ];
    Command {
        arguments: super::shell(text),
        folder: folder.to_string_lossy().into_owned(),
        environment: environment.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<BTreeMap<_, _>>(),
        home: folder.to_path_buf(),
        timeout: Duration::from_secs(60),
        confinement: Confinement::FullPower,
        most_bytes: None,
    }
}

async fn run_command(command: Command, stop: StopSignal) -> (CallOutcome, Vec<String>) {
    let children = Children::new(None, &command.home);
    run(command, &children, stop).await
}

async fn check(text: &str, exit: i64, output: &str) -> CallOutcome {
    let dir = tempfile::tempdir().unwrap();
    let (produced, survivors) = run_command(command(text, dir.path()), StopSignal::never()).await;
    assert_eq!((produced.end, produced.exit), (CallEnd::Ran, Some(exit)), "{text}: {produced:?}");
    assert_eq!(produced.output, output, "{text}");
    assert!(survivors.is_empty(), "{survivors:?}");
    produced
}

#[tokio::test]
async fn status_and_output_are_told() {
    check("echo out; echo err >&2", 0, "out\nerr\n").await;
    check("printf out; printf err >&2; exit 3", 3, "out\nerr").await;
    check("false | true", 1, "").await;
    check("kill -9 $$", 137, "").await;
    check("cat", 0, "").await;
    check("printf 'a\\377b'", 0, "a\u{fffd}b").await;
}

#[tokio::test]
async fn only_listed_names_of_the_environment_are_passed() {
    check("echo \"[$SECRET_KEY$BASH_ENV$SSH_AUTH_SOCK] $TERM $LC_ALL\"", 0, "[] dumb C\n").await;
}

#[tokio::test]
async fn the_private_folder_goes_with_the_call() {
    let dir = tempfile::tempdir().unwrap();
    let (produced, _) =
        run_command(command("touch \"$TMPDIR/x\"; echo \"$TMPDIR\"", dir.path()), StopSignal::never()).await;
    let folder = std::path::Path::new(produced.output.trim());
    assert!(folder.is_absolute() && !folder.exists(), "{produced:?}");
}

#[tokio::test]
async fn a_late_command_is_stopped_with_its_grandchildren() {
    let dir = tempfile::tempdir().unwrap();
    let mut late =
        command("(trap '' TERM; sleep 300 & echo $! > pid; wait; sleep 300) & echo begun; wait", dir.path());
    late.timeout = Duration::from_millis(700);
    let (produced, survivors) = run_command(late, StopSignal::never()).await;
    assert_eq!((produced.end, produced.exit), (CallEnd::Timeout, None));
    assert_eq!(produced.output, "begun\n");
    assert!(survivors.is_empty(), "{survivors:?}");
    assert!(!runs(&dir.path().join("pid")));
}

#[tokio::test]
async fn what_a_command_leaves_behind_ends_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let (produced, survivors) =
        run_command(command("sleep 300 & echo $! > pid", dir.path()), StopSignal::never()).await;
    assert_eq!(produced.exit, Some(0));
    assert!(survivors.is_empty());
    assert!(!runs(&dir.path().join("pid")));
}

#[tokio::test]
async fn stopping_ends_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let (switch, signal) = StopSwitch::new();
    let running = tokio::spawn(run_command(command("echo $$ > pid; sleep 300", dir.path()), signal));
    let pid = dir.path().join("pid");
    while std::fs::read_to_string(&pid).unwrap_or_default().is_empty() {
        tokio::task::yield_now().await;
    }
    switch.stop();
    let (produced, survivors) = running.await.unwrap();
    assert_eq!(produced.end, CallEnd::Cancelled);
    assert!(survivors.is_empty() && !runs(&pid));
}

#[tokio::test]
async fn a_command_that_writes_too_much_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let (produced, _) = run_command(command("yes 0123456789", dir.path()), StopSignal::never()).await;
    assert_eq!(produced.end, CallEnd::Error);
    assert!(produced.output.len() < 4 << 20, "the middle is not kept: {}", produced.output.len());
    assert!(produced.output.contains("bytes were not kept"));
    assert!(produced.note.is_some_and(|n| n.contains("more than")));
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_an_error() {
    let (produced, _) =
        run_command(command("ls", std::path::Path::new("/nowhere")), StopSignal::never()).await;
    assert_eq!((produced.end, produced.exit), (CallEnd::Error, None));
    assert!(produced.output.contains("/nowhere"));
}

/// Whether the process whose id is in this file still runs.
fn runs(pid: &std::path::Path) -> bool {
    let id = std::fs::read_to_string(pid).unwrap();
    let state = std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    state.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

// Fails when only single files are bounded: none of these is large.
#[tokio::test]
async fn what_writes_more_than_it_may_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let text = "for i in $(seq 40); do head -c 16384 /dev/zero > $TMPDIR/$i; done; sleep 60";
    let command = Command { most_bytes: Some(256 << 10), ..command(text, dir.path()) };
    let (produced, _) = run_command(command, StopSignal::never()).await;
    assert_eq!(produced.end, CallEnd::Error, "{produced:?}");
    assert!(produced.note.unwrap().contains("wrote more than"));
}
