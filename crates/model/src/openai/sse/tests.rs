use super::{Event, EventCutter};

/// The body gives these data, whole and in every cut into two pieces, and byte by byte.
fn check(body: &str, expected: &[&str]) {
    let bytes = body.as_bytes();
    for cut in 0..=bytes.len() {
        let (first, second) = bytes.split_at(cut);
        assert_eq!(data(&[first, second]), expected, "cut at {cut} of {body:?}");
    }
    assert_eq!(data(&bytes.chunks(1).collect::<Vec<_>>()), expected, "{body:?} byte by byte");
}

fn data(pieces: &[&[u8]]) -> Vec<String> {
    let mut cutter = EventCutter::default();
    let mut events: Vec<Event> = pieces.iter().flat_map(|piece| cutter.feed(piece)).collect();
    events.extend(cutter.finish());
    events.into_iter().map(|event| event.data).collect()
}

#[test]
fn events_end_at_blank_lines() {
    check("data: a\n\ndata: b\n\n", &["a", "b"]);
    check("\n\n\ndata: a\n\n\n\ndata: b\n\n", &["a", "b"]);
    check("data: a\ndata: b\n\n", &["a\nb"]);
}

#[test]
fn line_ends_may_be_of_any_kind() {
    check("data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
    check("data: a\r\rdata: b\r\r", &["a", "b"]);
    check("data: a\r\n\ndata: b\n\r\n", &["a", "b"]);
}

#[test]
fn comments_and_other_fields_make_no_event() {
    check(": keep-alive\n\n: OPENROUTER PROCESSING\n\ndata: a\n\n", &["a"]);
    check(":\nid: 7\nretry: 10\nx\ndata: a\n: in between\n\n", &["a"]);
    check("event: ping\n\ndata:\n\ndata: \n\n", &[]);
}

#[test]
fn one_space_after_the_colon_is_no_data() {
    check("data:a\n\ndata: b\n\ndata:  c\n\n", &["a", "b", " c"]);
}

#[test]
fn an_event_counts_without_the_blank_line_at_the_end() {
    check("data: a\n\ndata: b\n", &["a", "b"]);
    check("data: a\n\ndata: b", &["a", "b"]);
}

#[test]
fn characters_may_be_cut_anywhere() {
    check("\u{feff}data: 找出“合同”🗂\n\n", &["找出“合同”🗂"]);
}

#[test]
fn the_kind_of_an_event_is_told() {
    let mut cutter = EventCutter::default();
    let events = cutter.feed(b"event: error\ndata: {}\n\ndata: {}\n\n");
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["error", ""]);
}
