//! Redirections and process substitutions.

use brush_parser::ast::{
    IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, ProcessSubstitutionKind, RedirectList,
    SubshellCommand,
};

use crate::CreationKind;
use crate::vital;
use crate::walk::Walk;
use crate::word;

/// What a command's redirections do to what it prints.
#[derive(Default)]
pub(super) struct RedirectedOutput {
    /// It goes elsewhere.
    pub(super) redirected: bool,
    /// The files that it goes into.
    pub(super) files: Vec<String>,
}

/// Reads the redirections of a compound command.
pub(super) fn read_redirects(walk: &mut Walk<'_>, list: Option<&RedirectList>) {
    let mut outputs = RedirectedOutput::default();
    for redirect in list.iter().flat_map(|list| &list.0) {
        read_redirect(walk, redirect, &mut outputs);
    }
}

pub(crate) fn read_redirect(walk: &mut Walk<'_>, redirect: &IoRedirect, outputs: &mut RedirectedOutput) {
    match redirect {
        IoRedirect::File(number, kind, target) => {
            let before = walk.scope.stdin.clone();
            read_file(walk, kind, target, outputs);
            let reads = matches!(
                kind,
                IoFileRedirectKind::Read
                    | IoFileRedirectKind::ReadAndWrite
                    | IoFileRedirectKind::DuplicateInput
            );
            // `0>&3` turns the standard input to elsewhere too.
            match number {
                Some(0) if !reads => walk.scope.stdin = None,
                Some(0) | None if reads => {}
                Some(_) | None => walk.scope.stdin = before,
            }
        }
        IoRedirect::HereDocument(number, document) => {
            let before = walk.scope.stdin.take();
            if !is_plain_end(&document.here_end.value, &document.doc.value) {
                walk.found.confirm("where a here-document ends is not certain");
            }
            walk.scope.stdin = if document.requires_expansion {
                word::read_document(&document.doc.value, walk)
            } else {
                Some(document.doc.value.clone())
            };
            if number.is_some_and(|number| number != 0) {
                walk.scope.stdin = before;
            }
        }
        IoRedirect::HereString(number, text) => {
            let read = word::read(&text.value, walk).fixed().map(|text| text + "\n");
            if number.is_none_or(|number| number == 0) {
                walk.scope.stdin = read;
            }
        }
        IoRedirect::OutputAndError(text, _) => read_written(walk, &text.value, false, outputs),
    }
}

fn read_file(
    walk: &mut Walk<'_>,
    kind: &IoFileRedirectKind,
    target: &IoFileRedirectTarget,
    outputs: &mut RedirectedOutput,
) {
    match target {
        IoFileRedirectTarget::Fd(_) => forget_streams(walk, outputs),
        IoFileRedirectTarget::ProcessSubstitution(direction, inner) => {
            read_process(walk, direction, inner);
            walk.scope.stdin = walk.flow.printed.take();
        }
        IoFileRedirectTarget::Duplicate(text) => {
            let arg = word::read(&text.value, walk);
            let is_descriptor =
                arg.fixed().is_some_and(|t| t.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit()));
            if !is_descriptor {
                read_written(walk, &text.value, false, outputs);
            } else {
                forget_streams(walk, outputs);
            }
        }
        IoFileRedirectTarget::Filename(text) => match kind {
            IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput => {
                let arg = word::read(&text.value, walk);
                walk.path(&arg, true);
                walk.note_files(&arg);
                walk.operand(&arg);
                walk.flow.passes_fetched |= walk.holds_fetched(&arg.shown());
                walk.scope.stdin = None;
            }
            IoFileRedirectKind::Append => read_written(walk, &text.value, true, outputs),
            IoFileRedirectKind::ReadAndWrite => {
                read_written(walk, &text.value, false, outputs);
                walk.scope.stdin = None;
            }
            IoFileRedirectKind::Write | IoFileRedirectKind::Clobber | IoFileRedirectKind::DuplicateOutput => {
                read_written(walk, &text.value, false, outputs);
            }
        },
    }
}

/// What is read and printed goes another way, which is not followed.
fn forget_streams(walk: &mut Walk<'_>, outputs: &mut RedirectedOutput) {
    outputs.redirected = true;
    walk.scope.stdin = None;
}

/// A file that gets written. `appends`: what is in it stays.
fn read_written(walk: &mut Walk<'_>, text: &str, appends: bool, outputs: &mut RedirectedOutput) {
    let arg = word::read(text, walk);
    let fixed = arg.fixed();
    outputs.redirected = true;
    if fixed.as_deref().is_some_and(|t| matches!(t, "/dev/null" | "/dev/stdout" | "/dev/stderr")) {
        return;
    }
    if arg.fixed().is_none() {
        vital::overwritten(&arg, &walk.scope, &mut walk.found);
    }
    outputs.files.push(arg.shown());
    walk.fetched_into(&arg);
    walk.make(&arg, CreationKind::File, if appends { "appends to" } else { "writes into" });
}

pub(crate) fn read_process(walk: &mut Walk<'_>, kind: &ProcessSubstitutionKind, inner: &SubshellCommand) {
    if matches!(kind, ProcessSubstitutionKind::Write) {
        walk.found.confirm("it writes into another command that is not waited for");
    }
    walk.apart(|walk| super::read_list(walk, &inner.list));
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
