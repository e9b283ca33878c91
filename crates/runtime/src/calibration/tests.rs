use std::collections::BTreeMap;

use super::*;

fn seen(value: f64, low: f64, high: f64) -> Estimate {
    Estimate { value, low, high }
}

fn calibration(rounds: u64, trust: Estimate, rho: Estimate) -> Calibration {
    let rho_of = BTreeMap::from([("shell".to_owned(), (rounds, rho))]);
    Calibration { rounds, evidence: Vec::new(), moves: Vec::new(), trust, skill: None, rho, rho_of }
}

#[test]
fn only_what_is_not_credible_is_changed() {
    let control = ControlParams::default();
    let check = |trust, rho, expected: &[(&str, &str)]| {
        let told = changes(&calibration(500, trust, rho), &control);
        let told: Vec<(&str, &str)> =
            told.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(told, expected);
    };
    check(seen(0.9, 0.7, 1.0), seen(0.45, 0.4, 0.6), &[]);
    check(seen(0.613, 0.4, 0.8), seen(0.45, 0.4, 0.6), &[("control.trust", "0.61")]);
    check(seen(0.9, 0.7, 1.0), seen(0.3, 0.2, 0.4), &[("control.rho", "0.3")]);
}

#[test]
fn a_folder_without_ended_tasks_changes_nothing_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let propose = || propose(folder.path(), &ControlParams::default()).expect("it can be listed");
    assert!(propose().text.starts_with("0 ended tasks, 0 failed rounds"), "{}", propose().text);
    let name = "0197b2c4-0000-7000-8000-000000000001.jsonl";
    std::fs::write(folder.path().join(name), "no record\n").expect("room");
    let told = propose();
    assert!(
        told.text.contains("1 journals are passed over") && told.text.contains("Below 200 rounds"),
        "{}",
        told.text
    );
    assert!(told.changes.is_empty());
}

#[test]
fn numbers_stand_beside_what_is_in_force() {
    let text =
        numbers(&calibration(500, seen(0.5, 0.4, 0.6), seen(0.3, 0.2, 0.4)), &ControlParams::default());
    assert!(text.contains("control.trust    1.00   here 0.50 (nine chances of ten: 0.40 to 0.60)"), "{text}");
    assert!(text.contains("of shell") && text.contains("500 rounds"), "{text}");
}
