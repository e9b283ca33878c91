use artoo_types::memory::Relatedness;
use proptest::prelude::*;

use super::{Meaning, Relation, relate};

fn related(a: &str, b: &str) -> Relation {
    let (a, b) = (Meaning::of(a), Meaning::of(b));
    let there = relate(&a, &b);
    let back = relate(&b, &a);
    assert_eq!((there.kind, there.similarity), (back.kind, back.similarity), "symmetric");
    there
}

#[derive(Default)]
struct Figures {
    meet: u32,
    met: u32,
    apart: u32,
    wrongly_met: u32,
}

impl Figures {
    fn precision(&self) -> f64 {
        f64::from(self.met) / f64::from(self.met + self.wrongly_met).max(1.0)
    }

    fn recall(&self) -> f64 {
        f64::from(self.met) / f64::from(self.meet).max(1.0)
    }
}

fn measure(half: &str) -> Figures {
    let mut figures = Figures::default();
    for line in include_str!("pairs.tsv").lines().filter(|line| line.starts_with(half)) {
        let [_, wanted, a, b] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        let relation = related(a, b);
        let met = matches!(relation.kind, Relatedness::Same | Relatedness::Alias);
        match (wanted, met) {
            ("meet", _) => {
                figures.meet += 1;
                figures.met += u32::from(met);
            }
            (_, _) => {
                figures.apart += 1;
                figures.wrongly_met += u32::from(met);
            }
        }
        if half == "learn" && (wanted == "meet") != met {
            println!("should {wanted}: {a} | {b}: {relation:?}");
        }
    }
    println!(
        "{half}: {} pairs that mean the same, {} that do not; precision {:.3}, recall {:.3}",
        figures.meet,
        figures.apart,
        figures.precision(),
        figures.recall()
    );
    figures
}

/// Prints its figures, see `make recall`. What the tables get wrong is shown for the half that they were made with alone:
/// who looks at the other half can judge nothing by it any more.
#[test]
fn paraphrases_meet_and_near_misses_do_not() {
    for half in ["learn", "judge"] {
        let figures = measure(half);
        assert!(figures.precision() >= 0.98, "{half}: precision {}", figures.precision());
        assert!(figures.recall() >= 0.5, "{half}: recall {}", figures.recall());
    }
}

fn check(a: &str, b: &str, wanted: Relatedness) {
    let relation = related(a, b);
    assert_eq!(relation.kind, wanted, "{a} | {b}: {relation:?}");
}

#[test]
fn the_set_is_large_and_a_third_of_it_are_near_misses() {
    let lines: Vec<&str> = include_str!("pairs.tsv").lines().filter(|line| !line.starts_with('#')).collect();
    let apart = lines.iter().filter(|line| line.split('\t').nth(1) == Some("apart")).count();
    assert!(lines.len() >= 160 && apart * 3 >= lines.len(), "{apart} of {}", lines.len());
    let chinese = lines.iter().filter(|line| line.chars().any(super::pieces::is_han)).count();
    assert!(chinese * 3 >= lines.len(), "{chinese} of {}", lines.len());
    let mut once: Vec<&str> = lines.iter().map(|line| line.split_once('\t').expect("a half").1).collect();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), lines.len(), "no pair stands there twice");
}

#[test]
fn every_line_of_the_tables_is_understood() {
    for table in [include_str!("english.tsv"), include_str!("chinese.tsv")] {
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let known = columns[0] == "implied" || super::lexicon::class_of(columns[0]).is_some();
            assert!(columns.len() == 3 && known, "{line}");
            assert!(columns[2].split(", ").all(|word| !word.is_empty() && word.trim() == word), "{line}");
        }
    }
}

#[test]
fn case_width_and_punctuation_do_not_matter() {
    check("List the files", "list  the FILES.", Relatedness::Same);
    check("列出文件", "列出文件。", Relatedness::Same);
    check("Ｌｉｓｔ the files!", "List the files", Relatedness::Same);
}

#[test]
fn what_only_one_of_them_says_leaves_a_hint() {
    check("Find the largest files", "Find the largest files in Downloads", Relatedness::Hint);
    check("Summarize the quarterly report", "Summarize the quarterly budget report", Relatedness::Hint);
    check("查找最大的文件", "查找下载目录里最大的文件", Relatedness::Hint);
}

#[test]
fn requests_in_different_languages_do_not_meet() {
    check("List the largest files in Downloads", "列出下载目录里最大的文件", Relatedness::None);
}

#[test]
fn nothing_relates_to_nothing() {
    check("", "", Relatedness::None);
    check("!!!", "???", Relatedness::None);
    check("", "list the files", Relatedness::None);
    check("the", "please", Relatedness::None);
    check("Reboot the machine", "Restart the computer", Relatedness::Alias);
}

proptest! {
    #[test]
    fn any_two_texts_can_be_related(a in "\\PC{0,60}", b in "[a-z0-9 ,.%三的文件十百万个]{0,60}") {
        let relation = related(&a, &b);
        prop_assert!((0.0..=1.0).contains(&relation.similarity));
        let with_itself = related(&b, &b.to_uppercase());
        let is_empty = !b.chars().any(char::is_alphanumeric);
        prop_assert!(is_empty || with_itself.kind == Relatedness::Same, "{:?}", with_itself);
    }
}
