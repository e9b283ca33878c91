//! Clients that misbehave: the daemon lives on, its memory stays bounded, and others are served. `ARTOO_TEST_FLOOD` says
//! how many connections each row makes; the figures are printed.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::calls::{Calls, runtime};
use crate::frames::{
    CONTINUATION, DATA, END_HEADERS, HEADERS, PING, RESET, Raw, SETTINGS, WINDOW_UPDATE, call, field,
};
use artoo_testing::Home;
use artoo_testing::dice::{Dice, setting};

/// What the daemon may have in memory at most, in KiB.
pub(crate) const MOST_MEMORY_KIB: u64 = 256 * 1024;
const STATUS: &str = "/artoo.v1.ArtooService/GetStatus";
const EVENTS: &str = "/artoo.v1.ArtooService/StreamEvents";
/// Connections of each row, one after the other, unless `ARTOO_TEST_FLOOD` says otherwise.
const USUAL: u64 = 3;
/// Answers that the other client gets for each of these connections; the attack goes on until then.
const ANSWERS: u64 = 20;
/// Rows that attack at the same time as each other.
const ATTACKERS: usize = 2;

type Attack = (&'static str, fn(&Path, &mut Dice) -> io::Result<()>);

/// What each row does on one connection. Most end with an error: the daemon hangs up.
const ATTACKS: [Attack; 12] = [
    ("garbage", garbage),
    ("another protocol", |socket, _| Raw::silent(socket).bytes(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")),
    ("a torn greeting", |socket, _| Raw::silent(socket).bytes(b"PRI * HTTP/2.0\r\n")),
    ("rapid reset", rapid_reset),
    ("calls that break", calls_that_break),
    ("endless header fields", endless_header_fields),
    ("a header bomb", header_bomb),
    ("settings", |socket, _| repeated(socket, 100_000, |raw, _| raw.frame(SETTINGS, 0, 0, &[]))),
    ("pings", |socket, _| repeated(socket, 100_000, |raw, _| raw.frame(PING, 0, 0, &[0; 8]))),
    ("empty data", empty_data),
    ("calls that never come", calls_that_never_come),
    ("streams that nobody reads", streams_that_nobody_reads),
];

fn repeated(
    socket: &Path,
    times: u32,
    mut one: impl FnMut(&mut Raw, u32) -> io::Result<()>,
) -> io::Result<()> {
    let mut raw = Raw::greeted(socket);
    // Streams of a client have odd numbers.
    (0..times).try_for_each(|number| one(&mut raw, 2 * number + 1))?;
    raw.flush()
}

fn garbage(socket: &Path, dice: &mut Dice) -> io::Result<()> {
    let bytes: Vec<u8> = (0..64 * 1024).map(|_| dice.below(256) as u8).collect();
    Raw::silent(socket).bytes(&bytes)?;
    let mut raw = Raw::greeted(socket);
    raw.flush()?;
    raw.bytes(&bytes)
}

/// Calls that are taken back at once (CVE-2023-44487).
fn rapid_reset(socket: &Path, _: &mut Dice) -> io::Result<()> {
    let block = call(STATUS);
    repeated(socket, 20_000, |raw, stream| {
        raw.frame(HEADERS, END_HEADERS, stream, &block)?;
        raw.frame(RESET, 0, stream, &8_u32.to_be_bytes())
    })
}

/// Calls that the server has to break off itself (CVE-2025-8671).
fn calls_that_break(socket: &Path, _: &mut Dice) -> io::Result<()> {
    let block = call(STATUS);
    repeated(socket, 20_000, |raw, stream| {
        raw.frame(HEADERS, END_HEADERS, stream, &block)?;
        raw.frame(WINDOW_UPDATE, 0, stream, &0_u32.to_be_bytes())
    })
}

/// One header block that never ends (CVE-2024-27316).
fn endless_header_fields(socket: &Path, _: &mut Dice) -> io::Result<()> {
    let mut more = Vec::new();
    (0..64).for_each(|number| field(&mut more, &format!("x-{number}"), &"v".repeat(100)));
    repeated(socket, 5_000, |raw, stream| match stream {
        1 => raw.frame(HEADERS, 0, 1, &call(STATUS)),
        _ => raw.frame(CONTINUATION, 0, 1, &more),
    })
}

/// A field that is remembered once and named many times: 8 KiB in a frame stand for 8 MiB.
fn header_bomb(socket: &Path, _: &mut Dice) -> io::Result<()> {
    let mut block = call(STATUS);
    // 0x40: remember this field, called b, with 1,024 bytes (127 + 1 + 7 · 128). It then is number 62 of the table.
    block.extend_from_slice(&[0x40, 1, b'b', 0x7f, 0x81, 7]);
    block.extend(vec![b'b'; 1_024]);
    block.extend(vec![0x80 | 62; 8_000]);
    repeated(socket, 200, |raw, stream| raw.frame(HEADERS, END_HEADERS, stream, &block))
}

fn empty_data(socket: &Path, _: &mut Dice) -> io::Result<()> {
    repeated(socket, 100_000, |raw, stream| match stream {
        1 => raw.frame(HEADERS, END_HEADERS, 1, &call(STATUS)),
        _ => raw.frame(DATA, 0, 1, &[]),
    })
}

/// Calls whose request begins and never ends.
fn calls_that_never_come(socket: &Path, _: &mut Dice) -> io::Result<()> {
    let block = call(STATUS);
    repeated(socket, 200, |raw, stream| {
        raw.frame(HEADERS, END_HEADERS, stream, &block)?;
        raw.frame(DATA, 0, stream, &[0, 0, 1, 0, 0, 1, 2, 3])
    })
}

fn streams_that_nobody_reads(socket: &Path, _: &mut Dice) -> io::Result<()> {
    let block = call(EVENTS);
    repeated(socket, 64, |raw, stream| {
        raw.frame(HEADERS, END_HEADERS, stream, &block)?;
        raw.frame(DATA, 1, stream, &[0; 5])
    })
}

/// The most that this process has had in memory, where the system tells it.
pub(crate) fn peak_memory_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Says that whoever holds it is gone, however that came.
struct Gone<'a>(&'a AtomicBool);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Attacks while another client asks how the daemon is; returns how long its answers took.
fn attack(home: &Home, attack: &Attack, connections: u64) -> Vec<Duration> {
    let (over, gone, answers) = (AtomicBool::new(false), AtomicBool::new(false), AtomicU64::new(0));
    let enough = connections * ANSWERS;
    let runtime = runtime();
    std::thread::scope(|scope| {
        let attackers: Vec<_> = (0..ATTACKERS)
            .map(|number| {
                let mut dice = Dice::stream(setting("ARTOO_TEST_SEED", 1), number as u64);
                let socket = home.socket();
                let (answers, gone) = (&answers, &gone);
                scope.spawn(move || {
                    let mut made = 0;
                    let is_short = |made| made < connections || answers.load(Ordering::SeqCst) < enough;
                    while is_short(made) && !gone.load(Ordering::SeqCst) {
                        made += 1;
                        // The daemon has hung up, or it does not read any more. Both are its right.
                        let _ = attack.1(&socket, &mut dice);
                    }
                })
            })
            .collect();
        let victim = scope.spawn(|| {
            // Where its calls fail, nobody waits for more of them.
            let _gone = Gone(&gone);
            runtime.block_on(async {
                let (mut calls, mut took) = (Calls::new(&home.socket()), Vec::new());
                while !over.load(Ordering::SeqCst) {
                    let asked = Instant::now();
                    calls.status().await.unwrap_or_else(|status| panic!("{}: {status:?}", attack.0));
                    took.push(asked.elapsed());
                    answers.fetch_add(1, Ordering::SeqCst);
                }
                took
            })
        });
        let ended: Vec<_> = attackers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        over.store(true, Ordering::SeqCst);
        assert!(ended.iter().all(Result::is_ok), "an attacker failed");
        victim.join().expect("the other client is served")
    })
}

#[test]
#[allow(clippy::print_stdout, reason = "figures for whoever runs it with --nocapture")]
fn clients_that_misbehave_harm_nobody_else() {
    let connections = setting("ARTOO_TEST_FLOOD", USUAL);
    let mut home = Home::new();
    home.start();
    // Held to the end: connections that have greeted and say nothing more.
    let _idle: Vec<Raw> = (0..20).map(|_| Raw::greeted(&home.socket())).collect();
    for row in &ATTACKS {
        let mut took = attack(&home, row, connections);
        took.sort();
        let at = |percent: usize| took[(took.len() - 1) * percent / 100];
        let peak = peak_memory_kib(home.daemon_pid());
        println!(
            "{:27} {:5} answers, p50 {:.1?}, p99 {:.1?}, slowest {:.1?}; peak {} MiB",
            row.0,
            took.len(),
            at(50),
            at(99),
            at(100),
            peak.unwrap_or_default() / 1024
        );
        assert!(peak.is_none_or(|peak| peak < MOST_MEMORY_KIB), "{}: {peak:?} KiB", row.0);
    }
    // It still ends in order.
    let (status, log) = home.terminate();
    assert_eq!(status.code(), Some(0), "{log}");
}
