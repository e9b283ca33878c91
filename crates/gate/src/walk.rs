//! The way through a command: where it stands, what was found, and what a command gave to the next.

use artoo_types::evidence::EffectClass;

use crate::arg::{self, Arg, Hole, Part};
use crate::findings::{Findings, RevealedText};
use crate::listing::{Listing, Splitting};
use crate::paths::{PathRules, canonical};
use crate::programs::flags::FETCHES;
use crate::scope::{Scope, VariableValue};

mod named_paths;
mod new_entries;

pub(crate) use new_entries::BELOW_SCRATCH;

/// The variable with the call's own temporary folder.
pub(crate) const TEMPORARY: &str = "TMPDIR";
/// Texts within one command that are parsed: more than 16 KiB can hold with a purpose.
const MAX_TEXTS: usize = 512;
/// Programs that are judged, those counted that are judged again with other words.
const MAX_RUNS: usize = 8_192;

/// What the last command gave to the next one.
#[derive(Default)]
pub(crate) struct Flow {
    /// What it prints, when that is a listing of paths that was checked.
    pub(crate) lists: Option<Listing>,
    /// What it prints, where the text of the command tells.
    pub(crate) printed: Option<String>,
    /// Whether that has no end.
    pub(crate) pours: bool,
    /// Bytes that it prints, where the text of the command tells and the program is no filter.
    pub(crate) amount: u64,
    /// It is given a file that was fetched.
    pub(crate) passes_fetched: bool,
    /// The last program that listed anything listed a home or a system.
    pub(crate) lists_vital: bool,
    /// All that it does is to make an entry of the temporary folder, whose path it prints.
    pub(crate) makes_scratch: bool,
    /// What it prints are numbers alone.
    pub(crate) counts: bool,
}

/// What reading goes back to from within a command, so that the rules of programs need not know who reads.
pub(crate) struct Recursion {
    /// Reads shell text. Returns the listing when that is all that it prints.
    pub(crate) text: fn(&mut Walk<'_>, &str) -> Option<Listing>,
    /// Judges one program with its arguments. The listing is its standard input.
    pub(crate) run: fn(&mut Walk<'_>, &str, &[Arg], Option<&Listing>),
    /// Looks through text of another language.
    pub(crate) foreign: fn(&mut Walk<'_>, &str),
}

/// A walk through one command.
pub(crate) struct Walk<'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) found: Findings,
    pub(crate) flow: Flow,
    texts: usize,
    runs: usize,
    recursion: &'static Recursion,
}

impl<'a> Walk<'a> {
    /// At the beginning of a command.
    pub(crate) fn new(paths: &'a PathRules, recursion: &'static Recursion) -> Self {
        let (scope, found, flow) = (Scope::new(paths), Findings::new(), Flow::default());
        Self { scope, found, flow, texts: 0, runs: 0, recursion }
    }

    /// Reads something in a scope of its own, which ends with it.
    pub(crate) fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.scope.clone();
        let result = read(self);
        self.scope = outside;
        result
    }

    /// Reads shell text. Returns the listing when that is all that it prints.
    pub(crate) fn text(&mut self, text: &str) -> Option<Listing> {
        (self.recursion.text)(self, text)
    }

    /// Judges one program with its arguments.
    pub(crate) fn run(&mut self, word: &str, args: &[Arg]) {
        (self.recursion.run)(self, word, args, None);
    }

    /// Looks through text of another language.
    pub(crate) fn foreign_text(&mut self, text: &str) {
        (self.recursion.foreign)(self, text);
    }

    /// Text that gets run as shell text, by something that is asked about anyway.
    pub(crate) fn shell_text(&mut self, text: &str) {
        let (folder, stdin) = (self.scope.folder.clone(), self.scope.stdin.take());
        self.text(text);
        self.flow.printed = None;
        (self.scope.folder, self.scope.stdin) = (folder, stdin);
    }

    /// Whether one more text can be parsed.
    pub(crate) fn may_parse(&mut self) -> bool {
        self.texts += 1;
        self.texts <= MAX_TEXTS
    }

    /// Whether one more program can be judged.
    pub(crate) fn may_run(&mut self) -> bool {
        self.runs += 1;
        if self.runs > MAX_RUNS {
            self.found.confirm("it runs more programs than can be followed");
        }
        self.runs <= MAX_RUNS
    }

    /// Whether an interpreter would be given what was fetched from the network.
    pub(crate) fn takes_fetched(&self, args: &[Arg]) -> bool {
        self.scope.takes_fetched || args.iter().any(|a| self.holds_fetched(&a.shown()))
    }

    /// Whether one of the programs from this one on brings text in from the network.
    pub(crate) fn has_fetched(&self, from: usize) -> bool {
        self.found.programs[from..].iter().any(|program| program.has(FETCHES))
    }

    /// Reads a command substitution. Returns what it yields.
    pub(crate) fn substitution(&mut self, text: &str, quoted: bool) -> Part {
        let listing = self.apart(|walk| {
            walk.scope.stdin = None;
            walk.text(text)
        });
        self.flow.lists = None;
        let printed = self.flow.printed.take();
        // One command without anything around it.
        let is_one = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -".contains(&byte));
        if std::mem::take(&mut self.flow.makes_scratch) && is_one {
            return Part::Hole { kind: Hole::Scratch, loose: !quoted };
        }
        if std::mem::take(&mut self.flow.counts) && is_one {
            return Part::Hole { kind: Hole::Number, loose: !quoted };
        }
        match printed.map(|text| text.trim_end_matches('\n').to_owned()) {
            Some(text) if listing.is_none() && (quoted || !arg::splits(&text)) => Part::Text(text),
            Some(text) if listing.is_none() => Part::Split(text),
            Some(_) | None => Part::Hole { kind: self.kind_of(listing.as_ref()), loose: !quoted },
        }
    }

    /// What is known of words that are a listing, as a shell splits them.
    fn kind_of(&self, listing: Option<&Listing>) -> Hole {
        match listing {
            Some(listing) if self.stays_whole(listing, Splitting::Blanks) => Hole::Names,
            Some(_) => Hole::Listing,
            None => Hole::Opaque,
        }
    }

    /// Gives a loop variable its value.
    pub(crate) fn set(&mut self, name: &str, value: VariableValue) {
        self.scope.is_redirected |= name == TEMPORARY;
        if is_own_name(name) {
            self.scope.variables.insert(name.to_owned(), value);
        } else {
            self.scope.variables.remove(name);
            self.found.act(
                EffectClass::Unknown,
                &format!("it changes {name}, which may change what a program does"),
            );
        }
    }

    /// A variable is used: a name such as API_KEY says that its value is a secret.
    pub(crate) fn note_variable(&mut self, name: &str) {
        let upper = name.to_uppercase();
        let secret = ["TOKEN", "SECRET", "PASSW", "API_KEY", "APIKEY", "CREDENTIAL", "ACCESS_KEY"];
        if secret.iter().any(|part| upper.contains(part)) {
            self.found.reveal(RevealedText::Secrets);
        }
    }

    /// What a variable expands to.
    pub(crate) fn value_of(&mut self, name: &str, quoted: bool) -> Vec<Part> {
        self.note_variable(name);
        let known = match (self.scope.variables.get(name), name) {
            (Some(value), _) => value.clone(),
            (None, "HOME") => VariableValue::Text(self.scope.paths.home.clone()),
            (None, "ARTOO_DATA_DIR") => VariableValue::Text(self.scope.paths.data_dir.clone()),
            (None, "ARTOO_WORKSPACE") => VariableValue::Text(self.scope.paths.workspace.clone()),
            (None, "PWD") => VariableValue::Text(self.scope.folder.clone()),
            (None, TEMPORARY) if !self.scope.is_redirected => VariableValue::Hole(Hole::Scratch),
            (None, _) => VariableValue::Hole(Hole::Opaque),
        };
        vec![match known {
            VariableValue::Text(text) if quoted || !arg::splits(&text) => Part::Text(text),
            VariableValue::Text(text) => Part::Split(text),
            VariableValue::Hole(kind) => Part::Hole { kind, loose: !quoted },
        }]
    }

    /// `cd`: what comes afterwards is judged in the other folder, when it is certain that the shell gets there.
    pub(crate) fn change_folder(&mut self, args: &[Arg]) {
        let args = if args.first().and_then(Arg::fixed).as_deref() == Some("--") { &args[1..] } else { args };
        let text = match args {
            [] => Some(self.scope.paths.home.clone()),
            [one] => one.fixed().filter(|text| !text.is_empty() && !text.starts_with('-')),
            _ => None,
        };
        let Some(text) = text else {
            self.found.confirm("which folder it goes to is known only when it runs");
            self.found.goes_elsewhere();
            return;
        };
        self.path(&Arg::plain(&text), false);
        let folder = self.scope.resolve(&text);
        let may_enter = rustix::fs::access(&*folder, rustix::fs::Access::EXEC_OK).is_ok();
        if !may_enter || canonical(&folder) != folder || !std::path::Path::new(&folder).is_dir() {
            self.found.confirm(&format!("the folder {folder} is not there, or a link leads to it"));
        }
        self.scope.folder = folder;
        self.scope.forget_listings();
    }

    /// Goes back to a folder after a part of the command that may not have been carried out, or not once.
    pub(crate) fn back_from_uncertain(&mut self, folder: String) {
        if self.scope.folder != folder {
            self.found.act(EffectClass::Unknown, "which folder it is in afterwards is not certain");
            self.scope.folder = folder;
        }
    }
}

/// Names of variables that no program and no part of bash gives a meaning: small letters.
pub(crate) fn is_own_name(name: &str) -> bool {
    !matches!(name, "auto_resume" | "histchars")
        && !name.ends_with("_proxy")
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
