//! What the daemon's status says.

use std::path::Path;

use artoo_protocol::PROTOCOL_VERSION;
use artoo_protocol::v1::GetStatusResponse;
use artoo_protocol::words::Provider;

use super::check::{DoctorCheck, SafeFix};
use crate::paths::short;
use crate::render::figures::{count, duration};

/// By how much both clocks of a machine may differ: time servers correct in smaller steps.
const CLOCK_JUMP_MS: u64 = 120_000;
/// 2025-01-01, in milliseconds since the epoch: no clock that is right shows less.
const LEAST_NOW_MS: i64 = 1_735_689_600_000;

/// Every check that needs the status alone. `now_ms`: this machine's clock, in milliseconds since the epoch.
pub(super) fn of_status(status: &GetStatusResponse, now_ms: i64) -> Vec<DoctorCheck> {
    let mut checks = vec![
        version(status),
        configuration(status),
        confinement(&status.confinement),
        children(&status.children),
        search(&status.search),
        workspace(&status.workspace),
        clock(status, now_ms),
        audit_heads(status),
    ];
    if status.provider() == Provider::Offline {
        let saw = match status.model_missing.as_str() {
            "" => "none: built-in rules answer everyday requests".to_owned(),
            missing => format!("none: {missing}"),
        };
        // Another model is no mend of a key that is not there.
        let (remedy, command) = if status.model_key_missing {
            ("see to the key, and start the daemon anew", "artoo restart")
        } else {
            ("find a server or a key, and write it down", "artoo setup")
        };
        checks.insert(2, DoctorCheck::note("model", saw, remedy).by(command.to_owned()));
    }
    let is_told =
        |warning: &&String| status.provider() == Provider::Offline && **warning == status.model_missing;
    let warnings = status.warnings.iter().filter(|warning| !is_told(warning));
    checks.extend(warnings.map(|warning| DoctorCheck::note("warning", warning.clone(), "")));
    checks
}

fn version(status: &GetStatusResponse) -> DoctorCheck {
    let version = env!("CARGO_PKG_VERSION");
    if status.protocol_version != PROTOCOL_VERSION {
        let saw =
            format!("the daemon speaks protocol {}, this client {PROTOCOL_VERSION}", status.protocol_version);
        let remedy = "install client and daemon of one version, then restart the daemon";
        DoctorCheck::wrong("version", saw, remedy).by("artoo restart".to_owned())
    } else if status.version == version {
        DoctorCheck::fine("version", status.version.clone())
    } else {
        let saw = format!("the daemon is {}, this client {version}", status.version);
        DoctorCheck::note("version", saw, "restart it")
            .by("artoo restart".to_owned())
            .fixed_by(SafeFix::Restart)
    }
}

fn configuration(status: &GetStatusResponse) -> DoctorCheck {
    if !status.configuration_changed {
        return DoctorCheck::fine("settings", "the daemon runs with config.toml as it is".to_owned());
    }
    let saw = "config.toml was changed after the daemon started".to_owned();
    DoctorCheck::note("settings", saw, "apply it").by("artoo restart".to_owned()).fixed_by(SafeFix::Restart)
}

fn confinement(means: &str) -> DoctorCheck {
    if means.is_empty() {
        let remedy = "the warnings say why; Linux 6.2 or newer with Landlock confines, and so does macOS";
        DoctorCheck::note("confinement", "none: artoo asks before every command".to_owned(), remedy)
    } else {
        DoctorCheck::fine("confinement", means.to_owned())
    }
}

/// What ends the processes of tools. An older daemon says nothing.
fn children(means: &str) -> DoctorCheck {
    if means.starts_with("subreaper") {
        return DoctorCheck::fine("children", means.to_owned());
    }
    let saw = if means.is_empty() { "the daemon does not say how it ends them" } else { means };
    let remedy = "after a cancelled task, look for programs that it started and that still run";
    DoctorCheck::note("children", saw.to_owned(), remedy)
}

/// Who searches the web for tasks.
fn search(provider: &str) -> DoctorCheck {
    if provider.is_empty() {
        let saw = "nobody: tasks cannot search the web".to_owned();
        DoctorCheck::note("search", saw, "name who does")
            .by("artoo config set search.provider duckduckgo && artoo restart".to_owned())
    } else {
        DoctorCheck::fine("search", provider.to_owned())
    }
}

fn workspace(path: &str) -> DoctorCheck {
    let shown = short(Path::new(path));
    if path.is_empty() || Path::new(path).is_dir() {
        return DoctorCheck::fine("workspace", shown);
    }
    let saw = format!("{shown} does not exist yet");
    DoctorCheck::note("workspace", saw, "it is made with the first file that a task writes")
        .fixed_by(SafeFix::MakeFolder(path.into()))
}

/// Whether the clock is plausible, and was not set since the daemon started.
fn clock(status: &GetStatusResponse, now_ms: i64) -> DoctorCheck {
    let set = "set it: `timedatectl set-ntp true` on Linux, System Settings on macOS";
    if now_ms < LEAST_NOW_MS {
        let saw =
            "it stands before 2025: certificates, deadlines and the memory's fading go wrong".to_owned();
        return DoctorCheck::wrong("clock", saw, set);
    }
    let started =
        status.started_at.as_ref().map_or(0, |at| at.seconds * 1_000 + i64::from(at.nanos) / 1_000_000);
    let expected = started.saturating_add(i64::try_from(status.uptime_ms).unwrap_or(i64::MAX));
    let jump = now_ms.abs_diff(expected);
    if started == 0 || jump < CLOCK_JUMP_MS {
        return DoctorCheck::fine("clock", "it has not been set since the daemon started".to_owned());
    }
    let saw = format!("it was set by {} since the daemon started", duration(jump));
    DoctorCheck::note("clock", saw, "if it is right now, start the daemon anew")
        .by("artoo restart".to_owned())
}

/// Whether heads of the auditor's log go where this account cannot change them.
fn audit_heads(status: &GetStatusResponse) -> DoctorCheck {
    let lines = status.audit_head.as_ref().map_or(0, |head| head.seq);
    let saw = format!("{}, heads recorded in {}", count(lines, "line"), status.audit_anchored_in.join(", "));
    if status.audit_anchored_in.iter().any(|place| place.starts_with("system log")) {
        return DoctorCheck::fine("audit log", saw);
    }
    let saw = format!("{saw}; there is no system log here that artoo can reach");
    let remedy = "note a head down now and then: `artoo audit` shows it, `artoo audit verify --anchor HASH` looks for it";
    DoctorCheck::note("audit log", saw, remedy)
}

#[cfg(test)]
mod tests {
    use artoo_protocol::PROTOCOL_VERSION;
    use artoo_protocol::v1::GetStatusResponse;

    use super::super::check::CheckVerdict;
    use super::{LEAST_NOW_MS, of_status};

    const NOW: i64 = LEAST_NOW_MS + 50_000_000;

    /// The check with this name ends like this.
    fn check(status: &GetStatusResponse, now: i64, name: &str, verdict: CheckVerdict) {
        let checks = of_status(status, now);
        let found = checks.iter().find(|check| check.name == name).expect("the check is made");
        assert_eq!(found.verdict, verdict, "{found:?}");
        assert_eq!(found.remedy.is_empty(), verdict == CheckVerdict::Fine, "{found:?}");
    }

    #[test]
    fn what_the_status_shows_is_told() {
        let mut status = GetStatusResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol_version: PROTOCOL_VERSION,
            provider: "openai".to_owned(),
            brain_model: "m".to_owned(),
            confinement: "landlock".to_owned(),
            search: "DuckDuckGo".to_owned(),
            audit_anchored_in: vec!["audit/anchors.jsonl".to_owned(), "system log (/dev/log)".to_owned()],
            children: "subreaper + process group (cgroup not writable)".to_owned(),
            started_at: Some(prost_types::Timestamp { seconds: (NOW - 60_000) / 1_000, nanos: 0 }),
            uptime_ms: 60_000,
            ..Default::default()
        };
        for name in ["version", "settings", "confinement", "search", "clock", "audit log", "children"] {
            check(&status, NOW, name, CheckVerdict::Fine);
        }
        check(&status, NOW + 3_600_000, "clock", CheckVerdict::Note);
        check(&status, NOW - 3_600_000, "clock", CheckVerdict::Note);
        check(&status, LEAST_NOW_MS - 1, "clock", CheckVerdict::Wrong);
        status.version = "0.0.1".to_owned();
        check(&status, NOW, "version", CheckVerdict::Note);
        status.protocol_version += 1;
        check(&status, NOW, "version", CheckVerdict::Wrong);
        status.provider = "offline".to_owned();
        check(&status, NOW, "model", CheckVerdict::Note);
        status.model_missing = "OPENAI_API_KEY is set and no model is named".to_owned();
        status.warnings = vec![status.model_missing.clone()];
        let told: Vec<_> =
            of_status(&status, NOW).into_iter().filter(|c| c.saw.contains("OPENAI_API_KEY")).collect();
        assert!(matches!(told.as_slice(), [one] if one.name == "model"), "once: {told:?}");
        status.warnings.clear();
        status.confinement.clear();
        check(&status, NOW, "confinement", CheckVerdict::Note);
        status.configuration_changed = true;
        check(&status, NOW, "settings", CheckVerdict::Note);
        status.audit_anchored_in.pop();
        check(&status, NOW, "audit log", CheckVerdict::Note);
        for means in ["", "process group"] {
            status.children = means.to_owned();
            check(&status, NOW, "children", CheckVerdict::Note);
        }
    }
}
