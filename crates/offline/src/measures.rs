//! From an understood clause to its measurement: the one place that knows every kind.

mod content;
mod daily;
mod file;
mod files;
mod large;
mod lines;
mod machine;
pub(crate) mod tables;

use crate::clause::{Clause, RequestKind};
use crate::measure::{Measure, Scope};

/// The measurements of a clause: one, or those of a folder report; none for the parts of requests and for what changes something,
/// which has its own module.
pub(crate) fn measures(scope: &Scope, clause: &Clause) -> Vec<Measure> {
    if clause.kind == RequestKind::FolderReport {
        return folder_report(scope, clause);
    }
    let is_of_folder = clause.kind == RequestKind::ImageSize && !daily::is_one_picture(clause);
    if !is_of_folder && let Some(measure) = one_file(scope, clause) {
        return vec![measure];
    }
    let found = MEASURES.iter().find(|(kind, _)| *kind == clause.kind);
    found.map(|(_, measure)| measure(scope, clause)).into_iter().collect()
}

type MeasureOf = fn(&Scope, &Clause) -> Measure;

/// How each kind is measured that is not about one file.
const MEASURES: &[(RequestKind, MeasureOf)] = &[
    (RequestKind::FindFiles, files::find_files),
    (RequestKind::EmptyFiles, files::empty),
    (RequestKind::EmptyFolders, files::empty),
    (RequestKind::LargestFiles, files::largest),
    (RequestKind::SmallestFiles, files::largest),
    (RequestKind::NewestFiles, files::by_time),
    (RequestKind::OldestFiles, files::by_time),
    (RequestKind::CountFiles, files::count),
    (RequestKind::CountFolders, files::count),
    (RequestKind::CountLines, files::count_lines),
    (RequestKind::LinesByLanguage, files::lines_by_language),
    (RequestKind::FileTypes, content::file_types),
    (RequestKind::SearchText, content::search_text),
    (RequestKind::TodoList, content::todo_list),
    (RequestKind::FolderSizes, content::disk_usage),
    (RequestKind::EntrySizes, content::disk_usage),
    (RequestKind::FolderSize, content::disk_usage),
    (RequestKind::Duplicates, content::duplicates),
    (RequestKind::PreviewLowerCase, content::rename_preview),
    (RequestKind::PreviewUnderscores, content::rename_preview),
    (RequestKind::ListFolder, content::list_folder),
    (RequestKind::DiskFree, |scope, _| machine::disk_free(scope)),
    (RequestKind::GitStatus, machine::git_status),
    (RequestKind::GitLog, machine::git_log),
    (RequestKind::GitAuthors, machine::git_authors),
    (RequestKind::GitBranch, machine::git_branch),
    (RequestKind::GitBranches, machine::git_branches),
    (RequestKind::GitTags, machine::git_tags),
    (RequestKind::SystemInfo, |scope, _| machine::system_info(scope)),
    (RequestKind::TopMemory, machine::top_memory),
    (RequestKind::TopProcessor, machine::top_processor),
    (RequestKind::DateTime, |scope, _| machine::date_time(scope)),
    (RequestKind::WhereAmI, |scope, _| machine::where_am_i(scope)),
    (RequestKind::ImageSize, daily::image_sizes),
    (RequestKind::GitBy, daily::git_by),
    (RequestKind::GitSince, daily::git_since),
    (RequestKind::GitLastFiles, daily::git_last_files),
    (RequestKind::PortUser, daily::port_user),
    (RequestKind::OpenPorts, |scope, _| daily::open_ports(scope)),
    (RequestKind::MemoryInfo, |scope, _| daily::memory_info(scope)),
    (RequestKind::ProcessorCount, |scope, _| daily::processor_count(scope)),
    (RequestKind::FindNamed, files::find_named),
    (RequestKind::GitDiff, machine::git_diff),
    (RequestKind::GitCount, machine::git_count),
];

/// What a report about a folder consists of.
fn folder_report(scope: &Scope, clause: &Clause) -> Vec<Measure> {
    [RequestKind::FileTypes, RequestKind::LargestFiles, RequestKind::NewestFiles, RequestKind::FolderSizes]
        .into_iter()
        .flat_map(|kind| measures(scope, &Clause { kind, slots: clause.slots.clone() }))
        .collect()
}

fn one_file(scope: &Scope, clause: &Clause) -> Option<Measure> {
    let (_, english, chinese, ways) = SUBJECTS.iter().find(|(kind, ..)| *kind == clause.kind)?;
    let subject = file::FileSubject { english, chinese, ways: *ways };
    let shape = SHAPES.iter().find(|(kind, ..)| *kind == clause.kind);
    let output = match shape {
        Some((_, english, chinese, regex)) => vec![scope.matches(english, chinese, regex)],
        None if matches!(clause.kind, RequestKind::FirstLines | RequestKind::LastLines) => {
            vec![scope.not_empty(), scope.at_most_lines(file::lines(clause))]
        }
        None => vec![scope.not_empty()],
    };
    Some(file::one_file(scope, clause, &subject, output))
}

type FileWays = fn(&Scope, &Clause, &str, &str) -> Vec<crate::measure::Alternative>;

/// Titles and ways of the measurements of one file.
const SUBJECTS: [(RequestKind, &str, &str, FileWays); 35] = [
    (
        RequestKind::CountOccurrences,
        "How often {text} stands in {name}",
        "{text} 在 {name} 中出现的次数",
        lines::occurrences,
    ),
    (
        RequestKind::NumberStatistic,
        "Numbers in {name}: {statistic}",
        "{name} 中数字的{statistic}",
        daily::numbers,
    ),
    (RequestKind::LongestLine, "Longest line of {name}", "{name} 中最长的一行", daily::longest_line),
    (RequestKind::JsonPretty, "{name} in an orderly form", "{name}，整齐显示", daily::json_pretty),
    (RequestKind::ImageSize, "Size of the picture {name}", "图片 {name} 的尺寸", daily::image_size),
    (RequestKind::GitFileDiff, "What changed in {name}", "{name} 的改动", daily::file_diff),
    (RequestKind::GitFileLog, "Commits of {name}", "{name} 的提交历史", daily::file_log),
    (RequestKind::Md5, "MD5 of {name}", "{name} 的 MD5", file::md5),
    (RequestKind::GitBlame, "Who changed the lines of {name}", "{name} 每一行的作者", lines::blame),
    (RequestKind::MailAddresses, "Mail addresses in {name}", "{name} 中的邮箱地址", lines::mail_addresses),
    (RequestKind::WebAddresses, "Web addresses in {name}", "{name} 中的网址", lines::web_addresses),
    (RequestKind::TableQuery, "Rows of {name}: {query}", "{name} 的数据：{query}", tables::query),
    (RequestKind::JsonValid, "Whether {name} is valid JSON", "{name} 是否是有效的 JSON", lines::json_valid),
    (RequestKind::ArchiveList, "Contents of {name}", "{name} 的内容", lines::archive),
    (
        RequestKind::CountMatches,
        "Lines of {name} with {text}: how many",
        "{name} 中含有{text}的行数",
        lines::count_matches,
    ),
    (RequestKind::MatchLines, "Lines of {name} with {text}", "{name} 中含有{text}的行", lines::match_lines),
    (
        RequestKind::TopAddresses,
        "Addresses in {name}, most frequent first",
        "{name} 中出现最多的地址",
        lines::addresses,
    ),
    (RequestKind::LogLevels, "Lines of each level in {name}", "{name} 中各级别的行数", lines::levels),
    (
        RequestKind::RepeatedLines,
        "Lines of {name} that stand there more than once",
        "{name} 中重复的行",
        lines::repeated,
    ),
    (RequestKind::SortLines, "Lines of {name} in order", "{name} 的行，排序", lines::sorted),
    (
        RequestKind::SortUnique,
        "Lines of {name} in order, each once",
        "{name} 的行，排序并去重",
        lines::sorted_once,
    ),
    (RequestKind::UniqueLines, "Lines of {name}, each once", "{name} 的行，去重", lines::once),
    (RequestKind::CountWords, "Words in {name}", "{name} 的单词数", file::count_words),
    (RequestKind::CountCharacters, "Characters in {name}", "{name} 的字数", file::count_characters),
    (RequestKind::LinesInFile, "Lines in {name}", "{name} 的行数", file::lines_in_file),
    (RequestKind::FirstLines, "First {count} lines of {name}", "{name} 的前 {count} 行", file::head),
    (RequestKind::LastLines, "Last {count} lines of {name}", "{name} 的最后 {count} 行", file::tail),
    (RequestKind::ReadFile, "Read {name}", "读取 {name}", file::read),
    (RequestKind::CsvShape, "Rows and columns of {name}", "{name} 的行数和列数", file::csv_shape),
    (RequestKind::CsvToJson, "Convert {name} to JSON", "把 {name} 转成 JSON", file::csv_to_json),
    (RequestKind::ConfigValue, "Value of {key} in {name}", "{name} 中 {key} 的值", file::config_value),
    (
        RequestKind::ColumnStatistic,
        "Column {key} of {name}: {statistic}",
        "{name} 中 {key} 列的{statistic}",
        file::column_statistic,
    ),
    (RequestKind::Checksum, "SHA-256 of {name}", "{name} 的 SHA-256", file::checksum),
    (
        RequestKind::CompareFiles,
        "Differences between {name} and {second}",
        "{name} 与 {second} 的差异",
        file::compare,
    ),
    (RequestKind::FileDetails, "Details of {name}", "{name} 的详细信息", file::details),
];

const NUMBER: (&str, &str, &str) = ("the output begins with the number", "输出以数字开头", "\\A\\s*\\d+\\b");

/// What the answers of some of them must look like: the criterion in both languages, and its expression.
const SHAPES: [(RequestKind, &str, &str, &str); 10] = [
    (RequestKind::CountOccurrences, NUMBER.0, NUMBER.1, NUMBER.2),
    (
        RequestKind::NumberStatistic,
        "the output begins with the result",
        "输出以结果开头",
        "\\A\\s*-?\\d[\\d.e+-]* \\(",
    ),
    (RequestKind::CountWords, NUMBER.0, NUMBER.1, NUMBER.2),
    (RequestKind::CountCharacters, NUMBER.0, NUMBER.1, NUMBER.2),
    (RequestKind::LinesInFile, NUMBER.0, NUMBER.1, NUMBER.2),
    (RequestKind::CsvShape, NUMBER.0, NUMBER.1, NUMBER.2),
    (RequestKind::FileDetails, NUMBER.0, NUMBER.1, NUMBER.2),
    (
        RequestKind::ColumnStatistic,
        "the output begins with the result and says how many values it comes from",
        "输出以结果开头并说明来自多少个值",
        "\\A\\s*-?\\d[\\d.e+-]* \\(",
    ),
    (
        RequestKind::Checksum,
        "the output is a SHA-256 digest and the path",
        "输出是 SHA-256 摘要和路径",
        "\\A\\s*[0-9a-f]{64}\\s",
    ),
    (RequestKind::CsvToJson, "the output names the new file", "输出给出了新文件的路径", "\\.json"),
];
