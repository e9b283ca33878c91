//! Models, tools and checks that misbehave at random: whatever they do, the task ends exactly once.

use artoo_types::control::Ending;
use artoo_types::criteria::Verdict;
use artoo_types::envelope::Role;
use artoo_types::limits::worst_case_model_calls;
use proptest::prelude::*;

use super::world::{Tool, World, passing, reply, scripted, unreachable};
use super::{CHECKED, PLAIN, REPLANS, THREE};
use crate::replay::Replay;

/// Junk and near misses that real servers have sent.
const JUNK: &[&str] = &[
    "",
    "I cannot help with that.",
    "{",
    "{}",
    "[]",
    "null",
    r#"{"action":"tool"}"#,
    r#"{"action":"tool","tool":"rm","arguments":{}}"#,
    r#"{"action":"tool","tool":"glob","arguments":{"root":"."}}"#,
    r#"{"action":"finish","status":"completed","output":"I deleted everything"}"#,
    r#"{"action":"finish","status":"failed","output":"no"}"#,
    r#"{"verdicts":[{"criterion":0,"verdict":"maybe"}]}"#,
    r#"{"verdicts":[{"criterion":99,"verdict":"pass","receipt":"r1"}]}"#,
    r#"{"verdicts":[{"criterion":0,"verdict":"pass"}],"merged_output":null,"summary":""}"#,
    r#"{"task_criteria":[],"subtasks":[]}"#,
    r#"{"task_criteria":["x"],"subtasks":[{"intent":"no sequence","success_criteria":["y"]}]}"#,
    r#"{"task_criteria":["x"],"subtasks":[{"sequence":0,"intent":"","success_criteria":[]}]}"#,
    r#"<think>{"slug":"a","intent":"b"}</think>"#,
    r#"{"slug":"a","intent":"b"}{"slug":"c","intent":"d"}"#,
];

/// Runs an unattended task in such a world.
fn run(noise: Vec<u8>) -> World {
    let mut world = misbehaving(noise);
    world.setting.interactive = false;
    world.submit();
    world
}

/// A world in which `noise` decides, call by call, who misbehaves and how.
pub(super) fn misbehaving(noise: Vec<u8>) -> World {
    let mut dice = noise.into_iter().cycle();
    let mut checks = dice.clone().skip(3);
    let mut tools = dice.clone().skip(7);
    let plans = [PLAIN, CHECKED, THREE];
    let mut calls = 0;
    World::new(move |request| {
        calls += 1;
        let roll = usize::from(dice.next().unwrap_or(0));
        if roll > 250 {
            return unreachable();
        }
        if roll > 140 {
            return reply(JUNK[roll % JUNK.len()]);
        }
        match request.role {
            // A planner that varies its words gets past the rule against the same plan.
            Role::Planner => reply(&plans[roll % 3].replace("count", &format!("count {calls} {roll}"))),
            Role::AgentValidator | Role::MetaValidator => reply(&passing(request)),
            _ => scripted(PLAIN)(request),
        }
    })
    .tools(move |_| match tools.next().unwrap_or(0) {
        0..150 => Tool::Ran(0, "output"),
        150..220 => Tool::Ran(1, "no such file"),
        _ => Tool::Held,
    })
    .checks(move |_| if checks.next().unwrap_or(0) < 150 { Verdict::Pass } else { Verdict::Fail })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_task_ends_exactly_once_with_its_promises_kept(noise in prop::collection::vec(any::<u8>(), 1..60)) {
        let world = run(noise);
        let result = world.result();
        world.check_stream();
        prop_assert!(result.usage.model_calls() <= worst_case_model_calls(REPLANS, 2));
        prop_assert!(result.replans <= REPLANS);
        if result.directive == Ending::Accept {
            prop_assert!(result.unmet.is_empty(), "accepted with unmet criteria: {:?}", result.unmet);
        }
        prop_assert!(!result.summary.is_empty());
        let mut replay = Replay::new(world.machine.task_id);
        let same = world.records.iter().all(|record| replay.take(record.clone()));
        prop_assert!(same, "it folds differently: {:?}", replay.seen().difference);
    }
}
