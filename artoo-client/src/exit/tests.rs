use artoo_protocol::v1::FinalResult;

use super::{Failure, code_of};

fn check(directive: &str, reason: &str, unanswered: bool, code: u8) {
    let result = FinalResult {
        directive: directive.to_owned(),
        reason: reason.to_owned(),
        unanswered_confirmation: unanswered,
        ..Default::default()
    };
    assert_eq!(code_of(&result), code, "{directive} {reason} {unanswered}");
}

#[test]
fn the_code_follows_the_directive() {
    check("accept", "criteria_met", false, 0);
    check("success", "within_tolerance", true, 0);
    check("abandon", "replans_exhausted", false, 1);
    check("abandon", "replans_exhausted", true, 1);
    check("abandon", "refused", true, 4);
    check("abandon", "refused", false, 1);
    check("abandon", "cancelled", false, 130);
    check("a word of a newer daemon", "", false, 1);
}

#[test]
fn a_refusal_names_the_fields_and_the_time_to_wait() {
    use tonic_types::{ErrorDetails, StatusExt};
    let mut details = ErrorDetails::new();
    details.add_bad_request_violation("input", "must not be\u{1b} blank");
    details.set_retry_info(Some(std::time::Duration::from_secs(3)));
    let status = tonic::Status::with_error_details(tonic::Code::InvalidArgument, "no", details);
    let failure = Failure::Refused(Box::new(status));
    assert_eq!(failure.to_string(), "no\n  input: must not be\\x1b blank\n  Try again in 3 s.");
    assert_eq!(failure.code(), 5);

    let mut details = ErrorDetails::new();
    details.add_bad_request_violation("control", "unknown key `x`");
    let status =
        tonic::Status::with_error_details(tonic::Code::InvalidArgument, "control: unknown key `x`", details);
    assert_eq!(Failure::Refused(Box::new(status)).to_string(), "control: unknown key `x`");
}
