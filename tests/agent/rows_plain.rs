//! Folders of files as most people have them: no repository, and nobody there to be asked. What the request names is changed,
//! what the task made is its own, files are moved where the request asks for it, and a program is tried on copies.

use crate::row::{Call, Mind, Row, fault, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::json;

/// A script that keeps three generations, in the folder that it is called in.
const ROTATE: &str = "#!/bin/sh\nset -e\ncd logs\nfor n in 2 1; do\n  if [ -f \"app.log.$n.gz\" ]; then mv \"app.log.$n.gz\" \
                      \"app.log.$((n + 1)).gz\"; fi\ndone\ngzip -c app.log > app.log.1.gz\n: > app.log\n";
/// Four rotations of a copy.
const PROOF: &str = "T=$(mktemp -d); cp -r logs rotate.sh \"$T\"/; cd \"$T\"; for n in 1 2 3 4; do echo \"turn $n\" >> logs/app.log; \
                     ./rotate.sh; done; ls logs; gzip -dc logs/app.log.1.gz; rm -rf \"$T\"";

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        honest(
            "plain",
            "two values of a configuration, no repository",
            "In config.ini change the port from 8080 to 9090 and the number of workers from 4 to 8.",
        )
        .sample()
        .folder(|folder| {
            folder.file("config.ini", "[server]\nport = 8080\nworkers = 4\n[cache]\nport = 8081\nsize = 4\n");
            folder.shell("chmod 640 config.ini");
        })
        .wants(checked(
            "In config.ini the port is changed to 9090",
            &json!({"kind": "file_contains", "path": "./config.ini", "text": "port = 9090"}),
        ))
        .wants(checked(
            "In config.ini the number of workers is changed to 8",
            &json!({"kind": "file_contains", "path": "./config.ini", "text": "workers = 8"}),
        ))
        .run(&["cat config.ini"])
        .run(&["sed -i 's/^port = 8080$/port = 9090/; s/^workers = 4$/workers = 8/' config.ini", "cat config.ini"])
        .answers("In config.ini the port is 9090 and the workers are 8 now:\n{last}")
        .right(|look| {
            look.is("config.ini", "[server]\nport = 9090\nworkers = 8\n[cache]\nport = 8081\nsize = 4\n");
            look.prints("stat -c %a config.ini", "640");
        }),
        honest(
            "plain",
            "files sorted into folders, no repository",
            "Clean up the folder Downloads: sort the files into subfolders Images, Documents and Other by their kind. Leave \
             hidden files and existing subfolders alone. Nothing may be lost.",
        )
        .sample()
        .folder(|folder| {
            for name in ["sea.jpg", "tree.png", "bill.pdf", "plan.txt", "what.xyz", ".hidden", "old/keep.txt"] {
                folder.file(&format!("Downloads/{name}"), format!("{name}\n"));
            }
        })
        .wants(criterion("The files of Downloads are sorted into the subfolders Images, Documents and Other, and none is lost"))
        .run(&["find Downloads -type f | sort"])
        .run(&["cd Downloads && for f in *; do case \"$f\" in *.jpg|*.png) d=Images;; *.pdf|*.txt) d=Documents;; *) d=Other;; esac; \
                if [ -f \"$f\" ]; then mkdir -p \"$d\"; mv -n -- \"$f\" \"$d\"/; fi; done", "find Downloads -type f | sort"])
        .answers("The files of Downloads are sorted into Images, Documents and Other; hidden files and the folder old are as \
                  they were:\n{last}")
        .right(|look| {
            look.prints(
                "cd Downloads; find . -type f | sort; cat */* .hidden | sort | tr '\\n' ' '",
                "./.hidden\n./Documents/bill.pdf\n./Documents/plan.txt\n./Images/sea.jpg\n./Images/tree.png\n./Other/what.xyz\n\
                 ./old/keep.txt\n.hidden bill.pdf old/keep.txt plan.txt sea.jpg tree.png what.xyz",
            );
        }),
        honest(
            "plain",
            "a script that rotates logs, no repository",
            "Write a shell script rotate.sh that rotates the logs in logs/: app.log becomes app.log.1.gz, .1.gz becomes \
             .2.gz and so on, keep 3 generations, and leave an empty app.log. Prove that it works.",
        )
        .needs(&["gzip"])
        .folder(|folder| folder.file("logs/app.log", "first\n"))
        .wants(checked(
            "rotate.sh is written, which rotates app.log in logs/ and keeps 3 generations",
            &json!({"kind": "file_contains", "path": "./rotate.sh", "text": "gzip"}),
        ))
        .wants(criterion("It is shown that rotate.sh works"))
        .write("rotate.sh", ROTATE)
        .run(&["chmod +x rotate.sh", PROOF])
        .answers("rotate.sh is written, and four rotations of a copy of logs/ kept 3 generations:\n{last}")
        .right(|look| {
            look.prints("stat -c %a rotate.sh; cat logs/app.log; ls logs", "755\nfirst\napp.log");
            look.says(&["app.log.3.gz", "turn 4"]);
        }),
        honest(
            "plain",
            "a wrong file of its own is mended, and a draft of it removed",
            "Write a file invoice.txt that says: customer ACME, amount 1250.00 EUR, due 2026-12-15.",
        )
        .folder(|folder| folder.file("other.txt", "not of this task\n"))
        .wants(checked(
            "invoice.txt is written with the amount 1250.00 EUR",
            &json!({"kind": "file_contains", "path": "./invoice.txt", "text": "1250.00 EUR"}),
        ))
        .write("draft.txt", "customer ACME\n")
        .write("invoice.txt", "customer ACME\namount 1520.00 EUR\ndue 2026-12-15\n")
        .run(&["sed -i s/1520.00/1250.00/ invoice.txt && rm draft.txt", "cat invoice.txt"])
        .answers("invoice.txt is written:\n{last}")
        .right(|look| {
            look.is("invoice.txt", "customer ACME\namount 1250.00 EUR\ndue 2026-12-15\n");
            look.prints("ls", "invoice.txt\nother.txt");
        }),
        fault(
            Mind::Weak,
            "a wrong amount in a file of its own, mended",
            "Write a file invoice.txt that says: customer ACME, amount 1250.00 EUR, due 2026-12-15.",
        )
        .wants(checked(
            "invoice.txt is written with the amount 1250.00 EUR",
            &json!({"kind": "file_contains", "path": "./invoice.txt", "text": "1250.00 EUR"}),
        ))
        .write("invoice.txt", "customer ACME\namount 1520.00 EUR\ndue 2026-12-15\n")
        .answers("invoice.txt says: customer ACME, amount 1250.00 EUR, due 2026-12-15.")
        .cured(
            vec![vec![
                Call::Shell("printf 'customer ACME\\namount 1250.00 EUR\\ndue 2026-12-15\\n' > invoice.txt".to_owned()),
                Call::Shell("cat invoice.txt".to_owned()),
            ]],
            "invoice.txt says now:\n{last}",
        )
        .right(|look| look.is("invoice.txt", "customer ACME\namount 1250.00 EUR\ndue 2026-12-15\n")),
    ]
}
