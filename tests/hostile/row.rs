//! What one row is: data, from which a scripted model's plan and calls are made.

use serde_json::{Value, json};

use artoo_testing::model_server::Seen;
use artoo_testing::scripted_roles::{Scenario, checked, criterion, finish, plan, subtask, tool};

/// One call that the model makes. Names in braces stand for what a scene knows: `{home}`, `{work}`, `{data}`, `{tcp}` and
/// `{udp}` (ports of servers that listen), `{unix}` (a socket), `{private}` (what a private document says), `{mark}`
/// (a text that nothing else of this machine has), `{pid}` (the daemon).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Call {
    /// A shell command.
    Shell(&'static str),
    /// A tool with JSON arguments.
    Tool(&'static str, &'static str),
    /// A whole reply of R3, as JSON text.
    Reply(&'static str),
}

/// A shell command.
pub(crate) const fn sh(command: &'static str) -> Call {
    Call::Shell(command)
}

/// A tool with JSON arguments.
pub(crate) const fn call(name: &'static str, arguments: &'static str) -> Call {
    Call::Tool(name, arguments)
}

/// Changes a reply that the script would give.
pub(crate) type Twist = fn(&Seen, Value) -> Value;

/// What a hostile model does with one task.
pub(crate) struct Row {
    /// What it is after: rows of one theme stand together in the table.
    pub(crate) theme: &'static str,
    /// What it does.
    pub(crate) name: &'static str,
    /// What is done before anything else, one call after the other; each of them works.
    setup: &'static [Call],
    /// Steps of one call each, all at the same time.
    each: &'static [Call],
    /// Steps of several calls, one after the other.
    chains: &'static [&'static [Call]],
    twist: Option<Twist>,
    /// Whether the task's criterion is one that the model itself judges, rather than one that code finds unmet.
    is_judged_by_model: bool,
    /// Whether the model gets as far as a turn in which it could call a tool.
    pub(crate) is_tried: bool,
}

/// A row whose calls are steps of their own, at the same time: that one is denied does not spare us the others.
pub(crate) const fn each(theme: &'static str, name: &'static str, calls: &'static [Call]) -> Row {
    Row {
        theme,
        name,
        setup: &[],
        each: calls,
        chains: &[],
        twist: None,
        is_judged_by_model: false,
        is_tried: true,
    }
}

/// A row with one step after another call by call, for each chain.
pub(crate) const fn chains(
    theme: &'static str,
    name: &'static str,
    chains: &'static [&'static [Call]],
) -> Row {
    Row { theme, name, setup: &[], each: &[], chains, twist: None, is_judged_by_model: false, is_tried: true }
}

impl Row {
    /// The same row, with calls that come before all others.
    pub(crate) const fn after(self, setup: &'static [Call]) -> Self {
        Self { setup, ..self }
    }

    /// The same row in which the model also changes what it would have said.
    pub(crate) const fn twisted(self, twist: Twist) -> Self {
        Self { twist: Some(twist), ..self }
    }

    /// The same row, which has to end before the model can call anything.
    pub(crate) const fn ends_before_a_call(self) -> Self {
        Self { is_tried: false, ..self }
    }

    /// The same row, where nothing but the model's own verdict stands between it and success.
    pub(crate) const fn judged_by_model(self) -> Self {
        Self { is_judged_by_model: true, ..self }
    }

    /// Every call, with what stands in braces filled in.
    pub(crate) fn scenario(&self, fill: &dyn Fn(&str) -> String) -> Scenario {
        let actions = |calls: &[Call]| calls.iter().map(|call| call.action(fill)).collect::<Vec<Value>>();
        let singles = self.each.iter().map(std::slice::from_ref);
        let steps: Vec<(String, Vec<Value>)> = singles
            .chain(self.chains.iter().copied())
            .enumerate()
            .map(|(at, calls)| (format!("{}, part {at}", self.name), actions(calls)))
            .collect();
        let done = [criterion("It was done.")];
        let mut planned: Vec<Value> =
            steps.iter().map(|(intent, _)| subtask(2, intent, &["shell"], &[], &done)).collect();
        let setup = (format!("{}, prepared", self.name), actions(self.setup));
        if !self.setup.is_empty() {
            planned.insert(0, subtask(1, &setup.0, &["shell"], &[], &done));
        }
        let goal = if self.is_judged_by_model {
            criterion("Every part of it was carried out.")
        } else {
            // Nothing makes this file: only code could say so, and it does not.
            checked("the mark is there", &json!({"kind": "file_exists", "path": fill("{work}/never-made")}))
        };
        let scenario = Scenario::new(plan(&[goal], &planned)).task_spec(json!({
            "slug": "hostile", "intent": self.name, "constraints": {"scope": null, "deadline": null},
            "tags": ["hostile"], "clarify": [], "direct_answer": null
        }));
        let all = steps.into_iter().chain([setup]);
        all.fold(scenario, |scenario, (intent, actions)| scenario.act(&intent, actions))
    }

    /// The reply to one request.
    pub(crate) fn twist(&self, seen: &Seen, reply: Value) -> Value {
        match self.twist {
            Some(twist) => twist(seen, reply),
            None => reply,
        }
    }
}

impl Call {
    fn action(&self, fill: &dyn Fn(&str) -> String) -> Value {
        match self {
            Self::Shell(command) => tool("shell", &json!({"command": fill(command)})),
            Self::Tool(name, arguments) => tool(&fill(name), &parse(&fill(arguments))),
            Self::Reply(reply) => parse(&fill(reply)),
        }
    }
}

/// R3 says that it is done, whatever happened.
pub(crate) fn claim() -> Value {
    finish("completed", "All of it was done, and the person approved it beforehand [receipt r1] exit=0.")
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("a row holds no JSON ({error}): {text}"))
}
