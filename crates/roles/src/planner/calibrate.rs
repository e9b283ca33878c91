//! What memory means for a plan: lines for the prompt, and the part that code enforces.

use artoo_types::memory::{MemoryAction, MemoryEntry, MemoryReply};
use artoo_types::plan::BlockedTarget;
use artoo_types::tag::Tag;
use artoo_types::text::first_chars;

/// Characters of one memory in a prompt: ten entries with three memories each stay below 10,000.
const MEMORY_CHARS: usize = 300;

/// The `## Memory` section: one line a rule or advice.
pub(super) fn lines(memory: &MemoryReply) -> String {
    let mut lines = Vec::new();
    for entry in &memory.entries {
        for sop in &entry.sops {
            let word = if sop.sigma > 0.0 { "RULE" } else { "MUST NOT" };
            lines.push(format!("{word}: {}", first_chars(&sop.content, MEMORY_CHARS)));
        }
        if entry.tag == Tag::user() {
            lines.extend(entry.top.iter().map(|m| format!("FACT: {}", first_chars(&m.content, MEMORY_CHARS))));
            continue;
        }
        lines.extend(advice(entry));
    }
    lines.join("\n")
}

/// The advice of one entry, with the memories it rests on.
fn advice(entry: &MemoryEntry) -> Vec<String> {
    let is_intent = entry.tag.space.starts_with("intent:");
    let word = match entry.potentials.action {
        MemoryAction::Ignore => return Vec::new(),
        MemoryAction::Exploit => "SHOULD PREFER",
        // An Avoid on an intent forbids what failed, never the intent.
        MemoryAction::Avoid if is_intent => "MUST NOT repeat",
        MemoryAction::Avoid => "MUST NOT use",
        MemoryAction::Caution => "CAUTION",
    };
    let helps = |sigma: f64| match entry.potentials.action {
        MemoryAction::Exploit => sigma > 0.0,
        MemoryAction::Avoid => sigma < 0.0,
        MemoryAction::Caution | MemoryAction::Ignore => true,
    };
    let mut lines: Vec<String> = entry
        .top
        .iter()
        .filter(|m| helps(m.sigma))
        .map(|m| format!("{word}: {}", first_chars(&m.content, MEMORY_CHARS)))
        .collect();
    if lines.is_empty() {
        lines.push(format!("{word}: {} {}", entry.tag.space, entry.tag.entity));
    }
    lines
}

/// The (class, target) pairs that memory forbids: exact tags whose potentials say Avoid.
pub(super) fn forbidden(memory: &MemoryReply) -> Vec<BlockedTarget> {
    memory
        .entries
        .iter()
        .filter(|e| e.potentials.action == MemoryAction::Avoid)
        .filter_map(|e| {
            let class = e.tag.space.strip_prefix("tool:")?;
            let target = e.tag.entity.strip_prefix("path:").filter(|t| *t != "*")?;
            Some(BlockedTarget { class: class.to_owned(), target: target.to_owned() })
        })
        .collect()
}
