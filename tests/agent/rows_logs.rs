//! Logs: counted, ordered, and searched for the moment at which something went wrong.

use crate::folder::Folder;
use crate::row::{Row, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::json;

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [counted(), rotated()].into_iter().flatten().collect()
}

/// Six hours of a web server: time, path, status, milliseconds.
fn access(folder: &Folder) {
    let mut text = String::new();
    for n in 0..360 {
        let status = if n % 60 < 3 || (180..190).contains(&n) { 500 } else { 200 };
        let path = ["/", "/shop", "/shop/cart", "/about"][n % 4];
        text.push_str(&format!("{:02}:{:02} {path} {status} {}\n", 8 + n / 60, n % 60, 20 + (n * 37) % 400));
    }
    folder.file("access.log", text);
}

fn counted() -> Vec<Row> {
    vec![
        honest(
            "log",
            "errors by hour",
            "In access.log (time, path, status, milliseconds): how many requests ended with 500 in each hour, and which \
             hour was the worst?",
        )
        .sample()
        .folder(access)
        .wants(criterion("The number of requests of access.log that ended with 500 is given for each hour"))
        .run(&["head -n 3 access.log; wc -l access.log"])
        .run(&["awk '$3 == 500 { n[substr($1, 1, 2)]++ } END { for (h in n) print n[h], h }' access.log | sort -rn"])
        .answers("Requests with 500 and their hour in access.log, the worst first:\n{last}")
        .right(|look| look.says(&["10 11", "3 08", "3 13"])),
        honest(
            "log",
            "the slowest paths",
            "Which path of access.log (time, path, status, milliseconds) has the highest average time? Give the averages \
             of all paths, rounded to one decimal.",
        )
        .folder(access)
        .wants(criterion("The average time of each path of access.log is given"))
        .run(&["head -n 3 access.log", "awk '{ s[$2] += $4; n[$2]++ } END { for (p in s) printf \"%.1f %s\\n\", s[p] / n[p], p }' \
                access.log | sort -rn"])
        .answers("Average milliseconds of the paths of access.log, the slowest first:\n{last}")
        .right(|look| look.says_what_prints("awk '{ s[$2] += $4; n[$2]++ } END { for (p in s) printf \"%.1f %s\\n\", s[p] / n[p], p }' \
                                             access.log | sort -rn")),
        honest(
            "log",
            "the first failure after a start",
            "app.log has several starts of the program. What is the first ERROR after the last start?",
        )
        .folder(|folder| {
            folder.file(
                "app.log",
                "01 INFO start\n02 ERROR disk\n03 INFO start\n04 WARN slow\n05 ERROR port 8080 is taken\n06 ERROR giving up\n",
            );
        })
        .wants(criterion("The first ERROR of app.log after the last start is given"))
        .run(&["cat app.log", "awk '/start/ { found = \"\" } /ERROR/ && found == \"\" { found = $0 } END { print found }' app.log"])
        .answers("The first ERROR of app.log after the last start is: {last}")
        .right(|look| {
            look.says(&["05 ERROR port 8080 is taken"]);
            look.never_says("giving up");
        }),
        honest(
            "log",
            "two logs in the order of time",
            "Merge web.log and db.log into all.log in the order of time, each line with the name of its log behind the time.",
        )
        .folder(|folder| {
            folder.file("web.log", "10:00:01 get\n10:00:04 done\n");
            folder.file("db.log", "10:00:02 query\n10:00:03 rows\n");
        })
        .wants(checked(
            "web.log and db.log are merged into all.log in the order of time",
            &json!({"kind": "file_lines", "path": "./all.log", "op": "eq", "n": 4}),
        ))
        .run(&["head -n 2 web.log db.log"])
        .run(&["awk '{ t = $1; $1 = \"\"; split(FILENAME, n, \".\"); print t, n[1] $0 }' web.log db.log | sort > all.log", "cat all.log"])
        .answers("web.log and db.log are merged into all.log in the order of time:\n{last}")
        .right(|look| {
            look.is("all.log", "10:00:01 web get\n10:00:02 db query\n10:00:03 db rows\n10:00:04 web done\n");
        }),
    ]
}

/// A script that keeps three generations; it may be written by a model in many ways, and is tried out by the row.
const ROTATE: &str = "#!/bin/sh\nset -e\ncd \"$(dirname \"$0\")/logs\"\nfor n in 2 1; do\n  \
                      if [ -f \"app.log.$n.gz\" ]; then mv \"app.log.$n.gz\" \"app.log.$((n + 1)).gz\"; fi\ndone\n\
                      gzip -c app.log > app.log.1.gz\n: > app.log\n";

fn rotated() -> Vec<Row> {
    vec![
        honest(
            "log",
            "a script that rotates logs, and its proof",
            "Write a shell script rotate.sh that rotates the logs in logs/: app.log becomes app.log.1.gz, .1.gz becomes \
             .2.gz and so on, keep 3 generations, and leave an empty app.log. Prove that it works.",
        )
        .needs(&["git", "gzip"])
        .project(|folder| folder.file("logs/app.log", "first\n"))
        .wants(checked(
            "rotate.sh is written, which rotates app.log in logs/ and keeps 3 generations",
            &json!({"kind": "file_contains", "path": "./rotate.sh", "text": "app.log"}),
        ))
        .wants(criterion("Runs of rotate.sh prove that it works"))
        .write("rotate.sh", ROTATE)
        .run(&["for n in 1 2 3 4 5; do echo \"run $n\" > logs/app.log; sh rotate.sh; done; ls logs; gzip -dc logs/app.log.3.gz; \
                wc -c < logs/app.log"])
        .answers("rotate.sh is written. After five runs three generations are there, the oldest of them is of the third run, and \
                  app.log is empty:\n{last}")
        .right(|look| {
            look.prints("echo x > logs/app.log; sh rotate.sh; ls logs | wc -l", "4");
            look.prints("gzip -dc logs/app.log.1.gz; wc -c < logs/app.log", "x\n0");
        }),
    ]
}
