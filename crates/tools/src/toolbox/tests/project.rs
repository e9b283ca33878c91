//! In a project files are edited unasked, kept first, and can be put back.

use artoo_trash::TrashLimits;
use artoo_types::evidence::{CallEnd, EffectClass};
use artoo_types::setting::ProjectMode;
use artoo_types::taint::Taint;
use artoo_types::tool::{PersonsWord, ToolCall};
use artoo_types::{TaskId, Timestamp};
use serde_json::json;

use super::{Bench, id};
use crate::judged::CallVerdict;

fn working() -> Bench {
    Bench::with(&[], ProjectMode::Work, TrashLimits::default())
}

#[tokio::test]
async fn an_edit_in_a_work_tree_needs_no_question_and_is_undone() {
    let bench = working();
    let file = bench.home.join("project/a.txt");
    let receipt = bench.done("edit_file", json!({"path": "./a.txt", "old": "a", "new": "b"})).await;
    assert_eq!((receipt.end, receipt.exit, receipt.effect), (CallEnd::Ran, Some(0), EffectClass::Overwrite));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "b\n");
    bench.tools.trash().undo(id::<TaskId>(), false, Timestamp(9)).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a\n");
}

/// Whether an edit of this file, with the working directory `folder`, runs by itself.
fn is_free(bench: &Bench, folder: &str, path: &str) -> bool {
    let mut call = bench.call("edit_file", &json!({"path": path, "old": "a", "new": "b"}));
    call.working_directory = bench.home.join(folder).to_string_lossy().into_owned();
    match bench.tools.judge(call).verdict() {
        CallVerdict::Run(_) => true,
        CallVerdict::Ask(_) => false,
        CallVerdict::Refuse(refusal) => panic!("{path}: {refusal:?}"),
    }
}

#[test]
fn everything_else_is_still_asked_about() {
    let bench = working();
    let write = |path: &str| std::fs::write(bench.home.join(path), "a\n").unwrap();
    for path in ["project/AGENTS.md", "project/.envrc", "other/a.txt", "artoo_workspace/a.txt"] {
        write(path);
    }
    std::fs::create_dir_all(bench.home.join("project/deep/er")).unwrap();
    write("project/deep/er/a.txt");
    std::os::unix::fs::symlink(bench.home.join("other/a.txt"), bench.home.join("project/link")).unwrap();
    assert!(is_free(&bench, "project", "./a.txt") && is_free(&bench, "project/deep/er", "./a.txt"));
    assert!(is_free(&bench, "artoo_workspace", "./a.txt"));
    assert!(!is_free(&bench, "project", "./AGENTS.md"), "tools follow it by convention");
    assert!(!is_free(&bench, "project", "./.envrc"), "it runs later");
    assert!(!is_free(&bench, "project", "../other/a.txt"), "it is outside");
    assert!(!is_free(&bench, "project", "./link"), "it leads outside");
    assert!(!is_free(&bench, "project/deep/er", "../../a.txt"), "it is not in the working directory");
    assert!(!is_free(&bench, "other", "./a.txt"), "no repository");
}

#[test]
fn a_home_folder_is_no_project_though_it_is_a_repository() {
    let bench = working();
    std::fs::create_dir(bench.home.join(".git")).unwrap();
    std::fs::write(bench.home.join("other/a.txt"), "a\n").unwrap();
    assert!(!is_free(&bench, "other", "./a.txt"));
}

#[test]
fn what_the_setting_forbids_and_what_cannot_be_kept_is_asked_about() {
    assert!(!is_free(&Bench::new(), "project", "./a.txt"));
    let nothing = TrashLimits { call_bytes: 1, ..TrashLimits::default() };
    assert!(!is_free(&Bench::with(&[], ProjectMode::Work, nothing), "project", "./a.txt"));
}

#[tokio::test]
async fn a_file_with_a_name_outside_is_replaced_and_never_written_into() {
    for (tool, arguments) in [
        ("edit_file", json!({"path": "./rc", "old": "alias", "new": "evil"})),
        ("write_file", json!({"path": "./rc", "content": "evil"})),
    ] {
        let bench = working();
        let outside = bench.home.join(".bashrc");
        std::fs::write(&outside, "alias\n").unwrap();
        std::fs::hard_link(&outside, bench.home.join("project/rc")).unwrap();
        assert_eq!(bench.done(tool, arguments).await.exit, Some(0), "{tool}");
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "alias\n", "{tool}");
    }
}

/// How an edit of this file is judged after this was said.
fn judged(bench: &Bench, folder: &str, path: &str, word: PersonsWord) -> (bool, Vec<String>) {
    let mut call = bench.call("edit_file", &json!({"path": path, "old": "a", "new": "b"}));
    call.working_directory = bench.home.join(folder).to_string_lossy().into_owned();
    call.word = word;
    match bench.tools.judge(call).verdict() {
        CallVerdict::Run(_) => (true, Vec::new()),
        CallVerdict::Ask(held) => (false, held.why.clone()),
        CallVerdict::Refuse(refusal) => panic!("{path}: {refusal:?}"),
    }
}

#[test]
fn a_denied_change_is_not_reached_by_an_edit_that_nobody_is_asked_about() {
    let bench = working();
    let denied = |path: &str| PersonsWord {
        denied: vec![bench.home.join(path).to_string_lossy().into_owned()],
        ..PersonsWord::default()
    };
    for path in ["project/a.txt", "project"] {
        let (is_free, why) = judged(&bench, "project", "./a.txt", denied(path));
        assert!(!is_free && why.iter().any(|why| why.contains("nobody allowed it")), "{path}: {why:?}");
    }
    assert!(judged(&bench, "project", "./a.txt", denied("project/b.txt")).0);
}

#[test]
fn a_file_that_the_request_asks_to_change_is_edited_unasked_outside_of_a_project_too() {
    let bench = working();
    for path in ["other/config.ini", "other/Makefile", "other/b.ini", ".bashrc"] {
        std::fs::write(bench.home.join(path), "a\n").unwrap();
    }
    let named = |name: &str| PersonsWord { named: vec![name.to_owned()], ..PersonsWord::default() };
    assert!(judged(&bench, "other", "./config.ini", named("config.ini")).0);
    assert!(!judged(&bench, "other", "./b.ini", named("config.ini")).0, "it was not named");
    assert!(judged(&bench, "other", "./Makefile", named("Makefile")).0, "tools execute it, and it was named");
    assert!(!judged(&bench, "other", "./Makefile", named("config.ini")).0, "tools execute it");
    assert!(!judged(&bench, "other", "~/.bashrc", named("~/.bashrc")).0, "it runs later, and is outside");
    let mut two = bench.call(
        "edit_file",
        &json!({"edits": [
            {"path": "./config.ini", "old": "a", "new": "b"}, {"path": "./b.ini", "old": "a", "new": "b"}
        ]}),
    );
    two.working_directory = bench.home.join("other").to_string_lossy().into_owned();
    two.word = named("config.ini");
    assert!(matches!(bench.tools.judge(two).verdict(), CallVerdict::Ask(_)), "one of the two was not named");
    let both = PersonsWord {
        denied: vec![bench.home.join("other/config.ini").to_string_lossy().into_owned()],
        ..named("config.ini")
    };
    assert!(!judged(&bench, "other", "./config.ini", both).0, "it was denied since");
}

#[test]
fn what_a_project_is_built_by_is_its_source_unless_strangers_speak() {
    let bench = working();
    let all = ["Makefile", "package.json", "sub/conftest.py", "AGENTS.md", ".mcp.json", ".envrc"];
    for path in all {
        let path = bench.home.join("project").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "a\n").unwrap();
    }
    let runs = |path: &str, word: PersonsWord, taint: Taint| {
        let arguments = json!({"path": format!("./{path}"), "old": "a", "new": "b"});
        let call = ToolCall { word, taint, ..bench.call("edit_file", &arguments) };
        matches!(bench.tools.judge(call).verdict(), CallVerdict::Run(_))
    };
    let named = |path: &str| PersonsWord { named: vec![path.to_owned()], ..PersonsWord::default() };
    for (at, path) in all.into_iter().enumerate() {
        assert_eq!(runs(path, PersonsWord::default(), Taint::NONE), at < 3, "{path}");
        assert_eq!(runs(path, named(path), Taint::PRIVATE), at < 4, "{path} named");
        assert!(!runs(path, named(path), Taint::UNTRUSTED), "{path} and strangers");
    }
}

/// How the writing of a file that is there is judged in this folder.
fn replaces(bench: &Bench, folder: &str, path: &str) -> CallEnd {
    let mut call = bench.call("write_file", &json!({"path": path, "content": "b\n"}));
    call.working_directory = bench.home.join(folder).to_string_lossy().into_owned();
    match bench.tools.judge(call).verdict() {
        CallVerdict::Run(_) => CallEnd::Ran,
        CallVerdict::Ask(_) => CallEnd::Denied,
        CallVerdict::Refuse(_) => CallEnd::Refused,
    }
}

#[tokio::test]
async fn a_file_of_a_project_is_replaced_as_a_whole_and_put_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = working();
    let file = bench.home.join("project/a.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    let receipt = bench.done("write_file", json!({"path": "./a.txt", "content": "b\n"})).await;
    assert_eq!((receipt.exit, receipt.effect, mode()), (Some(0), EffectClass::Overwrite, 0o640));
    assert!(receipt.act.written.is_some_and(|text| text.contains("-a") && text.contains("+b")));
    bench.done("write_file", json!({"path": "./a.txt", "content": "c\n", "executable": true})).await;
    assert_eq!((std::fs::read_to_string(&file).unwrap().as_str(), mode()), ("c\n", 0o755));
    bench.tools.trash().undo(id::<TaskId>(), false, Timestamp(9)).unwrap();
    assert_eq!((std::fs::read_to_string(&file).unwrap().as_str(), mode()), ("a\n", 0o640));
    for (folder, path, expected) in [
        ("project", "./a.txt", CallEnd::Ran),
        ("project", "./.git", CallEnd::Refused),
        ("other", "./b.txt", CallEnd::Denied),
        ("other", "~/.ssh/id", CallEnd::Refused),
    ] {
        std::fs::write(bench.home.join("other/b.txt"), "b\n").unwrap();
        assert_eq!(replaces(&bench, folder, path), expected, "{path}");
    }
}

#[tokio::test]
async fn what_the_task_made_is_its_own_until_somebody_else_changes_it() {
    let bench = working();
    let here = bench.home.join("other");
    let run = async |tool: &str, arguments: serde_json::Value| {
        let mut call = bench.call(tool, &arguments);
        call.working_directory = here.to_string_lossy().into_owned();
        match bench.outcome(&call, None).await {
            super::RunOutcome::Done(receipt) => receipt.end,
            super::RunOutcome::Held(..) => CallEnd::Denied,
            interrupted @ super::RunOutcome::Interrupted(_) => panic!("{interrupted:?}"),
        }
    };
    std::fs::write(here.join("theirs.txt"), "a\n").unwrap();
    let edit = |path: &str, old: &str, new: &str| json!({"path": path, "old": old, "new": new});
    assert_eq!(run("write_file", json!({"path": "./mine.txt", "content": "a\n"})).await, CallEnd::Ran);
    assert_eq!(run("edit_file", edit("./theirs.txt", "a", "b")).await, CallEnd::Denied);
    assert_eq!(run("edit_file", edit("./mine.txt", "a", "b")).await, CallEnd::Ran);
    assert_eq!(run("edit_file", edit("./mine.txt", "b", "c")).await, CallEnd::Ran, "it is its own still");
    assert_eq!(run("write_file", json!({"path": "./mine.txt", "content": "d\n"})).await, CallEnd::Ran);
    std::fs::hard_link(here.join("mine.txt"), here.join("second.txt")).unwrap();
    assert_eq!(run("edit_file", edit("./mine.txt", "d", "e")).await, CallEnd::Denied, "it has another name");
    std::fs::remove_file(here.join("second.txt")).unwrap();
    std::fs::write(here.join("mine.txt"), "by a person\n").unwrap();
    assert_eq!(
        run("edit_file", edit("./mine.txt", "by", "of")).await,
        CallEnd::Denied,
        "somebody else changed it"
    );
    std::fs::remove_file(here.join("theirs.txt")).unwrap();
    assert_eq!(run("write_file", json!({"path": "./theirs.txt", "content": "a\n"})).await, CallEnd::Ran);
    assert_eq!(run("edit_file", edit("./theirs.txt", "a", "b")).await, CallEnd::Ran, "a person took it away");
    bench.tools.trash().undo(id::<TaskId>(), false, Timestamp(9)).unwrap();
    assert_eq!(std::fs::read_to_string(here.join("mine.txt")).unwrap(), "by a person\n");
}

/// What a model reads of a tool is what the judgement of its calls comes to, in every place and under each setting.
#[test]
fn an_offer_says_what_runs_unasked() {
    for mode in [ProjectMode::Work, ProjectMode::Ask] {
        let bench = Bench::with(&[], mode, TrashLimits::default());
        for folder in ["project", "other", "artoo_workspace"] {
            let here = bench.home.join(folder);
            std::fs::write(here.join("a.txt"), "a\n").unwrap();
            let offered = bench.tools.specs(&here.to_string_lossy());
            let says = |tool: &str, words: &str| {
                offered.iter().any(|spec| spec.name == tool && spec.purpose.contains(words))
            };
            let named = || PersonsWord { named: vec!["./a.txt".to_owned()], ..PersonsWord::default() };
            let by_itself = judged(&bench, folder, "./a.txt", PersonsWord::default()).0;
            let when_named = judged(&bench, folder, "./a.txt", named()).0;
            let place = format!("{mode:?} {folder}: {offered:#?}");
            assert_eq!(says("edit_file", "in this project at once"), by_itself, "{place}");
            assert_eq!(
                says("edit_file", "at once what the request names"),
                when_named && !by_itself,
                "{place}"
            );
            assert_eq!(says("edit_file", "; needs a person's yes"), !when_named, "{place}");
            let replaced = replaces(&bench, folder, "./a.txt");
            assert_eq!(says("write_file", "of this project at once"), replaced == CallEnd::Ran, "{place}");
            assert_eq!(says("write_file", "refused when it exists"), replaced == CallEnd::Refused, "{place}");
        }
    }
}

#[tokio::test]
async fn a_look_at_a_project_tells_its_branch_and_what_changed() {
    let bench = working();
    let here = bench.home.join("project");
    std::fs::remove_dir_all(here.join(".git")).ok();
    let made = std::process::Command::new("git").args(["init", "-q", "-b", "trunk"]).arg(&here).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    std::fs::write(here.join("new.txt"), "one\n").unwrap();
    let seen = bench.tools.situation(artoo_types::EffectId(77), &here.to_string_lossy()).await;
    assert!(seen.is_project && seen.entries.iter().any(|entry| entry.path == "new.txt"), "{seen:?}");
    let git = seen.git.expect("it is a repository");
    assert_eq!(git.branch, "trunk");
    // Where commands cannot be confined, nobody is asked for this.
    if let Some(changed) = git.changed {
        assert!(changed.iter().any(|line| line.contains("new.txt")), "{changed:?}");
    }
}
