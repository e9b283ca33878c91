//! How measurements are called: nouns, headings, conditions in words.

use artoo_request::Language;

use crate::causes::shown;
use crate::clause::Clause;
use crate::kinds::ANY;
use crate::measure::Scope;
use crate::places::NamedPlace;
use crate::places::absolute;
use crate::shell::{name_pattern, quote};
use crate::slots::{Slots, What};

impl Scope {
    /// The folder of a clause: absolute, and as the person sees it.
    pub(crate) fn folder(&self, clause: &Clause) -> String {
        absolute(clause.slots.place.as_ref().unwrap_or(&NamedPlace::Here), &self.setting)
    }

    /// Which folder a word stands for that everybody uses: ` in ~/Downloads`; nothing where the person wrote the path.
    pub(crate) fn which(&self, place: Option<&NamedPlace>) -> String {
        let Some(place @ NamedPlace::Home(_, said)) = place else { return String::new() };
        let shown = shown(self, &absolute(place, &self.setting));
        match self.language {
            _ if said.is_empty() || shown.contains(['"', '\\', '\'', '%']) => String::new(),
            Language::English => format!(" in {shown}"),
            Language::Chinese => format!("（{shown}）"),
        }
    }

    /// The files of a clause by name: "PDF files", "files ending in .log".
    pub(crate) fn files_word(&self, slots: &Slots) -> String {
        match &slots.what {
            None => ANY.display(self.language == Language::Chinese).to_owned(),
            Some(What::Kind(kind)) => kind.display(self.language == Language::Chinese).to_owned(),
            Some(What::Ending(ending)) => format!(".{ending}{}", self.say(" files", " 文件")),
        }
    }

    /// A noun behind a count in a program of `awk`, in the right number. The program holds no figure that it could be said to
    /// have printed: `(NR-1 ? " lines" : " line")`.
    pub(crate) fn noun(&self, count: &str, english: [&str; 2], chinese: &str) -> String {
        let [one, many] = english;
        match self.language {
            Language::English => format!("({count}-1 ? \"{many}\" : \"{one}\")"),
            Language::Chinese => format!("\"{chinese}\""),
        }
    }

    /// One half of `english/中文`.
    pub(crate) fn half(&self, both: &str) -> String {
        let (english, chinese) = both.split_once('/').unwrap_or((both, both));
        self.say(english, chinese).to_owned()
    }

    /// "10 largest files" / "最大的 10 个文件".
    pub(crate) fn ranked(&self, english: &str, chinese: &str, count: u64, word: &str) -> String {
        match self.language {
            Language::English => format!("{count} {english} {word}"),
            Language::Chinese => format!("{chinese} {count} 个{word}"),
        }
    }

    pub(crate) fn counted(&self, word: &str) -> String {
        match self.language {
            Language::English => format!("Number of {word}"),
            Language::Chinese => format!("{word}数量"),
        }
    }

    /// A heading: capitalised, with the folder unless it is the working directory.
    pub(crate) fn heading(&self, words: &str, root: &str, conditions: &str) -> String {
        let mut chars = words.chars();
        let first = chars.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
        let place = if root == self.setting.working_directory { String::new() } else { format!(" ({root})") };
        format!("{first}{}{conditions}{place}", chars.as_str())
    }

    /// A size as the person wrote it, whose units are powers of two.
    fn bytes(&self, bytes: u64) -> String {
        let unit = [(30, "GB"), (20, "MB"), (10, "KB")];
        let whole = unit.iter().find(|(power, _)| bytes > 0 && bytes.is_multiple_of(1 << power));
        match whole {
            Some((power, unit)) => format!("{} {unit}", bytes >> power),
            None => format!("{bytes} {}", self.say("bytes", "字节")),
        }
    }

    /// The conditions of a request in words; empty when there are none.
    pub(crate) fn conditions(&self, slots: &Slots) -> String {
        let days = |minutes: u64| match minutes % (24 * 60) {
            0 => format!("{}{}", minutes / (24 * 60), self.say(" days", " 天")),
            _ => format!("{minutes}{}", self.say(" minutes", " 分钟")),
        };
        let mut parts: Vec<String> = Vec::new();
        if let Some(name) = &slots.name {
            parts.push(format!("{} {}", self.say("named", "名字匹配"), quote(&name_pattern(name))));
        }
        parts.extend(
            slots.larger.map(|bytes| format!("{} {}", self.say("larger than", "大于"), self.bytes(bytes))),
        );
        parts.extend(
            slots.smaller.map(|bytes| format!("{} {}", self.say("smaller than", "小于"), self.bytes(bytes))),
        );
        parts.extend(
            slots.newer.map(|age| format!("{} {}", self.say("changed within", "修改时间在最近"), days(age))),
        );
        parts.extend(
            slots.older.map(|age| format!("{} {}", self.say("unchanged for", "未修改超过"), days(age))),
        );
        if let Some(days) = &slots.goal.days {
            let (from, until) = days.ends(&self.setting.date);
            let from = from.map(|day| format!("{} {day}", self.say("changed from", "修改时间从")));
            let until = until.map(|day| format!("{} {day}", self.say("changed before", "修改时间早于")));
            parts.extend(from.into_iter().chain(until));
        }
        if parts.is_empty() {
            String::new()
        } else {
            format!(" ({}) ", parts.join(", ")).trim_end().to_owned()
        }
    }
}
