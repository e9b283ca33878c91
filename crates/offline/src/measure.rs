//! The parts of a plan: a measurement, the ways to carry it out in the order in which they are tried, and the criteria.

use artoo_request::Language;
use artoo_types::tool::names::{FIND_FILES, MDFIND, SHELL};
use serde_json::{Value, json};

use crate::setting::Setting;

/// Stands in a planned action for a path that an earlier step will find.
pub(crate) const FOUND_PATH: &str = "‹path›";

/// What every measurement is built from.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) language: Language,
    pub(crate) setting: Setting,
    /// Most lines of a list.
    pub(crate) limit: usize,
    /// Whether the output goes into a file, so that it holds nothing but what was found.
    pub(crate) saves: bool,
}

/// One thing that the person wants to know.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Heading of its section in a report.
    pub(crate) heading: String,
    /// Names of the columns of its output, if that is a table.
    pub(crate) columns: Vec<String>,
    /// The ways to find it out, best first.
    pub(crate) alternatives: Vec<Alternative>,
    /// What the result must look like, whichever way was taken.
    pub(crate) output: Vec<Value>,
}

/// One way: steps that follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) steps: Vec<MeasureStep>,
}

/// One step: what becomes a subtask.
#[derive(Clone, Debug)]
pub(crate) struct MeasureStep {
    pub(crate) intent: String,
    /// A sentence for people who read the plan.
    pub(crate) words: String,
    /// Lines of the recipe: `do` or `then`, and its JSON.
    pub(crate) recipe: Vec<(&'static str, Value)>,
    /// Tool classes.
    pub(crate) tools: Vec<String>,
    /// Inputs known at planning time.
    pub(crate) targets: Vec<String>,
    /// Criteria besides the measurement's own.
    pub(crate) criteria: Vec<Value>,
    /// Whether it works on one file: where one tool did not find it, another will not either.
    pub(crate) one_file: bool,
}

impl Alternative {
    /// A way of one step.
    pub(crate) fn single(step: MeasureStep) -> Self {
        Self { steps: vec![step] }
    }
}

impl Scope {
    /// The folder as a part of an intent; nothing for the working directory, which goes without saying.
    pub(crate) fn at(&self, root: &str) -> String {
        if root == self.setting.working_directory { String::new() } else { format!(": {root}") }
    }

    /// The name of the file search on this system.
    pub(crate) fn file_search(&self) -> &'static str {
        if self.setting.macos { MDFIND } else { FIND_FILES }
    }

    /// The text in the language of the request.
    pub(crate) fn say<'a>(&self, english: &'a str, chinese: &'a str) -> &'a str {
        self.language.pick(english, chinese)
    }

    /// A step that runs one shell command whose output is the answer. `programs`: all that the command starts, the
    /// first one first.
    pub(crate) fn shell(
        &self,
        intent: &str,
        command: &str,
        programs: &[&str],
        targets: &[String],
    ) -> MeasureStep {
        let tools: Vec<String> = programs.iter().map(|program| format!("{SHELL}:{program}")).collect();
        let first = tools.first().cloned().unwrap_or_default();
        MeasureStep {
            intent: intent.to_owned(),
            words: format!(
                "{}{}",
                self.say("Shell command, reads only. Target: ", "只读的 shell 命令。目标："),
                targets.join(", ")
            ),
            recipe: vec![("do", json!({"tool": SHELL, "arguments": self.command(command), "final": true}))],
            criteria: vec![self.exit_zero(&first)],
            one_file: false,
            tools,
            targets: known(targets),
        }
    }

    /// The arguments of a call: a command of the rules may take as long as the task leaves it, a folder can be large.
    fn command(&self, command: &str) -> Value {
        match self.setting.command_ms {
            0 => json!({"command": command}),
            most => json!({"command": command, "timeout_ms": most}),
        }
    }

    /// A way of one shell command on one file.
    pub(crate) fn on_file(
        &self,
        intent: &str,
        path: &str,
        command: &str,
        programs: &[&str],
    ) -> Vec<Alternative> {
        vec![Alternative::single(self.shell(intent, command, programs, &[path.to_owned()]))]
    }

    /// A step that makes one call of a tool whose output is the answer.
    pub(crate) fn call(
        &self,
        intent: &str,
        tool: &str,
        arguments: &Value,
        targets: &[String],
    ) -> MeasureStep {
        MeasureStep {
            intent: intent.to_owned(),
            words: format!("{}{tool}", self.say("One call of ", "调用一次 ")),
            recipe: vec![("do", json!({"tool": tool, "arguments": arguments, "final": true}))],
            tools: vec![tool.to_owned()],
            targets: known(targets),
            criteria: vec![self.exit_zero(tool)],
            one_file: false,
        }
    }

    /// A step that makes one call and computes the answer from its output.
    pub(crate) fn compute(
        &self,
        intent: &str,
        tool: &str,
        arguments: &Value,
        targets: &[String],
        then: Value,
    ) -> MeasureStep {
        let mut step = self.call(intent, tool, arguments, targets);
        step.recipe =
            vec![("do", json!({"tool": tool, "arguments": arguments, "final": false})), ("then", then)];
        step
    }

    /// The criterion that a tool did its work.
    pub(crate) fn exit_zero(&self, tool: &str) -> Value {
        let text = match self.language {
            Language::English => format!("`{tool}` ended with exit status 0"),
            Language::Chinese => format!("`{tool}` 以退出码 0 结束"),
        };
        criterion(&text, json!({"kind": "exit_status", "tool": tool, "value": 0}))
    }

    /// The criterion that the output matches an expression; `text` says what that means.
    pub(crate) fn matches(&self, english: &str, chinese: &str, regex: &str) -> Value {
        criterion(self.say(english, chinese), json!({"kind": "output_matches", "regex": regex}))
    }

    /// The criterion that the output has at most `most` lines, and one for a remark such as "... and 12 more".
    pub(crate) fn at_most_lines(&self, most: u64) -> Value {
        let text = match self.language {
            Language::English => format!("the output has at most {most} lines, remarks aside"),
            Language::Chinese => format!("输出不超过 {most} 行（说明除外）"),
        };
        criterion(&text, json!({"kind": "output_lines", "op": "le", "n": most + 1}))
    }

    /// The criterion that the output is a list of absolute paths, or says that there are none.
    pub(crate) fn path_list(&self, endings: &[String]) -> Value {
        let ending = if endings.is_empty() { String::new() } else { format!("\\.(?:{})", endings.join("|")) };
        self.matches(
            "the output lists absolute paths of such files, or says that there are none",
            "输出是这类文件的绝对路径，或说明没有",
            &format!("(?i)\\A\\s*(?:\\(no match\\)|/[^\\n]*{ending}(?:\\n|\\z))"),
        )
    }

    /// The criterion that the output ranks files by a number, or says that there are none.
    pub(crate) fn ranked_list(&self) -> Value {
        self.matches(
            "every line is a size in bytes and a path, or the output says that there are none",
            "每一行是字节数和路径，或说明没有",
            "\\A\\s*(?:\\(no match\\)|\\d+\\t/[^\\n]*(?:\\n\\d+\\t/[^\\n]*)*)(?:\\n\\.\\.\\. [^\\n]*)?\\s*\\z",
        )
    }

    /// The criterion that the output begins with a number.
    pub(crate) fn starts_with_number(&self) -> Value {
        self.matches("the output begins with the number", "输出以数字开头", "\\A\\s*\\d+\\b")
    }

    /// The criterion that the output is not empty.
    pub(crate) fn not_empty(&self) -> Value {
        self.matches("the output is not empty", "输出不为空", "\\S")
    }
}

/// A verifiable criterion with its check.
#[allow(clippy::needless_pass_by_value, reason = "a freshly built value; a reference would only add noise")]
pub(crate) fn criterion(text: &str, check: Value) -> Value {
    json!({"text": text, "mode": "verifiable", "check": check})
}

/// The text with every character that means something in a regular expression escaped.
pub(crate) fn escape_regex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for found in text.chars() {
        if "\\.+*?()|[]{}^$#&-~/ ".contains(found) && found != ' ' && found != '/' {
            out.push('\\');
        }
        out.push(found);
    }
    out
}

fn known(targets: &[String]) -> Vec<String> {
    targets.iter().filter(|target| !target.contains(FOUND_PATH)).cloned().collect()
}
