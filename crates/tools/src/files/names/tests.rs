use std::path::Path;
use std::time::{Duration, Instant};

use artoo_types::evidence::CallEnd;

use super::search;
use crate::bench::Bench;

fn sorted(bench: &Bench, skip: &'static [&'static str]) -> Vec<String> {
    let root = bench.work.places.working_directory.clone();
    let (mut found, _) = search(Path::new(&root), skip, &bench.work, |entry| Some(entry.path())).unwrap();
    found.sort();
    found.iter().map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_entry_comes_once_whatever_the_number_of_threads() {
    let bench = Bench::new();
    let mut wanted = Vec::new();
    for folder in 0..40 {
        for file in 0..30 {
            bench.put(&format!("d{folder}/e/f{file}"), "");
            wanted.push(format!("d{folder}/e/f{file}"));
        }
        wanted.extend([format!("d{folder}"), format!("d{folder}/e")]);
    }
    wanted.sort();
    assert_eq!(sorted(&bench, &[]), wanted);
}

#[test]
fn folders_that_are_left_out_are_not_entered_and_links_are_not_followed() {
    let bench = Bench::new();
    bench.put("kept/a", "");
    bench.put("left/b", "");
    std::os::unix::fs::symlink(bench.path("kept"), bench.path("link")).unwrap();
    assert_eq!(sorted(&bench, &["left"]), ["kept", "kept/a", "link"]);
}

#[test]
fn a_search_ends_when_its_time_is_over() {
    let mut bench = Bench::new();
    bench.put("a", "");
    bench.work.deadline = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    let root = bench.work.places.working_directory.clone();
    let ended = search(Path::new(&root), &[], &bench.work, |_| Some(())).unwrap_err();
    assert_eq!(ended.end, CallEnd::Timeout);
}

/// Beside `find`, in a build with optimisations: `cargo test --release -p artoo-tools beside_find -- --nocapture`. A build
/// without them says nothing about time, so it looks at few files.
#[test]
#[allow(clippy::print_stdout, reason = "the figures are what is asked for")]
fn names_are_found_beside_find() {
    let folders = if cfg!(debug_assertions) { 8 } else { 400 };
    let bench = Bench::new();
    for folder in 0..folders {
        for file in 0..250 {
            let ending = if file % 10 == 0 { "txt" } else { "dat" };
            bench.put(&format!("d{}/e{}/f{file}.{ending}", folder / 20, folder % 20), "");
        }
    }
    let root = bench.work.places.working_directory.clone();
    let find = || {
        std::process::Command::new("find")
            .args([".", "-name", "*.txt", "-type", "f", "-not", "-path", "./.artoo/*"])
            .current_dir(&root)
            .output()
            .unwrap()
            .stdout
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    };
    let tool = || crate::tools::glob::find(&root, "*.{txt,TXT}", &bench.work).unwrap().0.len();
    let mut times = [Duration::MAX; 2];
    for _ in 0..9 {
        let since = Instant::now();
        assert_eq!(find(), folders * 25);
        times[0] = times[0].min(since.elapsed());
        let since = Instant::now();
        assert_eq!(tool(), folders * 25);
        times[1] = times[1].min(since.elapsed());
    }
    println!("{} files: find {:?}, glob {:?}", folders * 250, times[0], times[1]);
    assert!(cfg!(debug_assertions) || times[1] < times[0] * 3 / 2, "{times:?}");
}
