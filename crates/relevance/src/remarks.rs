//! Whether what is told as a fix changed more than comments.

use std::sync::LazyLock;

use artoo_types::evidence::{ChangeKind, Receipt};
use regex::Regex;

use crate::pattern;

/// Words of a repair.
static REPAIRS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:fix(?:es|ed)?|bugs?|repair(?:s|ed)?|correct(?:s|ed)?|solv(?:es|ed)|defects?)\b|修复|修正|错误",
    )
});
/// Words by which remarks themselves are asked for.
static ASKS_REMARKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:comments?|docstrings?|documentation|docs?|typos?|licen[cs]e|headers?|readme)\b|注释|文档",
    )
});
/// A line of a program that does nothing: blank, a comment, a docstring on one line.
static IDLE_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^\s*(?:$|#(?:[^!]|$)|//|/\*.*\*/\s*$|\*(?:\s|/|$)|--\s|<!--.*-->\s*$|[rRuU]?"""[^"]*"""\s*$|[rRuU]?'''[^']*'''\s*$)"#,
    )
});
/// Files whose lines are a program's.
const PROGRAMS: [&str; 20] = [
    ".py", ".sh", ".rb", ".pl", ".rs", ".go", ".js", ".ts", ".jsx", ".tsx", ".java", ".kt", ".c", ".h",
    ".cc", ".cpp", ".cs", ".swift", ".lua", ".awk",
];

/// A repair that is asked for changed something that does something. Where a call does not show all that it wrote, it is
/// believed.
pub(crate) fn repairs(text: &str, request: &str, receipts: &[&Receipt]) -> Result<(), String> {
    if !REPAIRS.is_match(text) || !REPAIRS.is_match(request) || ASKS_REMARKS.is_match(request) {
        return Ok(());
    }
    let acting: Vec<&&Receipt> = receipts.iter().filter(|receipt| !receipt.act.changes.is_empty()).collect();
    match acting.iter().rev().find(|receipt| changes_remarks_alone(receipt)) {
        Some(last) if acting.iter().all(|receipt| changes_remarks_alone(receipt)) => {
            Err(format!("{} changed nothing but comments, and a repair is asked for", last.id))
        }
        Some(_) | None => Ok(()),
    }
}

fn changes_remarks_alone(receipt: &Receipt) -> bool {
    let act = &receipt.act;
    let is_program = |path: &str| PROGRAMS.iter().any(|ending| path.ends_with(ending));
    let edits = act.changes.iter().all(|c| c.kind == ChangeKind::Changed && is_program(&c.path));
    let Some(diff) = act.written.as_deref().filter(|text| text.starts_with("@@") || text.contains("\n@@"))
    else {
        return false;
    };
    let is_whole = act.changes_omitted == 0 && !diff.contains("characters omitted");
    let is_head = |line: &&str| line.starts_with("+++") || line.starts_with("---");
    let mut changed = diff
        .lines()
        .filter(|line| line.starts_with(['+', '-']) && !is_head(line))
        .map(|line| &line[1..])
        .peekable();
    edits && is_whole && changed.peek().is_some() && changed.all(|line| IDLE_LINE.is_match(line))
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::evidence::{ChangeKind, FileChange, Receipt};

    use super::repairs;

    fn edit(path: &str, written: &str) -> Receipt {
        let mut receipt = Receipt::quiet(EvidenceId("r1".to_owned()), "edit_file");
        let kind = ChangeKind::Changed;
        receipt.act.changes =
            vec![FileChange { path: path.to_owned(), kind, before: None, after: None, modes: None }];
        receipt.act.written = Some(written.to_owned());
        receipt
    }

    #[test]
    fn a_remark_is_no_repair() {
        let check = |request: &str, path: &str, written: &str, expected: bool| {
            let found = repairs("The bug in a.py is fixed", request, &[&edit(path, written)]);
            assert_eq!(found.is_ok(), expected, "{written}");
        };
        let fix = "Fix the bug in ./a.py";
        check(fix, "/w/a.py", "@@ -1 +1 @@\n def f():\n+    # fixed\n     return 1\n", false);
        check(fix, "/w/a.py", "@@ -1 +1 @@\n-    \"\"\"Old.\"\"\"\n+    \"\"\"New: fixed.\"\"\"\n", false);
        check(fix, "/w/a.py", "@@ -1 +1 @@\n-    return 1\n+    return 2  # fixed\n", true);
        check(fix, "/w/a.sh", "@@ -1 +1 @@\n-#!/bin/sh\n+#!/bin/bash\n", true);
        check(fix, "/w/a.md", "@@ -1 +1 @@\n+# Fixed\n", true);
        check(fix, "/w/a.py", "all of it is new", true);
        check("Fix the comment in ./a.py", "/w/a.py", "@@ -1 +1 @@\n+# right\n", true);
        check("Explain ./a.py", "/w/a.py", "@@ -1 +1 @@\n+# right\n", true);
        let both = [edit("/w/a.py", "@@ -1 +1 @@\n+# x\n"), edit("/w/b.py", "@@ -1 +1 @@\n+x = 1\n")];
        assert!(repairs("The bug is fixed", fix, &[&both[0], &both[1]]).is_ok());
    }
}
