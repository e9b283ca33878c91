//! The installed service: whether the program that it starts is there, and whether it runs.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::check::DoctorCheck;
use crate::commands::service::moves::ServiceState;
use crate::commands::service::{installed, state_query};
use crate::paths::short;

/// How long the system may take to say whether the service runs.
const SAID_WITHIN: Duration = Duration::from_secs(5);

/// The check; None without a service.
pub(super) async fn state() -> Option<DoctorCheck> {
    let (file, program) = installed()?;
    let state = if program.is_file() { ask().await } else { None };
    Some(check(&file, &program, state))
}

/// What the system says; None where it cannot be asked.
async fn ask() -> Option<ServiceState> {
    let (manager, words) = state_query()?;
    let (program, arguments) = words.split_first()?;
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(SAID_WITHIN, command.output()).await.ok()?.ok()?;
    ServiceState::read(manager, &String::from_utf8_lossy(&ended.stdout))
}

fn check(file: &Path, program: &Path, state: Option<ServiceState>) -> DoctorCheck {
    let starts = format!("{} starts {}", short(file), short(program));
    if !program.is_file() {
        let wrong = DoctorCheck::wrong("service", format!("{starts}, which is gone"), "write it anew");
        return wrong.by("artoo service install".to_owned());
    }
    match state {
        Some(ServiceState::Running) => DoctorCheck::fine("service", format!("{starts}, and it runs")),
        Some(ServiceState::Failed) => {
            let remedy = "look at why with artoo service logs, then start it anew";
            DoctorCheck::wrong("service", format!("{starts}, and it failed"), remedy)
                .by("artoo service restart".to_owned())
        }
        Some(ServiceState::Stopped) => DoctorCheck::note(
            "service",
            format!("{starts}; it does not run now"),
            "it starts at the next login, or now",
        )
        .by("artoo service start".to_owned()),
        None => DoctorCheck::fine("service", format!("{starts}; whether it runs cannot be asked here")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::check::CheckVerdict;
    use super::{ServiceState, check};

    #[test]
    fn a_service_that_failed_is_wrong_and_one_that_is_stopped_is_told() {
        let (file, there, gone) =
            (Path::new("/u/artoo.service"), Path::new("/bin/sh"), Path::new("/nothing"));
        for (program, state, verdict, saw) in [
            (there, Some(ServiceState::Running), CheckVerdict::Fine, "it runs"),
            (there, Some(ServiceState::Failed), CheckVerdict::Wrong, "it failed"),
            (there, Some(ServiceState::Stopped), CheckVerdict::Note, "does not run now"),
            (there, None, CheckVerdict::Fine, "cannot be asked"),
            (gone, None, CheckVerdict::Wrong, "which is gone"),
        ] {
            let found = check(file, program, state);
            assert!(found.verdict == verdict && found.saw.contains(saw), "{found:?}");
            assert_eq!(found.command.is_empty(), verdict == CheckVerdict::Fine, "{found:?}");
        }
    }
}
