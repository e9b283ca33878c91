//! The question that a held call puts to a person, bound to exactly that action.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;

use artoo_types::evidence::EffectClass;
use artoo_types::machine::HeldCall;
use artoo_types::text::first_chars;
use artoo_types::tool::ToolCall;
use artoo_types::undo::{TargetKind, TargetState, Undoing};
use sha2::{Digest, Sha256};

use crate::action::Action;
use crate::judge;
use crate::toolbox::{CallFacts, Toolbox};
use artoo_command::sandbox::Confinement;
use artoo_gate::places::{canonical, canonical_entry};
use artoo_trash::{Budget, Measured, measure, real_paths};
use artoo_types::text::escape;
use artoo_types::tool::canonical_arguments;

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
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) call: &'a ToolCall,
    pub(super) action: &'a Action,
    pub(super) facts: &'a CallFacts,
    /// What it may do once a person has agreed.
    pub(super) confinement: &'a Confinement,
}

impl Toolbox {
    /// The question about a call.
    pub(super) fn held(
        &self,
        told: Told<'_>,
        mut effects: Vec<EffectClass>,
        mut targets: Vec<String>,
        why: &[String],
    ) -> HeldCall {
        let Told { call, action, facts, .. } = told;
        let mut why: Vec<String> = why.iter().map(|w| escape(w)).collect();
        if targets.len() > MAX_TARGETS {
            // What is not shown cannot be agreed to as a kind, only as this very call.
            why.push(format!(
                "only the first {MAX_TARGETS} of {} places that it touches are shown",
                targets.len()
            ));
            targets.truncate(MAX_TARGETS);
            effects.push(EffectClass::Unknown);
        }
        let mut budget = Budget::default();
        let changes = facts.changes.as_deref().map(|paths| real_paths(&effects, paths));
        let measured: BTreeMap<String, Measured> =
            changes.iter().flatten().map(|path| (path.clone(), measure(path, &mut budget))).collect();
        let undo = match self.task_id {
            Some(_) => self.trash().appraise(&effects, changes.as_deref(), &measured),
            None => Undoing::No { why: "nothing is kept outside of a task".to_owned() },
        };
        let caution = judge::cautioned(&call.blocked, &call.tool, facts);
        why.extend(caution.iter().map(|w| escape(w)));
        let mut left = ALL_DIGEST_BYTES;
        let seen: Vec<Seen> = targets.iter().map(|target| look(target, &measured, &mut left)).collect();
        HeldCall {
            tool: call.tool.clone(),
            action: first_chars(&shown(action, facts), MAX_ACTION_CHARS),
            classes: facts.classes.clone(),
            target: facts.target.clone(),
            digest: self.digest(told, &targets, &seen, &measured, &undo),
            effects,
            targets: targets.iter().map(|t| escape(t)).collect(),
            why,
            caution: caution.is_some(),
            states: seen.into_iter().map(|seen| seen.told).collect(),
            undo: match undo {
                Undoing::No { why } => Undoing::No { why: escape(&why) },
                Undoing::Trash { bytes } => Undoing::Trash { bytes },
            },
        }
    }

    /// SHA-256 over tool, arguments, folder, the environment that commands get, what it may do once it is agreed to, what is
    /// promised about undoing and, for each target, its real path and the state of what is there; of folders that change, of everything in them. Every field is
    /// preceded by its length, so that no two actions share a spelling.
    fn digest(
        &self,
        Told { call, confinement, .. }: Told<'_>,
        targets: &[String],
        seen: &[Seen],
        measured: &BTreeMap<String, Measured>,
        undo: &Undoing,
    ) -> String {
        let mut hash = Sha256::new();
        let mut field = |text: &[u8]| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        field(call.tool.as_bytes());
        field(canonical_arguments(&call.arguments).as_bytes());
        field(call.working_directory.as_bytes());
        for (name, value) in &self.shared.config.environment {
            field(name.as_bytes());
            field(value.as_bytes());
        }
        field(format!("{confinement:?}").as_bytes());
        field(if undo.is_possible() { b"kept" } else { b"for good" });
        for (target, seen) in targets.iter().zip(seen) {
            field(target.as_bytes());
            field(seen.told.leads_to.as_bytes());
            field(seen.identity.as_bytes());
        }
        for (path, measured) in measured {
            field(path.as_bytes());
            field(measured.listing.as_bytes());
        }
        hex::encode(hash.finalize())
    }
}

/// The question about a call that was agreed to when its targets were others.
pub(super) fn changed(held: HeldCall) -> HeldCall {
    let HeldCall { mut why, .. } = held;
    why.insert(0, CHANGED.to_owned());
    HeldCall { why, ..held }
}

/// A target as it is now.
struct Seen {
    told: TargetState,
    /// What tells it from everything else that may lie there.
    identity: String,
}

/// Looks at a target; `left` is how much may still be read.
fn look(target: &str, measured: &BTreeMap<String, Measured>, left: &mut u64) -> Seen {
    if !target.starts_with('/') {
        let told = state(target, target, TargetKind::Absent);
        return Seen { told, identity: String::new() };
    }
    let (place, leads_to) = (canonical_entry(target), canonical(target));
    let mut told = state(&place, &leads_to, TargetKind::Absent);
    let Ok(link) = std::fs::symlink_metadata(&place) else {
        return Seen { told, identity: "absent".to_owned() };
    };
    told.kind = kind(&link);
    let mut identity = format!("{} {} {:o}", link.dev(), link.ino(), link.mode());
    if let Some(measured) = measured.get(&place) {
        (told.bytes, told.files) = (measured.bytes, measured.files);
    }
    let Ok(meta) = std::fs::symlink_metadata(&leads_to) else { return Seen { told, identity } };
    if link.is_symlink() {
        identity.push_str(&format!(" {} {} {:o}", meta.dev(), meta.ino(), meta.mode()));
    }
    if meta.is_file() {
        (told.bytes, told.files) = (meta.size(), 1);
        identity.push_str(&format!(" {} {} {}", meta.size(), meta.mtime(), meta.mtime_nsec()));
        if meta.size() <= DIGEST_BYTES.min(*left) {
            *left -= meta.size();
            told.sha256 = content(&leads_to).unwrap_or_default();
            identity.push_str(&format!(" {}", told.sha256));
        }
    }
    Seen { told, identity }
}

fn state(real: &str, leads_to: &str, kind: TargetKind) -> TargetState {
    TargetState {
        real: escape(real),
        leads_to: escape(leads_to),
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

/// SHA-256 of a small file's content; none when it cannot be read.
fn content(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|f| f.take(DIGEST_BYTES + 1).read_to_end(&mut bytes)).ok()?;
    Some(hex::encode(Sha256::digest(&bytes)))
}

/// The exact action, escaped for display.
pub(super) fn shown(action: &Action, facts: &CallFacts) -> String {
    let target = escape(&facts.target);
    match action {
        Action::Shell(a) => escape(&a.command),
        Action::AppleScript(a) => format!("run this AppleScript:\n{}", escape(&a.script)),
        Action::Shortcut(a) => match &a.input {
            None => format!("run the shortcut {target} without input"),
            Some(input) => format!("run the shortcut {target} with the input\n{}", escape(input)),
        },
        Action::WriteFile(a) => {
            format!("write {} bytes to the new file {target}:\n{}", a.content.len(), escape(&a.content))
        }
        Action::EditFile(a) => {
            format!("in {target} replace\n{}\nby\n{}", escape(&a.old), escape(&a.new))
        }
        Action::ReadFile(_) => format!("read {target}"),
        Action::FindFiles(_) | Action::Glob(_) => format!("list the files {target}"),
        Action::FetchUrl(_) => format!("fetch {target}"),
        Action::Search(a) => format!("search the web for {}", escape(&a.query)),
        Action::ReadOutput(_) => format!("read the output of {target}"),
        Action::Mcp(call) => call.shown(),
    }
}
