//! What was changed comes back; what somebody else changed stays.

use super::*;

fn is(path: &str, outcome: UndoOutcome) -> (String, UndoOutcome) {
    (path.to_owned(), outcome)
}

#[test]
fn a_deletion_comes_back_with_everything_and_only_once() {
    let bench = Bench::new();
    let before = seen(&bench.root.join("work"));
    bench.call(1, EffectClass::Delete, &["a.txt", "folder"], |bench| {
        fs::remove_file(bench.path("a.txt")).unwrap();
        fs::remove_dir_all(bench.path("folder")).unwrap();
    });
    let listed = bench.trash.list(task(), false).unwrap();
    assert_eq!(
        bench.told(&listed),
        [is("a.txt", UndoOutcome::Possible), is("folder", UndoOutcome::Possible)]
    );
    assert_eq!((listed.items[1].files, listed.items[1].bytes), (2, 4));
    assert!(bench.read("a.txt").is_none(), "listing changes nothing");
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Restored), is("folder", UndoOutcome::Restored)]);
    assert_eq!(seen(&bench.root.join("work")), before);
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Unchanged), is("folder", UndoOutcome::Unchanged)]);
    assert_eq!(seen(&bench.root.join("work")), before);
}

#[test]
fn several_calls_are_taken_back_to_before_the_first() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Overwrite, &["a.txt"], |b| fs::write(b.path("a.txt"), "new\n").unwrap());
    bench.call(2, EffectClass::Overwrite, &["a.txt"], |b| fs::write(b.path("a.txt"), "newer\n").unwrap());
    bench.call(10, EffectClass::Delete, &["a.txt"], |b| fs::remove_file(b.path("a.txt")).unwrap());
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Restored)]);
    assert_eq!(bench.read("a.txt").unwrap(), "old a\n");
    assert_eq!(bench.path("a.txt").metadata().unwrap().mode() & 0o777, 0o640);
}

#[test]
fn what_was_made_goes_and_lies_in_the_trash() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Create, &["new.txt"], |b| fs::write(b.path("new.txt"), "made\n").unwrap());
    bench.call(2, EffectClass::Create, &["made"], |b| {
        fs::create_dir(b.path("made")).unwrap();
        fs::write(b.path("made/x"), "x").unwrap();
    });
    assert_eq!(bench.undo(), [is("made", UndoOutcome::Removed), is("new.txt", UndoOutcome::Removed)]);
    assert!(!bench.path("new.txt").exists() && !bench.path("made").exists());
    let kept = bench.aside();
    assert!(kept.contains(&"made\n".to_owned()) && kept.contains(&"x".to_owned()), "{kept:?}");
}

#[test]
fn what_changed_in_a_folder_is_told_and_not_the_folder() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Create, &["folder"], |b| {
        fs::create_dir(b.path("folder/new")).unwrap();
        fs::write(b.path("folder/new/moved"), "m").unwrap();
    });
    assert_eq!(bench.undo(), [is("folder/new", UndoOutcome::Removed)]);
    assert!(bench.path("folder").exists(), "the folder was there before");
}

#[test]
fn what_somebody_changed_since_stays_unless_it_is_forced() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Overwrite, &["a.txt"], |b| fs::write(b.path("a.txt"), "new\n").unwrap());
    bench.call(2, EffectClass::Create, &["new.txt"], |b| fs::write(b.path("new.txt"), "made\n").unwrap());
    bench.call(3, EffectClass::Delete, &["b.txt"], |b| fs::remove_file(b.path("b.txt")).unwrap());
    for name in ["a.txt", "new.txt", "b.txt"] {
        fs::write(bench.path(name), "mine\n").unwrap();
    }
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    let is_skipped = |i: &UndoItem| i.outcome == UndoOutcome::Skipped && i.why.contains("--force");
    assert!(told.items.iter().all(is_skipped), "{told:?}");
    for name in ["a.txt", "new.txt", "b.txt"] {
        assert_eq!(bench.read(name).unwrap(), "mine\n");
    }
    let forced = bench.trash.undo(task(), true, Timestamp(9)).unwrap();
    assert_eq!(bench.told(&forced).len(), 3);
    assert_eq!(bench.read("a.txt").unwrap(), "old a\n");
    assert_eq!(bench.read("b.txt").unwrap(), "old b\n");
    assert_eq!(bench.read("new.txt"), None);
    assert_eq!(bench.aside(), ["mine\n", "mine\n", "mine\n"], "nothing is lost by force");
}

#[test]
fn what_was_put_into_a_folder_that_the_task_made_stays() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Create, &["made"], |b| {
        fs::create_dir(b.path("made")).unwrap();
        fs::write(b.path("made/x"), "x").unwrap();
    });
    fs::write(bench.path("made/mine"), "mine").unwrap();
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    let is_left = |i: &UndoItem| i.outcome == UndoOutcome::Failed && i.why.contains("not empty");
    assert!(told.items.iter().any(is_left), "{told:?}");
    assert_eq!(bench.read("made/mine").unwrap(), "mine");
    assert!(!bench.path("made/x").exists());
}

#[test]
fn a_folder_in_place_of_a_file_and_the_other_way_round_are_turned_back() {
    let bench = Bench::new();
    let before = seen(&bench.root.join("work"));
    bench.call(1, EffectClass::Delete, &["a.txt", "folder"], |b| {
        fs::remove_file(b.path("a.txt")).unwrap();
        fs::remove_dir_all(b.path("folder")).unwrap();
    });
    bench.call(2, EffectClass::Create, &["a.txt", "folder"], |b| {
        fs::create_dir(b.path("a.txt")).unwrap();
        fs::write(b.path("a.txt/x"), "x").unwrap();
        fs::write(b.path("folder"), "now a file").unwrap();
    });
    bench.undo();
    assert_eq!(seen(&bench.root.join("work")), before);
}

#[test]
fn writing_through_a_link_keeps_what_it_leads_to() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Overwrite, &["folder/link"], |b| {
        fs::write(b.path("folder/link"), "through\n").unwrap();
    });
    assert_eq!(bench.read("a.txt").unwrap(), "through\n");
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Restored)]);
    assert_eq!(bench.read("a.txt").unwrap(), "old a\n");
    assert!(bench.path("folder/link").is_symlink());
}

#[test]
fn a_crash_between_keeping_and_running_loses_nothing_and_undoes_nothing() {
    let bench = Bench::new();
    let before = seen(&bench.root.join("work"));
    // The daemon went down before the call began: nothing was changed, and nobody looked afterwards.
    drop(bench.keep(1, EffectClass::Delete, &["a.txt"]));
    assert_eq!(bench.undo(), []);
    assert_eq!(seen(&bench.root.join("work")), before);
    // The same call after the restart keeps its own pre-image, and not in place of the first.
    fs::write(bench.path("a.txt"), "in between\n").unwrap();
    bench.call(1, EffectClass::Delete, &["a.txt"], |b| fs::remove_file(b.path("a.txt")).unwrap());
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Restored)]);
    assert_eq!(bench.read("a.txt").unwrap(), "in between\n", "what the call deleted");
}

#[test]
fn a_crash_after_the_call_began_is_undone_where_nothing_stands() {
    let bench = Bench::new();
    drop(bench.keep(1, EffectClass::Delete, &["a.txt", "b.txt"]));
    fs::remove_file(bench.path("a.txt")).unwrap();
    fs::write(bench.path("b.txt"), "half\n").unwrap();
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    assert_eq!(bench.told(&told), [is("a.txt", UndoOutcome::Restored), is("b.txt", UndoOutcome::Skipped)]);
    assert!(told.items[1].why.contains("the daemon went down"), "{told:?}");
    bench.trash.undo(task(), true, Timestamp(9)).unwrap();
    assert_eq!(bench.read("b.txt").unwrap(), "old b\n");
}

#[test]
fn half_of_what_was_being_kept_counts_as_nothing() {
    let bench = Bench::new();
    let folder = bench.trash.of_task(task());
    fs::create_dir_all(folder.join("000001.tmp/files")).unwrap();
    fs::write(folder.join("000001.tmp/files/000000"), "half").unwrap();
    assert_eq!(bench.undo(), []);
    bench.call(1, EffectClass::Delete, &["a.txt"], |b| fs::remove_file(b.path("a.txt")).unwrap());
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Restored)]);
    assert!(!folder.join("000001.tmp").exists());
}

#[test]
fn an_undo_that_was_cut_short_anywhere_can_be_run_again() {
    for cut in 0.. {
        let bench = Bench::new();
        let before = seen(&bench.root.join("work"));
        bench.call(1, EffectClass::Delete, &["folder"], |b| fs::remove_dir_all(b.path("folder")).unwrap());
        bench.call(2, EffectClass::Overwrite, &["a.txt"], |b| fs::write(b.path("a.txt"), "new\n").unwrap());
        bench.call(3, EffectClass::Create, &["new.txt"], |b| fs::write(b.path("new.txt"), "made\n").unwrap());
        let first = bench.trash.undo_up_to(task(), false, Timestamp(9), cut).unwrap();
        let again = bench.undo();
        let is_well = |outcome: UndoOutcome| {
            matches!(outcome, UndoOutcome::Restored | UndoOutcome::Removed | UndoOutcome::Unchanged)
        };
        assert!(again.iter().all(|(_, outcome)| is_well(*outcome)), "{cut}: {again:?}");
        let now = seen(&bench.root.join("work"));
        let is_whole = again.iter().all(|(_, outcome)| *outcome == UndoOutcome::Unchanged);
        assert_eq!(now, before, "{cut}");
        if is_whole {
            assert!(cut > 4 && first.items.len() == 3, "it has several steps: {first:?}");
            return;
        }
    }
}

#[test]
fn a_damaged_copy_changes_nothing() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Overwrite, &["a.txt"], |b| fs::write(b.path("a.txt"), "new\n").unwrap());
    fs::write(bench.trash.of_task(task()).join("000001/files/000000"), "rotten").unwrap();
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    let item = &told.items[0];
    assert!(item.outcome == UndoOutcome::Failed && item.why.contains("damaged"), "{told:?}");
    assert_eq!(bench.read("a.txt").unwrap(), "new\n");
}

#[test]
fn a_folder_that_became_a_link_is_not_followed() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Delete, &["folder/c.txt"], |b| {
        fs::remove_file(b.path("folder/c.txt")).unwrap();
    });
    fs::rename(bench.path("folder"), bench.path("elsewhere")).unwrap();
    fs::create_dir(bench.path("victim")).unwrap();
    symlink(bench.path("victim"), bench.path("folder")).unwrap();
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    assert_eq!(told.items[0].outcome, UndoOutcome::Failed, "{told:?}");
    assert_eq!(fs::read_dir(bench.path("victim")).unwrap().count(), 0);
}

#[test]
fn what_could_not_be_undone_is_listed_too() {
    let bench = Bench::new();
    let change = Change {
        task_id: task(),
        effect_id: EffectId(1),
        action: "curl -T a.txt https://example.org".to_owned(),
        effects: vec![EffectClass::Send],
        paths: None,
        project: None,
        at: Timestamp(1),
    };
    let undo = Undoing::No { why: "what is sent cannot be called back".to_owned() };
    bench.trash.back_up(&change, &undo, &|| false).unwrap().settle(&|| false);
    let told = bench.trash.list(task(), false).unwrap();
    assert_eq!(told.items.len(), 1);
    assert!(told.items[0].path.starts_with("curl") && told.items[0].why.contains("sent"), "{told:?}");
}

#[test]
fn what_is_written_while_an_undo_copies_stays() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Overwrite, &["a.txt"], |b| fs::write(b.path("a.txt"), "new\n").unwrap());
    // A pipe in the place of the copy: the undo waits in the middle of its work until somebody writes.
    let copy = bench.trash.of_task(task()).join("000001/files/000000");
    fs::remove_file(&copy).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&copy).status().unwrap();
    assert!(made.success());
    let mine = bench.path("a.txt");
    let somebody = std::thread::spawn(move || {
        let mut copy = fs::OpenOptions::new().write(true).open(copy).unwrap();
        fs::write(mine, "mine\n").unwrap();
        std::io::Write::write_all(&mut copy, b"old a\n").unwrap();
    });
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    somebody.join().unwrap();
    assert!(told.items[0].outcome == UndoOutcome::Failed, "{told:?}");
    assert_eq!(bench.read("a.txt").unwrap(), "mine\n");
    let left = fs::read_dir(bench.root.join("work")).unwrap().count();
    assert_eq!(left, 3, "nothing half made stays behind");
}

#[test]
fn a_damaged_record_of_one_call_leaves_the_others_alone() {
    let bench = Bench::new();
    bench.call(1, EffectClass::Delete, &["a.txt"], |b| fs::remove_file(b.path("a.txt")).unwrap());
    bench.call(2, EffectClass::Delete, &["b.txt"], |b| fs::remove_file(b.path("b.txt")).unwrap());
    let folder = bench.trash.of_task(task());
    // As a power cut leaves what was not synced.
    fs::write(folder.join("000001/after.json"), "").unwrap();
    fs::write(folder.join("000002/manifest.json"), "").unwrap();
    let told = bench.trash.undo(task(), false, Timestamp(9)).unwrap();
    assert_eq!(bench.read("a.txt").unwrap(), "old a\n");
    let [first, second] = told.items.as_slice() else { panic!("{told:?}") };
    assert_eq!((first.outcome, second.outcome), (UndoOutcome::Restored, UndoOutcome::Skipped));
    assert!(second.why.contains("damaged") && second.path.ends_with("000002"), "{told:?}");
}

#[test]
fn what_was_not_read_afterwards_is_told_apart_by_its_size_and_time() {
    for stopped in [false, true] {
        let limits = TrashLimits { call_bytes: 20, ..TrashLimits::default() };
        let bench = Bench::with(limits);
        let kept = bench.keep(1, EffectClass::Create, &["big", "small"]);
        let small = if stopped { "s" } else { "s\n" };
        fs::write(bench.path("big"), "x".repeat(100)).unwrap();
        fs::write(bench.path("small"), small).unwrap();
        kept.settle(&|| stopped);
        let after = fs::read_to_string(bench.trash.of_task(task()).join("000001/after.json")).unwrap();
        assert_eq!(after.matches("unread").count(), if stopped { 2 } else { 1 }, "{after}");
        // Nobody touched the small one since, and somebody the big one.
        fs::write(bench.path("big"), "y".repeat(101)).unwrap();
        let told = bench.trash.list(task(), false).unwrap();
        let outcomes = [is("big", UndoOutcome::Skipped), is("small", UndoOutcome::Possible)];
        assert_eq!(bench.told(&told), outcomes, "{told:?}");
    }
}

#[test]
fn a_call_that_is_kept_waits_for_no_undo() {
    let bench = Bench::new();
    let undoing = bench.trash.undoing.lock();
    bench.call(1, EffectClass::Delete, &["a.txt"], |b| fs::remove_file(b.path("a.txt")).unwrap());
    drop(undoing);
    assert_eq!(bench.undo(), [is("a.txt", UndoOutcome::Restored)]);
}
