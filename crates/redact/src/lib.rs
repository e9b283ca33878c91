//! Taking secrets and unseen characters out of text.
//!
//! This crate exists so that the words of artoo (`artoo-types`) and the search for secrets build and change apart. It
//! sees no other crate of ours: it knows texts, and nothing of where they come from. Start with [`Redactor`].

mod redactor;
pub mod sanitise;
mod secret;

pub use redactor::{KnownSecret, MIN_SECRET, Redactor, SecretKind};
pub use secret::Secret;
