use artoo_types::evidence::EffectClass;
use artoo_types::machine::HeldCall;
use artoo_types::outcome::Denial;
use artoo_types::undo::{TargetKind, TargetState, Undoing};

use super::{ActionKind, DeniedAction};
use crate::questions::Questions;

fn kind(path: &str) -> TargetKind {
    match path.rsplit('/').next().unwrap() {
        "build" | "src" => TargetKind::Folder,
        "link" => TargetKind::Link,
        _ => TargetKind::File,
    }
}

/// A call on these paths; `as_named` is how the call spells them.
fn call(class: &str, action: &str, effects: &[EffectClass], paths: &[&str]) -> HeldCall {
    HeldCall {
        tool: class.split(':').next().unwrap().to_owned(),
        action: action.to_owned(),
        classes: vec![class.to_owned()],
        target: action.to_owned(),
        effects: effects.to_vec(),
        targets: paths.iter().map(|path| (*path).to_owned()).collect(),
        why: Vec::new(),
        states: paths
            .iter()
            .map(|path| TargetState {
                real: path.replace("/here/", "/w/"),
                leads_to: path.replace("/here/", "/w/").replace("/w/link", "/w/x.txt"),
                kind: kind(path),
                bytes: 1,
                files: 1,
                sha256: String::new(),
            })
            .collect(),
        undo: Undoing::Trash { bytes: 1 },
        caution: false,
        digest: String::new(),
    }
}

#[test]
fn a_denied_effect_is_not_reached_by_another_route() {
    use EffectClass::{Create, Delete, Overwrite, Read, Send, System, Unknown};
    let denied = DeniedAction::of(&call("shell:rm", "rm x.txt", &[Delete], &["/w/x.txt"]));
    let reached = [
        call("shell:rm", "rm x.txt", &[Delete], &["/w/x.txt"]),
        call("shell:rm", "rm -f x.txt y.txt", &[Delete], &["/w/y.txt", "/w/x.txt"]),
        call("shell:unlink", "unlink /here/x.txt", &[Delete], &["/here/x.txt"]),
        call("shell:truncate", "truncate -s 0 link", &[Overwrite], &["/w/link"]),
        call("shell:rm", "rm -r /w", &[Delete], &["/w"]),
        call("edit_file", "in /w/x.txt replace", &[Overwrite], &["/w/x.txt"]),
        call("shell:mv", "mv y.txt x.txt", &[Overwrite], &["/w/y.txt", "/w/x.txt"]),
        call("shell:sudo", "sudo rm x.txt", &[Delete, System], &["/w/x.txt"]),
        call("shell:python3", "python3 -c \"import os; os.remove('x.txt')\"", &[Unknown], &[]),
        call("shell:bash", "bash -c 'rm ./x.txt'", &[Delete, Unknown], &["/w/x.txt"]),
        call("shell:perl", "perl clean.pl x.txt", &[Unknown], &["/w/clean.pl"]),
    ];
    for later in &reached {
        assert!(denied.reaches(later), "{}", later.action);
    }
    let other = [
        call("shell:rm", "rm y.txt", &[Delete], &["/w/y.txt"]),
        call("shell:rm", "rm xx.txt", &[Delete], &["/w/xx.txt"]),
        call("shell:cat", "cat x.txt", &[Read], &["/w/x.txt"]),
        call("write_file", "write y.txt", &[Create], &["/w/y.txt"]),
        call("shell:curl", "curl -T y.txt example.org", &[Send], &["/w/y.txt"]),
        call("shell:make", "make x.txt.gz", &[Unknown], &["/w/x.txt.gz"]),
        call("shell:make", "make all", &[Unknown], &[]),
    ];
    for later in &other {
        assert!(!denied.reaches(later), "{}", later.action);
    }

    let below = DeniedAction::of(&call("shell:rm", "rm -r build", &[Delete], &["/w/build"]));
    assert!(below.reaches(&call("shell:rm", "rm build/a.o", &[Delete], &["/w/build/a.o"])));
    assert!(!below.reaches(&call("write_file", "write", &[Create], &["/w/build/new"])));

    let secret = DeniedAction::of(&call("read_file", "read", &[Read], &["/h/.ssh/id"]));
    assert!(secret.reaches(&call("shell:cp", "cp", &[Read, Create], &["/h/.ssh/id", "/w/copy"])));
    assert!(secret.reaches(&call("shell:curl", "curl", &[Send], &["/h/.ssh/id"])));

    let unclear = DeniedAction::of(&call("shell:frob", "frob", &[Unknown], &[]));
    assert!(unclear.reaches(&call("shell:frob", "frob", &[Unknown], &[])));
    assert!(!unclear.reaches(&call("shell:make", "make", &[Unknown], &[])));
}

/// What nobody can tell of an action closes no more than the action itself.
#[test]
fn the_folder_of_an_unclear_action_is_no_word_about_what_is_in_it() {
    use EffectClass::{Overwrite, Unknown};
    let effects = [Overwrite, Unknown];
    let denied =
        DeniedAction::of(&call("shell:sed", "sed -i s/a/b/ x.txt; ./own.sh", &effects, &["/w/x.txt", "/w"]));
    assert_eq!(denied.changed_places().collect::<Vec<_>>(), ["/w/x.txt"; 3]);
    for later in [
        call("edit_file", "in /w/package.json replace", &[Overwrite], &["/w/package.json"]),
        call("shell:node", "node build.js", &[Unknown], &["/w"]),
        call("shell:mv", "mv -n a b; ./other.sh", &effects, &["/w/b", "/w"]),
    ] {
        assert!(!denied.reaches(&later), "{}", later.action);
    }
    for later in [
        call("edit_file", "in /w/x.txt replace", &[Overwrite], &["/w/x.txt"]),
        call("shell:python3", "python3 -c 'open(\"x.txt\", \"w\")'", &[Unknown], &["/w"]),
        call("shell:sed", "sed -i s/a/b/ x.txt; ./own.sh", &effects, &["/w/x.txt", "/w"]),
    ] {
        assert!(denied.reaches(&later), "{}", later.action);
    }
}

#[test]
fn a_yes_to_a_kind_covers_that_kind_alone() {
    use EffectClass::{Create, Delete, Overwrite, Read, Send, Unknown};
    let yes = ActionKind::of(&call("shell:rm", "rm build/a.o", &[Delete], &["/w/build/a.o"])).unwrap();
    let covered = |later: &HeldCall| ActionKind::of(later).is_some_and(|later| yes.covers(&later));
    assert!(covered(&call("shell:rm", "rm build/b.o", &[Delete], &["/w/build/b.o"])));
    assert!(covered(&call("shell:rm", "rm b.o c.o", &[Delete], &["/here/build/b.o", "/w/build/c.o"])));
    let last = call("shell:rm", "rm build/d.o", &[Delete], &["/w/build/d.o"]);
    assert!(!covered(&HeldCall { undo: Undoing::default(), ..last }), "it could not be undone");
    for later in [
        // The name leads elsewhere once it is resolved.
        call("shell:rm", "rm build/../.ssh/x", &[Delete], &["/w/.ssh/x"]),
        call("shell:rm", "rm build/a.txt", &[Delete], &["/w/build/a.txt"]),
        call("shell:rm", "rm build/sub/a.o", &[Delete], &["/w/build/sub/a.o"]),
        call("shell:rm", "rm -r build", &[Delete], &["/w/build"]),
        call("shell:rm", "rm build/a.o x", &[Delete], &["/w/build/a.o", "/w/x"]),
        call("shell:rm", "rm build/.o", &[Delete], &["/w/build/.o"]),
        call("shell:rm", "rm build/link", &[Delete], &["/w/build/link"]),
        call("shell:unlink", "unlink build/b.o", &[Delete], &["/w/build/b.o"]),
        call("shell:rm", "rm build/b.o > x.o", &[Create, Delete], &["/w/build/b.o"]),
        call("shell:rm", "rm $x", &[Delete, Unknown], &["/w/build/b.o"]),
        call("edit_file", "edit", &[Overwrite], &["/w/build/b.o"]),
    ] {
        assert!(!covered(&later), "{}", later.action);
    }
    let never = [
        call("shell:frob", "frob", &[Unknown], &["/w/x"]),
        call("shell:curl", "curl", &[Send], &["/w/x"]),
        call("shell:rm", "rm", &[Delete], &[]),
    ];
    assert!(never.iter().all(|held| ActionKind::of(held).is_none()));
    let secret = |name: &str| ActionKind::of(&call("read_file", "read", &[Read], &[name])).unwrap();
    assert!(!secret("/h/.ssh/a.pub").covers(&secret("/h/.ssh/b.pub")), "secrets are asked about one by one");
}

#[test]
fn what_a_person_allowed_in_the_folders_of_a_task_outlasts_a_mixture() {
    let edit = |path: &str| call("edit_file", "edit", &[EffectClass::Overwrite], &[path]);
    let roots = ["/w".to_owned(), "/workspace".to_owned()];
    for (first, later, stays) in [
        ("/w/src/a.rs", "/w/src/b.rs", true),
        ("/workspace/a.md", "/workspace/b.md", true),
        ("/home/me/a.md", "/home/me/b.md", false),
        ("/wide/a.md", "/wide/b.md", false),
        ("/w/link", "/w/link", false),
    ] {
        let mut questions = Questions::default();
        questions.remember(&edit(first));
        assert!(questions.is_remembered(&edit(later)), "{first}");
        questions.forget_approvals_beyond(&roots);
        assert_eq!(questions.is_remembered(&edit(later)), stays, "{first}");
    }
}

#[test]
fn what_memory_calls_for_caution_with_is_asked_about_again() {
    let first = call("shell:rm", "rm build/a.o", &[EffectClass::Delete], &["/w/build/a.o"]);
    let later = call("shell:rm", "rm build/b.o", &[EffectClass::Delete], &["/w/build/b.o"]);
    let mut questions = Questions::default();
    questions.remember(&first);
    assert!(questions.is_remembered(&later));
    assert!(!questions.is_remembered(&HeldCall { caution: true, ..later }));
}

/// Where nobody could be asked, nobody said no to moves that were part of a larger question, and that run unasked by themselves.
#[test]
fn what_was_asked_about_for_something_else_is_not_denied() {
    let mut questions = Questions::default();
    let mixed = [EffectClass::Overwrite, EffectClass::Unknown];
    questions.deny(&call("shell:mv", "mv a b; ./x", &mixed, &["/w/a"]), Denial::Unanswered);
    assert!(questions.denied_places(false).is_empty());
    assert_eq!(questions.denied_places(true), ["/w/a"], "who was asked and did not answer did not allow it");
    questions.deny(&call("shell:rm", "rm c", &[EffectClass::Delete], &["/w/c"]), Denial::Refused);
    assert_eq!(questions.denied_places(false), ["/w/c"]);
    questions.deny(&call("shell:rm", "rm d", &[EffectClass::Delete], &["/w/d"]), Denial::Unanswered);
    assert_eq!(
        questions.denied_places(false),
        ["/w/c", "/w/d"],
        "all of it was known, and nobody allowed it"
    );
}
