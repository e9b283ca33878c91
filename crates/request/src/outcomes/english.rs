//! Outcomes of English clauses: verb, object, destination.

use super::{PathOutcome, SignedClause, are_trailing, destination, holds, made};
use crate::scan::is_entry;
use crate::verbs::Action;

/// What may stand before a path and says nothing.
const NOUNS: &str = "the, a, an, my, our, this, that, new, old, existing, file, files, folder, folders, directory, directories, document, script, \
                     named, called, text, markdown, csv, json, yaml, both, temporary, of, all, small, simple, short, empty, blank";
/// What stands before a destination.
const TO: &str = "to, into, as, in, at, under";
/// What turns the rest of a clause into a description.
const DESCRIBING: &str = "that, which, who, from, using, comparing, based, describing";
/// Verbs whose object is what comes into being.
const MAKING: &str = "create, make, generate, produce, touch, write";
/// Verbs whose destination is what comes into being. What is put or moved there may be a file that has a name already.
const WRITING: &str = "write, save, export, store, record, dump, create, generate, produce, summarise, summarize, translate, render, \
                       put, merge, combine, concatenate, join, convert, turn, transform, compress, zip";
/// Verbs that leave something with content.
const TRANSFORMING: &str =
    "summarise, summarize, translate, merge, combine, concatenate, join, compress, zip";
const DELETING: &str = "delete, remove, rm, erase, unlink, trash";
const MOVING: &str = "move, mv, relocate";
const RENAMING: &str = "rename";
const COPYING: &str = "copy, cp, duplicate, backup, mirror, clone";
const ADDING: &str = "append, add, insert";
const REPLACING: &str = "replace, change, set, swap";
/// What is added to a file without a change of it.
const LINKS: &str =
    "link, reference, pointer, import, shortcut, test, tests, comment, user, permission, permissions";
/// Nouns before a quotation or a word that a file is to hold.
const HELD: &str = "text, line, word, words, content, contents, containing, saying, string, sentence";

/// A word of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Path(String),
    Quote(String),
    Comma,
    Word(String),
}

impl Token {
    fn word(&self) -> &str {
        if let Self::Word(word) = self { word } else { "" }
    }
}

pub(super) fn outcomes(signed: &SignedClause, action: Action, is_only: bool) -> Vec<PathOutcome> {
    let tokens = tokens(signed);
    let verb = tokens.first().map(Token::word).unwrap_or_default().to_owned();
    let (verb, from) = match (verb.as_str(), tokens.get(1).map(Token::word)) {
        ("back", Some("up")) => ("backup".to_owned(), 2),
        ("get", Some("rid")) => ("delete".to_owned(), 2),
        _ => (verb, 1),
    };
    let says = |table: &'static str| is_entry(table, verb.as_str());
    let object = skip_nouns(&tokens, from);
    match action {
        Action::Delete if says(DELETING) => deleted(&tokens, object),
        Action::Move if says(MOVING) || says(RENAMING) => moved(&tokens, object, says(RENAMING)),
        Action::Copy if says(COPYING) => copied(&tokens, object, is_only),
        Action::Make | Action::Answer if says(MAKING) || says(WRITING) => {
            let direct = says(MAKING).then(|| made_directly(&tokens, object)).filter(|made| !made.is_empty());
            let paths = direct.unwrap_or_else(|| made_at(&tokens, object, says(WRITING)));
            let held = if let [path] = paths.as_slice() { held(&tokens, path) } else { None };
            let lines = if let [path] = paths.as_slice() { lines(&tokens, path) } else { None };
            let content = lines.is_some() || is_entry(TRANSFORMING, verb.as_str());
            made(&paths, signed, held, content).into_iter().chain(lines).collect()
        }
        Action::Change if says(ADDING) || says(REPLACING) => changed(&tokens, says(ADDING), &verb),
        Action::Make
        | Action::Change
        | Action::Delete
        | Action::Move
        | Action::Copy
        | Action::Send
        | Action::Run
        | Action::Install
        | Action::Find
        | Action::List
        | Action::Count
        | Action::Read
        | Action::Answer => Vec::new(),
    }
}

fn tokens(signed: &SignedClause) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let end = |word: &mut String, tokens: &mut Vec<Token>| {
        let plain =
            word.trim_matches(|c: char| matches!(c, '.' | ':' | '!' | '?' | '(' | ')' | ';')).to_lowercase();
        if !plain.is_empty() {
            tokens.push(Token::Word(plain));
        }
        word.clear();
    };
    for found in signed.text.chars() {
        let token = match (signed.path(found), signed.quote(found)) {
            (Some(path), _) => Some(Token::Path(path.clone())),
            (None, Some(quote)) => Some(Token::Quote(quote.clone())),
            (None, None) if found == ',' => Some(Token::Comma),
            (None, None) => None,
        };
        if token.is_some() || found.is_whitespace() {
            end(&mut word, &mut tokens);
            tokens.extend(token);
        } else {
            word.push(found);
        }
    }
    end(&mut word, &mut tokens);
    tokens
}

fn skip_nouns(tokens: &[Token], from: usize) -> usize {
    let is_noun = |token: &&Token| is_entry(NOUNS, token.word()) || token.word().starts_with('-');
    from + tokens.get(from..).unwrap_or_default().iter().take_while(is_noun).count()
}

/// The paths that stand here one after the other, and where they end.
fn path_list(tokens: &[Token], from: usize) -> (Vec<&String>, usize) {
    let mut paths = Vec::new();
    let mut at = from;
    loop {
        let start = if paths.is_empty() { at } else { skip_nouns(tokens, at) };
        match tokens.get(start) {
            Some(Token::Path(path)) => {
                paths.push(path);
                at = start + 1;
            }
            Some(Token::Comma)
                if !paths.is_empty() && matches!(tokens.get(start + 1), Some(Token::Path(_))) =>
            {
                at = start + 1;
            }
            Some(Token::Word(word)) if matches!(word.as_str(), "and" | "&") && !paths.is_empty() => {
                at = start + 1;
            }
            _ => return (paths, at),
        }
    }
}

/// Whether nothing that matters stands behind this place.
fn ends(tokens: &[Token], at: usize) -> bool {
    let rest = tokens.get(at..).unwrap_or_default();
    rest.iter().all(|token| matches!(token, Token::Word(_) | Token::Comma))
        && are_trailing(rest.iter().map(|token| token.word().to_owned()).filter(|word| !word.is_empty()))
}

fn deleted(tokens: &[Token], object: usize) -> Vec<PathOutcome> {
    let (paths, end) = path_list(tokens, object);
    if !ends(tokens, end) {
        return Vec::new();
    }
    paths.into_iter().map(|path| PathOutcome::Deleted { path: path.clone() }).collect()
}

fn moved(tokens: &[Token], object: usize, renames: bool) -> Vec<PathOutcome> {
    let (sources, at) = path_list(tokens, object);
    let is_to = tokens.get(at).is_some_and(|token| is_entry(TO, token.word()));
    if sources.is_empty() || !is_to {
        return Vec::new();
    }
    let (targets, end) = path_list(tokens, skip_nouns(tokens, at + 1));
    let to = match targets.as_slice() {
        [only] if ends(tokens, end) => Some(*only),
        _ => None,
    };
    let to_one = |from: &str| to.filter(|_| sources.len() == 1).and_then(|to| destination(from, to, renames));
    sources.iter().map(|from| PathOutcome::Moved { from: (*from).clone(), to: to_one(from) }).collect()
}

fn copied(tokens: &[Token], object: usize, is_only: bool) -> Vec<PathOutcome> {
    let (sources, at) = path_list(tokens, object);
    let is_to = tokens.get(at).is_some_and(|token| is_entry(TO, token.word()));
    let ([from], true) = (sources.as_slice(), is_to) else { return Vec::new() };
    let (targets, end) = path_list(tokens, skip_nouns(tokens, at + 1));
    if !ends(tokens, end) {
        return Vec::new();
    }
    targets
        .into_iter()
        .filter(|to| to.contains('/') || !from.contains('/'))
        .map(|to| PathOutcome::Copied { from: (*from).clone(), to: to.clone(), stays: is_only })
        .collect()
}

/// "Create ./a.txt, ./b.txt with the word hi". "Write ./a.txt to ./b.txt" makes the other one.
fn made_directly(tokens: &[Token], object: usize) -> Vec<&String> {
    let (paths, end) = path_list(tokens, object);
    let goes_on = tokens
        .get(end)
        .is_some_and(|token| is_entry(TO, token.word()) || is_entry("from, out, executable", token.word()));
    if goes_on { Vec::new() } else { paths }
}

/// "Write a report about x into ./report.md": the one destination that is named before anything is described.
fn made_at(tokens: &[Token], object: usize, writes: bool) -> Vec<&String> {
    // "Put ./a.txt into ./archive" moves a file.
    if !writes
        || matches!(tokens.get(object), Some(Token::Path(_)))
            && !is_entry(
                "merge, combine, concatenate, join, convert, compress, zip, summarise, summarize, translate",
                tokens[0].word(),
            )
    {
        return Vec::new();
    }
    let described =
        tokens.iter().position(|token| is_entry(DESCRIBING, token.word())).unwrap_or(tokens.len());
    let mut found = Vec::new();
    for at in 0..described {
        if is_entry(TO, tokens[at].word()) {
            let place = skip_nouns(tokens, at + 1);
            if let Some(Token::Path(path)) = tokens.get(place) {
                found.push((tokens[at].word(), path));
            }
        }
    }
    // "The list of files in ./d to ./list.txt": the nearer word tells where something is.
    let sure: Vec<&String> = found
        .iter()
        .filter(|(word, _)| matches!(*word, "to" | "into" | "as"))
        .map(|(_, path)| *path)
        .collect();
    match (sure.as_slice(), found.as_slice()) {
        ([only], _) => vec![*only],
        ([], [(_, only)])
            if is_named_file(only)
                && is_entry("write, save, store, put, record", tokens[0].word())
                && ends_with(tokens, only) =>
        {
            vec![*only]
        }
        _ => Vec::new(),
    }
}

fn is_named_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'))
}

fn ends_with(tokens: &[Token], path: &str) -> bool {
    matches!(tokens.last(), Some(Token::Path(last)) if last == path)
}

/// "Append x to ./a.txt", "replace red by blue in ./c.txt": the only path, and the last word.
fn changed(tokens: &[Token], adds: bool, verb: &str) -> Vec<PathOutcome> {
    let paths = tokens.iter().filter(|token| matches!(token, Token::Path(_))).count();
    let at = tokens.iter().position(|token| matches!(token, Token::Path(_)));
    let (Some(at), 1) = (at, paths) else { return Vec::new() };
    let Token::Path(path) = &tokens[at] else { return Vec::new() };
    let before: Vec<&str> =
        tokens[..at].iter().map(Token::word).filter(|word| !is_entry(NOUNS, word)).collect();
    let preposition = before.last().copied().unwrap_or_default();
    let links = tokens.iter().any(|token| is_entry(LINKS, token.word()));
    let is_place = if adds { matches!(preposition, "to" | "into" | "in") } else { preposition == "in" };
    let reaches = before.len() > 2 || tokens[..at].iter().any(|token| matches!(token, Token::Quote(_)));
    // "Change to the folder in ./x" changes nothing.
    if !is_place
        || links
        || !reaches
        || !is_named_file(path)
        || (verb == "change" && before.get(1) == Some(&"to"))
    {
        return Vec::new();
    }
    let held = if adds { held(tokens, path) } else { None };
    [PathOutcome::Changed { path: path.clone() }].into_iter().chain(held).collect()
}

/// "The line \"done\"", "the word hello": what the file is to hold.
fn held(tokens: &[Token], path: &str) -> Option<PathOutcome> {
    let quotes = tokens.iter().filter(|token| matches!(token, Token::Quote(_))).count();
    for at in 1..tokens.len() {
        let before = tokens[at - 1].word();
        match &tokens[at] {
            Token::Quote(text)
                if quotes == 1
                    && (is_entry(HELD, before)
                        || matches!(before, "append" | "write" | "add" | "insert")) =>
            {
                return holds(path, text, true);
            }
            Token::Word(word) if quotes == 0 && before == "word" => {
                let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric()) && word.len() > 1;
                let is_last = tokens.get(at + 1).is_none_or(|next| is_entry(TO, next.word()));
                let is_singular = at >= 2 && matches!(tokens[at - 2].word(), "the" | "one");
                return (is_plain && is_last && is_singular).then(|| holds(path, word, false)).flatten();
            }
            Token::Path(_) | Token::Quote(_) | Token::Comma | Token::Word(_) => {}
        }
    }
    None
}

/// "With 3 lines", "with exactly 3 lines".
fn lines(tokens: &[Token], path: &str) -> Option<PathOutcome> {
    let at = tokens.iter().position(|token| token.word() == "lines")?;
    let before: Vec<&str> =
        tokens[..at].iter().rev().map(Token::word).filter(|word| *word != "exactly").take(2).collect();
    let least = before.first()?.parse::<u32>().ok().filter(|least| (1..10_000).contains(least))?;
    (before.get(1) == Some(&"with")).then(|| PathOutcome::Lines { path: path.to_owned(), least })
}
