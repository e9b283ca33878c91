//! A bug of ours in one task ends that task, once, and nothing else.

use artoo_testing::Home;

/// Fails where the task stays under way for ever, or takes the daemon with it.
#[test]
fn a_task_that_a_bug_breaks_ends_once_and_the_daemon_goes_on() {
    let mut home = Home::new().variable("ARTOO_PROVIDER", "offline");
    home.file("a.txt", "one\n");
    home.set("ARTOO_CRASH_AT", "break:4");
    home.start();
    let broken =
        home.run("how many lines does a.txt have?", &["--cwd", home.work().to_str().expect("it is UTF-8")]);
    let ends = broken.events.iter().filter(|event| event["type"] == "final_result").count();
    assert_eq!((ends, broken.code), (1, Some(1)), "{:?}", broken.stderr);
    let result = broken.result();
    assert_eq!(result["reason"], "internal", "{result}");
    assert!(result.to_string().contains("a bug in artoo broke this task"), "{result}");
    let id = result["task_id"].as_str().expect("it has an id");
    assert_eq!(home.json(&["show", id])["state"], "finished");
    let next =
        home.run("how many lines does a.txt have?", &["--cwd", home.work().to_str().expect("it is UTF-8")]);
    assert_eq!(next.code, Some(0), "{:?}", next.stderr);
    home.terminate();
    home.unset("ARTOO_CRASH_AT");
    home.start();
    assert_eq!(home.json(&["show", id])["state"], "finished", "it does not begin again");
}
