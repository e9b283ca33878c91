//! What the calls of a task changed, counted as a person counts: a file that was renamed is one change, and a folder
//! is none beside what changed in it.

use std::collections::{BTreeMap, BTreeSet};

use artoo_protocol::v1::{FileChange, ToolCallFinished};

/// The changes of one task.
#[derive(Debug, Clone, Default)]
pub struct ChangedPlaces {
    /// The last change of each path, and whether nothing takes it back.
    places: BTreeMap<String, (FileChange, bool)>,
    /// Calls that a person agreed to although nothing they change can be taken back.
    pub for_good: BTreeSet<u64>,
}

impl ChangedPlaces {
    /// Takes in what a call changed.
    pub fn add(&mut self, call: &ToolCallFinished) {
        let for_good = self.for_good.contains(&call.effect_id);
        for change in &call.changes {
            self.places.insert(change.path.clone(), (change.clone(), for_good));
        }
    }

    /// Whether one of the changes can be taken back.
    pub fn can_be_undone(&self) -> bool {
        self.places.values().any(|(_, for_good)| !for_good)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        let changes = || self.places.values().map(|(change, _)| change);
        let mut came: BTreeMap<&str, usize> = BTreeMap::new();
        for content in
            changes().filter(|change| change.before.is_none()).filter_map(|change| change.after.as_deref())
        {
            *came.entry(content).or_default() += 1;
        }
        // What went in one place and came in another was moved.
        let went =
            changes().filter(|change| change.after.is_none()).filter_map(|change| change.before.as_deref());
        let moved = went.filter(|content| {
            let left = came.get_mut(content).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        });
        let moved = moved.count();
        // A folder has no content of its own.
        let is_above = |change: &&FileChange| {
            let below = format!("{}/", change.path);
            let next = self.places.range(below.clone()..).next();
            change.before.is_none()
                && change.after.is_none()
                && next.is_some_and(|(path, _)| path.starts_with(&below))
        };
        self.places.len() - moved - changes().filter(is_above).count()
    }
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{FileChange, ToolCallFinished};

    use super::ChangedPlaces;

    fn check(changes: &[(&str, &str, Option<&str>, Option<&str>)], count: usize) {
        let change = |(path, kind, before, after): &(&str, &str, Option<&str>, Option<&str>)| FileChange {
            path: (*path).to_owned(),
            kind: (*kind).to_owned(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            modes: None,
        };
        let changes = changes.iter().map(change).collect();
        let mut all = ChangedPlaces::default();
        all.add(&ToolCallFinished { changes, ..Default::default() });
        assert_eq!(all.count(), count);
    }

    #[test]
    fn a_person_counts_what_was_done() {
        check(&[("/a", "deleted", Some("1"), None), ("/b", "made", None, Some("1"))], 1);
        check(&[("/a", "deleted", Some("1"), None), ("/b", "made", None, Some("2"))], 2);
        let copied = [("/b", "made", None, Some("1")), ("/c", "made", None, Some("1"))];
        check(&copied, 2);
        check(&[&copied[..], &[("/a", "deleted", Some("1"), None)]].concat(), 2);
        check(&[("/d", "made", None, None)], 1);
        check(
            &[
                ("/d", "made", None, None),
                ("/d/x", "made", None, Some("1")),
                ("/d2", "made", None, Some("2")),
            ],
            2,
        );
        check(&[("/x", "changed", Some("1"), Some("2"))], 1);
    }

    #[test]
    fn what_was_agreed_to_for_good_is_not_taken_back() {
        let call = |effect_id: u64, path: &str| {
            let changes =
                vec![FileChange { path: path.to_owned(), kind: "made".to_owned(), ..Default::default() }];
            ToolCallFinished { effect_id, changes, ..Default::default() }
        };
        let mut all = ChangedPlaces::default();
        all.for_good.insert(4);
        all.add(&call(4, "/a"));
        assert!(!all.can_be_undone() && all.count() == 1);
        all.add(&call(5, "/b"));
        assert!(all.can_be_undone());
    }
}
