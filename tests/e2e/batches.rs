//! The compiler of the one long build, on sources small enough for a test.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::installing::repository;

fn run(folder: &Path, program: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("ARTOO_BATCHES", folder.join("batches"));
    command.output().expect("a machine that builds this has a C++ compiler")
}

/// Three sources that use one name each for itself do not compile as one: they are compiled apart, and all of them are in what
/// comes out. A source that does not compile at all is an error.
#[test]
fn sources_that_do_not_fit_together_are_compiled_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let write =
        |name: &str, text: &str| fs::write(folder.join(name), text).expect("the folder can be written");
    for name in ["rocksdb", "batches"] {
        fs::create_dir(folder.join(name)).expect("the folder can be written");
    }
    write("rocksdb_lib_sources.txt", "a1.cc\na2.cc\na3.cc\n");
    let compiler = repository().join("scripts/cxx-in-batches");
    for n in 1..=3 {
        write(
            &format!("rocksdb/a{n}.cc"),
            &format!("static int same() {{ return {n}; }}\nint f{n}() {{ return same(); }}\n"),
        );
    }
    for n in 1..=3 {
        let made =
            run(folder, &compiler, &["-O1", "-o", &format!("a{n}.o"), "-c", &format!("rocksdb/a{n}.cc")]);
        assert!(made.status.success(), "{made:?}");
    }
    write("m.cc", "int f1(); int f2(); int f3();\nint main() { return f1() * 100 + f2() * 10 + f3(); }\n");
    let linked = run(folder, Path::new("c++"), &["m.cc", "a1.o", "a2.o", "a3.o", "-o", "m"]);
    assert!(linked.status.success(), "{linked:?}");
    assert_eq!(run(folder, &folder.join("m"), &[]).status.code(), Some(123));
    write("rocksdb/a2.cc", "int broken(\n");
    assert!(!run(folder, &compiler, &["-o", "a1.o", "-c", "rocksdb/a1.cc"]).status.success());
}
