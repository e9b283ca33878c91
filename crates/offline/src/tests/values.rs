//! Values inside requests.

use artoo_request::normalise;

use crate::clauses::understand;
use crate::places::NamedPlace;
use crate::places::absolute;
use crate::setting::Setting;
use crate::shell::quote;
use crate::slots::{Slots, Statistic};
use crate::table;

fn slots(text: &str) -> Slots {
    understand(text)
        .unwrap_or_else(|why| panic!("{text}: {why:?} {:?}", crate::clauses::read_clause(&normalise(text))))
        .clauses[0]
        .slots
        .clone()
}

#[test]
fn sizes_are_binary_multiples() {
    for (text, bytes) in [
        ("find files larger than 20MB", 20 << 20),
        ("find files larger than 1.5 GB", 3 << 29),
        ("find files over 512 kb", 512 << 10),
        ("find files larger than ten megabytes", 10 << 20),
        ("找出大于20兆的文件", 20 << 20),
        ("找出超过１ＧＢ的文件", 1 << 30),
        ("找出比两兆大的文件", 2 << 20),
    ] {
        assert_eq!(slots(text).larger, Some(bytes), "{text}");
    }
    assert_eq!(slots("find files smaller than 1 KB").smaller, Some(1024));
    assert_eq!(slots("找出小于1KB的文件").smaller, Some(1024));
}

#[test]
fn ages_are_minutes() {
    const DAY: u64 = 24 * 60;
    for (text, newer, older) in [
        ("files changed in the last 7 days", Some(7 * DAY), None),
        ("files changed in the last week", Some(7 * DAY), None),
        ("files changed within the last 24 hours", Some(DAY), None),
        ("files older than 3 months", None, Some(90 * DAY)),
        ("files not modified for a year", None, Some(365 * DAY)),
        ("最近三天修改过的文件", Some(3 * DAY), None),
        ("最近两周修改的文件", Some(14 * DAY), None),
        ("三个月没动过的文件", None, Some(90 * DAY)),
        ("半年没打开过的文件", None, Some(182 * DAY)),
        ("超过一年没修改的文件", None, Some(365 * DAY)),
    ] {
        let slots = slots(text);
        assert_eq!((slots.newer, slots.older), (newer, older), "{text}");
    }
}

#[test]
fn counts_in_digits_and_words() {
    for (text, count) in [
        ("find the 12 largest files", 12),
        ("find the twelve largest files", 12),
        ("最大的10个文件", 10),
        ("最大的十个文件", 10),
        ("最大的二十五个文件", 25),
        ("最大的一百个文件", 100),
    ] {
        assert_eq!(slots(text).count, Some(count), "{text}");
    }
}

#[test]
fn places_become_absolute_paths() {
    let setting =
        Setting { working_directory: "/w/x".to_owned(), home: "/h".to_owned(), ..Setting::default() };
    for (text, path) in [
        ("find duplicate files", None),
        ("find duplicate files here", Some("/w/x")),
        ("find duplicate files in this folder", Some("/w/x")),
        ("find duplicate files in src", Some("/w/x/src")),
        ("find duplicate files in ./src/", Some("/w/x/src")),
        ("find duplicate files in ../y", Some("/w/y")),
        ("find duplicate files in ~/Pictures", Some("/h/Pictures")),
        ("find duplicate files in my downloads folder", Some("/h/Downloads")),
        ("find duplicate files in \"My  Photos\"", Some("/w/x/My  Photos")),
        ("查找下载目录里的重复文件", Some("/h/Downloads")),
        ("找出下载目录里重复的文件", Some("/h/Downloads")),
        ("找出桌面上重复的文件", Some("/h/Desktop")),
        ("找出 ~/照片 里重复的文件", Some("/h/照片")),
        ("找出“我的 照片”里重复的文件", Some("/w/x/我的 照片")),
    ] {
        let found = slots(text).place.map(|place| absolute(&place, &setting));
        assert_eq!(found.as_deref(), path, "{text}");
    }
}

#[test]
fn quoted_text_is_kept_as_it_is() {
    assert_eq!(slots("search for \"Then  delete, and\" in src").text.as_deref(), Some("Then  delete, and"));
    assert_eq!(slots("搜索“然后 ＡＢＣ”").text.as_deref(), Some("然后 ＡＢＣ"));
    assert_eq!(slots("read \"a and b.txt\"").file, Some(NamedPlace::Path("a and b.txt".to_owned())));
    assert_eq!(slots("sales.csv里“单价”列的最大值").statistic, Some(Statistic::Maximum));
}

#[test]
fn the_home_folder_may_end_a_request() {
    let place = slots("find the ten largest files in ~").place;
    assert_eq!(place, Some(crate::places::NamedPlace::Path("~".to_owned())));
}

#[test]
fn politeness_and_spacing_do_not_count() {
    for (text, normal) in [
        ("Could you please find   all PDFs?", "find all PDFs"),
        ("请帮我 找出 下载目录 里的 PDF ，谢谢！", "找出下载目录里的PDF"),
        ("  Please, list files .", "list files"),
        ("麻烦你统计 Rust 文件 的行数吧。", "统计Rust文件的行数"),
    ] {
        assert_eq!(normalise(text), normal, "{text}");
    }
}

#[test]
fn a_quoted_word_is_one_word_for_the_shell() {
    assert_eq!(quote("it's"), "'it'\\''s'");
    assert_eq!(quote("$(x) `y` \"z\""), "'$(x) `y` \"z\"'");
}

#[test]
fn csv_records() {
    let records = table::read_csv("\u{feff}a,\"b\r\nc\"\r\n\r\n1,\"x \"\"y\"\"\"\n").expect("a table");
    assert_eq!(records, [["a", "b\r\nc"], ["1", "x \"y\""]]);
    assert!(table::read_csv("a,\"b").is_err());
    assert!(table::csv_to_json("a,a\n1,2").is_err());
    assert!(table::csv_to_json("").is_err());
}
