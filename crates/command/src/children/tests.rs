use std::path::Path;

use super::{Children, Launcher, keep_if_asked};

#[test]
fn daemons_with_different_data_folders_leave_each_other_alone() {
    let mark = |folder: &str| Children::new(None, Path::new(folder)).mark().to_owned();
    assert_eq!(mark("/home/a/.artoo"), mark("/home/a/.artoo"));
    assert_ne!(mark("/home/a/.artoo"), mark("/home/b/.artoo"));
    assert!(mark("/x").starts_with("artoo-call-") && mark("/x").ends_with('-'));
}

#[test]
fn no_name_of_a_call_is_the_beginning_of_another() {
    let names: Vec<String> = (0..12).map(|_| super::named("artoo-call-x-")).collect();
    for (index, name) in names.iter().enumerate() {
        assert!(
            names.iter().enumerate().all(|(other, n)| other == index || !n.starts_with(name)),
            "{names:?}"
        );
    }
}

#[test]
fn what_is_promised_depends_on_what_there_is() {
    let none = Children::new(None, Path::new("/x"));
    assert_eq!(none.means(), "process group");
    let launcher = Launcher { program: "/nowhere".into(), uses_cgroups: false };
    let some = Children::new(Some(launcher), Path::new("/x"));
    let linux = "subreaper + process group (cgroup not wanted), at most ";
    assert_eq!(some.means().starts_with(linux), cfg!(target_os = "linux"), "{}", some.means());
}

#[test]
fn other_arguments_are_not_for_a_keeper() {
    let arguments =
        |words: &[&str]| words.iter().map(std::ffi::OsString::from).collect::<Vec<_>>().into_iter();
    assert!(keep_if_asked(arguments(&[])).is_none());
    assert!(keep_if_asked(arguments(&["artoo-daemon", "--foreground"])).is_none());
    assert!(keep_if_asked(arguments(&["artoo-daemon", "config", "keep-children"])).is_none());
}
