use super::comes_up_to;

/// Days until the parts (k, D_k) come up to 3.
fn check(parts: &[(f64, f64)]) -> Option<f64> {
    comes_up_to(parts, 1.0, 3.0)
}

#[test]
fn what_only_fades_never_comes_up() {
    assert_eq!(check(&[]), None);
    assert_eq!(check(&[(0.05, 2.999)]), None);
    assert_eq!(check(&[(0.0, 2.999), (0.5, -1.0)]), None);
    assert_eq!(check(&[(0.05, -9.0), (0.5, 2.0)]), None);
}

#[test]
fn what_is_there_is_there_now() {
    assert_eq!(check(&[(0.05, 3.0)]), Some(0.0));
    assert_eq!(comes_up_to(&[(0.05, -3.0)], -1.0, 3.0), Some(0.0));
}

#[test]
fn the_crossing_is_found_to_the_minute() {
    // 5 − 4·e^(−t/2) = 3 at t = 2·ln 2.
    let days = check(&[(0.0, 5.0), (0.5, -4.0)]).expect("the failures fade away");
    let exact = 2.0 * std::f64::consts::LN_2;
    assert!((0.0..=1.0 / 1_440.0).contains(&(days - exact)), "{days} is not {exact}");
    let mirrored = comes_up_to(&[(0.0, -5.0), (0.5, 4.0)], -1.0, 3.0);
    assert_eq!(mirrored, Some(days));
}

#[test]
fn a_peak_that_stays_below_is_none() {
    // 4·e^(−t/20) − 4·e^(−t/2) rises to about 2.8 and falls again.
    assert_eq!(check(&[(0.05, 4.0), (0.5, -4.0)]), None);
    assert!(check(&[(0.05, 4.6), (0.5, -4.6)]).is_some());
}

#[test]
fn a_search_without_end_says_when_to_search_on() {
    // It comes up to the level after ever, and the search ends all the same.
    let days = check(&[(0.0, 3.0), (0.05, -1.0)]);
    assert!(days.is_none_or(|days| days > 300.0), "{days:?}");
}
