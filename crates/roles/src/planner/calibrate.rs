//! What memory means for a plan: lines for the prompt, and the part that code enforces.

use artoo_types::memory::{MemoryAction, MemoryEntry, MemoryReply};
use artoo_types::plan::BlockedTarget;
use artoo_types::tag::Tag;
use artoo_types::text::first_chars;

use crate::prompt::one_line;

/// Characters of one memory in a prompt: ten entries with three memories each stay below 10,000.
const MEMORY_CHARS: usize = 300;

/// Characters of a request that a memory was learned from.
const REQUEST_CHARS: usize = 120;

/// The `## Memory` section: one line a rule or advice.
pub(super) fn lines(memory: &MemoryReply) -> String {
    let mut lines = Vec::new();
    for entry in &memory.entries {
        let source = source(entry);
        for sop in &entry.sops {
            let word = match (entry.is_hint(), sop.sigma > 0.0) {
                (false, true) => "RULE",
                (false, false) => "MUST NOT",
                (true, true) => "HINT",
                (true, false) => "CAUTION",
            };
            lines.push(format!("{word}: {}{source}", short(&sop.content)));
        }
        if entry.tag == Tag::user() {
            lines.extend(entry.top.iter().map(|m| format!("FACT: {}", short(&m.content))));
            continue;
        }
        lines.extend(advice(entry).iter().map(|line| format!("{line}{source}")));
    }
    lines.join("\n")
}

/// The advice of one entry, with the memories it rests on.
fn advice(entry: &MemoryEntry) -> Vec<String> {
    let is_intent = entry.tag.space.starts_with("intent:");
    let word = match entry.potentials.action {
        MemoryAction::Ignore => return Vec::new(),
        // What is known about another task warns at most.
        MemoryAction::Exploit if entry.is_hint() => "HINT",
        MemoryAction::Avoid if entry.is_hint() => "CAUTION",
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
        .map(|m| format!("{word}: {}", short(&m.content)))
        .collect();
    if lines.is_empty() {
        lines.push(format!("{word}: {} {}", entry.tag.space, entry.tag.entity));
    }
    lines
}

/// The (class, target) pairs that memory forbids: exact tags whose potentials say Avoid, or that carry a rule against
/// them.
pub(super) fn forbidden(memory: &MemoryReply) -> Vec<BlockedTarget> {
    memory
        .entries
        .iter()
        .filter(|e| !e.is_hint())
        .filter(|e| e.potentials.action == MemoryAction::Avoid || e.sops.iter().any(|s| s.sigma <= 0.0))
        .filter_map(|e| {
            let class = e.tag.space.strip_prefix("tool:")?;
            let target = e.tag.entity.strip_prefix("path:").filter(|t| *t != "*")?;
            Some(BlockedTarget { class: decoded(class), target: decoded(target) })
        })
        .collect()
}

/// Where the advice comes from, when it was learned under another request.
fn source(entry: &MemoryEntry) -> String {
    let Some(via) = &entry.via else { return String::new() };
    let request = first_chars(&one_line(&via.request), REQUEST_CHARS);
    if entry.is_hint() {
        format!(" (learned from another request that looks like this one: \"{request}\")")
    } else {
        format!(" (learned from the same task in other words: \"{request}\")")
    }
}

fn short(content: &str) -> String {
    first_chars(&one_line(content), MEMORY_CHARS)
}

/// The raw form of a part of a tag, which is percent-encoded.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        match rest.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[at + 3..];
            }
            None => {
                bytes.push(b'%');
                rest = &rest[at + 1..];
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
