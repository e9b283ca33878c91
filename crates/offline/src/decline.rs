//! Saying no: why, what would work instead, and how to configure a language model.

use crate::causes::{self, is_empty_table};
use crate::clause::UnderstoodRequest;
use crate::clauses::{NotUnderstood, understand};
use crate::measure::Scope;
use crate::near::meant;
use crate::places::{absolute, is_secret};
use crate::suggest::suggestions;
use artoo_request::Language;
use artoo_types::plan::Decline;
use artoo_types::situation::Situation;

/// Words that show what kind of action a request asks for, and why it is not taken. The first match wins.
const REASONS: [(&[&str], &str, &str); 12] = [
    (
        &[
            "new branch",
            "create a branch",
            "make a branch",
            "switch to branch",
            "switch to the branch",
            "checkout",
            "check out the branch",
            "merge ",
            "git push",
            "git pull",
            "新建分支",
            "创建分支",
            "新建一个分支",
            "创建一个分支",
            "建一个分支",
            "切换分支",
            "切换到分支",
            "合并分支",
        ],
        "it asks to change a repository, and the offline rules only read repositories",
        "它要求改动仓库；离线规则对仓库只读",
    ),
    (
        &[
            "commit my",
            "commit the",
            "commit all",
            "commit everything",
            "commit -",
            "git commit",
            "提交我",
            "提交所有",
            "提交全部",
            "提交修改",
        ],
        "it asks to make a commit, and the offline rules only read repositories",
        "它要求提交（git commit）；离线规则对仓库只读",
    ),
    (
        &["sudo", "as root", "管理员权限"],
        "it asks for administrator rights, which the offline rules never use",
        "它要求管理员权限，离线规则从不使用",
    ),
    (
        &["password", "secret", "api key", "private key", "credential", "密码", "私钥", "密钥", "凭据"],
        "it is about secrets, which the offline rules do not touch",
        "它涉及密钥或密码，离线规则不会接触",
    ),
    (
        &["duplicate lines", "remove duplicates", "duplicate rows", "dedupe", "deduplicate", "去重"],
        "it asks to take repetitions out of a file; the offline rules show what is left, or write it to a new file (dedupe notes.txt into clean.txt)",
        "它要求去掉文件里的重复；离线规则只显示结果，或写入新文件（例如：把notes.txt去重保存到clean.txt）",
    ),
    (
        &[
            "delete",
            "remove",
            "erase",
            "trash",
            "rm ",
            "clean up",
            "empty the",
            "wipe",
            "uninstall",
            "删除",
            "删掉",
            "清空",
            "清理",
            "移除",
            "卸载",
            "丢掉",
        ],
        "it asks to delete something, and it is not clear what; name one file, a folder, or an ending: delete all .tmp files",
        "它要求删除内容，但不清楚删除什么；请写出一个文件、文件夹或扩展名：删除所有.tmp文件",
    ),
    (
        &[
            "overwrite",
            "replace",
            "edit ",
            "change ",
            "append",
            "modify ",
            "install",
            "覆盖",
            "替换",
            "修改",
            "追加",
            "安装",
        ],
        "it asks to change what is in a file, which needs a language model",
        "它要求修改文件内容，这需要语言模型",
    ),
    (
        &[
            "move ",
            "rename",
            "copy ",
            "compress",
            "unzip",
            "unpack",
            "extract ",
            "create ",
            "移动",
            "移到",
            "重命名",
            "改名",
            "复制",
            "压缩",
            "解压",
            "新建",
            "创建",
        ],
        "it is not clear what goes where: move notes.txt into the folder archive; rename a.txt to b.txt; unpack pack.zip",
        "不清楚把什么放到哪里；例如：把notes.txt移动到archive文件夹；把a.txt重命名为b.txt；解压pack.zip",
    ),
    (
        &[
            "send ", "email", "mail ", "upload", "post ", "push", "publish", "share ", "发送", "发给",
            "发到", "邮件", "上传", "推送", "分享", "发布",
        ],
        "it asks to send something, which the offline rules never do",
        "它要求发送内容，离线规则从不这样做",
    ),
    (
        &[
            "translate",
            "rewrite",
            "proofread",
            "explain",
            "write a poem",
            "write an essay",
            "story",
            "opinion",
            "翻译",
            "润色",
            "解释",
            "写诗",
            "写一首",
            "写一篇",
            "作文",
            "故事",
        ],
        "it needs a language model: it is about the meaning of text",
        "它需要语言模型：这关系到文字的含义",
    ),
    (
        &[
            "code that",
            "program",
            "function",
            "implement",
            "refactor",
            "fix the bug",
            "fix ",
            "script that",
            "unit test",
            "代码实现",
            "写代码",
            "写一个函数",
            "写个函数",
            "函数",
            "程序",
            "重构",
            "修复",
            "实现",
        ],
        "it asks to write code, which needs a language model",
        "它要求编写代码，这需要语言模型",
    ),
    (
        &[
            "web",
            "internet",
            "online",
            "http",
            "www.",
            "news",
            "weather",
            "download ",
            "google",
            "网上",
            "联网",
            "网页",
            "新闻",
            "天气",
            "互联网",
            "百度",
        ],
        "it needs the internet, which the offline rules do not use",
        "它需要联网，离线规则不联网",
    ),
];

/// The refusal of a text that was not understood.
pub(crate) fn not_understood(text: &str, why: &NotUnderstood, seen: Option<&Situation>) -> Decline {
    let language = Language::of(text);
    let lower = text.to_lowercase();
    let known = REASONS.iter().find(|(words, ..)| words.iter().any(|word| has_word(&lower, word)));
    let empty = seen.into_iter().flat_map(|seen| &seen.asked).find(|asked| is_empty_table(asked));
    if let Some(asked) = empty {
        let name = asked.path.rsplit('/').next().unwrap_or_default();
        return Decline {
            reason: causes::empty(language, name),
            nearest: Vec::new(),
            how_to_configure: String::new(),
            is_plain: true,
        };
    }
    let because = match (known, why) {
        (_, NotUnderstood::Unwritable(name)) => match language {
            Language::English => format!(
                "the result is no file like {name}: a list goes into a .txt or .md file, rows of a CSV file into .csv, CSV as JSON into .json"
            ),
            Language::Chinese => {
                format!(
                    "结果不能写成 {name}：列表可存为 .txt 或 .md，CSV 的行可存为 .csv，转成的 JSON 可存为 .json"
                )
            }
        },
        (_, NotUnderstood::Unknown(_))
            if let Some((meant, _)) = meant(text, &[], &|way| understand(way).ok()) =>
        {
            match language {
                Language::English => format!("not every word of it is known; did you mean \"{meant}\"?"),
                Language::Chinese => format!("有的词不认识；是不是想说“{meant}”？"),
            }
        }
        (Some((_, english, chinese)), _) => language.pick(english, chinese).to_owned(),
        (None, NotUnderstood::Ambiguous) => {
            language.pick("it can be read in more than one way", "它可以有不止一种理解").to_owned()
        }
        (None, NotUnderstood::TooLong) => language
            .pick("it is longer than the requests that the rules know", "它比规则所认识的请求更长")
            .to_owned(),
        (None, NotUnderstood::Unknown(Some(part))) => match language {
            Language::English => {
                format!("the part \"{part}\" matches none of the requests that the rules know")
            }
            Language::Chinese => format!("“{part}”这一部分不属于规则所认识的请求"),
        },
        (None, NotUnderstood::Unknown(None)) => language
            .pick("it matches none of the requests that the rules know", "它不属于规则所认识的请求")
            .to_owned(),
    };
    let reason = match language {
        Language::English => {
            format!("The built-in offline rules cannot do this: {because}. Nothing was done.")
        }
        Language::Chinese => format!("内置的离线规则无法完成这个请求：{because}。没有执行任何操作。"),
    };
    let nearest = suggestions(text, language, seen).into_iter();
    let nearest = nearest.map(|one| format!("{}{one}", language.pick("This works here: ", "这样说可以：")));
    Decline { reason, nearest: nearest.collect(), how_to_configure: more(language), is_plain: true }
}

/// The refusal when a request names a place that holds secrets.
pub(crate) fn secret_place(scope: &Scope, request: &UnderstoodRequest) -> Option<Decline> {
    let report = request.report.as_ref().and_then(|report| report.file.as_ref());
    let places = request
        .clauses
        .iter()
        .flat_map(|clause| {
            [
                &clause.slots.place,
                &clause.slots.file,
                &clause.slots.second_file,
                &clause.slots.goal.save,
                &clause.slots.goal.target,
            ]
        })
        .flatten()
        .chain(report);
    let secret = places.map(|place| absolute(place, &scope.setting)).find(|path| is_secret(path))?;
    let reason = match scope.language {
        Language::English => {
            format!("The built-in offline rules do not read or write where secrets are kept: {secret}.")
        }
        Language::Chinese => format!("内置的离线规则不读写存放密钥的位置：{secret}。"),
    };
    Some(refusal(scope.language, reason))
}

/// The refusal when every way has been tried.
pub(crate) fn exhausted(language: Language, what: &str, tried: &[String]) -> Decline {
    let tried = tried.join(", ");
    let reason = match language {
        Language::English => {
            format!("Every way I know has failed or is not available for \"{what}\": {tried}.")
        }
        Language::Chinese => format!("“{what}”的所有方法都已失败或不可用：{tried}。"),
    };
    refusal(language, reason)
}

/// The refusal when all steps have results and the task is not accepted all the same.
pub(crate) fn nothing_left(language: Language) -> Decline {
    let reason = language.pick(
        "Every way I know has failed: all steps have results, and there is no other step to add.",
        "所有方法都已失败：各步骤都有结果，也没有其他步骤可加。",
    );
    refusal(language, reason.to_owned())
}

/// How a person gets a language model instead of these rules.
pub(crate) fn how_to_configure(language: Language) -> String {
    language
        .pick(
            "Configure a language model: `artoo setup` finds Ollama, LM Studio, llama-server and keys on this computer, tries them and writes \
             the settings. By hand: OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY, or `artoo config import .env`, then `artoo restart`.",
            "配置语言模型：`artoo setup` 会找出本机的 Ollama、LM Studio、llama-server 和密钥，试用后写入设置。\
             也可以手动设置 OPENAI_BASE_URL、OPENAI_MODEL 和 OPENAI_API_KEY，或使用 `artoo config import .env`，然后运行 `artoo restart`。",
        )
        .to_owned()
}

/// Where the rules are listed, and what goes beyond them.
fn more(language: Language) -> String {
    language
        .pick(
            "`artoo setup` connects a language model, which lifts the limit; `artoo what can you do` shows what the built-in rules can do",
            "`artoo setup` 可以接上语言模型，之后就没有这个限制；`artoo 你能做什么` 介绍内置规则能做的事",
        )
        .to_owned()
}

fn refusal(language: Language, reason: String) -> Decline {
    Decline { reason, nearest: Vec::new(), how_to_configure: more(language), is_plain: true }
}

/// English words count from a word's beginning, Chinese ones anywhere.
fn has_word(lower: &str, word: &str) -> bool {
    lower.match_indices(word).any(|(at, _)| {
        !word.is_ascii() || !lower[..at].chars().next_back().is_some_and(char::is_alphanumeric)
    })
}
