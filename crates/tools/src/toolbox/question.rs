//! The question that a held call puts to a person, bound to exactly that action.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;

use artoo_types::evidence::EffectClass;
use artoo_types::machine::HeldCall;
use artoo_types::text::first_chars;
use artoo_types::tool::ToolCall;
use sha2::{Digest, Sha256};

use crate::action::Action;
use crate::arguments::canonical_arguments;
use crate::gate::escape;
use crate::places::canonical;
use crate::toolbox::CallFacts;

/// Files up to this size are bound by their content, larger ones by identity, size and time of change. Reading this
/// much takes a few milliseconds, and examining a call must be quick.
const DIGEST_BYTES: u64 = 8 << 20;
/// Targets that are bound and shown; a command within the gate's length cannot name many more.
const MAX_TARGETS: usize = 256;
/// Characters of the action that are shown. A command is at most 16 KiB, and escaping can make it longer.
const MAX_ACTION_CHARS: usize = 32 * 1024;

/// The question about a call.
pub(super) fn held(
    call: &ToolCall,
    action: &Action,
    facts: &CallFacts,
    effects: Vec<EffectClass>,
    mut targets: Vec<String>,
    why: &[String],
) -> HeldCall {
    targets.truncate(MAX_TARGETS);
    HeldCall {
        tool: call.tool.clone(),
        action: first_chars(&shown(action, facts), MAX_ACTION_CHARS),
        classes: facts.classes.clone(),
        target: facts.target.clone(),
        effects,
        digest: digest(call, &targets),
        targets: targets.iter().map(|t| escape(t)).collect(),
        why: why.iter().map(|w| escape(w)).collect(),
        undoable: false,
    }
}

fn shown(action: &Action, facts: &CallFacts) -> String {
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
    }
}

/// SHA-256 over tool, arguments, folder and, for each target, its real path and the state of what is there. Every field
/// is preceded by its length, so that no two actions share a spelling.
fn digest(call: &ToolCall, targets: &[String]) -> String {
    let mut hash = Sha256::new();
    let mut field = |text: &[u8]| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    field(call.tool.as_bytes());
    field(canonical_arguments(&call.arguments).as_bytes());
    field(call.working_directory.as_bytes());
    for target in targets {
        field(target.as_bytes());
        if target.starts_with('/') {
            let real = canonical(target);
            field(real.as_bytes());
            field(state(&real).as_bytes());
        }
    }
    hex::encode(hash.finalize())
}

fn state(path: &str) -> String {
    let Ok(meta) = std::fs::symlink_metadata(path) else {
        return "absent".to_owned();
    };
    let identity = format!("{} {} {:o}", meta.dev(), meta.ino(), meta.mode());
    if !meta.is_file() {
        return identity;
    }
    let times = format!("{identity} {} {} {}", meta.size(), meta.mtime(), meta.mtime_nsec());
    if meta.size() > DIGEST_BYTES {
        return times;
    }
    let mut bytes = Vec::new();
    match std::fs::File::open(path).and_then(|f| f.take(DIGEST_BYTES).read_to_end(&mut bytes)) {
        Ok(_) => format!("{times} {}", hex::encode(Sha256::digest(&bytes))),
        Err(error) => format!("{times} unreadable {:?}", error.kind()),
    }
}
