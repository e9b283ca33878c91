//! Reading what models write a little beside the form: the meaning is plain, and a repair would cost a call.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected};
use serde::{Deserialize, de};

use crate::form::OutputForm;

/// A whole number, also as text (`"2"`) or with a point (`2.0`).
pub(crate) fn number<'de, D: Deserializer<'de>, T: TryFrom<u64>>(reader: D) -> Result<T, D::Error> {
    struct NumberVisitor;
    impl de::Visitor<'_> for NumberVisitor {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number from 0, such as 2")
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
            Ok(value)
        }

        fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
            u64::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
        }

        fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
            let whole = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
            if whole { Ok(value as u64) } else { Err(E::invalid_value(Unexpected::Float(value), &self)) }
        }

        fn visit_str<E: Error>(self, value: &str) -> Result<u64, E> {
            value.trim().parse().map_err(|_| E::invalid_value(Unexpected::Str(value), &self))
        }
    }
    let value = reader.deserialize_any(NumberVisitor)?;
    T::try_from(value).map_err(|_| D::Error::custom(format!("{value} is too large")))
}

/// The same where it may be left out.
pub(crate) fn maybe_number<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<usize>, D::Error> {
    #[derive(Deserialize)]
    struct Whole(#[serde(deserialize_with = "number")] usize);
    Ok(Option::<Whole>::deserialize(reader)?.map(|whole| whole.0))
}

/// A word or a number as text; anything else is as good as left out.
pub(crate) fn maybe_word<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let value = serde_json::Value::deserialize(reader)?;
    let word = match value {
        serde_json::Value::String(word) => word.trim().to_owned(),
        serde_json::Value::Number(number) => number.to_string(),
        serde_json::Value::Array(list) => match list.as_slice() {
            [serde_json::Value::String(word)] => word.trim().to_owned(),
            _ => String::new(),
        },
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Object(_) => String::new(),
    };
    Ok(Some(word).filter(|word| !word.is_empty()))
}

/// The form of an output; anything that is none is as good as left out.
pub(crate) fn maybe_form<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<OutputForm>, D::Error> {
    Ok(serde_json::from_value(serde_json::Value::deserialize(reader)?).ok())
}

/// A list, also as the one thing that would be in it, or null for none.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(reader: D) -> Result<Vec<T>, D::Error> {
    struct ListVisitor<T>(std::marker::PhantomData<T>);
    impl<'de, T: Deserialize<'de>> de::Visitor<'de> for ListVisitor<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list, such as [\"...\"]")
        }

        fn visit_unit<E: Error>(self) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_str<E: Error>(self, value: &str) -> Result<Vec<T>, E> {
            T::deserialize(de::value::StrDeserializer::new(value)).map(|one| vec![one])
        }

        fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
            T::deserialize(de::value::MapAccessDeserializer::new(map)).map(|one| vec![one])
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                list.push(item);
            }
            Ok(list)
        }
    }
    reader.deserialize_any(ListVisitor(std::marker::PhantomData))
}

/// Yes or no, also as text.
pub(crate) fn truth<'de, D: Deserializer<'de>>(reader: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TruthReply {
        Plain(bool),
        Text(String),
        Missing(()),
    }
    Ok(match TruthReply::deserialize(reader)? {
        TruthReply::Plain(value) => value,
        TruthReply::Text(text) => text.trim().eq_ignore_ascii_case("true"),
        TruthReply::Missing(()) => false,
    })
}
