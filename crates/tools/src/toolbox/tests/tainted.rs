//! What a task has taken in decides which calls a person is asked about.

use artoo_types::evidence::EffectClass;
use artoo_types::taint::Taint;
use artoo_types::tool::ToolCall;
use serde_json::json;

use super::{Bench, yes};
use crate::flow::tests::keeps_origins;
use crate::judged::CallVerdict;
use crate::toolbox::RunOutcome;

#[tokio::test]
async fn a_receipt_tells_what_it_brought() {
    let bench = Bench::new();
    std::fs::write(bench.home.join("other/x.txt"), "x\n").unwrap();
    let cases = [
        ("read_file", json!({"path": "./a.txt"}), Taint::NONE),
        ("read_file", json!({"path": "~/other/x.txt"}), Taint::PRIVATE.read(true)),
        ("glob", json!({"root": "~/other", "pattern": "*"}), Taint::PRIVATE.read(true)),
        ("find_files", json!({"query": "x"}), Taint::PRIVATE.read(true)),
        ("shell", json!({"command": "cat ../other/x.txt"}), Taint::PRIVATE.read(true)),
        ("read_file", json!({"path": "~/other/none.txt"}), Taint::PRIVATE),
        ("shell", json!({"command": "cat a.txt"}), Taint::NONE),
        ("write_file", json!({"path": "made.txt", "content": "x"}), Taint::NONE),
        ("read_file", json!({"path": "~/.artoo/token"}), Taint::NONE),
    ];
    for (tool, arguments, expected) in cases {
        let tool = if tool == "find_files" { crate::tools::FILE_SEARCH } else { tool };
        assert_eq!(bench.done(tool, arguments.clone()).await.taint, expected, "{tool} {arguments}");
    }
}

/// What a program could read and what was read are not told as one.
#[tokio::test]
async fn a_question_says_what_was_read_and_what_may_have_been() {
    let bench = Bench::new();
    for (taint, told, other) in [
        (Taint::BOTH, "ran programs that could read private data", "it has read"),
        (Taint::BOTH.read(true), "it has read private data", "could read"),
    ] {
        let call = ToolCall { taint, ..bench.call("write_file", &json!({"path": "new.txt", "content": ""})) };
        let judged = bench.judge(&call);
        let why = judged.question().expect("it asks").why.join("; ");
        assert!(why.contains(told) && !why.contains(other), "{why}");
    }
}

#[tokio::test]
async fn with_both_kinds_every_write_outside_the_workspace_asks() {
    let bench = Bench::new();
    let cases = [
        ("write_file", json!({"path": "~/artoo_workspace/new.txt", "content": ""}), false),
        ("write_file", json!({"path": "new.txt", "content": ""}), true),
        ("write_file", json!({"path": "./new.txt", "content": ""}), true),
        ("read_file", json!({"path": "~/other/x.txt"}), false),
        ("glob", json!({"pattern": "*"}), false),
        ("shell", json!({"command": "cat a.txt"}), false),
    ];
    for (tool, arguments, asks) in cases {
        for taint in [Taint::NONE, Taint::PRIVATE, Taint::UNTRUSTED, Taint::BOTH] {
            let call = ToolCall { taint, ..bench.call(tool, &arguments) };
            let judged = bench.judge(&call);
            let asked = judged.question();
            assert!(
                asked.is_none_or(|held| held.why.iter().any(|why| why.contains("stranger"))),
                "{asked:?}"
            );
            // Reading what is private under text of strangers is not a way out.
            assert_eq!(asked.is_some(), asks && taint.is_both(), "{tool} {arguments} {taint:?}");
        }
    }
}

#[tokio::test]
async fn a_yes_lets_such_a_write_happen_and_the_file_says_where_it_comes_from() {
    let bench = Bench::new();
    let call = ToolCall {
        taint: Taint::BOTH,
        word: Default::default(),
        by_judge: false,
        ..bench.call("write_file", &json!({"path": "./new.txt", "content": "x"}))
    };
    let held = bench.held(&call);
    let RunOutcome::Done(receipt) = bench.outcome(&call, Some(&yes(&held))).await else { panic!("held") };
    assert!(receipt.succeeded(), "{receipt:?}");
    if keeps_origins(&bench.home) {
        let read = bench.done("read_file", json!({"path": "./new.txt"})).await;
        assert_eq!(read.taint, Taint::UNTRUSTED, "{read:?}");
    }
}

/// An edit makes a new file, which has no attribute of the old one.
#[tokio::test]
async fn a_file_from_elsewhere_says_so_after_an_edit_too() {
    let bench = Bench::new();
    if !keeps_origins(&bench.home) {
        return;
    }
    let file = bench.home.join("project/got.txt");
    std::fs::write(&file, "of a stranger\n").unwrap();
    crate::flow::mark_origin(&file.to_string_lossy());
    let edit = bench.call("edit_file", &json!({"path": "./got.txt", "old": "stranger", "new": "friend"}));
    assert_eq!(edit.taint, Taint::NONE, "the call was made before anything was read");
    assert_eq!(bench.done("read_file", json!({"path": "./got.txt"})).await.taint, Taint::UNTRUSTED);
    let held = bench.held(&edit);
    let RunOutcome::Done(receipt) = bench.outcome(&edit, Some(&yes(&held))).await else { panic!("held") };
    assert!(receipt.succeeded(), "{receipt:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "of a friend\n");
    let other = bench.tools.for_task(super::id());
    let read = bench.call("read_file", &json!({"path": "./got.txt"}));
    let judged = other.judge(read);
    let CallVerdict::Run(facts) = judged.verdict() else { panic!("reading is free") };
    assert_eq!(facts.brings, Taint::UNTRUSTED);
}

/// A task that ran what nobody understood edits its own file again and again, and the file stays the person's own.
#[tokio::test]
async fn a_file_of_the_person_stays_theirs_and_can_be_edited_twice() {
    let bench = Bench::new();
    let edit = |old: &str, new: &str| {
        let arguments = json!({"path": "./a.txt", "old": old, "new": new});
        ToolCall { taint: Taint::BOTH, ..bench.call("edit_file", &arguments) }
    };
    bench.done("read_file", json!({"path": "./a.txt"})).await;
    for call in [edit("a", "b"), edit("b", "c"), edit("c", "d")] {
        let held = bench.held(&call);
        let RunOutcome::Done(receipt) = bench.outcome(&call, Some(&yes(&held))).await else { panic!("held") };
        assert!(receipt.succeeded(), "{receipt:?}");
        // What has no part in the content is no change of it: another attribute, another time.
        let file = bench.home.join("project/a.txt");
        crate::flow::mark_origin(&file.to_string_lossy());
        let _ = rustix::fs::removexattr(&file, artoo_gate::origin::ORIGIN);
        std::fs::File::open(&file).unwrap().set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        assert!(!artoo_gate::origin::has_origin(&file.to_string_lossy()));
    }
    std::fs::write(bench.home.join("project/a.txt"), "e\n").unwrap();
    let call = edit("e", "f");
    let held = bench.held(&call);
    let RunOutcome::Done(receipt) = bench.outcome(&call, Some(&yes(&held))).await else { panic!("held") };
    assert!(receipt.output.contains("changed since"), "{receipt:?}");
}

#[tokio::test]
async fn an_output_is_harmless_before_anything_is_made_of_it() {
    let bench = Bench::new();
    let hidden = "a\u{1b}]0;title\u{7}b\u{202e}c\u{e0041}\n".repeat(5_000);
    std::fs::write(bench.home.join("project/esc.txt"), &hidden).unwrap();
    let receipt = bench.done("read_file", json!({"path": "./esc.txt", "limit": 9_000})).await;
    assert!(receipt.output.starts_with("abc\nabc\n"), "{receipt:?}");
    assert!(receipt.note.as_deref().is_some_and(|note| note.contains("taken out")), "{:?}", receipt.note);
    let stored = std::fs::read_to_string(
        bench.home.join(".artoo/artifacts").join(crate::outputs::name(&receipt.digest)),
    );
    let stored = stored.unwrap();
    assert_eq!(
        (stored.as_str(), stored.len() as u64),
        ("abc\n".repeat(5_000).as_str(), receipt.output_bytes)
    );
    assert_eq!(crate::outputs::digest(&stored), receipt.digest);
}

#[tokio::test]
async fn nothing_invisible_hides_a_secret() {
    let bench = Bench::new();
    let (head, tail) = super::SECRET.split_at(9);
    std::fs::write(bench.home.join("project/s.txt"), format!("{head}\u{200b}\u{1b}[0m{tail}\n")).unwrap();
    let receipt = bench.done("read_file", json!({"path": "./s.txt"})).await;
    assert_eq!(receipt.output, "[redacted: api key]\n");
}

#[tokio::test]
async fn what_leaves_asks_when_it_would_mix_and_only_then() {
    let bench = Bench::new();
    for (tool, arguments) in
        [("search", json!({"query": "something"})), ("fetch_url", json!({"url": "https://example.org/a"}))]
    {
        // What comes back is untrusted by itself, so that private data is enough for a question.
        for (taint, asks) in
            [(Taint::NONE, false), (Taint::UNTRUSTED, false), (Taint::PRIVATE, true), (Taint::BOTH, true)]
        {
            let call = ToolCall { taint, ..bench.call(tool, &arguments) };
            let judged = bench.judge(&call);
            match judged.verdict() {
                CallVerdict::Ask(held) if asks => {
                    assert_eq!(held.effects, [EffectClass::Send]);
                    assert!(held.why[0].contains("stranger"), "{held:?}");
                    assert!(
                        held.action.contains("something") || held.action.contains("https://example.org/a")
                    );
                    let intent = judged.intent(Some(&yes(held))).expect("it is on record first");
                    assert_eq!(intent.effects, [EffectClass::Send]);
                }
                CallVerdict::Run(facts) if !asks => {
                    assert_eq!(facts.effect, EffectClass::Read);
                    assert_eq!(judged.intent(None), None);
                }
                other @ (CallVerdict::Ask(_) | CallVerdict::Run(_) | CallVerdict::Refuse(_)) => {
                    panic!("{tool} {taint:?}: {other:?}")
                }
            }
        }
        let secret = ToolCall {
            arguments: arguments.to_string().replace("something", super::SECRET).replace("/a", super::SECRET),
            ..bench.call(tool, &arguments)
        };
        assert!(matches!(bench.judge(&secret).verdict(), CallVerdict::Refuse(_)), "{tool}");
    }
    let gone = bench.done("search", json!({"query": "x"})).await;
    assert!(gone.output.contains("no connection") && gone.taint == Taint::UNTRUSTED, "{gone:?}");
}

#[tokio::test]
async fn of_two_calls_at_once_that_must_not_mix_the_later_asks() {
    let bench = Bench::new();
    std::fs::write(bench.home.join("other/x.txt"), "x\n").unwrap();
    let reading = bench.call("shell", &json!({"command": "sleep 1; cat ../other/x.txt"}));
    let search = bench.call("search", &json!({"query": "x"}));
    let (read, ()) = tokio::join!(bench.outcome(&reading, None), async {
        while !bench.tools.flow.so_far().private {
            tokio::task::yield_now().await;
        }
        let outcome = bench.outcome(&search, None).await;
        assert!(matches!(outcome, RunOutcome::Held(..)), "{outcome:?}");
    });
    let RunOutcome::Done(read) = read else { panic!("held") };
    assert_eq!((read.output.as_str(), read.taint), ("x\n", Taint::PRIVATE.read(true)));
    assert!(matches!(bench.outcome(&search, None).await, RunOutcome::Held(..)), "also afterwards");
    // Another task has not read it.
    let other = bench.tools.for_task(super::id());
    assert!(matches!(other.judge(search).verdict(), CallVerdict::Run(_)));
}

/// Without the mark what was read is searched for, and so sent, unasked.
#[tokio::test]
async fn what_may_have_read_a_secret_is_followed_by_a_question_before_anything_is_sent() {
    for (name, asks) in [(".env", true), ("plain.txt", false)] {
        let bench = Bench::new();
        std::fs::write(bench.home.join("project").join(name), "PW=x\n").unwrap();
        let read = bench.done("shell", json!({"command": "grep -rs PW ."})).await;
        assert!(read.output.contains("PW=x"), "{read:?}");
        let search = bench.outcome(&bench.call("search", &json!({"query": "x"})), None).await;
        assert_eq!(matches!(search, RunOutcome::Held(..)), asks, "{name}: {search:?}");
    }
}
