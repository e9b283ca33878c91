use artoo_types::Timestamp;
use artoo_types::operator::AuditHead;

use super::{Chain, Head, hash_of};
use crate::{AuditEvent, Deletion};

#[test]
fn lines_are_appended_to_what_is_there() {
    let event = AuditEvent::Deletion(Deletion {
        time: Timestamp(7),
        segment: "s".to_owned(),
        last: AuditHead::default(),
        why: "age".to_owned(),
    });
    let mut chain = Chain::after(Head::default(), "b");
    let mut out = b"before\n".to_vec();
    chain.seal(&event, &mut out).expect("it has a JSON form");
    let text = String::from_utf8(out).expect("JSON is text");
    let genesis = Head::GENESIS;
    let open = format!(
        "{{\"seq\":1,\"boot_id\":\"b\",\"prev\":\"{genesis}\",\"event\":\"deletion\",\"time\":7,\"segment\":\"s\",\
         \"last\":{{\"seq\":0,\"hash\":\"{genesis}\"}},\"why\":\"age\""
    );
    let hash = hash_of(format!("{open}}}").as_bytes());
    assert_eq!(text, format!("before\n{open},\"hash\":\"{hash}\"}}"));
    assert_eq!(chain.head(), &Head { seq: 1, hash });
}
