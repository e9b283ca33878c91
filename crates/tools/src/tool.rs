//! What a tool is: one call with its arguments read, which can be judged, told and run.

use std::fmt::Debug;
use std::time::Duration;

use artoo_command::sandbox::{Confinement, ConfinementMeans};
use artoo_gate::ModeOrder;
use artoo_gate::paths::{PathRules, canonical};
use artoo_trash::KeptProject;
use artoo_types::evidence::EffectClass;
use artoo_types::limits::TOOL_CALL_MS;
use artoo_types::plan::Blocks;
use artoo_types::setting::ProjectMode;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;
use artoo_types::tool::{CallOutcome, CallRefusal};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::installed::{HelperProgram, HelperPrograms};
use crate::sandbox::Sandbox;
use crate::work::{Running, ToolRun};

/// One call of a tool, its arguments read. A file in `tools/` and a line in `TOOLS` make a tool; what it answers here is
/// all that the toolbox knows of it.
pub(crate) trait Tool: Debug + Send + Sync {
    /// What the call would do, and whether a person must be asked. It may look at the file system; it changes nothing.
    fn judge(&self, places: &PathRules, sandbox: &Sandbox) -> Judgement;

    /// How far the call reaches.
    fn reach(&self) -> Reach<'_>;

    /// The exact action, as a question tells it and escaped for display. `target` is escaped already.
    fn describe(&self, target: &str) -> String;

    /// How long it may take; its task has so much time `left`, which is the most in any case.
    fn timeout(&self, _left: Duration) -> Duration {
        Duration::from_millis(TOOL_CALL_MS)
    }

    /// What became of a call that had begun when the daemon went down.
    fn recovery(&self, _places: &PathRules) -> Recovery {
        Recovery::Unknown
    }

    /// Runs it; it returns within its deadline, plus the time that children get to end.
    fn run(self: Box<Self>, run: ToolRun) -> Running;
}

/// How far a call reaches: what holds it to what it is judged by, and what leaves with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach<'a> {
    /// This program reads.
    Reads,
    /// This program writes the target and nothing else.
    Writes,
    /// This program sends this text into the internet.
    Sends(&'a str),
    /// A command, within the sandbox that it gets, if there is one.
    Command,
    /// All that the person may do.
    FullPower,
    /// All that a server may do that gets this text. It may be anywhere.
    Server(&'a str),
}

impl<'a> Reach<'a> {
    /// Whether something holds the call to what it is judged by.
    fn is_contained(self, confinement: &Confinement) -> bool {
        match self {
            Self::Reads | Self::Writes | Self::Sends(_) => true,
            Self::Command => confinement.is_confined(),
            Self::FullPower | Self::Server(_) => false,
        }
    }

    /// The text that leaves this machine with the call; `None` if none is known.
    pub(crate) fn leaving(self) -> Option<&'a str> {
        match self {
            Self::Sends(text) | Self::Server(text) => Some(text),
            Self::Reads | Self::Writes | Self::Command | Self::FullPower => None,
        }
    }

    /// How the call, which may run by itself, would carry data out of the workspace; `None` if it does not.
    pub(crate) fn carries_out(self, facts: &CallFacts, places: &PathRules) -> Option<EffectClass> {
        let effect = facts.effect;
        match self {
            Self::Reads => None,
            Self::Writes => {
                let (path, workspace) = (facts.target.as_str(), places.workspace.as_str());
                let inside = is_below(path, workspace) && is_below(&canonical(path), &canonical(workspace));
                (!inside).then_some(effect)
            }
            Self::Sends(_) => Some(EffectClass::Send),
            // Where it writes is known to the gate alone; a command that only reads has no network.
            Self::Command => (effect > EffectClass::Read).then_some(effect),
            Self::FullPower => Some(effect),
            // What a server gets may leave the machine with it, also when its tool only reads.
            Self::Server(_) => Some(effect.max(EffectClass::Send)),
        }
    }
}

/// What became of a call that had begun to do more than reading when the daemon went down.
#[derive(Debug)]
pub(crate) enum Recovery {
    /// It was done, and this is what it would have put out.
    Done(CallOutcome),
    /// It was not done, and can begin again: it replaces nothing.
    NotDone,
    /// Nobody can tell, so a person decides.
    Unknown,
}

/// What is known of a call before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFacts {
    /// The tool's name, or `shell:<program>` for each program of a shell call.
    pub classes: Vec<String>,
    /// The class that gets the blame if the call fails.
    pub blame: String,
    /// The normalised target.
    pub target: String,
    /// The strongest effect.
    pub effect: EffectClass,
    /// The paths that it looks at, or folders that they are in; `None` if what it shows may change while every file stays as
    /// it is.
    pub looks_at: Option<Vec<String>>,
    /// What it may bring into its task.
    pub brings: Taint,
    /// Whether it reads what it brings of private data, and is no program that merely could.
    pub reads_it: bool,
    /// What it changes, with all that lies in it, as absolute paths; `None` if that is known only once it has run.
    pub changes: Option<Vec<String>>,
    /// The project among what it changes: of that only what git does not ignore is kept, and what runs later stays as it is.
    pub project: Option<KeptProject>,
    /// The files that a command names: a yes to it is one to their content.
    pub names: Vec<String>,
    /// Whether it is given exactly these places, by a box that lets it change nothing else.
    pub is_exact: bool,
}

impl CallFacts {
    /// A call of the class `name` with this one target.
    pub(crate) fn new(name: &str, target: String, effect: EffectClass, brings: Taint) -> Self {
        let changes = match effect {
            EffectClass::Read => Some(Vec::new()),
            EffectClass::Create | EffectClass::Overwrite | EffectClass::Delete => Some(vec![target.clone()]),
            EffectClass::Send | EffectClass::System | EffectClass::Unknown => None,
        };
        let (classes, blame) = (vec![name.to_owned()], name.to_owned());
        Self {
            classes,
            blame,
            target,
            effect,
            looks_at: None,
            brings,
            reads_it: false,
            changes,
            project: None,
            names: Vec::new(),
            is_exact: false,
        }
    }

    /// The same of a call that looks at this path.
    pub(crate) fn looking_at(self, path: &str) -> Self {
        Self { looks_at: Some(vec![path.to_owned()]), reads_it: true, ..self }
    }

    /// The same of a call that looks at nothing that was there before its task.
    pub(crate) fn looking_at_nothing(self) -> Self {
        Self { looks_at: Some(Vec::new()), ..self }
    }

    /// Whether it takes away or replaces what is there.
    pub(crate) fn replaces(&self) -> bool {
        matches!(self.effect, EffectClass::Overwrite | EffectClass::Delete)
    }

    /// What is known of a call that cannot be read.
    pub(crate) fn unread(tool: &str) -> Self {
        Self::new(tool, String::new(), EffectClass::Unknown, Taint::NONE)
    }

    /// The block that forbids a call of this tool; `None` if nothing does.
    pub(crate) fn blocked(&self, blocks: &Blocks, tool: &str) -> Option<CallRefusal> {
        let is_ours = |class: &String| class == tool || self.classes.contains(class);
        if let Some(class) = blocks.classes.iter().find(|class| is_ours(class)) {
            return Some(CallRefusal(format!(
                "{class} is blocked for this step because it failed before; use another tool"
            )));
        }
        let hit = blocks.targets.iter().find(|b| is_ours(&b.class) && b.target == self.target)?;
        Some(CallRefusal(format!(
            "{} on {} is blocked for this step because it failed before; use another input",
            hit.class, hit.target
        )))
    }

    /// Why memory calls for caution with a call of this tool; `None` if it does not.
    pub(crate) fn cautioned(&self, blocks: &Blocks, tool: &str) -> Option<String> {
        let is_ours = |class: &String| class == tool || self.classes.contains(class);
        let hit = blocks.cautions.iter().find(|c| is_ours(&c.class) && c.target == self.target)?;
        let on = if hit.target.is_empty() { String::new() } else { format!(" on {}", hit.target) };
        Some(format!("memory calls for caution: {}{on} went wrong before", hit.class))
    }
}

/// Whether a call may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Permission {
    /// Unasked.
    Free,
    /// After a person's yes.
    Ask {
        effects: Vec<EffectClass>,
        /// Absolute paths, or other names of what it touches.
        targets: Vec<String>,
        why: Vec<String>,
    },
    /// Not at all.
    Refuse(CallRefusal),
}

impl Permission {
    /// One effect on one target, to be asked about for this reason.
    pub(crate) fn ask(effect: EffectClass, target: &str, why: impl Into<String>) -> Self {
        Self::Ask { effects: vec![effect], targets: vec![target.to_owned()], why: vec![why.into()] }
    }

    /// The refusal with this reason, which says what to do instead.
    pub(crate) fn refuse(why: impl Into<String>) -> Self {
        Self::Refuse(CallRefusal(why.into()))
    }

    /// What becomes of both together: the stricter of them, and one question for two.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (refused @ Self::Refuse(_), _) | (_, refused @ Self::Refuse(_)) => refused,
            (Self::Free, other) | (other, Self::Free) => other,
            (Self::Ask { effects, targets, why }, Self::Ask { effects: e, targets: t, why: w }) => {
                Self::Ask { effects: joined(effects, e), targets: joined(targets, t), why: joined(why, w) }
            }
        }
    }

    /// The same with one more reason where a person is asked.
    pub(crate) fn because(mut self, reason: String) -> Self {
        if let Self::Ask { why, .. } = &mut self {
            why.push(reason);
        }
        self
    }
}

/// Both lists, each entry once.
fn joined<T: PartialEq>(mut all: Vec<T>, more: Vec<T>) -> Vec<T> {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// What judging a call comes to.
#[derive(Debug, Clone)]
pub(crate) struct Judgement {
    pub(crate) facts: CallFacts,
    pub(crate) permission: Permission,
    /// What a command may do if the call runs, once a person has agreed where one is asked.
    pub(crate) confinement: Confinement,
    /// What becomes of it where the request asks to move files: it runs unasked, in a box in a folder that is kept first.
    pub(crate) moving: Option<Box<(CallFacts, Confinement)>>,
    /// How a command runs in a folder that is no project where not all of it is understood.
    pub(crate) folder: Option<Box<FolderBox>>,
    /// What becomes of it where the files that it would be given cannot be: it runs without them.
    pub(crate) closed: Option<Box<(CallFacts, Confinement)>>,
}

/// A box in a folder of files that is no project, to which the files are added that a command in it may write.
#[derive(Debug, Clone)]
pub(crate) struct FolderBox {
    pub(crate) facts: CallFacts,
    pub(crate) confinement: Confinement,
    /// What the command says that it changes.
    pub(crate) told: Vec<String>,
    /// Whether it takes no name away, as far as it is understood: that cannot be given for some files of a folder alone.
    pub(crate) keeps_names: bool,
    /// The files whose modes it sets.
    pub(crate) modes: Vec<ModeOrder>,
}

impl Judgement {
    /// The judgement on a call that starts no command, or one that nothing confines.
    pub(crate) fn new(facts: CallFacts, permission: Permission) -> Self {
        Self {
            facts,
            permission,
            confinement: Confinement::FullPower,
            moving: None,
            folder: None,
            closed: None,
        }
    }

    /// What becomes of a call that memory calls for caution with. Reading and making new files go on, a command in the
    /// tightest sandbox; what does more, or would run without a sandbox, needs a person's word.
    pub(crate) fn careful(mut self, reach: Reach<'_>) -> Self {
        let is_mild = self.facts.effect <= EffectClass::Create;
        if is_mild {
            self.confinement = self.confinement.tightest();
        }
        let is_contained = reach.is_contained(&self.confinement);
        if self.permission == Permission::Free && !(is_mild && is_contained) {
            let targets = self.facts.changes.clone().filter(|changed| !changed.is_empty());
            let targets = targets.unwrap_or_else(|| vec![self.facts.target.clone()]);
            self.permission = Permission::Ask { effects: vec![self.facts.effect], targets, why: Vec::new() };
        }
        self
    }
}

/// What runs unasked where a task works, by the same facts as the judgement of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlaceRights {
    pub(crate) files: FileRights,
    pub(crate) commands: CommandRights,
}

/// Which files that are there may be changed unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileRights {
    /// Those of a project, which are kept first.
    Project,
    /// Those that the request names, and those that the task made.
    Named,
    /// None.
    Nothing,
}

/// Which commands run unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandRights {
    /// Others than safe ones in a box.
    Boxed,
    /// The same, and what one starts there can serve and be asked by it.
    Serving,
    /// Safe ones alone.
    Safe,
    /// None: nothing would confine them.
    Nothing,
}

impl PlaceRights {
    /// Those of this working directory.
    pub(crate) fn of(places: &PathRules, sandbox: &Sandbox) -> Self {
        let files = match (places.unasked.project, places.project()) {
            (ProjectMode::Ask, _) => FileRights::Nothing,
            (ProjectMode::Work, Some(_)) => FileRights::Project,
            (ProjectMode::Work, None) => FileRights::Named,
        };
        let commands = match sandbox.means() {
            ConfinementMeans::Lacking(_) => CommandRights::Nothing,
            means @ ConfinementMeans::Confining(_) if files != FileRights::Nothing => {
                if means.has_localhost() { CommandRights::Serving } else { CommandRights::Boxed }
            }
            ConfinementMeans::Confining(_) | ConfinementMeans::Waived => CommandRights::Safe,
        };
        Self { files, commands }
    }
}

/// One row of the table of tools.
#[derive(Clone, Copy)]
pub(crate) struct ToolRow {
    /// Its name, which is also its class except for `shell`.
    pub(crate) name: &'static str,
    /// When to use it.
    pub(crate) purpose: &'static str,
    /// What of it runs unasked here.
    pub(crate) unasked: fn(PlaceRights) -> &'static str,
    /// It only looks, so that several of its calls may run together.
    pub(crate) reads: bool,
    /// The program without which there is no such tool.
    needs: Option<HelperProgram>,
    schema: fn() -> Value,
    read: fn(Value) -> serde_json::Result<Box<dyn Tool>>,
}

impl ToolRow {
    /// The row of a tool whose arguments are the fields of `T`: its schema and its parser are derived from them.
    pub(crate) const fn of<T: Tool + DeserializeOwned + JsonSchema + 'static>(
        name: &'static str,
        purpose: &'static str,
    ) -> Self {
        let read = |arguments| Ok(Box::new(serde_json::from_value::<T>(arguments)?) as Box<dyn Tool>);
        Self { name, purpose, unasked: |_| "", reads: false, needs: None, schema: schema::<T>, read }
    }

    /// The same, with what of it runs unasked in a place.
    pub(crate) const fn unasked(self, unasked: fn(PlaceRights) -> &'static str) -> Self {
        Self { unasked, ..self }
    }

    /// The same, for a tool that only looks.
    pub(crate) const fn looking(self) -> Self {
        Self { reads: true, ..self }
    }

    /// The same, for machines that have this program.
    pub(crate) const fn needing(self, program: HelperProgram) -> Self {
        Self { needs: Some(program), ..self }
    }

    /// Whether this machine has the tool.
    pub(crate) fn is_on(&self, installed: &HelperPrograms) -> bool {
        self.needs.is_none_or(|program| installed.path(program).is_some())
    }

    /// JSON schema of the arguments, short: models read it.
    pub(crate) fn schema(&self) -> Value {
        (self.schema)()
    }

    /// The arguments as people write them: `{path, offset?, limit?}`.
    pub(crate) fn signature(&self) -> String {
        let schema = self.schema();
        let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names = schema["properties"].as_object().into_iter().flat_map(Map::keys);
        let mark = |name: &String| if required.contains(&json!(name)) { "" } else { "?" };
        let all: Vec<String> = names.map(|name| format!("{name}{}", mark(name))).collect();
        format!("{{{}}}", all.join(", "))
    }

    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// The first argument that is missing or of the wrong type.
    pub(crate) fn read(&self, arguments: &str) -> Result<Box<dyn Tool>, CallRefusal> {
        let text = if arguments.trim().is_empty() { "{}" } else { arguments };
        let refusal = |problem: String| {
            CallRefusal(format!(
                "the arguments of {} {problem}; give an object {}",
                self.name,
                self.signature()
            ))
        };
        let value: Value =
            serde_json::from_str(text).map_err(|error| refusal(format!("are not JSON ({error})")))?;
        if !value.is_object() {
            return Err(refusal("are no JSON object".to_owned()));
        }
        (self.read)(value).map_err(|error| refusal(format!("do not fit: {error}")))
    }
}

/// The schema that `T` derives, without what tells a model nothing: titles, formats, and that what may be left out may be
/// null as well.
fn schema<T: JsonSchema>() -> Value {
    let derived = schemars::schema_for!(T).to_value();
    let short = |(name, property): (&String, &Value)| {
        let kind = property["type"].as_array().map_or(&property["type"], |kinds| &kinds[0]);
        let mut told = json!({"type": kind, "description": property["description"]});
        if let Some(items) = property.get("items") {
            // Servers refuse a list of which nothing is said.
            told["items"] = items.clone();
        }
        (name.clone(), told)
    };
    let properties: Map<String, Value> =
        derived["properties"].as_object().into_iter().flatten().map(short).collect();
    let required = derived["required"].as_array().cloned().unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": required})
}
