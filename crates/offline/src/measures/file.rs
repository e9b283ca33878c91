//! Measurements of one file. When the file is not where the request says, later ways search for its name first.

use artoo_request::Language;
use artoo_types::tool::names::{GLOB, READ_FILE, WRITE_FILE};
use serde_json::{Value, json};

use crate::clause::Clause;
use crate::measure::{Alternative, FOUND_PATH, Measure, MeasureStep, Scope};
use crate::measures::{large, tables};
use crate::places::absolute;
use crate::shell::{CSV_RECORD, STAT, quote, sha256};
use crate::slots::Statistic;
use crate::table;

/// Lines that "the first lines" means without a number.
const DEFAULT_LINES: u64 = 20;

/// How a measurement of one file is called, and its ways for a given path.
pub(crate) struct FileSubject {
    /// Title; `{name}`, `{count}`, `{key}`, `{second}` and `{statistic}` are filled in.
    pub(crate) english: &'static str,
    /// The same in Chinese.
    pub(crate) chinese: &'static str,
    /// The ways, given the title and the path.
    pub(crate) ways: fn(&Scope, &Clause, &str, &str) -> Vec<Alternative>,
}

/// The measurement of the one file that the clause names.
pub(crate) fn one_file(scope: &Scope, clause: &Clause, subject: &FileSubject, output: Vec<Value>) -> Measure {
    let Some(place) = &clause.slots.file else { return only_csv(scope, clause, subject, output) };
    let path = absolute(place, &scope.setting);
    let name = last_part(&path).to_owned();
    let words = title(scope, clause, subject, &name);
    let mut alternatives = (subject.ways)(scope, clause, &words, &path);
    for step in alternatives.iter_mut().flat_map(|way| &mut way.steps) {
        step.one_file = true;
    }
    // Where it is there, no other file of its name is meant, whatever goes wrong with it.
    if !scope.setting.files.contains(&path) {
        alternatives.extend(found_ways(scope, clause, subject, &words, &searches(scope, &name), &path));
    }
    Measure { heading: words, columns: Vec::new(), alternatives, output }
}

/// The measurement of "this CSV": of the only one below the working directory.
fn only_csv(scope: &Scope, clause: &Clause, subject: &FileSubject, output: Vec<Value>) -> Measure {
    let root = &scope.setting.working_directory;
    let intent = scope.say("Find the only CSV file", "查找唯一的 CSV 文件");
    let words = title(scope, clause, subject, scope.say("the CSV file", "CSV 文件"));
    let arguments = json!({"root": root, "pattern": "*.csv"});
    let mut search = scope.call(intent, GLOB, &arguments, &[format!("{root}/*.csv")]);
    search.criteria.push(scope.matches(
        "the output is the path of exactly one CSV file",
        "输出正好是一个 CSV 文件的路径",
        "(?i)\\A\\s*/[^\\n]*\\.csv\\s*\\z",
    ));
    let alternatives = found_ways(scope, clause, subject, &words, &[search], "");
    Measure { heading: words, columns: Vec::new(), alternatives, output }
}

/// The ways that search first and then work on what was found.
fn found_ways(
    scope: &Scope,
    clause: &Clause,
    subject: &FileSubject,
    words: &str,
    searches: &[MeasureStep],
    failed: &str,
) -> Vec<Alternative> {
    let ways = (subject.ways)(scope, clause, words, FOUND_PATH);
    let after = |search: &MeasureStep, way: &Alternative| {
        let mut steps = vec![search.clone()];
        steps.extend(way.steps.iter().cloned().map(|step| on_found(scope, step, &search.intent, failed)));
        Alternative { steps }
    };
    // Every search with the first way, then the first search with the other ways.
    let first = searches.iter().filter_map(|search| Some(after(search, ways.first()?)));
    let others = ways.iter().skip(1).filter_map(|way| Some(after(searches.first()?, way)));
    first.chain(others).collect()
}

/// The ways to find a file by its name.
fn searches(scope: &Scope, name: &str) -> Vec<MeasureStep> {
    let root = &scope.setting.working_directory;
    let home = &scope.setting.home;
    let intent = match scope.language {
        Language::English => format!("Find the file named {name}"),
        Language::Chinese => format!("查找名为 {name} 的文件"),
    };
    let wider = format!("{intent}{}", scope.say(" in the home folder", "（个人文件夹）"));
    let escaped = format!("[\\\\/]{}(?:\\n|\\z)", crate::measure::escape_regex(name));
    let criterion =
        |text_en: String, text_zh: String| scope.matches(&text_en, &text_zh, &format!("(?i){escaped}"));
    let met = criterion(
        format!("the output lists a file named `{name}`"),
        format!("输出列出了名为 `{name}` 的文件"),
    );
    let find = json!({"query": name, "kind": "file", "root": root, "limit": 20});
    let glob = |folder: &str| (json!({"root": folder, "pattern": name}), format!("{folder}/{name}"));
    let ((in_home, home_target), (in_root, root_target)) = (glob(home), glob(root));
    // Each way has another tool than the one before it, because a tool that found nothing may be ruled out.
    let mut steps = vec![
        scope.call(&intent, scope.file_search(), &find, std::slice::from_ref(&root_target)),
        scope.call(&wider, GLOB, &in_home, &[home_target]),
        scope.call(&intent, GLOB, &in_root, &[root_target]),
    ];
    for step in &mut steps {
        step.criteria.push(met.clone());
    }
    steps
}

/// A step for a path that the step with the intent `from` finds.
fn on_found(scope: &Scope, mut step: MeasureStep, from: &str, failed: &str) -> MeasureStep {
    for (label, line) in &mut step.recipe {
        if *label == "do" {
            line["path_from"] = json!({"intent": from, "not": failed});
        }
    }
    step.words =
        format!("{}{}", scope.say("With the path that was found by: ", "使用以下步骤找到的路径："), from);
    step
}

fn title(scope: &Scope, clause: &Clause, subject: &FileSubject, name: &str) -> String {
    let second = second(scope, clause);
    scope
        .language
        .pick(subject.english, subject.chinese)
        .replace("{count}", &lines(clause).to_string())
        .replace("{statistic}", statistic(scope, clause))
        .replace("{key}", clause.slots.key.as_deref().unwrap_or_default())
        .replace("{second}", last_part(&second))
        .replace("{query}", &tables::words(scope, clause))
        .replace("{text}", &quote(clause.slots.text.as_deref().unwrap_or_default()))
        .replace("{name}", name)
}

fn second(scope: &Scope, clause: &Clause) -> String {
    clause.slots.second_file.as_ref().map(|place| absolute(place, &scope.setting)).unwrap_or_default()
}

fn statistic(scope: &Scope, clause: &Clause) -> &'static str {
    let (english, chinese) = match clause.slots.statistic.unwrap_or(Statistic::Sum) {
        Statistic::Average => ("average", "平均值"),
        Statistic::Sum => ("sum", "总和"),
        Statistic::Minimum => ("minimum", "最小值"),
        Statistic::Maximum => ("maximum", "最大值"),
        Statistic::Median => ("median", "中位数"),
    };
    match scope.language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// Words in a file: what spaces and line ends separate, in every script and locale (`wc -w` drops what is not ASCII in some).
pub(crate) fn count_words(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let each = scope.say(" (each Chinese character is one)", "（每个汉字算一个）");
    // Without the continuation bytes of UTF-8 a Chinese character is one byte of these, whatever the locale, and its signs are another.
    let command = format!(
        "cat -- {} | tr -d '\\200-\\277' | tr '\\343\\357\\344-\\351' '  \\001' | awk '{{h+=gsub(/\\001/,\" \\001 \"); n+=NF}} END{{print n+0 {} (h==0 ? \"\" : \"{each}\")}}'",
        quote(path),
        scope.noun("n", [" word", " words"], " 个单词"),
    );
    scope.on_file(intent, path, &command, &["cat", "tr", "awk"])
}

/// Characters in a file. Without the continuation bytes of UTF-8 every character is one byte, whatever the locale.
pub(crate) fn count_characters(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!(
        "cat -- {} | tr -d '\\200-\\277[:space:]' | wc -c | awk '{{n=$1; print n {}}}'",
        quote(path),
        scope.noun(
            "n",
            [
                " character (spaces and line ends not counted)",
                " characters (spaces and line ends not counted)"
            ],
            " 个字符（不计空白）"
        )
    );
    scope.on_file(intent, path, &command, &["cat", "tr", "wc", "awk"])
}

/// Lines in a file; a last line without a line end counts.
pub(crate) fn lines_in_file(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command =
        format!("awk 'END{{print NR {}}}' {}", scope.noun("NR", [" line", " lines"], " 行"), quote(path));
    scope.on_file(intent, path, &command, &["awk"])
}

/// The first lines of a file.
pub(crate) fn head(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let arguments = json!({"path": path, "offset": 0, "limit": lines(clause)});
    let mut ways = vec![Alternative::single(scope.call(intent, READ_FILE, &arguments, &[path.to_owned()]))];
    ways.extend(scope.on_file(
        intent,
        path,
        &format!("head -n {} -- {}", lines(clause), quote(path)),
        &["head"],
    ));
    ways
}

/// The last lines of a file.
pub(crate) fn tail(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    scope.on_file(intent, path, &format!("tail -n {} -- {}", lines(clause), quote(path)), &["tail"])
}

/// A whole file, as far as the tool shows it.
pub(crate) fn read(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let mut ways =
        vec![Alternative::single(scope.call(intent, READ_FILE, &json!({"path": path}), &[path.to_owned()]))];
    ways.extend(scope.on_file(intent, path, &format!("cat -- {}", quote(path)), &["cat"]));
    ways
}

/// The SHA-256 digest of a file.
pub(crate) fn checksum(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let (program, digest) = sha256(scope);
    scope.on_file(intent, path, &format!("{digest} -- {}", quote(path)), &[program])
}

/// The MD5 digest of a file.
pub(crate) fn md5(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    if scope.setting.macos {
        return scope.on_file(intent, path, &format!("md5 -r {}", quote(path)), &["md5"]);
    }
    scope.on_file(intent, path, &format!("md5sum -- {}", quote(path)), &["md5sum"])
}

/// Size, time of change and permissions of a file.
pub(crate) fn details(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let shape = if scope.setting.macos {
        format!("{STAT} -f '%z bytes, changed %Sm, %Sp, %N' -t '%Y-%m-%d %H:%M'")
    } else {
        format!("stat -c '%s {}, %y, %A, %n'", scope.say("bytes", "字节"))
    };
    scope.on_file(intent, path, &format!("{shape} -- {}", quote(path)), &["stat"])
}

/// The differences between two files. `diff` ends with status 1 when there are some, which is an answer.
pub(crate) fn compare(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let second = second(scope, clause);
    let same = scope.say("the files are identical", "两个文件完全相同");
    let other = scope.say("the files are different, and no texts", "两个文件不同，它们不是文本");
    let command = format!(
        "( diff -u -- {} {} || test $? -le 2 ) | awk '/^Binary files /{{print \"{other}\"; next}} NR<={}{{print}} END{{if(NR==0)print \"{same}\"}}'",
        quote(path),
        quote(&second),
        scope.limit
    );
    vec![Alternative::single(scope.shell(
        intent,
        &command,
        &["diff", "test", "awk"],
        &[path.to_owned(), second],
    ))]
}

/// Rows and columns of a CSV file.
pub(crate) fn csv_shape(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    scope.on_file(intent, path, &csv_shape_command(scope, &quote(path)), &["awk"])
}

/// A calculation over a column of a CSV file.
pub(crate) fn column_statistic(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    scope.on_file(intent, path, &column_command(scope, clause, &quote(path)), &["awk"])
}

fn csv_shape_command(scope: &Scope, quoted: &str) -> String {
    let rows = scope.noun("r", [" row, ", " rows, "], " 行数据，");
    let columns = scope.noun("c", [" column: ", " columns: "], " 列：");
    format!(
        "awk '{CSV_RECORD} rec==1{{c=n; h=F[1]; for(j=2;j<=n;j++)h=h \", \" F[j]}} END{{r=rec-1; if(r<0)r=0; print r {rows} c+0 {columns} h}}' {quoted}"
    )
}

fn column_command(scope: &Scope, clause: &Clause, quoted: &str) -> String {
    let column = clause.slots.key.clone().unwrap_or_default();
    let fold = match clause.slots.statistic.unwrap_or(Statistic::Sum) {
        Statistic::Average => "r=s/k",
        Statistic::Sum => "r=s",
        Statistic::Minimum => "r=lo",
        // No template of a single column asks for it: see `semantic.rs`.
        Statistic::Median => "r=\"-\"",
        Statistic::Maximum => "r=hi",
    };
    let missing = scope.say("no column of this name; the columns are: ", "没有这个列；已有的列：");
    let none = scope.say("the column holds no numbers", "这一列没有数字");
    let values = scope.noun("k", ["value", "values"], "个值");
    let skipped =
        scope.noun("o", ["cell that is not a number", "cells that are not numbers"], "个非数字单元格");
    format!(
        "awk -v want={} '{CSV_RECORD} rec==1{{h=F[1]; for(j=2;j<=n;j++)h=h \", \" F[j]; for(j=1;j<=n;j++)if(tolower(F[j])==tolower(want))c=j; if(c==0){{print \"{missing}\" h; bad=2; exit 2}} next}} \
         {{v=F[c]; if(n<c)v=\"\"; if(v ~ /^ *[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)? *$/){{x=v+0; s+=x; k++; if(k==1){{lo=x;hi=x}} if(x<lo)lo=x; if(hi<x)hi=x}} else o++}} \
         END{{if(bad)exit bad; if(k==0){{print \"{none}\"; exit 3}} {fold}; printf \"%.12g (%s %s: %d %s\",r,\"{}\",want,k,{values}; if(o)printf \", %d %s\",o,{skipped}; print \")\"}}' {quoted}",
        quote(&column.replace('\\', "\\\\")),
        statistic(scope, clause),
    )
}

/// A CSV file as JSON, in a new file.
pub(crate) fn csv_to_json(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let name = last_part(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = if path == FOUND_PATH { "table" } else { stem };
    // A name that is taken is left alone.
    let taken = &scope.setting.workspace_files;
    let names = std::iter::once(format!("{stem}.json")).chain((2..100).map(|n| format!("{stem}-{n}.json")));
    let free = names.into_iter().find(|name| !taken.contains(name));
    let target = free.unwrap_or_else(|| format!("{stem}.json"));
    let target = format!("{}/{target}", scope.setting.workspace.trim_end_matches('/'));
    // A name that the person chose is taken as it is.
    let chosen = clause.slots.goal.save.as_ref().map(|place| absolute(place, &scope.setting));
    let names: &[bool] = if chosen.is_some() { &[false] } else { &[false, true] };
    let target = chosen.unwrap_or(target);
    let mut program = large::csv_to_json(scope, intent, path, &target);
    program.criteria.push(json_file(scope, &target));
    let program = Alternative::single(program);
    let mut ways: Vec<Alternative> = names
        .iter()
        .map(|free_name| {
            let then = json!({"compute": "csv_to_json", "path": target, "free_name": free_name});
            let mut step = scope.compute(
                intent,
                READ_FILE,
                &large::whole(path),
                &[path.to_owned(), target.clone()],
                then,
            );
            step.tools.push(WRITE_FILE.to_owned());
            step.criteria.push(scope.exit_zero(WRITE_FILE));
            if *free_name {
                step.tools.push(GLOB.to_owned());
                step.targets.retain(|known| *known != target);
            } else {
                step.criteria.push(json_file(scope, &target));
            }
            Alternative::single(step)
        })
        .collect();
    let at = if scope.setting.large.iter().any(|large| large == path) { 0 } else { ways.len() };
    ways.insert(at, program);
    ways
}

fn json_file(scope: &Scope, path: &str) -> Value {
    let text = match scope.language {
        Language::English => format!("`{path}` is valid JSON"),
        Language::Chinese => format!("`{path}` 是有效的 JSON"),
    };
    crate::measure::criterion(
        &text,
        json!({"kind": "file_json", "path": path, "pointer": "", "op": "ne", "value": null}),
    )
}

/// One value of a JSON file.
pub(crate) fn config_value(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let key = clause.slots.key.clone().unwrap_or_default();
    let one = [path.to_owned()];
    let steps: Vec<Value> = key.split('.').map(table::json_step).collect();
    let filter =
        format!("getpath({}) | if . == null then error(\"missing\") else . end", Value::Array(steps));
    let then = json!({"compute": "json_value", "key": key});
    let read = scope.compute(intent, READ_FILE, &large::whole(path), &one, then);
    let mut ways = large::ordered(scope, path, read, large::jq(scope, intent, path, "-r ", &filter));
    if !key.contains('.') {
        ways.insert(1, Alternative::single(large::of_lines(scope, intent, path, &key)));
    }
    ways
}

/// The number of lines that a clause asks for.
pub(crate) fn lines(clause: &Clause) -> u64 {
    clause.slots.count.unwrap_or(DEFAULT_LINES)
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
