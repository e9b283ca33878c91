//! What the daemon may take of the disk: what is taken, what is refused.

use artoo_trash::TrashLimits;

use super::*;

#[test]
fn the_table_and_the_default_say_the_same() {
    assert_eq!(Home::new().config().storage, StorageParams::default());
}

#[test]
fn every_bound_arrives() {
    let text = "[storage]\nmin_free_mib = 3\nkeep_days = 8\nkeep_tasks = 9\nkeep_mib = 10\n\
                audit_days = 11\naudit_mib = 64\ntrash_days = 12\ntrash_mib = 13\ntrash_call_mib = 14\n\
                memory_backups = 15\n";
    let expected = StorageParams {
        min_free_bytes: 3 * 1_048_576,
        keep_days: 8,
        keep_tasks: 9,
        keep_bytes: 10 * 1_048_576,
        audit_days: 11,
        audit_bytes: 64 * 1_048_576,
        trash: TrashLimits { days: 12, total_bytes: 13 * 1_048_576, call_bytes: 14 * 1_048_576 },
        memory_backups: 15,
    };
    assert_eq!(Home::with(text).config().storage, expected);
    assert_eq!(Home::new().flag("storage.min_free_mib=0").config().storage.min_free_bytes, 0);
}

#[test]
fn a_request_is_kept_for_seven_days_whatever_is_configured() {
    let error = Home::with("[storage]\nkeep_days = 6\n").error();
    assert!(error.contains("`storage.keep_days` must be a whole number from 7 to 36500"), "{error}");
}
