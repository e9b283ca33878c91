//! What the operator wants of the memory. A wish is an envelope of the system journal, synced before it is carried out, so
//! that a crash between the two loses nothing: whoever opens the memory carries out what stands behind its mark.

use std::path::Path;

use artoo_journal::{JournalError, read_system};
use artoo_store::{Maintenance, MemoryWriter, StoreError, WriteOutcome};
use artoo_types::envelope::Role;
use artoo_types::memory::{ChangeKind, Megram};
use artoo_types::{Envelope, Message, Timestamp};
use uuid::Uuid;

/// Something that the operator wants done. Each can be done again without changing anything.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wish {
    /// Remember this.
    Remember(Box<Megram>),
    /// Forget these, for good.
    Forget(Vec<Uuid>),
    /// Keep these two requests apart.
    Separate([String; 2]),
    /// Let these two requests relate by their words again.
    Rejoin([String; 2]),
    /// Make indexes and sums anew.
    Rebuild,
}

/// What became of a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishOutcome {
    /// A memory was stored, or why not.
    Written(WriteOutcome),
    /// So many memories were deleted.
    Forgotten(u64),
    /// Whether the requests relate in another way than before.
    Related(bool),
    /// Indexes and sums are new.
    Rebuilt,
}

impl Wish {
    /// The wish that an envelope carries, if it carries one.
    pub(super) fn of(envelope: &Envelope) -> Option<Self> {
        if envelope.refused || (envelope.from, envelope.to) != (Role::Operator, Role::Memory) {
            return None;
        }
        if let Message::MegramWrite(write) = &envelope.payload {
            return Some(Self::Remember(Box::new(write.megram.clone())));
        }
        let Message::MemoryChange(change) = &envelope.payload else { return None };
        let requests = || <[String; 2]>::try_from(change.requests.clone()).ok();
        match change.kind {
            ChangeKind::Forgotten => Some(Self::Forget(change.ids.clone())),
            ChangeKind::Separated => requests().map(Self::Separate),
            ChangeKind::Rejoined => requests().map(Self::Rejoin),
            ChangeKind::Rebuilt => Some(Self::Rebuild),
            // They tell of what other envelopes want, or of what R5 does by itself.
            ChangeKind::Remembered
            | ChangeKind::Imported
            | ChangeKind::Distilled
            | ChangeKind::Demoted
            | ChangeKind::Faded
            | ChangeKind::Proposed
            | ChangeKind::Settled => None,
        }
    }

    /// Does it.
    pub(super) fn carry_out(
        &self,
        now: Timestamp,
        writer: &mut MemoryWriter,
        maintenance: &mut Maintenance,
    ) -> Result<WishOutcome, StoreError> {
        match self {
            Self::Remember(megram) => writer.remember(now, megram).map(WishOutcome::Written),
            Self::Forget(ids) => writer.forget(now, ids).map(WishOutcome::Forgotten),
            Self::Separate([first, second]) => writer.separate(now, first, second).map(WishOutcome::Related),
            Self::Rejoin([first, second]) => writer.rejoin(now, first, second).map(WishOutcome::Related),
            Self::Rebuild => maintenance.rebuild().map(|()| WishOutcome::Rebuilt),
        }
    }
}

/// The wishes of the journal at `path` with a sequence above `done`, oldest first, each with its sequence. A
/// mark beyond the journal's end belongs to another journal: then all of them. One that nobody can read is passed over; it
/// was reported when the journal was opened.
pub(super) fn wishes_after(path: &Path, done: u64) -> Result<Vec<(u64, Wish)>, JournalError> {
    let mut journal = read_system(path, 0)?;
    let (mut wishes, mut last) = (Vec::new(), 0);
    loop {
        match journal.next_record() {
            Ok(Some(envelope)) => {
                last = envelope.sequence;
                wishes.extend(Wish::of(&envelope).map(|wish| (envelope.sequence, wish)));
            }
            Ok(None) => break,
            Err(JournalError::BadLine(_)) => {}
            Err(error) => return Err(error),
        }
    }
    if done <= last {
        wishes.retain(|(sequence, _)| *sequence > done);
    }
    Ok(wishes)
}
