//! What this repository may never become: each test states one rule over the whole tree, and its failure names the
//! file and what to do. `proofs.rs` shows for every rule that it can fail. What the tree breaks today stands in
//! `exceptions.toml`, which only shrinks. Needs no other crate of ours, so it tells about a tree that does not compile.

mod circles;
mod dependencies;
mod exceptions;
mod limits;
mod map;
mod modules;
mod names;
mod policy;
mod programs;
mod proofs;
mod purity;
mod services;
mod shape;
mod source;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use dependencies::Package;
use exceptions::{Exceptions, Rule};
use modules::{Crate, crates};
use source::{Source, read, sources};

/// Fails with one line for each broken rule.
fn check(errors: impl IntoIterator<Item = String>) {
    let errors: Vec<String> = errors.into_iter().collect();
    assert!(errors.is_empty(), "{} found:\n{}\n", errors.len(), errors.join("\n"));
}

fn check_sources(rule: fn(&Source) -> Vec<String>) {
    let sources = sources();
    assert!(sources.len() > 20, "the walk over the repository found only {} Rust files", sources.len());
    check(sources.iter().flat_map(rule));
}

/// Fails with what breaks a rule beyond its exceptions, and with exceptions that are no longer needed.
fn check_rule(rule: Rule, measured: &BTreeMap<String, usize>) {
    check(Exceptions::parse(&read("tests/architecture/exceptions.toml")).errors(rule, measured));
}

fn ours_by_module() -> &'static [Crate] {
    static CRATES: LazyLock<Vec<Crate>> = LazyLock::new(|| crates(sources()));
    assert!(CRATES.len() >= 14, "the walk over the repository found only {} crates", CRATES.len());
    &CRATES
}

fn ours() -> Vec<Package> {
    let ours: Vec<Package> = dependencies::packages().into_iter().filter(Package::is_ours).collect();
    assert!(ours.len() >= 16, "cargo metadata named only {} packages of ours", ours.len());
    ours
}

#[test]
fn dependencies_point_down() {
    check(dependencies::layer_errors(&ours()));
}

#[test]
fn dependencies_of_pure_crates_do_not_touch_the_world() {
    check(dependencies::worldly_links(&dependencies::packages()));
}

#[test]
fn dependencies_on_rocksdb_are_the_stores_alone() {
    check(ours().iter().flat_map(dependencies::rocksdb_errors));
}

#[test]
fn dependencies_are_permissive_known_and_from_crates_io() {
    let policy = policy::Policy::parse(&read("deny.toml"));
    check(dependencies::packages().iter().flat_map(|package| dependencies::policy_errors(package, &policy)));
}

#[test]
fn every_package_takes_part_in_the_lints() {
    check(
        ours()
            .iter()
            .flat_map(|package| dependencies::lint_errors(&package.manifest, &read(&package.manifest))),
    );
}

#[test]
fn pure_crates_name_nothing_from_outside() {
    check_sources(purity::impurities);
}

#[test]
fn files_have_one_subject() {
    check_sources(limits::long_files);
}

#[test]
fn functions_fit_on_a_screen() {
    check_sources(limits::long_functions);
}

#[test]
fn no_test_is_ignored_in_silence() {
    check_sources(limits::silent_ignores);
}

#[test]
fn no_module_or_type_has_an_empty_name() {
    check_sources(names::empty_names);
    check(ours().iter().flat_map(names::empty_package_names));
}

#[test]
fn files_need_each_other_in_no_circle() {
    check_rule(Rule::FilesInCircles, &circles::files_in_circles(ours_by_module()));
}

#[test]
fn a_type_lies_in_three_files_at_most() {
    check_rule(Rule::ImplFiles, &shape::impl_files(ours_by_module()));
}

#[test]
fn a_struct_has_fifteen_fields_at_most() {
    check_rule(Rule::Fields, &shape::fields(ours_by_module()));
}

#[test]
fn a_type_name_has_two_meanings_at_most() {
    check_rule(Rule::Meanings, &shape::meanings(ours_by_module()));
}

#[test]
fn no_type_is_called_by_a_participle() {
    check_rule(Rule::Participles, &shape::participles(ours_by_module()));
}

#[test]
fn no_public_function_fails_with_a_mere_text() {
    check_rule(Rule::TextFailures, &shape::text_failures(ours_by_module()));
}

#[test]
fn no_crate_is_most_of_the_house() {
    check_rule(Rule::Percent, &shape::percent(ours_by_module()));
}

#[test]
fn programs_stand_in_one_table() {
    check(programs::lists_of_programs(sources()));
}

#[test]
fn modules_lie_where_their_path_says() {
    check_rule(Rule::PathAttributes, &limits::path_attributes(sources()));
    check_rule(Rule::ModFiles, &limits::mod_files(sources()));
}

#[test]
fn documents_are_read_to_their_end() {
    check_rule(Rule::Documents, &map::lines_beyond(&read));
    check(map::long_items(&read("ARCHITECTURE.md")));
}

#[test]
fn the_map_names_what_exists() {
    let files = source::files();
    let searched = [".rs", ".toml", ".proto", ".service", ".plist"];
    let texts = files.iter().filter(|path| searched.iter().any(|ending| path.ends_with(ending)));
    let texts = texts.map(|path| (path.clone(), read(path))).collect();
    check(map::map_errors(&read("ARCHITECTURE.md"), &ours(), &files, &texts));
}

#[test]
fn the_launch_agent_says_what_the_daemon_relies_on() {
    check(services::launch_agent_errors(&read("launchd/com.artoo.daemon.plist")));
}

#[test]
fn the_systemd_unit_says_what_the_daemon_relies_on() {
    check(services::unit_errors(&read("systemd/artoo.service")));
}

#[test]
fn systemd_understands_the_unit() {
    match services::analyze(&read("systemd/artoo.service")) {
        Some(said) => assert!(said.is_empty(), "systemd/artoo.service: systemd-analyze verify says:\n{said}"),
        None => println!("skipped: systemd-analyze is not installed here"),
    }
}
