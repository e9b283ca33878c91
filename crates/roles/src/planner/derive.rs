//! What code adds to a plan: criteria that follow from the words of the request, where R2 gave no check; and that a check
//! may hold as it did before, where nothing is to be changed.
//!
//! A derived criterion goes into the plan like any other, so that it is journaled, shown, and evaluated before and after.

use artoo_request::{Action, Language, PathOutcome, RequestReading, Standing, path_outcomes};
use artoo_types::criteria::{Check, Compare, Criterion, CriterionMode, Derived};
use artoo_types::limits::MAX_CRITERIA;
use artoo_types::plan::DispatchManifest;
use artoo_types::target::{Bases, is_below, written_path};
use artoo_types::tool::names::{EDIT_FILE, WRITE_FILE};

use artoo_relevance::claims;

/// Adds to a plan what follows from the request. The only step of a plan gets it too, so that its executor is corrected.
pub(super) fn complete(
    manifest: &mut DispatchManifest,
    request: &str,
    reading: &RequestReading,
    bases: Bases<'_>,
) {
    let language = Language::of(request);
    let derived: Vec<Criterion> = path_outcomes(request, reading)
        .iter()
        .flat_map(|outcome| criteria(outcome, language, bases))
        .collect();
    add(&mut manifest.task_criteria, &derived, bases);
    if let ([only], true) = (manifest.subtasks.as_mut_slice(), manifest.kept.is_empty()) {
        add(&mut only.success_criteria, &derived, bases);
    }
    leave_unchanged(manifest, request, reading);
    let_the_rest_stay(manifest, reading, bases);
}

/// Where the request or its plan wants something changed in a file, what is to stay in it is no claim that the file is left
/// alone: it holds before and after.
fn let_the_rest_stay(manifest: &mut DispatchManifest, reading: &RequestReading, bases: Bases<'_>) {
    let content = |criterion: &Criterion| match &criterion.check {
        Some(Check::FileContains { path, .. } | Check::FileJson { path, .. }) => {
            Some(written_path(path, bases))
        }
        Some(_) | None => None,
    };
    let changes = || reading.asked().filter(|clause| clause.action == Action::Change);
    let only = reading.files.iter().filter(|_| reading.files.len() == 1 && changes().next().is_some());
    let ordered = changes().flat_map(|clause| &clause.files).chain(only);
    let ordered = ordered.map(|file| written_path(file, bases));
    let of_steps = || manifest.subtasks.iter().flat_map(|step| &step.success_criteria);
    let wanted: Vec<String> = manifest
        .task_criteria
        .iter()
        .chain(of_steps())
        .filter(|criterion| !criterion.unchanged && criterion.derived.is_none())
        .filter_map(content)
        .chain(ordered)
        .collect();
    let of_steps = manifest.subtasks.iter_mut().flat_map(|step| &mut step.success_criteria);
    for criterion in manifest.task_criteria.iter_mut().chain(of_steps) {
        if criterion.unchanged && content(criterion).is_some_and(|path| wanted.contains(&path)) {
            criterion.unchanged = false;
        }
    }
}

fn add(criteria: &mut Vec<Criterion>, derived: &[Criterion], bases: Bases<'_>) {
    for one in derived {
        let is_known = criteria.iter().any(|known| *known == *one || asks_the_same(known, one, bases));
        if !is_known && criteria.len() < MAX_CRITERIA {
            criteria.push(one.clone());
        }
    }
}

/// Whether a criterion of the plan asks for all that the derived one asks for.
fn asks_the_same(known: &Criterion, derived: &Criterion, bases: Bases<'_>) -> bool {
    let is_plain = matches!(derived.derived, Some(Derived::Made | Derived::Changed | Derived::Deleted));
    let same_path = |one: &str, other: &str| written_path(one, bases) == written_path(other, bases);
    let same = match (&known.check, &derived.check) {
        (Some(Check::FileAbsent { path }), Some(Check::FileAbsent { path: derived })) => {
            same_path(path, derived)
        }
        (
            Some(
                Check::FileExists { path }
                | Check::FileContains { path, .. }
                | Check::FileLines { path, .. }
                | Check::FileJson { path, .. },
            ),
            Some(Check::FileExists { path: derived }),
        ) => same_path(path, derived),
        _ => false,
    };
    is_plain && same && !known.unchanged && known.mode == CriterionMode::Verifiable
}

/// The criteria for one outcome, in the person's language.
fn criteria(outcome: &PathOutcome, language: Language, bases: Bases<'_>) -> Vec<Criterion> {
    expected(outcome, bases)
        .into_iter()
        .map(|(check, derived)| Criterion {
            text: words(outcome, &check, &derived, language),
            mode: CriterionMode::Verifiable,
            check: Some(check),
            unchanged: derived == Derived::Original,
            derived: Some(derived),
        })
        .collect()
}

/// What is looked at for one outcome.
fn expected(outcome: &PathOutcome, bases: Bases<'_>) -> Vec<(Check, Derived)> {
    let exists = |path: &String| Check::FileExists { path: path.clone() };
    let absent = |path: &String| Check::FileAbsent { path: path.clone() };
    match outcome {
        PathOutcome::Made { path, filled: true } => vec![(exists(path), Derived::Filled)],
        PathOutcome::Made { path, filled: false } => vec![(exists(path), Derived::Made)],
        PathOutcome::Changed { path } => vec![(exists(path), Derived::Changed)],
        PathOutcome::Deleted { path } => vec![(absent(path), Derived::Deleted)],
        PathOutcome::Moved { from, to } => {
            let there = to.as_ref().map(|to| (exists(to), Derived::Moved { from: from.clone() }));
            [(absent(from), Derived::Deleted)].into_iter().chain(there).collect()
        }
        PathOutcome::Copied { from, to, stays } => {
            let lies_apart = !is_below(&written_path(to, bases), &written_path(from, bases));
            let original =
                (*stays && lies_apart && from.contains('/')).then(|| (exists(from), Derived::Original));
            [(exists(to), Derived::Copied { from: from.clone() })].into_iter().chain(original).collect()
        }
        PathOutcome::Holds { path, text, exact } => {
            let check = Check::FileContains {
                path: path.clone(),
                text: exact.then(|| text.clone()),
                regex: (!exact).then(|| format!("(?i){}", regex::escape(text))),
            };
            vec![(check, Derived::Held)]
        }
        PathOutcome::Lines { path, least } => {
            vec![(
                Check::FileLines { path: path.clone(), op: Compare::Ge, n: f64::from(*least) },
                Derived::Held,
            )]
        }
    }
}

/// How a criterion is told.
fn words(outcome: &PathOutcome, check: &Check, derived: &Derived, language: Language) -> String {
    let path = check.path().unwrap_or_default();
    let (english, chinese) = match derived {
        Derived::Made | Derived::Filled => {
            (format!("{path} is made by this task"), format!("本任务生成了 {path}"))
        }
        Derived::Changed => (format!("{path} is changed by this task"), format!("本任务修改了 {path}")),
        Derived::Deleted => (format!("{path} is gone by this task"), format!("本任务删除了 {path}")),
        Derived::Moved { from } => {
            (format!("{path} is what {from} was"), format!("{path} 就是原来的 {from}"))
        }
        Derived::Copied { from } => {
            (format!("{path} holds a copy of {from}"), format!("{path} 里有 {from} 的副本"))
        }
        Derived::Original | Derived::Unchanged => {
            (format!("{path} is left as it is"), format!("{path} 保持原样"))
        }
        Derived::Held => match outcome {
            PathOutcome::Lines { least, .. } => {
                (format!("{path} has {least} lines"), format!("{path} 有 {least} 行"))
            }
            PathOutcome::Holds { text, .. } => {
                (format!("{path} holds \"{text}\""), format!("{path} 里有“{text}”"))
            }
            PathOutcome::Made { .. }
            | PathOutcome::Changed { .. }
            | PathOutcome::Deleted { .. }
            | PathOutcome::Moved { .. }
            | PathOutcome::Copied { .. } => (format!("{path} holds it"), format!("{path} 里有它")),
        },
    };
    language.pick(&english, &chinese).to_owned()
}

/// Where neither the request nor any step of the plan changes something, what a check about a file sees may be as it was.
fn leave_unchanged(manifest: &mut DispatchManifest, request: &str, reading: &RequestReading) {
    let changes = |action: Action| action.changes() || action == Action::Run;
    let is_ordered = reading.clauses.iter().any(|c| changes(c.action) && c.standing != Standing::Forbidden);
    let writes = |class: &String| [WRITE_FILE, EDIT_FILE].contains(&class.as_str());
    let is_planned = manifest
        .subtasks
        .iter()
        .any(|step| !claims::ordered(&step.intent).is_empty() || step.tools.iter().any(writes));
    // A request of which nothing is understood may want anything.
    let is_read = !reading.clauses.is_empty() || request.trim_end().ends_with(['?', '？', '吗']);
    if is_ordered || is_planned || !is_read {
        return;
    }
    let of_steps = manifest.subtasks.iter_mut().flat_map(|step| &mut step.success_criteria);
    for criterion in manifest.task_criteria.iter_mut().chain(of_steps) {
        let looks = criterion.world_check().is_some_and(|check| !matches!(check, Check::FileAbsent { .. }));
        let states = !claims::stated_effects(&criterion.text, &Default::default()).is_empty();
        if looks && !states && !criterion.unchanged && criterion.derived.is_none() {
            criterion.derived = Some(Derived::Unchanged);
        }
    }
}
