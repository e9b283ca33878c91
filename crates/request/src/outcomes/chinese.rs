//! Outcomes of Chinese clauses. Words that say nothing are taken out first; what is left has to be one of few forms.

use super::{PATH_SIGN, PathOutcome, QUOTE_SIGN, SignedClause, destination, holds, made};
use crate::scan::entries;
use crate::verbs::Action;

/// What says nothing beside a path.
const NOISE: &str = "一个名为, 这个, 那个, 这些, 一个, 两个, 一份, 新的, 旧的, 叫做, 名叫, 文件夹, 文件, 目录, 一下, 请, 全部, 空白, 空的, 空, 都";
const DELETING: &str = "删除, 删掉, 移除, 删去, 删了, 删";
const MOVING: &str = "移动到, 移动至, 移到, 移至, 移进, 挪到, 搬到";
const RENAMING: &str = "重命名为, 重命名成, 改名为, 改名成, 更名为";
const COPYING: &str = "复制到, 拷贝到, 备份到, 复制为, 复制成";
const MAKING: &str = "创建, 新建, 生成, 建立";
const WRITING: &str = "写入到, 写入, 写到, 写进, 保存到, 保存为, 保存在, 存到, 存为, 存成, 另存为, 导出到, 导出为, 输出到, 汇总到, 合并到, 合并成, 合并为, \
                       写成, 整理到, 翻译到, 总结到";
const ADDING: &str = "追加, 添加, 加入, 加上, 插入, 加一, 加, 写入";
const PLACED: &str = "在, 向, 往, 给, 到";
const BEHIND: &str = "里面, 里, 中, 末尾, 的末尾, 最后, 的最后, 后面, 结尾, 的结尾, 内, 下";
const REPLACING: &str = "改成, 改为, 替换成, 替换为, 换成, 设为, 设置为";
/// What stands before a quotation that a file is to hold.
const HELD: &str =
    "内容是, 内容为, 内容, 写入, 写上, 写着, 追加, 添加, 加上, 加入, 插入, 一行, 一行文字, 文字, 文本, 一句";

pub(super) fn outcomes(signed: &SignedClause, action: Action, is_only: bool) -> Vec<PathOutcome> {
    let mut text: String = signed.text.chars().filter(|found| !found.is_whitespace()).collect();
    for word in entries(NOISE) {
        text = text.replace(word, "");
    }
    let text = text.trim_end_matches(['.', '。', '!', '！', '吧', '了', ',', '，']);
    let form = ChineseForm { text, signed };
    match action {
        Action::Delete => form.deleted(),
        Action::Move => form.moved(),
        Action::Copy => form.copied(is_only),
        Action::Make | Action::Answer => {
            let paths = form.made();
            let held = if let [path] = paths.as_slice() { form.held(path) } else { None };
            made(&paths, signed, held, false)
        }
        Action::Change => form.changed(),
        Action::Send
        | Action::Run
        | Action::Install
        | Action::Find
        | Action::List
        | Action::Count
        | Action::Read => Vec::new(),
    }
}

struct ChineseForm<'a> {
    text: &'a str,
    signed: &'a SignedClause,
}

impl<'a> ChineseForm<'a> {
    /// The text behind the first of these words that it begins with.
    fn behind(text: &'a str, table: &'static str) -> Option<&'a str> {
        entries(table).find_map(|word| text.strip_prefix(word))
    }

    /// The paths at the front of a text, and what follows them.
    fn list(&self, text: &'a str) -> (Vec<&'a String>, &'a str) {
        let mut paths = Vec::new();
        let mut rest = text;
        loop {
            let item = if paths.is_empty() {
                rest
            } else {
                rest.trim_start_matches([',', '，', '、', '和', '与', '及'])
            };
            match item.chars().next().and_then(|first| Some((first, self.signed.path(first)?))) {
                Some((first, path)) => {
                    paths.push(path);
                    rest = &item[first.len_utf8()..];
                }
                None => return (paths, rest),
            }
        }
    }

    fn deleted(&self) -> Vec<PathOutcome> {
        let verb_first =
            Self::behind(self.text, DELETING).map(|rest| self.list(rest)).filter(|(_, rest)| rest.is_empty());
        let object_first = || {
            let (paths, rest) = self.list(Self::behind(self.text, "把, 将")?);
            entries(DELETING).any(|verb| rest == verb).then_some((paths, ""))
        };
        let (paths, _) = verb_first.or_else(object_first).unwrap_or_default();
        paths.into_iter().map(|path| PathOutcome::Deleted { path: path.clone() }).collect()
    }

    /// Source, verb and destination: "把 A 移到 B", "移动 A 到 B".
    fn ends_of(&self, verbs: &'static str, bare: &'static str) -> Option<(&'a String, &'a String)> {
        let object_first = || {
            let (paths, rest) = self.list(Self::behind(self.text, "把, 将")?);
            Some((paths, Self::behind(rest, verbs)?))
        };
        let verb_first = || {
            let (paths, rest) = self.list(Self::behind(self.text, bare)?);
            Some((paths, Self::behind(rest, "到, 至, 为, 成")?))
        };
        let (sources, rest) = object_first().or_else(verb_first)?;
        let (targets, rest) = self.list(rest);
        let is_end = rest.is_empty() || entries(BEHIND).any(|word| rest == word);
        match (sources.as_slice(), targets.as_slice()) {
            ([from], [to]) if is_end => Some((*from, *to)),
            _ => None,
        }
    }

    fn moved(&self) -> Vec<PathOutcome> {
        let plain = self.ends_of(MOVING, "移动").map(|(from, to)| (from, destination(from, to, false)));
        let renamed =
            || self.ends_of(RENAMING, "重命名").map(|(from, to)| (from, destination(from, to, true)));
        let found = plain.or_else(renamed);
        found.map(|(from, to)| PathOutcome::Moved { from: from.clone(), to }).into_iter().collect()
    }

    fn copied(&self, is_only: bool) -> Vec<PathOutcome> {
        let found = self
            .ends_of(COPYING, "复制, 拷贝, 备份")
            .filter(|(from, to)| to.contains('/') || !from.contains('/'));
        let copied = |(from, to): (&String, &String)| PathOutcome::Copied {
            from: from.clone(),
            to: to.clone(),
            stays: is_only,
        };
        found.map(copied).into_iter().collect()
    }

    /// "新建 A", "把结果保存到 A".
    fn made(&self) -> Vec<&'a String> {
        if let Some((paths, _)) =
            Self::behind(self.text, MAKING).map(|rest| self.list(rest)).filter(|(paths, _)| !paths.is_empty())
        {
            return paths;
        }
        let mut found: Vec<&String> = Vec::new();
        for word in entries(WRITING) {
            for (at, _) in self.text.match_indices(word) {
                // What is written there has no path of its own: a file that is put elsewhere is moved or copied.
                let is_file =
                    self.text[..at].chars().next_back().is_some_and(|last| self.signed.path(last).is_some());
                for path in self.list(&self.text[at + word.len()..]).0.into_iter().filter(|_| !is_file) {
                    if !found.contains(&path) {
                        found.push(path);
                    }
                }
            }
        }
        if found.len() == 1 { found } else { Vec::new() }
    }

    fn changed(&self) -> Vec<PathOutcome> {
        let placed = || {
            let (paths, rest) = self.list(Self::behind(self.text, PLACED)?);
            let rest = Self::behind(rest, BEHIND).unwrap_or(rest);
            let rest = Self::behind(rest, BEHIND).unwrap_or(rest);
            Self::behind(rest, ADDING).map(|_| paths)
        };
        let replaced = || {
            let (paths, rest) = self.list(Self::behind(self.text, "把, 将")?);
            let inside = Self::behind(rest, "里, 中")?;
            entries(REPLACING).any(|verb| inside.contains(verb)).then_some(paths)
        };
        let found = placed().or_else(replaced).unwrap_or_default();
        let [path] = found.as_slice() else { return Vec::new() };
        if self.text.chars().filter(|found| self.signed.path(*found).is_some()).count() > 1 {
            return Vec::new();
        }
        let held =
            if self.text.contains("改") || self.text.contains("换") { None } else { self.held(path) };
        [PathOutcome::Changed { path: (*path).clone() }].into_iter().chain(held).collect()
    }

    /// The only quotation, where it stands for what the file is to hold.
    fn held(&self, path: &str) -> Option<PathOutcome> {
        let quotes: Vec<(usize, char)> =
            self.text.char_indices().filter(|(_, found)| self.signed.quote(*found).is_some()).collect();
        let [(at, sign)] = quotes.as_slice() else { return None };
        let before = self.text[..*at].trim_end_matches([':', '：', ',', '，']);
        let is_held = entries(HELD).any(|word| before.ends_with(word));
        let text = self.signed.quote(*sign).filter(|_| is_held)?;
        holds(path, text, true)
    }
}

const _: () = assert!(PATH_SIGN < QUOTE_SIGN);
