//! What the memory knows about one step, for whoever carries it out: what worked and failed with its tools on its inputs, and what
//! the person declared that concerns it.

use std::collections::BTreeSet;

use artoo_types::brief::{AdviceForce, MemoryAdvice};
use artoo_types::plan::StepAdvice;
use artoo_types::tag::fold;
use artoo_types::target::{Bases, planned_forms};

use super::PlanMemory;

/// Most lines that a step carries: what an executor can mind beside its criteria.
const MAX_KNOWN: usize = 6;
/// Characters of a word that is enough to tell that a fact concerns a step; shorter ones are in every sentence.
const TELLING_CHARS: usize = 4;

/// A step, as far as the memory can know something of it.
pub(in crate::planner) struct StepSubject<'a> {
    pub(in crate::planner) intent: &'a str,
    pub(in crate::planner) tools: &'a [String],
    pub(in crate::planner) targets: &'a [String],
}

impl PlanMemory {
    /// What is known about this step, its tools and inputs first.
    pub(in crate::planner) fn about_step(&self, step: &StepSubject<'_>, bases: Bases<'_>) -> Vec<StepAdvice> {
        let advice = self.advice();
        let (facts, experience): (Vec<&MemoryAdvice>, Vec<&MemoryAdvice>) =
            advice.iter().partition(|advice| advice.force == AdviceForce::Fact);
        let forms: BTreeSet<String> = step.targets.iter().flat_map(|t| planned_forms(t, bases)).collect();
        let of_step = experience.into_iter().filter(|advice| {
            advice.subject.as_ref().is_some_and(|subject| {
                step.tools.contains(&subject.class)
                    && (subject.target.is_empty() || forms.contains(&subject.target))
            })
        });
        let words = words(&format!("{} {}", step.intent, step.targets.join(" ")));
        let of_person = facts.into_iter().filter(|fact| !words.is_disjoint(&self::words(&fact.content)));
        let known = of_step.chain(of_person).take(MAX_KNOWN);
        known.map(|advice| StepAdvice { force: advice.force, content: advice.content.clone() }).collect()
    }
}

/// The words of a text that tell what it is about: longer ones, and each character of scripts without spaces with its
/// neighbour.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let mut words = BTreeSet::new();
    for part in folded.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        if part.is_ascii() {
            if part.len() >= TELLING_CHARS {
                words.insert(part.trim_end_matches('s').to_owned());
            }
        } else {
            let letters: Vec<char> = part.chars().collect();
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
    }
    words
}
