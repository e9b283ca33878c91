//! The table of settings, and what derives from it without a value: documentation and the nearest known key. To add a setting, add
//! its row here and the field that the row sets.

use std::fmt::Write as _;

use artoo_model::{ApiForm, ProviderKind, ToolCallForm};
use artoo_types::setting::{GradientKind, Law, ProjectMode};
use artoo_web::SearchProvider;

use super::field::{
    Field, KEY, KEY_COMMAND, KEY_FILE, address, count, headers, of_word, shared, switch, text, unit, weight,
    word, words,
};
use super::value::{ValueKind, describe};

/// One key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The path in `config.toml`: section, dot, name.
    pub key: &'static str,
    /// The environment variable that outranks the file.
    pub environment: Option<&'static str>,
    /// What holds when nothing is configured.
    pub preset: Preset,
    pub(super) field: Field,
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
        matches!(self.field.kind, ValueKind::Secret | ValueKind::Headers)
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

/// Largest size in MiB: 1 PiB, so that its bytes fit every number that they meet.
const MIB_LIMIT: u64 = 1_073_741_824;
const MIB: u64 = 1024 * 1024;
/// A wait in milliseconds: from a tenth of a second to a day.
const MS: (u64, u64) = (100, 86_400_000);
/// Tokens of a context: below the least no prompt of a role has room.
const CONTEXT: (u64, u64) = (2_048, 100_000_000);
const PROVIDERS: &[&str] = &words(&ProviderKind::WORDS);
const TOOL_CALLS: &[&str] = &words(&ToolCallForm::WORDS);
const APIS: &[&str] = &words(&ApiForm::WORDS);
const PROJECT_MODES: &[&str] = &words(&ProjectMode::WORDS);
const SEARCHERS: &[&str] = &["duckduckgo", "langsearch", "google", "brave", "searxng", "none"];
const GRADIENTS: [(&str, GradientKind); 2] =
    [("quality", GradientKind::Quality), ("full", GradientKind::Full)];
const LAWS: [(&str, Law); 2] = [("belief", Law::Belief), ("table", Law::Table)];
const DERIVED: Preset =
    Preset::Derived("`openai` once a `base_url`, `model` or key is set for the tier, else `offline`");

const SEARCHER: Preset =
    Preset::Derived("`langsearch` once `search.langsearch.api_key` is set, else `duckduckgo`");

const fn row(
    key: &'static str,
    environment: Option<&'static str>,
    preset: Preset,
    field: Field,
    meaning: &'static str,
) -> Setting {
    Setting { key, environment, preset, field, meaning }
}

fn whole(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

const FORCE: Option<&str> = Some("ARTOO_PROVIDER");

/// Every setting, in the order in which people see them.
#[rustfmt::skip]
pub static SETTINGS: &[Setting] = &[
    row("model.provider", FORCE, Preset::Nothing, shared(ValueKind::Word(PROVIDERS)), "Who answers: a server, or the built-in offline rules. Shared by both tiers, like all of `[model]`."),
    row("model.base_url", Some("OPENAI_BASE_URL"), Preset::Value("https://api.openai.com/v1"), shared(ValueKind::Address), "The server's address; the path of its interface, such as `/chat/completions`, is appended."),
    row("model.model", Some("OPENAI_MODEL"), Preset::Nothing, shared(ValueKind::Text), "The model's name as the server knows it."),
    row("model.api", None, Preset::Value("chat"), shared(ValueKind::Word(APIS)), "The interface that the server speaks: Chat Completions, OpenAI's Responses, or Anthropic's Messages."),
    row("model.api_key", Some("OPENAI_API_KEY"), Preset::Nothing, KEY, "The key. Empty: none is sent."),
    row("model.api_key_file", None, Preset::Nothing, KEY_FILE, "A file of mode 0600 that holds the key."),
    row("model.api_key_command", None, Preset::Nothing, KEY_COMMAND, "A shell command that prints the key within 10 seconds."),
    row("model.tool_calls", None, Preset::Value("auto"), shared(ValueKind::Word(TOOL_CALLS)), "How tools are called: `json`, one JSON action a turn, works with every server; `native` is the server's own tool calls; `auto` asks the server once, after its first reply, whether it makes them."),
    row("model.first_token_ms", None, Preset::Value("180000"), shared(ValueKind::Count(MS.0, MS.1)), "Longest wait for the first sign of a reply, in milliseconds, while the server loads the model or reads the prompt."),
    row("model.idle_ms", None, Preset::Value("60000"), shared(ValueKind::Count(MS.0, MS.1)), "Longest silence after it, in milliseconds. Whatever comes ends it: text, thoughts, a sign of life."),
    row("model.call_ms", None, Preset::Value("600000"), shared(ValueKind::Count(MS.0, MS.1)), "Longest call, however much comes, in milliseconds; the task's own time bounds it too."),
    row("model.context", None, Preset::Derived("what the server says, asked once"), shared(ValueKind::Count(CONTEXT.0, CONTEXT.1)), "Tokens that the model takes at once: prompts are no longer, and what they show of results grows with it."),
    row("model.images", None, Preset::Value("false"), shared(ValueKind::Word(&["true", "false"])), "Whether the model sees pictures: then `read_file` shows it PNG, JPEG, GIF and WebP files. What it reads off them stands in no receipt, so that a reader has to look."),
    row("model.headers", None, Preset::Nothing, shared(ValueKind::Headers), "Header fields of every request, such as `{ api-key = \"...\" }`. They outrank artoo's own."),
    row("model.ca_file", None, Preset::Nothing, shared(ValueKind::Text), "A file with certificates of further authorities, in PEM form, for a server whose certificate your own authority signed."),
    row("model.prices", None, Preset::Nothing, shared(ValueKind::Text), "A file with the prices of models, in the form of LiteLLM's `model_prices_and_context_window.json`: then every task tells what it cost."),
    row("model.command", None, Preset::Nothing, shared(ValueKind::Text), "A shell command that starts a server on this machine, such as `llama-server -m model.gguf --port 8080`. The daemon starts it, starts it again when it ends, and ends it with itself."),
    row("model.brain.provider", FORCE, DERIVED, word(PROVIDERS, |d, w| d.models.brain.kind = of_word(&ProviderKind::WORDS, w)), "Who answers for the brain: understanding, planning, judging the whole task, and the Dreamer."),
    row("model.brain.base_url", Some("BRAIN_BASE_URL"), Preset::Shared, address(|d, v| d.models.brain.base_url = v.to_owned()), "The brain's server."),
    row("model.brain.model", Some("BRAIN_MODEL"), Preset::Shared, text(|d, v| d.models.brain.model = v.to_owned()), "The brain's model."),
    row("model.brain.api", None, Preset::Shared, word(APIS, |d, w| d.models.brain.api = of_word(&ApiForm::WORDS, w)), "The interface that the brain's server speaks."),
    row("model.brain.api_key", Some("BRAIN_API_KEY"), Preset::Shared, KEY, "The brain's key."),
    row("model.brain.api_key_file", None, Preset::Shared, KEY_FILE, "A file that holds the brain's key."),
    row("model.brain.api_key_command", None, Preset::Shared, KEY_COMMAND, "A command that prints the brain's key."),
    row("model.brain.tool_calls", None, Preset::Shared, word(TOOL_CALLS, |d, w| d.models.brain.tool_calls = of_word(&ToolCallForm::WORDS, w)), "How the brain would call tools."),
    row("model.brain.first_token_ms", None, Preset::Shared, count(MS.0, MS.1, |d, v| d.models.brain.patience.first_token_ms = v), "The same for the brain."),
    row("model.brain.idle_ms", None, Preset::Shared, count(MS.0, MS.1, |d, v| d.models.brain.patience.idle_ms = v), "The same for the brain."),
    row("model.brain.call_ms", None, Preset::Shared, count(MS.0, MS.1, |d, v| d.models.brain.patience.call_ms = v), "The same for the brain."),
    row("model.brain.context", None, Preset::Shared, count(CONTEXT.0, CONTEXT.1, |d, v| d.models.brain.context = Some(v)), "The same for the brain."),
    row("model.brain.images", None, Preset::Shared, switch(|d, v| d.models.brain.images = v), "The same for the brain, which is shown none so far."),
    row("model.brain.headers", None, Preset::Shared, headers(|d, v| v.clone_into(&mut d.models.brain.headers)), "Header fields for the brain's server."),
    row("model.brain.ca_file", None, Preset::Shared, text(|d, v| d.models.brain.ca_file = Some(v.into())), "Authorities for the brain's server."),
    row("model.brain.prices", None, Preset::Shared, text(|d, v| d.models.brain.prices = Some(v.into())), "Prices for the brain."),
    row("model.brain.command", None, Preset::Shared, text(|d, v| d.models.brain.command = Some(v.to_owned())), "What starts the brain's server."),
    row("model.tool.provider", FORCE, DERIVED, word(PROVIDERS, |d, w| d.models.tool.kind = of_word(&ProviderKind::WORDS, w)), "Who answers for the tool tier: carrying out subtasks and judging each."),
    row("model.tool.base_url", Some("TOOL_BASE_URL"), Preset::Shared, address(|d, v| d.models.tool.base_url = v.to_owned()), "The tool tier's server."),
    row("model.tool.model", Some("TOOL_MODEL"), Preset::Shared, text(|d, v| d.models.tool.model = v.to_owned()), "The tool tier's model."),
    row("model.tool.api", None, Preset::Shared, word(APIS, |d, w| d.models.tool.api = of_word(&ApiForm::WORDS, w)), "The interface that the tool tier's server speaks."),
    row("model.tool.api_key", Some("TOOL_API_KEY"), Preset::Shared, KEY, "The tool tier's key."),
    row("model.tool.api_key_file", None, Preset::Shared, KEY_FILE, "A file that holds the tool tier's key."),
    row("model.tool.api_key_command", None, Preset::Shared, KEY_COMMAND, "A command that prints the tool tier's key."),
    row("model.tool.tool_calls", None, Preset::Shared, word(TOOL_CALLS, |d, w| d.models.tool.tool_calls = of_word(&ToolCallForm::WORDS, w)), "How the tool tier calls tools."),
    row("model.tool.first_token_ms", None, Preset::Shared, count(MS.0, MS.1, |d, v| d.models.tool.patience.first_token_ms = v), "The same for the tool tier."),
    row("model.tool.idle_ms", None, Preset::Shared, count(MS.0, MS.1, |d, v| d.models.tool.patience.idle_ms = v), "The same for the tool tier."),
    row("model.tool.call_ms", None, Preset::Shared, count(MS.0, MS.1, |d, v| d.models.tool.patience.call_ms = v), "The same for the tool tier."),
    row("model.tool.context", None, Preset::Shared, count(CONTEXT.0, CONTEXT.1, |d, v| d.models.tool.context = Some(v)), "The same for the tool tier."),
    row("model.tool.images", None, Preset::Shared, switch(|d, v| d.models.tool.images = v), "The same for the tool tier, which reads files and judges what was done."),
    row("model.tool.headers", None, Preset::Shared, headers(|d, v| v.clone_into(&mut d.models.tool.headers)), "Header fields for the tool tier's server."),
    row("model.tool.ca_file", None, Preset::Shared, text(|d, v| d.models.tool.ca_file = Some(v.into())), "Authorities for the tool tier's server."),
    row("model.tool.prices", None, Preset::Shared, text(|d, v| d.models.tool.prices = Some(v.into())), "Prices for the tool tier."),
    row("model.tool.command", None, Preset::Shared, text(|d, v| d.models.tool.command = Some(v.to_owned())), "What starts the tool tier's server."),
    row("control.alpha", None, Preset::Value("0.6"), weight(|d, v| d.control.alpha = v), "α, weight of the distance D in the loss."),
    row("control.beta", None, Preset::Value("0.3"), weight(|d, v| d.control.beta = v), "β, weight of the implausibility P in the loss."),
    row("control.lambda", None, Preset::Value("0.4"), weight(|d, v| d.control.lambda = v), "λ, weight of the cost Ω in the loss."),
    row("control.w1", None, Preset::Value("0.6"), unit(|d, v| d.control.w1 = v), "Share of Ω that comes from directives."),
    row("control.w2", None, Preset::Value("0.4"), unit(|d, v| d.control.w2 = v), "Share of Ω that comes from time."),
    row("control.epsilon", None, Preset::Value("0.1"), unit(|d, v| d.control.epsilon = v), "ε. Changes below this are a plateau."),
    row("control.delta", None, Preset::Value("0"), unit(|d, v| d.control.delta = v), "δ. At or below this distance plausible gaps are tolerated."),
    row("control.rho", None, Preset::Value("0.5"), unit(|d, v| d.control.rho = v), "ρ. Above this implausibility the approach is wrong."),
    row("control.theta", None, Preset::Value("0.8"), unit(|d, v| d.control.theta = v), "θ. By the table a task ends at or above this cost; by the belief `control.worth` decides."),
    row("control.time_budget_ms", None, Preset::Value("300000"), count(1_000, 86_400_000, |d, v| d.control.time_budget_ms = v), "Time budget of a task in milliseconds; the hard deadline is twice as long."),
    row("control.max_replans", None, Preset::Value("5"), count(0, 20, |d, v| d.control.max_replans = whole(v)), "Most directives of a task."),
    row("control.max_retries", None, Preset::Value("2"), count(0, 10, |d, v| d.control.max_retries = whole(v)), "Most corrections of a subtask."),
    row("control.model_wait_ms", None, Preset::Value("600000"), count(0, 86_400_000, |d, v| d.control.model_wait_ms = v), "How long a task waits for a model that is loading, overloaded or gone, in milliseconds and beside its time budget, before it ends with what it has."),
    row("control.max_cost", None, Preset::Value("0"), weight(|d, v| d.control.max_cost = v), "What the model calls of a task may cost, in dollars; it ends before the next one. Needs `model.prices`. 0: without bound."),
    row("control.gradient", None, Preset::Value("quality"), word(&words(&GRADIENTS), |d, w| d.control.steering.gradient = of_word(&GRADIENTS, w)), "Which change decides: of the quality part αD + βP, or of the whole loss."),
    row("control.law", None, Preset::Value("belief"), word(&words(&LAWS), |d, w| d.control.steering.law = of_word(&LAWS, w)), "What steers the next plan: the belief in the cause of each failed step, beside the table of D, P and Ω, or the table alone (docs/controller.md)."),
    row("control.worth", None, Preset::Value("150"), weight(|d, v| d.control.steering.worth = v), "What a success is worth, in model calls: by the belief a task goes on while the rounds that are left promise more of that than they cost."),
    row("control.skill", None, Preset::Value("0.35"), unit(|d, v| d.control.steering.skill = v), "How often the planner finds the right change by itself; the belief advises where it expects to do better."),
    row("control.trust", None, Preset::Value("1"), unit(|d, v| d.control.steering.trust = v), "How much evidence counts for the belief: 1 as it was measured in the laboratory, 0 not at all."),
    row("storage.min_free_mib", None, Preset::Value("1024"), count(0, MIB_LIMIT, |d, v| d.storage.min_free_bytes = v * MIB), "With less free space on the data folder's disk, in MiB, new tasks are refused; running ones go on. 0: never refused."),
    row("storage.keep_days", None, Preset::Value("90"), count(7, 36_500, |d, v| d.storage.keep_days = v), "Days for which ended tasks are kept."),
    row("storage.keep_tasks", None, Preset::Value("10000"), count(1, 1_000_000, |d, v| d.storage.keep_tasks = v), "Most ended tasks that are kept; the oldest go first, and none in its first 7 days."),
    row("storage.keep_mib", None, Preset::Value("5120"), count(1, MIB_LIMIT, |d, v| d.storage.keep_bytes = v * MIB), "Most space for the journals of ended tasks, in MiB; the oldest go first, and none in its first 7 days."),
    row("storage.audit_days", None, Preset::Value("365"), count(7, 36_500, |d, v| d.storage.audit_days = whole(v)), "Days for which closed segments of the audit log are kept."),
    row("storage.audit_mib", None, Preset::Value("1024"), count(64, MIB_LIMIT, |d, v| d.storage.audit_bytes = v * MIB), "Most space for the audit log, in MiB; the oldest segments go first, each with a record of it."),
    row("storage.trash_days", None, Preset::Value("30"), count(7, 36_500, |d, v| d.storage.trash.days = v), "Days for which what tasks deleted or overwrote can be restored with `artoo undo`."),
    row("storage.trash_mib", None, Preset::Value("4096"), count(1, MIB_LIMIT, |d, v| d.storage.trash.total_bytes = v * MIB), "Most space for what can be restored, in MiB; the oldest goes first, in its first days too."),
    row("storage.trash_call_mib", None, Preset::Value("256"), count(1, MIB_LIMIT, |d, v| d.storage.trash.call_bytes = v * MIB), "Most that is kept of one action, in MiB; of a larger one the question says that it cannot be undone."),
    row("storage.memory_backups", None, Preset::Value("3"), count(0, 365, |d, v| d.storage.memory_backups = usize::try_from(v).unwrap_or(usize::MAX)), "Daily copies of the memory that are kept; one is made on a day on which something changed. 0: none is made."),
    row("memory.reflect", None, Preset::Value("true"), switch(|d, v| d.reflect = v), "Whether a model is asked for the lesson of a task that did not go smoothly, after its end and off its budget."),
    row("gate.project", None, Preset::Value("work"), word(PROJECT_MODES, |d, w| d.unasked.project = of_word(&ProjectMode::WORDS, w)), "What runs unasked besides reading: `work` runs programs that are not understood in a box (no network, no secrets; in a project, the work tree of a repository or the workspace, they may change its files, which are kept first for `artoo undo`, elsewhere nothing) and edits a project's files and those that the request names; `ask` asks before each."),
    row("gate.unasked_mib", None, Preset::Value("256"), count(1, MIB_LIMIT, |d, v| d.unasked.bytes = v * MIB), "Most that one call may write of which nobody was asked, in MiB: a command that says that it writes more is asked about, one that does it all the same is stopped."),
    row("notify.command", None, Preset::Nothing, text(|d, v| d.notify = Some(v.to_owned())), "A shell command that tells you when a task waits for your answer, when one that took over a minute has ended, and when a scheduled one has; what it tells is in the variables ARTOO_TITLE, ARTOO_TEXT and ARTOO_TASK. Without it the desktop's own program (`notify-send`, `osascript`) tells of ends alike, and of a question when no terminal shows it."),
    row("web.enabled", None, Preset::Value("true"), switch(|d, v| d.web = v), "Whether tools may use the internet: `fetch_url` and `search`. Models are reached all the same."),
    row("search.provider", None, SEARCHER, word(SEARCHERS, |d, w| d.search.provider = SearchProvider::of_word(w)), "Who answers `search`. DuckDuckGo needs no key."),
    row("search.base_url", None, Preset::Nothing, address(|d, v| d.search.base_url = Some(v.to_owned())), "Another address of the provider; for a SearxNG, its own. It may be on this machine."),
    row("search.api_key", None, Preset::Nothing, KEY, "The provider's key."),
    row("search.api_key_file", None, Preset::Nothing, KEY_FILE, "A file of mode 0600 that holds the provider's key."),
    row("search.api_key_command", None, Preset::Nothing, KEY_COMMAND, "A shell command that prints the provider's key within 10 seconds."),
    row("search.engine_id", None, Preset::Nothing, text(|d, v| d.search.engine_id = v.to_owned()), "The id of a Programmable Search Engine, which Google needs."),
    row("search.langsearch.api_key", Some("LANGSEARCH_API_KEY"), Preset::Nothing, KEY, "LangSearch's key, for no other provider; `search.api_key` outranks it."),
    row("search.langsearch.base_url", Some("LANGSEARCH_BASE_URL"), Preset::Nothing, address(|d, v| d.search.langsearch_url = Some(v.to_owned())), "Another address of LangSearch; `search.base_url` outranks it."),
];

/// What is LangSearch's alone.
pub(super) const LANGSEARCH: &str = "search.langsearch";

/// What the tables of MCP servers stand below; their names are the operator's.
pub(super) const MCP_SERVERS: &str = "mcp.servers";

/// The sections of `config.toml`.
pub(super) const SECTIONS: [&str; 11] = [
    "model",
    "model.brain",
    "model.tool",
    "control",
    "storage",
    "memory",
    "gate",
    "notify",
    "web",
    "search",
    LANGSEARCH,
];

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
    let candidates =
        SECTIONS.into_iter().chain([MCP_SERVERS]).chain(SETTINGS.iter().map(|setting| setting.key));
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
        let (key, values, meaning) = (setting.key, describe(setting.field.kind), setting.meaning);
        let line = writeln!(text, "| `{key}` | {environment} | {preset} | {values} | {meaning} |");
        line.expect("writing into a string cannot fail");
    }
    text
}

fn split(key: &str) -> (&str, &str) {
    key.rsplit_once('.').unwrap_or(("", key))
}
