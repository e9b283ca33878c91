//! The two model tiers: what belongs together is checked, and their keys are fetched.
//!
//! R2 and R4b both belong to the brain, so that the judge of a plan is never weaker than its maker.

use std::path::PathBuf;
use std::time::Duration;

use artoo_model::{ModelConfig, ProviderConfig, Secret};

use super::effective::key_of;
use super::error::ConfigError;
use super::key::{KeySource, expand};
use super::settings::Settings;
use crate::folder::Places;

/// The name of a tier's section, and its variable for a model.
struct Tier {
    name: &'static str,
    section: &'static str,
    model_variable: &'static str,
}

const BRAIN: Tier = Tier { name: "brain", section: "model.brain", model_variable: "BRAIN_MODEL" };
const TOOL: Tier = Tier { name: "tool", section: "model.tool", model_variable: "TOOL_MODEL" };

/// The tiers of `draft`, with their keys fetched. A key that both share is fetched once.
///
/// # Errors
/// When a tier has a server but no model, or its key cannot be fetched within `deadline`.
pub(super) fn models(
    draft: ModelConfig,
    settings: &Settings,
    places: &Places,
    deadline: Duration,
) -> Result<ModelConfig, ConfigError> {
    let mut brain = provider(draft.brain, settings, places, &BRAIN)?;
    let mut tool = provider(draft.tool, settings, places, &TOOL)?;
    // What is free to check comes first: no command runs for a configuration that is refused anyway.
    let source = |config: &ProviderConfig, tier: &Tier| match config.kind.is_server() {
        true => key_of(settings, tier.section),
        false => Ok(None),
    };
    let (brain_key, tool_key) = (source(&brain, &BRAIN)?, source(&tool, &TOOL)?);
    brain.api_key = fetch(brain_key.as_ref(), places, deadline)?;
    tool.api_key = if tool_key == brain_key {
        brain.api_key.clone()
    } else {
        fetch(tool_key.as_ref(), places, deadline)?
    };
    Ok(ModelConfig { brain, tool })
}

/// What is allowed and unusual.
pub(super) fn advice(models: &ModelConfig, max_cost: f64) -> Vec<String> {
    let unpriced = [&models.brain, &models.tool]
        .into_iter()
        .any(|tier| tier.kind.is_server() && tier.prices.is_none())
        .then(|| "control.max_cost bounds nothing without model.prices: name a file with prices.".to_owned());
    unpriced.filter(|_| max_cost > 0.0).into_iter().chain(one_offline(models)).collect()
}

fn one_offline(models: &ModelConfig) -> Vec<String> {
    let say = |offline: &Tier, other: &Tier| {
        format!(
            "The {} tier is a model and the {} tier the offline rules; set {} or OPENAI_MODEL if that is not meant.",
            other.name, offline.name, offline.model_variable
        )
    };
    match (models.brain.kind.is_server(), models.tool.kind.is_server()) {
        (true, false) => vec![say(&TOOL, &BRAIN)],
        (false, true) => vec![say(&BRAIN, &TOOL)],
        (true, true) | (false, false) => Vec::new(),
    }
}

/// Only a server has an address and a model. One that was asked for needs a model; a key or an address by itself is no
/// server.
fn provider(
    draft: ProviderConfig,
    settings: &Settings,
    places: &Places,
    tier: &Tier,
) -> Result<ProviderConfig, ConfigError> {
    if !draft.kind.is_server() {
        let ProviderConfig { kind, tool_calls, .. } = draft;
        return Ok(ProviderConfig { kind, tool_calls, ..ProviderConfig::default() });
    }
    if draft.model.is_empty() {
        // A key in the shell is another program's as often as ours: it stops nothing, and the rules answer.
        if !asks_for_a_server(settings, tier) {
            return Ok(ProviderConfig { tool_calls: draft.tool_calls, ..ProviderConfig::default() });
        }
        let path = settings.file().to_owned();
        return Err(ConfigError::NoModel { tier: tier.name, variable: tier.model_variable, path });
    }
    let place = |file: Option<PathBuf>| file.map(|file| expand(&file.to_string_lossy(), places));
    let (ca_file, prices) = (place(draft.ca_file), place(draft.prices));
    Ok(ProviderConfig { ca_file, prices, ..draft })
}

/// Whether somebody said that a server answers, and did not only leave its key or address.
fn asks_for_a_server(settings: &Settings, tier: &Tier) -> bool {
    ["model", tier.section].iter().any(|section| settings.get(&format!("{section}.provider")).is_some())
}

fn fetch(source: Option<&KeySource>, places: &Places, deadline: Duration) -> Result<Secret, ConfigError> {
    source.map_or_else(|| Ok(Secret::default()), |source| source.fetch(places, deadline))
}
