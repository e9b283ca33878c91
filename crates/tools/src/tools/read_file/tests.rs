use std::os::unix::fs::FileExt as _;

use serde_json::json;

use super::{MAX_LINE_BYTES, MAX_READ_BYTES};
use crate::bench::Bench;
use crate::outputs;

fn output(bench: &Bench, arguments: &serde_json::Value) -> String {
    let produced = bench.run("read_file", arguments);
    assert_eq!(produced.exit, Some(0), "{}", produced.output);
    produced.output
}

#[test]
fn a_binary_file_is_told_by_kind_and_size_and_what_to_do() {
    let bench = Bench::new();
    let check = |name: &str, bytes: &[u8], says: &[&str]| {
        bench.put(name, bytes);
        let produced = bench.run("read_file", &json!({"path": name}));
        assert_eq!(produced.exit, Some(1), "{name}");
        for text in says.iter().copied().chain(["binary", &format!("{} bytes", bytes.len())]) {
            assert!(produced.output.contains(text), "{name}: {}", produced.output);
        }
    };
    check("a.png", b"\x89PNG\r\n\x1a\n....", &["a PNG image", "file"]);
    check("a.pdf", b"%PDF-1.7 all of it printable", &["a PDF document", "pdftotext"]);
    check("a.txt", b"\xff\xfea\0b\0", &["UTF-16", "iconv"]);
    check("a.dat", b"abc\0", &["no known kind", "sha256sum"]);
}

#[test]
fn a_model_that_sees_is_shown_a_picture_and_another_is_told_that_it_is_not() {
    let mut bench = Bench::new();
    let png = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[0, 0, 0, 2, 0, 0, 0, 3]].concat();
    bench.put("a.png", &png);
    let read = |bench: &Bench| bench.run("read_file", &json!({"path": "a.png"}));
    let unseen = read(&bench);
    assert!(
        unseen.image.is_none() && unseen.output.contains("this model is shown no pictures"),
        "{unseen:?}"
    );
    bench.work.shows_images = true;
    let shown = read(&bench);
    assert_eq!(
        (shown.exit, shown.output.as_str()),
        (Some(0), "a PNG image, 2 x 3 pixels, 24 bytes; it is shown to you\n")
    );
    let image = shown.image.expect("a picture");
    assert_eq!((image.media_type.as_str(), image.bytes), ("image/png", 24));
    let stored = outputs::load_picture(&bench.work.artifacts, &image.handle);
    assert_eq!(stored.as_deref(), Some("iVBORw0KGgoAAAANSUhEUgAAAAIAAAAD"));
    std::fs::write(bench.work.artifacts.join(&image.handle), "other").unwrap();
    assert_eq!(outputs::load_picture(&bench.work.artifacts, &image.handle), None, "it is damaged");
    assert_eq!(outputs::load_picture(&bench.work.artifacts, "../../x.picture"), None);
    bench.put("large.png", [png, vec![0; 6 << 20]].concat());
    let large = bench.run("read_file", &json!({"path": "large.png"}));
    assert!(large.exit == Some(1) && large.output.contains("too large to be shown"), "{large:?}");
}

#[test]
fn a_line_without_end_is_cut_and_the_next_one_is_still_there() {
    let bench = Bench::new();
    for (long, rest) in
        [("x".repeat(3 * MAX_LINE_BYTES), 2 * MAX_LINE_BYTES), ("é".repeat(MAX_LINE_BYTES), MAX_LINE_BYTES)]
    {
        bench.put("long.txt", format!("first\n{long}\nthird\n"));
        let text = output(&bench, &json!({"path": "long.txt"}));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[2]), (3, "first", "third"));
        assert!(
            lines[1].ends_with(&format!(" [... {rest} more bytes of this line]")),
            "{}",
            &lines[1][lines[1].len() - 60..]
        );
        assert_eq!(output(&bench, &json!({"path": "long.txt", "offset": 2})), "third\n");
    }
    // A line that fits to the byte is whole.
    bench.put("exact.txt", format!("{}\nnext", "x".repeat(MAX_LINE_BYTES)));
    assert_eq!(output(&bench, &json!({"path": "exact.txt"})).len(), MAX_LINE_BYTES + 5);
    // Half a character at the cut is not shown.
    bench.put("half.txt", format!("a{}", "é".repeat(MAX_LINE_BYTES)));
    let text = output(&bench, &json!({"path": "half.txt"}));
    assert!(!text.contains('\u{fffd}') && text.contains(&format!("[... {} more bytes", MAX_LINE_BYTES + 2)));
}

#[test]
fn a_huge_file_costs_no_more_than_its_first_part() {
    let bench = Bench::new();
    // A terabyte of nothing, and a text that goes on as nothing does.
    for (name, start) in [("sparse.bin", ""), ("sparse.txt", "text\n")] {
        bench.put(name, start.repeat(2_000));
        let file = std::fs::File::options().write(true).open(bench.path(name)).unwrap();
        file.set_len(1 << 40).unwrap();
    }
    let nothing = bench.run("read_file", &json!({"path": "sparse.bin"}));
    assert!(nothing.output.contains("1099511627776 bytes"), "{}", nothing.output);
    assert_eq!(output(&bench, &json!({"path": "sparse.txt", "limit": 1})), "text\n");
    let since = std::time::Instant::now();
    let far = output(&bench, &json!({"path": "sparse.txt", "offset": 1_000_000}));
    assert!(far.starts_with(&format!("[stopped after the first {MAX_READ_BYTES} bytes")), "{far}");
    assert!(since.elapsed() < std::time::Duration::from_secs(20));
    let file = std::fs::File::options().write(true).open(bench.path("sparse.txt")).unwrap();
    file.write_all_at(b"end", (1 << 40) - 3).unwrap();
}

#[test]
fn what_is_no_file_is_named_and_never_waited_for() {
    let bench = Bench::new();
    let _listener = std::os::unix::net::UnixListener::bind(bench.path("socket")).unwrap();
    for (path, says) in [("socket", "a socket"), ("/dev/zero", "a device"), ("/dev/tty", "a device")] {
        let produced = bench.run("read_file", &json!({"path": path}));
        assert!(produced.exit == Some(1) && produced.output.contains(says), "{}", produced.output);
    }
    if cfg!(target_os = "linux") {
        assert!(output(&bench, &json!({"path": "/proc/cpuinfo", "limit": 3})).lines().count() == 3);
    }
}

#[test]
fn other_encodings_are_shown_as_far_as_they_go() {
    let bench = Bench::new();
    bench.put("latin.txt", b"caf\xe9\n");
    let produced = bench.run("read_file", &json!({"path": "latin.txt"}));
    assert_eq!(
        (produced.output.as_str(), produced.note.as_deref()),
        ("caf\u{fffd}\n", Some("bytes that are not UTF-8 were replaced"))
    );
}

#[test]
fn what_was_opened_is_judged_and_not_only_its_name() {
    let mut bench = Bench::new();
    let secret = format!("{}/.ssh/id_ed25519", bench.work.places.home);
    let token = format!("{}/confirm.token", bench.work.places.data_dir);
    for (name, file) in [("key", &secret), ("token", &token)] {
        std::fs::write(file, "canary").unwrap();
        // As if the link had come in place of a file after the call was judged.
        std::os::unix::fs::symlink(file, bench.path(name)).unwrap();
        let produced = bench.run("read_file", &json!({"path": name}));
        assert!(produced.exit == Some(1) && !produced.output.contains("canary"), "{produced:?}");
        assert!(produced.output.contains("no longer what it was"), "{produced:?}");
    }
    // A person may agree to one of them, and never to the other.
    bench.work.agreed = Some(secret);
    assert_eq!(output(&bench, &json!({"path": "key"})), "canary");
    bench.work.agreed = Some(token);
    assert_eq!(bench.run("read_file", &json!({"path": "token"})).exit, Some(1));
    assert_eq!(bench.run("read_file", &json!({"path": "key"})).exit, Some(1));
}
