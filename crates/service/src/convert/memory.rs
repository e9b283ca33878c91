//! What travels to and from the memory, and what the operator sees of it.

use artoo_memory::expiry::FallTime;
use artoo_memory::relate::Relation;
use artoo_protocol::v1;
use artoo_store::{Contribution, FadingCluster, RuleInDanger, TagExplanation};
use artoo_types::memory::{
    FailedPlan, InputState, Megram, MemoryChange, MemoryEntry, MemoryQuery, MemoryReply, PlanInput,
    Potentials, Proposal, SopRecord, Via, WorldState,
};
use artoo_types::tag::Tag;

use super::{index, texts, timestamp, word};

pub(super) fn memory_query(m: &MemoryQuery) -> v1::MemoryQuery {
    v1::MemoryQuery {
        tags: m.tags.iter().map(tag).collect(),
        tool_clusters: index(m.tool_clusters),
        intent: m.intent.clone(),
    }
}

pub(super) fn memory_reply(m: &MemoryReply) -> v1::MemoryReply {
    v1::MemoryReply {
        entries: m.entries.iter().map(memory_entry).collect(),
        unavailable: m.unavailable.clone(),
        present: m.present.iter().map(plan_input).collect(),
    }
}

fn failed_plan(m: &FailedPlan) -> v1::FailedPlan {
    v1::FailedPlan {
        mark: m.mark.0.to_string(),
        folder: m.world.folder.clone(),
        inputs: m.world.inputs.iter().map(plan_input).collect(),
    }
}

fn world_state(m: &WorldState) -> v1::WorldState {
    v1::WorldState { folder: m.folder.clone(), inputs: m.inputs.iter().map(plan_input).collect() }
}

fn plan_input(m: &PlanInput) -> v1::PlanInput {
    let (state, sha256) = match &m.state {
        InputState::Absent => ("absent", ""),
        InputState::Present(sha256) => ("present", sha256.as_str()),
        InputState::Unknown => ("unknown", ""),
    };
    v1::PlanInput { path: m.path.clone(), state: state.to_owned(), sha256: sha256.to_owned() }
}

pub(super) fn memory_change(m: &MemoryChange) -> v1::MemoryChange {
    v1::MemoryChange {
        kind: word(m.kind),
        tags: m.tags.iter().map(tag).collect(),
        ids: texts(&m.ids),
        requests: m.requests.clone(),
        count: m.count,
        level: m.level.map(word).unwrap_or_default(),
        why: m.why.clone(),
    }
}

/// One memory.
pub fn megram(m: &Megram) -> v1::Megram {
    v1::Megram {
        id: m.id.to_string(),
        level: word(m.level),
        created_at: Some(timestamp(m.created_at)),
        last_recalled_at: m.last_recalled_at.map(timestamp),
        space: m.tag.space.clone(),
        entity: m.tag.entity.clone(),
        content: m.content.clone(),
        state: m.state.clone(),
        f: m.f,
        sigma: m.sigma,
        k: m.k.per_day(),
        agent_id: m.agent_id.clone(),
        task_id: m.task_id.map(|id| id.to_string()).unwrap_or_default(),
        parents: texts(&m.parents),
        tainted: m.tainted,
        about: m.about.clone(),
        failed_plans: m.failed.plans.iter().map(failed_plan).collect(),
        failed_in: m.failed.world.as_ref().map(world_state),
    }
}

/// Everything about one tag, for people.
pub fn cluster(m: &TagExplanation) -> v1::MemoryCluster {
    v1::MemoryCluster {
        tag: Some(tag(&m.tag)),
        potentials: Some(potentials(&m.potentials)),
        sops: m.rules.iter().map(sop_record).collect(),
        contributions: m.contributions.iter().map(contribution).collect(),
        fades_at: match m.silent {
            FallTime::At(at) => Some(timestamp(at)),
            FallTime::Already | FallTime::Never => None,
        },
    }
}

/// When what is known about a tag changes by itself.
pub fn falling(m: &FadingCluster) -> v1::FallingCluster {
    v1::FallingCluster {
        tag: Some(tag(&m.tag)),
        potentials: Some(potentials(&m.potentials)),
        at: Some(timestamp(m.at)),
    }
}

/// A rule that may fall soon.
pub fn in_danger(m: &RuleInDanger) -> v1::RuleInDanger {
    v1::RuleInDanger {
        rule: Some(megram(&m.rule)),
        margin: m.margin,
        falls_at: m.falls_at.map(timestamp),
        overwritten: m.overwritten,
    }
}

/// How a request relates to `other`.
pub fn relation(other: String, m: &Relation) -> v1::Relation {
    v1::Relation { other, relation: word(m.kind), similarity: m.similarity, why: m.why.clone() }
}

/// A remembered request that relates to the one that is asked about.
pub fn via(m: &Via) -> v1::Relation {
    v1::Relation {
        other: m.request.clone(),
        relation: word(m.relation),
        similarity: m.similarity,
        why: m.why.clone(),
    }
}

pub(super) fn tag(m: &Tag) -> v1::Tag {
    v1::Tag { space: m.space.clone(), entity: m.entity.clone() }
}

fn memory_entry(m: &MemoryEntry) -> v1::MemoryEntry {
    v1::MemoryEntry {
        tag: Some(tag(&m.tag)),
        potentials: Some(potentials(&m.potentials)),
        sops: m.sops.iter().map(sop_record).collect(),
        top: m.top.iter().map(megram).collect(),
        via: m.via.as_ref().map(|via| v1::Via {
            request: via.request.clone(),
            relation: word(via.relation),
            similarity: via.similarity,
            why: via.why.clone(),
        }),
        proposals: m.proposals.iter().map(proposal).collect(),
    }
}

fn proposal(m: &Proposal) -> v1::Proposal {
    v1::Proposal {
        id: m.id.to_string(),
        content: m.content.clone(),
        from: m.from.iter().map(ToString::to_string).collect(),
    }
}

fn potentials(m: &Potentials) -> v1::Potentials {
    v1::Potentials { attention: m.attention, decision: m.decision, action: word(m.action) }
}

fn sop_record(m: &SopRecord) -> v1::SopRecord {
    v1::SopRecord {
        id: m.id.to_string(),
        content: m.content.clone(),
        sigma: m.sigma,
        level: word(m.level),
        overwritten: m.overwritten,
    }
}

fn contribution(m: &Contribution) -> v1::Contribution {
    v1::Contribution { megram: Some(megram(&m.megram)), attention: m.attention, decision: m.decision }
}
