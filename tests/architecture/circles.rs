//! Files of one crate that need each other cannot be read, tested or moved one by one.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{Crate, Path};

/// How many files of each crate lie in circles, by crate and its largest circle's first files.
pub(crate) fn files_in_circles(crates: &[Crate]) -> BTreeMap<String, usize> {
    let files = |of: &Crate| circles(of).iter().map(BTreeSet::len).sum();
    crates.iter().map(|of| (of.folder.clone(), files(of))).collect()
}

/// The circles of a crate, the largest first, each with its files. A parent may use its children, and a child what its
/// parents define; one circle may not do both, or leave the family.
pub(crate) fn circles(of: &Crate) -> Vec<BTreeSet<String>> {
    let uses = of.uses();
    let up = |from: &Path, to: &Path| from.starts_with(to);
    let down = |from: &Path, to: &Path| to.starts_with(from);
    let mut found: Vec<BTreeSet<&Path>> = Vec::new();
    for is_left_out in [up, down] {
        found.extend(components(&uses, &|from, to| !is_left_out(from, to)));
    }
    let mut circles: Vec<BTreeSet<&Path>> = Vec::new();
    for mut circle in found {
        while let Some(at) = circles.iter().position(|other| !other.is_disjoint(&circle)) {
            circle.extend(circles.swap_remove(at));
        }
        circles.push(circle);
    }
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    let file = |path: &&Path| of.modules[*path].file.clone();
    circles.iter().map(|circle| circle.iter().map(file).collect()).collect()
}

/// Sets of two modules and more of which each reaches each other one.
fn components<'a>(
    uses: &BTreeMap<&'a Path, BTreeSet<Path>>,
    counts: &dyn Fn(&Path, &Path) -> bool,
) -> Vec<BTreeSet<&'a Path>> {
    let reach = |from: &'a Path| {
        let mut reached: BTreeSet<&Path> = BTreeSet::new();
        let mut left = vec![from];
        while let Some(at) = left.pop() {
            let next = uses[at].iter().filter(|to| counts(at, to));
            for (to, _) in next.filter_map(|to| uses.get_key_value(to)) {
                if reached.insert(to) {
                    left.push(to);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&'a Path, BTreeSet<&Path>> = uses.keys().map(|path| (*path, reach(path))).collect();
    let mut seen: BTreeSet<&Path> = BTreeSet::new();
    let mut components = Vec::new();
    for path in uses.keys() {
        let same = |other: &&&'a Path| reached[*path].contains(**other) && reached[**other].contains(path);
        let component: BTreeSet<&'a Path> = uses.keys().filter(same).copied().collect();
        if component.len() > 1 && component.iter().all(|path| seen.insert(path)) {
            components.push(component);
        }
    }
    components
}
