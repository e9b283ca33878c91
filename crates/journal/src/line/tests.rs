use super::{LineFault, LineHash, seal, unseal};

#[test]
fn a_sealed_line_has_the_documented_form() {
    let line = seal(r#"{"a":1}"#, LineHash::GENESIS).expect("an object");
    let crc = crc32fast::hash(br#"{"a":1,"prev":"0000000000000000"}"#);
    assert_eq!(line, format!(r#"{{"a":1,"prev":"0000000000000000","crc":"{crc:08x}"}}"#));
    let whole = unseal(line.as_bytes()).expect("a whole line");
    assert_eq!(whole.prev, LineHash::GENESIS);
    assert_eq!(whole.hash, LineHash::of(&line));
    assert_ne!(whole.hash, LineHash::GENESIS);
}

#[test]
fn a_known_hash() {
    // SHA-256 of the empty text starts with these digits (FIPS 180-4 test vector).
    assert_eq!(LineHash::of("").to_string(), "e3b0c44298fc1c14");
}

#[test]
fn every_changed_bit_is_seen() {
    let line = seal(r#"{"text":"grüße, 世界"}"#, LineHash::of("before")).expect("an object");
    for at in 0..line.len() {
        for bit in 0..8 {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            assert!(unseal(&bytes).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn every_cut_is_seen() {
    let line = seal(r#"{"a":"x"}"#, LineHash::GENESIS).expect("an object");
    for end in 0..line.len() {
        assert!(unseal(&line.as_bytes()[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn only_objects_with_fields_are_sealed() {
    for text in ["{}", "[1]", "1", ""] {
        assert_eq!(seal(text, LineHash::GENESIS), None, "{text}");
    }
    assert_eq!(unseal(br#"{"a":1}"#), Err(LineFault::NotSealed));
}
