//! What this repository may never become: each test states one rule over the whole tree, and its failure names the
//! file and what to do. `architecture/proofs.rs` shows for every rule that it can fail. Needs no other crate of ours,
//! so it tells about a tree that does not compile, too.

#[path = "architecture/dependencies.rs"]
mod dependencies;
#[path = "architecture/limits.rs"]
mod limits;
#[path = "architecture/map.rs"]
mod map;
#[path = "architecture/names.rs"]
mod names;
#[path = "architecture/policy.rs"]
mod policy;
#[path = "architecture/proofs.rs"]
mod proofs;
#[path = "architecture/purity.rs"]
mod purity;
#[path = "architecture/services.rs"]
mod services;
#[path = "architecture/source.rs"]
mod source;

use dependencies::Package;
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
fn the_map_names_what_exists() {
    let files = source::files();
    let searched = [".rs", ".toml", ".proto", ".service", ".plist"];
    let texts: Vec<String> = files
        .iter()
        .filter(|path| searched.iter().any(|ending| path.ends_with(ending)))
        .map(|path| read(path))
        .collect();
    let occurs = |name: &str| texts.iter().any(|text| source::words(text, name).next().is_some());
    check(map::map_errors(&read("ARCHITECTURE.md"), &ours(), &files, &occurs));
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
