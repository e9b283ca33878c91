//! English words without their endings.

/// The word without the endings of number and tense: "files" and "file", "modified" and "modify" get one stem, which
/// need not be a word. A word with anything but letters is left as it is: it is a name.
pub(super) fn stem(word: &str) -> String {
    if word.len() <= 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let bare = without_tense(&without_plural(word));
    let bare = bare.strip_suffix('e').unwrap_or(&bare);
    let spelling = bare.replace("isation", "ization").replace("olour", "olor");
    match spelling.strip_suffix("is").filter(|rest| rest.len() >= 4) {
        // British spelling: "organis(e)".
        Some(rest) if bare.len() < word.len() => format!("{rest}iz"),
        Some(_) | None => match spelling.strip_suffix('y') {
            Some(rest) => format!("{rest}i"),
            None => spelling,
        },
    }
}

fn without_plural(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(rest) if !rest.ends_with(['s', 'u', 'i']) => rest.to_owned(),
        Some(_) | None => word.to_owned(),
    }
}

fn without_tense(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ied").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    for (ending, shortest) in [("ing", 3), ("ed", 3)] {
        let rest = word.strip_suffix(ending).filter(|rest| rest.len() >= shortest && has_vowel(rest));
        if let Some(rest) = rest.filter(|rest| !rest.ends_with('e')) {
            return undoubled(rest);
        }
    }
    word.to_owned()
}

fn has_vowel(word: &str) -> bool {
    word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// "running" is "run"; "calling" stays "call".
fn undoubled(word: &str) -> String {
    let bytes = word.as_bytes();
    match bytes {
        [.., a, b] if a == b && !matches!(b, b'l' | b's' | b'z') && word.len() > 3 => {
            word[..word.len() - 1].to_owned()
        }
        _ => word.to_owned(),
    }
}
