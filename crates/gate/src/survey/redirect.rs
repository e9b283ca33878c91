//! Redirections and process substitutions.

use brush_parser::ast::{
    IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, ProcessSubstitutionKind, RedirectList,
    SubshellCommand,
};

use crate::Making;
use crate::survey::Survey;
use crate::vital;
use crate::word;

impl Survey<'_> {
    pub(super) fn redirects(&mut self, list: Option<&RedirectList>) {
        for redirect in list.iter().flat_map(|list| &list.0) {
            self.redirect(redirect);
        }
    }

    pub(super) fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(number, kind, target) => {
                let before = self.stdin.clone();
                self.file(kind, target);
                let reads = matches!(
                    kind,
                    IoFileRedirectKind::Read
                        | IoFileRedirectKind::ReadAndWrite
                        | IoFileRedirectKind::DuplicateInput
                );
                // `0>&3` turns the standard input to elsewhere too.
                match number {
                    Some(0) if !reads => self.stdin = None,
                    Some(0) | None if reads => {}
                    Some(_) | None => self.stdin = before,
                }
            }
            IoRedirect::HereDocument(number, document) => {
                let before = self.stdin.take();
                if !is_plain_end(&document.here_end.value, &document.doc.value) {
                    self.confirm("where a here-document ends is not certain");
                }
                self.stdin = if document.requires_expansion {
                    word::read_document(&document.doc.value, self)
                } else {
                    Some(document.doc.value.clone())
                };
                if number.is_some_and(|number| number != 0) {
                    self.stdin = before;
                }
            }
            IoRedirect::HereString(number, text) => {
                let read = word::read(&text.value, self).fixed().map(|text| text + "\n");
                if number.is_none_or(|number| number == 0) {
                    self.stdin = read;
                }
            }
            IoRedirect::OutputAndError(text, _) => self.written(&text.value, false),
        }
    }

    fn file(&mut self, kind: &IoFileRedirectKind, target: &IoFileRedirectTarget) {
        match target {
            IoFileRedirectTarget::Fd(_) => self.forget_streams(),
            IoFileRedirectTarget::ProcessSubstitution(direction, inner) => {
                self.process_substitution(direction, inner);
                self.stdin = self.printed.take();
            }
            IoFileRedirectTarget::Duplicate(text) => {
                let arg = word::read(&text.value, self);
                let is_descriptor =
                    arg.fixed().is_some_and(|t| t.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit()));
                if !is_descriptor {
                    self.written(&text.value, false);
                } else {
                    self.forget_streams();
                }
            }
            IoFileRedirectTarget::Filename(text) => match kind {
                IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput => {
                    let arg = word::read(&text.value, self);
                    self.path(&arg, true);
                    self.operand(&arg);
                    self.passes_fetched |= self.holds_fetched(&arg.shown());
                    self.stdin = None;
                }
                IoFileRedirectKind::Append => self.written(&text.value, true),
                IoFileRedirectKind::ReadAndWrite => {
                    self.written(&text.value, false);
                    self.stdin = None;
                }
                IoFileRedirectKind::Write
                | IoFileRedirectKind::Clobber
                | IoFileRedirectKind::DuplicateOutput => self.written(&text.value, false),
            },
        }
    }

    /// What is read and printed goes another way, which is not followed.
    fn forget_streams(&mut self) {
        self.redirected = true;
        self.stdin = None;
    }

    /// A file that gets written. `appends`: what is in it stays.
    fn written(&mut self, text: &str, appends: bool) {
        let arg = word::read(text, self);
        let fixed = arg.fixed();
        self.redirected = true;
        if fixed.as_deref().is_some_and(|t| matches!(t, "/dev/null" | "/dev/stdout" | "/dev/stderr")) {
            return;
        }
        if arg.fixed().is_none() {
            vital::overwritten(&arg, self);
        }
        self.outputs.push(arg.shown());
        self.fetched_into(&arg);
        self.make(&arg, Making::File, if appends { "appends to" } else { "writes into" });
    }

    pub(super) fn process_substitution(&mut self, kind: &ProcessSubstitutionKind, inner: &SubshellCommand) {
        if matches!(kind, ProcessSubstitutionKind::Write) {
            self.confirm("it writes into another command that is not waited for");
        }
        let folder = self.folder.clone();
        self.list(&inner.list);
        self.folder = folder;
    }
}

/// Whether a here-document ends where everybody says it ends: its mark is one plain word, and no line comes close to it.
fn is_plain_end(end: &str, text: &str) -> bool {
    let unquoted = end
        .strip_prefix('\'')
        .and_then(|e| e.strip_suffix('\''))
        .or_else(|| end.strip_prefix('"').and_then(|e| e.strip_suffix('"')))
        .or_else(|| end.strip_prefix('\\'))
        .unwrap_or(end);
    let is_word = !unquoted.is_empty() && unquoted.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_word && text.lines().all(|line| line.trim().trim_end_matches('\\') != unquoted)
}
