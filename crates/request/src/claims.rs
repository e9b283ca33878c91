//! Whether an answer claims that something was done.

use crate::joints::strip_joints;
use crate::names::named_things;
use crate::scan::{begins_with_words, entries, holds_any, is_entry, words};

/// What was done, in the form in which it is claimed.
const DONE: &str = "deleted, removed, erased, wiped, purged, cleared, emptied, trashed, uninstalled, moved, renamed, copied, \
    cloned, synced, sent, mailed, emailed, posted, published, uploaded, shared, forwarded, pushed, notified, \
    submitted, deployed, installed, upgraded, created, written, wrote, saved, generated, compressed, extracted, \
    downloaded, exported, changed, updated, replaced, fixed, edited, modified, appended, added, executed, ran, \
    restarted";

/// How a person who did something begins to say so.
const FIRST_PERSON: &str =
    "i have now, i have just, i have, i've just, i've, i’ve, i just, i also, i successfully, i, we have, we";

/// A word alone that says that all is done.
const OPENINGS: &str = "done, all done, success, successfully, completed, finished";

/// Things that something can have been done to.
const THINGS: &str = "file, folder, director, mail, email, message, report, branch, backup, archive, script, log, cache, temp, repo, \
    package, program, everything, it, they, document, change";

/// The same in Chinese.
const CHINESE_DONE: &str = "已删除, 已经删除, 删除了, 已发送, 已经发送, 发送了, 已发, 已经发, 发给了, 已移动, 已经移动, 已复制, 已经复制, 已重命名, 已保存, 已经保存, 已创建, 已经创建, 已写入, 已经写, 已安装, \
    已经安装, 已修改, 已经修改, 已更新, 已经更新, 已上传, 已经上传, 已清空, 已经清, 已备份, 已完成, 已经完成, 已为您";

/// What an answer to a declaration may say: the runtime has noted it before anybody read it.
const NOTED: &str = "saved, stored, written, wrote, added, updated, created, done, all done, 已保存, 已经保存, 已更新, 已经更新, \
                     已写入, 已经写, 已完成, 已经完成, 已为您";

/// Whether an answer says that something was done to the world: "Done: I deleted a.txt", "已删除". An explanation that
/// speaks of deleting says no such thing. `noted`: the request only declares something, which is noted already.
pub fn claims_action(answer: &str, noted: bool) -> bool {
    let lower = answer.to_lowercase();
    let allowed = |word: &str| noted && is_entry(NOTED, word);
    entries(CHINESE_DONE).any(|claim| lower.contains(claim) && !allowed(claim))
        || lower.split(ends_sentence).any(|sentence| claims(sentence, &allowed))
}

fn ends_sentence(found: char) -> bool {
    matches!(found, '\n' | '!' | '?' | ';' | ':' | '。' | '！')
}

fn claims(sentence: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let parts = sentence.split(". ").flat_map(|part| part.split(", "));
    parts.map(|part| strip_joints(part.trim_start_matches(|found: char| !found.is_alphanumeric()))).any(
        |part| {
            let said = words(part);
            let is_done = |word: &String| is_entry(DONE, word) && !allowed(word);
            let bare = part.trim_end_matches(['.', ' ']);
            (is_entry(OPENINGS, bare) && !allowed(bare))
                || (said.iter().any(is_done) && (is_own(part, &is_done) || is_passive(part, &said, &is_done)))
        },
    )
}

/// "I deleted", "I have sent", "Done, deleted", "Successfully removed".
fn is_own(part: &str, is_done: &dyn Fn(&String) -> bool) -> bool {
    let behind = entries(FIRST_PERSON).filter_map(|head| begins_with_words(part, head));
    let mut firsts = behind.filter_map(|rest| words(rest).into_iter().next());
    let begins_done = words(part).first().is_some_and(is_done);
    let opened = entries(OPENINGS).any(|head| begins_with_words(part, head).is_some());
    firsts.any(|word| is_done(&word)) || (begins_done && holds_any(part, THINGS)) || opened
}

/// "The file was deleted", "notes.txt has been removed". "A file that was deleted can be restored" tells of any file.
fn is_passive(part: &str, said: &[String], is_done: &dyn Fn(&String) -> bool) -> bool {
    const STATES: &str = "was, were, has been, have been, is now, are now";
    const DEFINITE: &str = "the, your, all, it, they, everything";
    let about = |subject: &str| holds_any(subject, THINGS) || !named_things(subject).files.is_empty();
    let acts = |state: &str| {
        let Some((subject, rest)) = part.split_once(&format!(" {state} ")) else { return false };
        words(rest).iter().take(2).any(is_done) && about(subject)
    };
    let is_definite = said.first().is_some_and(|word| is_entry(DEFINITE, word))
        || part.split_whitespace().next().is_some_and(|word| !named_things(word).files.is_empty());
    is_definite && entries(STATES).any(acts)
}
