//! Ways that are wrong in themselves: the call runs, it finds something, and that misses what was asked. In the same state such a plan
//! is not run again as it was, however often a model offers it; when what it works on has changed, it may be tried.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::known_open::check_none;
use crate::model::Model;
use crate::script::{check, last_sh, subtask};
use crate::{is_full, is_wanted, together};
use artoo_testing::model_server::ModelServer;
use artoo_testing::scripted_roles::plan;
use artoo_testing::{Home, TaskRun};

/// A plan that fails because of what the file holds.
struct WrongWay {
    name: &'static str,
    request: &'static str,
    /// The file.
    file: &'static str,
    /// What it holds when the plan fails: what `printf` makes of it.
    failing: &'static str,
    /// What it holds when the plan is right.
    fitting: &'static str,
    command: &'static str,
    /// What the output has to match.
    pattern: &'static str,
}

const fn way(
    name: &'static str,
    request: &'static str,
    file: &'static str,
    [failing, fitting]: [&'static str; 2],
    command: &'static str,
    pattern: &'static str,
) -> WrongWay {
    WrongWay { name, request, file, failing, fitting, command, pattern }
}

#[rustfmt::skip]
const WAYS: &[WrongWay] = &[
    way("a pattern in other letters", "Count the lines with timeout in ./a.log", "a.log", ["TIMEOUT at 5\\n", "timeout at 5\\n"], "awk '/timeout/ {n++} END {print n+0}' ./a.log", r"\A1\s"),
    way("another separator", "Show the amounts in ./t.csv", "t.csv", ["ann;5\\n", "ann,5\\n"], "awk -F, '{print $2}' ./t.csv", r"\A[0-9]+\s*\z"),
    way("a column that is none", "Add the amounts in ./s.txt", "s.txt", ["ann,5\\nbob,7\\n", "ann 5\\nbob 7\\n"], "awk '{s+=$2} END {print s}' ./s.txt", "12"),
    way("a header that is counted", "Count the records in ./r.csv", "r.csv", ["name\\na\\nb\\n", "a\\nb\\n"], "wc -l ./r.csv", r"\A\s*2\s"),
    way("a title that is not first", "Show the title of ./p.md", "p.md", ["\\n# Otter\\n", "# Otter\\n"], "head -n 1 ./p.md", "Otter"),
    way("an end that is not last", "Show the last entry of ./d.txt", "d.txt", ["one\\nlast one\\n\\n", "one\\nlast one\\n"], "tail -n 1 ./d.txt", "last"),
    way("equal lines that are apart", "Count the apples in ./f.txt", "f.txt", ["apple\\npear\\napple\\n", "apple\\napple\\npear\\n"], "uniq -c ./f.txt", r"2\s+apple"),
    way("numbers sorted as words", "Show the smallest number of ./n.txt", "n.txt", ["9\\n10\\n", "09\\n10\\n"], "sort ./n.txt", r"9\s+10"),
    way("a name in other letters", "Show the animal of ./e/x.txt in small letters", "e/x.txt", ["animal: OTTER\\n", "animal: otter\\n"], "sed 's/^animal: //' ./e/x.txt", "otter"),
    way("an equals sign for a colon", "Show the port in ./c.ini", "c.ini", ["port=80\\n", "port:80\\n"], "awk -F: '{print $2}' ./c.ini", "80"),
    way("an empty line before it", "Show line 3 of ./l.txt", "l.txt", ["a\\nb\\n\\nc\\n", "a\\nb\\nc\\n"], "sed -n 3p ./l.txt", "c"),
    way("a key in another place", "Show the port in ./j.json", "j.json", ["{\"server\": {\"port\": 80}}\\n", "{\"port\": 80}\\n"], "jq .port ./j.json", r"\A80"),
    way("a column too few", "How many columns does ./k.csv have?", "k.csv", ["a;b;c\\n", "a,b,c\\n"], "awk -F, '{print NF}' ./k.csv", r"\A3"),
    way("comments with a space before them", "Count the lines of ./h.conf without comments", "h.conf", [" # secret words\\nkey\\n", "# secret words\\nkey\\n"], "awk '!/^#/ {n++} END {print n}' ./h.conf", r"\A1\s"),
    way("words over two lines", "Count the words of ./w.txt", "w.txt", ["one-\\ntwo\\n", "onetwo\\n"], "wc -w ./w.txt", r"\A\s*1\s"),
    way("a name in quotes", "Show the names in ./q.csv", "q.csv", ["\"Ann, B\",5\\n", "Ann,5\\n"], "cut -d, -f2 ./q.csv", r"\A5"),
    way("tabs for spaces", "Show the second words of ./b.txt", "b.txt", ["one\\ttwo\\n", "one two\\n"], "awk -F'[ ]' '{print $2}' ./b.txt", "two"),
    way("the size of something else", "Is ./z.bin ten bytes long?", "z.bin", ["123\\n", "123456789\\n"], "stat -c %%s ./z.bin", r"\A10"),
    way("dates the other way round", "Show the first day of ./y.txt", "y.txt", ["02.01.2024\\n01.02.2023\\n", "2023-02-01\\n2024-01-02\\n"], "sort ./y.txt", r"2023\S+\s+2024"),
    way("a list on one line", "How many entries does ./o.txt have?", "o.txt", ["a b c\\n", "a\\nb\\nc\\n"], "wc -l ./o.txt", r"\A\s*3\s"),
];

#[test]
#[allow(clippy::print_stdout, reason = "the table is what is asked for")]
fn a_wrong_way_is_not_gone_again_in_the_same_state() {
    assert!(WAYS.len() >= 20, "{} ways", WAYS.len());
    let chosen: Vec<&WrongWay> = WAYS
        .iter()
        .enumerate()
        .filter(|(at, _)| is_full() || at % 4 == 0)
        .map(|(_, way)| way)
        .filter(|way| is_wanted(way.name))
        .collect();
    let results = together(&chosen, |way| live(way));
    let mut all_wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (way, wrong) in chosen.iter().zip(results) {
        println!("{} wrong     {}", if wrong.is_empty() { "✓" } else { "✗" }, way.name);
        wrong.iter().for_each(|what| println!("            {what}"));
        all_wrong.insert(way.name, wrong);
    }
    let faulty = all_wrong.values().filter(|wrong| !wrong.is_empty()).count();
    println!("truth: {} wrong ways, {faulty} that are gone again or forbidden for ever", all_wrong.len());
    check_none(&all_wrong);
}

/// Everything that is not as it has to be when the plan fails, is offered again, and is offered in another folder and with
/// another file.
fn live(way: &WrongWay) -> Vec<String> {
    let model = stubborn(way);
    let server = ModelServer::start(move |seen| model.reply(seen, &str::to_owned));
    let mut home = Home::with_model(&server.base_url());
    fill(&home.work(), way.file, way.failing);
    home.start();
    let ask = || home.run(way.request, &["--unattended"]);
    let (first, again) = (ask(), ask());
    let other = home.root().join("other");
    fill(&other, way.file, way.failing);
    let cwd = other.to_str().expect("it is UTF-8");
    let elsewhere = home.run(way.request, &["--unattended", "--cwd", cwd]);
    fill(&home.work(), way.file, way.fitting);
    let changed = ask();

    let mut wrong = Vec::new();
    if runs(&first) != 1 || first.result()["directive"] == "accept" {
        wrong.push(format!("at first: ran {} times, {}", runs(&first), told(&first)));
    }
    if runs(&again) != 0 {
        wrong.push(format!("in the same state: ran {} times, {}", runs(&again), told(&again)));
    }
    if runs(&elsewhere) != 1 {
        wrong.push(format!("in another folder: ran {} times, {}", runs(&elsewhere), told(&elsewhere)));
    }
    if changed.result()["directive"] != "accept" {
        wrong.push(format!("in another state: {}", told(&changed)));
    }
    wrong
}

/// A model that plans the same whatever it is told.
fn stubborn(way: &WrongWay) -> Model {
    let goal = || vec![check(way.request, "output_matches", json!({"regex": way.pattern}))];
    let target = format!("./{}", way.file);
    let class = format!("shell:{}", way.command.split(' ').next().unwrap_or_default());
    let step = subtask(1, "Find it out", &[&class], &[&target], &goal());
    let call = last_sh(&way.command.replace("%%", "%"));
    let mut model = Model::new(plan(&goal(), &[step]), "Find it out", vec![call]);
    model.is_stubborn = true;
    model
}

fn fill(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
        .expect("the home can be written");
    let made = Command::new("printf").arg(text).output().expect("printf can be run");
    std::fs::write(path, made.stdout).expect("the home can be written");
}

/// How often a plan went out.
fn runs(run: &TaskRun) -> usize {
    run.of_type("dispatch_manifest").len()
}

fn told(run: &TaskRun) -> String {
    let result = run.result();
    let drafts: Vec<&Value> =
        run.of_type("plan_draft_rejected").iter().map(|draft| &draft["reasons"]).collect();
    format!("{} {}: {} {drafts:?}", result["directive"], result["reason"], result["unmet"])
}
