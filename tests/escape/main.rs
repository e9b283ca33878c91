//! Programs that try to get out of the sandbox. Each is first run without one, where it has to succeed, so that one knows
//! that it can; then as a command that the gate takes for harmless, where it must fail.
//!
//! The gate knows programs by their names, so a probe is put in the way of one that only reads: what a command is taken
//! for and what it does are then as different as can be, and the sandbox alone stands between.
#![allow(clippy::print_stdout, reason = "the table and the figures are what is asked for")]

#[cfg(target_os = "linux")]
mod bench;
#[cfg(target_os = "linux")]
mod boxed;
#[cfg(target_os = "linux")]
mod cost;
#[cfg(target_os = "linux")]
mod localhost;
#[cfg(target_os = "linux")]
mod making;
#[cfg(target_os = "linux")]
mod modes;
#[cfg(target_os = "linux")]
mod probes;
#[cfg(target_os = "linux")]
mod world;

#[cfg(target_os = "linux")]
mod escaping {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use artoo_types::evidence::CallEnd;

    use crate::bench::Bench;
    use crate::probes::{PROBES, Probe};
    use crate::world::World;

    /// Probes that run at once. Most of their time they wait for a process.
    const WORKERS: usize = 4;

    /// What became of a probe.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Outcome {
        Kept,
        Escaped,
        /// It does not work without a sandbox either, so that it shows nothing.
        Idle,
    }

    #[test]
    fn no_probe_gets_out() {
        Bench::assert_confines();
        let next = AtomicUsize::new(0);
        let rows = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(|| {
                    while let Some(probe) = PROBES.get(next.fetch_add(1, Ordering::SeqCst)) {
                        let row = (probe, tried(probe));
                        rows.lock().expect("no probe breaks the test").push(row);
                    }
                });
            }
        });
        let rows = rows.into_inner().expect("no probe breaks the test");
        let count = |wanted| rows.iter().filter(|(_, outcome)| *outcome == wanted).count();
        let (kept, idle) = (count(Outcome::Kept), count(Outcome::Idle));
        println!("{} probes: {kept} kept inside, {idle} not possible on this machine at all", rows.len());
        let bad: Vec<&str> = rows
            .iter()
            .filter(|(probe, outcome)| match outcome {
                Outcome::Kept => false,
                Outcome::Escaped => true,
                Outcome::Idle => !probe.needs_luck,
            })
            .map(|(probe, _)| probe.name)
            .collect();
        assert!(bad.is_empty(), "{bad:?} got out, or show nothing");
        assert!(kept >= 50, "only {kept} probes show anything");
    }

    #[test]
    fn output_without_end_is_cut_and_ended() {
        let world = World::new();
        let bench = Bench::confined(&world);
        let receipt = bench.hostile(&world, "while True: print('x' * 65536)");
        assert_eq!(receipt.end, CallEnd::Error, "{receipt:?}");
        assert!(receipt.note.is_some_and(|note| note.contains("more than")));
        assert!(receipt.output_bytes < 4 << 20, "{}", receipt.output_bytes);
    }

    fn tried(probe: &Probe) -> Outcome {
        let (free, said) = run(probe, false);
        let (confined, why) = run(probe, true);
        let outcome = match (free, confined) {
            (_, true) => Outcome::Escaped,
            (true, false) => Outcome::Kept,
            (false, false) => Outcome::Idle,
        };
        let note = if outcome == Outcome::Idle { said } else { why };
        println!("{:<44} {:<8} {note}", probe.name, format!("{outcome:?}"));
        outcome
    }

    /// Runs a probe, and says whether it has worked and the last line that it printed.
    fn run(probe: &Probe, is_confined: bool) -> (bool, String) {
        let mut world = World::new();
        let bench = if is_confined { Bench::confined(&world) } else { Bench::free(&world) };
        let receipt = bench.hostile(&world, probe.program);
        let last = receipt.output.lines().last().unwrap_or_default().to_owned();
        (world.shows(probe.trace, &receipt), last)
    }
}
