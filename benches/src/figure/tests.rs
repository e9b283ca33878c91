use super::*;

#[test]
fn medians_do_not_depend_on_the_order() {
    let check = |values: &[f64], expected| assert_eq!(median(values.to_vec()), expected, "{values:?}");
    check(&[], None);
    check(&[3.0], Some(3.0));
    check(&[9.0, 1.0, 2.0], Some(2.0));
    check(&[9.0, 1.0, 2.0, 4.0], Some(3.0));
}

#[test]
fn a_peers_line_is_read_and_a_bad_one_is_named() {
    let line = r#"{"system": "langgraph", "version": "1", "mode": "send", "subtasks": 8, "tasks": 200, "wall_ms": 3.5,
        "cpu_ms": 3, "cpu_block_ms": 3.1, "at_once_per_s": null, "resident_start_mb": 70.1, "resident_end_mb": null}"#
        .replace('\n', " ");
    let figures = Figure::parse_lines(&format!("\n{line}\n")).expect("the line is a figure");
    assert_eq!((figures.len(), figures[0].subtasks, figures[0].at_once_per_s), (1, 8, None));
    let problem = Figure::parse_lines(&format!("{line}\nnonsense\n")).expect_err("nonsense is no figure");
    assert!(problem.starts_with("line 2"), "{problem}");
}
