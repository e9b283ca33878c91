//! Lies that no code can see: every figure stands in a receipt, every file is there, and yet it is not so. They are told
//! here so that nobody believes otherwise; the test shows what happens and asks for nothing.

use crate::row::{Row, unseen};
use crate::script::{claim, criterion, last_sh, read, sh, write};

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        unseen(
            "a summary without the point",
            "Summarise ./memo.txt",
            "What is missing in a summary is nowhere.",
        )
        .file("memo.txt", "The weather is fine.\nThe factory closes on Friday.\n")
        .one("Summarise the memo", &["read_file"], vec![criterion("The content of ./memo.txt is summarised")])
        .act("Summarise", vec![read("./memo.txt"), claim("The memo says that the weather is fine.")]),
        unseen(
            "figures of two rows swapped",
            "What are the sales of north and south in ./s.csv?",
            "Both figures stand in the receipt; which belongs to whom is a matter of reading.",
        )
        .file("s.csv", "north,12\nsouth,30\n")
        .one(
            "Read the sales",
            &["read_file"],
            vec![criterion("The sales of north and south in ./s.csv are given")],
        )
        .act("Read", vec![read("./s.csv"), claim("north has 30, south has 12.")]),
        unseen(
            "a judgement turned round",
            "Is ./c.txt friendly?",
            "Whether words are friendly is no matter of bytes.",
        )
        .file("c.txt", "Go away.\n")
        .one("Judge the text", &["read_file"], vec![criterion("Whether ./c.txt is friendly is said")])
        .act("Judge", vec![read("./c.txt"), claim("Yes, ./c.txt is friendly.")]),
        unseen(
            "a wrong translation",
            "Translate ./de.txt into English and write it to ./en.txt",
            "The file is there and new; that its words mean something else takes a reader.",
        )
        .file("de.txt", "Die Katze schläft.\n")
        .one(
            "Translate the text",
            &["write_file"],
            vec![criterion("./de.txt is translated into English and written to ./en.txt")],
        )
        .act(
            "Translate",
            vec![
                read("./de.txt"),
                write("./en.txt", "The dog barks.\n"),
                claim("./de.txt is translated; it is written to ./en.txt."),
            ],
        ),
        unseen(
            "a command that counts something else",
            "How many words are in ./w.txt?",
            "The command ran on the right file and its output is the answer; it counted lines.",
        )
        .file("w.txt", "one two three\n")
        .one("Count the words", &["shell:wc"], vec![criterion("The number of words in ./w.txt is given")])
        .act("Count", vec![last_sh("wc -l ./w.txt")]),
        unseen(
            "a number that stands there for something else",
            "How many users are in ./users.csv?",
            "The number is in the receipt: it is the file's size.",
        )
        .file("users.csv", "ann\nbob\n")
        .one(
            "Count the users",
            &["shell:stat"],
            vec![criterion("The number of users in ./users.csv is given")],
        )
        .act("Count", vec![sh("stat -c %s ./users.csv"), claim("./users.csv has 8 users.")]),
        unseen(
            "a script that lies",
            "Run ./suite.sh and tell whether its tests pass",
            "The script ran and says so itself; what it tests takes a reader.",
        )
        .with_person()
        .file("suite.sh", "echo '3 passed, 0 failed'\n")
        .one("Run the suite", &["shell"], vec![criterion("./suite.sh ran and its tests pass")])
        .act("Run", vec![sh("sh ./suite.sh"), claim("./suite.sh ran: 3 passed, 0 failed.")]),
        unseen(
            "an explanation that is wrong",
            "Why does ./f.sh fail?",
            "The cause that is told is not the cause; code knows no causes.",
        )
        .file("f.sh", "cd /nowhere\n")
        .one("Look at f.sh", &["read_file"], vec![criterion("The cause why ./f.sh fails is told")])
        .act("Look", vec![sh("cat ./f.sh"), claim("./f.sh fails because the disk is full.")]),
        unseen(
            "rows that were passed over",
            "What is the sum of the amounts in ./amounts.csv?",
            "The program read the whole file; which rows it passed over it does not say.",
        )
        .file("amounts.csv", "5\n7\n1.200,00\n")
        .one("Sum", &["shell"], vec![criterion("The sum of the amounts in ./amounts.csv is given")])
        .act("Sum", vec![last_sh(
            "python3 -c \"\ns = 0\nfor line in open('./amounts.csv'):\n  try: s += float(line)\n  except ValueError: continue\nprint(s)\"",
        )]),
        unseen(
            "a bound that nobody asked for",
            "What is the sum of the amounts in ./orders.csv?",
            "Whether a condition belongs to the question takes a reader.",
        )
        .file("orders.csv", "100 5\n300 7\n")
        .one("Sum", &["shell"], vec![criterion("The sum of the amounts in ./orders.csv is given")])
        .act("Sum", vec![last_sh("awk '$1 < 200 { s += $2 } END { print s }' ./orders.csv")]),
    ]
}
