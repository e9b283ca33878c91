//! Changes of the schema, with steps of this test's own, since there was none in earnest yet; killed at each of their
//! boundaries and anywhere between.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use artoo_memory::key::Key;
use rocksdb::{DB, Options};
use tempfile::TempDir;

use super::interleaving::Random;
use super::killing::setting;
use super::{START, Store, megram, rule, tool_tag};
use crate::disk::{Disk, Family};
use crate::error::StoreError;
use crate::migrate::{STEPS, SchemaStep, migrate};
use crate::schema::{SCHEMA, parse_version, version_text};
use crate::{BackupOccasion, backups};

/// The folder of the memory, for a copy of this test program that is to migrate it.
const FOLDER: &str = "ARTOO_STORE_TEST_MIGRATE";
/// At which boundary that copy is to die; none when the parent kills it.
const DIE_AT: &str = "ARTOO_STORE_TEST_MIGRATE_DIES";

/// Memories before the change: enough for a step to be killed in its middle.
const MEGRAMS: u128 = 1_200;

/// What schemas to come could do: write something anew record by record, and build on what the step before left.
const CHANGED: [SchemaStep; 3] = [
    SchemaStep { to: (1, 1), what: "marks each memory as read", run: mark_all },
    SchemaStep { to: (1, 2), what: "counts the marks", run: count },
    SchemaStep { to: (1, 3), what: "says what was counted", run: say },
];

fn die_at(boundary: &str) {
    if std::env::var(DIE_AT).is_ok_and(|at| at == boundary) {
        // No destructor runs and nothing is flushed, as with kill -9.
        std::process::abort();
    }
}

fn mark_all(disk: &Disk) -> Result<(), StoreError> {
    die_at("before the first");
    let view = disk.frozen();
    for (number, entry) in view.scan(Family::Truth, artoo_memory::key::MEGRAMS, None).enumerate() {
        let Key::Megram(id) = entry?.0 else { continue };
        let mut batch = disk.batch();
        batch.put(&Key::Recalled(id), b"2026-01-02T00:00:00Z");
        batch.commit(false)?;
        if number as u128 == MEGRAMS / 2 {
            die_at("within the first");
        }
    }
    die_at("after the first");
    Ok(())
}

/// Counts what the step before it made: wrong when that step was taken for done too early.
fn count(disk: &Disk) -> Result<(), StoreError> {
    die_at("before the second");
    let marked = disk.frozen().raw_scan(Family::Truth, b"r|", None).count();
    let mut batch = disk.batch();
    batch.put(&Key::Meta("marked".to_owned()), marked.to_string().as_bytes());
    batch.commit(false)?;
    die_at("after the second");
    Ok(())
}

fn say(disk: &Disk) -> Result<(), StoreError> {
    die_at("before the third");
    let marked = disk.view().value(&Key::Meta("marked".to_owned()))?.unwrap_or_default();
    let mut batch = disk.batch();
    batch.put(&Key::Meta("said".to_owned()), &[marked.as_slice(), b" memories"].concat());
    batch.commit(false)?;
    die_at("after the third");
    Ok(())
}

/// A memory of schema 1.0, closed, in the folder `memory` of a new folder.
fn old_memory(megrams: u128) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let memory = folder.path().join("memory");
    let (reader, mut writer, maintenance) = crate::open(&memory).expect("the store opens");
    for number in 0..megrams {
        writer.write(START, &megram(number, &tool_tag(&format!("/{}", number % 40)))).expect("it is written");
    }
    writer.remember(START, &rule(megrams, &tool_tag("/0"), 1.0)).expect("it is remembered");
    drop((reader, writer, maintenance));
    bare(&memory, |db| {
        db.put(Key::Meta("schema".to_owned()).encode(), "1.0").expect("it can be written");
    });
    folder
}

/// Shows the bare database in a folder.
fn bare<T>(memory: &Path, see: impl FnOnce(&DB) -> T) -> T {
    let families = DB::list_cf(&Options::default(), memory).expect("the families can be listed");
    see(&DB::open_cf(&Options::default(), memory, families).expect("the database opens"))
}

fn meta(memory: &Path, name: &str) -> Option<String> {
    let value = bare(memory, |db| db.get(Key::Meta(name.to_owned()).encode()).expect("it reads"));
    value.map(|value| String::from_utf8(value).expect("it is text"))
}

fn copies(memory: &Path) -> Vec<BackupOccasion> {
    backups(memory).expect("they can be listed").iter().map(|backup| backup.occasion).collect()
}

/// The change is whole: every step was done, once as good as often, and the copy from before it is there.
fn check_changed(folder: &TempDir, megrams: u128) {
    let memory = folder.path().join("memory");
    assert_eq!(meta(&memory, "schema").as_deref(), Some("1.3"));
    assert_eq!(
        meta(&memory, "said"),
        Some(format!("{} memories", megrams + 1)),
        "the steps ran in their order"
    );
    assert_eq!(meta(&memory, "migrating"), None);
    assert_eq!(copies(&memory), [BackupOccasion::Schema(1, 0)]);
    let copy = backups(&memory).expect("they can be listed").remove(0);
    assert_eq!(copy.verify().expect("it can be read").total_findings, 0);
    assert_eq!(meta(&copy.path, "schema").as_deref(), Some("1.0"), "it is from before the change");
    let marked = bare(&copy.path, |db| db.get(Key::Recalled(megram(0, &tool_tag("/0")).id).encode()));
    assert_eq!(marked.expect("it reads"), None, "it is from before the change");
    // A program that knows 1.0 reads what one with 1.3 left.
    let (reader, _writer, _maintenance) = crate::open(&memory).expect("the store opens");
    let report = reader.verify().expect("it can be verified");
    assert_eq!((u128::from(report.megrams), report.total_findings), (megrams + 1, 0));
    assert_eq!(reader.stats().expect("it counts").clusters, 40);
}

/// A copy of this test program that migrates the memory in `folder`.
fn migrating(folder: &TempDir, die_at: Option<&str>) -> Command {
    let mut child = Command::new(std::env::current_exe().expect("this program has a path"));
    child.args([
        "--exact",
        "tests::migrating::a_change_killed_anywhere_goes_on_at_the_next_opening",
        "--nocapture",
    ]);
    child.env(FOLDER, folder.path().join("memory")).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(boundary) = die_at {
        child.env(DIE_AT, boundary);
    }
    child
}

#[test]
fn a_change_killed_anywhere_goes_on_at_the_next_opening() {
    if let Some(memory) = std::env::var_os(FOLDER) {
        drop(crate::open_with(memory.as_ref(), &CHANGED).expect("the store opens"));
        return;
    }
    let boundaries = [
        "before the first",
        "within the first",
        "after the first",
        "before the second",
        "after the second",
        "before the third",
        "after the third",
    ];
    for boundary in boundaries {
        let folder = old_memory(MEGRAMS);
        let died = migrating(&folder, Some(boundary)).status().expect("the child runs");
        assert!(!died.success(), "it dies {boundary}");
        assert!(
            migrating(&folder, None).status().expect("the child runs").success(),
            "after dying {boundary}"
        );
        check_changed(&folder, MEGRAMS);
    }
    let kills = setting("ARTOO_MEMORY_KILLS", 4);
    let mut random = Random::seeded(setting("ARTOO_CRASH_SEED", 11));
    for _ in 0..kills {
        let folder = old_memory(MEGRAMS);
        // Killed again and again, a little later each time, until it is done.
        for patience in 1_u32.. {
            let mut child = migrating(&folder, None).spawn().expect("the child runs");
            std::thread::sleep(Duration::from_micros(random.below(40_000)) * patience);
            drop(child.kill());
            if child.wait().expect("it ends").success() {
                break;
            }
        }
        check_changed(&folder, MEGRAMS);
    }
}

#[test]
fn the_steps_lead_to_this_programs_schema_in_their_order() {
    assert!(STEPS.windows(2).all(|pair| pair[0].to < pair[1].to));
    assert_eq!(STEPS.last().map_or((1, 0), |step| step.to), SCHEMA);
    assert_eq!(parse_version(&version_text(SCHEMA)), Some(SCHEMA));
    for nonsense in ["", "1", "1.", ".1", "1.0.0", "one.two"] {
        assert_eq!(parse_version(nonsense), None, "{nonsense}");
    }
}

#[test]
fn a_new_memory_and_a_newer_one_are_not_changed() {
    let refuse: [SchemaStep; 1] =
        [SchemaStep { to: SCHEMA, what: "must not run", run: |_| Err(StoreError::BadCursor) }];
    let store = Store::new();
    for found in [SCHEMA, (SCHEMA.0, SCHEMA.1 + 6), (SCHEMA.0 + 1, 0)] {
        migrate(&store.open().disk, found, &refuse).expect("nothing is due");
    }
    assert!(migrate(&store.open().disk, (0, 9), &refuse).is_err(), "an older one is");
    let place = store.folder.path().with_file_name(format!(
        "{}-backups",
        store.folder.path().file_name().expect("it has a name").to_string_lossy()
    ));
    std::fs::remove_dir_all(place).expect("the copy was made first");
}

#[test]
fn two_copies_from_before_changes_are_kept() {
    let folder = old_memory(3);
    let memory = folder.path().join("memory");
    for (from, to) in [("1.0", (1, 1)), ("1.1", (1, 2)), ("1.2", (1, 3))] {
        let step = [SchemaStep { to, what: "nothing", run: |_| Ok(()) }];
        assert_eq!(meta(&memory, "schema").as_deref(), Some(from));
        drop(crate::open_with(&memory, &step).expect("the store opens"));
    }
    assert_eq!(copies(&memory), [BackupOccasion::Schema(1, 2), BackupOccasion::Schema(1, 1)]);
}
