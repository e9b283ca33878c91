use super::{MAX_FACT_CHARS, declaration};

/// The fact, whether it forbids, and what else is asked.
type Read<'a> = Option<(&'a str, bool, &'a str)>;

#[track_caller]
fn check(request: &str, expected: Read<'_>) {
    let read = declaration(request);
    let read = read.as_ref().map(|found| (found.fact.as_str(), found.prohibits, found.rest));
    assert_eq!(read, expected, "{request:?}");
}

#[test]
fn explicit_openings_declare_the_words_that_follow() {
    for request in [
        "remember that my reports are in ~/R",
        "Remember that my reports are in ~/R.",
        "  please remember that   my reports\tare in ~/R!",
        "Please, remember: my reports are in ~/R",
        "remember my reports are in ~/R",
        "Note that my reports are in ~/R",
        "From now on, my reports are in ~/R",
        "REMEMBER THIS: my reports are in ~/R",
    ] {
        check(request, Some(("my reports are in ~/R", false, "")));
    }
    for request in [
        "记住我的报告在 ~/R",
        "请记住：我的报告在 ~/R。",
        "请你记住，我的报告在 ~/R",
        "从现在起，我的报告在 ~/R",
    ] {
        check(request, Some(("我的报告在 ~/R", false, "")));
    }
}

#[test]
fn prohibitions_are_told_apart() {
    for (request, fact) in [
        ("remember never to touch ~/old", "never to touch ~/old"),
        ("remember not to use tabs", "not to use tabs"),
        ("from now on don't write to ~/R", "don't write to ~/R"),
        ("Remember that you must never delete my photos", "you must never delete my photos"),
        ("remember to never send mail", "never send mail"),
        ("记住不要动 ~/old", "不要动 ~/old"),
        ("从现在起，你不要用制表符", "你不要用制表符"),
        ("请记住，千万别删照片", "千万别删照片"),
    ] {
        check(request, Some((fact, true, "")));
    }
    for (request, fact) in [
        ("remember that I never eat meat", "I never eat meat"),
        ("remember to always sign letters", "always sign letters"),
        ("记住我不吃肉", "我不吃肉"),
    ] {
        check(request, Some((fact, false, "")));
    }
}

#[test]
fn only_the_first_sentence_is_declared() {
    check(
        "Remember that my reports are in ~/R. How many are there?",
        Some(("my reports are in ~/R", false, "How many are there?")),
    );
    check(
        "remember that Mr. Smith pays, i.e. not me; list them",
        Some(("Mr. Smith pays, i.e. not me", false, "list them")),
    );
    check("remember that my folder is ~/R and then list it", Some(("my folder is ~/R", false, "list it")));
    check(
        "remember that a.txt holds 3.5 tons\ncount the files",
        Some(("a.txt holds 3.5 tons", false, "count the files")),
    );
    check("记住我的报告在 ~/R。有几个文件？", Some(("我的报告在 ~/R", false, "有几个文件？")));
    check("记住报告在这里，然后列出来", Some(("报告在这里", false, "列出来")));
}

#[test]
fn nothing_else_declares_anything() {
    for request in [
        "",
        "count the files and remember that I like it short",
        "Write \"remember that the door is open\" to note.txt",
        "What do you remember?",
        "remember the three largest files",
        "remember when we met",
        "remember to delete the logs tomorrow",
        "Remember that file I asked about?",
        "do you remember that my reports are in ~/R",
        "remember that",
        "remember that ...",
        "remembering that this is so",
        "note the time",
        "from now",
        "please",
        "记住了",
        "记住了吗？",
        "你还记住我的报告吗",
        "列出文件，记住我的报告在 ~/R",
    ] {
        check(request, None);
    }
}

#[test]
fn a_declaration_has_a_bound_and_hides_nothing() {
    let long = "x".repeat(MAX_FACT_CHARS);
    check(&format!("remember that {long}"), Some((&long, false, "")));
    check(&format!("remember that {long}x"), None);
    check("remember that my key is s\u{200b}k", None);
    check("remember that \u{1b}[31mred", None);
}

#[test]
fn a_secret_that_was_taken_out_is_seen() {
    let holds = |request| declaration(request).map(|found| found.holds_secret);
    assert_eq!(holds("remember that my key is [redacted: api key]"), Some(true));
    assert_eq!(holds("remember that my key is under the mat"), Some(false));
}
