use artoo_types::Timestamp;

use super::{HighWater, STEP_BACK_MS};

#[test]
fn the_effective_time_never_goes_back() {
    let mut high = HighWater::default();
    let mut last = Timestamp(0);
    for wall in [5, 9, 3, 8, 10, -4] {
        let now = high.effective(Timestamp(wall));
        assert!(now >= last);
        high = high.advanced(Timestamp(wall));
        last = now;
    }
    assert_eq!(high, HighWater(Timestamp(10)));
}

#[test]
fn a_step_back_of_more_than_an_hour_is_noticed() {
    let high = HighWater(Timestamp(10_000_000));
    let behind = |ms: u64| high.stepped_back_ms(Timestamp(10_000_000 - ms as i64));
    assert_eq!(behind(STEP_BACK_MS), None);
    assert_eq!(behind(STEP_BACK_MS + 1), Some(STEP_BACK_MS + 1));
    assert_eq!(high.stepped_back_ms(Timestamp(i64::MAX)), None);
}
