//! Bytes of a reply as text.

use encoding_rs::{Encoding, UTF_8};

use super::html::{Piece, Pieces, attribute};

/// Where a page may name its encoding, in bytes from its beginning. Source: the HTML standard, "prescan".
const PRESCAN_BYTES: usize = 1_024;

/// The text, and whether something in it had no meaning and was replaced. The encoding is what the first bytes, else the
/// header, else the page itself says, else UTF-8.
pub(crate) fn text(body: &[u8], content_type: &str, is_html: bool) -> (String, bool) {
    let named = label(content_type).or_else(|| is_html.then(|| in_page(body)).flatten()).unwrap_or(UTF_8);
    let (text, _, replaced) = named.decode(body);
    (text.into_owned(), replaced)
}

fn label(content_type: &str) -> Option<&'static Encoding> {
    let label = content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    });
    Encoding::for_label(label?.as_bytes())
}

/// What `<meta charset>`, or the older `<meta content>`, says.
fn in_page(body: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&body[..body.len().min(PRESCAN_BYTES)]);
    Pieces::of(&start).find_map(|piece| match piece {
        Piece::Open(name, attributes) if name.eq_ignore_ascii_case("meta") => {
            let named =
                attribute(attributes, "charset").and_then(|label| Encoding::for_label(label.as_bytes()));
            named.or_else(|| label(attribute(attributes, "content")?))
        }
        Piece::Open(..) | Piece::Close(_) | Piece::Text(_) => None,
    })
}

#[cfg(test)]
mod tests {
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
}
