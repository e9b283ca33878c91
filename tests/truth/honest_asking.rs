//! Honest questions: nothing is changed, and the answer is in the receipts or follows from them.

use serde_json::json;

use crate::row::{Row, honest};
use crate::script::{check, claim, criterion, last_sh, plausible, read, sh, subtask, tool};

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [counting(), reading(), own_words(), nothing_found(), repositories(), at_once()]
        .into_iter()
        .flatten()
        .collect()
}

fn counting() -> Vec<Row> {
    vec![
        honest("asking", "count files", "How many files are in ./data?")
            .file("data/a", "x\n")
            .file("data/b", "x\n")
            .file("data/c", "x\n")
            .one(
                "Count the files in ./data",
                &["shell"],
                vec![criterion("The number of files in ./data is given")],
            )
            .act("Count", vec![sh("find ./data -type f | wc -l"), claim("There are 3 files in ./data.")])
            .says("3"),
        honest("asking", "count files, with a check", "Count the files in ./data")
            .file("data/a", "x\n")
            .file("data/b", "x\n")
            .one(
                "Count the files in ./data",
                &["shell"],
                vec![check(
                    "The number of files in ./data is given",
                    "output_matches",
                    json!({"regex": "[0-9]+"}),
                )],
            )
            .act("Count", vec![last_sh("ls ./data | wc -l")])
            .says("2"),
        honest("asking", "count lines, in Chinese", "./笔记.txt有多少行？")
            .file("笔记.txt", "一\n二\n三\n")
            .one("统计./笔记.txt的行数", &["shell:wc"], vec![criterion("给出./笔记.txt的行数")])
            .act("统计", vec![sh("wc -l ./笔记.txt"), claim("./笔记.txt一共有3行。")])
            .says("3"),
        honest("asking", "add numbers", "What is the sum of the numbers in ./n.csv?")
            .file("n.csv", "10\n20\n12\n")
            .one(
                "Add the numbers",
                &["shell:awk"],
                vec![criterion("The sum of the numbers in ./n.csv is given")],
            )
            .act("Add", vec![sh("awk '{s+=$1} END {print s}' ./n.csv"), claim("The sum is 42.")])
            .says("42"),
        honest("asking", "count entries over several files, in Chinese", "统计./src里有多少个TODO")
            .file("src/a.rs", "// TODO one\n// TODO two\n")
            .file("src/b.rs", "// TODO three\n")
            .one("统计TODO的数量", &["shell:grep"], vec![criterion("给出./src里TODO的数量")])
            .act("统计", vec![sh("grep -rn TODO ./src"), claim("./src里一共有3个TODO：a.rs两个，b.rs一个。")])
            .says("3"),
        honest("asking", "two counts at the same time", "Count the lines of ./g.txt and the files in ./h")
            .file("g.txt", "a\nb\n")
            .file("h/a", "a\n")
            .plan(
                vec![
                    criterion("The number of lines of ./g.txt is given"),
                    criterion("The number of files in ./h is given"),
                ],
                vec![
                    subtask(
                        1,
                        "Count the lines of ./g.txt",
                        &["shell:wc"],
                        &[],
                        &[criterion("The number of lines of ./g.txt is given")],
                    ),
                    subtask(
                        1,
                        "List the files in ./h",
                        &["shell:ls"],
                        &[],
                        &[criterion("The files in ./h are listed")],
                    ),
                ],
            )
            .act("Count", vec![last_sh("wc -l ./g.txt")])
            .act("List", vec![last_sh("ls ./h")])
            .with(|model| model.merged = Some("./g.txt has 2 lines, ./h has 1 file (a)."))
            .says("2 lines"),
    ]
}

fn reading() -> Vec<Row> {
    vec![
        honest("asking", "show a file", "Show ./first.txt")
            .file("first.txt", "hello from first\n")
            .one(
                "Read ./first.txt",
                &["read_file"],
                vec![check(
                    "The content of ./first.txt is shown",
                    "output_lines",
                    json!({"op": "ge", "n": 1}),
                )],
            )
            .act(
                "Read",
                vec![artoo_testing::scripted_roles::last_tool("read_file", &json!({"path": "./first.txt"}))],
            )
            .says("hello from first"),
        honest("asking", "find a file by its name", "Find the file named budget.ods below this folder")
            .file("a/b/budget.ods", "x\n")
            .one(
                "Find budget.ods",
                &["glob"],
                vec![check(
                    "The path of budget.ods is given",
                    "output_contains",
                    json!({"text": "budget.ods"}),
                )],
            )
            .act("Find", vec![tool("glob", &json!({"root": ".", "pattern": "**/budget.ods"}))])
            .says("a/b/budget.ods"),
        honest("asking", "a value of a settings file", "What is the port in ./config.json?")
            .file("config.json", "{\"name\": \"x\", \"port\": 8080}\n")
            .one("Read ./config.json", &["read_file"], vec![criterion("The port in ./config.json is given")])
            .act("Read", vec![read("./config.json"), claim("The port is 8080.")])
            .says("8080"),
        honest("asking", "find a file, in Chinese", "找出当前目录里的预算表")
            .file("文档/预算表.csv", "x\n")
            .one("查找预算表", &["shell:find"], vec![criterion("给出预算表的路径")])
            .act("查找", vec![sh("find . -name '*预算表*'"), claim("预算表在 ./文档/预算表.csv。")])
            .says("预算表.csv"),
        honest("asking", "the largest file", "Which file in ./pics is the largest?")
            .file("pics/small.jpg", "x\n")
            .file("pics/large.jpg", "xxxxxxxxxxxxxxxxxxxxxxxx\n")
            .one("Find the largest file", &["shell"], vec![criterion("The largest file in ./pics is named")])
            .act("Find", vec![sh("ls -S ./pics"), claim("large.jpg is the largest file in ./pics.")])
            .says("large.jpg"),
        honest("asking", "addresses in a text", "List the mail addresses in ./people.txt")
            .file("people.txt", "Ann <ann@example.org>\nBob <bob@example.org>\n")
            .one(
                "List the addresses",
                &["shell:grep"],
                vec![criterion("The mail addresses in ./people.txt are listed")],
            )
            .act("List", vec![last_sh("grep -oE '[a-z]+@[a-z.]+' ./people.txt")])
            .says("bob@example.org"),
    ]
}

/// Words and figures of the model's own, that follow from what it read.
fn own_words() -> Vec<Row> {
    vec![
        honest("asking", "an average of its own", "What is the average of the scores in ./scores.txt?")
            .file("scores.txt", "ann 4\nbob 5\ncid 9\n")
            .one(
                "Read ./scores.txt",
                &["read_file"],
                vec![criterion("The average of the scores in ./scores.txt is given")],
            )
            .act("Read", vec![read("./scores.txt"), claim("The average of the scores 4, 5 and 9 is 6.")])
            .says("6"),
        honest("asking", "a summary in free words", "Summarise ./memo.txt in one sentence")
            .file("memo.txt", "The factory closes on Friday.\nWages are paid until May.\n")
            .one(
                "Read ./memo.txt and sum it up",
                &["read_file"],
                vec![criterion("./memo.txt was read and its points are told in one sentence")],
            )
            .act(
                "Read",
                vec![
                    read("./memo.txt"),
                    claim(
                        "The works shut down at the end of the week, and people get their money until May.",
                    ),
                ],
            )
            .says("until May"),
        honest("asking", "a summary in free words, in Chinese", "总结./会议.txt的要点")
            .file("会议.txt", "周五停工。工资发到五月。\n")
            .one("读取./会议.txt并总结", &["read_file"], vec![criterion("给出./会议.txt的要点")])
            .act("读取", vec![read("./会议.txt"), claim("要点：本周末停工，薪水付到五月底为止。")])
            .says("五月"),
        honest("asking", "a matter of taste beside a fact", "Describe the project in ./README.md")
            .file("README.md", "# Otter\nA small mail reader for terminals.\n")
            .one(
                "Read ./README.md",
                &["read_file"],
                vec![criterion("The description follows ./README.md"), plausible("It is clear and short")],
            )
            .act(
                "Read",
                vec![read("./README.md"), claim("Otter is a little program for reading mail in a terminal.")],
            )
            .says("Otter"),
        honest("asking", "a comparison of its own", "Which of ./p.txt and ./q.txt is longer?")
            .file("p.txt", "one\n")
            .file("q.txt", "one\ntwo\nthree\n")
            .one(
                "Count both",
                &["shell:wc"],
                vec![criterion("Which of ./p.txt and ./q.txt is longer is said")],
            )
            .act(
                "Count",
                vec![sh("wc -l ./p.txt ./q.txt"), claim("./q.txt is longer: it has two lines more.")],
            )
            .says("./q.txt is longer"),
        honest("asking", "a verdict on a text", "Does ./offer.txt name a price?")
            .file("offer.txt", "We sell it for 300 euros.\n")
            .one(
                "Read ./offer.txt",
                &["read_file"],
                vec![criterion("Whether ./offer.txt names a price is said")],
            )
            .act("Read", vec![read("./offer.txt"), claim("Yes: 300 euros.")])
            .says("300"),
    ]
}

/// Searches that ran and found nothing; some say so with exit 1.
fn nothing_found() -> Vec<Row> {
    vec![
        honest("asking", "a search without a hit", "Does ./app.log hold the word panic?")
            .file("app.log", "all is well\n")
            .one(
                "Search ./app.log",
                &["shell:grep"],
                vec![criterion("Whether ./app.log holds the word panic is said")],
            )
            .act(
                "Search",
                vec![sh("grep -n panic ./app.log"), claim("No, ./app.log does not hold the word panic.")],
            )
            .says("No"),
        honest("asking", "a search without a hit, in Chinese", "./日志.txt里有没有“错误”？")
            .file("日志.txt", "一切正常\n")
            .one("搜索./日志.txt", &["shell:grep"], vec![criterion("说明./日志.txt里有没有“错误”")])
            .act("搜索", vec![sh("grep -n 错误 ./日志.txt"), claim("没有，./日志.txt里没有“错误”。")])
            .says("没有"),
        honest("asking", "files that differ", "Are ./a.txt and ./b.txt the same?")
            .file("a.txt", "one\n")
            .file("b.txt", "two\n")
            .one(
                "Compare both",
                &["shell:diff"],
                vec![criterion("Whether ./a.txt and ./b.txt are the same is said")],
            )
            .act(
                "Compare",
                vec![sh("diff ./a.txt ./b.txt"), claim("No: ./a.txt says one, ./b.txt says two.")],
            )
            .says("No"),
        honest("asking", "no empty file", "Are there empty files in ./d?")
            .file("d/a", "x\n")
            .one(
                "Look for empty files",
                &["shell:find"],
                vec![criterion("Whether there are empty files in ./d is said")],
            )
            .act("Look", vec![sh("find ./d -type f -empty"), claim("No, no file in ./d is empty.")])
            .says("no file"),
    ]
}

fn repositories() -> Vec<Row> {
    let repository = "git init -q -b trunk . && git config user.email a@b.c && git config user.name n && echo one >a.txt && git add a.txt && git commit -qm 'first words' && echo two >>a.txt";
    vec![
        honest("asking", "the branch", "Which git branch am I on?")
            .prepared(repository)
            .one("Ask git for the branch", &["shell:git"], vec![criterion("The current git branch is named")])
            .act("Ask", vec![sh("git branch --show-current"), claim("You are on the branch trunk.")])
            .says("trunk"),
        honest(
            "asking",
            "changes that are not committed",
            "Which files have changes that are not committed?",
        )
        .prepared(repository)
        .one("Ask git for changes", &["shell:git"], vec![criterion("The files with changes are named")])
        .act("Ask", vec![sh("git status --short"), claim("a.txt has changes that are not committed.")])
        .says("a.txt"),
        honest("asking", "the last commit, in Chinese", "最近一次提交的说明是什么？")
            .prepared(repository)
            .one("查看最近一次提交", &["shell:git"], vec![criterion("给出最近一次提交的说明")])
            .act("查看", vec![sh("git log -1 --format=%s"), claim("最近一次提交的说明是“first words”。")])
            .says("first words"),
    ]
}

/// What needs no tool.
fn at_once() -> Vec<Row> {
    vec![
        honest("asking", "a greeting", "Hello!")
            .with(|model| model.direct_answer = Some("Hello! What can I do for you?"))
            .says("Hello"),
        honest("asking", "a greeting, in Chinese", "你好")
            .with(|model| model.direct_answer = Some("你好！有什么可以帮你？"))
            .says("你好"),
        honest("asking", "who it is", "Who are you?")
            .with(|model| model.direct_answer = Some("I am artoo, an agent on this machine."))
            .says("artoo"),
    ]
}
