//! The table of requests: how people ask for each, in English and in Chinese, and one example of both.

use crate::clause::RequestKind;

mod daily;
mod doing;
mod files;
mod machine;
mod more;
mod other;

/// One row: a kind of request and the ways to ask for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestTemplates {
    pub(crate) kind: RequestKind,
    /// Name of the kind in help texts and slugs.
    pub(crate) name: &'static str,
    pub(crate) english: &'static [&'static str],
    pub(crate) chinese: &'static [&'static str],
    /// A request of this kind that works as it stands, in English and in Chinese; none for parts of requests.
    pub(crate) example: Option<(&'static str, &'static str)>,
}

/// A request that the offline rules carry out, in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is an example of.
    pub kind: RequestKind,
    /// Short name of the kind: `largest_files`.
    pub name: &'static str,
    /// In English.
    pub english: &'static str,
    /// In Chinese.
    pub chinese: &'static str,
}

/// All rows.
pub(crate) static TEMPLATES: std::sync::LazyLock<Vec<RequestTemplates>> = std::sync::LazyLock::new(|| {
    files::TEMPLATES
        .iter()
        .chain(other::TEMPLATES)
        .chain(machine::TEMPLATES)
        .chain(more::TEMPLATES)
        .chain(daily::TEMPLATES)
        .chain(doing::TEMPLATES)
        .copied()
        .collect()
});

/// Requests that go over several kinds; shown beside the examples of the table.
const COMBINED: [Example; 2] = [
    Example {
        kind: RequestKind::WriteReport,
        name: "combined_report",
        english: "find the largest files, count lines by language, find duplicate files, and write a report with all three",
        chinese: "找出最大的文件,按语言统计代码行数,找出重复的文件,然后写成一份报告",
    },
    Example {
        kind: RequestKind::WriteReport,
        name: "list_report",
        english: "find the five largest PDFs in downloads, then write the list to a report",
        chinese: "找出下载目录里最大的5个PDF,然后写成报告",
    },
];

/// One example of each kind of request, and two of several at once.
pub fn examples() -> Vec<Example> {
    TEMPLATES
        .iter()
        .filter_map(|row| {
            let (english, chinese) = row.example?;
            Some(Example { kind: row.kind, name: row.name, english, chinese })
        })
        .chain(COMBINED)
        .collect()
}

/// The short name of a kind.
pub(crate) fn name_of(kind: RequestKind) -> &'static str {
    TEMPLATES.iter().find(|row| row.kind == kind).map_or("request", |row| row.name)
}
