//! Whether everything is in place, and what to do where it is not.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use artoo_protocol::PROTOCOL_VERSION;
use artoo_protocol::v1::GetStatusResponse;
use artoo_protocol::words::Provider;
use serde_json::json;

use crate::console::GlobalFlags;
use crate::exit::{ABANDONED, DONE, Failure, UNREACHABLE};
use crate::one_shot::{models, status};
use crate::output::Printer;
use crate::paths::{ClientPaths, SOCKET_PATH_BYTES, short};
use crate::render::figures::count;
use crate::render::{Line, Tone};
use crate::terminal::TerminalLook;

/// Most lines of one text; a path can be long, advice is not.
const LINES: usize = 8;

/// How one check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckVerdict {
    Fine,
    /// It works, with less than it could.
    Note,
    Wrong,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DoctorCheck {
    name: &'static str,
    verdict: CheckVerdict,
    saw: String,
    /// What to do; empty when it is fine.
    remedy: String,
}

/// `artoo doctor`; exit code 3 when the daemon does not answer, 1 when something else is wrong.
///
/// # Errors
/// When there is no place for the socket, or nobody takes the output.
pub async fn run(global: &GlobalFlags) -> Result<u8, Failure> {
    let daemon = global.daemon()?;
    let mut checks = vec![fine(
        "socket path",
        format!("{} (limit {SOCKET_PATH_BYTES} bytes)", short(&daemon.paths.socket)),
    )];
    let answer = status(&daemon).await;
    let unreachable = matches!(answer, Err(Failure::Unreachable { .. }));
    match answer {
        Ok(status) => {
            checks.push(fine("daemon", format!("process {} answers", status.pid)));
            checks.extend(of_status(&status));
        }
        Err(failure) => {
            checks.push(wrong("daemon", failure.finding(), "start it: artoo-daemon --foreground".to_owned()));
        }
    }
    checks.extend(of_files(&daemon.paths));
    let mut printer = Printer::stdout(TerminalLook::detect());
    if global.json {
        printer.text(object(&checks)).await?;
    } else {
        let width = printer.look.width;
        printer.lines(&checks.iter().flat_map(|check| lines(check, width)).collect::<Vec<_>>()).await?;
    }
    let is_wrong = checks.iter().any(|check| check.verdict == CheckVerdict::Wrong);
    Ok(match (unreachable, is_wrong) {
        (true, _) => UNREACHABLE,
        (false, true) => ABANDONED,
        (false, false) => DONE,
    })
}

fn of_status(status: &GetStatusResponse) -> Vec<DoctorCheck> {
    let version = env!("CARGO_PKG_VERSION");
    let mut checks = vec![
        if status.protocol_version != PROTOCOL_VERSION {
            wrong(
                "version",
                format!(
                    "the daemon speaks protocol {}, this client {PROTOCOL_VERSION}",
                    status.protocol_version
                ),
                "install client and daemon of one version, then restart the daemon".to_owned(),
            )
        } else if status.version == version {
            fine("version", status.version.clone())
        } else {
            note(
                "version",
                format!("the daemon is {}, this client {version}", status.version),
                "restart the daemon when no task runs".to_owned(),
            )
        },
        if status.provider() == Provider::Offline {
            note(
                "model",
                "none: built-in rules answer everyday requests".to_owned(),
                "set OPENAI_API_KEY and OPENAI_MODEL (OPENAI_BASE_URL for another server) where the daemon starts, or \
                 [model] in config.toml"
                    .to_owned(),
            )
        } else {
            fine("model", models(status))
        },
        if status.confinement.is_empty() {
            note(
                "confinement",
                "none: artoo asks before every command".to_owned(),
                "the warnings say why; Linux 6.2 or newer with Landlock confines, and so does macOS"
                    .to_owned(),
            )
        } else {
            fine("confinement", status.confinement.clone())
        },
        children(&status.children),
        search(&status.search),
        if Path::new(&status.workspace).is_dir() || status.workspace.is_empty() {
            fine("workspace", short(Path::new(&status.workspace)))
        } else {
            note(
                "workspace",
                format!("{} does not exist yet", short(Path::new(&status.workspace))),
                "it is made with the first file that a task writes".to_owned(),
            )
        },
    ];
    checks.push(of_audit(status));
    checks.extend(status.warnings.iter().map(|warning| note("warning", warning.clone(), String::new())));
    checks
}

/// Whether heads of the auditor's log go where this account cannot change them.
fn of_audit(status: &GetStatusResponse) -> DoctorCheck {
    let lines = status.audit_head.as_ref().map_or(0, |head| head.seq);
    let saw = format!("{}, heads recorded in {}", count(lines, "line"), status.audit_anchored_in.join(", "));
    if status.audit_anchored_in.iter().any(|place| place.starts_with("system log")) {
        fine("audit log", saw)
    } else {
        note(
            "audit log",
            format!("{saw}; there is no system log here that artoo can reach"),
            "note a head down now and then: `artoo audit` shows it, `artoo audit verify --anchor HASH` looks for it"
                .to_owned(),
        )
    }
}

/// Who searches the web for tasks.
fn search(provider: &str) -> DoctorCheck {
    if provider.is_empty() {
        note(
            "search",
            "nobody: tasks cannot search the web".to_owned(),
            "set [search] in config.toml".to_owned(),
        )
    } else {
        fine("search", provider.to_owned())
    }
}

/// What ends the processes of tools. An older daemon says nothing.
fn children(means: &str) -> DoctorCheck {
    if means.starts_with("subreaper") {
        fine("children", means.to_owned())
    } else {
        note(
            "children",
            if means.is_empty() {
                "the daemon does not say how it ends them".to_owned()
            } else {
                means.to_owned()
            },
            "after a cancelled task, look for programs that it started and that still run".to_owned(),
        )
    }
}

fn of_files(paths: &ClientPaths) -> Vec<DoctorCheck> {
    let secrets = [
        ("data folder", paths.data.clone(), 0o700),
        ("socket", paths.socket.clone(), 0o600),
        ("token", paths.token(), 0o600),
        ("configuration", paths.data.join("config.toml"), 0o600),
    ];
    secrets.iter().filter_map(|(name, path, mode)| private(name, path, *mode)).collect()
}

/// That nobody else has a right to a file; None if it does not exist.
fn private(name: &'static str, path: &Path, mode: u32) -> Option<DoctorCheck> {
    let found = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    let shown = short(path);
    Some(if found & 0o077 == 0 {
        fine(name, format!("{shown} is yours alone"))
    } else {
        wrong(
            name,
            format!("{shown} has mode {found:o}: others can reach it"),
            format!("chmod {mode:o} {shown}"),
        )
    })
}

fn fine(name: &'static str, saw: String) -> DoctorCheck {
    DoctorCheck { name, verdict: CheckVerdict::Fine, saw, remedy: String::new() }
}

fn note(name: &'static str, saw: String, remedy: String) -> DoctorCheck {
    DoctorCheck { name, verdict: CheckVerdict::Note, saw, remedy }
}

fn wrong(name: &'static str, saw: String, remedy: String) -> DoctorCheck {
    DoctorCheck { name, verdict: CheckVerdict::Wrong, saw, remedy }
}

fn lines(check: &DoctorCheck, width: usize) -> Vec<Line> {
    let (mark, tone) = match check.verdict {
        CheckVerdict::Fine => ("✓", Tone::Good),
        CheckVerdict::Note => ("!", Tone::Warn),
        CheckVerdict::Wrong => ("✗", Tone::Bad),
    };
    let head = |mark: &str, name: &str| Line::new().add(tone, mark).add(Tone::Dim, format!("{name:<14}"));
    let mut lines = Vec::new();
    for (i, text) in check.saw.lines().enumerate() {
        let start = if i == 0 { head(&format!("{mark} "), check.name) } else { head("  ", "") };
        lines.extend(start.hanging(Tone::Plain, text, width, LINES));
    }
    if !check.remedy.is_empty() {
        lines.extend(head("  ", "").add(Tone::Accent, "→ ").hanging(
            Tone::Plain,
            &check.remedy,
            width,
            LINES,
        ));
    }
    lines
}

fn object(checks: &[DoctorCheck]) -> String {
    let checks: Vec<_> = checks
        .iter()
        .map(|check| {
            let verdict = match check.verdict {
                CheckVerdict::Fine => "fine",
                CheckVerdict::Note => "note",
                CheckVerdict::Wrong => "wrong",
            };
            json!({ "name": check.name, "verdict": verdict, "saw": check.saw, "remedy": check.remedy })
        })
        .collect();
    json!({ "checks": checks }).to_string()
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use artoo_protocol::PROTOCOL_VERSION;
    use artoo_protocol::v1::GetStatusResponse;

    use super::{CheckVerdict, lines, note, of_status, private};

    #[test]
    fn a_file_that_others_can_read_is_wrong() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("confirm.token");
        assert_eq!(private("token", &file, 0o600), None, "what does not exist leaks nothing");
        std::fs::write(&file, "x").expect("it can be written");
        for (mode, verdict) in
            [(0o600, CheckVerdict::Fine), (0o640, CheckVerdict::Wrong), (0o604, CheckVerdict::Wrong)]
        {
            std::fs::set_permissions(&file, Permissions::from_mode(mode)).expect("its mode can be set");
            assert_eq!(private("token", &file, 0o600).map(|check| check.verdict), Some(verdict), "{mode:o}");
        }
    }

    /// The check with this name ends like this.
    fn check(status: &GetStatusResponse, name: &str, verdict: CheckVerdict) {
        let checks = of_status(status);
        let found = checks.iter().find(|check| check.name == name).expect("the check is made");
        assert_eq!(found.verdict, verdict, "{found:?}");
        assert_eq!(found.remedy.is_empty(), verdict == CheckVerdict::Fine, "{found:?}");
    }

    #[test]
    fn another_version_and_missing_models_are_told() {
        let mut status = GetStatusResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol_version: PROTOCOL_VERSION,
            provider: "openai".to_owned(),
            brain_model: "m".to_owned(),
            confinement: "landlock".to_owned(),
            audit_anchored_in: vec!["audit/anchors.jsonl".to_owned(), "system log (/dev/log)".to_owned()],
            children: "subreaper + process group (cgroup not writable)".to_owned(),
            ..Default::default()
        };
        for name in ["version", "model", "confinement", "audit log", "children"] {
            check(&status, name, CheckVerdict::Fine);
        }
        status.version = "0.0.1".to_owned();
        check(&status, "version", CheckVerdict::Note);
        status.protocol_version += 1;
        check(&status, "version", CheckVerdict::Wrong);
        status.provider = "offline".to_owned();
        check(&status, "model", CheckVerdict::Note);
        status.confinement.clear();
        check(&status, "confinement", CheckVerdict::Note);
        status.audit_anchored_in.pop();
        check(&status, "audit log", CheckVerdict::Note);
        for means in ["", "process group"] {
            status.children = means.to_owned();
            check(&status, "children", CheckVerdict::Note);
        }
    }

    #[test]
    fn texts_break_between_words_and_stay_under_each_other() {
        let saw = "only commands that are seen to read run unasked";
        let check = note("confinement", saw.to_owned(), "everything else asks before it runs".to_owned());
        let shown: Vec<String> = lines(&check, 50).iter().map(|line| line.text(false)).collect();
        let expected = [
            "! confinement   only commands that are seen to",
            "                read run unasked",
            "                → everything else asks before it",
            "                  runs",
        ];
        assert_eq!(shown, expected);
    }
}
