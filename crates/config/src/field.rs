//! What values a setting takes, together with the setter that puts them into their field.

use std::collections::BTreeMap;

use artoo_model::Secret;

use super::draft::ConfigDraft;
use super::value::{Value, ValueKind};

/// Largest weight of a term of the loss. Terms are within 0 and 1, so that only proportions matter; the bound keeps
/// every sum finite.
const WEIGHT_LIMIT: f64 = 1_000.0;
/// What values a setting takes, and where they are put. Made by the functions below alone, so that both fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) kind: ValueKind,
    put: Put,
}

/// Where a value is put.
#[derive(Debug, Clone, Copy)]
enum Put {
    Text(fn(&mut ConfigDraft, &str)),
    Switch(fn(&mut ConfigDraft, bool)),
    Number(fn(&mut ConfigDraft, f64)),
    Count(fn(&mut ConfigDraft, u64)),
    Headers(fn(&mut ConfigDraft, &BTreeMap<String, Secret>)),
    /// Into no field: it counts where a tier has no value of its own.
    Shared,
    /// Into no field: it is one of the ways to the key of its section.
    Key(KeyForm),
}

/// How a setting gives a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyForm {
    /// The key itself.
    Literal,
    /// The name of a file that holds it.
    File,
    /// A command that prints it.
    Command,
}

impl Field {
    /// How it gives the key of its section, if it does.
    pub(super) fn key_form(&self) -> Option<KeyForm> {
        match self.put {
            Put::Key(form) => Some(form),
            Put::Text(_)
            | Put::Switch(_)
            | Put::Number(_)
            | Put::Count(_)
            | Put::Headers(_)
            | Put::Shared => None,
        }
    }

    /// Puts a value that was checked with its kind where it belongs.
    pub(super) fn put(&self, draft: &mut ConfigDraft, value: &Value) {
        match (self.put, value) {
            (Put::Text(put), Value::Text(text)) => put(draft, text),
            (Put::Switch(put), Value::Text(word)) => put(draft, word == "true"),
            (Put::Number(put), Value::Number(number)) => put(draft, *number),
            (Put::Count(put), Value::Count(count)) => put(draft, *count),
            (Put::Headers(put), Value::Headers(fields)) => put(draft, fields),
            (Put::Shared | Put::Key(_), _) => {}
            (Put::Text(_) | Put::Switch(_) | Put::Number(_) | Put::Count(_) | Put::Headers(_), _) => {
                unreachable!("the functions that make a field pair each setter with the kind of its values")
            }
        }
    }
}

pub(super) const fn word(words: &'static [&'static str], put: fn(&mut ConfigDraft, &str)) -> Field {
    Field { kind: ValueKind::Word(words), put: Put::Text(put) }
}

pub(super) const fn switch(put: fn(&mut ConfigDraft, bool)) -> Field {
    Field { kind: ValueKind::Word(&["true", "false"]), put: Put::Switch(put) }
}

pub(super) const fn address(put: fn(&mut ConfigDraft, &str)) -> Field {
    Field { kind: ValueKind::Address, put: Put::Text(put) }
}

pub(super) const fn text(put: fn(&mut ConfigDraft, &str)) -> Field {
    Field { kind: ValueKind::Text, put: Put::Text(put) }
}

/// A number between 0 and 1.
pub(super) const fn unit(put: fn(&mut ConfigDraft, f64)) -> Field {
    Field { kind: ValueKind::Number(0.0, 1.0), put: Put::Number(put) }
}

/// The weight of a term of the loss.
pub(super) const fn weight(put: fn(&mut ConfigDraft, f64)) -> Field {
    Field { kind: ValueKind::Number(0.0, WEIGHT_LIMIT), put: Put::Number(put) }
}

pub(super) const fn count(least: u64, most: u64, put: fn(&mut ConfigDraft, u64)) -> Field {
    Field { kind: ValueKind::Count(least, most), put: Put::Count(put) }
}

/// Header fields.
pub(super) const fn headers(put: fn(&mut ConfigDraft, &BTreeMap<String, Secret>)) -> Field {
    Field { kind: ValueKind::Headers, put: Put::Headers(put) }
}

/// What counts where a tier has no value of its own.
pub(super) const fn shared(kind: ValueKind) -> Field {
    Field { kind, put: Put::Shared }
}

pub(super) const KEY: Field = Field { kind: ValueKind::Secret, put: Put::Key(KeyForm::Literal) };
pub(super) const KEY_FILE: Field = Field { kind: ValueKind::Text, put: Put::Key(KeyForm::File) };
pub(super) const KEY_COMMAND: Field = Field { kind: ValueKind::Text, put: Put::Key(KeyForm::Command) };

/// The words of a closed set of values.
pub(super) const fn words<T, const N: usize>(rows: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = rows[at].0;
        at += 1;
    }
    words
}

/// The value that a checked word stands for.
pub(super) fn of_word<T: Copy>(rows: &[(&str, T)], word: &str) -> T {
    let row = rows.iter().find(|row| row.0 == word);
    row.expect("a word is checked against the words of these rows").1
}
