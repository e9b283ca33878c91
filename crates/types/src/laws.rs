//! The Four Laws and the persona: level T of the memory, and a few words in the prompts of those who plan and judge.
//!
//! `laws.txt` is the only place where they are written.

use uuid::Uuid;

use crate::Timestamp;
use crate::envelope::Role;
use crate::memory::{Level, Megram, state};
use crate::rate::Rate;
use crate::tag::Tag;

const TEXT: &str = include_str!("laws.txt");

/// The paragraph for prompts.
const IN_SHORT: &str = "in short";

/// Who wrote them.
pub const AUTHOR: &str = "artoo";

/// Who has the laws in its prompt: those who say what is meant, what is to be done, and what was reached.
const TOLD: [Role; 4] = [Role::Perceiver, Role::Planner, Role::AgentValidator, Role::MetaValidator];

/// The laws in few words, for the prompt of a role; None for a role that neither plans nor judges.
pub fn in_short(role: Role) -> Option<&'static str> {
    let told = TOLD.contains(&role);
    paragraphs().find(|(name, _)| told && *name == IN_SHORT).map(|(_, words)| words)
}

/// Where they are remembered.
pub fn tag() -> Tag {
    Tag::new("global:laws", "env:local")
}

/// When they were worded: 2026-11-22. The same in every home, so that what one exports is known in another.
const WORDED_AT: Timestamp = Timestamp(1_795_305_600_000);

/// The persona and the laws as they are remembered. The id of each depends on its words alone, so that remembering it again
/// changes nothing, and one that the operator forgot stays forgotten.
pub fn megrams() -> Vec<Megram> {
    let laws = paragraphs().filter(|(name, _)| *name != IN_SHORT);
    laws.map(|(name, words)| megram(&format!("{name}: {words}"))).collect()
}

fn megram(content: &str) -> Megram {
    Megram {
        id: Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("law|{content}").as_bytes()),
        level: Level::T,
        created_at: WORDED_AT,
        last_recalled_at: None,
        tag: tag(),
        content: content.to_owned(),
        state: state::LAW.to_owned(),
        f: 1.0,
        sigma: 1.0,
        k: Rate::Timeless,
        agent_id: AUTHOR.to_owned(),
        task_id: None,
        parents: Vec::new(),
        tainted: false,
        about: String::new(),
        failed: Default::default(),
    }
}

/// Name and words of each paragraph.
fn paragraphs() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.split("\n\n").filter_map(|paragraph| paragraph.trim().split_once(": "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_persona_and_four_laws_are_remembered_the_same_each_time() {
        let first = megrams();
        assert_eq!(first.len(), 5);
        assert!(first[0].content.starts_with("persona: artoo is"));
        for (number, law) in first[1..].iter().enumerate() {
            assert!(law.content.starts_with(&format!("law {number}: ")), "{}", law.content);
        }
        let ids: BTreeSet<Uuid> = first.iter().map(|law| law.id).collect();
        assert_eq!(ids.len(), 5);
        assert_eq!(ids, megrams().iter().map(|law| law.id).collect());
        assert!(
            first
                .iter()
                .all(|law| (law.level, law.k, law.agent_id.as_str()) == (Level::T, Rate::Timeless, "artoo"))
        );
    }

    #[test]
    fn who_plans_and_judges_is_told_the_laws_in_few_words() {
        for role in [Role::Perceiver, Role::Planner, Role::AgentValidator, Role::MetaValidator] {
            let words = in_short(role).expect("it is told");
            assert!(words.contains("never deceive") && words.len() < 300, "{words}");
        }
        assert_eq!(in_short(Role::Executor), None);
    }
}
