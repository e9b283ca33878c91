//! What the first bytes of a file say about it.

/// Bytes at the start that are looked at.
pub(crate) const SNIFFED_BYTES: usize = 8 << 10;

/// One kind of content that is no plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContentKind {
    /// Where its mark stands, in bytes from the start.
    at: usize,
    mark: &'static [u8],
    /// What it is, with its article.
    pub(crate) name: &'static str,
    /// What to do instead of reading it as text.
    pub(crate) advice: &'static str,
    /// For a picture that models are shown: its media type.
    pub(crate) shown_as: Option<&'static str>,
}

const fn kind(at: usize, mark: &'static [u8], name: &'static str, advice: &'static str) -> ContentKind {
    ContentKind { at, mark, name, advice, shown_as: None }
}

const fn picture(
    at: usize,
    mark: &'static [u8],
    name: &'static str,
    media_type: &'static str,
) -> ContentKind {
    ContentKind { shown_as: Some(media_type), ..kind(at, mark, name, IMAGE) }
}

const IMAGE: &str = "ask shell with file about its dimensions";
const PACKED: &str = "list what is in it with tar -tf in shell";
const PROGRAM: &str = "ask shell with file or strings about it";
const MEDIA: &str = "ask shell with file or ffprobe about it";

/// The kinds whose mark is long enough not to begin a text. Source: the table of `file`.
const KINDS: &[ContentKind] = &[
    picture(0, b"\x89PNG\r\n\x1a\n", "a PNG image", "image/png"),
    picture(0, b"\xff\xd8\xff", "a JPEG image", "image/jpeg"),
    picture(0, b"GIF87a", "a GIF image", "image/gif"),
    picture(0, b"GIF89a", "a GIF image", "image/gif"),
    picture(8, b"WEBPVP8", "a WebP image", "image/webp"),
    kind(
        0,
        b"%PDF-",
        "a PDF document",
        "get its text with pdftotext FILE - in shell, where that is installed",
    ),
    kind(
        0,
        b"PK\x03\x04",
        "a ZIP archive, as office documents are",
        "list what is in it with unzip -l in shell",
    ),
    kind(0, b"\x1f\x8b\x08", "gzip-compressed data", "read it with zcat in shell"),
    kind(4, b"1AY&SY", "bzip2-compressed data", "read it with bzcat in shell"),
    kind(0, b"\xfd7zXZ\x00", "xz-compressed data", "read it with xzcat in shell"),
    kind(0, b"\x28\xb5\x2f\xfd", "zstd-compressed data", "read it with zstdcat in shell"),
    kind(0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "ask shell with file about it"),
    kind(257, b"ustar", "a tar archive", PACKED),
    kind(0, b"\x7fELF", "a program (ELF)", PROGRAM),
    kind(0, b"\xcf\xfa\xed\xfe", "a program (Mach-O)", PROGRAM),
    kind(0, b"\xca\xfe\xba\xbe", "a program (Mach-O or Java class)", PROGRAM),
    kind(0, b"\x00asm", "a WebAssembly module", PROGRAM),
    kind(0, b"SQLite format 3\x00", "a SQLite database", "ask shell with sqlite3 -readonly FILE .tables"),
    kind(0, b"bplist00", "a binary property list", "read it with plutil -p in shell"),
    kind(0, b"OggS", "an Ogg recording", MEDIA),
    kind(0, b"fLaC", "a FLAC recording", MEDIA),
    kind(0, b"ID3\x02", "an MP3 recording", MEDIA),
    kind(0, b"ID3\x03", "an MP3 recording", MEDIA),
    kind(0, b"ID3\x04", "an MP3 recording", MEDIA),
    kind(8, b"WAVEfmt ", "a WAV recording", MEDIA),
    kind(4, b"ftyp", "an MP4 or QuickTime recording, or a HEIC image", MEDIA),
    kind(0, b"\x1a\x45\xdf\xa3", "a Matroska or WebM recording", MEDIA),
    kind(0, b"\xff\xfe\x00\x00", "UTF-32 text", "read it with iconv -f UTF-32 -t UTF-8 in shell"),
    kind(0, b"\xff\xfe", "UTF-16 text", "read it with iconv -f UTF-16 -t UTF-8 in shell"),
    kind(0, b"\xfe\xff", "UTF-16 text", "read it with iconv -f UTF-16 -t UTF-8 in shell"),
];

/// What stands for the rest: there is a zero byte near the start.
const UNKNOWN: ContentKind =
    kind(0, b"", "of no known kind", "ask shell with file, stat or sha256sum about it");

/// The kind of a file that is not text, from its first bytes; `None` for text, whatever its encoding.
pub(crate) fn binary(start: &[u8]) -> Option<ContentKind> {
    let start = &start[..start.len().min(SNIFFED_BYTES)];
    let has = |kind: &&ContentKind| start.get(kind.at..).is_some_and(|rest| rest.starts_with(kind.mark));
    KINDS.iter().find(has).copied().or_else(|| start.contains(&0).then_some(UNKNOWN))
}

#[cfg(test)]
mod tests {
    use super::{KINDS, binary};

    #[test]
    fn every_kind_is_recognised_by_its_mark() {
        for kind in KINDS {
            let mut start = vec![b' '; kind.at];
            start.extend_from_slice(kind.mark);
            start.extend_from_slice(b"rest");
            assert_eq!(binary(&start).map(|found| found.name), Some(kind.name));
            assert_eq!(
                binary(&start[..kind.at + kind.mark.len() - 1]).map(|found| found.name),
                other(kind.name)
            );
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
}
