//! Nouns and small words that tell what a verb is about.

use crate::language::is_han;
use crate::scan::{entries, holds_any, is_entry, words};

/// Words that begin an object.
const DETERMINERS: &str = "the, a, an, all, every, each, my, your, our, their, its, it, them, this, that, these, those, any, both, me, \
    him, her, us, everything, only, no, one, two, three, how, what, which, to, into, for, whether, if, another, \
    some, everyone";

/// Things that are files once they are made. Without one of them, what is written is said in words.
const MADE_FILES: &str = "file, folder, director, report, script, archive, zip, tar, backup, csv, json, pdf, database, repo, branch, \
    commit, document, markdown, spreadsheet, table in, config, readme, changelog, makefile, project, program, app, \
    website, page, test, module, package, copy, copies, symlink, link, image, screenshot, log, calendar, event, \
    reminder, note, notes, env, virtualenv, playlist, 文件, 文件夹, 目录, 报告, 脚本, 压缩, 备份, 数据库, 仓库, 分支, 文档, 表格, 配置, 项目, \
    程序, 网站, 网页, 测试, 模块, 副本, 链接, 图片, 截图, 日志, 日历, 提醒, 笔记, 清单";

/// Things of the machine that a question may be about.
const MACHINE: &str = "file, folder, director, disk, process, cpu, memory, port, repo, branch, commit, log, line, row, column, word, \
    photo, image, pdf, document, space, battery, network, wifi, download, date, time, day, mail, package, \
    container, service, server, build, test, 文件, 目录, 磁盘, 进程, 内存, 端口, 仓库, 分支, 提交, 日志, 行, 照片, 图片, 空间, 电量, 网络, 日期";

/// Words that point at the person's own surroundings.
const OWN: &str = "my, here, this machine, this computer, this folder, this directory, this repo, this project, this file, \
    this mac, these files, current, today, right now, i have, on this, the largest, the biggest, is there enough, \
    are there any, 我的, 这里, 这台, 本机, 当前, 这个文件, 这个目录, 这个项目, 今天, 现在, 最大的, 哪些进程, 哪个进程, 磁盘空间";

/// Words of a clause that say nothing about which thing is meant.
const SAYING_NOTHING: &str = "the, and, all, any, every, each, my, your, our, their, its, them, this, that, these, those, with, from, into, \
    for, file, files, folder, folders, directory, out, one, ones, new, old, here, there, then, also, please, \
    named, called, which, what, how, many, are, was, were, has, have, not, only, just, list, result, results, \
    output, content, contents, text, data, whole, some, when, done, afterwards";

/// Whether a word begins an object: a determiner, a number, or something that is no plain word, such as a path.
pub(crate) fn is_determiner(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_entry(DETERMINERS, lower.as_str())
        || word.starts_with(|first: char| !first.is_ascii_lowercase() && !matches!(first, '?' | '!'))
        || word.contains(['.', '/', '@'])
}

/// Whether what is made is a file or a thing like one.
pub(crate) fn is_made_file(text: &str) -> bool {
    holds_any(text, MADE_FILES)
}

/// Whether a text names things of a machine.
pub(crate) fn names_machine(text: &str) -> bool {
    holds_any(text, MACHINE)
}

/// Things whose state no model knows, and words for such states: "is the printer ready?", "is example.org up?"
const THINGS: &str = "printer, scanner, site, website, web server, server, service, router, internet, network, wifi, vpn, database, backup, \
    camera, microphone, bluetooth, screen, monitor, battery, disk, usb, daemon, container, cluster, 打印机, 网站, 服务器, 服务, 路由器, 数据库, 备份, 网络";
const STATES: &str = "up, down, ready, running, run, runs, ran, finished, reachable, online, offline, working, works, connected, alive, full, available, open, \
    closed, slow, paper, installed, charged, 正常, 在线, 运行, 可用, 连接, 就绪, 已满";

/// States that things alone are in which are somewhere now.
const RUNNING: &str =
    "running, ran, reachable, online, offline, connected, installed, charged, raining, snowing";

fn begins_with_which(said: &[String]) -> bool {
    said.first().is_some_and(|word| matches!(word.as_str(), "which" | "what"))
}

/// What changes from day to day, or is another on each machine.
const OF_NOW: &str = "weather, forecast, temperature outside, which version, what version, version of, which operating system, \
    what operating system, installed, backup run, exchange rate, stock price, latest news, new mail, new message, 天气, 什么版本, 哪个版本, 汇率, 股价, 新闻, 新邮件";

/// Whether a question is about a state that only a look can tell.
fn asks_state(text: &str) -> bool {
    let said = words(text);
    let begins = said
        .first()
        .is_some_and(|word| matches!(word.as_str(), "is" | "are" | "does" | "do" | "did" | "has" | "can"));
    let asks = begins || text.trim_end().ends_with(['？', '吗']);
    let is_state = |entry: &str| {
        if entry.contains(is_han) { text.contains(entry) } else { said.iter().any(|w| w == entry) }
    };
    let names_thing = || holds_any(text, THINGS) || text.split_whitespace().any(is_address);
    let is_version = begins_with_which(&said) && said.iter().any(|word| word == "version");
    asks && (entries(RUNNING).any(is_state) || entries(STATES).any(is_state) && names_thing())
        || is_version
        || holds_any(text, OF_NOW)
}

/// Whether a word is a name of a machine in the net, as "example.org".
fn is_address(word: &str) -> bool {
    let word = word.trim_end_matches(['?', '.', ',', '!']);
    let ends = |part: &str| part.len() >= 2 && part.chars().all(|c| c.is_ascii_alphabetic());
    word.contains("://") || word.rsplit_once('.').is_some_and(|(front, last)| !front.is_empty() && ends(last))
}

/// Whether a question is about the person's own surroundings, which no model knows.
pub(crate) fn is_about_surroundings(text: &str) -> bool {
    if asks_state(text) {
        return true;
    }
    let lower = format!(" {} ", text.to_lowercase());
    let is_own = entries(OWN).any(|word| {
        if word.contains(is_han) { lower.contains(word) } else { lower.contains(&format!(" {word} ")) }
    });
    is_own && names_machine(text)
}

/// The words of a clause that tell which thing is meant, in lower case, without their plural.
pub(crate) fn telling_words(text: &str) -> Vec<String> {
    let all = words(text).into_iter();
    all.filter(|word| word.len() > 2 && !is_entry(SAYING_NOTHING, word.as_str()))
        .filter(|word| !word.chars().all(|digit| digit.is_ascii_digit()))
        .map(|word| word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(&word).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::is_about_surroundings;

    #[test]
    fn what_only_a_look_can_tell_is_about_the_surroundings() {
        for question in [
            "Is the printer ready?",
            "is https://example.org up right now",
            "Does the backup run?",
            "数据库运行正常吗",
        ] {
            assert!(is_about_surroundings(question), "{question}");
        }
        for question in ["What is a printer?", "Is Paris the capital of France?", "How do servers start up?"]
        {
            assert!(!is_about_surroundings(question), "{question}");
        }
    }
}
