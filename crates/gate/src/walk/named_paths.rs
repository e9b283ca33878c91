//! Paths that a command names: secrets, devices, what becomes the call's target, and the files that it would run, source, copy
//! or send as they are then.

use std::path::Path;

use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;
use artoo_types::target::is_below;

use super::Walk;
use crate::arg::{Arg, Part};
use crate::findings::MAX_TARGETS;
use crate::findings::RevealedText;
use crate::origin;
use crate::origin::PROGRAMS;
use crate::paths::{PathAccess, canonical};
use crate::{glob, links};

/// What stands around a path in the text of another language, and in front of one in an option.
const AROUND: &[char] =
    &['\'', '"', '`', '(', ')', '[', ']', '{', '}', '<', '>', ';', '|', '&', ',', '=', ':', '@', '$'];

impl Walk<'_> {
    /// Remembers a pattern that the shell expands.
    pub(crate) fn note_pattern(&mut self, arg: &Arg) {
        let is_glob = |part: &Part| matches!(part, Part::Wild(text) | Part::Split(text) if text.contains(['*', '?', '[', '{']));
        if !arg.0.iter().any(is_glob) {
            return;
        }
        let texts = glob::expand(arg, &self.scope.folder, false).unwrap_or_else(|| vec!["**".to_owned()]);
        for text in texts {
            let absolute = if text.starts_with('/') { text } else { format!("{}/{text}", self.scope.folder) };
            self.found.history.patterns.insert(absolute);
        }
    }

    /// Remembers a path that is looked at.
    pub(crate) fn look_at(&mut self, arg: &Arg) {
        if let Some(text) = arg.fixed() {
            self.found.history.looked.insert(self.scope.resolve(&text));
        }
    }

    /// What the command has fetched from the network is in this file.
    pub(crate) fn fetched_into(&mut self, arg: &Arg) {
        if self.has_fetched(0) {
            self.found.history.fetched.insert(self.scope.resolve(&arg.shown()));
        }
    }

    /// Whether this file holds what the command has fetched from the network.
    pub(crate) fn holds_fetched(&self, text: &str) -> bool {
        text == "/dev/fd/64" || self.found.history.fetched.contains(&self.scope.resolve(text))
    }

    /// Looks at a word that is a path. `reads`: the content of what is there gets read.
    pub(crate) fn path(&mut self, arg: &Arg, reads: bool) {
        let is_bare_number = arg.is_numeric() && arg.fixed().is_none() && !arg.shown().contains(['/', '.']);
        if is_bare_number && self.scope.paths.reading(&self.scope.resolve(".")) == PathAccess::Free {
            return;
        }
        let texts = match arg.fixed() {
            Some(text) => vec![text],
            None if arg.is_pattern() => match glob::expand(arg, &self.scope.folder, reads) {
                Some(texts) => texts,
                None => {
                    self.doubt(reads, "a pattern matches too much to be looked through");
                    return;
                }
            },
            None if arg.is_listed() || arg.is_scratch() => {
                self.found.history.reads_listed |= reads && arg.is_listed();
                return;
            }
            None => {
                self.doubt(reads, "which file it reads is known only when it runs");
                vec![arg.prefix()]
            }
        };
        for text in texts {
            self.known_path(&text, reads);
        }
    }

    /// Whether one of the words that this pattern becomes would be taken for an option, or for the name of a file of arguments.
    pub(crate) fn hides_option(&self, arg: &Arg) -> bool {
        let is_one = |name: &str| name.starts_with(['-', '@']);
        let last = |path: &str| path.rsplit('/').next().is_some_and(is_one);
        glob::named(arg, &self.scope.folder).is_none_or(|names| {
            names.iter().any(|name| is_one(name) || !arg.shown().contains('/') && last(name))
        }) || self.found.history.creations.iter().any(|creation| last(&creation.path))
    }

    fn doubt(&mut self, reads: bool, why: &str) {
        self.found.brings = Taint::BOTH;
        if reads {
            self.found.act(EffectClass::Read, why);
        }
    }

    fn known_path(&mut self, text: &str, reads: bool) {
        if text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/") {
            self.found.sends = true;
            self.found.act(EffectClass::Send, "it talks to the network");
            return;
        }
        let is_harmless_device =
            ["/dev/null", "/dev/zero", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/urandom"]
                .contains(&text)
                || text.strip_prefix("/dev/fd/").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        if is_harmless_device {
            return;
        }
        if reads && text.starts_with("/dev/") {
            self.found.act(EffectClass::Read, &format!("{text} is a device"));
            self.found.touch(text.to_owned());
        }
        let normal = self.scope.resolve(text);
        let read = origin::of_path(self.scope.paths, &normal);
        let brought = Taint { untrusted: read.untrusted && reads, ..read };
        self.found.brings |= brought;
        self.found.history.brought |= brought;
        // The shell does not trim or recompose names; the form as it is written counts too.
        let raw =
            if text.starts_with('/') { text.to_owned() } else { format!("{}/{text}", self.scope.folder) };
        for form in [&normal, &raw] {
            match self.scope.paths.reading(form) {
                PathAccess::Free => {}
                PathAccess::Ask(why) => {
                    if !self.scope.uses_keys {
                        self.found.reveal(RevealedText::Secrets);
                    }
                    self.found.act(EffectClass::Read, &why);
                    self.found.touch(form.clone());
                }
                PathAccess::Never(why) => self.found.forbid(&why),
            }
        }
    }

    /// A folder that is read with everything in it.
    pub(crate) fn whole_folder(&mut self, text: &str) {
        let folder = self.scope.resolve(text);
        self.found.history.folders.insert(folder.clone());
        if self.scope.paths.holds_secrets_below(&folder) {
            self.found.touch(folder);
            self.found.act(EffectClass::Read, "it would read everything below a folder with secrets in it");
        } else if links::lead_to_secrets(&folder, self.scope.paths) {
            self.found.act(EffectClass::Read, "a link in that folder leads to secrets, which it may follow");
        }
    }

    /// Remembers a path operand for the normalised target.
    pub(crate) fn operand(&mut self, arg: &Arg) {
        let text = arg.shown();
        if !text.is_empty()
            && text != "-"
            && !text.starts_with("/dev/fd/")
            && self.found.operands.len() < MAX_TARGETS
        {
            self.found.operands.insert(self.scope.resolve(&text));
            self.look_at(arg);
        }
    }

    /// Remembers the files that a word of a program names, in whichever way it does.
    pub(crate) fn note_files(&mut self, word: &Arg) {
        let texts = match word.fixed() {
            Some(text) => vec![text],
            None if word.is_pattern() => glob::named(word, &self.scope.folder).unwrap_or_default(),
            None => vec![word.shown()],
        };
        texts.iter().for_each(|text| self.note_files_in(text));
    }

    /// Remembers the files that a whole command names anywhere in its text, from the folder in which it begins, and those there
    /// that programs run or follow without being told.
    pub(crate) fn note_unnamed(&mut self, command: &str) {
        let here = std::mem::replace(&mut self.scope.folder, self.scope.paths.working_directory.clone());
        self.note_files_in(command);
        self.scope.folder = here;
        self.found.history.named.extend(self.scope.paths.run_by_convention());
    }

    /// Remembers the files that a text names.
    pub(crate) fn note_files_in(&mut self, text: &str) {
        let behind = [text.split_once('='), text.split_once('@')].into_iter().flatten().map(|(_, rest)| rest);
        let attached = text.strip_prefix('-').and_then(|option| option.get(1..));
        let within = text.split(|c: char| c.is_whitespace() || AROUND.contains(&c));
        for form in [text].into_iter().chain(behind).chain(attached).chain(within) {
            if form.is_empty() || form.contains('\n') {
                continue;
            }
            let path = self.scope.resolve(form);
            let is_programs = || PROGRAMS.iter().any(|place| is_below(&canonical(&path), place));
            if !self.found.history.named.contains(&path) && Path::new(&path).is_file() && !is_programs() {
                self.found.history.named.insert(path);
            }
        }
    }
}
