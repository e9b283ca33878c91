//! Measurements of the repository and the machine.

use crate::clause::Clause;
use crate::measure::{Alternative, Measure, Scope};
use crate::shell::{list_end, quote};
use artoo_request::Language;
use artoo_types::evidence::NO_MATCH;

/// Commits or processes shown unless the request says.
const DEFAULT_COUNT: u64 = 10;

/// The state of a repository.
pub(crate) fn git_status(scope: &Scope, clause: &Clause) -> Measure {
    git(
        scope,
        clause,
        scope.say("State of the repository", "仓库状态"),
        "status --short --branch",
        "\\A\\s*## ",
    )
}

/// What changed since the last commit, line by line; a new file is no part of it.
pub(crate) fn git_diff(scope: &Scope, clause: &Clause) -> Measure {
    let words = scope.say("Changes since the last commit", "上次提交以来的改动");
    git(scope, clause, words, "diff --no-color --no-ext-diff HEAD", "\\A\\s*(?:\\(no match\\)|diff )")
}

/// How many commits there are.
pub(crate) fn git_count(scope: &Scope, clause: &Clause) -> Measure {
    git(scope, clause, scope.say("Number of commits", "提交次数"), "rev-list --count HEAD", "\\A\\s*\\d+\\b")
}

/// Recent commits.
pub(crate) fn git_log(scope: &Scope, clause: &Clause) -> Measure {
    let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
    let (words, range) = match clause.slots.newer {
        Some(minutes) => (since(scope, minutes), format!("--since='{minutes} minutes ago'")),
        None => (latest(scope, count), format!("-n {count}")),
    };
    let command = format!("log {range} --date=short --format='%h %ad %an: %s'");
    git(scope, clause, &words, &command, "\\A\\s*(?:\\(no match\\)|[0-9a-f]{4,} \\d{4}-)")
}

/// Who committed how often.
pub(crate) fn git_authors(scope: &Scope, clause: &Clause) -> Measure {
    let words = scope.say("Commits by author", "各作者的提交次数");
    git(scope, clause, words, "shortlog -s -n HEAD", "\\A\\s*(?:\\(no match\\)|\\d+\\s)")
}

/// The current branch.
pub(crate) fn git_branch(scope: &Scope, clause: &Clause) -> Measure {
    git(
        scope,
        clause,
        scope.say("Current branch", "当前分支"),
        "rev-parse --abbrev-ref HEAD",
        "\\A\\s*\\S+\\s*\\z",
    )
}

/// The branches of this computer.
pub(crate) fn git_branches(scope: &Scope, clause: &Clause) -> Measure {
    let words = scope.say("Branches", "分支");
    git(scope, clause, words, "branch --list --no-color", "\\S")
}

/// The tags.
pub(crate) fn git_tags(scope: &Scope, clause: &Clause) -> Measure {
    git(scope, clause, scope.say("Tags", "标签"), "tag --list", "\\S")
}

/// Free space on the disk of the working directory.
pub(crate) fn disk_free(scope: &Scope) -> Measure {
    let command = format!("df -Ph -- {}", quote(&scope.setting.working_directory));
    fixed(scope, scope.say("Free disk space", "剩余磁盘空间"), &command, &["df"], "\\d+%")
}

/// The third field and those behind it: names of processes have blanks in them.
const NAME: &str = "n=$3; for(i=4;i<=NF;i++)n=n \" \" $i; ";

/// The processes that use the most memory.
pub(crate) fn top_memory(scope: &Scope, clause: &Clause) -> Measure {
    let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
    let command = format!(
        "ps -e -o pid= -o rss= -o ucomm= | sort -k2,2nr | awk 'NR<={count}{{{NAME}printf \"%.1f MiB\\t%d\\t%s\\n\",$2/1024,$1,n}}'"
    );
    let words = processes(scope, "most memory", "占内存最多", count);
    fixed(scope, &words, &command, &["ps", "sort", "awk"], "\\A\\s*[\\d.]+ MiB\\t\\d+\\t")
}

/// The processes that use the most processor time.
pub(crate) fn top_processor(scope: &Scope, clause: &Clause) -> Measure {
    let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
    let command = format!(
        "ps -e -o pid= -o pcpu= -o ucomm= | sort -k2,2nr | awk 'NR<={count}{{{NAME}print $2 \" %\\t\" $1 \"\\t\" n}}'"
    );
    let words = processes(scope, "most processor time", "占 CPU 最多", count);
    fixed(scope, &words, &command, &["ps", "sort", "awk"], "\\A\\s*[\\d.]+ %\\t\\d+\\t")
}

/// About this computer.
pub(crate) fn system_info(scope: &Scope) -> Measure {
    let words = scope.say("System information", "系统信息");
    if scope.setting.macos {
        fixed(scope, words, "uname -srm && uptime && df -Ph /", &["uname", "uptime", "df"], "\\A\\s*Darwin")
    } else {
        let command = "uname -srm && nproc && free -h && df -Ph /";
        fixed(scope, words, command, &["uname", "nproc", "free", "df"], "\\A\\s*[A-Z]\\w+ \\S+")
    }
}

/// Date and time.
pub(crate) fn date_time(scope: &Scope) -> Measure {
    let words = scope.say("Date and time", "日期和时间");
    fixed(
        scope,
        words,
        "date '+%Y-%m-%d %H:%M %Z (%A)'",
        &["date"],
        "\\A\\s*\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d",
    )
}

/// The working directory.
pub(crate) fn where_am_i(scope: &Scope) -> Measure {
    fixed(scope, scope.say("Working directory", "当前目录"), "pwd", &["pwd"], "\\A\\s*/")
}

pub(super) fn git(scope: &Scope, clause: &Clause, words: &str, command: &str, regex: &str) -> Measure {
    let root = scope.folder(clause);
    let here = root == scope.setting.working_directory;
    let program = if here { "git".to_owned() } else { format!("git -C {}", quote(&root)) };
    let list = list_end(scope, NO_MATCH);
    measured_by(scope, words, &format!("{program} {command} | {list}"), &["git", "awk"], regex, &root)
}

pub(super) fn fixed(scope: &Scope, words: &str, command: &str, programs: &[&str], regex: &str) -> Measure {
    measured_by(scope, words, command, programs, regex, &scope.setting.working_directory)
}

fn measured_by(
    scope: &Scope,
    words: &str,
    command: &str,
    programs: &[&str],
    regex: &str,
    target: &str,
) -> Measure {
    let step = scope.shell(&format!("{words}{}", scope.at(target)), command, programs, &[target.to_owned()]);
    Measure {
        heading: scope.heading(words, target, ""),
        columns: Vec::new(),
        alternatives: vec![Alternative::single(step)],
        output: vec![scope.matches("the output has the expected form", "输出符合预期的形式", regex)],
    }
}

fn since(scope: &Scope, minutes: u64) -> String {
    let days = minutes / (24 * 60);
    match scope.language {
        Language::English if days > 0 => format!("Commits of the last {days} days"),
        Language::English => format!("Commits of the last {minutes} minutes"),
        Language::Chinese if days > 0 => format!("最近 {days} 天的提交"),
        Language::Chinese => format!("最近 {minutes} 分钟的提交"),
    }
}

fn latest(scope: &Scope, count: u64) -> String {
    match scope.language {
        Language::English => format!("Last {count} commits"),
        Language::Chinese => format!("最近 {count} 次提交"),
    }
}

fn processes(scope: &Scope, english: &str, chinese: &str, count: u64) -> String {
    match scope.language {
        Language::English => format!("{count} processes that use the {english}"),
        Language::Chinese => format!("{chinese}的 {count} 个进程"),
    }
}
