//! What the daemon may take of the disk: what is taken, what is refused.

use super::*;

#[test]
fn the_table_and_the_default_say_the_same() {
    assert_eq!(Home::new().config().storage, StorageParams::default());
}

#[test]
fn the_bound_arrives() {
    assert_eq!(Home::with("[storage]\nmin_free_mib = 3\n").config().storage.min_free_bytes, 3 * 1_048_576);
    assert_eq!(Home::new().flag("storage.min_free_mib=0").config().storage.min_free_bytes, 0);
}
