//! `ask_person`: a question to the person who attends. The task puts it and makes the receipt of the answer, so a call that comes
//! here is one that was not put.

use artoo_gate::paths::PathRules;
use artoo_types::evidence::EffectClass;
use artoo_types::limits::MAX_PERSON_QUESTIONS;
use artoo_types::taint::Taint;
use artoo_types::tool::{CallOutcome, PersonQuestion, names};

use crate::sandbox::Sandbox;
use crate::tool::{CallFacts, Judgement, Permission, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun};

pub(super) const ROW: ToolRow = ToolRow::of::<PersonQuestion>(
    names::ASK_PERSON,
    "ask the person what only they can know and the work depends on; at most twice a task",
)
.looking();

/// Why it was not put.
fn not_put() -> String {
    format!(
        "not asked: a task asks at most {MAX_PERSON_QUESTIONS} questions, each once and shortly, and only while somebody attends; \
         decide by yourself and say what you assumed"
    )
}

impl Tool for PersonQuestion {
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let facts = CallFacts::new(ROW.name, self.question.clone(), EffectClass::Read, Taint::NONE);
        Judgement::new(facts.looking_at_nothing(), Permission::refuse(not_put()))
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Reads
    }

    fn describe(&self, target: &str) -> String {
        format!("ask: {target}")
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        run.on_thread(|_| CallOutcome::failed(not_put()))
    }
}
