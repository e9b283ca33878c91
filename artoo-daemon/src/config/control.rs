//! The parameters of the controller from the settings. Each value is in its range already; what is left are sums.

use artoo_types::setting::{ControlParams, GradientKind};

use super::error::ConfigError;
use super::settings::Settings;
use super::table::{SETTINGS, Setting, describe};
use super::value::{Value, from_text};

/// What the keys of the controller begin with.
const SECTION: &str = "control.";

/// The parameters.
///
/// # Errors
/// When both shares of the cost are 0: then no budget would ever end a task.
pub(super) fn params(settings: &Settings) -> Result<ControlParams, ConfigError> {
    let mut params = ControlParams::default();
    for (name, setting) in table() {
        if let Some(found) = settings.get(setting.key) {
            set(&mut params, name, &found.value);
        }
    }
    if costs_nothing(&params) {
        return Err(ConfigError::Value {
            place: settings.place("control.w2"),
            key: "control.w1".to_owned(),
            problem:
                "and `control.w2` are both 0, so that the cost of a task would always be 0; set one above 0"
                    .to_owned(),
        });
    }
    Ok(params)
}

/// `base` with these settings in the place of its own: keys with or without their section, values as in a flag, under
/// the same rules as everywhere. A later one outranks an earlier one.
///
/// # Errors
/// What is wrong with the first bad one, in a sentence that says what to write.
pub fn changed<'a>(
    base: ControlParams,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<ControlParams, String> {
    let mut params = base;
    for (key, text) in settings {
        let key = key.trim();
        let wanted = key.strip_prefix(SECTION).unwrap_or(key);
        let Some((name, setting)) = table().find(|(name, _)| *name == wanted) else {
            let likeness = |name: &str| strsim::normalized_damerau_levenshtein(wanted, name);
            let nearest = table().max_by(|(a, _), (b, _)| likeness(a).total_cmp(&likeness(b)));
            let hint = nearest.map_or_else(String::new, |(name, setting)| {
                format!(", did you mean `{name}` ({})?", describe(setting.kind))
            });
            return Err(format!("unknown key `{key}`{hint}"));
        };
        let value = from_text(setting.kind, text).map_err(|problem| format!("`{name}` {problem}"))?;
        set(&mut params, name, &value);
    }
    if costs_nothing(&params) {
        return Err(
            "`w1` and `w2` are both 0, so that the cost of a task would always be 0; set one above 0"
                .to_owned(),
        );
    }
    Ok(params)
}

/// The controller's settings with their names.
fn table() -> impl Iterator<Item = (&'static str, &'static Setting)> {
    SETTINGS.iter().filter_map(|setting| Some((setting.key.strip_prefix(SECTION)?, setting)))
}

/// Puts a checked value where it belongs.
fn set(params: &mut ControlParams, name: &str, value: &Value) {
    let whole = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    match (name, value) {
        ("alpha", Value::Number(number)) => params.alpha = *number,
        ("beta", Value::Number(number)) => params.beta = *number,
        ("lambda", Value::Number(number)) => params.lambda = *number,
        ("w1", Value::Number(number)) => params.w1 = *number,
        ("w2", Value::Number(number)) => params.w2 = *number,
        ("epsilon", Value::Number(number)) => params.epsilon = *number,
        ("delta", Value::Number(number)) => params.delta = *number,
        ("rho", Value::Number(number)) => params.rho = *number,
        ("theta", Value::Number(number)) => params.theta = *number,
        ("time_budget_ms", Value::Count(count)) => params.time_budget_ms = *count,
        ("max_replans", Value::Count(count)) => params.max_replans = whole(*count),
        ("max_retries", Value::Count(count)) => params.max_retries = whole(*count),
        ("gradient", Value::Text(word)) if word == "full" => params.gradient = GradientKind::Full,
        ("gradient", Value::Text(_)) => params.gradient = GradientKind::Quality,
        // A test sets every key of the table.
        (_, Value::Number(_) | Value::Count(_) | Value::Text(_) | Value::Secret(_)) => {}
    }
}

fn costs_nothing(params: &ControlParams) -> bool {
    params.w1 + params.w2 <= 0.0
}
