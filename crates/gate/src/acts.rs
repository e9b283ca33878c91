//! Programs that act: what they would do, and to what.

use artoo_types::evidence::EffectClass;

use super::findings::RevealedText;
use super::options::is_one_of;
use super::programs::flags::{
    FETCHES, MAKES_NEW, MOVES, RESERVES, REVEALS, SENDS, SETS_MODES, SHOWS_ENVIRONMENT, SPARES, STOPS,
    USES_KEYS,
};
use super::programs::row::{Call, Changed, Changes};
use super::walk::{BELOW_SCRATCH, Walk};
use super::{ModeOrder, changes, glob, localhost, never, quantity};
use crate::arg::{Arg, Hole, Part};

/// Judges a use of a program that is not harmless.
pub(crate) fn judge(call: Call<'_>, walk: &mut Walk<'_>) {
    let Call { name, program, args } = call;
    let is_whole = |arg: &Arg| arg.is_scratch() && arg.0.len() == 1;
    // One that could not be made would be empty, and what stands behind it another place.
    let is_own = if program.effect == EffectClass::Delete { is_whole } else { Arg::is_scratch };
    if works_in_scratch(call, is_own, walk) {
        return;
    }
    if program.has(RESERVES) {
        quantity::check_size(walk, args);
    }
    if works_in_scratch(call, Arg::is_below_scratch, walk) {
        walk.found.act(EffectClass::Unknown, BELOW_SCRATCH);
        never::check(call, walk);
        return;
    }
    let changes = changes::of(program, args, walk);
    let effect = effect_of(call, walk);
    let is_own = match program.effect {
        EffectClass::Send => localhost::asks_itself(args),
        EffectClass::System => program.has(STOPS) && localhost::ends_own(args),
        EffectClass::Read
        | EffectClass::Create
        | EffectClass::Overwrite
        | EffectClass::Delete
        | EffectClass::Unknown => false,
    };
    match (verb(program.effect), &changes) {
        (Some(verb), _) if is_own => walk.found.act_on_itself(effect, &format!("{name} {verb}")),
        (Some(verb), _) if is_sparing(call, changes.as_deref()) => {
            walk.found.act_sparing(effect, &format!("{name} {verb}"), changes.as_deref());
        }
        (Some(verb), Some(changes)) => walk.found.act_on(effect, &format!("{name} {verb}"), changes),
        (Some(verb), None) => walk.found.act(effect, &format!("{name} {verb}")),
        (None, _) => walk.found.act(effect, &format!("what {name} does is not known")),
    }
    let is_first_mode = matches!(program.changes, Changes::Exactly { operands: Changed::AfterFirst, .. });
    let is_unknown = |arg: &Arg| is_first_mode && arg.fixed().is_none();
    let mode = args.iter().find(|arg| !arg.is_option());
    if program.has(SETS_MODES) && (args.iter().any(is_special_mode) || mode.is_some_and(is_unknown)) {
        walk.found
            .act(EffectClass::System, "it lets a program run with the rights of its owner or its group");
    }
    if program.has(SETS_MODES) && is_first_mode {
        note_modes(mode, changes.as_deref(), walk);
    }
    walk.found.sends |= program.effect == EffectClass::Send || program.has(SENDS);
    walk.found.stops |= program.has(STOPS);
    if program.has(REVEALS) {
        walk.found.reveal(RevealedText::Secrets);
    }
    if program.has(SHOWS_ENVIRONMENT) && !only_assigns(args) {
        walk.found.reveal(RevealedText::Environment);
    }
    if program.has(FETCHES) {
        note_fetched(args, walk);
    }
    let uses_keys = program.has(USES_KEYS);
    let mut follows_option = false;
    for arg in args {
        let is_naming = uses_keys && (arg.is_option() || follows_option);
        follows_option = arg.is_option();
        walk.scope.uses_keys = is_naming;
        look(arg, walk);
    }
    walk.scope.uses_keys = false;
    for arg in args.iter().filter(|a| !a.is_option()) {
        walk.operand(arg);
    }
    touch(call, walk);
    changes.into_iter().flatten().for_each(|path| walk.found.touch(path));
    never::check(call, walk);
}

/// Notes the files whose mode is set to this.
fn note_modes(mode: Option<&Arg>, changes: Option<&[String]>, walk: &mut Walk<'_>) {
    let (Some(text), Some(changes)) = (mode.and_then(Arg::fixed), changes) else { return };
    for path in changes {
        walk.found.sets_mode(ModeOrder { path: path.clone(), text: text.clone() });
    }
}

/// Whether all that it changes is in the call's own temporary folder, as this tells of a word.
fn works_in_scratch(call: Call<'_>, is_own: impl Fn(&Arg) -> bool, walk: &mut Walk<'_>) -> bool {
    let Changes::Exactly { operands, .. } = call.program.changes else { return false };
    let words: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    let fits = |arg: &&Arg| is_own(arg);
    let is_there = match (operands, words.as_slice()) {
        (Changed::Each | Changed::New, [_, ..]) => words.iter().all(fits),
        (Changed::AfterFirst, [_, rest @ ..]) => !rest.is_empty() && rest.iter().all(fits),
        (Changed::IntoLast, [sources @ .., last]) if !sources.is_empty() && !call.program.has(MOVES) => {
            let is_in = is_own(last) || is_folder_of_scratch(last);
            if is_in && call.args.iter().all(|arg| !arg.may_hide_option()) {
                sources.iter().for_each(|source| walk.path(source, true));
            }
            is_in
        }
        (
            Changed::Each | Changed::New | Changed::AfterFirst | Changed::IntoLast | Changed::MovedIntoLast,
            _,
        ) => false,
    };
    is_there && call.args.iter().all(|arg| !arg.may_hide_option() && !is_special_mode(arg))
}

/// Whether it is a temporary folder with the dash behind it that says that it is one.
fn is_folder_of_scratch(arg: &Arg) -> bool {
    matches!(arg.0.as_slice(), [Part::Hole { kind: Hole::Scratch, .. }, Part::Text(text)] if text == "/")
}

/// Whether all of its words give variables their values, so that none is shown.
fn only_assigns(args: &[Arg]) -> bool {
    let is_plain = |arg: &Arg| {
        let text = arg.prefix();
        if arg.is_option() { !text.contains('p') } else { text.contains('=') }
    };
    args.iter().any(|arg| !arg.is_option()) && args.iter().all(is_plain)
}

/// Whether a word is a mode that gives more than its owner's own rights: the bits of setuid and setgid.
fn is_special_mode(arg: &Arg) -> bool {
    let text = arg.shown();
    let text = text.trim_start_matches("--mode=").trim_start_matches("-m");
    let is_number = text.len() > 3 && text.bytes().all(|b| (b'0'..=b'7').contains(&b));
    let is_symbolic = text.contains(['+', '=']) && text.bytes().all(|b| b"ugoarwxXst+=-,".contains(&b));
    is_number && u32::from_str_radix(text, 8).is_ok_and(|mode| mode & 0o6000 != 0)
        || is_symbolic && text.contains('s')
}

/// Whether this use puts nothing in the place of another file: an option says so, or nothing is where it puts its files.
fn is_sparing(call: Call<'_>, changes: Option<&[String]>) -> bool {
    let Call { program, args, .. } = call;
    let options = args.iter().filter(|arg| arg.is_option());
    let Some(options) = options.map(Arg::fixed).collect::<Option<Vec<String>>>() else { return false };
    let is_plain = |option: &String| match option.strip_prefix("--") {
        Some(long) => {
            matches!(
                long,
                "" | "no-clobber" | "verbose" | "recursive" | "archive" | "parents" | "target-directory"
            ) || long.starts_with("target-directory=")
        }
        None => option.bytes().skip(1).all(|letter| b"nvrRapt".contains(&letter)),
    };
    if !program.has(SPARES) || !options.iter().all(is_plain) {
        return false;
    }
    let keeps =
        |option: &String| option == "--no-clobber" || !option.starts_with("--") && option.contains('n');
    let is_free = |path: &String| std::fs::symlink_metadata(path).is_err();
    // Of what is moved the first half is where it was.
    let lands = changes.map(|paths| if program.has(MOVES) { &paths[paths.len() / 2..] } else { paths });
    program.effect == EffectClass::Create
        || options.iter().any(keeps)
        || lands.is_some_and(|paths| paths.iter().all(is_free))
}

/// What a program with this effect does, in words; None if that is not known.
fn verb(effect: EffectClass) -> Option<&'static str> {
    match effect {
        EffectClass::Delete => Some("deletes"),
        EffectClass::Overwrite => Some("may replace or change what is there"),
        EffectClass::Create => Some("makes something new"),
        EffectClass::Send => Some("talks to the network"),
        EffectClass::System => Some("changes the machine"),
        EffectClass::Read | EffectClass::Unknown => None,
    }
}

/// Remembers the files into which a program puts what it fetches: its output option, or the last part of an address.
fn note_fetched(args: &[Arg], walk: &mut Walk<'_>) {
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
            walk.fetched_into(&Arg::plain(&name));
        }
    }
}

/// Whether a word is letters behind one dash.
fn is_cluster(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| letters.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Looks at every path that a word names: also behind a sign, as in `name=@path`, `-o=path`, `host:path`.
fn look(arg: &Arg, walk: &mut Walk<'_>) {
    let is_option = arg.is_option();
    let shown = arg.shown();
    for piece in
        shown.split(['@', '=', ':', ',']).filter(|piece| piece.contains('/') || piece.starts_with('~'))
    {
        walk.path(&Arg::plain(piece), false);
    }
    if is_option {
        return;
    }
    walk.path(arg, false);
    if arg.is_pattern() && arg.fixed().is_none() {
        for text in glob::expand(arg, &walk.scope.folder, true).unwrap_or_default() {
            walk.path(&Arg::plain(&text), false);
        }
    }
}

/// Tells what an act touches: what it may write, where that can be told, else the folder that it is in.
fn touch(call: Call<'_>, walk: &mut Walk<'_>) {
    let operands: Vec<&Arg> = call.args.iter().filter(|a| !a.is_option()).collect();
    match call.program.effect {
        EffectClass::Send | EffectClass::System => {
            for arg in operands {
                walk.found.touch(named(arg, walk));
            }
        }
        EffectClass::Delete | EffectClass::Overwrite | EffectClass::Create | EffectClass::Read => {
            written(call.program.changes, &operands, walk);
        }
        EffectClass::Unknown => {
            walk.found.touch(walk.scope.folder.clone());
            for arg in operands {
                let is_there = arg.fixed().is_some_and(|t| t.contains('/') || walk.is_there(&t));
                if is_there {
                    walk.found.touch(named(arg, walk));
                }
            }
        }
    }
}

/// What a program that writes files touches.
fn written(changes: Changes, operands: &[&Arg], walk: &mut Walk<'_>) {
    use Changed::{AfterFirst, Each, IntoLast, MovedIntoLast, New};
    match (changes, operands) {
        (Changes::Folder, _) => {
            walk.found.touch(walk.scope.folder.clone());
            operands.iter().for_each(|arg| touch_paths(arg, walk));
        }
        (Changes::OutputFile, _) => {
            for text in operands.iter().filter_map(|a| a.fixed()) {
                if let Some(path) = text.strip_prefix("of=") {
                    walk.found.touch(walk.scope.resolve(path));
                }
            }
        }
        (Changes::AllOfLast, [_, .., last]) => touch_paths(last, walk),
        (
            Changes::IntoLast | Changes::Exactly { operands: IntoLast | MovedIntoLast, .. },
            [sources @ .., last],
        ) if !sources.is_empty() => {
            if matches!(changes, Changes::Exactly { operands: MovedIntoLast, .. }) {
                sources.iter().for_each(|source| touch_paths(source, walk));
            }
            let into = last.fixed().filter(|text| walk.is_folder(text));
            match into {
                Some(folder) if sources.iter().all(|s| s.fixed().is_some()) => {
                    for source in sources.iter().filter_map(|s| s.fixed()) {
                        walk.found.touch(walk.scope.resolve(&inside(&folder, &source)));
                    }
                }
                Some(_) | None => touch_paths(last, walk),
            }
        }
        (Changes::Exactly { operands: AfterFirst, .. }, [_, rest @ ..]) => {
            rest.iter().for_each(|arg| touch_paths(arg, walk));
        }
        (
            Changes::Operands
            | Changes::IntoLast
            | Changes::AllOfLast
            | Changes::Exactly { operands: Each | New | AfterFirst | IntoLast | MovedIntoLast, .. },
            _,
        ) => operands.iter().for_each(|arg| touch_paths(arg, walk)),
    }
}

/// Where a program puts a source that it is told to put into a folder.
pub(crate) fn inside(folder: &str, source: &str) -> String {
    let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// Every path that a word stands for: what a pattern matches now; the folder that it is in when nobody can tell.
pub(crate) fn touch_paths(arg: &Arg, walk: &mut Walk<'_>) {
    if let Some(text) = arg.fixed() {
        if !text.is_empty() {
            walk.found.touch(walk.scope.resolve(&text));
        }
        return;
    }
    let matches = glob::expand(arg, &walk.scope.folder, true)
        .map(|all| all.into_iter().filter(|text| walk.is_there(text)).collect::<Vec<_>>());
    match matches {
        Some(texts) if !texts.is_empty() => {
            for text in texts {
                walk.found.touch(walk.scope.resolve(&text));
            }
        }
        Some(_) | None => {
            let known = arg.prefix();
            let folder = known.rsplit_once('/').map_or(".", |(folder, _)| folder);
            walk.found.touch(walk.scope.resolve(if folder.is_empty() { "/" } else { folder }));
        }
    }
}

/// A path where it is one, else the word as it stands: a host, a service, an address.
fn named(arg: &Arg, walk: &Walk<'_>) -> String {
    match arg.fixed() {
        Some(text)
            if !text.contains("://") && (text.starts_with(['/', '.', '~']) || walk.is_there(&text)) =>
        {
            walk.scope.resolve(&text)
        }
        Some(_) | None => arg.shown(),
    }
}

/// Copying or linking to a name that is free makes something new.
fn effect_of(call: Call<'_>, walk: &Walk<'_>) -> EffectClass {
    let last = call.args.last().and_then(Arg::fixed);
    let is_free = last.is_some_and(|t| !walk.is_there(&t));
    let is_forced = call.args.iter().any(|a| a.is_option() && is_one_of(&a.prefix(), "f", &["force"]));
    let is_plain = call.program.has(MAKES_NEW) && call.args.len() <= 3 && !is_forced;
    if is_plain && is_free { EffectClass::Create } else { call.program.effect }
}
