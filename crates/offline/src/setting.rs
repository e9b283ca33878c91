//! What commands are built from.

use artoo_types::brief::PlanBrief;
use artoo_types::limits::closing_ms;
use artoo_types::situation::PathKind;
use artoo_types::target::{Bases, bare_names_folder};

/// The surroundings of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Setting {
    /// Today, as `2026-11-21`.
    pub(crate) date: String,
    /// Where the task runs; absolute.
    pub(crate) working_directory: String,
    /// Where files of our own naming are made; absolute.
    pub(crate) workspace: String,
    /// The home folder; absolute.
    pub(crate) home: String,
    /// Whether this is macOS, whose `find` and `stat` differ.
    pub(crate) macos: bool,
    /// How long one command may take, in milliseconds; 0: as long as any call may.
    pub(crate) command_ms: u64,
    /// Names of files that are in the workspace already.
    pub(crate) workspace_files: Vec<String>,
    /// Folders that the request may name and that are there; absolute.
    pub(crate) folders: Vec<String>,
}

impl Setting {
    /// Where a file lies that the person names by its bare name, without a slash at the end.
    pub(crate) fn bare_names_folder(&self) -> &str {
        let Self { working_directory, workspace, home, .. } = self;
        bare_names_folder(Bases { working_directory, workspace, home }).trim_end_matches('/')
    }

    pub(crate) fn of(brief: &PlanBrief) -> Self {
        let setting = &brief.setting;
        let asked = brief.situation.iter().flat_map(|seen| &seen.asked);
        Self {
            date: setting.clock.date.clone(),
            working_directory: brief.working_directory.clone(),
            workspace: setting.workspace.clone(),
            home: setting.home.clone(),
            macos: setting.os == "macos",
            // What is left is for telling that it was not enough.
            command_ms: setting.deadline_ms - closing_ms(setting.deadline_ms),
            workspace_files: setting.workspace_files.clone(),
            folders: asked
                .filter(|asked| asked.kind == PathKind::Folder)
                .map(|asked| asked.path.clone())
                .collect(),
        }
    }
}
