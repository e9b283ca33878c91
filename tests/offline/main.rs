//! The offline rules over the whole way: the real client, the real daemon, real tools, in a home folder full of files
//! whose numbers are counted again here. Start reading at `table.rs`.

mod declined;
mod expected;
mod first_met;
mod fixture;
mod held_out;
mod recount;
mod rows_file;
mod rows_files;
mod rows_machine;
mod stories;
mod table;

use fixture::Fixture;

/// Rows may read the same folders, and only the workspace may change.
fn check(rows: &[table::Row]) {
    let fixture = Fixture::new();
    let outside = |fixture: &Fixture| {
        let mut all = fixture.manifest();
        all.retain(|(path, _)| !path.starts_with(&fixture.workspace));
        all
    };
    let before = outside(&fixture);
    table::check(&fixture, rows);
    assert_eq!(before, outside(&fixture), "something changed outside the workspace");
}

#[test]
fn requests_about_sets_of_files() {
    check(rows_files::ROWS);
}

#[test]
fn requests_about_one_file() {
    check(rows_file::ROWS);
}

#[test]
fn requests_about_the_repository_and_the_machine() {
    check(rows_machine::ROWS);
}

#[test]
fn the_rows_cover_at_least_forty_kinds() {
    let count = rows_files::ROWS.len() + rows_file::ROWS.len() + rows_machine::ROWS.len();
    assert!(count >= 40, "{count}");
}
