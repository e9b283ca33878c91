use serde_json::json;

use crate::bench::Bench;
use crate::tools::FILE_SEARCH;

#[test]
fn names_are_found_in_any_case_and_script() {
    let bench = Bench::new();
    for name in [
        "Report 2024.PDF",
        "photos/Urlaub.JPG",
        "node_modules/report.js",
        "报告.docx",
        "ｗｉｄｅ.txt",
        "small/report",
    ] {
        bench.put(name, "x");
    }
    let cases = [
        (json!({"query": "report", "root": "."}), "~/Report 2024.PDF\n~/small/report"),
        (json!({"query": "report", "kind": "pdf", "root": "."}), "~/Report 2024.PDF"),
        (json!({"query": "*.jpg", "root": "."}), "~/photos/Urlaub.JPG"),
        (json!({"query": "", "kind": "image", "root": "."}), "~/photos/Urlaub.JPG"),
        (json!({"query": "报告", "root": "."}), "~/报告.docx"),
        (json!({"query": "wide", "root": "."}), "~/ｗｉｄｅ.txt"),
        (json!({"query": "", "kind": "folder", "root": "."}), "~/photos\n~/small"),
        (json!({"query": "nothing of the kind", "root": "."}), "(no match)"),
    ];
    for (arguments, output) in cases {
        bench.check(FILE_SEARCH, &arguments, 0, output);
    }
}

#[test]
fn sizes_and_ages_narrow_and_order() {
    let mut bench = Bench::new();
    bench.put("big.bin", vec![b'x'; 3_000]);
    bench.put("mid.bin", vec![b'x'; 2_000]);
    bench.put("low.bin", vec![b'x'; 10]);
    bench.check(
        FILE_SEARCH,
        &json!({"query": "bin", "root": ".", "larger_than": "1kB", "order": "size"}),
        0,
        "3000\t~/big.bin\n2000\t~/mid.bin",
    );
    bench.check(
        FILE_SEARCH,
        &json!({"query": "bin", "root": ".", "order": "size", "limit": 1}),
        0,
        "3000\t~/big.bin\n... and 2 more",
    );
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(86_400);
    for name in ["big.bin", "mid.bin", "low.bin"] {
        let file = std::fs::File::options().write(true).open(bench.path(name)).unwrap();
        let days = if name == "mid.bin" { 9 } else { 1 };
        file.set_modified(old + std::time::Duration::from_secs(86_400 * days)).unwrap();
    }
    bench.work.now = artoo_types::Timestamp(12 * 86_400_000);
    bench.check(FILE_SEARCH, &json!({"query": "bin", "root": ".", "newer_than": "7d"}), 0, "~/mid.bin");
    bench.check(
        FILE_SEARCH,
        &json!({"query": "bin", "root": ".", "order": "newest"}),
        0,
        "~/mid.bin\n~/big.bin\n~/low.bin",
    );
}

#[test]
fn the_home_folder_is_searched_unless_told_otherwise() {
    let bench = Bench::new();
    bench.put("holiday.txt", "x");
    bench.check(FILE_SEARCH, &json!({"query": "holiday"}), 0, "~/holiday.txt");
}
