//! Resources and prompts of a server: they are read with tools that artoo adds, under the rules of all tools.

use artoo_command::stop::StopSignal;
use artoo_mcp::ServerState;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::taint::Taint;
use serde_json::{Value, json};

use crate::bench::{Bench, LOOK};

const READ: &str = "bad__read_resource";
const FILL: &str = "bad__get_prompt";

fn reading(modes: &[&str]) -> Bench {
    let effects = [("read_resource", EffectClass::Read), ("get_prompt", EffectClass::Read)];
    let bench = Bench::with(modes, &effects, |_| {});
    bench.once(ServerState::Ready);
    bench
}

fn run(bench: &Bench, tool: &str, arguments: &Value) -> Receipt {
    bench.run(&bench.call(tool, arguments), StopSignal::never())
}

#[test]
fn resources_and_prompts_are_listed_and_read() {
    let bench = reading(&["offers"]);
    assert_eq!(bench.offered(), [FILL, LOOK, READ]);
    let check = |tool: &str, arguments: Value, output: &str| {
        let receipt = run(&bench, tool, &arguments);
        assert_eq!((receipt.end, receipt.exit), (CallEnd::Ran, Some(0)), "{receipt:#?}");
        assert_eq!(receipt.output, output);
        assert_eq!(receipt.taint, Taint::UNTRUSTED, "a stranger wrote it");
    };
    check(READ, json!({}), "note://1 (text/plain) one: The first note.\nnote://2 (no type named) two");
    check(READ, json!({"uri": "note://1"}), "[resource note://1]\nbuy milk");
    check(FILL, json!({}), "greet {who, how?} Greets somebody.");
    check(FILL, json!({"name": "greet", "arguments": {"who": "Ann"}}), "[user]\nGreet Ann.");
    let unknown = run(&bench, READ, &json!({"uri": "note://9"}));
    assert_eq!((unknown.end, unknown.exit), (CallEnd::Ran, Some(1)), "{unknown:#?}");
    assert!(unknown.output.contains("no such note"), "{unknown:#?}");
}

#[test]
fn they_are_asked_about_unless_the_operator_says_that_they_read() {
    let bench = Bench::new(&["offers"]);
    bench.once(ServerState::Ready);
    let judged = bench.tools.judge(bench.call(READ, &json!({"uri": "note://1"})));
    let held = judged.question().expect("it must be asked");
    assert_eq!(held.effects, [EffectClass::Unknown]);
    assert!(held.action.contains("note://1"), "{}", held.action);
}

#[test]
fn a_server_without_them_has_no_tools_for_them_and_its_own_of_the_name_goes_first() {
    assert_eq!(reading(&["plain"]).offered(), [LOOK]);
    let bench = reading(&["offers", "namesake"]);
    assert_eq!(bench.offered(), [FILL, LOOK, READ]);
    assert_eq!(run(&bench, READ, &json!({"uri": "note://1"})).output, "saw its own red");
}
