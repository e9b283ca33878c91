//! What commands are built from.

use artoo_types::brief::PlanBrief;

/// The surroundings of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Setting {
    /// Today, as `2026-11-21`.
    pub(super) date: String,
    /// Where the task runs; absolute.
    pub(super) working_directory: String,
    /// Where a bare file name of `write_file` lands; absolute.
    pub(super) workspace: String,
    /// The home folder; absolute.
    pub(super) home: String,
    /// Whether this is macOS, whose `find` and `stat` differ.
    pub(super) macos: bool,
    /// Names of files that are in the workspace already.
    pub(super) workspace_files: Vec<String>,
}

impl Setting {
    pub(super) fn of(brief: &PlanBrief) -> Self {
        let setting = &brief.setting;
        Self {
            date: setting.date.clone(),
            working_directory: brief.working_directory.clone(),
            workspace: setting.workspace.clone(),
            home: setting.home.clone(),
            macos: setting.os == "macos",
            workspace_files: setting.workspace_files.clone(),
        }
    }
}
