//! The tasks that are run while the daemon dies: what is asked for, how the model plays it, and how it must end.

use serde_json::{Value, json};

use artoo_testing::Home;
use artoo_testing::model_server::{Reply, Seen};
use artoo_testing::scripted_roles::{
    Scenario, checked, criterion, last_tool, plan_with_output_from, subtask,
};

/// Kinds of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Appends a line to a ledger, which needs a person's word and must happen once.
    Append,
    /// Makes a new file.
    Write,
    /// Only reads.
    Read,
    /// Fails in the first way and works in the second.
    Replan,
    /// Works in no way.
    Impossible,
}

/// All of them.
pub(crate) const KINDS: [Kind; 5] = [Kind::Append, Kind::Write, Kind::Read, Kind::Replan, Kind::Impossible];

/// One task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Story {
    pub(crate) kind: Kind,
    pub(crate) number: usize,
}

impl Story {
    /// The idempotency key, which also is in the request.
    pub(crate) fn key(&self) -> String {
        format!("{:?}-{}", self.kind, self.number).to_lowercase()
    }

    /// What the person asks for.
    pub(crate) fn request(&self) -> String {
        format!("Story {}", self.key())
    }

    fn of(text: &str) -> Option<Self> {
        // Words of other stories may come before, from the memory; what a role is asked for comes last.
        let key = text.rsplit("Story ").next()?.split_whitespace().next()?;
        let (word, number) = key.split_once('-')?;
        let kind = KINDS.into_iter().find(|kind| format!("{kind:?}").to_lowercase() == word)?;
        Some(Self { kind, number: number.parse().ok()? })
    }

    /// How it ends without any crash: directive, reason, replans.
    pub(crate) fn end(&self) -> (&'static str, &'static str, u64) {
        match self.kind {
            Kind::Append | Kind::Write | Kind::Read => ("accept", "criteria_met", 0),
            Kind::Replan => ("accept", "criteria_met", 1),
            Kind::Impossible => ("abandon", "replans_exhausted", 5),
        }
    }

    /// What it must leave behind.
    pub(crate) fn check_traces(&self, home: &Home) {
        let key = self.key();
        match self.kind {
            Kind::Append => assert_eq!(lines_of(home, &key), 1, "{key} happened so many times"),
            Kind::Write | Kind::Replan => {
                let path = home.work().join(format!("{key}.txt"));
                let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{key}: {e}"));
                assert_eq!(text, content(&key));
            }
            Kind::Read | Kind::Impossible => {}
        }
    }

    fn scenario(&self) -> Scenario {
        let key = self.key();
        let work = format!("Do Story {key} now");
        match self.kind {
            Kind::Append => {
                let done = checked(
                    "it is in the ledger",
                    &json!({"kind": "file_contains", "path": "./ledger", "text": key}),
                );
                let steps = [subtask(1, &work, &["shell:echo"], &[], std::slice::from_ref(&done))];
                let append = json!({"command": format!("echo {key} >> ledger")});
                Scenario::new(plan_with_output_from(0, &[done], &steps))
                    .act(&work, vec![last_tool("shell", &append)])
            }
            Kind::Write => writing(&key, &work, &[]),
            Kind::Read => {
                let done = criterion("The files are listed.");
                let steps = [subtask(1, &work, &["glob"], &[], std::slice::from_ref(&done))];
                Scenario::new(plan_with_output_from(0, &[done], &steps))
                    .act(&work, vec![last_tool("glob", &json!({"root": ".", "pattern": "*"}))])
            }
            Kind::Replan => {
                let first = format!("Look for Story {key} elsewhere");
                let looking =
                    [subtask(1, &first, &["read_file"], &["./nowhere.txt"], &[criterion("It was read.")])];
                let plan = plan_with_output_from(0, &[written(&key)], &looking);
                writing(&key, &work, &[plan])
                    .fail("It was read.", "environmental", u32::MAX)
                    .act(&first, vec![last_tool("read_file", &json!({"path": "./nowhere.txt"}))])
            }
            Kind::Impossible => impossible(&key),
        }
    }
}

/// A home with a model and a ledger that exists, so that whoever appends to it needs a person's word.
pub(crate) fn home(model: &str) -> Home {
    let home = Home::with_model(model);
    std::fs::write(home.work().join("ledger"), "").expect("the ledger is made");
    home
}

/// How often this key is in the ledger.
pub(crate) fn lines_of(home: &Home, key: &str) -> usize {
    let ledger = std::fs::read_to_string(home.work().join("ledger")).unwrap_or_default();
    ledger.lines().filter(|line| *line == key).count()
}

fn content(key: &str) -> String {
    format!("written for {key}\n")
}

fn written(key: &str) -> Value {
    checked(
        "it is written",
        &json!({"kind": "file_contains", "path": format!("{key}.txt"), "text": content(key).trim()}),
    )
}

/// A task that writes a file, after these plans.
fn writing(key: &str, work: &str, before: &[Value]) -> Scenario {
    let name = format!("{key}.txt");
    let done = written(key);
    let steps = [subtask(1, work, &["write_file"], &[&name], std::slice::from_ref(&done))];
    let last = plan_with_output_from(0, &[done], &steps);
    let mut plans = before.iter().cloned().chain([last]);
    let first = plans.next().expect("there is at least one");
    let act = vec![last_tool("write_file", &json!({"path": name, "content": content(key)}))];
    plans.fold(Scenario::new(first), Scenario::then_plan).act(work, act)
}

/// Four plans, each another way, none of which works.
fn impossible(key: &str) -> Scenario {
    const WAYS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let goal = checked("it is there", &json!({"kind": "file_exists", "path": "./never.txt"}));
    let work = |way: &str| format!("Try Story {key} in the {way} way");
    let plan = |way: &str| {
        let target = format!("./{way}-{key}.txt");
        let steps = [subtask(1, &work(way), &["read_file"], &[&target], std::slice::from_ref(&goal))];
        plan_with_output_from(0, std::slice::from_ref(&goal), &steps)
    };
    let mut scenario =
        WAYS[1..].iter().fold(Scenario::new(plan(WAYS[0])), |all, way| all.then_plan(plan(way)));
    for way in WAYS {
        let path = json!({"path": format!("./{way}-{key}.txt")});
        scenario = scenario.act(&work(way), vec![last_tool("read_file", &path)]);
    }
    scenario
}

/// The model: it knows from the prompt alone which story it is asked about.
pub(crate) fn play(seen: &Seen) -> Reply {
    match Story::of(seen.message("user")) {
        Some(story) => story.scenario().reply(seen),
        None => Reply::status(400, "no story is in the prompt"),
    }
}
