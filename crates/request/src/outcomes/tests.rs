use super::{PathOutcome, path_outcomes};
use crate::read;

/// One outcome in few signs.
fn shown(outcome: &PathOutcome) -> String {
    match outcome {
        PathOutcome::Made { path, filled: true } => format!("+{path} filled"),
        PathOutcome::Made { path, filled: false } => format!("+{path}"),
        PathOutcome::Changed { path } => format!("~{path}"),
        PathOutcome::Deleted { path } => format!("-{path}"),
        PathOutcome::Moved { from, to } => format!("{from}>{}", to.as_deref().unwrap_or("?")),
        PathOutcome::Copied { from, to, stays } => {
            format!("{from}={to}{}", if *stays { " stays" } else { "" })
        }
        PathOutcome::Holds { path, text, exact } => {
            format!("{path}{}{text}", if *exact { " has " } else { " has, in any case, " })
        }
        PathOutcome::Lines { path, least } => format!("{path} lines {least}"),
    }
}

fn check(table: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (request, expected) in table {
        let found: Vec<String> = path_outcomes(request, &read(request)).iter().map(shown).collect();
        if found != *expected {
            wrong.push(format!("{request}: {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english_requests_leave_these_outcomes() {
    check(&[
        ("Write a report about sales.csv into ./notes.txt", &["+./notes.txt filled"]),
        ("Create ./one.txt and ./two.txt with the word hi", &["+./one.txt", "+./two.txt"]),
        (
            "Create ./hello.txt with the word hello",
            &["+./hello.txt filled", "./hello.txt has, in any case, hello"],
        ),
        ("Create report.md with the text \"all well\"", &["+report.md filled", "report.md has all well"]),
        ("touch ./marker", &[]),
        ("Create the file ./empty.txt", &["+./empty.txt"]),
        ("Make a file ./poem.txt with 3 lines", &["+./poem.txt filled", "./poem.txt lines 3"]),
        ("Save the summary of ./a.md as ./b.md", &["+./b.md filled"]),
        ("Delete ./junk.dat", &["-./junk.dat"]),
        ("Please delete the file old.log permanently", &["-old.log"]),
        ("Remove ./a.tmp, ./b.tmp and ./c.tmp", &["-./a.tmp", "-./b.tmp", "-./c.tmp"]),
        ("rm -rf ./build/", &["-./build/"]),
        ("Rename ./x.txt to ./y.txt", &["./x.txt>./y.txt"]),
        ("Rename ./docs/x.txt to y.txt", &["./docs/x.txt>./docs/y.txt"]),
        ("Move ./m.txt to ./archive/m.txt", &["./m.txt>./archive/m.txt"]),
        ("Move ./m.txt into ./archive/", &["./m.txt>./archive/m.txt"]),
        ("Move ./m.txt into ./archive", &["./m.txt>?"]),
        ("Move ./a.txt and ./b.txt to ./old", &["./a.txt>?", "./b.txt>?"]),
        ("Copy ./b.txt to ./copy.txt", &["./b.txt=./copy.txt stays"]),
        ("Back up ./photos to ./backup", &["./photos=./backup stays"]),
        (
            "Copy ./b.txt to ./c.txt and append \"x\" to ./d.txt",
            &["./b.txt=./c.txt", "~./d.txt", "./d.txt has x"],
        ),
        ("Append the line done to ./log.txt", &["~./log.txt"]),
        ("Append the line \"done\" to ./log.txt", &["~./log.txt", "./log.txt has done"]),
        ("Add the word beta to ./list.txt", &["~./list.txt", "./list.txt has, in any case, beta"]),
        ("Replace red by blue in ./colours.txt", &["~./colours.txt"]),
        ("Set port to 8080 in ./config.json", &["~./config.json"]),
        (
            "Count the files in ./d, write the count to ./count.txt and delete ./d/old.txt",
            &["+./count.txt", "-./d/old.txt"],
        ),
        ("Search for TODO in src and save the result as ./todo.txt", &["+./todo.txt"]),
        ("Merge ./jan.csv and ./feb.csv into ./all.csv", &["+./all.csv filled"]),
        ("Summarise ./memo.txt and write the summary to ./summary.txt", &["+./summary.txt filled"]),
        ("delete notes.txt and send a mail to Anna", &["-notes.txt"]),
    ]);
}

#[test]
fn english_requests_that_may_be_done_otherwise_leave_nothing() {
    for request in [
        "Delete the lines with foo in ./a.txt",
        "Delete all files in ./t",
        "Delete ./a.txt if it is empty",
        "Delete ./a.txt or ./b.txt",
        "Delete ./a.txt, but keep ./b.txt",
        "Do not delete ./a.txt",
        "How do I delete ./a.txt?",
        "Remove ./secret.env from git",
        "Remove the trailing spaces from main.c, then commit it",
        "Write a script that deletes ./old.log",
        "Explain how to move ./a.txt to ./b.txt",
        "Create ./a.txt, check that it is there and delete it",
        "Move ./a.txt to ./b.txt and undo it afterwards",
        "Move the function foo from ./a.rs to ./b.rs",
        "Add a link to ./README.md",
        "Add a test for ./lib.rs",
        "Commit ./c.txt with git",
        "Fix the bug in ./app.py",
        "Run ./build.sh",
        "Show ./first.txt",
        "Which of ./p.txt and ./q.txt is longer?",
        "Write a story in the docs folder, in tale.md",
        "Rename ./A.txt to ./a.txt",
        "Simulate deleting ./a.txt",
        "Put ./a.txt into ./archive",
        "Compare ./a.txt with ./b.txt and tell me the differences",
        "Sort the lines of ./names.txt",
        "Create ./a.txt unless it exists",
        "Update the documentation according to ./spec.md",
        "Write ./a.txt out to the terminal",
    ] {
        let found = path_outcomes(request, &read(request));
        assert!(found.is_empty(), "{request}: {found:?}");
    }
}

#[test]
fn chinese_requests_leave_these_outcomes() {
    check(&[
        ("删除./旧文件.txt", &["-./旧文件.txt"]),
        ("请把./a.tmp删掉", &["-./a.tmp"]),
        ("删除./a.log和./b.log", &["-./a.log", "-./b.log"]),
        ("把./a.txt移动到./存档/a.txt", &["./a.txt>./存档/a.txt"]),
        ("将./a.txt重命名为./b.txt", &["./a.txt>./b.txt"]),
        ("把./a.txt复制到./b.txt", &["./a.txt=./b.txt stays"]),
        ("备份./photos到./backup", &["./photos=./backup stays"]),
        ("新建./清单.txt，内容是“牛奶”", &["+./清单.txt filled", "./清单.txt has 牛奶"]),
        ("创建文件./x.md", &["+./x.md"]),
        ("在./日记.txt里加一行“下雨”", &["~./日记.txt", "./日记.txt has 下雨"]),
        ("往./log.txt末尾追加“完成”", &["~./log.txt", "./log.txt has 完成"]),
        ("把总结写入./总结.md", &["+./总结.md filled"]),
        ("统计./d里的文件数量，然后删除./d/old.txt", &["-./d/old.txt"]),
        ("把./a.txt翻译成英文，并保存到./b.txt", &["+./b.txt"]),
        ("列出./d里的文件，并把结果保存到./list.txt", &["+./list.txt"]),
    ]);
}

#[test]
fn chinese_requests_that_may_be_done_otherwise_leave_nothing() {
    for request in [
        "删除./t里的所有文件",
        "删除./a.txt里的空行",
        "如果./a.txt是空的，就删除./a.txt",
        "不要删除./a.txt",
        "怎么删除./a.txt？",
        "删除./a.txt或者./b.txt",
        "写一个删除./a.txt的脚本",
        "查看./a.txt的内容",
        "./笔记.txt有多少行？",
        "修复./app.py里的错误",
        "运行./build.sh",
        "把./a.txt移动到./b.txt，然后撤销",
        "比较./a.txt和./b.txt",
        "新建./a.txt，检查之后删除它",
        "总结./会议.txt的要点",
    ] {
        let found = path_outcomes(request, &read(request));
        assert!(found.is_empty(), "{request}: {found:?}");
    }
}
