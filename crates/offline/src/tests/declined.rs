//! Requests that must be declined as a whole: near misses, further clauses, acting verbs.

use std::sync::Arc;

use artoo_types::situation::{AskedPath, FileHead, PathKind, PlaceEntry, Situation};

use super::support::*;
use crate::clauses::understand;

fn check(text: &str) {
    let plan = plan(text);
    assert!(steps_of(&plan).is_empty(), "{text}: {plan}");
    let decline = &plan["decline"];
    assert!(decline["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{text}: {decline}");
    // What is understood and cannot be done here says so itself.
    if understand(text).is_err() {
        assert_eq!(
            decline["nearest"].as_array().map(Vec::len),
            Some(0),
            "{text}: nothing is known to be here"
        );
        assert!(
            decline["how_to_configure"].as_str().is_some_and(|how| how.starts_with("`artoo setup`")),
            "{text}"
        );
    }
}

#[test]
fn near_misses_and_further_clauses() {
    for text in DECLINED {
        check(text);
    }
}

#[test]
fn the_reason_names_what_is_not_done() {
    let reason = |text: &str| plan(text)["decline"]["reason"].as_str().expect("a reason").to_owned();
    assert!(reason("find all PDFs in downloads and delete them").contains("delete"));
    assert!(reason("找出重复的照片并删除").contains("删除"));
    assert!(reason("read notes.txt then email it to bob@example.com").contains("send"));
    assert!(reason("翻译 notes.md").contains("语言模型"));
    assert!(reason("count lines by language in src and frobnicate the rest").contains("frobnicate the rest"));
}

#[test]
fn suggestions_are_made_from_what_is_here() {
    let seen = Situation {
        entries: vec![
            PlaceEntry { path: "sales.csv".to_owned(), bytes: 30 },
            PlaceEntry { path: "src/".to_owned(), bytes: 0 },
        ],
        heads: vec![FileHead { path: "sales.csv".to_owned(), text: "region,amount\nNorth,3\n".to_owned() }],
        ..Situation::default()
    };
    let nearest = |text: &str| {
        let plan = plan_with(text, |brief| brief.situation = Some(Arc::new(seen.clone())));
        plan["decline"]["nearest"].clone()
    };
    assert_eq!(nearest("some of the amounts in sales.csv")[0], "This works here: sum of amount in sales.csv");
    assert_eq!(nearest("tell me a joke"), serde_json::json!([]));
    assert_eq!(
        nearest("find the eleven largest files here, biggest first")[0],
        "This works here: find the ten largest files here"
    );
}

fn asked(path: &str, kind: PathKind, head: &str, near: &[&str]) -> AskedPath {
    AskedPath {
        unread: None,
        path: format!("{WORK}/{path}"),
        kind,
        head: head.to_owned(),
        is_whole: true,
        near: near.iter().map(|near| (*near).to_owned()).collect(),
        others: Vec::new(),
    }
}

#[test]
fn what_is_missing_is_said_before_anything_is_done() {
    let reason = |text: &str, asked: AskedPath| {
        let seen = Situation { asked: vec![asked], outside_repository: true, ..Situation::default() };
        let plan = plan_with(text, |brief| brief.situation = Some(Arc::new(seen)));
        assert!(steps_of(&plan).is_empty(), "{text}: {plan}");
        plan["decline"]["reason"].as_str().expect("a reason").to_owned()
    };
    let lost = || asked("nope.txt", PathKind::Missing, "", &["/work dir/note.txt", "/home/ada/two/nope.txt"]);
    assert_eq!(
        reason("how many lines are in nope.txt", lost()),
        "there is no nope.txt here; did you mean note.txt, ~/two/nope.txt?"
    );
    assert_eq!(reason("nope.txt有多少行", lost()), "这里没有 nope.txt；是不是 note.txt、~/two/nope.txt？");
    let table = || asked("sales.csv", PathKind::File, "date,amount\n2026,3\n", &[]);
    assert_eq!(
        reason("average of salary in sales.csv", table()),
        "sales.csv has no column \"salary\"; it has: date, amount"
    );
    assert_eq!(reason("git status", table()), "/work dir is in no git repository");
    assert_eq!(
        reason("search for milk in src", asked("src", PathKind::Missing, "", &[])),
        "there is no folder src here"
    );
}

#[test]
fn what_lies_elsewhere_is_offered_as_a_command_that_can_be_typed() {
    let offered = |text: &str, asked: AskedPath| {
        let seen = Situation { asked: vec![asked], ..Situation::default() };
        let plan = plan_with(text, |brief| brief.situation = Some(Arc::new(seen)));
        assert!(steps_of(&plan).is_empty(), "{text}: {plan}");
        plan["decline"]["nearest"][0].as_str().unwrap_or_default().to_owned()
    };
    let lost = |near: &str| asked("sales.csv", PathKind::Missing, "", &[near]);
    let two = "/home/ada/two/sales.csv";
    assert_eq!(
        offered("average of price in sales.csv", lost(two)),
        "artoo \"average of price in ~/two/sales.csv\""
    );
    assert_eq!(
        offered("求sales.csv里price列的总和", lost(two)),
        "artoo \"求~/two/sales.csv里price列的总和\""
    );
    assert_eq!(
        offered("average of price in sales.csv", lost("/home/ada/my sales/sales.csv")),
        "artoo 'average of price in \"~/my sales/sales.csv\"'"
    );
    let both = AskedPath {
        others: vec![FileHead { path: two.to_owned(), text: "name,price\n".to_owned() }],
        near: vec!["/home/ada/one/sales.csv".to_owned(), two.to_owned()],
        ..lost(two)
    };
    assert_eq!(
        offered("average of price in sales.csv", both),
        "artoo \"average of price in ~/two/sales.csv\"",
        "the one that has it"
    );
    let other = |head: &str| FileHead { path: two.to_owned(), text: head.to_owned() };
    let here = |head: &str| AskedPath {
        others: vec![other(head)],
        ..asked("sales.csv", PathKind::File, "name,amount\na,1\n", &[])
    };
    assert_eq!(
        offered("average of price in sales.csv", here("name,price\na,3\n")),
        "~/two/sales.csv has a column price: artoo \"average of price in ~/two/sales.csv\""
    );
    assert_eq!(offered("average of price in sales.csv", here("name\na\n")), "");
}

#[test]
fn the_only_file_of_a_name_further_down_is_meant_and_named() {
    let plan_of = |near: &[&str]| {
        let seen = Situation {
            asked: vec![asked("guide.txt", PathKind::Missing, "", near)],
            ..Situation::default()
        };
        plan_with("show the first 5 lines of guide.txt", |brief| brief.situation = Some(Arc::new(seen)))
    };
    let plan = plan_of(&["/work dir/sub/guide.txt", "/home/ada/guide.txt"]);
    assert_eq!(plan["subtasks"][0]["targets"][0], "/work dir/sub/guide.txt", "{plan}");
    assert_eq!(plan["form"]["remark"], "guide.txt is sub/guide.txt");
    for near in [&["/work dir/a/guide.txt", "/work dir/b/guide.txt"][..], &["/home/ada/guide.txt"]] {
        assert!(!plan_of(near)["decline"].is_null(), "{near:?}");
    }
}

#[test]
fn a_name_of_a_file_that_is_there_is_read_as_one() {
    let entry = |path: &str| PlaceEntry { path: path.to_owned(), bytes: 3 };
    let seen = Situation {
        entries: vec![entry("会议纪要.md"), entry("shopping list.txt")],
        ..Situation::default()
    };
    for (text, path) in [
        ("读取会议纪要.md", "/work dir/会议纪要.md"),
        ("看会议纪要.md的前2行", "/work dir/会议纪要.md"),
        ("how many lines are in shopping list.txt", "/work dir/shopping list.txt"),
    ] {
        let plan = plan_with(text, |brief| brief.situation = Some(Arc::new(seen.clone())));
        assert_eq!(plan["subtasks"][0]["targets"][0], path, "{text}: {plan}");
        assert_eq!(crate::named_paths(text, WORK, "/home/ada", &seen)[0], path, "{text}");
    }
}

#[test]
fn places_of_secrets_are_declined() {
    for text in
        ["read ~/.ssh/id_rsa", "search for token in ~/.aws", "find files in ~/.gnupg", "read .env.local"]
    {
        let plan = plan(text);
        assert!(steps_of(&plan).is_empty() && !plan["decline"].is_null(), "{text}: {plan}");
    }
}

#[test]
fn a_very_long_request_is_declined() {
    check(&"find all PDFs and ".repeat(60));
}

const DECLINED: &[&str] = &[
    "find all PDFs in my downloads and delete them",
    "find the largest files, then delete the oldest ones",
    "找出重复的照片并删除",
    "找出下载目录里的PDF，然后发给老板",
    "delete all PDFs in downloads",
    "move all images to ~/Pictures",
    "rename all files to lower case",
    "translate notes.md into French",
    "write a poem about the sea",
    "find the best files",
    "find all files in downloads that look boring",
    "summarise the meaning of notes.md",
    "find PDFs in downloads or documents",
    "find files larger than big",
    "count lines by language in src and run the tests",
    "what is the weather in Berlin",
    "把桌面上的图片都删掉",
    "翻译 notes.md",
    "写一个排序函数",
    "sudo rm -rf /",
    "write it to a report",
    "find all pdfs and images",
    "search for TODO in src and replace it with DONE",
    "read notes.txt and summarise it",
    "read notes.txt then email it to bob@example.com",
    "找出最大的文件再移动到桌面",
    "find files not larger than 5MB and not pdf",
    "don't find duplicate files",
    "find all PDFs except the large ones",
    "count words",
];
