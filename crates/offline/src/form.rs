//! How an answer is shown to a person: what stands above its rows, and what its columns are. Criteria, pipes and files have the
//! output as the tools gave it.

use artoo_request::Language;
use artoo_types::form::{ColumnKind, FormColumn, OutputForm, RowLayout};

use crate::causes::shown;
use crate::clause::{Clause, RequestKind};
use crate::measure::Scope;
use crate::places::NamedPlace;
use crate::query::QueryShape;
use crate::shell::quote;

type FormOf = fn(&Scope, &Clause) -> OutputForm;

/// The forms of those answers that are lists or tables; all others are texts.
const FORMS: &[(RequestKind, FormOf)] = &[
    (RequestKind::FindFiles, files),
    (RequestKind::FindNamed, named),
    (RequestKind::EmptyFiles, empty_files),
    (RequestKind::EmptyFolders, empty_folders),
    (RequestKind::LargestFiles, ranked),
    (RequestKind::SmallestFiles, ranked),
    (RequestKind::NewestFiles, by_time),
    (RequestKind::OldestFiles, by_time),
    (RequestKind::LinesByLanguage, lines_by_language),
    (RequestKind::FileTypes, file_types),
    (RequestKind::FolderSizes, folder_sizes),
    (RequestKind::EntrySizes, folder_sizes),
    (RequestKind::FolderSize, |_, _| OutputForm {
        layout: RowLayout::Cells,
        columns: vec![bytes(""), path("")],
        ..OutputForm::default()
    }),
    (RequestKind::Duplicates, duplicates),
    (RequestKind::SearchText, matches),
    (RequestKind::TodoList, matches),
    (RequestKind::ListFolder, entries),
    (RequestKind::TopMemory, |scope, _| {
        let columns =
            [number(scope.say("memory", "内存")), number("PID"), text(scope.say("program", "程序"))];
        table(scope.say("Processes that use the most memory", "占内存最多的进程"), columns)
    }),
    (RequestKind::TopProcessor, |scope, _| {
        let columns = [number("CPU"), number("PID"), text(scope.say("program", "程序"))];
        table(scope.say("Processes that use the most processor time", "占 CPU 最多的进程"), columns)
    }),
    (RequestKind::GitAuthors, |scope, _| {
        table(scope.say("Commits by author", "各作者的提交次数"), [number(""), text("")])
    }),
    (RequestKind::LogLevels, |scope, _| {
        table("", [number(scope.say("lines", "行数")), text(scope.say("level", "级别"))])
    }),
    (RequestKind::RepeatedLines, |scope, _| {
        table("", [number(scope.say("times", "次数")), text(scope.say("line", "行"))])
    }),
    (RequestKind::ImageSize, |_, _| table("", [path(""), text("")])),
    (RequestKind::TableQuery, rows),
];

/// The form of the answer to one clause; none where it is a text.
pub(crate) fn form(scope: &Scope, clause: &Clause) -> Option<OutputForm> {
    FORMS.iter().find(|(kind, _)| *kind == clause.kind).map(|(_, form)| form(scope, clause))
}

fn text(name: &str) -> FormColumn {
    FormColumn { name: name.to_owned(), kind: ColumnKind::Text }
}

fn number(name: &str) -> FormColumn {
    FormColumn { name: name.to_owned(), kind: ColumnKind::Number }
}

fn bytes(name: &str) -> FormColumn {
    FormColumn { name: name.to_owned(), kind: ColumnKind::Bytes }
}

fn path(name: &str) -> FormColumn {
    FormColumn { name: name.to_owned(), kind: ColumnKind::Path }
}

/// Cells below this heading, however many they are.
fn table(heading: &str, columns: impl Into<Vec<FormColumn>>) -> OutputForm {
    OutputForm {
        heading: heading.to_owned(),
        heading_of_one: heading.to_owned(),
        layout: RowLayout::Cells,
        columns: columns.into(),
        ..OutputForm::default()
    }
}

/// Words with the folder of the clause: `Lines by language in ~/site`.
fn in_folder(scope: &Scope, clause: &Clause, words: &str) -> String {
    let folder = shown(scope, &scope.folder(clause));
    match scope.language {
        Language::English => format!("{words} in {folder}"),
        Language::Chinese => format!("{folder} 中{words}"),
    }
}

/// A list of `{n}` things: headings in the plural and the singular, and what is said where there are none.
fn listed(scope: &Scope, clause: &Clause, many: &str, columns: Vec<FormColumn>) -> OutputForm {
    let one = singular(many);
    let (heading, heading_of_one, nothing) = match scope.language {
        Language::English => (format!("{{n}} {many}"), format!("One {one}"), format!("no {many}")),
        Language::Chinese => (format!("的 {{n}} 个{many}"), format!("的 1 个{many}"), format!("没有{many}")),
    };
    OutputForm {
        heading: in_folder(scope, clause, &heading),
        heading_of_one: in_folder(scope, clause, &heading_of_one),
        nothing: in_folder(scope, clause, &nothing),
        layout: RowLayout::Cells,
        columns,
        ..OutputForm::default()
    }
}

/// The noun for one thing; what follows in brackets stays.
pub(crate) fn singular(many: &str) -> String {
    let (noun, rest) =
        many.split_once(" (").map_or((many, String::new()), |(noun, rest)| (noun, format!(" ({rest}")));
    format!("{}{rest}", noun.strip_suffix('s').unwrap_or(noun))
}

fn files(scope: &Scope, clause: &Clause) -> OutputForm {
    let word = format!("{}{}", scope.files_word(&clause.slots), scope.conditions(&clause.slots));
    listed(scope, clause, &word, vec![path("")])
}

fn named(scope: &Scope, clause: &Clause) -> OutputForm {
    OutputForm {
        heading: String::new(),
        heading_of_one: String::new(),
        ..listed(scope, clause, "", vec![path("")])
    }
}

fn empty_files(scope: &Scope, clause: &Clause) -> OutputForm {
    listed(scope, clause, scope.say("empty files", "空文件"), vec![path("")])
}

fn empty_folders(scope: &Scope, clause: &Clause) -> OutputForm {
    listed(scope, clause, scope.say("empty folders", "空文件夹"), vec![path("")])
}

/// Files in an order: `{n}` with the word for it before the noun.
fn in_order(scope: &Scope, clause: &Clause, order: [&str; 2], columns: Vec<FormColumn>) -> OutputForm {
    let word = format!("{}{}", scope.files_word(&clause.slots), scope.conditions(&clause.slots));
    let [english, chinese] = order;
    let (heading, of_one, nothing) = match scope.language {
        Language::English => {
            let one = singular(&word);
            (format!("{{n}} {english} {word}"), format!("The {english} {one}"), format!("no {word}"))
        }
        Language::Chinese => {
            (format!("{chinese}的 {{n}} 个{word}"), format!("{chinese}的{word}"), format!("没有{word}"))
        }
    };
    OutputForm {
        heading: in_folder(scope, clause, &heading),
        heading_of_one: in_folder(scope, clause, &of_one),
        nothing: in_folder(scope, clause, &nothing),
        layout: RowLayout::Cells,
        columns,
        ..OutputForm::default()
    }
}

fn ranked(scope: &Scope, clause: &Clause) -> OutputForm {
    let smallest = clause.kind == RequestKind::SmallestFiles;
    let order = if smallest { ["smallest", "最小"] } else { ["largest", "最大"] };
    let form = in_order(scope, clause, order, vec![bytes(""), path("")]);
    OutputForm { total: scope.say("in all", "合计").to_owned(), ..form }
}

fn by_time(scope: &Scope, clause: &Clause) -> OutputForm {
    let newest = clause.kind == RequestKind::NewestFiles;
    let order = if newest { ["most recently changed", "最近修改"] } else { ["oldest", "最旧"] };
    in_order(scope, clause, order, vec![text(""), path("")])
}

fn lines_by_language(scope: &Scope, clause: &Clause) -> OutputForm {
    let half = |both: &str| scope.half(both);
    let columns = [number(&half("lines/行数")), number(&half("files/文件数")), text(&half("language/语言"))];
    let heading = in_folder(scope, clause, scope.say("Lines by language", "各语言的行数"));
    OutputForm { total: scope.say("in all", "合计").to_owned(), ..table(&heading, columns) }
}

fn file_types(scope: &Scope, clause: &Clause) -> OutputForm {
    let half = |both: &str| scope.half(both);
    let columns = [number(&half("files/文件数")), bytes(&half("size/大小")), text(&half("type/类型"))];
    let heading = in_folder(scope, clause, scope.say("Files by type", "各类型的文件"));
    let nothing = in_folder(scope, clause, scope.say("no files", "没有文件"));
    OutputForm { nothing, total: scope.say("in all", "合计").to_owned(), ..table(&heading, columns) }
}

fn folder_sizes(scope: &Scope, clause: &Clause) -> OutputForm {
    let words = if clause.kind == RequestKind::EntrySizes {
        scope.say("Largest files and folders", "最大的文件和文件夹")
    } else {
        scope.say("Largest folders", "最大的文件夹")
    };
    let heading = in_folder(scope, clause, words);
    OutputForm {
        total: scope.say("in all", "合计").to_owned(),
        root: scope.folder(clause),
        ..table(&heading, [bytes(""), path("")])
    }
}

fn duplicates(scope: &Scope, clause: &Clause) -> OutputForm {
    let heading = in_folder(scope, clause, scope.say("Files with the same content", "内容相同的文件"));
    table(&heading, [FormColumn { name: String::new(), kind: ColumnKind::Hidden }, path("")])
}

fn matches(scope: &Scope, clause: &Clause) -> OutputForm {
    let text = clause.slots.text.as_deref().map(quote);
    let what = match (&text, scope.language) {
        (Some(text), Language::English) => format!("lines with {text}"),
        (None, Language::English) => "lines marked TODO or FIXME".to_owned(),
        (Some(text), Language::Chinese) => format!("含有 {text} 的行"),
        (None, Language::Chinese) => "标有 TODO 或 FIXME 的行".to_owned(),
    };
    let form = listed(scope, clause, &what, Vec::new());
    let one = match scope.language {
        Language::English => what.replacen("lines", "One line", 1),
        Language::Chinese => format!("的 1 个{what}"),
    };
    OutputForm { heading_of_one: in_folder(scope, clause, &one), layout: RowLayout::Matches, ..form }
}

fn entries(scope: &Scope, clause: &Clause) -> OutputForm {
    let form = listed(scope, clause, scope.say("entries", "项"), vec![path("")]);
    let one = in_folder(scope, clause, scope.say("One entry", "的 1 项"));
    let heading = match scope.language {
        Language::English => form.heading.clone(),
        Language::Chinese => in_folder(scope, clause, "的 {n} 项"),
    };
    let nothing = in_folder(scope, clause, scope.say("nothing", "没有任何内容"));
    OutputForm { heading, heading_of_one: one, nothing, ..form }
}

/// Rows of a table, and its groups.
fn rows(_: &Scope, clause: &Clause) -> OutputForm {
    let Some(query) = &clause.slots.query else { return OutputForm::default() };
    let is_json = match &clause.slots.file {
        Some(NamedPlace::Path(path)) => path.to_lowercase().ends_with(".json"),
        Some(NamedPlace::Here | NamedPlace::Home(..)) | None => false,
    };
    match query.shape {
        QueryShape::Groups(_) | QueryShape::Tally => table("", [text(&query.by), number(&query.column)]),
        QueryShape::Rows | QueryShape::Top { .. } | QueryShape::Head { .. } if is_json => {
            OutputForm { layout: RowLayout::Objects, ..OutputForm::default() }
        }
        // A CSV file is shown with its header, but for the order of its rows.
        QueryShape::Rows | QueryShape::Head { .. } => {
            OutputForm { layout: RowLayout::Records, ..OutputForm::default() }
        }
        QueryShape::Top { .. } => OutputForm { layout: RowLayout::Rows, ..OutputForm::default() },
        QueryShape::Figure(_) | QueryShape::Count | QueryShape::Distinct | QueryShape::Values => {
            OutputForm::default()
        }
    }
}
