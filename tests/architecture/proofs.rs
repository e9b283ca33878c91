//! Every rule can fail: small inputs that break it, beside ones that do not.

use std::collections::BTreeMap;

use crate::circles::{circles, files_in_circles};
use crate::dependencies::{
    Package, layer_errors, lint_errors, parse, policy_errors, rocksdb_errors, worldly_links,
};
use crate::exceptions::{Exceptions, Rule};
use crate::limits::{
    FILE_LINES, FUNCTION_LINES, long_files, long_functions, mod_files, path_attributes, silent_ignores,
};
use crate::map::{lines_beyond, long_items, map_errors};
use crate::modules::{Crate, crates};
use crate::names::{empty_names, empty_package_names};
use crate::policy::Policy;
use crate::programs::lists_of_programs;
use crate::purity::impurities;
use crate::services::{analyze, launch_agent_errors, unit_errors};
use crate::shape::{fields, impl_files, meanings, participles, percent, text_failures};
use crate::source::{Source, read};

/// The rule finds as many errors as `expected` has entries, in that order, each holding its text.
fn check(errors: &[String], expected: &[&str]) {
    let agree =
        errors.len() == expected.len() && errors.iter().zip(expected).all(|(e, text)| e.contains(text));
    assert!(agree, "expected {expected:#?}, found {errors:#?}");
}

fn check_source(rule: fn(&Source) -> Vec<String>, path: &str, text: &str, expected: &[&str]) {
    check(&rule(&Source::new(path, text)), expected);
}

fn package(name: &str, folder: &str, dependencies: &[&str]) -> Package {
    Package {
        id: name.to_owned(),
        name: name.to_owned(),
        manifest: format!("{folder}/Cargo.toml"),
        license: Some("MIT".to_owned()),
        source: None,
        dependencies: dependencies.iter().map(|name| (*name).to_owned()).collect(),
        links: dependencies.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn foreign(name: &str, dependencies: &[&str]) -> Package {
    let source = Some("registry+https://github.com/rust-lang/crates.io-index".to_owned());
    Package { source, ..package(name, &format!("/registry/{name}"), dependencies) }
}

#[test]
fn literals_and_comments_are_no_code() {
    let text = "a /* { /* fn */ { */ \"{\\\"{\" r#\"\"{\"# '{' '\\'' b\"{\" <'a> // {\nb é \"\nfn\"";
    let code = Source::new("x.rs", text).code;
    assert_eq!(code.len(), text.len(), "offsets stay");
    assert!(
        !code.contains('{') && !code.contains("fn") && code.contains("<'a>") && code.contains("\nb "),
        "{code}"
    );
    assert_eq!(Source::new("x.rs", "bar\"x\"").code, "bar\" \"", "the r of a word starts no raw string");
}

#[test]
fn dependencies_may_not_point_up_or_sideways() {
    let types = package("artoo-types", "crates/types", &["serde"]);
    let bus = package("artoo-bus", "crates/bus", &["artoo-types"]);
    check(&layer_errors(&[types.clone(), bus.clone()]), &[]);
    let control = package("artoo-control", "crates/control", &["artoo-types", "artoo-bus"]);
    check(&layer_errors(&[types.clone(), bus, control]), &["`artoo-control` may not see `artoo-bus`"]);
    let up = package("artoo-protocol", "crates/protocol", &["artoo-types"]);
    check(&layer_errors(&[types.clone(), up]), &["crates/protocol/Cargo.toml: `artoo-protocol` may not see"]);
    check(
        &layer_errors(&[types, package("artoo-extra", "crates/extra", &[])]),
        &["`artoo-extra` has no layer"],
    );
    let testing = package("artoo-testing", "tests/support", &[]);
    let bus = package("artoo-bus", "crates/bus", &["artoo-testing"]);
    let tested = Package { links: Vec::new(), ..bus.clone() };
    check(&layer_errors(&[testing.clone(), tested]), &[]);
    check(&layer_errors(&[testing, bus]), &["`artoo-bus` may not see `artoo-testing`"]);
}

#[test]
fn dependencies_of_a_pure_crate_are_followed_to_the_end() {
    let worldly = [
        package("artoo-roles", "crates/roles", &["schemars", "serde"]),
        package("artoo-tools", "crates/tools", &["tokio"]),
        package("artoo-gate", "crates/gate", &["reqwest"]),
        foreign("schemars", &["clock"]),
        foreign("clock", &["tokio"]),
        foreign("serde", &[]),
        foreign("tokio", &[]),
        foreign("reqwest", &[]),
    ];
    check(
        &worldly_links(&worldly),
        &["link `tokio` (artoo-roles > schemars > clock > tokio)", "link `reqwest` (artoo-gate > reqwest)"],
    );
}

#[test]
fn dependencies_are_read_from_metadata() {
    let metadata = r#"{
        "packages": [
            { "id": "a#1", "name": "artoo-bus", "manifest_path": "/top/crates/bus/Cargo.toml", "license": "MIT",
              "source": null, "dependencies": [{ "name": "serde", "kind": null }, { "name": "rocksdb", "kind": "dev" }] },
            { "id": "s#1", "name": "serde", "manifest_path": "/registry/serde/Cargo.toml", "license": null,
              "source": "git+https://example.org/serde", "dependencies": [] }
        ],
        "resolve": { "nodes": [
            { "id": "a#1", "deps": [{ "pkg": "s#1", "dep_kinds": [{ "kind": null }] },
                                    { "pkg": "r#1", "dep_kinds": [{ "kind": "dev" }] }] },
            { "id": "s#1", "deps": [] }
        ] }
    }"#;
    let packages = parse(metadata, "/top");
    assert_eq!(packages[0].folder(), "crates/bus");
    assert_eq!(packages[0].links, ["s#1"], "test dependencies are not linked");
    check(&rocksdb_errors(&packages[0]), &["crates/bus/Cargo.toml: only artoo-store"]);
    let policy = Policy::parse("[licenses]\nallow = ['MIT']");
    check(
        &policy_errors(&packages[1], &policy),
        &["under \"no licence\"", "comes from git+https://example.org/serde"],
    );
}

#[test]
fn dependencies_on_rocksdb_outside_the_store_fail() {
    check(&rocksdb_errors(&package("artoo-store", "crates/store", &["rocksdb"])), &[]);
    check(
        &rocksdb_errors(&package("artoo-daemon", "artoo-daemon", &["librocksdb-sys"])),
        &["artoo-daemon/Cargo.toml"],
    );
}

#[test]
fn dependencies_need_a_permissive_licence() {
    let policy = Policy::parse(&read("deny.toml"));
    for (name, license, allowed) in [
        ("serde", "MIT OR Apache-2.0", true),
        ("memchr", "Unlicense/MIT", true),
        ("ring", "Apache-2.0 AND ISC", true),
        ("unicode-ident", "(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("rustix", "Apache-2.0 WITH LLVM-exception", true),
        ("choice", "GPL-3.0 OR MIT", true),
        ("option-ext", "MPL-2.0", true),
        ("another", "MPL-2.0", false),
        ("copyleft", "GPL-3.0-only", false),
        ("mixture", "MIT AND GPL-3.0", false),
        ("grouped", "(MIT OR Apache-2.0) AND LGPL-2.1", false),
        ("exception", "GPL-2.0 WITH Classpath-exception-2.0", false),
        ("broken", "MIT OR", false),
        ("unbalanced", "(MIT", false),
        ("silent", "", false),
    ] {
        assert_eq!(policy.allows_license(name, license), allowed, "{name}: {license}");
    }
    check(&policy_errors(&foreign("openssl", &[]), &policy), &["`openssl` is banned"]);
    check(&policy_errors(&foreign("serde", &[]), &policy), &[]);
}

#[test]
fn a_package_without_the_lints_fails() {
    check(&lint_errors("x/Cargo.toml", "[package]\nname = 'x'\n[lints]\nworkspace = true"), &[]);
    for content in
        ["[package]\nname = 'x'", "[lints]\nworkspace = false", "[lints.rust]\nunsafe_code = 'allow'"]
    {
        check(&lint_errors("x/Cargo.toml", content), &["x/Cargo.toml: add `[lints]`"]);
    }
}

#[test]
fn an_impure_crate_fails() {
    let rule = |path: &str, text: &str, expected: &[&str]| check_source(impurities, path, text, expected);
    rule("crates/bus/src/lib.rs", "use std::fmt;\n// std::fs\nconst S: &str = \"std::net\";", &[]);
    rule("crates/bus/src/lib.rs", "use std::fmt;\nuse std::fs;", &["crates/bus/src/lib.rs:2: `std::fs`"]);
    rule(
        "crates/bus/src/lib.rs",
        "use std::{\n    fmt,\n    net::{IpAddr, TcpStream},\n};",
        &[":3: `std::net`"],
    );
    rule(
        "crates/task/src/lib.rs",
        "fn f() { std::process::exit(1) }",
        &["`std::process` in the pure crate `task`"],
    );
    rule("crates/roles/src/r1/mod.rs", "let t = Instant::now();", &["`Instant::now`"]);
    rule("crates/memory/src/lib.rs", "let t = SystemTime::now();", &["`SystemTime`"]);
    rule("crates/types/src/id.rs", "Uuid::now_v7()", &["`Uuid::now_v7`"]);
    rule("crates/audit/src/lib.rs", "std::thread::spawn(f);", &["`std::thread`"]);
    rule("crates/audit/src/lib.rs", "use std::collections::{BTreeMap, HashMap};", &["`HashMap`"]);
    rule(
        "crates/control/src/lib.rs",
        "pub async fn f() {}\nlet operand = rand::random();",
        &["`rand`", "`async`"],
    );
    rule(
        "crates/control/src/lib.rs",
        "#[cfg(test)]\nmod proofs { use std::fs; }\nuse std::net;",
        &[":3: `std::net`"],
    );
    rule("crates/control/src/tests.rs", "use std::fs;", &[]);
    rule("crates/tools/src/lib.rs", "use std::fs;", &[]);
}

#[test]
fn a_long_file_fails() {
    let text = "\n".repeat(FILE_LINES);
    check_source(long_files, "crates/bus/src/a.rs", &text, &[]);
    check_source(
        long_files,
        "crates/bus/src/a.rs",
        &format!("{text}\n"),
        &["crates/bus/src/a.rs: 601 lines"],
    );
    check_source(long_files, "crates/bus/src/tests.rs", &format!("{text}\n"), &[]);
}

#[test]
fn a_long_function_fails() {
    let function = |lines: usize| {
        let body = "    let x = \"}\"; // }\n\n".repeat(lines);
        format!("struct S;\nimpl S {{\n  fn long(a: [u8; 2]) -> u8 {{\n{body}  }}\n  fn short() {{}}\n}}\n")
    };
    check_source(long_functions, "crates/bus/src/a.rs", &function(FUNCTION_LINES), &[]);
    let expected = ["crates/bus/src/a.rs:3: `long` has 71 lines"];
    check_source(long_functions, "crates/bus/src/a.rs", &function(FUNCTION_LINES + 1), &expected);
    check_source(long_functions, "a.rs", "trait T { fn declared(&self); }\ntype F = fn(u8);\n", &[]);
}

#[test]
fn an_ignored_test_needs_a_reason() {
    check_source(silent_ignores, "a.rs", "#[test]\n#[ignore]\nfn f() {}", &["a.rs:2: an ignored test"]);
    check_source(silent_ignores, "a.rs", "#[test]\n#[ignore = \"needs a GPU\"]\nfn f() {}", &[]);
}

#[test]
fn an_empty_name_fails() {
    check_source(
        empty_names,
        "crates/bus/src/router.rs",
        "mod inbox; struct ContextWindow; enum Core2 {}",
        &[],
    );
    check_source(empty_names, "crates/bus/src/utils.rs", "", &["`utils` names no subject"]);
    check_source(empty_names, "crates/bus/src/common/mod.rs", "", &["`common` names no subject"]);
    let code = "\nmod helpers { }\npub struct Manager;";
    check_source(
        empty_names,
        "crates/bus/src/a.rs",
        code,
        &["a.rs:2: `mod helpers`", "a.rs:3: `struct Manager`"],
    );
    check(&empty_package_names(&package("artoo-core", "crates/core", &[])), &["the package `artoo-core`"]);
    check(&empty_package_names(&package("artoo-bus", "crates/bus", &[])), &[]);
}

/// Crates of these files, as `crates/x/src/a.rs` and its text.
fn tree(files: &[(&str, &str)]) -> Vec<Crate> {
    let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
    crates(&sources)
}

/// The circles of one crate, by the files in `src`.
fn check_circles(files: &[(&str, &str)], expected: &[&[&str]]) {
    let files: Vec<_> = files.iter().map(|(path, text)| (format!("crates/x/src/{path}"), *text)).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let found = circles(&tree(&files)[0]);
    let found: Vec<Vec<&str>> = found
        .iter()
        .map(|circle| circle.iter().map(|file| &file["crates/x/src/".len()..]).collect())
        .collect();
    assert_eq!(found, expected, "{files:?}");
}

#[test]
fn a_circle_of_files_fails() {
    check_circles(
        &[("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B; struct A;"), ("b.rs", "struct B;")],
        &[],
    );
    let both = ["a.rs", "b.rs"];
    check_circles(
        &[("lib.rs", ""), ("a.rs", "use crate::b::B; struct A;"), ("b.rs", "fn b(a: super::a::A) {}")],
        &[&both],
    );
    check_circles(
        &[("lib.rs", ""), ("a.rs", "fn a() { crate::b::b() }"), ("b.rs", "use super::{a::{self, A as C}};")],
        &[&both],
    );
    // Through a re-export, with a name and with all names.
    check_circles(
        &[
            ("lib.rs", "pub use b::B;"),
            ("a.rs", "use crate::B; struct A;"),
            ("b.rs", "use crate::a::A; struct B;"),
        ],
        &[&both],
    );
    check_circles(
        &[
            ("lib.rs", "pub use self::b::*;"),
            ("a.rs", "use crate::B; struct A;"),
            ("b.rs", "use crate::a::A; struct B;"),
        ],
        &[&both],
    );
    // Comments, tests and other crates are nothing.
    check_circles(
        &[
            ("lib.rs", "#[cfg(test)] mod testing;"),
            ("a.rs", "use crate::b::B; struct A;"),
            ("b.rs", "// use crate::a::A;\n use y::a::A; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("testing.rs", "use crate::a::A;"),
        ],
        &[],
    );
}

#[test]
fn a_family_is_no_circle_and_what_leaves_it_is() {
    let family = [
        ("lib.rs", "mod a; use a::A;"),
        ("a.rs", "mod b; use b::B; use crate::X;"),
        ("a/b.rs", "use super::A;"),
    ];
    check_circles(&family, &[]);
    let siblings = [
        ("a.rs", "struct A;"),
        ("a/b.rs", "use super::c::C; struct B;"),
        ("a/c.rs", "use super::b::B; struct C;"),
    ];
    check_circles(&siblings, &[&["a/b.rs", "a/c.rs"]]);
    let up = [
        ("a.rs", "use crate::c::C; struct A;"),
        ("a/b.rs", "use super::A; struct B;"),
        ("c.rs", "use crate::a::b::B;"),
    ];
    check_circles(&up, &[&["a.rs", "a/b.rs", "c.rs"]]);
    let down = [
        ("a.rs", "mod b; fn a() { b::f() } struct A;"),
        ("a/b.rs", "use crate::c::C;"),
        ("c.rs", "use crate::a::A;"),
    ];
    check_circles(&down, &[&["a.rs", "a/b.rs", "c.rs"]]);
    assert_eq!(
        files_in_circles(&tree(&[
            ("crates/x/src/a.rs", "use crate::b;"),
            ("crates/x/src/b.rs", "use crate::a;")
        ]))["crates/x"],
        2
    );
}

#[test]
fn a_type_in_many_files_is_counted() {
    let count = |text: &str| {
        let files = [
            ("crates/x/src/a.rs", "pub struct A<T>(T); impl<T: Fn() -> u8> A<T> {}"),
            ("crates/x/src/b.rs", text),
        ];
        impl_files(&tree(&files))["crates/x A"]
    };
    assert_eq!(count("use crate::a::A; impl A<u8> {}"), 2);
    assert_eq!(count("impl super::a::A<u8> {}\nimpl super::a::A<u16> {}"), 2, "once a file");
    assert_eq!(
        count("use crate::a::A; impl std::fmt::Display for A<u8> {} fn f() -> impl A {}"),
        1,
        "no trait"
    );
    assert_eq!(count("struct A; impl A {}"), 1, "another type of that name");
}

#[test]
fn fields_meanings_and_shares_are_counted() {
    let tree = tree(&[
        (
            "crates/x/src/a.rs",
            "pub struct Wide<T: Copy> {\n  a: Map<u8, std::fmt::Error>,\n  #[x(y = z)] pub b: fn(c: u8) -> T,\n}\n",
        ),
        (
            "crates/x/src/b.rs",
            "struct Told;\nenum Wide {}\ntrait Input {}\n#[cfg(test)]\nmod t { struct Wide; }\n",
        ),
        ("crates/y/src/lib.rs", "pub(crate) type Wide = u8;\nstruct Pair(u8, u8);\nstruct Input;\n"),
    ]);
    assert_eq!(fields(&tree), BTreeMap::from([("crates/x Wide".to_owned(), 2)]));
    assert_eq!(
        meanings(&tree),
        BTreeMap::from([("Wide".to_owned(), 3), ("Told".to_owned(), 1), ("Pair".to_owned(), 1)])
    );
    assert_eq!(participles(&tree), BTreeMap::from([("Told".to_owned(), 1)]));
    assert_eq!(percent(&tree), BTreeMap::from([("crates/x".to_owned(), 75), ("crates/y".to_owned(), 25)]));
}

#[test]
fn a_failure_that_is_a_text_is_counted() {
    let count = |text: &str| text_failures(&tree(&[("crates/x/src/lib.rs", text)]))["crates/x"];
    assert_eq!(
        count("pub fn a() -> Result<u8, String> {}\npub async fn b(\n) -> Result<Vec<u8>,\n String>;"),
        2
    );
    assert_eq!(
        count(
            "fn a() -> Result<u8, String> {}\npub fn b() -> Result<String, Error> {}\npub fn c(s: String) {}"
        ),
        0
    );
}

#[test]
fn a_list_of_programs_outside_the_table_fails() {
    let table = "const A: Program = acts(\"rm unlink\", Effect::Delete);\nconst B: Program = sends(\n    \"curl\", NONE);";
    let found = |path: &str, list: &str| {
        lists_of_programs(&[Source::new("crates/gate/src/programs/files.rs", table), Source::new(path, list)])
    };
    let list = "\nconst DELETERS: [&str; 3] = [\"rm\", \"unlink\", \"curl\"];";
    check(
        &found("crates/gate/src/never.rs", list),
        &["crates/gate/src/never.rs:2: a list of programs (rm, unlink, curl)"],
    );
    check(&found("crates/gate/src/rules/git.rs", list), &[]);
    check(&found("crates/offline/src/act.rs", list), &[]);
    check(&found("crates/gate/src/never.rs", "const OTHER: [&str; 3] = [\"rm\", \"a\", \"b\"];"), &[]);
}

#[test]
fn modules_in_other_places_are_counted() {
    let sources = [
        Source::new("crates/x/src/lib.rs", "#[path = \"b.rs\"]\nmod a; // #[path]"),
        Source::new("tests/e2e/mod.rs", ""),
    ];
    assert_eq!(
        path_attributes(&sources),
        BTreeMap::from([("crates/x".to_owned(), 1), ("tests".to_owned(), 0)])
    );
    assert_eq!(mod_files(&sources), BTreeMap::from([("crates/x".to_owned(), 0), ("tests".to_owned(), 1)]));
}

#[test]
fn exceptions_only_shrink() {
    let list = Exceptions::parse("[fields]\n\"x Wide\" = 20\n[percent]\nx = 20");
    let errors =
        |rule: Rule, name: &str, count: usize| list.errors(rule, &BTreeMap::from([(name.to_owned(), count)]));
    check(&errors(Rule::Fields, "x Wide", 20), &[]);
    check(&errors(Rule::Fields, "x Wide", 21), &["x Wide: 21, 20 allowed"]);
    check(&errors(Rule::Fields, "x Wide", 19), &["x Wide: 19 now"]);
    check(&errors(Rule::Fields, "x Wide", 15), &["x Wide keeps the rule now"]);
    check(&errors(Rule::Fields, "x Other", 16), &["x Other: 16, 15 allowed", "x Wide keeps the rule now"]);
    check(&errors(Rule::Percent, "x", 19), &[]);
    check(&errors(Rule::Percent, "x", 18), &["x: 18 now"]);
}

#[test]
fn a_map_that_lies_fails() {
    let packages = [package("artoo-bus", "crates/bus", &[]), package("artoo-task", "crates/task", &[])];
    let files = ["crates/bus/src/lib.rs", "crates/task/Cargo.toml"].map(str::to_owned);
    let texts = BTreeMap::from([
        ("crates/bus/src/lib.rs".to_owned(), "struct Bus; fn publish() {}".to_owned()),
        ("crates/task/src/machine.rs".to_owned(), "struct TaskMachine; enum Phase { New }".to_owned()),
    ]);
    let rule = |map: &str, expected: &[&str]| check(&map_errors(map, &packages, &files, &texts), expected);
    rule("`task`: `TaskMachine`, `crates/bus/src/lib.rs` (`Law 1`, `and/or`, `crates/*`)", &[]);
    rule("`artoo-bus` only", &["the crate `artoo-task` is not on the map"]);
    rule("`bus` `task` `crates/router`", &["`crates/router` does not exist"]);
    rule("`bus` `task` `artoo-router`", &["no crate is called `artoo-router`"]);
    rule("`bus` `task` `TaskEngine`", &["`TaskEngine` does not occur in source"]);
    rule("`task`: `crates/bus/src/lib.rs`: `Bus`, `publish()`", &[]);
    rule("`task` | `crates/bus` | `lib.rs` `Bus`", &[]);
    rule(
        "`task` | `crates/bus` | `tap.rs` `Bus`",
        &["`crates/bus/src/tap.rs` does not exist", "`Bus` does not occur"],
    );
    rule("`task`: `crates/bus`: `Bus`, `TaskMachine`", &["`TaskMachine` does not occur in crates/bus"]);
    rule(
        "`task`: `crates/bus/src/lib.rs`: `route()`",
        &["`route()` does not occur in crates/bus/src/lib.rs"],
    );
    rule("`bus` `task`\n`TaskMachine`\n`Phase::New` and `Phase::Old`", &["md:3: `Phase::Old`"]);
}

#[test]
fn a_long_document_fails() {
    let beyond = |lines: usize| lines_beyond(&|_| "a\n".repeat(lines));
    assert_eq!(beyond(120)["ARCHITECTURE.md"], 0);
    assert_eq!((beyond(151)["ARCHITECTURE.md"], beyond(151)["README.md"]), (31, 1));
    check(&long_items("- a\n  b\n  c\n- d\n\n  e\n  f\n  g\n  h\n"), &[]);
    check(&long_items("- a\n  b\n  c\n  d\n  e\n"), &["ARCHITECTURE.md:4: an item of more than 3 lines"]);
}

#[test]
fn a_launch_agent_that_differs_fails() {
    let template = read("launchd/com.artoo.daemon.plist");
    let changed = |from: &str, to: &str, expected: &[&str]| {
        assert!(template.contains(from), "the template holds {from}");
        check(&launch_agent_errors(&template.replace(from, to)), expected);
    };
    changed("<integer>63</integer>", "<integer>18</integer>", &["`Umask`"]);
    changed("<integer>63</integer>", "<string>63</string>", &["`Umask`"]);
    changed("<string>--foreground</string>", "", &["`ProgramArguments`"]);
    changed("<key>SuccessfulExit</key>", "<key>Crashed</key>", &["`KeepAlive`"]);
    changed("<key>PATH</key>", "<key>OTHER</key>", &["`EnvironmentVariables`"]);
    changed("<key>RunAtLoad</key>", "<key>OnDemand</key>", &["`RunAtLoad`", "`OnDemand` is not checked"]);
    changed("<key>Label</key>", "<key>Label", &["not a property list"]);
}

#[test]
fn a_unit_that_differs_fails() {
    let unit = read("systemd/artoo.service");
    check(&unit_errors(&unit.replace("UMask=0077\n", "")), &["must hold `UMask=0077`"]);
    check(
        &unit_errors(&unit.replace("Restart=on-failure", "Restart=no")),
        &["`Restart=on-failure`", "`Restart=no`"],
    );
    check(
        &unit_errors(&unit.replace("[Install]", "Install")),
        &[":26: neither", "[Install]", "[Service] `WantedBy"],
    );
    if let Some(said) = analyze(&unit.replace("RestartSec=5", "RestartSec=soon")) {
        assert!(said.contains("soon"), "systemd-analyze says {said:?}");
    }
}
