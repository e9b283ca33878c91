//! What a typed call would do, before it runs: its classes, its target, its effect, and whether a person must be asked.

use artoo_types::evidence::EffectClass;
use artoo_types::plan::Blocks;
use artoo_types::tag::fold;
use artoo_types::taint::Taint;
use artoo_types::target::rooted_pattern;

use crate::action::Action;
use crate::registry::ToolRow;
use crate::tool::apple;
use crate::toolbox::CallFacts;
use artoo_command::sandbox::Confinement;
use artoo_gate::places::{Access, Places};
use artoo_gate::{self as gate, Decision, Explanation};
use artoo_mcp::McpCall;
use artoo_web as web;

/// What the gate says.
#[derive(Debug, Clone)]
pub(crate) enum Gate {
    /// It may run.
    Free,
    /// A person must be asked.
    Ask {
        effects: Vec<EffectClass>,
        /// Absolute paths, or other names of what it touches.
        targets: Vec<String>,
        why: Vec<String>,
    },
    /// It does not run; the reason says what to do instead.
    Refuse(String),
}

/// Judges a call. It reads the file system where a path has to be resolved, and changes nothing.
pub(crate) fn judge(row: &ToolRow, action: &Action, places: &Places) -> (CallFacts, Gate) {
    let name = row.name;
    match action {
        Action::FindFiles(a) => {
            let root = a.root.as_deref().unwrap_or("~");
            let target = rooted_pattern(root, &a.query, places.bases());
            (facts(name, target, EffectClass::Read), read_gate(&places.path(root), places))
        }
        Action::Glob(a) => {
            let (root, pattern) = crate::tool::glob::split(&a.root, &a.pattern);
            let target = rooted_pattern(&root, pattern.trim_start_matches("./"), places.bases());
            (facts(name, target, EffectClass::Read), read_gate(&places.path(&root), places))
        }
        Action::ReadFile(a) => {
            let path = places.path(&a.path);
            let gate = read_gate(&path, places);
            (facts(name, path, EffectClass::Read), gate)
        }
        Action::WriteFile(a) => {
            let path = places.written(&a.path);
            let gate = create_gate(&path, places);
            (facts(name, path, EffectClass::Create), gate)
        }
        Action::EditFile(a) => {
            let path = places.path(&a.path);
            let gate = edit_gate(&path, places);
            (facts(name, path, EffectClass::Overwrite), gate)
        }
        Action::FetchUrl(a) => (facts(name, web::address(&a.url), EffectClass::Read), Gate::Free),
        Action::Search(a) => (facts(name, fold(&a.query), EffectClass::Read), Gate::Free),
        Action::ReadOutput(a) => (facts(name, a.receipt.clone(), EffectClass::Read), Gate::Free),
        Action::AppleScript(a) => {
            let gate = power_gate(apple::unfit_script(a), apple::script_targets(&a.script));
            (facts(name, fold(&a.script), EffectClass::Unknown), gate)
        }
        Action::Shortcut(a) => {
            let gate = power_gate(apple::unfit_shortcut(a), vec![format!("shortcut {}", a.name)]);
            (facts(name, a.name.clone(), EffectClass::Unknown), gate)
        }
        Action::Shell(a) => shell(&gate::explain(&a.command, places)),
        Action::Mcp(call) => server_call(call),
    }
}

/// The block that forbids this call, as a refusal; none when nothing does.
pub(crate) fn blocked(blocks: &Blocks, row: &ToolRow, facts: &CallFacts) -> Option<String> {
    let is_ours = |class: &String| class == row.name || facts.classes.contains(class);
    if let Some(class) = blocks.classes.iter().find(|class| is_ours(class)) {
        return Some(format!("{class} is blocked for this step because it failed before; use another tool"));
    }
    let hit = blocks.targets.iter().find(|b| is_ours(&b.class) && b.target == facts.target)?;
    Some(format!(
        "{} on {} is blocked for this step because it failed before; use another input",
        hit.class, hit.target
    ))
}

/// Why memory calls for caution with this call; none when it does not.
pub(crate) fn cautioned(blocks: &Blocks, call: &str, facts: &CallFacts) -> Option<String> {
    let is_ours = |class: &String| class == call || facts.classes.contains(class);
    let hit = blocks.cautions.iter().find(|c| is_ours(&c.class) && c.target == facts.target)?;
    let on = if hit.target.is_empty() { String::new() } else { format!(" on {}", hit.target) };
    Some(format!("memory calls for caution: {}{on} went wrong before", hit.class))
}

/// What becomes of a call that memory calls for caution with. Reading and making new files go on, a command in the tightest
/// sandbox; what does more, or would run without a sandbox, needs a person's word.
pub(crate) fn careful(
    action: &Action,
    facts: &CallFacts,
    gate: Gate,
    confinement: Confinement,
) -> (Gate, Confinement) {
    let is_mild = facts.effect <= EffectClass::Create;
    let confinement = if is_mild { confinement.tightest() } else { confinement };
    let is_contained = match action {
        Action::Shell(_) => confinement.is_confined(),
        Action::Mcp(_) | Action::AppleScript(_) | Action::Shortcut(_) => false,
        Action::FindFiles(_)
        | Action::Glob(_)
        | Action::ReadFile(_)
        | Action::WriteFile(_)
        | Action::EditFile(_)
        | Action::FetchUrl(_)
        | Action::Search(_)
        | Action::ReadOutput(_) => true,
    };
    let gate = match gate {
        Gate::Free if !(is_mild && is_contained) => {
            let targets = facts.changes.clone().filter(|changed| !changed.is_empty());
            let targets = targets.unwrap_or_else(|| vec![facts.target.clone()]);
            Gate::Ask { effects: vec![facts.effect], targets, why: Vec::new() }
        }
        Gate::Free | Gate::Ask { .. } | Gate::Refuse(_) => gate,
    };
    (gate, confinement)
}

fn facts(name: &str, target: String, effect: EffectClass) -> CallFacts {
    let changes = match effect {
        EffectClass::Read => Some(Vec::new()),
        EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete => Some(vec![target.clone()]),
        EffectClass::Send | EffectClass::System | EffectClass::Unknown => None,
    };
    CallFacts {
        classes: vec![name.to_owned()],
        blame: name.to_owned(),
        target,
        effect,
        changes,
        brings: Taint::NONE,
    }
}

fn read_gate(path: &str, places: &Places) -> Gate {
    match places.opening(path) {
        Access::Free => Gate::Free,
        Access::Ask(why) => {
            Gate::Ask { effects: vec![EffectClass::Read], targets: vec![path.to_owned()], why: vec![why] }
        }
        Access::Never(why) => Gate::Refuse(format!("{why}, which no tool may read; name another path")),
    }
}

fn create_gate(path: &str, places: &Places) -> Gate {
    if let Access::Never(why) = places.writing(path) {
        return Gate::Refuse(format!("{why}, where no tool may write; name a path in the workspace"));
    }
    if std::fs::symlink_metadata(path).is_ok() {
        return Gate::Refuse(format!(
            "{path} already exists, and write_file makes new files only; choose another name, or use edit_file"
        ));
    }
    match places.writing(path) {
        Access::Free => Gate::Free,
        Access::Ask(why) | Access::Never(why) => {
            Gate::Ask { effects: vec![EffectClass::Create], targets: vec![path.to_owned()], why: vec![why] }
        }
    }
}

fn edit_gate(path: &str, places: &Places) -> Gate {
    let mut why = vec!["it changes an existing file".to_owned()];
    match places.writing(path) {
        Access::Never(why) => {
            return Gate::Refuse(format!("{why}, where no tool may write; name another path"));
        }
        Access::Ask(reason) => why.push(reason),
        Access::Free if std::fs::metadata(path).is_err() => {
            return Gate::Refuse(format!("{path} does not exist; write_file makes new files"));
        }
        Access::Free => {}
    }
    Gate::Ask { effects: vec![EffectClass::Overwrite], targets: vec![path.to_owned()], why }
}

/// A call of a server's tool: only what the operator calls reading runs unasked.
fn server_call(call: &McpCall) -> (CallFacts, Gate) {
    let effect = call.effect();
    let facts = CallFacts {
        classes: vec![call.name().to_owned()],
        blame: call.name().to_owned(),
        target: call.target(),
        effect,
        changes: None,
        brings: Taint::UNTRUSTED,
    };
    let gate = if effect == EffectClass::Read {
        Gate::Free
    } else {
        Gate::Ask { effects: vec![effect], targets: vec![call.pinned_as()], why: call.reasons() }
    };
    (facts, gate)
}

/// A call that nothing confines: always asked, unless it cannot be made at all.
fn power_gate(unfit: Option<String>, targets: Vec<String>) -> Gate {
    match unfit {
        Some(reason) => Gate::Refuse(reason),
        None => Gate::Ask {
            effects: vec![EffectClass::Unknown],
            targets,
            why: vec![apple::FULL_POWER.to_owned()],
        },
    }
}

/// The same for a shell command, of which the gate has told.
pub(crate) fn shell(told: &Explanation) -> (CallFacts, Gate) {
    let effect = told.effects.iter().copied().max().unwrap_or(EffectClass::Unknown);
    let brings = if effect >= EffectClass::Send { Taint::BOTH } else { told.brings };
    let facts = CallFacts {
        classes: told.classes.clone(),
        blame: told.blame.clone(),
        target: told.target.clone(),
        effect,
        changes: told.changes.as_ref().map(|changed| {
            changed.iter().chain(told.creates.iter().map(|made| &made.path)).cloned().collect()
        }),
        brings,
    };
    let gate = match told.decision {
        Decision::Safe => Gate::Free,
        Decision::Confirm => {
            Gate::Ask { effects: told.effects.clone(), targets: told.targets.clone(), why: told.why.clone() }
        }
        Decision::Forbidden => Gate::Refuse(format!("this command is never run: {}", told.why.join("; "))),
    };
    (facts, gate)
}
