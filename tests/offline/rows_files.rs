//! Requests about sets of files.

use std::path::{Path, PathBuf};

use crate::expected::{Expected, texts};
use crate::recount::{
    GENERATED, IMAGES, INTERNAL, all_shown, changed, digest, duplicates, ending, entries, files, folders,
    line_ends, lines_with, occupied_kib, shown, size, with_ending,
};
use crate::table::{Row, row};

pub(crate) const ROWS: &[Row] = &[
    row(
        "find_files",
        "find all PDFs larger than 20 MB in downloads",
        "找出下载目录里大于20MB的PDF",
        |f, _| {
            let all = with_ending(files(&f.downloads, INTERNAL), &["pdf"]);
            Expected::Set(all_shown(
                &all.into_iter().filter(|path| size(path) > 20 << 20).collect::<Vec<_>>(),
            ))
        },
    ),
    row("empty_files", "find empty files here", "找出当前目录里的空文件", |f, _| {
        let all = files(&f.here, INTERNAL).into_iter().filter(|path| size(path) == 0);
        Expected::Set(all_shown(&all.collect::<Vec<_>>()))
    }),
    row("empty_folders", "find empty folders in documents", "找出文稿里的空文件夹", |f, _| {
        let empty = |path: &PathBuf| path.read_dir().is_ok_and(|mut entries| entries.next().is_none());
        Expected::Set(all_shown(
            &folders(&f.documents, INTERNAL).into_iter().filter(empty).collect::<Vec<_>>(),
        ))
    }),
    row(
        "largest_files",
        "find the ten largest files here",
        "找出当前目录里最大的10个文件",
        |f, _| Expected::Lines(largest(files(&f.here, GENERATED), 10)),
    ),
    row(
        "newest_files",
        "show the five most recently changed files here",
        "列出当前目录里最近修改的5个文件",
        |f, _| {
            let mut all = files(&f.here, GENERATED);
            all.sort_by_key(|path| std::cmp::Reverse(changed(path)));
            Expected::Ends(texts(all[..5].iter().map(|path| format!("\t{}", shown(path)))))
        },
    ),
    row(
        "oldest_files",
        "show the five oldest files in downloads",
        "列出下载目录里最旧的5个文件",
        |f, _| {
            let mut all = files(&f.downloads, GENERATED);
            all.sort_by_key(|path| changed(path));
            Expected::Ends(texts(all[..5].iter().map(|path| format!("\t{}", shown(path)))))
        },
    ),
    row(
        "count_files",
        "how many Rust files are there here",
        "当前目录里有多少张图片",
        |f, chinese| {
            let endings = if chinese { IMAGES } else { &["rs"] };
            Expected::Starts(format!("{} ", with_ending(files(&f.here, INTERNAL), endings).len()))
        },
    ),
    row("count_folders", "how many folders are in documents", "文稿里有多少个文件夹", |f, _| {
        Expected::Starts(format!("{} ", folders(&f.documents, INTERNAL).len()))
    }),
    row("count_lines", "count lines in Rust files", "统计项目下rust文件的行数", |f, chinese| {
        let rust = with_ending(files(&f.here, GENERATED), &["rs"]);
        let (lines, count) = (line_ends(&rust), rust.len());
        Expected::Starts(if chinese {
            format!("{lines} 行，共 {count} 个")
        } else {
            format!("{lines} lines in {count} Rust files")
        })
    }),
    row("lines_by_language", "count lines by language", "按语言统计代码行数", |f, _| {
        Expected::Set(languages(&f.here))
    }),
    row(
        "file_types",
        "count files by type in downloads",
        "按类型统计下载目录里的文件数量",
        |f, chinese| Expected::Set(types(&f.downloads, chinese)),
    ),
    row("duplicate_files", "find duplicate files", "找出重复的照片", |f, chinese| {
        let all = files(&f.here, GENERATED);
        Expected::Groups(duplicates(&if chinese { with_ending(all, IMAGES) } else { all }))
    }),
    row("search_text", "search for TODO in src", "搜索“截止日期”", |f, chinese| {
        Expected::Set(if chinese {
            lines_with(&files(&f.here, GENERATED), &["截止日期"], false)
        } else {
            lines_with(&files(&f.path("src"), GENERATED), &["TODO"], false)
        })
    }),
    row("todo_list", "list all todos here", "列出项目里的待办事项", |f, _| {
        Expected::Set(lines_with(&files(&f.here, GENERATED), &["TODO", "FIXME"], true))
    }),
    row("folder_sizes", "which subfolder takes the most space", "哪个子目录最占空间", |f, _| {
        // The folder itself is the total; below it, `assets` holds most of the bytes.
        let end = |path: &Path| format!("\t{}\n", shown(path));
        Expected::Holds(vec![end(&f.here), end(&f.path("assets"))])
    }),
    row("folder_size", "how big is this folder", "当前目录有多大", |f, _| {
        Expected::Size(occupied_kib(&f.here), shown(&f.here))
    }),
    row("list_folder", "what is in this folder", "当前目录里有什么", |f, _| {
        let name = |path: &PathBuf| {
            let name = path.file_name().expect("a name").to_string_lossy();
            format!("{name}{}", if path.is_dir() { "/" } else { "" })
        };
        Expected::Set(
            entries(&f.here, &[]).iter().filter(|path| path.parent() == Some(&f.here)).map(name).collect(),
        )
    }),
    row(
        "folder_report",
        "summarise this folder into a report",
        "给当前目录写一份整理报告",
        |f, _| {
            Expected::Report(largest(files(&f.here, GENERATED), 10).iter().map(|line| cells(line)).collect())
        },
    ),
    row(
        "combined_report",
        "find the largest files, count lines by language, find duplicate files, and write a report with all three",
        "找出最大的文件,按语言统计代码行数,找出重复的文件,然后写成一份报告",
        |f, _| {
            let all = files(&f.here, GENERATED);
            let mut parts: Vec<String> = largest(all.clone(), 10).iter().map(|line| cells(line)).collect();
            parts.extend(languages(&f.here).iter().map(|line| cells(line)));
            let mut doubled: Vec<&Path> = Vec::new();
            let groups = duplicates(&all);
            doubled.extend(groups.iter().flatten().map(Path::new));
            doubled.sort_by_key(|path| (digest(path), shown(path)));
            parts.extend(doubled.iter().map(|path| shown(path)));
            Expected::Report(parts)
        },
    ),
    row(
        "list_report",
        "find the five largest PDFs in downloads, then write the list to a report",
        "找出下载目录里最大的5个PDF,然后写成报告",
        |f, _| {
            let pdfs = with_ending(files(&f.downloads, GENERATED), &["pdf"]);
            Expected::Report(largest(pdfs, 5).iter().map(|line| cells(line)).collect())
        },
    ),
    row(
        "preview_lower_case",
        "preview renaming *.JPG to lower case",
        "预览把文件名改成小写",
        |f, chinese| {
            let all = files(&f.here, INTERNAL);
            let wanted = if chinese { all } else { with_ending(all, &["jpg"]) };
            Expected::Set(renamed(&wanted, str::to_ascii_lowercase))
        },
    ),
    row(
        "preview_underscores",
        "preview replacing spaces with underscores in downloads",
        "预览把空格改成下划线",
        |f, chinese| {
            let folder = if chinese { &f.here } else { &f.downloads };
            Expected::Set(renamed(&files(folder, INTERNAL), |name| name.replace(' ', "_")))
        },
    ),
];

/// `bytes, tab, path` of the largest files, largest first.
fn largest(mut all: Vec<PathBuf>, count: usize) -> Vec<String> {
    all.sort_by_key(|path| std::cmp::Reverse(size(path)));
    all.iter().take(count).map(|path| format!("{}\t{}", size(path), shown(path))).collect()
}

/// Tabs as the borders of a table's cells.
fn cells(line: &str) -> String {
    format!("| {} |", line.split('\t').collect::<Vec<_>>().join(" | "))
}

/// `lines, tab, files, tab, language` of every language of the fixture, most lines first.
fn languages(root: &Path) -> Vec<String> {
    let known = [
        ("rs", "Rust"),
        ("py", "Python"),
        ("js", "JavaScript"),
        ("sh", "shell"),
        ("md", "Markdown"),
        ("json", "JSON"),
    ];
    let mut rows: Vec<(usize, String)> = known
        .iter()
        .map(|(ending, name)| {
            let all = with_ending(files(root, GENERATED), &[ending]);
            let lines = line_ends(&all);
            (lines, format!("{lines}\t{}\t{name}", all.len()))
        })
        .collect();
    rows.sort_by_key(|(lines, row)| (std::cmp::Reverse(*lines), row.rsplit('\t').next().map(str::to_owned)));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// `files, tab, bytes, tab, type` of every ending.
fn types(root: &Path, chinese: bool) -> Vec<String> {
    let mut counted = std::collections::BTreeMap::<String, (usize, u64)>::new();
    for path in files(root, GENERATED) {
        let kind = match ending(&path).as_str() {
            "" if chinese => "（无扩展名）".to_owned(),
            "" => "(no ending)".to_owned(),
            ending => format!(".{ending}"),
        };
        let entry = counted.entry(kind).or_default();
        *entry = (entry.0 + 1, entry.1 + size(&path));
    }
    counted.iter().map(|(kind, (count, bytes))| format!("{count}\t{bytes}\t{kind}")).collect()
}

/// `old, arrow, new` of every file whose name changes.
fn renamed(all: &[PathBuf], change: impl Fn(&str) -> String) -> Vec<String> {
    let row = |path: &PathBuf| {
        let old = path.file_name()?.to_str()?;
        let new = change(old);
        (new != old).then(|| format!("{}\t→\t{}", shown(path), shown(&path.with_file_name(new))))
    };
    all.iter().filter_map(row).collect()
}
