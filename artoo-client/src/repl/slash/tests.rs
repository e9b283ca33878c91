use clap::CommandFactory;

use super::{Action, TABLE, help, is_command, parse, words, words_of_task};
use crate::arguments::Arguments;

#[test]
fn every_pinned_command_is_there() {
    for name in [
        "/help", "/audit", "/memory", "/tasks", "/show", "/cancel", "/confirm", "/status", "/model", "/undo",
        "/replay", "/report", "/clear", "/quit",
    ] {
        assert_eq!(parse(name).map(|(slash, _)| slash.name), Ok(name));
    }
}

#[test]
fn every_command_that_is_stood_for_exists() {
    let arguments = Arguments::command();
    for slash in TABLE {
        if let Action::Command(fixed) | Action::OfTask(fixed) = slash.action {
            assert!(arguments.find_subcommand(fixed[0]).is_some(), "{}", slash.name);
        }
    }
}

#[test]
fn a_unique_start_is_enough() {
    let (slash, typed) = parse("/rep 0197").unwrap_or_else(|error| {
        assert_eq!(error, "`/rep` may be /replay or /report");
        parse("/repo 0197").expect("now it is unique")
    });
    assert_eq!((slash.name, typed), ("/report", vec!["0197"]));
    assert!(parse("/nothing").is_err());
    assert!(parse("/").is_err());
    assert_eq!(words(&["memory"], &[]), ["memory", "list"]);
    assert_eq!(words(&["memory"], &["pyramid"]), ["memory", "pyramid"]);
}

#[test]
fn the_help_fits_in_eighty_columns_or_says_it_short() {
    for line in help() {
        assert!(line.columns() <= 100, "{}", line.text(false));
    }
    assert_eq!(help().len(), TABLE.len());
}

#[test]
fn a_path_is_no_command() {
    for (line, command) in [
        ("/tasks", true),
        (" /x 1", true),
        ("/tmp/x: count the lines", false),
        ("count /tmp", false),
        ("", false),
    ] {
        assert_eq!(is_command(line), command, "{line:?}");
    }
}

#[test]
fn the_last_task_is_meant_where_none_is_named() {
    let check = |typed: &[&'static str], expected: &[&str]| {
        assert_eq!(words_of_task(&["replay"], typed, Some("0197")).as_deref(), Ok(expected), "{typed:?}");
    };
    check(&[], &["replay", "0197"]);
    check(&["0042"], &["replay", "0042"]);
    check(&["--control", "theta=0.5"], &["replay", "0197", "--control", "theta=0.5"]);
    check(&["0042", "--control", "theta=0.5"], &["replay", "0042", "--control", "theta=0.5"]);
    assert!(words_of_task(&["replay"], &[], None).is_err_and(|error| error.contains("/tasks")));
    assert!(words_of_task(&["replay"], &["0042"], None).is_ok());
}
