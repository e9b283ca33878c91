//! What a criterion says was done to the world, and what a receipt shows was done. The judges have their own reading of
//! this; the auditor's is apart from theirs on purpose, and says nothing where it is not sure.

use artoo_types::evidence::{ChangeKind, EffectClass, Receipt};
use serde::{Deserialize, Serialize};

/// Something that was done to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Deed {
    /// Something new is there.
    Made,
    /// Something is another than before.
    Changed,
    /// Something is gone.
    Deleted,
    /// Something left the machine.
    Sent,
}

/// Participles that tell of a deed. Those of the second list are also said of answers ("duplicates are removed"), so they
/// count only beside a word for something on the disk.
const SURE: [(Deed, &[&str]); 2] = [
    (Deed::Deleted, &["deleted", "erased", "unlinked"]),
    (Deed::Sent, &["sent", "mailed", "emailed", "uploaded", "published"]),
];
const BESIDE_A_FILE: [(Deed, &[&str]); 3] = [
    (Deed::Deleted, &["removed", "cleaned"]),
    (Deed::Made, &["created", "made", "written", "saved", "stored", "copied", "downloaded"]),
    (
        Deed::Changed,
        &["changed", "modified", "edited", "renamed", "moved", "updated", "overwritten", "replaced"],
    ),
];
const CHINESE: [(Deed, &[&str]); 4] = [
    (Deed::Deleted, &["已删除", "已被删除", "已经删除"]),
    (Deed::Sent, &["已发送", "已被发送", "已经发送", "已上传"]),
    (Deed::Made, &["文件已创建", "文件已写入", "文件已保存", "文件已生成"]),
    (Deed::Changed, &["文件已修改", "文件已更新", "文件已替换", "文件已移动", "文件已重命名"]),
];
const FILE_WORDS: [&str; 8] =
    ["file", "files", "folder", "folders", "directory", "directories", "script", "archive"];
const AUXILIARIES: [&str; 9] = ["is", "are", "was", "were", "been", "be", "being", "gets", "got"];
/// They may stand between the auxiliary and the participle.
const ADVERBS: [&str; 7] = ["now", "all", "both", "also", "successfully", "really", "indeed"];
/// What stands a little before the auxiliary where the clause is a condition, a question or a denial.
const NO_CLAIM: [&str; 16] = [
    "that", "which", "who", "whose", "when", "how", "if", "whether", "since", "why", "where", "no", "not",
    "never", "nothing", "without",
];
/// Words before the participle in which [`NO_CLAIM`] is looked for.
const LOOK_BACK: usize = 4;

/// What the text of a criterion says was done, where it clearly says so.
pub(crate) fn claimed(text: &str) -> Option<Deed> {
    let text = text.to_lowercase();
    let said =
        |(deed, words): &(Deed, &[&str])| words.iter().any(|word| text.contains(word)).then_some(*deed);
    if let Some(deed) = CHINESE.iter().find_map(said) {
        return Some(deed);
    }
    let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let is_of_files = words.iter().any(|word| FILE_WORDS.contains(word) || is_path(word));
    let deed_of = |word: &str| {
        let weak = BESIDE_A_FILE.iter().filter(|_| is_of_files);
        SURE.iter().chain(weak).find(|(_, words)| words.contains(&word)).map(|(deed, _)| *deed)
    };
    words.iter().enumerate().find_map(|(at, word)| deed_of(word).filter(|_| is_claim(&words, at)))
}

/// Whether the participle at this place states something: an auxiliary stands before it, or the text ends with it.
fn is_claim(words: &[&str], at: usize) -> bool {
    let before = &words[at.saturating_sub(LOOK_BACK)..at];
    if before.iter().any(|word| NO_CLAIM.contains(word)) {
        return false;
    }
    let last = before.iter().rev().find(|word| !ADVERBS.contains(word));
    last.is_some_and(|word| AUXILIARIES.contains(word)) || (at + 1 == words.len() && at > 0)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '~')
}

fn is_path(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    word.contains('/')
        || extension.is_some_and(|e| (1..=5).contains(&e.len()) && e.chars().all(char::is_alphanumeric))
}

/// What a receipt shows was done, at least: by its effect, and by the files that are others now.
pub(crate) fn shown(receipt: &Receipt) -> Vec<Deed> {
    let by_effect: &[Deed] = match receipt.effect {
        EffectClass::Read => &[],
        EffectClass::Create => &[Deed::Made, Deed::Changed],
        EffectClass::Overwrite => &[Deed::Made, Deed::Changed],
        EffectClass::Delete => &[Deed::Deleted, Deed::Changed],
        EffectClass::Send => &[Deed::Sent],
        EffectClass::System | EffectClass::Unknown => &[Deed::Made, Deed::Changed, Deed::Deleted, Deed::Sent],
    };
    let by_change = receipt.act.changes.iter().map(|change| match change.kind {
        ChangeKind::Made => Deed::Made,
        ChangeKind::Changed => Deed::Changed,
        ChangeKind::Deleted => Deed::Deleted,
    });
    // A call that failed may have done a part; only what is seen of it counts then.
    by_effect.iter().copied().filter(|_| receipt.succeeded()).chain(by_change).collect()
}

impl Deed {
    /// The word for people.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Sent => "sent",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Deed, claimed};

    #[test]
    fn only_a_clear_claim_is_one() {
        let check = |text: &str, deed| assert_eq!(claimed(text), deed, "{text}");
        check("Old logs deleted", Some(Deed::Deleted));
        check("The old logs are all deleted.", Some(Deed::Deleted));
        check("The file report.md was created", Some(Deed::Made));
        check("notes/a.txt is now renamed", Some(Deed::Changed));
        check("The message was sent to Ann.", Some(Deed::Sent));
        check("旧日志已删除", Some(Deed::Deleted));
        for text in [
            "Duplicates are removed from the list.",
            "The answer is written in plain English.",
            "The files that were created last week are listed.",
            "The answer says when the file was changed.",
            "No file is deleted.",
            "The answer tells whether a.txt was modified",
            "created",
            "",
        ] {
            check(text, None);
        }
    }
}
