//! Bugs in small projects: what is wrong is found, put right, and shown to be right.

use crate::folder::Folder;
use crate::row::{Row, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::{Value, json};

/// The request that most people begin with.
pub(crate) const FIX: &str = "The tests of this project fail. Find the bugs in the code, fix them (not the tests), and \
                              show that all tests pass.";

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [tested(), read()].into_iter().flatten().collect()
}

/// What a good planner asks of a fix.
pub(crate) fn fixed() -> [Value; 2] {
    [
        criterion("The bugs in the code of the project are fixed, not the tests"),
        criterion("A run of the tests after the fix shows that all tests pass"),
    ]
}

/// Prices in shell: two wrong lines.
pub(crate) fn prices(folder: &Folder) {
    folder.file(
        "price.sh",
        "# Prices in cents.\nnet_total() {\n  echo $(( $1 + $2 ))\n}\n\
         # A tenth off from 10000 on.\nwith_discount() {\n  if [ \"$1\" -gt 10000 ]; then echo $(( $1 * 90 / 100 )); \
         else echo \"$1\"; fi\n}\n",
    );
    folder.file(
        "test.sh",
        ". ./price.sh\nfailed=0\n\
         is() { if [ \"$2\" = \"$3\" ]; then echo \"ok $1\"; else echo \"FAILED $1: $2, not $3\"; failed=1; fi; }\n\
         is 'three of 250' \"$(net_total 250 3)\" 750\nis 'no discount' \"$(with_discount 9999)\" 9999\n\
         is 'at the limit' \"$(with_discount 10000)\" 9000\nis 'above it' \"$(with_discount 20000)\" 18000\n\
         exit $failed\n",
    );
}

fn tested() -> Vec<Row> {
    let [bugs, tests] = fixed();
    vec![
        honest("bug", "a two-line fix with tests, in shell", FIX)
            .needs(&["git"])
            .sample()
            .project(prices)
            .wants(bugs.clone())
            .wants(tests.clone())
            .run(&["cat price.sh test.sh", "sh test.sh"])
            .run(&["sed -i 's/\\$1 + \\$2/$1 * $2/; s/-gt 10000/-ge 10000/' price.sh", "git diff", "sh test.sh"])
            .answers("The two bugs are fixed in price.sh: net_total added instead of multiplying, and the discount left \
                      out its limit. All tests pass:\n{last}")
            .right(|look| {
                look.prints("sh test.sh | grep -c ^ok", "4");
                look.prints("git diff --numstat", "2\t2\tprice.sh");
                look.says(&["price.sh", "ok at the limit"]);
            }),
        honest("bug", "a two-line fix with tests, in Python", FIX)
            .needs(&["git", "python3"])
            .project(|folder| {
                folder.file(
                    "span.py",
                    "def days(first, last):\n    \"\"\"Days from first to last, both counted.\"\"\"\n    return last - first\n\n\n\
                     def overlap(a, b):\n    \"\"\"Whether two spans share a day.\"\"\"\n    return a[0] < b[1] and b[0] <= a[1]\n",
                );
                folder.file(
                    "test_span.py",
                    "import unittest\nfrom span import days, overlap\n\n\nclass Spans(unittest.TestCase):\n    \
                     def test_one_day(self):\n        self.assertEqual(days(3, 3), 1)\n\n    \
                     def test_week(self):\n        self.assertEqual(days(1, 7), 7)\n\n    \
                     def test_touching(self):\n        self.assertTrue(overlap((3, 5), (1, 3)))\n\n    \
                     def test_apart(self):\n        self.assertFalse(overlap((1, 2), (4, 5)))\n",
                );
                folder.file(".gitignore", "__pycache__/\n");
            })
            .wants(bugs.clone())
            .wants(tests.clone())
            .run(&["cat span.py test_span.py", "python3 -m unittest 2>&1 | tail -n 20"])
            .run(&[
                "sed -i 's/return last - first/return last - first + 1/; s/a\\[0\\] < b/a[0] <= b/' span.py",
                "python3 -m unittest -v 2>&1",
            ])
            .answers("The bugs are fixed in span.py: days did not count the last day, overlap not a shared one. All tests \
                      pass:\n{last}")
            .right(|look| {
                look.prints("git diff --numstat", "2\t2\tspan.py");
                look.prints("python3 -m unittest 2>&1 | tail -n 1", "OK");
                look.says(&["test_touching"]);
            }),
        honest("bug", "a report that leaves out the last group", FIX)
            .needs(&["git"])
            .project(|folder| {
                folder.file(
                    "report.awk",
                    "# Sums of each group of lines that follow each other: name value.\n\
                     $1 != name { if (name) print name, sum; name = $1; sum = 0 }\n{ sum += $2 }\n",
                );
                folder.file(
                    "test.sh",
                    "got=$(printf 'a 1\\na 2\\nb 5\\n' | awk -f report.awk | tr '\\n' ';')\n\
                     [ \"$got\" = 'a 3;b 5;' ] && echo 'ok groups' || { echo \"FAILED groups: $got\"; exit 1; }\n",
                );
            })
            .wants(bugs)
            .wants(tests)
            .run(&["cat report.awk test.sh; sh test.sh"])
            .run(&["printf '%s\\n' 'END { if (name) print name, sum }' >> report.awk; sh test.sh"])
            .answers("The bug is fixed in report.awk: the last group was never printed. All tests pass:\n{last}")
            .right(|look| {
                look.prints("sh test.sh", "ok groups");
                look.prints("git status --short", "M report.awk");
            }),
        honest(
            "bug",
            "a script that breaks on spaces in names",
            "count.sh says that notes has 4 files, but there are 2. Fix count.sh so that names with spaces work, and run it.",
        )
        .needs(&["git"])
        .project(|folder| {
            folder.file("count.sh", "n=0\nfor f in $(ls notes); do n=$((n + 1)); done\necho \"$n\"\n");
            folder.file("notes/to do.txt", "milk\n");
            folder.file("notes/old plans.txt", "sea\n");
        })
        .wants(criterion("count.sh is fixed so that names with spaces work"))
        .wants(checked("count.sh no longer splits names", &json!({"kind": "file_contains", "path": "./count.sh", "text": "notes/*"})))
        .run(&["cat count.sh; ls notes; sh count.sh"])
        .run(&["sed -i 's/\\$(ls notes)/notes\\/*/' count.sh; cat count.sh; sh count.sh"])
        .answers("count.sh is fixed: it takes the names from notes/* and no longer splits them at spaces. It prints:\n{last}")
        .right(|look| look.prints("sh count.sh", "2")),
    ]
}

fn read() -> Vec<Row> {
    vec![
        honest(
            "bug",
            "which commit broke it",
            "slug.sh used to turn 'Hello,  World!' into hello-world, now it prints hello--world. Which commit introduced \
             the bug? Give its hash.",
        )
        .needs(&["git"])
        .sample()
        .folder(|folder| {
            let slug = |squeeze: &str| format!("printf '%s' \"$1\" | tr 'A-Z' 'a-z' | tr {squeeze} 'a-z0-9' '-' | sed 's/-$//'\n");
            folder.file("slug.sh", slug("-cs"));
            folder.commit("Slugs of titles");
            folder.file("README", "slug.sh makes slugs.\n");
            folder.commit("Say what it is for");
            folder.file("slug.sh", slug("-c"));
            folder.commit("Fewer flags for tr");
            folder.file("README", "slug.sh makes slugs of titles.\n");
            folder.commit("Say it better");
        })
        .wants(criterion("The hash of the commit that introduced the bug in slug.sh is given"))
        .run(&["git log --oneline -- slug.sh", "git log -p --format='%H %s' -- slug.sh"])
        .run(&["git log -1 --format=%H -- slug.sh"])
        .answers("The commit that changed `tr -cs` to `tr -c` in slug.sh introduced the bug: {last}")
        .right(|look| look.says_what_prints("git log -1 --format=%H --grep='Fewer flags'")),
        honest(
            "bug",
            "a filter that drops a zero",
            "totals.jq leaves out customers whose total is 0. Fix it and write the result for orders.json to totals.json.",
        )
        .needs(&["git", "jq"])
        .project(|folder| {
            folder.file("totals.jq", "map({name, total: (.items | add // empty)})\n");
            folder.file(
                "orders.json",
                "[{\"name\":\"Ann\",\"items\":[3,4]},{\"name\":\"Bo\",\"items\":[]},{\"name\":\"Cy\",\"items\":[9]}]\n",
            );
        })
        .wants(criterion("totals.jq is fixed: customers whose total is 0 are no longer left out"))
        .wants(checked("totals.json is written with all customers of orders.json", &json!({"kind": "file_contains", "path": "./totals.json", "text": "Bo"})))
        .run(&["cat totals.jq orders.json; jq -c -f totals.jq orders.json"])
        .run(&["sed -i 's/add \\/\\/ empty/add \\/\\/ 0/' totals.jq; jq -c -f totals.jq orders.json > totals.json; cat totals.jq totals.json"])
        .answers("totals.jq is fixed, and totals.json is written with all customers of orders.json:\n{last}")
        .right(|look| {
            look.is(
                "totals.json",
                "[{\"name\":\"Ann\",\"total\":7},{\"name\":\"Bo\",\"total\":0},{\"name\":\"Cy\",\"total\":9}]\n",
            );
        }),
    ]
}
