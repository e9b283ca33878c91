//! What a stranger can take in: types that lie in few files, with few fields and a meaning of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{Crate, Module};
use crate::source::{closing, words};

/// Names that each role and each library may define for itself.
const SHARED_NAMES: [&str; 3] = ["Input", "Effect", "Error"];
/// Participles that say what happened and not what it is.
const PARTICIPLES: [&str; 12] = [
    "Told", "Kept", "Made", "Given", "Found", "Seen", "Known", "Written", "Wanted", "Weighed", "Doomed",
    "Taken",
];

/// In how many files each type has an `impl` of its own, by crate and type. Traits that it implements do not count.
pub(crate) fn impl_files(crates: &[Crate]) -> BTreeMap<String, usize> {
    let mut most = BTreeMap::new();
    for of in crates {
        let mut files: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
        for (at, module) in &of.modules {
            for subject in words(&module.code, "impl").filter_map(|offset| inherent(&module.code, offset)) {
                let names: Vec<&str> = subject.split("::").collect();
                // What is not found is defined here, by a macro or in a block.
                let defined = of.resolve(at, &names).unwrap_or((at.clone(), subject.clone()));
                files.entry(defined).or_default().insert(&module.file);
            }
        }
        for ((_, name), files) in files {
            let count: &mut usize = most.entry(format!("{} {name}", of.folder)).or_default();
            *count = files.len().max(*count);
        }
    }
    most
}

/// The type of the `impl` at an offset. None where it implements a trait, and for `impl Trait` in a type.
fn inherent(code: &str, offset: usize) -> Option<String> {
    let starts_item =
        code[..offset].trim_end().ends_with(['}', ';', '{', ']']) || code[..offset].trim().is_empty();
    let head = &code[offset + 4..offset + code[offset..].find('{')?];
    let head = head.trim_start();
    let subject = if head.starts_with('<') { head[after_angles(head)..].trim_start() } else { head };
    let end = subject.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(subject.len());
    let is_trait = words(head, "for").any(|at| !head[at..].starts_with("for<"));
    (starts_item && !is_trait && end > 0).then(|| subject[..end].to_owned())
}

/// The offset behind the `>` that closes the `<` at the start.
fn after_angles(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        before = c;
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// How many named fields each struct has, by crate and type.
pub(crate) fn fields(crates: &[Crate]) -> BTreeMap<String, usize> {
    let mut most = BTreeMap::new();
    for (of, module) in modules(crates) {
        for (name, end) in definitions(&module.code, "struct") {
            let Some(open) = module.code[end..].find(['{', ';', '(']).map(|at| end + at) else { continue };
            if module.code[open..].starts_with('{') {
                let fields = count_fields(&module.code[open + 1..closing(&module.code, open)]);
                let count: &mut usize = most.entry(format!("{} {name}", of.folder)).or_default();
                *count = fields.max(*count);
            }
        }
    }
    most
}

fn modules(crates: &[Crate]) -> impl Iterator<Item = (&Crate, &Module)> {
    crates.iter().flat_map(|of| of.modules.values().map(move |module| (of, module)))
}

/// Colons outside of brackets that stand alone.
fn count_fields(body: &str) -> usize {
    let mut depth = 0_i32;
    let bytes = body.as_bytes();
    let mut count = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b':' if depth == 0 && bytes.get(at + 1) != Some(&b':') && bytes[at - 1] != b':' => count += 1,
            _ => {}
        }
    }
    count
}

/// How many types bear each name. Those in macros and blocks do not count.
pub(crate) fn meanings(crates: &[Crate]) -> BTreeMap<String, usize> {
    let mut meanings = BTreeMap::new();
    for (_, module) in modules(crates) {
        for keyword in ["struct", "enum", "trait", "type", "union"] {
            for (name, _) in
                definitions(&module.code, keyword).filter(|(name, _)| !SHARED_NAMES.contains(name))
            {
                *meanings.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    meanings
}

/// How many types are called by each participle.
pub(crate) fn participles(crates: &[Crate]) -> BTreeMap<String, usize> {
    let mut named = meanings(crates);
    named.retain(|name, _| PARTICIPLES.contains(&name.as_str()));
    named
}

/// Name and end of name of each definition with a keyword at the beginning of a line.
fn definitions<'a>(code: &'a str, keyword: &'a str) -> impl Iterator<Item = (&'a str, usize)> {
    words(code, keyword).filter_map(move |at| {
        let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = &code[line..at];
        let is_item = before.is_empty() || before.starts_with("pub");
        let start = at + keyword.len() + 1;
        let end = start + code.get(start..)?.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        (is_item && start < end).then(|| (&code[start..end], end))
    })
}

/// Public functions of each crate whose failure is a mere text.
pub(crate) fn text_failures(crates: &[Crate]) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (of, module) in modules(crates) {
        let count: &mut usize = found.entry(of.folder.clone()).or_default();
        *count += words(&module.code, "fn").filter(|at| fails_with_text(&module.code, *at)).count();
    }
    found
}

fn fails_with_text(code: &str, at: usize) -> bool {
    let behind = &code[at..];
    let signature = &behind[..behind.find(['{', ';']).unwrap_or(behind.len())];
    let is_public = code[..at].trim_end_matches("async ").trim_end_matches("const ").ends_with("pub ");
    let returned = signature.rsplit_once("->").map_or("", |(_, returned)| returned);
    is_public
        && returned.contains("Result<")
        && returned.replace(char::is_whitespace, "").contains(",String>")
}

/// The share of each crate in all product code, in percent, rounded up.
pub(crate) fn percent(crates: &[Crate]) -> BTreeMap<String, usize> {
    let lines = |of: &Crate| of.modules.values().map(|module| module.code.lines().count()).sum::<usize>();
    let all: usize = crates.iter().map(lines).sum();
    crates.iter().map(|of| (of.folder.clone(), (100 * lines(of)).div_ceil(all.max(1)))).collect()
}
