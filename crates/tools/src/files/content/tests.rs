use super::{KINDS, binary};

#[test]
fn every_kind_is_recognised_by_its_mark() {
    for kind in KINDS {
        let mut start = vec![b' '; kind.at];
        start.extend_from_slice(kind.mark);
        start.extend_from_slice(b"rest");
        assert_eq!(binary(&start).map(|found| found.name), Some(kind.name));
        assert_eq!(binary(&start[..kind.at + kind.mark.len() - 1]).map(|found| found.name), other(kind.name));
    }
}

/// The two marks of which a shorter one is the beginning, and those that hold a zero byte.
fn other(name: &str) -> Option<&'static str> {
    match name {
        "UTF-32 text" => Some("UTF-16 text"),
        "a WebAssembly module" => Some("of no known kind"),
        _ => None,
    }
}

#[test]
fn text_is_text() {
    for text in [
        "",
        "PK",
        "plain",
        "%PD",
        "naïve",
        "#!/bin/sh\n",
        "\u{feff}with a mark",
        "ID3 tags",
        "BZh is how bzip2 begins",
        "The new WAVE of",
        "Save as WEBP",
    ] {
        assert_eq!(binary(text.as_bytes()), None, "{text}");
    }
    assert_eq!(binary(b"caf\xe9\n"), None, "Latin-1 is text");
    assert_eq!(binary(b"a\0b").map(|kind| kind.name), Some("of no known kind"));
    let mut late = vec![b'a'; super::SNIFFED_BYTES];
    late.push(0);
    assert_eq!(binary(&late), None);
}
