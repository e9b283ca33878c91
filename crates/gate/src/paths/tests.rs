use artoo_types::setting::{ProjectMode, UnaskedRules};
use artoo_types::target::is_below;

use super::entries::SecretEntries;
use super::{PathAccess, PathRules, canonical};

fn paths(base: &str) -> PathRules {
    PathRules {
        working_directory: format!("{base}/home/project"),
        workspace: format!("{base}/home/artoo_workspace"),
        home: format!("{base}/home"),
        data_dir: format!("{base}/home/.artoo"),
        unasked: Default::default(),
        real: Default::default(),
    }
}

#[test]
fn reading_is_free_but_for_secrets_and_the_data_folder() {
    let paths = paths("/b");
    let cases = [
        ("/b/home/project/a.txt", "free"),
        ("/b/home/.ssh", "ask"),
        ("/b/home/.ssh/id", "ask"),
        ("/b/home/.sshd_notes", "free"),
        ("/b/home/.SSH/id", "ask"),
        ("/b/home/Library/Keychains/x", "ask"),
        ("/b/home/.env", "ask"),
        ("/b/home/project/.env", "ask"),
        ("/b/home/project/sub/.env.production", "ask"),
        ("/b/home/project/.env.example", "free"),
        ("/b/home/project/deploy_rsa", "ask"),
        ("/b/home/project/deploy_rsa.pub", "free"),
        ("/b/home/project/certs/server.PEM", "ask"),
        ("/usr/lib/python3/certifi/cacert.pem", "free"),
        ("/etc/ssl/certs/x.pem", "free"),
        ("/b/home/project/tls.key", "ask"),
        ("/b/home/project/credentials", "ask"),
        ("/b/home/project/credentials.json", "ask"),
        ("/b/home/project/credentials.py", "free"),
        ("/b/home/project/secrets.yaml", "ask"),
        ("/b/home/project/secretsanta.txt", "free"),
        ("/b/home/project/token", "ask"),
        ("/b/home/project/tokens.csv", "free"),
        ("/home/another/.aws/credentials", "ask"),
        ("/home/another/.gnupg/x", "ask"),
        ("/Users/another/Library/Keychains/x", "ask"),
        ("/root/.ssh/known_hosts", "ask"),
        ("/home/another/notes.txt", "free"),
        ("/proc/self/root/b/home/.artoo/confirm.token", "never"),
        ("/proc/12/root/b/home/notes", "ask"),
        ("/etc/shadow", "ask"),
        ("/proc/1/environ", "ask"),
        ("/proc/meminfo", "free"),
        ("/b/home/.artoo/journal", "never"),
    ];
    for (path, expected) in cases {
        let seen = match paths.reading(path) {
            PathAccess::Free => "free",
            PathAccess::Ask(_) => "ask",
            PathAccess::Never(_) => "never",
        };
        assert_eq!(seen, expected, "reading {path}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_daemon_opens_nothing_of_itself() {
    let paths = paths("/b");
    let own = std::process::id();
    for path in [
        "/proc/self/environ".to_owned(),
        "/proc/thread-self/environ".to_owned(),
        "/proc/self/task/1/environ".to_owned(),
        format!("/proc/{own}/environ"),
        format!("/proc/{own}/mem"),
        format!("/proc/{own}/fd/3"),
    ] {
        assert!(matches!(paths.opening(&path), PathAccess::Never(_)), "opening {path}");
        assert!(matches!(paths.writing(&path), PathAccess::Never(_)), "writing {path}");
    }
    // By way of a link that somebody made, too.
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("harmless");
    std::os::unix::fs::symlink("/proc/self/environ", &link).unwrap();
    assert!(matches!(paths.opening(&link.to_string_lossy()), PathAccess::Never(_)));
    assert_eq!(paths.opening("/proc/meminfo"), PathAccess::Free);
    assert!(matches!(paths.opening("/proc/1/environ"), PathAccess::Ask(_)));
}

#[test]
fn writing_is_free_only_inside_the_roots_and_not_where_something_runs_later() {
    let paths = paths("/b");
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
        let seen = match paths.writing(path) {
            PathAccess::Free => "free",
            PathAccess::Ask(_) => "ask",
            PathAccess::Never(_) => "never",
        };
        assert_eq!(seen, expected, "writing {path}");
    }
}

#[test]
fn a_link_is_judged_by_where_it_leads() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let paths = paths(&base);
    std::fs::create_dir_all(format!("{base}/home/project")).unwrap();
    std::fs::create_dir_all(format!("{base}/home/.ssh")).unwrap();
    std::fs::create_dir_all(format!("{base}/outside")).unwrap();
    std::os::unix::fs::symlink(format!("{base}/home/.ssh"), format!("{base}/home/project/keys")).unwrap();
    std::os::unix::fs::symlink(format!("{base}/outside"), format!("{base}/home/project/out")).unwrap();
    std::os::unix::fs::symlink("../../outside/later.txt", format!("{base}/home/project/dangling")).unwrap();
    assert!(matches!(paths.reading(&format!("{base}/home/project/keys/id")), PathAccess::Ask(_)));
    assert!(matches!(paths.writing(&format!("{base}/home/project/out/new.txt")), PathAccess::Ask(_)));
    assert!(matches!(paths.writing(&format!("{base}/home/project/dangling")), PathAccess::Ask(_)));
    assert_eq!(
        canonical(&format!("{base}/home/project/out/a/b")),
        format!("{base}/outside/a/b"),
        "missing parts keep their names"
    );
}

#[test]
fn another_name_of_a_secret_is_a_secret() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let at = |name: &str| format!("{base}/home/{name}");
    for folder in ["project", ".ssh/deep", ".artoo"] {
        std::fs::create_dir_all(at(folder)).unwrap();
    }
    for (file, name) in
        [(".ssh/config", "a"), (".ssh/deep/key", "b"), (".artoo/confirm.token", "c"), ("plain", "d")]
    {
        std::fs::write(at(file), "x").unwrap();
        std::fs::hard_link(at(file), at(&format!("project/{name}"))).unwrap();
    }
    let paths = paths(&base);
    let read = |name: &str| paths.reading(&at(&format!("project/{name}")));
    for name in ["a", "b"] {
        assert!(matches!(read(name), PathAccess::Ask(why) if why.contains("another name")), "{name}");
    }
    assert!(matches!(read("c"), PathAccess::Never(_)));
    assert_eq!(read("d"), PathAccess::Free);
    assert!(matches!(paths.writing(&at("project/a")), PathAccess::Ask(_)));
}

#[test]
fn folders_above_secrets_are_known() {
    let paths = paths("/b");
    assert!(paths.holds_secrets_below("/b/home"));
    assert!(paths.holds_secrets_below("/"));
    assert!(!paths.holds_secrets_below("/b/home/project"));
    assert!(is_below("/a/b", "/a") && !is_below("/ab", "/a") && is_below("/x", "/"));
}

#[test]
fn a_folder_whose_secrets_are_left_out_holds_none() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().to_string_lossy().into_owned();
    for folder in [".artoo", ".ssh", "notes"] {
        std::fs::create_dir(home.path().join(folder)).unwrap();
    }
    let rules = PathRules {
        working_directory: root.clone(),
        workspace: format!("{root}/artoo_workspace"),
        home: root.clone(),
        data_dir: format!("{root}/.artoo"),
        unasked: Default::default(),
        real: Default::default(),
    };
    let beside = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        rules.holds_secrets_beside(&root, &names)
    };
    assert!(beside(&[]) && beside(&[".ssh"]) && beside(&[".artoo"]));
    assert!(!beside(&[".artoo", ".ssh"]));
    std::fs::write(home.path().join(".netrc"), "x").unwrap();
    assert!(beside(&[".artoo", ".ssh"]), "what is there and not left out");
    assert!(rules.holds_secrets_beside("/", &[".artoo".to_owned()]));
}

/// In a home, and in what holds one, nothing hidden is made unasked and nothing where programs are searched, whatever its name;
/// a project's own hidden files are the project's.
#[test]
fn what_programs_look_for_by_themselves_is_made_by_a_person() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let at = |folder: &str| PathRules {
        working_directory: format!("{base}{folder}"),
        unasked: UnaskedRules { project: ProjectMode::Work, ..UnaskedRules::default() },
        ..paths(&base)
    };
    for folder in ["/home/project/.git", "/home/papers", "/home/.config/app", "/home/artoo_workspace"] {
        std::fs::create_dir_all(format!("{base}{folder}")).unwrap();
    }
    let is_free = |folder: &str, path: &str| at(folder).writing(&format!("{base}{path}")) == PathAccess::Free;
    for (folder, path) in [
        ("/home", "/home/notes.txt"),
        ("/home/papers", "/home/papers/a/b.txt"),
        ("/home/papers", "/home/papers/bin/list.txt"),
        ("/home/project", "/home/project/.eslintrc.json"),
        ("/home/project", "/home/project/.github/workflows/ci.yml"),
        ("/home/papers", "/home/artoo_workspace/.cache/x"),
    ] {
        assert!(is_free(folder, path), "{path} from {folder}");
    }
    for (folder, path) in [
        ("/home", "/home/.whatever"),
        ("/home", "/home/.newtool/settings.json"),
        ("/home", "/home/sbin/run"),
        ("", "/home/.newtool/settings.json"),
        ("", "/home/sbin/run"),
        ("/home/.config/app", "/home/.config/app/settings.json"),
        ("/home/papers", "/home/papers/.hidden"),
        ("/home/project", "/home/project/.mcp.json"),
        ("/home/project", "/home/project/.claude/settings.json"),
        ("/home/papers", "/home/papers/.tmux.conf"),
    ] {
        assert!(!is_free(folder, path), "{path} from {folder}");
    }
}

/// A walk asks by folder and name; the answers are those that each path would get by itself.
#[test]
fn the_entries_of_a_walk_are_judged_as_their_paths_are() {
    let places = [
        "",
        "/etc",
        "/etc/ssl",
        "/etc/ssh",
        "/var/lib",
        "/run",
        "/proc",
        "/proc/7",
        "/b",
        "/b/home",
        "/b/home/.config",
        "/b/home/.Docker",
        "/b/home/.cargo",
        "/b/home/project",
        "/b/home/project/.docker",
        "/home",
        "/home/eve",
        "/home/eve/.config",
        "/root",
        "/root/Library",
        "/usr/lib/python3/certifi",
        "/srv/x",
    ];
    let names = [
        ".ssh",
        ".SSH",
        ".artoo",
        ".config",
        "gcloud",
        "config.json",
        "credentials",
        "credentials.toml",
        ".env",
        ".env.local",
        ".env.example",
        "server.PEM",
        "cacert.pem",
        "deploy_rsa",
        "deploy_rsa.pub",
        "shadow",
        "sudoers.d",
        "private",
        "ssh_host_rsa_key",
        "docker",
        "secrets",
        "environ",
        "mem",
        "keychains",
        "Keychains",
        "notes.txt",
        "K.key",
    ];
    let rules = paths("/b");
    let mut entries = SecretEntries::new(rules.clone());
    let mut secret = 0;
    for folder in places.iter().filter(|folder| !rules.is_secret(folder)) {
        for name in names {
            let path = format!("{folder}/{name}");
            let asked = if folder.is_empty() { "/" } else { folder };
            assert_eq!(entries.holds(asked, name), rules.is_secret(&path), "{path}");
            secret += usize::from(rules.is_secret(&path));
        }
    }
    assert!(secret > 50, "{secret} places hold secrets");
}
