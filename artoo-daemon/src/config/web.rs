//! What tools may do in the internet, and who searches, from the settings.

use std::time::Duration;

use artoo_model::Secret;
use artoo_web::{SearchConfig, SearchProvider, WebConfig};

use super::error::ConfigError;
use super::key;
use super::settings::Settings;
use crate::folder::Places;

/// The network of the tools, and the key of the search provider, empty when it uses none.
///
/// # Errors
/// When the provider lacks something, or its key cannot be fetched within `deadline`.
pub(super) fn config(
    settings: &Settings,
    places: &Places,
    deadline: Duration,
) -> Result<(WebConfig, Secret), ConfigError> {
    let text = |key| settings.get(key).map(|found| found.value.text()).filter(|text| !text.is_empty());
    let enabled = text("web.enabled") == Some("true");
    let Some(provider) = text("search.provider").and_then(SearchProvider::of_word).filter(|_| enabled) else {
        return Ok((WebConfig { enabled, search: None }, Secret::default()));
    };
    let key = match key::of_section(settings, "search")? {
        Some(place) => place.fetch(places, deadline)?,
        None => Secret::default(),
    };
    let engine = text("search.engine_id").unwrap_or_default();
    let search =
        SearchConfig::new(provider, text("search.base_url"), key.clone(), engine).map_err(|problem| {
            let place = settings.place("search.provider");
            ConfigError::Value {
                place,
                key: "search.provider".to_owned(),
                problem: format!("cannot be used: {problem}"),
            }
        })?;
    Ok((WebConfig { enabled, search: Some(search) }, key))
}
