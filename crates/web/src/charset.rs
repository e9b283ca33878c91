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
mod tests;
