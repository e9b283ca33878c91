//! Requests about one file.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Map, Value};

use crate::expected::{Expected, texts};
use crate::fixture::{DATA, SALES};
use crate::recount::{digest, shown, size};
use crate::table::{Row, row};

pub(crate) const ROWS: &[Row] = &[
    row("count_words", "count words in notes.md", "统计notes.md里的单词数", |f, _| {
        // A Chinese character is a word of its own.
        let parted: String = f
            .text("notes.md")
            .chars()
            .map(|c| if c > '\u{3fff}' { " x ".to_owned() } else { c.to_string() })
            .collect();
        Expected::Starts(format!("{} ", parted.split_whitespace().count()))
    }),
    row("count_characters", "count characters in notes.md", "数一下notes.md的字数", |f, _| {
        let count = f.text("notes.md").chars().filter(|found| !found.is_ascii_whitespace()).count();
        Expected::Starts(format!("{count} "))
    }),
    row("lines_in_file", "how many lines are in notes.md", "notes.md有多少行", |f, _| {
        Expected::Starts(format!("{} ", f.text("notes.md").lines().count()))
    }),
    row("first_lines", "show the first 20 lines of notes.md", "看notes.md的前20行", |f, _| {
        Expected::Starts(texts(f.text("notes.md").lines().take(20)).join("\n"))
    }),
    row("last_lines", "show the last 5 lines of notes.md", "看notes.md的最后5行", |f, _| {
        let text = f.text("notes.md");
        Expected::Lines(texts(text.lines().skip(text.lines().count() - 5)))
    }),
    row("read_file", "read notes.txt", "读取notes.txt", |f, _| {
        Expected::Lines(texts(f.text("notes.txt").lines()))
    }),
    row("csv_shape", "how many rows and columns are in data.csv", "data.csv有几行几列", |_, chinese| {
        let (rows, columns, header) = (DATA.len() - 1, DATA[0].len(), DATA[0].join(", "));
        Expected::Lines(vec![if chinese {
            format!("{rows} 行数据，{columns} 列：{header}")
        } else {
            format!("{rows} rows, {columns} columns: {header}")
        }])
    }),
    row("csv_to_json", "convert data.csv to JSON", "把data.csv转成JSON", |f, _| {
        // The name of the answer in the other language is free again.
        let _ = std::fs::remove_file(f.workspace.join("data.json"));
        let object = |record: &[&str; 3]| {
            let fields =
                DATA[0].iter().zip(record).map(|(name, field)| ((*name).into(), Value::from(*field)));
            Value::Object(fields.collect::<Map<_, _>>())
        };
        Expected::NewJson(DATA[1..].iter().map(object).collect())
    })
    .turns(3),
    row(
        "config_value",
        "what is the value of server.port in config.json",
        "提取config.json里的server.port",
        |f, _| {
            let config: Value = serde_json::from_str(&f.text("config.json")).expect("it is JSON");
            Expected::Lines(vec![config["server"]["port"].to_string()])
        },
    )
    .turns(2),
    row(
        "column_statistic",
        "average of price in sales.csv",
        "求sales.csv里price列的平均值",
        |_, _| {
            let prices: Vec<f64> = SALES[1..].iter().filter_map(|record| record[1].parse().ok()).collect();
            let count = u32::try_from(prices.len()).expect("a few");
            let average = prices.iter().sum::<f64>() / f64::from(count);
            Expected::Holds(vec![format!("{average} ("), format!("{count} ")])
        },
    ),
    row("checksum", "sha256 of notes.md", "计算notes.md的校验和", |f, _| {
        let path = f.path("notes.md");
        Expected::Lines(vec![format!("{}  {}", digest(&path), shown(&path))])
    }),
    row("compare_files", "compare a.txt with b.txt", "比较a.txt和b.txt", |f, _| {
        let only = |one: &str, other: &str, mark: &str| {
            let (one, other) = (f.text(one), f.text(other));
            texts(
                one.lines()
                    .filter(|line| !other.lines().any(|found| found == *line))
                    .map(|line| format!("\n{mark}{line}")),
            )
        };
        Expected::Holds([only("a.txt", "b.txt", "-"), only("b.txt", "a.txt", "+")].concat())
    }),
    row("file_details", "when was notes.md last changed", "notes.md是什么时候修改的", |f, _| {
        let path = f.path("notes.md");
        let mode = std::fs::metadata(&path).expect("a file of the fixture").permissions().mode();
        let letter = |at: u32| if mode >> (8 - at) & 1 == 1 { ["r", "w", "x"][at as usize % 3] } else { "-" };
        let permissions: String = (0..9).map(letter).collect();
        Expected::Holds(vec![format!("{} ", size(&path)), format!("-{permissions}"), shown(&path)])
    }),
];
