//! Requests that must be declined as a whole: near misses, further clauses, acting verbs.

use super::support::*;

fn check(text: &str) {
    let plan = plan(text);
    assert!(steps_of(&plan).is_empty(), "{text}: {plan}");
    let decline = &plan["decline"];
    assert!(decline["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{text}: {decline}");
    assert_eq!(decline["nearest"].as_array().map(Vec::len), Some(3), "{text}");
    assert!(
        decline["how_to_configure"].as_str().is_some_and(|how| how.contains("OPENAI_BASE_URL")),
        "{text}"
    );
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
fn nearest_examples_are_near() {
    let plan = plan("find the eleven largest files here, biggest first");
    assert_eq!(plan["decline"]["nearest"][0], "find the ten largest files here");
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
