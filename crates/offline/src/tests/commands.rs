//! The planned commands, run by a real shell over a real folder.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use super::support::*;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("artoo rules {name} {}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a new folder");
        Self(path)
    }

    fn with(self, name: &str, content: &str) -> Self {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, content).expect("a file");
        self
    }

    /// What the first planned command for the request prints here, with the folder's path taken out.
    fn run(&self, request: &str) -> String {
        let work = self.0.to_str().expect("a path of text");
        let plan = plan_with(request, |brief| work.clone_into(&mut brief.working_directory));
        let steps = steps_of(&plan);
        let context = steps.first().unwrap_or_else(|| panic!("{request}: {plan}"))["context"]
            .as_str()
            .expect("a context")
            .to_owned();
        let recipe = context.lines().find_map(|line| line.strip_prefix("do: ")).expect("a recipe");
        let recipe: serde_json::Value = serde_json::from_str(recipe).expect("JSON");
        let command =
            recipe["arguments"]["command"].as_str().unwrap_or_else(|| panic!("{request}: {recipe}"));
        run_in(&self.0, command).replace(work, "")
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

fn project(name: &str) -> Folder {
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

#[test]
fn measurements_of_a_project() {
    let folder = project("project");
    for (request, expected) in [
        ("find the two largest files", "39\t/sales.csv\n25\t/copy of main.rs"),
        ("count lines by language", "6\t3\tRust\n1\t1\tMarkdown\n1\t1\tPython"),
        ("按语言统计代码行数", "6\t3\tRust\n1\t1\tMarkdown\n1\t1\tPython"),
        ("count lines in Rust files", "6 lines in 3 Rust files"),
        ("how many images are here", "2 images"),
        ("find empty files", "/empty.txt"),
        ("search for TODO in src", "/src/main.rs:2:// TODO one"),
        ("search for \"it's\"", "(no match)"),
        ("count words in notes.md", "3 words"),
        ("数一下notes.md的字数", "10 个字符（不计空白）"),
        ("how many lines are in \"src/it's b.rs\"", "3 lines"),
        ("how many rows and columns are in sales.csv", "3 rows, 2 columns: name, price"),
        ("average of price in sales.csv", "2 (average price: 2 values, 1 cells that are not numbers)"),
        ("求sales.csv里price列的总和", "4 (总和 price: 2 个值, 1 个非数字单元格)"),
        ("preview renaming *.JPG to lower case", "/A.JPG\t→\t/a.jpg"),
        (
            "preview replacing spaces with underscores",
            "/b c.jpg\t→\t/b_c.jpg\n/copy of main.rs\t→\t/copy_of_main.rs\n/src/it's b.rs\t→\t/src/it's_b.rs",
        ),
        ("find files larger than 30 bytes", "/sales.csv"),
        ("compare notes.md with notes.md", "the files are identical"),
    ] {
        assert_eq!(folder.run(request), expected, "{request}");
    }
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
fn a_long_list_says_how_much_is_left_out() {
    let mut folder = Folder::new("long");
    for number in 0..205 {
        folder = folder.with(&format!("f{number:03}.txt"), "");
    }
    let lines = folder.run("find empty files");
    assert_eq!(lines.lines().count(), 201);
    assert!(lines.ends_with("... and 5 more"), "{lines}");
}
