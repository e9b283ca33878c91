use artoo_types::EvidenceId;
use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::evidence::{ChangeKind, EffectClass, FileChange, Receipt, ShownImage};
use artoo_types::plan::{Blocks, SubTask};
use artoo_types::{SubtaskId, TaskId};
use uuid::Uuid;

use super::{ProofScene, hold, unsupported};

fn criterion(text: &str, mode: CriterionMode) -> Criterion {
    Criterion { text: text.to_owned(), mode, check: None, unchanged: false, derived: None }
}

fn verifiable(text: &str) -> Criterion {
    criterion(text, CriterionMode::Verifiable)
}

fn plausible(text: &str) -> Criterion {
    criterion(text, CriterionMode::Plausible)
}

/// What happened in a subtask, and what was said of it.
struct Story {
    step: SubTask,
    receipts: Vec<Receipt>,
    answer: &'static str,
    request: &'static str,
}

impl Story {
    fn of(intent: &str, receipts: Vec<Receipt>) -> Self {
        let step = SubTask {
            subtask_id: SubtaskId(Uuid::from_u128(1)),
            parent_task_id: TaskId(Uuid::from_u128(7)),
            round: 0,
            ordinal: 1,
            sequence: 1,
            intent: intent.to_owned(),
            context: String::new(),
            prior_outputs: Vec::new(),
            opening: Vec::new(),
            tools: vec!["shell".to_owned()],
            targets: Vec::new(),
            success_criteria: vec![verifiable("it is done")],
            replaces: None,
            blocked: Blocks::default(),
            known: Vec::new(),
        };
        Self { step, receipts, answer: "", request: "" }
    }

    fn said(self, answer: &'static str) -> Self {
        Self { answer, ..self }
    }

    fn asked(self, request: &'static str) -> Self {
        Self { request, ..self }
    }

    /// A pass that cites the last receipt, after it was held against the story.
    fn pass(&self, criterion: Criterion) -> CriterionVerdict {
        let last = self.receipts.last().map(|r| r.id.clone());
        let mut verdicts = [CriterionVerdict {
            index: 0,
            criterion: criterion.text.clone(),
            mode: criterion.mode,
            verdict: Verdict::Pass,
            failure_class: None,
            cites: last,
            evidence: "the judge saw it".to_owned(),
            before: None,
        }];
        let scene = ProofScene {
            reading: (!self.request.is_empty()).then(|| artoo_request::read(self.request)),
            receipts: self.receipts.iter().collect(),
            checks: &[],
            steps: vec![&self.step],
            answer: Some(self.answer),
            request: self.request,
            accepted: Vec::new(),
            suite: None,
        };
        hold(&mut verdicts, &[criterion], &scene);
        let [verdict] = verdicts;
        verdict
    }

    fn honest(&self, text: &str) {
        let verdict = self.pass(verifiable(text));
        assert!(verdict.passed(), "an honest pass of {text:?} was lost: {}", verdict.evidence);
    }

    fn lie(&self, text: &str, words: &str) {
        let verdict = self.pass(verifiable(text));
        assert!(!verdict.passed(), "{text:?} was believed");
        assert!(verdict.evidence.contains(words), "{text:?}: {}", verdict.evidence);
        assert_eq!(verdict.failure_class, None, "what does not bear says nothing of the approach");
    }
}

/// A shell call.
fn ran(n: u64, command: &str, exit: i64, output: &str) -> Receipt {
    let mut receipt = Receipt::quiet(EvidenceId(format!("r{n}")), "shell");
    receipt.classes = command
        .split(['|', '&', ';'])
        .filter_map(|part| Some(format!("shell:{}", part.split_whitespace().next()?)))
        .collect();
    receipt.arguments = serde_json::json!({"command": command}).to_string();
    receipt.exit = Some(exit);
    receipt.output = output.to_owned();
    receipt
}

/// The same with an effect and the files that it changed.
fn did(receipt: Receipt, effect: EffectClass, changes: &[(ChangeKind, &str)]) -> Receipt {
    let mut receipt = Receipt { effect, ..receipt };
    receipt.act.changes = changes
        .iter()
        .map(|(kind, path)| FileChange {
            path: (*path).to_owned(),
            kind: *kind,
            before: None,
            after: None,
            modes: None,
        })
        .collect();
    receipt
}

fn wrote(n: u64, path: &str, content: &str) -> Receipt {
    let mut receipt = Receipt::quiet(EvidenceId(format!("r{n}")), "write_file");
    receipt.arguments = serde_json::json!({"path": path, "content": content}).to_string();
    receipt.target = path.to_owned();
    receipt.act.written = Some(content.to_owned());
    receipt.output = format!("wrote {} bytes", content.len());
    did(receipt, EffectClass::Create, &[(ChangeKind::Made, path)])
}

#[test]
fn an_idle_command_shows_nothing() {
    for idle in ["true", "false", ":", "echo done", "printf ok", "true && echo ok", "pwd", "date", "sleep 1"]
    {
        let story = Story::of("Look after the logs", vec![ran(1, idle, 0, "ok")]);
        story.lie("the old logs are rotated", "does nothing that could show it");
        story.lie("the work is in order", "does nothing");
    }
    Story::of("Delete old logs", vec![ran(1, "false", 1, "")])
        .lie("old logs are deleted", "nothing was deleted");
    let mut wait = Story::of("Wait a while", vec![ran(1, "sleep 9", 0, "")]);
    wait.step.tools = vec!["shell:sleep".to_owned()];
    wait.honest("It waited.");
    Story::of("List", vec![ran(1, "ls", 0, "a.txt")]).honest("The files are listed.");
    let echoed =
        did(ran(1, "echo hi > a.txt", 0, ""), EffectClass::Create, &[(ChangeKind::Made, "/w/a.txt")]);
    Story::of("Write a.txt", vec![echoed]).honest("a.txt is written");
}

#[test]
fn what_was_deleted_needs_the_receipt_of_a_deletion() {
    let look = || ran(2, "ls /tmp", 0, "other");
    let delete = |path: &str| {
        did(ran(1, "rm -v /tmp/x.log", 0, ""), EffectClass::Delete, &[(ChangeKind::Deleted, path)])
    };
    let text = "old logs are deleted";
    Story::of("Delete old logs", vec![look()]).lie(text, "nothing was deleted");
    Story::of("Delete old logs", vec![delete("/tmp/x.log"), look()]).honest(text);
    Story::of("Delete old logs", vec![delete("/tmp/x.log"), look()]).honest("/tmp/x.log no longer exists");
    let other = "what was deleted is not notes.txt";
    Story::of("Delete notes.txt", vec![delete("/tmp/x.log")]).lie("notes.txt was deleted", other);
    Story::of("删除旧日志", vec![look()]).lie("旧日志已删除", "nothing was deleted");
    Story::of("删除旧日志", vec![delete("/tmp/x.log"), look()]).honest("旧日志已删除");
    Story::of("List", vec![ran(1, "git log --diff-filter=D", 0, "a.txt")])
        .honest("the files deleted in the last commit are listed");
}

#[test]
fn what_was_made_changed_moved_or_sent_needs_a_receipt_with_that_effect() {
    let look = || ran(9, "cat report.md", 0, "old words");
    Story::of("Write report.md", vec![look()]).lie("report.md is written", "nothing was made");
    Story::of("Write report.md", vec![wrote(1, "/w/report.md", "words"), look()])
        .honest("report.md is written");
    let zz = wrote(1, "/w/zz.txt", "words");
    Story::of("Write report.md", vec![zz]).lie("report.md is written", "is not report.md");
    Story::of("Fix a.rs", vec![ran(1, "cat a.rs", 0, "x")]).lie("a.rs is fixed", "nothing was changed");
    let edit =
        did(ran(1, "sed -i s/a/b/ a.rs", 0, ""), EffectClass::Overwrite, &[(ChangeKind::Changed, "/w/a.rs")]);
    Story::of("Fix a.rs", vec![edit]).honest("a.rs is fixed");
    Story::of("Rename", vec![ran(1, "ls *.txt", 0, "a.txt")])
        .lie("every .txt file is renamed", "nothing was moved");
    let moved = did(
        ran(1, "mv a.txt b.md", 0, ""),
        EffectClass::Overwrite,
        &[(ChangeKind::Made, "/w/b.md"), (ChangeKind::Deleted, "/w/a.txt")],
    );
    Story::of("Rename", vec![moved]).honest("every .txt file is renamed");
    Story::of("Mail bob", vec![wrote(1, "/w/mail.txt", "hi")])
        .lie("A mail was sent to bob", "nothing was sent");
    let sent = did(ran(1, "mail bob", 0, ""), EffectClass::Send, &[]);
    Story::of("Mail bob", vec![sent]).honest("A mail was sent to bob");
    let verdict = Story::of("Mail bob", vec![look()]).pass(plausible("A mail was sent to bob"));
    assert!(!verdict.passed(), "a judgement of taste cannot replace a deed");
}

#[test]
fn a_receipt_must_speak_of_what_the_criterion_names() {
    let looked = || vec![ran(1, "cat /w/a.txt", 0, "port = 80")];
    Story::of("Read", looked()).honest("a.txt was read");
    Story::of("Read", looked()).lie("b.txt was read", "b.txt");
    let two = vec![ran(1, "cat b.txt", 0, "x"), ran(2, "ls /tmp", 0, "y")];
    let verdict = Story::of("Read", two).pass(verifiable("b.txt was read"));
    assert_eq!(
        (verdict.passed(), verdict.cites),
        (true, Some(EvidenceId("r1".to_owned()))),
        "another receipt bears"
    );
    Story::of("Read", looked()).honest("the value of `port` is told");
    Story::of("Read", looked()).lie("the value of `timeout` is told", "timeout");
    Story::of("Sizes", vec![ran(1, "du -b * | sort -n | head -5", 0, "1 a\n2 b\n")])
        .honest("the report names the five largest files");
    Story::of("读取", vec![ran(1, "cat 待办.md", 0, "买菜")]).honest("待办.md的内容已读取");
}

#[test]
fn a_failed_call_shows_nothing_unless_its_status_is_an_answer() {
    Story::of("Build", vec![ran(1, "make", 2, "boom")]).lie("the program is in order", "exit status 2");
    Story::of("Build", vec![ran(1, "make", 2, "boom")]).honest("the build error is explained");
    Story::of("Test", vec![ran(1, "pytest", 1, "1 failed")])
        .lie("the tests pass without errors", "exit status 1");
    Story::of("Find", vec![ran(1, "grep -rn TODO src", 1, "")]).honest("the places with TODO are listed");
    Story::of("Compare", vec![ran(1, "diff a b", 1, "< x\n> y\n")]).honest("the differences are listed");
    Story::of("Find", vec![ran(1, "grep -rn TODO src", 2, "no such folder")])
        .lie("the places are listed", "exit status 2");
}

#[test]
fn a_number_that_is_asked_for_must_stand_in_a_receipt() {
    let counted = || vec![ran(1, "ls /usr | wc -l", 0, "17\n")];
    Story::of("Count", counted()).said("There are 17 files.").honest("The number of files is told");
    Story::of("Count", counted())
        .said("987654")
        .lie("The number of files is told", "not in any receipt: 987654");
    Story::of("数文件", counted()).said("共有 987654 个文件").lie("给出了文件数量", "987654");
    Story::of("Count", counted()).said("987654").honest("The folder was looked at");
    Story::of("Count", counted()).lie("there are 42 files in /usr", "42");
    Story::of("Count", counted())
        .asked("are there 42 files in /usr?")
        .said("No, 17.")
        .honest("it is told whether there are 42 files");
    Story::of("Find", counted()).honest("at most 20 files are listed");
    Story::of("Find", vec![ran(1, "ls -S", 0, "big.bin\nsmall.txt\n")])
        .said("The largest is `huge.iso`")
        .lie("the largest file is named", "huge.iso");
}

#[test]
fn what_was_written_must_hold_what_was_read() {
    let read = || ran(1, "cat order.txt", 0, "amount: 1250.00\ndue: 2026-12-15\n");
    let text = "invoice.txt states the amount and the due date of the order";
    Story::of(
        "Write invoice.txt",
        vec![read(), wrote(2, "/w/invoice.txt", "Amount 1250.00, due 2026-12-15")],
    )
    .honest(text);
    Story::of(
        "Write invoice.txt",
        vec![read(), wrote(2, "/w/invoice.txt", "Amount 1520.00, due 2026-12-05")],
    )
    .lie(text, "r2 wrote what is not in any receipt: 2026-12-05, 1520.00");
    let mended = |last: &str| {
        let wrong = wrote(2, "/w/invoice.txt", "Amount 1520.00, due 2026-12-05");
        Story::of("Write invoice.txt", vec![read(), wrong, wrote(3, "/w/invoice.txt", last)])
    };
    mended("Amount 1250.00, due 2026-12-15").honest(text);
    mended("Amount 1520.00, due 2026-12-15").lie(text, "wrote what is not in any receipt: 1520.00");
    Story::of("Write a script", vec![wrote(1, "/w/a.py", "for i in range(500): sleep(0.25)")])
        .honest("a.py waits in a loop");
    // A guess that an earlier plan left, beside a question that a later call answers.
    let counted = || vec![wrote(1, "/w/guess.txt", "4"), ran(2, "wc -l a.txt", 0, "3 a.txt\n")];
    Story::of("Count", counted())
        .asked("How many lines has a.txt?")
        .said("3 a.txt")
        .honest("The number of lines is reported.");
    Story::of("Count", counted())
        .asked("Write the number of lines of a.txt into guess.txt")
        .said("3 a.txt")
        .lie("The number of lines is written.", "r1 wrote what is not in any receipt: 4");
    let mut computed = did(
        ran(2, "awk '{s+=$2} END{print s}' order.txt > sum.txt", 0, ""),
        EffectClass::Create,
        &[(ChangeKind::Made, "/w/sum.txt")],
    );
    computed.act.written = Some("7118.04\n".to_owned());
    Story::of("Write sum.txt", vec![computed]).honest("sum.txt holds the total");
}

#[test]
fn an_order_of_the_answer_changes_nothing_on_the_disk() {
    let table = "A table with one row per path, sorted by requests, largest first, computed from access.log";
    let request = "Analyse access.log: give a table with one row per path. Sort by requests, largest first.";
    let counted = || vec![ran(1, "awk '{print $7}' access.log | sort | uniq -c", 0, "954 /api\n")];
    Story::of("Analyse", counted()).asked(request).said("954 /api").honest(table);
    Story::of("Sort", counted())
        .asked("Sort names.txt by length")
        .said("It is sorted.")
        .lie("names.txt is sorted by length", "names.txt");
}

#[test]
fn what_is_forbidden_or_depends_is_no_order() {
    let listed =
        || vec![ran(1, "sha256sum photos/a.jpg photos/b.jpg", 0, "1f photos/a.jpg\n1f photos/b.jpg\n")];
    Story::of("Find duplicates", listed())
        .asked("Find the duplicate files below photos and list them in groups; delete nothing.")
        .said("photos/a.jpg and photos/b.jpg are the same. Nothing was deleted.")
        .honest("The answer lists the groups; nothing was deleted");
    Story::of("Make a plan", vec![ran(1, "ls src", 0, "a.py\n")])
        .asked("Make a plan how to move the folder src to lib; change nothing yet.")
        .said("git mv src lib, then change the imports of a.py")
        .honest("The plan names the files that change");
    let looked = || vec![ran(1, "cat feedback/1.txt feedback/2.txt", 0, "rating 3\nrating 5\n")];
    let clean = "Is there a file in feedback that is corrupt? Clean up the folder feedback if something is wrong with it.";
    Story::of("Look", looked())
        .asked(clean)
        .said("No file is corrupt, so nothing was deleted.")
        .honest("Corrupt files in feedback are deleted, if there are any");
    Story::of("Look", looked())
        .asked(clean)
        .said("The corrupt files were deleted.")
        .lie("Corrupt files in feedback are deleted, if there are any", "nothing was deleted");
    Story::of("Explain", vec![ran(1, "git log --oneline -2", 0, "892b9c1 fix\n")])
        .asked("Explain how I can undo the last commit and keep its changes. Do not do it.")
        .said("The last commit is 892b9c1; git reset --soft HEAD~1 takes it back.")
        .honest("The last commits are in the record");
}

#[test]
fn lines_are_removed_from_a_file_by_changing_it() {
    let text = "The dead functions and imports are removed from tool/";
    let request = "Find the dead code in tool/ (functions and imports that nothing uses), remove it.";
    let mut edited = Receipt::quiet(EvidenceId("r1".to_owned()), "edit_file");
    edited.arguments =
        serde_json::json!({"path": "/w/tool/text.py", "old": "def f(): pass", "new": ""}).to_string();
    let edited = did(edited, EffectClass::Overwrite, &[(ChangeKind::Changed, "/w/tool/text.py")]);
    Story::of("Remove", vec![edited]).asked(request).honest(text);
    Story::of("Remove", vec![ran(1, "cat tool/text.py", 0, "def f(): pass")])
        .asked(request)
        .lie(text, "nothing was deleted");
}

#[test]
fn an_answer_that_boasts_of_what_no_call_did_is_no_proof() {
    let listed = || vec![ran(1, "ls ./i", 0, "a.txt")];
    Story::of("List", listed())
        .said("a.txt is there. I also deleted 1 file.")
        .lie("The files in ./i are listed", "deleted");
    Story::of("List", listed())
        .said("a.txt is there; it was deleted once.")
        .honest("The files in ./i are listed");
}

#[test]
fn the_folder_that_is_named_is_the_one_that_changes() {
    let text = "The word ok is written into ./out/result.txt";
    Story::of("Write", vec![wrote(1, "/w/tmp/result.txt", "ok")]).lie(text, "is not ./out/result.txt");
    Story::of("Write", vec![wrote(1, "/w/out/result.txt", "ok")]).honest(text);
    let copied =
        did(ran(1, "cp m.txt a/m.txt", 0, ""), EffectClass::Create, &[(ChangeKind::Made, "/w/a/m.txt")]);
    Story::of("Move m.txt", vec![copied]).lie("m.txt is moved to a/m.txt", "nothing was moved");
    Story::of("Commit", vec![ran(1, "git status c.txt", 0, "?? c.txt")])
        .lie("c.txt is committed in git", "nothing was changed");
}

#[test]
fn a_delivered_text_is_marked_with_what_nothing_shows() {
    let receipts = [ran(1, "ls", 0, "a.txt\nb.txt\n")];
    let scene = ProofScene {
        receipts: receipts.iter().collect(),
        request: "mail 77 files to bob",
        ..ProofScene::default()
    };
    assert_eq!(
        unsupported("Deleted 4242 files and the mail was sent. See a.txt and c.txt. 77 it is.", &scene),
        ["4242", "c.txt", "something was deleted", "something was sent"]
    );
    assert!(unsupported("There are 2 files: a.txt and b.txt", &scene).is_empty());
}

#[test]
fn what_is_read_off_a_picture_is_left_to_a_reader() {
    let shows = |image| {
        let mut receipt = ran(1, "cat bill.png", 0, "a PNG image, 4 x 4 pixels");
        receipt.act.image = image;
        Story::of("Read the bill", vec![receipt])
            .asked("What is the total of ./bill.png?")
            .said("The total is 12.50.")
    };
    let image = ShownImage { handle: "a.picture".to_owned(), media_type: "image/png".to_owned(), bytes: 9 };
    shows(Some(image)).honest("The total of ./bill.png is given");
    shows(None).lie("The total of ./bill.png is given", "12.50");
}
