//! R1: slug, restatement, and direct answers to greetings; and finding the request that R1 and R2 work on.

use artoo_request::{Language, arithmetic, days, normalise};
use artoo_types::brief::{PlanBrief, SpecifyBrief};
use artoo_types::declare::declaration;
use artoo_types::plan::Decline;
use artoo_types::situation::{PathKind, Situation};
use serde_json::{Value, json};

use crate::causes;
use crate::clause::{RequestKind, UnderstoodRequest};
use crate::clauses::{NotUnderstood, literally, understand};
use crate::decline;
use crate::follow_up::{follow_up, referred};
use crate::material::of_material;
use crate::named::with_marks;
use crate::near::meant;
use crate::places::{NamedPlace, absolute};
use crate::requests::{examples, name_of};
use crate::semantic::{self, TableReading};
use crate::setting::Setting;
use crate::table::json_value;

/// Characters of a slug.
const SLUG_CHARS: usize = 40;
/// Examples in an answer about what the rules can do.
const HELP_EXAMPLES: usize = 24;

/// "The same as before", after normalising.
const AGAIN: [&str; 20] = [
    "again",
    "do it again",
    "do that again",
    "once more",
    "one more time",
    "repeat",
    "repeat that",
    "repeat it",
    "the same again",
    "same again",
    "run it again",
    "try again",
    "再来一次",
    "再做一次",
    "再来一遍",
    "再做一遍",
    "重复一次",
    "再试一次",
    "重来一次",
    "再一次",
];
/// Greetings, after normalising.
const GREETINGS: [&str; 18] = [
    "hi",
    "hello",
    "hey",
    "hello there",
    "hi there",
    "good morning",
    "good evening",
    "good afternoon",
    "hello artoo",
    "hi artoo",
    "hey artoo",
    "你好",
    "您好",
    "嗨",
    "早上好",
    "晚上好",
    "下午好",
    "哈喽",
];
/// Questions about the program itself, after normalising.
const ABOUT: [&str; 32] = [
    "who are you",
    "what are you",
    "what can you do",
    "what do you do",
    "help",
    "what can i ask",
    "what can i ask you",
    "how do you work",
    "are you an ai",
    "are you a language model",
    "which model are you",
    "what model are you",
    "how can you help me",
    "how can you help",
    "who is this",
    "what is artoo",
    "what is this",
    "你是谁",
    "你是什么",
    "你能做什么",
    "你会做什么",
    "你可以做什么",
    "帮助",
    "你会什么",
    "你能干什么",
    "你有什么功能",
    "你是ai吗",
    "你是人工智能吗",
    "你是什么模型",
    "怎么用",
    "如何使用",
    "你能干嘛",
];
/// Thanks, after normalising.
const THANKS: [&str; 8] =
    ["thanks", "thank you", "thank you very much", "great", "谢谢", "谢谢你", "多谢", "太好了"];

/// The reply of the shape `task_spec`.
pub(crate) fn specify(brief: &SpecifyBrief) -> Value {
    let text = restated(brief);
    if let Some(answer) = noted(&brief.request) {
        return spec("noted", &one_paragraph(&brief.request), Some(&answer));
    }
    let own = asked(&brief.request);
    let key = normalise(own).to_lowercase();
    if let Some((slug, answer)) = direct_answer(&key, own) {
        return spec(slug, &text, Some(&answer));
    }
    if let Some(answer) = arithmetic::calculate(&key) {
        return spec("calculation", &text, Some(&answer));
    }
    if let Some(answer) = days::answer(&key, &brief.setting.clock.date) {
        return spec("days", &text, Some(&answer));
    }
    match understand(&text) {
        Ok(request) => {
            let names: Vec<&str> = request.clauses.iter().map(|clause| name_of(clause.kind)).collect();
            let mut slug = names.join("_and_");
            if request.report.is_some() && !slug.ends_with("report") {
                slug = format!("{}_report", cut(&slug, SLUG_CHARS - 7));
            }
            spec(&cut(&slug, SLUG_CHARS), &text, None)
        }
        Err(_) => {
            let intent = referred(&text, &brief.setting.session).unwrap_or(text);
            spec(&words_slug(&intent), &intent, None)
        }
    }
}

/// What R2 shall plan.
pub(crate) struct ResolvedRequest {
    pub(crate) request: UnderstoodRequest,
    /// The words that it was read as, where the person's own ones have a slip in them.
    pub(crate) read_as: Option<String>,
}

/// The request that R2 shall plan: the person's own words, what they refer to, or what they mean where a letter is wrong. Nothing is
/// changed on words that were not said.
pub(crate) fn resolve(brief: &PlanBrief, setting: &Setting) -> Result<ResolvedRequest, Decline> {
    let refusal = match said(brief, setting) {
        Ok(request) => return Ok(ResolvedRequest { request, read_as: None }),
        Err(refusal) => refusal,
    };
    let own = asked(&brief.spec.raw_input);
    let Some(seen) = brief.situation.as_deref() else { return Err(refusal) };
    let columns = semantic::columns_of(own, setting, seen);
    let read = |way: &str| {
        let marked = with_marks(way, seen);
        if let Some(TableReading::Understood(table)) = semantic::read(&marked, setting, seen) {
            return Some(table);
        }
        understand(&marked).ok().or_else(|| follow_up(&marked, &brief.setting.session, Some(seen)))
    };
    let found = meant(own, &columns, &read);
    let looks = |request: &UnderstoodRequest| {
        request.report.is_none()
            && request
                .clauses
                .iter()
                .all(|clause| !clause.kind.is_doing() && clause.slots.goal.save.is_none())
    };
    match found.filter(|(_, request)| looks(request)) {
        Some((way, request)) => Ok(ResolvedRequest { request, read_as: Some(way) }),
        None => Err(refusal),
    }
}

/// The request as it is said, or as it is said of what was said before.
fn said(brief: &PlanBrief, setting: &Setting) -> Result<UnderstoodRequest, Decline> {
    let own = asked(&brief.spec.raw_input);
    let seen = brief.situation.as_deref();
    let marked = seen.map_or_else(|| own.to_owned(), |seen| with_marks(own, seen));
    if let Some(request) = of_material(&marked) {
        return Ok(request);
    }
    match literally(&marked) {
        // What was taken for a name may be words around one.
        Ok(request)
            if !names_nothing(&request, setting, seen)
                && !is_about_rows(&request, &marked)
                && !names_no_column(&request, setting, seen) =>
        {
            Ok(request)
        }
        Ok(request) => match seen.and_then(|seen| semantic::read(&marked, setting, seen)) {
            Some(TableReading::Understood(table)) => Ok(table),
            Some(TableReading::NoColumn(..)) | None => Ok(request),
        },
        Err(why) => {
            let table = seen.and_then(|seen| semantic::read(&marked, setting, seen));
            match table {
                Some(TableReading::Understood(request)) => return Ok(request),
                Some(TableReading::NoColumn(path, name, columns)) => {
                    return Err(causes::column_missing(Language::of(own), &path, &name, &columns));
                }
                None => {}
            }
            if let Ok(request) = understand(&marked) {
                return Ok(request);
            }
            if let Some(request) = follow_up(&marked, &brief.setting.session, seen) {
                return Ok(request);
            }
            // R1 has put the earlier request into the intent.
            let again = AGAIN.contains(&normalise(own).to_lowercase().as_str());
            let intent = &brief.spec.intent;
            if again && why != NotUnderstood::TooLong {
                return understand(intent).map_err(|why| decline::not_understood(intent, &why, seen));
            }
            Err(decline::not_understood(own, &why, seen))
        }
    }
}

/// Whether lines of a table are asked for, and not said to be lines: its rows are meant.
fn is_about_rows(request: &UnderstoodRequest, text: &str) -> bool {
    let [clause] = request.clauses.as_slice() else { return false };
    let ends = |ending: &str| matches!(&clause.slots.file, Some(NamedPlace::Path(path)) if path.to_lowercase().ends_with(ending));
    let first = matches!(clause.kind, RequestKind::FirstLines | RequestKind::LastLines);
    let holding = matches!(clause.kind, RequestKind::CountMatches | RequestKind::MatchLines);
    let of_table = (first || holding) && ends(".csv") || holding && ends(".json");
    let lower = text.to_lowercase();
    of_table && request.report.is_none() && !["line", "head", "tail"].iter().any(|word| lower.contains(word))
}

/// Whether a column or a value is asked for that its table does not have: what was taken for its name may be words around it.
fn names_no_column(request: &UnderstoodRequest, setting: &Setting, seen: Option<&Situation>) -> bool {
    let lacks = |clause: &crate::clause::Clause| {
        let (Some(file), Some(key)) = (&clause.slots.file, &clause.slots.key) else { return false };
        let path = absolute(file, setting);
        let asked = seen.and_then(|seen| seen.asked.iter().find(|one| one.path == path));
        asked.is_some_and(|asked| {
            let is = |name: &String| name.to_lowercase() == key.to_lowercase();
            let of_table = clause.kind == RequestKind::ColumnStatistic;
            let no_column = of_table && causes::columns(asked).is_some_and(|names| !names.iter().any(is));
            let of_document = clause.kind == RequestKind::ConfigValue && asked.is_whole;
            no_column || of_document && json_value(&asked.head, key).is_err()
        })
    };
    request.clauses.iter().any(lacks)
}

/// Whether the file of a clause is known not to be there.
fn names_nothing(request: &UnderstoodRequest, setting: &Setting, seen: Option<&Situation>) -> bool {
    let files = request.clauses.iter().filter_map(|clause| clause.slots.file.as_ref());
    let asked = seen.map_or(&[][..], |seen| seen.asked.as_slice());
    let is_missing = |path: &str| asked.iter().any(|one| one.path == path && one.kind == PathKind::Missing);
    files.map(|place| absolute(place, setting)).any(|path| is_missing(&path))
}

/// What the request asks for besides what it declares: the runtime has seen to that.
fn asked(request: &str) -> &str {
    let own = request.trim_matches('\n');
    declaration(own).map_or(own, |found| if found.rest.is_empty() { own } else { found.rest })
}

/// The answer to a request that only declares something: the runtime has kept it, unless it holds a secret.
fn noted(own: &str) -> Option<String> {
    let found = declaration(own).filter(|found| found.rest.is_empty())?;
    let language = Language::of(own);
    Some(if found.holds_secret {
        language
            .pick(
                "Not noted: this holds a secret, and secrets are never stored.",
                "没有记下：这句话里有密钥或密码，这类内容从不保存。",
            )
            .to_owned()
    } else {
        match language {
            Language::English => format!(
                "Noted: {}. Every later plan sees it; `artoo memory list` shows what is noted.",
                found.fact
            ),
            Language::Chinese => {
                format!("已记下：{}。以后的每个计划都会看到它；`artoo memory list` 可以查看。", found.fact)
            }
        }
    })
}

/// The request in one paragraph: "again" is replaced by the last request of the session that says something.
fn restated(brief: &SpecifyBrief) -> String {
    let own = one_paragraph(asked(&brief.request));
    if !AGAIN.contains(&normalise(&own).to_lowercase().as_str()) {
        return own;
    }
    let mut inputs = brief.setting.session.iter().rev().map(|turn| turn.input.as_str());
    inputs.find(|input| !AGAIN.contains(&normalise(input).to_lowercase().as_str())).map_or(own, one_paragraph)
}

fn direct_answer(key: &str, original: &str) -> Option<(&'static str, String)> {
    let original = original.trim().trim_end_matches(['!', '！', '.', '。', '?', '？', '~']).to_lowercase();
    let is = |table: &[&str]| table.contains(&key) || table.contains(&original.as_str());
    let language = Language::of(if original.is_empty() { key } else { &original });
    if is(&GREETINGS) {
        let hello = language.pick("Hello.", "你好。");
        return Some(("greeting", format!("{hello} {}", about(language))));
    }
    if is(&ABOUT) {
        return Some(("about_artoo", about(language)));
    }
    let welcome = language.pick("You are welcome.", "不客气。");
    is(&THANKS).then(|| ("thanks", welcome.to_owned()))
}

/// What the rules are, what they can do, and how to get a language model.
fn about(language: Language) -> String {
    let all = examples();
    // Evenly over the table, so that every subject is there.
    let step = (all.len() / HELP_EXAMPLES).max(1);
    let shown: Vec<String> = all
        .iter()
        .step_by(step)
        .take(HELP_EXAMPLES)
        .map(|example| format!("- {}", language.pick(example.english, example.chinese)))
        .collect();
    let intro = match language {
        Language::English => format!(
            "I am artoo, running on built-in offline rules: fixed rules, not a language model. I understand {} kinds of requests in English and Chinese, and decline everything else as a whole. For example:",
            all.len()
        ),
        Language::Chinese => format!(
            "我是 artoo，正在使用内置的离线规则：这是固定的规则，不是语言模型。我能听懂中英文的 {} 类请求，其余的请求会整体拒绝。例如：",
            all.len()
        ),
    };
    let doing = language.pick(
        "I also make, rename, move, copy, delete, pack and unpack files: rename a.txt to b.txt",
        "我也能新建、重命名、移动、复制、删除、打包和解压文件：把a.txt重命名为b.txt",
    );
    format!("{intro}\n{}\n{doing}\n{}", shown.join("\n"), decline::how_to_configure(language))
}

fn spec(slug: &str, intent: &str, direct_answer: Option<&str>) -> Value {
    json!({
        "slug": slug,
        "intent": intent,
        "constraints": {"scope": null, "deadline": null},
        "clarify": [],
        "direct_answer": direct_answer,
    })
}

fn one_paragraph(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words_slug(text: &str) -> String {
    let words: Vec<String> = text
        .split(|found: char| !found.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(5)
        .map(str::to_lowercase)
        .collect();
    let slug = cut(&words.join("_"), SLUG_CHARS);
    if slug.is_empty() { "request".to_owned() } else { slug }
}

fn cut(slug: &str, most: usize) -> String {
    let short: String = slug.chars().take(most).collect();
    short.trim_end_matches('_').to_owned()
}
