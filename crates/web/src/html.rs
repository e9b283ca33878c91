//! HTML as a row of pieces. It never fails and never looks ahead further than one tag, so that it takes time in
//! proportion to the text, however broken that is.

/// One piece of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text, its entities not yet read.
    Text(&'a str),
    /// `<name attributes>`; the name as it is written.
    Open(&'a str, &'a str),
    /// `</name>`.
    Close(&'a str),
}

/// Elements whose content is no text of the page, up to their end.
const OPAQUE: &[&str] =
    &["script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas"];

/// The pieces of a page, comments and opaque elements left out.
pub(crate) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(crate) fn of(html: &'a str) -> Self {
        Self { rest: html }
    }

    /// Takes up to the first of `end`, which goes as well; everything when there is none.
    fn skip(&mut self, end: &str) {
        let to = self.rest.find(end).map_or(self.rest.len(), |at| at + end.len());
        self.rest = &self.rest[to..];
    }

    /// Takes the content of an opaque element and its end.
    fn skip_element(&mut self, name: &str) {
        let mut from = 0;
        while let Some(at) = self.rest[from..].find("</") {
            from += at + 2;
            let closes = self.rest.get(from..from + name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name));
            let ends = self.rest.as_bytes().get(from + name.len()).is_none_or(|b| !b.is_ascii_alphanumeric());
            if closes && ends {
                self.rest = &self.rest[from..];
                return self.skip(">");
            }
        }
        self.rest = "";
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let begins = self.rest.starts_with('<').then(|| self.rest.as_bytes().get(1).copied()).flatten();
            match begins {
                Some(b'!') if self.rest.starts_with("<!--") => self.skip("-->"),
                Some(b'!' | b'?') => self.skip(">"),
                Some(b'/') => {
                    let tag = &self.rest[2..];
                    let name = name(tag);
                    self.skip(">");
                    return Some(Piece::Close(name));
                }
                Some(b) if b.is_ascii_alphabetic() => {
                    let tag = &self.rest[1..];
                    let end = tag_end(tag);
                    let name = name(&tag[..end]);
                    let attributes = tag[name.len()..end].trim_end_matches('/');
                    self.rest = tag.get(end + 1..).unwrap_or_default();
                    if OPAQUE.iter().any(|o| o.eq_ignore_ascii_case(name)) && !tag[..end].ends_with('/') {
                        self.skip_element(name);
                        continue;
                    }
                    return Some(Piece::Open(name, attributes));
                }
                Some(_) | None => {
                    // A lone `<` is text.
                    let from = usize::from(self.rest.starts_with('<'));
                    let to = self.rest[from..].find('<').map_or(self.rest.len(), |at| at + from);
                    let (text, rest) = self.rest.split_at(to);
                    self.rest = rest;
                    return Some(Piece::Text(text));
                }
            }
        }
    }
}

/// The value of an attribute, its entities not yet read.
pub(crate) fn attribute<'a>(attributes: &'a str, wanted: &str) -> Option<&'a str> {
    let mut rest = attributes.trim_start();
    while !rest.is_empty() {
        let name_end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let name = &rest[..name_end];
        rest = rest[name_end..].trim_start();
        let Some(value) = rest.strip_prefix('=').map(str::trim_start) else {
            // An attribute without a value. It has a name, so that something is gone and the loop ends.
            continue;
        };
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            Some(_) | None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after.trim_start();
    }
    None
}

/// Whether one of the words of `class` is this one.
pub(crate) fn has_class(attributes: &str, class: &str) -> bool {
    attribute(attributes, "class").is_some_and(|classes| classes.split_whitespace().any(|c| c == class))
}

/// The text with its entities read. What is no known entity stays as it is.
pub(crate) fn decoded(text: &str) -> String {
    /// Longest entity that is known, in bytes.
    const LONGEST: usize = 10;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST).position(|b| b == b';');
        match end.and_then(|end| Some((entity(&rest[1..end])?, end))) {
            Some((c, end)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Entities by name that pages use in running text.
const ENTITIES: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("mdash", '—'),
    ("ndash", '–'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("bull", '•'),
    ("middot", '·'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("deg", '°'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("cent", '¢'),
    ("sect", '§'),
    ("para", '¶'),
    ("times", '×'),
    ("divide", '÷'),
    ("plusmn", '±'),
    ("minus", '−'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("frac34", '¾'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("micro", 'µ'),
    ("larr", '←'),
    ("rarr", '→'),
    ("uarr", '↑'),
    ("darr", '↓'),
    ("le", '≤'),
    ("ge", '≥'),
    ("ne", '≠'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("agrave", 'à'),
    ("aacute", 'á'),
    ("ccedil", 'ç'),
    ("ntilde", 'ñ'),
    ("oacute", 'ó'),
    ("iacute", 'í'),
    ("uacute", 'ú'),
    ("ecirc", 'ê'),
    ("acirc", 'â'),
    ("ocirc", 'ô'),
    ("aring", 'å'),
    ("aelig", 'æ'),
    ("oslash", 'ø'),
];

fn entity(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return ENTITIES.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

/// The letters and digits that a tag begins with.
fn name(tag: &str) -> &str {
    &tag[..tag.bytes().take_while(|b| b.is_ascii_alphanumeric()).count()]
}

/// Where a tag ends: the first `>` that is not within quotes; the end of the text when there is none.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    let mut is_value = false;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return at,
            (None, b'"' | b'\'') if is_value => quote = Some(byte),
            (None, _) => {}
        }
        is_value = byte == b'=' || (is_value && byte.is_ascii_whitespace());
    }
    tag.len()
}

#[cfg(test)]
mod tests {
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
}
