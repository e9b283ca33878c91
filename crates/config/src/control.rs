//! The parameters of the controller. Each value is in its range already; what is left are sums.

use artoo_types::setting::ControlParams;

use super::draft::ConfigDraft;
use super::error::ConfigError;
use super::settings::Settings;
use super::table::{SETTINGS, Setting};
use super::value::{describe, from_text};

/// What the keys of the controller begin with.
const SECTION: &str = "control.";

/// Why a setting of a replay is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ControlRejected {
    /// No such key.
    #[error("unknown key `{key}`, did you mean `{nearest}` ({values})?")]
    UnknownKey {
        /// The key.
        key: String,
        /// The nearest known one.
        nearest: &'static str,
        /// What values that takes.
        values: String,
    },
    /// A value that cannot be.
    #[error("`{key}` {problem}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong and what to write.
        problem: String,
    },
    /// No budget would ever end the task.
    #[error("`w1` and `w2` are both 0, so that the cost of a task would always be 0; set one above 0")]
    CostsNothing,
}

/// The parameters, checked.
///
/// # Errors
/// When both shares of the cost are 0: then no budget would ever end a task.
pub(super) fn checked(params: ControlParams, settings: &Settings) -> Result<ControlParams, ConfigError> {
    if !costs_nothing(&params) {
        return Ok(params);
    }
    Err(ConfigError::Value {
        place: settings.place("control.w2"),
        key: "control.w1".to_owned(),
        problem: "and `control.w2` are both 0, so that the cost of a task would always be 0; set one above 0"
            .to_owned(),
    })
}

/// `base` with these settings in the place of its own: keys with or without their section, values as in a flag, under
/// the same rules as everywhere. A later one outranks an earlier one.
///
/// # Errors
/// What is wrong with the first bad one, in a sentence that says what to write.
pub fn changed<'a>(
    base: ControlParams,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<ControlParams, ControlRejected> {
    let mut draft = ConfigDraft { control: base, ..ConfigDraft::default() };
    for (key, text) in settings {
        let (name, setting) = find(key.trim())?;
        let value = from_text(setting.field.kind, text)
            .map_err(|problem| ControlRejected::Value { key: name, problem })?;
        setting.field.put(&mut draft, &value);
    }
    if costs_nothing(&draft.control) { Err(ControlRejected::CostsNothing) } else { Ok(draft.control) }
}

/// The setting with this key, with its bare name.
fn find(key: &str) -> Result<(&'static str, &'static Setting), ControlRejected> {
    let wanted = key.strip_prefix(SECTION).unwrap_or(key);
    let likeness = |name: &str| strsim::normalized_damerau_levenshtein(wanted, name);
    let rows = SETTINGS.iter().filter_map(|setting| Some((setting.key.strip_prefix(SECTION)?, setting)));
    let nearest = rows.max_by(|(a, _), (b, _)| likeness(a).total_cmp(&likeness(b)));
    let (nearest, setting) = nearest.expect("the table has settings of the controller");
    if nearest == wanted {
        return Ok((nearest, setting));
    }
    let (key, values) = (key.to_owned(), describe(setting.field.kind));
    Err(ControlRejected::UnknownKey { key, nearest, values })
}

fn costs_nothing(params: &ControlParams) -> bool {
    params.w1 + params.w2 <= 0.0
}
