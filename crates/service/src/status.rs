//! The daemon's own state.

use std::collections::HashMap;

use artoo_protocol::{PROTOCOL_VERSION, v1};
use tonic::Status;

use super::service::{Calls, blocking};
use super::{convert, memory_search, tasks};

/// How the daemon is.
pub(super) async fn get_status(
    calls: &Calls,
    _request: v1::GetStatusRequest,
) -> Result<v1::GetStatusResponse, Status> {
    let parts = &calls.parts;
    let (memory, all_tasks) = (parts.memory.reader().ok(), parts.tasks.clone());
    let (megrams, by_state) = blocking(move || {
        // A memory that cannot be used stands in the warnings already.
        let megrams = memory.map_or_else(|| Ok(Default::default()), |memory| memory_search::counts(&memory));
        Ok((megrams, by_state(&all_tasks)))
    })
    .await?;
    let mut warnings = parts.about.configured.warnings.clone();
    warnings.extend(parts.health.warnings());
    warnings.extend(parts.toolbox.confinement_lack());
    // A status must come even when the memory is broken: that is when it is looked at.
    let megrams = megrams.unwrap_or_else(|error| {
        warnings.push(error.message().to_owned());
        Default::default()
    });
    let audit = parts.auditor.standing();
    Ok(v1::GetStatusResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol_version: PROTOCOL_VERSION,
        provider: parts.about.configured.provider.clone(),
        brain_model: parts.about.configured.brain_model.clone(),
        tool_model: parts.about.configured.tool_model.clone(),
        uptime_ms: u64::try_from(parts.about.start.steady.elapsed().as_millis()).unwrap_or(u64::MAX),
        started_at: Some(convert::timestamp(parts.about.start.at)),
        pid: std::process::id(),
        tasks: by_state,
        megrams: megrams.into_iter().map(|(level, count)| (level.to_owned(), count)).collect(),
        dropped_events: parts.live.dropped(),
        data_directory: parts.places.data.to_string_lossy().into_owned(),
        workspace: parts.places.workspace.to_string_lossy().into_owned(),
        confinement: parts.toolbox.confinement(),
        warnings,
        audit_head: Some(convert::audit_head(&audit.head)),
        audit_anchored_in: audit.anchored_in,
        children: parts.toolbox.children(),
        search: parts.about.configured.search.clone(),
        model_key_missing: parts.about.configured.model_key_missing,
        model_missing: parts.about.configured.model_missing.clone(),
        configuration_changed: parts.about.probed.as_ref().is_some_and(|probed| probed.watch.has_changed()),
        open_findings: audit.open_findings.iter().map(|(kind, n)| (kind.as_str().to_owned(), *n)).collect(),
    })
}

fn by_state(all: &artoo_runtime::task::Tasks) -> HashMap<String, u64> {
    let (running, known) = all.counts();
    let mut states = HashMap::from([("finished".to_owned(), known.saturating_sub(running) as u64)]);
    for view in tasks::at_work(all) {
        *states.entry(convert::task_state(view.state).as_str().to_owned()).or_default() += 1;
    }
    states
}
