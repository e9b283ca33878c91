//! The files that the tasks are about.

use std::io::Write;
use std::process::{Command, Stdio};

use artoo_testing::Home;

/// Puts them into the working folder of a home.
pub(crate) fn fill(home: &Home) {
    for name in ["garden", "kitchen", "cellar", "attic"] {
        home.file(&format!("notes/{name}.txt"), &format!("note {name}\nsecond line\n"));
    }
    for name in ["q1", "q2", "q3", "q4", "q5", "year"] {
        home.file(&format!("archive/reports/{name}.txt"), &format!("report {name}\nsecond line\n"));
        let events = format!("{{\"level\": \"report {name}\"}}\n{{\"level\": \"second\"}}\n");
        home.file(&format!("events/{name}.json"), &events);
    }
    for (folder, days) in [("logs", &["mon", "tue", "thu", "sat"][..]), ("old", &["wed", "fri"])] {
        for day in days {
            compress(home, &format!("{folder}/{day}.log.gz"), &log(day));
        }
    }
    home.file("plain/live.log", &log("live"));
    for (name, records) in [("north", 4), ("south", 3), ("east", 5), ("west", 2), ("total", 6), ("inner", 7)]
    {
        let rows: String = (0..records).map(|row| format!("row {row},{row}\n")).collect();
        home.file(&format!("tables/{name}.csv"), &format!("name,amount\n{rows}"));
    }
    for name in ["one", "two", "three", "four", "five"] {
        let path = home.file(&format!("records/{name}.dat"), "");
        let content =
            [b"\0\x01\x02\xff\xfe".as_slice(), b"recording ", name.as_bytes(), b"\0\0\xff\n"].concat();
        std::fs::write(path, content).expect("the file was just made");
    }
}

fn log(day: &str) -> String {
    format!("start at {day}\ntimeout at {day}\nrefused at {day}\nend at {day}\n")
}

/// Writes a compressed file, with the program that everybody has.
fn compress(home: &Home, name: &str, content: &str) {
    let path = home.file(name, "");
    let file = std::fs::File::create(path).expect("the file was just made");
    let mut gzip =
        Command::new("gzip").arg("-n").stdin(Stdio::piped()).stdout(file).spawn().expect("gzip is there");
    let mut pipe = gzip.stdin.take().expect("standard input is a pipe");
    pipe.write_all(content.as_bytes()).expect("gzip reads");
    drop(pipe);
    assert!(gzip.wait().expect("gzip is our child").success());
}
