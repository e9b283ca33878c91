//! The files of a repository name each other: all of it goes back, or nothing.

use super::*;
use crate::KeptProject;

const BLOB: &str = "project/.git/objects/ab/cdef";

fn repository() -> Bench {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("project/.git/objects/pack")).unwrap();
    for (name, content) in [("thesis.txt", "my work"), (".git/HEAD", "main"), (".git/index", "empty")] {
        fs::write(bench.path("project").join(name), content).unwrap();
    }
    bench
}

/// What `git add` does.
fn add(bench: &Bench) {
    fs::create_dir_all(bench.path("project/.git/objects/ab")).unwrap();
    fs::write(bench.path(BLOB), "my work").unwrap();
    fs::write(bench.path("project/.git/index"), "thesis.txt is abcdef").unwrap();
}

/// Without the rule the blob goes that the person's commit speaks of, and the history is broken.
#[test]
fn a_repository_that_somebody_went_on_in_is_left_alone_as_a_whole() {
    let bench = repository();
    bench.call(1, EffectClass::Overwrite, &["project"], |bench| {
        add(bench);
        fs::write(bench.path("project/.git/HEAD"), "other").unwrap();
        fs::write(bench.path("project/thesis.txt"), "spoilt").unwrap();
    });
    fs::write(bench.path("project/.git/index"), "committed: thesis.txt is abcdef").unwrap();
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    assert_eq!(
        bench.told(&told),
        [
            ("project/.git".to_owned(), UndoOutcome::Skipped),
            ("project/thesis.txt".to_owned(), UndoOutcome::Restored)
        ]
    );
    assert!(told.items[0].why.contains("changed since") && told.items[0].why.contains("--force"), "{told:?}");
    assert_eq!(bench.read(BLOB).unwrap(), "my work");
    assert_eq!(bench.read("project/.git/HEAD").unwrap(), "other");
    assert_eq!(bench.read("project/thesis.txt").unwrap(), "my work");
    bench.trash.undo(task(), true, Timestamp(10)).unwrap();
    assert_eq!(bench.read("project/.git/index").unwrap(), "empty");
    assert_eq!(bench.read(BLOB).unwrap(), "my work", "force takes no history away either");
}

/// Without the rule a branch that the person made of it since would name what is gone.
#[test]
fn history_stays_when_the_rest_goes_back() {
    let bench = repository();
    bench.call(1, EffectClass::Overwrite, &["project"], add);
    assert_eq!(bench.undo(), [("project/.git/index".to_owned(), UndoOutcome::Restored)]);
    assert_eq!(bench.read("project/.git/index").unwrap(), "empty");
    assert_eq!(bench.read(BLOB).unwrap(), "my work");
}

/// A repository of the task's own leaves no rest, and takes nothing of the person's along.
#[test]
fn a_repository_that_the_task_made_goes_unless_somebody_used_it() {
    for is_used in [false, true] {
        let bench = Bench::new();
        bench.call(1, EffectClass::Create, &["project"], |bench| {
            fs::create_dir_all(bench.path("project/.git/objects/ab")).unwrap();
            fs::write(bench.path(BLOB), "my work").unwrap();
            fs::write(bench.path("project/.git/HEAD"), "main").unwrap();
        });
        if is_used {
            fs::write(bench.path("project/.git/branch"), "abcdef").unwrap();
        }
        let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
        assert_eq!(bench.path("project").exists(), is_used, "{told:?}");
        assert_eq!(bench.read(BLOB).is_some(), is_used);
        assert_eq!(bench.read("project/.git/HEAD").is_some(), is_used);
    }
}

#[test]
fn a_file_with_a_name_outside_of_a_project_is_told() {
    let bench = repository();
    let project =
        KeptProject { root: bench.path("project").to_string_lossy().into_owned(), denied: Vec::new() };
    let problem = || bench.trash.measure_project(&project).problem;
    fs::hard_link(bench.path("project/thesis.txt"), bench.path("project/copy.txt")).unwrap();
    assert_eq!(problem(), None, "both names are its own");
    fs::write(bench.path("rc"), "alias").unwrap();
    fs::hard_link(bench.path("rc"), bench.path("project/rc")).unwrap();
    assert!(problem().is_some_and(|why| why.contains("project/rc has another name")));
    fs::remove_file(bench.path("rc")).unwrap();
    assert_eq!(problem(), None);
}
