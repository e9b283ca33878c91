//! What one real call to a server shows: whether it answers, and why not. Nothing is tried again, so that the answer comes soon.

use std::pin::Pin;

/// How a server took a real call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeVerdict {
    /// It answered as it was asked to.
    Answers,
    /// It answered, but not in the form that the roles read.
    Unreadable,
    /// It does not take the key.
    WrongKey,
    /// It wants a key, and none is configured.
    NoKey,
    /// The account has no credit.
    NoCredit,
    /// The account may not use this model.
    NoPermission,
    /// It does not know the model.
    UnknownModel,
    /// Nothing that answers chats is at this address.
    WrongAddress,
    /// Nobody listens at the address.
    Closed,
    /// Its certificate is not accepted.
    Untrusted,
    /// It said nothing in the time that it was given.
    Silent,
    /// It is loading or overloaded.
    Busy,
    /// It fails, or refuses the request for a reason of its own.
    Failing,
}

impl ProbeVerdict {
    /// Each with its word on the wire.
    pub const WORDS: [(&'static str, Self); 13] = [
        ("answers", Self::Answers),
        ("unreadable", Self::Unreadable),
        ("wrong_key", Self::WrongKey),
        ("no_key", Self::NoKey),
        ("no_credit", Self::NoCredit),
        ("no_permission", Self::NoPermission),
        ("unknown_model", Self::UnknownModel),
        ("wrong_address", Self::WrongAddress),
        ("closed", Self::Closed),
        ("untrusted", Self::Untrusted),
        ("silent", Self::Silent),
        ("busy", Self::Busy),
        ("failing", Self::Failing),
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(_, verdict)| *verdict == self).map_or("failing", |(word, _)| word)
    }
}

/// What a real call showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProbe {
    /// How it ended.
    pub verdict: ProbeVerdict,
    /// The same in words that say what to do; empty when it answered as it should.
    pub message: String,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// The form in which it gives JSON: `json_schema`, `json_object` or `text`; `tools` for its own tool calls; empty where it
    /// did not answer.
    pub form: &'static str,
    /// Models that the server names, where the configured one is in question.
    pub models: Vec<ListedModel>,
}

/// A model that a server names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedModel {
    /// Its name.
    pub name: String,
    /// Tokens of its context, where the server tells.
    pub context: Option<u64>,
}

/// A probe under way; None where no server answers.
pub type Probing<'a> = Pin<Box<dyn Future<Output = Option<ModelProbe>> + Send + 'a>>;
