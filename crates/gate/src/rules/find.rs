//! `find`: tests and printing, and programs that it runs on what it finds.

use artoo_types::evidence::EffectClass;

use crate::arg::{Arg, Hole};
use crate::listing::Listing;
use crate::paths::PathAccess;
use crate::programs::flags::DELETES;
use crate::programs::row::Call;
use crate::walk::Walk;
use crate::{acts, links, vital};

/// Tests, options and prints that take one argument.
const WITH_VALUE: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-maxdepth",
    "-mindepth",
    "-printf",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-links",
    "-inum",
    "-regextype",
    "-samefile",
    "-lname",
    "-ilname",
    "-fstype",
    "-used",
];
/// Those that take none.
const ALONE: &[&str] = &[
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-o",
    "-or",
    "-a",
    "-and",
    "-not",
    "!",
    "(",
    ")",
    ",",
    "-empty",
    "-readable",
    "-writable",
    "-executable",
    "-depth",
    "-d",
    "-mount",
    "-xdev",
    "-follow",
    "-L",
    "-H",
    "-P",
    "-daystart",
    "-true",
    "-false",
    "-quit",
    "-noleaf",
    "-nouser",
    "-nogroup",
    "-ignore_readdir_race",
    "-E",
    "-x",
];
/// Actions that run programs, delete or write files.
const ACTIONS: &[&str] = &[
    "-delete",
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-fprint",
    "-fprint0",
    "-fprintf",
    "-fls",
    "-files0-from",
];
/// Tests that narrow what an action hits.
const NARROWING: &[&str] =
    &["-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-newer", "-mtime", "-mmin"];

/// Whether a test narrows what `find` lists.
pub(crate) fn is_narrowed(args: &[Arg]) -> bool {
    narrows(&args.iter().map(Arg::fixed).collect::<Vec<_>>())
}

/// Whether a test leaves most things out: not `-name '*'`, nothing denied, and no action for all that it leaves out.
fn narrows(words: &[Option<String>]) -> bool {
    let word = |at: usize| words.get(at).and_then(Option::as_deref).unwrap_or_default();
    let is_test = |at: usize| {
        let denied = at > 0 && matches!(word(at - 1), "-not" | "!");
        NARROWING.contains(&word(at)) && !denied && word(at + 1).contains(char::is_alphanumeric)
    };
    let acts_on_rest =
        (0..words.len()).any(|at| matches!(word(at), "-o" | "-or") && ACTIONS.contains(&word(at + 1)));
    !acts_on_rest && (0..words.len()).any(is_test)
}

/// Judges `find`.
pub(crate) fn find(walk: &mut Walk<'_>, call: Call<'_>) {
    let args = call.args;
    let is_start = |a: &Arg| a.is_option() || matches!(a.fixed().as_deref(), Some("!" | "("));
    let leading =
        args.iter().take_while(|a| matches!(a.fixed().as_deref(), Some("-L" | "-H" | "-P" | "-E" | "-x")));
    let (leading, args) = args.split_at(leading.count());
    let follows = |word: Option<String>| matches!(word.as_deref(), Some("-L" | "-H" | "-follow"));
    let follows = leading.iter().chain(args).any(|a| follows(a.fixed()));
    let (roots, tests) = args.split_at(args.iter().position(is_start).unwrap_or(args.len()));
    for root in roots {
        if root.may_hide_option() {
            walk.found.confirm("a folder of find may turn out to be an option; write ./*");
        }
        walk.path(root, false);
        walk.operand(root);
    }
    if roots.is_empty() {
        walk.operand(&Arg::plain("."));
    }
    let words: Vec<Option<String>> = tests.iter().map(Arg::fixed).collect();
    let acts = words.iter().flatten().any(|w| ACTIONS.contains(&w.as_str()));
    let pruned = pruned_names(&tests.iter().map(Arg::fixed).collect::<Vec<_>>());
    let is_safe_root = |root: &Arg| {
        root.fixed().is_some_and(|text| {
            let path = walk.scope.resolve(&text);
            walk.scope.paths.reading(&path) == PathAccess::Free
                && !walk.scope.paths.holds_secrets_beside(&path, &pruned)
                && !links::lead_to_secrets(&path, walk.scope.paths)
        })
    };
    let here = Arg::plain(".");
    let roots_are_safe =
        !follows && if roots.is_empty() { is_safe_root(&here) } else { roots.iter().all(is_safe_root) };
    if acts {
        action(walk, roots, &words, tests, roots_are_safe);
    }
    let mut at = 0;
    while at < tests.len() {
        let known = words[at].as_deref().unwrap_or_default();
        if WITH_VALUE.contains(&known) || known.starts_with("-newer") && known.len() <= 8 {
            let is_one_word = tests.get(at + 1).is_some_and(|v| v.fixed().is_some() || !v.may_hide_option());
            if !is_one_word {
                walk.found.confirm("a test of find is known only when it runs");
            }
            at += 2;
        } else if known == "-exec" {
            // What it runs is judged by itself; the expression goes on behind its end.
            let end = end_of_run(&words[at + 1..]);
            // A word that is known only when it runs may be the end, and what follows other tests and actions.
            if tests[at + 1..(at + 1 + end).min(tests.len())].iter().any(|a| a.prefix().is_empty()) {
                walk.found.confirm("where the program that find runs ends is known only when it runs");
            }
            at += end + 2;
        } else if ALONE.contains(&known) {
            at += 1;
        } else {
            if !ACTIONS.contains(&known) {
                walk.found.confirm("find is used unasked only with tests and prints that are known");
            }
            break;
        }
    }
    let prints = words.iter().flatten().any(|w| matches!(w.as_str(), "-printf" | "-ls"));
    walk.flow.lists = (roots_are_safe && !acts && !prints).then(|| listing(walk, roots, &words)).flatten();
}

/// The names that the expression leaves out before anything else: `( -name a -o -name b ) -prune -o ...`; empty for any
/// other beginning.
pub(super) fn pruned_names(words: &[Option<String>]) -> Vec<String> {
    let mut rest = words.iter().map(Option::as_deref);
    let mut names = Vec::new();
    while matches!(rest.clone().next().flatten(), Some("-mindepth" | "-maxdepth")) {
        rest.nth(1);
    }
    if rest.next().flatten() != Some("(") {
        return names;
    }
    loop {
        match (rest.next().flatten(), rest.next().flatten()) {
            (Some("-name"), Some(name)) if !name.contains(['*', '?', '[', '\\']) => {
                names.push(name.to_owned());
            }
            (Some("!"), Some("-readable")) => {}
            _ => return Vec::new(),
        }
        match rest.next().flatten() {
            Some("-o") => {}
            Some(")") => break,
            _ => return Vec::new(),
        }
    }
    let ends = rest.next().flatten() == Some("-prune") && rest.next().flatten() == Some("-o");
    // Depth first, what is below is visited before it is left out.
    let goes_deep = words.iter().flatten().any(|word| matches!(word.as_str(), "-depth" | "-d" | "-delete"));
    if ends && !goes_deep { names } else { Vec::new() }
}

/// What it prints; returns None if its paths could be taken for something else than paths.
fn listing(walk: &Walk<'_>, roots: &[Arg], words: &[Option<String>]) -> Option<Listing> {
    let texts: Option<Vec<String>> = roots.iter().map(Arg::fixed).collect();
    let mut texts = texts?;
    if texts.is_empty() {
        texts.push(".".to_owned());
    }
    let has = |name: &str| words.iter().flatten().any(|word| word == name);
    let (zeros, lines) = (has("-print0"), has("-print"));
    let depth = words.iter().position(|w| w.as_deref() == Some("-maxdepth"));
    let depth = depth.and_then(|at| words.get(at + 1)?.as_ref()?.parse().ok());
    let fits = !(zeros && lines || texts.iter().any(|text| text.starts_with(['-', '@'])));
    fits.then(|| Listing {
        roots: texts.into_iter().map(|text| (walk.scope.resolve(&text), text)).collect(),
        ends_in_zero: zeros,
        depth,
    })
}

/// An action: what it runs counts, and a home or a system is not to be emptied.
fn action(walk: &mut Walk<'_>, roots: &[Arg], words: &[Option<String>], tests: &[Arg], roots_are_safe: bool) {
    for root in roots {
        acts::touch_paths(root, walk);
    }
    if roots.is_empty() {
        walk.found.touch(walk.scope.folder.clone());
    }
    let has = |names: &[&str]| words.iter().flatten().any(|w| names.contains(&w.as_str()));
    let is_run = |w: &Option<String>| matches!(w.as_deref(), Some("-exec" | "-execdir" | "-ok" | "-okdir"));
    let mut deletes = has(&["-delete"]);
    if deletes {
        walk.found.act(EffectClass::Delete, "find would delete what it finds");
    }
    if has(&["-files0-from"]) {
        walk.found.confirm("find would take its folders from a file");
    }
    if has(&["-fprint", "-fprint0", "-fprintf", "-fls"]) {
        walk.found.act(EffectClass::Overwrite, "find would write into a file");
    }
    for at in (0..words.len()).filter(|at| is_run(&words[*at])) {
        let run = &tests[at + 1..];
        let end = end_of_run(&words[at + 1..]);
        if let Some((program, rest)) = run[..end].split_first().and_then(|(p, rest)| Some((p.fixed()?, rest)))
        {
            let filled: Vec<Arg> = rest.iter().map(|arg| found(arg, roots_are_safe)).collect();
            let before = walk.found.programs.len();
            walk.run(&program, &filled);
            deletes |= walk.found.programs.get(before).is_some_and(|program| program.has(DELETES));
            if !roots_are_safe || words[at].as_deref() != Some("-exec") {
                walk.found.act(EffectClass::Read, "find would run a program on what it finds");
            }
        } else {
            walk.found.confirm("which program find runs cannot be told");
        }
    }
    let root_is_vital = roots.iter().any(|r| r.fixed().is_some_and(|t| vital::is_vital(&t, &walk.scope)));
    let own = ["artoo", "audit.jsonl", "*.jsonl", "confirm.token", "daemon.lock"];
    let names_own = words.iter().flatten().any(|word| own.iter().any(|name| word.contains(name)));
    if deletes && root_is_vital && names_own {
        walk.found.forbid("it would delete what artoo keeps");
    }
    if deletes && root_is_vital && !narrows(words) {
        walk.found.forbid("it would delete a home or a system");
    }
}

/// How many words the program behind `-exec` has: up to a `;`, or a `+` right behind `{}`.
fn end_of_run(words: &[Option<String>]) -> usize {
    let is = |at: usize, text: &str| words[at].as_deref() == Some(text);
    let is_end = |at: &usize| is(*at, ";") || *at > 0 && is(*at, "+") && is(*at - 1, "{}");
    (0..words.len()).find(is_end).unwrap_or(words.len())
}

/// What a word of the program becomes for each file that is found.
fn found(arg: &Arg, roots_are_safe: bool) -> Arg {
    match arg.fixed().as_deref() {
        Some("{}") if roots_are_safe => Arg::hole(Hole::Listing),
        Some(text) if text.contains("{}") => Arg::hole(Hole::Opaque),
        Some(_) | None => arg.clone(),
    }
}
