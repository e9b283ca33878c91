use std::os::unix::fs::symlink;

use super::lead_to_secrets;
use crate::explain;
use crate::tests::home;

/// Readers of whole folders, each of which would come through a link to what it leads to.
const READERS: &[&str] = &[
    "grep -R key .",
    "grep -rn key src",
    "rg -L key",
    "rg --follow key .",
    "diff -r . src",
    "find . -type l | xargs cat",
    "find . -name 'k*' -exec cat {} +",
    "find . -name 'k*' -print0 | xargs -0 head",
];

fn check(link: &str, target: &str, asks: bool) {
    let (dir, paths) = home();
    let project = dir.path().canonicalize().unwrap().join("home/project");
    symlink(target, project.join(link)).unwrap();
    assert_eq!(lead_to_secrets(&paths.working_directory, &paths), asks, "{link} to {target}");
    for reader in READERS.iter().filter(|reader| asks || !reader.contains("-L")) {
        let is_elsewhere = reader.ends_with(" src") && !link.starts_with("src") && reader.starts_with("grep");
        let explanation = explain(reader, &paths);
        let is_safe = explanation.decision.as_str() == "safe";
        assert_eq!(is_safe, !asks || is_elsewhere, "{reader} with {link} to {target}: {:?}", explanation.why);
    }
}

#[test]
fn a_link_to_secrets_makes_readers_of_its_folder_ask() {
    check("src/keys", "../../.ssh", true);
    check("src/key", "../../.ssh/id_ed25519", true);
    check("src/up", "../..", true);
    check("keys", "../.artoo", true);
    check("src/inner", "../notes.txt", false);
    check("nowhere", "../nothing", false);
    check("system", "/usr/share", false);
}

#[test]
fn files_that_options_and_programs_name_are_files_that_are_read() {
    let (dir, paths) = home();
    let project = dir.path().canonicalize().unwrap().join("home/project");
    symlink("../.ssh/id_ed25519", project.join("key")).unwrap();
    for command in [
        "wc --files0-from=key",
        "wc --files0-from=notes.txt",
        "du --files0-from=key",
        "grep --file=key notes.txt",
        "grep -fkey notes.txt",
        "jq -n 'import \"./notes\" as $d; $d'",
        "jq -n 'include\"./notes\"; .'",
        "x='import \"./notes\" as $d; $d'; jq -n \"$x\"",
    ] {
        assert_eq!(explain(command, &paths).decision.as_str(), "confirm", "{command}");
    }
    for command in ["wc -l *.txt", "jq .imports list.csv", "jq '.include[\"a\"]' list.csv"] {
        assert_eq!(explain(command, &paths).decision.as_str(), "safe", "{command}");
    }
}
