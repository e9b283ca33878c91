//! The words of what an action leaves, in both languages: how a plan's criterion, or an answer, speaks of it.

use crate::clauses::RequestClause;
use crate::language::{Language, is_han};
use crate::names::mentions;
use crate::nouns::telling_words;
use crate::scan::{entries, holds_any, words};
use crate::verbs::Action;

/// Beginnings of the words that speak of an action's effect. Chinese entries stand anywhere.
fn effect_words(action: Action) -> &'static str {
    match action {
        Action::Make => {
            "writ, creat, generat, saved, save, produc, stored, made, built, compress, extract, unzip, unpack, \
            convert, download, export, archive, split, 写, 创建, 生成, 保存, 新建, 建立, 产生, 制作, 压缩, 解压, 转换, 下载, 导出, 拆分, 存入"
        }
        Action::Change => {
            "chang, updat, replac, fix, edit, modif, correct, append, add, insert, set, sorted, sort, format, \
            commit, enabl, disabl, restor, revert, now, instead, no longer, executable, 改, 更新, 替换, 修复, 修正, 追加, 添加, \
            加, 插入, 设, 排序, 提交, 恢复, 变, 换"
        }
        Action::Delete => {
            "delet, remov, gone, absent, eras, wip, purg, clear, clean, empt, trash, uninstall, discard, prun, \
            unlink, no longer, not exist, n't exist, nothing left, left, remain, 删, 不存在, 不再, 清空, 清除, 清理, 移除, 去掉, \
            去除, 卸载, 没有, 为空"
        }
        Action::Move => {
            "mov, renam, relocat, new name, now in, now named, archiv, organi, 移, 改名, 重命名, 归档, 搬, 挪, 整理, 新名"
        }
        Action::Copy => {
            "cop, backup, back up, backed, clon, sync, mirror, identical, same content, duplicat, 复制, 拷贝, 备份, 克隆, \
            同步, 副本, 一致, 相同"
        }
        Action::Send => {
            "sent, send, mail, e-mail, email, deliver, post, publish, upload, shar, notif, push, submit, message, \
            forward, deploy, inform, 发, 寄, 邮件, 上传, 推送, 分享, 通知, 消息, 部署"
        }
        Action::Run => {
            "run, ran, execut, start, launch, build, built, compil, test, exit, kill, stop, restart, terminat, 运行, \
            执行, 启动, 编译, 构建, 测试, 停止, 关闭, 杀, 重启, 退出"
        }
        Action::Install => "install, upgrad, available, version, set up, updat, 安装, 装, 升级, 可用, 版本",
        Action::Find => "find, found, search, locat, match, contain, 找, 搜, 匹配, 包含",
        Action::List => {
            "list, enumerat, every, each, names, 列, 清单, 每个, 每项, 名, 整理, 汇总, 归纳, 梳理"
        }
        Action::Count => "count, number, how many, total, sum, 多少, 数, 总, 计",
        Action::Read => {
            "read, show, display, print, content, check, compar, inspect, verif, examin, analy, view, differ, \
            report, say, 读, 看, 显示, 内容, 检查, 比较, 对比, 打印, 核对, 分析, 差异"
        }
        Action::Answer => "",
    }
}

/// Words with which a criterion says that something is not there.
const ABSENCE: &str =
    "no, not, none, nothing, without, only, zero, never, neither, cannot, isn, doesn, 没, 无, 不, 仅, 只, 零";

/// Words that say only that something was looked at.
const LOOKED: &str = "was read, were read, been read, is read, viewed, looked at, was seen, were seen, inspected, examined, \
                      was opened, displayed, was shown, 已读取, 读取了, 已查看, 查看了, 看过";

/// Whether a text says that something was looked at.
pub fn is_look(text: &str) -> bool {
    holds_any(text, LOOKED)
}

impl Action {
    /// Whether a text speaks of what this action leaves.
    pub fn is_told_in(self, text: &str) -> bool {
        holds_any(text, effect_words(self))
    }
}

impl RequestClause {
    /// Whether a text speaks of what the clause asks for: of its effect, or, for what is deleted, of an absence.
    pub fn effect_told_in(&self, text: &str) -> bool {
        let absent = || {
            let said = words(text);
            entries(ABSENCE).any(|word| {
                if word.contains(is_han) { text.contains(word) } else { said.iter().any(|one| one == word) }
            })
        };
        self.action.is_told_in(text) || (self.action == Action::Delete && absent())
    }

    /// Whether the clause names something by which it can be told from others. What is sent may have another name by then.
    pub fn names_something(&self) -> bool {
        (!self.files.is_empty() && self.action != Action::Send) || !self.addresses.is_empty()
    }

    /// Whether a text mentions the file that the clause leaves or changes: the last one that it names, or for a deletion
    /// any; or an address.
    pub fn named_in(&self, text: &str) -> bool {
        let leaves = matches!(self.action, Action::Copy | Action::Make | Action::Move);
        let files =
            if leaves { self.files.last().map(std::slice::from_ref) } else { Some(self.files.as_slice()) };
        let lower = text.to_lowercase();
        let address = |address: &String| {
            let host = address.split("//").last().unwrap_or(address).split('/').next().unwrap_or(address);
            lower.contains(&address.to_lowercase()) || lower.contains(&host.to_lowercase())
        };
        files.unwrap_or_default().iter().any(|file| mentions(text, file))
            || self.addresses.iter().any(address)
    }

    /// Whether a text shares a word with the clause that tells which thing is meant, or its quotation. Texts in different
    /// languages share none, so nothing can be said of them: then it is true, as for a clause of "it" and "them".
    pub fn words_told_in(&self, text: &str) -> bool {
        let foreign = Language::of(&self.text) != Language::of(text);
        foreign || telling_words(&self.text).is_empty() || self.shares_words_with(text)
    }

    /// Whether a text has a word of the clause that tells which thing is meant, or its quotation.
    pub fn shares_words_with(&self, text: &str) -> bool {
        let told = words(text);
        telling_words(&self.text).iter().any(|word| told.iter().any(|one| one.starts_with(word.as_str())))
            || self.quoted.iter().any(|quoted| text.contains(quoted.as_str()))
    }
}
