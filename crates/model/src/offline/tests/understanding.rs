use super::super::clauses::{read_clause, understand};
use super::super::{normalise, pattern, requests};
use super::support::*;
use super::*;

#[test]
fn every_template_compiles() {
    for row in requests::TEMPLATES.iter() {
        for template in row.english.iter().chain(row.chinese) {
            if let Err(reason) = pattern::compile(template) {
                panic!("{reason} in {template}");
            }
        }
    }
}

#[test]
fn every_example_is_understood() {
    let mut bad = vec![];
    for e in examples() {
        for t in [e.english, e.chinese] {
            match understand(t) {
                Ok(r) => {
                    if e.kind != Kind::WriteReport && r.clauses[0].kind != e.kind {
                        bad.push(format!("{t}: {:?}", r));
                    }
                }
                Err(w) => bad.push(format!("{t}: {w:?} {:?}", read_clause(&normalise::normalise(t)))),
            }
            let p = ask("plan", &plan_prompt(t, ""));
            if !p["decline"].is_null() {
                bad.push(format!("{t} {}", p["decline"]["reason"]));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn paraphrases() {
    let mut bad = vec![];
    for (kind, t) in include_str!("paraphrases.txt").lines().filter_map(|l| l.split_once('\t')) {
        let got = match understand(t) {
            Ok(r) => {
                let mut v: Vec<String> = r.clauses.iter().map(|c| format!("{:?}", c.kind)).collect();
                if r.report.is_some() {
                    v.push("+report".into());
                }
                v.join(" ")
            }
            Err(_) => "-".to_owned(),
        };
        if got != kind {
            bad.push(format!(
                "{t}: want {kind}, got {got} {:?}",
                understand(t).err().map(|e| (
                    e,
                    read_clause(&normalise::normalise(t))
                        .into_iter()
                        .map(|c| format!("{:?} {:?}", c.kind, c.slots))
                        .collect::<Vec<_>>()
                ))
            ));
        }
    }
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad.join("\n"));
}
