//! A task that is cancelled at any point of its life ends within the promised time, once, and nothing of it runs on.
//! `make cancel` goes through all points again and again, and says what the slowest took.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::checks::{abandon, check_end};
use crate::hostile::{alive, check_gone, commands, mark, wanted_runs};
use crate::rows::check_rows;
use artoo_testing::model_server::{ModelServer, Reply, Seen};
use artoo_testing::scripted_roles::{Scenario, criterion, last_tool, plan, subtask};
use artoo_testing::{Client, Home, PATIENCE, wait_until};

/// Where a task is when it is cancelled.
#[derive(Debug, Clone, Copy)]
enum Point {
    /// The model call of this role hangs; with the number of model calls up to and with it.
    Model(&'static str, usize),
    /// It waits for a yes or a no.
    Confirmation,
    /// It waits for an answer.
    Clarification,
    /// A tool runs the hostile command of this number.
    Tool(usize),
}

const MODELS: [Point; 5] = [
    Point::Model("R1", 1),
    Point::Model("R2", 2),
    Point::Model("R3", 3),
    Point::Model("R4a", 4),
    Point::Model("R4b", 5),
];

/// A task of one step that runs this command.
fn runner(command: &str) -> Scenario {
    let steps = [subtask(1, "Run it", &["shell:bash"], &[], &[criterion("It ran.")])];
    Scenario::new(plan(&[criterion("It ran to its end.")], &steps))
        .act("Run it", vec![last_tool("shell", &json!({"command": command}))])
}

fn server(point: Point, command: &str) -> ModelServer {
    let scenario = runner(command);
    ModelServer::start(move |seen: &Seen| match (point, seen.role.as_str()) {
        (Point::Model(role, _), asking) if role == asking => Reply::Hang,
        (Point::Clarification, "R1") => Reply::Sse(
            json!({"slug": "run_it", "intent": "Run it.", "constraints": {"scope": null, "deadline": null},
                   "tags": ["run"], "clarify": ["Which one?"], "direct_answer": null})
            .to_string(),
        ),
        _ => scenario.reply(seen),
    })
}

/// Starts the task and returns when it is where it is to be cancelled.
fn arrive(point: Point, home: &Home, server: &ModelServer, mark: &str) -> (Client, String) {
    let mut client = home.task("Run it", &["--attended"]);
    let task = client.event("task_submitted")["task_id"].as_str().expect("it has an id").to_owned();
    match point {
        Point::Model(_, calls) => drop(server.wait_for_requests(calls, PATIENCE)),
        Point::Confirmation => drop(client.event("confirmation_request")),
        Point::Clarification => drop(client.event("clarification_request")),
        Point::Tool(_) => {
            client.event("confirmation_request");
            assert_eq!(home.artoo(&["confirm", &task, "yes"]).code, Some(0));
            wait_until("the command runs", || !alive(mark).is_empty());
        }
    }
    (client, task)
}

/// A hostile command that needs a yes, because it makes a file in another folder first.
fn asking(number: usize, mark: &str) -> (&'static str, String) {
    let (name, command) = commands(mark).swap_remove(number);
    (name, format!("touch ../asked; {command}"))
}

/// The slowest cancellation so far, and where it was.
static SLOWEST: Mutex<(Duration, String)> = Mutex::new((Duration::ZERO, String::new()));

fn check(point: &Point) {
    let mark = mark();
    let (name, command) = match point {
        Point::Tool(number) => asking(*number, &mark),
        Point::Confirmation => ("", "touch ../asked".to_owned()),
        Point::Model(..) | Point::Clarification => ("", "true".to_owned()),
    };
    let row = format!("{point:?} {name}");
    let server = server(*point, &command);
    let home = Home::started(&server.base_url());
    let (mut client, task) = arrive(*point, &home, &server, &mark);
    let asked = server.requests().len();

    let since = Instant::now();
    let cancelled = home.client(&["cancel", &task]);
    let result = client.event("final_result");
    let took = since.elapsed();
    let summary = result["summary"].as_str().unwrap_or_default();
    check_gone(&row, &mark, took, if summary.contains("still running") { summary } else { "" });
    assert_eq!(cancelled.wait().code, Some(0), "{row}");
    let run = client.finish();
    check_end(&row, &run, &abandon("cancelled", 130));
    assert_eq!(server.requests().len(), asked, "{row}: no model is asked after a cancellation");
    assert_eq!(home.events(&task, 0), run.events, "{row}: nothing follows the final result");
    let mut slowest = SLOWEST.lock().expect("no row fails while the lock is held");
    if took > slowest.0 {
        *slowest = (took, row);
    }
}

#[test]
fn a_task_that_is_cancelled_ends_in_time_and_leaves_nothing() {
    let hostile = commands("").len();
    let waiting = MODELS.into_iter().chain([Point::Confirmation, Point::Clarification]);
    let points: Vec<Point> = match wanted_runs() {
        // The tests of the tools alone go through all commands.
        None => waiting.chain([1, 5, hostile - 3, hostile - 1].map(Point::Tool)).collect(),
        Some(runs) => {
            let all: Vec<Point> = waiting.chain((0..hostile).map(Point::Tool)).collect();
            all.into_iter().cycle().take(runs).collect()
        }
    };
    let runs = points.len();
    check_rows(points, check);
    let (took, point) = SLOWEST.lock().expect("all rows are over").clone();
    tell(&format!(
        "{runs} cancellations, 0 survivors; the slowest took {:.2} s: {point}",
        took.as_secs_f64()
    ));
}

#[allow(clippy::print_stderr, reason = "the figure that the long run is made for")]
fn tell(text: &str) {
    eprintln!("{text}");
}

#[test]
fn a_deadline_ends_the_tree_too() {
    let mark = mark();
    let (_, command) = asking(4, &mark);
    let server = server(Point::Tool(4), &command);
    let home = Home::started(&server.base_url());
    let mut client = home.task("Run it", &["--attended", "--deadline", "3s"]);
    let task = client.event("confirmation_request")["task_id"].as_str().expect("it has a task").to_owned();
    assert_eq!(home.artoo(&["confirm", &task, "yes"]).code, Some(0));
    let run = client.finish();
    assert!(alive(&mark).is_empty(), "{:#?}", alive(&mark));
    check_end("deadline", &run, &abandon("deadline", 1));
}

/// A daemon whose task runs this command, and the process ids of everything that the daemon started for it.
fn running(command: &str, mark: &str) -> (ModelServer, Home, Client) {
    let server = server(Point::Tool(0), command);
    let home = Home::started(&server.base_url());
    let (client, _) = arrive(Point::Tool(0), &home, &server, mark);
    (server, home, client)
}

#[test]
fn a_daemon_that_is_killed_leaves_nothing_running() {
    for number in [0, 5, 10] {
        let mark = mark();
        let (_, command) = asking(number, &mark);
        let (_server, mut home, client) = running(&command, &mark);
        home.kill();
        wait_until("the tree is gone without a daemon", || alive(&mark).is_empty());
        drop(client);
    }
}

#[test]
fn a_daemon_that_starts_ends_what_an_earlier_one_left() {
    let mark = mark();
    let (_, command) = asking(5, &mark);
    let (_server, mut home, client) = running(&command, &mark);
    // Keepers that are gone as well end nothing.
    let keepers = keepers(&home);
    assert_eq!(keepers.len(), 1, "{keepers:?}");
    keepers.iter().for_each(|keeper| signal(*keeper, rustix::process::Signal::STOP));
    home.kill();
    keepers.iter().for_each(|keeper| signal(*keeper, rustix::process::Signal::KILL));
    assert!(!alive(&mark).is_empty(), "nobody is left to end it");
    home.start();
    assert!(alive(&mark).is_empty(), "{:#?}", alive(&mark));
    drop(client);
}

#[test]
fn a_command_that_kills_its_keeper_is_ended_by_the_daemon() {
    let mark = mark();
    // The keeper is the parent of the shell.
    let command =
        format!("(setsid sleep {mark} &); (trap '' TERM; sleep {mark}) & kill -KILL $PPID; sleep {mark}");
    let server = server(Point::Tool(0), &command);
    let home = Home::started(&server.base_url());
    let mut client = home.task("Run it", &["--attended"]);
    let task = client.event("confirmation_request")["task_id"].as_str().expect("it has a task").to_owned();
    assert_eq!(home.artoo(&["confirm", &task, "yes"]).code, Some(0));
    client.event("tool_call_finished");
    assert!(alive(&mark).is_empty(), "{:#?}", alive(&mark));
    let result = client.event("execution_result");
    assert!(result["receipts"].to_string().contains("was killed"), "{result:#}");
    assert!(zombies(home.daemon_pid()).is_empty(), "{:?}", zombies(home.daemon_pid()));
}

#[test]
fn the_doctor_says_how_children_are_ended() {
    let mut home = Home::new();
    home.start();
    let checks = home.json(&["doctor"]);
    let saw = checks["checks"].as_array().into_iter().flatten().find(|check| check["name"] == "children");
    let saw = saw.and_then(|check| check["saw"].as_str()).unwrap_or_default().to_owned();
    let known = ["subreaper + process group", "process group + ancestry"];
    assert!(known.iter().any(|means| saw.starts_with(means)), "{checks:#}");
}

/// Children of a process, by their numbers.
fn children(parent: u32, wanted: impl Fn(&str) -> bool) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let found = processes.filter_map(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        let (head, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        let state = fields.next()?;
        let is_child = fields.next()?.parse() == Ok(parent);
        (is_child && wanted(state)).then(|| head.split(' ').next()?.parse().ok())?
    });
    found.collect()
}

fn keepers(home: &Home) -> Vec<i32> {
    children(home.daemon_pid(), |_| true)
}

fn zombies(parent: u32) -> Vec<i32> {
    children(parent, |state| state == "Z")
}

fn signal(pid: i32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid).expect("a process id is positive");
    rustix::process::kill_process(pid, signal).expect("it runs");
}
