//! The shape of a row, and the whole way of one: the client, the daemon, real tools.

use crate::expected::Expected;
use crate::fixture::Fixture;
use artoo_testing::TaskRun;

/// A kind of request in both languages, and the fact that the answer must state. The second argument is true for the
/// request in Chinese.
pub(crate) struct Row {
    name: &'static str,
    english: &'static str,
    chinese: &'static str,
    expected: fn(&Fixture, bool) -> Expected,
    /// Model calls of R3 in its only step: one for each tool call, and one more where the answer is computed from them.
    turns: u64,
}

impl Row {
    /// The same row, whose one step takes so many turns.
    pub(crate) const fn turns(self, turns: u64) -> Self {
        Self { turns, ..self }
    }
}

/// A row whose steps take one turn each.
pub(crate) const fn row(
    name: &'static str,
    english: &'static str,
    chinese: &'static str,
    expected: fn(&Fixture, bool) -> Expected,
) -> Row {
    Row { name, english, chinese, expected, turns: 1 }
}

/// Runs all rows in both languages. Panics with everything that was wrong with any of them.
pub(crate) fn check(fixture: &Fixture, rows: &[Row]) {
    let mut wrong = Vec::new();
    for row in rows {
        for (text, chinese) in [(row.english, false), (row.chinese, true)] {
            let expected = (row.expected)(fixture, chinese);
            let run = ask(fixture, text);
            let output = output(&run);
            if let Err(reason) = carried_out(&run, row.turns).and_then(|()| expected.check(&output)) {
                wrong.push(format!("{}: {text}\n{reason}\nthe output:\n{output}\n{}", row.name, run.stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} requests:\n\n{}", wrong.len(), 2 * rows.len(), wrong.join("\n\n"));
}

/// Runs one request in the project of the fixture. Reading and making new files need nobody's word, so a question would
/// be a false alarm, whatever the task is.
pub(crate) fn ask(fixture: &Fixture, text: &str) -> TaskRun {
    let here = fixture.here.to_str().expect("it is UTF-8");
    let run = fixture.home.run(text, &["--cwd", here]);
    assert!(run.of_type("confirmation_request").is_empty(), "{text}: {}", run.outline());
    run
}

/// The output of a task as text.
pub(crate) fn output(run: &TaskRun) -> String {
    let output = &run.result()["output"];
    output.as_str().map_or_else(|| output.to_string(), str::to_owned)
}

/// Whether it was done at the first try, without a question, with no more calls than the steps need. `turns`: calls of
/// R3 if there is one step; where there are more, each takes one.
pub(crate) fn carried_out(run: &TaskRun, turns: u64) -> Result<(), String> {
    let result = run.result();
    if run.code != Some(0) || result["directive"] != "accept" || result["replans"] != 0 {
        return Err(format!("not done at the first try: {}", run.outline()));
    }
    let calls = calls(run);
    // R1, R2 and R3; R4b once more where results are merged.
    let steps = run.of_type("sub_task").len() as u64;
    let most = if steps == 1 { 2 + turns } else { 2 + steps + 1 };
    if calls > most {
        return Err(format!("{calls} model calls for {steps} steps"));
    }
    Ok(())
}

/// Model calls of all roles.
pub(crate) fn calls(run: &TaskRun) -> u64 {
    let roles = run.result()["usage"]["roles"].as_object().expect("usage by role");
    roles.values().filter_map(|role| role["calls"].as_u64()).sum()
}
