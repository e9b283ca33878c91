//! The flags that outrank everything else.

use super::error::ConfigError;
use super::table::{Setting, find, nearest};
use super::value::{Value, from_text};

/// Flags of the command line that change settings for one start.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Flags {
    /// Who answers in both tiers: offline or openai.
    #[arg(long, value_name = "PROVIDER")]
    pub provider: Option<String>,
    /// Sets one key for this start, such as control.alpha=0.7; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Flags {
    /// The values that the flags give, later ones outranking earlier ones.
    pub(super) fn values(&self) -> Result<Vec<(&'static Setting, Value)>, ConfigError> {
        let mut values = Vec::new();
        for key in ["model.provider", "model.brain.provider", "model.tool.provider"] {
            if let (Some(word), Some(setting)) = (&self.provider, find(key)) {
                values.push((setting, check("flag --provider", setting, word)?));
            }
        }
        for assignment in &self.set {
            let Some((key, value)) = assignment.split_once('=') else {
                return Err(ConfigError::Flag(format!(
                    "flag --set {assignment}: write a key and a value, such as --set control.alpha=0.7"
                )));
            };
            let key = key.trim();
            let Some(setting) = find(key) else {
                let place = "flag --set".to_owned();
                return Err(ConfigError::UnknownKey { place, key: key.to_owned(), nearest: nearest(key) });
            };
            if setting.is_secret() {
                return Err(ConfigError::Flag(format!(
                    "flag --set {key}: every user of this machine can read command lines; set {}, or {key}_file in \
                     config.toml",
                    setting.environment.unwrap_or("OPENAI_API_KEY")
                )));
            }
            values.push((setting, check("flag --set", setting, value)?));
        }
        Ok(values)
    }
}

fn check(place: &str, setting: &Setting, text: &str) -> Result<Value, ConfigError> {
    from_text(setting.field.kind, text).map_err(|problem| ConfigError::Value {
        place: place.to_owned(),
        key: setting.key.to_owned(),
        problem,
    })
}
