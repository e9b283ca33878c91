//! What comes from outside and is read by artoo's own code: broken inputs break nothing. Every row is one reader, its seeds are
//! whole inputs, and what is fed to it is made of pieces of them, cut, doubled and flipped.
//!
//! `ARTOO_FUZZ_SECONDS` says how long all rows together run, `ARTOO_FUZZ_SEED` repeats a run. An input that breaks a reader is
//! written to `tests/fuzz/found/ROW/`, and all that lie there are fed to their reader first, in every run. Start reading at
//! `rows.rs`.

mod languages;
mod mutation;
mod rows;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use artoo_testing::dice::{Dice, setting};

use rows::Row;

/// Inputs that a usual test run feeds to each reader; it does not look at the clock.
const USUAL_INPUTS: u64 = 400;
/// How long one input may take. Readers take a thousandth of this; beyond it somebody's input keeps a task from ending.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a reader is at, for the watch.
static AT_WORK: Mutex<Option<(Instant, &'static str, Vec<u8>)>> = Mutex::new(None);

#[test]
fn no_input_breaks_a_reader() {
    let (seconds, seed) = (setting("ARTOO_FUZZ_SECONDS", 0), setting("ARTOO_FUZZ_SEED", 1));
    let all = rows::rows();
    let share = Duration::from_secs(seconds) / u32::try_from(all.len()).expect("there are few rows");
    let is_over = AtomicBool::new(false);
    let broken: Vec<String> = std::thread::scope(|scope| {
        scope.spawn(|| watch(&is_over));
        let broken = all.iter().enumerate().flat_map(|(number, row)| {
            let mut dice = Dice::stream(seed, number as u64);
            let (fed, broken) = feed(row, &mut dice, share);
            println!("{:<12} {fed:>9} inputs, {} broke it", row.name, broken.len());
            broken
        });
        let broken = broken.collect();
        is_over.store(true, Ordering::Relaxed);
        broken
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Feeds a reader with what broke it before, then for its share of the time; returns how many inputs that were, and where those
/// lie that broke it. One is enough: the next would be the same again.
fn feed(row: &Row, dice: &mut Dice, share: Duration) -> (u64, Vec<String>) {
    let (folder, since) = (folder(row.name), Instant::now());
    let known = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut known: Vec<PathBuf> = known.collect();
    known.sort();
    let mut fed = 0;
    for path in known {
        fed += 1;
        let input = std::fs::read(&path).expect("an input that was found");
        if !is_borne(row, &input) {
            return (fed, vec![format!("{}: {} breaks it again", row.name, path.display())]);
        }
    }
    while fed < USUAL_INPUTS || since.elapsed() < share {
        fed += 1;
        let input = mutation::input(&row.seeds, dice);
        if !is_borne(row, &input) {
            return (fed, vec![format!("{}: {} breaks it", row.name, keep(&folder, &input).display())]);
        }
    }
    (fed, Vec::new())
}

fn is_borne(row: &Row, input: &[u8]) -> bool {
    *AT_WORK.lock().expect("nobody breaks it") = Some((Instant::now(), row.name, input.to_vec()));
    let outcome = catch_unwind(AssertUnwindSafe(|| (row.read)(input)));
    *AT_WORK.lock().expect("nobody breaks it") = None;
    outcome.is_ok()
}

/// Ends the whole run, with the input kept, when a reader does not come back.
fn watch(is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(100));
        let at_work = AT_WORK.lock().expect("nobody breaks it").clone();
        let Some((since, name, input)) = at_work else { continue };
        if since.elapsed() > PATIENCE {
            let kept = keep(&folder(name), &input);
            let _ = writeln!(std::io::stderr(), "{name}: {} does not end", kept.display());
            std::process::exit(1);
        }
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/found").join(name)
}

fn keep(folder: &Path, input: &[u8]) -> PathBuf {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(input);
    let path = folder.join(format!("{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]));
    std::fs::create_dir_all(folder).expect("a folder can be made");
    std::fs::write(&path, input).expect("an input can be kept");
    path
}
