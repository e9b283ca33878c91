//! Changes in many places, or in few that must be the right ones.

use crate::row::{Row, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::json;

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [renamed(), set()].into_iter().flatten().collect()
}

fn renamed() -> Vec<Row> {
    vec![
        honest(
            "refactor",
            "a function renamed in nine files",
            "Rename the function get_cfg to load_config in all files of src. Nothing else may change; get_cfg_path is another \
             function.",
        )
        .needs(&["git"])
        .project(|folder| {
            for n in 1..=9 {
                folder.file(&format!("src/part{n}.sh"), format!("get_cfg {n}\nget_cfg_path {n}\necho part {n}\n"));
            }
        })
        .wants(criterion("The function get_cfg is renamed to load_config in all files of src"))
        .run(&["grep -rn get_cfg src"])
        .run(&["sed -i 's/\\bget_cfg\\b/load_config/g' src/*.sh", "git diff --stat; grep -rnw get_cfg src; grep -rnc load_config src"])
        .answers("get_cfg is renamed to load_config in all files of src; get_cfg_path is left as it was:\n{last}")
        .right(|look| {
            look.prints("grep -rlw load_config src | wc -l", "9");
            look.prints("grep -rw get_cfg src", "");
            look.prints("grep -rl get_cfg_path src | wc -l", "9");
            look.prints("git diff --shortstat", "9 files changed, 9 insertions(+), 9 deletions(-)");
        }),
        honest(
            "refactor",
            "a library taken out of two scripts",
            "a.sh and b.sh both define the function stamp. Move it to lib.sh, and have both scripts load it from there. Show \
             that both still print the same.",
        )
        .needs(&["git"])
        .project(|folder| {
            folder.file("a.sh", "stamp() { echo \"[$1]\"; }\nstamp a\n");
            folder.file("b.sh", "stamp() { echo \"[$1]\"; }\nstamp b\n");
        })
        .wants(checked(
            "The function stamp is moved to lib.sh",
            &json!({"kind": "file_contains", "path": "./lib.sh", "text": "stamp()"}),
        ))
        .wants(criterion("a.sh and b.sh load lib.sh and print the same as before"))
        .run(&["cat a.sh b.sh; sh a.sh; sh b.sh"])
        .run(&["head -n 1 a.sh > lib.sh; sed -i '1s/.*/. .\\/lib.sh/' a.sh b.sh", "cat lib.sh a.sh b.sh; sh a.sh; sh b.sh"])
        .answers("stamp is moved to lib.sh; a.sh and b.sh load it and print the same as before:\n{last}")
        .right(|look| {
            look.prints("sh a.sh; sh b.sh", "[a]\n[b]");
            look.prints("grep -l 'stamp()' *.sh", "lib.sh");
        }),
        honest(
            "refactor",
            "files sorted into folders",
            "Clean up the folder Downloads: sort the files into subfolders Images, Documents and Other by their kind. Leave \
             hidden files and existing subfolders alone. Nothing may be lost.",
        )
        .needs(&["git"])
        .project(|folder| {
            for name in ["sea.jpg", "tree.png", "bill.pdf", "plan.txt", "what.xyz", ".hidden", "old/keep.txt"] {
                folder.file(&format!("Downloads/{name}"), format!("{name}\n"));
            }
        })
        .wants(criterion("The files of Downloads are sorted into the subfolders Images, Documents and Other, and none is lost"))
        .run(&["find Downloads -type f | sort"])
        .run(&["cd Downloads && mkdir Images Documents Other && mv -n sea.jpg tree.png Images/ && mv -n bill.pdf plan.txt \
                Documents/ && mv -n what.xyz Other/", "find Downloads -type f | sort; find Downloads -type f | wc -l"])
        .answers("The files of Downloads are sorted into Images, Documents and Other; hidden files and the folder old are as \
                  they were:\n{last}")
        .right(|look| {
            look.prints(
                "cd Downloads; find . -type f | sort; cat */* .hidden | sort | tr '\\n' ' '",
                "./.hidden\n./Documents/bill.pdf\n./Documents/plan.txt\n./Images/sea.jpg\n./Images/tree.png\n./Other/what.xyz\n\
                 ./old/keep.txt\n.hidden bill.pdf old/keep.txt plan.txt sea.jpg tree.png what.xyz",
            );
        }),
    ]
}

fn set() -> Vec<Row> {
    vec![
        honest(
            "refactor",
            "two values of a configuration",
            "In config.ini change the port from 8080 to 9090 and the number of workers from 4 to 8.",
        )
        .needs(&["git"])
        .sample()
        .project(|folder| folder.file("config.ini", "[server]\nport = 8080\nworkers = 4\n[cache]\nport = 8081\nsize = 4\n"))
        .wants(checked(
            "In config.ini the port is changed to 9090",
            &json!({"kind": "file_contains", "path": "./config.ini", "text": "port = 9090"}),
        ))
        .wants(checked(
            "In config.ini the number of workers is changed to 8",
            &json!({"kind": "file_contains", "path": "./config.ini", "text": "workers = 8"}),
        ))
        .run(&["cat config.ini"])
        .run(&["sed -i 's/^port = 8080$/port = 9090/; s/^workers = 4$/workers = 8/' config.ini; git diff"])
        .answers("In config.ini the port is 9090 and the workers are 8 now:\n{last}")
        .right(|look| {
            look.is("config.ini", "[server]\nport = 9090\nworkers = 8\n[cache]\nport = 8081\nsize = 4\n");
        }),
        honest(
            "refactor",
            "a version raised, with its entry",
            "Raise the version in VERSION from 1.4.2 to 1.5.0, put an entry for it on top of CHANGELOG.md, and commit both.",
        )
        .needs(&["git"])
        .project(|folder| {
            folder.file("VERSION", "1.4.2\n");
            folder.file("CHANGELOG.md", "## 1.4.2\n- Fewer pauses\n");
            folder.shell("git init -q -b main . && git config user.name Ada && git config user.email ada@example.org");
        })
        .wants(checked(
            "The version in VERSION is raised to 1.5.0",
            &json!({"kind": "file_contains", "path": "./VERSION", "text": "1.5.0"}),
        ))
        .wants(checked(
            "An entry for 1.5.0 is put on top of CHANGELOG.md",
            &json!({"kind": "file_contains", "path": "./CHANGELOG.md", "text": "1.5.0"}),
        ))
        .wants(criterion("VERSION and CHANGELOG.md are committed"))
        .run(&["cat VERSION CHANGELOG.md; git log --oneline | head -n 3"])
        .run(&["echo 1.5.0 > VERSION; sed -i '1i ## 1.5.0\\n' CHANGELOG.md", "git commit -qam 'Version 1.5.0' && git show --stat HEAD"])
        .answers("VERSION is 1.5.0, CHANGELOG.md has an entry for it on top, and both are committed:\n{last}")
        .right(|look| {
            look.prints("git show HEAD:VERSION; git status --short; head -n 1 CHANGELOG.md", "1.5.0\n## 1.5.0");
        }),
        honest(
            "refactor",
            "a header in front of every source",
            "Put the line '# Licence: MIT' in front of every .awk file below src that does not have it yet.",
        )
        .needs(&["git"])
        .project(|folder| {
            folder.file("src/a.awk", "{ print }\n");
            folder.file("src/deep/b.awk", "# Licence: MIT\n{ print $1 }\n");
            folder.file("src/deep/c.awk", "{ print $2 }\n");
            folder.file("src/note.txt", "not a source\n");
        })
        .wants(criterion("Every .awk file below src has the line '# Licence: MIT' in front"))
        .run(&["find src -name '*.awk' -exec head -n 1 {} +"])
        .run(&["for f in $(grep -rL 'Licence: MIT' src --include='*.awk'); do sed -i '1i # Licence: MIT' \"$f\"; done", "git diff; \
                grep -rc 'Licence: MIT' src --include='*.awk'"])
        .answers("Every .awk file below src has '# Licence: MIT' in front now:\n{last}")
        .right(|look| {
            look.prints("grep -rc 'Licence: MIT' src --include='*.awk' | sort", "src/a.awk:1\nsrc/deep/b.awk:1\nsrc/deep/c.awk:1");
            look.prints("head -qn 1 src/a.awk src/deep/c.awk src/note.txt", "# Licence: MIT\n# Licence: MIT\nnot a source");
        }),
    ]
}
