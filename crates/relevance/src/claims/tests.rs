use std::collections::BTreeSet;

use artoo_types::claim::ClaimedEffect::{self, Changed, Deleted, Made, Moved, Sent};

use super::{ordered, stated_effects, told_effects};

fn check(text: &str, expected: &[ClaimedEffect]) {
    let found: Vec<ClaimedEffect> = stated_effects(text, &BTreeSet::new()).into_iter().collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn what_is_stated_as_done_is_a_claim() {
    check("old logs are deleted", &[Deleted]);
    check("All temporary files in /tmp have been deleted.", &[Deleted]);
    check("The file was removed", &[Deleted]);
    check("x.txt no longer exists", &[Deleted]);
    check("the cache folder is gone", &[Deleted]);
    check("The summary is written to report.md", &[Made]);
    check("a backup of the folder was created", &[Made]);
    check("config.toml has been updated", &[Changed]);
    check("every .txt file is renamed", &[Moved]);
    check("A mail was sent to bob", &[Sent]);
    check("the totals are shown, and the old file is deleted", &[Deleted]);
    check("it is confirmed that the logs were deleted", &[Deleted]);
    check("旧日志已删除", &[Deleted]);
    check("报告已写入 report.md", &[Made]);
    check("邮件已发送给 Bob", &[Sent]);
    check("所有文件已重命名", &[Moved]);
}

#[test]
fn what_tells_of_a_deed_or_denies_it_is_no_claim() {
    for text in [
        "the files changed last week are listed",
        "lists the files that were deleted in the last commit",
        "the most recently modified file is named",
        "it is stated when each file was modified",
        "no file was deleted",
        "notes.txt is not modified",
        "the files that can be deleted are listed",
        "a summary is written in Chinese",
        "The number is counted",
        "duplicates are removed",
        "the report names the five largest files",
        "列出了已删除的文件",
        "文件未删除",
        "统计已修改的文件数量",
        "摘要已生成",
    ] {
        check(text, &[]);
    }
}

#[test]
fn what_the_step_was_to_do_decides_where_the_words_leave_it_open() {
    let making = BTreeSet::from([Made]);
    assert_eq!(stated_effects("The report is written.", &making), making);
    assert!(stated_effects("The report is written.", &BTreeSet::new()).is_empty());
    assert_eq!(stated_effects("摘要已生成", &making), making);
}

#[test]
fn orders_are_read_from_the_head_of_each_clause() {
    let check = |intent: &str, expected: &[ClaimedEffect]| {
        assert_eq!(ordered(intent).into_iter().collect::<Vec<_>>(), expected, "{intent}");
    };
    check("Delete all old logs", &[Deleted]);
    check("Find the logs and delete them, then mail bob", &[Deleted, Sent]);
    check("Run the tests and fix what fails", &[Changed]);
    check("Make a backup", &[Made]);
    check("List the files that were deleted", &[]);
    check("Find duplicate files", &[]);
    check("Count the words in notes.txt", &[]);
    check("删除旧日志并发送邮件", &[Deleted, Sent]);
    check("把结果写入 a.md", &[Made]);
    check("列出已删除的文件", &[]);
}

#[test]
fn what_an_answer_says_it_did_is_told() {
    let check = |answer: &str, expected: &[ClaimedEffect]| {
        assert_eq!(told_effects(answer).into_iter().collect::<Vec<_>>(), expected, "{answer}");
    };
    check("I deleted the old files and the mail was sent to bob.", &[Deleted, Sent]);
    check("Deleted 42 files", &[Deleted]);
    check("There are 42 files.", &[]);
    check("The folder feedback was corrupt and has been deleted.", &[Deleted]);
    check("The last commit deleted two files", &[]);
    check("已删除 42 个文件，邮件已发送", &[Deleted, Sent]);
}
