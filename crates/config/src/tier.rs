//! The two model tiers: what belongs together is checked, and their keys are fetched.
//!
//! R2 and R4b both belong to the brain, so that the judge of a plan is never weaker than its maker.

use std::path::PathBuf;
use std::time::Duration;

use artoo_model::{ModelConfig, ProviderConfig, Secret};

use super::effective::{self, key_of};
use super::error::ConfigError;
use super::key::{KeySource, expand};
use super::settings::Settings;
use super::value::{Origin, SourcedValue};
use crate::folder::Places;

/// The name of a tier's section, and its variable for a model.
struct Tier {
    name: &'static str,
    section: &'static str,
    model_variable: &'static str,
}

const BRAIN: Tier = Tier { name: "brain", section: "model.brain", model_variable: "BRAIN_MODEL" };
const TOOL: Tier = Tier { name: "tool", section: "model.tool", model_variable: "TOOL_MODEL" };

/// The tiers of `draft`, with their keys fetched, and why one could not be: the built-in rules answer in that tier. A key that both
/// share is fetched once.
///
/// # Errors
/// When it is not clear which key is meant.
pub(super) fn models(
    draft: ModelConfig,
    settings: &Settings,
    places: &Places,
    deadline: Duration,
) -> Result<(ModelConfig, Option<ConfigError>), ConfigError> {
    let mut brain = provider(draft.brain, places);
    let mut tool = provider(draft.tool, places);
    // What is free to check comes first: no command runs for a configuration that is refused anyway.
    let source = |config: &ProviderConfig, tier: &Tier| match config.kind.is_server() {
        true => key_of(settings, tier.section),
        false => Ok(None),
    };
    let (brain_key, tool_key) = (source(&brain, &BRAIN)?, source(&tool, &TOOL)?);
    let mut lacking = with_key(&mut brain, fetch(brain_key.as_ref(), places, deadline));
    if tool_key == brain_key && lacking.is_none() {
        tool.api_key = brain.api_key.clone();
    } else if tool_key == brain_key && tool.kind.is_server() {
        tool = without_key(&tool);
    } else {
        let other = with_key(&mut tool, fetch(tool_key.as_ref(), places, deadline));
        lacking = lacking.or(other);
    }
    Ok((ModelConfig { brain, tool }, lacking))
}

/// Gives a tier its key; without one the built-in rules answer there, and why is returned.
fn with_key(tier: &mut ProviderConfig, key: Result<Secret, ConfigError>) -> Option<ConfigError> {
    match key {
        Ok(key) => {
            tier.api_key = key;
            None
        }
        Err(why) => {
            *tier = without_key(tier);
            Some(why)
        }
    }
}

/// The built-in rules in the place of a server whose key is not there.
fn without_key(tier: &ProviderConfig) -> ProviderConfig {
    ProviderConfig { tool_calls: tier.tool_calls, ..ProviderConfig::default() }
}

/// What is missing for a model that somebody began to configure, with what to do; None where nothing is. Until then the built-in
/// rules answer.
pub(super) fn missing(settings: &Settings) -> Option<String> {
    let draft = effective::draft(settings).models;
    let lacking = |tier: &ProviderConfig| tier.kind.is_server() && tier.model.is_empty();
    let (tiers, of, variable) = match (lacking(&draft.brain), lacking(&draft.tool)) {
        (false, false) => return None,
        (true, true) => ([&BRAIN, &TOOL].as_slice(), String::new(), "OPENAI_MODEL"),
        (true, false) => ([&BRAIN].as_slice(), format!(" for the {} tier", BRAIN.name), BRAIN.model_variable),
        (false, true) => ([&TOOL].as_slice(), format!(" for the {} tier", TOOL.name), TOOL.model_variable),
    };
    let begun = begun_by(settings, tiers).unwrap_or_else(|| "a server".to_owned());
    Some(format!(
        "{begun} is set and no model is named{of}: the built-in rules answer there. Find one: artoo setup; or set {variable}, or \
         `model` in {}; or stay offline: artoo config set model.provider offline",
        settings.file()
    ))
}

/// The setting or variable that says that a server answers, the clearest first.
fn begun_by(settings: &Settings, tiers: &[&Tier]) -> Option<String> {
    let sections = || tiers.iter().map(|tier| tier.section).chain(["model"]);
    let named = |key: &str, found: &SourcedValue| match found.origin {
        Origin::Environment(variable) => variable.to_owned(),
        Origin::Default | Origin::File | Origin::Flag => key.to_owned(),
    };
    let setting = |name: &str| {
        sections().find_map(|section| {
            let key = format!("{section}.{name}");
            settings.configured(&key).map(|found| named(&key, found))
        })
    };
    let key = || sections().find_map(|section| key_of(settings, section).ok().flatten());
    let key = || key().map(|source| named(source.setting, &source.found));
    setting("provider").or_else(|| setting("base_url")).or_else(key)
}

/// What is allowed and unusual.
pub(super) fn advice(models: &ModelConfig, missing: Option<String>, max_cost: f64) -> Vec<String> {
    let unpriced = [&models.brain, &models.tool]
        .into_iter()
        .any(|tier| tier.kind.is_server() && tier.prices.is_none())
        .then(|| "control.max_cost bounds nothing without model.prices: name a file with prices.".to_owned());
    let offline = if missing.is_some() { Vec::new() } else { one_offline(models) };
    missing.into_iter().chain(unpriced.filter(|_| max_cost > 0.0)).chain(offline).collect()
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

/// Only a server has an address and a model; without a model there is none, and the built-in rules answer: what is not configured
/// to the end stops nothing, and a key in the shell is another program's as often as ours.
fn provider(draft: ProviderConfig, places: &Places) -> ProviderConfig {
    if !draft.kind.is_server() || draft.model.is_empty() {
        return without_key(&draft);
    }
    let place = |file: Option<PathBuf>| file.map(|file| expand(&file.to_string_lossy(), places));
    let (ca_file, prices) = (place(draft.ca_file), place(draft.prices));
    ProviderConfig { ca_file, prices, ..draft }
}

fn fetch(source: Option<&KeySource>, places: &Places, deadline: Duration) -> Result<Secret, ConfigError> {
    source.map_or_else(|| Ok(Secret::default()), |source| source.fetch(places, deadline))
}
