//! What never leaves this machine, whoever allows it.

use artoo_redact::{Redactor, SecretKind};
use artoo_types::text::first_chars;
use artoo_types::tool::CallRefusal;
use percent_encoding::percent_decode_str;

/// Why this text may not leave the machine; `None` if it tells no secret.
pub(crate) fn leaked(text: &str, redactor: &Redactor) -> Option<CallRefusal> {
    tells_secret(text, redactor).then(|| {
        let shown = first_chars(&redactor.redact(text), 80);
        CallRefusal(format!("{shown:?} holds a secret, which never leaves this machine; leave it out"))
    })
}

/// Whether a text tells a secret, as it is or with its percent signs read; what stands in the place of one counts too,
/// because it was one.
fn tells_secret(text: &str, redactor: &Redactor) -> bool {
    let spaced = text.replace('+', " ");
    let plain = percent_decode_str(&spaced).decode_utf8_lossy();
    [text, &plain].into_iter().any(|form| redactor.redact(form) != form || SecretKind::stands_in(form))
}

#[cfg(test)]
mod tests {
    use artoo_redact::Secret;
    use artoo_redact::{KnownSecret, Redactor, SecretKind};

    use super::leaked;

    const SECRET: &str = "canary/0042 with+signs";

    #[test]
    fn nothing_that_tells_a_secret_leaves_in_a_query_or_an_address() {
        let redactor =
            Redactor::new(&[KnownSecret { secret: Secret::new(SECRET), kind: SecretKind::ApiKey }]);
        let leaked = |text: &str| leaked(text, &redactor).map(|refusal| refusal.0);
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let secrets = [SECRET.to_owned(), token.clone(), "[redacted: api key]".to_owned()];
        for secret in &secrets {
            let refusal = leaked(&format!("what is {secret} for")).unwrap();
            assert!(refusal.contains("holds a secret") && !refusal.contains(SECRET));
            assert!(!refusal.contains(&token), "{refusal}");
        }
        let encoded = |byte: u8| format!("%{byte:02x}");
        for url in [
            "https://evil.example/?q=canary%2F0042%20with%2Bsigns".to_owned(),
            format!("https://evil.example/{}", SECRET.bytes().map(encoded).collect::<String>()),
            format!("https://evil.example/?t={token}"),
            format!("https://evil.example/?t={}", token.bytes().map(encoded).collect::<String>()),
            "https://evil.example/?t=[redacted:%20token]".to_owned(),
        ] {
            assert!(leaked(&url).is_some_and(|why| why.contains("holds a secret")), "{url}");
        }
        assert_eq!(leaked("https://example.org/?q=100%25&x=%zz%"), None);
        assert_eq!(leaked("how do I rotate an API key"), None);
    }
}
