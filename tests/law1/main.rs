//! Law 1 at the gate: no command that does harm is called safe, however it is written, and few harmless ones are asked
//! about. Commands are judged and not run, but for those that `against_bash` makes up itself.
//!
//! `ARTOO_LAW1_VARIANTS` says how many variants are judged, `ARTOO_LAW1_CORPUS` names a further file of lines, and
//! `ARTOO_LAW1_FUZZ_SECONDS` says how long broken commands are judged, and how long bash runs safe ones. Start reading at `variants.rs`.

mod against_bash;
mod corpus;
mod figures;
mod fixture;
mod variants;

use std::time::{Duration, Instant};

use artoo_gate::{Decision, Explanation};
use artoo_testing::dice::{Dice, setting};
use fixture::Fixture;

/// Variants that a usual test run judges.
const VARIANTS: u64 = 1_500;
/// Variants that a line has at least, on average. A simple command has about sixty, one that does not parse has none.
const VARIANTS_OF_A_LINE: usize = 40;
/// The parser may break on one broken command in so many.
const BROKEN_ONE_IN: u64 = 200;
/// Commands that bash reads too, to compare the times.
const BASELINE: usize = 100;
/// What the gate says when its own reader broke.
const BROKEN: &str = "the command could not be read";

/// What is counted.
#[derive(Default)]
struct Count {
    judged: usize,
    safe: usize,
    false_alarms: Vec<String>,
    breaches: Vec<String>,
    times: Vec<Duration>,
    slowest: (Duration, String),
}

impl Count {
    /// Judges a command that is at least of this class.
    fn judge(&mut self, fixture: &Fixture, class: Decision, is_plain: bool, command: &str, name: &str) {
        let started = Instant::now();
        let told = fixture.explain(command);
        let took = started.elapsed();
        self.times.push(took);
        if took > self.slowest.0 {
            self.slowest = (took, command.chars().take(80).collect());
        }
        self.judged += 1;
        let says = || format!("{name}: {} {command:?}: {:?}", told.decision.as_str(), told.why);
        if told.decision < class || is_broken(&told) {
            self.breaches.push(says());
        }
        if class == Decision::Safe && is_plain {
            self.safe += 1;
            if told.decision > class {
                self.false_alarms.push(says());
            }
        }
    }

    #[allow(clippy::cast_precision_loss)]
    fn alarms_percent(&self) -> f64 {
        100.0 * self.false_alarms.len() as f64 / self.safe.max(1) as f64
    }

    #[allow(clippy::print_stdout)] // the figures are the point
    fn print(&mut self, what: &str) {
        println!(
            "law1: {} {what}: {} breaches, {} of {} false alarms ({:.1} %), p50 {}, p99 {}",
            self.judged,
            self.breaches.len(),
            self.false_alarms.len(),
            self.safe,
            self.alarms_percent(),
            figures::ms(figures::percentile(&mut self.times, 0.5)),
            figures::ms(figures::percentile(&mut self.times, 0.99)),
        );
        println!("law1: the slowest took {}: {:?}", figures::ms(self.slowest.0), self.slowest.1);
        for line in self.breaches.iter().take(40) {
            println!("law1: breach: {line}");
        }
        for line in self.false_alarms.iter().take(20) {
            println!("law1: false alarm: {line}");
        }
    }

    fn check(&self) {
        assert!(self.breaches.is_empty(), "{} breaches: {:#?}", self.breaches.len(), self.breaches);
        assert!(self.alarms_percent() <= 5.0, "more than 5 % false alarms: {:#?}", self.false_alarms);
    }
}

fn is_broken(told: &Explanation) -> bool {
    told.why.iter().any(|why| why == BROKEN)
}

#[test]
fn no_command_is_called_weaker_than_it_is() {
    let fixture = Fixture::new();
    let lines = corpus::all();
    let mut count = Count::default();
    for line in &lines {
        count.judge(&fixture, line.class, true, &line.command, "as it stands");
    }
    count.print("lines");

    // A command that does not parse may parse when it is wrapped, and then it is another command.
    let parses = |command: &str| {
        let told = fixture.explain(command);
        !told.why.iter().any(|why| why.contains("could not be read") || why.contains("not certain"))
    };
    let mut all: Vec<(Decision, &variants::Way, String)> = Vec::new();
    for line in lines.iter().filter(|line| parses(&line.command)) {
        let ways = variants::of(line).into_iter();
        all.extend(ways.map(|(way, command)| (line.class, way, command)));
    }
    let total = all.len();
    // A line that no longer parses has no variants; were there many, nothing would be tested here.
    assert!(total >= lines.len() * VARIANTS_OF_A_LINE, "{total} variants of {} lines", lines.len());
    let wanted = usize::try_from(setting("ARTOO_LAW1_VARIANTS", VARIANTS)).unwrap_or(usize::MAX);
    let mut dice = Dice::new(setting("ARTOO_LAW1_SEED", 1));
    let mut count_of_variants = Count::default();
    while !all.is_empty() && count_of_variants.judged < wanted {
        let at = usize::try_from(dice.below(all.len() as u64)).expect("an index");
        let (class, way, command) = all.swap_remove(at);
        count_of_variants.judge(&fixture, class.min(way.at_most), way.stays_safe, &command, way.name);
    }
    count_of_variants.print(&format!("of {total} variants"));

    let mut baseline: Vec<Duration> = lines
        .iter()
        .step_by(lines.len() / BASELINE + 1)
        .map(|line| figures::bash_reads(&line.command))
        .collect();
    let bash = figures::percentile(&mut baseline, 0.5);
    let gate = figures::percentile(&mut count.times, 0.5);
    println!(
        "law1: the gate takes {:.2} of the time in which `bash -n` reads the same commands ({} each)",
        gate.as_secs_f64() / bash.as_secs_f64(),
        figures::ms(bash)
    );
    count.check();
    count_of_variants.check();
}

/// Lines of the corpus with bytes changed, cut, doubled and put together: each is judged, and the daemon never breaks.
#[test]
fn broken_commands_are_judged_not_feared() {
    let fixture = Fixture::new();
    let lines = corpus::all();
    let mut dice = Dice::new(setting("ARTOO_LAW1_SEED", 2));
    let until = Instant::now() + Duration::from_secs(setting("ARTOO_LAW1_FUZZ_SECONDS", 3));
    let (mut judged, mut contained, mut slowest) = (0u64, 0u64, Duration::ZERO);
    while Instant::now() < until {
        let command = broken(&lines, &mut dice);
        let started = Instant::now();
        let told = fixture.explain(&command);
        slowest = slowest.max(started.elapsed());
        contained += u64::from(is_broken(&told));
        judged += 1;
    }
    println!(
        "law1: {judged} broken commands judged, {contained} of which the parser failed on, the slowest in {}",
        figures::ms(slowest)
    );
    // The parser is foreign code. Where it breaks, its thread alone ends and the command is asked about, but that is no way to
    // judge commands.
    assert!(contained * BROKEN_ONE_IN <= judged, "the parser failed on {contained} of {judged}");
}

fn broken(lines: &[corpus::Line], dice: &mut Dice) -> String {
    const PIECES: &[&str] = &[
        "$(", ")", "(", "{", "}", "`", "\"", "'", "\\", "<<X\n", "\nX\n", "|", "&&", ";", "&", ">", "<", "$",
        "${", "[[", "]]", "((", "))", "*", "~", "#", "\n", "if ", "then ", "fi", "do ", "done", "case ",
        "esac", "!", "=", "\u{ff52}", "$'\\x",
    ];
    let pick = |dice: &mut Dice, bound: usize| usize::try_from(dice.below(bound as u64)).expect("an index");
    let mut bytes = Vec::new();
    for _ in 0..=pick(dice, 3) {
        bytes.extend(lines[pick(dice, lines.len())].command.bytes().take(2_000));
    }
    for _ in 0..pick(dice, 8) {
        let at = pick(dice, bytes.len() + 1);
        match dice.below(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = u8::try_from(dice.below(256)).expect("a byte"),
            2 => {
                let again = bytes[at..].to_vec();
                bytes.extend(again);
            }
            _ => {
                let piece = PIECES[pick(dice, PIECES.len())].repeat(1 + pick(dice, 6));
                bytes.splice(at..at, piece.bytes());
            }
        }
        bytes.truncate(16 * 1024);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
