use super::{AttemptEnd, CallResult, Shortfall, call_lesson, lesson};
use crate::criteria::FailureClass::{self, Environmental, Logical};
use crate::evidence::CallEnd;
use CallResult::{CutShort, Failed, Worked};

const CALLS: [Option<CallResult>; 4] = [None, Some(Worked), Some(Failed), Some(CutShort)];

#[test]
fn what_a_call_shows_depends_on_its_end_its_status_and_what_it_found() {
    for (end, exit, found_nothing, expected) in [
        (CallEnd::Ran, Some(0), false, Worked),
        (CallEnd::Ran, Some(0), true, Failed),
        (CallEnd::Ran, Some(1), false, Failed),
        (CallEnd::Ran, Some(1), true, Failed),
        (CallEnd::Ran, None, false, Failed),
        (CallEnd::Error, None, false, Failed),
        (CallEnd::Timeout, None, false, CutShort),
        (CallEnd::Cancelled, None, false, CutShort),
        (CallEnd::Denied, None, false, CutShort),
        (CallEnd::Refused, None, false, CutShort),
        (CallEnd::Interrupted, None, false, CutShort),
    ] {
        assert_eq!(CallResult::of(end, exit, found_nothing), expected, "{end:?} {exit:?} {found_nothing}");
    }
}

/// Every way to fall short, with every call that it may be about.
#[test]
fn the_table_of_lessons() {
    let check = |shortfall: &dyn Fn(Option<CallResult>) -> Shortfall, expected: [Option<FailureClass>; 4]| {
        for (last, expected) in CALLS.into_iter().zip(expected) {
            let shortfall = shortfall(last);
            assert_eq!(lesson(shortfall), expected, "{shortfall:?}");
        }
    };
    let (logical, environmental) = (Some(Logical), Some(Environmental));
    check(&|_| Shortfall::Prevented, [environmental; 4]);
    check(&|_| Shortfall::Unmeasured, [None; 4]);
    check(&|last| Shortfall::WrongForm { last }, [None, None, environmental, None]);
    check(&|_| Shortfall::Unjudged, [None; 4]);
    check(&|last| Shortfall::NotSo { last }, [logical, logical, environmental, None]);
    let ended = |end| move |last| Shortfall::Ended { end, last };
    check(&ended(AttemptEnd::GaveUp), [None, None, environmental, None]);
    check(&ended(AttemptEnd::Limit), [None; 4]);
    check(&ended(AttemptEnd::Denied), [None; 4]);
    check(&ended(AttemptEnd::NoModel), [None; 4]);
    // A judge who cites nothing is held against the last call, and against none when it gives no class.
    let uncited = |said| move |last| Shortfall::Judged { said, cited: None, last };
    check(&uncited(logical), [logical, logical, environmental, None]);
    check(&uncited(environmental), [environmental, environmental, environmental, None]);
    check(&uncited(None), [None; 4]);
    for last in CALLS {
        let cited = |said| move |cited| Shortfall::Judged { said, cited, last };
        check(&|call| cited(logical)(call.or(Some(Worked))), [logical, logical, environmental, None]);
        check(
            &|call| cited(environmental)(call.or(Some(Worked))),
            [environmental, environmental, environmental, None],
        );
        check(&|call| cited(None)(call.or(Some(Worked))), [None, None, environmental, None]);
    }
}

#[test]
fn a_blamed_call_is_never_worse_than_the_criteria_that_blame_it() {
    let (logical, environmental) = (Some(Logical), Some(Environmental));
    for (classes, worked, failed) in [
        (vec![], None, None),
        (vec![None], None, None),
        (vec![logical], logical, environmental),
        (vec![environmental], environmental, environmental),
        (vec![environmental, None, logical], logical, environmental),
    ] {
        assert_eq!(call_lesson(Worked, &classes), worked, "{classes:?}");
        assert_eq!(call_lesson(Failed, &classes), failed, "{classes:?}");
        assert_eq!(call_lesson(CutShort, &classes), None, "{classes:?}");
    }
}
