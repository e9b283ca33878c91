use std::path::Path;
use std::time::{Duration, SystemTime};

use artoo_types::evidence::CallEnd;
use serde_json::{Value, json};

use crate::bench::{Bench, make_program};
use crate::installed::{HelperProgram, HelperPrograms};
use crate::tools::FILE_SEARCH;
use artoo_command::stop::StopSwitch;

/// A stand-in of `mdfind` that writes down what it was asked and says these paths, where `%` is the project.
pub(crate) fn spotlight(paths: &str) -> (HelperProgram, String) {
    (HelperProgram::Mdfind, format!("printf '{paths}'"))
}

/// A bench on a machine with this program. The folder holds it and goes with the second value.
pub(crate) fn machine((program, script): &(HelperProgram, String)) -> (Bench, tempfile::TempDir) {
    let mut bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index");
    let here = bench.work.places.working_directory.clone();
    let called = folder.path().join("called").display().to_string();
    let says = script.replace('%', &here);
    let script = format!("#!/bin/bash\nprintf '<%s>\\n' \"$@\" >>'{called}'\n{says}\n");
    make_program(&file, &script);
    let database = folder.path().join("db");
    std::fs::write(&database, "").unwrap();
    bench.work.installed =
        HelperPrograms::of(&[(*program, file.to_str().unwrap())]).with_database(*program, database);
    (bench, folder)
}

fn called(folder: &tempfile::TempDir) -> String {
    std::fs::read_to_string(folder.path().join("called")).unwrap_or_default()
}

/// The index was brought up to date so long before the call.
fn aged(bench: &Bench, folder: &Path, age: Duration) {
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(bench.work.now.0).unwrap());
    let file = std::fs::File::options().write(true).open(folder.join("db")).unwrap();
    file.set_modified(now - age).unwrap();
}

fn search(bench: &Bench, arguments: &Value) -> (String, String) {
    let produced = bench.run(FILE_SEARCH, arguments);
    assert_eq!((produced.end, produced.exit), (CallEnd::Ran, Some(0)), "{produced:?}");
    let output = produced.output.replace(&bench.work.places.working_directory, "~");
    (output, produced.note.unwrap_or_default())
}

const HOUR: Duration = Duration::from_secs(3_600);

#[test]
fn spotlight_answers_and_every_result_is_looked_at() {
    let (bench, folder) =
        machine(&spotlight("%/Plan.md\\0%/gone.md\\0/etc/plan.md\\0%/.git/plan.md\\0%/other.md\\0"));
    for name in ["Plan.md", ".git/plan.md", "other.md"] {
        bench.put(name, "x");
    }
    let (output, note) = search(&bench, &json!({"query": "plan", "root": "."}));
    assert_eq!((output.as_str(), note.as_str()), ("~/Plan.md", "answered from the Spotlight index"));
    assert!(called(&folder).contains("<kMDItemFSName == \"*plan*\"cd>"), "{}", called(&folder));
    assert_eq!(called(&folder).matches("<-onlyin>").count(), 1);
}

/// Spotlight finds no name in Chinese with its extension: it is asked again for the stem, and the extension is compared
/// here.
#[test]
fn a_name_that_spotlight_cannot_find_whole_is_asked_for_by_its_stem() {
    let says = "case \"$4\" in *.mp4*) ;; *) printf '%/讲座.mp4\\0%/讲座.txt\\0' ;; esac";
    let (bench, folder) = machine(&(HelperProgram::Mdfind, says.to_owned()));
    bench.put("讲座.mp4", "x");
    bench.put("讲座.txt", "x");
    let (output, note) = search(&bench, &json!({"query": "讲座.mp4", "root": "."}));
    assert_eq!(output, "~/讲座.mp4");
    assert!(note.contains("without its extension, \"讲座\""), "{note}");
    assert!(called(&folder).contains("<kMDItemFSName == \"*讲座*\"cd>"));
}

/// It says that it is done, and is not.
const CLOSES_AND_STAYS: &str = "printf 'x\\0'; exec >&-; exec sleep 86400";

#[test]
fn an_index_that_knows_nothing_or_breaks_tells_nothing() {
    for says in [
        "exit 0",
        "exit 1",
        "printf 'x\\0'; exit 3",
        "head -c 40000000 /dev/zero",
        "kill -9 $$",
        CLOSES_AND_STAYS,
    ] {
        let (bench, _folder) = machine(&(HelperProgram::Mdfind, says.to_owned()));
        bench.put("plan.md", "x");
        let (output, note) = search(&bench, &json!({"query": "plan", "root": "."}));
        assert_eq!((output.as_str(), note.as_str()), ("~/plan.md", ""), "{says}");
    }
}

#[test]
fn locate_answers_while_its_index_is_fresh() {
    let program = (HelperProgram::Plocate, "printf '%/plan.md\\0%/gone/plan.md\\0'".to_owned());
    for (age, from_index) in [(3 * HOUR, true), (23 * HOUR, true), (25 * HOUR, false)] {
        let (bench, folder) = machine(&program);
        bench.put("plan.md", "x");
        bench.put("new/plan.md", "x");
        aged(&bench, folder.path(), age);
        let (output, note) = search(&bench, &json!({"query": "PLAN", "root": "."}));
        if from_index {
            assert_eq!(output, "~/plan.md");
            let hours = age.as_secs() / 3_600;
            assert!(
                note.contains(&format!("{hours} h ago; what was made since then is not in it")),
                "{note}"
            );
            assert_eq!(called(&folder), "<-0>\n<-i>\n<-b>\n<-->\n<PLAN>\n");
        } else {
            assert_eq!((output.as_str(), note.as_str()), ("~/new/plan.md\n~/plan.md", ""));
            assert_eq!(called(&folder), "", "an old index is not asked");
        }
    }
}

/// Where the comparison of `locate` is another than that of a walk, or its answer would lack what is asked for, it is not
/// asked.
#[test]
fn locate_is_asked_only_for_what_it_can_know() {
    let program = (HelperProgram::Locate, "printf '%/plan.md\\0'".to_owned());
    for arguments in [
        json!({"query": "plan", "root": ".", "newer_than": "7d"}),
        json!({"query": "plan", "root": ".", "order": "newest"}),
        json!({"query": "*.md", "root": "."}),
        json!({"query": "", "root": "."}),
        json!({"query": "计划", "root": "."}),
        json!({"query": "plan  b", "root": "."}),
    ] {
        let (bench, folder) = machine(&program);
        bench.put("plan.md", "x");
        aged(&bench, folder.path(), HOUR);
        search(&bench, &arguments);
        assert_eq!(called(&folder), "", "{arguments}");
    }
}

#[test]
fn secrets_are_left_out_of_an_index_as_of_a_walk() {
    let (bench, folder) = machine(&(HelperProgram::Plocate, "printf '%/../.ssh/key\\0%/key\\0'".to_owned()));
    let home = bench.work.places.home.clone();
    std::fs::write(format!("{home}/.ssh/key"), "x").unwrap();
    bench.put("key", "x");
    aged(&bench, folder.path(), HOUR);
    assert_eq!(search(&bench, &json!({"query": "key"})).0, "~/key");
    let (bench, folder) = machine(&(HelperProgram::Plocate, format!("printf '{home}/.ssh/key\\0'")));
    aged(&bench, folder.path(), HOUR);
    assert_eq!(search(&bench, &json!({"query": "key"})).0, "(no match)");
}

#[test]
fn a_call_that_is_stopped_does_not_wait_for_an_index() {
    // Whoever waited for these would wait for a day.
    for says in ["exec sleep 86400", "exec >&-; exec sleep 86400"] {
        let (mut bench, folder) = machine(&(HelperProgram::Mdfind, says.to_owned()));
        let (switch, signal) = StopSwitch::new();
        bench.work.stop = signal;
        let stopping = std::thread::spawn(move || {
            while called(&folder).is_empty() {
                std::thread::yield_now();
            }
            switch.stop();
        });
        let produced = bench.run(FILE_SEARCH, &json!({"query": "plan", "root": "."}));
        assert_eq!(produced.end, CallEnd::Cancelled, "{says}");
        stopping.join().unwrap();
    }
}
