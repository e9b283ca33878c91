use std::os::unix::fs::PermissionsExt as _;

use super::{Installed, Program};

#[test]
fn the_first_folder_that_has_it_executable_counts() {
    let dir = tempfile::tempdir().unwrap();
    for (folder, name, mode) in
        [("a", "osascript", 0o644), ("b", "osascript", 0o755), ("c", "osascript", 0o755)]
    {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
        let file = dir.path().join(folder).join(name);
        std::fs::write(&file, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    std::fs::create_dir(dir.path().join("b/shortcuts")).unwrap();
    let at = |folder: &str| dir.path().join(folder).to_string_lossy().into_owned();
    let installed = Installed::find(&[at("none"), at("a"), at("b"), at("c")].join(":"));
    assert_eq!(installed.path(Program::Osascript), Some(dir.path().join("b/osascript").as_path()));
    assert_eq!(installed.path(Program::Shortcuts), None, "a folder is no program");
}

#[test]
fn relative_folders_are_not_looked_into() {
    // The tests run in the crate's folder, where this file is.
    assert_eq!(Installed::find("src:.:").path(Program::Mdfind), None);
    assert!(super::is_program(std::path::Path::new("/bin/sh")));
}
