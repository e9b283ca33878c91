//! Paths that a command names: secrets, devices, and what becomes the call's target.

use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;

use super::{MAX_TARGETS, Survey};
use crate::gate::glob;
use crate::gate::word::{Arg, Hole};
use crate::places::Access;
use crate::taint;

impl Survey<'_> {
    /// Looks at a word that is a path. `reads`: the content of what is there gets read.
    pub(in crate::gate) fn path(&mut self, arg: &Arg, reads: bool) {
        let is_bare_number = arg.is_numeric() && arg.fixed().is_none() && !arg.shown().contains(['/', '.']);
        if is_bare_number && self.places.reading(&self.places.path(".")) == Access::Free {
            return;
        }
        let texts = match arg.fixed() {
            Some(text) => vec![text],
            None if arg.is_pattern() => match glob::expand(arg, self.places, reads) {
                Some(texts) => texts,
                None => {
                    self.doubt(reads, "a pattern matches too much to be looked through");
                    return;
                }
            },
            None if arg.is_only(Hole::Listing) => return,
            None => {
                self.doubt(reads, "which file it reads is known only when it runs");
                vec![arg.prefix()]
            }
        };
        for text in texts {
            self.known_path(&text, reads);
        }
    }

    fn doubt(&mut self, reads: bool, why: &str) {
        self.brings = Taint::BOTH;
        if reads {
            self.act(EffectClass::Read, why);
        }
    }

    fn known_path(&mut self, text: &str, reads: bool) {
        if text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/") {
            self.sends = true;
            self.act(EffectClass::Send, "it talks to the network");
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
            self.act(EffectClass::Read, &format!("{text} is a device"));
            self.touch(text.to_owned());
        }
        let normal = self.places.path(text);
        let read = taint::of_path(self.places, &normal);
        self.brings |= Taint { untrusted: read.untrusted && reads, ..read };
        // The shell does not trim or recompose names; the form as it is written counts too.
        let raw = if text.starts_with('/') {
            text.to_owned()
        } else {
            format!("{}/{text}", self.places.working_directory)
        };
        for form in [&normal, &raw] {
            match self.places.reading(form) {
                Access::Free => {}
                Access::Ask(why) => {
                    self.reveals = true;
                    self.act(EffectClass::Read, &why);
                    self.touch(form.clone());
                }
                Access::Never(why) => self.forbid(&why),
            }
        }
    }

    /// A folder that is read with everything in it.
    pub(in crate::gate) fn whole_folder(&mut self, text: &str) {
        let folder = self.places.path(text);
        if self.places.holds_secrets_below(&folder) {
            self.touch(folder);
            self.act(EffectClass::Read, "it would read everything below a folder with secrets in it");
        }
    }

    /// Remembers a path operand for the normalised target.
    pub(in crate::gate) fn operand(&mut self, arg: &Arg) {
        let text = arg.shown();
        if !text.is_empty()
            && text != "-"
            && !text.starts_with("/dev/fd/")
            && self.operands.len() < MAX_TARGETS
        {
            self.operands.insert(self.places.path(&text));
        }
    }
}
