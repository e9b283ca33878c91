//! What receipts say that calls changed and wrote.

use artoo_redact::sanitise;
use artoo_types::evidence::{CallAct, ChangeKind, FileChange, Receipt};
use artoo_types::limits::{MAX_CHANGES, WRITTEN_CHARS};
use artoo_types::memory::{InputState, PlanInput};
use artoo_types::tool::ToolCall;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Bench, SECRET, yes};
use crate::toolbox::RunOutcome;

impl Bench {
    /// Runs a call, with a yes where it is asked about.
    async fn acted(&self, call: &ToolCall) -> Receipt {
        let approval = self.judge(call).question().map(yes);
        match self.outcome(call, approval.as_ref()).await {
            RunOutcome::Done(receipt) => *receipt,
            other @ (RunOutcome::Held(..) | RunOutcome::Interrupted(_)) => panic!("{other:?}"),
        }
    }

    async fn commanded(&self, command: &str) -> Receipt {
        self.acted(&self.call("shell", &json!({"command": command}))).await
    }

    fn put(&self, name: &str, content: &str) {
        let path = self.home.join("project").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// The changes as `kind name`, names from the project on, each with whether the digests are those of these contents.
    fn told(&self, receipt: &Receipt) -> Vec<String> {
        let project = format!("{}/", self.home.join("project").display());
        let line = |change: &FileChange| {
            let name = change.path.strip_prefix(&project).unwrap_or(&change.path);
            format!("{} {name}", change.kind.as_str())
        };
        receipt.act.changes.iter().map(line).collect()
    }
}

fn digest(content: &str) -> Option<String> {
    Some(hex::encode(Sha256::digest(content)))
}

/// A command that is agreed to changes exactly this; `a.txt` holds "a\n" before.
async fn check(command: &str, changes: &[&str], written: Option<&str>) {
    let bench = Bench::new();
    bench.put("sub/b.txt", "one\ntwo\nthree\n");
    bench.put("sub/deep/c.txt", "c\n");
    let receipt = bench.commanded(command).await;
    assert_eq!(receipt.exit, Some(0), "{command}: {receipt:?}");
    assert_eq!(bench.told(&receipt), changes, "{command}: {receipt:?}");
    assert_eq!(receipt.act.written.as_deref(), written, "{command}");
    assert_eq!(receipt.act.changes_omitted, 0, "{command}");
}

#[tokio::test]
async fn a_receipt_lists_what_its_command_changed() {
    check(
        "sed -i s/two/2/ sub/b.txt",
        &["changed sub/b.txt"],
        Some("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"),
    )
    .await;
    check("rm a.txt", &["deleted a.txt"], None).await;
    check(
        "rm -r sub",
        &["deleted sub", "deleted sub/b.txt", "deleted sub/deep", "deleted sub/deep/c.txt"],
        None,
    )
    .await;
    check("mv a.txt z.txt", &["deleted a.txt", "made z.txt"], None).await;
    check("echo new > n.txt", &["made n.txt"], Some("new\n")).await;
    check("echo more >> a.txt", &["changed a.txt"], Some("@@ -1 +1,2 @@\n a\n+more\n")).await;
    check("mkdir -p x/y", &["made x", "made x/y"], None).await;
    check("chmod 600 a.txt", &["changed a.txt"], None).await;
}

#[tokio::test]
async fn a_receipt_lists_what_a_program_changed_of_which_nothing_was_known() {
    let script = r#"python3 -c "import os; open('sub/new.csv','w').write('x,1\n'); os.remove('a.txt')""#;
    check(script, &["deleted a.txt", "made sub/new.csv"], Some("x,1\n")).await;
    // In a folder that nothing but the program's own words name, too.
    let bench = Bench::new();
    let out = bench.home.join("other/out.txt");
    let script = format!("python3 -c \"open('{}','w').write('y')\"", out.display());
    let receipt = bench.commanded(&script).await;
    assert!(receipt.changed(&out.to_string_lossy()), "{receipt:?}");
    assert!(!receipt.changed(&bench.home.join("project").to_string_lossy()));
}

#[tokio::test]
async fn a_call_that_changed_nothing_shows_nothing() {
    for command in
        ["python3 -c 'print(1)'", "touch a.txt", "sed -i s/absent/x/ a.txt", "cp a.txt a.txt || true"]
    {
        check(command, &[], None).await;
    }
    let bench = Bench::new();
    for (tool, arguments) in [("glob", json!({"pattern": "*"})), ("read_file", json!({"path": "a.txt"}))] {
        let act = bench.acted(&bench.call(tool, &arguments)).await.act;
        assert_eq!(CallAct { inputs: Vec::new(), ..act }, CallAct::default());
    }
}

#[tokio::test]
async fn a_receipt_says_in_which_state_its_call_was_made_or_that_nobody_can_tell() {
    let bench = Bench::new();
    let cat = bench.commanded("cat a.txt").await.act.inputs;
    let [PlanInput { path, state: InputState::Present(digest) }] = cat.as_slice() else { panic!("{cat:?}") };
    assert!(path.ends_with("/project/a.txt"), "{path}");
    assert_eq!(Some(digest.clone()), self::digest("a\n"));
    // The machine and its clock change while every file stays as it is.
    let unknown = |class: &str| vec![PlanInput { path: class.to_owned(), state: InputState::Unknown }];
    assert_eq!(bench.commanded("date").await.act.inputs, unknown("shell:date"));
    // A path that is not told is not left out as if nothing had been looked at.
    bench.put(&format!("{SECRET}.txt"), "x");
    let read = bench.acted(&bench.call("read_file", &json!({"path": format!("{SECRET}.txt")}))).await;
    assert_eq!(read.act.inputs, unknown("read_file"));
}

#[tokio::test]
async fn digests_say_what_was_there_and_what_is() {
    let bench = Bench::new();
    let receipt = bench.commanded("echo b > a.txt; cp a.txt new.txt").await;
    let found = |name: &str| {
        let path = bench.home.join("project").join(name).to_string_lossy().into_owned();
        receipt.act.changes.iter().find(|change| change.path == path).unwrap().clone()
    };
    let changed = found("a.txt");
    assert_eq!(
        (changed.kind, changed.before, changed.after),
        (ChangeKind::Changed, digest("a\n"), digest("b\n"))
    );
    let made = found("new.txt");
    assert_eq!((made.kind, made.before, made.after), (ChangeKind::Made, None, digest("b\n")));
}

#[tokio::test]
async fn a_written_file_is_read_back() {
    let bench = Bench::new();
    let arguments = json!({"path": "notes/day.txt", "content": format!("total 1520.00\nkey {SECRET}\n")});
    let receipt = bench.acted(&bench.call("write_file", &arguments)).await;
    assert_eq!(bench.told(&receipt), ["made notes", "made notes/day.txt"]);
    assert_eq!(receipt.act.written.as_deref(), Some("total 1520.00\nkey [redacted: api key]\n"));

    let edit = json!({"path": "a.txt", "old": "a", "new": "b"});
    let receipt = bench.acted(&bench.call("edit_file", &edit)).await;
    assert_eq!(bench.told(&receipt), ["changed a.txt"]);
    assert_eq!(receipt.act.written.as_deref(), Some("@@ -1 +1 @@\n-a\n+b\n"));

    let failed =
        bench.acted(&bench.call("edit_file", &json!({"path": "a.txt", "old": "absent", "new": "b"}))).await;
    let act = CallAct { inputs: Vec::new(), ..failed.act };
    assert_eq!((failed.exit, act), (Some(1), CallAct::default()));
}

#[tokio::test]
async fn what_was_written_is_cut_in_its_middle_and_counted() {
    let bench = Bench::new();
    let content = format!("first{}last", "z".repeat(100_000));
    let receipt =
        bench.acted(&bench.call("write_file", &json!({"path": "long.txt", "content": content}))).await;
    let written = receipt.act.written.unwrap();
    assert!(written.starts_with("first") && written.ends_with("last"));
    assert!(
        written.contains(&format!("[... {} characters omitted ...]", 100_009 - WRITTEN_CHARS)),
        "{written}"
    );
}

#[tokio::test]
async fn many_changes_are_counted() {
    let bench = Bench::new();
    let receipt = bench.commanded("python3 -c \"[open(f'f{i}','w') for i in range(100)]\"").await;
    assert_eq!(
        (receipt.act.changes.len(), receipt.act.changes_omitted),
        (MAX_CHANGES, 100 - MAX_CHANGES as u64)
    );
    // What a folder that is new holds gives way to what else there is, and is told by the folder.
    let receipt =
        bench.commanded("python3 -c \"import os; os.mkdir('d'); [open(f'd/{i}','w') for i in range(100)]; open('z','w')\"").await;
    assert_eq!(bench.told(&receipt)[..2], ["made d", "made z"]);
    assert!(receipt.changed(&bench.home.join("project/d/99").to_string_lossy()));
}

#[tokio::test]
async fn what_was_not_looked_into_is_counted() {
    let bench = Bench::new();
    // In the home itself others work too, so only what lies directly in it counts.
    let home = bench.home.to_string_lossy().into_owned();
    let call = ToolCall {
        working_directory: home,
        ..bench.call("shell", &json!({"command": "python3 -c \"open('x','w'); open('other/y','w')\""}))
    };
    let receipt = bench.acted(&call).await;
    assert_eq!(receipt.act.changes.len(), 1, "{receipt:?}");
    assert!(receipt.changed(&bench.home.join("x").to_string_lossy()));
    assert!(
        receipt.act.changes_omitted > 0
            && receipt.note.is_some_and(|note| note.contains("were not looked into"))
    );
}

#[tokio::test]
async fn a_change_tells_no_secret_and_brings_nothing_in() {
    let bench = Bench::new();
    let receipt = bench.commanded("echo key2 > ../.ssh/id").await;
    let change = &receipt.act.changes[0];
    assert_eq!(
        (change.before.as_ref(), change.after.as_ref(), receipt.act.written.as_ref()),
        (None, None, None)
    );

    // A copy of what a stranger wrote, or of what is private, is no text of this task.
    std::fs::create_dir_all(bench.home.join("Downloads")).unwrap();
    std::fs::write(bench.home.join("Downloads/page.html"), "obey\n").unwrap();
    std::fs::write(bench.home.join("other.txt"), "obey\n").unwrap();
    for command in
        ["mv ../Downloads/page.html page.html", "cp ../other.txt copy.txt", "ln -s ../other.txt link"]
    {
        let receipt = bench.commanded(command).await;
        let is_shown = receipt.act.written.as_ref().is_some_and(|written| written.contains("obey"));
        assert!(!is_shown || !receipt.taint.is_none(), "{command}: {receipt:?}");
    }
    let hidden = "a\u{202e}b.txt";
    assert!(sanitise::sanitise(hidden).text != hidden);
    let receipt = bench.commanded(&format!("python3 -c \"open('{SECRET}.txt','w')\"")).await;
    assert!(!serde_json::to_string(&receipt.act).unwrap().contains(SECRET), "{receipt:?}");
}

#[tokio::test]
async fn a_commit_shows_which_branch_moved() {
    let bench = Bench::new();
    let git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
    let setup = format!("rm -rf .git && {git} init -q . && git add a.txt");
    assert_eq!(bench.commanded(&setup).await.exit, Some(0));
    let receipt = bench.commanded(&format!("{git} commit -qm first")).await;
    assert!(bench.told(&receipt).contains(&"made .git/refs/heads/main".to_owned()), "{receipt:?}");
    assert!(receipt.act.written.is_none());
}

#[tokio::test]
async fn a_file_found_written_after_a_restart_was_made() {
    let bench = Bench::new();
    bench.put("late.txt", "text");
    let arguments: Value = json!({"path": bench.home.join("project/late.txt"), "content": "text"});
    let RunOutcome::Done(receipt) = bench.recovered(&bench.call("write_file", &arguments)).await else {
        panic!()
    };
    assert_eq!(bench.told(&receipt), ["made late.txt"]);
    assert_eq!(receipt.act.written.as_deref(), Some("text"));
}
