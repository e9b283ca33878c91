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
