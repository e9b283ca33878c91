//! From an understood clause to its measurement: the one place that knows every kind.

mod content;
mod file;
mod files;
mod machine;

use crate::clause::{Clause, Kind};
use crate::measure::{Measure, Scope};

/// The measurements of a clause: one, or those of a folder report; none for the parts of requests.
pub(crate) fn measures(scope: &Scope, clause: &Clause) -> Vec<Measure> {
    let measure = match clause.kind {
        Kind::FindFiles => files::find_files(scope, clause),
        Kind::EmptyFiles | Kind::EmptyFolders => files::empty(scope, clause),
        Kind::LargestFiles => files::largest(scope, clause),
        Kind::NewestFiles | Kind::OldestFiles => files::by_time(scope, clause),
        Kind::CountFiles | Kind::CountFolders => files::count(scope, clause),
        Kind::CountLines => files::count_lines(scope, clause),
        Kind::LinesByLanguage => files::lines_by_language(scope, clause),
        Kind::FileTypes => content::file_types(scope, clause),
        Kind::SearchText => content::search_text(scope, clause),
        Kind::TodoList => content::todo_list(scope, clause),
        Kind::FolderSizes | Kind::FolderSize => content::disk_usage(scope, clause),
        Kind::Duplicates => content::duplicates(scope, clause),
        Kind::PreviewLowerCase | Kind::PreviewUnderscores => content::rename_preview(scope, clause),
        Kind::ListFolder => content::list_folder(scope, clause),
        Kind::DiskFree => machine::disk_free(scope),
        Kind::GitStatus => machine::git_status(scope, clause),
        Kind::GitLog => machine::git_log(scope, clause),
        Kind::GitAuthors => machine::git_authors(scope, clause),
        Kind::GitBranch => machine::git_branch(scope, clause),
        Kind::SystemInfo => machine::system_info(scope),
        Kind::TopMemory => machine::top_memory(scope, clause),
        Kind::TopProcessor => machine::top_processor(scope, clause),
        Kind::DateTime => machine::date_time(scope),
        Kind::WhereAmI => machine::where_am_i(scope),
        Kind::CountWords
        | Kind::CountCharacters
        | Kind::LinesInFile
        | Kind::FirstLines
        | Kind::LastLines
        | Kind::ReadFile
        | Kind::CsvShape
        | Kind::CsvToJson
        | Kind::ConfigValue
        | Kind::ColumnStatistic
        | Kind::Checksum
        | Kind::CompareFiles
        | Kind::FileDetails => return one_file(scope, clause).into_iter().collect(),
        Kind::FolderReport => return folder_report(scope, clause),
        Kind::WriteReport | Kind::InPlace => return Vec::new(),
    };
    vec![measure]
}

/// What a report about a folder consists of.
fn folder_report(scope: &Scope, clause: &Clause) -> Vec<Measure> {
    [Kind::FileTypes, Kind::LargestFiles, Kind::NewestFiles, Kind::FolderSizes]
        .into_iter()
        .flat_map(|kind| measures(scope, &Clause { kind, slots: clause.slots.clone() }))
        .collect()
}

fn one_file(scope: &Scope, clause: &Clause) -> Option<Measure> {
    let (_, english, chinese, rungs) = SUBJECTS.iter().find(|(kind, ..)| *kind == clause.kind)?;
    let subject = file::Subject { english, chinese, rungs: *rungs };
    let shape = SHAPES.iter().find(|(kind, ..)| *kind == clause.kind);
    let output = match shape {
        Some((_, english, chinese, regex)) => vec![scope.matches(english, chinese, regex)],
        None if matches!(clause.kind, Kind::FirstLines | Kind::LastLines) => {
            vec![scope.not_empty(), scope.at_most_lines(file::lines(clause))]
        }
        None => vec![scope.not_empty()],
    };
    Some(file::one_file(scope, clause, &subject, output))
}

type Rungs = fn(&Scope, &Clause, &str, &str) -> Vec<crate::measure::Rung>;

/// Titles and ways of the measurements of one file.
const SUBJECTS: [(Kind, &str, &str, Rungs); 13] = [
    (Kind::CountWords, "Words in {name}", "{name} 的单词数", file::count_words),
    (Kind::CountCharacters, "Characters in {name}", "{name} 的字数", file::count_characters),
    (Kind::LinesInFile, "Lines in {name}", "{name} 的行数", file::lines_in_file),
    (Kind::FirstLines, "First {count} lines of {name}", "{name} 的前 {count} 行", file::head),
    (Kind::LastLines, "Last {count} lines of {name}", "{name} 的最后 {count} 行", file::tail),
    (Kind::ReadFile, "Read {name}", "读取 {name}", file::read),
    (Kind::CsvShape, "Rows and columns of {name}", "{name} 的行数和列数", file::csv_shape),
    (Kind::CsvToJson, "Convert {name} to JSON", "把 {name} 转成 JSON", file::csv_to_json),
    (Kind::ConfigValue, "Value of {key} in {name}", "{name} 中 {key} 的值", file::config_value),
    (
        Kind::ColumnStatistic,
        "Column {key} of {name}: {statistic}",
        "{name} 中 {key} 列的{statistic}",
        file::column_statistic,
    ),
    (Kind::Checksum, "SHA-256 of {name}", "{name} 的 SHA-256", file::checksum),
    (
        Kind::CompareFiles,
        "Differences between {name} and {second}",
        "{name} 与 {second} 的差异",
        file::compare,
    ),
    (Kind::FileDetails, "Details of {name}", "{name} 的详细信息", file::details),
];

const NUMBER: (&str, &str, &str) = ("the output begins with the number", "输出以数字开头", "\\A\\s*\\d+\\b");

/// What the answers of some of them must look like: the criterion in both languages, and its expression.
const SHAPES: [(Kind, &str, &str, &str); 8] = [
    (Kind::CountWords, NUMBER.0, NUMBER.1, NUMBER.2),
    (Kind::CountCharacters, NUMBER.0, NUMBER.1, NUMBER.2),
    (Kind::LinesInFile, NUMBER.0, NUMBER.1, NUMBER.2),
    (Kind::CsvShape, NUMBER.0, NUMBER.1, NUMBER.2),
    (Kind::FileDetails, NUMBER.0, NUMBER.1, NUMBER.2),
    (
        Kind::ColumnStatistic,
        "the output begins with the result and says how many values it comes from",
        "输出以结果开头并说明来自多少个值",
        "\\A\\s*-?\\d[\\d.e+-]* \\(",
    ),
    (
        Kind::Checksum,
        "the output is a SHA-256 digest and the path",
        "输出是 SHA-256 摘要和路径",
        "\\A\\s*[0-9a-f]{64}\\s",
    ),
    (Kind::CsvToJson, "the output names the new file", "输出给出了新文件的路径", "\\.json"),
];
