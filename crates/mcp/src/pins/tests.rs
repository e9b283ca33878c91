use super::{Difference, Pins, differences, digest_of};
use crate::described::Described;

fn tool(name: &str, digest: &str) -> Described {
    Described {
        tool: name.to_owned(),
        offered: format!("notes__{name}"),
        purpose: "p".to_owned(),
        signature: "{}".to_owned(),
        schema: "{}".to_owned(),
        said: "p".to_owned(),
        digest: digest.to_owned(),
    }
}

#[test]
fn pins_are_kept_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mcp").join("pins.json");
    let mut pins = Pins::open(file.clone());
    assert!(pins.of("notes").is_none(), "never seen");
    pins.pin("notes", &[tool("read", "1"), tool("find", "2")]).unwrap();
    pins.pin("empty", &[]).unwrap();
    let again = Pins::open(file.clone());
    assert_eq!(again.of("notes").unwrap().len(), 2);
    assert!(again.of("empty").unwrap().is_empty(), "seen, without a tool");
    assert!(again.of("other").is_none());
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_file_that_cannot_be_read_pins_nothing_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pins.json");
    std::fs::write(&file, "not JSON").unwrap();
    let pins = Pins::open(file.clone());
    assert!(pins.of("notes").unwrap().is_empty(), "it counts as seen, so that all its tools are new");
    assert_eq!(std::fs::read_to_string(folder.path().join("pins.damaged")).unwrap(), "not JSON");
}

#[test]
fn a_folder_that_cannot_be_written_pins_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let mut pins = Pins::open(file.join("pins.json"));
    assert!(pins.pin("notes", &[tool("read", "1")]).is_err());
    assert!(pins.servers.is_empty());
}

#[test]
fn each_difference_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut pins = Pins::open(folder.path().join("pins.json"));
    let pinned = pins.pin("notes", &[tool("same", "1"), tool("other", "2"), tool("away", "3")]).unwrap();
    let now = [tool("same", "1"), tool("other", "9"), tool("fresh", "4")];
    let found: Vec<_> = differences(&pinned, &now).into_iter().collect();
    let expected = [("away", Difference::Gone), ("fresh", Difference::New), ("other", Difference::Changed)];
    assert_eq!(found, expected.map(|(name, difference)| (name.to_owned(), difference)));
    let turned: Vec<Described> = now.iter().rev().cloned().collect();
    assert_eq!(digest_of(&now), digest_of(&turned), "the order of a list says nothing");
    assert_ne!(digest_of(&now), digest_of(&now[1..]));
}
