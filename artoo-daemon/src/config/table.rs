//! The table of settings, and what derives from it without a value: documentation and the nearest known key.

use std::fmt::Write as _;

/// One key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The path in `config.toml`: section, dot, name.
    pub key: &'static str,
    /// The environment variable that outranks the file.
    pub environment: Option<&'static str>,
    /// What holds when nothing is configured.
    pub preset: Preset,
    /// What values it takes.
    pub kind: Kind,
    /// What it is for, in one line.
    pub meaning: &'static str,
}

impl Setting {
    /// The part of the key before its name: `model.brain` of `model.brain.api_key`.
    pub fn section(&self) -> &'static str {
        split(self.key).0
    }

    /// The last part of the key.
    pub fn name(&self) -> &'static str {
        split(self.key).1
    }

    /// Whether its value is never shown.
    pub fn is_secret(&self) -> bool {
        matches!(self.kind, Kind::Secret)
    }
}

/// What holds when nothing is configured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    /// This value, written as in a flag.
    Value(&'static str),
    /// The value of the same name in `[model]`.
    Shared,
    /// It follows from other settings, in this way.
    Derived(&'static str),
    /// Nothing.
    Nothing,
}

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// One of these words.
    Word(&'static [&'static str]),
    /// An HTTP address.
    Address,
    /// Any text that is not empty.
    Text,
    /// A key. Empty means: use none, not even a shared one.
    Secret,
    /// A finite number between the two, both included.
    Number(f64, f64),
    /// A whole number between the two, both included.
    Count(u64, u64),
}

/// Largest weight of a term of the loss. Terms are within 0 and 1, so that only proportions matter; the bound keeps
/// every sum finite.
const WEIGHT_LIMIT: f64 = 1_000.0;
/// Largest size in MiB: 1 PiB, so that its bytes fit every number that they meet.
const MIB_LIMIT: u64 = 1_073_741_824;
const PROVIDERS: Kind = Kind::Word(&["offline", "openai"]);
const SWITCH: Kind = Kind::Word(&["true", "false"]);
const SEARCHERS: Kind = Kind::Word(&["duckduckgo", "langsearch", "google", "brave", "searxng", "none"]);
const TOOL_CALLS: Kind = Kind::Word(&["json", "native"]);
const UNIT: Kind = Kind::Number(0.0, 1.0);
const WEIGHT: Kind = Kind::Number(0.0, WEIGHT_LIMIT);
const DERIVED: Preset =
    Preset::Derived("`openai` once a `base_url`, `model` or key is set for the tier, else `offline`");

const fn row(
    key: &'static str,
    environment: Option<&'static str>,
    preset: Preset,
    kind: Kind,
    meaning: &'static str,
) -> Setting {
    Setting { key, environment, preset, kind, meaning }
}

const FORCE: Option<&str> = Some("ARTOO_PROVIDER");

/// Every setting, in the order in which people see them.
#[rustfmt::skip]
pub static SETTINGS: &[Setting] = &[
    row("model.provider", FORCE, Preset::Nothing, PROVIDERS, "Who answers: a server that speaks Chat Completions, or the built-in offline rules. Shared by both tiers, like all of `[model]`."),
    row("model.base_url", Some("OPENAI_BASE_URL"), Preset::Value("https://api.openai.com/v1"), Kind::Address, "The server's address; `/chat/completions` is appended."),
    row("model.model", Some("OPENAI_MODEL"), Preset::Nothing, Kind::Text, "The model's name as the server knows it."),
    row("model.api_key", Some("OPENAI_API_KEY"), Preset::Nothing, Kind::Secret, "The key. Empty: none is sent."),
    row("model.api_key_file", None, Preset::Nothing, Kind::Text, "A file of mode 0600 that holds the key."),
    row("model.api_key_command", None, Preset::Nothing, Kind::Text, "A shell command that prints the key within 10 seconds."),
    row("model.tool_calls", None, Preset::Value("json"), TOOL_CALLS, "How tools are called: one JSON action a turn (every server), or the server's own tool calls."),
    row("model.brain.provider", FORCE, DERIVED, PROVIDERS, "Who answers for the brain: understanding, planning, judging the whole task, and the Dreamer."),
    row("model.brain.base_url", Some("BRAIN_BASE_URL"), Preset::Shared, Kind::Address, "The brain's server."),
    row("model.brain.model", Some("BRAIN_MODEL"), Preset::Shared, Kind::Text, "The brain's model."),
    row("model.brain.api_key", Some("BRAIN_API_KEY"), Preset::Shared, Kind::Secret, "The brain's key."),
    row("model.brain.api_key_file", None, Preset::Shared, Kind::Text, "A file that holds the brain's key."),
    row("model.brain.api_key_command", None, Preset::Shared, Kind::Text, "A command that prints the brain's key."),
    row("model.brain.tool_calls", None, Preset::Shared, TOOL_CALLS, "How the brain would call tools."),
    row("model.tool.provider", FORCE, DERIVED, PROVIDERS, "Who answers for the tool tier: carrying out subtasks and judging each."),
    row("model.tool.base_url", Some("TOOL_BASE_URL"), Preset::Shared, Kind::Address, "The tool tier's server."),
    row("model.tool.model", Some("TOOL_MODEL"), Preset::Shared, Kind::Text, "The tool tier's model."),
    row("model.tool.api_key", Some("TOOL_API_KEY"), Preset::Shared, Kind::Secret, "The tool tier's key."),
    row("model.tool.api_key_file", None, Preset::Shared, Kind::Text, "A file that holds the tool tier's key."),
    row("model.tool.api_key_command", None, Preset::Shared, Kind::Text, "A command that prints the tool tier's key."),
    row("model.tool.tool_calls", None, Preset::Shared, TOOL_CALLS, "How the tool tier calls tools."),
    row("control.alpha", None, Preset::Value("0.6"), WEIGHT, "α, weight of the distance D in the loss."),
    row("control.beta", None, Preset::Value("0.3"), WEIGHT, "β, weight of the implausibility P in the loss."),
    row("control.lambda", None, Preset::Value("0.4"), WEIGHT, "λ, weight of the cost Ω in the loss."),
    row("control.w1", None, Preset::Value("0.6"), UNIT, "Share of Ω that comes from directives."),
    row("control.w2", None, Preset::Value("0.4"), UNIT, "Share of Ω that comes from time."),
    row("control.epsilon", None, Preset::Value("0.1"), UNIT, "ε. Changes below this are a plateau."),
    row("control.delta", None, Preset::Value("0.3"), UNIT, "δ. At or below this distance plausible gaps are tolerated."),
    row("control.rho", None, Preset::Value("0.5"), UNIT, "ρ. Above this implausibility the approach is wrong."),
    row("control.theta", None, Preset::Value("0.8"), UNIT, "θ. At or above this cost no replan can pay for itself."),
    row("control.time_budget_ms", None, Preset::Value("300000"), Kind::Count(1_000, 86_400_000), "Time budget of a task in milliseconds; the hard deadline is twice as long."),
    row("control.max_replans", None, Preset::Value("3"), Kind::Count(0, 20), "Most directives of a task."),
    row("control.max_retries", None, Preset::Value("2"), Kind::Count(0, 10), "Most corrections of a subtask."),
    row("control.gradient", None, Preset::Value("quality"), Kind::Word(&["quality", "full"]), "Which change decides: of the quality part αD + βP, or of the whole loss."),
    row("storage.min_free_mib", None, Preset::Value("1024"), Kind::Count(0, MIB_LIMIT), "With less free space on the data folder's disk, in MiB, new tasks are refused; running ones go on. 0: never refused."),
    row("storage.keep_days", None, Preset::Value("90"), Kind::Count(7, 36_500), "Days for which ended tasks are kept."),
    row("storage.keep_tasks", None, Preset::Value("10000"), Kind::Count(1, 1_000_000), "Most ended tasks that are kept; the oldest go first, and none in its first 7 days."),
    row("storage.keep_mib", None, Preset::Value("5120"), Kind::Count(1, MIB_LIMIT), "Most space for the journals of ended tasks, in MiB; the oldest go first, and none in its first 7 days."),
    row("storage.audit_days", None, Preset::Value("365"), Kind::Count(7, 36_500), "Days for which closed segments of the audit log are kept."),
    row("storage.audit_mib", None, Preset::Value("1024"), Kind::Count(64, MIB_LIMIT), "Most space for the audit log, in MiB; the oldest segments go first, each with a record of it."),
    row("storage.trash_days", None, Preset::Value("30"), Kind::Count(7, 36_500), "Days for which what tasks deleted or overwrote can be restored with `artoo undo`."),
    row("storage.trash_mib", None, Preset::Value("4096"), Kind::Count(1, MIB_LIMIT), "Most space for what can be restored, in MiB; the oldest goes first, in its first days too."),
    row("storage.trash_call_mib", None, Preset::Value("256"), Kind::Count(1, MIB_LIMIT), "Most that is kept of one action, in MiB; of a larger one the question says that it cannot be undone."),
    row("storage.memory_backups", None, Preset::Value("3"), Kind::Count(0, 365), "Daily copies of the memory that are kept; one is made on a day on which something changed. 0: none is made."),
    row("memory.reflect", None, Preset::Value("true"), SWITCH, "Whether a model is asked for the lesson of a task that did not go smoothly, after its end and off its budget."),
    row("web.enabled", None, Preset::Value("true"), SWITCH, "Whether tools may use the internet: `fetch_url` and `search`. Models are reached all the same."),
    row("search.provider", None, Preset::Value("duckduckgo"), SEARCHERS, "Who answers `search`. DuckDuckGo needs no key."),
    row("search.base_url", None, Preset::Nothing, Kind::Address, "Another address of the provider; for a SearxNG, its own. It may be on this machine."),
    row("search.api_key", None, Preset::Nothing, Kind::Secret, "The provider's key."),
    row("search.api_key_file", None, Preset::Nothing, Kind::Text, "A file of mode 0600 that holds the provider's key."),
    row("search.api_key_command", None, Preset::Nothing, Kind::Text, "A shell command that prints the provider's key within 10 seconds."),
    row("search.engine_id", None, Preset::Nothing, Kind::Text, "The id of a Programmable Search Engine, which Google needs."),
];

/// What the tables of MCP servers stand below; their names are the operator's.
const MCP: &str = "mcp.servers";

/// The sections of `config.toml`.
pub(super) const SECTIONS: [&str; 8] =
    ["model", "model.brain", "model.tool", "control", "storage", "memory", "web", "search"];

/// The setting of that key.
pub(super) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// The known key nearest to an unknown one: its bare name when it belongs to the same section, else its whole path.
/// There always is one.
pub(super) fn nearest(unknown: &str) -> &'static str {
    let (section, name) = split(unknown);
    let likeness = |known: &'static str| {
        let (known_section, known_name) = split(known);
        let whole = strsim::normalized_damerau_levenshtein(unknown, known);
        let by_name = strsim::normalized_damerau_levenshtein(name, known_name);
        // A key of the same section is the likelier slip than one of equal spelling elsewhere.
        if section == known_section { by_name + 0.25 } else { whole.max(0.9 * by_name) }
    };
    let mut best = SECTIONS[0];
    let candidates = SECTIONS.into_iter().chain([MCP]).chain(SETTINGS.iter().map(|setting| setting.key));
    for known in candidates {
        if likeness(known) > likeness(best) {
            best = known;
        }
    }
    if split(best).0 == section { split(best).1 } else { best }
}

/// The table of all settings in Markdown, for the documentation.
pub fn markdown_table() -> String {
    let mut text = "| Key | Environment | Default | Values | Meaning |\n|---|---|---|---|---|\n".to_owned();
    for setting in SETTINGS {
        let environment = setting.environment.map_or_else(String::new, |name| format!("`{name}`"));
        let preset = match setting.preset {
            Preset::Value(value) => format!("`{value}`"),
            Preset::Shared => "as in `[model]`".to_owned(),
            Preset::Derived(how) => how.to_owned(),
            Preset::Nothing => "none".to_owned(),
        };
        let (key, values, meaning) = (setting.key, describe(setting.kind), setting.meaning);
        let line = writeln!(text, "| `{key}` | {environment} | {preset} | {values} | {meaning} |");
        line.expect("writing into a string cannot fail");
    }
    text
}

/// What values a kind takes, as a phrase: `a number from 0 to 1`.
pub(super) fn describe(kind: Kind) -> String {
    match kind {
        Kind::Word(words) => words.join(" or "),
        Kind::Address => "an address such as http://127.0.0.1:11434/v1".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Secret => "a key".to_owned(),
        Kind::Number(least, most) => format!("a number from {least} to {most}"),
        Kind::Count(least, most) => format!("a whole number from {least} to {most}"),
    }
}

fn split(key: &str) -> (&str, &str) {
    key.rsplit_once('.').unwrap_or(("", key))
}
