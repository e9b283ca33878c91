//! A lesson from one task that went wrong on the way.

use artoo_types::brief::{Brief, LessonBrief};
use artoo_types::chat::{ChatRequest, ModelOutcome, Tier};
use artoo_types::envelope::Role;
use artoo_types::limits::PromptLimits;
use artoo_types::memory::{Level, Megram, state};
use artoo_types::rate::Rate;
use artoo_types::reply::{LessonKind, ReflectionReply, SchemaName};
use artoo_types::text::first_chars;

use super::story::Story;
use super::{CheckedAsker, CheckedOutcome, Effect, one_plain_line};
use crate::ask::Asker;
use crate::prompt::{Prompt, Sections, one_line};

/// Longest lesson, in characters.
pub const LESSON_CHARS: usize = 400;
/// Characters of one line of the record.
const LINE_CHARS: usize = 400;
/// Characters of the request that the lesson names: enough to tell requests apart.
const ABOUT_CHARS: usize = 500;

/// f of a lesson: a third of what an outcome weighs, because somebody said it and nothing showed it.
const MAGNITUDE: f64 = 0.3;
/// |σ| of a lesson that speaks for or against something.
const VALENCE: f64 = 0.5;
/// k of a lesson: it halves in 3.5 days, unless outcomes bear it out.
const DECAY: Rate = Rate::Medium;

/// Finds the lesson of one task.
#[derive(Debug, Clone)]
pub struct Reflector {
    story: Story,
    question: CheckedAsker,
}

impl Reflector {
    /// For this task.
    pub fn new(story: Story) -> Self {
        let system = include_str!("lesson.md").trim_ascii_end();
        let asker = Asker::new(Role::Memory, Tier::Brain, SchemaName::Reflection, system);
        Self { story, question: CheckedAsker { asker } }
    }

    /// The question.
    pub fn ask(&mut self) -> ChatRequest {
        let story = &self.story;
        let lines = |all: &[String]| all.iter().map(|l| first_chars(&one_line(l), LINE_CHARS)).collect();
        self.question.ask(LessonBrief {
            intent: story.spec.intent.clone(),
            well: story.well,
            reason: story.reason.clone(),
            plans: lines(&story.plans),
            troubles: lines(&story.troubles),
            unmet: lines(&story.unmet),
        })
    }

    /// Takes the end of a call. None when no model said anything of use: then there is no lesson.
    pub fn hear(&mut self, outcome: ModelOutcome) -> Effect<Option<Megram>> {
        match self.question.hear(outcome, |reply| check(&reply)) {
            CheckedOutcome::AskAgain(request) => Effect::AskModel(request),
            CheckedOutcome::Checked((lesson, said)) => Effect::Conclude(Some(self.megram(lesson, said))),
            CheckedOutcome::Nothing => Effect::Conclude(None),
        }
    }

    /// Knowledge on the tag of the intent. Its id derives from the task, so that a task teaches one lesson.
    fn megram(&self, lesson: String, said: LessonKind) -> Megram {
        let Story { spec, well, at, untrusted, .. } = &self.story;
        // What led to failure is no procedure, and a success forbids nothing.
        let sigma = match said {
            LessonKind::Procedure if *well => VALENCE,
            LessonKind::Constraint if !well => -VALENCE,
            LessonKind::Procedure | LessonKind::Constraint | LessonKind::Fact => 0.0,
        };
        Megram {
            id: spec.task_id.derive("reflection", 0),
            level: Level::K,
            created_at: *at,
            last_recalled_at: None,
            tag: spec.intent_tag.clone(),
            content: lesson,
            state: state::REFLECTION.to_owned(),
            f: MAGNITUDE,
            sigma,
            k: DECAY,
            agent_id: "R5".to_owned(),
            task_id: Some(spec.task_id),
            parents: Vec::new(),
            tainted: *untrusted,
            about: first_chars(&spec.intent, ABOUT_CHARS),
            failed: Default::default(),
        }
    }
}

impl Prompt for LessonBrief {
    fn user_message(&self, _: &PromptLimits) -> String {
        let list = |lines: &[String]| lines.iter().map(|l| format!("- {l}")).collect::<Vec<_>>().join("\n");
        Sections::default()
            .add("Ending", &format!("{} ({})", if self.well { "success" } else { "failure" }, self.reason))
            .add("Plans", &list(&self.plans))
            .add("Troubles", &list(&self.troubles))
            .add("Unmet", &list(&self.unmet))
            .add("Intent", &one_line(&self.intent))
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Lesson(self)
    }
}

fn check(reply: &ReflectionReply) -> Result<(String, LessonKind), String> {
    Ok((one_plain_line("lesson", &reply.lesson, LESSON_CHARS)?, reply.category))
}
