//! What tools may do in the internet, and who searches.

use std::time::Duration;

use artoo_model::Secret;
use artoo_web::{SearchConfig, WebConfig};

use super::draft::SearchDraft;
use super::error::ConfigError;
use super::settings::Settings;
use crate::folder::Places;

/// The network of the tools, and the key of the search provider, empty when it uses none.
///
/// # Errors
/// When the provider lacks something, or its key cannot be fetched within `deadline`.
pub(super) fn config(
    enabled: bool,
    search: &SearchDraft,
    settings: &Settings,
    places: &Places,
    deadline: Duration,
) -> Result<(WebConfig, Secret), ConfigError> {
    let Some(provider) = search.provider.filter(|_| enabled) else {
        return Ok((WebConfig { enabled, search: None }, Secret::default()));
    };
    let key = match settings.key_of("search")? {
        Some(source) => source.fetch(places, deadline)?,
        None => Secret::default(),
    };
    let search = SearchConfig::new(provider, search.base_url.as_deref(), key.clone(), &search.engine_id);
    let search = search.map_err(|problem| ConfigError::Value {
        place: settings.place("search.provider"),
        key: "search.provider".to_owned(),
        problem: format!("cannot be used: {problem}"),
    })?;
    Ok((WebConfig { enabled, search: Some(search) }, key))
}
