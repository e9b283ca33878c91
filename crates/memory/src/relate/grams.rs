//! How alike two requests look: the cosine of their character n-grams.

use super::lexicon::WordClass;
use super::pieces::is_han;
use super::reading::ParsedRequest;

/// Weight of an n-gram of a verb against one of a thing: verbs are few and say little about likeness.
const VERB_WEIGHT: f64 = 0.5;
/// Weight of a single Chinese character against a pair of them (Kwok 1997, Nie and Ren 1999: both together find most).
const SINGLE_WEIGHT: f64 = 0.5;

/// The n-grams of a request with their weights, ordered, of length 1 as a vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Grams(Vec<(u64, f64)>);

impl Grams {
    /// Trigrams of `^word$` for Latin words; single characters and pairs for Chinese ones.
    pub(super) fn of(said: &ParsedRequest) -> Self {
        if said.things.is_empty() && said.only_asks() {
            // Nothing is asked for.
            return Self::default();
        }
        let verbs = said.verbs.iter().map(|verb| (verb.as_str(), VERB_WEIGHT));
        let things = said.things.iter().map(|(thing, class)| (thing.as_str(), weight(*class)));
        let mut grams: Vec<(u64, f64)> = Vec::new();
        for (word, weight) in verbs.chain(things) {
            add(&mut grams, word, weight);
        }
        grams.sort_by_key(|gram| gram.0);
        grams.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        let length = grams.iter().map(|gram| gram.1 * gram.1).sum::<f64>().sqrt();
        if length > 0.0 {
            grams.iter_mut().for_each(|gram| gram.1 /= length);
        }
        Self(grams)
    }

    /// The cosine, between 0 and 1.
    pub(super) fn cosine(&self, other: &Self) -> f64 {
        let (mut a, mut b) = (self.0.as_slice(), other.0.as_slice());
        let mut sum = 0.0;
        while let (Some((first, rest)), Some((second, others))) = (a.split_first(), b.split_first()) {
            match first.0.cmp(&second.0) {
                std::cmp::Ordering::Less => a = rest,
                std::cmp::Ordering::Greater => b = others,
                std::cmp::Ordering::Equal => {
                    sum += first.1 * second.1;
                    (a, b) = (rest, others);
                }
            }
        }
        sum.clamp(0.0, 1.0)
    }
}

/// Rare words say more than those that every request has. Without a corpus the class stands for how rare a word is.
fn weight(class: WordClass) -> f64 {
    match class {
        WordClass::Open | WordClass::Place | WordClass::Number | WordClass::Time | WordClass::Superlative => {
            1.2
        }
        WordClass::Noun
        | WordClass::Quality
        | WordClass::Kind
        | WordClass::Done
        | WordClass::Compare
        | WordClass::Negation => 1.0,
        WordClass::Aspect
        | WordClass::Verb
        | WordClass::Task
        | WordClass::Count
        | WordClass::Counted
        | WordClass::Unit => 0.8,
        WordClass::Stop
        | WordClass::Prep
        | WordClass::Next
        | WordClass::Soft
        | WordClass::Mark
        | WordClass::Measure => 0.0,
    }
}

fn add(grams: &mut Vec<(u64, f64)>, word: &str, weight: f64) {
    if word.chars().any(is_han) {
        let chars: Vec<char> = word.chars().collect();
        grams.extend(chars.iter().map(|c| (hash(&[*c]), weight * SINGLE_WEIGHT)));
        grams.extend(chars.windows(2).map(|pair| (hash(pair), weight)));
    } else {
        let chars: Vec<char> = ['^'].into_iter().chain(word.chars()).chain(['$']).collect();
        grams.extend(chars.windows(3).map(|three| (hash(three), weight)));
    }
}

/// At most three characters of 21 bits each: no two n-grams share a number.
fn hash(chars: &[char]) -> u64 {
    chars.iter().fold(0, |hash, c| (hash << 21) | u64::from(u32::from(*c)))
}
