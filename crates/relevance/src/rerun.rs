//! Which tests code runs again itself, because the call that is to show that they pass cannot: its exit status is that of
//! something else, it ran a part of them, or something was changed since.
//!
//! What is run is the test command of that call alone: what stood before, behind and around it is left out, but for the
//! folder and the variables.

use std::sync::LazyLock;

use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::evidence::{CallEnd, Receipt};
use artoo_types::text::first_chars;
use artoo_types::tool::names::SHELL;
use regex::Regex;

use crate::bent;
use crate::pattern;
use crate::pieces::{CommandPiece, Joint, pieces};
use crate::runs::{self, says_well, speaks_of_tests};
use crate::shown::command;
use crate::suites;
use crate::{ProofScene, REASON_CHARS};

/// Milliseconds of a run that is worth a second one; longer ones are believed as they are.
const WORTH_MS: u64 = 60_000;
/// Milliseconds that the second run may take: what tests may take unasked.
const DEADLINE_MS: u64 = 120_000;
/// Filters of a pipe that show what came, and no other words.
const SHOWING: [&str; 3] = ["tail", "cat", "tee"];

/// Output into a file, or one stream into the other.
static REDIRECTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\s*(?:\d|&)?>{1,2}\s*(?:&\d|[^\s;&|<>()]+)"));
/// Words of the shell that a command may stand behind.
static LEAD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:(?:if|then|else|elif|do|while|until|time|exec|!|\{|\()\s*)+"));
/// What an output says where the tests could not be loaded as they were asked for.
static UNLOADED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"ModuleNotFoundError|ImportError|No module named|not importable|[Nn]o such file|not found|No rule to make|usage:",
    )
});
/// Words by which an answer owns up that tests fail now.
static ADMITS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bfails?\b|\b(?:still|is|are)\s+failing\b|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b|\b(?:do|does|did|could|can) ?(?:not|n't) (?:all )?pass\b|\bnot all\b|失败|不通过|未通过|没有通过",
    )
});

/// How a run by code ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rerun {
    /// The tests ran and pass.
    Passed,
    /// They ran and do not, in words.
    Failed(String),
    /// They did not run, so that nothing is known.
    Unknown,
}

/// Arguments of `shell` calls that code makes before it believes that tests pass, the most telling first; one that ends as
/// [`Rerun::Unknown`] says nothing. None where nobody says so, or where the calls show it as they are.
pub fn reruns(scene: &ProofScene<'_>, criteria: &[Criterion]) -> Vec<String> {
    let answer = scene.answer.unwrap_or_default();
    let said = |text: &str| says_well(text) && speaks_of_tests(text);
    let is_said =
        said(answer) || criteria.iter().any(|criterion| !criterion.unchanged && said(&criterion.text));
    if !is_said || ADMITS.is_match(&runs::without_denials(answer)) {
        return Vec::new();
    }
    let runs_tests = |receipt: &&&Receipt| {
        receipt.tool == SHELL
            && receipt.end == CallEnd::Ran
            && command(receipt).is_some_and(|command| test_part(&command).is_some())
    };
    let arguments = |part: TestPart| {
        let command = part.command();
        serde_json::json!({ "command": command, "timeout_ms": DEADLINE_MS }).to_string()
    };
    let of_place = || scene.suite.map(|test| TestPart { test: test.to_owned(), ..TestPart::default() });
    let Some(at) = scene.receipts.iter().rposition(|receipt| runs_tests(&receipt)) else {
        // Other ways to run tests are known to the model alone.
        let is_work = scene.receipts.iter().any(|receipt| bent::changes_work(receipt));
        return of_place().filter(|_| is_work).map(arguments).into_iter().collect();
    };
    let receipt = scene.receipts[at];
    let Some(own) = command(receipt).and_then(|command| test_part(&command)) else { return Vec::new() };
    let words = format!("{}\n{}", scene.request, criteria_words(criteria));
    let is_other = |suite: &TestPart| suites::runner(&suite.test) != suites::runner(&own.test);
    let is_named = suites::names_tests(scene.request);
    let whole = suites::whole(&own.test, &words)
        .map(|test| TestPart { test, ..own.clone() })
        .or_else(|| of_place().filter(|suite| !is_named && is_other(suite)));
    let is_later = |receipt: &&Receipt| bent::changes_work(receipt);
    let is_stale = scene.receipts[at + 1..].iter().any(is_later);
    let tells_end = own.is_plain && (own.has_exit || runs::ran_some(&receipt.output)) && receipt.succeeded();
    if receipt.time.elapsed_ms > WORTH_MS || tells_end && whole.is_none() && !is_stale {
        return Vec::new();
    }
    whole.into_iter().chain([own]).map(arguments).collect()
}

/// What a run by code shows.
pub fn outcome(receipt: &Receipt) -> Rerun {
    let ran = receipt.end == CallEnd::Ran && receipt.exit.is_some_and(|exit| !(126..=127).contains(&exit));
    if !ran || runs::ran_none(&receipt.output) {
        return Rerun::Unknown;
    }
    if receipt.succeeded() {
        return Rerun::Passed;
    }
    if UNLOADED.is_match(&receipt.output) {
        return Rerun::Unknown;
    }
    let told = runs::telling_lines(&receipt.output);
    let command = command(receipt).unwrap_or_default();
    Rerun::Failed(first_chars(
        &format!("artoo ran the tests itself ({}, `{command}`), and they fail: {told}", receipt.id),
        REASON_CHARS,
    ))
}

/// Fails what was passed because tests pass, in the words of a run by code; where nothing is said of tests, what was to be
/// proved first.
pub fn refute(verdicts: &mut [CriterionVerdict], criteria: &[Criterion], why: &str) {
    let is_about = |verdict: &CriterionVerdict| {
        criteria.get(verdict.index).is_some_and(|c| speaks_of_tests(&c.text) && !c.unchanged)
    };
    let proves = |verdict: &&CriterionVerdict| verdict.passed() && verdict.mode == CriterionMode::Verifiable;
    let first = verdicts.iter().find(proves).map(|verdict| verdict.index);
    let is_told = verdicts.iter().any(|verdict| verdict.passed() && is_about(verdict));
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.passed()) {
        if is_about(verdict) || !is_told && first.is_none_or(|first| first == verdict.index) {
            verdict.verdict = Verdict::Fail;
            verdict.failure_class = None;
            why.clone_into(&mut verdict.evidence);
        }
    }
}

fn criteria_words(criteria: &[Criterion]) -> String {
    criteria.iter().map(|criterion| criterion.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// What of a command line runs tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct TestPart {
    /// The folder and the variables that were set before.
    before: Vec<String>,
    /// The command itself.
    test: String,
    /// Nothing else stands in the line, so that its output is that of the tests.
    is_plain: bool,
    /// And so is its exit status.
    has_exit: bool,
}

impl TestPart {
    fn command(&self) -> String {
        self.before.iter().chain([&self.test]).map(String::as_str).collect::<Vec<_>>().join(" && ")
    }
}

/// The last piece of the line that runs tests.
fn test_part(line: &str) -> Option<TestPart> {
    // A text that stands in the line is no piece of it.
    if line.contains("<<") {
        return None;
    }
    let all = pieces(line);
    let at = all.iter().rposition(|piece| suites::runs_tests(&bare(piece.text)))?;
    let sets = |piece: &&CommandPiece<'_>| {
        matches!(bare(piece.text).split_whitespace().next(), Some("cd" | "export"))
    };
    let before: Vec<String> = all[..at].iter().filter(sets).map(|piece| bare(piece.text)).collect();
    let shows = |piece: &CommandPiece<'_>| {
        let program = piece.text.split_whitespace().next().unwrap_or_default();
        piece.joint == Joint::Pipe && SHOWING.contains(&program)
    };
    let is_bare = bare(all[at].text) == without_streams(all[at].text);
    let is_plain = before.len() == at
        && all[..at].iter().skip(1).chain([&all[at]]).all(|piece| piece.joint == Joint::And || at == 0)
        && is_bare
        && all[at + 1..].iter().all(shows);
    Some(TestPart { before, test: bare(all[at].text), is_plain, has_exit: at + 1 == all.len() })
}

/// A piece without the words around it and without what sends its output elsewhere.
fn bare(piece: &str) -> String {
    let piece = LEAD.replace(piece.trim(), "").into_owned();
    let piece = REDIRECTION.replace_all(&piece, "").trim().to_owned();
    let closes = |open: char, close: char| {
        let count = |wanted: char| piece.chars().filter(|c| *c == wanted).count();
        piece.ends_with(close) && count(close) > count(open)
    };
    match closes('(', ')') || closes('{', '}') {
        true => piece[..piece.len() - 1].trim_end().to_owned(),
        false => piece,
    }
}

fn without_streams(piece: &str) -> String {
    piece.trim().replace("2>&1", "").trim().to_owned()
}

#[cfg(test)]
mod tests;
