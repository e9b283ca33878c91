//! `git`: looking at a repository whose own configuration runs nothing, and taking files out of its index.

use std::path::{Path, PathBuf};

use artoo_types::evidence::EffectClass;

use super::history;
use crate::arg::Arg;
use crate::options::{attached_path, is_one_of};
use crate::paths::canonical;
use crate::programs::row::Call;
use crate::walk::Walk;

/// Subcommands that only look, whatever their operands are.
const LOOKING: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "rev-parse",
    "ls-files",
    "describe",
    "blame",
    "annotate",
    "shortlog",
    "rev-list",
    "ls-tree",
    "grep",
    "cat-file",
    "show-ref",
    "show-branch",
    "for-each-ref",
    "merge-base",
    "name-rev",
    "count-objects",
    "whatchanged",
    "check-ignore",
    "diff-tree",
    "diff-index",
    "diff-files",
    "cherry",
    "version",
    "var",
];
/// Subcommands that only look with no operand, or with these alone.
const LOOKING_WITH: &[(&str, &[&str])] = &[
    (
        "branch",
        &[
            "--list",
            "-a",
            "-r",
            "-v",
            "-vv",
            "--show-current",
            "--all",
            "--merged",
            "--no-merged",
            "--remotes",
        ],
    ),
    ("remote", &["-v", "--verbose"]),
    ("tag", &["--list", "-l", "-n"]),
    ("reflog", &["show", "HEAD", "--all", "-n", "5", "10", "20"]),
    ("bisect", &["log"]),
    ("notes", &["list"]),
];
/// Long options that write, run programs or leave the repository.
const BANNED: &[&str] = &[
    "output",
    "ext-diff",
    "textconv",
    "filters",
    "exec",
    "no-index",
    "help",
    "show-signature",
    "contents",
    "submodule",
    "ignore-submodules",
    "open-files-in-pager",
    "recurse-submodules",
    "batch-command",
    "shell",
];
/// Sections of a repository's configuration that run nothing, in lower case.
const QUIET_SECTIONS: &[&str] = &[
    "remote", "branch", "user", "init", "pull", "push", "color", "advice", "merge", "rebase", "gc", "fetch",
];
/// Keys of the section `core` that run nothing, in lower case.
const QUIET_CORE: &[&str] = &[
    "repositoryformatversion",
    "filemode",
    "bare",
    "logallrefupdates",
    "ignorecase",
    "precomposeunicode",
    "symlinks",
    "autocrlf",
    "eol",
    "quotepath",
];
/// Bytes of a configuration that are read.
const MAX_CONFIG_BYTES: u64 = 64 << 10;

/// Judges `git`.
pub(crate) fn git(walk: &mut Walk<'_>, call: Call<'_>) {
    let (folder, args) = match call.args {
        [option, folder, rest @ ..] if option.fixed().as_deref() == Some("-C") => match folder.fixed() {
            Some(text) if !text.starts_with('-') => (Some((folder, text)), rest),
            Some(_) | None => {
                walk.found.confirm("which folder git works in is known only when it runs");
                return;
            }
        },
        args => (None, args),
    };
    let outside = walk.scope.folder.clone();
    if let Some((arg, text)) = &folder {
        walk.path(arg, true);
        let there = walk.scope.resolve(text);
        if canonical(&there) != there || !Path::new(&there).is_dir() {
            walk.found.confirm("the folder that git works in is not there, or a link leads to it");
        }
        // Paths of the command start in that folder.
        walk.scope.folder = there;
    }
    command(walk, args, folder.is_some());
    walk.scope.folder = outside;
}

fn command(walk: &mut Walk<'_>, args: &[Arg], elsewhere: bool) {
    let repository = walk.scope.folder.clone();
    let args = match args.split_first() {
        Some((first, rest)) if matches!(first.fixed().as_deref(), Some("--no-pager" | "-P")) => rest,
        Some(_) | None => args,
    };
    let Some((command, args)) = args.split_first() else { return };
    match command.fixed().as_deref() {
        Some("--version") if args.is_empty() => {}
        Some(option) if option.starts_with('-') => {
            walk.found.confirm(&format!("git is not used unasked with {option} in front of its command"));
            // A setting can hold a command of its own.
            for text in args.iter().filter_map(Arg::fixed) {
                if let Some((_, value)) = text.split_once('=') {
                    walk.shell_text(value.trim_start_matches('!'));
                }
            }
            walk.found.touch(repository);
        }
        Some(command) => subcommand(walk, command, args, &repository, elsewhere),
        None => walk.found.confirm("which git command it is, is known only when it runs"),
    }
}

fn subcommand(walk: &mut Walk<'_>, command: &str, args: &[Arg], repository: &str, elsewhere: bool) {
    let fixed: Vec<Option<String>> = args.iter().map(Arg::fixed).collect();
    if command == "rm" && !elsewhere && leaves_files(&fixed) {
        only_index(walk, args, repository);
        return;
    }
    let known = LOOKING_WITH.iter().find(|(name, _)| *name == command);
    let looks = LOOKING.contains(&command)
        || known.is_some_and(|(_, allowed)| only(&fixed, allowed))
        || lists(command, &fixed)
        || only_says(command, &fixed)
        || command == "stash"
            && matches!(fixed.first(), Some(Some(word)) if word == "list" || word == "show")
        || command == "worktree" && only(&fixed, &["list", "--porcelain"]) && is_first(&fixed, &["list"])
        || command == "config" && reads_setting(&fixed);
    if !looks {
        act(command, &fixed, walk);
        return;
    }
    for (arg, text) in args.iter().zip(&fixed) {
        match text {
            None if arg.may_hide_option() || arg.is_option() => {
                walk.found.confirm("an argument of git may turn out to be an option; write it out");
            }
            Some(text) if text.starts_with("--") && is_one_of(text, "", BANNED) => {
                walk.found.confirm(&format!("git is not used unasked with {text}"));
            }
            Some(text) if runs_pager(command, text) => {
                walk.found.confirm("git is not used unasked with -O");
            }
            Some(_) | None => {
                walk.path(arg, true);
                if let Some(text) = text.as_ref().filter(|text| text.starts_with('-')) {
                    attached_path(text, walk);
                }
            }
        }
    }
    history::read(command, &fixed, walk);
    quiet(walk, repository);
}

/// Whether an option of `git grep` opens what it finds in a program, or one of `git diff` reads an order from a file.
fn runs_pager(command: &str, word: &str) -> bool {
    let is_short = word.starts_with('-') && !word.starts_with("--");
    match command {
        "grep" => is_short && word.contains('O'),
        "diff" => word.starts_with("-O"),
        _ => false,
    }
}

fn quiet(walk: &mut Walk<'_>, repository: &str) {
    if !configuration_is_quiet(Path::new(repository)) {
        walk.found.confirm("the repository's own configuration may run programs");
    }
}

/// Whether `git rm` keeps the files themselves, and names each.
fn leaves_files(words: &[Option<String>]) -> bool {
    let allowed = ["--cached", "-r", "-q", "--quiet", "-n", "--dry-run", "--ignore-unmatch"];
    let is_plain = |word: &String| !word.starts_with('-') && !word.contains(['*', '?', '[', ':']);
    let end = words.iter().position(|w| w.as_deref() == Some("--")).unwrap_or(words.len());
    let (options, files) = (&words[..end], words.get(end + 1..).unwrap_or_default());
    let fits = |word: &String| allowed.contains(&word.as_str()) || is_plain(word);
    options.iter().all(|w| w.as_ref().is_some_and(fits))
        && files.iter().all(|w| w.as_ref().is_some_and(is_plain))
        && options.iter().flatten().any(|word| word == "--cached")
}

/// Takes files out of the index; they stay where they are, and `git add` puts them back.
fn only_index(walk: &mut Walk<'_>, args: &[Arg], repository: &str) {
    for arg in args.iter().filter(|a| !a.is_option()) {
        walk.path(arg, false);
        walk.operand(arg);
    }
    quiet(walk, repository);
    let top = Path::new(repository).ancestors().find(|above| above.join(".git").is_dir());
    match top {
        Some(top) => walk.change_index(&top.join(".git/index").to_string_lossy()),
        None => walk.found.act(EffectClass::Overwrite, "there is no repository whose index it could change"),
    }
}

/// Options of `git config` that say which file is meant of those that git knows, and how a value is shown.
const HOW_SHOWN: &[&str] = &[
    "--local",
    "--global",
    "--system",
    "--worktree",
    "--show-origin",
    "--show-scope",
    "--name-only",
    "--includes",
    "--null",
    "-z",
    "--bool",
    "--int",
    "--type=bool",
    "--type=int",
    "--type=path",
];

/// Whether `git config` only shows settings of the repository or the person.
fn reads_setting(words: &[Option<String>]) -> bool {
    let says_how = |word: &&Option<String>| word.as_deref().is_none_or(|word| !HOW_SHOWN.contains(&word));
    let words: Vec<Option<String>> = words.iter().filter(says_how).cloned().collect();
    let is_name = |word: &Option<String>| {
        word.as_ref().is_some_and(|word| !word.starts_with('-') && !word.contains('/'))
    };
    match words.as_slice() {
        // With a value behind it, a name alone would set it.
        [one] if one.as_ref().is_some_and(|name| name.contains('.')) => is_name(one),
        [Some(shows), names @ ..] => {
            ["--get", "--get-all", "--get-regexp", "--list", "-l", "get", "list"].contains(&shows.as_str())
                && names.iter().all(is_name)
        }
        [] | [None, ..] => false,
    }
}

/// Whether a subcommand lists branches, tags or the address of a remote: its first word says so, and no later one denies it.
fn lists(command: &str, words: &[Option<String>]) -> bool {
    let is_order = |word: &str| word.starts_with("--sort=") || word.starts_with("--format=");
    let is_plain =
        |word: &Option<String>| word.as_deref().is_some_and(|w| !w.starts_with('-') || is_order(w));
    match command {
        "tag" => {
            is_first(words, &["-l", "--list"]) && words[1..].iter().all(is_plain)
                || !words.is_empty() && words.iter().all(|w| w.as_deref().is_some_and(is_order))
        }
        // With an order alone, a further name would be a new branch.
        "branch" => {
            let firsts = ["--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
            is_first(words, &firsts) && words[1..].iter().all(is_plain)
                || !words.is_empty() && words.iter().all(|w| w.as_deref().is_some_and(is_order))
        }
        "remote" => is_first(words, &["get-url"]) && words[1..].iter().all(is_plain),
        _ => false,
    }
}

/// Whether a subcommand is told to say what it would do and not to do it. An option that is not known may take that back.
fn only_says(command: &str, words: &[Option<String>]) -> bool {
    let letters = match command {
        "clean" => "ndxXqf",
        "rm" => "nrqf",
        "add" => "nvAuf",
        "mv" => "nvkf",
        _ => return false,
    };
    let end = words.iter().position(|word| word.as_deref() == Some("--")).unwrap_or(words.len());
    let options: Option<Vec<&str>> = words[..end].iter().map(Option::as_deref).collect();
    let options = options.unwrap_or_default().into_iter().filter(|word| word.starts_with('-'));
    let is_short = |word: &str| !word.starts_with("--");
    let is_known = |word: &str| match word.strip_prefix("--") {
        Some(long) => matches!(long, "dry-run" | "quiet" | "verbose" | "all"),
        None => word.chars().skip(1).all(|letter| letters.contains(letter)),
    };
    let is_dry = |word: &str| word == "--dry-run" || is_short(word) && word.contains('n');
    options.clone().all(is_known) && options.clone().any(is_dry)
}

fn is_first(words: &[Option<String>], firsts: &[&str]) -> bool {
    words.first().is_some_and(|w| w.as_deref().is_some_and(|word| firsts.contains(&word)))
}

fn only(rest: &[Option<String>], allowed: &[&str]) -> bool {
    rest.iter().all(|word| word.as_deref().is_some_and(|text| allowed.contains(&text)))
}

/// Whether the repository around this folder is configured in a way that runs nothing. True outside a repository: git
/// then only says so. A repository without a work tree is recognised by its own files and is not looked into; one with
/// submodules has configurations of its own in each of them, and one that shares a common folder has it there.
fn configuration_is_quiet(folder: &Path) -> bool {
    // Git goes up from where links lead to.
    for folder in Path::new(&canonical(&folder.to_string_lossy())).ancestors() {
        let git = folder.join(".git");
        if let Ok(meta) = git.symlink_metadata() {
            let config: PathBuf = git.join("config");
            let fits = config.metadata().is_ok_and(|m| m.is_file() && m.len() <= MAX_CONFIG_BYTES);
            return meta.is_dir()
                && fits
                && git.join("commondir").symlink_metadata().is_err()
                && folder.join(".gitmodules").symlink_metadata().is_err()
                && std::fs::read_to_string(config).is_ok_and(|text| is_quiet(&text));
        }
        if folder.join("HEAD").symlink_metadata().is_ok() {
            return false;
        }
    }
    true
}

/// Whether every section and key of a configuration is known to run nothing.
pub(crate) fn is_quiet(text: &str) -> bool {
    let mut section = String::new();
    text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with(['#', ';'])).all(|line| {
        if let Some(head) = line.strip_prefix('[') {
            let Some((name, rest)) = head.split_once(']') else { return false };
            section = name.split([' ', '.', '"']).next().unwrap_or_default().to_lowercase();
            return rest.trim().is_empty()
                && (section == "core" || QUIET_SECTIONS.contains(&section.as_str()));
        }
        let key = line.split('=').next().unwrap_or_default().trim().to_lowercase();
        let runs = ["vcs", "uploadpack", "receivepack", "driver", "promisor"].contains(&key.as_str())
            || line.ends_with('\\');
        // A key in front of the first section is one behind a mark that git does not see.
        !section.is_empty() && !runs && (section != "core" || QUIET_CORE.contains(&key.as_str()))
    })
}

/// A `git` command that does more than look.
fn act(command: &str, rest: &[Option<String>], walk: &mut Walk<'_>) {
    let effect = match command {
        // It looks, by a script of git's own.
        "submodule" if is_first(rest, &["status", "summary"]) => EffectClass::Unknown,
        "push" | "fetch" | "pull" | "clone" | "ls-remote" | "send-email" | "submodule" => EffectClass::Send,
        "clean" | "rm" | "gc" | "prune" | "reflog" | "filter-branch" => EffectClass::Delete,
        "stash" if rest.first().is_some_and(|w| matches!(w.as_deref(), Some("drop" | "clear"))) => {
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
    walk.found.act(effect, &format!("git {command} does more than look"));
    walk.found.sends |= effect == EffectClass::Send;
    // Whatever it names, it changes the repository around it.
    let folder = walk.scope.folder.clone();
    let top = std::path::Path::new(&folder).ancestors().find(|above| above.join(".git").exists());
    let top = top.map_or_else(|| folder.clone(), |top| top.to_string_lossy().into_owned());
    let configures =
        matches!(command, "config" | "init" | "clone" | "worktree" | "remote" | "submodule" | "maintenance");
    if configures && !(command == "submodule" && effect == EffectClass::Unknown) {
        walk.found.touch(format!("{top}/.git/config"));
    }
    walk.found.touch(top);
    for word in rest.iter().flatten().filter(|w| !w.starts_with('-')) {
        walk.path(&Arg::plain(word), false);
        if walk.is_there(word) {
            walk.found.touch(walk.scope.resolve(word));
        }
    }
}
