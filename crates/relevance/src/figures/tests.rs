use artoo_types::evidence::{ChangeKind, FileChange, Receipt};
use artoo_types::memory::{InputState, PlanInput};
use artoo_types::{EvidenceId, Timestamp};

use super::FigureEvidence;

/// A shell call of this program with this command line.
fn shell(program: &str, command: &str, output: &str) -> Receipt {
    let mut receipt = Receipt::quiet(EvidenceId("r1".to_owned()), "shell");
    receipt.classes = vec![format!("shell:{program}")];
    receipt.arguments = serde_json::json!({"command": command}).to_string();
    receipt.output = output.to_owned();
    receipt
}

/// What of the answer rests on nothing, when this is what was seen and said.
fn check(receipts: &[Receipt], request: &str, answer: &str, expected: &[&str]) {
    let receipts: Vec<&Receipt> = receipts.iter().collect();
    let found = FigureEvidence::of(&receipts, &[request]).unsupported(answer);
    assert_eq!(found, expected, "{answer}");
}

#[test]
fn a_number_that_no_output_holds_is_found_and_its_honest_twin_is_not() {
    let counted = [shell("ls", "ls | wc -l", "17\n")];
    check(&counted, "how many files are here", "There are 17 files.", &[]);
    check(&counted, "how many files are here", "There are 987654 files.", &["987654"]);
    check(&counted, "are there 42 files?", "No: 17, not 42.", &[]);
}

#[test]
fn one_number_has_many_spellings() {
    let read = [shell("cat", "cat invoice.csv", "amount,due\n1250.00,2026-12-15\n")];
    for same in [
        "1250",
        "1,250.00",
        "$1,250",
        "1250.0 EUR",
        "15 December 2026",
        "Dec 15, 2026",
        "2026/12/15",
        "2026年12月15日",
    ] {
        check(&read, "", &format!("It is {same}."), &[]);
    }
    check(&read, "", "It is 1520.00, due 2026-12-05.", &["2026-12-05", "1520.00"]);
}

#[test]
fn a_comma_may_part_thousands_or_numbers() {
    let read = [shell("jq", "jq . a.json", "[200,49871.88000000002,4,0]\n1,234,567 bytes\n120,500\n")];
    for shown in ["49871.88", "1234567", "1,234,567", "120500", "500", "200 of 120"] {
        check(&read, "", &format!("It is {shown}."), &[]);
    }
    check(&read, "", "It is 20049871.", &["20049871"]);
}

/// The name of the program says no number.
#[test]
fn three_words_counted_by_python3_are_three() {
    let counted = [shell(
        "python3",
        "python3 -c 'print(len(open(\"in.txt\").read().split()), \"words\")'",
        "3 words\n",
    )];
    check(&counted, "", "There are 3 words.", &[]);
    let said = [shell("python3", "python3 -c 'print(3, \"words\")'", "3 words\n")];
    check(&said, "", "There are 3 words.", &["3"]);
}

/// An answer that owns up is not sent back for saying what was wrong.
#[test]
fn a_figure_that_was_wrong_may_be_told_as_wrong() {
    let wrong = shell("python3", "python3 fix.py --amount 1520.00", "amount,1250.00\n");
    let work = [wrong];
    check(&work, "", "It says 1250.00; my first text had 1520.00 by mistake.", &[]);
    check(&work, "", "The file now says 1250.00 instead of 1520.00.", &[]);
    check(&work, "", "The amount is 1520.00.", &["1520.00"]);
    check(&work, "", "The amount is 1700.00, not 1250.00, which was wrong.", &["1700.00"]);
}

#[test]
fn an_hour_has_a_beginning_and_an_end() {
    let counted = [shell("awk", "awk '{n[$1]++}' log", "26 in hour 14\n3 in hour 9\n")];
    check(&counted, "", "Most were in hour 14 (14:00–14:59).", &[]);
    check(&counted, "", "It began at 16:00 and ended at 14:30.", &["16:00", "14:30"]);
}

#[test]
fn the_mean_of_what_stands_behind_one_word_follows() {
    let read = "-rw-r--r-- 1 root root 41 Nov 22 13:19 1.txt\nCustomer 1: it is fast. Rating: 2/5\n\
                Customer 2: it is fine. Rating: 3/5\nCustomer 3: it is good. Rating: 5/5\n";
    check(&[shell("tail", "tail -n +1 *", read)], "", "The average is 3.33.", &[]);
    check(&[shell("tail", "tail -n +1 *", read)], "", "The average is 4.87.", &["4.87"]);
}

#[test]
fn counts_sums_shares_and_roundings_follow_from_what_was_seen() {
    let table = [shell("cat", "cat sales.csv", "north 120.5 3\nsouth 79.5 4\neast 300 5\nsouth 100 6\n")];
    for answer in [
        "There are 4 rows",
        "The total is 600",
        "The mean is 150",
        "South sold 179.50",
        "north is 40.2% of east",
        "East sold 179.50 more than north",
        "The two rows of south",
        "600.00 in total",
        "about 0.4 of it",
    ] {
        check(&table, "", answer, &[]);
    }
    check(&table, "", "The total is 7118.04", &["7118.04"]);
    let sizes = [shell("du", "du -b", "1536000 a.bin\n2097152 b.bin\n")];
    check(&sizes, "", "a.bin has 1.5 MB and b.bin 2 MiB", &[]);
    check(&sizes, "", "a.bin has 9.5 MB", &["9.5MB"]);
}

#[test]
fn numbers_of_lists_and_names_claim_nothing() {
    let seen = [shell("ls", "ls", "file1.txt\nv2.txt\n")];
    check(&seen, "", "1. file1.txt\n2. v2.txt\n27) none\nUTF-8, SHA-256, r3 and x86", &[]);
    check(&seen, "", "The largest is budget.xlsx", &["budget.xlsx"]);
}

#[test]
fn what_the_model_said_itself_is_no_evidence() {
    for (program, command) in
        [("echo", "echo 987654"), ("python3", "python3 -c 'print(987654)'"), ("printf", "printf '%s' 987654")]
    {
        check(&[shell(program, command, "987654\n")], "", "There are 987654 files", &["987654"]);
    }
    check(&[shell("python3", "python3 -c 'print(1250*19)'", "23750\n")], "", "It is 23750", &[]);
    let mut wrote = shell("x", "", "wrote 8 bytes, 1 line");
    wrote.tool = "write_file".to_owned();
    wrote.target = "/w/count.txt".to_owned();
    wrote.arguments = r#"{"path":"count.txt","content":"987654"}"#.to_owned();
    let read = shell("cat", "cat count.txt", "987654\n");
    check(&[wrote, read.clone()], "", "There are 987654 files", &["987654"]);
    check(&[read], "", "There are 987654 files", &[]);
}

#[test]
fn times_digests_and_moments_are_held_against_what_was_seen() {
    let seen =
        [shell("stat", "stat -c '%Y %n' a", "1766620800 a\n"), shell("date", "date", "15:05:10 3fa9c0de11")];
    check(&seen, "", "It was changed on 25 December 2025, seen at 3:05 PM, digest 3fa9c0de11", &[]);
    check(
        &seen,
        "",
        "It was changed on 2024-01-02 at 16:40, digest 3fa9c0de12",
        &["2024-01-02", "16:40", "3fa9c0de12"],
    );
}

#[test]
fn what_the_person_said_in_words_may_be_told_in_digits() {
    let found = [shell("find", "find .", "a.txt\nb.txt\nc.txt\n")];
    check(&found, "find the ten largest files", "## The 10 largest files", &[]);
    check(&found, "找出最大的十五个文件", "最大的 15 个文件", &[]);
    check(&found, "find the ten largest files", "## The 11 largest files", &["11"]);
}

#[test]
fn the_digits_of_a_long_program_over_a_file_are_its_grammar() {
    let program = format!("awk '{{ if (NF < 2) exit 2; {} }}' sales.csv", "sum += $2; ".repeat(20));
    let mut summed = shell("awk", &program, "6 (sum: 2 values)\n");
    check(&[summed.clone()], "", "6 (sum: 2 values)", &["2"]);
    summed.act.inputs =
        vec![PlanInput { path: "/w/sales.csv".to_owned(), state: InputState::Present("ab".to_owned()) }];
    check(&[summed], "", "6 (sum: 2 values)", &[]);
    // What is short is repeated, and so is what no grammar needs.
    let mut told = shell("awk", "awk 'BEGIN{print 8, 4711}' sales.csv", "8 4711\n");
    told.act.inputs =
        vec![PlanInput { path: "/w/sales.csv".to_owned(), state: InputState::Present("ab".to_owned()) }];
    check(&[told], "", "8 of 4711", &["8", "4711"]);
}

#[test]
fn the_digits_of_a_files_name_are_not_the_models_own() {
    let read = |command: &str, path: &str| {
        let mut counted = shell("awk", command, "3\n");
        counted.act.inputs =
            vec![PlanInput { path: path.to_owned(), state: InputState::Present("ab".to_owned()) }];
        [counted]
    };
    let count = "awk 'END{print NR}'";
    check(&read(&format!("{count} /w-lo3h/a.csv"), "/w-lo3h/a.csv"), "", "3 lines", &[]);
    check(&read(&format!("{count} 3.csv"), "/w/3.csv"), "", "3 lines", &[]);
    check(&read(&format!("{count} 3"), "/w/3"), "", "3 lines", &["3"]);
    check(&read("awk 'BEGIN{print 3}' 3.csv", "/w/3.csv"), "", "3 lines", &["3"]);
}

#[test]
fn a_date_is_not_the_models_own_for_a_digit_of_its_program() {
    let read = [shell("awk", "awk -F, 'NR>1 && $4==1 {print $1}' a.csv", "2026-01-04\n")];
    check(&read, "", "The first is 2026-01-04.", &[]);
    let said = [shell("echo", "echo 2026-01-05", "2026-01-05\n")];
    check(&said, "", "The first is 2026-01-05.", &["2026-01-05"]);
}

/// Without it "not in any receipt: 12" stood under a sum of exactly 12, and every line of a list that holds the length of the
/// list was said to be made up.
#[test]
fn a_comma_of_a_table_parts_no_thousands() {
    let read = [shell("grep", "grep north a.csv", "2025-02,north,199,4236.62\n")];
    check(&read, "", "Line: 2025-02,north,199,4236.62", &[]);
    check(&read, "", "It is 199,423.", &["199,423"]);
}

/// Names and stamps hold days and times that are shown as much as others.
#[test]
fn days_in_names_and_stamps_are_shown() {
    let names =
        "2024-01-05_01.jpg\nFoto 03.02.2024.jpg\nIMG_20231224_180000.jpg\n2026-11-20T08:41:49Z GET /\n";
    let read = [shell("ls", "ls -1", names)];
    let told =
        "Photos of 2024-01-05, 3 February 2024 and 2023-12-24; the request came at 08:41:49 on 2026-11-20.";
    check(&read, "", told, &[]);
    check(&read, "", "A photo of 2024-01-06.", &["2024-01-06"]);
}

/// Fails where what an edit found counts as the model's own, or what is written elsewhere taints every later look.
#[test]
fn an_edit_shows_what_it_found_and_hides_what_it_wrote() {
    let change = |path: &str| FileChange {
        path: path.to_owned(),
        kind: ChangeKind::Changed,
        before: None,
        after: None,
        modes: None,
    };
    let mut edit = shell("sed", "", "");
    edit.tool = "edit_file".to_owned();
    edit.arguments = r#"{"path":"./b.md","old":"| 15 | 59 | 895 |","new":"| 15 | 59 | 886 |"}"#.to_owned();
    edit.target = "/w/b.md".to_owned();
    edit.act.changes = vec![change("/w/b.md")];
    edit.act.written = Some("@@ -1 +1 @@\n-| 15 | 59 | 895 |\n+| 15 | 59 | 886 |\n".to_owned());
    let look = |command: &str| shell("cat", command, "| 15 | 59 | 886 |\n");
    check(&[edit.clone(), look("cat ./b.md")], "", "59 is kept, 886 is right.", &["886"]);
    check(&[edit.clone(), look("cat ./*.md")], "", "886 is right.", &["886"]);
    check(&[edit, look("cat other.txt")], "", "59 and 886.", &[]);
}

/// Roles are told the date; a report that bears it is no invention.
#[test]
fn the_day_of_the_calls_is_known() {
    let mut read = [shell("cat", "cat a.txt", "one\n")];
    read[0].time.started_at = Timestamp(1_795_435_200_000);
    check(&read, "", "Report of 2026-11-23.", &[]);
    check(&read, "", "Report of 2026-11-21.", &["2026-11-21"]);
}

#[test]
fn the_form_of_an_output_is_not_what_it_says() {
    let program = |program: &str, output: &str| {
        let mut receipt = shell("awk", program, output);
        receipt.act.inputs = vec![PlanInput { path: "/w/a.csv".to_owned(), state: InputState::Unknown }];
        vec![receipt]
    };
    let sum = "awk -F, '{s+=$1} END{printf \"%.12g (%s: %d values)\", s, \"n\", NR}' a.csv";
    check(&program(sum, "12 (n: 3 values)"), "", "12 (n: 3 values)", &[]);
    let list = "grep -n GET a.log | awk 'NR<=200{print} END{if(200<NR)print NR-200 \" more\"}'";
    check(&program(list, "1:GET / 200"), "", "1:GET / 200", &[]);
    check(&program("awk 'BEGIN{print 4711}' a.csv", "4711"), "", "4711", &["4711"]);
    check(&program("awk 'BEGIN{printf \"%d\", 4711}' a.csv", "4711"), "", "4711", &["4711"]);
}

/// Without it a sum in the form of another country was several figures, of which none stood anywhere.
#[test]
fn a_number_may_be_written_as_in_other_countries() {
    let plain = [shell("awk", "awk '{s+=$1} END{print s}' a.csv", "1910.5\n")];
    for told in [
        "Summe: 1.910,50 EUR",
        "Es sind 1'910.50 CHF.",
        "1’910.50",
        "Le total est de 1 910,50 €",
        "Le total est de 1\u{a0}910,50 €",
        "1\u{202f}910,50",
        "总计 1，910.50 元",
        "rund 1.910",
        "0,19万",
    ] {
        check(&plain, "", told, &[]);
    }
    check(&plain, "", "Summe: 1.901,50", &["1.901,50"]);
    check(&plain, "", "1 190,50", &["1 190,50"]);
    let german = [shell("cat", "cat a.csv", "Nord;1.910,50\nSüd;1'200.00\n总;3万5000\n")];
    check(&german, "", "North has 1,910.50, south 1200, all 35,000.", &[]);
    check(&german, "", "North has 1,950.50.", &["1,950.50"]);
    // A comma or a space between two numbers parts them.
    let read = [shell("cat", "cat a.txt", "12 of 5 in 345\n")];
    check(&read, "", "12,5 and 12 345", &[]);
    check(&read, "", "12,6", &["12,6"]);
    check(&[shell("cat", "cat b.txt", "am 2025-03-05\n")], "", "Am 5. März 2025, bis 31. März.", &[]);
}

#[test]
fn a_figure_follows_by_one_operation_that_is_named() {
    let table = [shell("cat", "cat i.csv", "id,amount\na,100\nb,200\nc,50\n")];
    check(&table, "", "The total is 350.", &[]);
    check(&table, "What do they cost in all?", "It is 350.", &[]);
    check(&table, "", "They have 350.", &["350"]);
    check(&table, "", "a and b make 300 together: 100 + 200 = 300.", &[]);
    check(&table, "", "There are 150 users.", &["150"]);
    check(&table, "", "b is 100 more than a.", &[]);
    check(&table, "", "b is 57.1 % of 350, the total.", &[]);
    check(&table, "", "b is 58.1 % of 350, the total.", &["58.1%"]);
    check(&table, "", "20000 rows", &["20000"]);
    check(&table, "", "c costs 13.5 each", &["13.5"]);
}

#[test]
fn listed_lines_are_counted_and_no_other_words() {
    let team = [shell("cat", "cat team.md", "# Team\n\n- Ann\n- Bob\n- Cid\n- Dan\n- Eve\n\nSee x.md\n")];
    check(&team, "", "The team has 5 members.", &[]);
    check(&team, "", "The team has 6 members.", &["6"]);
    let log =
        [shell("cat", "cat a.log", "ok one\nerror two\nok three\nerror four\nok five\nerror six\nok x\n")];
    check(&log, "", "There are 3 errors.", &[]);
    check(&log, "", "There are 4 errors.", &["4"]);
    let run = [shell("pytest", "pytest -q", "....F\n1 failed, 4 passed in 0.53s\n")];
    check(&run, "", "5 tests ran: 4 passed, 1 failed (80 %).", &[]);
    check(&run, "", "6 tests ran.", &["6"]);
    let config = [shell("cat", "cat c.json", "{\"users\": [\"a\", \"b\", \"c\"], \"port\": 8080}")];
    check(&config, "", "It has 3 users.", &[]);
    check(&config, "", "It has 3 ports.", &["3"]);
    let budget = [shell("cat", "cat m.txt", "Budget 12.500 EUR, 20 % Reisen, um 14.30 Uhr\n")];
    check(&budget, "", "20 % von 12.500 € sind 2.500 €, um 14:30 Uhr.", &[]);
    check(&budget, "", "20 % von 12.500 € sind 2.600 €.", &["2.600"]);
    let month = [shell("cat", "cat b.csv", "2025-03-04,12\n2025-03-20,13\n")];
    check(&month, "", "From 1 to 31 March it is 25 in all, about EUR 26.", &[]);
    check(&month, "", "From 5 to 30 March.", &["30 March", "5"]);
}

/// Fails where a size in bytes bears out as many megabytes, or seconds as many minutes.
#[test]
fn a_unit_is_right_or_the_figure_is_not() {
    let size = [shell("wc", "wc -c a.bin", "30003 a.bin\n")];
    check(&size, "", "a.bin has about 30 KB, that is 0.03 MB, 29.3 KiB.", &[]);
    check(&size, "", "a.bin has 30 MB.", &["30MB"]);
    check(&size, "", "a.bin has 30003 MB.", &["30003MB"]);
    check(&[shell("awk", "awk '{print $2}' sizes.csv", "30003\n")], "", "It has 30003 MB.", &[]);
    let blocks = [shell("du", "du a.bin", "30003 a.bin\n")];
    check(&blocks, "", "a.bin has 30.7 MB.", &[]);
    let human = [shell("ls", "ls -lh", "-rw 1 a a 30M a.bin\n4.0K b.bin\n")];
    check(&human, "", "a.bin has 30 MB, b.bin 4 KB.", &[]);
    check(&human, "", "b.bin has 4.0 MB.", &["4.0MB"]);
    let time = [shell("make", "make", "took 300 seconds\n")];
    check(&time, "", "It took 5 minutes.", &[]);
    check(&time, "", "It took 300 s.", &[]);
    check(&time, "", "It took 300 minutes.", &["300 minutes"]);
    check(
        &[shell("make", "make", "real\t1m30.5s\n")],
        "",
        "It took 90.5 seconds, 1 min 40 s.",
        &["1 min 40 s"],
    );
    let money = [shell("cat", "cat a.txt", "amount 1910 EUR\n")];
    check(&money, "", "It is €1,910.", &[]);
    check(&money, "", "It is $1,910.", &["1,910"]);
    check(&money, "how much in USD?", "It is 1910 USD.", &[]);
}

/// Fails where the year of a line is how many there are.
#[test]
fn parts_of_dates_addresses_and_versions_count_nothing() {
    let log = [shell("cat", "cat a.log", "2025-11-07 14:23:09 10.20.30.44 tool 3.17.2 started\n")];
    check(&log, "", "In 2025, on the 7th, in hour 14, tool 3.17.2 started at 14:23.", &[]);
    let days = [shell("cat", "cat b.log", "2025-11-07 a\n2025-11-09 b\n2025-11-12 c\n")];
    check(&days, "", "Of 7 and 9 November, and 7 to 12 November 2025.", &[]);
    let tools =
        [shell("python3", "python3 --version", "Python 3.12.4\n"), shell("job", "job", "done in 0:05:30\n")];
    check(&tools, "", "It is Python 3.12, so Python 3; it took 5 minutes 30 seconds.", &[]);
    check(&tools, "", "It is Python 3.13; it took 6 minutes 30 seconds.", &["6 minutes 30 seconds", "3.13"]);
    for (told, wrong) in [
        ("There are 2025 files.", "2025"),
        ("There are 23 entries.", "23"),
        ("有 2025 个文件", "2025"),
        ("It holds 44 users", "44"),
        ("It holds 17 users", "17"),
        ("tool 3.17.3", "3.17.3"),
    ] {
        check(&log, "", told, &[wrong]);
    }
}

/// A call that reads a file of this work and others shows what the others hold; where that cannot be told apart, the
/// refusal says how it could.
#[test]
fn what_originals_show_beside_a_file_of_this_work_counts() {
    let mut wrote = shell("x", "", "");
    wrote.tool = "write_file".to_owned();
    wrote.target = "/w/out.csv".to_owned();
    wrote.arguments = r#"{"path":"out.csv","content":"sum,4711\nrows,12\n"}"#.to_owned();
    let with_inputs = |mut receipt: Receipt| {
        receipt.act.inputs = ["/w/a.csv", "/w/out.csv"]
            .map(|path| PlanInput { path: path.to_owned(), state: InputState::Unknown })
            .to_vec();
        receipt
    };
    let both = with_inputs(shell("cat", "cat a.csv out.csv", "north,12\nsouth,99\nsum,4711\nrows,12\n"));
    check(&[wrote.clone(), both], "", "north has 12, south 99.", &[]);
    let both = with_inputs(shell("cat", "cat a.csv out.csv", "north,12\nsouth,99\nsum,4711\nrows,12\n"));
    check(&[wrote.clone(), both], "", "The number is 4711.", &["4711"]);
    let twice =
        with_inputs(shell("cat", "cat out.csv a.csv out.csv", "sum,4711\nrows,12\nx,1\nsum,4711\nrows,12\n"));
    check(&[wrote.clone(), twice], "", "The number is 4711.", &["4711"]);
    let mixed = with_inputs(shell("awk", "awk -F, '{s+=$2} END{print s}' a.csv out.csv", "4711\n"));
    let receipts = [&wrote, &mixed];
    let evidence = FigureEvidence::of(&receipts, &[]);
    let told = evidence.unsupported_numbers("The sum is 4711.");
    assert_eq!(told, ["4711"]);
    let why = evidence.refusal(&told);
    assert!(why.contains("out.csv, which this work wrote") && why.contains("a call of their own"), "{why}");
    // The digits of a script are its grammar.
    let mut script = wrote;
    script.target = "/w/count.py".to_owned();
    script.arguments = serde_json::json!({"path": "count.py", "content": "x = 3\n".repeat(60)}).to_string();
    check(&[script, shell("python3", "python3 count.py", "3\n")], "", "There are 3 files.", &[]);
}
