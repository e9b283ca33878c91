use std::path::Path;

use artoo_types::evidence::EffectClass;

use super::{agreed, told, unasked};
use crate::sandbox::{Bounds, Confinement, Grant, ModeRights};
use artoo_gate::paths::PathRules;
use artoo_gate::{Creation, CreationKind, Decision, Explanation, explain};

struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in [
            "home/.artoo",
            "home/.ssh",
            "home/project/sub",
            "home/project/repo/.git",
            "home/space",
            "srv/all",
        ] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        for file in [
            "home/.bashrc",
            "home/notes",
            "home/.ssh/id",
            "home/project/a.txt",
            "home/project/repo/x",
            "srv/all/b",
            "srv/c",
        ] {
            std::fs::write(dir.path().join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(dir.path().join("srv/c"), dir.path().join("home/project/sub/link"))
            .unwrap();
        Self { dir }
    }

    fn path(&self, below: &str) -> String {
        self.dir.path().canonicalize().unwrap().join(below).to_string_lossy().into_owned()
    }

    fn places(&self) -> PathRules {
        PathRules {
            working_directory: self.path("home/project"),
            workspace: self.path("home/space"),
            home: self.path("home"),
            data_dir: self.path("home/.artoo"),
            unasked: Default::default(),
            real: Default::default(),
        }
    }

    fn agreed(&self, command: &str) -> Confinement {
        let places = self.places();
        let command = command.replace("{}", self.path("").trim_end_matches('/'));
        agreed(&command, &explain(&command, &places), &places)
    }

    /// The grants of a confined command, with the paths below this home.
    fn grants(&self, command: &str) -> Vec<String> {
        let bounds = bounds(self.agreed(command));
        let base = self.path("");
        let shown = |grant: &Grant| format!("{grant:?}").replace(&base, "").replace('"', "");
        bounds.grants.iter().map(shown).collect()
    }
}

fn bounds(confinement: Confinement) -> Bounds {
    match confinement {
        Confinement::Confined(bounds) => bounds,
        Confinement::FullPower | Confinement::Guarded(_) => panic!("{confinement:?} is not confined"),
    }
}

#[test]
fn what_runs_unasked_changes_exactly_what_the_gate_lists() {
    let home = Home::new();
    let places = home.places();
    let mut explanation = explain("ls", &places);
    assert_eq!(explanation.decision, Decision::Safe);
    let reading = bounds(unasked(&explanation, &places));
    assert!(
        reading.grants.is_empty() && !reading.network && reading.modes == ModeRights::Nothing,
        "{reading:?}"
    );
    let new = |path: &str, kind| Creation { path: path.to_owned(), kind };
    explanation.creates = vec![
        new("/w/z", CreationKind::Folder),
        new("/w/z/a", CreationKind::File),
        new("/w/own", CreationKind::OwnFolder),
        new("/w/own2", CreationKind::OwnFolder),
        new("/w/link", CreationKind::Symlink("../x".to_owned())),
        new("/w/hard", CreationKind::HardLink("/w/x".to_owned())),
    ];
    let grants = bounds(unasked(&explanation, &places)).grants;
    let expected = [
        Grant::NewFolder("/w/z".to_owned()),
        Grant::New("/w/z/a".to_owned()),
        Grant::OwnFolder("/w/own".to_owned()),
        Grant::OwnFolder("/w/own2".to_owned()),
        Grant::Symlink { path: "/w/link".to_owned(), text: "../x".to_owned() },
        Grant::HardLink { path: "/w/hard".to_owned(), of: "/w/x".to_owned() },
    ];
    assert_eq!(grants, expected, "in their order, and no folder among them");
}

#[test]
fn what_is_hidden_is_hidden_from_everything_that_is_confined() {
    let home = Home::new();
    let places = home.places();
    for confinement in [unasked(&explain("ls", &places), &places), home.agreed("rm a.txt")] {
        let hidden = bounds(confinement).hidden;
        for path in ["home/.artoo", "home/.ssh"] {
            assert!(hidden.contains(&home.path(path)), "{path}: {hidden:?}");
        }
        assert!(hidden.contains(&"/etc/shadow".to_owned()));
    }
}

#[test]
fn a_yes_gives_what_it_was_asked_for() {
    let home = Home::new();
    let cases: &[(&str, &[&str])] = &[
        ("rm a.txt", &["Removals(home/project)"]),
        ("rm {}/srv/c", &["Removals(srv)"]),
        ("rm -r {}/srv/all", &["Removals(srv)"]),
        ("rm repo/x", &["Removals(home/project/repo)"]),
        ("shred repo/x", &["Content(home/project/repo/x)", "Removals(home/project/repo)"]),
        ("find sub -name '*.tmp' -delete", &["Removals(home/project/sub)"]),
        // A link itself goes, not what it leads to.
        ("rm sub/link", &["Removals(home/project/sub)"]),
        ("truncate -s 0 sub/link", &["Content(srv/c)"]),
        ("mkdir {}/srv/new", &["OwnFolder(srv/new)"]),
        ("mkdir -p {}/srv/new/deep", &["NewFolder(srv/new)", "NewFolder(srv/new/deep)"]),
        ("mkdir {}/srv/new/deep", &["Below(srv)"]),
        (
            "ln -s {}/home/project/a.txt {}/srv/link",
            &["Symlink { path: srv/link, text: home/project/a.txt }"],
        ),
        ("gzip -k a.txt", &["Content(home/project/a.txt)", "Below(home/project)"]),
        ("cp -r sub {}/srv/sub2", &["Below(srv)"]),
        (
            "mv a.txt sub/a.txt",
            &["Content(home/project/a.txt)", "Below(home/project)", "Below(home/project/sub)"],
        ),
        // Beside artoo's own folder and start-up files, nothing but the one file.
        ("echo x > {}/home/fresh", &["New(home/fresh)"]),
        ("cp a.txt {}/home/fresh", &["New(home/fresh)"]),
        ("truncate -s 0 {}/home/notes", &["Content(home/notes)"]),
        ("echo x >> {}/home/.bashrc", &["Content(home/.bashrc)"]),
        ("cp a.txt repo/x", &["Content(home/project/repo/x)"]),
        ("chmod 600 a.txt", &[]),
        ("curl -s https://example.org/", &[]),
        ("curl -s -o page https://example.org/", &["Below(home/project)"]),
    ];
    for (command, expected) in cases {
        assert_eq!(home.grants(command), *expected, "{command}");
        let bounds = bounds(home.agreed(command));
        let leaves_modes = ["rm", "shred", "find", "truncate", "ln", "echo", "curl"];
        let sets_modes = !leaves_modes.iter().any(|name| command.starts_with(name) && *name != "shred");
        assert_eq!(
            (bounds.modes == ModeRights::All, bounds.network),
            (sets_modes, command.starts_with("curl")),
            "{command}"
        );
    }
}

#[test]
fn what_would_need_more_than_can_be_bounded_has_full_power_and_says_so() {
    let home = Home::new();
    for command in [
        // artoo's own folder lies below the one in which a name would go.
        "rm {}/home/notes",
        "rm {}/home/.bashrc",
        "rm -r {}/home/space",
        // A name beside what runs later would let any name there be replaced.
        "mv a.txt {}/home/fresh",
        "mv {}/home/notes {}/home/notes2",
        "mv a.txt repo/a.txt",
        "cp -r sub {}/home/sub2",
        "cp -r sub repo/sub2",
        "gzip -k repo/x",
        "ln -sf a.txt repo/x",
        "echo x > {}/home/fresh; mkdir {}/home/folder; cp -r sub {}/home/folder/sub",
    ] {
        let confinement = home.agreed(command);
        assert!(!matches!(confinement, Confinement::Confined(_)), "{command}: {confinement:?}");
        assert!(told(&confinement).contains("full power"), "{command}");
    }
    let places = PathRules { working_directory: home.path("home/project/repo"), ..home.places() };
    for command in ["tar xf a.tar", "unzip a.zip", "patch -p1", "curl -s -O https://example.org/x", "mv x y"]
    {
        let confinement = agreed(command, &explain(command, &places), &places);
        assert!(!matches!(confinement, Confinement::Confined(_)), "{command}: {confinement:?}");
    }
    let fetching = "curl -s https://example.org/";
    bounds(agreed(fetching, &explain(fetching, &places), &places));
}

#[test]
fn nothing_gives_the_data_folder() {
    let home = Home::new();
    let data = home.path("home/.artoo");
    for command in [
        "rm {}/home/.artoo/x",
        "cp a.txt {}/home/.artoo/confirm.token",
        "tee {}/home/.artoo",
        "rm {}/home/notes",
        "rm -r {}/home/project",
        "rm -r {}/home",
        "mv {}/home/notes a.txt",
        "mkdir {}/home/folder",
        "mkdir -p {}/home/folder/deep",
        "ln -s a.txt {}/home/link",
        "echo x > {}/home/new",
        "truncate -s 0 {}/home/notes",
        "find {}/home -name x -delete",
        "tar xf a.tar -C {}/home",
        "cp -r sub {}/home/",
    ] {
        let confinement = home.agreed(command);
        let Confinement::Confined(bounds) = confinement else {
            assert!(told(&confinement).contains("full power"), "{command}");
            continue;
        };
        // What holds for all below a folder must not have the data folder below it; nothing may lie in it.
        let gives = |grant: &&Grant| match grant {
            Grant::Removals(path) | Grant::Below(path) => {
                Path::new(&data).starts_with(path) || Path::new(path).starts_with(&data)
            }
            Grant::New(path)
            | Grant::Offered(path)
            | Grant::Mode { path, .. }
            | Grant::NewFolder(path)
            | Grant::OwnFolder(path)
            | Grant::Symlink { path, .. }
            | Grant::HardLink { path, .. }
            | Grant::Content(path)
            | Grant::Index(path) => Path::new(path).starts_with(&data),
        };
        assert_eq!(bounds.grants.iter().find(gives), None, "{command}");
        assert!(bounds.hidden.contains(&data), "{command}");
    }
}

#[test]
fn the_network_is_on_only_for_what_sends() {
    let home = Home::new();
    let fetching = bounds(home.agreed("curl -s https://example.org/"));
    assert!(fetching.network, "{fetching:?}");
    assert!(!bounds(home.agreed("rm a.txt")).network);
}

#[test]
fn what_is_not_understood_has_full_power_and_says_so() {
    let home = Home::new();
    for command in
        ["python3 x.py", "systemctl stop cups", "sudo rm a.txt", "make", "git commit -m x", "./run"]
    {
        let confinement = home.agreed(command);
        assert!(!matches!(confinement, Confinement::Confined(_)), "{command}: {confinement:?}");
        assert!(told(&confinement).contains("full power"), "{command}");
    }
    assert!(
        matches!(home.agreed("make"), Confinement::Guarded(hidden) if hidden.contains(&home.path("home/.artoo")))
    );
    // Nothing may be taken from what becomes another user.
    assert_eq!(home.agreed("sudo make install"), Confinement::FullPower);
}

#[test]
fn where_new_files_would_be_unreadable_full_power_is_not_guarded() {
    let home = Home::new();
    let places = PathRules { working_directory: home.path("home"), ..home.places() };
    assert_eq!(agreed("make", &explain("make", &places), &places), Confinement::FullPower);
}

#[test]
fn a_person_reads_what_a_yes_gives() {
    let home = Home::new();
    let base = home.path("srv");
    for (command, expected) in [
        (
            "rm {}/srv/c",
            format!("it can remove everything below {base} and nothing else, and the network is off"),
        ),
        (
            "truncate -s 0 {}/srv/c",
            format!("it can change {base}/c and nothing else, and the network is off"),
        ),
        (
            "shred {}/srv/c",
            format!(
                "it can change {base}/c, modes and times of your files, remove everything below {base} and nothing else, and the network is off"
            ),
        ),
    ] {
        assert_eq!(told(&home.agreed(command)), format!("it would run confined: {expected}"), "{command}");
    }
    let none = Bounds { network: true, ..Bounds::reading(Vec::new()) };
    let modes = Bounds { modes: ModeRights::All, ..none.clone() };
    assert_eq!(
        told(&Confinement::Confined(none)),
        "it would run confined: it can change nothing, and the network is on"
    );
    assert_eq!(
        told(&Confinement::Confined(modes)),
        "it would run confined: it can change modes and times of your files and nothing else, and the network is on"
    );
    let many = (0..9).map(|number| Grant::Content(format!("/{number}"))).collect();
    let many = Bounds { grants: many, modes: ModeRights::All, ..Bounds::reading(Vec::new()) };
    assert!(
        told(&Confinement::Confined(many))
            .contains("/5 and 3 more, modes and times of your files and nothing else")
    );
}

#[test]
fn a_secret_that_a_person_agreed_to_is_no_longer_hidden() {
    let home = Home::new();
    let explanation = Explanation {
        decision: Decision::Confirm,
        effects: vec![EffectClass::Read],
        targets: vec![home.path("home/.ssh/id"), home.path("home/.artoo/confirm.token")],
        creates: Vec::new(),
        changes: None,
        why: Vec::new(),
        classes: vec!["shell:cat".to_owned()],
        blame: "shell:cat".to_owned(),
        target: String::new(),
        looks_at: Some(Vec::new()),
        brings: artoo_types::taint::Taint::default(),
        brought: artoo_types::taint::Taint::default(),
        folders_bring: artoo_types::taint::Taint::default(),
        names: Vec::new(),
        leeway: artoo_gate::Leeway::default(),
    };
    let bounds = bounds(agreed("cat", &explanation, &home.places()));
    assert!(!bounds.hidden.contains(&home.path("home/.ssh")));
    assert!(bounds.hidden.contains(&home.path("home/.artoo")), "artoo's own folder stays hidden");
    assert!(bounds.grants.is_empty(), "reading changes nothing");
}

#[test]
fn the_tightest_confinement_makes_new_files_and_nothing_else() {
    let path = || "/w/x".to_owned();
    let grants =
        vec![Grant::New(path()), Grant::Index(path()), Grant::Content(path()), Grant::OwnFolder(path())];
    let wide = Bounds { grants, network: true, modes: ModeRights::All, ..Bounds::reading(vec![path()]) };
    let tight = bounds(Confinement::Confined(wide).tightest());
    assert_eq!(tight.grants, [Grant::New(path()), Grant::OwnFolder(path())]);
    assert!(!tight.network && tight.modes == ModeRights::Nothing && tight.hidden.len() == 1);
    for open in [Confinement::FullPower, Confinement::Guarded(vec![path()])] {
        assert!(!open.clone().tightest().is_confined(), "{open:?}");
    }
}
