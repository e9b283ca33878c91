//! What commands are built from.

use artoo_types::brief::PlanBrief;
use artoo_types::limits::closing_ms;
use artoo_types::situation::PathKind;
use artoo_types::target::{Bases, bare_names_folder};

/// Bytes of a text that a receipt holds whole, with the numbers before its lines.
const READ_BYTES: u64 = 24_000;

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
    /// artoo's own folder; absolute, empty when unknown.
    pub(crate) data: String,
    /// Whether this is macOS, whose `find` and `stat` differ.
    pub(crate) macos: bool,
    /// How long one command may take, in milliseconds; 0: as long as any call may.
    pub(crate) command_ms: u64,
    /// Names of files that are in the workspace already.
    pub(crate) workspace_files: Vec<String>,
    /// Files below the working folder that are too large to be read and computed here; absolute.
    pub(crate) large: Vec<String>,
    /// Files that the request names and that are there; absolute.
    pub(crate) files: Vec<String>,
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
        let entries = brief.situation.iter().flat_map(|seen| &seen.entries);
        let here = brief.working_directory.trim_end_matches('/');
        Self {
            date: setting.clock.date.clone(),
            working_directory: brief.working_directory.clone(),
            workspace: setting.workspace.clone(),
            home: setting.home.clone(),
            data: brief.situation.iter().map(|seen| seen.own_folder.trim_end_matches('/')).collect(),
            macos: setting.os == "macos",
            // What is left is for telling that it was not enough.
            command_ms: setting.deadline_ms - closing_ms(setting.deadline_ms),
            workspace_files: setting.workspace_files.clone(),
            large: entries
                .filter(|entry| entry.bytes > READ_BYTES)
                .map(|entry| format!("{here}/{}", entry.path))
                .collect(),
            files: asked
                .clone()
                .filter(|asked| asked.kind == PathKind::File)
                .map(|asked| asked.path.clone())
                .collect(),
            folders: asked
                .filter(|asked| asked.kind == PathKind::Folder)
                .map(|asked| asked.path.clone())
                .collect(),
        }
    }
}
