//! What leaves the trash, what does not, and what never gets in.

use super::*;

const DAY: i64 = 86_400_000;

fn other() -> TaskId {
    serde_json::from_str("\"01890a5d-ac96-774b-bcce-b302099a8058\"").unwrap()
}

fn keep(bench: &Bench, task_id: TaskId, call: u64, at: i64, name: &str) {
    let change = Change {
        task_id,
        effect_id: EffectId(call),
        action: "an action".to_owned(),
        effects: vec![EffectClass::Delete],
        paths: Some(bench.paths(&[name])),
        project: None,
        at: Timestamp(at),
    };
    bench.trash.back_up(&change, &Undoing::Trash { bytes: 6 }, &|| false).unwrap();
}

fn left(bench: &Bench, task_id: TaskId) -> usize {
    fs::read_dir(bench.trash.of_task(task_id)).map_or(0, Iterator::count)
}

#[test]
fn the_old_goes_and_the_running_stays() {
    let bench = Bench::with(TrashLimits { days: 7, ..TrashLimits::default() });
    keep(&bench, task(), 1, 0, "a.txt");
    keep(&bench, task(), 2, 9 * DAY, "a.txt");
    keep(&bench, other(), 1, 0, "a.txt");
    let swept = bench.trash.sweep(Timestamp(10 * DAY), |id| id == other()).unwrap();
    assert_eq!((swept, left(&bench, task()), left(&bench, other())), (1, 1, 1));
    let swept = bench.trash.sweep(Timestamp(10 * DAY), |_| false).unwrap();
    assert_eq!((swept, left(&bench, other())), (1, 0));
    // A clock that jumped ahead makes nothing old.
    assert_eq!(bench.trash.sweep(Timestamp(1_000 * DAY), |_| false).unwrap(), 0);
}

#[test]
fn beyond_its_size_the_oldest_goes_first() {
    let bench = Bench::with(TrashLimits { total_bytes: 15, ..TrashLimits::default() });
    keep(&bench, task(), 1, 1, "a.txt");
    keep(&bench, other(), 1, 2, "a.txt");
    // The third does not fit; the oldest of another task makes room for it.
    keep(&bench, other(), 2, 3, "b.txt");
    assert_eq!((left(&bench, task()), left(&bench, other())), (0, 2));
    let smaller = TrashLimits { total_bytes: 7, ..TrashLimits::default() };
    let smaller = Trash::new(&bench.root.join(".artoo"), smaller);
    assert_eq!(smaller.sweep(Timestamp(4), |_| false).unwrap(), 1);
    assert_eq!(left(&bench, other()), 1);
}

#[test]
fn what_never_started_is_swept_once_the_task_has_ended() {
    let bench = Bench::new();
    fs::create_dir_all(bench.trash.of_task(task()).join("000001.tmp/files")).unwrap();
    bench.trash.sweep(Timestamp(1), |_| true).unwrap();
    assert_eq!(left(&bench, task()), 1);
    bench.trash.sweep(Timestamp(1), |_| false).unwrap();
    assert!(!bench.trash.of_task(task()).exists());
}

#[test]
fn what_cannot_be_kept_is_said_before() {
    let bench = Bench::with(TrashLimits { call_bytes: 10, ..TrashLimits::default() });
    let no = |undo: Undoing, part: &str| match undo {
        Undoing::No { why } => assert!(why.contains(part), "{why}"),
        Undoing::Trash { bytes } => panic!("{bytes} bytes would be kept: {part}"),
    };
    assert_eq!(bench.appraise(EffectClass::Delete, &["a.txt"]), Undoing::Trash { bytes: 6 });
    no(bench.appraise(EffectClass::Delete, &["a.txt", "b.txt"]), "storage.trash_call_mib");
    no(bench.appraise(EffectClass::Send, &["a.txt"]), "called back");
    no(bench.appraise(EffectClass::System, &["a.txt"]), "machine");
    no(bench.appraise(EffectClass::Unknown, &["a.txt"]), "only when it has run");
    no(bench.trash.appraise(&[EffectClass::Delete], None, &BTreeMap::new()), "only when it has run");
    for above in [&bench.root, &bench.root.join(".artoo/x")] {
        let paths = [above.to_string_lossy().into_owned()];
        no(bench.trash.appraise(&[EffectClass::Delete], Some(&paths), &BTreeMap::new()), "data folder");
    }
    let socket = std::os::unix::net::UnixListener::bind(bench.path("folder/socket")).unwrap();
    no(bench.appraise(EffectClass::Delete, &["folder"]), "device, pipe or socket");
    drop(socket);
    for n in 0..=super::super::MAX_PATHS {
        fs::write(bench.path(&format!("folder/deep/{n}")), "").unwrap();
    }
    no(bench.appraise(EffectClass::Delete, &["folder/deep"]), "more than");
}

#[test]
fn a_call_that_did_not_start_gives_its_room_back() {
    let bench = Bench::with(TrashLimits { total_bytes: 15, ..TrashLimits::default() });
    bench.trash.sweep(Timestamp(1), |_| false).unwrap();
    keep(&bench, other(), 1, 1, "a.txt");
    for call in 1..5 {
        bench.keep(call, EffectClass::Delete, &["a.txt"]).discard();
    }
    assert_eq!((left(&bench, task()), left(&bench, other())), (0, 1));
}

#[test]
fn a_call_that_is_stopped_while_it_is_kept_leaves_nothing() {
    let bench = Bench::new();
    let change = Change {
        task_id: task(),
        effect_id: EffectId(1),
        action: "an action".to_owned(),
        effects: vec![EffectClass::Delete],
        paths: Some(bench.paths(&["a.txt"])),
        project: None,
        at: Timestamp(1),
    };
    bench.trash.back_up(&change, &Undoing::Trash { bytes: 6 }, &|| true).unwrap_err();
    assert_eq!(left(&bench, task()), 0);
}
