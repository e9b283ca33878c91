use proptest::prelude::*;

use super::Piece::{Close, Open, Text};
use super::{Pieces, attribute, decoded, has_class};

#[test]
fn a_page_falls_into_its_pieces() {
    let html = "<!DOCTYPE html><p class='a b' id=x>1 < 2<!-- <b> --> &amp;<BR/></p><SCRIPT>if (a<b) '</p>'</script >x";
    let pieces: Vec<_> = Pieces::of(html).collect();
    assert_eq!(
        pieces,
        [
            Open("p", " class='a b' id=x"),
            Text("1 "),
            Text("< 2"),
            Text(" &amp;"),
            Open("BR", ""),
            Close("p"),
            Text("x")
        ]
    );
}

#[test]
fn attributes_are_found_however_they_are_written() {
    let attributes = r#" hidden class="x y>z" data-a = 'q"r' href=/p?a=1 = "#;
    for (name, value) in
        [("CLASS", Some("x y>z")), ("data-a", Some("q\"r")), ("href", Some("/p?a=1")), ("id", None)]
    {
        assert_eq!(attribute(attributes, name), value, "{name}");
    }
    assert!(has_class(attributes, "x") && !has_class(attributes, "y"));
}

#[test]
fn entities_are_read() {
    for (text, expected) in [
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("&#65;&#x42;&#X43;", "ABC"),
        ("&nosuch; &amp &; &#xD800; &#9999999999;", "&nosuch; &amp &; &#xD800; &#9999999999;"),
        ("caf&eacute; &mdash; &nbsp;5&euro;", "café —  5€"),
        ("&amp;lt;", "&lt;"),
    ] {
        assert_eq!(decoded(text), expected, "{text}");
    }
}

#[test]
fn what_has_no_end_takes_no_time() {
    let since = std::time::Instant::now();
    for text in ["<", "<a ", "<!--", "</", "<script>", "<a b='", "&", "<script></"] {
        assert!(Pieces::of(&text.repeat(200_000)).count() <= 200_000, "{text}");
        decoded(&text.repeat(200_000));
    }
    assert!(since.elapsed().as_secs() < 30, "{:?}", since.elapsed());
}

proptest! {
    #[test]
    fn any_text_can_be_taken_apart(html in "(<|>|/|!|-|=|'|\"|&|;|#|a|script|style| |é|\\PC){0,80}") {
        for piece in Pieces::of(&html) {
            if let Open(_, attributes) = piece {
                attribute(attributes, "href");
            }
        }
        decoded(&html);
    }
}
