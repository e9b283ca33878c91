//! Programs that run text: the text is read where it is known.

use artoo_types::evidence::EffectClass;

use crate::arg::Arg;
use crate::programs::flags::QUOTED_COMMANDS;
use crate::programs::row::{Call, Runs, ShellDialect};
use crate::walk::Walk;
use crate::{acts, programs};

/// A program that is no wrapper, in a use that is not harmless, with whatever text it runs.
pub(crate) fn runs(walk: &mut Walk<'_>, call: Call<'_>) {
    let Call { name, program, args } = call;
    match program.runs {
        // With a version behind its name, nobody knows how it reads its text.
        Runs::Shell(dialect) if programs::find(name).is_some() => shell(walk, call, dialect),
        Runs::Shell(_) | Runs::Language => language(walk, call),
        Runs::Arguments => {
            walk.found.act(EffectClass::Unknown, &format!("{name} runs text as a command"));
            let words: Option<Vec<String>> = args.iter().map(Arg::fixed).collect();
            if let Some(words) = words {
                walk.shell_text(&words.join(" "));
            }
        }
        Runs::Nothing | Runs::Input | Runs::Program(_) | Runs::Something(_) | Runs::Rest(_) => {
            acts::judge(call, walk);
            if matches!(program.runs, Runs::Input) {
                input_as_text(walk, args);
            }
            if program.effect == EffectClass::Unknown || program.has(QUOTED_COMMANDS) {
                quoted_commands(walk, args);
            }
        }
    }
}

/// A program that runs text of another language.
fn language(walk: &mut Walk<'_>, call: Call<'_>) {
    acts::judge(call, walk);
    let given: Vec<String> =
        call.args.iter().filter_map(Arg::fixed).chain(walk.scope.stdin.clone()).collect();
    for text in given {
        walk.foreign_text(&text);
    }
}

/// A shell: its `-c` text, or what it reads from its standard input.
fn shell(walk: &mut Walk<'_>, call: Call<'_>, dialect: ShellDialect) {
    let Call { name, args, .. } = call;
    if dialect == ShellDialect::Foreign {
        language(walk, call);
        shell_input(walk, args);
        return;
    }
    if let [option, file] = args
        && option.fixed().as_deref() == Some("-n")
        && file.fixed().is_some_and(|text| !text.starts_with('-'))
    {
        // It only says whether the text could be read.
        walk.path(file, true);
        walk.operand(file);
        return;
    }
    if let [option, text] = args
        && option.fixed().as_deref() == Some("-c")
        && let Some(text) = text.fixed()
        && (dialect == ShellDialect::Bash || means_the_same_everywhere(&text))
    {
        inner_shell(walk, &text);
        return;
    }
    walk.found.act(EffectClass::Unknown, &format!("{name} runs a program text of its own"));
    walk.found.touch(walk.scope.folder.clone());
    shell_input(walk, args);
}

/// The text of a shell: behind `-c`, or its standard input.
fn shell_input(walk: &mut Walk<'_>, args: &[Arg]) {
    let text = args.iter().skip_while(|a| !is_command_option(a)).nth(1);
    match text.map(Arg::fixed) {
        Some(Some(text)) => walk.shell_text(&text),
        Some(None) => {}
        None => input_as_text(walk, args),
    }
}

/// Text that another shell runs, which knows no variable of this one and goes to its own folders.
fn inner_shell(walk: &mut Walk<'_>, text: &str) {
    walk.apart(|walk| {
        walk.scope.variables.clear();
        super::note(walk, "sh", true);
        walk.shell_text(text);
    });
}

/// The standard input, or a file that stands for it, is run.
fn input_as_text(walk: &mut Walk<'_>, args: &[Arg]) {
    let is_input = |a: &Arg| {
        a.is_option()
            || matches!(a.fixed().as_deref(), Some("-" | "/dev/stdin" | "/dev/fd/63" | "/dev/fd/0" | "now"))
    };
    if args.iter().all(is_input)
        && let Some(text) = walk.scope.stdin.take()
    {
        walk.shell_text(&text);
    }
}

/// Words that hold a whole command, as in `su -c 'rm x'` or `alias ls='rm x'`.
pub(crate) fn quoted_commands(walk: &mut Walk<'_>, args: &[Arg]) {
    for text in args.iter().filter_map(Arg::fixed).filter(|text| text.contains(' ')) {
        walk.shell_text(text.trim_start_matches('!'));
        if let Some((_, value)) = text.split_once('=') {
            walk.shell_text(value.trim_start_matches('!'));
        }
    }
}

/// Whether every shell reads this text as bash does: plain words, pipes and lists.
fn means_the_same_everywhere(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -_./:,|;'\"".contains(c);
    text.replace("&&", ";").chars().all(is_plain) && !text.contains("|&")
}

fn is_command_option(arg: &Arg) -> bool {
    arg.fixed().is_some_and(|t| t.starts_with('-') && !t.starts_with("--") && t.ends_with('c'))
}
