//! What memory means for a plan: lines for the prompt, and the part that code enforces.

use artoo_types::declare::MAX_FACT_CHARS;
use artoo_types::memory::{Level, MemoryAction, MemoryEntry, MemoryReply, SopRecord};
use artoo_types::plan::BlockedTarget;
use artoo_types::tag::{Tag, fold};
use artoo_types::text::first_chars;

use crate::prompt::one_line;

/// Characters of one memory in a prompt: ten entries with three memories, six rules and three proposals each stay below
/// 40,000.
const MEMORY_CHARS: usize = 300;

/// Characters of a request that a memory was learned from.
const REQUEST_CHARS: usize = 120;

/// Characters of a declared fact: the whole of it, see `artoo_types::declare`.
const FACT_CHARS: usize = MAX_FACT_CHARS;

/// Rules of one tag. There is one for each sign, and what the operator added.
const RULES: usize = 6;

/// Proposals of one tag.
const PROPOSALS: usize = 3;

/// What the person declared, newest first: more than a plan can mind is none. The others stay in the memory.
const FACTS: usize = 20;

/// What a rule is to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Force {
    /// A law of the operator: above everything else.
    Law,
    /// Distilled from experience, or declared; it binds.
    Binding,
    /// Newer experience contradicts it: it is told, and binds nobody.
    Outdated,
}

impl Force {
    fn of(sop: &SopRecord) -> Self {
        match sop.level {
            Level::T => Self::Law,
            Level::M | Level::K | Level::C if sop.overwritten => Self::Outdated,
            Level::M | Level::K | Level::C => Self::Binding,
        }
    }
}

/// The `## Memory` section: one line a rule or advice, laws first.
pub(super) fn lines(memory: &MemoryReply) -> String {
    let (mut laws, mut lines) = (Vec::new(), Vec::new());
    for entry in &memory.entries {
        let source = source(entry);
        let by_force = |force: Force| entry.sops.iter().filter(move |sop| Force::of(sop) == force);
        laws.extend(
            by_force(Force::Law).map(|sop| format!("{}: {}{source}", word(entry, sop), short(&sop.content))),
        );
        if entry.tag == Tag::user() {
            lines.extend(facts(entry));
            continue;
        }
        let rules = by_force(Force::Binding).chain(by_force(Force::Outdated)).take(RULES);
        lines.extend(rules.map(|sop| format!("{}: {}{source}", word(entry, sop), short(&sop.content))));
        lines.extend(advice(entry).iter().map(|line| format!("{line}{source}")));
        let proposals = entry.proposals.iter().take(PROPOSALS);
        lines.extend(proposals.map(|proposal| {
            format!("HYPOTHESIS (untested; may be tried once): {}{source}", short(&proposal.content))
        }));
    }
    laws.append(&mut lines);
    laws.join("\n")
}

/// The word before a rule.
fn word(entry: &MemoryEntry, sop: &SopRecord) -> &'static str {
    let is_practice = sop.sigma > 0.0;
    match Force::of(sop) {
        Force::Law if !entry.is_hint() && is_practice => "LAW",
        Force::Outdated if !entry.is_hint() => {
            "OUTDATED? (newer experience contradicts it; it does not bind)"
        }
        Force::Law | Force::Binding | Force::Outdated => match (entry.is_hint(), is_practice) {
            (false, true) => "RULE",
            (false, false) => "MUST NOT",
            (true, true) => "HINT",
            (true, false) => "CAUTION",
        },
    }
}

/// What is known about the person: what they declared, in the order in which the memory gives it, which is newest first,
/// and what was learned. Words that are said twice are told once.
fn facts(entry: &MemoryEntry) -> Vec<String> {
    let declared = entry.sops.iter().filter(|sop| Force::of(sop) != Force::Law);
    let declared = declared.map(|sop| (if sop.sigma > 0.0 { "FACT" } else { "MUST NOT" }, &sop.content));
    let learned = entry.top.iter().map(|megram| ("FACT", &megram.content));
    let mut seen: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for (word, content) in declared.chain(learned) {
        let folded = fold(content);
        if lines.len() < FACTS && !seen.contains(&folded) {
            seen.push(folded);
            lines.push(format!("{word}: {}", first_chars(&one_line(content), FACT_CHARS)));
        }
    }
    lines
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
/// them which binds. A law decides before either.
pub(super) fn forbidden(memory: &MemoryReply) -> Vec<BlockedTarget> {
    let pairs = memory.entries.iter().filter(|entry| forbids(entry)).filter_map(pair);
    pairs.filter(|pair| pair.target != ANY).collect()
}

/// The classes that a law forbids on every target. Experience alone never takes a whole class away: it may have failed
/// for one task and be the only way in another.
pub(super) fn forbidden_classes(memory: &MemoryReply) -> Vec<String> {
    let by_law = |entry: &&MemoryEntry| !entry.is_hint() && law(entry) == Some(false);
    let pairs = memory.entries.iter().filter(by_law).filter_map(pair);
    pairs.filter(|pair| pair.target == ANY).map(|pair| pair.class).collect()
}

/// The entity of a tag that stands for every target of its class, without its prefix.
const ANY: &str = "*";

fn forbids(entry: &MemoryEntry) -> bool {
    if entry.is_hint() {
        return false;
    }
    let against = |sop: &SopRecord| sop.sigma <= 0.0 && Force::of(sop) == Force::Binding;
    match law(entry) {
        Some(allows) => !allows,
        None => entry.potentials.action == MemoryAction::Avoid || entry.sops.iter().any(against),
    }
}

/// What the laws of a tag say, if there is one: one that forbids outweighs one that does not.
fn law(entry: &MemoryEntry) -> Option<bool> {
    let laws = entry.sops.iter().filter(|sop| Force::of(sop) == Force::Law);
    laws.map(|sop| sop.sigma > 0.0).reduce(|a, b| a && b)
}

/// The class and the target of a tag of a tool.
fn pair(entry: &MemoryEntry) -> Option<BlockedTarget> {
    let class = entry.tag.space.strip_prefix("tool:")?;
    let target = entry.tag.entity.strip_prefix("path:")?;
    Some(BlockedTarget { class: decoded(class), target: decoded(target) })
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
