//! What of a prompt is the same as in the call before: rules first, what changes last, so that a server need not read it again.

use std::collections::BTreeMap;

use artoo_types::criteria::Verdict;
use artoo_types::envelope::Role;

use super::PLAIN;
use super::stories;
use super::world::{Tool, World, reply, scripted};
use crate::prompts::{PromptReader, SentPrompt, same_beginning};

/// Characters of the prompts of a task's roles, system messages without the laws: what is paid for with every call.
const RULES_CHARS: usize = 3_000;

fn sent(world: &World) -> Vec<SentPrompt> {
    let mut reader = PromptReader::new(world.machine.task_id);
    world.journaled().into_iter().flat_map(|record| reader.take(record)).collect()
}

fn of_role(world: &World, role: Role) -> Vec<SentPrompt> {
    sent(world).into_iter().filter(|prompt| prompt.request.role == role).collect()
}

fn system(prompt: &SentPrompt) -> &str {
    &prompt.request.messages[0].content
}

fn user(prompt: &SentPrompt) -> &str {
    &prompt.request.messages[1].content
}

/// A user message up to the end of this section.
fn up_to_the_end_of<'a>(user: &'a str, title: &str) -> &'a str {
    let begin = user.find(&format!("## {title}\n")).unwrap_or_else(|| panic!("no {title} in {user}"));
    user[begin..].find("\n\n## ").map_or(user, |length| &user[..begin + length])
}

#[test]
fn the_rules_of_a_role_are_the_same_in_every_call_of_every_task() {
    let mut rules: BTreeMap<Role, String> = BTreeMap::new();
    for (name, world) in stories::all() {
        for prompt in sent(&world) {
            if system(&prompt).starts_with("# Role: R2 Planner\nThe task is given up") {
                continue;
            }
            let role = prompt.request.role;
            let first = rules.entry(role).or_insert_with(|| system(&prompt).to_owned());
            assert_eq!(system(&prompt), first, "{role:?} in {name}");
            assert!(first.chars().count() <= RULES_CHARS + 300, "{role:?}: {}", first.chars().count());
        }
    }
    let asked: Vec<Role> = rules.into_keys().collect();
    let all = [Role::Perceiver, Role::Planner, Role::Executor, Role::AgentValidator, Role::MetaValidator];
    assert_eq!(asked, all, "every role was asked in some story");
}

#[test]
fn two_tasks_share_rules_and_tools() {
    let task = |words: &str| {
        let mut world = World::new(scripted(PLAIN));
        world.submit_words(words);
        world
    };
    let (one, other) = (task("count the files"), task("count the folders below /elsewhere"));
    for role in [Role::Planner, Role::Executor] {
        let [a, b] = [&one, &other].map(|world| of_role(world, role).swap_remove(0));
        assert_ne!(user(&a), user(&b));
        let tools = up_to_the_end_of(user(&a), "Tools");
        assert!(tools.starts_with("## Tools\n"), "nothing of a task stands before the tools: {tools}");
        let least = system(&a).chars().count() + tools.chars().count();
        assert!(same_beginning(&a.request.messages, &b.request.messages) >= least, "{role:?}");
    }
}

#[test]
fn what_an_executor_has_done_only_grows_and_what_changes_comes_last() {
    let (mut turn, mut fails) = (0, 2);
    let mut script = scripted(PLAIN);
    let mut world = World::new(move |request| match request.role {
        Role::Executor => {
            turn += 1;
            match turn % 4 {
                0 => reply(r#"{"action":"finish","status":"completed","output":"three"}"#),
                3 => reply(r#"{"action":"tool","tool":"no_such_tool"}"#),
                _ => reply(&format!(
                    r#"{{"action":"tool","tool":"shell","arguments":{{"command":"ls {turn}"}}}}"#
                )),
            }
        }
        Role::AgentValidator if fails > 0 => {
            fails -= 1;
            reply(r#"{"verdicts":[{"criterion":0,"verdict":"fail","receipt":"r1","evidence":"no"}]}"#)
        }
        _ => script(request),
    })
    .tools(|_| Tool::Ran(0, "three lines"))
    .checks(|_| Verdict::Pass);
    world.submit();
    let turns = of_role(&world, Role::Executor);
    assert_eq!(turns.len(), 12, "three attempts of four turns");
    assert_eq!(turns[0].same_chars, 0);
    for pair in turns.windows(2) {
        let [before, now] = pair else { continue };
        assert_eq!(now.same_chars, same_beginning(&before.request.messages, &now.request.messages));
        // The first question of a task has no transcript yet.
        let last = if user(before).contains("## Done so far\n") { "Done so far" } else { "Criteria" };
        let known = up_to_the_end_of(user(before), last);
        let least = system(before).chars().count() + known.chars().count();
        assert!(
            now.same_chars >= least,
            "{} of {least}:\n{}\n---\n{}",
            now.same_chars,
            user(before),
            user(now)
        );
    }
    let judged = of_role(&world, Role::AgentValidator);
    assert_eq!(judged.len(), 3);
    assert!(judged[1..].iter().all(|prompt| prompt.same_chars >= system(prompt).chars().count()));
}
