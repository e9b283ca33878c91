use super::*;

#[test]
fn ratios_and_numbers_are_short() {
    let check = |shown: String, expected: &str| assert_eq!(shown, expected);
    check(ratio(0.05), "1/20.0");
    check(ratio(0.9), "0.90 x");
    check(ratio(7.25), "7.25 x");
    check(number(0.0312), "0.031");
    check(number(4.386), "4.39");
    check(number(899.1), "899");
}

#[test]
fn a_table_says_what_is_met_missed_and_missing() {
    let figures = Figure::parse_lines(
        r#"{"system":"artoo","version":"1","mode":"written","subtasks":1,"tasks":200,"wall_ms":0.5,"cpu_ms":0.5,"cpu_block_ms":0.5,"at_once_per_s":6000.0,"resident_start_mb":9.0,"resident_end_mb":12.0}
           {"system":"autogen-core","version":"2","mode":"memory","subtasks":1,"tasks":200,"wall_ms":1.0,"cpu_ms":1.0,"cpu_block_ms":1.0,"at_once_per_s":1000.0,"resident_start_mb":40.0,"resident_end_mb":42.0}"#,
    )
    .expect("both lines are figures");
    let text = render(&figures);
    let line = |start: &str, against: &str| {
        let found = text.lines().find(|l| l.starts_with(start) && l.contains(against));
        let found = found.unwrap_or_else(|| panic!("no line {start} against {against} in\n{text}"));
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(line("CPU of a task", "autogen-core").ends_with("0.50 x <= 1/3 missed"), "{text}");
    assert!(line("100 tasks at once", "autogen-core").ends_with("met"), "{text}");
    assert!(line("CPU of a task", "LangGraph").contains("not measured"), "{text}");
}
