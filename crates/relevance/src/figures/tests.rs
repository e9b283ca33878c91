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
