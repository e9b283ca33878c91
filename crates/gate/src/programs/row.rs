//! What a row of the table of programs says. There is no default: a row without an answer for a column does not compile.

use artoo_types::evidence::EffectClass;

use super::flags::{FETCHES, Flags, LIVE, NONE, RUNS_TEXT, SENDS, SHELL};
use crate::arg::Arg;
use crate::listing::Listing;
use crate::walk::Walk;

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
    pub(crate) output: ProgramOutput,
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
    Program(fn(&mut Walk<'_>, &[Arg], Option<&Listing>)),
    /// A program somewhere behind its options, with this effect of its own. A person is asked.
    Something(EffectClass),
    /// Shell text behind `-c` or from its standard input.
    Shell(ShellDialect),
    /// Text of another language.
    Language,
    /// Its arguments, as shell text.
    Arguments,
    /// Its standard input, as shell text.
    Input,
    /// What follows in the command, in another folder.
    Rest(fn(&mut Walk<'_>, &[Arg])),
}

/// How a shell reads its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShellDialect {
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
    Reading(ReadOnlyUse),
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
pub(crate) struct ReadOnlyUse {
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
pub(crate) type Rule = fn(&mut Walk<'_>, Call<'_>);

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
    pub(crate) walk: &'a Walk<'s>,
}

/// What a program prints, where the text of the command tells: its arguments and its standard input are given.
#[derive(Clone, Copy)]
pub(crate) enum ProgramOutput {
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
    IfUnlisted,
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

    /// Its properties, with those that follow from what it runs.
    pub(crate) fn all_flags(&self) -> Flags {
        let shell = if matches!(self.runs, Runs::Shell(_)) { SHELL } else { NONE };
        let text = if self.runs_text() { RUNS_TEXT } else { NONE };
        self.flags | shell | text
    }

    /// Whether what it shows may change while every file stays as it is.
    pub(crate) fn is_live(&self) -> bool {
        self.flags & (LIVE | FETCHES | SENDS) != 0
            || matches!(self.effect, EffectClass::Send | EffectClass::System)
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
