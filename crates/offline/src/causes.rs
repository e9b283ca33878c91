//! What stands against a request before anything is done: a file, a folder, a column or a repository that is not there.

use artoo_request::Language;
use artoo_types::plan::Decline;
use artoo_types::situation::{AskedPath, FileHead, PathKind, Situation, UnreadText};

use crate::clause::{Clause, RequestKind, UnderstoodRequest};
use crate::measure::Scope;
use crate::named::{Surroundings, typed};
use crate::places::{NamedPlace, absolute};
use crate::table::{json_names, json_value, read_csv};

/// Names of columns that are told.
const MAX_COLUMNS: usize = 20;
/// Requests about the repository of a folder.
const ABOUT_REPOSITORIES: [RequestKind; 13] = [
    RequestKind::GitBy,
    RequestKind::GitSince,
    RequestKind::GitLastFiles,
    RequestKind::GitFileDiff,
    RequestKind::GitFileLog,
    RequestKind::GitBranches,
    RequestKind::GitTags,
    RequestKind::GitStatus,
    RequestKind::GitLog,
    RequestKind::GitAuthors,
    RequestKind::GitBranch,
    RequestKind::GitDiff,
    RequestKind::GitCount,
];

/// The first cause, as a refusal of one sentence with what helps.
pub(crate) fn cause(scope: &Scope, around: &Surroundings, request: &UnderstoodRequest) -> Option<Decline> {
    let seen = around.seen.as_deref()?;
    request.clauses.iter().find_map(|clause| {
        missing(scope, around, clause)
            .or_else(|| taken(scope, around, clause))
            .or_else(|| no_repository(scope, seen, clause))
            .or_else(|| unreadable(scope, around, clause))
            .or_else(|| no_column(scope, around, clause))
            .or_else(|| no_value(scope, around, clause))
    })
}

fn missing(scope: &Scope, around: &Surroundings, clause: &Clause) -> Option<Decline> {
    let slots = &clause.slots;
    // Where a name is looked for, it need not be here; and what is changed is looked at where it is changed.
    if clause.kind == RequestKind::FindNamed || clause.kind.is_doing() {
        return None;
    }
    let files = [&slots.file, &slots.second_file].into_iter().flatten();
    for place in files {
        let Some(asked) = around.asked(&absolute(place, &scope.setting)) else { continue };
        if asked.kind == PathKind::Missing {
            return Some(not_there(scope, around, asked, false));
        }
    }
    let place = slots.place.as_ref().filter(|place| !matches!(place, NamedPlace::Here))?;
    let asked = around.asked(&absolute(place, &scope.setting))?;
    (asked.kind == PathKind::Missing).then(|| not_there(scope, around, asked, true))
}

/// The refusal where something of the new file's name is there: nothing is overwritten.
fn taken(scope: &Scope, around: &Surroundings, clause: &Clause) -> Option<Decline> {
    let path = absolute(clause.slots.goal.save.as_ref()?, &scope.setting);
    let asked = around.asked(&path).filter(|asked| asked.kind != PathKind::Missing)?;
    Some(taken_by(scope, &asked.path))
}

/// The refusal of a name that something has already.
pub(crate) fn taken_by(scope: &Scope, path: &str) -> Decline {
    let name = relative(scope, path);
    match scope.language {
        Language::English => refusal(
            format!("{name} is there already, and is not overwritten"),
            "Choose another name".to_owned(),
        ),
        Language::Chinese => refusal(format!("{name} 已经存在，不会覆盖"), "请换一个名字".to_owned()),
    }
}

/// Puts the path of a file in the place of its name where the name is not here and one file of this name, and no other like it,
/// lies further down in the working folder: that one is meant. What a person is told of it.
pub(crate) fn settle(scope: &Scope, around: &Surroundings, request: &mut UnderstoodRequest) -> Vec<String> {
    let mut told = Vec::new();
    for clause in &mut request.clauses {
        // Where a name is looked for, it need not be here; and what is changed is looked at where it is changed.
        if clause.kind == RequestKind::FindNamed || clause.kind.is_doing() {
            continue;
        }
        for place in [&mut clause.slots.file, &mut clause.slots.second_file].into_iter().flatten() {
            let Some(asked) = around.asked(&absolute(place, &scope.setting)) else { continue };
            let Some(only) = only_below(scope, asked) else { continue };
            let (name, path) = (relative(scope, &asked.path), relative(scope, only));
            let remark = match scope.language {
                Language::English => format!("{name} is {path}"),
                Language::Chinese => format!("{name} 即 {path}"),
            };
            if !told.contains(&remark) {
                told.push(remark);
            }
            *place = NamedPlace::Path(only.to_owned());
        }
    }
    told
}

/// The one file of this name further down in the working folder, if nothing is at the path and no other name is like it.
fn only_below<'a>(scope: &Scope, asked: &'a AskedPath) -> Option<&'a str> {
    let here = format!("{}/", scope.setting.working_directory.trim_end_matches('/'));
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let below: Vec<&String> = asked.near.iter().filter(|path| path.starts_with(&here)).collect();
    match below.as_slice() {
        [only] if asked.kind == PathKind::Missing && name(only) == name(&asked.path) => Some(only),
        _ => None,
    }
}

pub(crate) fn not_there(scope: &Scope, around: &Surroundings, asked: &AskedPath, folder: bool) -> Decline {
    let (parent, name) = asked.path.rsplit_once('/').unwrap_or(("", &asked.path));
    let parent = if parent.is_empty() { "/" } else { parent };
    let here = parent == scope.setting.working_directory;
    let place = shown(scope, parent);
    let cause = match (scope.language, here) {
        (Language::English, true) if folder => format!("there is no folder {name} here"),
        (Language::English, true) => format!("there is no {name} here"),
        (Language::English, false) => format!("there is no {name} in {place}"),
        (Language::Chinese, true) if folder => format!("这里没有文件夹 {name}"),
        (Language::Chinese, true) => format!("这里没有 {name}"),
        (Language::Chinese, false) => format!("{place} 里没有 {name}"),
    };
    let near: Vec<String> = asked.near.iter().map(|path| relative(scope, path)).collect();
    let words = near.join(scope.say(", ", "、"));
    // Of tables of this name that one is offered which has what is asked for.
    let wanted = around.key.as_deref().unwrap_or_default().to_lowercase();
    let has_it = |other: &&FileHead| {
        let seen = AskedPath { head: other.text.clone(), ..asked.clone() };
        columns(&seen).is_some_and(|columns| columns.iter().any(|column| column.to_lowercase() == wanted))
    };
    let fitting = asked.others.iter().find(has_it).map(|other| relative(scope, &other.path));
    let command = fitting.as_ref().or(near.first());
    let command = command.and_then(|path| around.said_with(&[&relative(scope, &asked.path), name], path));
    match (near.is_empty(), scope.language) {
        (false, Language::English) => {
            refusal(format!("{cause}; did you mean {words}?"), command.unwrap_or_default())
        }
        (false, Language::Chinese) => {
            refusal(format!("{cause}；是不是 {words}？"), command.unwrap_or_default())
        }
        (true, language) => {
            let list =
                if here { language.pick("what is in this folder", "当前目录里有什么") } else { "" };
            let next = match language {
                Language::English if !list.is_empty() => format!("To see what is here: {}", typed(list)),
                Language::Chinese if !list.is_empty() => format!("看看这里有什么：{}", typed(list)),
                Language::English | Language::Chinese => String::new(),
            };
            refusal(cause, next)
        }
    }
}

fn no_repository(scope: &Scope, seen: &Situation, clause: &Clause) -> Option<Decline> {
    let here = clause.slots.place.as_ref().is_none_or(|place| *place == NamedPlace::Here);
    let about = ABOUT_REPOSITORIES.contains(&clause.kind);
    if !(seen.outside_repository && here && about) {
        return None;
    }
    let place = shown(scope, &scope.setting.working_directory);
    Some(match scope.language {
        Language::English => refusal(
            format!("{place} is in no git repository"),
            "Ask again in the folder of the repository, or name it: git status in ~/project".to_owned(),
        ),
        Language::Chinese => refusal(
            format!("{place} 不在任何 git 仓库里"),
            "请到仓库所在的文件夹里再问，或者写出仓库的位置".to_owned(),
        ),
    })
}

/// The names of the columns of a table, from its first line.
pub(crate) fn columns(asked: &AskedPath) -> Option<Vec<String>> {
    let (line, rest) = asked.head.split_once('\n').unwrap_or((&asked.head, ""));
    // A header that was cut, or goes over several lines, is not known.
    if rest.is_empty() && !asked.is_whole {
        return None;
    }
    read_csv(line.trim_end_matches('\r')).ok()?.into_iter().next()
}

/// Requests about a file that read no text of it.
const READ_NO_TEXT: [RequestKind; 9] = [
    RequestKind::CompareFiles,
    RequestKind::Checksum,
    RequestKind::Md5,
    RequestKind::FileDetails,
    RequestKind::ArchiveList,
    RequestKind::ImageSize,
    RequestKind::FindNamed,
    RequestKind::GitFileLog,
    RequestKind::GitFileDiff,
];

/// The refusal of a file whose text cannot be read, or of a table that is empty.
fn unreadable(scope: &Scope, around: &Surroundings, clause: &Clause) -> Option<Decline> {
    if READ_NO_TEXT.contains(&clause.kind) || clause.kind.is_doing() {
        return None;
    }
    let path = absolute(clause.slots.file.as_ref()?, &scope.setting);
    let asked = around.asked(&path)?;
    let name = relative(scope, &path);
    if asked.kind == PathKind::File && is_empty_table(asked) {
        return Some(refusal(empty(scope.language, &name), String::new()));
    }
    let (english, chinese, next) = match asked.unread.as_ref()? {
        UnreadText::Binary(kind) => (
            format!("{name} is no text, but {kind}"),
            format!("{name} 不是文本文件"),
            match scope.language {
                Language::English => format!("Its size and digest can be told: sha256 of {name}"),
                Language::Chinese => format!("可以查看它的大小和校验和：{name}的sha256"),
            },
        ),
        UnreadText::Encoding(encoding) => (
            format!("{name} is {encoding} text, and the built-in rules read UTF-8"),
            format!("{name} 是 {encoding} 编码的文本，内置规则只读 UTF-8"),
            match scope.language {
                Language::English => {
                    format!("Make a copy that can be read: iconv -f {encoding} -t UTF-8 {name} > utf8-{name}")
                }
                Language::Chinese => format!("先转换一份：iconv -f {encoding} -t UTF-8 {name} > utf8-{name}"),
            },
        ),
    };
    Some(refusal(scope.say(&english, &chinese).to_owned(), next))
}

/// Whether a table is known to hold nothing, not even a heading.
pub(crate) fn is_empty_table(asked: &AskedPath) -> bool {
    let lower = asked.path.to_lowercase();
    asked.is_whole && asked.head.trim().is_empty() && (lower.ends_with(".csv") || lower.ends_with(".json"))
}

/// What is said of a table that holds nothing.
pub(crate) fn empty(language: Language, name: &str) -> String {
    match language {
        Language::English => format!("{name} is empty: it has no heading and no rows"),
        Language::Chinese => format!("{name} 是空的：没有表头，也没有数据"),
    }
}

/// The refusal for a name that a JSON file does not have.
fn no_value(scope: &Scope, around: &Surroundings, clause: &Clause) -> Option<Decline> {
    if clause.kind != RequestKind::ConfigValue {
        return None;
    }
    let path = absolute(clause.slots.file.as_ref()?, &scope.setting);
    let asked = around.asked(&path).filter(|asked| asked.is_whole)?;
    let wanted = clause.slots.key.as_deref()?;
    let names = json_names(&asked.head);
    if names.is_empty() || json_value(&asked.head, wanted).is_ok() {
        return None;
    }
    let name = relative(scope, &path);
    let has: Vec<&str> = names.iter().take(MAX_COLUMNS).map(String::as_str).collect();
    let has = has.join(scope.say(", ", "、"));
    Some(refusal(
        match scope.language {
            Language::English => format!("{name} has no \"{wanted}\"; at its top it has: {has}"),
            Language::Chinese => format!("{name} 里没有“{wanted}”；最上层有：{has}"),
        },
        String::new(),
    ))
}

fn no_column(scope: &Scope, around: &Surroundings, clause: &Clause) -> Option<Decline> {
    if clause.kind != RequestKind::ColumnStatistic {
        return None;
    }
    let path = absolute(clause.slots.file.as_ref()?, &scope.setting);
    let asked = around.asked(&path)?;
    let columns = columns(asked)?;
    let wanted = clause.slots.key.as_deref()?;
    let is = |column: &String| column.to_lowercase() == wanted.to_lowercase();
    (!columns.iter().any(is)).then(|| no_such_column(scope, around, asked, wanted, &columns))
}

/// The refusal for a column that a table does not have, with the table of the same name that has it, where one is known.
fn no_such_column(
    scope: &Scope,
    around: &Surroundings,
    asked: &AskedPath,
    wanted: &str,
    has: &[String],
) -> Decline {
    let refusal = column_missing(scope.language, &asked.path, wanted, has);
    let is = |column: &String| column.to_lowercase() == wanted.to_lowercase();
    let has_it = |other: &&FileHead| {
        let seen = AskedPath { head: other.text.clone(), ..asked.clone() };
        columns(&seen).is_some_and(|columns| columns.iter().any(is))
    };
    let name = relative(scope, &asked.path);
    let offer = asked.others.iter().find(has_it).and_then(|other| {
        let path = relative(scope, &other.path);
        let bare = asked.path.rsplit('/').next().unwrap_or_default();
        let command = around.said_with(&[&name, bare], &path)?;
        Some(match scope.language {
            Language::English => format!("{path} has a column {wanted}: {command}"),
            Language::Chinese => format!("{path} 有“{wanted}”这一列：{command}"),
        })
    });
    Decline { nearest: offer.into_iter().chain(refusal.nearest).collect(), ..refusal }
}

/// The refusal for a column that a table does not have.
pub(crate) fn column_missing(language: Language, path: &str, wanted: &str, columns: &[String]) -> Decline {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has: Vec<&str> = columns.iter().take(MAX_COLUMNS).map(String::as_str).collect();
    let has = has.join(language.pick(", ", "、"));
    let near = columns
        .iter()
        .find(|column| strsim::osa_distance(&column.to_lowercase(), &wanted.to_lowercase()) == 1);
    let next = near.map(|near| match language {
        Language::English => format!("Did you mean {near}?"),
        Language::Chinese => format!("是不是“{near}”？"),
    });
    refusal(
        match language {
            Language::English => format!("{name} has no column \"{wanted}\"; it has: {has}"),
            Language::Chinese => format!("{name} 没有“{wanted}”这一列；已有的列：{has}"),
        },
        next.unwrap_or_default(),
    )
}

/// A path as the person would write it here.
pub(crate) fn relative(scope: &Scope, path: &str) -> String {
    let here = format!("{}/", scope.setting.working_directory.trim_end_matches('/'));
    path.strip_prefix(&here).map_or_else(|| shown(scope, path), str::to_owned)
}

pub(crate) fn shown(scope: &Scope, path: &str) -> String {
    let home = scope.setting.home.trim_end_matches('/');
    match path.strip_prefix(home).filter(|_| !home.is_empty()) {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}

pub(crate) fn refusal(reason: String, next: String) -> Decline {
    let nearest = if next.is_empty() { Vec::new() } else { vec![next] };
    Decline { reason, nearest, how_to_configure: String::new(), is_plain: true }
}
