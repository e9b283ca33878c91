//! The words of a rule, from the evidence that made it one.

use artoo_types::brief::{Brief, RuleBrief};
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::envelope::Role;
use artoo_types::limits::PromptLimits;
use artoo_types::memory::Megram;
use artoo_types::reply::{RuleKind, SchemaName, SopReply};
use artoo_types::tag::Tag;
use artoo_types::text::first_chars;

use super::{CheckedAsker, CheckedOutcome, Effect, one_plain_line};
use crate::ask::Asker;
use crate::prompt::{Prompt, Sections, one_line};

/// Longest rule, in characters: what a planner reads in one breath.
pub const RULE_CHARS: usize = 600;
/// Longest statement of when it applies.
const CONDITIONS_CHARS: usize = 200;
/// Memories that the model sees, heaviest first, and characters of each: a prompt of some thousand tokens.
const EVIDENCE: usize = 12;
const EVIDENCE_CHARS: usize = 600;

/// A cluster of memories that has become a rule, and lacks its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// What they are about.
    pub tag: Tag,
    /// What the rule will be: the law of the memory has decided that by the sign of the evidence.
    pub kind: RuleKind,
    /// The evidence, heaviest first.
    pub evidence: Vec<Megram>,
}

/// The words of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleWords {
    /// One line of 1 to [`RULE_CHARS`] characters.
    pub rule: String,
    /// Whether a model found them; else they are the heaviest memory's own.
    pub by_model: bool,
}

/// Finds the words for one rule.
#[derive(Debug, Clone)]
pub struct Distiller {
    cluster: Cluster,
    question: CheckedAsker,
}

impl Distiller {
    /// For this cluster.
    pub fn new(cluster: Cluster) -> Self {
        let system = include_str!("rule.md").trim_ascii_end();
        let asker = Asker::new(Role::Memory, Tier::Brain, SchemaName::Sop, system);
        Self { cluster, question: CheckedAsker { asker } }
    }

    /// The question.
    pub fn ask(&mut self) -> ChatRequest {
        let Cluster { tag, kind, evidence } = &self.cluster;
        let evidence = evidence.iter().take(EVIDENCE).cloned().collect();
        self.question.ask(RuleBrief { kind: *kind, tag: tag.clone(), evidence })
    }

    /// Takes the end of a call. There are always words in the end: without a usable reply those of the evidence.
    pub fn hear(&mut self, outcome: ModelOutcome) -> Effect<RuleWords> {
        let kind = self.cluster.kind;
        match self.question.hear(outcome, |reply| check(kind, &reply)) {
            CheckedOutcome::AskAgain(request) => Effect::AskModel(request),
            CheckedOutcome::Checked(rule) => Effect::Conclude(RuleWords { rule, by_model: true }),
            CheckedOutcome::Nothing => Effect::Conclude(self.without_model()),
        }
    }

    /// The words without a model: what the heaviest memory of the rule's sign says.
    pub fn without_model(&self) -> RuleWords {
        let Cluster { tag, kind, evidence } = &self.cluster;
        let speaks_for_it = |m: &&Megram| match kind {
            RuleKind::BestPractice => m.sigma > 0.0,
            RuleKind::Constraint => m.sigma < 0.0,
        };
        let said = evidence.iter().find(speaks_for_it).map(|m| one_line(&m.content)).unwrap_or_default();
        let said = if said.trim().is_empty() { format!("{} {}", tag.space, tag.entity) } else { said };
        let opening = match kind {
            RuleKind::BestPractice => "Do it as it worked before:",
            RuleKind::Constraint => "Do not repeat what failed before:",
        };
        // The ellipsis of a cut counts as well.
        let rule = first_chars(&format!("{opening} {}", said.trim()), RULE_CHARS - 1);
        RuleWords { rule, by_model: false }
    }
}

impl Prompt for RuleBrief {
    fn user_message(&self, _: &PromptLimits) -> String {
        let lines: Vec<String> = self
            .evidence
            .iter()
            .map(|m| format!("[{}] {}", m.state, first_chars(&one_line(&m.content), EVIDENCE_CHARS)))
            .collect();
        Sections::default()
            .add("Kind", kind_word(self.kind))
            .add("About", &format!("{} {}", one_line(&self.tag.space), one_line(&self.tag.entity)))
            .add("Evidence", &lines.join("\n"))
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Rule(self)
    }
}

fn check(kind: RuleKind, reply: &SopReply) -> Result<String, String> {
    if reply.kind != kind {
        return Err(format!("`kind` must be \"{}\": the evidence decides that", kind_word(kind)));
    }
    let rule = one_plain_line("rule", &reply.rule, RULE_CHARS)?;
    if reply.conditions.trim().is_empty() {
        return Ok(rule);
    }
    let conditions = one_plain_line("conditions", &reply.conditions, CONDITIONS_CHARS)?;
    let whole = format!("{rule} (applies to: {conditions})");
    Ok(if whole.chars().count() <= RULE_CHARS { whole } else { rule })
}

fn kind_word(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::BestPractice => "best_practice",
        RuleKind::Constraint => "constraint",
    }
}
