//! What earlier turns of a session a new task sees.

use std::collections::BTreeMap;

use artoo_task::view::TaskView;
use artoo_types::control::Reason;
use artoo_types::limits::SESSION_PAIRS;
use artoo_types::setting::SessionPair;
use artoo_types::text::first_chars;

/// Sessions that are kept in memory; older ones start anew.
const MAX_SESSIONS: usize = 256;

/// The last turns of each session.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    pairs: BTreeMap<String, Vec<SessionPair>>,
    order: Vec<String>,
}

impl Sessions {
    /// The turns of a session, oldest first.
    pub(super) fn of(&self, session_id: &str) -> Vec<SessionPair> {
        self.pairs.get(session_id).cloned().unwrap_or_default()
    }

    /// Takes in a task that ended. Cancelled ones leave no trace.
    pub(super) fn ended(&mut self, view: &TaskView) {
        let (Some(submitted), Some(result)) = (&view.submitted, &view.result) else { return };
        if submitted.session_id.is_empty() || result.reason == Reason::Cancelled {
            return;
        }
        let session = &submitted.session_id;
        self.order.retain(|s| s != session);
        self.order.push(session.clone());
        if self.order.len() > MAX_SESSIONS {
            let oldest = self.order.remove(0);
            self.pairs.remove(&oldest);
        }
        let pairs = self.pairs.entry(session.clone()).or_default();
        pairs.push(SessionPair {
            input: first_chars(&submitted.input, 2_000),
            summary: first_chars(&result.summary, 1_000),
            taint: result.taint,
        });
        if pairs.len() > SESSION_PAIRS {
            pairs.remove(0);
        }
    }
}
