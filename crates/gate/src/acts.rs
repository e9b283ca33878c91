//! Programs that act: what they would do, and to what.

use artoo_types::evidence::EffectClass;
use artoo_types::target::is_below;

use super::options::is_one_of;
use super::survey::Survey;
use super::word::{Arg, Part};
use super::{changes, glob};
use crate::places::canonical;

mod never;
mod table;

pub(super) use never::foreign_text;

use table::{DELETERS, EFFECTS, FETCHERS, KEY_USERS, REVEALERS, STOPPERS, VITAL, VITAL_FILES, VITAL_WHOLLY};

/// Whether the program brings text in from the network.
pub(super) fn fetches(name: &str) -> bool {
    FETCHERS.contains(&name)
}

/// Whether the program deletes what it is given.
pub(super) fn deletes(name: &str) -> bool {
    DELETERS.contains(&name)
}

/// Whether what the program does is known, so that asking it for its version or its help does nothing else.
pub(super) fn is_known(name: &str) -> bool {
    EFFECTS.iter().any(|(_, _, names)| names.contains(&name))
}

/// Whether the path is a disk.
pub(super) fn is_disk(path: &str) -> bool {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-", "loop", "zd",
        "vg",
    ];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
}

/// Whether this path, or everything directly in it, is a home, a system, or holds one.
pub(super) fn is_vital(path: &str, survey: &Survey<'_>) -> bool {
    let path = path.trim_end_matches(['*', '?']);
    let normal = survey.resolve(if path.is_empty() { "." } else { path });
    [normal.clone(), canonical(&normal)].iter().any(|form| {
        let lower = form.to_lowercase();
        let home = survey.places.home.to_lowercase();
        lower == "/"
            || VITAL.contains(&lower.as_str())
            || VITAL_WHOLLY.iter().any(|vital| is_below(&lower, vital))
            || is_below(&home, &lower)
            || is_below(&canonical(&survey.places.home).to_lowercase(), &lower)
            // Another person's home.
            || lower.strip_prefix("/home/").or(lower.strip_prefix("/users/")).is_some_and(|name| !name.contains('/'))
    })
}

/// A file that gets emptied or written over: a disk, or a file that the machine needs, never is.
pub(super) fn overwritten(arg: &Arg, survey: &mut Survey<'_>) {
    let start = arg.prefix();
    let path = survey.resolve(&start);
    if is_disk(&start) || is_disk(&path) {
        survey.forbid("it would overwrite a disk");
    }
    if arg.fixed().is_some() && VITAL_FILES.contains(&path.to_lowercase().as_str()) {
        survey.forbid("it would overwrite a file that the machine needs");
    }
}

/// Judges a program that is not in the table of harmless ones, or a use of one that is not harmless.
pub(super) fn judge(name: &str, args: &[Arg], survey: &mut Survey<'_>) {
    let base = match name {
        _ if name.starts_with("mkfs") => "mkfs",
        _ if name.starts_with("newfs") => "newfs",
        _ => name,
    };
    let row = EFFECTS.iter().find(|(_, _, names)| names.contains(&base));
    let effect = row.map_or(EffectClass::Unknown, |(effect, _, _)| *effect);
    let changes = changes::of(name, args, survey);
    match (row, &changes) {
        (Some((_, what, _)), Some(changes)) => {
            survey.act_on(effect_of(name, args, survey, effect), &format!("{name} {what}"), changes);
        }
        (Some((_, what, _)), None) => {
            survey.act(effect_of(name, args, survey, effect), &format!("{name} {what}"));
        }
        (None, _) => survey.act(effect, &format!("what {name} does is not known")),
    }
    survey.sends |= effect == EffectClass::Send || base == "rsync";
    survey.stops |= STOPPERS.contains(&base);
    survey.reveals |= REVEALERS.contains(&base);
    if fetches(base) {
        note_fetched(args, survey);
    }
    let uses_keys = KEY_USERS.contains(&base);
    let mut follows_option = false;
    for arg in args {
        let is_naming = uses_keys && (arg.is_option() || follows_option);
        follows_option = arg.is_option();
        let revealed = survey.reveals;
        look(arg, survey);
        if is_naming {
            survey.reveals = revealed;
        }
    }
    for arg in args.iter().filter(|a| !a.is_option()) {
        survey.operand(arg);
    }
    touch(base, effect, args, survey);
    changes.into_iter().flatten().for_each(|path| survey.touch(path));
    never::check(base, args, survey);
}

/// Remembers the files into which a program puts what it fetches: its output option, or the last part of an address.
fn note_fetched(args: &[Arg], survey: &mut Survey<'_>) {
    let words: Vec<String> = args.iter().map(Arg::shown).collect();
    for (index, word) in words.iter().enumerate() {
        let name = match word.as_str() {
            "--output" | "--output-document" => words.get(index + 1).cloned(),
            // Also behind other letters, as in -Lso.
            _ if word.ends_with(['o', 'O']) && is_cluster(word) => words.get(index + 1).cloned(),
            _ if word.contains("://") => {
                word.split(['?', '#']).next().and_then(|w| w.rsplit('/').next()).map(str::to_owned)
            }
            _ => word
                .strip_prefix("--output=")
                .or_else(|| word.strip_prefix("--output-document="))
                .or_else(|| word.strip_prefix("-o"))
                .or_else(|| word.strip_prefix("-O"))
                .map(str::to_owned),
        };
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            survey.fetched_into(&Arg::plain(&name));
        }
    }
}

/// Whether a word is letters behind one dash.
fn is_cluster(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| letters.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Looks at every path that a word names: also behind a sign, as in `name=@path`, `-o=path`, `host:path`.
fn look(arg: &Arg, survey: &mut Survey<'_>) {
    let is_option = arg.is_option();
    let shown = arg.shown();
    for piece in
        shown.split(['@', '=', ':', ',']).filter(|piece| piece.contains('/') || piece.starts_with('~'))
    {
        survey.path(&Arg::plain(piece), false);
    }
    if is_option {
        return;
    }
    survey.path(arg, false);
    if arg.is_pattern() && arg.fixed().is_none() {
        for text in glob::expand(arg, &survey.folder, true).unwrap_or_default() {
            survey.path(&Arg::plain(&text), false);
        }
    }
}

/// Tells what an act touches: what it may write, where that can be told, else the folder that it is in.
fn touch(name: &str, effect: EffectClass, args: &[Arg], survey: &mut Survey<'_>) {
    let operands: Vec<&Arg> = args.iter().filter(|a| !a.is_option()).collect();
    match effect {
        EffectClass::Send | EffectClass::System => {
            for arg in operands {
                survey.touch(named(arg, survey));
            }
        }
        EffectClass::Delete | EffectClass::Overwrite | EffectClass::Create | EffectClass::Read => {
            written(name, &operands, survey);
        }
        EffectClass::Unknown => {
            survey.touch(survey.folder.clone());
            for arg in operands {
                let is_there = arg.fixed().is_some_and(|t| t.contains('/') || survey.is_there(&t));
                if is_there {
                    survey.touch(named(arg, survey));
                }
            }
        }
    }
}

/// What programs that write files touch.
fn written(name: &str, operands: &[&Arg], survey: &mut Survey<'_>) {
    let into_last = matches!(name, "cp" | "mv" | "ln" | "install" | "rsync" | "ditto");
    match (name, operands) {
        (
            "tar" | "bsdtar" | "unzip" | "cpio" | "7z" | "7za" | "patch" | "split" | "csplit" | "zip"
            | "ffmpeg",
            _,
        ) => {
            survey.touch(survey.folder.clone());
            for arg in operands {
                touch_paths(arg, survey);
            }
        }
        ("dd", _) => {
            for text in operands.iter().filter_map(|a| a.fixed()) {
                if let Some(path) = text.strip_prefix("of=") {
                    survey.touch(survey.resolve(path));
                }
            }
        }
        (_, [sources @ .., last]) if into_last && !sources.is_empty() => {
            if name == "mv" {
                for source in sources {
                    touch_paths(source, survey);
                }
            }
            let into = last.fixed().filter(|text| survey.is_folder(text));
            match into {
                Some(folder) if name != "rsync" && sources.iter().all(|s| s.fixed().is_some()) => {
                    for source in sources.iter().filter_map(|s| s.fixed()) {
                        survey.touch(survey.resolve(&inside(&folder, &source)));
                    }
                }
                Some(_) | None => touch_paths(last, survey),
            }
        }
        (_, _) => {
            for arg in operands {
                touch_paths(arg, survey);
            }
        }
    }
}

/// Where a program puts a source that it is told to put into a folder.
pub(super) fn inside(folder: &str, source: &str) -> String {
    let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// Every path that a word stands for: what a pattern matches now; the folder that it is in when nobody can tell.
pub(super) fn touch_paths(arg: &Arg, survey: &mut Survey<'_>) {
    if let Some(text) = arg.fixed() {
        if !text.is_empty() {
            survey.touch(survey.resolve(&text));
        }
        return;
    }
    let matches = glob::expand(arg, &survey.folder, true)
        .map(|all| all.into_iter().filter(|text| survey.is_there(text)).collect::<Vec<_>>());
    match matches {
        Some(texts) if !texts.is_empty() => {
            for text in texts {
                survey.touch(survey.resolve(&text));
            }
        }
        Some(_) | None => {
            let known = arg.prefix();
            let folder = known.rsplit_once('/').map_or(".", |(folder, _)| folder);
            survey.touch(survey.resolve(if folder.is_empty() { "/" } else { folder }));
        }
    }
}

/// A path where it is one, else the word as it stands: a host, a service, an address.
fn named(arg: &Arg, survey: &Survey<'_>) -> String {
    match arg.fixed() {
        Some(text)
            if !text.contains("://") && (text.starts_with(['/', '.', '~']) || survey.is_there(&text)) =>
        {
            survey.resolve(&text)
        }
        Some(_) | None => arg.shown(),
    }
}

/// Copying or linking to a name that is free makes something new.
fn effect_of(name: &str, args: &[Arg], survey: &Survey<'_>, effect: EffectClass) -> EffectClass {
    let last = args.last().and_then(Arg::fixed);
    let is_free = last.is_some_and(|t| !survey.is_there(&t));
    let is_forced = args.iter().any(|a| a.is_option() && is_one_of(&a.prefix(), "f", &["force"]));
    let is_plain = matches!(name, "cp" | "ln" | "touch" | "tee") && args.len() <= 3 && !is_forced;
    if is_plain && is_free { EffectClass::Create } else { effect }
}

/// Whether an operand is, or may turn out to be, a home or a system: also `"$UNSET"/*`, which becomes `/*`.
pub(super) fn may_be_vital(arg: &Arg, survey: &Survey<'_>) -> bool {
    if let Some(text) = arg.fixed() {
        return is_vital(&text, survey);
    }
    if arg.is_pattern() {
        let texts = glob::expand(arg, &survey.folder, true).unwrap_or_else(|| vec![arg.shown()]);
        return texts.iter().any(|text| is_vital(text, survey));
    }
    if arg.0.iter().any(|part| matches!(part, Part::Hole { .. })) && survey.has_vital_default() {
        return true;
    }
    // What is not known may be nothing at all.
    let rest: String = arg
        .0
        .iter()
        .map(|part| match part {
            Part::Text(text) | Part::Wild(text) | Part::Split(text) => text.as_str(),
            Part::Hole { .. } => "",
        })
        .collect();
    let words = if arg.is_loose() { rest.split_whitespace().collect() } else { vec![rest.as_str()] };
    words.iter().any(|word| word.starts_with('/') && is_vital(word, survey))
}

/// A `git` command that does more than look.
pub(super) fn git(command: &str, rest: &[Option<String>], survey: &mut Survey<'_>) {
    let effect = match command {
        "push" | "fetch" | "pull" | "clone" | "ls-remote" | "send-email" | "submodule" => EffectClass::Send,
        "clean" | "rm" | "gc" | "prune" | "reflog" | "filter-branch" => EffectClass::Delete,
        "stash" if rest.first().is_some_and(|w| matches!(w.as_deref(), Some("drop" | "clear" | "pop"))) => {
            EffectClass::Delete
        }
        "branch" | "tag" if rest.iter().flatten().any(|w| matches!(w.as_str(), "-d" | "-D" | "--delete")) => {
            EffectClass::Delete
        }
        "reset" | "checkout" | "restore" | "switch" | "revert" | "merge" | "rebase" | "apply" | "am"
        | "mv" | "cherry-pick" | "stash" | "add" | "config" => EffectClass::Overwrite,
        "commit" | "tag" | "branch" | "init" | "worktree" | "notes" => EffectClass::Create,
        _ => EffectClass::Unknown,
    };
    survey.act(effect, &format!("git {command} does more than look"));
    survey.sends |= effect == EffectClass::Send;
    // Whatever it names, it changes the repository around it.
    let folder = survey.folder.clone();
    let top = std::path::Path::new(&folder).ancestors().find(|above| above.join(".git").exists());
    survey.touch(top.map_or_else(|| folder.clone(), |top| top.to_string_lossy().into_owned()));
    for word in rest.iter().flatten().filter(|w| !w.starts_with('-')) {
        survey.path(&Arg::plain(word), false);
        if survey.is_there(word) {
            survey.touch(survey.resolve(word));
        }
    }
}
