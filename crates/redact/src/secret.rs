//! A value that may be used and not shown.

use std::fmt;

/// A key, a token or a password. Its `Debug` form does not hold it, and it has no other text form.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Keeps the secret; white space around it, such as a file's last line break, is no part of it.
    pub fn new(secret: &str) -> Self {
        Self(secret.trim().to_owned())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The secret itself: for the header that carries it, the comparison that needs it, and the redactor that looks for
    /// it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_empty() { "Secret(none)" } else { "Secret(***)" })
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_is_in_no_debug_form() {
        let secret = Secret::new(" sk-hidden\n");
        let shown = format!("{secret:?} {secret:#?} {:?}", Some(&secret));
        assert!(!shown.contains("hidden") && shown.contains("Secret(***)"), "{shown}");
        assert_eq!(secret.expose(), "sk-hidden", "a line break is no part of a key");
        assert_eq!(format!("{:?}", Secret::new("  ")), "Secret(none)");
    }
}
