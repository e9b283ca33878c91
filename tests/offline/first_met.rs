//! What a new user meets first: folders with Chinese names, words in other capitals, what is piped in, tables of other makes, and
//! what is done, shown first, and gone on from.

use std::fs;

use artoo_testing::{Home, TaskRun};

use crate::table::output;

fn home() -> Home {
    let mut home = Home::new().variable("ARTOO_PROVIDER", "offline");
    home.start();
    home
}

/// The answer to a request, which succeeds.
fn answer(home: &Home, request: &str) -> String {
    let run = home.run(request, &[]);
    assert_eq!(run.code, Some(0), "{request}: {}", run.outline());
    assert_eq!(run.result()["not_in_receipts"], serde_json::json!([]), "{request}: {}", run.outline());
    output(&run)
}

/// Why a request is not done, and what is said to help.
fn cause(home: &Home, request: &str) -> String {
    let run = home.run(request, &[]);
    assert_ne!(run.code, Some(0), "{request}: {}", run.outline());
    assert!(run.of_type("tool_call_started").is_empty(), "{request}: {}", run.outline());
    format!("{} {}", run.result()["summary"], run.result()["next_moves"])
}

/// Fails when a word for a folder that everybody has hides the folder that is there.
#[test]
fn a_folder_that_has_the_name_is_the_one_that_is_meant() {
    let home = home();
    for name in ["下载", "文档", "downloads"] {
        home.file(&format!("{name}/one.txt"), "1\n");
        home.file(&format!("{name}/two.txt"), "2\n");
    }
    fs::create_dir_all(home.root().join("音乐")).expect("the home can be written");
    fs::write(home.root().join("音乐/song.txt"), "la\n").expect("the home can be written");
    assert!(answer(&home, "下载里有多少个文件").contains("2 个文件（~/work/下载）"));
    assert!(answer(&home, "文档里有什么").contains("one.txt"));
    assert!(answer(&home, "how many files are in downloads").contains("2 files in ~/work/downloads"));
    assert!(answer(&home, "音乐文件夹里有多少个文件").contains("1 个文件（~/音乐）"));
}

/// Fails when a text that is there in other capitals counts as not there, or is given without a word about it.
#[test]
fn a_text_in_other_capitals_is_found_and_said_to_be_in_others() {
    let home = home();
    home.file("app.log", "ERROR one\nok\nERROR two\n");
    assert!(
        answer(&home, "count lines containing error in app.log").starts_with("2 lines, in other capitals")
    );
    for capitals in ["count lines containing ERROR in app.log", "how many ERROR lines are there in app.log"] {
        assert_eq!(answer(&home, capitals).trim(), "2 lines", "{capitals}");
    }
    let found = answer(&home, "search for error");
    assert!(found.contains("not in these capitals") && found.contains("app.log:3:ERROR two"), "{found}");
    assert_eq!(answer(&home, "search for nonesuch").trim(), "(no match)");
    // What was not found is no line of a file.
    let told = answer(&home, "search for nonesuch and save it to found.txt");
    assert!(told.contains("Wrote 0 lines") && told.contains("nothing was found"), "{told}");
    assert_eq!(fs::read_to_string(home.work().join("found.txt")).expect("it is written"), "");
}

/// Fails when the words for a new folder become its name.
#[test]
fn a_folder_that_is_to_be_made_is_not_called_new() {
    let home = home();
    home.file("旅行.jpg", "x");
    for request in ["把旅行.jpg移动到新建的文件夹归档里", "把旅行.jpg移到一个新文件夹归档里"]
    {
        home.run(request, &["--unattended"]);
        assert!(home.work().join("旅行.jpg").exists(), "{request}");
        let names = fs::read_dir(home.work()).expect("it is there").flatten();
        let made = names.filter(|entry| entry.file_name().to_string_lossy().contains('新')).count();
        assert_eq!(made, 0, "{request}");
    }
}

/// Fails when one file that may not be read makes all that was found worthless.
#[test]
fn what_cannot_be_read_is_told_beside_what_was_found() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = home();
    home.file("open.conf", "user root\n");
    let closed = home.file("closed.conf", "user root\n");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let found = answer(&home, "search for root");
    assert!(found.contains("open.conf:1:user root"), "{found}");
    let is_root = fs::read(&closed).is_ok();
    assert!(is_root || found.contains("(not readable: 1)"), "{found}");
}

/// Fails when a table is read for one of commas alone, and when what is wrong with a file is not said in words for a person.
#[test]
fn tables_of_other_makes_are_read_or_their_fault_is_named() {
    let home = home();
    home.file("preise.csv", "\u{feff}name;preis\nApfel;1,50\nBirne;2,25\n");
    home.file("leer.csv", "");
    home.file("c.json", "{\"server\": {\"port\": 1}}\n");
    fs::write(home.work().join("gbk.txt"), [0xbd, 0xf1, 0xcc, 0xec, b'\n']).expect("it can be written");
    fs::write(home.work().join("x.png"), b"\x89PNG\r\n\x1a\n\0\0").expect("it can be written");
    assert!(answer(&home, "sum of preis in preise.csv").starts_with("3.75 ("));
    assert!(answer(&home, "convert preise.csv to json").contains("2 records"));
    assert!(answer(&home, "show me the port setting in c.json").contains("1 (server.port)"));
    for (request, words) in [
        ("sum of preis in leer.csv", "leer.csv is empty"),
        ("sum of preise in preise.csv", "Did you mean preis?"),
        ("what is the value of host in c.json", "c.json has no \\\"host\\\"; at its top it has: server"),
        ("how many lines are in gbk.txt", "gbk.txt is GBK text"),
        ("read x.png", "x.png is no text, but a PNG image"),
        ("fnd the ten largest files here", "find the ten largest files here"),
    ] {
        let told = cause(&home, request);
        assert!(told.contains(words), "{request}: {told}");
    }
}

/// Fails when a sum is said to stand in no receipt because its digits stand in the program that prints it.
#[test]
fn a_sum_is_no_invention_whatever_its_digits() {
    let home = home();
    home.file("n.csv", "n\n5\n7\n");
    home.file("a.log", "GET / 200\n");
    assert!(answer(&home, "sum of n in n.csv").starts_with("12 ("));
    assert!(answer(&home, "search for GET").contains("200"));
}

/// Fails when what is piped in is only meant by the word "this".
#[test]
fn what_is_piped_in_is_meant_where_no_file_is_named() {
    let home = home();
    for (request, words) in [
        ("how many errors", "2 lines"),
        ("how many lines", "3 lines"),
        ("show the last line", "ERROR two"),
        ("有多少行", "3 行"),
    ] {
        let client =
            home.client_with_input(&["run", "--json", "--", request], Some("ERROR one\nok\nERROR two\n"));
        let run = client.finish();
        assert_eq!(run.code, Some(0), "{request}: {}", run.outline());
        assert!(output(&run).contains(words), "{request}: {}", run.outline());
    }
}

/// Fails when a request that goes on from the one before is not understood, or is taken for one of its own.
#[test]
fn a_request_goes_on_from_the_one_before() {
    let home = home();
    for (name, bytes) in [("a.txt", 10), ("b.txt", 200), ("c.jpg", 3_000)] {
        home.file(name, &"x".repeat(bytes));
    }
    assert!(answer(&home, "find the two largest files here").contains("c.jpg"));
    let again = home.run("and the two smallest?", &["-c"]);
    assert_eq!(again.code, Some(0), "{}", again.outline());
    let smallest = output(&again);
    assert!(
        smallest.contains("a.txt") && smallest.contains("b.txt") && !smallest.contains("c.jpg"),
        "{smallest}"
    );
    let photos = home.run("now for photos", &["-c"]);
    assert!(output(&photos).contains("c.jpg") && !output(&photos).contains("a.txt"), "{}", photos.outline());
    assert_ne!(home.run("and the two smallest?", &[]).code, Some(0), "it goes on from nothing");
}

fn agree(home: &Home, request: &str, options: &[&str]) -> TaskRun {
    let mut client = home.task(request, &[&["--attended"], options].concat());
    let mut events = Vec::new();
    while let Some(line) = client.line() {
        let event: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        if event["type"] == "confirmation_request" {
            let id = event["confirmation_id"].as_str().expect("it has an id");
            assert_eq!(home.artoo(&["confirm", id, "yes"]).code, Some(0), "{request}");
        }
        events.push(event);
    }
    let ended = client.wait();
    TaskRun { events, code: ended.code, stderr: ended.stderr }
}

/// Fails when many names are changed before anybody has seen the new ones, or not changed when the person agrees.
#[test]
fn many_names_are_shown_before_they_are_given() {
    let home = home();
    for name in ["one.jpeg", "two.jpeg", "other.txt"] {
        home.file(name, "x\n");
    }
    let shown = cause(&home, "rename all .jpeg files to .jpg");
    assert!(shown.contains("one.jpeg → one.jpg, two.jpeg → two.jpg"), "{shown}");
    assert!(home.work().join("one.jpeg").exists());
    let given = agree(&home, "apply", &["-c"]);
    assert_eq!(given.code, Some(0), "{}", given.outline());
    let names = |name: &str| home.work().join(name).exists();
    assert!(
        names("one.jpg") && names("two.jpg") && !names("one.jpeg") && names("other.txt"),
        "{}",
        given.outline()
    );
}

/// Fails when something is deleted without a yes, or does not come back.
#[test]
fn what_is_deleted_asks_first_and_comes_back() {
    let home = home();
    home.file("old.txt", "precious\n");
    home.file("kept.txt", "x\n");
    assert_eq!(home.run("delete old.txt", &["--unattended"]).code, Some(4));
    assert!(home.work().join("old.txt").exists());
    let done = agree(&home, "delete old.txt", &[]);
    assert_eq!(done.code, Some(0), "{}", done.outline());
    assert!(!home.work().join("old.txt").exists() && home.work().join("kept.txt").exists());
    home.json(&["undo", done.id()]);
    assert_eq!(fs::read_to_string(home.work().join("old.txt")).expect("it is back"), "precious\n");
}

/// Fails when something unclear is done all the same, or a name that is taken is written over.
#[test]
fn what_is_unclear_or_taken_is_declined_with_what_helps() {
    let home = home();
    home.file("a.txt", "a\n");
    home.file("b.txt", "b\n");
    for (request, words) in [
        ("rename a.txt to b.txt", "b.txt is there already"),
        ("rename a.txt to c", "rename a.txt to c.txt"),
        ("move a.txt to archive", "move a.txt into the folder archive"),
        ("move c.txt into the folder archive", "there is no c.txt here"),
        ("delete all files", "it is not clear which files are meant"),
        ("delete everything", "delete all .tmp files"),
        ("delete the folder .", "is the folder that you are in"),
        ("create a file a.txt with the text \"z\"", "a.txt is there already"),
        ("把a.txt重命名为b.txt", "b.txt 已经存在"),
        ("把没有.txt删掉", "没有.txt"),
    ] {
        let told = cause(&home, request);
        assert!(told.contains(words), "{request}: {told}");
    }
    assert_eq!(fs::read_to_string(home.work().join("b.txt")).expect("it is there"), "b\n");
}
