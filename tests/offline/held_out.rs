//! Requests as a new user would say them, in the home folder of one: written before the rules that answer them. The tables
//! say what is right; what is answered must be, and most of what the rules can do must be answered.

mod office;
mod school;
mod stranger;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use artoo_testing::{Home, TaskRun};
use serde_json::Value;

use crate::table::output;

/// How many of the 100 requests of each language must come out right. A change may raise them.
const RIGHT_ENGLISH: usize = 99;
const RIGHT_CHINESE: usize = 99;
/// The same for the second hundred.
const MORE_ENGLISH: usize = 113;
const MORE_CHINESE: usize = 100;
/// How many of the second hundred of a language may still come out wrong.
const MORE_WRONG: usize = 0;
/// The same for forty that were written after the rules; their tables say what came out at the first run.
const FRESH_ENGLISH: usize = 40;
const FRESH_CHINESE: usize = 40;
const FRESH_WRONG: usize = 0;
/// The same for sixty over all kinds.
const SIXTY_ENGLISH: usize = 58;
const SIXTY_CHINESE: usize = 57;
/// The same for forty that were measured after those sixty had been mended.
const FORTY_ENGLISH: usize = 34;
const FORTY_CHINESE: usize = 36;

/// Rows whose expectation does not hold, which count as declined: the longest line of contacts.txt is its third, of 43
/// characters; and one file is renamed today, which the first hundred took for a thing that rules never do.
const MISTAKEN: [&str; 4] = [
    "longest line in contacts.txt",
    "contacts.txt里最长的一行",
    "rename a.txt to c.txt",
    "把a.txt改名为c.txt",
];

/// A home folder with a project, tables, notes and downloads in it.
struct NewUser {
    home: Home,
    root: PathBuf,
}

/// What became of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    Wrong,
    Declined,
}

impl NewUser {
    /// A home with nothing in it.
    fn bare() -> Self {
        let mut home = Home::new().variable("ARTOO_PROVIDER", "offline");
        let root = home.root().to_owned();
        home.start();
        Self { home, root }
    }

    fn new() -> Self {
        let user = Self::bare();
        for (path, text) in TEXTS {
            user.put(path, text.as_bytes());
        }
        user.put(
            "notes/guide.txt",
            (1..=30).map(|n| format!("Guide line {n}\n")).collect::<String>().as_bytes(),
        );
        for (name, bytes) in [("movie.mp4", 3_000_000), ("IMG_2044.JPG", 50_000), ("photo1.jpg", 20_000)] {
            user.put(&format!("Downloads/{name}"), &vec![7; bytes]);
        }
        user.put("Downloads/photo1 (1).jpg", &vec![7; 20_000]);
        user.put("Downloads/bundle.zip", ZIP);
        user.archive();
        user.repository();
        user.pictures();
        user.site();
        for name in ["desk/pack.zip", "desk/pack2.zip"] {
            user.put(name, ZIP);
        }
        user
    }

    fn put(&self, path: &str, content: &[u8]) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .and_then(|()| fs::write(path, content))
            .expect("the home can be written");
    }

    fn archive(&self) {
        self.put("Downloads/in/y.txt", b"hi\n");
        let made = Command::new("tar")
            .args(["-czf", "archive.tar.gz", "in"])
            .current_dir(self.root.join("Downloads"))
            .status();
        assert!(made.expect("tar can be run").success());
        fs::remove_dir_all(self.root.join("Downloads/in")).expect("it was just made");
    }

    /// Runs git in a folder of the home, as this person, this many hours ago.
    fn git(&self, folder: &str, author: &str, hours: u64, arguments: &[&str]) {
        let since = SystemTime::now() - Duration::from_secs(hours * 3_600);
        let seconds = since.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs();
        let date = format!("{seconds} +0000");
        let mail = format!("{}@example.com", author.to_lowercase());
        let done = Command::new("git")
            .args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(self.root.join(folder))
            .env("HOME", &self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs([("GIT_AUTHOR_NAME", author), ("GIT_AUTHOR_EMAIL", &mail), ("GIT_AUTHOR_DATE", &date)])
            .envs([
                ("GIT_COMMITTER_NAME", author),
                ("GIT_COMMITTER_EMAIL", &mail),
                ("GIT_COMMITTER_DATE", &date),
            ])
            .output()
            .expect("git can be run");
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// Two pictures that hold no more than their sizes, and one that is none.
    fn pictures(&self) {
        for (name, width, height) in [("beach", 640u32, 480u32), ("logo", 32, 32)] {
            let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
            png.extend(width.to_be_bytes());
            png.extend(height.to_be_bytes());
            png.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
            self.put(&format!("pics/{name}.png"), &png);
        }
        self.put("pics/readme.txt", b"two pictures\n");
    }

    /// A repository of two people with a branch, a tag and a change that is not committed.
    fn site(&self) {
        self.put("site/index.html", b"<body>\n<p>Hello</p>\n</body>\n");
        self.put("site/style.css", b"body { color: red }\n");
        self.git("site", "Ada", 720, &["init", "--quiet"]);
        self.git("site", "Ada", 720, &["add", "--all"]);
        self.git("site", "Ada", 720, &["commit", "--quiet", "-m", "Start page"]);
        self.git("site", "Ada", 720, &["tag", "v1.0"]);
        self.git("site", "Ada", 720, &["branch", "feature/login"]);
        self.put("site/index.html", b"<body>\n<h1>Title</h1>\n<p>Hello</p>\n</body>\n");
        self.git("site", "Grace", 10, &["commit", "--quiet", "-am", "Add title"]);
        self.put("site/style.css", b"body { color: blue }\n");
    }

    fn repository(&self) {
        let git = |arguments: &[&str]| self.git("proj", "Ada", 0, arguments);
        git(&["init", "--quiet"]);
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "-m", "initial commit"]);
        self.put("proj/README.md", b"# Proj\n\nMore.\n");
        git(&["commit", "--quiet", "-am", "Extend readme"]);
        self.put("proj/src/app.py", b"import os\ndef main():\n    # TODO: handle errors\n    print(\"hello\")\ndef helper(x):\n    return x*2  # FIXME rounding\nmain()\nprint('x')\n");
        self.put("proj/scratch.tmp", b"x\n");
    }

    fn ask(&self, folder: &str, text: &str) -> TaskRun {
        let cwd = self.root.join(folder);
        self.home.run(text, &["--cwd", cwd.to_str().expect("it is UTF-8")])
    }

    /// The same for a person who says yes to whatever is asked of what they want done.
    fn agree(&self, folder: &str, text: &str) -> TaskRun {
        let cwd = self.root.join(folder);
        let mut client = self.home.task(text, &["--attended", "--cwd", cwd.to_str().expect("it is UTF-8")]);
        let mut events: Vec<Value> = Vec::new();
        while let Some(line) = client.line() {
            let event: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
            if event["type"] == "confirmation_request" {
                let id = event["confirmation_id"].as_str().expect("it has an id");
                assert_eq!(self.home.artoo(&["confirm", id, "yes"]).code, Some(0), "{text}");
            }
            events.push(event);
        }
        let ended = client.wait();
        TaskRun { events, code: ended.code, stderr: ended.stderr }
    }

    /// What a request came to, against the line of the table.
    fn outcome(&self, folder: &str, text: &str, expected: &str) -> (Outcome, String) {
        let expected = expected.replace("\\n", "\n");
        let (kind, rest) = expected.split_once(' ').unwrap_or((&expected, ""));
        let run = if is_doing(&expected) { self.agree(folder, text) } else { self.ask(folder, text) };
        let wants: Vec<&str> = rest.split('&').map(str::trim).filter(|want| !want.is_empty()).collect();
        let answered = run.code == Some(0);
        let told = if answered { output(&run) } else { run.result()["summary"].to_string() };
        let holds = |text: &str| wants.iter().all(|want| text.contains(want));
        let is_right = match kind {
            "has" => answered && holds(&told),
            "cause" => !answered && holds(&told),
            "folder" => answered && self.root.join(wants[0]).is_dir(),
            "gone" => answered && !self.root.join(wants[0]).exists(),
            "moves" | "copies" => {
                let (from, to) = rest.split_once(" > ").expect("two names");
                let (from, to) = (self.root.join(from).exists(), self.root.join(to).exists());
                answered && to && from == (kind == "copies")
            }
            "makes" => {
                let made = find(&self.root, wants[0]);
                let holds = |path: &PathBuf| {
                    fs::read_to_string(path).is_ok_and(|text| wants[1..].iter().all(|w| text.contains(w)))
                };
                answered && made.iter().any(holds)
            }
            _ => !answered,
        };
        let outcome = match (is_right, answered) {
            (false, true) if MISTAKEN.contains(&text) => Outcome::Declined,
            (true, _) => Outcome::Right,
            (false, true) => Outcome::Wrong,
            (false, false) => Outcome::Declined,
        };
        (outcome, format!("{outcome:?} [{folder}] {text}\n    expected {expected}\n    {told}"))
    }

    #[allow(clippy::print_stdout, reason = "the figures are what is asked for")]
    fn check(&self, table: &str, least: usize, most_wrong: usize) {
        // What leaves something comes last: how many files there are does not depend on how much was done.
        let (doing, looking): (Vec<_>, Vec<_>) = rows(table).partition(|row| is_doing(row.2));
        let rows = looking.into_iter().chain(doing);
        let rows = rows.map(|row| self.outcome(row.0, row.1, row.2)).collect::<Vec<_>>();
        let count = |outcome| rows.iter().filter(|(found, _)| *found == outcome).count();
        let (right, wrong, declined) =
            (count(Outcome::Right), count(Outcome::Wrong), count(Outcome::Declined));
        let others: Vec<&str> =
            rows.iter().filter(|(o, _)| *o != Outcome::Right).map(|(_, text)| text.as_str()).collect();
        let told = format!("right {right}, wrong {wrong}, declined {declined}\n{}", others.join("\n"));
        println!("{told}");
        assert!(wrong <= most_wrong && right >= least, "{told}");
    }
}

fn rows(table: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let mut parts = line.splitn(3, '|');
        let mut part = || parts.next().expect("a row has three parts");
        (part(), part(), part())
    })
}

/// Whether a row wants something to be different.
fn is_doing(expected: &str) -> bool {
    ["moves ", "copies ", "gone ", "folder ", "makes "].iter().any(|kind| expected.starts_with(kind))
}

/// The files of this name below a folder, artoo's own aside.
fn find(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != ".artoo" {
            found.extend(find(&path, name));
        } else if entry.file_name() == name {
            found.push(path);
        }
    }
    found
}

#[test]
fn requests_in_english_as_a_new_user_says_them() {
    NewUser::new().check(include_str!("held_out/english.txt"), RIGHT_ENGLISH, 0);
}

#[test]
fn requests_in_chinese_as_a_new_user_says_them() {
    NewUser::new().check(include_str!("held_out/chinese.txt"), RIGHT_CHINESE, 0);
}

#[test]
fn more_requests_in_english_as_a_new_user_says_them() {
    NewUser::new().check(include_str!("held_out/english_more.txt"), MORE_ENGLISH, MORE_WRONG);
}

#[test]
fn more_requests_in_chinese_as_a_new_user_says_them() {
    NewUser::new().check(include_str!("held_out/chinese_more.txt"), MORE_CHINESE, MORE_WRONG);
}

#[test]
fn fresh_requests_in_english_that_no_rule_was_made_for() {
    NewUser::new().check(include_str!("held_out/english_fresh.txt"), FRESH_ENGLISH, FRESH_WRONG);
}

#[test]
fn fresh_requests_in_chinese_that_no_rule_was_made_for() {
    NewUser::new().check(include_str!("held_out/chinese_fresh.txt"), FRESH_CHINESE, FRESH_WRONG);
}

#[test]
fn sixty_in_english_over_all_kinds() {
    NewUser::new().check(include_str!("held_out/english_sixty.txt"), SIXTY_ENGLISH, FRESH_WRONG);
}

#[test]
fn sixty_in_chinese_over_all_kinds() {
    NewUser::new().check(include_str!("held_out/chinese_sixty.txt"), SIXTY_CHINESE, FRESH_WRONG);
}

#[test]
fn forty_in_english_measured_once() {
    NewUser::new().check(include_str!("held_out/english_forty.txt"), FORTY_ENGLISH, FRESH_WRONG);
}

#[test]
fn forty_in_chinese_measured_once() {
    NewUser::new().check(include_str!("held_out/chinese_forty.txt"), FORTY_CHINESE, FRESH_WRONG);
}

#[test]
fn whatever_is_suggested_works_where_it_is_suggested() {
    let user = NewUser::new();
    let mut wrong = Vec::new();
    let mut offered = 0;
    for (folder, request, _) in rows(include_str!("held_out/fifty.txt")) {
        let run = user.ask(folder, request);
        let moves = run.result()["next_moves"].as_array().cloned().unwrap_or_default();
        for told in moves.iter().filter_map(serde_json::Value::as_str) {
            let suggested = told.strip_prefix("This works here: ").or(told.strip_prefix("这样说可以："));
            if let Some(suggested) = suggested {
                offered += 1;
                let run = user.ask(folder, suggested);
                if run.code != Some(0) {
                    wrong.push(format!("[{folder}] {request}: {suggested}: {}", run.result()["summary"]));
                }
            }
        }
    }
    println!("{offered} suggestions");
    assert!(wrong.is_empty(), "{} of {offered}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_missing_is_one_line_with_the_nearest_names() {
    let user = NewUser::new();
    for (folder, request, cause) in [
        ("data", "how many lines are in nope.txt", "there is no nope.txt here"),
        ("notes", "read notse.txt", "there is no notse.txt here; did you mean notes.txt"),
        (
            "data",
            "average of salary in sales.csv",
            "sales.csv has no column \"salary\"; it has: date, region,",
        ),
        ("data", "search for milk in src", "there is no folder src here"),
        ("data", "git status", "~/data is in no git repository"),
        ("data", "没有.txt有多少行", "这里没有 没有.txt"),
        ("文档", "求工资表.csv里奖金列的总和", "工资表.csv 没有“奖金”这一列；已有的列：姓名、部门、工资"),
    ] {
        let run = user.ask(folder, request);
        let result = run.result();
        let summary = result["summary"].as_str().unwrap_or_default();
        assert!(summary.contains(cause), "{request}: {}", run.outline());
        assert_eq!((run.code, &result["replans"]), (Some(1), &0.into()), "{request}: {}", run.outline());
        assert!(!summary.contains('\n'), "{request}: {summary}");
        assert!(run.of_type("megram_write").is_empty(), "{request}: what is missing teaches nothing");
        // The same request for what is there is not spoilt by it.
        assert!(run.of_type("tool_call_started").is_empty(), "{request}: {}", run.outline());
    }
}

#[test]
fn built_in_rules_run_unasked_in_a_home_folder_and_leave_out_what_is_private() {
    let user = NewUser::new();
    user.put(".ssh/id_rsa", b"secret milk\n");
    user.put(".aws/credentials", b"milk\n");
    for request in [
        "find the ten largest files in ~",
        "count lines by language",
        "search for milk",
        "list all todos",
        "find duplicate files",
        "找出最大的三个文件",
        "how big is my home",
        "which folder is biggest",
        "which folder takes the most space",
        "哪个文件夹最大",
    ] {
        let run = user.ask("", request);
        assert!(run.of_type("confirmation_request").is_empty(), "{request}: {}", run.outline());
        assert_eq!(run.code, Some(0), "{request}: {}", run.outline());
        let answer = output(&run);
        for private in [".artoo", ".ssh", ".aws"] {
            assert!(!answer.contains(private), "{request}: {answer}");
        }
    }
}

#[test]
fn the_folder_of_artoo_is_left_out_whatever_it_is_called() {
    let mut home = Home::new().variable("ARTOO_PROVIDER", "offline");
    let own = home.root().join("desk/robot data");
    fs::create_dir_all(home.data()).expect("the home can be written");
    let socket = home.data().join("artoo.sock");
    home = home.variable("ARTOO_DATA_DIR", own.to_str().expect("it is UTF-8"));
    home = home.variable("ARTOO_SOCKET", socket.to_str().expect("it is UTF-8"));
    let desk = home.root().join("desk");
    fs::create_dir_all(&desk)
        .and_then(|()| fs::write(desk.join("mine.txt"), "milk\n"))
        .expect("it can be written");
    home.start();
    for request in [
        "find the ten largest files",
        "find all files",
        "search for milk",
        "how big is this folder",
        "which folder takes the most space",
    ] {
        let run = home.run(request, &["--cwd", desk.to_str().expect("it is UTF-8")]);
        assert_eq!(run.code, Some(0), "{request}: {}", run.outline());
        let answer = output(&run);
        assert!(answer.contains("desk") && !answer.contains("robot"), "{request}: {answer}");
        assert!(!answer.contains("not readable"), "{request}: {answer}");
    }
}

const TEXTS: &[(&str, &str)] = &[
    (
        "shop/orders.csv",
        "id,date,customer,country,status,total\n1001,2026-01-05,Ann Lee,Germany,paid,120.00\n1002,2026-01-17,Bob Ray,France,open,80.50\n1003,2026-02-02,Ann Lee,Germany,paid,45.25\n1004,2026-02-20,Cho Min,Korea,cancelled,300.00\n1005,2026-03-08,Dee Fox,France,paid,210.75\n1006,2026-03-30,Bob Ray,France,open,15.00\n1007,2026-04-02,Eve Kim,Korea,paid,99.99\n",
    ),
    (
        "shop/staff.json",
        "[{\"name\":\"Ann\",\"role\":\"dev\",\"salary\":5200,\"email\":\"ann@acme.io\"},{\"name\":\"Bo\",\"role\":\"ops\",\"salary\":4100,\"email\":\"bo@acme.io\"},{\"name\":\"Cy\",\"role\":\"dev\",\"salary\":6100,\"email\":\"cy@acme.io\"},{\"name\":\"Di\",\"role\":\"sales\",\"salary\":3900,\"email\":\"di@acme.io\"}]\n",
    ),
    (
        "shop/settings.json",
        "{\"theme\":\"dark\",\"server\":{\"host\":\"0.0.0.0\",\"port\":9000},\"users\":[\"ann\",\"bo\"]}\n",
    ),
    ("shop/bad.json", "{\"a\": 1,}\n"),
    (
        "shop/server.log",
        "2026-11-01 10:00:01 INFO start from 192.168.1.4\n2026-11-01 10:00:05 ERROR timeout talking to 192.168.1.9\n2026-11-01 10:01:00 WARN disk 91%\n2026-11-01 10:02:00 ERROR timeout talking to 192.168.1.9\n2026-11-01 10:03:00 INFO stop\n",
    ),
    (
        "shop/contacts.txt",
        "Ann Lee <ann@acme.io>, phone 555-1234\nBob Ray <bob@ray.net>\nsee https://acme.io/help and http://ray.net\n",
    ),
    ("shop/names.txt", "pear\napple\nfig\napple\n"),
    ("shop/numbers.txt", "10\n20\n12.5\n"),
    ("desk/draft.txt", "draft\n"),
    ("desk/bill.txt", "bill\n"),
    ("desk/plan.txt", "plan\n"),
    ("desk/junk.tmp", "junk\n"),
    ("desk/one.png", "png\n"),
    ("desk/archive/old.txt", "old\n"),
    ("desk/草稿.txt", "草稿\n"),
    ("desk/账单.txt", "账单\n"),
    ("desk/计划.txt", "计划\n"),
    ("desk/垃圾.tmp", "垃圾\n"),
    ("desk/two.jpg", "jpg\n"),
    (
        "data/access.log",
        "10.0.0.1 - GET /index 200 12\n10.0.0.2 - GET /login 500 40\n10.0.0.1 - POST /login 200 33\n10.0.0.3 - GET /index 404 5\n10.0.0.1 - GET /img 500 7\nERROR database down\nWARN slow\n",
    ),
    ("data/broken.json", "{\"broken\": [1,2,\n"),
    ("data/config.json", "{\"server\":{\"host\":\"localhost\",\"port\":8080},\"debug\":true}\n"),
    (
        "data/people.json",
        "[{\"name\":\"Ann\",\"age\":34,\"city\":\"Berlin\",\"email\":\"ann@example.com\"},{\"name\":\"Bob\",\"age\":27,\"city\":\"Paris\",\"email\":\"bob@example.com\"},{\"name\":\"Chen\",\"age\":45,\"city\":\"Berlin\",\"email\":\"chen@example.cn\"}]\n",
    ),
    (
        "data/sales.csv",
        "date,region,product,amount,qty\n2026-01-03,North,Widget,120.50,3\n2026-01-09,South,Gadget,80.00,2\n2026-02-11,North,Gadget,200.25,5\n2026-02-17,West,Widget,75.10,1\n2026-03-02,South,Widget,310.00,8\n2026-03-20,East,Gizmo,42.00,1\n2026-03-20,East,Gizmo,42.00,1\n",
    ),
    ("notes/a.txt", "alpha\nbeta\n"),
    ("notes/b.txt", "alpha\ngamma\n"),
    (
        "notes/meeting.md",
        "# Meeting\n\n- decide budget\n- [ ] send mail to Ann\n- [x] book room\n\n## Next\nhttps://example.com/plan\n",
    ),
    ("notes/notes.txt", "buy milk\ncall mom\nbuy milk\nDentist on Friday\nTODO: pay rent\n"),
    ("notes/shopping list.txt", "eggs\nbread\nbutter\n"),
    ("notes.txt", "buy milk\ncall mom\nbuy milk\nDentist on Friday\nTODO: pay rent\n"),
    ("文档/笔记.txt", "今天开会\n买牛奶\n给妈妈打电话\n"),
    ("文档/会议纪要.md", "会议纪要\n预算通过\n"),
    ("文档/工资表.csv", "姓名,部门,工资\n张三,研发,12000\n李四,市场,9000\n王五,研发,15000\n"),
    ("文档/年度报告 2025.pdf", "%PDF"),
    ("Downloads/.hidden", "x\n"),
    ("Downloads/Report Final (2).pdf", "%PDF report"),
    ("Downloads/invoice-march.pdf", "%PDF invoic"),
    ("Downloads/empty.txt", ""),
    ("Downloads/install.sh", "#!/bin/sh\n"),
    ("Downloads/partial.crdownload", ""),
    ("Documents/letter.txt", "Dear all\n"),
    (
        "proj/src/app.py",
        "import os\ndef main():\n    # TODO: handle errors\n    print(\"hello\")\ndef helper(x):\n    return x*2\nmain()\nprint('x')\n",
    ),
    ("proj/tests/test_app.py", "def test_ok():\n    assert 1 + 1 == 2\n"),
    ("proj/README.md", "# Proj\n"),
    ("proj/Makefile", "test:\n\ttrue\n"),
];

/// `in/x.txt`, which holds "hi".
const ZIP: &[u8] =
    b"\x50\x4b\x03\x04\x14\x00\x00\x00\x00\x00\x83\x18\x22\x5c\x7a\x7a\x6f\xed\x03\x00\x00\x00\x03\x00\
      \x00\x00\x08\x00\x00\x00\x69\x6e\x2f\x78\x2e\x74\x78\x74\x68\x69\x0a\x50\x4b\x01\x02\x14\x03\x14\
      \x00\x00\x00\x00\x00\x83\x18\x22\x5c\x7a\x7a\x6f\xed\x03\x00\x00\x00\x03\x00\x00\x00\x08\x00\x00\
      \x00\x00\x00\x00\x00\x00\x00\x00\x00\xa4\x01\x00\x00\x00\x00\x69\x6e\x2f\x78\x2e\x74\x78\x74\x50\
      \x4b\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00\x36\x00\x00\x00\x29\x00\x00\x00\x00\x00";
