//! Requests in many words, and what they are understood as.

use super::*;
use crate::clauses::understand;
use crate::{pattern, requests};

/// What a text is understood as: the kinds of its clauses, and `+report`.
fn reading(text: &str) -> String {
    match understand(text) {
        Ok(request) => {
            let mut names: Vec<String> =
                request.clauses.iter().map(|clause| format!("{:?}", clause.kind)).collect();
            names.extend(request.report.is_some().then(|| "+report".to_owned()));
            names.join(" ")
        }
        Err(why) => format!("{why:?}"),
    }
}

fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter(|(expected, text)| reading(text) != *expected)
        .map(|(expected, text)| format!("{text}: expected {expected}, got {}", reading(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_template_is_well_formed() {
    for row in requests::TEMPLATES.iter() {
        for template in row.english.iter().chain(row.chinese) {
            if let Err(reason) = pattern::compile(template) {
                panic!("{reason} in {template}");
            }
        }
    }
}

#[test]
fn every_example_is_understood_as_its_kind() {
    for example in examples() {
        for text in [example.english, example.chinese] {
            let request = understand(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
            let first = request.clauses[0].kind;
            // Examples of several kinds at once bear the kind of their last part.
            assert!(
                first == example.kind
                    || (example.kind == RequestKind::WriteReport && request.report.is_some()),
                "{text}"
            );
        }
    }
}

#[test]
fn there_are_examples_of_at_least_twenty_kinds() {
    let kinds: std::collections::BTreeSet<RequestKind> =
        examples().into_iter().map(|example| example.kind).collect();
    assert!(kinds.len() >= 20, "{}", kinds.len());
}

#[test]
fn english_requests() {
    check(ENGLISH);
}

#[test]
fn chinese_requests() {
    check(CHINESE);
}

const ENGLISH: &[(&str, &str)] = &[
    (
        "LargestFiles LinesByLanguage Duplicates +report",
        "find the largest files, count lines by language, find duplicate files, and write a report with all three",
    ),
    (
        "LargestFiles LinesByLanguage Duplicates +report",
        "Please find the largest files, count the lines by language and find duplicate files, then write it to a report.",
    ),
    (
        "LargestFiles LinesByLanguage Duplicates +report",
        "Could you find the 5 largest files in this folder; count lines of code by language; find duplicates; and write a report with all of it to summary.md",
    ),
    ("LargestFiles +report", "find the ten largest files here and write them to a report"),
    ("LargestFiles +report", "find the ten largest files here and write it to report.md"),
    ("LargestFiles +report", "find the ten largest files and save the list to \"big files.md\""),
    ("FindFiles", "find all pdfs in my downloads"),
    ("FindFiles", "find all PDFs in the downloads folder"),
    ("FindFiles", "List PDF files in ~/Documents"),
    ("FindFiles", "show me all images in \"My Photos\""),
    ("FindFiles", "find files named budget*"),
    ("FindFiles", "find files with budget in the name"),
    ("FindFiles", "PDFs larger than 20 MB in downloads"),
    ("FindFiles", "files changed in the last 7 days"),
    ("FindFiles", "which files changed in the last week?"),
    ("FindFiles", "find files older than 3 months in downloads"),
    ("FindFiles", "find *.log files larger than 5MB"),
    ("FindFiles", "find all Rust files"),
    ("FindFiles", "find .toml files in crates"),
    ("FindFiles", "videos over 1GB in ~/Movies"),
    ("FindFiles", "files not modified for three months"),
    ("EmptyFolders", "empty folders here"),
    ("EmptyFolders", "find all empty directories"),
    ("LargestFiles", "ten largest files in ~/Downloads"),
    ("LargestFiles", "what are the 5 biggest files in downloads?"),
    ("LargestFiles", "Show me the largest files in /var/log"),
    ("LargestFiles", "largest PDFs"),
    ("CountFiles", "how many Rust files"),
    ("CountFiles", "how many Rust files are there in src?"),
    ("CountFiles", "count the images in downloads"),
    ("CountFiles", "how many files are in this folder"),
    ("CountFiles", "count files"),
    ("CountLines", "count lines in Rust files"),
    ("CountLines", "count the number of lines of python files in src"),
    ("CountLines", "how many lines of Rust code are there?"),
    ("LinesByLanguage", "count lines of code"),
    ("LinesByLanguage", "count lines of code per language"),
    ("LinesByLanguage", "how many lines of code are there by language"),
    ("CountWords", "count words in notes.md"),
    ("CountWords", "how many words are in \"my notes.md\"?"),
    ("SearchText", "search for TODO in src"),
    ("SearchText", "search for \"connection refused\" in /var/log"),
    ("SearchText", "grep TODO"),
    ("SearchText", "find lines containing \"panic\" in src"),
    ("FolderSizes", "disk usage by folder"),
    ("FolderSizes", "which folders take the most space in downloads?"),
    ("FolderSize", "disk usage of src"),
    ("FolderSize", "how big is ~/Downloads"),
    ("DiskFree", "free disk space"),
    ("DiskFree", "how much free space is left"),
    ("DiskFree", "how much disk space do I have left"),
    ("Duplicates", "find duplicates in ~/Pictures"),
    ("Duplicates", "find duplicate images in downloads"),
    ("Duplicates", "are there duplicate files here?"),
    ("FolderReport +report", "summarise this folder into a report"),
    ("FolderReport +report", "summarize ~/Downloads"),
    ("PreviewLowerCase", "preview renaming *.JPG to lower case"),
    ("PreviewUnderscores", "preview replacing spaces with underscores"),
    ("FirstLines", "show first 20 lines of notes.txt"),
    ("FirstLines", "show the first 20 lines of \"a b.txt\""),
    ("FirstLines", "print the first ten lines of src/main.rs"),
    ("LastLines", "last 50 lines of server.log"),
    ("ReadFile", "read notes.txt"),
    ("ReadFile", "show README.md"),
    ("ReadFile", "what does notes.txt say?"),
    ("CsvShape", "columns and rows of data.csv"),
    ("CsvShape", "how many rows does data.csv have?"),
    ("CsvToJson", "convert data.csv to JSON"),
    ("ConfigValue", "value of server.port in config.json"),
    ("ConfigValue", "what is server.port in config.json?"),
    ("ColumnStatistic", "average of price in sales.csv"),
    ("ColumnStatistic", "sum of the column amount in sales.csv"),
    ("GitStatus", "git status digest"),
    ("GitStatus", "git status"),
    ("GitLog", "commits of the last week"),
    ("GitLog", "show the last 5 commits"),
    ("SystemInfo", "system info"),
    ("TopMemory", "top 5 processes by memory"),
    ("TopMemory", "which processes use the most memory?"),
    ("FileTypes", "count files by type"),
    ("Checksum", "sha256 of notes.md"),
    ("CompareFiles", "compare a.txt with b.txt"),
    ("ListFolder", "ls"),
    ("ListFolder", "what is in ~/Downloads"),
    ("NewestFiles", "newest files in downloads"),
    ("TodoList", "list all TODOs"),
    ("CountFiles CountLines", "count the Rust files and count lines in Rust files"),
    ("LinesInFile CountWords", "how many lines are in a.txt and count words in a.txt"),
    ("LargestFiles Duplicates", "in ~/src, find the largest files and find duplicate files"),
    ("SystemInfo DiskFree", "show system information and free disk space"),
];

const CHINESE: &[(&str, &str)] = &[
    (
        "LargestFiles LinesByLanguage Duplicates +report",
        "找出最大的文件，按语言统计代码行数，找出重复的文件，然后写成一份报告",
    ),
    (
        "LargestFiles LinesByLanguage Duplicates +report",
        "请找出最大的10个文件，统计各语言的代码行数，查找重复文件，并把结果写成一份报告。",
    ),
    (
        "LargestFiles LinesByLanguage Duplicates +report",
        "找出最大的文件、按语言统计行数、查找重复文件，最后把三项结果写成报告",
    ),
    ("LargestFiles +report", "找出当前目录里最大的10个文件，然后写到report.md"),
    ("FindFiles", "找出下载目录里的PDF"),
    ("FindFiles", "找出下载目录里的 PDF 文件"),
    ("FindFiles", "请帮我找出下载文件夹里所有的图片"),
    ("FindFiles", "找名字里有“合同”的文件"),
    ("FindFiles", "大于1GB的视频"),
    ("FindFiles", "找出大于 1GB 的视频"),
    ("FindFiles", "三个月没动过的文件"),
    ("FindFiles", "最近7天修改过的文件"),
    ("FindFiles", "找出最近一周修改过的文件"),
    ("FindFiles", "列出当前目录下所有rust文件"),
    ("FindFiles", "在 ~/Documents 里查找所有 PDF"),
    ("FindFiles", "桌面上的图片有哪些"),
    ("EmptyFolders", "空文件夹"),
    ("EmptyFiles", "空文件"),
    ("EmptyFiles", "找出空文件"),
    ("LargestFiles", "下载目录里最大的10个文件"),
    ("LargestFiles", "最大的文件有哪些"),
    ("LargestFiles", "列出最大的5个视频"),
    ("CountFiles", "有多少张图片"),
    ("CountFiles", "下载目录里有多少个PDF"),
    ("CountFiles", "统计当前目录的文件数量"),
    ("CountLines", "统计项目下rust文件的行数"),
    ("CountLines", "统计 Rust 文件的行数"),
    ("CountLines", "数一下所有python文件有多少行"),
    ("LinesByLanguage", "统计代码行数"),
    ("LinesByLanguage", "按编程语言统计代码行数"),
    ("CountCharacters", "数一下notes.md的字数"),
    ("CountCharacters", "notes.md有多少字"),
    ("SearchText", "搜索“截止日期”"),
    ("SearchText", "在src里搜索TODO"),
    ("SearchText", "在 src 目录中搜索 “错误”"),
    ("SearchText", "搜索TODO"),
    ("FolderSizes", "哪个子目录最占空间"),
    ("FolderSizes", "下载目录里哪个文件夹最大"),
    ("FolderSize", "下载目录有多大"),
    ("FolderSize", "src占多少空间"),
    ("DiskFree", "还剩多少磁盘"),
    ("DiskFree", "磁盘还剩多少空间"),
    ("DiskFree", "还剩多少磁盘空间？"),
    ("Duplicates", "找出重复的照片"),
    ("Duplicates", "查找重复文件"),
    ("Duplicates", "下载目录里有哪些重复的文件"),
    ("FolderReport +report", "写一份当前目录的整理报告"),
    ("FolderReport +report", "给下载目录写一份报告"),
    ("PreviewLowerCase", "预览把文件名改成小写"),
    ("PreviewUnderscores", "预览把空格改成下划线"),
    ("FirstLines", "看文件notes.txt前20行"),
    ("FirstLines", "看 notes.txt 的前 20 行"),
    ("FirstLines", "显示README.md的前十行"),
    ("ReadFile", "读取 notes.txt"),
    ("ReadFile", "看看README.md的内容"),
    ("CsvShape", "data.csv有几行"),
    ("CsvShape", "这个CSV有几行"),
    ("CsvToJson", "把data.csv转成JSON"),
    ("CsvToJson", "将 data.csv 转换为 JSON 格式"),
    ("ConfigValue", "提取config.json里的server.port"),
    ("ConfigValue", "读取 config.json 中 server.port 的值"),
    ("ColumnStatistic", "sales.csv里price列求和"),
    ("ColumnStatistic", "计算sales.csv中“单价”列的平均值"),
    ("ColumnStatistic", "sales.csv 的金额列的总和是多少"),
    ("GitStatus", "查看git状态"),
    ("GitLog", "最近一周的提交"),
    ("GitLog", "最近5次提交"),
    ("SystemInfo", "系统信息"),
    ("TopMemory", "占内存最多的5个进程"),
    ("FileTypes", "按类型统计文件数量"),
    ("CompareFiles", "a.txt和b.txt有什么不同"),
    ("ListFolder", "列出当前目录的内容"),
    ("NewestFiles", "最近修改的5个文件"),
    ("FindFiles +report", "找出下载目录里的PDF，然后把列表写成报告"),
];

#[test]
fn what_is_to_be_done_is_understood() {
    use crate::clause::RequestKind::*;
    for (text, kind) in [
        ("把\"草稿.txt\"重命名为 定稿.txt", Rename),
        ("create a folder called Tax 2026", MakeFolder),
        ("新建文件夹 发票", MakeFolder),
        ("make a file called hello.txt containing hello world", MakeFile),
        ("新建一个文件 你好.txt，内容是：世界", MakeFile),
        ("move bill.txt to the folder archive", Move),
        ("move all png files into images", MoveMany),
        ("make a copy of plan.txt in archive", Copy),
        ("delete all .tmp files", DeleteMany),
        ("rename all .jpeg files to .jpg", RenameEnding),
        ("replace spaces in file names with underscores", RenameUnderscores),
        ("unpack pack.zip into out", Unpack),
        ("zip the folder archive", PackZip),
        ("last commit message", GitLog),
        ("最后一次提交的说明", GitLog),
        ("最后一次提交改了哪些文件", GitLastFiles),
        ("how big are the pictures in pixels", ImageSize),
        ("列出这里图片的分辨率", ImageSize),
        ("how many errors are in server.log", CountMatches),
        ("find empty files and create a file called out.txt", EmptyFiles),
        ("what's taking up the most space in here?", EntrySizes),
        ("下载目录里什么最占空间", EntrySizes),
        ("what's in pack.zip without unpacking it", ArchiveList),
        ("不要解压，看一下pack.tar.gz的内容", ArchiveList),
        ("which file did i download last", NewestFiles),
        ("哪里有soup.md", FindNamed),
        ("一年以前的旧文件有哪些", FindFiles),
        ("which fruit occurs most often in fruit.txt", RepeatedLines),
        ("fruit.txt里出现次数最多的是哪个水果", RepeatedLines),
        ("统计一下access.log中每个IP的访问次数", TopAddresses),
        ("song.mp3的MD5是多少", Md5),
        ("磁盘用了多少", DiskFree),
        ("把recipes文件夹打成zip包", PackZip),
        ("把相册压缩成zip文件", PackZip),
        ("compress photos into a zip", PackZip),
        ("what's on my todo list in notes.txt", MatchLines),
        ("create a file called a.txt with milk, eggs and bread on separate lines", MakeFile),
    ] {
        let read = understand(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        assert_eq!(read.clauses[0].kind, kind, "{text}");
    }
}
