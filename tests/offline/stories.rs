//! Requests that need more than one plan, or build on an earlier task: what `scripts/demo` shows, with assertions.

use std::fs;

use crate::fixture::Fixture;
use crate::table::{ask, carried_out, output};

const ALL_THREE: &str = "find the largest files, count lines by language, find duplicate files, and write a report with all three";

#[test]
fn the_same_request_again_reads_memory_and_keeps_the_first_report() {
    let fixture = Fixture::new();
    let reports = || {
        let folder = fs::read_dir(&fixture.workspace).expect("the workspace is there");
        let mut all: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
        all.sort();
        all.iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a report"))).collect::<Vec<_>>()
    };
    let first = ask(&fixture, ALL_THREE);
    assert_eq!(carried_out(&first, 1), Ok(()));
    let written = reports();
    assert_eq!(written.len(), 1, "{written:?}");

    let second = ask(&fixture, ALL_THREE);
    assert_eq!(
        (second.code, second.result()["directive"].as_str()),
        (Some(0), Some("accept")),
        "{}",
        second.outline()
    );
    let remembered = second.of_type("memory_reply").iter().any(|reply| {
        reply["entries"].as_array().into_iter().flatten().any(|entry| {
            entry["tag"]["space"] == "intent:find_the_largest"
                && entry["potentials"]["decision"].as_f64() > Some(0.0)
        })
    });
    assert!(remembered, "{:#?}", second.of_type("memory_reply"));
    let both = reports();
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(both.contains(&written[0]), "the first report was changed");
}

#[test]
fn a_name_that_is_taken_is_left_alone() {
    let fixture = Fixture::new();
    let first = ask(&fixture, "convert data.csv to JSON");
    assert_eq!(carried_out(&first, 3), Ok(()));
    let taken = fixture.workspace.join("data.json");
    fs::write(&taken, "mine\n").expect("the workspace can be written");
    let second = ask(&fixture, "convert data.csv to JSON");
    assert_eq!(
        (second.code, second.result()["directive"].as_str()),
        (Some(0), Some("accept")),
        "{}",
        second.outline()
    );
    assert_eq!(fs::read_to_string(&taken).expect("it is there"), "mine\n");
    let written = fs::read_dir(&fixture.workspace).expect("the workspace is there").count();
    assert_eq!(written, 2, "{}", second.outline());
}

#[test]
fn the_only_file_of_its_name_in_a_sub_folder_is_used_and_named() {
    let fixture = Fixture::new();
    let run = ask(&fixture, "show the first 2 lines of deep.rs");
    assert_eq!(carried_out(&run, 1), Ok(()));
    assert_eq!(run.result()["form"]["remark"], "deep.rs is src/nested/deep.rs", "{}", run.outline());
    let text = fixture.text("src/nested/deep.rs");
    assert!(output(&run).starts_with(text.trim_end()), "{}", run.outline());
}

/// One document a line is no JSON file, and `jq` reads it all the same.
#[test]
fn what_one_tool_cannot_read_the_second_plan_reads_with_another() {
    let fixture = Fixture::new();
    fs::write(fixture.path("events.json"), "{\"level\":\"warn\"}\n{\"level\":\"error\"}\n")
        .expect("it is written");
    let run = ask(&fixture, "what is the value of level in events.json");
    let result = run.result();
    assert_eq!((run.code, result["directive"].as_str()), (Some(0), Some("accept")), "{}", run.outline());
    assert_eq!(output(&run).trim_end(), "warn\nerror", "{}", run.outline());
    let directives = run.of_type("plan_directive");
    assert_eq!(directives.len(), 1, "{}", run.outline());
    assert_eq!(run.of_type("dispatch_manifest").len(), 2);
}

#[test]
fn a_table_elsewhere_is_offered_as_a_command_that_works() {
    let fixture = Fixture::new();
    let home = fixture.home.root().to_owned();
    for (path, text) in [("one/till.csv", "name,amount\na,1\n"), ("two/till.csv", "name,price\na,3\nb,5\n")] {
        fs::create_dir_all(home.join(path).parent().expect("a folder")).expect("it is made");
        fs::write(home.join(path), text).expect("it is written");
    }
    fs::create_dir(home.join("three")).expect("it is made");
    let asked = "average of price in till.csv";
    let command = "artoo \"average of price in ~/two/till.csv\"";
    for (folder, offer) in
        [("one", format!("~/two/till.csv has a column price: {command}")), ("three", String::new())]
    {
        let here = home.join(folder);
        let run = fixture.home.run(asked, &["--cwd", here.to_str().expect("it is UTF-8")]);
        assert_eq!(run.code, Some(1), "{}", run.outline());
        let moves = run.result()["next_moves"].to_string();
        assert!(folder == "three" || moves.contains(&offer.replace('"', "\\\"")), "{moves}");
        assert!(moves.contains("artoo \\\"average of price in ~/two/till.csv"), "{moves}");
        let typed = fixture
            .home
            .run("average of price in ~/two/till.csv", &["--cwd", here.to_str().expect("it is UTF-8")]);
        assert!(output(&typed).starts_with("4 ("), "{}", typed.outline());
    }
}

#[test]
fn a_file_that_is_nowhere_ends_in_an_honest_abandon() {
    let fixture = Fixture::new();
    let before = fixture.manifest();
    let run = ask(&fixture, "show the first 5 lines of no_such_file_anywhere.txt");
    let result = run.result();
    assert_eq!((run.code, result["directive"].as_str()), (Some(1), Some("abandon")), "{}", run.outline());
    assert_eq!(result["summary"], "there is no no_such_file_anywhere.txt here");
    assert!(result["next_moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{}", run.outline());
    assert!(run.of_type("plan_directive").is_empty(), "it is not looked for elsewhere: {}", run.outline());
    assert!(!output(&run).contains("lines follow"), "{}", run.outline());
    assert_eq!(before, fixture.manifest(), "something changed");
}

#[test]
fn a_declined_request_names_what_would_work() {
    let fixture = Fixture::new();
    let run = ask(&fixture, "translate README.md into French");
    let result = run.result();
    assert_eq!((run.code, result["reason"].as_str()), (Some(1), Some("declined")), "{}", run.outline());
    assert!(run.of_type("megram_write").is_empty(), "a declined request teaches nothing");
    let moves = result["next_moves"].to_string();
    assert!(
        moves.contains("This works here: read README.md")
            && moves.contains("`artoo setup`")
            && !moves.contains("OPENAI"),
        "{moves}"
    );
}

#[test]
fn a_file_that_is_missing_does_not_spoil_the_request_for_others() {
    let fixture = Fixture::new();
    for (missing, there, answer) in [
        ("how many lines are in missing.md", "how many lines are in notes.md", "30 lines"),
        ("show the first 2 lines of missing.rs", "show the first 2 lines of deep.rs", "// TODOS and"),
    ] {
        assert_eq!(ask(&fixture, missing).code, Some(1), "{missing}");
        let run = ask(&fixture, there);
        assert_eq!(run.code, Some(0), "{there}, after {missing}: {}", run.outline());
        assert!(output(&run).starts_with(answer), "{}", run.outline());
    }
}

#[test]
fn a_name_over_two_lines_does_not_hide_duplicates() {
    let fixture = Fixture::new();
    fs::write(fixture.path("two\nlines.txt"), "two words").expect("the project can be written");
    let run = ask(&fixture, "find duplicate photos");
    assert_eq!(run.code, Some(0), "{}", run.outline());
    let run = ask(&fixture, "find duplicate files");
    assert_eq!(run.code, Some(0), "{}", run.outline());
    assert!(output(&run).contains("copy of img_2.jpg"), "{}", run.outline());
}

#[test]
fn the_auditor_counts_each_message_once_whenever_it_is_asked() {
    let fixture = Fixture::new();
    let here = fixture.here.to_str().expect("it is UTF-8");
    let mut messages = 0;
    for _ in 0..10 {
        let client = fixture.home.task("show the first 5 lines of nowhere.txt", &["--cwd", here]);
        let running = std::thread::spawn(move || client.finish());
        while !running.is_finished() {
            fixture.home.json(&["audit"]);
        }
        messages += running.join().expect("the client ends").events.len();
    }
    let totals = &fixture.home.json(&["audit"])["totals"];
    assert_eq!(totals["tasks_observed"], 10, "{totals}");
    // What is not there stays away however it is looked for, and nothing else is remarkable.
    let kinds: Vec<String> =
        fixture.home.json(&["audit", "list"])["findings"].as_array().map_or_else(Vec::new, |found| {
            found.iter().map(|finding| finding["finding"]["kind"].to_string()).collect()
        });
    assert!(kinds.iter().all(|kind| kind == "\"plateau\""), "{kinds:?}");
    // The daemon's own messages come on top of those of the tasks.
    let counted = totals["envelopes"].as_u64().expect("a number");
    assert!(counted >= messages as u64, "{counted} of {messages} messages");
}

#[test]
fn a_file_that_is_there_is_not_saved_over() {
    let fixture = Fixture::new();
    let before = fixture.text("notes.md");
    for request in ["sort a.txt and save it as notes.md.txt", "sort a.txt and save it as b.txt"] {
        let run = ask(&fixture, request);
        let is_free = request.ends_with("notes.md.txt");
        assert_eq!(run.code, Some(i32::from(!is_free)), "{request}: {}", run.outline());
    }
    assert_eq!(fixture.text("notes.md.txt"), "left\nsame\nsame\n");
    assert_eq!(fixture.text("b.txt"), "same\nright\nsame\n", "it is as it was");
    assert_eq!(fixture.text("notes.md"), before);
}
