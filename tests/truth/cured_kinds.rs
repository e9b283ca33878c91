//! Twenty things that are in the way and are put right.

use serde_json::json;

use crate::model::Model;
use crate::script::{check, last_sh, subtask, tool};
use artoo_testing::scripted_roles::{last_tool, plan};

/// One thing that is in the way.
pub(crate) struct Kind {
    /// What it is.
    pub(crate) name: &'static str,
    /// The person's words.
    pub(crate) request: &'static str,
    /// The same in other words.
    pub(crate) other_words: &'static str,
    /// Commands that make the folder as it is when the request fails.
    pub(crate) broken: &'static str,
    /// Commands that put it right, and make a new folder as it has to be.
    pub(crate) cure: &'static str,
    /// Commands that take away what the request made, before it is asked once more.
    pub(crate) anew: &'static str,
    /// Commands that clear up.
    pub(crate) after: &'static str,
    /// What the output then holds.
    pub(crate) answer: &'static str,
    /// Who answers.
    pub(crate) provider: Provider,
    /// Whether somebody says yes to what is asked.
    pub(crate) has_person: bool,
    /// Whether it needs the search engine.
    pub(crate) searches: bool,
    /// Whether `../programs` is the only place where programs are looked for.
    pub(crate) has_programs_of_its_own: bool,
}

/// Who answers the roles.
pub(crate) enum Provider {
    /// The built-in rules.
    Offline,
    /// A script that does the same whatever the request's words are.
    Scripted(fn() -> Model),
}

const fn offline(
    name: &'static str,
    request: &'static str,
    other_words: &'static str,
    broken: &'static str,
    cure: &'static str,
    answer: &'static str,
) -> Kind {
    Kind {
        name,
        request,
        other_words,
        broken,
        cure,
        anew: "",
        after: "",
        answer,
        provider: Provider::Offline,
        has_person: false,
        searches: false,
        has_programs_of_its_own: false,
    }
}

impl Kind {
    const fn scripted(self, model: fn() -> Model) -> Self {
        Self { provider: Provider::Scripted(model), ..self }
    }

    const fn with_person(self) -> Self {
        Self { has_person: true, ..self }
    }
}

/// Every kind.
pub(crate) fn kinds() -> Vec<Kind> {
    [of_files(), of_contents(), of_repositories(), of_machines()].into_iter().flatten().collect()
}

fn of_files() -> Vec<Kind> {
    let lines = ("how many lines are in notes.md", "count the lines in notes.md");
    vec![
        offline(
            "a file is missing",
            "show the first 2 lines of plan.txt",
            "print the first 2 lines of plan.txt",
            "true",
            "printf 'alpha\\nbeta\\ngamma\\n' >plan.txt",
            "alpha",
        ),
        offline(
            "a folder is missing",
            "search for TODO in src",
            "show the lines with TODO in src",
            "true",
            "mkdir -p src && echo '// TODO here' >src/a.rs",
            "TODO here",
        ),
        offline(
            "a link is broken",
            lines.0,
            lines.1,
            "ln -s gone.md notes.md",
            "printf 'a\\nb\\n' >gone.md && ln -sf gone.md notes.md",
            "2",
        ),
        offline(
            "a link leads to itself",
            "count words in notes.md",
            "how many words are in notes.md",
            "ln -s notes.md notes.md",
            "rm -f notes.md && echo 'one two three' >notes.md",
            "3",
        ),
        offline(
            "a name is written otherwise",
            lines.0,
            lines.1,
            "printf 'a\\n' >nots.markdown",
            "rm -f nots.markdown && printf 'a\\nb\\nc\\n' >notes.md",
            "3",
        ),
        offline(
            "a folder is in the file's place",
            lines.0,
            lines.1,
            "mkdir notes.md",
            "rm -rf notes.md && printf 'a\\n' >notes.md",
            "1",
        ),
        offline(
            "one of two files is missing",
            "compare a.txt with b.txt",
            "show the differences between a.txt and b.txt",
            "echo one >a.txt",
            "echo one >a.txt && echo zwei >b.txt",
            "zwei",
        ),
        offline(
            "the file of a checksum is missing",
            "sha256 of notes.md",
            "checksum of notes.md",
            "true",
            "printf 'x\\n' >notes.md",
            "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac",
        ),
    ]
}

fn of_contents() -> Vec<Kind> {
    let port = ("what is the value of server.port in config.json", "get server.port from config.json");
    let average = ("average of price in sales.csv", "what is the average of price in sales.csv");
    vec![
        offline(
            "a file is empty",
            average.0,
            average.1,
            ": >sales.csv",
            "printf 'name,price\\na,2\\nb,4\\n' >sales.csv",
            "3",
        ),
        offline(
            "a column is missing",
            average.0,
            average.1,
            "printf 'name,amount\\na,2\\n' >sales.csv",
            "printf 'name,price\\na,5\\nb,7\\n' >sales.csv",
            "6",
        ),
        offline(
            "a document is malformed",
            port.0,
            port.1,
            "echo '{\"server\": {' >config.json",
            "echo '{\"server\": {\"port\": 8123}}' >config.json",
            "8123",
        ),
        offline(
            "a key is missing",
            port.0,
            port.1,
            "echo '{\"server\": {}}' >config.json",
            "echo '{\"server\": {\"port\": 8124}}' >config.json",
            "8124",
        ),
        offline(
            "a text is in another encoding",
            "read notes.txt",
            "show notes.txt",
            "printf 'plain words' | iconv -t UTF-16 >notes.txt",
            "echo 'plain words' >notes.txt",
            "plain words",
        ),
        Kind {
            anew: "rm -f ~/artoo_workspace/data*.json",
            ..offline(
                "a table is missing",
                "convert data.csv to JSON",
                "turn data.csv into JSON",
                "true",
                "printf 'name,n\\nann,5\\n' >data.csv",
                "json",
            )
        },
        offline(
            "an archive is damaged",
            "Show the text in ./log.gz",
            "What does ./log.gz say?",
            "echo damaged >log.gz",
            "printf 'well again\\n' | gzip -nc >log.gz",
            "well again",
        )
        .scripted(damaged_archive),
    ]
}

fn of_repositories() -> Vec<Kind> {
    let repository = "git init -q -b trunk . && git config user.email a@b.c && git config user.name Ann && echo x >x && git add x && git commit -qm first";
    vec![
        offline("it is no repository", "git status", "show the git status", "true", repository, "trunk"),
        offline(
            "nothing is committed yet",
            "commits by author",
            "who made the most commits",
            "git init -q -b trunk .",
            repository,
            "Ann",
        ),
    ]
}

/// Programs, rights, servers and locks.
fn of_machines() -> Vec<Kind> {
    vec![
        Kind {
            has_programs_of_its_own: true,
            ..offline(
                "a program is not installed",
                "which git branch am I on",
                "what is the current git branch",
                "git init -q -b trunk . && rm -f ../programs/git",
                "ln -sf \"$(command -v git)\" ../programs/git && git init -q -b trunk . && git config user.email a@b.c && git config user.name Ann && git commit -q --allow-empty -m first",
                "trunk",
            )
        },
        offline("a script may not be run", "Run ./report.sh and show what it says", "Show what ./report.sh says when it runs", "printf '#!/bin/sh\\necho report of May\\n' >report.sh && chmod -x report.sh", "printf '#!/bin/sh\\necho report of May\\n' >report.sh && chmod +x report.sh", "report of May")
            .scripted(script)
            .with_person(),
        Kind {
            searches: true,
            ..offline("a server is down", "Search the web for droids", "Look for droids on the web", "true", "true", "droids.example").scripted(web)
        },
        Kind {
            after: "test ! -e holder || kill \"$(cat holder)\"",
            ..offline(
                "a file is locked",
                "Show ./data.txt under its lock ./lock",
                "Read ./data.txt while holding ./lock",
                "echo kept >data.txt; : >lock; setsid sh -c 'exec 9>lock; flock 9; exec sleep 120' >/dev/null 2>&1 & echo $! >holder; sleep 0.3",
                "test ! -e holder || kill \"$(cat holder)\"; rm -f holder; echo kept >data.txt; : >>lock",
                "kept",
            )
            .scripted(locked)
            .with_person()
        },
        Kind {
            anew: "rm -f ./out/result.txt",
            ..offline("a file is where a folder has to be", "Write ok into ./out/result.txt", "Put the word ok into ./out/result.txt", "echo x >out", "rm -f out && mkdir out", "ok")
                .scripted(in_the_way)
        },
    ]
}

/// One step whose last call is the answer.
fn one_step(
    intent: &'static str,
    tools: &[&str],
    text: &str,
    part: &str,
    calls: Vec<serde_json::Value>,
) -> Model {
    let goal = || vec![check(text, "output_contains", json!({"text": part}))];
    let planned = plan(&goal(), &[subtask(1, intent, tools, &[], &goal())]);
    Model::new(planned, intent, calls)
}

fn damaged_archive() -> Model {
    one_step(
        "Unpack ./log.gz",
        &["shell:zcat"],
        "The text in ./log.gz is shown",
        "again",
        vec![last_sh("zcat ./log.gz")],
    )
}

fn script() -> Model {
    one_step(
        "Run ./report.sh",
        &["shell"],
        "./report.sh runs and what it says is shown",
        "of May",
        vec![last_sh("./report.sh")],
    )
}

fn web() -> Model {
    let call = last_tool("search", &json!({"query": "droids"}));
    one_step("Search for droids", &["search"], "What the web says of droids is given", "droid", vec![call])
}

fn locked() -> Model {
    one_step(
        "Read ./data.txt with ./lock held",
        &["shell"],
        "./data.txt is shown under its lock ./lock",
        "kept",
        vec![last_sh("flock -n ./lock cat ./data.txt")],
    )
}

fn in_the_way() -> Model {
    let goal = || {
        vec![check(
            "ok is written into ./out/result.txt",
            "file_contains",
            json!({"path": "./out/result.txt", "text": "ok"}),
        )]
    };
    let planned = plan(&goal(), &[subtask(1, "Write ok", &["write_file"], &[], &goal())]);
    let calls = vec![
        tool("write_file", &json!({"path": "./out/result.txt", "content": "ok\n"})),
        crate::script::claim("ok is written into ./out/result.txt."),
    ];
    Model::new(planned, "Write ok", calls)
}
