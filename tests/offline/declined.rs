//! Near misses, further clauses and actions: declined as a whole, and nothing on the disk changes.

use crate::fixture::Fixture;
use crate::table::{ask, calls};

const DECLINED: &[&str] = &[
    "find duplicate files and delete them",
    "找出重复的照片并删除",
    "find empty files here and remove them",
    "删除当前目录里的空文件",
    "find the ten largest files here, then move them to documents",
    "找出最大的文件再移动到桌面",
    "rename all files to lower case",
    "把文件名改成小写",
    "search for TODO in src and replace it with DONE",
    "read notes.txt then email it to bob@example.com",
    "translate README.md into French",
    "翻译 notes.md",
    "read notes.txt and summarise it",
    "count lines by language and frobnicate the rest",
    "find the best files",
    "convert data.csv to JSON and overwrite config.json",
    "git status and commit everything",
    "提交所有修改",
    "sudo rm -rf /",
    "empty the trash",
];

#[test]
fn near_misses_and_further_clauses_change_nothing() {
    let fixture = Fixture::new();
    let before = fixture.manifest();
    let mut wrong = Vec::new();
    for text in DECLINED {
        let run = ask(&fixture, text);
        let result = run.result();
        let declined =
            run.code == Some(1) && result["directive"] == "abandon" && result["reason"] == "declined";
        let acted =
            !run.of_type("tool_call_started").is_empty() || !run.of_type("confirmation_request").is_empty();
        let helps = result["next_moves"].as_array().is_some_and(|moves| !moves.is_empty());
        if !declined || acted || !helps || calls(&run) > 2 {
            wrong.push(format!("{text}: {}", run.outline()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), DECLINED.len(), wrong.join("\n"));
    assert_eq!(before, fixture.manifest(), "something changed");
}
