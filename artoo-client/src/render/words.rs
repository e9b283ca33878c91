//! Everything that is said around an answer, in both languages: one row a phrase. What comes from the daemon is already in
//! the language of the request.

use crate::render::Language;

/// The phrases: a name, then how it is said in English and in Chinese. `{0}` is what [`Language::fill`] puts in first.
macro_rules! phrases {
    ($($name:ident: $english:literal, $chinese:literal;)*) => {
        /// Something that is said to a person.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Phrase { $(#[doc = $english] $name,)* }

        impl Phrase {
            /// All of them, for whoever checks the table.
            #[cfg(test)]
            const ALL: &'static [Self] = &[$(Self::$name),*];

            fn both(self) -> [&'static str; 2] {
                match self { $(Self::$name => [$english, $chinese],)* }
            }
        }
    };
}

phrases! {
    // The living line.
    Reading: "reading the request", "正在理解请求";
    Planning: "planning", "正在想办法";
    Remembering: "looking into the memory", "正在查看记忆";
    Checking: "checking the result", "正在核对结果";
    Merging: "putting the results together", "正在汇总结果";
    LookingBack: "looking at what came back", "正在看返回的内容";
    AnotherWay: "that was not enough: planning another way", "这样还不够：正在换一种办法";
    ModelBack: "the model answers again", "模型又有回应了";
    ModelWait: "waiting for the model", "正在等模型";
    Stopping: "stopping", "正在停止";
    Reconnecting: "the daemon is away: waiting until it is back", "后台程序不在：等它回来";
    StepsDone: "{0} of {1} steps", "第 {0} 步，共 {1} 步";
    CtrlCStops: "Ctrl+C stops", "Ctrl+C 停止";
    EscStops: "Esc stops", "Esc 停止";

    // What cannot wait for the end.
    Assumed: "assumed: ", "假定：";
    NoMemory: "! planning without memory: ", "! 没有记忆可用：";
    ModelWaits: "· waiting for the model: ", "· 正在等模型：";
    ModelSilent: "! the model did not answer: ", "! 模型没有回应：";
    StopsNow: "■ stopping: ", "■ 停止：";
    Cancelling: "■ stopping   Ctrl+C again: do not wait for the last call to end", "■ 正在停止   再按 Ctrl+C：不等最后一个调用结束";
    DaemonGone: "! the daemon went away; your task goes on when it is back", "! 后台程序中断了；它一回来，任务就从原处继续";
    DaemonBack: "✓ the daemon is back, the task goes on", "✓ 后台程序回来了，任务继续";
    Confirmed: "✓ you said yes: ", "✓ 已同意：";
    Nobody: "Not done: nobody was there to say yes to ", "没有执行：没有人在场同意 ";
    NotDone: "[LAW1] not done: ", "[LAW1] 没有执行：";
    DeniedByNobody: " (nobody confirmed)", "（无人确认）";
    DeniedByYou: " (you said no)", "（您没有同意）";
    NobodyThere: "Not done: nobody was there to say yes.", "没有执行：没有人在场同意。";
    SaidNo: "Not done: you said no.", "没有执行：您没有同意。";

    // The end.
    Tried: "tried: ", "试过：";
    Open: "! open: ", "! 未完成：";
    AndMore: "and {0} more", "还有 {0} 项";
    Partial: "PARTIAL: only this much was verified", "部分结果：只有这些核实过";
    Unshown: "not in any receipt: ", "没有任何记录能证实：";
    ModelCall: "1 model call", "1 次模型调用";
    ModelCalls: "{0} model calls", "{0} 次模型调用";
    Planned: "planned {0} times", "计划了 {0} 次";
    Unchanged: "nothing was changed", "没有改动任何东西";
    ChangedOne: "1 change (artoo undo {1})", "1 处改动（artoo undo {1}）";
    Changed: "{0} changes (artoo undo {1})", "{0} 处改动（artoo undo {1}）";
    KeptOne: "1 change, which cannot be undone", "1 处改动，无法撤销";
    KeptAll: "{0} changes, which cannot be undone", "{0} 处改动，无法撤销";
    MoreShows: "{0} lines: /more shows them from the first", "共 {0} 行：/more 从头查看";
    MoreRows: "{0} more rows: artoo show {1} | less", "还有 {0} 行：artoo show {1} | less";
    More: "more: artoo show {0} -v", "详情：artoo show {0} -v";

    // What helps where nobody else says so.
    AskDoctor: "`artoo doctor` finds out why the model does not answer, and what to do", "`artoo doctor` 会查出模型为什么没有回应，以及该怎么办";
    GiveTime: "Give it more time: add --time-budget 15m", "多给一些时间：加上 --time-budget 15m";
    GiveMoney: "Raise control.max_cost in the configuration: artoo config", "在配置里提高 control.max_cost：artoo config";
    BePrecise: "Name the file or folder that you mean, or ask for one part of it first", "请写明是哪个文件或文件夹，或者先只问其中一部分";
    BeThere: "Run it in a terminal, where you can say yes", "请在终端里运行，这样您可以确认";
    RunAgain: "Run it again; if it stops again, `artoo doctor` and `artoo logs` say more", "请再运行一次；若再次停止，`artoo doctor` 和 `artoo logs` 会说明原因";

    // A question.
    MoreLines: "… {0} more lines: press v before you answer", "… 还有 {0} 行：请先按 v 查看";
    In: "in {0}", "在 {0}";
    Files: "{0} files", "{0} 个文件";
    Folders: "{0} folders", "{0} 个文件夹";
    Places: "{0} files or folders", "{0} 个文件或文件夹";
    NewFile: "new", "新";
    AFolder: "folder, {0}, {1}", "文件夹，{0}，{1}";
    OneFile: "1 file", "1 个文件";
    WantsDelete: "artoo wants to delete {0}.", "artoo 想删除 {0}。";
    WantsChange: "artoo wants to change {0}.", "artoo 想修改 {0}。";
    WantsMake: "artoo wants to make {0}.", "artoo 想新建 {0}。";
    WantsRead: "artoo wants to read {0}.", "artoo 想读取 {0}。";
    WantsSend: "artoo wants to send something out of this computer.", "artoo 想把数据发到这台电脑以外。";
    WantsSystem: "artoo wants to change this computer itself: its settings, programs or services.", "artoo 想改动这台电脑本身：设置、程序或服务。";
    WantsUnknown: "artoo cannot tell everything that this would do.", "artoo 无法完全判断这会做什么。";
    Something: "something", "某些内容";
    LabelTool: "tool", "工具";
    LabelAction: "action", "操作";
    LabelIn: "in", "文件夹";
    LabelEffects: "effects", "作用";
    LabelTarget: "target", "涉及";
    LabelSha: "sha256", "SHA-256";
    LabelWhy: "why", "原因";
    LabelUndo: "undo", "撤销";
    LabelDigest: "digest", "摘要";
    LabelQuestion: "question", "问题编号";
    Really: "really {0}", "实际是 {0}";
    LeadsTo: "leads to {0}", "指向 {0}";
    KindFolder: "folder", "文件夹";
    KindLink: "link", "链接";
    KindOther: "other", "其他";
    EffectUnknown: "unknown", "不明";
    EffectSystem: "system", "改动系统";
    EffectSend: "send", "发送";
    EffectDelete: "delete", "删除";
    EffectOverwrite: "overwrite", "修改";
    EffectCreate: "create", "新建";
    EffectRead: "read", "读取";
    Comma: ", ", "、";
    Shortened: "… then it prints one line of its own: v shows it", "… 然后输出一行自己的文字：按 v 查看";
    CanUndo: "It can be undone.", "可以撤销。";
    CannotUndo: "It cannot be undone.", "无法撤销。";
    CannotUndoWhy: "It cannot be undone: {0}.", "无法撤销：{0}。";
    KeyYes: "[y] yes", "[y] 同意";
    KeyNo: "[n] no", "[n] 不同意";
    KeyAll: "[a] yes to all like this", "[a] 同类的都同意";
    KeyView: "[v] view all", "[v] 查看全部";
    KeyHelp: "[?] help", "[?] 帮助";
    HelpYes: "this one action runs, once", "只执行这一次";
    HelpNo: "it is not done; the task looks for another way", "不执行；任务会另想办法";
    HelpAll: "this and everything like it, until the task ends", "执行这一次，任务结束之前同类的也都执行";
    HelpView: "the whole command, everything it touches, and why artoo asks", "完整的命令、涉及的全部内容，以及为什么要问";
    HelpStop: "stops the whole task", "停止整个任务";
    PressKey: "press y, n, a, v or ?", "请按 y、n、a、v 或 ?";
    NoKind: "each of these is asked about by itself: press y or n", "这一类每次都要单独确认：请按 y 或 n";
    GoAhead: "an empty answer means: go ahead as you think", "直接回车表示：按您的判断继续";
    TaskWaits: "! a task waits for your answer: ", "! 有任务在等您的回答：";
    HowToAnswer: "answer: /confirm {0} yes|no, in a shell artoo confirm {0} yes|no", "回答：/confirm {0} yes|no，在 shell 里是 artoo confirm {0} yes|no";
    TaskWaitsUntil: "waits until the running task has ended", "等当前任务结束后再执行";
    TooManyWait: "not taken: too many requests wait already", "没有接受：等待的请求已经太多";
    OneOfLines: "{0} lines taken as one request; if each is a request of its own, send them one by one, or in a shell: artoo < FILE", "{0} 行当作一个请求；如果每行是一个单独的请求，请一行一行地发，或在 shell 里用 artoo < 文件";
    NotFollowed: "no longer followed; it ends by itself: /tasks", "不再跟踪；任务会自己结束：/tasks";
    Dropped: "dropped  ", "已放弃  ";
    NearCommand: "that is nearly {0}: type it so, or say in more words what you want", "这很像 {0}：请这样输入，或者多用几个字说明要做什么";
    GoesOn: "the running task goes on: artoo show {0}", "任务还在继续：artoo show {0}";
    ForExample: "for example: ", "例如：";
    Keys: "Tab completes · @file names one · /help · Esc stops the task · Ctrl+D leaves", "Tab 补全 · @文件 指定文件 · /help · Esc 停止任务 · Ctrl+D 退出";
    HowToTell: "answer in a shell: artoo answer {0} TEXT", "在 shell 里回答：artoo answer {0} 内容";
}

impl Language {
    /// A phrase in this language.
    pub fn say(self, phrase: Phrase) -> &'static str {
        let [english, chinese] = phrase.both();
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    /// A phrase with these texts in the place of `{0}`, `{1}`.
    pub fn fill(self, phrase: Phrase, texts: &[&str]) -> String {
        let mut said = String::new();
        let mut rest = self.say(phrase);
        while let Some((before, after)) = rest.split_once('{') {
            said.push_str(before);
            let (number, after) = after.split_once('}').unwrap_or((after, ""));
            said.push_str(number.parse().ok().and_then(|at: usize| texts.get(at)).unwrap_or(&""));
            rest = after;
        }
        said + rest
    }

    /// A size with the unit of this language.
    pub fn bytes(self, number: u64) -> String {
        let text = crate::render::figures::bytes(number);
        match (self, text.split_once(' ')) {
            (Self::Chinese, Some((number, "byte" | "bytes"))) => format!("{number} 字节"),
            (Self::Chinese | Self::English, _) => text,
        }
    }

    /// How many model calls.
    pub fn model_calls(self, number: u64) -> String {
        let phrase = if number == 1 { Phrase::ModelCall } else { Phrase::ModelCalls };
        self.fill(phrase, &[&number.to_string()])
    }

    /// How many changes a task made, and how they are taken back.
    pub fn changed(self, changes: usize, id: &str) -> String {
        let phrase = if changes == 1 { Phrase::ChangedOne } else { Phrase::Changed };
        self.fill(phrase, &[&changes.to_string(), id])
    }

    /// How many changes a task made that nothing takes back.
    pub fn kept(self, changes: usize) -> String {
        let phrase = if changes == 1 { Phrase::KeptOne } else { Phrase::KeptAll };
        self.fill(phrase, &[&changes.to_string()])
    }

    /// A duration with the units of this language.
    pub fn duration(self, ms: u64) -> String {
        let text = crate::render::figures::duration(ms);
        match self {
            Self::English => text,
            Self::Chinese => {
                let unit = |word: &str| match word {
                    "s" => "秒".to_owned(),
                    "m" => "分".to_owned(),
                    "h" => "小时".to_owned(),
                    "d" => "天".to_owned(),
                    number => number.to_owned(),
                };
                text.split(' ').map(unit).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Phrase;
    use crate::render::Language;

    #[test]
    fn both_languages_say_every_phrase_with_the_same_gaps() {
        for phrase in Phrase::ALL {
            let [english, chinese] = phrase.both();
            for gap in ["{0}", "{1}", "{2}"] {
                let optional = matches!(phrase, Phrase::ChangedOne | Phrase::KeptOne | Phrase::ModelCall);
                assert!(english.contains(gap) == chinese.contains(gap) || optional, "{phrase:?}: {gap}");
            }
            assert!(!chinese.is_empty() && Language::of(english) == Language::English, "{phrase:?}");
        }
    }

    #[test]
    fn gaps_are_filled_in_their_order() {
        let (english, chinese) = (Language::English, Language::Chinese);
        assert_eq!(english.fill(Phrase::StepsDone, &["1", "3"]), "1 of 3 steps");
        assert_eq!(chinese.fill(Phrase::StepsDone, &["1", "3"]), "第 1 步，共 3 步");
        assert_eq!(english.changed(1, "01a2"), "1 change (artoo undo 01a2)");
        assert_eq!(english.fill(Phrase::In, &[]), "in ");
        assert_eq!((english.bytes(9), chinese.bytes(9)), ("9 bytes".to_owned(), "9 字节".to_owned()));
        assert_eq!(english.bytes(2_000), chinese.bytes(2_000));
        assert_eq!(
            (english.duration(125_000), chinese.duration(125_000)),
            ("2 m 5 s".into(), "2 分 5 秒".into())
        );
    }
}
