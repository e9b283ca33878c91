use tonic::Code;

use super::*;

#[test]
fn a_token_leads_back_to_its_cursor() {
    for cursor in ["x", "0190-ab|c%7C", "größe ☃", ""] {
        let token = token("tasks running", cursor);
        assert_eq!(super::cursor("tasks running", &token).expect("its own"), Some(cursor.to_owned()));
    }
}

#[test]
fn no_token_is_the_first_page() {
    assert_eq!(cursor("tasks", "").expect("the first page"), None);
}

#[test]
fn a_token_of_another_list_or_a_damaged_one_is_refused() {
    let good = token("tasks running", "abc");
    let other = token("tasks finished", "abc");
    for bad in
        [other.as_str(), &good[1..], &good[..good.len() - 1], "zz", &format!("{good}é"), &format!("{good}+1")]
    {
        let refused = cursor("tasks running", bad).expect_err(bad);
        assert_eq!(refused.code(), Code::InvalidArgument, "{bad}");
    }
}

#[test]
fn sizes_have_a_default_and_a_limit() {
    assert_eq!([0, 1, 50, 200, 201, u32::MAX].map(size), [50, 1, 50, 200, 200, 200]);
}
