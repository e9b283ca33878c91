//! `shortcuts`: a shortcut of the Shortcuts app, with its input in a file of its own. One that fails and is not in the list
//! of all shortcuts is told with the names that come nearest.

use std::path::PathBuf;
use std::time::Duration;

use artoo_command::process::Scratch;
use artoo_gate::paths::PathRules;
use artoo_types::evidence::CallEnd;
use artoo_types::text::escape;
use artoo_types::tool::CallOutcome;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::apple;
use crate::installed::HelperProgram;
use crate::sandbox::Sandbox;
use crate::tool::{Judgement, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun};

/// How long the names of all shortcuts are waited for, to name the nearest one.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) const ROW: ToolRow = ToolRow::of::<Shortcut>(
    "shortcuts",
    "run a shortcut of the Shortcuts app by its name; a person is asked first",
)
.needing(HelperProgram::Shortcuts);

#[derive(Debug, Deserialize, JsonSchema)]
struct Shortcut {
    /// the exact name of the shortcut
    name: String,
    /// text that the shortcut gets
    input: Option<String>,
}

impl Tool for Shortcut {
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let targets = vec![format!("shortcut {}", self.name)];
        let unfit = apple::unfit_shortcut(&self.name, self.input.as_deref());
        apple::judged(ROW.name, self.name.clone(), targets, unfit)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::FullPower
    }

    fn describe(&self, target: &str) -> String {
        match &self.input {
            None => format!("run the shortcut {target} without input"),
            Some(input) => format!("run the shortcut {target} with the input\n{}", escape(input)),
        }
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        Box::pin(async move { run_shortcut(&self, run).await })
    }
}

async fn run_shortcut(call: &Shortcut, mut run: ToolRun) -> CallOutcome {
    let Some(program) = run.work.installed.path(HelperProgram::Shortcuts) else {
        return apple::gone(ROW.name);
    };
    let program = program.to_string_lossy().into_owned();
    let mut line = vec![program.clone(), "run".to_owned(), call.name.clone()];
    let input = call.input.as_deref().map(|text| input_file(run.commands.children.mark(), text)).transpose();
    // The folder goes with the call.
    let _scratch = match input {
        Ok(input) => input.map(|(scratch, file)| {
            line.extend(["--input-path".to_owned(), file.to_string_lossy().into_owned()]);
            scratch
        }),
        Err(error) => {
            let text = format!("the input could not be written for the shortcut: {error}");
            return CallOutcome::ended(CallEnd::Error, text);
        }
    };
    let outcome = run.program(line).await;
    if outcome.end != CallEnd::Ran || outcome.exit == Some(0) {
        return outcome;
    }
    run.timeout = run.timeout.min(LIST_TIMEOUT);
    let listed = run.program(vec![program, "list".to_owned()]).await;
    if listed.exit == Some(0) { apple::not_found(outcome, &call.name, &listed.output) } else { outcome }
}

fn input_file(mark: &str, text: &str) -> std::io::Result<(Scratch, PathBuf)> {
    let scratch = Scratch::new(mark)?;
    let file = scratch.folder().join("input.txt");
    std::fs::write(&file, text)?;
    Ok((scratch, file))
}
