//! What reading calls showed, as long as nothing that they read has changed since.

use std::collections::BTreeMap;

use artoo_types::EvidenceId;
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::memory::InputState;

use super::turn::WantedCall;

/// The looks of an attempt that need no second one.
#[derive(Debug, Clone, Default)]
pub(super) struct StandingLooks {
    receipts: BTreeMap<(String, String), EvidenceId>,
    /// Another step did something while calls of this one ran: what they show may be of before.
    is_disturbed: bool,
}

impl StandingLooks {
    /// The receipt that shows what this call would.
    pub(super) fn of(&self, call: &WantedCall) -> Option<&EvidenceId> {
        self.receipts.get(&(call.tool.clone(), call.arguments.clone()))
    }

    /// Takes in a call that ended: it may be such a look, or change what others showed.
    pub(super) fn note(&mut self, call: WantedCall, receipt: &Receipt) {
        if receipt.effect != EffectClass::Read {
            self.receipts.clear();
        } else if receipt.end == CallEnd::Ran && !self.is_disturbed && reads_files_alone(receipt) {
            self.receipts.insert((call.tool, call.arguments), receipt.id.clone());
        }
    }

    /// Another step did something, or is about to; `running` says whether calls of this step are under way.
    pub(super) fn world_moved(&mut self, running: bool) {
        self.receipts.clear();
        self.is_disturbed = running;
    }

    /// All calls that were under way have ended.
    pub(super) fn rest(&mut self) {
        self.is_disturbed = false;
    }
}

/// Whether a look at the same files shows the same. What shows a clock, a process or a server may be another each time.
fn reads_files_alone(receipt: &Receipt) -> bool {
    receipt.act.inputs.iter().all(|input| input.state != InputState::Unknown)
}
