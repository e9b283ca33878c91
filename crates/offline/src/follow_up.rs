//! What refers to the request before it in a session: "and the ten smallest?", "now for photos", 只看上周的.

use std::sync::OnceLock;

use artoo_request::normalise;
use artoo_types::setting::SessionPair;

use crate::clause::{Clause, RequestKind, UnderstoodRequest};
use crate::clauses::understand;
use crate::named::with_marks;
use crate::pattern::{PatternNode, compile, readings};
use crate::slots::{Goal, Slots};
use artoo_types::situation::Situation;

/// Most requests back that one may refer to, each by the one before it.
const MOST_BACK: usize = 6;

/// "Do what you have shown."
const AGREED: [&str; 24] = [
    "apply",
    "apply it",
    "apply them",
    "apply that",
    "do it",
    "do that",
    "yes",
    "yes, do it",
    "yes do it",
    "go ahead",
    "rename them",
    "yes, rename them",
    "ok do it",
    "执行",
    "应用",
    "就这样改",
    "照做",
    "改吧",
    "好的,执行",
    "是的",
    "确认",
    "确认执行",
    "好,改吧",
    "那就改",
];

/// Which kind a follow-up asks for; the kind of the request before where there is none.
const TEMPLATES: &[(&str, Option<RequestKind>)] = &[
    ("<again> [the] [{count}] smallest[ ones| {what}]", Some(RequestKind::SmallestFiles)),
    ("<again> [the] [{count}] (largest|biggest)[ ones| {what}]", Some(RequestKind::LargestFiles)),
    ("<again> [the] [{count}] (newest|latest|most recent)[ ones| {what}]", Some(RequestKind::NewestFiles)),
    ("<again> [the] [{count}] oldest[ ones| {what}]", Some(RequestKind::OldestFiles)),
    ("<again> [the] (first|top|last|only) {count}", None),
    ("<again> [(for|with|of|about)] [only|just] [the|my] {what}[ <in>]", None),
    (
        "<again> (only|just) [the|those|the ones|those that are|the ones that are|those which are] [{what} ]<filter>",
        None,
    ),
    ("<again> [only|just] [the] [ones|those] (from|of) [the] (last|past) {newer}", None),
    ("<again> [the same] [for|in|of|about] {file}", None),
    ("<again> [the same] (for|in|of|about) {place}", None),
    ("<again> [the] {stat}", None),
    ("(for|with|of|about) [only|just] [the|my] {what}[ <in>]", None),
    ("(in|for|about) {place}", None),
    ("(only|just) [the] [ones|those] (from|of) [the] (last|past) {newer}", None),
    ("(only|just) (the|those|the ones|those that are|the ones that are) <filter>", None),
    ("(only|just) [the|my] {what}", None),
    ("(only|just) [the] [first|top|last] {count}", None),
    ("<zagain>最小的[{count}个][{what}][呢]", Some(RequestKind::SmallestFiles)),
    ("<zagain>最大的[{count}个][{what}][呢]", Some(RequestKind::LargestFiles)),
    ("<zagain>最新的[{count}个][{what}][呢]", Some(RequestKind::NewestFiles)),
    ("<zagain>最旧的[{count}个][{what}][呢]", Some(RequestKind::OldestFiles)),
    ("<zagain>{what}[的][呢]", None),
    ("<zagain>{file}[的][呢]", None),
    ("<zagain>{known}[里|里面|中|下][的][呢]", None),
    ("(只看|只要|仅看|只列出|只显示)(<zfilter>)的[{what}]", None),
    ("(只看|只要|仅看|只列出|只显示)[最近|近|过去|上]{newer}[内|里]的[{what}]", None),
    ("(只看|只要|仅看|只列出|只显示)(上周|上星期|上个星期){newer}的[{what}]", None),
    ("(只看|只要|仅看|只列出|只显示)前{count}[个|行|条]", None),
    ("(只看|只要|仅看|只列出|只显示){what}[的]", None),
    ("<zagain>{stat}[呢|是多少]", None),
];

/// The request that these words make together with those before them; None where they do not.
pub(crate) fn follow_up(
    own: &str,
    session: &[SessionPair],
    seen: Option<&Situation>,
) -> Option<UnderstoodRequest> {
    continued(own, &inputs(session), seen)
}

/// What a person reads of it: the request that is referred to.
pub(crate) fn referred(own: &str, session: &[SessionPair]) -> Option<String> {
    let inputs = inputs(session);
    continued(own, &inputs, None)?;
    let base = inputs.iter().rev().find(|input| understand(input).is_ok())?;
    Some(format!("{own} ({base})"))
}

fn inputs(session: &[SessionPair]) -> Vec<&str> {
    session.iter().map(|turn| turn.input.as_str()).collect()
}

fn continued(own: &str, before: &[&str], seen: Option<&Situation>) -> Option<UnderstoodRequest> {
    let (last, earlier) = before.split_last()?;
    if earlier.len() > MOST_BACK {
        return continued(own, &before[before.len() - MOST_BACK..], seen);
    }
    let marked = seen.map_or_else(|| (*last).to_owned(), |seen| with_marks(last, seen));
    let base = understand(&marked).ok().or_else(|| continued(last, earlier, seen))?;
    let [clause] = base.clauses.as_slice() else { return None };
    let text = normalise(own);
    if AGREED.contains(&text.to_lowercase().as_str()) {
        let slots = Slots { goal: Goal { agreed: true, ..Goal::default() }, ..clause.slots.clone() };
        let agreed = clause.kind.renames_many().then_some(Clause { kind: clause.kind, slots })?;
        return Some(UnderstoodRequest { clauses: vec![agreed], ..base.clone() });
    }
    let mut found: Vec<Clause> = Vec::new();
    for (node, kind) in compiled() {
        for slots in readings(node, &text) {
            if let Some(merged) = merged(clause, *kind, slots)
                && !found.contains(&merged)
            {
                found.push(merged);
            }
        }
    }
    // A word for files is no name of a folder.
    if found.len() > 1 {
        found.retain(|one| one.slots.place == clause.slots.place);
    }
    let language = artoo_request::Language::of(own);
    match found.as_slice() {
        [only] => Some(UnderstoodRequest { language, clauses: vec![only.clone()], report: None }),
        _ => None,
    }
}

/// The request before with what is new; None where that has no place in it.
fn merged(base: &Clause, kind: Option<RequestKind>, new: Slots) -> Option<Clause> {
    let ranks = |kind| {
        matches!(
            kind,
            RequestKind::LargestFiles
                | RequestKind::SmallestFiles
                | RequestKind::NewestFiles
                | RequestKind::OldestFiles
        )
    };
    let of_files = ranks(base.kind)
        || matches!(base.kind, RequestKind::FindFiles | RequestKind::CountFiles | RequestKind::CountLines);
    let of_folder = of_files
        || matches!(
            base.kind,
            RequestKind::Duplicates
                | RequestKind::SearchText
                | RequestKind::EmptyFiles
                | RequestKind::FileTypes
                | RequestKind::ListFolder
                | RequestKind::FolderSize
                | RequestKind::FolderSizes
                | RequestKind::EntrySizes
                | RequestKind::LinesByLanguage
                | RequestKind::TodoList
        );
    let has_filter = new.larger.or(new.smaller).or(new.newer).or(new.older).is_some() || new.name.is_some();
    let counts = ranks(base.kind)
        || matches!(base.kind, RequestKind::FirstLines | RequestKind::LastLines | RequestKind::GitLog);
    let fits = (kind.is_none() || of_files)
        && (new.what.is_none() || of_files || base.kind == RequestKind::Duplicates)
        && (!has_filter || of_files)
        && (new.place.is_none() || of_folder)
        && (new.count.is_none() || kind.is_some() || counts)
        && (new.file.is_none() || base.slots.file.is_some())
        && (new.statistic.is_none() || base.slots.statistic.is_some());
    // "and files?" says nothing new.
    let is_new = kind.is_some() || new != Slots::default();
    (fits && is_new).then(|| {
        let old = base.slots.clone();
        let slots = Slots {
            what: new.what.or(old.what),
            place: new.place.or(old.place),
            count: new.count.or(old.count),
            larger: new.larger.or(old.larger),
            smaller: new.smaller.or(old.smaller),
            newer: new.newer.or(old.newer),
            older: new.older.or(old.older),
            name: new.name.or(old.name),
            file: new.file.or(old.file),
            statistic: new.statistic.or(old.statistic),
            ..old
        };
        Clause { kind: kind.unwrap_or(base.kind), slots }
    })
}

fn compiled() -> &'static [(PatternNode, Option<RequestKind>)] {
    static COMPILED: OnceLock<Vec<(PatternNode, Option<RequestKind>)>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        TEMPLATES.iter().filter_map(|(template, kind)| Some((compile(template).ok()?, *kind))).collect()
    })
}

#[cfg(test)]
mod tests {
    use artoo_types::setting::SessionPair;

    use super::{TEMPLATES, follow_up};
    use crate::clause::{Clause, RequestKind};
    use crate::clauses::understand;
    use crate::pattern::compile;

    fn session(inputs: &[&str]) -> Vec<SessionPair> {
        let turn = |input: &&str| SessionPair {
            input: (*input).to_owned(),
            summary: String::new(),
            answer: String::new(),
            taint: Default::default(),
        };
        inputs.iter().map(turn).collect()
    }

    fn only(request: &str) -> Clause {
        understand(request).unwrap_or_else(|why| panic!("{request}: {why:?}")).clauses.remove(0)
    }

    #[test]
    fn every_template_is_well_formed() {
        for (template, _) in TEMPLATES {
            compile(template).unwrap_or_else(|why| panic!("{template}: {why}"));
        }
    }

    #[test]
    fn a_follow_up_says_what_is_different() {
        for (before, own, whole) in [
            (
                &["find the ten largest files here"][..],
                "and the ten smallest?",
                "find the ten smallest files here",
            ),
            (
                &["how many Python files are there here"],
                "and Rust files?",
                "how many Rust files are there here",
            ),
            (
                &["find the ten largest files in downloads"],
                "now for photos",
                "find the ten largest photos in downloads",
            ),
            (&["find all pdfs"], "only those larger than 5 MB", "find all pdfs larger than 5 MB"),
            (&["find all pdfs"], "only from the last week", "find all pdfs changed in the last week"),
            (&["how many lines are in a.txt"], "and b.txt?", "how many lines are in b.txt"),
            (&["find duplicate files"], "and in downloads?", "find duplicate files in downloads"),
            (&["average of price in sales.csv"], "and the sum?", "sum of price in sales.csv"),
            (
                &["find the ten largest files here", "and the five smallest?"],
                "only photos",
                "find the five smallest photos here",
            ),
            (&["找出所有PDF"], "只看最近一周的", "找出最近一周修改的PDF"),
            (&["找出最大的10个文件"], "那图片呢", "找出最大的10张图片"),
        ] {
            let found = follow_up(own, &session(before), None).unwrap_or_else(|| panic!("{own}"));
            assert_eq!(found.clauses, [only(whole)], "{own}");
        }
    }

    #[test]
    fn what_has_no_place_in_the_request_before_is_no_follow_up() {
        for (before, own) in [
            (&["what time is it"][..], "and the ten smallest?"),
            (&["git status"], "now for photos"),
            (&[], "and Rust files?"),
            (&["how many lines are in a.txt"], "delete it"),
            (&["find the ten largest files here"], "do it"),
            (&["find the ten largest files here"], "and delete b.txt"),
        ] {
            assert!(follow_up(own, &session(before), None).is_none(), "{own}");
        }
    }

    #[test]
    fn shown_names_are_given_when_the_person_agrees() {
        let found =
            follow_up("apply", &session(&["rename all .jpeg files to .jpg"]), None).expect("it was shown");
        assert!(found.clauses[0].slots.goal.agreed && found.clauses[0].kind == RequestKind::RenameEnding);
    }
}
