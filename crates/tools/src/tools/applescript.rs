//! `applescript`: a script, run by `osascript`, which no shell reads.

use artoo_gate::paths::PathRules;
use artoo_types::tag::fold;
use artoo_types::text::escape;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::apple;
use crate::installed::HelperProgram;
use crate::sandbox::Sandbox;
use crate::tool::{Judgement, Reach, Tool, ToolRow};
use crate::work::{Running, ToolRun};

pub(super) const ROW: ToolRow = ToolRow::of::<AppleScript>(
    "applescript",
    "control an application of this Mac, such as Mail, Calendar, Reminders or Music, with AppleScript; a person is asked first",
)
.needing(HelperProgram::Osascript);

#[derive(Debug, Deserialize, JsonSchema)]
struct AppleScript {
    /// the whole script; what its last line returns is the output
    script: String,
}

impl Tool for AppleScript {
    fn judge(&self, _: &PathRules, _: &Sandbox) -> Judgement {
        let targets = apple::script_targets(&self.script);
        apple::judged(ROW.name, fold(&self.script), targets, apple::unfit_script(&self.script))
    }

    fn reach(&self) -> Reach<'_> {
        Reach::FullPower
    }

    fn describe(&self, _: &str) -> String {
        format!("run this AppleScript:\n{}", escape(&self.script))
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        Box::pin(async move {
            let Some(program) = run.work.installed.path(HelperProgram::Osascript) else {
                return apple::gone(ROW.name);
            };
            let line = vec![program.to_string_lossy().into_owned(), "-e".to_owned(), self.script];
            apple::explained(run.program(line).await)
        })
    }
}
