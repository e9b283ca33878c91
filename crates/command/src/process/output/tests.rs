use super::*;

fn cut(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    keep_ends(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_cut_leaves_no_half_of_a_line() {
    let line = "one token in a line of 32 bytes\n";
    let text = line.repeat(3 * KEPT_END_BYTES / line.len() + 1);
    for shift in 0..line.len() {
        let kept = cut(&text[shift..]);
        let (head, tail) = kept.split_once("\n[... ").unwrap();
        let (_, tail) = tail.split_once(" bytes were not kept ...]\n").unwrap();
        assert!(head.ends_with("32 bytes\n") && tail.starts_with("one token"), "{shift}");
        assert!(head.len() <= KEPT_END_BYTES && tail.len() <= KEPT_END_BYTES, "{shift}");
        assert!(head.len() + line.len() > KEPT_END_BYTES, "{shift}: no more than a line is given up");
    }
}

#[test]
fn what_is_one_line_or_short_enough_is_kept() {
    assert_eq!(cut("short\n"), "short\n");
    let exact = "x".repeat(2 * KEPT_END_BYTES);
    assert_eq!(cut(&exact), exact);
    let long = cut(&"x".repeat(2 * KEPT_END_BYTES + 7));
    assert!(long.contains("\n[... 7 bytes were not kept ...]\n") && long.len() > 2 * KEPT_END_BYTES);
}

#[tokio::test]
async fn an_output_that_is_too_long_ends_with_a_whole_line() {
    let line = b"0123456789abcdef 0123456789abcde\n";
    let pipe = line.repeat(MAX_OUTPUT_BYTES / line.len() + 10);
    let (full, mut told) = mpsc::channel(1);
    let reading = Reading::start(Some(std::io::Cursor::new(pipe)), full);
    let kept = reading.finish(CLOSED).await;
    assert!(told.recv().await.is_some());
    assert!(kept.len() <= MAX_OUTPUT_BYTES && kept.len() + line.len() > MAX_OUTPUT_BYTES);
    assert!(kept.ends_with(line));
}
