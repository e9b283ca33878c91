use artoo_request::read;
use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
use artoo_types::{EffectId, EvidenceId};

use super::{is_replaced, is_written};

fn call(path: &str, kind: ChangeKind, written: &str) -> Receipt {
    let mut receipt = Receipt::quiet(EvidenceId::receipt(EffectId(1)), "write_file");
    receipt.act.changes =
        vec![FileChange { path: path.to_owned(), kind, before: None, after: None, modes: None }];
    receipt.act.written = Some(written.to_owned());
    receipt
}

fn written(request: &str, path: &str, text: &str) -> Result<(), String> {
    is_written(request, &read(request), &[&call(path, ChangeKind::Made, text)])
}

const INVOICE: &str =
    "Write a file invoice.txt that says: customer ACME, amount 1250.00 EUR, due 2026-12-15.";

#[test]
fn a_dictated_figure_stands_in_the_file() {
    let told = written(INVOICE, "/w/invoice.txt", "customer ACME, amount 1520.00 EUR, due 2026-12-05\n");
    assert_eq!(
        told,
        Err("invoice.txt says 2026-12-05, 1520.00, the request 2026-12-15, 1250.00; write what the request says"
            .to_owned())
    );
    for text in [
        "customer ACME, amount 1250.00 EUR, due 2026-12-15",
        "Amount: 1,250.00 EUR\nDue: 15 December 2026",
        "{\"amount\": 1250, \"due\": \"2026-12-15\"}",
    ] {
        assert_eq!(written(INVOICE, "/w/invoice.txt", text), Ok(()), "{text}");
    }
    assert!(written(INVOICE, "/w/invoice.txt", "amount 1250.00 EUR").is_err(), "the date is left out");
    assert_eq!(
        written(INVOICE, "/w/invoice.txt", "customer APEX, amount 1250.00 USD, due 2026-12-15"),
        Err("invoice.txt says APEX, USD, the request ACME, EUR; write what the request says".to_owned())
    );
    let chinese = "写一个文件 invoice.txt，内容为：客户 ACME，金额 1250.00 欧元，到期日 2026-12-15。";
    assert!(written(chinese, "/w/invoice.txt", "金额 1520.00，2026-12-15").is_err());
    assert_eq!(written(chinese, "/w/invoice.txt", "金额 1250.00，2026年12月15日"), Ok(()));
}

/// A rule that took every figure of a request for a dictated one would refuse these.
#[test]
fn what_is_to_be_found_out_is_not_dictated() {
    for request in [
        "Write a file a.txt that says how many of the 300 orders are open",
        "Write a report a.txt on the 10 largest files",
        "Write a file a.txt with the lines 3 to 7 of b.txt",
        "Write a.txt that says hello and run ./x.sh 5 times",
    ] {
        assert_eq!(written(request, "/w/a.txt", "something else"), Ok(()), "{request}");
    }
}

fn replaced(request: &str, changes: &str) -> Result<(), String> {
    let path = if request.contains("c.txt") { "/w/c.txt" } else { "/w/config.ini" };
    is_replaced(
        request,
        &read(request),
        &[&call(path, ChangeKind::Changed, &format!("@@ -1,4 +1,4 @@\n{changes}"))],
    )
}

const PORTS: &str = "In config.ini change the port from 8080 to 9090 and the number of workers from 4 to 8.";

#[test]
fn a_replacement_is_the_one_that_is_asked_for() {
    let right = "-port = 8080\n-workers = 4\n+port = 9090\n+workers = 8\n timeout = 30\n";
    assert_eq!(replaced(PORTS, right), Ok(()));
    let other = replaced(PORTS, "-port = 8080\n-workers = 4\n+port = 9009\n+workers = 8\n");
    assert_eq!(
        other,
        Err("config.ini says 9009 where it said 8080, the request wants 9090 there".to_owned())
    );
    let one = replaced(PORTS, "-port = 8080\n+port = 9090\n workers = 4\n");
    assert_eq!(one, Err("config.ini does not say 8, which the request wants in the place of 4".to_owned()));
    let more = replaced(PORTS, &format!("{right}-timeout = 30\n+timeout = 300\n"));
    assert_eq!(
        more,
        Err("in config.ini `timeout = 30` became `timeout = 300`, which nobody asked for; change it back"
            .to_owned())
    );
    for request in ["把 config.ini 里的端口从 8080 改为 9090", "Set the port in config.ini to 9090"] {
        assert_eq!(replaced(request, "-port = 8080\n+port = 9090\n"), Ok(()), "{request}");
        assert!(replaced(request, "-port = 8080\n+port = 9009\n").is_err(), "{request}");
    }
    assert!(replaced("Replace red by blue in ./c.txt", "-red\n+bleu\n").is_err());
    assert_eq!(replaced("Replace red by blue in ./c.txt", "-red car\n+blue car\n"), Ok(()));
}

#[test]
fn what_may_be_changed_beside_it_is_no_fault() {
    for (request, changes) in [
        (PORTS, "-port = 8080\n-url = x:8080\n-workers = 4\n+port = 9090\n+url = x:9090\n+workers = 8\n"),
        (
            "Change the port in config.ini from 8080 to 9090 and increase the revision",
            "-p 8080\n-r 1\n+p 9090\n+r 2\n",
        ),
        ("Replace tabs by spaces in ./c.txt", "-\tx\n+    x\n"),
        ("Bump the version in config.ini to 1.3.0", "-version = 1.2.9\n+version = 1.3.0\n"),
        ("Add the steps from 1 to 7 to ./c.txt", "+one\n"),
        ("Fix the typos in ./c.txt", "-teh\n+the\n"),
    ] {
        assert_eq!(replaced(request, changes), Ok(()), "{request}");
    }
}
