//! What one row is: a request, a prepared folder, what every role says, and what the end has to be.

use std::path::Path;

use serde_json::Value;

use crate::model::Model;

/// One task and what is to become of it.
pub(crate) struct Row {
    /// Rows of one theme stand together in the table.
    pub(crate) theme: &'static str,
    /// What is told, in few words.
    pub(crate) name: &'static str,
    /// The person's words.
    pub(crate) request: &'static str,
    /// Files of the working folder before the task: name and content. A name that ends in a slash is a folder.
    pub(crate) files: Vec<(&'static str, &'static str)>,
    /// Commands of a shell that make what files cannot say (links, times, a repository), run before the task.
    pub(crate) prepared_by: &'static str,
    /// What the roles say.
    pub(crate) model: Model,
    /// How it has to end.
    pub(crate) end: End,
    /// Whether a person is there, who says yes to everything.
    pub(crate) has_person: bool,
}

/// How a row has to end.
pub(crate) enum End {
    /// It is a lie: not a success, or what is not so stands open in the result.
    Refuted(Refutation),
    /// It is the truth: accepted, nothing open, the right output and the right files.
    Right(Outcome),
    /// It is a lie that no code can see. The test tells what happens and asks for nothing.
    Unseen(&'static str),
}

/// Why a lie is one.
pub(crate) struct Refutation {
    /// What a person with the journal in hand says.
    pub(crate) person_says: &'static str,
    /// Words of which one has to stand in `unmet` when the task ends as a success all the same.
    pub(crate) open: &'static [&'static str],
}

/// What has to be there after an honest task.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Texts that the output holds.
    output: Vec<&'static str>,
    /// Files with their whole content; none where the file has to be gone.
    files: Vec<(&'static str, Option<&'static str>)>,
}

impl Outcome {
    /// Everything that is not as it has to be.
    pub(crate) fn misses(&self, output: &str, root: &Path) -> Vec<String> {
        let silent = self.output.iter().filter(|text| !output.contains(**text));
        let mut misses: Vec<String> =
            silent.map(|text| format!("the output lacks {text:?}: {output}")).collect();
        for (name, content) in &self.files {
            let is = std::fs::read_to_string(root.join(name)).ok();
            if is.as_deref() != *content {
                misses.push(format!("{name} is {is:?}"));
            }
        }
        misses
    }
}

/// A lie, with what a person says who reads the journal.
pub(crate) fn lie(
    theme: &'static str,
    name: &'static str,
    request: &'static str,
    person_says: &'static str,
) -> Row {
    row(theme, name, request, End::Refuted(Refutation { person_says, open: &[] }))
}

/// An honest task.
pub(crate) fn honest(theme: &'static str, name: &'static str, request: &'static str) -> Row {
    row(theme, name, request, End::Right(Outcome::default()))
}

/// A lie that no code can see, with the reason.
pub(crate) fn unseen(name: &'static str, request: &'static str, reason: &'static str) -> Row {
    row("unseen", name, request, End::Unseen(reason))
}

fn row(theme: &'static str, name: &'static str, request: &'static str, end: End) -> Row {
    Row {
        theme,
        name,
        request,
        files: Vec::new(),
        prepared_by: "",
        model: Model::default(),
        end,
        has_person: false,
    }
}

impl Row {
    /// With a file of the working folder.
    pub(crate) fn file(mut self, name: &'static str, content: &'static str) -> Self {
        self.files.push((name, content));
        self
    }

    /// With this done by a shell before the task.
    pub(crate) fn prepared(self, prepared_by: &'static str) -> Self {
        Self { prepared_by, ..self }
    }

    /// With somebody who says yes to every question.
    pub(crate) fn with_person(self) -> Self {
        Self { has_person: true, ..self }
    }

    /// One plan of R2. Plans come one after the other, whatever became of those before.
    pub(crate) fn plan(mut self, goals: Vec<Value>, steps: Vec<Value>) -> Self {
        let mut plan = artoo_testing::scripted_roles::plan(&[], &[]);
        plan["task_criteria"] = Value::Array(goals);
        plan["subtasks"] = Value::Array(steps);
        self.model.plans.push(plan);
        self
    }

    /// One plan of R2 with one step, whose criteria are those of the task.
    pub(crate) fn one(self, intent: &str, tools: &[&str], criteria: Vec<Value>) -> Self {
        let step = artoo_testing::scripted_roles::subtask(1, intent, tools, &[], &criteria);
        self.plan(criteria, vec![step])
    }

    /// What R3 does for the step whose intent begins like this, one action a turn.
    pub(crate) fn act(mut self, intent: &'static str, actions: Vec<Value>) -> Self {
        self.model.acts.push((intent, actions));
        self
    }

    /// The same row with something else changed of what the roles say.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Model)) -> Self {
        change(&mut self.model);
        self
    }

    /// Words of which one must be open where the task ends as a success.
    pub(crate) fn open(mut self, open: &'static [&'static str]) -> Self {
        if let End::Refuted(refutation) = &mut self.end {
            refutation.open = open;
        }
        self
    }

    /// The output has to hold this.
    pub(crate) fn says(mut self, text: &'static str) -> Self {
        if let End::Right(outcome) = &mut self.end {
            outcome.output.push(text);
        }
        self
    }

    /// The file has to have exactly this content.
    pub(crate) fn leaves(mut self, name: &'static str, content: &'static str) -> Self {
        if let End::Right(outcome) = &mut self.end {
            outcome.files.push((name, Some(content)));
        }
        self
    }

    /// The file has to be gone.
    pub(crate) fn removes(mut self, name: &'static str) -> Self {
        if let End::Right(outcome) = &mut self.end {
            outcome.files.push((name, None));
        }
        self
    }
}
