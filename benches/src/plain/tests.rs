use super::*;

fn environment() -> Vec<(String, String)> {
    vec![("PATH".to_owned(), std::env::var("PATH").unwrap_or_default())]
}

#[test]
fn a_transcript_is_read_again_on_every_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |call: usize, outputs: &[String]| match call {
        0 => Said::Commands(vec!["echo one > a; cat a".to_owned(), "cat missing".to_owned()]),
        _ => Said::Answer(outputs[0].lines().next().unwrap_or_default().to_owned()),
    };
    let run = run("Make a.", folder.path(), &environment(), Duration::from_secs(30), said)
        .expect("bash can be run");
    assert_eq!((run.calls, run.answer.as_deref()), (2, Some("one")));
    assert_eq!(run.outputs[0], "one\n[exit 0]");
    assert!(run.outputs[1].ends_with("[exit 1]"), "{:?}", run.outputs);
    let first = chars(SYSTEM) + chars(TOOL) + chars("Make a.");
    let outputs: usize = run.outputs.iter().map(|output| chars(output)).sum();
    let calls = run.written - chars("one");
    assert_eq!(run.read, 2 * first + outputs + calls);
}

#[test]
fn what_takes_too_long_is_ended_and_long_outputs_are_cut_with_a_true_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let end = bash("sleep 600 & sleep 600", folder.path(), &environment(), Duration::from_millis(50));
    assert!(end.expect("bash can be run").contains("[ended after"));
    let shown = cut(&"x".repeat(OUTPUT_CHARS + 7));
    assert!(shown.contains("[... 7 characters left out ...]"), "{}", shown.len());
    assert_eq!(cut("short"), "short");
}
