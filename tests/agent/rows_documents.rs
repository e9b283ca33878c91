//! Documents: read, gathered, brought into another form.

use crate::folder::Folder;
use crate::row::{Row, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::json;

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [gathered(), one_by_one()].into_iter().flatten().collect()
}

fn gathered() -> Vec<Row> {
    vec![
        honest(
            "document",
            "who promised what in three minutes",
            "Collect all decisions from the minutes in minutes/ (lines that begin with DECIDED) into decisions.md, one \
             section a meeting, word for word.",
        )
        .folder(|folder| {
            folder.file("minutes/2026-01.txt", "Present: Ann\nDECIDED: the fair is in May\nTea.\nDECIDED: Bo books the hall\n");
            folder.file("minutes/2026-02.txt", "DECIDED: no new printer\nPresent: Bo\n");
            folder.file("minutes/2026-03.txt", "Present: nobody\n");
        })
        .wants(checked(
            "All decisions from the minutes in minutes/ are collected into decisions.md",
            &json!({"kind": "file_contains", "path": "./decisions.md", "text": "Bo books the hall"}),
        ))
        .run(&["head -n 30 minutes/*"])
        .run(&["for f in minutes/*.txt; do echo \"## $(basename \"$f\" .txt)\"; sed -n 's/^DECIDED: /- /p' \"$f\"; done > decisions.md", "cat decisions.md"])
        .answers("The decisions from minutes/ are in decisions.md:\n{last}")
        .right(|look| {
            look.holds("decisions.md", &["## 2026-01", "- the fair is in May\n- Bo books the hall", "- no new printer", "## 2026-03"]);
        }),
        honest(
            "document",
            "a folder of Markdown becomes one page",
            "Make one page.html of the Markdown files in docs/, in the order of their names, with a list of contents that \
             links to each title.",
        )
        .folder(|folder| {
            folder.file("docs/1-start.md", "# Start\nInstall it.\n");
            folder.file("docs/2-use.md", "# Use\nRun it.\n");
            folder.file("docs/3-end.md", "# End\nStop it.\n");
        })
        .wants(checked(
            "page.html is made of the Markdown files in docs/ with a list of contents that links to each title",
            &json!({"kind": "file_contains", "path": "./page.html", "text": "href=\"#Use\""}),
        ))
        .run(&["head -n 20 docs/*.md"])
        .run(&["{ echo '<ul>'; sed -n 's/^# \\(.*\\)/<li><a href=\"#\\1\">\\1<\\/a><\\/li>/p' docs/*.md; echo '</ul>'; sed 's/^# \\(.*\\)/<h1 \
                id=\"\\1\">\\1<\\/h1>/; t; s/.*/<p>&<\\/p>/' docs/*.md; } > page.html", "cat page.html"])
        .answers("page.html is made of the Markdown files in docs/, with a list of contents that links to each title:\n{last}")
        .right(|look| {
            look.prints("grep -c 'href=\"#' page.html; grep -c '<h1 id=' page.html; grep -n 'Stop it' page.html", "3\n3\n11:<p>Stop it.</p>");
        }),
        honest(
            "document",
            "a list of words that are explained twice",
            "Which terms are defined more than once in glossary.txt (term: meaning)? Name them with their line numbers.",
        )
        .sample()
        .folder(|folder| {
            folder.file("glossary.txt", "Bus: carries messages\nTap: reads along\nbus: a vehicle\nPlan: steps\nTap: for water\n");
        })
        .wants(criterion("The terms that are defined more than once in glossary.txt are named with their line numbers"))
        .run(&["cat glossary.txt", "awk -F: '{ k = tolower($1); n[k] = n[k] \" \" NR; c[k]++ } END { for (k in c) if (c[k] > 1) print k \
                \":\" n[k] }' glossary.txt | sort"])
        .answers("Terms of glossary.txt that are defined more than once, with their lines:\n{last}")
        .right(|look| {
            look.says(&["bus: 1 3", "tap: 2 5"]);
            look.never_says("plan:");
        }),
    ]
}

/// Fourteen small files of which each is read by itself.
fn letters(folder: &Folder) {
    for n in 1..=14 {
        folder.file(&format!("letters/{n:02}.txt"), format!("Letter {n}\nRating: {}\n", 1 + n % 5));
    }
}

fn one_by_one() -> Vec<Row> {
    let row = honest(
        "document",
        "fourteen letters, read one by one",
        "Read the letters in letters/ and give the average rating, rounded to two decimals.",
    )
    .folder(letters)
    .wants(criterion("The average rating of the letters in letters/ is given"));
    let names = (1..=14).map(|n| format!("cat letters/{n:02}.txt"));
    let row = names.fold(row, |row, command| row.run(&[command.as_str()]));
    let row = row
        .run(&["awk '/^Rating/ { s += $2; n++ } END { printf \"%.2f of %d letters\\n\", s / n, n }' letters/*.txt"])
        .answers("The average rating of the letters in letters/ is {last}.")
        .right(|look| look.says(&["3.14 of 14 letters"]));
    vec![row]
}
