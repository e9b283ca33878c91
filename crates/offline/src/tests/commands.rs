//! The planned commands, run by a real shell over a real folder.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use artoo_types::control::PlanDirective;
use artoo_types::setting::TaskSetting;
use artoo_types::situation::{AskedPath, PathKind, PlaceEntry, Situation};

use super::support::*;

/// A folder that is removed at the end.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("artoo rules {name} {}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a new folder");
        Self(path)
    }

    pub(super) fn with(self, name: &str, content: &str) -> Self {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, content).expect("a file");
        self
    }

    /// What the first planned command for the request prints here, with the folder's path taken out.
    fn run(&self, request: &str) -> String {
        self.run_where(request, &[])
    }

    /// The same where these files are known to be large.
    fn run_where(&self, request: &str, large: &[&str]) -> String {
        let work = self.0.to_str().expect("a path of text");
        run_in(&self.0, &self.planned(request, "linux", large)).replace(work, "")
    }

    /// Whether files here are root's, who may read everything.
    pub(super) fn is_roots() -> bool {
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
    }

    /// The first planned command for the request on this system, where these files are known to be large.
    pub(super) fn planned(&self, request: &str, os: &str, large: &[&str]) -> String {
        let work = self.0.to_str().expect("a path of text");
        let entry = |path: &&str| PlaceEntry { path: (*path).to_owned(), bytes: 1_000_000 };
        let plan = plan_with(request, |brief| {
            work.clone_into(&mut brief.working_directory);
            let entries = large.iter().map(entry).collect();
            let head = |path: &str| std::fs::read_to_string(self.0.join(path)).expect("a text");
            let asked = large.iter().map(|path| there(format!("{work}/{path}"), &head(path)));
            let asked = asked.collect();
            brief.situation = Some(Arc::new(Situation { entries, asked, ..Situation::default() }));
            let (workspace, os) = (work.to_owned(), os.to_owned());
            brief.setting = Arc::new(TaskSetting { workspace, os, ..TaskSetting::clone(&brief.setting) });
        });
        let steps = steps_of(&plan);
        let context = steps.first().unwrap_or_else(|| panic!("{request}: {plan}"))["context"]
            .as_str()
            .expect("a context")
            .to_owned();
        let recipe = context.lines().find_map(|line| line.strip_prefix("do: ")).expect("a recipe");
        let recipe: serde_json::Value = serde_json::from_str(recipe).expect("JSON");
        recipe["arguments"]["command"].as_str().unwrap_or_else(|| panic!("{request}: {recipe}")).to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run_in(folder: &Path, command: &str) -> String {
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-o", "pipefail", "-c", command])
        .current_dir(folder)
        .env("LC_ALL", "C")
        .output()
        .expect("bash runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{command}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

pub(super) fn project(name: &str) -> Folder {
    Folder::new(name)
        .with("src/main.rs", "fn main() {}\n// TODO one\n")
        .with("src/it's b.rs", "a\nb\nc")
        .with("tool.py", "pass\n")
        .with("target/built.rs", "x\nx\nx\nx\n")
        .with(".git/config", "big ".repeat(99).as_str())
        .with("copy of main.rs", "fn main() {}\n// TODO one\n")
        .with("empty.txt", "")
        .with("notes.md", "two words 日期\n")
        .with("sales.csv", "name,price\n\"a, \"\"b\"\"\",1.5\nc,2.5\nd,none\n")
        .with("A.JPG", "j")
        .with("b c.jpg", "k")
}

/// Requests about that project, and what is printed for them.
pub(super) const PROJECT: &[(&str, &str)] = &[
    ("find the two largest files", "39\t/sales.csv\n25\t/copy of main.rs"),
    ("count lines by language", "6\t3\tRust\n1\t1\tMarkdown\n1\t1\tPython"),
    ("按语言统计代码行数", "6\t3\tRust\n1\t1\tMarkdown\n1\t1\tPython"),
    ("count lines in Rust files", "6 lines in 3 Rust files"),
    ("count lines in Python files", "1 line in 1 Python file"),
    ("how many Python files are here", "1 Python file"),
    ("how many images are here", "2 images"),
    ("find empty files", "/empty.txt"),
    ("search for TODO in src", "/src/main.rs:2:// TODO one"),
    ("search for \"it's\"", "(no match)"),
    ("count words in notes.md", "4 words (each Chinese character is one)"),
    ("数一下notes.md的字数", "10 个字符（不计空白）"),
    ("how many lines are in \"src/it's b.rs\"", "3 lines"),
    ("how many rows and columns are in sales.csv", "3 rows, 2 columns: name, price"),
    ("average of price in sales.csv", "2 (average price: 2 values, 1 cell that is not a number)"),
    ("求sales.csv里price列的总和", "4 (总和 price: 2 个值, 1 个非数字单元格)"),
    ("preview renaming *.JPG to lower case", "/A.JPG\t→\t/a.jpg"),
    (
        "preview replacing spaces with underscores",
        "/b c.jpg\t→\t/b_c.jpg\n/copy of main.rs\t→\t/copy_of_main.rs\n/src/it's b.rs\t→\t/src/it's_b.rs",
    ),
    ("find files larger than 30 bytes", "/sales.csv"),
    ("compare notes.md with notes.md", "the files are identical"),
];

#[test]
fn measurements_of_a_project() {
    let folder = project("project");
    for (request, expected) in PROJECT {
        assert_eq!(folder.run(request), *expected, "{request}");
    }
}

/// A file that is there, of which the beginning is known.
fn there(path: String, text: &str) -> AskedPath {
    let head = text.chars().take(50).collect();
    let (near, others) = (Vec::new(), Vec::new());
    AskedPath { path, kind: PathKind::File, head, is_whole: false, unread: None, near, others }
}

fn folder_of(folder: &Folder) -> String {
    folder.0.to_str().expect("a path of text").to_owned()
}

/// `jq` is a program of the machine that need not be there.
fn has_jq() -> bool {
    Command::new("jq").arg("--version").output().is_ok()
}

#[test]
fn large_json_files_are_answered_by_a_program_as_small_ones_are_here() {
    if !has_jq() {
        return;
    }
    let rows = r#"[{"name":"Ann","age":34,"city":"Rome"},{"name":"Bo","age":27,"city":"Oslo"},{"name":"Cy","age":45,"city":"Rome"}]"#;
    let folder = Folder::new("large json")
        .with("people.json", rows)
        .with("bad.json", "{\"a\": 1,}")
        .with("two.json", "1\n2\n");
    for (request, expected) in [
        ("average of age in people.json", "35.333333333 (age: 3 values)"),
        ("average age by city in people.json", "Rome\t39.5\nOslo\t27"),
        ("how many people have city rome in people.json", "2 entries"),
        ("rows where city is Oslo in people.json", r#"{"name":"Bo","age":27,"city":"Oslo"}"#),
        ("rows of people.json where age > 40", r#"{"name":"Cy","age":45,"city":"Rome"}"#),
        ("top 1 rows of people.json by age", r#"{"name":"Cy","age":45,"city":"Rome"}"#),
        ("first 1 rows of people.json", r#"{"name":"Ann","age":34,"city":"Rome"}"#),
        ("is people.json valid json", "people.json is valid JSON"),
        ("is two.json valid json", "two.json is not valid JSON: it holds more than one document"),
    ] {
        let shown = folder.run_where(request, &["people.json", "bad.json", "two.json"]);
        assert_eq!(shown, expected, "{request}");
    }
    let bad = folder.run_where("is bad.json valid json", &["bad.json"]);
    assert!(bad.starts_with("bad.json is not valid JSON: ") && bad.contains("error"), "{bad}");
}

#[test]
fn documents_of_one_line_each_are_read_line_by_line() {
    let folder = Folder::new("lines");
    let command = |key: &str| {
        let request = format!("what is the value of {key} in events.json");
        let way = plan_with(&request, |brief| {
            folder_of(&folder).clone_into(&mut brief.working_directory);
            let path = format!("{}/events.json", folder_of(&folder));
            let failed = target("read_file", &path);
            let asked = vec![there(path, "{")];
            brief.situation = Some(Arc::new(Situation { asked, ..Situation::default() }));
            let directive = PlanDirective { blocked_targets: vec![failed], ..directive() };
            brief.directive = Some(Arc::new(directive));
        });
        let context = steps_of(&way)[0]["context"].as_str().expect("a context").to_owned();
        let recipe = context.lines().find_map(|line| line.strip_prefix("do: ")).expect("a recipe");
        let recipe: serde_json::Value = serde_json::from_str(recipe).expect("JSON");
        recipe["arguments"]["command"].as_str().unwrap_or_else(|| panic!("{key}: {recipe}")).to_owned()
    };
    let put = |text: &str| std::fs::write(folder.0.join("events.json"), text).expect("a file");
    put("{\"level\": \"warn\", \"n\": 1}\n\n{\"n\":22,\"level\":\"a b\"}\r\n{\"x\": null}\n");
    assert_eq!(run_in(&folder.0, &command("level")), "warn\na b");
    assert_eq!(run_in(&folder.0, &command("n")), "1\n22");
    for unfit in [
        "{\"level\": 1,\n}",
        "{\"level\":{\"level\":1}}",
        "{\"level\":[1]}",
        "{\"level\":\"a\\\"b\"}",
        "{\"x\":1}",
    ] {
        put(unfit);
        let ended = Command::new("bash").args(["-c", &command("level")]).output().expect("bash runs");
        assert!(!ended.status.success(), "{unfit}: {}", String::from_utf8_lossy(&ended.stdout));
    }
}

#[test]
fn a_large_table_becomes_json_record_by_record() {
    let table = "name,note\n\"a, \\ b\",\"say \"\"hi\"\"\"\nc,\"two\nlines\tx\"\nd,\n";
    let folder = Folder::new("large csv").with("data.csv", table).with("empty.csv", "a,b\n");
    let told = folder.run_where("convert data.csv to JSON", &["data.csv"]);
    assert_eq!(told, "Wrote 3 records to /data.json");
    let written = std::fs::read_to_string(folder.0.join("data.json")).expect("it is written");
    let rows: serde_json::Value =
        serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(
        rows,
        serde_json::json!([
            {"name": "a, \\ b", "note": "say \"hi\""}, {"name": "c", "note": "two\nlines\tx"}, {"name": "d", "note": ""}
        ])
    );
    assert_eq!(
        folder.run_where("convert empty.csv to JSON", &["empty.csv"]),
        "Wrote 0 records to /empty.json"
    );
}

#[test]
fn duplicates_are_files_with_the_same_content() {
    let folder = project("duplicates").with("same size.py", "fail\n");
    let lines = folder.run("find duplicate files");
    let paths: Vec<&str> =
        lines.lines().map(|line| line.split_once('\t').expect("a digest and a path").1).collect();
    assert_eq!(paths, ["/copy of main.rs", "/src/main.rs"]);
    assert_eq!(folder.run("find duplicate images"), "no duplicate files");
    assert_eq!(folder.run("找出重复的图片"), "没有重复的文件");
}

#[test]
fn an_empty_folder_is_an_answer() {
    let folder = Folder::new("nothing");
    for (request, expected) in [
        ("find the ten largest files here", "(no match)"),
        ("count lines by language", "no source files"),
        ("count lines in Rust files", "0 lines in 0 Rust files"),
        ("how many files are here", "0 files"),
        ("find duplicate files", "no duplicate files"),
        ("count files by type", "(no match)"),
        ("list all todos here", "(no match)"),
    ] {
        assert_eq!(folder.run(request), expected, "{request}");
    }
}

#[test]
fn a_long_list_is_whole_and_that_of_a_report_says_how_much_is_left_out() {
    let mut folder = Folder::new("long");
    for number in 0..205 {
        folder = folder.with(&format!("f{number:03}.txt"), "");
    }
    assert_eq!(folder.run("find empty files").lines().count(), 205);
    let lines = folder.run("find empty files and write a report");
    assert!(lines.ends_with("... and 188 more"), "{lines}");
}
