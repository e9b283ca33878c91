//! Which paths a check about the world looked at.

use artoo_gate::paths::{PathAccess, canonical};
use artoo_types::criteria::Check;
use artoo_types::limits::MAX_CHANGES;

use crate::check::{CheckScene, file};
use crate::tools::glob;

/// The absolute paths that the check is about, links resolved as well; a folder with a slash at its end stands for all that
/// lies below it. Empty for a check about calls and outputs, and for a path that nothing may look at.
pub(super) fn subjects(check: &Check, scene: &CheckScene<'_>) -> Vec<String> {
    let paths = match check {
        Check::FileExists { path }
        | Check::FileContains { path, .. }
        | Check::FileLines { path, .. }
        | Check::FileJson { path, .. } => vec![file::located(path, scene)],
        Check::FileAbsent { path } => {
            vec![scene.work.places.path(path), scene.work.places.written(path)]
        }
        Check::FilesMatch { glob, .. } => matching(glob, scene),
        Check::OutputContains { .. }
        | Check::OutputMatches { .. }
        | Check::OutputLines { .. }
        | Check::OutputJson { .. }
        | Check::ExitStatus { .. }
        | Check::ToolCalled { .. } => return Vec::new(),
    };
    let real: Vec<String> = paths.iter().map(|path| resolved(path)).collect();
    let mut subjects: Vec<String> = Vec::new();
    for path in paths.into_iter().chain(real) {
        let may_look = matches!(scene.work.places.opening(&path), PathAccess::Free);
        if may_look && !subjects.contains(&path) {
            subjects.push(path);
        }
    }
    subjects
}

fn resolved(path: &str) -> String {
    let real = canonical(path);
    if path.ends_with('/') && !real.ends_with('/') { format!("{real}/") } else { real }
}

/// The files that match; of too many, the folder that they lie in.
fn matching(pattern: &str, scene: &CheckScene<'_>) -> Vec<String> {
    let (root, pattern) = glob::split(".", pattern);
    let root = scene.work.places.path(&root);
    match glob::find(&root, &pattern, scene.work) {
        Ok((paths, omitted)) if paths.len() <= MAX_CHANGES && !omitted.cut => paths,
        Ok(_) => vec![format!("{}/", root.trim_end_matches('/'))],
        Err(_) => Vec::new(),
    }
}
