//! What confining costs, beside what a command costs anyway.

use std::time::{Duration, Instant};

use artoo_command::sandbox::Sandboxing;

use crate::bench::Bench;
use crate::world::World;

/// Commands that are measured each way, in turns, so that a busy machine is busy for both.
const COMMANDS: usize = 40;

#[test]
fn a_confined_command_starts_about_as_quickly() {
    let world = World::new();
    let benches = [Bench::new(&world, true, Sandboxing::Waived), Bench::confined(&world)];
    let mut took = [Vec::new(), Vec::new()];
    for _ in 0..COMMANDS {
        for (bench, took) in benches.iter().zip(&mut took) {
            let since = Instant::now();
            bench.unasked("echo x");
            took.push(since.elapsed());
        }
    }
    let [free, confined] = took.map(median);
    let ratio = confined.as_secs_f64() / free.as_secs_f64();
    println!("one command: {free:?} without a sandbox, {confined:?} in it, ratio {ratio:.2}");
    // The figure is for people. What fails here is a gross mistake alone, such as another trial of the sandbox for each
    // command: a busy machine makes both slow, and one of them now and then slower.
    assert!(confined < free * 20 + Duration::from_secs(1), "ratio {ratio:.2}");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
