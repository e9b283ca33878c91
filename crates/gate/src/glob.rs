//! What an unquoted pattern may expand to.

use std::path::PathBuf;

use globset::GlobBuilder;

use crate::arg::{Arg, Part};

/// Names that one pattern is expanded to. A pattern that matches more cannot be shown to read no secret.
const MAX_MATCHES: usize = 4_096;
/// Alternatives of one word.
const MAX_ALTERNATIVES: usize = 64;

/// The texts that a word without holes may become. Patterns are looked up below `folder` only when `look` is set. None if there are too many, or when its form is not followed.
pub(crate) fn expand(arg: &Arg, folder: &str, look: bool) -> Option<Vec<String>> {
    let mut texts = vec![(String::new(), false)];
    for part in &arg.0 {
        let choices: Vec<(String, bool)> = match part {
            Part::Text(text) => vec![(literal(text), text.contains(['*', '?', '[']))],
            Part::Wild(text) => alternatives(text)?.into_iter().map(|t| (t, true)).collect(),
            Part::Split(_) | Part::Hole { .. } => return None,
        };
        let crossed = texts.iter().flat_map(|(start, wild)| {
            choices.iter().map(move |(end, also)| (format!("{start}{end}"), *wild || *also))
        });
        texts = crossed.take(MAX_ALTERNATIVES + 1).collect();
        if texts.len() > MAX_ALTERNATIVES {
            return None;
        }
    }
    let mut found = Vec::new();
    for (text, wild) in texts {
        if look && wild && text.contains(['*', '?', '[']) {
            found.extend(matches(&text, folder, MAX_MATCHES.checked_sub(found.len())?)?);
        }
        found.push(text);
    }
    Some(found)
}

/// The names that a word without holes stands for now, as the shell gives them to a program: a pattern that matches
/// nothing stays as it is. None if there are too many, or when its form is not followed.
pub(crate) fn named(arg: &Arg, folder: &str) -> Option<Vec<String>> {
    if let Some(text) = arg.fixed() {
        return Some(vec![text]);
    }
    let texts = expand(arg, folder, false)?;
    let mut names = Vec::new();
    for text in texts {
        let is_pattern = text.contains(['*', '?', '[']);
        let found = if is_pattern { matches(&text, folder, MAX_MATCHES)? } else { Vec::new() };
        if found.is_empty() {
            names.push(text.replace('\\', ""));
        } else {
            names.extend(found);
        }
    }
    Some(names)
}

/// `{a,b}` written out. Ranges and groups within groups are not followed.
fn alternatives(text: &str) -> Option<Vec<String>> {
    let Some(open) = text.find('{') else { return Some(vec![text.to_owned()]) };
    let rest = &text[open + 1..];
    let close = rest.find('}')?;
    let (inside, after) = (&rest[..close], &rest[close + 1..]);
    if inside.contains('{') || inside.contains("..") || after.contains('{') || !inside.contains(',') {
        return None;
    }
    Some(inside.split(',').map(|choice| format!("{}{choice}{after}", &text[..open])).collect())
}

/// Quoted text within a pattern stands for itself.
fn literal(text: &str) -> String {
    text.chars().flat_map(|c| if "*?[]{}\\".contains(c) { vec!['\\', c] } else { vec![c] }).collect()
}

/// The paths that match a pattern now, as bash expands it: a leading dot only matches a dot. They are sorted, so that two
/// looks at the same folder are the same question to a person. None if there are more than `max`, or when the pattern
/// cannot be read.
fn matches(pattern: &str, folder: &str, max: usize) -> Option<Vec<String>> {
    let (mut found, parts) = match pattern.strip_prefix('/') {
        Some(rest) => (vec![PathBuf::from("/")], rest),
        None => (vec![PathBuf::from(folder)], pattern),
    };
    for part in parts.split('/').filter(|part| !part.is_empty()) {
        if !part.contains(['*', '?', '[']) {
            let plain = part.replace('\\', "");
            found =
                found.into_iter().map(|p| p.join(&plain)).filter(|p| p.symlink_metadata().is_ok()).collect();
            continue;
        }
        // Classes such as [:lower:] are read otherwise there.
        if ["[[", "[:", "[.", "[="].iter().any(|class| part.contains(class)) {
            return None;
        }
        let matcher = GlobBuilder::new(&part.replace("[^", "[!")).build().ok()?.compile_matcher();
        let mut next = Vec::new();
        for folder in &found {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if (part.starts_with('.') || part.starts_with('[') || !name.starts_with('.'))
                    && matcher.is_match(&name)
                {
                    next.push(entry.path());
                }
                if next.len() > max {
                    return None;
                }
            }
        }
        found = next;
    }
    found.sort_unstable();
    Some(found.into_iter().map(|path| path.to_string_lossy().into_owned()).collect())
}
