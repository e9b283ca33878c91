//! Failures that are cured: something in the surroundings was in the way, the request failed so many times, and then it
//! is put right. From then on the same request succeeds at once: in the same folder, in another folder, in other words.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::cured_kinds::{Kind, Provider, kinds};
use crate::known_open::check_none;
use crate::model::Model;
use crate::search_engine::SearchEngine;
use crate::{is_full, is_wanted, together};
use artoo_testing::model_server::ModelServer;
use artoo_testing::{Home, TaskRun};

/// How often a request fails before it is cured; never, to see that nothing else is in the way.
const TRIES: [usize; 4] = [1, 3, 8, 0];

/// What is asked after the cure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    Here,
    ElseWhere,
    InOtherWords,
}

/// Each comes first once: what comes later might profit from what succeeded before it.
const ORDERS: [[Again; 3]; 3] = [
    [Again::Here, Again::ElseWhere, Again::InOtherWords],
    [Again::ElseWhere, Again::InOtherWords, Again::Here],
    [Again::InOtherWords, Again::Here, Again::ElseWhere],
];

/// A home with the daemon, and what answers it.
struct Surroundings {
    home: Home,
    engine: Option<SearchEngine>,
    _server: Option<ModelServer>,
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is what is asked for")]
fn a_cured_failure_is_forgotten_at_once() {
    let all: Vec<Arc<Kind>> = kinds().into_iter().map(Arc::new).collect();
    assert!(all.len() >= 20, "{} kinds", all.len());
    let mut runs: Vec<(Arc<Kind>, usize, [Again; 3])> = Vec::new();
    for (at, kind) in all.iter().enumerate() {
        for (number, tries) in TRIES.into_iter().enumerate() {
            let order = ORDERS[(at + number) % ORDERS.len()];
            // In short every kind fails once or three times, and a few of them eight times.
            let is_sampled = number == at % 2 || (at % 7 == 0 && tries == 8);
            if is_wanted(kind.name) && (is_full() || (is_sampled && at % 2 == 0)) {
                runs.push((Arc::clone(kind), tries, order));
            }
        }
    }
    let results = together(&runs, |(kind, tries, order)| live(kind, *tries, *order));
    let mut all_wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((kind, tries, _), wrong) in runs.iter().zip(results) {
        println!(
            "{} cured     {} after {tries} failed tries",
            if wrong.is_empty() { "✓" } else { "✗" },
            kind.name
        );
        wrong.iter().for_each(|what| println!("            {what}"));
        let wrong = wrong.into_iter().map(|what| format!("after {tries} failed tries: {what}"));
        all_wrong.entry(kind.name).or_default().extend(wrong);
    }
    let kept = all_wrong.values().filter(|wrong| !wrong.is_empty()).count();
    println!(
        "truth: {} cured failures in {} lives, {kept} that were not forgotten",
        all_wrong.len(),
        runs.len()
    );
    check_none(&all_wrong);
}

/// Everything that is not as it has to be in one life of a home.
fn live(kind: &Arc<Kind>, tries: usize, order: [Again; 3]) -> Vec<String> {
    let mut around = settle(kind);
    let here = folder(&around.home, "one");
    prepare(&around.home, &here, kind.broken);
    let mut wrong = Vec::new();
    for _ in 0..tries {
        let run = ask(&around.home, kind, kind.request, &here);
        if run.result()["directive"] == "accept" {
            return vec![format!("nothing is broken: {}", run.result()["output"])];
        }
    }
    prepare(&around.home, &here, kind.cure);
    let there = folder(&around.home, "two");
    if let Some(engine) = &mut around.engine {
        engine.start();
    }
    for again in order {
        let (request, place) = match again {
            Again::Here => (kind.request, &here),
            Again::ElseWhere => {
                prepare(&around.home, &there, kind.cure);
                (kind.request, &there)
            }
            Again::InOtherWords => (kind.other_words, &here),
        };
        prepare(&around.home, place, kind.anew);
        let run = ask(&around.home, kind, request, place);
        let result = run.result();
        let is_right = result["directive"] == "accept" && result["output"].to_string().contains(kind.answer);
        if !is_right || !run.of_type("plan_directive").is_empty() {
            let drafts: Vec<String> =
                run.of_type("plan_draft_rejected").iter().map(|draft| draft["reasons"].to_string()).collect();
            wrong.push(format!(
                "{again:?}: {} {}, {} replans, output {}, {} {}",
                result["directive"],
                result["reason"],
                result["replans"],
                result["output"],
                result["unmet"],
                drafts.join(" ")
            ));
        }
    }
    prepare(&around.home, &here, kind.after);
    wrong
}

fn settle(kind: &Arc<Kind>) -> Surroundings {
    let mut home = Home::new();
    let programs = folder(&home, "programs");
    let (mut engine, mut server) = (None, None);
    match &kind.provider {
        Provider::Offline => home.set("ARTOO_PROVIDER", "offline"),
        Provider::Scripted(model) => {
            let model: fn() -> Model = *model;
            let scripted = ModelServer::start(move |seen| model().reply(seen, &str::to_owned));
            let address = scripted.base_url();
            for (name, value) in [
                ("OPENAI_BASE_URL", address.as_str()),
                ("OPENAI_MODEL", "scripted"),
                ("OPENAI_API_KEY", "test-key"),
            ] {
                home.set(name, value);
            }
            server = Some(scripted);
        }
    }
    if kind.searches {
        let found = SearchEngine::new();
        home.configure(
            &format!("[search]\nprovider = \"searxng\"\nbase_url = \"{}\"\n", found.base_url()),
            0o600,
        );
        engine = Some(found);
    }
    if kind.has_programs_of_its_own {
        let link = r#"for program in /usr/local/bin/* /usr/bin/* /bin/*; do ln -sf "$program" programs/ 2>/dev/null || true; done"#;
        prepare(&home, home.root(), link);
        home.set("PATH", programs.to_str().expect("it is UTF-8"));
    }
    home.start();
    Surroundings { home, engine, _server: server }
}

fn folder(home: &Home, name: &str) -> PathBuf {
    let path = home.root().join(name);
    std::fs::create_dir_all(&path).expect("the home can be written");
    path
}

fn prepare(home: &Home, folder: &Path, commands: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-ec", commands]).current_dir(folder).env("HOME", home.root());
    let ended = shell.output().expect("sh can be run");
    assert!(ended.status.success(), "{commands}: {ended:?}");
}

fn ask(home: &Home, kind: &Kind, request: &str, place: &Path) -> TaskRun {
    let place = place.to_str().expect("it is UTF-8");
    let mode = if kind.has_person { "--attended" } else { "--unattended" };
    crate::scene::follow(home, request, &["--cwd", place, mode])
}
