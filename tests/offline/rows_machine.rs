//! Requests about the repository and the machine.

use std::process::Command;

use crate::expected::{Expected, texts};
use crate::fixture::{BRANCH, COMMITS};
use crate::recount::shown;
use crate::table::{Row, row};

pub(crate) const ROWS: &[Row] = &[
    row("git_status", "git status", "查看git状态", |_, _| {
        Expected::Lines(texts([
            format!("## {BRANCH}"),
            " M log.txt".to_owned(),
            "?? untracked.txt".to_owned(),
        ]))
    }),
    row("git_log", "commits of the last week", "最近一周的提交", |_, _| {
        let recent = COMMITS.iter().rev().filter(|(_, age_days, _)| *age_days < 7);
        Expected::Holds(texts(recent.map(|(author, _, subject)| format!(" {author}: {subject}\n"))))
    }),
    row("git_authors", "commits by author", "按作者统计提交次数", |_, _| {
        let commits = |name: &str| COMMITS.iter().filter(|(author, ..)| *author == name).count();
        Expected::Holds(vec![format!("{}\tAda\n", commits("Ada")), format!("{}\tGrace", commits("Grace"))])
    }),
    row("git_branch", "which git branch am I on", "查看当前git分支", |_, _| {
        Expected::Lines(vec![BRANCH.to_owned()])
    }),
    row("disk_free", "how much disk space is free", "还剩多少磁盘空间", |f, _| {
        let blocks = said("df", &["-P", &shown(&f.here)]);
        let mounted = blocks.split_whitespace().last().expect("df names the place").to_owned();
        Expected::Holds(vec!["%".to_owned(), mounted])
    }),
    row("system_info", "show system information", "查看系统信息", |_, _| {
        Expected::Starts(said("uname", &["-srm"]))
    }),
    row("top_memory", "which five processes use the most memory", "占内存最多的5个进程", |_, _| {
        Expected::Falling(5)
    }),
    row("top_processor", "which five processes use the most CPU", "占CPU最多的5个进程", |_, _| {
        Expected::Falling(5)
    }),
    row("date_time", "what time is it", "现在几点了", |_, _| {
        Expected::Starts(said("date", &["+%Y-%m-%d "]).trim_end_matches('\n').to_owned())
    }),
    row("where_am_i", "which folder am I in", "我在哪个目录", |f, _| {
        Expected::Lines(vec![shown(&f.here)])
    }),
];

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect("a program of every system");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
