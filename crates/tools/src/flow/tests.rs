use artoo_gate::origin::has_origin;
use artoo_gate::places::Places;
use artoo_types::taint::Taint;

use super::{Flow, ORIGIN, mark_origin};
use artoo_gate::origin::of_path;

/// Whether files in this folder can say where they come from, tried with one that goes again.
pub(crate) fn keeps_origins(folder: &std::path::Path) -> bool {
    let probe = tempfile::NamedTempFile::new_in(folder).unwrap();
    rustix::fs::setxattr(probe.path(), ORIGIN, b"probe", rustix::fs::XattrFlags::empty()).is_ok()
}

#[test]
fn a_file_says_itself_that_it_came_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let file = format!("{root}/a.txt");
    std::fs::write(&file, "a\n").unwrap();
    let places = Places {
        working_directory: root.clone(),
        workspace: root.clone(),
        home: root.clone(),
        data_dir: format!("{root}/.artoo"),
        real: Default::default(),
    };
    assert!(!has_origin(&file));
    mark_origin(&file);
    if keeps_origins(folder.path()) {
        assert!(has_origin(&file));
        assert_eq!(of_path(&places, &file), Taint::UNTRUSTED);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a\n");
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
