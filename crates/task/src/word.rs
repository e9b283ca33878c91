//! What the words of a request allow to be done unasked.

use artoo_request::{Action, RequestClause, RequestReading};
use artoo_types::tool::PersonsWord;

/// Words, their beginnings, with which people speak of giving files another place, whatever the verb of the clause.
const PLACES: &[&str] = &[
    "folder",
    "director",
    "subfolder",
    "clean up",
    "tidy",
    "organi",
    "sort",
    "文件夹",
    "目录",
    "整理",
    "分类",
    "归类",
];

/// What a request says of the files that it is about. Nothing is denied by it.
pub(crate) fn of_request(input: &str) -> PersonsWord {
    let reading = artoo_request::read(input);
    let mut named = files_to_change(&reading);
    named.extend(file_in_front(input).filter(|file| !named.contains(file)));
    PersonsWord { denied: Vec::new(), named, moves: asks_to_move(&reading) }
}

/// The file of a request that begins with it and then orders a change: "In config.ini change the port".
fn file_in_front(input: &str) -> Option<String> {
    let rest = input.trim_start().strip_prefix("In ")?;
    let rest = rest.strip_prefix("the file ").unwrap_or(rest);
    let (file, order) = rest.split_once([' ', ','])?;
    let [named] = artoo_request::read(&format!("Read {file}.")).files.try_into().ok()?;
    let reading = artoo_request::read(order.trim_start_matches([' ', ',']));
    let is_order = reading.asked().next().is_some_and(|clause| clause.action == Action::Change);
    is_order.then_some(named)
}

/// The files that a request asks to change by their names.
fn files_to_change(reading: &RequestReading) -> Vec<String> {
    let orders = || reading.asked().filter(|clause| clause.action == Action::Change);
    let mut files: Vec<String> = orders().flat_map(|clause| clause.files.clone()).collect();
    // An order that names none is about the one file that the request speaks of.
    if let [file] = reading.files.as_slice()
        && orders().any(|clause| clause.files.is_empty())
    {
        files.push(file.clone());
    }
    files.sort();
    files.dedup();
    files
}

/// Whether a request asks to put files elsewhere: by its verb, or by putting in order what lies in folders.
fn asks_to_move(reading: &RequestReading) -> bool {
    let puts_in_order = |clause: &RequestClause| {
        let text = clause.text.to_lowercase();
        matches!(clause.action, Action::Change | Action::Make | Action::Delete)
            && PLACES.iter().filter(|word| text.contains(**word)).count() > 1
    };
    reading.asked().any(|clause| clause.action == Action::Move || puts_in_order(clause))
}

#[cfg(test)]
mod tests {
    use super::of_request;

    #[test]
    fn a_request_that_puts_files_in_order_asks_to_move_them() {
        let moves = |input: &str| of_request(input).moves;
        for input in [
            "Clean up the folder Downloads: sort the files into subfolders Images, Documents and Other by their kind.",
            "Rename draft.md to final.md.",
            "Move all logs into the folder old",
            "Organise my photos by year",
            "把下载文件夹里的文件按类型整理到子文件夹",
        ] {
            assert!(moves(input), "{input}");
        }
        for input in [
            "In config.ini change the port from 8080 to 9090.",
            "Sort the lines of names.txt",
            "Delete the folder build",
            "Which files in this folder are the largest?",
            "Do not move anything; list the folder",
        ] {
            assert!(!moves(input), "{input}");
        }
    }

    #[test]
    fn the_files_of_an_order_to_change_are_named() {
        assert_eq!(of_request("In config.ini change the port from 8080 to 9090.").named, ["config.ini"]);
        assert_eq!(of_request("In the file ./conf/app.toml, replace 4 by 8.").named, ["./conf/app.toml"]);
        for input in [
            "In config.ini there is a port; read it.",
            "In spring change the tyres.",
            "In a.txt, find the port.",
        ] {
            assert!(of_request(input).named.is_empty(), "{input}");
        }
        assert!(of_request("Read config.ini and tell me the port.").named.is_empty());
    }
}
