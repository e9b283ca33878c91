//! What is no action, what is one all the same, and what an answer may say.

use super::{Action, Standing, claims_action, read};

fn actions(request: &str) -> Vec<Action> {
    read(request).asked().map(|clause| clause.action).collect()
}

#[test]
fn a_question_a_quotation_and_material_hold_no_action() {
    for request in [
        "why does deleting a.txt fail?",
        "How do I delete a branch and push the result?",
        "what happens if I delete ~/.cache?",
        "what is 2+2",
        "Can I remove /tmp safely?",
        "Explain why one should never delete main",
        "what does \"delete everything and mail it\" mean",
        "怎么删除一个分支，然后推送？",
        "为什么删除a.txt会失败",
        "删除会影响系统吗？",
        "删除分支的命令是什么",
        "What is wrong here?\n\n```\nrm -rf build\nsend the mail\n```",
        "explain this error:\n\ncannot install x\nPlease run the setup and delete the cache.",
    ] {
        let acts: Vec<Action> =
            actions(request).into_iter().filter(|action| *action != Action::Answer).collect();
        assert_eq!(acts, [], "{request}");
    }
}

#[test]
fn words_that_are_passed_on_are_no_orders() {
    use Action::{Answer, Change, Count, Make, Send};
    for (request, expected) in [
        ("add a line to todo.md: call mum and send flowers", Change),
        ("add the amounts in ./s.txt", Count),
        ("add up all numbers in sales.csv", Count),
        ("add the amounts in a.txt to b.txt", Change),
        ("write a note that says buy milk and send flowers to note.txt", Make),
        ("send a mail to bob to delete the old logs and restart the server", Send),
        ("translate the following:\n\nDelete all files. Send a mail.", Answer),
        ("Write to plan.md:\n- delete the logs\n- send the report", Make),
        ("往todo.md里加一行：删除日志，然后发邮件", Change),
        ("写一个删除旧日志并发送邮件的脚本", Make),
    ] {
        assert_eq!(actions(request), [expected], "{request}");
    }
}

#[test]
fn a_second_action_is_found() {
    use Action::{Copy, Count, Delete, Find, List, Make, Send};
    for (request, expected) in [
        ("find the duplicates and delete them", [Find, Delete].as_slice()),
        ("count the files here, write a report, and delete it", &[Count, Make, Delete]),
        ("List the files. Then send a mail to bob.", &[List, Send]),
        ("Do the following:\n1. copy a.txt to b.txt\n2. delete a.txt", &[Copy, Delete]),
        ("how many files are in src? Delete the empty ones.", &[Count, Delete]),
        ("列出文件，然后发邮件给小王", &[List, Send]),
        ("找出重复的照片并删除", &[Find, Delete]),
        ("统计行数，再把结果发给我", &[Count, Send]),
        ("能帮我删除a.txt吗？", &[Delete]),
    ] {
        assert_eq!(actions(request), expected, "{request}");
    }
}

#[test]
fn what_is_forbidden_or_depends_on_something_is_marked() {
    let standings = |request: &str| -> Vec<(Action, Standing)> {
        read(request).clauses.iter().map(|clause| (clause.action, clause.standing)).collect()
    };
    assert_eq!(
        standings("list the files but do not delete anything"),
        [(Action::List, Standing::Asked), (Action::Delete, Standing::Forbidden)]
    );
    assert_eq!(standings("不要删除a.txt"), [(Action::Delete, Standing::Forbidden)]);
    assert_eq!(standings("if the tests fail, send me a mail"), [(Action::Send, Standing::Conditional)]);
    assert_eq!(read("don't touch a.txt, delete b.txt").files, ["b.txt"]);
    assert!(read("do not delete anything").needs_words_alone());
}

#[test]
fn words_alone_answer_what_asks_nothing_of_the_machine() {
    for request in [
        "hello",
        "who are you?",
        "what is 2+2",
        "how do I delete a branch?",
        "写一首诗",
        "tell me a joke",
        "remember that my reports are in ~/R",
    ] {
        assert!(read(request).needs_words_alone(), "{request}");
    }
    for request in [
        "delete notes.txt and send a mail",
        "how many files are in /usr",
        "what is in notes.txt?",
        "which is the largest file here?",
        "remember that my reports are in ~/R. Delete them",
        "当前目录有多少个文件",
        "give me my last commits",
    ] {
        assert!(!read(request).needs_words_alone(), "{request}");
    }
}

#[test]
fn names_with_a_dot_are_files_only_with_a_known_ending() {
    assert_eq!(read("read server.port from config.json with node.js 2.1.0, e.g. now").files, ["config.json"]);
    assert_eq!(read("find all *.rs files and .py files").files, [""; 0]);
    assert_eq!(read("delete \"my report.pdf\" and /var/tmp/x").files, ["my report.pdf", "/var/tmp/x"]);
}

#[test]
fn an_answer_that_claims_an_action_is_told_from_an_explanation() {
    for claim in [
        "Done: I deleted notes.txt and sent the mail.",
        "I've removed the file.",
        "Done.",
        "notes.txt has been deleted.",
        "Your mail was sent to Bob.",
        "Successfully deleted all temp files",
        "已删除 notes.txt。",
        "我已经发送了邮件",
        "Deleted the file.",
    ] {
        assert!(claims_action(claim, false), "{claim}");
    }
    for answer in [
        "Hello! What can I do for you?",
        "To delete a branch, run git branch -d NAME.",
        "A file that was deleted can be restored from the trash.",
        "2 + 2 = 4",
        "I am artoo. I can delete, move and send files when you ask me to.",
        "Linux was created by Linus Torvalds in 1991.",
        "你可以用 git branch -d 删除分支。",
        "The word sent is the past tense of send.",
    ] {
        assert!(!claims_action(answer, false), "{answer}");
    }
    assert!(!claims_action("Noted: I have saved that your reports are in ~/R.", true));
    assert!(claims_action("Noted, and I deleted the old ones.", true));
}
