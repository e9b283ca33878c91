//! The word sets of the protocol are the words that our own enums are serialised as: no more and no fewer.

use artoo_gate::Decision;
use artoo_model::ProviderKind;
use artoo_model::probe::ProbeVerdict;
use artoo_protocol::words;
use artoo_types::control::{MacroState, Reason, Urgency};
use artoo_types::criteria::Verdict;
use artoo_types::evidence::EffectClass;
use artoo_types::form::{ColumnKind, RowLayout};
use artoo_types::memory::{Level, MemoryAction, Relatedness};
use artoo_types::outcome::{Denial, OutcomeStatus};
use artoo_types::plan::NoPlan;
use artoo_types::taint::Taint;
use artoo_types::undo::{TargetKind, UndoOutcome};
use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{Deserializer, Visitor};

/// Notes down the names of an enum's variants, in the place of reading one.
struct VariantNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for VariantNames<'_> {
    type Error = Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = variants;
        Err(serde::de::Error::custom("the names are enough"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("not an enum"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Panics if the set is not exactly the variants of the enum.
fn check<T: for<'de> Deserialize<'de>>(set: &[&str]) {
    let mut ours: &[&str] = &[];
    assert!(T::deserialize(VariantNames(&mut ours)).is_err());
    check_words(ours, set);
}

fn check_words(ours: &[&str], set: &[&str]) {
    assert_eq!(sorted(ours), sorted(set));
}

fn sorted<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

#[test]
fn every_word_set_is_that_of_its_enum() {
    check::<MacroState>(words::MacroState::WORDS);
    check::<Reason>(words::Reason::WORDS);
    check::<Urgency>(words::Urgency::WORDS);
    check::<NoPlan>(words::NoPlan::WORDS);
    check::<OutcomeStatus>(words::OutcomeStatus::WORDS);
    check::<Verdict>(words::Verdict::WORDS);
    check::<Denial>(words::Denial::WORDS);
    check::<EffectClass>(words::EffectClass::WORDS);
    check::<TargetKind>(words::TargetKind::WORDS);
    check::<UndoOutcome>(words::UndoOutcome::WORDS);
    check::<MemoryAction>(words::MemoryAction::WORDS);
    check::<Relatedness>(words::Relatedness::WORDS);
    check::<Level>(words::Level::WORDS);
    check::<RowLayout>(words::RowLayout::WORDS);
    check::<ColumnKind>(words::ColumnKind::WORDS);
    let decisions = [Decision::Safe, Decision::Confirm, Decision::Forbidden];
    check_words(&decisions.map(Decision::as_str), words::GateDecision::WORDS);
    check_words(&ProbeVerdict::WORDS.map(|(word, _)| word), words::ProbeVerdict::WORDS);
    check_words(&ProviderKind::WORDS.map(|(word, _)| word), words::Provider::WORDS);
    check_words(&(Taint::UNTRUSTED | Taint::PRIVATE.read(true)).words(), words::Taint::WORDS);
}
