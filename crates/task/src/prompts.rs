//! The prompts of a task as they went out, folded from the steps of its journal: it holds only the lengths and hashes of their
//! words. Words that this build would write otherwise are not shown: what stands for them is.
//!
//! What of a prompt is the same as the beginning of the role's call before it is what a server need not read again.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::chat::{ChatMessage, ChatRequest};
use artoo_types::envelope::Role;
use artoo_types::machine::{StepRecord, TaskEffect};
use artoo_types::{EffectId, TaskId};

use crate::TaskMachine;
use crate::journaled::put_in_words;
use crate::replay::in_wants;

/// One prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentPrompt {
    /// Ordinal of the call within the task, from 1.
    pub call: u64,
    /// What was sent.
    pub request: ChatRequest,
    /// Characters of its messages.
    pub chars: usize,
    /// Characters of the tools that went with it in the server's own form.
    pub tool_chars: usize,
    /// Characters at its beginning that are those of the role's call before.
    pub same_chars: usize,
}

/// Finds the prompts in the steps of one task, which it is given in order.
#[derive(Debug, Clone)]
pub struct PromptReader {
    /// The task up to the last step; none once it folds differently.
    machine: Option<TaskMachine>,
    calls: BTreeSet<EffectId>,
    /// The last messages of each role.
    last: BTreeMap<Role, Vec<ChatMessage>>,
}

impl PromptReader {
    /// A reader that has seen nothing yet.
    pub fn new(task_id: TaskId) -> Self {
        Self { machine: Some(TaskMachine::new(task_id)), calls: BTreeSet::new(), last: BTreeMap::new() }
    }

    /// The prompts that this step sent. A call that is made again after a restart is the same call.
    pub fn take(&mut self, record: StepRecord) -> Vec<SentPrompt> {
        let StepRecord { seq, at, input, mut effects, .. } = record;
        if let Some(machine) = &mut self.machine {
            let folded = machine.step(at, input).effects;
            put_in_words(&mut effects, &folded);
            if in_wants(seq, &effects, &folded).is_some() {
                self.machine = None;
            }
        }
        effects.into_iter().filter_map(|effect| self.sent(effect)).collect()
    }

    fn sent(&mut self, effect: TaskEffect) -> Option<SentPrompt> {
        let TaskEffect::CallModel { effect_id, request } = effect else { return None };
        if !self.calls.insert(effect_id) {
            return None;
        }
        let before = self.last.insert(request.role, request.messages.clone()).unwrap_or_default();
        let size = |text: &str| text.chars().count();
        let tools = request.native_tools.iter().map(|t| size(&t.name) + size(&t.purpose) + size(&t.schema));
        Some(SentPrompt {
            call: self.calls.len() as u64,
            chars: request.messages.iter().map(|message| size(&message.content)).sum(),
            tool_chars: tools.sum(),
            same_chars: same_beginning(&before, &request.messages),
            request,
        })
    }
}

/// Characters that both begin with, message by message.
pub fn same_beginning(before: &[ChatMessage], now: &[ChatMessage]) -> usize {
    let mut same = 0;
    for (a, b) in before.iter().zip(now) {
        let equal = a.content.chars().zip(b.content.chars()).take_while(|(x, y)| x == y).count();
        same += equal;
        if a.speaker != b.speaker || a.content != b.content {
            break;
        }
    }
    same
}

#[cfg(test)]
mod tests {
    use artoo_types::chat::{ChatMessage, Speaker};

    use super::same_beginning;

    #[test]
    fn two_prompts_are_the_same_up_to_the_first_difference() {
        let of = |system: &str, user: &str| {
            [(Speaker::System, system), (Speaker::User, user)]
                .map(|(speaker, text)| ChatMessage { speaker, content: text.to_owned() })
        };
        for (before, now, same) in [
            (of("rules", "abc"), of("rules", "abd"), 7),
            (of("rules", "abc"), of("rules", "abc"), 8),
            (of("rules", "äbc"), of("rules", "äb and more"), 7),
            (of("rules", "abc"), of("rubble", "abc"), 2),
            (of("", "abc"), of("rules", "abc"), 0),
        ] {
            assert_eq!(same_beginning(&before, &now), same, "{before:?} and {now:?}");
        }
        assert_eq!(same_beginning(&[], &of("rules", "abc")), 0);
    }
}
