//! A command line cut at its joints. What stands in quotation marks or in brackets of the shell is not looked into.

/// What joins a piece to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// Nothing: it is the first, or stands behind `;`, `&`, `||` or the end of a line.
    Other,
    /// `&&`.
    And,
    /// `|`.
    Pipe,
}

/// A piece of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandPiece<'a> {
    /// What joins it to the one before.
    pub(crate) joint: Joint,
    /// Its text, without blanks around it.
    pub(crate) text: &'a str,
}

/// The pieces, in order; empty ones are left out.
pub(crate) fn pieces(line: &str) -> Vec<CommandPiece<'_>> {
    let bytes = line.as_bytes();
    let (mut found, mut joint, mut from, mut at) = (Vec::new(), Joint::Other, 0, 0);
    let mut quote = None;
    let mut depth = 0_usize;
    while at < bytes.len() {
        let (byte, next) = (bytes[at], bytes.get(at + 1).copied());
        let mut length = 1;
        match (quote, byte) {
            (None | Some(b'"'), b'\\') => length = 2,
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'$') if next == Some(b'(') => {
                depth += 1;
                length = 2;
            }
            (None, b'(') if depth > 0 => depth += 1,
            (None, b')') => depth = depth.saturating_sub(1),
            // A stream is sent into another one: `2>&1`, `&>file`.
            (None, b'&') if at > 0 && bytes[at - 1] == b'>' || next == Some(b'>') => {}
            (None, b';' | b'\n' | b'&' | b'|') if depth == 0 => {
                let after = match (byte, next) {
                    (b'&', Some(b'&')) => Joint::And,
                    (b'|', Some(b'|')) => Joint::Other,
                    (b'|', _) => Joint::Pipe,
                    _ => Joint::Other,
                };
                length = if matches!(byte, b'&' | b'|') && next == Some(byte) { 2 } else { 1 };
                found.push(CommandPiece { joint, text: line[from..at].trim() });
                (joint, from) = (after, at + length);
            }
            (None, _) => {}
        }
        at += length;
    }
    found.push(CommandPiece { joint, text: line.get(from..).unwrap_or_default().trim() });
    found.retain(|piece| !piece.text.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::{Joint, pieces};

    #[test]
    fn a_line_is_cut_at_its_joints_and_nowhere_else() {
        let check = |line: &str, expected: &[(Joint, &str)]| {
            let found: Vec<(Joint, &str)> = pieces(line).iter().map(|p| (p.joint, p.text)).collect();
            assert_eq!(found, expected, "{line}");
        };
        check("a b", &[(Joint::Other, "a b")]);
        check(
            "cd x && a | tail -n 1",
            &[(Joint::Other, "cd x"), (Joint::And, "a"), (Joint::Pipe, "tail -n 1")],
        );
        check(
            "a 2>&1; b & c || d\ne",
            &[
                (Joint::Other, "a 2>&1"),
                (Joint::Other, "b"),
                (Joint::Other, "c"),
                (Joint::Other, "d"),
                (Joint::Other, "e"),
            ],
        );
        check("a 'x;y' \"p|q\" $(b; c) &>f", &[(Joint::Other, "a 'x;y' \"p|q\" $(b; c) &>f")]);
        check("a \\; b;", &[(Joint::Other, "a \\; b")]);
        check("è; 'ü", &[(Joint::Other, "è"), (Joint::Other, "'ü")]);
        check("a\\", &[(Joint::Other, "a\\")]);
    }
}
