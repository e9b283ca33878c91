//! What one row is: a request, a prepared folder, what the model does and says, and how a person who looks at the folder
//! and the answer tells whether it is right.

use serde_json::{Value, json};

use crate::folder::{Folder, Look};

/// One task with a known answer.
pub(crate) struct Row {
    /// Rows of one kind stand together in the table.
    pub(crate) kind: &'static str,
    /// What it is, in few words.
    pub(crate) name: &'static str,
    /// Who plays the roles.
    pub(crate) mind: Mind,
    /// The person's words.
    pub(crate) request: &'static str,
    /// Programs without which the row is left out.
    pub(crate) needs: &'static [&'static str],
    /// Makes the folder.
    pub(crate) prepare: fn(&Folder),
    /// Whether the folder is a git work tree in which everything was committed.
    pub(crate) is_project: bool,
    /// Criteria of the plan, which has one step.
    pub(crate) criteria: Vec<Value>,
    /// What the executor does.
    pub(crate) work: Work,
    /// What it does when it was told that something is wrong; without it, the same again.
    pub(crate) cure: Option<Work>,
    /// What a judge who reads what was run finds fault with; without it the judge passes everything.
    pub(crate) tell: Option<&'static str>,
    /// What has to become of it.
    pub(crate) end: End,
    /// Looks at the folder and the answer.
    pub(crate) right: fn(&mut Look<'_>),
    /// Whether `make test` runs it.
    pub(crate) is_sample: bool,
}

/// How the model behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mind {
    /// Does the work and says what it saw.
    Good,
    /// Makes a mistake and believes that it did the work.
    Weak,
    /// Says what is not so, or does what a stranger's text wants.
    Lying,
}

impl Mind {
    /// As the table names it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Weak => "weak",
            Self::Lying => "lying",
        }
    }
}

/// What has to become of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Accepted and right.
    Done,
    /// It cannot be done: not accepted, and said why.
    CannotBeDone,
    /// Whatever is said, no harm was done.
    Harmless,
    /// Not accepted unless it was put right.
    Caught,
}

/// Turns of the executor and what it says at last.
#[derive(Default)]
pub(crate) struct Work {
    /// Calls of each turn.
    pub(crate) turns: Vec<Vec<Call>>,
    /// The answer. `{last}` stands for the output of the last call.
    pub(crate) answer: &'static str,
    /// Whether it says that it failed.
    pub(crate) gives_up: bool,
}

/// One call, in the words of artoo's tools and of a plain shell.
pub(crate) enum Call {
    /// A command.
    Shell(String),
    /// A command that takes so many seconds.
    Long(String, u64),
    /// A text that becomes a file.
    Write(&'static str, &'static str),
}

impl Call {
    /// The call as artoo's executor makes it: the tool with its arguments.
    pub(crate) fn tool(&self) -> (&'static str, Value) {
        match self {
            Self::Shell(command) => ("shell", json!({"command": command})),
            // Twice the time: a machine may be busy.
            Self::Long(command, seconds) => {
                ("shell", json!({"command": command, "timeout_ms": 2_000 * seconds + 20_000}))
            }
            Self::Write(path, content) => {
                ("write_file", json!({"path": format!("./{path}"), "content": content}))
            }
        }
    }

    /// The same as a command of bash.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Shell(command) | Self::Long(command, _) => command.clone(),
            Self::Write(path, content) => format!("cat > '{path}' <<'END_OF_FILE'\n{content}END_OF_FILE"),
        }
    }
}

/// A task that a good model does.
pub(crate) fn honest(kind: &'static str, name: &'static str, request: &'static str) -> Row {
    row(kind, name, request, Mind::Good, End::Done)
}

/// A task that nobody can do, as a good model says.
pub(crate) fn impossible(name: &'static str, request: &'static str) -> Row {
    let row = row("impossible", name, request, Mind::Good, End::CannotBeDone);
    Row { work: Work { gives_up: true, ..row.work }, ..row }
}

/// A task in which a model obeys a stranger's text.
pub(crate) fn obeyed(name: &'static str, request: &'static str) -> Row {
    row("injection", name, request, Mind::Lying, End::Harmless)
}

/// A task that a model gets wrong.
pub(crate) fn fault(mind: Mind, name: &'static str, request: &'static str) -> Row {
    row("fault", name, request, mind, End::Caught)
}

fn row(kind: &'static str, name: &'static str, request: &'static str, mind: Mind, end: End) -> Row {
    Row {
        kind,
        name,
        mind,
        request,
        needs: &[],
        prepare: |_| {},
        is_project: false,
        criteria: Vec::new(),
        work: Work::default(),
        cure: None,
        tell: None,
        end,
        right: |_| {},
        is_sample: false,
    }
}

impl Row {
    /// In a folder that is made like this.
    pub(crate) fn folder(self, prepare: fn(&Folder)) -> Self {
        Self { prepare, ..self }
    }

    /// In a git work tree that is made like this and committed.
    pub(crate) fn project(self, prepare: fn(&Folder)) -> Self {
        Self { prepare, is_project: true, ..self }
    }

    /// Left out on a machine without these programs.
    pub(crate) fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    /// Run by `make test` too.
    pub(crate) fn sample(self) -> Self {
        Self { is_sample: true, ..self }
    }

    /// With this criterion of the plan.
    pub(crate) fn wants(mut self, criterion: Value) -> Self {
        self.criteria.push(criterion);
        self
    }

    /// A turn with these commands.
    pub(crate) fn run(mut self, commands: &[&str]) -> Self {
        let calls = commands.iter().map(|command| Call::Shell((*command).to_owned()));
        self.work.turns.push(calls.collect());
        self
    }

    /// A turn with a command that takes so many seconds.
    pub(crate) fn run_for(mut self, seconds: u64, command: &str) -> Self {
        self.work.turns.push(vec![Call::Long(command.to_owned(), seconds)]);
        self
    }

    /// A turn that writes a file.
    pub(crate) fn write(mut self, path: &'static str, content: &'static str) -> Self {
        self.work.turns.push(vec![Call::Write(path, content)]);
        self
    }

    /// The answer after the turns.
    pub(crate) fn answers(mut self, answer: &'static str) -> Self {
        self.work.answer = answer;
        self
    }

    /// What is done instead when something was found wrong.
    pub(crate) fn cured(self, turns: Vec<Vec<Call>>, answer: &'static str) -> Self {
        Self { cure: Some(Work { turns, answer, gives_up: false }), ..self }
    }

    /// A judge who reads what was run finds fault with this.
    pub(crate) fn tell(self, tell: &'static str) -> Self {
        Self { tell: Some(tell), ..self }
    }

    /// What is right.
    pub(crate) fn right(self, right: fn(&mut Look<'_>)) -> Self {
        Self { right, ..self }
    }
}
