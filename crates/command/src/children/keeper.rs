//! The process between the daemon and a command. It starts the command, and ends everything that the command started:
//! when the command is over, when the daemon's side of its standard input closes, and so when the daemon is gone.
//! When nothing is left of one command, it is ready for the next.
//!
//! It links everything that the daemon links and uses next to nothing of it: no files, no log, and a thread only to start
//! a command, because the rules of its sandbox bind that thread and what it starts, and leave this process the right to
//! look at and to end its descendants.

use std::ffi::OsString;
use std::io::Write as _;
use std::net::Shutdown;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitStatus};

use super::cgroup::Group;
use super::order::{CommandOrder, CommandReport, Streams, receive, send_report};
use super::tree::{self, Reaped};
use super::{KILL_GRACE, TERM_GRACE, exit_of_signal, limits};
use crate::sandbox::{self, prepared::PreparedEntries};

/// The first argument that makes a program a keeper. The second is the mark of its daemon, the third may be the control
/// group that it is to make for itself.
pub(super) const WORD: &str = "keep-children";
/// Exit code of a keeper that was not started by the daemon.
const NOT_ASKED: u8 = 2;
/// How often a keeper wakes to collect orphans while its command runs.
const COLLECT_EVERY: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };
/// How often it looks for the end of its command where the system cannot wake it.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
/// How often it looks for groups that its command begins, where orphans are found by their groups alone.
const NOTE_GROUPS_EVERY: Duration = Duration::from_millis(300);

/// Does the work of a keeper when the arguments ask for it, and returns with what the program should end. A program that
/// is a [`crate::Launcher`] calls this before anything else.
pub fn keep_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let word = arguments.nth(1)?;
    if word != WORD {
        let words = [OsString::new(), word].into_iter().chain(arguments);
        return sandbox::means::try_if_asked(words);
    }
    close_inherited();
    let group = arguments.nth(1).map(PathBuf::from);
    Some(match keep(group.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("{WORD} is for the daemon's own use: {error}\n");
            drop(std::io::stderr().write_all(text.as_bytes()));
            ExitCode::from(NOT_ASKED)
        }
    })
}

fn keep(group: Option<&Path>) -> std::io::Result<()> {
    let control = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    control.peer_addr()?;
    settle();
    // Without the group, what is killed is killed one by one.
    let group = group.and_then(|folder| Group::enter(folder).ok());
    while let Some((order, streams)) = receive(&control)? {
        let report = match carry_out(&control, &order, streams, group.as_ref()) {
            Ok(report) => report,
            Err(error) => CommandReport::NotStarted(error.to_string()),
        };
        // A daemon that is gone hears nothing, and needs not.
        let told = send_report(&control, &report);
        if told.is_err() || matches!(report, CommandReport::Over { is_ready: false, .. }) {
            let _ = control.shutdown(Shutdown::Both);
            // As long as anything is left, it has a parent that wants it to end.
            tree::kill_until_gone();
            break;
        }
    }
    Ok(())
}

/// A session of its own without a terminal, the parenthood of orphans, limits on what it starts, no tracing by what it
/// keeps.
fn settle() {
    // Each of these fails only where the system lacks it; then the others still help.
    let _ = rustix::process::setsid();
    tree::adopt_orphans();
    limits::apply();
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
        let _ = rustix::thread::set_name(c"artoo-keeper");
    }
}

/// One command from its start to its end.
fn carry_out(
    control: &UnixStream,
    order: &CommandOrder,
    streams: Streams,
    group: Option<&Group>,
) -> std::io::Result<CommandReport> {
    let is_spent = sandbox::prepare(&order.confinement);
    let made = PreparedEntries::prepare(&order.confinement)?;
    let start = || {
        sandbox::enter(&order.confinement, &order.scratch, &made)
            .map_err(|error| std::io::Error::other(format!("it could not be confined: {error}")))?;
        start(order, streams)
    };
    let started = std::thread::scope(|scope| scope.spawn(start).join());
    let command = match started.unwrap_or_else(|_| Err(std::io::Error::other("its start broke down"))) {
        Ok(command) => command,
        Err(error) => {
            made.tidy(None);
            return Err(error);
        }
    };
    let mut report = follow(control, command, group);
    if let CommandReport::Over { exit, is_ready, .. } = &mut report {
        made.tidy(*exit);
        *is_ready &= !is_spent;
    }
    Ok(report)
}

/// Starts the command in a process group of its own with these pipes, which nobody else holds then; without one for its
/// input, that is empty.
fn start(order: &CommandOrder, Streams { outputs: [out, err], input }: Streams) -> std::io::Result<Pid> {
    let words = sandbox::wrapped(&order.confinement, &order.scratch, &order.arguments)?;
    let [program, arguments @ ..] = words.as_slice() else {
        return Err(std::io::Error::other("no program is named"));
    };
    let child = Command::new(program)
        .args(arguments)
        .current_dir(&order.folder)
        .env_clear()
        .envs(&order.environment)
        .stdin(input.map_or_else(Stdio::null, Stdio::from))
        .stdout(out)
        .stderr(err)
        .process_group(0)
        .spawn()?;
    let command = Pid::from_child(&child);
    tree::note_group(command.as_raw_pid());
    Ok(command)
}

/// Waits for the end of the command or for the daemon's wish for it, then ends all that is left.
fn follow(control: &UnixStream, command: Pid, group: Option<&Group>) -> CommandReport {
    let mut exit = None;
    let mut note = |pid: Pid, status: WaitStatus| {
        if pid == command {
            exit = exit_of(status);
        }
    };
    let mut all_gone = wait(control, command, &mut note);
    let mut left_running = Vec::new();
    let mut survivors = Vec::new();
    let mut is_ready = true;
    if !all_gone {
        let left = tree::descendants();
        // While the command itself runs, it was not left by anything.
        if left.iter().all(|process| process.pid != command.as_raw_pid()) {
            left_running = tree::names(&left);
        }
        tree::ask();
        all_gone = tree::gone_within(TERM_GRACE, &mut note);
    }
    if !all_gone {
        // It is outside of its group then, where the next command must not begin.
        is_ready = false;
        if let Some(group) = group {
            group.kill_others();
        }
        all_gone = tree::kill_within(KILL_GRACE, &mut note);
    }
    if !all_gone {
        survivors = tree::identities(&tree::descendants());
    }
    is_ready = is_ready && !is_closed(control);
    CommandReport::Over { exit, left_running, survivors, is_ready }
}

/// Returns when the command has ended or the daemon's side is closed; true when no descendant is left.
fn wait(control: &UnixStream, command: Pid, note: &mut impl FnMut(Pid, WaitStatus)) -> bool {
    let end_of_command = end_of(command);
    let mut has_ended = false;
    let mut noted = Instant::now();
    loop {
        if !tree::ADOPTION && noted.elapsed() >= NOTE_GROUPS_EVERY {
            tree::note_groups();
            noted = Instant::now();
        }
        let mut watched = vec![PollFd::new(control, PollFlags::IN)];
        watched.extend(end_of_command.as_ref().map(|end| PollFd::new(end, PollFlags::IN)));
        let pause = if end_of_command.is_some() { COLLECT_EVERY } else { LOOK_EVERY };
        // Interrupted or not: what there is to see is looked at.
        let _ = poll(&mut watched, Some(&pause));
        let reaped = tree::reap(|pid, status| {
            has_ended |= pid == command;
            note(pid, status);
        });
        if has_ended || reaped == Reaped::All {
            return reaped == Reaped::All && tree::nothing_escaped();
        }
        if is_closed(control) {
            return false;
        }
    }
}

/// What becomes readable when the process ends, where there is such a thing.
#[cfg(target_os = "linux")]
fn end_of(process: Pid) -> Option<std::os::fd::OwnedFd> {
    rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn end_of(_process: Pid) -> Option<std::os::fd::OwnedFd> {
    None
}

/// Whether the other side is closed. What it may have sent says nothing.
fn is_closed(control: &UnixStream) -> bool {
    let mut bytes = [0; 64];
    match rustix::net::recv(control, &mut bytes, rustix::net::RecvFlags::DONTWAIT) {
        Ok((_, read)) => read == 0,
        Err(error) => error != rustix::io::Errno::WOULDBLOCK && error != rustix::io::Errno::INTR,
    }
}

/// The exit status as shells count it.
fn exit_of(status: WaitStatus) -> Option<i64> {
    status.exit_status().map(i64::from).or_else(|| status.terminating_signal().map(exit_of_signal))
}

/// Closes what the daemon should not have passed on: a descriptor without the close-on-exec mark, from a library or from
/// whoever started the daemon. The standard ones stay.
fn close_inherited() {
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let open: Vec<i32> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|descriptor| *descriptor > 2) {
        // The one that listed the others is closed already.
        let _ = nix::unistd::close(descriptor);
    }
}
