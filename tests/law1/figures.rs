//! Times, as figures that are printed and never asserted.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time that this share of the runs stayed below.
pub(crate) fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let at = (times.len() as f64 * share) as usize;
    times.get(at.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// How long bash itself takes to read a command without running it.
pub(crate) fn bash_reads(command: &str) -> Duration {
    let started = Instant::now();
    let read = Command::new("bash")
        .args(["--noprofile", "--norc", "-n", "-c", command])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    read.expect("bash starts");
    started.elapsed()
}

/// Milliseconds with three digits behind the point.
pub(crate) fn ms(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1000.0)
}
