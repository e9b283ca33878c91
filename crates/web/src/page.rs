//! A page as text that can be read: its title, its words with line breaks where a browser has them, and its links.

use reqwest::Url;

use super::html::{Piece, Pieces, attribute, decoded};

/// Links that are listed below the text.
const MAX_LINKS: usize = 200;

/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
    "tr",
    "ul",
];

/// The page as text. Links are numbered where they stand and listed below, absolute.
pub(crate) fn text(html: &str, base: &Url) -> String {
    let mut page = Page::default();
    for piece in Pieces::of(html) {
        page.take(piece, base);
    }
    page.finish()
}

#[derive(Debug, Default)]
struct Page {
    title: String,
    in_title: bool,
    /// Depth of `<pre>`: there white space is kept.
    pre: usize,
    text: String,
    /// The number of the link that is open.
    link: Option<usize>,
    links: Vec<String>,
}

impl Page {
    fn take(&mut self, piece: Piece<'_>, base: &Url) {
        match piece {
            Piece::Text(text) if self.in_title => self.title.push_str(&decoded(text)),
            Piece::Text(text) => self.words(&decoded(text)),
            Piece::Open(name, attributes) => self.open(&name.to_ascii_lowercase(), attributes, base),
            Piece::Close(name) => self.close(&name.to_ascii_lowercase()),
        }
    }

    fn open(&mut self, name: &str, attributes: &str, base: &Url) {
        match name {
            "title" => self.in_title = self.title.is_empty(),
            "br" => self.text.push('\n'),
            "a" => {
                self.link = attribute(attributes, "href").and_then(|href| self.number(&decoded(href), base));
            }
            "img" => {
                if let Some(alt) = attribute(attributes, "alt").filter(|alt| !alt.trim().is_empty()) {
                    self.words(&format!(" [image: {}] ", decoded(alt).trim()));
                }
            }
            "td" | "th" if !self.text.ends_with('\n') && !self.text.is_empty() => self.text.push_str(" | "),
            name if BLOCKS.contains(&name) => {
                self.line();
                self.pre += usize::from(name == "pre");
                match name {
                    "li" => self.text.push_str("- "),
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                        self.text.push('\n');
                        let level = usize::from(name.as_bytes()[1] - b'0');
                        self.text.push_str(&"#".repeat(level));
                        self.text.push(' ');
                    }
                    "p" => self.text.push('\n'),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "title" => self.in_title = false,
            "a" => {
                if let Some(number) = self.link.take() {
                    self.text.push_str(&format!(" [{number}]"));
                }
            }
            name if BLOCKS.contains(&name) => {
                self.pre = self.pre.saturating_sub(usize::from(name == "pre"));
                self.line();
            }
            _ => {}
        }
    }

    /// Words with runs of white space as one space, except where it is kept.
    fn words(&mut self, text: &str) {
        if self.pre > 0 {
            self.text.push_str(text);
            return;
        }
        for c in text.chars() {
            if !c.is_whitespace() {
                self.text.push(c);
            } else if !self.text.ends_with([' ', '\n']) && !self.text.is_empty() {
                self.text.push(' ');
            }
        }
    }

    fn line(&mut self) {
        while self.text.ends_with(' ') {
            self.text.pop();
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The number of a link of the web, from 1; `None` for others, and for those that are too many.
    fn number(&mut self, href: &str, base: &Url) -> Option<usize> {
        if href.trim_start().starts_with('#') {
            return None;
        }
        let mut url = base.join(href.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        url.set_fragment(None);
        if let Some(at) = self.links.iter().position(|known| known == url.as_str()) {
            return Some(at + 1);
        }
        if self.links.len() == MAX_LINKS {
            return None;
        }
        self.links.push(url.into());
        Some(self.links.len())
    }

    fn finish(self) -> String {
        let mut out = String::new();
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if !title.is_empty() {
            out.push_str(&format!("Title: {title}\n\n"));
        }
        let mut empty = 1;
        for line in self.text.lines().map(str::trim_end) {
            empty = if line.trim().is_empty() { empty + 1 } else { 0 };
            // One empty line sets apart as much as many.
            if empty <= 1 {
                out.push_str(line);
                out.push('\n');
            }
        }
        if !self.links.is_empty() {
            out.push_str("\nLinks:\n");
            for (at, link) in self.links.iter().enumerate() {
                out.push_str(&format!("[{}] {link}\n", at + 1));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::text;

    fn check(html: &str, expected: &str) {
        let base = Url::parse("https://example.org/dir/page").unwrap();
        assert_eq!(text(html, &base), expected, "{html}");
    }

    #[test]
    fn a_page_becomes_title_text_and_links() {
        check(
            "<html><head><title> A\n Page </title><style>p{}</style></head><body><h1>Head</h1>\n<p>One  two\nthree &amp; \
             <b>four</b>.<p>Five<br>six <a href='/x?a=1&amp;b=2#f'>here</a> and <a href=\"other\">there</a>, \
             <a href=/x?a=1&b=2>again</a>.</p><ul><li>a<li>b</ul><script>alert(1)</script></body></html>",
            "Title: A Page\n\n# Head\n\nOne two three & four.\n\nFive\nsix here [1] and there [2], again [1].\n- a\n- b\n\n\
             Links:\n[1] https://example.org/x?a=1&b=2\n[2] https://example.org/dir/other\n",
        );
    }

    #[test]
    fn tables_code_and_pictures_can_be_read() {
        check(
            "<table><tr><th>a<th>b<tr><td>1</td><td>2</td></table><pre>x\n  y</pre><img alt=\"a cat\" src=c.png>",
            "a | b\n1 | 2\nx\n  y\n[image: a cat]\n",
        );
    }

    #[test]
    fn links_that_are_not_of_the_web_are_left_out() {
        check(
            "<a href='javascript:x()'>a</a> <a href='mailto:a@b'>b</a> <a href='#top'>c</a> <a>d</a> <a href='file:///x'>e</a>",
            "a b c d e\n",
        );
    }

    #[test]
    fn broken_pages_still_give_their_words() {
        check("words <b>and <i>more", "words and more\n");
        check("", "");
        check("<title>only", "Title: only\n\n");
        check("<div>a</div></div></p>b", "a\nb\n");
    }
}
