use artoo_types::tag::fold;

use super::names;
use crate::testing::places;

fn check(text: &str, target: &str, expected: bool) {
    assert_eq!(names(&fold(text), target, &places()), expected, "{text:?} and {target:?}");
}

#[test]
fn a_file_name_names_a_file_only_where_relative_paths_start() {
    check("sum budget.csv please", "/home/u/wd/budget.csv", true);
    check("sum ./budget.csv.", "/home/u/wd/budget.csv", true);
    check("sum budget.csv", "/home/u/ws/budget.csv", true);
    check("sum budget.csv", "/home/u/Documents/budget.csv", false);
    check("sum ~/Documents/Budget.csv", "/home/u/Documents/budget.csv", true);
    check("sum /home/u/Documents/budget.csv", "/home/u/Documents/budget.csv", true);
    check("把budget.csv里的数相加", "/home/u/wd/budget.csv", true);
    check("sum \"my budget.csv\"", "/home/u/wd/my budget.csv", true);
}

#[test]
fn a_name_inside_a_longer_one_is_not_named() {
    check("sum budget.csv.old", "/home/u/wd/budget.csv", false);
    check("sum mybudget.csv", "/home/u/wd/budget.csv", false);
    check("sum Documents/budget.csv", "/home/u/wd/budget.csv", false);
    check("read /home/u/wd/a/b", "/home/u/wd/a", false);
    check("https://a.b/c/d", "https://a.b/c", false);
}

#[test]
fn folders_patterns_queries_and_lists() {
    check("list my Downloads", "/home/u/Downloads", true);
    check("list ~/Downloads/", "/home/u/Downloads", true);
    check("list ~/Downloads", "/home/u/Downloads/*", true);
    check("list ~/Downloads", "/home/u/Documents/*", false);
    check("how many files are here", "/home/u/wd/**", true);
    check("count *.rs in src", "/home/u/wd/src/*.rs", true);
    check("count files in src", "/home/u/wd/src/*.rs", false);
    check("search for Rust tutorials", "rust tutorials", true);
    check("search for rust", "go tutorials", false);
    check("fetch https://a.b/c.", "https://a.b/c", true);
    check("diff a.txt b.txt", "/home/u/wd/a.txt /home/u/wd/b.txt", true);
    check("diff a.txt", "/home/u/wd/a.txt /home/u/wd/b.txt", false);
    check("anything", "", false);
}
