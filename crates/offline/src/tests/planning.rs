//! First plans: shape, criteria, groups.

use serde_json::Value;

use super::support::*;
use super::*;

/// Kinds of checks, and the fields each must have.
const CHECKS: [(&str, &[&str]); 9] = [
    ("file_exists", &["path"]),
    ("file_contains", &["path", "text"]),
    ("file_json", &["path", "pointer", "op", "value"]),
    ("output_contains", &["text"]),
    ("output_matches", &["regex"]),
    ("output_lines", &["op", "n"]),
    ("exit_status", &["tool", "value"]),
    ("tool_called", &["tool"]),
    ("files_match", &["glob", "op", "n"]),
];

fn check_criteria(criteria: &Value, of: &str) {
    let criteria = criteria.as_array().expect("a list of criteria");
    assert!((1..=12).contains(&criteria.len()), "{of}: {} criteria", criteria.len());
    for criterion in criteria {
        assert!(criterion["text"].as_str().is_some_and(|text| !text.is_empty()), "{of}: {criterion}");
        assert_eq!(criterion["mode"], "verifiable", "{of}");
        let kind = criterion["check"]["kind"].as_str().unwrap_or_default();
        let (_, fields) =
            CHECKS.iter().find(|(known, _)| *known == kind).unwrap_or_else(|| panic!("{of}: {criterion}"));
        for field in *fields {
            assert!(criterion["check"].get(field).is_some(), "{of}: {criterion} lacks {field}");
        }
    }
}

fn check_shape(text: &str) {
    let plan = plan(text);
    assert!(plan["decline"].is_null(), "{text}: {}", plan["decline"]);
    check_criteria(&plan["task_criteria"], text);
    let steps = steps_of(&plan);
    assert!(!steps.is_empty(), "{text}");
    for step in &steps {
        check_criteria(&step["success_criteria"], text);
        for field in ["intent", "context"] {
            assert!(step[field].as_str().is_some_and(|value| !value.is_empty()), "{text}: {field}");
        }
        assert!(step["sequence"].as_u64().is_some_and(|number| number >= 1), "{text}");
        assert!(step["targets"].is_array() && step["supersedes"] == serde_json::json!([]), "{text}");
        let tools = step["tools"].as_array().expect("tools");
        assert!(!tools.is_empty(), "{text}");
        for tool in tools {
            let name = tool.as_str().expect("a tool").split(':').next().expect("a name").to_owned();
            assert!(ALL_TOOLS.contains(&name.as_str()), "{text}: {name}");
        }
    }
    if let Some(index) = plan["output_from"].as_u64() {
        assert!((index as usize) < steps.len(), "{text}");
    } else {
        assert!(steps.len() > 1, "{text}: a single step is the output");
    }
}

#[test]
fn the_plan_of_every_example_has_the_pinned_shape() {
    for example in examples() {
        check_shape(example.english);
        check_shape(example.chinese);
    }
}

#[test]
fn three_measurements_run_in_parallel_and_the_report_comes_last() {
    for text in [
        "find the largest files, count lines by language, find duplicate files, and write a report with all three",
        "找出最大的文件，按语言统计代码行数，找出重复的文件，然后写成一份报告",
    ] {
        let plan = plan(text);
        let steps = steps_of(&plan);
        let sequences: Vec<u64> = steps.iter().filter_map(|step| step["sequence"].as_u64()).collect();
        assert_eq!(sequences, [1, 1, 1, 2], "{text}");
        assert_eq!(plan["output_from"], 3, "{text}");
        assert_eq!(tools_of(&plan)[3], ["write_file"], "{text}");
        let report = steps[3]["success_criteria"].as_array().expect("criteria").clone();
        let in_file = report.iter().filter(|criterion| criterion["check"]["kind"] == "file_contains").count();
        assert_eq!(in_file, 3, "{text}: one heading for each measurement");
    }
}

#[test]
fn measurements_without_a_report_leave_the_merge_open() {
    let plan = plan("count the Rust files and show free disk space");
    assert_eq!(steps_of(&plan).len(), 2);
    assert!(plan["output_from"].is_null());
}

#[test]
fn a_report_goes_where_the_person_says() {
    let target = |text: &str| steps_of(&plan(text))[1]["targets"][0].clone();
    assert_eq!(
        target("find the ten largest files here and write them to a report"),
        "/space/work_dir_largest_files-2026-11-21.md"
    );
    assert_eq!(target("find the ten largest files here and write it to big.md"), "/work dir/big.md");
    assert_eq!(
        target("find the ten largest files here and write it to \"out/my list.md\""),
        "/work dir/out/my list.md"
    );
}

#[test]
fn a_leading_place_counts_for_all_clauses() {
    let plan = plan("in ~/src, find the largest files and find duplicate files in docs");
    let targets: Vec<Value> = steps_of(&plan).iter().map(|step| step["targets"][0].clone()).collect();
    assert_eq!(targets, ["/home/ada/src", "/work dir/docs"]);
}

#[test]
fn a_path_cannot_leave_its_quotation_marks_in_a_command() {
    let plan = plan("find the largest files in \"it's; rm -rf $HOME\"");
    let context = steps_of(&plan)[0]["context"].as_str().expect("a context").to_owned();
    let line = context.lines().find_map(|line| line.strip_prefix("do: ")).expect("a recipe");
    let recipe: Value = serde_json::from_str(line).expect("JSON");
    let command = recipe["arguments"]["command"].as_str().expect("a command");
    assert!(command.starts_with("find '/work dir/it'\\''s; rm -rf $HOME' "), "{command}");
}

#[test]
fn commands_change_nothing_and_their_awk_programs_say_so() {
    for example in examples() {
        for text in [example.english, example.chinese] {
            for step in steps_of(&plan(text)) {
                for line in step["context"].as_str().expect("a context").lines() {
                    let Some(recipe) = line.strip_prefix("do: ") else { continue };
                    let recipe: Value = serde_json::from_str(recipe).expect("JSON");
                    if let Some(command) = recipe["arguments"]["command"].as_str() {
                        check_command(text, command);
                    }
                }
            }
        }
    }
}

/// No redirection outside quotation marks; inside those of `awk` nothing that reads or writes elsewhere.
fn check_command(text: &str, command: &str) {
    let command = command.replace("2>/dev/null", "").replace("2>&1", "");
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 0 {
            assert!(!part.contains(['>', '<', '`']) && !part.contains("$("), "{text}: {command}");
        } else if command.split('\'').nth(index - 1).is_some_and(|before| before.trim_end().ends_with("awk"))
        {
            let bad = ["|", ">", "getline", "system"].iter().find(|word| part.contains(**word));
            assert!(bad.is_none(), "{text}: {bad:?} in {part}");
        }
    }
    for word in ["-delete", "-exec", "-fprint", " rm ", " mv ", "sudo"] {
        assert!(!command.contains(word), "{text}: {command}");
    }
}
