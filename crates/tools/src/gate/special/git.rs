//! `git`: looking at a repository whose own configuration runs nothing.

use std::path::{Path, PathBuf};

use crate::gate::acts;
use crate::gate::options::is_one_of;
use crate::gate::survey::Survey;
use crate::gate::word::Arg;

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
    "shortlog",
    "rev-list",
    "ls-tree",
];
/// Long options that write, run programs or leave the repository.
const BANNED: &[&str] = &[
    "output",
    "ext-diff",
    "textconv",
    "exec",
    "no-index",
    "help",
    "show-signature",
    "contents",
    "submodule",
    "ignore-submodules",
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
pub(in crate::gate) fn git(survey: &mut Survey<'_>, args: &[Arg]) {
    let (folder, args) = match args {
        [option, folder, rest @ ..] if option.fixed().as_deref() == Some("-C") => match folder.fixed() {
            Some(text) if !text.starts_with('-') => (Some((folder, text)), rest),
            Some(_) | None => {
                survey.confirm("which folder git works in is known only when it runs");
                return;
            }
        },
        args => (None, args),
    };
    let repository = match &folder {
        Some((arg, text)) => {
            survey.path(arg, true);
            // Paths of the command start in that folder and are not followed from here.
            let plain =
                |arg: &Arg| arg.fixed().is_some_and(|t| t.starts_with('-') || !t.contains(['/', '.', '~']));
            if !args.iter().all(plain) {
                survey.confirm("git -C is used unasked only without paths of its own");
            }
            survey.places.path(text)
        }
        None => survey.places.working_directory.clone(),
    };
    let fixed: Vec<Option<String>> = args.iter().map(Arg::fixed).collect();
    let (command, rest) = match fixed.split_first() {
        Some((Some(option), _)) if option == "--version" && args.len() == 1 => return,
        Some((Some(option), rest)) if option == "--no-pager" => match rest.split_first() {
            Some((command, rest)) => (command.clone(), rest),
            None => return,
        },
        Some((command, rest)) => (command.clone(), rest),
        None => return,
    };
    let Some(command) = command else {
        survey.confirm("which git command it is, is known only when it runs");
        return;
    };
    let looks = LOOKING.contains(&command.as_str())
        || command == "branch" && only(rest, &["--list", "-a", "-r", "-v", "-vv", "--show-current", "--all"])
        || command == "remote" && only(rest, &["-v"])
        || command == "tag" && only(rest, &["--list", "-l", "-n"])
        || command == "stash" && rest.len() == 1 && rest[0].as_deref() == Some("list");
    if !looks {
        acts::git(&command, rest, survey);
        return;
    }
    for (arg, text) in args.iter().zip(&fixed) {
        match text {
            None if arg.may_hide_option() || arg.is_option() => {
                survey.confirm("an argument of git may turn out to be an option; write it out");
            }
            Some(text)
                if text.starts_with('-') && (is_one_of(text, "", BANNED) && text.starts_with("--")) =>
            {
                survey.confirm(&format!("git is not used unasked with {text}"));
            }
            Some(text) if command == "diff" && text.starts_with("-O") => {
                survey.confirm("git is not used unasked with -O");
            }
            Some(_) | None => survey.path(arg, true),
        }
    }
    if !configuration_is_quiet(Path::new(&repository)) {
        survey.confirm("the repository's own configuration may run programs");
    }
}

fn only(rest: &[Option<String>], allowed: &[&str]) -> bool {
    rest.iter().all(|word| word.as_deref().is_some_and(|text| allowed.contains(&text)))
}

/// Whether the repository around this folder is configured in a way that runs nothing. True outside a repository: git
/// then only says so. A repository without a work tree is recognised by its own files and is not looked into; one with
/// submodules has configurations of its own in each of them.
fn configuration_is_quiet(folder: &Path) -> bool {
    for folder in folder.ancestors() {
        let git = folder.join(".git");
        if let Ok(meta) = git.symlink_metadata() {
            let config: PathBuf = git.join("config");
            let fits = config.metadata().is_ok_and(|m| m.is_file() && m.len() <= MAX_CONFIG_BYTES);
            return meta.is_dir()
                && fits
                && folder.join(".gitmodules").symlink_metadata().is_err()
                && std::fs::read_to_string(config).is_ok_and(|text| is_quiet(&text));
        }
        if folder.join("HEAD").symlink_metadata().is_ok() && folder.join("objects").is_dir() {
            return false;
        }
    }
    true
}

/// Whether every section and key of a configuration is known to run nothing.
pub(in crate::gate) fn is_quiet(text: &str) -> bool {
    let mut section = String::new();
    text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with(['#', ';'])).all(|line| {
        if let Some(head) = line.strip_prefix('[') {
            let Some((name, rest)) = head.split_once(']') else { return false };
            section = name.split([' ', '.', '"']).next().unwrap_or_default().to_lowercase();
            return rest.trim().is_empty()
                && (section == "core" || QUIET_SECTIONS.contains(&section.as_str()));
        }
        let key = line.split('=').next().unwrap_or_default().trim().to_lowercase();
        let runs =
            ["vcs", "uploadpack", "receivepack", "driver"].contains(&key.as_str()) || line.ends_with('\\');
        !runs && (section != "core" || QUIET_CORE.contains(&key.as_str()))
    })
}
