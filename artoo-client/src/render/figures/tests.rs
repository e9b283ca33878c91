use super::{age, between, bytes, count, duration, plot, short_id};

#[test]
fn the_plot_has_seven_heights() {
    assert_eq!(plot([1.0, 0.67, 0.0]), "▇▅▁");
    assert_eq!(plot([2.0, -1.0, f64::NAN]), "▇▁▁");
}

#[test]
fn durations_carry_their_units() {
    for (ms, text) in [
        (0, "0.00 s"),
        (40, "0.04 s"),
        (999, "0.99 s"),
        (9_040, "9.0 s"),
        (59_999, "59 s"),
        (125_000, "2 m 5 s"),
        (3_600_000, "1 h"),
        (90_061_000, "1 d 1 h"),
    ] {
        assert_eq!(duration(ms), text);
    }
    assert_eq!(count(1, "replan"), "1 replan");
    assert_eq!(count(0, "replan"), "0 replans");
}

#[test]
fn a_clock_that_stepped_back_gives_no_negative_time() {
    let at = |seconds| prost_types::Timestamp { seconds, nanos: 500_000_000 };
    assert_eq!(between(Some(&at(1)), Some(&at(3))), 2_000);
    assert_eq!(between(Some(&at(3)), Some(&at(1))), 0);
    assert_eq!(between(None, Some(&at(1))), 0);
    assert_eq!(age(Some(&at(0)), 3 * 86_400_000 + 600), "3 d ago");
    assert_eq!(age(Some(&at(9)), 0), "just now");
    assert_eq!(age(None, 0), "–");
}

#[test]
fn short_ids_keep_the_time() {
    assert_eq!(short_id("0197b2c4-1a2b-7000-8000-000000000000"), "0197b2c4-1a2b");
    assert_eq!(short_id("é"), "é");
}

#[test]
fn sizes_have_units_of_a_thousand() {
    let cases = [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (1_200_369, "1.2 MB"),
        (256 << 20, "268.4 MB"),
    ];
    for (number, shown) in cases {
        assert_eq!(bytes(number), shown);
    }
}
