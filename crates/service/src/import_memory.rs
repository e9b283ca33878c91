//! Memories from a file that was exported. Each line is taken as a whole or not at all, nothing is overwritten, and what
//! becomes of each is counted.

use artoo_memory::admission::{Author, admit};
use artoo_protocol::v1;
use artoo_redact::sanitise;
use artoo_store::{MemoryReader, WriteOutcome};
use artoo_types::Message;
use artoo_types::memory::{ChangeKind, Megram, MegramWrite, MemoryChange};
use artoo_types::text::{first_chars, one_line};
use tonic::Status;

use super::errors;
use super::remember::{count, not_granted};
use super::service::{Calls, blocking};
use artoo_runtime::clock;
use artoo_runtime::task::TaskError;

/// Most lines in one call: each is an envelope of the journal, and all are synced at once.
const MAX_LINES: usize = 5_000;
/// Refusals that are told in full; the rest is counted.
const MAX_TOLD: usize = 100;
/// Characters of what is wrong with a line.
const MAX_WHY_CHARS: usize = 300;

/// Takes lines in.
pub(super) async fn import_memory(
    calls: &Calls,
    request: v1::ImportMemoryRequest,
) -> Result<v1::ImportMemoryResponse, Status> {
    let lines = request.lines.lines().count();
    if lines > MAX_LINES {
        let problem = format!("{lines} lines are too many for one call; send at most {MAX_LINES}");
        return Err(errors::invalid("lines", &problem));
    }
    if let Some(shortage) = calls.parts.health.shortage() {
        return Err(errors::of_task(&TaskError::NoRoom(shortage)));
    }
    let memory = calls.parts.memory()?;
    let first = request.first_line.max(1);
    let (mut response, taken) = blocking(move || {
        let mut response = v1::ImportMemoryResponse::default();
        let mut taken: Vec<Megram> = Vec::new();
        for (number, line) in (first..).zip(request.lines.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            match read(&memory, line)? {
                ImportLine::New(megram) if taken.iter().all(|other| other.id != megram.id) => {
                    taken.push(*megram);
                }
                ImportLine::New(_) | ImportLine::Known => response.known += 1,
                ImportLine::Buried => response.buried += 1,
                ImportLine::Refused(why) => {
                    response.refused += 1;
                    if response.errors.len() < MAX_TOLD {
                        response.errors.push(format!("line {number}: {why}"));
                    }
                }
            }
        }
        Ok((response, taken))
    })
    .await?;
    if taken.is_empty() {
        return Ok(response);
    }
    let told = MemoryChange {
        count: taken.len() as u64,
        ..MemoryChange::of(ChangeKind::Imported, "from a file of the operator")
    };
    let mut wishes: Vec<Message> = vec![told.into()];
    wishes.extend(taken.into_iter().map(|megram| Message::from(MegramWrite { megram })));
    let granted = calls.parts.memory_desk.ask(wishes).await.map_err(|error| not_granted(&error))?;
    response.imported = count(&granted, WriteOutcome::Stored);
    response.known += count(&granted, WriteOutcome::Known);
    response.buried += count(&granted, WriteOutcome::Buried);
    Ok(response)
}

/// What a line is.
enum ImportLine {
    New(Box<Megram>),
    Known,
    Buried,
    Refused(String),
}

fn read(memory: &MemoryReader, line: &str) -> Result<ImportLine, Status> {
    let mut megram: Megram = match serde_json::from_str(line) {
        Ok(megram) => megram,
        Err(error) => {
            // It may repeat what it does not understand, however long that is.
            let why = first_chars(&one_line(&error.to_string()), MAX_WHY_CHARS);
            return Ok(ImportLine::Refused(format!(
                "it is not a memory as `artoo memory export` writes it: {why}"
            )));
        }
    };
    // Foreign text, whatever the file is called: it will stand on screens and in prompts.
    for text in [&mut megram.content, &mut megram.state, &mut megram.agent_id, &mut megram.about] {
        sanitise::clean(text);
    }
    if let Err(why) = admit(&megram, Author::Operator, clock::now()) {
        return Ok(ImportLine::Refused(why.to_string()));
    }
    if memory.is_buried(megram.id).map_err(|error| errors::of_store(&error))? {
        return Ok(ImportLine::Buried);
    }
    Ok(match memory.get(megram.id).map_err(|error| errors::of_store(&error))? {
        None => ImportLine::New(Box::new(megram)),
        Some(stored) if says_the_same(&stored, &megram) => ImportLine::Known,
        Some(_) => ImportLine::Refused(format!(
            "memory {} is here already and says something else; it was not overwritten",
            megram.id
        )),
    })
}

/// Whether two memories of one id are the same, whenever they were recalled.
fn says_the_same(a: &Megram, b: &Megram) -> bool {
    let timeless = |megram: &Megram| Megram { last_recalled_at: None, ..megram.clone() };
    timeless(a) == timeless(b)
}
