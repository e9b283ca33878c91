//! The verbs that a clause may begin with, and what they ask for.

use crate::nouns::is_determiner;
use crate::scan::{begins_with_words, entries, first_word, is_entry};

/// What a clause asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Something new: a file, a folder, an archive.
    Make,
    /// Something that is there becomes different.
    Change,
    /// Something is there no more.
    Delete,
    /// Something is elsewhere, or has another name.
    Move,
    /// Something is there twice.
    Copy,
    /// Something leaves the machine for a person or a service.
    Send,
    /// A program runs, or ends.
    Run,
    /// A program becomes usable.
    Install,
    /// Something is looked for.
    Find,
    /// Things are listed.
    List,
    /// Things are counted.
    Count,
    /// Something is looked at.
    Read,
    /// Something is said in words; no file and no program need take part.
    Answer,
}

impl Action {
    /// Whether it leaves the world different, so that something can prove it.
    pub fn changes(self) -> bool {
        match self {
            Self::Make
            | Self::Change
            | Self::Delete
            | Self::Move
            | Self::Copy
            | Self::Send
            | Self::Install => true,
            Self::Run | Self::Find | Self::List | Self::Count | Self::Read | Self::Answer => false,
        }
    }
}

/// How sure it is that a word at a clause's front is a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VerbSort {
    /// It is nothing else.
    Plain,
    /// It is a noun as well: behind a joint it needs a determiner, as in "and mail the list".
    Noun,
    /// It describes things as well: it needs a determiner everywhere, as in "empty the trash" and not "empty folders".
    Adjective,
}

/// The verbs of one action in English.
struct EnglishVerbs {
    action: Action,
    plain: &'static str,
    nouns: &'static str,
    adjectives: &'static str,
}

const ENGLISH: [EnglishVerbs; 13] = [
    EnglishVerbs {
        action: Action::Delete,
        plain: "delete, remove, erase, wipe, purge, get rid of, rm, unlink, uninstall, prune, discard, throw away, \
            throw out, clean up, clean out, shred, clear out",
        nouns: "trash, strip",
        adjectives: "empty, clear, clean",
    },
    EnglishVerbs {
        action: Action::Move,
        plain: "move, rename, relocate, mv, tidy up, organise, organize",
        nouns: "archive",
        adjectives: "tidy",
    },
    EnglishVerbs {
        action: Action::Copy,
        plain: "back up, cp, clone, mirror, sync, synchronise, synchronize, make a backup, make a copy, make backups, \
            create a backup, make copies, take a backup",
        nouns: "copy, backup",
        adjectives: "duplicate",
    },
    EnglishVerbs {
        action: Action::Send,
        plain: "send, publish, upload, notify, tweet, submit, deploy, inform",
        nouns: "mail, email, e-mail, post, share, message, push",
        adjectives: "forward",
    },
    EnglishVerbs {
        action: Action::Install,
        plain: "install, reinstall, upgrade, apt install, pip install",
        nouns: "",
        adjectives: "",
    },
    EnglishVerbs {
        action: Action::Run,
        plain: "execute, launch, compile, kill, recompile, restart, reboot, shut down, rerun, re-run",
        nouns: "run, start, build, test, stop",
        adjectives: "",
    },
    EnglishVerbs {
        action: Action::Change,
        plain: "edit, fix, replace, modify, append, add, insert, refactor, reformat, increase, decrease, bump, chmod, \
            chown, enable, disable, rewrite, shorten, revert, restore, adjust, rotate, resize, crop, swap, rebase, \
            encrypt, decrypt, configure, implement, turn on, turn off, uncomment",
        nouns: "change, update, set, format, commit, sort, reset, undo, repair",
        adjectives: "correct",
    },
    EnglishVerbs {
        action: Action::Make,
        plain: "write, create, make, generate, produce, prepare, save, compress, extract, unzip, unpack, initialise, \
            initialize, grab, bundle, join, mkdir, put, render, split, combine, concatenate, transform, convert, \
            scaffold, set up, turn",
        nouns: "draft, store, record, export, dump, zip, download, merge, fetch",
        adjectives: "",
    },
    EnglishVerbs {
        action: Action::Find,
        plain: "find, search, search for, locate, look for, grep, detect, identify, look up",
        nouns: "",
        adjectives: "",
    },
    EnglishVerbs { action: Action::List, plain: "ls, enumerate", nouns: "list", adjectives: "" },
    EnglishVerbs { action: Action::Count, plain: "count up", nouns: "count", adjectives: "" },
    EnglishVerbs {
        action: Action::Read,
        plain: "read, cat, compare, inspect, look at, look into, go through, verify, examine, analyse, analyze",
        nouns: "show, print, display, view, check, review, watch, monitor, diff",
        adjectives: "open",
    },
    EnglishVerbs {
        action: Action::Answer,
        plain: "explain, describe, tell, give, summarise, summarize, translate, calculate, compute, suggest, \
            recommend, define, proofread, rephrase, say",
        nouns: "answer, report",
        adjectives: "",
    },
];

/// The verbs of one action in Chinese; any of them may stand behind an object as well.
const CHINESE: [(Action, &str); 13] = [
    (
        Action::Delete,
        "删除, 删掉, 删去, 删了, 清除, 清空, 清理, 清掉, 移除, 去掉, 去除, 抹掉, 卸载, 丢弃, 扔掉, 销毁, 删",
    ),
    (Action::Move, "移动到, 移动, 移到, 移至, 移进, 挪到, 搬到, 重命名, 改名, 归档, 整理"),
    (Action::Copy, "复制, 拷贝, 备份, 克隆, 同步到, 同步~, 同步/"),
    (
        Action::Send,
        "发送, 发给, 发到, 发一, 发个, 发封, 发邮件, 发消息, 发信, 发布, 发出, 寄给, 寄到, 上传, 推送, 分享, 转发, 通知, 部署",
    ),
    (Action::Install, "安装, 装上, 装一下, 升级"),
    (Action::Run, "运行, 执行, 启动, 重启, 编译, 构建, 跑一下, 停止, 停掉, 关闭, 杀掉, 杀死, 测试一下"),
    (
        Action::Change,
        "修改, 更改, 改成, 改为, 改到, 改写, 更新, 替换, 换成, 修复, 修正, 改正, 更正, 纠正, 订正, 修订, 校对, 校正, 改掉, 改好, 改在, 改一下, 追加, 添加, 加上, 加入, 加一, 增加, 插入, 设置, 设为, 设成, 调整, 编辑, 提交, 排序, 格式化, \
        重构, 恢复, 撤销, 启用, 禁用, 缩小, 放大, 裁剪, 旋转",
    ),
    (
        Action::Make,
        "写入, 写到, 写进, 写成, 写一, 写个, 写份, 创建, 新建, 建立, 建一, 建个, 生成, 制作, 做成, 保存, 另存为, 存为, 存到, 存成, 导出, 下载, 压缩, 打包, 解压, 转换, \
        转成, 转为, 拆分, 分割, 整理成, 汇总成, 起草, 输出到, 打成, 合并, 写",
    ),
    (Action::Find, "找出, 找到, 查找, 搜索, 寻找, 检索, 找, 搜"),
    (Action::List, "列出, 列举, 列一下, 罗列, 整理出, 汇总出, 归纳出, 梳理"),
    (Action::Count, "统计, 数一下, 数一数, 数数"),
    (
        Action::Read,
        "读取, 读一下, 查看, 看看, 看一下, 看下, 显示, 展示, 演示, 打开, 检查, 比较, 对比, 打印, 提取, 核对, 浏览, 分析, 读, 看",
    ),
    (
        Action::Answer,
        "告诉我, 解释, 说明, 总结, 概括, 翻译, 介绍, 描述, 讲一, 回答, 推荐, 建议, 给出, 教我, 说说, 计算, 润色",
    ),
];

/// What is summed, and words that say where something is put.
const SUMMED: &str = "amounts, numbers, values, figures, prices, sums, totals, counts, sizes, hours, costs, quantities, scores";
const PUTTING: &str = "to, into, onto, at, after, before, below, above, under, between";

/// What follows a subject: a sentence that says what is wrong, as in "make does not build this project", orders nothing.
const FINITE: &str = "does, doesn't, doesn’t, did, didn't, didn’t, is, isn't, isn’t, was, wasn't, wasn’t, has, hasn't, hasn’t, cannot, \
    can't, can’t, won't, won’t, fails";
/// The same, where nothing follows that it could describe: "build failed with 2 errors", but "list failed tests".
const BROKEN: &str = "failed, breaks, broke, crashes, crashed, hangs, stops, exits";
const BEHIND_BROKEN: &str = "with, at, in, on, because, when, after, since, here, again";
/// What may be made, run or built and be the rest of such a subject: "make test fails".
const PARTS: &str =
    "test, tests, build, check, install, lint, run, all, clean, release, step, target, script, job, command";

/// Verbs that are nouns as well and stand alone at the end of a request: "fix it, commit and push".
const BARE: &str = "push, commit";

/// Words that begin with a verb of one character and are none.
const NOT_VERBS: &str = "格式化显示, 格式化后显示, 格式化输出, 格式化打印, 格式化查看, 写作, 写法, 读者, 看法, 看来, 找不到, 搜狗, 删节, 读数, 看板, 写真, 找零, 用来, 用于, 下载里, 下载中, 下载文件夹, 下载目录, 压缩包, 压缩文件, 备份里, 备份文件夹";

/// What follows a Chinese verb that describes something: "删除的".
const NAMING: &str =
    "的, 者, 错, 目录里, 目录下, 目录中, 目录有, 文件夹里, 文件夹下, 文件夹中, 文件夹有, 里有, 里的, 里面";

/// Particles that put the object before the verb; the verb is the last one behind it.
const DISPOSING: &str = "把, 将";

/// Particles that put a place, a means or a person before the verb; the verb is the first one behind it.
const PLACING: &str = "给, 用, 在, 从, 往, 向, 对, 为, 到, 跟, 通过, 使用";

/// The verb of a clause, and what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadVerb<'a> {
    pub(crate) action: Action,
    pub(crate) word: &'static str,
    pub(crate) rest: &'a str,
}

/// The verb with which a piece of a request begins. `first`: it begins a sentence.
pub(crate) fn head_verb(piece: &str, first: bool) -> Option<HeadVerb<'_>> {
    english(piece, first)
        .filter(|verb| !is_subject(verb))
        .map(as_sum)
        .or_else(|| chinese(piece).map(as_chinese_sum))
}

/// Whether the word is what a sentence is about: what it does follows.
fn is_subject(verb: &HeadVerb<'_>) -> bool {
    let lower = verb.rest.to_lowercase();
    let words: Vec<&str> =
        lower.split_whitespace().map(|word| word.trim_end_matches([',', ';', ':'])).collect();
    let is_told = |words: &[&str]| match words {
        [first, ..] if is_entry(FINITE, first) => true,
        [first] => is_entry(BROKEN, first),
        [first, second, ..] => is_entry(BROKEN, first) && is_entry(BEHIND_BROKEN, second),
        [] => false,
    };
    is_told(&words) || words.split_first().is_some_and(|(part, rest)| is_entry(PARTS, part) && is_told(rest))
}

/// "把金额加一下": with nothing behind it, it sums.
fn as_chinese_sum(verb: HeadVerb<'_>) -> HeadVerb<'_> {
    let is_sum = verb.word == "加一" && ["下", "遍", "加"].contains(&verb.rest);
    if is_sum { HeadVerb { action: Action::Count, ..verb } } else { verb }
}

/// What "add" puts nowhere it sums: "add the amounts in sales.csv".
fn as_sum(verb: HeadVerb<'_>) -> HeadVerb<'_> {
    let words: Vec<&str> = verb.rest.split_whitespace().collect();
    let is_put = words.iter().any(|word| is_entry(PUTTING, word));
    let thing = words.iter().find(|word| !is_determiner(word) && **word != "up" && **word != "all");
    let is_summed = |word: &&&str| is_entry(SUMMED, word) || word.starts_with(|c: char| c.is_ascii_digit());
    let is_up = verb.rest.trim_start().starts_with("up ");
    let is_sum = verb.word == "add" && !is_put && (is_up || thing.as_ref().is_some_and(is_summed));
    if is_sum { HeadVerb { action: Action::Count, ..verb } } else { verb }
}

fn english(piece: &str, first: bool) -> Option<HeadVerb<'_>> {
    let mut best: Option<HeadVerb<'_>> = None;
    for row in &ENGLISH {
        for (sort, words) in
            [(VerbSort::Plain, row.plain), (VerbSort::Noun, row.nouns), (VerbSort::Adjective, row.adjectives)]
        {
            for word in entries(words) {
                let Some(rest) = begins_with_words(piece, word) else { continue };
                let needs_determiner = match sort {
                    VerbSort::Plain => false,
                    VerbSort::Noun => !first,
                    VerbSort::Adjective => true,
                };
                let bare = rest.is_empty() && is_entry(BARE, word);
                let longer = best.is_none_or(|known| known.word.len() < word.len());
                if longer && (bare || !needs_determiner || is_determiner(first_word(rest))) {
                    best = Some(HeadVerb { action: row.action, word, rest });
                }
            }
        }
    }
    best
}

fn chinese(piece: &str) -> Option<HeadVerb<'_>> {
    if is_no_verb(piece) {
        return None;
    }
    if let Some(found) = chinese_at(piece, 0).filter(|found| !names_something(found.rest)) {
        return Some(found);
    }
    let behind = |particles: &'static str| entries(particles).find_map(|word| piece.strip_prefix(word));
    if let Some(rest) = behind(DISPOSING) {
        return verbs_within(rest).into_iter().next_back();
    }
    behind(PLACING).and_then(|rest| verbs_within(rest).into_iter().next())
}

/// The longest Chinese verb at this place.
fn chinese_at(text: &str, at: usize) -> Option<HeadVerb<'_>> {
    let here = text.get(at..)?;
    let all = CHINESE.iter().flat_map(|(action, words)| entries(words).map(move |word| (*action, word)));
    let fitting =
        all.filter_map(|(action, word)| Some(HeadVerb { action, word, rest: here.strip_prefix(word)? }));
    fitting.max_by_key(|found| found.word.len())
}

/// All verbs in Chinese.
pub(crate) fn chinese_verbs() -> impl Iterator<Item = &'static str> {
    CHINESE.iter().flat_map(|(_, words)| entries(words))
}

/// The Chinese verbs of two characters and more behind a particle, in order.
fn verbs_within(text: &str) -> Vec<HeadVerb<'_>> {
    let mut found = Vec::new();
    let mut next = 0;
    for (at, _) in text.char_indices() {
        let verb = chinese_at(text, at).filter(|verb| verb.word.chars().count() > 1 || verb.word == "删");
        if let Some(verb) = verb.filter(|_| at >= next && !is_no_verb(&text[at..])) {
            next = at + verb.word.len();
            if !names_something(verb.rest) {
                found.push(verb);
            }
        }
    }
    found
}

fn is_no_verb(text: &str) -> bool {
    entries(NOT_VERBS).any(|word| text.starts_with(word))
}

fn names_something(rest: &str) -> bool {
    entries(NAMING).any(|word| rest.starts_with(word))
}
