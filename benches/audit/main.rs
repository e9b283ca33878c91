//! What the auditor costs: a line of its log against serialising alone, and what a publisher feels of an auditor that
//! stands still. Prints ratios with their goals; nothing fails because of a time.
//!
//! `ARTOO_BENCH_STALL_SECONDS` sets how long publishers publish in each of the two runs (default 5).

mod append;
mod stall;

fn main() -> anyhow::Result<()> {
    append::measure()?;
    stall::measure()
}

#[allow(clippy::print_stdout, reason = "a program's own output")]
fn say(line: &str) {
    println!("{line}");
}
