//! Where a request may be cut into clauses.

use crate::normalise::quoted_ranges;

/// A place where one clause may end and the next begin.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Where the clause before it ends.
    pub end: usize,
    /// Where the clause behind it begins.
    pub next: usize,
}

/// Words that join clauses; longest first, so that "and then" is one joint.
const JOINTS: [&str; 40] = [
    " and then also ",
    ", and finally ",
    ", and then ",
    " and finally ",
    "; and then ",
    ", then also ",
    " and then ",
    " and also ",
    ", as well as ",
    " as well as ",
    ", finally ",
    ", and also ",
    ", then ",
    "; then ",
    ". then ",
    ", and ",
    "; and ",
    " then ",
    ", also ",
    " & ",
    " and ",
    ". ",
    "; ",
    ", ",
    ",",
    ";",
    "最后再",
    "然后再",
    "接着再",
    "并且",
    "然后",
    "接着",
    "最后",
    "同时",
    "以及",
    "顺便",
    "还有",
    "并",
    "再",
    "和",
];

/// All cuts outside quotation marks, in order.
pub fn cuts(text: &str) -> Vec<Cut> {
    let quoted = quoted_ranges(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let inside = quoted.iter().find(|(start, end)| at >= *start && at < *end);
        if let Some((_, end)) = inside {
            at = *end;
            continue;
        }
        let joint = JOINTS
            .iter()
            .find(|joint| text[at..].get(..joint.len()).is_some_and(|head| head.eq_ignore_ascii_case(joint)));
        match joint {
            Some(joint) => {
                found.push(Cut { end: at, next: at + joint.len() });
                at += joint.len();
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// Joints that stand alone at a clause's front, as in "再写成报告" after a comma.
pub fn strip_joints(clause: &str) -> &str {
    let mut rest = clause.trim();
    loop {
        let before = rest;
        for word in [
            "and ", "then ", "also ", "finally ", "please ", "first ", "first, ", "next, ", "然后", "接着",
            "最后", "并且", "同时", "再", "并", "也", "先", "首先", "请", "帮我", "还要", "另外",
        ] {
            if rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)) {
                rest = rest[word.len()..].trim_start_matches([' ', ',']);
            }
        }
        if rest == before {
            return rest;
        }
    }
}
