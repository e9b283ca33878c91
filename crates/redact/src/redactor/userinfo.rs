//! The password in an address: `scheme://user:password@host`.

use super::Span;
use super::kind::SecretKind;

/// Most bytes between the scheme and the host that are looked at: some services want a whole token there.
const MAX_USERINFO: usize = 4_096;
/// Shorter ones are no passwords. It also bounds how much longer a text can become.
const MIN_PASSWORD: usize = 3;

/// The password after `://`, if there is one. What only stands for one is none.
pub(super) fn password(text: &[u8], anchor: Span) -> Option<Span> {
    let rest = &text[anchor.end..];
    let rest = &rest[..rest.len().min(MAX_USERINFO)];
    // The end of the authority (RFC 3986, section 3.2), or of the address in its surroundings.
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control() || b"/?#\"'`<>\\[]".contains(byte);
    let authority = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    let colon = authority[..at].iter().position(|byte| *byte == b':')?;
    let password = &authority[colon + 1..at];
    if password.len() < MIN_PASSWORD || stands_for_one(password) {
        return None;
    }
    let start = anchor.end + colon + 1;
    Some(Span { start, end: start + password.len(), kind: SecretKind::Password })
}

/// Whether it is the place of a password in a template, such as `${PASSWORD}`, `{password}`, `$DB_PASSWORD` or `***`.
fn stands_for_one(password: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    password.starts_with(b"{")
        || password.strip_prefix(b"$").is_some_and(|name| name.starts_with(b"{") || name.iter().all(is_name))
        || password.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'))
}
