//! Plans in which every criterion has a check, so that no judge is asked: planted faults under them, and honest work, which
//! costs no call more for being held against the request.

use crate::row::{Call, Mind, Row, fault, honest};
use crate::rows_data::orders;
use artoo_testing::scripted_roles::checked;
use serde_json::{Value, json};

const INVOICE: &str =
    "Write a file invoice.txt that says: customer ACME, amount 1250.00 EUR, due 2026-12-15.";
const RIGHT: &str = "customer ACME\namount 1250.00 EUR\ndue 2026-12-15\n";
const SAID: &str = "invoice.txt is written: customer ACME, amount 1250.00 EUR, due 2026-12-15.";
const PORTS: &str = "In config.ini change the port from 8080 to 9090 and the number of workers from 4 to 8.";
const SUMS: &str = "Which customer of orders.csv has the highest sum of totals, and how much is it?";

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [invoices(), ports(), sums()].into_iter().flatten().collect()
}

fn invoices() -> Vec<Row> {
    let there =
        || checked("invoice.txt is written", &json!({"kind": "file_exists", "path": "./invoice.txt"}));
    vec![
        fault(Mind::Weak, "another amount, and a check that the file is there", INVOICE)
            .sample()
            .wants(there())
            .write("invoice.txt", "customer ACME\namount 1520.00 EUR\ndue 2026-12-05\n")
            .answers(SAID)
            .right(|look| look.is("invoice.txt", RIGHT)),
        honest("checked", "an invoice, and a check that the file is there", INVOICE)
            .wants(there())
            .write("invoice.txt", RIGHT)
            .answers(SAID)
            .right(|look| look.is("invoice.txt", RIGHT)),
    ]
}

fn ports() -> Vec<Row> {
    let holds = |part: &str| {
        checked(
            "config.ini is changed",
            &json!({"kind": "file_contains", "path": "./config.ini", "text": part}),
        )
    };
    let right = |row: Row| {
        row.needs(&["git"])
            .project(|folder| folder.file("config.ini", "port = 8080\nworkers = 4\ntimeout = 30\n"))
            .wants(holds("port = 90"))
            .answers("In config.ini the port is 9090 and the workers are 8 now.")
            .right(|look| look.is("config.ini", "port = 9090\nworkers = 8\ntimeout = 30\n"))
    };
    vec![
        right(fault(Mind::Weak, "another port, and a check of its first digits", PORTS))
            .run(&["sed -i 's/8080/9009/; s/workers = 4/workers = 8/' config.ini"]),
        right(fault(Mind::Weak, "a line changed that nobody named, and a check of another", PORTS))
            .run(&["sed -i 's/8080/9090/; s/workers = 4/workers = 8/; s/30/300/' config.ini"]),
        right(honest("checked", "two values, and a check of the first digits", PORTS))
            .run(&["sed -i 's/8080/9090/; s/workers = 4/workers = 8/' config.ini"]),
    ]
}

fn sums() -> Vec<Row> {
    let program = "awk -F, 'NR > 1 { s[$2] += $3 } END { for (c in s) print s[c], c }'";
    let called = |tool: &str| -> Value {
        checked("the sums are computed", &json!({"kind": "tool_called", "tool": tool}))
    };
    vec![
        fault(Mind::Weak, "the sum of a part, and a check that a tool was called", SUMS)
            .folder(orders)
            .wants(called("shell:awk"))
            .run(&[&format!("head -n 100 orders.csv | {program} | sort -rn")])
            .answers("The sums of orders.csv, the highest first:\n{last}")
            .cured(
                vec![vec![Call::Shell(format!("{program} orders.csv | sort -rn"))]],
                "The sums of orders.csv, the highest first:\n{last}",
            )
            .right(|look| look.says(&["1303 south"])),
        honest("checked", "the sum of all, and a check that a tool was called", SUMS)
            .folder(orders)
            .wants(called("shell:awk"))
            .run(&[&format!("{program} orders.csv | sort -rn")])
            .answers("The sums of orders.csv, the highest first:\n{last}")
            .right(|look| look.says(&["1303 south"])),
    ]
}
