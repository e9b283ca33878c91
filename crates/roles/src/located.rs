//! Where a check looks that code derived from the words of a request.
//!
//! A person who says "write invoice.txt" names no folder. A plan may put the file into the workspace or into the folder
//! where the person is; what counts is the file of that name that the task made.

use artoo_types::criteria::{Check, Criterion};
use artoo_types::evidence::{ChangeKind, Receipt};

/// The check of a criterion. A bare name in a derived one stands for the file of that name that the last of these calls
/// made or changed, where one did.
pub(crate) fn located(criterion: &Criterion, calls: &[&Receipt]) -> Option<Check> {
    let mut check = criterion.check.clone()?;
    if criterion.derived.is_some()
        && let Some(path) = path_of(&mut check).filter(|path| !path.contains('/'))
    {
        let ending = format!("/{path}");
        let changes = calls.iter().rev().flat_map(|receipt| &receipt.act.changes);
        let mut here = changes.filter(|c| c.kind != ChangeKind::Deleted && c.path.ends_with(&ending));
        if let Some(change) = here.next() {
            path.clone_from(&change.path);
        }
    }
    Some(check)
}

fn path_of(check: &mut Check) -> Option<&mut String> {
    match check {
        Check::FileExists { path }
        | Check::FileContains { path, .. }
        | Check::FileLines { path, .. }
        | Check::FileJson { path, .. } => Some(path),
        Check::FileAbsent { .. }
        | Check::OutputContains { .. }
        | Check::OutputMatches { .. }
        | Check::OutputLines { .. }
        | Check::OutputJson { .. }
        | Check::ExitStatus { .. }
        | Check::ToolCalled { .. }
        | Check::FilesMatch { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::criteria::{Check, Criterion, CriterionMode, Derived};
    use artoo_types::evidence::{ChangeKind, FileChange, Receipt};

    use super::located;

    #[test]
    fn a_bare_name_stands_for_the_file_that_the_task_made() {
        let made = |path: &str| {
            let mut receipt = Receipt::quiet(EvidenceId("r1".to_owned()), "write_file");
            let kind = ChangeKind::Made;
            receipt.act.changes =
                vec![FileChange { path: path.to_owned(), kind, before: None, after: None, modes: None }];
            receipt
        };
        let place = |path: &str, derived: Option<Derived>, receipt: &Receipt| {
            let criterion = Criterion {
                text: "it is made".to_owned(),
                mode: CriterionMode::Verifiable,
                check: Some(Check::FileExists { path: path.to_owned() }),
                unchanged: false,
                derived,
            };
            match located(&criterion, &[receipt]) {
                Some(Check::FileExists { path }) => path,
                other => panic!("{other:?}"),
            }
        };
        let here = made("/w/invoice.txt");
        assert_eq!(place("invoice.txt", Some(Derived::Made), &here), "/w/invoice.txt");
        assert_eq!(place("invoice.txt", None, &here), "invoice.txt", "what a plan says is what it means");
        assert_eq!(place("voice.txt", Some(Derived::Made), &here), "voice.txt", "another file");
        assert_eq!(place("a/invoice.txt", Some(Derived::Made), &here), "a/invoice.txt");
    }
}
