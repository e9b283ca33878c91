//! The calls that a model wants in one turn: which run when, and in what order it reads them.

use std::collections::VecDeque;
use std::sync::Arc;

use artoo_types::brief::Turn;
use artoo_types::evidence::Receipt;

/// One call that a model wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WantedCall {
    /// The tool.
    pub(super) tool: String,
    /// JSON text with sorted keys, so that the same call has one spelling.
    pub(super) arguments: String,
    /// Its output ends the attempt.
    pub(super) is_final: bool,
}

/// One call on its way.
#[derive(Debug, Clone)]
pub(super) struct TurnCall {
    pub(super) wanted: WantedCall,
    /// It only looks.
    pub(super) reads: bool,
}

/// The calls of one turn. Those that only look run together; any other runs alone, when those before it have ended.
#[derive(Debug, Clone, Default)]
pub(super) struct TurnCalls {
    waiting: VecDeque<Planned>,
    running: Vec<TurnCall>,
    /// Receipts of the calls that run, as they come.
    receipts: Vec<Arc<Receipt>>,
    /// What the model will read, in the order in which it asked.
    told: Vec<Turn>,
    /// The last call that ended, where it was to be the last of all.
    last: Option<Arc<Receipt>>,
}

#[derive(Debug, Clone)]
enum Planned {
    Call(TurnCall),
    Refused(String),
}

impl TurnCalls {
    pub(super) fn call(&mut self, call: TurnCall) {
        self.waiting.push_back(Planned::Call(call));
    }

    pub(super) fn refuse(&mut self, words: String) {
        self.waiting.push_back(Planned::Refused(words));
    }

    /// Starts none of the calls that wait: there is no time for them.
    pub(super) fn start_no_more(&mut self) {
        for planned in &mut self.waiting {
            if let Planned::Call(call) = planned {
                *planned = Planned::Refused(format!("[not run] {}: no time is left", call.wanted.tool));
            }
        }
    }

    /// Whether a call of the turn does more than look: what stands behind it may see something new.
    pub(super) fn acts(&self) -> bool {
        self.waiting.iter().any(|planned| matches!(planned, Planned::Call(call) if !call.reads))
    }

    /// Whether the turn wants this very look already, with nothing between that could change what it shows.
    pub(super) fn wants(&self, wanted: &WantedCall) -> bool {
        let looks = self.waiting.iter().rev().map_while(|planned| match planned {
            Planned::Call(call) => call.reads.then_some(Some(&call.wanted)),
            Planned::Refused(_) => Some(None),
        });
        looks.flatten().any(|call| call.tool == wanted.tool && call.arguments == wanted.arguments)
    }

    /// The calls that may start now; none while others run, or when the turn is over.
    pub(super) fn start(&mut self) -> Vec<WantedCall> {
        while self.running.is_empty()
            && let Some(Planned::Refused(_)) = self.waiting.front()
        {
            let Some(Planned::Refused(words)) = self.waiting.pop_front() else { break };
            self.told.push(Turn::Refused(words));
        }
        if !self.running.is_empty() {
            return Vec::new();
        }
        while let Some(Planned::Call(next)) = self.waiting.front() {
            if !self.running.is_empty() && !next.reads {
                break;
            }
            let Some(Planned::Call(call)) = self.waiting.pop_front() else { break };
            let alone = !call.reads;
            self.running.push(call);
            if alone {
                break;
            }
        }
        self.running.iter().map(|call| call.wanted.clone()).collect()
    }

    /// Takes in the receipt of a call that runs. When the last of those ended, their calls with their receipts, in order;
    /// None where nothing runs that it could belong to.
    pub(super) fn ended(&mut self, receipt: Arc<Receipt>) -> Option<Vec<(TurnCall, Arc<Receipt>)>> {
        if self.running.is_empty() {
            return None;
        }
        self.receipts.push(receipt);
        if self.receipts.len() < self.running.len() {
            return Some(Vec::new());
        }
        self.receipts.sort_by_key(|receipt| receipt.id.call_order());
        let ended: Vec<_> = self.running.drain(..).zip(self.receipts.drain(..)).collect();
        self.told.extend(ended.iter().map(|(_, receipt)| Turn::Called(Arc::clone(receipt))));
        self.last =
            ended.last().filter(|(call, _)| call.wanted.is_final).map(|(_, receipt)| Arc::clone(receipt));
        Some(ended)
    }

    /// Whether a call runs.
    pub(super) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Ends the turn: what the model reads of it, and the receipt whose output is the result.
    pub(super) fn finish(&mut self) -> (Vec<Turn>, Option<Arc<Receipt>>) {
        let Self { told, last, .. } = std::mem::take(self);
        (told, last.filter(|receipt| receipt.succeeded()))
    }
}
