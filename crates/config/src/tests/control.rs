//! The parameters of the controller: what is taken, what is refused.

use artoo_types::setting::{GradientKind, Law, Steering};

use super::*;

#[test]
fn every_parameter_arrives() {
    let text = "[control]\nalpha = 0.11\nbeta = 0.12\nlambda = 0.13\nw1 = 0.14\nw2 = 0.15\nepsilon = 0.16\ndelta = 0.17\n\
                rho = 0.18\ntheta = 0.19\ntime_budget_ms = 2000\nmax_replans = 4\nmax_retries = 5\ngradient = \"full\"\nlaw = \"belief\"\nworth = 25\nskill = 0.4\ntrust = 0.9\nmodel_wait_ms = 7000\nmax_cost = 0.5\n";
    let expected = ControlParams {
        alpha: 0.11,
        beta: 0.12,
        lambda: 0.13,
        w1: 0.14,
        w2: 0.15,
        epsilon: 0.16,
        delta: 0.17,
        rho: 0.18,
        theta: 0.19,
        time_budget_ms: 2_000,
        max_replans: 4,
        max_retries: 5,
        steering: Steering {
            gradient: GradientKind::Full,
            law: Law::Belief,
            worth: 25.0,
            skill: 0.4,
            trust: 0.9,
            ..Steering::default()
        },
        model_wait_ms: 7_000,
        max_cost: 0.5,
    };
    assert_eq!(Home::with(text).config().control, expected);
}

#[test]
fn bounds_are_included_and_what_lies_beyond_is_refused() {
    let check = |key: &str, taken: &[&str], refused: &[&str]| {
        for value in taken {
            assert!(Home::with(&format!("[control]\n{key} = {value}\n")).load().is_ok(), "{key} = {value}");
            assert!(Home::new().flag(&format!("control.{key}={value}")).load().is_ok(), "{key}={value}");
        }
        for value in refused {
            let error = Home::with(&format!("[control]\n{key} = {value}\n")).error();
            let start =
                format!("~/.artoo/config.toml line 2 column {}: `control.{key}` must be a", key.len() + 4);
            assert!(error.starts_with(&start), "{key} = {value}: {error}");
            let error = Home::new().flag(&format!("control.{key}={value}")).error();
            assert!(error.starts_with(&format!("flag --set: `control.{key}` must be a")), "{error}");
        }
    };
    for weight in ["alpha", "beta", "lambda", "worth"] {
        check(weight, &["0", "0.0", "2.5", "1000"], &["-0.1", "-1", "inf", "-inf", "nan", "1e308"]);
    }
    for unit in ["w1", "w2", "epsilon", "delta", "rho", "theta", "skill", "trust"] {
        check(unit, &["0", "1", "1.0"], &["1.01", "-0.01", "2", "nan", "inf"]);
    }
    check("time_budget_ms", &["1000", "86400000"], &["999", "86400001", "-1", "99999999999999999999"]);
    check("max_replans", &["0", "20"], &["21", "-1"]);
    check("max_retries", &["0", "10"], &["11", "-1"]);
    assert!(Home::with("[control]\ngradient = \"literal\"\n").error().contains("must be quality or full"));
}

#[test]
fn a_cost_that_is_always_zero_is_refused() {
    let error = Home::with("[control]\nw1 = 0\nw2 = 0\n").error();
    assert!(error.starts_with("~/.artoo/config.toml: `control.w1` and `control.w2` are both 0"), "{error}");
    assert!(Home::with("[control]\nw1 = 0\nw2 = 0.1\n").load().is_ok());
}

/// The defaults with these settings, as they are given for a replay.
fn changed(settings: &[(&str, &str)]) -> Result<ControlParams, String> {
    changed_control(ControlParams::default(), settings.iter().copied()).map_err(|error| error.to_string())
}

#[test]
fn settings_of_a_replay_take_the_place_of_the_recorded_ones() {
    let all = [
        ("alpha", "0.11"),
        ("control.beta", "0.12"),
        ("lambda", "0.13"),
        ("w1", "0.14"),
        ("w2", "0.15"),
        ("epsilon", "0.16"),
        ("delta", "0.17"),
        ("rho", "0.18"),
        ("theta", " 0.19 "),
        ("time_budget_ms", "2000"),
        ("max_replans", "4"),
        ("max_retries", "5"),
        ("gradient", "full"),
        ("law", "table"),
        ("worth", "25"),
        ("skill", "0.4"),
        ("trust", "0.9"),
        ("model_wait_ms", "7000"),
        ("max_cost", "0.5"),
    ];
    let keys = SETTINGS.iter().filter(|setting| setting.key.starts_with("control.")).count();
    assert_eq!(all.len(), keys, "a key of the table is missing here");
    for (key, value) in all {
        let params = changed(&[(key, value)]).expect(key);
        assert_ne!(params, ControlParams::default(), "{key} is not set");
    }
    assert_eq!(changed(&[]), Ok(ControlParams::default()));
    let back = changed(&[("gradient", "full"), ("gradient", "quality"), ("alpha", "1"), ("alpha", "0.6")]);
    assert_eq!(back, Ok(ControlParams::default()));
}

#[test]
fn a_bad_setting_of_a_replay_says_what_to_write() {
    let check = |key: &str, value: &str, expected: &str| {
        assert_eq!(changed(&[(key, value)]), Err(expected.to_owned()));
    };
    check("thetta", "0.5", "unknown key `thetta`, did you mean `theta` (a number from 0 to 1)?");
    check(
        "control.max_replan",
        "1",
        "unknown key `control.max_replan`, did you mean `max_replans` (a whole number from 0 to 20)?",
    );
    check("theta", "2", "`theta` must be a number from 0 to 1, not \"2\"");
    check("max_replans", "1.5", "`max_replans` must be a whole number from 0 to 20, not \"1.5\"");
    check("gradient", "literal", "`gradient` must be quality or full, not \"literal\"");
    assert!(changed(&[("w1", "0"), ("w2", "0")]).is_err_and(|e| e.contains("both 0")));
}
