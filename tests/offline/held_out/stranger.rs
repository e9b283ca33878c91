//! The home of somebody who read the README alone and then asked what they wanted to know.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::{NewUser, ZIP};

/// How many of the requests of each language must come out right.
const ENGLISH: usize = 54;
const CHINESE: usize = 51;

fn stranger() -> NewUser {
    let user = NewUser::bare();
    for (path, text) in TEXTS {
        user.put(path, text.as_bytes());
    }
    for (path, letter, size) in FILES {
        user.put(path, &vec![letter; size]);
    }
    user.put("Downloads/photos.zip", ZIP);
    user.put("Desktop/keep.txt", b"here\n");
    user.put("src/main.c", b"int main(){return 0;}\n");
    user.put("src/a.h", b"x\n");
    let root = &user.root;
    let packed =
        Command::new("tar").args(["-czf", "Downloads/sources.tar.gz", "src"]).current_dir(root).status();
    assert!(packed.expect("tar can be run").success());
    std::fs::remove_dir_all(root.join("src")).expect("it was just made");
    let now = SystemTime::now();
    for (path, days) in [("Downloads/paper.pdf", 1), ("Downloads/setup.iso", 900)] {
        aged(&user, path, now - Duration::from_secs(days * 86_400));
    }
    for (path, ..) in FILES.iter().filter(|(path, ..)| path.starts_with("Downloads/")) {
        if !["Downloads/paper.pdf", "Downloads/setup.iso"].contains(path) {
            aged(&user, path, now - Duration::from_secs(50 * 86_400));
        }
    }
    for path in ["Downloads/photos.zip", "Downloads/sources.tar.gz"] {
        aged(&user, path, now - Duration::from_secs(40 * 86_400));
    }
    project(&user);
    user
}

fn aged(user: &NewUser, path: &str, time: SystemTime) {
    let file = File::options().write(true).open(user.root.join(path)).expect("it was just made");
    file.set_modified(time).expect("the home can be written");
}

/// A repository of two people with two branches, a change and a new file.
fn project(user: &NewUser) {
    let site = "projects/site";
    user.put("projects/site/app.py", b"def hello():\n    print(\"hello\")\n\n# TODO translate\nhello()\n");
    user.put("projects/site/README.md", b"# Site\nA small site.\n");
    user.git(site, "Kim", 500, &["init", "--quiet"]);
    user.git(site, "Kim", 500, &["add", "--all"]);
    user.git(site, "Kim", 500, &["commit", "--quiet", "-m", "first version"]);
    user.put("projects/site/style.css", b"body { color: black }\n");
    user.git(site, "Kim", 300, &["add", "--all"]);
    user.git(site, "Kim", 300, &["commit", "--quiet", "-m", "add a style sheet"]);
    user.put("projects/site/README.md", b"# Site\nA small site.\n\nRun app.py.\n");
    user.git(site, "Lee", 100, &["commit", "--quiet", "-am", "explain how to run it"]);
    user.git(site, "Kim", 90, &["branch", "feature/login"]);
    user.put("projects/site/style.css", b"body { color: blue }\n");
    user.put("projects/site/scratch.txt", b"scratch\n");
}

#[test]
fn stranger_in_english() {
    stranger().check(include_str!("english_stranger.txt"), ENGLISH, 0);
}

#[test]
fn stranger_in_chinese() {
    stranger().check(include_str!("chinese_stranger.txt"), CHINESE, 0);
}

/// Path, the byte that they are made of, and how many.
const FILES: [(&str, u8, usize); 9] = [
    ("Downloads/movie.mp4", 3, 12_000_000),
    ("Downloads/setup.iso", 4, 5_000_000),
    ("Downloads/song.mp3", 6, 3_000_000),
    ("Downloads/manual.pdf", 7, 400_000),
    ("Downloads/manual (1).pdf", 7, 400_000),
    ("Downloads/paper.pdf", 5, 250_000),
    ("Downloads/旅行计划.pdf", 8, 90_000),
    ("Downloads/empty file.bin", 0, 400_000),
    ("Downloads/nothing.txt", 0, 0),
];

const TEXTS: &[(&str, &str)] = &[
    (
        "Documents/notes.txt",
        "Meeting with Anna on Monday\nTODO call the plumber\nBuy milk and bread\nThe wifi at the office is slow\nTODO pay the rent\nIdeas for the garden\nAnna likes tulips\n",
    ),
    (
        "Documents/report draft.txt",
        "Quarterly report\nSales went up in March.\nCosts went down in April.\nWe should hire two people.\nEnd of draft\n",
    ),
    ("Documents/recipes/pancakes.md", "# Pancakes\n- flour 200 g\n- milk 300 ml\n- eggs 2\n"),
    ("Documents/recipes/soup.md", "# Tomato soup\n- tomatoes 1 kg\n- onion 1\n"),
    ("Documents/invoices/invoice-2026-01.txt", "Invoice January 2026 total 120.50\n"),
    ("Documents/invoices/invoice-2026-02.txt", "Invoice February 2026 total 80.00\n"),
    ("Documents/invoices/invoice-2026-03.txt", "Invoice March 2026 total 210.25\n"),
    (
        "Documents/sales.csv",
        "date,region,product,units,amount\n2026-01-05,North,Lamp,3,90.00\n2026-01-17,South,Chair,2,150.50\n2026-02-02,North,Table,1,320.00\n2026-02-14,East,Lamp,5,150.00\n2026-02-20,South,Lamp,2,60.00\n2026-03-03,West,Chair,4,301.00\n2026-03-11,North,Chair,1,75.25\n2026-03-28,East,Table,2,640.00\n",
    ),
    (
        "Documents/staff.csv",
        "name,department,salary,city\nAlice,Engineering,5200,Berlin\nBob,Sales,3900,Hamburg\nCarla,Engineering,6100,Munich\nDavid,Support,3100,Berlin\nEva,Sales,4300,Berlin\nFrank,Support,2900,Cologne\n",
    ),
    (
        "Documents/config.json",
        "{\n  \"name\": \"garden\",\n  \"version\": \"2.4.1\",\n  \"server\": {\"host\": \"127.0.0.1\", \"port\": 8080},\n  \"features\": [\"search\", \"export\", \"mail\"]\n}\n",
    ),
    (
        "Documents/orders.json",
        "[\n  {\"id\": 1, \"customer\": \"Anna\", \"total\": 25.5, \"paid\": true},\n  {\"id\": 2, \"customer\": \"Ben\", \"total\": 40.0, \"paid\": false},\n  {\"id\": 3, \"customer\": \"Anna\", \"total\": 14.5, \"paid\": false},\n  {\"id\": 4, \"customer\": \"Chen\", \"total\": 99.9, \"paid\": true}\n]\n",
    ),
    ("Documents/fruit.txt", "pear\napple\ncherry\napple\nbanana\npear\napple\n"),
    (
        "Documents/会议记录.txt",
        "周一会议记录\n参加人：张伟、李娜、王芳\n讨论了新产品的价格\n待办：张伟联系供应商\n待办：李娜准备合同\n下次会议在周五\n",
    ),
    ("Documents/购物清单.txt", "牛奶\n鸡蛋\n面包\n苹果\n"),
    (
        "Documents/财务/支出.csv",
        "日期,类别,金额\n2026-09-03,餐饮,58.50\n2026-09-15,交通,20.00\n2026-09-21,餐饮,132.00\n2026-10-02,房租,3200.00\n2026-10-08,交通,35.50\n2026-10-19,餐饮,76.00\n",
    ),
    (
        "Documents/财务/员工.csv",
        "姓名,部门,工资\n张伟,技术部,12000\n李娜,市场部,9500\n王芳,技术部,13500\n赵强,人事部,8000\n",
    ),
    (
        "logs/app.log",
        "2026-11-20 10:00:00 INFO request served\n2026-11-20 10:01:00 ERROR disk full\n2026-11-20 10:02:00 INFO request served\n2026-11-20 10:03:00 WARN slow reply\n2026-11-20 10:04:00 ERROR timeout\n2026-11-21 10:05:00 INFO request served\n2026-11-21 10:06:00 WARN slow reply\n2026-11-21 10:07:00 ERROR timeout\n2026-11-21 10:08:00 INFO request served\n2026-11-22 10:09:00 ERROR connection refused\n2026-11-22 10:10:00 WARN slow reply\n2026-11-22 10:11:00 INFO request served\n",
    ),
    (
        "logs/access.log",
        "10.0.0.1 - - \"GET /p0 HTTP/1.1\" 200 512\n10.0.0.7 - - \"GET /p1 HTTP/1.1\" 200 512\n10.0.0.1 - - \"GET /p2 HTTP/1.1\" 404 512\n192.168.1.20 - - \"GET /p3 HTTP/1.1\" 200 512\n10.0.0.1 - - \"GET /p4 HTTP/1.1\" 500 512\n10.0.0.7 - - \"GET /p5 HTTP/1.1\" 200 512\n10.0.0.1 - - \"GET /p6 HTTP/1.1\" 404 512\n192.168.1.20 - - \"GET /p7 HTTP/1.1\" 200 512\n10.0.0.7 - - \"GET /p8 HTTP/1.1\" 200 512\n10.0.0.1 - - \"GET /p9 HTTP/1.1\" 200 512\n",
    ),
];
