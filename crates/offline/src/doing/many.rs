//! Files of a kind in the working folder: moved, copied, deleted or renamed, each by its name, so that what is asked and what is
//! kept is known before.

use artoo_types::plan::Decline;

use super::{Deed, Doing, Order};
use crate::clause::RequestKind;
use crate::places::absolute;
use crate::shell::{endings, name_pattern, quote};

/// Most files that one request is done for: a person who is asked reads them.
const MOST_FILES: usize = 40;
/// Most new names that are shown before.
const MOST_SHOWN: usize = 12;

/// Files of a kind that are moved, copied or deleted.
pub(super) fn files(deed: &Deed<'_>) -> Doing {
    let names = matching(deed)?;
    let here = deed.here();
    let from: Vec<String> = names.iter().map(|name| format!("{here}/{name}")).collect();
    let quoted = from.iter().map(|path| quote(path)).collect::<Vec<_>>().join(" ");
    let count = names.len();
    let word = deed.scope.files_word(&deed.clause.slots);
    if deed.clause.kind == RequestKind::DeleteMany {
        return Ok(deed.done(Order {
            intent: deed.say(
                format!("Delete {count} {word}: {}", names.join(", ")),
                format!("删除 {count} 个{word}：{}", names.join("、")),
            ),
            command: format!("rm -- {quoted}"),
            programs: vec!["rm"],
            made: Vec::new(),
            gone: from,
        }));
    }
    let moves = deed.clause.kind == RequestKind::MoveMany;
    let folder = deed.new_path(here).unwrap_or_default();
    let made: Vec<String> = names.iter().map(|name| format!("{folder}/{name}")).collect();
    if let Some(taken) = made.iter().find(|path| deed.is_there(path)) {
        return Err(crate::causes::taken_by(deed.scope, taken));
    }
    let program = if moves { "mv" } else { "cp" };
    let left: String =
        from.iter().filter(|_| moves).map(|path| format!(" && test ! -e {}", quote(path))).collect();
    let shown = deed.shown(&folder);
    let intent = if moves {
        deed.say(format!("Move {count} {word} to {shown}"), format!("把 {count} 个{word}移动到 {shown}"))
    } else {
        deed.say(format!("Copy {count} {word} to {shown}"), format!("把 {count} 个{word}复制到 {shown}"))
    };
    Ok(deed.done(Order {
        intent,
        command: format!("mkdir -p -- {0} && {program} -n -- {quoted} {0}/{left}", quote(&folder)),
        programs: vec![program, "mkdir", "test"],
        made,
        gone: if moves { from } else { Vec::new() },
    }))
}

/// The names of the files that are meant, in the working folder itself.
fn matching(deed: &Deed<'_>) -> Result<Vec<String>, Decline> {
    let slots = &deed.clause.slots;
    let none = |english: &str, chinese: &str, next: (&str, &str)| {
        deed.refuse((english.to_owned(), chinese.to_owned()), (next.0.to_owned(), next.1.to_owned()))
    };
    if slots.place.as_ref().is_some_and(|place| absolute(place, &deed.scope.setting) != deed.here()) {
        return Err(none(
            "files of a kind are changed in the folder that you are in alone",
            "只能对当前文件夹里的一类文件这样做",
            ("Ask again in that folder", "请到那个文件夹里再说一次"),
        ));
    }
    // Which files are meant must be said, and code must be able to tell them.
    let is_chosen = slots.what.is_some() || slots.name.is_some() || slots.larger.or(slots.smaller).is_some();
    if !is_chosen || slots.newer.or(slots.older).is_some() {
        return Err(none(
            "it is not clear which files are meant",
            "不清楚指的是哪些文件",
            ("Name the files, or their ending: all .tmp files", "请写出文件名，或扩展名：所有 .tmp 文件"),
        ));
    }
    let seen = deed.around.seen.as_deref();
    let entries = seen.into_iter().flat_map(|seen| &seen.entries);
    let names: Vec<String> = entries
        .filter(|entry| !entry.path.contains('/') && !entry.path.starts_with('.'))
        .filter(|entry| {
            slots.larger.is_none_or(|least| entry.bytes > least)
                && slots.smaller.is_none_or(|most| entry.bytes < most)
        })
        .map(|entry| entry.path.clone())
        .filter(|name| is_meant(deed, name))
        .collect();
    if names.is_empty() {
        let word = deed.scope.files_word(slots);
        return Err(none(
            &format!("there are no {word} in this folder"),
            &format!("这个文件夹里没有{word}"),
            ("", ""),
        ));
    }
    if names.len() > MOST_FILES || seen.is_some_and(|seen| seen.has_more) {
        return Err(none(
            "there are too many files here to name each of them",
            "这里的文件太多，无法逐个列出",
            ("Name the files, or work in a smaller folder", "请写出文件名，或在较小的文件夹里操作"),
        ));
    }
    Ok(names)
}

fn is_meant(deed: &Deed<'_>, name: &str) -> bool {
    let slots = &deed.clause.slots;
    let lower = name.to_lowercase();
    let endings = endings(slots);
    let has_ending =
        endings.is_empty() || endings.iter().any(|ending| lower.ends_with(&format!(".{ending}")));
    has_ending
        && slots
            .name
            .as_deref()
            .filter(|_| !deed.clause.kind.renames_many())
            .is_none_or(|wanted| fits(&name_pattern(&wanted.to_lowercase()), &lower))
}

/// Whether a name fits a pattern with `*` and `?`.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for sign in pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match sign {
                '*' => reached[at] || at > 0 && next[at - 1],
                '?' => at > 0 && reached[at - 1],
                sign => at > 0 && reached[at - 1] && name[at - 1] == sign,
            };
        }
        reached = next;
    }
    reached[name.len()]
}

/// Other names for files of the working folder: shown first, given when the person agrees.
pub(super) fn renamed(deed: &Deed<'_>) -> Doing {
    let slots = &deed.clause.slots;
    if slots.place.as_ref().is_some_and(|place| absolute(place, &deed.scope.setting) != deed.here()) {
        return Err(deed.refuse(
            (
                "files are renamed in the folder that you are in alone".to_owned(),
                "只能重命名当前文件夹里的文件".to_owned(),
            ),
            ("Ask again in that folder".to_owned(), "请到那个文件夹里再说一次".to_owned()),
        ));
    }
    let pairs = pairs(deed)?;
    let shown: Vec<String> = pairs.iter().map(|(old, new)| format!("{old} → {new}")).collect();
    let count = pairs.len();
    if !slots.goal.agreed {
        return Err(preview(deed, &shown));
    }
    let here = deed.here();
    let path = |name: &String| format!("{here}/{name}");
    let commands: Vec<String> = pairs
        .iter()
        .map(|(old, new)| {
            format!("mv -n -- {} {} && test ! -e {}", quote(&path(old)), quote(&path(new)), quote(&path(old)))
        })
        .collect();
    Ok(deed.done(Order {
        intent: deed.say(
            format!("Rename {count} files: {}", shown.join(", ")),
            format!("重命名 {count} 个文件：{}", shown.join("、")),
        ),
        command: commands.join(" && "),
        programs: vec!["mv", "test"],
        made: pairs.iter().map(|(_, new)| path(new)).collect(),
        gone: pairs.iter().map(|(old, _)| path(old)).collect(),
    }))
}

/// The old and new names; declined where two files would get one name, or one that is taken.
fn pairs(deed: &Deed<'_>) -> Result<Vec<(String, String)>, Decline> {
    let slots = &deed.clause.slots;
    let seen = deed.around.seen.as_deref();
    let all: Vec<&str> = seen
        .into_iter()
        .flat_map(|seen| &seen.entries)
        .map(|entry| entry.path.trim_end_matches('/'))
        .collect();
    let files = seen.into_iter().flat_map(|seen| &seen.entries).map(|entry| entry.path.as_str());
    let pairs: Vec<(String, String)> = files
        .filter(|name| !name.contains('/') && !name.starts_with('.') && is_meant(deed, name))
        .map(|name| (name.to_owned(), new_name(deed, name)))
        .filter(|(old, new)| old != new)
        .collect();
    let refuse = |english: String, chinese: String| deed.refuse((english, chinese), Default::default());
    if seen.is_some_and(|seen| seen.has_more) || pairs.len() > MOST_FILES {
        return Err(refuse(
            "there are too many files here to name each of them".to_owned(),
            "这里的文件太多，无法逐个列出".to_owned(),
        ));
    }
    if pairs.is_empty() {
        let word = deed.scope.files_word(slots);
        return Err(refuse(
            format!("there are no {word} here to rename"),
            format!("这里没有要重命名的{word}"),
        ));
    }
    let clash = pairs.iter().enumerate().find(|(at, (_, new))| {
        all.contains(&new.as_str()) || pairs.iter().take(*at).any(|(_, other)| other == new) || new.is_empty()
    });
    match clash {
        Some((_, (old, new))) => Err(refuse(
            format!("{old} cannot be called {new}: that name is taken"),
            format!("{old} 不能改名为 {new}：这个名字已被占用"),
        )),
        None => Ok(pairs),
    }
}

fn new_name(deed: &Deed<'_>, name: &str) -> String {
    let slots = &deed.clause.slots;
    let text = slots.text.as_deref().unwrap_or_default();
    let kind = deed.clause.kind;
    if kind == RequestKind::RenameLowerCase {
        return name.to_lowercase();
    }
    if kind == RequestKind::RenameUnderscores {
        return name.replace(' ', "_");
    }
    if kind == RequestKind::RenameReplace {
        return name.replace(slots.name.as_deref().unwrap_or("\0"), text);
    }
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => format!("{stem}.{text}"),
        _ => name.to_owned(),
    }
}

/// The new names, shown and not given: nothing is done before the person agrees.
fn preview(deed: &Deed<'_>, shown: &[String]) -> Decline {
    let rest = shown.len().saturating_sub(MOST_SHOWN);
    let list = shown.iter().take(MOST_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = if rest > 0 {
        deed.say(format!(" and {rest} more"), format!(" 等 {} 个", shown.len()))
    } else {
        String::new()
    };
    deed.refuse(
        (
            format!("Nothing is renamed yet. These would be the new names: {list}{more}"),
            format!("还没有改名。新名字将是：{list}{more}"),
        ),
        ("To rename them: artoo -c \"apply\"".to_owned(), "要改名：artoo -c \"执行\"".to_owned()),
    )
}
