//! Rules that may become laws, and what a person decides about them.

use artoo_memory::law::LawProposal;
use artoo_protocol::v1;
use artoo_types::Message;
use artoo_types::memory::{ChangeKind, MegramWrite, MemoryChange};
use tonic::Status;

use super::remember::not_granted;
use super::service::{Calls, blocking};
use super::{convert, errors};
use artoo_runtime::clock;

/// Tells the proposals, or decides about one of them.
pub(super) async fn law_proposals(
    calls: &Calls,
    request: v1::LawProposalsRequest,
) -> Result<v1::LawProposalsResponse, Status> {
    let memory = calls.parts.memory()?;
    let proposals =
        blocking(move || memory.law_proposals(clock::now()).map_err(|error| errors::of_store(&error)))
            .await?;
    if !request.decide {
        return Ok(v1::LawProposalsResponse { proposals: proposals.iter().map(told).collect() });
    }
    let start = request.rule_id.trim().to_lowercase();
    let meant: Vec<&LawProposal> =
        proposals.iter().filter(|proposal| proposal.rule.id.to_string().starts_with(&start)).collect();
    let [proposal] = meant[..] else {
        let problem = match meant.len() {
            0 => "no rule with this id is proposed; `artoo memory proposals` lists them",
            _ => "more than one proposal begins like this; give more of the id",
        };
        return Err(errors::invalid("rule_id", problem));
    };
    let law = proposal.law(clock::now());
    let wish: Message = if request.accept {
        MegramWrite { megram: law }.into()
    } else {
        let why = "the operator does not want it to be a law";
        MemoryChange { ids: vec![law.id], count: 1, ..MemoryChange::of(ChangeKind::Forgotten, why) }.into()
    };
    calls.parts.memory_desk.ask(vec![wish]).await.map_err(|error| not_granted(&error))?;
    Ok(v1::LawProposalsResponse { proposals: vec![told(proposal)] })
}

fn told(proposal: &LawProposal) -> v1::LawProposal {
    v1::LawProposal {
        rule: Some(convert::megram(&proposal.rule)),
        confirmed: proposal.confirmed,
        age_days: proposal.age_days.floor() as u64,
    }
}
