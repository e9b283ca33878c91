use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use artoo_memory::key::Key;
use rocksdb::{DB, Options};

use super::{START, Store, megram, rule, tool_tag};
use crate::StoreError;
use crate::disk::Family;

/// Set for a copy of this test program that is to hold a store open.
const HOLD: &str = "ARTOO_STORE_TEST_HOLD";

/// Why the folder of `store`, which is closed first, cannot be opened after `change` was made to the bare database.
fn refusal(store: Store, change: impl FnOnce(&mut DB)) -> Option<StoreError> {
    let folder = store.closed();
    let families = DB::list_cf(&Options::default(), folder.path()).expect("the families can be listed");
    let mut db = DB::open_cf(&Options::default(), folder.path(), families).expect("the database opens");
    change(&mut db);
    drop(db);
    crate::open(folder.path()).err()
}

fn schema(version: &str) -> impl FnOnce(&mut DB) {
    move |db| db.put(Key::Meta("schema".to_owned()).encode(), version).expect("it can be written")
}

#[test]
fn a_newer_major_is_refused_and_a_newer_minor_is_read() {
    let refused = refusal(Store::new(), schema("2.0"));
    assert!(matches!(&refused, Some(StoreError::NewerSchema { found, .. }) if found == "2.0"), "{refused:?}");
    assert!(refusal(Store::new(), schema("1.7")).is_none());
    assert!(matches!(refusal(Store::new(), schema("new")), Some(StoreError::Damaged { .. })));
}

#[test]
fn a_refused_folder_is_not_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut options = Options::default();
    options.create_if_missing(true);
    let db = DB::open(&options, folder.path()).expect("a foreign database can be made");
    db.put(b"foreign", b"1").expect("it can be written");
    drop(db);
    let refused = crate::open(folder.path()).err();
    assert!(matches!(refused, Some(StoreError::NotAMemory { .. })), "{refused:?}");
    let families = DB::list_cf(&Options::default(), folder.path()).expect("the families can be listed");
    assert_eq!(families, ["default"]);
}

#[test]
fn unknown_families_of_a_newer_minor_do_not_prevent_opening() {
    let added = |db: &mut DB| db.create_cf("added_later", &Options::default()).expect("it can be made");
    assert!(refusal(Store::new(), added).is_none());
}

#[test]
fn a_second_opener_is_told_that_the_folder_is_in_use() {
    let store = Store::new();
    let refused = crate::open(store.folder.path()).err().expect("it is refused");
    assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");
    assert!(refused.to_string().contains("ARTOO_DATA_DIR"));
}

#[test]
fn a_folder_that_another_process_holds_is_in_use() {
    if let Some(folder) = std::env::var_os(HOLD) {
        let held = crate::open(folder.as_ref()).expect("the store opens");
        println!("\nheld");
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).expect("the parent says when to end");
        drop(held);
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut holder = Command::new(std::env::current_exe().expect("this program has a path"))
        .args(["--exact", "tests::opening::a_folder_that_another_process_holds_is_in_use", "--nocapture"])
        .env(HOLD, folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the holder starts");
    let mut output = BufReader::new(holder.stdout.take().expect("its output is piped")).lines();
    assert!(output.by_ref().map_while(Result::ok).any(|line| line == "held"), "the holder opens the store");
    let refused = crate::open(folder.path()).err().expect("it is refused");
    assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");
    drop(holder.stdin.take());
    output.for_each(drop);
    assert!(holder.wait().expect("the holder ends").success());
    assert!(crate::open(folder.path()).is_ok());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("file");
    std::fs::write(&file, b"").expect("the file can be made");
    for place in [file.join("memory"), file] {
        let refused = crate::open(&place).err().expect("it is refused");
        assert!(matches!(&refused, StoreError::NotWritable { folder, .. } if *folder == place), "{refused}");
    }
}

#[test]
fn missing_derived_records_are_made_again() {
    let changes: [fn(&mut DB); 2] = [
        |db| db.drop_cf(Family::Derived.name()).expect("it can be dropped"),
        |db| db.delete(Key::Meta("derived".to_owned()).encode()).expect("the mark can be removed"),
    ];
    for change in changes {
        let mut store = Store::new();
        let tag = tool_tag("/tmp");
        for number in 0..1_000 {
            store.write(&megram(number, &tag));
        }
        store.remember(&rule(5_000, &tag, -1.0));
        let before = store.reader.query_mk(START, &tag).expect("it reads");
        let folder = store.closed();
        let families = DB::list_cf(&Options::default(), folder.path()).expect("the families can be listed");
        let mut db = DB::open_cf(&Options::default(), folder.path(), families).expect("the database opens");
        change(&mut db);
        drop(db);
        let store = Store::at(folder);
        assert_eq!(store.verified().megrams, 1_001);
        let found = store.reader.query_mk(START, &tag).expect("it reads");
        assert!((found.attention - before.attention).abs() < 1e-9);
        assert_eq!(store.reader.query_c(START, &tag).expect("it reads").len(), 1);
    }
}
