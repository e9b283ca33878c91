//! What is long: tests that take a minute and a half, and files of 300 kB of which a model sees a part.

use crate::folder::Folder;
use crate::is_full;
use crate::row::{Row, honest};
use artoo_testing::scripted_roles::criterion;

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [long(), large()].into_iter().flatten().collect()
}

/// How long a slow test takes: longer than a call has when it asks for nothing, but for `make test`.
fn slow_seconds() -> u64 {
    let set = std::env::var("ARTOO_AGENT_SLOW_S").ok().and_then(|text| text.parse().ok());
    set.unwrap_or(if is_full() { 90 } else { 2 })
}

fn slow_test(folder: &Folder) {
    let seconds = slow_seconds();
    folder.file(
        "test_slow.sh",
        format!(
            "for n in 1 2 3 4 5 6 7 8 9; do echo \"case $n ok\"; done\necho 'case 10 FAILED: no answer'\nsleep {seconds}\n\
             echo '9 of 10 cases passed'\nexit 1\n"
        ),
    );
}

fn long() -> Vec<Row> {
    let seconds = slow_seconds();
    vec![
        honest(
            "long",
            "a test that takes a minute and a half",
            "Run the integration test ./test_slow.sh (it takes about 90 seconds) and tell me how many cases passed.",
        )
        .needs(&["git"])
        .sample()
        .project(slow_test)
        .wants(criterion("How many cases of ./test_slow.sh passed is told"))
        .run(&["head -n 20 test_slow.sh"])
        .run_for(seconds, "sh ./test_slow.sh || echo \"it ended with $?\"")
        .answers("The run of ./test_slow.sh ended so:\n{last}")
        .right(|look| look.says(&["9 of 10 cases passed", "case 10 FAILED"])),
        honest(
            "long",
            "a build that is silent until its end",
            "Run build.sh and tell me the size of the artefact that it makes.",
        )
        .needs(&["git"])
        .project(|folder| {
            let seconds = slow_seconds() / 2;
            folder.file("build.sh", format!("sleep {seconds}\nmkdir -p out\nseq 1000 > out/artefact\necho built\n"));
            folder.file(".gitignore", "out/\n");
        })
        .wants(criterion("The size of the artefact that build.sh makes is told"))
        .run(&["cat build.sh"])
        .run_for(seconds, "sh build.sh && wc -c out/artefact")
        .answers("build.sh ran; the size of the artefact in bytes:\n{last}")
        .right(|look| {
            look.says(&["3893 out/artefact"]);
            look.prints("wc -c < out/artefact", "3893");
        }),
    ]
}

/// Some 310 kB of log, with its point at the end.
fn service_log(folder: &Folder) {
    let mut text = String::new();
    for n in 0..5_000 {
        let (service, level) = (["auth", "mail", "shop"][n % 3], if n % 250 == 7 { "ERROR" } else { "INFO" });
        text.push_str(&format!(
            "2026-03-01T{:02}:{:02} {level} {service} request {n} was handled by worker {}\n",
            n / 300,
            n % 60,
            n % 8
        ));
    }
    text.push_str("2026-03-01T17:00 FATAL shop out of memory\n");
    folder.file("service.log", text);
}

fn large() -> Vec<Row> {
    vec![
        honest(
            "large",
            "a log of 310 kB: its end, and its errors",
            "How does service.log end, and how many ERROR lines has each service?",
        )
        .folder(service_log)
        .wants(criterion("The end of service.log and the number of ERROR lines of each service are told"))
        .run(&["cat service.log"])
        .run(&["tail -n 1 service.log; awk '$2 == \"ERROR\" { n[$3]++ } END { for (s in n) print s, n[s] }' service.log | sort"])
        .answers("The last line of service.log, and its ERROR lines by service:\n{last}")
        .right(|look| look.says(&["FATAL shop out of memory", "auth 6", "mail 7", "shop 7"])),
        honest(
            "large",
            "one line of JSON of 300 kB",
            "How many users in users.json are active, and who has the highest score?",
        )
        .needs(&["jq"])
        .folder(|folder| {
            let users = (0..6_000).map(|n| {
                format!("{{\"name\":\"user{n}\",\"active\":{},\"score\":{}}}", n % 3 == 0, (n * 7_919) % 6_007)
            });
            folder.file("users.json", format!("{{\"users\":[{}]}}\n", users.collect::<Vec<_>>().join(",")));
        })
        .wants(criterion("The number of active users in users.json and the one with the highest score are told"))
        .run(&["head -c 300 users.json; wc -c users.json"])
        .run(&["jq -r '(.users | map(select(.active)) | length | \"active: \\(.)\"), (.users | max_by(.score) | \"highest: \\(.name) \
                \\(.score)\")' users.json"])
        .answers("In users.json:\n{last}")
        .right(|look| {
            look.says(&["active: 2000"]);
            look.says_what_prints("jq -r '.users | max_by(.score) | \"highest: \\(.name) \\(.score)\"' users.json");
        }),
        honest(
            "large",
            "one sentence in the middle of 300 kB",
            "What is the code word in story.txt?",
        )
        .folder(|folder| {
            let mut text = "It rained on the hills, and nobody came by.\n".repeat(3_600);
            text.push_str("The code word is heron, said the miller.\n");
            text.push_str(&"It rained on the fields, and nobody went away.\n".repeat(3_600));
            folder.file("story.txt", text);
        })
        .wants(criterion("The code word in story.txt is told"))
        .run(&["cat story.txt"])
        .run(&["grep -n 'code word' story.txt"])
        .answers("story.txt says: {last}")
        .right(|look| look.says(&["The code word is heron"])),
    ]
}
