//! What a row of the table of programs says. There is no default: a row without an answer for a column does not compile.

use artoo_types::evidence::EffectClass;

use crate::listing::Listing;
use crate::survey::Survey;
use crate::word::Arg;

/// One program, or several about which every answer is the same.
pub struct Program {
    /// The names, separated by blanks. One that ends in `*` stands for every longer name too.
    pub(crate) names: &'static str,
    /// What it runs itself.
    pub(crate) runs: Runs,
    /// What a use that is not harmless does to the world; `Unknown` where nobody can say.
    pub(crate) effect: EffectClass,
    /// Which uses are harmless.
    pub(crate) harmless: Harmless,
    /// The words with which it tells its version or its help, and does nothing else.
    pub(crate) help: Help,
    /// What it changes among what its operands name.
    pub(crate) changes: Changes,
    /// Why a use is refused whatever a person says; None if it is not.
    pub(crate) never: Never,
    /// What else holds for it.
    pub(crate) flags: Flags,
    /// What it prints.
    pub(crate) output: Output,
    /// What it needs when it runs in a sandbox after a person's yes.
    pub(crate) sandbox: SandboxNeeds,
}

/// One use of a program.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// The name that the command calls it by.
    pub(crate) name: &'a str,
    /// Its row.
    pub(crate) program: &'static Program,
    /// Its arguments.
    pub(crate) args: &'a [Arg],
}

/// What a program runs itself.
#[derive(Clone, Copy)]
pub(crate) enum Runs {
    /// Nothing.
    Nothing,
    /// The program behind its own options, which this function finds. The listing is its standard input.
    Program(fn(&mut Survey<'_>, &[Arg], Option<&Listing>)),
    /// A program somewhere behind its options, with this effect of its own. A person is asked.
    Something(EffectClass),
    /// Shell text behind `-c` or from its standard input.
    Shell(Dialect),
    /// Text of another language.
    Language,
    /// Its arguments, as shell text.
    Arguments,
    /// Its standard input, as shell text.
    Input,
    /// What follows in the command, in another folder.
    Rest(fn(&mut Survey<'_>, &[Arg])),
}

/// How a shell reads its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// As this gate does.
    Bash,
    /// The same for plain text.
    Posix,
    /// In its own way: what is read here can only make the answer stricter.
    Foreign,
}

/// Which uses of a program are harmless.
#[derive(Clone, Copy)]
pub(crate) enum Harmless {
    /// None.
    No,
    /// All that read nothing secret, but for these options.
    Reading(Reading),
    /// Those that this function lets pass. It asks otherwise, and looks at paths itself.
    Rule(Rule),
    /// Those with one of these first words.
    FirstWords(&'static [&'static str]),
    /// Those with one of these first words, and behind it one of the second or nothing.
    FirstWordsThen(&'static [&'static str], &'static [&'static str]),
    /// The one without any argument.
    Alone,
}

/// What a program does that only reads.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// What its operands are.
    pub(crate) operands: Operands,
    /// One-letter options that take the next word as their value.
    pub(crate) values: &'static str,
    /// One-letter and long options with which it does something else; None if it has none such, whatever is written.
    pub(crate) except: Option<Options>,
}

/// One-letter options and long ones.
pub(crate) type Options = (&'static str, &'static [&'static str]);

/// What the operands of a program are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Text that is printed or computed with.
    Text,
    /// Paths whose names and properties are shown.
    Names,
    /// Paths whose content is read.
    Files,
    /// Paths of whose content only a digest or a count is shown: one that is known only when it runs gives nothing away.
    Measured,
    /// A pattern or a program, then paths whose content is read.
    PatternThenFiles,
}

/// How a program is asked for its version or its help.
#[derive(Clone, Copy)]
pub(crate) enum Help {
    /// Not at all: it takes the words for something else.
    No,
    /// `--version` and `--help`.
    Long,
    /// The same, and these words.
    LongOr(&'static [&'static str]),
}

/// What a program changes.
#[derive(Clone, Copy)]
pub(crate) enum Changes {
    /// What its operands name, and perhaps more.
    Operands,
    /// The folder that it runs in, and perhaps what its operands name.
    Folder,
    /// What `of=` names.
    OutputFile,
    /// What its last operand names, or the names of the others in that folder, and perhaps more.
    IntoLast,
    /// The whole of its last operand.
    AllOfLast,
    /// Exactly this, and nothing else.
    Exactly {
        /// How its operands say what it changes.
        operands: Changed,
        /// One-letter options that take the next word as their value.
        values: &'static str,
        /// Options with which it changes more, such as backups under other names.
        except: Options,
    },
}

/// How operands say exactly what is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Each is changed.
    Each,
    /// Each is made, with the folders above it that are missing.
    New,
    /// The first says how, the others are changed.
    AfterFirst,
    /// They are put into, or in place of, the last one.
    IntoLast,
    /// The same, and they are gone from where they were.
    MovedIntoLast,
}

/// Why a use is refused; None if it is not.
pub(crate) type Never = fn(&Use<'_, '_>) -> Option<&'static str>;
/// A rule that lets the harmless uses of a program pass.
pub(crate) type Rule = fn(&mut Survey<'_>, Call<'_>);

/// A use of a program, as the rules on what is never allowed look at it.
pub(crate) struct Use<'a, 's> {
    /// All of its arguments.
    pub(crate) args: &'a [Arg],
    /// Those that are no options.
    pub(crate) operands: Vec<&'a Arg>,
    /// The known beginnings of its options.
    pub(crate) options: Vec<String>,
    /// All arguments as text, in lower case.
    pub(crate) words: Vec<String>,
    /// Where it runs.
    pub(crate) survey: &'a Survey<'s>,
}

/// What a program prints, where the text of the command tells: its arguments and its standard input are given.
#[derive(Clone, Copy)]
pub(crate) enum Output {
    /// Nobody can tell.
    Unknown,
    /// What this function says.
    Text(fn(&[&str], Option<&str>) -> Option<String>),
}

/// What a program needs in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxNeeds {
    /// Nothing but to read.
    Nothing,
    /// To do this with files.
    Files(FileNeeds),
    /// More than can be bounded.
    Unbounded,
    /// More than the user may: nothing may be taken from it.
    Escalation,
}

/// What a program that writes nowhere but where the gate tells, or into its folder, needs for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileNeeds {
    /// To write into a file, and to make it where it is missing.
    pub writing: bool,
    /// To make new names beside it or in it.
    pub making: NewNames,
    /// To put one name in the place of another.
    pub replacing: bool,
    /// To take its name away.
    pub removing: bool,
    /// To write into the folder that the command runs in, under names that are not told.
    pub folder: bool,
    /// To set modes, owners or times. That right cannot be given for some files alone.
    pub modes: bool,
    /// It makes no folders or links of its own, so that folders which are made before it starts do not mislead it.
    pub beside_new_folder: bool,
    /// Options without which it needs nothing of this.
    pub only_with: Option<Options>,
}

/// When a program makes new names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewNames {
    /// Never.
    No,
    /// When its options make it do more than to write, so that it is not told what it changes.
    IfUntold,
    /// In every use.
    Yes,
}

impl FileNeeds {
    /// Whether it changes more of a file than its mode.
    pub fn changes_content(&self) -> bool {
        self.writing || self.replacing || self.removing || self.folder || self.making != NewNames::No
    }

    /// Whether a command with this text lets the program write. A word that looks like an option by chance gives no more than
    /// a question tells.
    pub fn apply_to(&self, text: &str) -> bool {
        self.only_with.is_none_or(|(short, long)| {
            text.split_whitespace().any(|word| match word.strip_prefix("--") {
                Some(rest) => long.iter().any(|long| rest.starts_with(long)),
                None => word.starts_with('-') && word.contains(|c| short.contains(c)),
            })
        })
    }
}

/// Properties of a program, put together with `|`.
pub(crate) type Flags = u32;
/// None of them.
pub(crate) const NONE: Flags = 0;
/// It usually stands behind another program in a pipe, so that blame passes it by.
pub(crate) const FILTER: Flags = 1;
/// It brings text in from the network.
pub(crate) const FETCHES: Flags = 1 << 1;
/// It sends, whatever its effect is.
pub(crate) const SENDS: Flags = 1 << 2;
/// It deletes what it is given, in any way.
pub(crate) const DELETES: Flags = 1 << 3;
/// It moves what it is given away.
pub(crate) const MOVES: Flags = 1 << 4;
/// It ends processes, services or sessions.
pub(crate) const STOPS: Flags = 1 << 5;
/// It prints secrets, or the whole environment.
pub(crate) const REVEALS: Flags = 1 << 6;
/// It talks to a machine that the person has a key for: naming a key in an option is not sending it.
pub(crate) const USES_KEYS: Flags = 1 << 7;
/// It writes over its operands, of which none may be a disk or a file that the machine needs.
pub(crate) const OVERWRITES: Flags = 1 << 8;
/// It runs text that it is given, beside what `runs` says.
pub(crate) const RUNS_TEXT: Flags = 1 << 9;
/// A word of it may be a whole command.
pub(crate) const QUOTED_COMMANDS: Flags = 1 << 10;
/// Its name in a string of another language makes the string look like a command.
pub(crate) const LOOKS_LIKE_COMMAND: Flags = 1 << 11;
/// It takes words out of the file behind an `@`.
pub(crate) const ARGUMENT_FILES: Flags = 1 << 12;
/// It reads whole folders when an option says so.
pub(crate) const RECURSES: Flags = 1 << 13;
/// It reads whole folders when an operand is one.
pub(crate) const READS_FOLDERS: Flags = 1 << 14;
/// It prints without an end.
pub(crate) const ENDLESS: Flags = 1 << 15;
/// It prints without an end what has none.
pub(crate) const COPIES: Flags = 1 << 16;
/// It prints its operands, or what is in them.
pub(crate) const LISTS: Flags = 1 << 17;
/// It passes whole lines on.
pub(crate) const PASSES_LINES: Flags = 1 << 18;
/// What it puts under a name that is free is new.
pub(crate) const MAKES_NEW: Flags = 1 << 19;

impl Program {
    /// Whether one of these properties holds.
    pub(crate) fn has(&self, flags: Flags) -> bool {
        self.flags & flags != 0
    }

    /// Whether it runs text that it is given, in any language.
    pub(crate) fn runs_text(&self) -> bool {
        self.has(RUNS_TEXT)
            || matches!(self.runs, Runs::Shell(_) | Runs::Language | Runs::Arguments | Runs::Input)
    }

    /// Whether it is a shell, which runs what it reads.
    pub(crate) fn is_shell(&self) -> bool {
        matches!(self.runs, Runs::Shell(_))
    }

    /// Whether enough is known of it to recognise it behind a wrapper's options.
    pub(crate) fn is_known(&self) -> bool {
        self.runs_text()
            || self.effect != EffectClass::Unknown
            || matches!(self.harmless, Harmless::Reading(_) | Harmless::Rule(_))
            || self.is_wrapper()
    }

    /// Whether it runs another program.
    pub(crate) fn is_wrapper(&self) -> bool {
        matches!(self.runs, Runs::Program(_) | Runs::Something(_))
    }

    /// Whether it is asked for nothing but its version or its help.
    pub(crate) fn only_helps(&self, args: &[Arg]) -> bool {
        let [one] = args else { return false };
        let word = one.fixed();
        let word = word.as_deref().unwrap_or_default();
        let is_long = matches!(word, "--version" | "--help");
        match self.help {
            Help::No => false,
            Help::Long => is_long,
            Help::LongOr(words) => is_long || words.contains(&word),
        }
    }

    /// What it needs in a sandbox.
    pub fn sandbox(&self) -> SandboxNeeds {
        self.sandbox
    }
}
