//! Tasks that differ in everything that can reach a task from outside, for tests that fold them again.

use artoo_types::criteria::Verdict;
use artoo_types::envelope::Role;
use artoo_types::machine::TaskInput;
use artoo_types::memory::{Level, Megram, MemoryAction, MemoryEntry, MemoryReply, Potentials, SopRecord};
use artoo_types::rate::Rate;
use artoo_types::setting::{ControlParams, SessionPair};
use artoo_types::tag::Tag;
use artoo_types::task::StopCause;
use artoo_types::{ConfirmationId, Message, TaskId, Timestamp};
use uuid::Uuid;

use super::world::{Tool, World, passing, reply, scripted, unreachable};
use super::{CHECKED, PLAIN, THREE, restarts};

/// Every story with its name.
pub(super) fn all() -> Vec<(&'static str, World)> {
    vec![
        ("accepted", accepted()),
        ("corrected", corrected()),
        ("replanned", replanned()),
        ("abandoned", abandoned()),
        ("on the edge", on_the_edge()),
        ("not tolerated", not_tolerated()),
        ("allowed", answered(Some(true))),
        ("denied", answered(Some(false))),
        ("expired", answered(None)),
        ("clarified", clarified()),
        ("cancelled", cancelled()),
        ("unreachable", ended(World::new(|_| unreachable()))),
        ("declined", declined()),
        ("repaired", repaired()),
        ("run again", interrupted(true)),
        ("not run again", interrupted(false)),
        ("done before", done_before()),
    ]
}

fn ended(mut world: World) -> World {
    world.submit();
    world.result();
    world
}

fn accepted() -> World {
    let mut world = World::new(scripted(PLAIN));
    world.memory = remembered();
    let pair = SessionPair {
        input: "你好".to_owned(),
        summary: "A greeting.".to_owned(),
        answer: String::new(),
        taint: Default::default(),
    };
    world.setting.session.push(pair);
    world.setting.workspace_files.push("report.md".to_owned());
    ended(world)
}

/// Something under every field that a memory can have.
fn remembered() -> MemoryReply {
    let tag = Tag { space: "tool:glob".to_owned(), entity: "path:*".to_owned() };
    let megram = Megram {
        id: Uuid::from_u128(3),
        level: Level::M,
        created_at: Timestamp(5),
        last_recalled_at: Some(Timestamp(6)),
        tag: tag.clone(),
        content: "glob answered quickly".to_owned(),
        state: "accept".to_owned(),
        f: 0.75,
        sigma: 1.0,
        k: Rate::Slow,
        agent_id: "artoo".to_owned(),
        task_id: Some(TaskId(Uuid::from_u128(4))),
        parents: vec![Uuid::from_u128(5)],
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    };
    let sop = SopRecord {
        id: Uuid::from_u128(6),
        content: "use glob".to_owned(),
        sigma: 1.0,
        level: Level::C,
        overwritten: false,
    };
    let potentials = Potentials { attention: 1.5, decision: 1.25, action: MemoryAction::Exploit };
    MemoryReply {
        entries: vec![MemoryEntry {
            tag,
            potentials,
            sops: vec![sop],
            top: vec![megram],
            via: None,
            proposals: vec![],
        }],
        unavailable: None,
        present: Vec::new(),
    }
}

fn corrected() -> World {
    let mut failures = 2;
    ended(World::new(scripted(CHECKED)).checks(move |_| {
        if failures > 0 {
            failures -= 1;
            return Verdict::Fail;
        }
        Verdict::Pass
    }))
}

/// The first plan's call fails; the second plan takes another way.
pub(super) fn replanned() -> World {
    const SECOND: &str = r#"{"subtasks":[{"sequence":1,"intent":"count with shell","tools":["shell"],"success_criteria":[{"text":"ran","check":{"kind":"tool_called","tool":"shell"}}]}]}"#;
    let mut round = 0;
    let mut script = scripted(THREE);
    let world = World::new(move |request| match request.role {
        Role::Planner => {
            round += 1;
            reply(if round == 1 { THREE } else { SECOND })
        }
        Role::Executor if round == 1 && request.messages[1].content.contains("exit=1") => {
            reply(r#"{"action":"finish","status":"failed","output":"glob does not work here"}"#)
        }
        Role::Executor if round > 1 => {
            reply(r#"{"action":"tool","tool":"shell","arguments":{"command":"ls"},"final":true}"#)
        }
        _ => script(request),
    });
    ended(world.tools(
        |call| {
            if call.tool == "glob" { Tool::Ran(1, "no such folder") } else { Tool::Ran(0, "ok") }
        },
    ))
}

/// Each round one step fails because of the surroundings and one because of its approach, and each plan takes another
/// tool: D = 1 and P = 0.5 in every round.
pub(super) fn abandoned() -> World {
    ended(never_met(ControlParams::default()))
}

fn never_met(control: ControlParams) -> World {
    const TOOLS: [&str; 4] = ["glob", "read_file", "shell", "write_file"];
    let mut round = 0;
    let mut world = World::new(move |request| match request.role {
        Role::Planner => {
            let tool = TOOLS[round % TOOLS.len()];
            round += 1;
            let step = |name: &str| {
                format!(
                    r#"{{"sequence":1,"intent":"try {name} {round} with {tool}","tools":["{tool}"],"success_criteria":[{{"text":"{name} is there","check":{{"kind":"output_lines","op":"ge","n":1}}}}]}}"#
                )
            };
            reply(&format!(
                r#"{{"task_criteria":["both are there"],"subtasks":[{},{}]}}"#,
                step("a"),
                step("b")
            ))
        }
        Role::Executor => {
            let prompt = &request.messages[1].content;
            let is_named = |tool: &&str| prompt.contains(&format!(" with {tool}\n"));
            let tool = TOOLS.into_iter().find(is_named).expect("the intent names it");
            let (name, end) = if prompt.contains("try a") { ("a", "false") } else { ("b", "true") };
            if prompt.contains("exit=1") {
                return reply(r#"{"action":"finish","status":"failed","output":"it is not there"}"#);
            }
            reply(&format!(
                r#"{{"action":"tool","tool":"{tool}","arguments":{{"path":"{name}","content":"","command":"{name}","root":"{name}","pattern":"{round}"}},"final":{end}}}"#
            ))
        }
        _ => scripted(PLAIN)(request),
    })
    .tools(|call| if call.arguments.contains(r#""path":"a""#) { Tool::Ran(1, "not found") } else { Tool::Ran(0, "") })
    .checks(|_| Verdict::Fail);
    world.setting.control = control;
    world
}

/// Parameters between which and their neighbours the figures of [`never_met`] lie, so that each decides.
fn on_the_edge() -> World {
    ended(never_met(ControlParams { rho: 0.4, epsilon: 0.0, theta: 0.4, ..ControlParams::default() }))
}

/// A plausible criterion is not met: D = 0.5, just beyond what is tolerated.
fn not_tolerated() -> World {
    const PLAUSIBLE: &str = r#"{"task_criteria":["files are counted",{"text":"it reads well","mode":"plausible"}],"subtasks":[{"sequence":1,"intent":"count","tools":["glob"],"success_criteria":["a number"]}]}"#;
    let mut script = scripted(PLAUSIBLE);
    let mut world = World::new(move |request| match request.role {
        Role::MetaValidator => {
            let passed = r#"{"criterion":1,"verdict":"pass""#;
            let failed = r#"{"criterion":1,"verdict":"fail","failure_class":"logical""#;
            reply(&passing(request).replace(passed, failed))
        }
        _ => script(request),
    });
    world.setting.control = ControlParams { delta: 0.4, ..ControlParams::default() };
    ended(world)
}

/// A task whose call needs a person's word: `None` when nobody gives it in time.
fn answered(approved: Option<bool>) -> World {
    let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held);
    world.submit();
    match approved {
        Some(approved) => {
            let confirmation_id = open_question(&world);
            world.put(TaskInput::Confirmed { confirmation_id, approved, remember_for_task: approved });
        }
        None => {
            world.now = world.now.plus_ms(artoo_types::limits::QUESTION_EXPIRY_MS);
            world.put(TaskInput::Wake);
        }
    }
    world.result();
    world
}

fn open_question(world: &World) -> ConfirmationId {
    let mut ids = world.envelopes().into_iter().filter_map(|envelope| match &envelope.payload {
        Message::ConfirmationRequest(request) => Some(request.confirmation_id),
        _ => None,
    });
    ids.next_back().expect("the call waits for a person")
}

fn clarified() -> World {
    let mut script = scripted(CHECKED);
    let mut asked = false;
    let mut world = World::new(move |request| match request.role {
        Role::Perceiver if !asked => {
            asked = true;
            reply(r#"{"slug":"count","intent":"count the files","clarify":["在哪个文件夹？"]}"#)
        }
        _ => script(request),
    });
    world.submit();
    world.put(TaskInput::Clarified { answer: "下载".to_owned() });
    world.result();
    world
}

fn cancelled() -> World {
    let mut world = World::new(scripted(CHECKED)).tools(|_| Tool::Held);
    world.survivors.push("sleep (4711)".to_owned());
    world.submit();
    world.put(TaskInput::Stop { cause: StopCause::Cancelled, detail: "enough".to_owned() });
    world.result();
    // What comes after the end changes nothing, and is on record.
    world.put(TaskInput::Wake);
    world
}

/// The daemon goes down once while the task is at work.
pub(super) fn taken_over() -> World {
    let mut left = 4;
    let world = World::new(scripted(PLAIN)).crashing(move || {
        left -= 1;
        left == 0
    });
    ended(world)
}

fn declined() -> World {
    ended(World::new(|request| match request.role {
        Role::Perceiver => reply(r#"{"slug":"x","intent":"write a poem"}"#),
        _ => reply(
            r#"{"task_criteria":[],"subtasks":[],"decline":{"reason":"no rule fits","nearest":["count files"],"how_to_configure":"set a model"}}"#,
        ),
    }))
}

/// The planner's first reply has the wrong form.
fn repaired() -> World {
    let mut script = scripted(PLAIN);
    let mut planned = 0;
    ended(World::new(move |request| {
        if request.role == Role::Planner {
            planned += 1;
            if planned == 1 {
                return reply("I would count them.");
            }
        }
        script(request)
    }))
}

/// The daemon went down while a call ran; the person has it run again, or not.
fn interrupted(approved: bool) -> World {
    let mut world = restarts::interrupted();
    let confirmation_id = open_question(&world);
    world.put(TaskInput::Confirmed { confirmation_id, approved, remember_for_task: false });
    world.result();
    world
}

/// A correction wants the same again that was allowed before, and the person allows it again.
fn done_before() -> World {
    let mut world = restarts::wanted_again();
    let confirmation_id = open_question(&world);
    world.put(TaskInput::Confirmed { confirmation_id, approved: true, remember_for_task: false });
    world.result();
    world
}
