//! Programs that run text: the text is read where it is known.

use artoo_types::evidence::EffectClass;

use crate::programs::row::{Call, Dialect, QUOTED_COMMANDS, Runs};
use crate::survey::Survey;
use crate::word::Arg;
use crate::{acts, never, programs};

impl Survey<'_> {
    /// A program that is no wrapper, in a use that is not harmless, with whatever text it runs.
    pub(super) fn runs(&mut self, call: Call<'_>) {
        let Call { name, program, args } = call;
        match program.runs {
            // With a version behind its name, nobody knows how it reads its text.
            Runs::Shell(dialect) if programs::find(name).is_some() => self.shell(call, dialect),
            Runs::Shell(_) | Runs::Language => self.language(call),
            Runs::Arguments => {
                self.act(EffectClass::Unknown, &format!("{name} runs text as a command"));
                let words: Option<Vec<String>> = args.iter().map(Arg::fixed).collect();
                if let Some(words) = words {
                    self.shell_text(&words.join(" "));
                }
            }
            Runs::Nothing | Runs::Input | Runs::Program(_) | Runs::Something(_) | Runs::Rest(_) => {
                acts::judge(call, self);
                if matches!(program.runs, Runs::Input) {
                    self.input_as_text(args);
                }
                if program.effect == EffectClass::Unknown || program.has(QUOTED_COMMANDS) {
                    self.quoted_commands(args);
                }
            }
        }
    }

    /// A program that runs text of another language.
    fn language(&mut self, call: Call<'_>) {
        acts::judge(call, self);
        let given: Vec<String> = call.args.iter().filter_map(Arg::fixed).chain(self.stdin.clone()).collect();
        for text in given {
            never::foreign_text(&text, self);
        }
    }

    /// A shell: its `-c` text, or what it reads from its standard input.
    fn shell(&mut self, call: Call<'_>, dialect: Dialect) {
        let Call { name, args, .. } = call;
        if dialect == Dialect::Foreign {
            self.language(call);
            self.shell_input(args);
            return;
        }
        if let [option, file] = args
            && option.fixed().as_deref() == Some("-n")
            && file.fixed().is_some_and(|text| !text.starts_with('-'))
        {
            // It only says whether the text could be read.
            self.path(file, true);
            self.operand(file);
            return;
        }
        if let [option, text] = args
            && option.fixed().as_deref() == Some("-c")
            && let Some(text) = text.fixed()
            && (dialect == Dialect::Bash || means_the_same_everywhere(&text))
        {
            self.inner_shell(&text);
            return;
        }
        self.act(EffectClass::Unknown, &format!("{name} runs a program text of its own"));
        self.touch(self.folder.clone());
        self.shell_input(args);
    }

    /// The text of a shell: behind `-c`, or its standard input.
    fn shell_input(&mut self, args: &[Arg]) {
        let text = args.iter().skip_while(|a| !is_command_option(a)).nth(1);
        match text.map(Arg::fixed) {
            Some(Some(text)) => self.shell_text(&text),
            Some(None) => {}
            None => self.input_as_text(args),
        }
    }

    /// Text that another shell runs, which knows no variable of this one and goes to its own folders.
    fn inner_shell(&mut self, text: &str) {
        let outside = self.take_variables();
        self.program("sh", true);
        self.shell_text(text);
        self.give_variables(outside);
    }

    /// The standard input, or a file that stands for it, is run.
    fn input_as_text(&mut self, args: &[Arg]) {
        let is_input = |a: &Arg| {
            a.is_option()
                || matches!(
                    a.fixed().as_deref(),
                    Some("-" | "/dev/stdin" | "/dev/fd/63" | "/dev/fd/0" | "now")
                )
        };
        if args.iter().all(is_input)
            && let Some(text) = self.stdin.take()
        {
            self.shell_text(&text);
        }
    }

    /// Text that gets run as shell text, by something that is asked about anyway.
    pub(crate) fn shell_text(&mut self, text: &str) {
        let (folder, stdin) = (self.folder.clone(), self.stdin.take());
        self.text(text);
        self.printed = None;
        (self.folder, self.stdin) = (folder, stdin);
    }

    /// Words that hold a whole command, as in `su -c 'rm x'` or `alias ls='rm x'`.
    pub(super) fn quoted_commands(&mut self, args: &[Arg]) {
        for text in args.iter().filter_map(Arg::fixed).filter(|text| text.contains(' ')) {
            self.shell_text(text.trim_start_matches('!'));
            if let Some((_, value)) = text.split_once('=') {
                self.shell_text(value.trim_start_matches('!'));
            }
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
