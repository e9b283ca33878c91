use artoo_types::target::is_below;

use super::{Access, Places, canonical};

fn places(base: &str) -> Places {
    Places {
        working_directory: format!("{base}/home/project"),
        workspace: format!("{base}/home/artoo_workspace"),
        home: format!("{base}/home"),
        data_dir: format!("{base}/home/.artoo"),
        real: Default::default(),
    }
}

#[test]
fn reading_is_free_but_for_secrets_and_the_data_folder() {
    let places = places("/b");
    let cases = [
        ("/b/home/project/a.txt", "free"),
        ("/b/home/.ssh", "ask"),
        ("/b/home/.ssh/id", "ask"),
        ("/b/home/.sshd_notes", "free"),
        ("/b/home/.SSH/id", "ask"),
        ("/b/home/Library/Keychains/x", "ask"),
        ("/b/home/.env", "ask"),
        ("/b/home/project/.env", "free"),
        ("/etc/shadow", "ask"),
        ("/proc/1/environ", "ask"),
        ("/proc/meminfo", "free"),
        ("/b/home/.artoo/journal", "never"),
    ];
    for (path, expected) in cases {
        let seen = match places.reading(path) {
            Access::Free => "free",
            Access::Ask(_) => "ask",
            Access::Never(_) => "never",
        };
        assert_eq!(seen, expected, "reading {path}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_daemon_opens_nothing_of_itself() {
    let places = places("/b");
    let own = std::process::id();
    for path in [
        "/proc/self/environ".to_owned(),
        "/proc/thread-self/environ".to_owned(),
        "/proc/self/task/1/environ".to_owned(),
        format!("/proc/{own}/environ"),
        format!("/proc/{own}/mem"),
        format!("/proc/{own}/fd/3"),
    ] {
        assert!(matches!(places.opening(&path), Access::Never(_)), "opening {path}");
        assert!(matches!(places.writing(&path), Access::Never(_)), "writing {path}");
    }
    // By way of a link that somebody made, too.
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("harmless");
    std::os::unix::fs::symlink("/proc/self/environ", &link).unwrap();
    assert!(matches!(places.opening(&link.to_string_lossy()), Access::Never(_)));
    assert_eq!(places.opening("/proc/meminfo"), Access::Free);
    assert!(matches!(places.opening("/proc/1/environ"), Access::Ask(_)));
}

#[test]
fn writing_is_free_only_inside_the_roots_and_not_where_something_runs_later() {
    let places = places("/b");
    let cases = [
        ("/b/home/project/a.txt", "free"),
        ("/b/home/artoo_workspace/x/y.md", "free"),
        ("/b/home/other/a.txt", "ask"),
        ("/b/home/project/.git/hooks/pre-commit", "ask"),
        ("/b/home/project/.git/config", "ask"),
        ("/b/home/project/.vscode/tasks.json", "ask"),
        ("/b/home/project/notes/authorized_keys", "ask"),
        ("/b/home/.bashrc", "ask"),
        ("/b/home/.artoo/x", "never"),
    ];
    for (path, expected) in cases {
        let seen = match places.writing(path) {
            Access::Free => "free",
            Access::Ask(_) => "ask",
            Access::Never(_) => "never",
        };
        assert_eq!(seen, expected, "writing {path}");
    }
}

#[test]
fn a_link_is_judged_by_where_it_leads() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let places = places(&base);
    std::fs::create_dir_all(format!("{base}/home/project")).unwrap();
    std::fs::create_dir_all(format!("{base}/home/.ssh")).unwrap();
    std::fs::create_dir_all(format!("{base}/outside")).unwrap();
    std::os::unix::fs::symlink(format!("{base}/home/.ssh"), format!("{base}/home/project/keys")).unwrap();
    std::os::unix::fs::symlink(format!("{base}/outside"), format!("{base}/home/project/out")).unwrap();
    std::os::unix::fs::symlink("../../outside/later.txt", format!("{base}/home/project/dangling")).unwrap();
    assert!(matches!(places.reading(&format!("{base}/home/project/keys/id")), Access::Ask(_)));
    assert!(matches!(places.writing(&format!("{base}/home/project/out/new.txt")), Access::Ask(_)));
    assert!(matches!(places.writing(&format!("{base}/home/project/dangling")), Access::Ask(_)));
    assert_eq!(
        canonical(&format!("{base}/home/project/out/a/b")),
        format!("{base}/outside/a/b"),
        "missing parts keep their names"
    );
}

#[test]
fn folders_above_secrets_are_known() {
    let places = places("/b");
    assert!(places.holds_secrets_below("/b/home"));
    assert!(places.holds_secrets_below("/"));
    assert!(!places.holds_secrets_below("/b/home/project"));
    assert!(is_below("/a/b", "/a") && !is_below("/ab", "/a") && is_below("/x", "/"));
}
