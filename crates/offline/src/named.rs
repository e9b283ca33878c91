//! Names of files in a request: those that are there win over every other reading of the words.

use std::sync::Arc;

use artoo_request::{is_han, normalise, quoted_ranges};
use artoo_types::situation::{AskedPath, Situation};

use crate::clause::Clause;
use crate::clauses::understand;
use crate::places::{NamedPlace, meanings, read_file, read_known};
use crate::setting::Setting;

/// Shortest name that is looked for in a request, in characters: `a.c`.
const SHORTEST_NAME: usize = 3;
/// Most paths that are asked about.
const MOST_PATHS: usize = 8;

/// What is known of the place when a request is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) seen: Option<Arc<Situation>>,
    /// The person's own words.
    pub(crate) request: String,
    /// The name of a column that it asks for.
    pub(crate) key: Option<String>,
}

impl Surroundings {
    /// What is at an absolute path; None when it was not looked at.
    pub(crate) fn asked(&self, path: &str) -> Option<&AskedPath> {
        self.seen.as_deref()?.asked.iter().find(|asked| asked.path == path)
    }

    /// The request with another path in the place of a name, as a command that can be typed. None where none of the names stands
    /// in it once, by itself.
    pub(crate) fn said_with(&self, names: &[&str], path: &str) -> Option<String> {
        let (at, end) = names.iter().find_map(|name| {
            let mut found = self.request.match_indices(name).map(|(at, _)| (at, at + name.len()));
            let only = found.next().filter(|(at, end)| is_whole_name(&self.request, *at, *end))?;
            found.next().is_none().then_some(only)
        })?;
        let is_quoted = quoted_ranges(&self.request).iter().any(|(from, to)| *from <= at && end <= *to);
        let needs_quotes = !is_quoted && path.contains(|found: char| found.is_whitespace() || is_han(found));
        let path = if needs_quotes { format!("\"{path}\"") } else { path.to_owned() };
        Some(typed(&format!("{}{path}{}", &self.request[..at], &self.request[end..])))
    }
}

/// A request as a command that can be typed.
pub(crate) fn typed(request: &str) -> String {
    let plain = !request.contains(['"', '$', '`', '\\', '!']);
    if plain { format!("artoo \"{request}\"") } else { format!("artoo '{}'", request.replace('\'', r"'\''")) }
}

/// The absolute paths of what a request names, those of files that are there first: somebody who sees the disk looks at them
/// before a plan is made.
pub fn named_paths(request: &str, here: &str, home: &str, seen: &Situation) -> Vec<String> {
    let setting = Setting { working_directory: here.to_owned(), home: home.to_owned(), ..Setting::default() };
    let mut paths: Vec<String> = Vec::new();
    let mut add = |place: &NamedPlace| {
        for path in meanings(place, &setting) {
            if !paths.contains(&path) && paths.len() < MOST_PATHS {
                paths.push(path);
            }
        }
    };
    for (start, end) in names_in(request, seen) {
        add(&NamedPlace::Path(request[start..end].to_owned()));
    }
    let text = with_marks(request, seen);
    for clause in understand(&text).map(|found| found.clauses).unwrap_or_default() {
        let Clause { slots, .. } = clause;
        [slots.file, slots.second_file, slots.place, slots.goal.save, slots.goal.target]
            .iter()
            .flatten()
            .for_each(&mut add);
    }
    let text = normalise(&text);
    let starts = text.char_indices().map(|(at, _)| at).filter(|at| is_start(&text, *at));
    for at in starts {
        if let Some((_, place)) = read_file(&text[at..]).first() {
            add(place);
        }
    }
    paths
}

/// Whether a name may begin here.
fn is_start(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let first = text[at..].chars().next();
    before.is_none_or(|before| {
        before.is_whitespace()
            || matches!(before, ',' | ';' | ':' | '(')
            || (is_han(before) && !first.is_some_and(is_han))
    })
}

/// The request with quotation marks around names of files that are there and that could be read as something else: names with
/// blanks, and names in Chinese.
pub(crate) fn with_marks(request: &str, seen: &Situation) -> String {
    let mut out = String::with_capacity(request.len() + 8);
    let mut from = 0;
    let mut names = names_in(request, seen);
    names.extend(folders_in(request, seen, &names));
    names.sort_unstable();
    for (start, end) in names {
        let name = &request[start..end];
        let between = &request[from..start];
        // "归档 目录": a blank before the noun says nothing.
        out.push_str(if from > 0 && is_folder_noun(between.trim_start()) {
            between.trim_start()
        } else {
            between
        });
        if name.chars().any(|found| found.is_whitespace() || is_han(found) || found == '(') {
            out.push_str(&format!("\"{name}\""));
        } else {
            out.push_str(name);
        }
        from = end;
    }
    let rest = &request[from..];
    out.push_str(if from > 0 && is_folder_noun(rest.trim_start()) { rest.trim_start() } else { rest });
    out
}

/// The Chinese nouns of a folder, and what else says behind a name that it is one.
const FOLDER_NOUNS: [&str; 4] = ["文件夹", "目录", "子目录", "子文件夹"];
const WITHIN: [&str; 9] = ["里", "里面", "里边", "里头", "下", "下面", "中", "内", "当中"];
/// What says before a name that something goes there, or is there.
const INTO: [&str; 16] = [
    "文件夹",
    "目录",
    "移到",
    "移动到",
    "移入",
    "放到",
    "放进",
    "放入",
    "挪到",
    "复制到",
    "拷贝到",
    "搬到",
    "进入",
    "打开",
    "解压到",
    "在",
];

fn is_folder_noun(text: &str) -> bool {
    FOLDER_NOUNS.iter().any(|noun| text.starts_with(noun))
}

/// Where names of folders of the place stand in a text as names of folders, in Chinese or as a year: a noun, or what says that
/// something lies or goes there, stands beside them. What a word means otherwise, it means elsewhere.
fn folders_in(request: &str, seen: &Situation, files: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let quoted = quoted_ranges(request);
    let is_year = |name: &str| name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_digit());
    let mut names: Vec<&str> = seen
        .entries
        .iter()
        .filter_map(|entry| entry.path.strip_suffix('/'))
        .filter(|name| !name.contains(['"', '\'', '/']))
        // Words for folders that everybody has mean the one here anyway, and the answer says so.
        .filter(|name| !read_known(name).iter().any(|(_, place)| matches!(place, NamedPlace::Home(..))))
        .filter(|name| (name.chars().count() > 1 && name.chars().any(is_han)) || is_year(name))
        .collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut found: Vec<(usize, usize)> = Vec::new();
    for name in names {
        for (start, _) in request.match_indices(name) {
            let end = start + name.len();
            let overlaps = |(from, to): &(usize, usize)| start < *to && *from < end;
            if found.iter().chain(files).chain(&quoted).any(overlaps) || !is_whole_name(request, start, end) {
                continue;
            }
            let (before, after) = (request[..start].trim_end(), request[end..].trim_start());
            let lies = WITHIN.iter().any(|word| after.starts_with(word));
            let goes = INTO.iter().any(|word| before.ends_with(word)) && !after.starts_with(is_han);
            let is_place = is_year(name) && [" in", " from", "/"].iter().any(|word| before.ends_with(word));
            if is_folder_noun(after) || lies || goes || is_place {
                found.push((start, end));
            }
        }
    }
    found
}

/// Where the names of files of the folder stand in a text, outside of quotation marks; the longest ones win.
fn names_in(request: &str, seen: &Situation) -> Vec<(usize, usize)> {
    let quoted = quoted_ranges(request);
    let mut names: Vec<&str> = seen
        .entries
        .iter()
        .map(|entry| entry.path.as_str())
        .filter(|path| !path.ends_with('/') && !path.contains(['"', '\'']))
        .filter(|path| path.chars().count() >= SHORTEST_NAME && path.contains('.'))
        .collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut found: Vec<(usize, usize)> = Vec::new();
    for name in names {
        for (start, _) in request.match_indices(name) {
            let end = start + name.len();
            let overlaps = |(from, to): &(usize, usize)| start < *to && *from < end;
            if is_whole_name(request, start, end)
                && !found.iter().any(overlaps)
                && !quoted.iter().any(overlaps)
            {
                found.push((start, end));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether no other name or path goes on at either side.
fn is_whole_name(text: &str, start: usize, end: usize) -> bool {
    let part = |found: char| {
        (found.is_alphanumeric() && !is_han(found)) || matches!(found, '_' | '-' | '/' | '~' | '\\' | '*')
    };
    let before = text[..start].chars().next_back();
    let mut after = text[end..].chars();
    let next = after.next();
    // `a.txt.bak` is another file; a full stop at the end of a sentence is not.
    let goes_on = next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
    !before.is_some_and(|found| part(found) || found == '.') && !next.is_some_and(part) && !goes_on
}
