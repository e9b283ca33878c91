use super::text;

#[test]
fn the_encoding_is_what_the_reply_says() {
    for (body, content_type, expected) in [
        (&b"caf\xe9"[..], "text/html; charset=iso-8859-1", "café"),
        (b"\xc4\xe3\xba\xc3", "text/html; Charset=\"GBK\"", "你好"),
        (b"<meta charset=gb2312>\xc4\xe3\xba\xc3", "text/html", "<meta charset=gb2312>你好"),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xcf\xf0",
            "text/html",
            "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>Пр",
        ),
        ("schön".as_bytes(), "text/plain", "schön"),
        (b"\xef\xbb\xbfx", "text/plain; charset=latin1", "x"),
        ("größe".as_bytes(), "text/plain; charset=nonsense", "größe"),
    ] {
        assert_eq!(text(body, content_type, content_type.contains("html")), (expected.to_owned(), false));
    }
    assert_eq!(text(b"a\xffb", "text/plain", false), ("a\u{fffd}b".to_owned(), true));
}
