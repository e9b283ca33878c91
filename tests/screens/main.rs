//! What a person sees: whole screens of the real client and the real daemon, in a terminal of 80 and of 120 columns. The
//! screens lie in `snapshots`, one file for each, to be read; times, ids and the home folder are made the same in all.

mod terminal;

use std::time::Duration;

use artoo_testing::Home;
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, last_tool, plan, subtask};
use serde_json::json;
use terminal::Terminal;

/// The widths that are looked at.
const WIDTHS: [u16; 2] = [80, 120];
/// Most lines of a screen without `-v`.
const MOST_LINES: usize = 24;
/// Longer than a question stands before a key counts as its answer.
const READING: Duration = Duration::from_millis(800);

/// A home for the offline rules, with a few files in the folder where the person is.
fn offline() -> Home {
    let mut home = Home::new();
    home.file("sales.csv", "name,amount\nbolt,4\nnut,9\n");
    for (name, size) in [("big.bin", 5_000), ("middle.bin", 3_000), ("small.bin", 1_000)] {
        home.file(name, &"x".repeat(size));
    }
    home.start();
    home
}

/// A terminal with the client in it.
fn artoo(home: &Home, arguments: &[&str], columns: u16) -> Terminal {
    let mut command = home.command("artoo");
    command.arg("--no-start").args(arguments);
    Terminal::run(command, columns)
}

/// The screen with what differs from run to run made the same: durations with the blanks behind them, ids, tokens, the
/// home folder.
fn plain(home: &Home, screen: &str) -> String {
    let screen = screen.replace(&home.root().to_string_lossy().into_owned(), "HOME");
    let lines = screen.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let mut same: Vec<String> = Vec::new();
        let mut timed = 0;
        for (index, word) in words.iter().enumerate() {
            let unit = words.get(index + 1).copied().unwrap_or_default();
            let is_number = word.parse::<f64>().is_ok();
            timed = if timed > 0 && (word.is_empty() || timed == 2) { 1 } else { 0 };
            if word.is_empty() && timed == 1 {
                continue;
            }
            if matches!(unit, "s" | "s," | "秒") && is_number {
                same.push("T".to_owned());
                timed = 2;
            } else if matches!(unit, "+" | "tokens") && is_number {
                same.push("N".to_owned());
            } else {
                same.push(without_ids(word));
            }
        }
        same.join(" ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A word with `ID` in the place of the start of a task's id, and `[r]` in that of a call's.
fn without_ids(word: &str) -> String {
    let core = word.trim_end_matches([')', '）']);
    let hex = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit());
    let is_task = core
        .split_once('-')
        .is_some_and(|(time, rest)| time.len() == 8 && rest.len() == 4 && hex(time) && hex(rest));
    let is_call = word.strip_prefix("[r").and_then(|rest| rest.strip_suffix(']')).is_some_and(hex);
    match (is_task, is_call) {
        (true, _) => word.replace(core, "ID"),
        (_, true) => "[r]".to_owned(),
        (false, false) => word.to_owned(),
    }
}

/// The first line of what is left on the screen; progress has gone.
fn first(screen: &str) -> &str {
    screen.lines().next().unwrap_or_default()
}

/// One request to the offline rules: its exit code, its first line, and the whole screen.
fn check(name: &str, request: &str, code: i32, starts: &str) {
    let home = offline();
    for columns in WIDTHS {
        let (ended, screen) = artoo(&home, &["run", "--unattended", request], columns).end();
        assert_eq!(ended, Some(code), "{screen}");
        assert!(first(&screen).starts_with(starts), "the answer comes first:\n{screen}");
        assert!(screen.lines().count() <= MOST_LINES, "{screen}");
        for word in ["Ω", "∇L", "D 0.", "D 1.", "R4b", "megram", "exploit", "UNKNOWN"] {
            assert!(!screen.contains(word), "{word} is no word for a person:\n{screen}");
        }
        insta::assert_snapshot!(format!("{name}_{columns}"), plain(&home, &screen));
    }
}

#[test]
fn an_answer_of_one_line() {
    check("answer", "how many lines are in sales.csv", 0, "3 lines");
}

#[test]
fn a_table() {
    check("table", "three largest files here", 0, "");
}

#[test]
fn answers_of_several_requests() {
    check("several", "count the lines of sales.csv and list the largest files", 0, "Lines in sales.csv");
}

#[test]
fn rows_of_a_csv_file() {
    check("csv_rows", "rows of sales.csv where amount is over 3", 0, "name");
}

#[test]
fn a_long_list_is_shortened_on_a_screen_and_says_how_all_of_it_is_seen() {
    let home = offline();
    for number in 0..120 {
        home.file(&format!("many/{number:03}.txt"), "");
    }
    let (ended, screen) = artoo(&home, &["run", "--unattended", "find all text files"], 80).end();
    assert_eq!(ended, Some(0), "{screen}");
    assert!(screen.contains("many/099.txt") && !screen.contains("many/100.txt"), "{screen}");
    assert!(screen.contains("20 more rows: artoo show ") && screen.contains("| less"), "{screen}");
    let piped = home.artoo(&["run", "--unattended", "find all text files"]);
    assert_eq!(piped.stdout.lines().count(), 120, "{}", piped.stdout);
}

#[test]
fn a_pipe_and_quiet_get_the_exact_answer() {
    let home = offline();
    let work = home.work();
    let exact: String = [(5_000, "big.bin"), (3_000, "middle.bin"), (1_000, "small.bin")]
        .map(|(size, name)| format!("{size}\t{}/{name}\n", work.display()))
        .concat();
    for flags in [&["run", "--unattended"][..], &["run", "--unattended", "-q"]] {
        let ended = home.artoo(&[flags, &["three largest files here"]].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), exact.as_str()), "{flags:?}");
    }
}

#[test]
fn the_only_file_of_a_name_further_down_is_named() {
    let home = offline();
    home.file("sub/guide.txt", "one\ntwo\n");
    let (ended, screen) = artoo(&home, &["run", "--unattended", "read guide.txt"], 80).end();
    assert_eq!(ended, Some(0), "{screen}");
    assert!(screen.starts_with("guide.txt is sub/guide.txt\none\ntwo\n"), "{screen}");
}

#[test]
fn a_file_that_is_not_there() {
    check("missing_file", "average of amount in sale.csv", 1, "✗ ");
}

#[test]
fn a_column_that_is_not_there() {
    check("wrong_column", "average of price in sales.csv", 1, "✗ sales.csv has no column");
}

#[test]
fn a_request_that_is_declined() {
    check("declined", "make me a sandwich", 1, "✗ ");
}

#[test]
fn a_chinese_request_is_answered_in_chinese_throughout() {
    check("chinese_answer", "sales.csv 有多少行", 0, "");
    check("chinese_missing_file", "没有.csv 有多少行", 1, "✗ ");
    check("chinese_declined", "给我做个三明治", 1, "✗ ");
}

/// A model that deletes `x.txt` by this command.
fn remover(command: &str) -> ModelServer {
    let gone = json!({"kind": "file_absent", "path": "./x.txt"});
    let steps =
        [subtask(1, "Delete x.txt", &["shell:rm"], &["x.txt"], &[criterion("The file was deleted.")])];
    let scenario = Scenario::new(plan(&[checked("x.txt is gone", &gone)], &steps))
        .act("Delete x.txt", vec![last_tool("shell", &json!({"command": command}))]);
    ModelServer::start(scenario.script())
}

#[test]
fn a_question_is_answered_with_one_key() {
    for (columns, request, key, code) in [
        (80, "Delete x.txt", "y", 0),
        (120, "Delete x.txt", "y", 0),
        (80, "删除 x.txt", "y", 0),
        (80, "Delete x.txt please", "n", 1),
        (80, "请删除 x.txt", "n", 1),
    ] {
        let server = remover("rm x.txt");
        let home = Home::started(&server.base_url());
        home.file("x.txt", "precious\n");
        let mut terminal = artoo(&home, &["run", request], columns);
        let asked = terminal.wait_for("[?]");
        assert!(asked.contains("? rm x.txt") && asked.lines().count() <= 8, "{asked}");
        std::thread::sleep(READING);
        terminal.press("?");
        terminal.wait_for("Ctrl+C  ");
        terminal.press(key);
        let (ended, screen) = terminal.end();
        assert_eq!(ended, Some(code), "{screen}");
        assert_eq!(home.work().join("x.txt").exists(), key == "n", "{screen}");
        assert!(screen.lines().count() <= MOST_LINES, "{screen}");
        let language = if request.is_ascii() { "english" } else { "chinese" };
        insta::assert_snapshot!(format!("question_{language}_{key}_{columns}"), plain(&home, &screen));
    }
}

/// A person need not look up the id of what was just done.
#[test]
fn the_last_task_needs_no_id() {
    let home = offline();
    assert_eq!(home.artoo(&["run", "make a folder called box"]).code, Some(0));
    assert_eq!(home.artoo(&["run", "what is in this folder"]).code, Some(0));
    let shown = home.artoo(&["show"]);
    assert!(shown.code == Some(0) && shown.stdout.contains("what is in this folder"), "{}", shown.stdout);
    let written = home.artoo(&["report", "-o", "page.html"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    // Without a terminal nobody can be asked: what to type is said.
    let unasked = home.artoo(&["undo"]);
    assert_eq!(unasked.code, Some(2), "{}", unasked.stderr);
    assert!(unasked.stderr.contains("\"make a folder called box\": artoo undo 01"), "{}", unasked.stderr);
    assert!(home.work().join("box").exists());
    let mut terminal = artoo(&home, &["undo"], 80);
    terminal.wait_for("[y/N]");
    std::thread::sleep(READING);
    terminal.press("y");
    let (ended, screen) = terminal.end();
    assert_eq!(ended, Some(0), "{screen}");
    assert!(!home.work().join("box").exists(), "{screen}");
    let last = screen.lines().last().unwrap_or_default();
    assert!(screen.starts_with("› make a folder called box\ntaken back "), "{screen}");
    assert!(last.starts_with("removed ") && last.ends_with("/box   (the task had made it)"), "{screen}");
}

/// Who says no reads so, and nothing of what is behind it.
#[test]
fn a_refusal_is_one_line() {
    let home = offline();
    let mut terminal = artoo(&home, &["run", "delete sales.csv"], 80);
    let asked = terminal.wait_for("[?]");
    assert!(!asked.contains("printf"), "{asked}");
    std::thread::sleep(READING);
    terminal.press("n");
    let (_, screen) = terminal.end();
    let denied = screen.lines().skip(asked.lines().count()).collect::<Vec<_>>().join("\n");
    assert!(denied.starts_with("✗ Not done: you said no.\n") && denied.lines().count() <= 3, "{denied}");
    let quiet = home.artoo(&["run", "--unattended", "-q", "delete sales.csv"]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(4), ""), "{}", quiet.stderr);
    assert!(
        quiet.stderr.starts_with("✗ Not done: nobody was there") && quiet.stderr.lines().count() == 2,
        "{}",
        quiet.stderr
    );
    let chinese = home.artoo(&["run", "--unattended", "删除 sales.csv"]);
    assert!(chinese.stderr.starts_with("✗ 没有执行：没有人在场同意 rm"), "{}", chinese.stderr);
    assert!(!chinese.stderr.contains("failed") && !chinese.stderr.contains("LAW1"), "{}", chinese.stderr);
}

/// What somebody sees who speaks Chinese, and what a conversation takes for a command.
#[test]
fn in_chinese_surroundings_commands_speak_chinese() {
    let home = offline();
    assert_eq!(home.artoo(&["run", "make a folder called box"]).code, Some(0));
    let said = |arguments: &[&str]| {
        let mut command = home.command("artoo");
        let output = command
            .arg("--no-start")
            .args(arguments)
            .env("LANG", "zh_CN.UTF-8")
            .env_remove("LC_ALL")
            .output();
        let output = output.expect("the client runs");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let is_chinese = |line: &str| line.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    for arguments in
        [&["status"][..], &["doctor"], &["tasks"], &["schedule", "list"], &["undo", "--list"], &["statsu"]]
    {
        let text = said(arguments);
        assert!(!text.is_empty() && text.lines().all(is_chinese), "{arguments:?}\n{text}");
    }
    let mut command = home.command("artoo");
    command.arg("--no-start").env("LANG", "zh_CN.UTF-8").env_remove("LC_ALL");
    let mut terminal = Terminal::run(command, 80);
    for line in ["帮助\r", "退出\r"] {
        terminal.wait_for_prompt();
        terminal.press(line);
        terminal.wait_for(if line.starts_with('帮') { "/quit" } else { "退出" });
    }
    let (code, screen) = terminal.end();
    assert!(code == Some(0) && screen.contains("例如：sales.csv有几行几列"), "{screen}");
}

/// What is offered as a first request is one.
#[test]
fn the_examples_of_the_first_screen_are_answered() {
    let home = offline();
    home.file("notes.txt", "one\n");
    for request in [
        "how many rows and columns are in sales.csv",
        "sales.csv有几行几列",
        "how many lines are in notes.txt",
        "notes.txt有多少行",
        "find the three largest files here",
        "找出当前目录里最大的3个文件",
    ] {
        let run = home.artoo(&["run", "--unattended", request]);
        assert_eq!(run.code, Some(0), "{request}: {}", run.stderr);
    }
}

/// However long it is, nothing of what would run is left out.
#[test]
fn a_long_command_is_asked_about_whole() {
    let names: Vec<String> =
        (1..=9).map(|number| format!("a-rather-long-name-of-a-file-{number}.txt")).collect();
    let command = format!("rm x.txt {}", names.join(" "));
    for columns in WIDTHS {
        let server = remover(&command);
        let home = Home::started(&server.base_url());
        for name in names.iter().map(String::as_str).chain(["x.txt"]) {
            home.file(name, "precious\n");
        }
        let mut terminal = artoo(&home, &["run", "Delete x.txt"], columns);
        let asked = terminal.wait_for("[?]");
        let shown = asked.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.starts_with(&format!("? {command} in ")), "{asked}");
        std::thread::sleep(READING);
        terminal.press("n");
        let (ended, screen) = terminal.end();
        assert_eq!(ended, Some(1), "{screen}");
        assert!(home.work().join("x.txt").exists(), "{screen}");
        insta::assert_snapshot!(format!("question_long_{columns}"), plain(&home, &screen));
    }
}

/// A name in another language changes nothing about how a person is spoken to.
#[test]
fn a_request_is_answered_in_its_own_language() {
    for (request, own, other) in [
        ("delete 笔记.txt", "more: artoo show", "详情"),
        ("how many rows are in 没有.csv", "more: artoo show", "详情"),
        ("删除 sales.csv 里的 the 列", "详情：artoo show", "more:"),
    ] {
        let home = offline();
        let (_, screen) = artoo(&home, &["run", "--unattended", request], 80).end();
        assert!(screen.contains(own) && !screen.contains(other), "{request}:\n{screen}");
    }
}

#[test]
fn a_replan_explains_itself_with_v() {
    let known = "What the file says is known.";
    let plan_of = |name: &str| {
        let step = subtask(1, &format!("Read {name}"), &["read_file"], &[name], &[criterion(known)]);
        plan(&[criterion("What the file says is reported.")], &[step])
    };
    let read = |name: &str| vec![last_tool("read_file", &json!({"path": name}))];
    for columns in WIDTHS {
        let scenario = Scenario::new(plan_of("old.txt"))
            .then_plan(plan_of("plan.txt"))
            .act("Read old.txt", read("old.txt"))
            .act("Read plan.txt", read("plan.txt"))
            .fail(known, "environmental", 3);
        let server = ModelServer::start(scenario.script());
        let home = Home::started(&server.base_url());
        home.file("plan.txt", "buy seeds\n");
        let (code, screen) = artoo(&home, &["run", "-v", "Read the plan"], columns).end();
        assert_eq!(code, Some(0), "{screen}");
        assert!(screen.contains("↻ replan 1 of") && screen.ends_with("buy seeds"), "{screen}");
        insta::assert_snapshot!(format!("replan_{columns}"), plain(&home, &screen));
    }
}

/// A long answer can be read from its first line.
#[test]
fn a_long_answer_is_shown_in_the_pager() {
    let home = offline();
    let rows: String = (1..=90).map(|number| format!("row {number}\n")).collect();
    home.file("long.txt", &rows);
    let mut command = home.command("artoo");
    command.arg("--no-start").env("PAGER", "sed -n '1s/^/paged: /p'");
    let mut terminal = Terminal::run(command, 80);
    for (line, shown) in
        [("show long.txt\r", "90 lines: /more"), ("/more\r", "paged: row 1"), ("quit\r", "quit")]
    {
        terminal.wait_for_prompt();
        terminal.press(line);
        terminal.wait_for(shown);
    }
    let (code, screen) = terminal.end();
    assert!(code == Some(0) && !screen.contains("\nrow 1\n"), "{screen}");
}

#[test]
fn a_conversation_shows_its_commands_and_an_answer() {
    let home = offline();
    for columns in WIDTHS {
        let mut terminal = artoo(&home, &[], columns);
        // A prompt stands below a running task too: an empty line above it tells that the task has ended.
        let ends = [("/help", "/quit"), ("how many lines are in sales.csv", " -v\n\n›"), ("quit", "")];
        for (line, end) in ends {
            terminal.wait_for_prompt();
            terminal.press(&format!("{line}\r"));
            terminal.wait_for(end);
        }
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(0), "{screen}");
        // The first line tells how long the daemon has been up.
        let rest: Vec<&str> = screen.lines().skip(1).collect();
        insta::assert_snapshot!(format!("conversation_{columns}"), plain(&home, &rest.join("\n")));
    }
}
