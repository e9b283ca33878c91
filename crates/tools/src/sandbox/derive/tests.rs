use std::path::Path;

use artoo_types::evidence::EffectClass;

use super::{agreed, told, unasked};
use crate::gate::{Creation, Decision, Explanation, Making, explain};
use crate::places::Places;
use crate::sandbox::{Bounds, Confinement, Grant};

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
        for file in ["home/.bashrc", "home/notes", "home/.ssh/id", "home/project/a.txt", "srv/all/b", "srv/c"]
        {
            std::fs::write(dir.path().join(file), "x").unwrap();
        }
        Self { dir }
    }

    fn path(&self, below: &str) -> String {
        self.dir.path().canonicalize().unwrap().join(below).to_string_lossy().into_owned()
    }

    fn places(&self) -> Places {
        Places {
            working_directory: self.path("home/project"),
            workspace: self.path("home/space"),
            home: self.path("home"),
            data_dir: self.path("home/.artoo"),
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
        let shown = |grant: &Grant| format!("{grant:?}").replace(&base, "");
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
    assert!(reading.grants.is_empty() && !reading.network && !reading.modes, "{reading:?}");
    let new = |path: &str, kind| Creation { path: path.to_owned(), kind };
    explanation.creates = vec![
        new("/w/z", Making::Folder),
        new("/w/z/a", Making::File),
        new("/w/own", Making::OwnFolder),
        new("/w/own2", Making::OwnFolder),
        new("/w/link", Making::Symlink("../x".to_owned())),
        new("/w/hard", Making::HardLink("/w/x".to_owned())),
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
        ("rm a.txt", &["Content(\"home/project/a.txt\")", "Below(\"home/project\")"]),
        ("rm {}/srv/c", &["Content(\"srv/c\")", "Below(\"srv\")"]),
        ("rm -r {}/srv/all", &["Below(\"srv/all\")", "Names(\"srv\")"]),
        ("mkdir {}/srv/new/deep", &["Below(\"srv\")"]),
        // Beside artoo's own folder and start-up files, nothing but names.
        ("rm {}/home/notes", &["Content(\"home/notes\")", "Names(\"home\")"]),
        (
            "mv a.txt repo/a.txt",
            &["Content(\"home/project/a.txt\")", "Below(\"home/project\")", "Names(\"home/project/repo\")"],
        ),
        ("rm {}/home/.bashrc", &["Names(\"home\")"]),
    ];
    for (command, expected) in cases {
        assert_eq!(home.grants(command), *expected, "{command}");
        let bounds = bounds(home.agreed(command));
        let sets_modes = ["mkdir", "mv"].iter().any(|name| command.starts_with(name));
        assert_eq!((bounds.modes, bounds.network), (sets_modes, false), "{command}");
    }
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
    ] {
        let Confinement::Confined(bounds) = home.agreed(command) else { continue };
        let gives = |grant: &&Grant| match grant {
            Grant::New(path)
            | Grant::NewFolder(path)
            | Grant::OwnFolder(path)
            | Grant::Symlink { path, .. }
            | Grant::HardLink { path, .. }
            | Grant::Content(path)
            | Grant::Index(path)
            | Grant::Below(path) => Path::new(&data).starts_with(path) || Path::new(path).starts_with(&data),
            Grant::Names(path) => Path::new(path).starts_with(&data),
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
    let places = Places { working_directory: home.path("home"), ..home.places() };
    assert_eq!(agreed("make", &explain("make", &places), &places), Confinement::FullPower);
}

#[test]
fn a_person_reads_what_a_yes_gives() {
    let home = Home::new();
    let said = told(&home.agreed("rm {}/srv/c"));
    let base = home.path("srv");
    assert_eq!(
        said,
        format!(
            "it would run confined: it can change {base}/c, what is in {base} and nothing else, and the network is off"
        )
    );
    let none = Bounds { hidden: Vec::new(), grants: Vec::new(), network: true, modes: false };
    let modes = Bounds { modes: true, ..none.clone() };
    assert_eq!(
        told(&Confinement::Confined(none)),
        "it would run confined: it can change nothing, and the network is on"
    );
    assert_eq!(
        told(&Confinement::Confined(modes)),
        "it would run confined: it can change modes and times of your files and nothing else, and the network is on"
    );
    let many = (0..9).map(|number| Grant::Content(format!("/{number}"))).collect();
    let many = Bounds { hidden: Vec::new(), grants: many, network: false, modes: true };
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
        brings: artoo_types::taint::Taint::default(),
    };
    let bounds = bounds(agreed("cat", &explanation, &home.places()));
    assert!(!bounds.hidden.contains(&home.path("home/.ssh")));
    assert!(bounds.hidden.contains(&home.path("home/.artoo")), "artoo's own folder stays hidden");
    assert!(bounds.grants.is_empty(), "reading changes nothing");
}
