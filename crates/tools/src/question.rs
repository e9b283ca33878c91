//! The question that a held call puts to a person, bound to exactly that action.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;

use artoo_command::sandbox::Confinement;
use artoo_gate::paths::{canonical, canonical_entry};
use artoo_trash::{KeptProject, PathBudget, PathMeasure, Trash, measure, real_paths};
use artoo_types::evidence::EffectClass;
use artoo_types::machine::HeldCall;
use artoo_types::text::{escape_line, first_chars};
use artoo_types::tool::{ToolCall, canonical_arguments};
use artoo_types::undo::{TargetKind, TargetState, Undoing};
use sha2::{Digest, Sha256};

use crate::tool::{CallFacts, Tool};

/// Files up to this size are bound by their content, larger ones by identity, size and time of change. Reading this
/// much takes a few milliseconds, and examining a call must be quick.
const DIGEST_BYTES: u64 = 8 << 20;
/// Bytes that are read for one question, whatever it names.
const ALL_DIGEST_BYTES: u64 = 4 * DIGEST_BYTES;
/// Targets that are bound and shown, as many as the gate tells of a command.
const MAX_TARGETS: usize = 256;
/// Characters of the action that are shown. A command is at most 16 KiB, and escaping can make it longer.
const MAX_ACTION_CHARS: usize = 32 * 1024;

/// Why a call is asked about a second time.
const CHANGED: &str = "nothing was done after your yes, because what it was about has changed since you were asked: \
                       look at it again";

/// A call as a question tells it.
pub(crate) struct QuestionDraft<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) tool: &'a dyn Tool,
    pub(crate) facts: &'a CallFacts,
    /// What it may do once a person has agreed.
    pub(crate) confinement: &'a Confinement,
    pub(crate) effects: Vec<EffectClass>,
    pub(crate) targets: Vec<String>,
    pub(crate) why: Vec<String>,
}

/// A question, and what it is about as it was when the question was made.
#[derive(Debug, Clone)]
pub(crate) struct BoundQuestion {
    pub(crate) held: HeldCall,
    /// The targets and the paths that change, not escaped.
    targets: Vec<String>,
    changes: Option<Vec<String>>,
    /// The project among these, and where it would be kept.
    project: Option<(KeptProject, Option<Trash>)>,
    /// Digest of where these are and what they look like from outside.
    look: String,
    /// The files that it names, and the same of them.
    names: Vec<String>,
    names_look: String,
}

impl QuestionDraft<'_> {
    /// The question. `environment` is what commands get; `trash` is where what changes is copied, in a task.
    pub(crate) fn bind(
        mut self,
        environment: &BTreeMap<String, String>,
        trash: Option<&Trash>,
    ) -> BoundQuestion {
        let mut why: Vec<String> = self.why.iter().map(|w| escape_line(w)).collect();
        if self.targets.len() > MAX_TARGETS {
            // What is not shown cannot be agreed to as a kind, only as this very call.
            why.push(format!(
                "only the first {MAX_TARGETS} of {} places that it touches are shown",
                self.targets.len()
            ));
            self.targets.truncate(MAX_TARGETS);
            self.effects.push(EffectClass::Unknown);
        }
        let changes = self.facts.changes.as_deref().map(|paths| real_paths(&self.effects, paths));
        let project = self.facts.project.clone();
        let measured = measured(changes.as_deref(), project.as_ref(), trash);
        let undo = match trash {
            Some(trash) => trash.appraise(&self.effects, changes.as_deref(), &measured),
            None => Undoing::No { why: "nothing is kept outside of a task".to_owned() },
        };
        let caution = self.facts.cautioned(&self.call.blocked, &self.call.tool);
        why.extend(caution.iter().map(|w| escape_line(w)));
        let seen = look_at(&self.targets, &measured, ALL_DIGEST_BYTES);
        let digest = self.digest(environment, &seen, &measured, &undo);
        let action = self.tool.describe(&escape_line(&self.facts.target));
        let held = HeldCall {
            tool: self.call.tool.clone(),
            action: first_chars(&action, MAX_ACTION_CHARS),
            classes: self.facts.classes.clone(),
            target: self.facts.target.clone(),
            digest,
            effects: self.effects,
            targets: self.targets.iter().map(|t| escape_line(t)).collect(),
            why,
            caution: caution.is_some(),
            undo: match undo {
                Undoing::No { why } => Undoing::No { why: escape_line(&why) },
                Undoing::Trash { bytes } => Undoing::Trash { bytes },
            },
            states: Vec::new(),
        };
        let look = look_digest(&self.targets, &seen, &measured);
        let states = seen.into_iter().map(|seen| seen.state).collect();
        BoundQuestion {
            held: HeldCall { states, ..held },
            targets: self.targets,
            changes,
            project: project.map(|project| (project, trash.cloned())),
            look,
            names: self.facts.names.clone(),
            names_look: names_digest(&self.facts.names, 0),
        }
    }

    /// SHA-256 over tool, arguments, folder, the environment that commands get, what it may do once it is agreed to, what is
    /// promised about undoing and, for each target, its real path and the state of what is there; of folders that change,
    /// of everything in them; of the files that a command names, their content. Every field is preceded by its length, so that no two actions share a spelling.
    fn digest(
        &self,
        environment: &BTreeMap<String, String>,
        seen: &[TargetSeen],
        measured: &BTreeMap<String, PathMeasure>,
        undo: &Undoing,
    ) -> String {
        let mut hash = FieldHash::default();
        hash.add(&self.call.tool);
        hash.add(&canonical_arguments(&self.call.arguments));
        hash.add(&self.call.working_directory);
        for (name, value) in environment {
            hash.add(name);
            hash.add(value);
        }
        hash.add(&format!("{:?}", self.confinement));
        hash.add(if undo.is_possible() { "kept" } else { "for good" });
        hash.add(&look_digest(&self.targets, seen, measured));
        seen.iter().for_each(|seen| hash.add(&seen.state.sha256));
        hash.add(&names_digest(&self.facts.names, ALL_DIGEST_BYTES));
        hash.hex()
    }
}

impl BoundQuestion {
    /// What the question says that the call touches, not escaped.
    pub(crate) fn targets(&self) -> &[String] {
        &self.targets
    }

    /// Whether what it is about looks from outside as it did when the question was made. No content is read.
    pub(crate) fn looks_the_same(&self) -> bool {
        let changes = self.changes.as_deref().map(|paths| real_paths(&self.held.effects, paths));
        let (project, trash) = match &self.project {
            Some((project, trash)) => (Some(project), trash.as_ref()),
            None => (None, None),
        };
        let measured = measured(changes.as_deref(), project, trash);
        changes == self.changes
            && names_digest(&self.names, 0) == self.names_look
            && look_digest(&self.targets, &look_at(&self.targets, &measured, 0), &measured) == self.look
    }

    /// The question about a call that was agreed to when its targets were others.
    pub(crate) fn changed(mut self) -> Self {
        self.held.why.insert(0, CHANGED.to_owned());
        self
    }
}

/// A hash over fields, each preceded by its length.
#[derive(Default)]
struct FieldHash(Sha256);

impl FieldHash {
    fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    fn hex(self) -> String {
        hex::encode(self.0.finalize())
    }
}

/// Digest of these files: of their content, as far as so many bytes are read, else of what tells them from others.
fn names_digest(files: &[String], mut left: u64) -> String {
    let mut hash = FieldHash::default();
    for file in files {
        hash.add(file);
        hash.add(&canonical(file));
        let Ok(meta) = std::fs::metadata(file) else { continue };
        let is_read = meta.is_file() && meta.size() <= DIGEST_BYTES.min(left);
        match is_read.then(|| content(file)).flatten() {
            Some(sha256) => {
                left -= meta.size();
                hash.add(&sha256);
            }
            None => hash.add(&format!(
                "{} {} {} {} {} {}",
                meta.dev(),
                meta.ino(),
                meta.size(),
                meta.mtime(),
                meta.ctime(),
                meta.ctime_nsec()
            )),
        }
    }
    hash.hex()
}

/// What lies at the paths that change; of a project, what would be kept of it.
fn measured(
    changes: Option<&[String]>,
    project: Option<&KeptProject>,
    trash: Option<&Trash>,
) -> BTreeMap<String, PathMeasure> {
    let mut budget = PathBudget::default();
    let mut measure_one = |path: &String| match (project, trash) {
        (Some(project), Some(trash)) if project.root == *path => trash.measure_project(project),
        _ => measure(path, &mut budget),
    };
    changes.into_iter().flatten().map(|path| (path.clone(), measure_one(path))).collect()
}

/// A target as it is now.
struct TargetSeen {
    state: TargetState,
    /// What tells it from everything else that may lie there, apart from its content.
    identity: String,
}

/// The targets as they are now; so many bytes of what is in them are read.
fn look_at(targets: &[String], measured: &BTreeMap<String, PathMeasure>, mut left: u64) -> Vec<TargetSeen> {
    targets.iter().map(|target| look(target, measured, &mut left)).collect()
}

fn look_digest(targets: &[String], seen: &[TargetSeen], measured: &BTreeMap<String, PathMeasure>) -> String {
    let mut hash = FieldHash::default();
    for (target, seen) in targets.iter().zip(seen) {
        hash.add(target);
        hash.add(&seen.state.leads_to);
        hash.add(&seen.identity);
    }
    for (path, measured) in measured {
        hash.add(path);
        hash.add(&measured.listing);
    }
    hash.hex()
}

/// Looks at a target; `left` is how much may still be read.
fn look(target: &str, measured: &BTreeMap<String, PathMeasure>, left: &mut u64) -> TargetSeen {
    if !target.starts_with('/') {
        return TargetSeen { state: state(target, target, TargetKind::Absent), identity: String::new() };
    }
    let (place, leads_to) = (canonical_entry(target), canonical(target));
    let mut state = state(&place, &leads_to, TargetKind::Absent);
    let Ok(link) = std::fs::symlink_metadata(&place) else {
        return TargetSeen { state, identity: "absent".to_owned() };
    };
    state.kind = kind(&link);
    let mut identity = format!("{} {} {:o}", link.dev(), link.ino(), link.mode());
    if let Some(measured) = measured.get(&place) {
        (state.bytes, state.files) = (measured.bytes, measured.files);
    }
    let Ok(meta) = std::fs::symlink_metadata(&leads_to) else { return TargetSeen { state, identity } };
    if link.is_symlink() {
        identity.push_str(&format!(" {} {} {:o}", meta.dev(), meta.ino(), meta.mode()));
    }
    if meta.is_file() {
        (state.bytes, state.files) = (meta.size(), 1);
        identity.push_str(&format!(" {} {} {}", meta.size(), meta.mtime(), meta.mtime_nsec()));
        if meta.size() <= DIGEST_BYTES.min(*left) {
            *left -= meta.size();
            state.sha256 = content(&leads_to).unwrap_or_default();
        }
    }
    TargetSeen { state, identity }
}

fn state(real: &str, leads_to: &str, kind: TargetKind) -> TargetState {
    TargetState {
        real: escape_line(real),
        leads_to: escape_line(leads_to),
        kind,
        bytes: 0,
        files: 0,
        sha256: String::new(),
    }
}

fn kind(meta: &std::fs::Metadata) -> TargetKind {
    if meta.is_file() {
        TargetKind::File
    } else if meta.is_dir() {
        TargetKind::Folder
    } else if meta.is_symlink() {
        TargetKind::Link
    } else {
        TargetKind::Other
    }
}

/// SHA-256 of a small file's content; `None` if it cannot be read.
fn content(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|f| f.take(DIGEST_BYTES + 1).read_to_end(&mut bytes)).ok()?;
    Some(hex::encode(Sha256::digest(&bytes)))
}
