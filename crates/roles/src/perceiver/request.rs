//! The perceiver's question to its model.

use artoo_types::brief::{Brief, SpecifyBrief};
use artoo_types::declare::declaration;
use artoo_types::limits::PromptLimits;
use artoo_types::text::{indented, name_line};

use crate::prompt::{Prompt, Sections, one_line};

impl Prompt for SpecifyBrief {
    fn user_message(&self, _: &PromptLimits) -> String {
        let setting = format!(
            "date: {}\nworking_directory: {}\ninteractive: {}",
            self.setting.clock.date,
            name_line(&self.working_directory),
            if self.setting.interactive { "yes" } else { "no" }
        );
        let session = self.setting.session.iter().map(|p| {
            let answer = indented(p.told());
            format!("input: {}\nanswer:\n{answer}", one_line(&p.input))
        });
        Sections::default()
            .add("Setting", &setting)
            .add("Session", &session.collect::<Vec<_>>().join("\n"))
            .add("Clarification", &clarification(self))
            .add("Noted", &noted(&self.request))
            .add("Request", &self.request)
            .finish()
    }

    fn into_brief(self) -> Brief {
        Brief::Specify(self)
    }
}

fn clarification(brief: &SpecifyBrief) -> String {
    let Some(answer) = &brief.answer else { return String::new() };
    let said = if answer.answer.trim().is_empty() { "(none: proceed)" } else { &answer.answer };
    format!("question: {}\nanswer: {said}", brief.questions.join(" "))
}

/// What the runtime has stored of the request before anybody read it, so that whoever answers says what is so.
fn noted(request: &str) -> String {
    match declaration(request) {
        None => String::new(),
        Some(found) if found.holds_secret => {
            "nothing: the words hold a secret, which is never stored".to_owned()
        }
        Some(found) => format!("fact: {}", found.fact),
    }
}
