//! From an understood clause to its measurement: the one place that knows every kind.

use super::measure::{Measure, Scope};
use super::measure_file::{Subject, lines};
use super::request::{Clause, Kind};

/// The measurements of a clause: one, or those of a folder report; none for the parts of requests.
pub(super) fn measures(scope: &Scope, clause: &Clause) -> Vec<Measure> {
    let measure = match clause.kind {
        Kind::FindFiles => scope.find_files(clause),
        Kind::EmptyFiles | Kind::EmptyFolders => scope.empty(clause),
        Kind::LargestFiles => scope.largest(clause),
        Kind::NewestFiles | Kind::OldestFiles => scope.by_time(clause),
        Kind::CountFiles | Kind::CountFolders => scope.count(clause),
        Kind::CountLines => scope.count_lines(clause),
        Kind::LinesByLanguage => scope.lines_by_language(clause),
        Kind::FileTypes => scope.file_types(clause),
        Kind::SearchText => scope.search_text(clause),
        Kind::TodoList => scope.todo_list(clause),
        Kind::FolderSizes | Kind::FolderSize => scope.disk_usage(clause),
        Kind::Duplicates => scope.duplicates(clause),
        Kind::PreviewLowerCase | Kind::PreviewUnderscores => scope.rename_preview(clause),
        Kind::ListFolder => scope.list_folder(clause),
        Kind::DiskFree => scope.disk_free(),
        Kind::GitStatus => scope.git_status(clause),
        Kind::GitLog => scope.git_log(clause),
        Kind::GitAuthors => scope.git_authors(clause),
        Kind::GitBranch => scope.git_branch(clause),
        Kind::SystemInfo => scope.system_info(),
        Kind::TopMemory => scope.top_memory(clause),
        Kind::TopProcessor => scope.top_processor(clause),
        Kind::DateTime => scope.date_time(),
        Kind::WhereAmI => scope.where_am_i(),
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
    let subject = Subject { english, chinese, rungs: *rungs };
    let shape = SHAPES.iter().find(|(kind, ..)| *kind == clause.kind);
    let output = match shape {
        Some((_, english, chinese, regex)) => vec![scope.matches(english, chinese, regex)],
        None if matches!(clause.kind, Kind::FirstLines | Kind::LastLines) => {
            vec![scope.not_empty(), scope.at_most_lines(lines(clause))]
        }
        None => vec![scope.not_empty()],
    };
    Some(scope.one_file(clause, &subject, output))
}

type Rungs = fn(&Scope, &Clause, &str, &str) -> Vec<super::measure::Rung>;

/// Titles and ways of the measurements of one file.
const SUBJECTS: [(Kind, &str, &str, Rungs); 13] = [
    (Kind::CountWords, "Words in {name}", "{name} 的单词数", Scope::count_words),
    (Kind::CountCharacters, "Characters in {name}", "{name} 的字数", Scope::count_characters),
    (Kind::LinesInFile, "Lines in {name}", "{name} 的行数", Scope::lines_in_file),
    (Kind::FirstLines, "First {count} lines of {name}", "{name} 的前 {count} 行", Scope::head),
    (Kind::LastLines, "Last {count} lines of {name}", "{name} 的最后 {count} 行", Scope::tail),
    (Kind::ReadFile, "Read {name}", "读取 {name}", Scope::read),
    (Kind::CsvShape, "Rows and columns of {name}", "{name} 的行数和列数", Scope::csv_shape),
    (Kind::CsvToJson, "Convert {name} to JSON", "把 {name} 转成 JSON", Scope::csv_to_json),
    (Kind::ConfigValue, "Value of {key} in {name}", "{name} 中 {key} 的值", Scope::config_value),
    (
        Kind::ColumnStatistic,
        "Column {key} of {name}: {statistic}",
        "{name} 中 {key} 列的{statistic}",
        Scope::column_statistic,
    ),
    (Kind::Checksum, "SHA-256 of {name}", "{name} 的 SHA-256", Scope::checksum),
    (
        Kind::CompareFiles,
        "Differences between {name} and {second}",
        "{name} 与 {second} 的差异",
        Scope::compare,
    ),
    (Kind::FileDetails, "Details of {name}", "{name} 的详细信息", Scope::details),
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
