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

/// Words with which people forbid something, in the languages in which they also name files.
const NEGATIONS: &[&str] = &[
    "not", "don't", "never", "without", "except", "nicht", "kein", "keine", "ohne", "außer", "pas", "sans",
    "sauf", "sin", "excepto", "non", "senza", "não", "sem",
];
/// The same in Chinese, which has no blanks between words.
const CHINESE_NEGATIONS: &[&str] = &["不要", "别", "不得", "除了", "勿"];
/// Words that hold one of those and forbid nothing.
const CHINESE_NO_NEGATIONS: &[&str] = &[
    "错别字",
    "别字",
    "别的",
    "别人",
    "别名",
    "分别",
    "区别",
    "类别",
    "级别",
    "性别",
    "识别",
    "特别",
    "个别",
];
/// Where one thought ends and another begins.
const TURNS: &[&str] =
    &[", ", "; ", ". ", "\n", " but ", " aber ", " mais ", " pero ", "，", "。", "；", "但"];
/// Words, their beginnings, with which a clause that is read as an answer says that it goes into a file.
const WRITES: &[&str] = &[
    "write",
    "save",
    "store",
    "put ",
    "export",
    "append",
    "output",
    "写入",
    "写到",
    "写进",
    "写在",
    "存入",
    "存到",
    "存为",
    "存成",
    "保存",
    "导出",
    "输出到",
    "放进",
    "放到",
];

/// What a request says of the files that it is about. Nothing is denied by it.
pub(crate) fn of_request(input: &str) -> PersonsWord {
    let reading = artoo_request::read(input);
    let (mut named, mut made) = (files_to_change(input, &reading), files_to_make(&reading));
    named.retain(|file| !is_spared(input, file));
    made.retain(|file| !named.contains(file) && !is_spared(input, file));
    PersonsWord { denied: Vec::new(), named, made, moves: asks_to_move(&reading) || orders_a_move(input) }
}

/// The files that a request may want to be different after it: those of its orders to change something, and all that it speaks of
/// where those name none. In a language that is not read every request may want all; a question wants none.
fn files_to_change(input: &str, reading: &RequestReading) -> Vec<String> {
    let is_question = input.trim_end().ends_with(['?', '？']);
    let is_unread = reading.clauses.is_empty() && !is_question;
    let orders: Vec<_> = reading.asked().filter(|clause| clause.action == Action::Change).collect();
    let mut files = files_of(&orders);
    files.extend(orders.iter().flat_map(|clause| artoo_request::han_names(&clause.text)));
    if files.is_empty() && (is_unread || !orders.is_empty()) {
        files.clone_from(&reading.files);
        files.extend(artoo_request::han_names(input));
    }
    files
}

/// The files that a request wants to be there after it: those of its orders to make, copy or move something, and those that it
/// wants its answer in.
fn files_to_make(reading: &RequestReading) -> Vec<String> {
    let makes = |clause: &RequestClause| matches!(clause.action, Action::Make | Action::Move | Action::Copy);
    let writes = |clause: &RequestClause| {
        let text = clause.text.to_lowercase();
        WRITES.iter().any(|word| text.contains(word))
    };
    let orders: Vec<_> = reading.asked().filter(|clause| makes(clause) || writes(clause)).collect();
    let mut files = files_of(&orders);
    files.extend(orders.iter().filter_map(|clause| written_to(&clause.text)));
    if files.is_empty() && orders.iter().any(|clause| makes(clause)) { reading.files.clone() } else { files }
}

/// The file right behind a Chinese word for writing, `写入地区统计.csv`: nothing is made for a name that is only a guess.
fn written_to(clause: &str) -> Option<String> {
    let is_behind = |name: &String| {
        let chinese = WRITES.iter().filter(|word| !word.is_ascii());
        chinese.into_iter().any(|word| clause.contains(&format!("{word}{name}")))
    };
    artoo_request::han_names(clause).into_iter().filter(is_behind).min_by_key(String::len)
}

/// The files that these clauses name, each once.
fn files_of(clauses: &[&RequestClause]) -> Vec<String> {
    let mut files: Vec<String> = clauses.iter().flat_map(|clause| clause.files.clone()).collect();
    files.sort();
    files.dedup();
    files
}

/// Whether the words around a file forbid something.
fn is_spared(input: &str, file: &str) -> bool {
    let mut pieces = vec![input];
    for turn in TURNS {
        pieces = pieces.iter().flat_map(|piece| piece.split(turn)).collect();
    }
    let forbids = |piece: &&str| {
        let lower =
            CHINESE_NO_NEGATIONS.iter().fold(piece.to_lowercase(), |text, word| text.replace(word, " "));
        let mut words = lower.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        words.any(|word| NEGATIONS.contains(&word.trim_end_matches(['.', '!', ','])))
            || CHINESE_NEGATIONS.iter().any(|word| lower.contains(word))
    };
    pieces.iter().filter(|piece| piece.contains(file)).any(forbids)
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

/// Orders to move or rename, as a request in German, French, Spanish, Italian, Portuguese or Dutch has them.
const MOVE_ORDERS: &[&str] = &[
    "verschiebe",
    "verschieben",
    "benenne",
    "benennen",
    "umbenennen",
    "sortiere",
    "déplace",
    "déplacer",
    "déplacez",
    "renomme",
    "renommer",
    "renommez",
    "mueve",
    "mover",
    "renombra",
    "renombrar",
    "sposta",
    "spostare",
    "rinomina",
    "rinominare",
    "mova",
    "renomeie",
    "verplaats",
    "hernoem",
];
/// What turns an order around there, beside [`NEGATIONS`].
const MOVE_DENIALS: &[&str] = &["nichts", "ne", "n", "rien", "no", "niet"];

/// Whether a request in another language than English and Chinese orders to move or rename files, and forbids nothing.
fn orders_a_move(input: &str) -> bool {
    let lower = input.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let holds = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let is_turned = holds(NEGATIONS) || holds(MOVE_DENIALS);
    holds(MOVE_ORDERS) && !is_turned && !lower.trim_end().ends_with('?')
}

#[cfg(test)]
mod tests {
    use super::of_request;

    #[test]
    fn an_order_to_move_is_known_in_other_languages() {
        let moves = |input: &str| of_request(input).moves;
        for input in [
            "Benenne die Fotos nach Aufnahmedatum um.",
            "Verschiebe alle PDF-Dateien in den Ordner archiv.",
            "Räum auf: verschiebe alle *.pdf nach archiv/",
            "Déplace tous les PDF dans le dossier archiv.",
            "Sposta tutti i PDF nella cartella archiv.",
            "Mueve todos los PDF a la carpeta archiv.",
        ] {
            assert!(moves(input), "{input}");
        }
        for input in [
            "Verschiebe nichts, liste nur auf.",
            "Ne déplace rien.",
            "Welche Fotos soll ich umbenennen?",
            "Zähle die Fotos.",
            "Count the files in the range 3 to 9.",
            "List the photos by date",
        ] {
            assert!(!moves(input), "{input}");
        }
    }

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
            "Read config.ini and tell me the port.",
            "How many rows does crm.csv have?",
            "Was steht in config.ini?",
        ] {
            assert!(of_request(input).named.is_empty(), "{input}");
        }
    }

    #[test]
    fn names_with_chinese_in_them_are_named_too() {
        for input in [
            "Correct the typo in 通知.md.",
            "In 通知.md change teh to the.",
            "改正通知.md里的错别字。",
            "修改通知.md：把 teh 改成 the。",
            "把通知.md里的错别字改正。",
            "请更正通知.md的错别字",
            "校对通知.md:改正错别字和计算错误,直接改在文件里,然后用两三句话概括通知内容,并列出你改了什么。",
            "检查 通知.md 里的计算，把错误直接改在文件里",
        ] {
            assert!(of_request(input).named.iter().any(|name| name == "通知.md"), "{input}");
        }
        for input in
            ["把 notes.md 里的错别字改正。", "更正 notes.md 的错别字。", "请直接在 notes.md 里修正错别字。"]
        {
            assert_eq!(of_request(input).named, ["notes.md"], "{input}");
        }
        for input in
            ["不要改通知.md", "通知.md里有多少行？", "读取通知.md", "Change a.txt. Do not touch 通知.md."]
        {
            assert!(!of_request(input).named.iter().any(|name| name == "通知.md"), "{input}");
        }
    }

    #[test]
    fn chinese_names_of_files_to_write_are_read_wherever_they_stand() {
        for input in [
            "请统计销售.csv里每个地区的销售额(数量×单价),从高到低排列,写入 地区统计.csv,并告诉我哪个地区最高。",
            "把每个地区的销售额写入地区统计.csv，并告诉我哪个地区最高。",
            "统计每个地区的销售额，结果保存到地区统计.csv",
        ] {
            assert_eq!(of_request(input).made, ["地区统计.csv"], "{input}");
        }
        assert_eq!(of_request("统计这里有几个文件，请列出并写入数量.txt").made, ["数量.txt"]);
    }

    #[test]
    fn files_are_named_in_every_language_and_what_is_forbidden_is_not() {
        let all: &[(&str, &[&str], &[&str])] = &[
            (
                "Merge crm.csv and billing.csv into merged.csv (one row per customer).",
                &[],
                &["billing.csv", "crm.csv", "merged.csv"],
            ),
            ("Create the file plan.md with the word alpha", &[], &["plan.md"]),
            ("Count the rows of a.csv and save the number to out.txt.", &[], &["out.txt"]),
            ("Schreibe eine Zusammenfassung in out.txt.", &["out.txt"], &[]),
            ("Écris un résumé dans resume.txt.", &["resume.txt"], &[]),
            ("Escribe un resumen en salida.txt.", &["salida.txt"], &[]),
            ("把摘要写到 b.txt", &[], &["b.txt"]),
            ("Change notes.txt, but do not touch other.txt.", &["notes.txt"], &[]),
            ("Schreibe in out.txt, aber ändere geheim.txt nicht.", &["out.txt"], &[]),
            ("Ne modifie pas notes.txt.", &[], &[]),
            ("把摘要写到 b.txt，不要改 c.txt", &[], &["b.txt"]),
        ];
        for (input, named, made) in all {
            let word = of_request(input);
            assert!(word.named == *named && word.made == *made, "{input}: {word:?}");
        }
    }
}
