use artoo_types::taint::Taint;

use super::{Flow, ORIGIN, has_origin, mark_origin, of_path};
use crate::gate;
use crate::places::Places;

struct Home {
    _folder: tempfile::TempDir,
    root: String,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
        for name in ["work", "artoo_workspace", "other", "Downloads", ".artoo"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("a.txt"), "a\n").unwrap();
        }
        std::os::unix::fs::symlink(format!("{root}/other"), format!("{root}/work/link")).unwrap();
        Self { _folder: folder, root }
    }

    fn places(&self, working_directory: &str) -> Places {
        Places {
            working_directory: format!("{}/{working_directory}", self.root),
            workspace: format!("{}/artoo_workspace", self.root),
            home: self.root.clone(),
            data_dir: format!("{}/.artoo", self.root),
            real: Default::default(),
        }
    }
}

/// Whether files in this folder can say where they come from, tried with one that goes again.
pub(crate) fn keeps_origins(folder: &std::path::Path) -> bool {
    let probe = tempfile::NamedTempFile::new_in(folder).unwrap();
    rustix::fs::setxattr(probe.path(), ORIGIN, b"probe", rustix::fs::XattrFlags::empty()).is_ok()
}

#[test]
fn where_a_file_lies_says_what_it_brings() {
    let home = Home::new();
    let check = |working_directory, path: &str, expected| {
        let path = format!("{}/{path}", home.root);
        assert_eq!(of_path(&home.places(working_directory), &path), expected, "{path}");
    };
    check("work", "work/a.txt", Taint::NONE);
    check("work", "artoo_workspace/a.txt", Taint::NONE);
    check("work", "work/not/there", Taint::NONE);
    check("work", "other/a.txt", Taint::PRIVATE);
    check("work", "work/link/a.txt", Taint::PRIVATE);
    check("work", "Downloads/a.txt", Taint::BOTH);
    check("Downloads", "Downloads/a.txt", Taint::UNTRUSTED);
    assert_eq!(of_path(&home.places("work"), "/etc/hostname"), Taint::PRIVATE);
}

#[test]
fn a_file_says_itself_that_it_came_from_elsewhere() {
    let home = Home::new();
    let file = format!("{}/work/a.txt", home.root);
    assert!(!has_origin(&file));
    mark_origin(&file);
    if keeps_origins(home.root.as_ref()) {
        assert!(has_origin(&file));
        assert_eq!(of_path(&home.places("work"), &file), Taint::UNTRUSTED);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a\n");
}

#[test]
fn a_command_brings_what_its_paths_bring() {
    let home = Home::new();
    let places = home.places("work");
    for (command, expected) in [
        ("cat a.txt | sort", Taint::NONE),
        ("ls", Taint::NONE),
        ("cat ../other/a.txt", Taint::PRIVATE),
        ("cat ~/other/*.txt", Taint::PRIVATE),
        ("wc -l link/a.txt", Taint::PRIVATE),
        ("grep -r a ~/other", Taint::PRIVATE),
        ("find ~ -name '*.txt'", Taint::PRIVATE),
        ("ls ~/Downloads", Taint::PRIVATE),
        ("cat ~/Downloads/a.txt", Taint::BOTH),
        ("head -1 < ../other/a.txt", Taint::PRIVATE),
        ("cat \"$(basename a.txt)\"", Taint::BOTH),
    ] {
        let told = gate::explain(command, &places);
        assert_eq!(told.brings, expected, "{command}: {told:?}");
    }
}

#[test]
fn calls_under_way_count_until_they_end_or_settle() {
    let flow = Flow::default();
    let first = flow.enter(Taint::PRIVATE);
    let second = flow.clone().enter(Taint::BOTH);
    assert_eq!(flow.so_far(), Taint::BOTH);
    drop(second);
    assert_eq!(flow.so_far(), Taint::PRIVATE, "it did not run");
    first.settle(Taint::PRIVATE);
    assert_eq!(flow.so_far(), Taint::PRIVATE, "it has run");
    flow.enter(Taint::UNTRUSTED).settle(Taint::NONE);
    assert_eq!(flow.so_far(), Taint::PRIVATE);
}
