use serde_json::json;

use super::{listing, split};
use crate::bench::Bench;

#[test]
fn patterns_without_a_slash_match_names_and_others_paths() {
    let bench = Bench::new();
    for name in ["a.rs", "b.md", "src/c.rs", "src/deep/d.rs", ".git/e.rs", ".hidden/f.rs", "日本語.txt"] {
        bench.put(name, "x");
    }
    let cases = [
        ("*.rs", "~/.hidden/f.rs\n~/a.rs\n~/src/c.rs\n~/src/deep/d.rs"),
        ("**/*.rs", "~/.hidden/f.rs\n~/a.rs\n~/src/c.rs\n~/src/deep/d.rs"),
        ("src/*.rs", "~/src/c.rs"),
        ("./*.rs", "~/a.rs"),
        ("src/**/*.rs", "~/src/c.rs\n~/src/deep/d.rs"),
        ("**/deep/*.rs", "~/src/deep/d.rs"),
        ("*.{md,txt}", "~/b.md\n~/日本語.txt"),
        ("日本*", "~/日本語.txt"),
        ("*.py", "(no match)"),
    ];
    for (pattern, output) in cases {
        bench.check("glob", &json!({"root": ".", "pattern": pattern}), 0, output);
    }
    let absolute = format!("{}/src/*.rs", bench.work.places.working_directory);
    bench.check("glob", &json!({"root": ".", "pattern": absolute}), 0, "~/src/c.rs");
    bench.check("glob", &json!({"root": "missing", "pattern": "*"}), 1, "~/missing: no such file or folder");
}

#[test]
fn secret_folders_are_left_out_of_wider_walks() {
    let bench = Bench::new();
    std::fs::write(format!("{}/.ssh/id", bench.work.places.home), "key").unwrap();
    std::fs::write(format!("{}/.artoo/id", bench.work.places.home), "key").unwrap();
    let produced = bench.run("glob", &json!({"root": "~", "pattern": "id"}));
    assert_eq!(produced.output, "(no match)");
    assert!(produced.note.is_some_and(|n| n.contains("2 places")));
}

#[test]
fn long_listings_say_how_many_more_there_are() {
    let paths: Vec<String> = (0..5).map(|n| format!("/{n}")).collect();
    assert_eq!(listing(&paths, 2), "/0\n/1\n... and 3 more");
    assert_eq!(listing(&paths[..2], 2), "/0\n/1");
}

#[test]
fn a_pattern_that_is_a_path_brings_its_root() {
    let own = |root: &str, pattern: &str| (root.to_owned(), pattern.to_owned());
    assert_eq!(split(".", "*.rs"), own(".", "*.rs"));
    assert_eq!(split(".", "/a/b/*.rs"), own("/a/b", "./*.rs"));
    assert_eq!(split(".", "~/x/**/y"), own("~/x", "./**/y"));
    assert_eq!(split(".", "/a/b.txt"), own("/a", "./b.txt"));
    assert_eq!(split(".", "/*"), own("/", "./*"));
}
