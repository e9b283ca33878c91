//! Whether everything is in place, and what to do where it is not: files first, then the daemon, then what only the daemon can
//! look into, its models first of all.

mod check;
mod daemon;
mod files;
mod models;
mod programs;
mod service;

use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::time::Duration;

use artoo_protocol::v1::{DiagnoseRequest, GetStatusResponse, VerifyAuditRequest, VerifyMemoryRequest};
use clap::Args;

use crate::answers::token;
use crate::commands::lifecycle;
use crate::connection::{Client, DaemonConnector};
use crate::console::GlobalFlags;
use crate::exit::{ABANDONED, DONE, Failure, UNREACHABLE};
use crate::one_shot::{milliseconds, status};
use crate::output::Printer;
use crate::paths::{SOCKET_PATH_BYTES, short};
use crate::render::figures::{count, memories};
use crate::render::{Line, Tone};
use crate::terminal::{TerminalLook, now_ms, spoken};
use check::{CheckVerdict, DoctorCheck, SafeFix, object};

/// How long the memory and the audit log may take to be verified here; both have commands of their own, which wait.
const VERIFY_WITHIN: Duration = Duration::from_secs(20);

/// How to look.
#[derive(Debug, Clone, Default, Args)]
pub struct DoctorArguments {
    /// Put right what can be put right without a question: rights of files, missing folders, a restart that is due
    #[arg(long)]
    pub fix: bool,
    /// How long each model may take, for example 60s [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    pub wait: Option<u64>,
}

/// `artoo doctor`; exit code 3 when the daemon does not answer, 1 when something else is wrong.
///
/// # Errors
/// When there is no place for the socket, or nobody takes the output.
pub async fn run(global: &GlobalFlags, arguments: &DoctorArguments) -> Result<u8, Failure> {
    let daemon = global.daemon()?;
    let mut examination = examine(&daemon, arguments).await;
    let mut done = Vec::new();
    if arguments.fix {
        done = fix(&daemon, &examination).await;
        if !done.is_empty() {
            examination = examine(&daemon, arguments).await;
        }
    }
    let checks = &examination.checks;
    let mut printer = Printer::stdout(TerminalLook::detect());
    if global.json {
        printer.text(object(checks)).await?;
    } else {
        let (language, width) = (spoken(), printer.look.width);
        let mut lines: Vec<Line> = done
            .iter()
            .map(|what| Line::new().add(Tone::Good, language.screen("fixed: ")).foreign(Tone::Plain, what))
            .collect();
        lines.extend(checks.iter().flat_map(|check| check.lines(language, width)));
        printer.lines(&lines).await?;
    }
    let is_wrong = checks.iter().any(|check| check.verdict == CheckVerdict::Wrong);
    Ok(match (examination.unreachable, is_wrong) {
        (true, _) => UNREACHABLE,
        (false, true) => ABANDONED,
        (false, false) => DONE,
    })
}

/// Everything that was looked at.
struct Examination {
    checks: Vec<DoctorCheck>,
    /// Whether no daemon answers.
    unreachable: bool,
    /// Tasks that have not ended.
    at_work: u64,
}

async fn examine(daemon: &DaemonConnector, arguments: &DoctorArguments) -> Examination {
    let socket = format!("{} (limit {SOCKET_PATH_BYTES} bytes)", short(&daemon.paths.socket));
    let mut checks = vec![DoctorCheck::fine("socket path", socket)];
    let files = files::of_files(&daemon.paths);
    let configuration = files::configuration(&daemon.paths);
    let mends_config = configuration.iter().chain(&files).any(|check| check.verdict == CheckVerdict::Wrong);
    checks.extend(configuration);
    let (mut unreachable, mut at_work) = (false, 0);
    match status(daemon).await {
        Ok(status) => {
            checks.push(DoctorCheck::fine("daemon", format!("process {} answers", status.pid)));
            checks.extend(daemon::of_status(&status, now_ms()));
            checks.extend(asked(daemon, arguments).await);
            at_work = unfinished(&status);
        }
        Err(failure) => {
            unreachable = matches!(failure, Failure::Unreachable { .. });
            let remedy =
                if mends_config { "put right what is wrong above and below, then" } else { "start it" };
            checks
                .push(DoctorCheck::wrong("daemon", failure.finding(), remedy).by("artoo restart".to_owned()));
        }
    }
    checks.extend(files);
    checks.extend(service::state().await);
    Examination { checks, unreachable, at_work }
}

fn unfinished(status: &GetStatusResponse) -> u64 {
    status.tasks.iter().filter(|(state, _)| *state != "finished").map(|(_, number)| number).sum()
}

/// What only the daemon can look into.
async fn asked(daemon: &DaemonConnector, arguments: &DoctorArguments) -> Vec<DoctorCheck> {
    let Ok(mut client) = daemon.connect().await else { return Vec::new() };
    let salt = uuid::Uuid::now_v7().as_u64_pair().1;
    let wait_ms = u32::try_from(arguments.wait.unwrap_or_default()).unwrap_or(u32::MAX);
    let shell = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    // Without its file no person is proven, and the daemon says so.
    let token = token(&daemon.paths).unwrap_or_default();
    let request = DiagnoseRequest { wait_ms, salt, token, programs: programs::names() };
    let mut checks = match daemon.answer(client.diagnose(request).await) {
        Ok(seen) => models::of_diagnosis(&seen, salt, shell),
        Err(failure) => vec![DoctorCheck::note(
            "model",
            format!("it cannot be looked at: {}", failure.finding()),
            "an older daemon cannot look; start the new one: artoo restart",
        )],
    };
    checks.push(memory(&mut client, daemon).await);
    checks.push(audit(&mut client, daemon).await);
    checks
}

async fn memory(client: &mut Client, daemon: &DaemonConnector) -> DoctorCheck {
    let verified =
        tokio::time::timeout(VERIFY_WITHIN, client.verify_memory(VerifyMemoryRequest::default())).await;
    let Ok(answer) = verified else {
        let saw = format!("not verified within {} s", VERIFY_WITHIN.as_secs());
        return DoctorCheck::note("memory", saw, "let it take its time").by("artoo memory verify".to_owned());
    };
    match daemon.answer(answer) {
        Ok(found) if found.intact => {
            DoctorCheck::fine("memory", format!("{} verified", memories(found.memories)))
        }
        Ok(found) => DoctorCheck::wrong("memory", found.findings.join("\n"), "make indexes and sums anew")
            .by("artoo memory verify --rebuild".to_owned()),
        Err(failure) => {
            DoctorCheck::wrong("memory", failure.finding(), "look at the copies, and put one in its place")
                .by("artoo-daemon memory backups".to_owned())
        }
    }
}

async fn audit(client: &mut Client, daemon: &DaemonConnector) -> DoctorCheck {
    let verified =
        tokio::time::timeout(VERIFY_WITHIN, client.verify_audit(VerifyAuditRequest::default())).await;
    let Ok(answer) = verified else {
        let saw = format!("not verified within {} s", VERIFY_WITHIN.as_secs());
        return DoctorCheck::note("audit chain", saw, "let it take its time")
            .by("artoo audit verify".to_owned());
    };
    match daemon.answer(answer) {
        Ok(found) if found.intact => {
            DoctorCheck::fine("audit chain", format!("{} verified", count(found.lines, "line")))
        }
        Ok(found) => DoctorCheck::wrong(
            "audit chain",
            found.findings.join("\n"),
            "somebody or something changed the log: keep a copy of the audit folder, and look at all of it",
        )
        .by("artoo audit verify".to_owned()),
        Err(failure) => DoctorCheck::wrong("audit chain", failure.finding(), "look at the log")
            .by("artoo logs".to_owned()),
    }
}

/// Puts right what is safe to put right, and says what was done. What fails is found again by the next look.
async fn fix(daemon: &DaemonConnector, examination: &Examination) -> Vec<String> {
    let fixes = || examination.checks.iter().filter_map(|check| check.fix.as_ref());
    let mut done: Vec<String> = fixes().filter_map(put_right).collect();
    let restarts = fixes().any(|fix| *fix == SafeFix::Restart);
    let may_restart = restarts && examination.at_work == 0 && daemon.may_start;
    if may_restart && lifecycle::renew(daemon).await.is_ok() {
        done.push("artoo restart".to_owned());
    }
    done
}

/// What of it needs no daemon, and how a person would have typed it; None where it fails, or is a restart.
fn put_right(fix: &SafeFix) -> Option<String> {
    match fix {
        SafeFix::Close(path, mode) => {
            let closed = fs::set_permissions(path, fs::Permissions::from_mode(*mode));
            closed.ok().map(|()| format!("chmod {mode:o} {}", short(path)))
        }
        SafeFix::MakeFolder(path) => {
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
            made.ok().map(|()| format!("mkdir -p {}", short(path)))
        }
        SafeFix::Restart => None,
    }
}
