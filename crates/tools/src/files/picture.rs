//! Pictures that a model is shown: how large they are, and where they are stored.

use std::io::Read;
use std::path::Path;

use artoo_types::evidence::ShownImage;
use artoo_types::tool::CallOutcome;

use crate::files::content::ContentKind;
use crate::files::walk::plain;
use crate::outputs;

/// Bytes of a picture that servers take.
const MAX_BYTES: u64 = 5 << 20;

/// Stores a picture and says what it is; the picture itself goes with the next prompt.
pub(crate) fn shown(
    file: impl Read,
    path: &str,
    kind: ContentKind,
    media_type: &str,
    artifacts: &Path,
) -> CallOutcome {
    let mut bytes = Vec::new();
    if let Err(error) = file.take(MAX_BYTES + 1).read_to_end(&mut bytes) {
        return CallOutcome::failed(format!("{path}: {}", plain(&error)));
    }
    let (name, size) = (kind.name, bytes.len() as u64);
    if size > MAX_BYTES {
        return CallOutcome::failed(format!(
            "{path} is {name} of more than {} MiB, too large to be shown: make a smaller copy in shell, or {}",
            MAX_BYTES >> 20,
            kind.advice
        ));
    }
    let handle = outputs::picture_name(&bytes);
    if let Err(error) = outputs::store_bytes(artifacts, &handle, &bytes) {
        return CallOutcome::failed(format!(
            "{path} is {name}, and could not be stored to be shown: {error}"
        ));
    }
    let pixels =
        pixels(&bytes).map_or_else(String::new, |(width, height)| format!("{width} x {height} pixels, "));
    let image = ShownImage { handle, media_type: media_type.to_owned(), bytes: size };
    CallOutcome {
        image: Some(Box::new(image)),
        ..CallOutcome::done(format!("{name}, {pixels}{size} bytes; it is shown to you\n"))
    }
}

/// Width and height, where the first bytes tell them: PNG, GIF and JPEG.
fn pixels(bytes: &[u8]) -> Option<(u32, u32)> {
    let big = |at: usize| Some(u32::from(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])));
    let little = |at: usize| Some(u32::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])));
    if bytes.starts_with(b"\x89PNG") {
        let whole = |at: usize| Some((big(at)? << 16) | big(at + 2)?);
        return Some((whole(16)?, whole(20)?));
    }
    if bytes.starts_with(b"GIF8") {
        return Some((little(6)?, little(8)?));
    }
    if !bytes.starts_with(b"\xff\xd8") {
        return None;
    }
    // Segments follow each other until the one that begins the picture: SOF0 to SOF15 but for three that are none.
    let mut at = 2;
    while *bytes.get(at)? == 0xff {
        let mark = *bytes.get(at + 1)?;
        if matches!(mark, 0xc0..=0xcf) && !matches!(mark, 0xc4 | 0xc8 | 0xcc) {
            return Some((big(at + 7)?, big(at + 5)?));
        }
        at += 2 + usize::try_from(big(at + 2)?).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::pixels;

    #[test]
    fn the_size_of_a_picture_stands_in_its_first_bytes() {
        let png =
            [b"\x89PNG\r\n\x1a\n".as_slice(), b"\0\0\0\rIHDR", &[0, 0, 2, 0x80, 0, 0, 1, 0xe0]].concat();
        let gif = [b"GIF89a".as_slice(), &[0x80, 2, 0xe0, 1]].concat();
        let jpeg =
            [b"\xff\xd8\xff\xe0".as_slice(), &[0, 4, 1, 2], b"\xff\xc0", &[0, 17, 8, 1, 0xe0, 2, 0x80]]
                .concat();
        for bytes in [&png, &gif, &jpeg] {
            assert_eq!(pixels(bytes), Some((640, 480)));
            for cut in 0..bytes.len() {
                assert!(pixels(&bytes[..cut]).is_none(), "{cut} bytes");
            }
        }
        assert_eq!(pixels(b"RIFF....WEBPVP8 "), None);
    }
}
