//! A command without a keeper: a process group of this process's own child. What leaves the group escapes it. It is for
//! programs that have no keeper, such as this crate's tests.

use std::process::{ExitStatus, Stdio};

use tokio::sync::mpsc;

use super::group::Group;
use super::output::Output;
use super::{CommandCourse, EndCause, EndSignals};
use crate::children::{CommandOrder, KILL_GRACE, TERM_GRACE, exit_of_signal};
use crate::sandbox::Confinement;

/// Runs the command and ends what is left of its group.
pub(super) async fn run(
    order: &CommandOrder,
    mut ending: EndSignals,
    full: mpsc::Sender<()>,
) -> std::io::Result<(EndCause, CommandCourse, String)> {
    let [program, arguments @ ..] = order.arguments.as_slice() else {
        return Err(std::io::Error::other("no program is named"));
    };
    if order.confinement != Confinement::FullPower {
        return Err(std::io::Error::other("it could not be confined: there is no keeper"));
    }
    let mut child = tokio::process::Command::new(program)
        .args(arguments)
        .current_dir(&order.folder)
        .env_clear()
        .envs(&order.environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let group = child.id().and_then(Group::of_leader);
    let output = Output::read(child.stdout.take(), child.stderr.take(), full);
    let ended = tokio::select! {
        biased;
        cause = ending.comes() => Err(cause),
        status = child.wait() => Ok(status),
    };
    let (cause, mut course) = match ended {
        Ok(Ok(status)) => {
            (EndCause::Ended, CommandCourse { exit: Some(exit_of(status)), ..CommandCourse::default() })
        }
        Ok(Err(error)) => {
            let broken = Some(format!("the command's end could not be seen: {error}"));
            (EndCause::Ended, CommandCourse { broken, ..CommandCourse::default() })
        }
        Err(cause) => {
            output.hear_last_words();
            (cause, CommandCourse::default())
        }
    };
    if let Some(group) = group
        && let Err(left) = group.end(TERM_GRACE, KILL_GRACE, &mut child).await
    {
        course.survivors.push(format!("process group {}: {left}", group.id()));
    }
    let output = output.finish(cause != EndCause::Ended, !course.survivors.is_empty()).await;
    Ok((cause, course, output))
}

/// The exit status as shells count it.
fn exit_of(status: ExitStatus) -> i64 {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => i64::from(code),
        (None, Some(signal)) => exit_of_signal(signal),
        (None, None) => exit_of_signal(0),
    }
}
