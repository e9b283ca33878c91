//! `shell`: a bash command, judged by the gate and confined by the system.

use std::time::Duration;

use artoo_command::process;
use artoo_command::sandbox::{Confinement, ConfinementMeans, derive};
use artoo_gate::origin::of_path;
use artoo_gate::paths::PathRules;
use artoo_gate::{CommandBox, Decision, Explanation};
use artoo_trash::KeptProject;
use artoo_types::evidence::EffectClass;
use artoo_types::limits::{LONG_CALL_MS, TOOL_CALL_MS};
use artoo_types::taint::Taint;
use artoo_types::target::is_below;
use artoo_types::text::escape;
use artoo_types::tool::names;
use schemars::JsonSchema;
use serde::Deserialize;

use super::rights;
use crate::files::find_command;
use crate::installed::HelperProgram;
use crate::sandbox::Sandbox;
use crate::tool::{
    CallFacts, CommandRights, FileRights, FolderBox, Judgement, Permission, Reach, Tool, ToolRow,
};
use crate::work::{Running, ToolRun};

pub(super) const ROW: ToolRow = ToolRow::of::<Shell>(
    names::SHELL,
    "run a bash command in the working directory",
)
.unasked(|rights| match (rights.commands, rights.files) {
    (CommandRights::Boxed, FileRights::Project) => {
        "; at once in a box (no network, changes only this project); deleting, sending, other places need a person's yes"
    }
    (CommandRights::Serving, FileRights::Project) => {
        "; at once in a box (no network but a localhost of each call's own, changes only this project); deleting, sending, other \
         places need a person's yes"
    }
    (CommandRights::Boxed | CommandRights::Serving, FileRights::Named | FileRights::Nothing) => {
        "; reads and makes new files at once, other programs in a box that writes only $TMPDIR and what the request names or this \
         task made; other changes need a person's yes, but for moves that the request asks for"
    }
    (CommandRights::Safe, _) => "; reading and new files at once, all else needs a person's yes",
    (CommandRights::Nothing, _) => "; each needs a person's yes",
});

/// Programs that test or build, which may take minutes.
const LONG_PROGRAMS: &[&str] = &[
    "ant",
    "bats",
    "bazel",
    "bun",
    "bundle",
    "cabal",
    "cargo",
    "cmake",
    "composer",
    "ctest",
    "deno",
    "dotnet",
    "docker",
    "go",
    "gradle",
    "gradlew",
    "jest",
    "just",
    "make",
    "meson",
    "mix",
    "mocha",
    "mvn",
    "mvnw",
    "ninja",
    "nose2",
    "nox",
    "npm",
    "npx",
    "phpunit",
    "pip",
    "pip3",
    "playwright",
    "pnpm",
    "poetry",
    "pytest",
    "rake",
    "rspec",
    "rustc",
    "sbt",
    "stack",
    "swift",
    "tox",
    "tsc",
    "unittest",
    "uv",
    "vitest",
    "xcodebuild",
    "yarn",
    "zig",
];

#[derive(Debug, Deserialize, JsonSchema)]
struct Shell {
    /// the command
    command: String,
    /// a deadline in milliseconds, when 30 seconds are not enough, or up to 120 for tests and builds
    timeout_ms: Option<u64>,
    /// rights that it lacks in its box, which a person is asked for: "network", "space", "write /a/path"
    needs: Option<Vec<String>>,
}

impl Tool for Shell {
    /// Puts what the gate says of a command together with what this machine can confine.
    fn judge(&self, places: &PathRules, sandbox: &Sandbox) -> Judgement {
        let explained = artoo_gate::explain(&self.command, places);
        let (mut facts, permission) = judged(&explained);
        if let ConfinementMeans::Confining(_) = sandbox.means()
            && permission == Permission::Free
            && derive::kept_to_folders(&explained, places).is_some()
        {
            // What it reads there is what the task works in.
            facts.brings =
                explained.brought | explained.folders_bring | of_path(places, &places.working_directory);
        }
        let moving = explained.spared_folder(places).map(|root| {
            let kind = CommandBox::Project(root);
            let confinement = derive::boxed(&self.command, &explained, &kind, places);
            Box::new((in_box(facts.clone(), &explained, kind, places), confinement))
        });
        let moving = moving.filter(|_| matches!(sandbox.means(), ConfinementMeans::Confining(_)));
        let folder = self.folder_box(&facts, &explained, places);
        let folder = folder.filter(|_| matches!(sandbox.means(), ConfinementMeans::Confining(_)));
        let (permission, confinement) = match sandbox.means() {
            ConfinementMeans::Waived => (permission, Confinement::FullPower),
            ConfinementMeans::Lacking(why) => {
                let free = format!("nothing would confine it here: {why}");
                let permission = match permission {
                    Permission::Free => Permission::Ask {
                        effects: explained.effects,
                        targets: explained.targets,
                        why: vec![free],
                    },
                    asked @ (Permission::Ask { .. } | Permission::Refuse(_)) => asked.because(free),
                };
                (permission, Confinement::FullPower)
            }
            ConfinementMeans::Confining(_) => match permission {
                Permission::Ask { .. } if let Some(kind) = explained.boxed(places) => {
                    let confinement = derive::boxed(&self.command, &explained, &kind, places);
                    let needs = self.needs.as_deref().unwrap_or_default();
                    if !needs.is_empty() {
                        let facts = in_box(facts, &explained, kind, places);
                        return rights::asked(needs, facts, confinement, places);
                    }
                    // Where all of the folder can be written, nothing of it has to be given.
                    let folder = folder.filter(|_| kind == CommandBox::Reading);
                    let facts = in_box(facts, &explained, kind, places);
                    return Judgement { confinement, folder, ..Judgement::new(facts, Permission::Free) };
                }
                Permission::Free
                    if let Some(needs) = self.needs.as_deref().filter(|needs| !needs.is_empty()) =>
                {
                    return rights::asked(needs, facts, derive::unasked(&explained, places), places);
                }
                Permission::Free => {
                    let kept = derive::kept_to_folders(&explained, places);
                    let confinement = kept.unwrap_or_else(|| derive::unasked(&explained, places));
                    (Permission::Free, confinement)
                }
                asked @ Permission::Ask { .. } => {
                    let confinement = derive::agreed(&self.command, &explained, places);
                    (asked.because(derive::told(&confinement)), confinement)
                }
                refused @ Permission::Refuse(_) => (refused, Confinement::FullPower),
            },
        };
        Judgement { facts, permission, confinement, moving, folder, closed: None }
    }

    fn reach(&self) -> Reach<'_> {
        Reach::Command
    }

    fn describe(&self, _: &str) -> String {
        escape(&self.command)
    }

    fn timeout(&self, left: Duration) -> Duration {
        let usual = Duration::from_millis(TOOL_CALL_MS);
        match self.timeout_ms {
            Some(asked) => Duration::from_millis(asked),
            None if takes_long(&self.command) => (left / 4).clamp(usual, Duration::from_millis(LONG_CALL_MS)),
            None => usual,
        }
    }

    fn run(self: Box<Self>, run: ToolRun) -> Running {
        Box::pin(async move {
            // An index of names can answer some searches.
            if run.work.installed.path(HelperProgram::Mdfind).is_some() {
                let (command, work) = (self.command.clone(), run.work.clone());
                let asked = tokio::task::spawn_blocking(move || find_command::answered(&command, &work));
                if let Some(answer) = asked.await.ok().flatten() {
                    return answer;
                }
            }
            let is_unasked = run.work.agreed.is_none() && run.confinement.is_confined();
            let most = is_unasked.then_some(run.work.places.unasked.bytes);
            let shell = most.map_or_else(
                || process::shell(&self.command),
                |most| process::bounded_shell(&self.command, most),
            );
            let outcome = run.bounded_program(shell, most).await;
            if is_unasked { rights::told(outcome) } else { outcome }
        })
    }
}

impl Shell {
    /// How it runs where a folder is worked in that is no project and not all of it is understood; None elsewhere.
    fn folder_box(
        &self,
        facts: &CallFacts,
        explained: &Explanation,
        places: &PathRules,
    ) -> Option<Box<FolderBox>> {
        let told = explained.told_in_folder(places)?;
        let kind = CommandBox::Reading;
        Some(Box::new(FolderBox {
            confinement: derive::boxed(&self.command, explained, &kind, places),
            facts: in_box(facts.clone(), explained, kind, places),
            told,
            keeps_names: derive::keeps_names(&self.command, explained),
            modes: explained.leeway.modes.clone(),
        }))
    }
}

/// Whether a command names a program that tests or builds.
fn takes_long(command: &str) -> bool {
    let is_between = |c: char| c.is_whitespace() || ";|&()`'\"=".contains(c);
    let name = |word: &str| word.rsplit('/').next().unwrap_or_default().trim_end_matches(".exe").to_owned();
    command.split(is_between).any(|word| LONG_PROGRAMS.contains(&name(word).as_str()))
}

/// The facts of a call that runs in a box: what the box lets it do, whatever it is.
fn in_box(facts: CallFacts, explained: &Explanation, kind: CommandBox, places: &PathRules) -> CallFacts {
    let brings = explained.brings_in_box(places);
    let mut changes: Vec<String> = explained.creates.iter().map(|new| new.path.clone()).collect();
    let (effect, project) = match kind {
        CommandBox::Reading if changes.is_empty() => (EffectClass::Read, None),
        CommandBox::Reading => (EffectClass::Create, None),
        CommandBox::Project(root) => {
            changes.retain(|path| !is_below(path, &root));
            changes.push(root.clone());
            (EffectClass::Overwrite, Some(KeptProject { root, denied: Vec::new() }))
        }
    };
    CallFacts { effect, brings, changes: Some(changes), project, ..facts }
}

/// What the gate says of a command, as of any call.
fn judged(explained: &Explanation) -> (CallFacts, Permission) {
    let effect = explained.effects.iter().copied().max().unwrap_or(EffectClass::Unknown);
    let brings =
        if effect >= EffectClass::Send { Taint::BOTH } else { explained.brings | explained.folders_bring };
    let facts = CallFacts {
        classes: explained.classes.clone(),
        blame: explained.blame.clone(),
        target: explained.target.clone(),
        effect,
        looks_at: explained.looks_at.clone(),
        changes: explained.changes.as_ref().map(|changed| {
            changed.iter().chain(explained.creates.iter().map(|made| &made.path)).cloned().collect()
        }),
        brings,
        reads_it: explained.brought.private,
        project: None,
        names: explained.names.clone(),
        is_exact: false,
    };
    let permission = match explained.decision {
        Decision::Safe => Permission::Free,
        Decision::Confirm => Permission::Ask {
            effects: explained.effects.clone(),
            targets: explained.targets.clone(),
            why: explained.why.clone(),
        },
        Decision::Forbidden => {
            Permission::refuse(format!("this command is never run: {}", explained.why.join("; ")))
        }
    };
    (facts, permission)
}
