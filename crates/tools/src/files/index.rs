//! Indexes of file names that a system keeps: Spotlight, and the databases behind `locate`.
//!
//! An index answers in a moment and may be wrong: it can name what is gone and miss what is new. So its answer is only a
//! list of candidates, each looked at again; an answer without a result is no answer; and the receipt says which
//! index it came from, and how old that is where it can be known: Spotlight does not tell.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant, UNIX_EPOCH};

use artoo_types::tag::fold;

use crate::installed::HelperProgram;
use crate::work::Work;
use artoo_gate::paths::canonical;

/// How long an index is waited for. They answer within 100 ms; one that does not is no help.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often the clock and the stop signal are looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How often it is looked whether a program that has answered is gone, which it is in a moment.
const LOOK_AT_END_EVERY: Duration = Duration::from_millis(1);
/// Bytes of an answer. 200,000 paths of 150 bytes; with more, walking the folder that was asked for is no slower.
const MAX_BYTES: u64 = 30 << 20;
/// How old an index may be, in milliseconds: systems update theirs once a day.
const FRESH_MS: i64 = 86_400_000;

/// What an index said.
#[derive(Debug)]
pub(crate) struct IndexAnswer {
    /// Candidates, anywhere on the machine.
    pub(crate) paths: Vec<PathBuf>,
    /// What the receipt says about it.
    pub(crate) note: String,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameQuestion<'a> {
    /// Part of the name, as it was written.
    pub(crate) part: &'a str,
    /// The folder, which exists.
    pub(crate) root: &'a Path,
    /// Whether what is newer than the index matters.
    pub(crate) wants_newest: bool,
}

/// Asks the index of this machine; `None` if there is none, where it is too old, or where it cannot know. The answers
/// that it may give come one after the other, the best first.
pub(crate) fn answers<'a>(
    question: NameQuestion<'a>,
    work: &'a Work,
) -> impl Iterator<Item = IndexAnswer> + 'a {
    let spotlight = spotlight_parts(question.part)
        .into_iter()
        .filter_map(move |part| spotlight(&part, part != question.part.trim(), question.root, work));
    let locate = [HelperProgram::Plocate, HelperProgram::Locate]
        .into_iter()
        .filter_map(move |program| located(program, question, work));
    spotlight.chain(locate)
}

/// The files that Spotlight has below `root` whose name fits this comparison, in Spotlight's own language.
pub(crate) fn mdfind(comparison: &str, root: &Path, work: &Work) -> Option<Vec<PathBuf>> {
    let program = work.installed.path(HelperProgram::Mdfind)?;
    let mut command = Command::new(program);
    command.arg("-0").arg("-onlyin").arg(root).arg(format!("kMDItemFSName == {comparison}"));
    ask(command, work)
}

/// What Spotlight is asked for. It finds nothing for a name in Chinese, Japanese or Korean with its extension, so the
/// name without it comes second; the extension is compared when the results are looked at.
fn spotlight_parts(part: &str) -> Vec<String> {
    let part = part.trim();
    // These mean something in Spotlight's language; an empty part would ask for everything.
    if part.is_empty() || part.contains(['*', '?', '[', '{', '"', '\\']) {
        return Vec::new();
    }
    let stem = part.rsplit_once('.').filter(|(stem, extension)| {
        !stem.is_empty() && !extension.is_empty() && extension.chars().all(char::is_alphanumeric)
    });
    let mut parts = vec![part.to_owned()];
    parts.extend(stem.map(|(stem, _)| stem.to_owned()));
    parts
}

fn spotlight(part: &str, is_stem: bool, root: &Path, work: &Work) -> Option<IndexAnswer> {
    let paths = mdfind(&format!("\"*{part}*\"cd"), root, work)?;
    let note = if is_stem {
        format!("answered from the Spotlight index, asked for the name without its extension, {part:?}")
    } else {
        "answered from the Spotlight index".to_owned()
    };
    Some(IndexAnswer { paths, note })
}

/// What `locate` knows. It is asked only for what it compares in the same way as a walk does, in folders that it sees by
/// the same name.
fn located(program: HelperProgram, question: NameQuestion<'_>, work: &Work) -> Option<IndexAnswer> {
    let path = work.installed.path(program)?;
    let part = question.part;
    let is_plain =
        part.is_ascii() && fold(part) == part.to_lowercase() && !part.contains(['*', '?', '[', '\\']);
    let root = question.root.to_string_lossy();
    if question.wants_newest || part.is_empty() || !is_plain || canonical(&root) != root {
        return None;
    }
    let indexed = work.installed.indexed_at(program)?.duration_since(UNIX_EPOCH).ok()?;
    let age_ms = work.now.0 - i64::try_from(indexed.as_millis()).ok()?;
    if !(0..=FRESH_MS).contains(&age_ms) {
        return None;
    }
    let mut command = Command::new(path);
    command.args(["-0", "-i", "-b", "--", part]);
    let paths = ask(command, work)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let note = format!(
        "answered from the {name} index of {} ago; what was made since then is not in it",
        age(age_ms)
    );
    Some(IndexAnswer { paths, note })
}

fn age(ms: i64) -> String {
    let minutes = ms / 60_000;
    if minutes < 120 { format!("{minutes} min") } else { format!("{} h", minutes / 60) }
}

/// Runs a program that prints paths, each with a NUL behind it. None when it fails, says too much or takes too long.
fn ask(mut command: Command, work: &Work) -> Option<Vec<PathBuf>> {
    work.ended().is_none().then_some(())?;
    let since = Instant::now();
    let mut child =
        command.env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut pipe = child.stdout.take()?;
    let (sender, answer) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes);
        // The receiver is gone only when nobody waits for the answer any more.
        let _ = sender.send(read.is_ok().then_some(bytes));
    });
    let bytes = loop {
        match answer.recv_timeout(LOOK_EVERY) {
            Ok(bytes) => break bytes.filter(|bytes| bytes.len() as u64 <= MAX_BYTES),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) if work.ended().is_some() || since.elapsed() > PATIENCE => {
                break None;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    // One that has closed its output may still not end.
    let is_good = bytes.is_some() && ends_well(&mut child, since, work);
    if !is_good {
        // It fails only when the program is gone already. What was killed can be waited for.
        let _ = child.kill();
        let _ = child.wait();
    }
    let bytes = bytes.filter(|_| is_good)?;
    let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    Some(paths.map(|path| PathBuf::from(String::from_utf8_lossy(path).into_owned())).collect())
}

/// Whether a program ends by itself, with success, before the patience with it does.
fn ends_well(child: &mut Child, since: Instant, work: &Work) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if work.ended().is_none() && since.elapsed() <= PATIENCE => {
                std::thread::sleep(LOOK_AT_END_EVERY);
            }
            Ok(None) | Err(_) => return false,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
