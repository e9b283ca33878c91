//! What memory means for a plan: advice for whoever plans, and the part that code enforces.
//!
//! No word says MUST NOT of what code lets through, and no caution is a mere word. The pairs, the rules and the marks of plans that
//! failed for this request, because their approach was wrong, are held against each draft; a plan that met bad surroundings is no
//! bad plan. What failed binds in the state in which it failed: in another folder, and once an input has changed, it is told
//! and forbids nothing. A caution travels with the step to the gate, where reading and making run in the tightest sandbox and all else is
//! asked about, whatever was allowed before.

use artoo_types::brief::{
    AdviceForce, AdviceOrigin, DraftFault, Kinship, LearnedFrom, MemoryAdvice, StepFault,
};
use artoo_types::declare::MAX_FACT_CHARS;
use artoo_types::limits::MAX_MEMORY_ENTRIES;
use artoo_types::memory::{
    Level, Megram, MemoryAction, MemoryEntry, MemoryReply, PlanInput, SopRecord, WorldState, state,
};
use artoo_types::plan::{BlockedTarget, PlanMark};
use artoo_types::tag::{FOLDERS, Tag, fold};
use artoo_types::text::first_chars;
use uuid::Uuid;

use crate::prompt::one_line;

mod pair;
mod step;

use pair::pair;
pub(super) use step::StepSubject;

/// Characters of one memory in a prompt: ten entries with three memories, six rules and three proposals each stay below
/// 45,000.
const MEMORY_CHARS: usize = 300;

/// Characters of a request that a memory was learned from.
const REQUEST_CHARS: usize = 120;

/// Characters of a declared fact: the whole of it, see `artoo_types::declare`.
const FACT_CHARS: usize = MAX_FACT_CHARS;

/// Rules of one tag. There is one for each sign, and what the operator added.
const RULES: usize = 6;

/// Proposals of one tag.
const PROPOSALS: usize = 3;

/// What the person declared, newest first: more than a plan can mind is none. The others stay in the memory.
const FACTS: usize = 20;

/// What a rule is to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuleForce {
    /// A law of the operator: above everything else.
    Law,
    /// Distilled from experience, or declared; it binds.
    Binding,
    /// Newer experience contradicts it: it is told, and binds nobody.
    Outdated,
}

impl RuleForce {
    fn of(sop: &SopRecord) -> Self {
        match sop.level {
            Level::T => Self::Law,
            Level::M | Level::K | Level::C if sop.overwritten => Self::Outdated,
            Level::M | Level::K | Level::C => Self::Binding,
        }
    }
}

/// What the planner knows from memory.
#[derive(Debug, Clone, Default)]
pub(super) struct PlanMemory {
    /// The task's working folder.
    folder: String,
    /// The person's words, where a language model plans.
    request: String,
    /// What is at the paths that memories say something failed with.
    present: Vec<PlanInput>,
    /// What was recalled before a model was asked.
    recalled: Vec<MemoryEntry>,
    /// What was then looked up because drafts named it; three drafts of a round at most.
    looked_up: Vec<MemoryEntry>,
}

impl PlanMemory {
    /// What was recalled before a model is asked.
    pub(super) fn recalled(reply: MemoryReply, folder: &str, request: &str) -> Self {
        let mut recalled = reply.entries;
        recalled.retain_mut(|entry| !is_of_folder(entry) || concerns(entry, request));
        recalled.truncate(MAX_MEMORY_ENTRIES);
        let (folder, request) = (folder.to_owned(), request.to_owned());
        Self { folder, request, present: reply.present, recalled, looked_up: Vec::new() }
    }

    /// What was looked up for a draft.
    pub(super) fn learn(&mut self, reply: MemoryReply) {
        let new = reply.entries.into_iter().take(MAX_MEMORY_ENTRIES);
        let recalled = &self.recalled;
        self.present.extend(reply.present);
        self.looked_up.extend(new.filter(|e| recalled.iter().all(|known| known.tag != e.tag)));
    }

    /// The advice with where it comes from, laws first. Ten entries at most; those that were looked up for a draft take the
    /// place of the last ones.
    pub(super) fn advice(&self) -> Vec<MemoryAdvice> {
        let late: Vec<&MemoryEntry> = self.looked_up.iter().rev().take(MAX_MEMORY_ENTRIES / 2).collect();
        let early = self.recalled.iter().take(MAX_MEMORY_ENTRIES - late.len());
        let (mut laws, mut others) = (Vec::new(), Vec::new());
        for entry in early.chain(late) {
            laws.extend(rules(entry, RuleForce::Law));
            others.extend(self.entry_advice(entry));
        }
        laws.append(&mut others);
        laws
    }

    /// The (class, target) pairs that memory forbids: exact tags whose potentials say Avoid, or that carry a rule against
    /// them which binds. A law decides before either. An empty target stands for calls without one.
    pub(super) fn forbidden(&self) -> Vec<BlockedTarget> {
        self.binding().filter(|entry| self.forbids(entry)).filter_map(pair).collect()
    }

    /// The memories because of which a draft has this fault.
    pub(super) fn behind(&self, fault: &DraftFault) -> Vec<Uuid> {
        if let DraftFault::RepeatedFromMemory(id) = fault {
            return vec![*id];
        }
        let DraftFault::Step { fault, .. } = fault else { return Vec::new() };
        if let StepFault::BlockedTarget(block) = fault {
            self.against(block)
        } else if let StepFault::BlockedTool(class) = fault {
            self.against(&BlockedTarget { class: class.clone(), target: String::new() })
        } else {
            Vec::new()
        }
    }

    /// The memories because of which this pair is forbidden.
    fn against(&self, block: &BlockedTarget) -> Vec<Uuid> {
        let is_about = |entry: &&MemoryEntry| pair(entry).as_ref() == Some(block);
        self.binding()
            .filter(is_about)
            .filter(|entry| self.forbids(entry))
            .flat_map(speaking_against)
            .collect()
    }

    /// The memories that may have kept a planner from this request: its plans that failed in this state, rules against it,
    /// and what is forbidden on the inputs that it names.
    pub(super) fn in_the_way(&self, request: &str) -> Vec<Uuid> {
        let request = fold(request);
        let named = |target: &str| {
            let name = fold(target.rsplit('/').next().unwrap_or(target));
            !name.is_empty() && request.contains(&name)
        };
        let mut ids: Vec<Uuid> = self.failed_plans().map(|(_, id)| id).collect();
        for entry in self.binding() {
            if is_intent(entry) {
                ids.extend(rules_against(entry));
            } else if self.forbids(entry) && pair(entry).is_some_and(|pair| named(&pair.target)) {
                ids.extend(speaking_against(entry));
            }
        }
        ids
    }

    /// The classes that a law forbids on every target. Experience alone never takes a whole class away: it may have failed
    /// for one task and be the only way in another.
    pub(super) fn forbidden_classes(&self) -> Vec<String> {
        let pairs = self.binding().filter(|entry| law(entry) == Some(false)).filter_map(pair);
        pairs.filter(|pair| pair.target.is_empty()).map(|pair| pair.class).collect()
    }

    /// The (class, target) pairs that memory calls for caution with.
    pub(super) fn cautions(&self) -> Vec<BlockedTarget> {
        let careful = self.binding().filter(|e| e.potentials.action == MemoryAction::Caution);
        let careful = careful.filter(|entry| !self.forbids(entry) && self.is_met_again(entry));
        careful.filter_map(pair).collect()
    }

    /// The plans that failed for this request in earlier tasks in the state that is met again, where memory says Avoid of it,
    /// each with the memory that says so: they are forbidden, the request is not.
    pub(super) fn failed_plans(&self) -> impl Iterator<Item = (PlanMark, Uuid)> {
        let avoided = self.binding().filter(|e| e.potentials.action == MemoryAction::Avoid && is_intent(e));
        let plans = avoided.flat_map(|e| &e.top).flat_map(|m| m.failed.plans.iter().map(|plan| (m.id, plan)));
        plans.filter(|(_, plan)| self.holds(&plan.world)).map(|(id, plan)| (plan.mark, id))
    }

    fn holds(&self, world: &WorldState) -> bool {
        world.holds(&self.folder, &self.present)
    }

    /// Whether something of what speaks against the entry happened in the state that is met again, or in one that is not
    /// known.
    fn is_met_again(&self, entry: &MemoryEntry) -> bool {
        let mut against = entry.top.iter().filter(|megram| megram.sigma <= 0.0).peekable();
        against.peek().is_none()
            || against.any(|megram| megram.failed.world.as_ref().is_none_or(|world| self.holds(world)))
    }

    fn forbids(&self, entry: &MemoryEntry) -> bool {
        let against = |sop: &SopRecord| sop.sigma <= 0.0 && RuleForce::of(sop) == RuleForce::Binding;
        match law(entry) {
            Some(allows) => !allows,
            None if entry.sops.iter().any(against) => true,
            None => entry.potentials.action == MemoryAction::Avoid && self.is_met_again(entry),
        }
    }

    /// The advice of one entry, its laws left out.
    fn entry_advice(&self, entry: &MemoryEntry) -> Vec<MemoryAdvice> {
        if entry.tag == Tag::user() {
            return facts(entry);
        }
        let mut advice: Vec<MemoryAdvice> =
            rules(entry, RuleForce::Binding).chain(rules(entry, RuleForce::Outdated)).take(RULES).collect();
        advice.extend(self.experience(entry));
        let proposals = entry.proposals.iter().take(PROPOSALS);
        advice.extend(proposals.map(|proposal| MemoryAdvice {
            learned_from: learned_from(entry, ""),
            ..plain(entry, AdviceForce::Hypothesis, short(&proposal.content))
        }));
        advice
    }

    /// What experience with an entry advises, with the memories it rests on and where they come from.
    fn experience(&self, entry: &MemoryEntry) -> Vec<MemoryAdvice> {
        let helps = |megram: &Megram| match entry.potentials.action {
            MemoryAction::Exploit => megram.sigma > 0.0 && state::tells_of_success(&megram.state),
            MemoryAction::Avoid => megram.sigma < 0.0,
            MemoryAction::Caution | MemoryAction::Ignore => true,
        };
        if is_unearned(entry) || self.needs_no_praise(entry) {
            return Vec::new();
        }
        let Some(unfounded) = experience_force(entry, None) else { return Vec::new() };
        let founded = entry.top.iter().filter(|m| helps(m)).filter_map(|m| {
            let force = experience_force(entry, Some(self.failure_state(m)))?;
            Some(MemoryAdvice {
                origin: Some(AdviceOrigin::Decision(one_line(&m.state), m.task_id)),
                learned_from: learned_from(entry, &m.about),
                ..plain(entry, force, short(&m.content))
            })
        });
        let mut advice: Vec<MemoryAdvice> = founded.collect();
        if advice.is_empty() {
            advice.push(MemoryAdvice {
                learned_from: learned_from(entry, ""),
                ..plain(entry, unfounded, format!("{} {}", entry.tag.space, entry.tag.entity))
            });
        }
        advice
    }

    /// Whether this very request went well before, and nothing that is known of it or its parts ever went wrong: then any planner finds
    /// the way again, and words about it only cost.
    fn needs_no_praise(&self, entry: &MemoryEntry) -> bool {
        let is_well = |entry: &MemoryEntry| entry.top.iter().all(|megram| megram.sigma > 0.0);
        let is_same = |megram: &Megram| {
            megram.state == state::ACCEPT
                && !megram.about.is_empty()
                && fold(&megram.about) == fold(&self.request)
        };
        is_intent(entry)
            && entry.top.iter().all(is_same)
            && entry.potentials.action == MemoryAction::Exploit
            && self.binding().filter(|known| known.tag != Tag::user()).all(is_well)
    }

    /// What is known of the state in which something failed. A memory whose plans failed in several states forbids them one by
    /// one; as advice it binds only where all of it does.
    fn failure_state(&self, megram: &Megram) -> FailureState {
        let failed = &megram.failed;
        let mut worlds = failed.plans.iter().map(|plan| &plan.world).chain(&failed.world).peekable();
        if worlds.peek().is_none() {
            FailureState::Unknown
        } else if worlds.all(|world| self.holds(world)) {
            FailureState::MetAgain
        } else {
            FailureState::Other
        }
    }

    /// Everything that is more than a hint.
    fn binding(&self) -> impl Iterator<Item = &MemoryEntry> {
        self.recalled.iter().chain(&self.looked_up).filter(|e| !e.is_hint())
    }
}

fn plain(entry: &MemoryEntry, force: AdviceForce, content: String) -> MemoryAdvice {
    MemoryAdvice { force, content, subject: pair(entry), origin: None, learned_from: None }
}

/// The rules of an entry that have this force.
fn rules(entry: &MemoryEntry, force: RuleForce) -> impl Iterator<Item = MemoryAdvice> {
    let of_force = entry.sops.iter().filter(move |sop| RuleForce::of(sop) == force);
    of_force.map(|sop| MemoryAdvice {
        origin: Some(AdviceOrigin::Rule(sop.level, sop.id)),
        learned_from: learned_from(entry, ""),
        ..plain(entry, rule_force(entry, sop), short(&sop.content))
    })
}

fn rule_force(entry: &MemoryEntry, sop: &SopRecord) -> AdviceForce {
    let is_practice = sop.sigma > 0.0;
    match RuleForce::of(sop) {
        RuleForce::Law if !entry.is_hint() && is_practice => AdviceForce::Law,
        RuleForce::Outdated if !entry.is_hint() => AdviceForce::Outdated,
        RuleForce::Law | RuleForce::Binding | RuleForce::Outdated => match (entry.is_hint(), is_practice) {
            (false, true) => AdviceForce::Rule,
            (false, false) => AdviceForce::MustNot,
            (true, true) => AdviceForce::Hint,
            (true, false) => AdviceForce::Caution,
        },
    }
}

/// What is known about the person: what they declared, in the order in which the memory gives it, which is newest first,
/// and what was learned. Words that are said twice are told once.
fn facts(entry: &MemoryEntry) -> Vec<MemoryAdvice> {
    let declared = entry.sops.iter().filter(|sop| RuleForce::of(sop) != RuleForce::Law);
    let force = |sigma: f64| if sigma > 0.0 { AdviceForce::Fact } else { AdviceForce::MustNot };
    let declared = declared.map(|sop| (force(sop.sigma), &sop.content));
    let learned = entry.top.iter().map(|megram| (AdviceForce::Fact, &megram.content));
    let mut seen: Vec<String> = Vec::new();
    let mut facts = Vec::new();
    for (force, content) in declared.chain(learned) {
        let folded = fold(content);
        if facts.len() < FACTS && !seen.contains(&folded) {
            seen.push(folded);
            facts.push(plain(entry, force, first_chars(&one_line(content), FACT_CHARS)));
        }
    }
    facts
}

/// The state in which something failed, as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailureState {
    /// No state was recorded.
    Unknown,
    /// The same.
    MetAgain,
    /// Another one, or nobody can tell.
    Other,
}

/// How much the experience of an entry binds, or a memory of it that tells of a failure; None when it advises nothing. What
/// code does not enforce is not called a must.
fn experience_force(entry: &MemoryEntry, failure: Option<FailureState>) -> Option<AdviceForce> {
    match entry.potentials.action {
        MemoryAction::Ignore => None,
        // What is known about another task warns at most.
        MemoryAction::Exploit if entry.is_hint() => Some(AdviceForce::Hint),
        MemoryAction::Avoid if entry.is_hint() => Some(AdviceForce::Caution),
        MemoryAction::Exploit => Some(AdviceForce::Prefer),
        MemoryAction::Avoid | MemoryAction::Caution if failure == Some(FailureState::Other) => {
            Some(AdviceForce::FailedElsewhere)
        }
        // An Avoid on an intent forbids the plans that failed, never the intent; where the surroundings were to blame, no
        // plan is forbidden.
        MemoryAction::Avoid if !is_intent(entry) => Some(AdviceForce::MustNotUse),
        MemoryAction::Avoid if failure == Some(FailureState::MetAgain) => Some(AdviceForce::MustNotRepeat),
        MemoryAction::Avoid | MemoryAction::Caution => Some(AdviceForce::Caution),
    }
}

/// Whether the entry is well thought of for calls alone that missed what was asked: nobody saw anything succeed.
fn is_unearned(entry: &MemoryEntry) -> bool {
    let mut good = entry.top.iter().filter(|megram| megram.sigma > 0.0).peekable();
    entry.potentials.action == MemoryAction::Exploit
        && good.peek().is_some()
        && good.all(|megram| !state::tells_of_success(&megram.state))
}

fn is_of_folder(entry: &MemoryEntry) -> bool {
    entry.tag.space.starts_with(FOLDERS)
}

/// Leaves of what the tasks of a folder share what the request may be about, by its words. Without any there is nothing to say.
fn concerns(entry: &mut MemoryEntry, request: &str) -> bool {
    let words = step::words(request);
    entry.top.retain(|megram| !words.is_disjoint(&step::words(&megram.content)));
    !entry.top.is_empty()
}

fn is_intent(entry: &MemoryEntry) -> bool {
    entry.tag.space.starts_with("intent:")
}

fn rules_against(entry: &MemoryEntry) -> impl Iterator<Item = Uuid> {
    entry.sops.iter().filter(|sop| sop.sigma <= 0.0 && !sop.overwritten).map(|sop| sop.id)
}

/// The rules and the memories of an entry that speak against it.
fn speaking_against(entry: &MemoryEntry) -> impl Iterator<Item = Uuid> {
    rules_against(entry).chain(entry.top.iter().filter(|megram| megram.sigma < 0.0).map(|megram| megram.id))
}

/// What the laws of a tag say, if there is one: one that forbids outweighs one that does not.
fn law(entry: &MemoryEntry) -> Option<bool> {
    let laws = entry.sops.iter().filter(|sop| RuleForce::of(sop) == RuleForce::Law);
    laws.map(|sop| sop.sigma > 0.0).reduce(|a, b| a && b)
}

/// Where the advice comes from, when it was learned under another request. A tag holds what requests with the same
/// beginning taught, so `about`, the request of the very memory, is named where it is known.
fn learned_from(entry: &MemoryEntry, about: &str) -> Option<LearnedFrom> {
    let via = entry.via.as_ref()?;
    let kinship = if entry.is_hint() {
        Kinship::LooksAlike
    } else if about.is_empty() || about == via.request {
        Kinship::SameTask
    } else {
        Kinship::SameBeginning
    };
    let request = if about.is_empty() { &via.request } else { about };
    Some(LearnedFrom { request: first_chars(&one_line(request), REQUEST_CHARS), kinship })
}

fn short(content: &str) -> String {
    first_chars(&one_line(content), MEMORY_CHARS)
}
