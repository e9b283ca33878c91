//! The two model tiers. A tier's own setting outranks the shared one of `[model]`, wherever each was written.
//!
//! R2 and R4b both belong to the brain, so that the judge of a plan is never weaker than its maker.

use std::time::Duration;

use artoo_model::{ModelConfig, ProviderConfig, ProviderKind, Secret, ToolCallForm};

use super::error::ConfigError;
use super::key::{self, KeyPlace};
use super::settings::{Found, Origin, Settings, derived_provider};
use super::table::Setting;
use crate::folder::Places;

/// The name of a tier's section, and its variable for a model.
struct Tier {
    name: &'static str,
    section: &'static str,
    model_variable: &'static str,
}

const BRAIN: Tier = Tier { name: "brain", section: "model.brain", model_variable: "BRAIN_MODEL" };
const TOOL: Tier = Tier { name: "tool", section: "model.tool", model_variable: "TOOL_MODEL" };

/// Both tiers, with their keys fetched. A key that both share is fetched once.
///
/// # Errors
/// When a tier has a server but no model, or its key cannot be fetched within `deadline`.
pub(super) fn models(
    settings: &Settings,
    places: &Places,
    deadline: Duration,
) -> Result<ModelConfig, ConfigError> {
    let mut brain = provider(settings, &BRAIN)?;
    let mut tool = provider(settings, &TOOL)?;
    // What is free to check comes first: no command runs for a configuration that is refused anyway.
    let wanted = |config: &ProviderConfig, tier: &Tier| match config.kind {
        ProviderKind::OpenAi => key::of_tier(settings, tier.section),
        ProviderKind::Offline => Ok(None),
    };
    let (brain_key, tool_key) = (wanted(&brain, &BRAIN)?, wanted(&tool, &TOOL)?);
    brain.api_key = fetch(brain_key.as_ref(), places, deadline)?;
    tool.api_key = if tool_key == brain_key {
        brain.api_key.clone()
    } else {
        fetch(tool_key.as_ref(), places, deadline)?
    };
    Ok(ModelConfig { brain, tool })
}

/// What is allowed and unusual.
pub(super) fn advice(models: &ModelConfig) -> Vec<String> {
    let say = |offline: &Tier, other: &Tier| {
        format!(
            "The {} tier is a model and the {} tier the offline rules; set {} or OPENAI_MODEL if that is not meant.",
            other.name, offline.name, offline.model_variable
        )
    };
    match (models.brain.kind, models.tool.kind) {
        (ProviderKind::OpenAi, ProviderKind::Offline) => vec![say(&TOOL, &BRAIN)],
        (ProviderKind::Offline, ProviderKind::OpenAi) => vec![say(&BRAIN, &TOOL)],
        (ProviderKind::OpenAi, ProviderKind::OpenAi) | (ProviderKind::Offline, ProviderKind::Offline) => {
            Vec::new()
        }
    }
}

/// The value that has effect where `setting` is shown.
pub(super) fn effective(settings: &Settings, setting: &'static Setting) -> Option<Found> {
    let section = setting.section();
    let is_tier = section == BRAIN.section || section == TOOL.section;
    match setting.name() {
        "provider" if is_tier => Some(kind(settings, section)),
        "api_key" | "api_key_file" | "api_key_command" => {
            let place =
                if is_tier { key::of_tier(settings, section) } else { key::of_section(settings, section) };
            // Conflicts were refused when the settings were read.
            place.ok().flatten().filter(|place| place.name == setting.name()).map(|place| place.found)
        }
        name if is_tier => inherited(settings, section, name).cloned(),
        _ => settings.get(setting.key).cloned(),
    }
}

fn provider(settings: &Settings, tier: &Tier) -> Result<ProviderConfig, ConfigError> {
    let text = |name| inherited(settings, tier.section, name).map(|found| found.value.text().to_owned());
    let tool_calls = match text("tool_calls").as_deref() {
        Some("native") => ToolCallForm::Native,
        Some(_) | None => ToolCallForm::Json,
    };
    if kind(settings, tier.section).value.text() != ProviderKind::OpenAi.as_str() {
        return Ok(ProviderConfig { tool_calls, ..ProviderConfig::default() });
    }
    let Some(model) = text("model") else {
        let path = settings.file().to_owned();
        return Err(ConfigError::NoModel { tier: tier.name, variable: tier.model_variable, path });
    };
    let base_url = text("base_url").unwrap_or_default();
    Ok(ProviderConfig { kind: ProviderKind::OpenAi, base_url, model, api_key: Secret::default(), tool_calls })
}

/// The tier's own value, else the shared one, presets included.
fn inherited<'a>(settings: &'a Settings, section: &str, name: &str) -> Option<&'a Found> {
    settings.configured(&format!("{section}.{name}")).or_else(|| settings.get(&format!("model.{name}")))
}

/// Who answers: what is said, else a server as soon as one is described.
fn kind(settings: &Settings, section: &str) -> Found {
    if let Some(said) = inherited(settings, section, "provider") {
        return said.clone();
    }
    let described = ["base_url", "model"]
        .into_iter()
        .filter_map(|name| inherited(settings, section, name))
        .find(|found| found.origin != Origin::Default);
    let origin = match (described, key::of_tier(settings, section)) {
        (Some(found), _) => found.origin,
        (None, Ok(Some(place))) if !place.is_none_sent() => place.found.origin,
        (None, _) => return derived_provider(ProviderKind::Offline, Origin::Default),
    };
    derived_provider(ProviderKind::OpenAi, origin)
}

fn fetch(place: Option<&KeyPlace>, places: &Places, deadline: Duration) -> Result<Secret, ConfigError> {
    place.map_or_else(|| Ok(Secret::default()), |place| place.fetch(places, deadline))
}
