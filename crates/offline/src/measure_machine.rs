//! Measurements of the repository and the machine.

use super::language::Language;
use super::measure::{Measure, NO_MATCH, Rung, Scope};
use super::request::Clause;
use super::shell::{list_end, quote};

/// Commits or processes shown unless the request says.
const DEFAULT_COUNT: u64 = 10;

impl Scope {
    /// The state of a repository.
    pub(super) fn git_status(&self, clause: &Clause) -> Measure {
        self.git(
            clause,
            self.say("State of the repository", "仓库状态"),
            "status --short --branch",
            "\\A\\s*## ",
        )
    }

    /// Recent commits.
    pub(super) fn git_log(&self, clause: &Clause) -> Measure {
        let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
        let (words, range) = match clause.slots.newer {
            Some(minutes) => (self.since(minutes), format!("--since='{minutes} minutes ago'")),
            None => (self.latest(count), format!("-n {count}")),
        };
        let command = format!("log {range} --date=short --format='%h %ad %an: %s'");
        self.git(clause, &words, &command, "\\A\\s*(?:\\(no match\\)|[0-9a-f]{4,} \\d{4}-)")
    }

    /// Who committed how often.
    pub(super) fn git_authors(&self, clause: &Clause) -> Measure {
        let words = self.say("Commits by author", "各作者的提交次数");
        self.git(clause, words, "shortlog -s -n HEAD", "\\A\\s*(?:\\(no match\\)|\\d+\\s)")
    }

    /// The current branch.
    pub(super) fn git_branch(&self, clause: &Clause) -> Measure {
        self.git(
            clause,
            self.say("Current branch", "当前分支"),
            "rev-parse --abbrev-ref HEAD",
            "\\A\\s*\\S+\\s*\\z",
        )
    }

    /// Free space on the disk of the working directory.
    pub(super) fn disk_free(&self) -> Measure {
        let command = format!("df -hP -- {}", quote(&self.setting.working_directory));
        self.fixed(self.say("Free disk space", "剩余磁盘空间"), &command, &["df"], "\\d+%")
    }

    /// The processes that use the most memory.
    pub(super) fn top_memory(&self, clause: &Clause) -> Measure {
        let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
        let command = format!(
            "ps -e -o pid= -o rss= -o comm= | sort -k2,2nr | awk 'NR<={count}{{printf \"%.1f MiB\\t%d\\t%s\\n\",$2/1024,$1,$3}}'"
        );
        let words = self.processes("most memory", "占内存最多", count);
        self.fixed(&words, &command, &["ps", "sort", "awk"], "\\A\\s*[\\d.]+ MiB\\t\\d+\\t")
    }

    /// The processes that use the most processor time.
    pub(super) fn top_processor(&self, clause: &Clause) -> Measure {
        let count = clause.slots.count.unwrap_or(DEFAULT_COUNT);
        let command = format!(
            "ps -e -o pid= -o pcpu= -o comm= | sort -k2,2nr | awk 'NR<={count}{{print $2 \" %\\t\" $1 \"\\t\" $3}}'"
        );
        let words = self.processes("most processor time", "占 CPU 最多", count);
        self.fixed(&words, &command, &["ps", "sort", "awk"], "\\A\\s*[\\d.]+ %\\t\\d+\\t")
    }

    /// About this computer.
    pub(super) fn system_info(&self) -> Measure {
        let words = self.say("System information", "系统信息");
        if self.setting.macos {
            self.fixed(words, "uname -srm && uptime && df -hP /", &["uname", "uptime", "df"], "\\A\\s*Darwin")
        } else {
            let command = "uname -srm && nproc && free -h && df -hP /";
            self.fixed(words, command, &["uname", "nproc", "free", "df"], "\\A\\s*[A-Z]\\w+ \\S+")
        }
    }

    /// Date and time.
    pub(super) fn date_time(&self) -> Measure {
        let words = self.say("Date and time", "日期和时间");
        self.fixed(
            words,
            "date '+%Y-%m-%d %H:%M %Z (%A)'",
            &["date"],
            "\\A\\s*\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d",
        )
    }

    /// The working directory.
    pub(super) fn where_am_i(&self) -> Measure {
        self.fixed(self.say("Working directory", "当前目录"), "pwd", &["pwd"], "\\A\\s*/")
    }

    fn git(&self, clause: &Clause, words: &str, command: &str, regex: &str) -> Measure {
        let root = self.folder(clause);
        let here = root == self.setting.working_directory;
        let program = if here { "git".to_owned() } else { format!("git -C {}", quote(&root)) };
        let list = list_end(self.limit, NO_MATCH, self.language);
        self.command(words, &format!("{program} {command} | {list}"), &["git", "awk"], regex, &root)
    }

    fn fixed(&self, words: &str, command: &str, programs: &[&str], regex: &str) -> Measure {
        self.command(words, command, programs, regex, &self.setting.working_directory)
    }

    fn command(&self, words: &str, command: &str, programs: &[&str], regex: &str, target: &str) -> Measure {
        let step =
            self.shell(&format!("{words}{}", self.at(target)), command, programs, &[target.to_owned()]);
        Measure {
            heading: self.heading(words, target, ""),
            columns: Vec::new(),
            ladder: vec![Rung::single(step)],
            output: vec![self.matches("the output has the expected form", "输出符合预期的形式", regex)],
        }
    }

    fn since(&self, minutes: u64) -> String {
        let days = minutes / (24 * 60);
        match self.language {
            Language::English if days > 0 => format!("Commits of the last {days} days"),
            Language::English => format!("Commits of the last {minutes} minutes"),
            Language::Chinese if days > 0 => format!("最近 {days} 天的提交"),
            Language::Chinese => format!("最近 {minutes} 分钟的提交"),
        }
    }

    fn latest(&self, count: u64) -> String {
        match self.language {
            Language::English => format!("Last {count} commits"),
            Language::Chinese => format!("最近 {count} 次提交"),
        }
    }

    fn processes(&self, english: &str, chinese: &str, count: u64) -> String {
        match self.language {
            Language::English => format!("{count} processes that use the {english}"),
            Language::Chinese => format!("{chinese}的 {count} 个进程"),
        }
    }
}
