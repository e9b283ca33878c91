use super::*;

#[test]
fn gaps_go_on_record_once_a_second_and_none_is_lost() {
    let mut gaps = PendingGaps::default();
    let start = Instant::now();
    let at = |ms| start + Duration::from_millis(ms);
    assert_eq!(gaps.note(at(0), 3, 5), Some(Lagged { from: 3, to: 5 }));
    assert_eq!(gaps.note(at(10), 9, 9), None);
    assert_eq!(gaps.note(at(999), 12, 20), None);
    assert_eq!(gaps.note(at(1_000), 30, 31), Some(Lagged { from: 9, to: 31 }));
    assert_eq!(gaps.rest(), None);
    assert_eq!(gaps.note(at(1_500), 40, 41), None);
    assert_eq!(gaps.rest(), Some(Lagged { from: 40, to: 41 }));
    assert_eq!(gaps.rest(), None);
}
