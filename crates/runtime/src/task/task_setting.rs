//! The surroundings that a task starts with, read off the machine and the configuration once.

use std::path::Path;

use artoo_model::Models;
use artoo_types::chat::Tier;
use artoo_types::limits::WORKSPACE_FILES;
use artoo_types::setting::{ModelTraits, PersonClock, SessionPair, TaskSetting};
use artoo_types::task::TaskSubmitted;
use artoo_types::tool::{ToolSpec, names};

use super::registry::TasksConfig;
use crate::clock;

/// The setting of one task: the configuration with the request's own options applied.
pub(super) fn setting(
    config: &TasksConfig,
    models: &Models,
    mut tools: Vec<ToolSpec>,
    submitted: &TaskSubmitted,
    session: Vec<SessionPair>,
) -> TaskSetting {
    let mut control = config.control;
    let options = &submitted.options;
    control.time_budget_ms = options.time_budget_ms.unwrap_or(control.time_budget_ms).max(1);
    control.max_replans = options.max_replans.unwrap_or(control.max_replans);
    if options.unattended {
        tools.retain(|tool| tool.name != names::ASK_PERSON);
    }
    let executor = models.tier(Tier::Tool);
    if !executor.native_tool_calls() {
        // In words a tool is its signature, and half of a short journal would be schemas.
        tools.iter_mut().for_each(|tool| tool.schema.clear());
    }
    let brain = models.tier(Tier::Brain).label();
    TaskSetting {
        control,
        deadline_ms: options.deadline_ms.unwrap_or(control.time_budget_ms.saturating_mul(2)).max(1),
        max_tokens: options.max_tokens,
        interactive: !options.unattended,
        tools,
        native_tool_calls: executor.native_tool_calls(),
        models: ModelTraits {
            language_model: !models.is_offline(Tier::Brain),
            rules_look: models.is_offline(Tier::Brain),
            judge_looks: !models.is_offline(Tier::Tool),
            brain_context: models.tier(Tier::Brain).context(),
            tool_context: executor.context(),
            tool_sees: executor.sees_images(),
        },
        home: config.home.to_string_lossy().into_owned(),
        workspace: config.workspace.to_string_lossy().into_owned(),
        os: std::env::consts::OS.to_owned(),
        clock: PersonClock { date: clock::today(), utc_offset_minutes: clock::utc_offset_minutes() },
        workspace_files: workspace_files(&config.workspace),
        provider: if brain == executor.label() { brain } else { format!("{brain} / {}", executor.label()) },
        session,
        build: artoo_task::replay::BUILD.to_owned(),
    }
}

/// Names of plain files in the workspace, newest first. A workspace that is not there yet has none.
fn workspace_files(workspace: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(workspace) else { return Vec::new() };
    let mut files: Vec<(std::time::SystemTime, String)> = entries
        // A folder with very many entries is not worth reading whole for some names.
        .take(10_000)
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let name = entry.file_name().into_string().ok().filter(|n| !n.contains(char::is_control))?;
            Some((metadata.modified().ok()?, name))
        })
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    files.truncate(WORKSPACE_FILES);
    files.into_iter().map(|(_, name)| name).collect()
}
