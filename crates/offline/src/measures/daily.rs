//! Measurements of everyday figures: numbers of a text, pictures, the history of one file, ports and memory.

use artoo_types::evidence::NO_MATCH;
use artoo_types::tool::names::READ_FILE;
use serde_json::json;

use super::large::{self, whole};
use super::machine::{fixed, git};
use crate::clause::Clause;
use crate::measure::{Alternative, Measure, Scope};
use crate::places::NamedPlace;
use crate::shell::{GENERATED, file_tests, list_end, listed, quote};
use crate::slots::{Slots, Statistic, What};

/// A calculation over all numbers of a text that stand alone.
pub(super) fn numbers(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let (fold, word) = match clause.slots.statistic.unwrap_or(Statistic::Sum) {
        Statistic::Average => ("r=s/k", scope.say("average", "平均值")),
        Statistic::Minimum => ("r=lo", scope.say("minimum", "最小值")),
        Statistic::Maximum => ("r=hi", scope.say("maximum", "最大值")),
        Statistic::Sum | Statistic::Median => ("r=s", scope.say("sum", "总和")),
    };
    let command = format!(
        "awk '{{for(i=1;i<=NF;i++)if($i ~ /^[-+]?[0-9]+([.][0-9]+)?$/){{x=$i+0; s+=x; k++; if(k==1){{lo=x;hi=x}} if(x<lo)lo=x; if(hi<x)hi=x}}}} \
         END{{if(k==0){{print \"{}\"; exit 3}} {fold}; printf \"%.12g ({word}: %d {})\\n\",r,k}}' {}",
        scope.say("the file holds no numbers", "文件里没有数字"),
        scope.say("numbers", "个数字"),
        quote(path)
    );
    scope.on_file(intent, path, &command, &["awk"])
}

/// The longest line, with its number.
pub(super) fn longest_line(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!(
        "awk 'm<length($0){{m=length($0); t=$0; k=NR}} END{{if(k)print k \":\" t; else print \"{NO_MATCH}\"}}' {}",
        quote(path)
    );
    scope.on_file(intent, path, &command, &["awk"])
}

/// A JSON text in an orderly form.
pub(super) fn json_pretty(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let then = json!({"compute": "json_pretty"});
    let step = scope.compute(intent, READ_FILE, &whole(path), &[path.to_owned()], then);
    large::ordered(scope, path, step, large::jq(scope, intent, path, "", "."))
}

/// Width and height of one picture.
pub(super) fn image_size(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    scope.on_file(intent, path, &format!("file -- {} | {}", quote(path), sizes(scope)), &["file", "awk"])
}

/// Width and height of the pictures of a folder.
pub(super) fn image_sizes(scope: &Scope, clause: &Clause) -> Measure {
    let root = scope.folder(clause);
    let pictures = crate::kinds::KINDS.iter().find(|kind| kind.search_kind == Some("image"));
    let what = clause.slots.what.clone().or(pictures.map(|kind| What::Kind(*kind)));
    let tests = file_tests(scope, &Slots { what, ..Slots::default() });
    let words = scope.say("Sizes of the pictures", "图片的尺寸");
    let command = format!(
        "{} | xargs -0 -r file -- | sort | {} | {}",
        listed(scope, &root, &GENERATED, &tests, "-print0"),
        sizes(scope),
        list_end(scope, NO_MATCH)
    );
    let step = scope.shell(
        &format!("{words}{}", scope.at(&root)),
        &command,
        &["find", "xargs", "file", "sort", "awk"],
        std::slice::from_ref(&root),
    );
    Measure {
        heading: scope.heading(words, &root, ""),
        columns: Vec::new(),
        alternatives: vec![Alternative::single(step)],
        output: vec![scope.not_empty()],
    }
}

/// The program that takes the last pair of numbers, width and height, out of what `file` says.
fn sizes(scope: &Scope) -> String {
    format!(
        "awk '{{p=index($0,\": \"); n=substr($0,1,p-1); r=substr($0,p); w=\"\"; while(match(r,/[0-9]+ ?x ?[0-9]+/)){{w=substr(r,RSTART,RLENGTH); r=substr(r,RSTART+RLENGTH)}} \
         gsub(/ /,\"\",w); sub(/x/,\" x \",w); m=split(n,a,\"/\"); print a[m] \"\\t\" (w==\"\" ? \"{}\" : w \" {}\")}}'",
        scope.say("no size known", "尺寸未知"),
        scope.say("pixels", "像素")
    )
}

/// What changed in a file since the last commit.
pub(super) fn file_diff(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let nothing = scope.say("no changes since the last commit", "上次提交以来没有改动");
    let command =
        format!("git diff --no-color --no-ext-diff HEAD -- {} | {}", quote(path), list_end(scope, nothing));
    scope.on_file(intent, path, &command, &["git", "awk"])
}

/// The commits that touched a file.
pub(super) fn file_log(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!(
        "git log --date=short --format='%h %ad %an: %s' -- {} | {}",
        quote(path),
        list_end(scope, scope.say("no commits of this file", "没有这个文件的提交"))
    );
    scope.on_file(intent, path, &command, &["git", "awk"])
}

const COMMITS: &str = "\\A\\s*(?:\\(no match\\)|[0-9a-f]{4,} \\d{4}-)";

/// The commits of one person.
pub(super) fn git_by(scope: &Scope, clause: &Clause) -> Measure {
    let name = clause.slots.name.as_deref().or(clause.slots.text.as_deref()).unwrap_or_default();
    let words = format!("{}{name}", scope.say("Commits by ", "提交者："));
    let command = format!("log -i -F --author={} --date=short --format='%h %ad %an: %s'", quote(name));
    git(scope, clause, &words, &command, COMMITS)
}

/// The commits since a moment.
pub(super) fn git_since(scope: &Scope, clause: &Clause) -> Measure {
    let since = clause.slots.goal.since.unwrap_or("today 00:00");
    let words = format!("{}{since}", scope.say("Commits since ", "提交，起始时间："));
    let command = format!("log --since={} --date=short --format='%h %ad %an: %s'", quote(since));
    git(scope, clause, &words, &command, COMMITS)
}

/// The files of the last commit.
pub(super) fn git_last_files(scope: &Scope, clause: &Clause) -> Measure {
    let words = scope.say("Files of the last commit", "最后一次提交的文件");
    git(scope, clause, words, "show --name-only --format= HEAD", "\\S")
}

/// What listens on a port.
pub(super) fn port_user(scope: &Scope, clause: &Clause) -> Measure {
    let port = clause.slots.count.unwrap_or_default();
    let words = format!("{}{port}", scope.say("What uses port ", "占用端口 "));
    let (nothing, port_word) =
        (scope.say("nothing listens on port ", "没有程序在监听端口 "), scope.say("port ", "端口 "));
    if scope.setting.macos {
        let command = format!(
            "( lsof -nP -iTCP:{port} -sTCP:LISTEN || test $? -eq 1 ) | awk 'NR==1{{next}} {{print \"{port_word}{port}\\t\" $1 \"\\t\" $2}} END{{if(NR<2)print \"{nothing}{port}\"}}'"
        );
        return fixed(scope, &words, &command, &["lsof", "test", "awk"], "\\S");
    }
    let command = format!(
        "ss -Hltnp 2>&1 | awk '/^Cannot open/{{next}} {{m=split($4,a,\":\")}} a[m]==\"{port}\"{{u=$6; gsub(/users:|[()\"]/,\"\",u); print \"{port_word}{port}\\t\" $4 \"\\t\" (u==\"\" ? \"{}\" : u); n++}} END{{if(n==0)print \"{nothing}{port}\"}}'",
        scope.say(
            "a program that cannot be seen from here: ss -ltnp in your own shell names it",
            "这里看不到是哪个程序：在您自己的 shell 里运行 ss -ltnp 可以看到"
        )
    );
    fixed(scope, &words, &command, &["ss", "awk"], "\\S")
}

/// Which ports are listened on.
pub(super) fn open_ports(scope: &Scope) -> Measure {
    let words = scope.say("Ports that are listened on", "正在监听的端口");
    let head = scope.say("port", "端口");
    let nothing = scope.say("no port is open", "没有开放的端口");
    let (listed, column) = if scope.setting.macos {
        ("( lsof -nP -iTCP -sTCP:LISTEN || test $? -eq 1 ) | awk 'NR!=1{print $9}'", "$1")
    } else {
        ("ss -Hltn", "$4")
    };
    let command = format!(
        "{listed} | awk '{{m=split({column},a,\":\"); print \"{head} \" a[m] \"\\t\" {column}}}' | sort -u -k2,2n | {}",
        list_end(scope, nothing)
    );
    let programs: &[&str] =
        if scope.setting.macos { &["lsof", "test", "awk", "sort"] } else { &["ss", "awk", "sort"] };
    fixed(scope, words, &command, programs, "\\S")
}

/// How much memory there is.
pub(super) fn memory_info(scope: &Scope) -> Measure {
    let words = scope.say("Memory of this computer", "内存");
    let (total, free) = (scope.say("GiB in all", "GiB（总量）"), scope.say("GiB available", "GiB（可用）"));
    if scope.setting.macos {
        let command = format!("sysctl -n hw.memsize | awk '{{printf \"%.1f {total}\\n\",$1/1073741824}}'");
        return fixed(scope, words, &command, &["sysctl", "awk"], "GiB");
    }
    let command = format!(
        "free -b | awk '$1==\"Mem:\"{{printf \"%.1f {total}, %.1f {free}\\n\",$2/1073741824,$7/1073741824}}'"
    );
    fixed(scope, words, &command, &["free", "awk"], "GiB")
}

/// How many processors there are.
pub(super) fn processor_count(scope: &Scope) -> Measure {
    let words = scope.say("CPU cores of this computer", "CPU 核心数");
    let noun = scope.say(" CPU cores", " 个 CPU 核心");
    let (program, command) =
        if scope.setting.macos { ("sysctl", "sysctl -n hw.ncpu") } else { ("nproc", "nproc") };
    fixed(scope, words, &format!("{command} | awk '{{print $1 \"{noun}\"}}'"), &[program, "awk"], "\\d+")
}

/// Whether the clause is about one picture and not about those of a folder.
pub(super) fn is_one_picture(clause: &Clause) -> bool {
    matches!(clause.slots.file, Some(NamedPlace::Path(_)))
}
