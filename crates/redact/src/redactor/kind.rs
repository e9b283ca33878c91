//! What a secret is, in the words that stand in its place.

/// What was taken out of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// A key for a service.
    ApiKey,
    /// A token, of which holding it is enough.
    Token,
    /// A password, or the part of an address that is one.
    Password,
    /// A private key.
    PrivateKey,
    /// The content of `confirm.token`.
    Confirmation,
    /// A value that is known to be secret and not what for.
    Other,
}

impl SecretKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 6] =
        [Self::ApiKey, Self::Token, Self::Password, Self::PrivateKey, Self::Confirmation, Self::Other];

    /// What stands in the place of a secret. It holds no character that has to be escaped in JSON, so that JSON with a
    /// secret in a string stays JSON.
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::ApiKey => "[redacted: api key]",
            Self::Token => "[redacted: token]",
            Self::Password => "[redacted: password]",
            Self::PrivateKey => "[redacted: private key]",
            Self::Confirmation => "[redacted: confirmation token]",
            Self::Other => "[redacted: secret]",
        }
    }

    /// Whether a text holds a placeholder: it was read where a secret stands.
    pub fn stands_in(text: &str) -> bool {
        Self::ALL.iter().any(|kind| text.contains(kind.placeholder()))
    }

    /// What the value of an environment variable is, when the variable's name says that it is secret.
    pub fn of_variable(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        VARIABLES.iter().find(|(place, part, _)| place.holds(&name, part)).map(|(_, _, kind)| *kind)
    }
}

/// Where in a name a part counts.
#[derive(Debug, Clone, Copy)]
enum PartPosition {
    Anywhere,
    Last,
}

impl PartPosition {
    fn holds(self, name: &str, part: &str) -> bool {
        match self {
            Self::Anywhere => name.contains(part),
            Self::Last => name.strip_suffix(part).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')),
        }
    }
}

/// Parts of names of environment variables that hold secrets. The first that applies counts. `KEY` and `TOKEN` count
/// only as the last word: `KEYBOARD` and `TOKENIZERS_PARALLELISM` are no secrets.
const VARIABLES: &[(PartPosition, &str, SecretKind)] = &[
    (PartPosition::Anywhere, "PASSWORD", SecretKind::Password),
    (PartPosition::Anywhere, "PASSWD", SecretKind::Password),
    (PartPosition::Anywhere, "PASSPHRASE", SecretKind::Password),
    (PartPosition::Anywhere, "PRIVATE_KEY", SecretKind::PrivateKey),
    (PartPosition::Anywhere, "APIKEY", SecretKind::ApiKey),
    (PartPosition::Last, "KEY", SecretKind::ApiKey),
    (PartPosition::Last, "TOKEN", SecretKind::Token),
    (PartPosition::Anywhere, "SECRET", SecretKind::Other),
    (PartPosition::Anywhere, "CREDENTIAL", SecretKind::Other),
];
