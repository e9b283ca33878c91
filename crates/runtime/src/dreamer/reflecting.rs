//! Lessons of tasks that went wrong on the way, read off their journals.

use std::path::Path;

use artoo_control::quantize::teaches;
use artoo_journal::{JournalError, task_path};
use artoo_roles::dreamer::Effect;
use artoo_roles::dreamer::lesson::Reflector;
use artoo_roles::dreamer::story::{Story, StoryReader};
use artoo_types::TaskId;
use artoo_types::envelope::Role;
use artoo_types::memory::{Megram, MegramWrite};

use super::Dreamer;

impl Dreamer {
    /// Looks back at an ended task, and remembers the lesson if there is one.
    pub(super) async fn reflect(&mut self, task_id: TaskId) {
        let journals = self.journals.clone();
        let read = tokio::task::spawn_blocking(move || story(&journals, task_id)).await;
        let story = match read {
            Ok(Ok(story)) => story,
            // It may have been deleted meanwhile; there is another lesson tomorrow.
            Ok(Err(error)) => return tracing::debug!(%task_id, %error, "no story to reflect on"),
            Err(error) => return tracing::warn!(%task_id, %error, "reading a story broke off"),
        };
        let Some(story) = story else { return };
        let Some(lesson) = self.lesson(Reflector::new(story)).await else { return };
        let write = MegramWrite { megram: lesson.clone() };
        match self.system.publish(Role::Memory, Role::Memory, write.into()) {
            Ok(_) => self.memory.write(lesson),
            Err(error) => tracing::warn!(%task_id, %error, "a lesson is not remembered"),
        }
    }

    async fn lesson(&mut self, mut reflector: Reflector) -> Option<Megram> {
        let mut request = reflector.ask();
        // The reflector asks at most three times: once, once when the reply is lost, once to repair it.
        loop {
            match reflector.hear(self.calls.ask(request).await?) {
                Effect::AskModel(again) => request = again,
                Effect::Conclude(lesson) => return lesson,
            }
        }
    }
}

/// The story of a task that teaches something.
fn story(journals: &Path, task_id: TaskId) -> Result<Option<Story>, JournalError> {
    let mut reader = artoo_journal::read(&task_path(journals, task_id), 0)?;
    let mut teller = StoryReader::default();
    while let Some(record) = reader.next_record()? {
        record.envelopes.iter().for_each(|envelope| teller.observe(envelope));
    }
    Ok(teller.trouble().filter(|story| teaches(story.why)))
}
