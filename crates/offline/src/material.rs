//! What is piped into a request: the client says in which file it is, and where no file is named it is what is meant.

use artoo_request::{Language, normalise};

use crate::clause::UnderstoodRequest;
use crate::clauses::understand;
use crate::places::NamedPlace;

/// What stands before and behind the path of what was piped in, as the client puts it behind a request.
const FRAMES: [(&str, &str); 2] =
    [(" (what was piped in is the file ", ")"), ("（管道传入的内容在文件 ", " 里）")];

/// The request without the words about what was piped in, and the path of that.
pub(crate) fn piped(request: &str) -> Option<(&str, &str)> {
    let trimmed = request.trim_end();
    FRAMES.iter().find_map(|(front, back)| {
        let (words, path) = trimmed.strip_suffix(back)?.rsplit_once(front)?;
        Some((words, path))
    })
}

/// The ways to say a request of what was piped in, the likeliest first; none where nothing was.
pub(crate) fn said_of_material(request: &str) -> Vec<String> {
    let Some((words, path)) = piped(request) else { return Vec::new() };
    let words = normalise(words);
    let named = format!("\"{path}\"");
    match Language::of(&words) {
        Language::English => {
            let mut ways = Vec::new();
            for pronoun in [" it", " this", " that"] {
                if let Some(front) = words.strip_suffix(pronoun) {
                    ways.push(format!("{front} {named}"));
                }
            }
            ways.extend([
                format!("{words} in {named}"),
                format!("{words} are in {named}"),
                format!("{words} of {named}"),
                format!("{words} from {named}"),
                format!("{words} {named}"),
            ]);
            ways.extend(words.split_once(' ').map(|(verb, rest)| format!("{verb} {named} {rest}")));
            ways
        }
        Language::Chinese => vec![
            format!("{named}里{words}"),
            format!("{named}{words}"),
            format!("{named}的{words}"),
            format!("把{named}{words}"),
            format!("{words}{named}"),
        ],
    }
}

/// The request of what was piped in; None where nothing was, or where it does not fit.
pub(crate) fn of_material(request: &str) -> Option<UnderstoodRequest> {
    let (_, path) = piped(request)?;
    let is_about = |found: &UnderstoodRequest| {
        let files = found.clauses.iter().map(|clause| clause.slots.file.as_ref());
        files.into_iter().all(|file| matches!(file, Some(NamedPlace::Path(named)) if named == path))
            && !found.clauses.iter().any(|clause| clause.kind.is_doing())
    };
    said_of_material(request).iter().filter_map(|way| understand(way).ok()).find(is_about)
}

#[cfg(test)]
mod tests {
    use super::{of_material, piped};
    use crate::clause::RequestKind;

    #[test]
    fn what_was_piped_in_is_meant_where_no_file_is_named() {
        for (request, kind) in [
            ("how many errors (what was piped in is the file /t/stdin.txt)", RequestKind::CountMatches),
            ("how many lines (what was piped in is the file /t/stdin.txt)", RequestKind::LinesInFile),
            ("count the words (what was piped in is the file /t/stdin.txt)", RequestKind::CountWords),
            ("sort it (what was piped in is the file /t/stdin.txt)", RequestKind::SortLines),
            ("show the last 3 lines (what was piped in is the file /t/stdin.txt)", RequestKind::LastLines),
            ("有多少行（管道传入的内容在文件 /t/stdin.txt 里）", RequestKind::LinesInFile),
            ("最后3行（管道传入的内容在文件 /t/stdin.txt 里）", RequestKind::LastLines),
        ] {
            let found = of_material(request).unwrap_or_else(|| panic!("{request}"));
            assert_eq!(found.clauses[0].kind, kind, "{request}");
        }
    }

    #[test]
    fn what_does_not_fit_it_is_not_read_of_it() {
        for request in [
            "delete it (what was piped in is the file /t/stdin.txt)",
            "how many lines are in a.txt (what was piped in is the file /t/stdin.txt)",
            "how many errors",
        ] {
            assert!(of_material(request).is_none(), "{request}");
        }
        assert_eq!(piped("why (what was piped in is the file /t/x)"), Some(("why", "/t/x")));
    }
}
