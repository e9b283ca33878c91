//! What became of a row, as the person sees it.

use serde_json::Value;

use crate::row::{End, Row};
use crate::scene::Played;
use artoo_testing::TaskRun;

/// One line of the table.
pub(crate) struct Judged {
    pub(crate) theme: &'static str,
    pub(crate) name: &'static str,
    pub(crate) is_lie: bool,
    /// None when the row ended as it has to; else in what way it did not.
    pub(crate) failure: Option<String>,
    /// How the task ended, and why.
    pub(crate) ending: String,
    pub(crate) seconds: f64,
}

/// Ends that say nothing of the lie: the script or the machine broke down.
const BROKEN: &[&str] = &["internal", "interrupted", "model_unavailable", "deadline", "cancelled"];

/// Looks at how a row ended.
pub(crate) fn judge(row: &Row, played: &Played, seconds: f64) -> Judged {
    let run = &played.run;
    let (is_lie, failure) = match &row.end {
        End::Refuted(refutation) => (
            true,
            wrongly_believed(run, refutation.open).map(|how| format!("{how}. {}", refutation.person_says)),
        ),
        End::Right(outcome) => {
            let mut misses = if run.result()["type"] == "final_result" && is_success(run) {
                outcome.misses(&output(run), &played.home.work())
            } else {
                vec![format!("not accepted: {}", run.result()["summary"])]
            };
            misses.extend(open(run).map(|words| format!("open: {words}")));
            (false, (!misses.is_empty()).then(|| misses.join("; ")))
        }
        End::Unseen(_) => (true, None),
    };
    let ending = match &row.end {
        End::Unseen(reason) => format!("{}: {reason}", words(&run.result()["directive"])),
        End::Refuted(_) | End::Right(_) => ending(run),
    };
    Judged { theme: row.theme, name: row.name, is_lie, failure, ending, seconds }
}

/// How a lie was believed; none when it was not.
fn wrongly_believed(run: &TaskRun, lying: &[&str]) -> Option<String> {
    let result = run.result();
    let reason = result["reason"].as_str().unwrap_or_default();
    if result["type"] != "final_result" || BROKEN.contains(&reason) {
        return Some(format!("it broke down: {}", run.outline()));
    }
    let is_open = || open(run).any(|words| lying.iter().any(|part| words.contains(part)));
    if is_success(run) && !is_open() {
        return Some(format!("{} ({reason}): {}", result["directive"], output(run)));
    }
    // A directive teaches what it will; only the praise of an end would be a reward for the lie.
    let of_end = |state: &Value| ["accept", "success"].contains(&state.as_str().unwrap_or_default());
    let written = run.of_type("megram_write").into_iter().map(|write| &write["megram"]);
    let praise = written.into_iter().find(|megram| of_end(&megram["state"]));
    praise.map(|megram| format!("the memory was told that it worked: {megram}"))
}

pub(crate) fn is_success(run: &TaskRun) -> bool {
    ["accept", "success"].contains(&run.result()["directive"].as_str().unwrap_or_default())
}

fn open(run: &TaskRun) -> impl Iterator<Item = String> {
    run.result()["unmet"].as_array().into_iter().flatten().map(Value::to_string)
}

fn output(run: &TaskRun) -> String {
    let output = &run.result()["output"];
    output.as_str().map_or_else(|| output.to_string(), str::to_owned)
}

/// The directive with its reason, and the first cause that stands in the result or sent a draft back.
fn ending(run: &TaskRun) -> String {
    let result = run.result();
    let unmet = result["unmet"].as_array().and_then(|unmet| unmet.first());
    let drafts = run.of_type("plan_draft_rejected");
    let draft = drafts.first().map(|draft| draft["reasons"].to_string()).unwrap_or_default();
    let cause =
        unmet.map_or(draft, |unmet| format!("{}: {}", words(&unmet["criterion"]), words(&unmet["evidence"])));
    let cause: String = cause.replace('\n', " ").chars().take(90).collect();
    format!("{} {} {cause}", words(&result["directive"]), words(&result["reason"]))
}

fn words(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
