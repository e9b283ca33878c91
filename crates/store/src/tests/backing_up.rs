use std::path::PathBuf;

use artoo_memory::key::Key;
use artoo_types::Timestamp;
use tempfile::TempDir;

use super::{DAY, START, after, megram, rule, tool_tag};
use crate::{
    Backup, BackupOccasion, Maintenance, MemoryReader, MemoryWriter, StoreError, WriteOutcome, backups,
    restore,
};

/// A memory in a folder of its own, so that its copies lie beside it.
struct Home {
    folder: TempDir,
    open: Option<(MemoryReader, MemoryWriter, Maintenance)>,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut home = Self { folder, open: None };
        home.open();
        home
    }

    fn memory(&self) -> PathBuf {
        self.folder.path().join("memory")
    }

    fn open(&mut self) {
        self.open = Some(crate::open(&self.memory()).expect("the store opens"));
    }

    fn close(&mut self) {
        self.open = None;
    }

    fn parts(&mut self) -> &mut (MemoryReader, MemoryWriter, Maintenance) {
        self.open.as_mut().expect("it is open")
    }

    fn write(&mut self, number: u128, now: Timestamp) {
        let new = artoo_types::memory::Megram { created_at: now, ..megram(number, &tool_tag("/tmp")) };
        assert_eq!(self.parts().1.write(now, &new).expect("it is written"), WriteOutcome::Stored);
    }

    fn back_up(&mut self, now: Timestamp) -> Option<Backup> {
        self.parts().2.back_up(now, 3).expect("a copy can be made")
    }

    fn names(&self) -> Vec<String> {
        backups(&self.memory()).expect("they can be listed").iter().map(|b| b.occasion.name()).collect()
    }

    fn newest(&self) -> Backup {
        backups(&self.memory()).expect("they can be listed").remove(0)
    }
}

#[test]
fn a_copy_is_made_once_a_day_when_something_changed() {
    let mut home = Home::new();
    assert_eq!(home.back_up(START), None, "there is nothing to lose");
    home.write(1, START);
    let first = home.back_up(START).expect("it is due");
    assert_eq!(first.occasion, BackupOccasion::Daily(START));
    assert_eq!(home.names(), ["2026-01-01T00-00-00Z"]);
    home.write(2, after(0.5));
    assert_eq!(home.back_up(after(0.9)), None, "the day is not over");
    assert!(home.back_up(after(1.0)).is_some());
    assert_eq!(home.back_up(after(9.0)), None, "nothing changed");
    for day in 10..15_u32 {
        home.write(u128::from(day), after(f64::from(day)));
        assert!(home.back_up(after(f64::from(day))).is_some());
    }
    assert_eq!(home.names(), ["2026-01-15T00-00-00Z", "2026-01-14T00-00-00Z", "2026-01-13T00-00-00Z"]);
    home.write(99, after(20.0));
    assert_eq!(home.parts().2.back_up(after(20.0), 0).expect("it is switched off"), None);
}

#[test]
fn a_copy_holds_what_was_there_and_can_be_verified_while_the_memory_is_used() {
    let mut home = Home::new();
    for number in 0..50 {
        home.write(number, START);
    }
    let copy = home.back_up(START).expect("it is due");
    home.write(50, START);
    let report = copy.verify().expect("it can be read");
    assert_eq!((report.megrams, report.total_findings), (50, 0), "{:?}", report.findings);
    assert_eq!(home.parts().0.verify().expect("it can be read").megrams, 51);
}

#[test]
fn what_is_forgotten_is_in_no_copy() {
    let mut home = Home::new();
    home.write(1, START);
    home.write(2, START);
    assert!(home.back_up(START).is_some());
    let id = megram(1, &tool_tag("/tmp")).id;
    assert_eq!(home.parts().1.forget(START, &[id]).expect("it is forgotten"), 1);
    assert_eq!(home.names(), Vec::<String>::new());
    let copy = home.back_up(START).expect("the next one is due at once");
    assert_eq!(copy.verify().expect("it can be read").megrams, 1);
    home.parts().1.forget(START, &[megram(2, &tool_tag("/tmp")).id]).expect("it is forgotten");
    assert_eq!(home.names(), Vec::<String>::new());
}

#[test]
fn a_forgetting_that_was_cut_short_is_finished_when_the_memory_is_opened() {
    let mut home = Home::new();
    home.write(1, START);
    assert!(home.back_up(START).is_some());
    let shared = &home.parts().0.store;
    let mut batch = shared.disk.batch();
    crate::erase::erase_next(&mut batch);
    batch.commit(true).expect("it is written");
    home.close();
    home.open();
    assert_eq!(home.names(), Vec::<String>::new());
    let mark = Key::Meta("erase".to_owned());
    assert!(!home.parts().0.store.disk.view().has(&mark).expect("it can be read"), "it is done once");
}

#[test]
fn a_copy_takes_the_place_of_a_damaged_memory() {
    let mut home = Home::new();
    home.write(1, START);
    home.parts().1.remember(START, &rule(7, &tool_tag("/tmp"), 1.0)).expect("it is remembered");
    assert!(home.back_up(START).is_some());
    home.write(2, START);
    home.close();
    std::fs::write(home.memory().join("CURRENT"), "garbage").expect("it can be damaged");
    assert!(crate::open(&home.memory()).is_err());
    let aside = restore(&home.memory(), &home.newest(), START).expect("it can be restored");
    let aside = aside.expect("the damaged one is kept");
    assert_eq!(std::fs::read_to_string(aside.join("CURRENT")).expect("it is there"), "garbage");
    home.open();
    // The second one comes back from its journal, which is written to the memory again.
    home.write(2, START);
    let report = home.parts().0.verify().expect("it can be verified");
    assert_eq!((report.megrams, report.total_findings), (3, 0));
    assert_eq!(home.parts().0.query_c(START, &tool_tag("/tmp")).expect("it reads").len(), 1);
    let copy = home.newest().verify().expect("it can be read");
    assert_eq!(copy.megrams, 2, "the copy is as it was");
}

#[test]
fn a_faulty_copy_takes_no_place() {
    let mut home = Home::new();
    home.write(1, START);
    let shared = &home.parts().0.store;
    let mut batch = shared.disk.batch();
    batch.delete(&Key::Cluster(tool_tag("/tmp")));
    batch.commit(false).expect("the damage can be done");
    let copy = home.back_up(START).expect("it is due");
    home.close();
    let refused = restore(&home.memory(), &copy, START);
    assert!(matches!(refused, Err(StoreError::FaultyBackup { .. })), "{refused:?}");
    std::fs::write(copy.path.join("CURRENT"), "garbage").expect("it can be damaged");
    assert!(restore(&home.memory(), &copy, START).is_err());
    home.open();
    assert_eq!(home.parts().0.stats().expect("it is as it was").levels[0], 1);
}

#[test]
fn a_copy_of_an_older_program_is_whole_although_its_sums_are_of_another_version() {
    let mut home = Home::new();
    home.write(1, START);
    let shared = &home.parts().0.store;
    let mut batch = shared.disk.batch();
    batch.put(&Key::Meta("derived".to_owned()), b"0");
    batch.put(&Key::Cluster(tool_tag("/tmp")), b"sums as they once were");
    batch.commit(false).expect("it is written");
    let copy = home.back_up(START).expect("it is due");
    assert_eq!(copy.verify().expect("it can be read").total_findings, 0);
    home.close();
    restore(&home.memory(), &copy, START).expect("it can be restored");
    home.open();
    let report = home.parts().0.verify().expect("it can be verified");
    assert_eq!((report.megrams, report.total_findings), (1, 0), "its sums are made again");
}

#[test]
fn what_a_killed_process_left_half_made_goes_with_the_next_copy() {
    let mut home = Home::new();
    let place = home.folder.path().join("memory-backups");
    std::fs::create_dir_all(place.join("2026-01-01T00-00-00Z.tmp")).expect("it can be made");
    std::fs::create_dir_all(place.join("of the user")).expect("it can be made");
    home.write(1, START.plus_ms(DAY));
    assert!(home.back_up(START.plus_ms(DAY)).is_some());
    let mut left: Vec<_> =
        std::fs::read_dir(place).expect("it is there").flatten().map(|e| e.file_name()).collect();
    left.sort();
    assert_eq!(left, ["2026-01-02T00-00-00Z", "of the user"]);
}
