//! What a model costs, from a file in the form of LiteLLM's `model_prices_and_context_window.json`: an object of models, each
//! with prices in dollars for one token.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use artoo_types::chat::Usage;
use serde_json::Value;

use crate::config::ModelConfigError;

/// Bytes of a price file: the whole list has about two million.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// Dollars for one token of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TokenPrice {
    input: f64,
    cached: f64,
    output: f64,
}

impl TokenPrice {
    /// The price of `model` in `file`; None if the file has none. A name matches as it is, else behind the name of a provider.
    ///
    /// # Errors
    /// When the file cannot be read or is no such list.
    pub(crate) fn read(file: &Path, model: &str) -> Result<Option<Self>, ModelConfigError> {
        let refuse = |problem: String| ModelConfigError::Prices { file: file.display().to_string(), problem };
        let mut text = Vec::new();
        let opened = File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut text));
        opened.map_err(|error| refuse(error.to_string()))?;
        let list: Value = serde_json::from_slice(&text).map_err(|error| refuse(error.to_string()))?;
        let models = list.as_object().ok_or_else(|| refuse("it is no object of models".to_owned()))?;
        let behind = |name: &&String| name.rsplit_once('/').is_some_and(|(_, last)| last == model);
        let found = models.get(model).or_else(|| models.get(models.keys().find(behind)?));
        Ok(found.and_then(Self::of))
    }

    fn of(entry: &Value) -> Option<Self> {
        let number =
            |key: &str| entry.get(key).and_then(Value::as_f64).filter(|n| n.is_finite() && *n >= 0.0);
        let (input, output) = (number("input_cost_per_token")?, number("output_cost_per_token")?);
        Some(Self { input, output, cached: number("cache_read_input_token_cost").unwrap_or(input) })
    }

    /// What this use costs, in billionths of a dollar; None where the server does not say what was used.
    pub(crate) fn cost_nanousd(&self, usage: &Usage) -> Option<u64> {
        let (prompt, completion) = (usage.prompt?, usage.completion?);
        let cached = usage.cached.unwrap_or(0).min(prompt);
        let dollars = (prompt - cached) as f64 * self.input
            + cached as f64 * self.cached
            + completion as f64 * self.output;
        Some((dollars * 1e9).round() as u64)
    }
}
