//! What a server says of its tools is pinned when it is first seen; what it says differently later waits for the operator.

use std::sync::Arc;

use artoo_command::stop::StopSignal;
use artoo_mcp::{ApproveRefusal, McpEvent, PinState, ServerState, ToolDifference};
use artoo_testing::wait_until;
use artoo_types::evidence::CallEnd;
use serde_json::json;

use crate::bench::{Bench, LOOK, pins};

fn seen_before() -> Arc<tempfile::TempDir> {
    let bench = Bench::new(&["plain"]);
    bench.once(ServerState::Ready);
    // Both are told a moment after the server is ready.
    wait_until("its events", || bench.events.lock().expect("no panic").len() >= 2);
    assert!(matches!(
        bench.events.lock().expect("no panic")[..],
        [McpEvent::Pinned { .. }, McpEvent::Up { .. }]
    ));
    bench.shut_down();
    Arc::clone(&bench.folder)
}

#[test]
fn the_same_words_are_offered_again_before_the_server_has_started() {
    let folder = seen_before();
    let bench = Bench::again(folder, &["plain"], &[], |_| {});
    assert_eq!(bench.offered(), [LOOK], "known from the pins");
    bench.once(ServerState::Ready);
    assert_eq!(bench.offered(), [LOOK]);
}

#[test]
fn other_words_are_held_until_the_operator_agrees_to_exactly_them() {
    let folder = seen_before();
    let bench = Bench::again(Arc::clone(&folder), &["changed", "more"], &[], |_| {});
    let view = bench.once(ServerState::Held);
    let found: Vec<(&str, PinState)> = view.tools.iter().map(|tool| (tool.name.as_str(), tool.pin)).collect();
    let different = PinState::Different;
    assert_eq!(
        found,
        [("look", different(ToolDifference::Changed)), ("wipe", different(ToolDifference::New))]
    );
    assert!(view.tools[0].before.contains("Looks at a thing."), "{view:#?}");
    assert!(view.tools[0].after.contains("id_rsa"), "{view:#?}");
    assert!(bench.offered().is_empty(), "neither the changed tool nor the new one");
    let refused = bench.run(&bench.call(LOOK, &json!({"thing": "x"})), StopSignal::never());
    assert_eq!(refused.end, CallEnd::Refused);
    assert!(refused.output.contains("artoo mcp approve bad"), "{}", refused.output);
    let new = bench.run(&bench.call("bad__wipe", &json!({})), StopSignal::never());
    assert_eq!(new.end, CallEnd::Refused);

    let servers = bench.tools.servers();
    assert!(matches!(servers.approve("bad", "another digest"), Err(ApproveRefusal::OtherNow)));
    assert!(matches!(servers.approve("good", &view.digest), Err(ApproveRefusal::Unknown)));
    let agreed = servers.approve("bad", &view.digest).expect("it is what was seen");
    assert_eq!(agreed.get("look"), Some(&ToolDifference::Changed));
    assert_eq!(bench.once(ServerState::Ready).tools.len(), 2);
    assert_eq!(bench.offered(), [LOOK, "bad__wipe"]);
    bench.shut_down();

    let bench = Bench::again(folder, &["changed", "more"], &[], |_| {});
    bench.once(ServerState::Ready);
}

/// A tool that turns bad after it was used for the first time, as a rug pull does.
#[test]
fn a_server_that_changes_its_words_while_it_runs_is_held() {
    let bench = Bench::reading(&["flips"]);
    bench.once(ServerState::Ready);
    assert_eq!(bench.look("x").exit, Some(0));
    bench.once(ServerState::Held);
    assert!(bench.offered().is_empty());
    assert_eq!(bench.look("x").end, CallEnd::Refused);
    let held = |event: &McpEvent| matches!(event, McpEvent::Held { .. });
    assert_eq!(bench.events.lock().expect("no panic").iter().filter(|event| held(event)).count(), 1);
}

#[test]
fn a_tool_that_is_gone_is_not_offered_and_holds_nothing() {
    let bench = Bench::new(&["more"]);
    bench.once(ServerState::Ready);
    bench.shut_down();
    let bench = Bench::again(Arc::clone(&bench.folder), &["plain"], &[], |_| {});
    let view = bench.once(ServerState::Ready);
    assert_eq!(
        view.tools.iter().find(|tool| tool.name == "wipe").map(|tool| tool.pin),
        Some(PinState::Different(ToolDifference::Gone))
    );
    assert_eq!(bench.offered(), [LOOK]);
}

#[test]
fn pins_that_cannot_be_read_hold_everything() {
    let folder = seen_before();
    std::fs::write(pins(&folder), "{\"servers\": 3").expect("it is ours");
    let bench = Bench::again(folder, &["plain"], &[], |_| {});
    let view = bench.once(ServerState::Held);
    assert!(bench.offered().is_empty());
    bench.tools.servers().approve("bad", &view.digest).expect("it is what was seen");
    assert_eq!(bench.offered(), [LOOK]);
}
