//! What a request leaves at the paths that it names, whoever carries it out: code can check that without a model.
//!
//! Precision comes first. An outcome is read only where every correct way of doing what is asked must leave it: the verb is
//! one of few, the path stands where its object or its destination stands, nothing else of the request speaks of that path,
//! and no condition, alternative or undoing is said. All else is left to the planner.

use crate::clauses::{RequestClause, RequestReading};
use crate::language::{Language, is_han};
use crate::normalise::quoted_ranges;
use crate::scan::{entries, holds_any, is_entry, words};
use crate::verbs::Action;

mod chinese;
mod english;

/// Most outcomes of one request.
const MOST_OUTCOMES: usize = 6;
/// First of the signs that stand for paths while a clause is read, and for quotations. They are for private use.
const PATH_SIGN: u32 = 0xE000;
const QUOTE_SIGN: u32 = 0xE800;
/// Paths, and quotations, of one clause that are read.
const MOST_SIGNS: usize = 64;

/// Words after which nothing is sure: conditions, alternatives, trials.
const UNSURE: &str = "if, unless, otherwise, except, or, either, maybe, perhaps, dry-run, dry run, simulate, pretend, preview, would, only when, \
                      whether, without, instead of, not, 如果, 若, 除非, 否则, 或, 要不, 假如, 万一, 模拟, 预览, 除了, 不要";
/// Words of a request that may take back what it asked for before.
const UNDOING: &str =
    "undo, revert, restore, reset, put it back, move it back, roll back, 撤销, 还原, 恢复, 回滚, 改回";
/// Words for taking something away, wherever they stand.
const TAKING: &str = "delete, deletes, remove, removes, erase, move, moves, rename, trash, clean up, get rid, 删, 移除, 移动, 移到, 重命名, 清空, 清理";
/// Places that a request may name without a path; a bare file name may mean one there.
const PLACES: &str = "folder, folders, directory, directories, subfolder, desktop, documents, downloads, home, root, repo, repository, project, \
                      目录, 文件夹, 桌面, 文档, 下载, 主目录, 仓库, 项目";
/// Words by which what is made has words of its own: it is never empty.
const AUTHORED: &str = "report, summary, summaries, translation, letter, essay, readme, article, poem, story, plan, minutes, documentation, \
                        description, overview, explanation, review, proposal, resume, agenda, guide, tutorial, analysis, reminder, script, program, 报告, 总结, \
                        摘要, 翻译, 信, 文章, 诗, 故事, 计划, 纪要, 说明, 概述, 方案, 简历, 教程, 分析, 提醒, 脚本, 程序";

/// What is so at a path when the request has been carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOutcome {
    /// It is there, and it was made or changed.
    Made {
        /// The path, as it is written.
        path: String,
        /// It has content of its own: an empty file is not what is asked for.
        filled: bool,
    },
    /// It was there, and is another now.
    Changed {
        /// The path.
        path: String,
    },
    /// It is there no more.
    Deleted {
        /// The path.
        path: String,
    },
    /// What was at one path is at another, or in the folder there.
    Moved {
        /// Where it was.
        from: String,
        /// Where it is, if that can be told.
        to: Option<String>,
    },
    /// What is at one path is at another as well, or in the folder there.
    Copied {
        /// Where it is and was.
        from: String,
        /// Where it is now.
        to: String,
        /// Nothing else of the request may change what was copied.
        stays: bool,
    },
    /// The file holds these words.
    Holds {
        /// The path.
        path: String,
        /// The words.
        text: String,
        /// They were quoted, so that they are meant to the letter.
        exact: bool,
    },
    /// The file has at least so many lines.
    Lines {
        /// The path.
        path: String,
        /// How many.
        least: u32,
    },
}

impl PathOutcome {
    fn paths(&self) -> Vec<&str> {
        match self {
            Self::Made { path, .. }
            | Self::Changed { path }
            | Self::Deleted { path }
            | Self::Holds { path, .. }
            | Self::Lines { path, .. } => vec![path],
            Self::Moved { from, to } => [from].into_iter().chain(to).map(String::as_str).collect(),
            Self::Copied { from, to, .. } => vec![from, to],
        }
    }

    /// Whether it says that something is there.
    fn stays(&self) -> bool {
        !matches!(self, Self::Deleted { .. } | Self::Moved { .. })
    }
}

/// What a correct execution of the request leaves at the paths that it names, in its order.
pub fn path_outcomes(request: &str, reading: &RequestReading) -> Vec<PathOutcome> {
    if holds_any(request, UNDOING) {
        return Vec::new();
    }
    let changing: Vec<&RequestClause> = reading.clauses.iter().filter(|c| c.action.changes()).collect();
    // "Delete it" may mean any of them.
    let mut taking = changing.iter().filter(|c| matches!(c.action, Action::Delete | Action::Move)).peekable();
    let takes = taking.peek().is_some();
    let takes_unnamed = taking.any(|clause| clause.files.is_empty()) || (!takes && says_any(request, TAKING));
    let mut found: Vec<PathOutcome> = Vec::new();
    for clause in reading.asked() {
        let is_sure = !says_any(&clause.text, UNSURE);
        let is_only = changing.len() == 1;
        for outcome in of_clause(clause, is_only).into_iter().filter(|_| is_sure) {
            let is_own = outcome.paths().into_iter().all(|path| is_named_once(path, clause, reading));
            let is_placed = outcome.paths().into_iter().all(|path| is_placed(path, request, reading));
            if is_own && is_placed && !(takes_unnamed && outcome.stays()) && !found.contains(&outcome) {
                found.push(outcome);
            }
        }
    }
    found.truncate(MOST_OUTCOMES);
    found
}

/// Whether no other clause speaks of the path, or of one below or above it.
fn is_named_once(path: &str, clause: &RequestClause, reading: &RequestReading) -> bool {
    let bare = |path: &str| path.trim_start_matches("./").trim_end_matches('/').to_lowercase();
    let own = bare(path);
    let meets = |other: &String| {
        let other = bare(other);
        own == other || own.starts_with(&format!("{other}/")) || other.starts_with(&format!("{own}/"))
    };
    let others =
        reading.clauses.iter().filter(|other| !std::ptr::eq(*other, clause) && other.action.changes());
    !others.into_iter().any(|other| other.files.iter().any(meets))
}

/// Whether it is clear where the path lies: a bare name may mean one in a folder that is named elsewhere.
fn is_placed(path: &str, request: &str, reading: &RequestReading) -> bool {
    path.contains('/')
        || !(says_any(request, PLACES)
            || reading.files.iter().any(|other| other.trim_start_matches("./").contains('/')))
}

/// Whether a text has one of these as a whole word; Chinese entries anywhere.
fn says_any(text: &str, table: &'static str) -> bool {
    let lower = text.to_lowercase();
    let said = words(&lower);
    entries(table).any(|entry| {
        if entry.contains(is_han) || entry.contains([' ', '-']) {
            lower.contains(entry)
        } else {
            said.iter().any(|word| word == entry)
        }
    })
}

fn of_clause(clause: &RequestClause, is_only: bool) -> Vec<PathOutcome> {
    let signs = SignedClause::of(clause);
    if signs.paths.is_empty() {
        return Vec::new();
    }
    let mut found = match Language::of(&signs.text) {
        Language::Chinese => chinese::outcomes(&signs, clause.action, is_only),
        Language::English => english::outcomes(&signs, clause.action, is_only),
    };
    found.retain(|outcome| !matches!(outcome, PathOutcome::Moved { from, to: Some(to) } if from.eq_ignore_ascii_case(to)));
    found
}

/// A clause in which a sign stands for each path and each quotation.
struct SignedClause {
    text: String,
    paths: Vec<String>,
    quotes: Vec<String>,
}

impl SignedClause {
    fn of(clause: &RequestClause) -> Self {
        let mut signed = Self { text: String::new(), paths: clause.files.clone(), quotes: Vec::new() };
        signed.paths.truncate(MOST_SIGNS);
        let mut at = 0;
        for (start, end) in quoted_ranges(&clause.text) {
            let plain = signed.sign_paths(&clause.text[at..start]);
            signed.text.push_str(&plain);
            let inner: String = clause.text[start..end].chars().skip(1).collect();
            let inner = inner.strip_suffix(|_: char| true).unwrap_or_default().trim();
            let sign = match signed.paths.iter().position(|path| path == inner) {
                Some(index) => sign(PATH_SIGN, index),
                None if signed.quotes.len() < MOST_SIGNS => {
                    signed.quotes.push(inner.to_owned());
                    sign(QUOTE_SIGN, signed.quotes.len() - 1)
                }
                None => ' ',
            };
            signed.text.push(sign);
            at = end;
        }
        let rest = signed.sign_paths(&clause.text[at..]);
        signed.text.push_str(&rest);
        signed
    }

    fn sign_paths(&self, plain: &str) -> String {
        let mut longest: Vec<usize> = (0..self.paths.len()).collect();
        longest.sort_by_key(|index| std::cmp::Reverse(self.paths[*index].len()));
        let mut text = plain.to_owned();
        for index in longest {
            text = text.replace(&self.paths[index], &sign(PATH_SIGN, index).to_string());
        }
        text.replace('`', " ")
    }

    fn path(&self, sign: char) -> Option<&String> {
        self.paths.get(usize::try_from((sign as u32).checked_sub(PATH_SIGN)?).ok()?)
    }

    fn quote(&self, sign: char) -> Option<&String> {
        self.quotes.get(usize::try_from((sign as u32).checked_sub(QUOTE_SIGN)?).ok()?)
    }
}

fn sign(first: u32, index: usize) -> char {
    u32::try_from(index).ok().and_then(|index| char::from_u32(first + index)).unwrap_or(' ')
}

/// What is made, with the words and lines that it is to have.
fn made(
    paths: &[&String],
    signed: &SignedClause,
    held: Option<PathOutcome>,
    asks_content: bool,
) -> Vec<PathOutcome> {
    let filled = asks_content || held.is_some() || says_any(&signed.text, AUTHORED);
    let made = paths.iter().map(|path| PathOutcome::Made { path: (*path).clone(), filled });
    made.chain(held).collect()
}

/// The words that a file is to hold; what is escaped is left alone.
fn holds(path: &str, text: &str, exact: bool) -> Option<PathOutcome> {
    let is_plain = !text.trim().is_empty() && !text.contains(['\\', '\n', '\r', '{', '<']);
    is_plain.then(|| PathOutcome::Holds { path: path.to_owned(), text: text.to_owned(), exact })
}

/// Where something is when it was moved or copied there: below a folder, or under the new name.
fn destination(from: &str, to: &str, is_new_name: bool) -> Option<String> {
    let name = from.trim_end_matches('/').rsplit('/').next().unwrap_or(from);
    if to.ends_with('/') {
        return Some(format!("{to}{name}"));
    }
    let ending = |path: &str| {
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, e)| e.to_lowercase())
    };
    match (to.contains('/'), from.rfind('/')) {
        (false, Some(slash)) if is_new_name => Some(format!("{}{to}", &from[..=slash])),
        // "into archive.d": a bare name may mean a folder, or a file beside.
        (false, Some(_)) => None,
        _ if is_new_name || ending(from).is_some() && ending(from) == ending(to) => Some(to.to_owned()),
        _ => None,
    }
}

/// Whether all of these words say nothing.
fn are_trailing(mut rest: impl Iterator<Item = String>) -> bool {
    const TRAILING: &str = "please, now, permanently, completely, recursively, for, me, too, as, well, there, again, forever, afterwards, directly, today";
    rest.all(|word| is_entry(TRAILING, word.as_str()))
}

#[cfg(test)]
mod tests;
