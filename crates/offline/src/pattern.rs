//! Templates: `find [all] {what} (in|under) {place}` and a matcher that must consume the whole text.
//!
//! A space matches spaces, the text's ends, and the border between Chinese and other writing. `(a|b)` is a choice,
//! `[a]` may be left out, `{slot}` is read by [`crate::slots`], `<name>` inserts a fragment from
//! [`crate::fragments`].

use artoo_request::is_han;

use crate::fragments::fragment;
use crate::slots::{Slot, Slots};

/// Positions that one match may have open at once. Real requests need fewer than 30; beyond the bound the text counts
/// as not understood.
const OPEN_MATCHES: usize = 256;
/// Fragments may contain fragments, this deep.
const FRAGMENT_DEPTH: usize = 6;

/// A compiled template.
#[derive(Debug)]
pub(crate) enum PatternNode {
    /// Text, compared without regard to ASCII case.
    Literal(String),
    /// A word border.
    Gap,
    /// A value.
    Slot(Slot),
    /// One after the other.
    Sequence(Vec<PatternNode>),
    /// One of them.
    Choice(Vec<PatternNode>),
}

/// Compiles a template; the reason when it is malformed, which a test excludes for every template of the table.
pub(crate) fn compile(template: &str) -> Result<PatternNode, String> {
    let expanded = expand(template, 0)?;
    let chars: Vec<char> = expanded.chars().collect();
    let mut at = 0;
    let node = choice(&chars, &mut at)?;
    if at == chars.len() { Ok(node) } else { Err(format!("unexpected {:?} in {template:?}", chars[at])) }
}

/// All ways to read the whole of `text`, without repetitions.
pub(crate) fn readings(node: &PatternNode, text: &str) -> Vec<Slots> {
    let mut found: Vec<Slots> = Vec::new();
    for (end, slots) in advance(node, text, vec![(0, Slots::default())]) {
        if end == text.len() && !found.contains(&slots) {
            found.push(slots);
        }
    }
    found
}

/// All ways to read the front of `text`: how long it is, and `slots` with what it holds.
pub(crate) fn prefixes(node: &PatternNode, text: &str, slots: &Slots) -> Vec<(usize, Slots)> {
    advance(node, text, vec![(0, slots.clone())])
}

/// Words of which a matching text must hold at least one, for every group; lower case. They only save time.
pub(crate) fn required(node: &PatternNode) -> Vec<Vec<String>> {
    match node {
        PatternNode::Literal(literal) => vec![vec![literal.to_ascii_lowercase()]],
        PatternNode::Gap | PatternNode::Slot(_) => Vec::new(),
        PatternNode::Sequence(nodes) => nodes.iter().flat_map(required).collect(),
        PatternNode::Choice(nodes) => {
            let mut any = Vec::new();
            for node in nodes {
                // The longest words say most.
                let groups = required(node);
                let best = groups.into_iter().max_by_key(|group| group.iter().map(String::len).min());
                match best {
                    Some(group) => any.extend(group),
                    None => return Vec::new(),
                }
            }
            vec![any]
        }
    }
}

type Open = Vec<(usize, Slots)>;

fn advance(node: &PatternNode, text: &str, from: Open) -> Open {
    if from.is_empty() {
        return from;
    }
    let mut next: Open = Vec::new();
    match node {
        PatternNode::Sequence(nodes) => {
            return nodes.iter().fold(from, |open, node| advance(node, text, open));
        }
        PatternNode::Choice(nodes) => {
            for node in nodes {
                for state in advance(node, text, from.clone()) {
                    push(&mut next, state);
                }
            }
        }
        PatternNode::Literal(literal) => {
            for (at, slots) in from {
                let end = at + literal.len();
                if text.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(literal)) {
                    push(&mut next, (end, slots));
                }
            }
        }
        PatternNode::Gap => {
            for (at, slots) in from {
                if let Some(end) = border(text, at) {
                    push(&mut next, (end, slots));
                }
            }
        }
        PatternNode::Slot(slot) => {
            for (at, slots) in from {
                for (length, filled) in slot.read(&text[at..], &slots) {
                    push(&mut next, (at + length, filled));
                }
            }
        }
    }
    next
}

fn push(open: &mut Open, state: (usize, Slots)) {
    if open.len() < OPEN_MATCHES && !open.contains(&state) {
        open.push(state);
    }
}

/// The position behind a word border at `at`, if there is one.
fn border(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    match (before, after) {
        (_, Some(' ')) => Some(at + 1),
        (None | Some(' '), _) | (_, None) => Some(at),
        (Some(before), Some(after)) => (is_han(before) || is_han(after)).then_some(at),
    }
}

fn expand(template: &str, depth: usize) -> Result<String, String> {
    if depth > FRAGMENT_DEPTH {
        return Err(format!("fragments nested too deep in {template:?}"));
    }
    let mut out = String::new();
    let mut rest = template;
    while let Some(start) = rest.find('<') {
        let length = rest[start..].find('>').ok_or_else(|| format!("missing > in {template:?}"))?;
        out.push_str(&rest[..start]);
        let name = &rest[start + 1..start + length];
        let body = fragment(name).ok_or_else(|| format!("no fragment {name:?}"))?;
        out.push('(');
        out.push_str(&expand(body, depth + 1)?);
        out.push(')');
        rest = &rest[start + length + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn choice(chars: &[char], at: &mut usize) -> Result<PatternNode, String> {
    let mut branches = vec![sequence(chars, at)?];
    while chars.get(*at) == Some(&'|') {
        *at += 1;
        branches.push(sequence(chars, at)?);
    }
    Ok(match branches.pop() {
        Some(only) if branches.is_empty() => only,
        Some(last) => {
            branches.push(last);
            PatternNode::Choice(branches)
        }
        None => PatternNode::Sequence(Vec::new()),
    })
}

fn sequence(chars: &[char], at: &mut usize) -> Result<PatternNode, String> {
    let mut nodes = Vec::new();
    let mut literal = String::new();
    while let Some(&found) = chars.get(*at) {
        if matches!(found, '|' | ')' | ']') {
            break;
        }
        *at += 1;
        if !matches!(found, ' ' | '(' | '[' | '{') {
            literal.push(found);
            continue;
        }
        if !literal.is_empty() {
            nodes.push(PatternNode::Literal(std::mem::take(&mut literal)));
        }
        match found {
            ' ' => nodes.push(PatternNode::Gap),
            '{' => nodes.push(PatternNode::Slot(slot(chars, at)?)),
            opening => {
                let inner = choice(chars, at)?;
                let closing = if opening == '(' { ')' } else { ']' };
                if chars.get(*at) != Some(&closing) {
                    return Err(format!("missing {closing}"));
                }
                *at += 1;
                let optional = opening == '[';
                nodes.push(if optional {
                    PatternNode::Choice(vec![inner, PatternNode::Sequence(Vec::new())])
                } else {
                    inner
                });
            }
        }
    }
    if !literal.is_empty() {
        nodes.push(PatternNode::Literal(literal));
    }
    Ok(PatternNode::Sequence(nodes))
}

fn slot(chars: &[char], at: &mut usize) -> Result<Slot, String> {
    let name: String = chars[*at..].iter().take_while(|found| **found != '}').collect();
    *at += name.chars().count() + 1;
    Slot::named(&name).ok_or_else(|| format!("no slot {name:?}"))
}
