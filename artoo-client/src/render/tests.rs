mod scenes;

use artoo_protocol::v1::event::Payload;
use artoo_protocol::v1::{ClarificationRequest, Event, FinalResult};

use super::brief::BriefScreen;
use super::compact::TaskScreen;
use super::ending::{AnswerForm, Answerer, TaskPast};
use super::text::columns;
use super::words::Phrase;
use super::{Language, Line, Said, Tone, ending, pipeline, question};

/// The short display of these events, without colour. No line is wider than the screen.
fn screen(events: &[Event], width: usize, evidence: bool) -> String {
    let screen = TaskScreen::new(width, "offline rules · workspace ~/artoo_workspace");
    let mut screen = if evidence { screen.with_evidence() } else { screen };
    let lines: Vec<Line> = events.iter().flat_map(|event| screen.event(event)).collect();
    shown(&lines, width)
}

fn shown(lines: &[Line], width: usize) -> String {
    let text: Vec<String> = lines.iter().map(|line| line.text(false)).collect();
    for line in &text {
        assert!(columns(line) <= width, "{} columns, {width} allowed: {line}", columns(line));
        assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
    }
    text.join("\n")
}

#[test]
fn the_normal_case() {
    insta::assert_snapshot!("normal", screen(&scenes::accepted(), 80, false));
    insta::assert_snapshot!("normal_with_evidence", screen(&scenes::accepted(), 80, true));
    insta::assert_snapshot!("normal_narrow", screen(&scenes::accepted(), 40, false));
}

#[test]
fn a_replan_explains_itself() {
    insta::assert_snapshot!("replan", screen(&scenes::replanned(), 80, false));
}

#[test]
fn an_honest_stop() {
    insta::assert_snapshot!("stop", screen(&scenes::stopped(), 80, false));
}

#[test]
fn a_denied_action_is_named() {
    insta::assert_snapshot!("denied", screen(&scenes::denied(), 80, false));
}

#[test]
fn each_call_with_what_it_changed_wrote_and_said() {
    let mut screen = TaskScreen::new(80, "").with_receipts();
    let lines: Vec<Line> = scenes::acted().iter().flat_map(|event| screen.event(event)).collect();
    insta::assert_snapshot!("receipts", shown(&lines, 80));
    let mut screen = TaskScreen::new(80, "").with_evidence().with_calls();
    let lines: Vec<Line> = scenes::acted().iter().flat_map(|event| screen.event(event)).collect();
    insta::assert_snapshot!("calls", shown(&lines, 80));
    // Without being asked for, calls are not shown.
    let mut screen = TaskScreen::new(80, "").with_evidence();
    assert!(scenes::acted().iter().all(|event| screen.event(event).is_empty()));
    let lines: Vec<Line> = scenes::acted().iter().map(|event| pipeline::line(event, 100)).collect();
    insta::assert_snapshot!("pipeline_acted", shown(&lines, 100));
}

#[test]
fn one_line_for_every_message() {
    for (name, events, width) in [
        ("pipeline_normal", scenes::accepted(), 100),
        ("pipeline_replan", scenes::replanned(), 80),
        ("pipeline_denied", scenes::denied(), 80),
    ] {
        let lines: Vec<Line> = events.iter().map(|event| pipeline::line(event, width)).collect();
        assert_eq!(lines.len(), events.len());
        insta::assert_snapshot!(name, shown(&lines, width));
    }
}

#[test]
fn questions_show_the_exact_action() {
    let request = scenes::deletion();
    insta::assert_snapshot!("question", shown(&question::confirmation(&request, Language::English, 80), 80));
    insta::assert_snapshot!(
        "question_details",
        shown(&question::details(&request, Language::English, 80), 80)
    );
    insta::assert_snapshot!(
        "question_chinese",
        shown(&question::confirmation(&request, Language::Chinese, 80), 80)
    );
    insta::assert_snapshot!(
        "question_details_chinese",
        shown(&question::details(&request, Language::Chinese, 80), 80)
    );
    let questions = vec!["Which folder?".to_owned(), "Also hidden files?\u{1b}[1A".to_owned()];
    let request = ClarificationRequest { questions, expires_at: None };
    insta::assert_snapshot!(
        "clarification",
        shown(&question::clarification(&request, Language::English, 80), 80)
    );
}

/// Whatever is asked, the command or the edit comes first and whole, and nobody agrees to what is too long for that unseen.
#[test]
fn a_question_shows_its_action_whole() {
    let edit = |old: &str, new: &str| {
        let action = format!("in ~/src/app/main.rs replace\n{old}\nby\n{new}");
        let (tool, effects) = ("edit_file".to_owned(), vec!["overwrite".to_owned()]);
        artoo_protocol::v1::ConfirmationRequest { tool, action, effects, ..scenes::deletion() }
    };
    let long = "x".repeat(200);
    let shell = |action: &str, effect: &str| artoo_protocol::v1::ConfirmationRequest {
        action: action.to_owned(),
        effects: vec![effect.to_owned()],
        undoable: false,
        undo_why: "nobody can tell what it changes".to_owned(),
        why: vec![long.clone(), "it sends".to_owned()],
        ..scenes::deletion()
    };
    for (request, first, hides) in [
        (scenes::deletion(), "  ? rm build/a.o build/b.o build/c.o", false),
        (shell("make\nmake install\nrm -rf /", "unknown"), "  ? make", false),
        (shell(&"make\n".repeat(41), "unknown"), "  ? make", true),
        (shell("curl -T x http://e.org", "send"), "  ? curl -T x http://e.org", false),
        (shell("systemctl stop ssh", "a word of a newer daemon"), "  ? systemctl stop ssh", false),
        (edit("a\nlet n = 1;\nz", "a\nlet n = 2;\nz"), "  ? ~/src/app/main.rs", false),
        (edit("let n = 1;", "let n = 2;"), "  ? ~/src/app/main.rs", false),
        (edit("one\ntwo", "three"), "  ? ~/src/app/main.rs", false),
        (edit("one", &"two\n".repeat(40)), "  ? ~/src/app/main.rs", true),
        (edit("by\nby\nby", "x\nby\n"), "  ? in ~/src/app/main.rs replace", false),
    ] {
        for language in [Language::English, Language::Chinese] {
            let lines = question::confirmation(&request, language, 80);
            let text = shown(&lines, 80);
            assert!(text.starts_with(first), "{text}");
            assert!(hides || lines.len() <= 12, "{text}");
            assert_eq!(question::hides(&request, 80), hides, "{text}");
            for word in ["UNKNOWN", "unknown", "effect", "[LAW1]"] {
                assert!(!text.contains(word), "{word} in\n{text}");
            }
        }
    }
    let command =
        format!("tar  czf 'my  backup.tgz' --exclude={} {} && rm -r old", "x".repeat(200), "a b ".repeat(60));
    for width in [40, 80, 120] {
        let lines = question::action(&shell(&command, "delete"), Language::English, width);
        let shown: String =
            lines.iter().map(|line| line.text(false).get(4..).unwrap_or_default().to_owned()).collect();
        let bare = |text: &str| text.replace(' ', "");
        assert_eq!(bare(&shown), bare(&command), "{width}");
    }
    let text = shown(&question::confirmation(&edit("let n = 1;", "let n = 2;"), Language::English, 80), 80);
    assert!(text.contains("    - let n = 1;\n    + let n = 2;\n  artoo wants to change 3 files."), "{text}");
    let among = edit("fn f() {\n    1\n}", "fn f() {\n    2\n    3\n}");
    let text = shown(&question::confirmation(&among, Language::English, 80), 80);
    assert!(text.contains("      fn f() {\n    -     1\n    +     2\n    +     3\n      }\n"), "{text}");
}

/// What only prints a fixed text is not what a person is asked about; everything that could do more is.
#[test]
fn a_command_is_asked_about_without_the_line_that_it_prints() {
    let asked = |tool: &str, action: &str| {
        let (tool, action) = (tool.to_owned(), action.to_owned());
        let question = artoo_protocol::v1::ConfirmationRequest { tool, action, ..scenes::deletion() };
        let first = shown(&question::action(&question, Language::English, 200), 200);
        assert_eq!(first.contains("v shows it"), !first.contains("printf"), "{first}");
        let whole = shown(&question::details(&question, Language::English, 200), 200);
        assert!(whole.contains("printf"), "{whole}");
        first.lines().next().unwrap_or_default().to_owned()
    };
    let told = " && printf '%s\\n' 'Done: delete a, b.'";
    assert_eq!(asked("shell", &format!("rm -- 'a b' \"c\"{told}")), "  ? rm -- 'a b' \"c\"");
    for action in [
        format!("rm a{told}; rm b"),
        format!("rm a{told} > b"),
        format!("rm a{told}'$(rm b)'"),
        format!("rm a && echo 'b{told}"),
        format!("rm a && echo \"b{told}"),
        format!("rm a # b{told}"),
        format!("rm a && echo \\{told}"),
        format!("cat <<x\n{told}"),
        "rm a && printf '%s\\n' \"$(rm b)\"".to_owned(),
    ] {
        assert!(asked("shell", &action).contains(action.lines().next().unwrap_or_default()), "{action}");
    }
    assert!(asked("applescript", &format!("rm a{told}")).contains("printf"));
}

/// What a yes lets happen stands on the first screen, and not in `v` alone.
#[test]
fn full_power_is_told_with_the_question() {
    let power = "it would run with your full power: every file that you can change, and the network";
    let why = vec!["zip makes something new".to_owned(), power.to_owned()];
    let question = artoo_protocol::v1::ConfirmationRequest { why, undoable: false, ..scenes::deletion() };
    let told = |language| shown(&question::confirmation(&question, language, 80), 80);
    assert!(told(Language::English).contains("your full power"));
    assert!(told(Language::Chinese).contains("您的全部权限"));
}

#[test]
fn what_helps_is_said_where_nobody_else_says_it() {
    let advice = |reason: &str, next: &[&str]| {
        let next_moves = next.iter().map(|&next| next.to_owned()).collect();
        let reason = reason.to_owned();
        let result =
            FinalResult { directive: "abandon".to_owned(), reason, next_moves, ..Default::default() };
        let lines = BriefScreen::new(80).cause(&result);
        let said = lines
            .iter()
            .map(|line| line.text(false))
            .filter_map(|line| line.split_once("→ ").map(|(_, said)| said.to_owned()));
        said.collect::<Vec<_>>().join(" | ")
    };
    assert!(advice("model_unavailable", &[]).contains("artoo doctor"));
    assert!(advice("model_unavailable", &["Try a smaller file"]).starts_with("`artoo doctor`"));
    assert_eq!(advice("model_unavailable", &["Look: artoo doctor"]), "Look: artoo doctor");
    assert!(advice("deadline", &["look at the evidence: artoo show 01"]).contains("--time-budget"));
    assert_eq!(advice("replans_exhausted", &["Give the folder"]), "Give the folder");
    assert_eq!(advice("cancelled", &[]), "");
    for (reason, summary, said) in [
        (
            "refused",
            "[LAW1] not done: Delete x.txt (denied). 0 of 4 criteria met.",
            "✗ Not done: you said no.",
        ),
        ("cancelled", "已取消。满足 0 条标准。", "✗ 已取消。"),
        ("cancelled", "Cancelled", "✗ Cancelled"),
    ] {
        let (reason, summary) = (reason.to_owned(), summary.to_owned());
        let next_moves = vec!["Ask again from a terminal".to_owned()];
        let result = FinalResult {
            directive: "abandon".to_owned(),
            reason,
            summary,
            next_moves,
            ..Default::default()
        };
        assert_eq!(shown(&BriefScreen::new(80).cause(&result), 80), said);
    }
}

#[test]
fn costs_are_told_by_role() {
    insta::assert_snapshot!("costs", shown(&ending::costs(&scenes::usage(), Answerer::Model), 80));
    let priced = artoo_protocol::v1::TaskUsage { cost_usd: Some(0.01234), ..scenes::usage() };
    let told = |usage: &artoo_protocol::v1::TaskUsage| shown(&ending::costs(usage, Answerer::Model), 80);
    assert!(told(&priced).contains("2 tool calls, 0.0123 USD for models, "));
    let estimated = artoo_protocol::v1::TaskUsage { estimated_tokens: Some(9), ..priced.clone() };
    assert!(told(&estimated).contains("2 tool calls, about 0.0123 USD for models, "));
}

/// What goes to standard output.
fn answered(said: &[Said]) -> String {
    let lines = said.iter().filter_map(|line| match line {
        Said::Answer(line) => Some(line.clone()),
        Said::Note(_) => None,
    });
    shown(&lines.collect::<Vec<_>>(), 80)
}

#[test]
fn what_stands_in_no_receipt_is_told_in_one_line_beside_the_answer() {
    let told = vec!["1250.00".to_owned(), "2026-12-24 \u{1b}[31m".to_owned()];
    let output = Some(artoo_protocol::json::json_to_value(&serde_json::json!("It is 1250.00.")));
    let mut result = FinalResult { directive: "accept".to_owned(), output, ..Default::default() };
    let is_told = |result: &FinalResult| {
        let notes =
            ending::answer(result, Language::English, 80, AnswerForm::Exact).into_iter().filter_map(|line| {
                match line {
                    Said::Note(line) => Some(line.text(false)),
                    Said::Answer(_) => None,
                }
            });
        let beside: Vec<String> = notes.collect();
        let below = shown(&ending::lines(result, TaskPast::default(), Language::English, 80), 80);
        assert_eq!(beside.len(), below.matches("not in any receipt").count());
        beside
    };
    assert!(is_told(&result).is_empty(), "every figure stands in a receipt");
    result.not_in_receipts = told;
    let lines = is_told(&result);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("not in any receipt: 1250.00, 2026-12-24") && !lines[0].contains('\u{1b}'));
    assert_eq!(
        answered(&ending::answer(&result, Language::English, 80, AnswerForm::Exact)),
        "It is 1250.00."
    );
}

#[test]
fn the_built_in_rules_are_no_model() {
    let usage = scenes::usage();
    let told = shown(&ending::costs(&usage, Answerer::Rules), 80);
    assert!(told.contains("of the built-in rules") && !told.contains("model call"), "{told}");
    assert!(!told.contains(" tokens"), "{told}");
    let result = FinalResult { directive: "accept".to_owned(), usage: Some(usage), ..Default::default() };
    let past = TaskPast { answerer: Answerer::of("offline-rules"), ..TaskPast::default() };
    let headline = shown(&ending::verdict(&result, past, 80), 80);
    assert!(headline.contains("calls of the built-in rules") && !headline.contains("model"), "{headline}");
}

/// What a person sees of these events: what is said at once, then the end, answers marked with `>`.
fn brief(events: &[Event], width: usize) -> String {
    let mut screen = BriefScreen::new(width);
    let mut lines = Vec::new();
    for event in events {
        lines.extend(screen.event(event));
        if let Some(Payload::FinalResult(result)) = &event.payload {
            lines.extend(screen.ending(result, AnswerForm::Exact).into_iter().map(|said| match said {
                Said::Answer(line) => Line::plain(format!("> {}", line.text(false))),
                Said::Note(line) => line,
            }));
        }
    }
    shown(&lines, width)
}

#[test]
fn the_answer_or_the_cause_is_the_first_line() {
    insta::assert_snapshot!("brief_normal", brief(&scenes::accepted(), 80));
    insta::assert_snapshot!("brief_replan", brief(&scenes::replanned(), 80));
    insta::assert_snapshot!("brief_stop", brief(&scenes::stopped(), 80));
    insta::assert_snapshot!("brief_stop_narrow", brief(&scenes::stopped(), 40));
    insta::assert_snapshot!("brief_denied", brief(&scenes::denied(), 80));
    for (name, events) in
        [("brief_stop_chinese", scenes::stopped()), ("brief_denied_chinese", scenes::denied())]
    {
        let asked =
            artoo_protocol::v1::TaskSubmitted { input: "统计文件".to_owned(), ..Default::default() };
        let first = scenes::event(0, "client", "R1", Some(Payload::TaskSubmitted(asked)));
        insta::assert_snapshot!(name, brief(&[vec![first], events].concat(), 80));
    }
}

/// The answer to this output.
fn check_answer(output: &serde_json::Value, expected: &str) {
    let result =
        FinalResult { output: Some(artoo_protocol::json::json_to_value(output)), ..Default::default() };
    assert_eq!(answered(&ending::answer(&result, Language::English, 80, AnswerForm::Exact)), expected);
}

#[test]
fn an_answer_is_readable_whatever_its_shape() {
    use serde_json::json;
    check_answer(&json!("two\nlines\u{1b}[2J\n"), "two\nlines\\x1b[2J");
    check_answer(&json!(["a", 2, true]), "a\n2\ntrue");
    check_answer(&json!({"lines": 12, "file": "a.md"}), "file: a.md\nlines: 12");
    check_answer(&json!({"rows": [{"n": 1}]}), "{\n  \"rows\": [\n    {\n      \"n\": 1\n    }\n  ]\n}");
    check_answer(&json!(null), "");
}

#[test]
fn the_summary_is_not_said_twice() {
    let output = Some(artoo_protocol::json::json_to_value(&serde_json::json!("It is done.")));
    let result = FinalResult { summary: "It is done.".to_owned(), output, ..Default::default() };
    assert_eq!(answered(&ending::answer(&result, Language::English, 80, AnswerForm::Exact)), "It is done.");
}

#[test]
fn a_refused_message_and_one_of_a_newer_daemon_are_shown() {
    let mut event = scenes::event(3, "R4a", "R5", scenes::accepted()[0].payload.clone());
    event.refused = true;
    let text = screen(&[event.clone()], 80, false);
    assert!(text.contains("not in the contract") && text.contains("R4a → R5"), "{text}");
    assert!(pipeline::line(&event, 80).text(false).contains("REFUSED"));
    event = Event { payload: None, refused: false, ..event };
    assert!(pipeline::line(&event, 80).text(false).contains("unknown"));
    assert_eq!(screen(&[event], 80, false), "");
}

#[test]
fn colour_changes_nothing_but_colour() {
    let line = Line::plain("  ").add(Tone::Good, "✓ ").foreign(Tone::Strong, "数据 \u{1b}[31m");
    let coloured = line.text(true);
    assert!(
        coloured.contains("\u{1b}[32m✓ \u{1b}[0m") && coloured.contains("\u{1b}[1m数据 \\x1b[31m\u{1b}[0m")
    );
    let mut plain = coloured.replace("\u{1b}[0m", "");
    for code in ["32", "1"] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, line.text(false));
    assert_eq!(line.clone().fit(6).text(false), "  ✓ …");
    assert_eq!(line.fit(7).text(false), "  ✓ 数…");
    assert_eq!(Line::plain("abc").add(Tone::Dim, "def").fit(3).text(false), "ab…");
}

#[test]
fn the_spinner_says_what_goes_on() {
    let mut screen = BriefScreen::new(80);
    assert_eq!(screen.living(3_400, Phrase::CtrlCStops), "3 s  reading the request   Ctrl+C stops");
    let lines: Vec<String> = [scenes::replanned(), scenes::accepted()]
        .concat()
        .iter()
        .map(|event| {
            screen.event(event);
            screen.living(61_000, Phrase::CtrlCStops)
        })
        .collect();
    for part in
        ["1 m 1 s  planning", "read budget.xlsx", "checking the result", "1 of 2 steps   Ctrl+C stops"]
    {
        assert!(lines.iter().any(|line| line.contains(part)), "{part} in {lines:#?}");
    }
    assert!(lines.iter().all(|line| columns(line) <= 76), "the spinner stands before it: {lines:#?}");
    let mut narrow = BriefScreen::new(40);
    scenes::replanned().iter().for_each(|event| drop(narrow.event(event)));
    assert!(columns(&narrow.living(9, Phrase::CtrlCStops)) <= 40, "{}", narrow.living(9, Phrase::CtrlCStops));
}

#[test]
fn a_wait_for_the_model_is_said_once_and_lives_in_the_line() {
    let mut screen = BriefScreen::new(80);
    let said: Vec<usize> = scenes::busy().iter().map(|event| screen.event(event).len()).collect();
    assert_eq!(said, [1, 0, 0, 1], "the first wait, none of the second, its end, and the next one");
    assert!(
        screen.living(9, Phrase::CtrlCStops).contains("waiting for the model  HTTP 503"),
        "{}",
        screen.living(9, Phrase::CtrlCStops)
    );
}

#[test]
fn hanging_text_is_cut_at_the_last_line_only() {
    let lines = Line::plain("why ").hanging(Tone::Plain, "one two three four five six seven", 20, 2);
    assert_eq!(shown(&lines, 20), "why one two three\n    four five six…");
    let lines = Line::plain("why ").hanging(Tone::Plain, "", 20, 2);
    assert_eq!(shown(&lines, 20), "why");
}
