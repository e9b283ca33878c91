//! What tools may do in the internet, and who searches.

use std::time::Duration;

use artoo_model::Secret;
use artoo_web::{SearchConfig, SearchProvider, WebConfig};

use super::draft::SearchDraft;
use super::error::ConfigError;
use super::settings::Settings;
use super::table::LANGSEARCH;
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
    let is_langsearch = provider == SearchProvider::LangSearch;
    let source = match settings.key_of("search")? {
        None if is_langsearch => settings.key_of(LANGSEARCH)?,
        found => found,
    };
    let key = match source {
        Some(source) => source.fetch(places, deadline)?,
        None => Secret::default(),
    };
    let own_url = search.langsearch_url.as_deref().filter(|_| is_langsearch);
    let base_url = search.base_url.as_deref().or(own_url);
    let search = SearchConfig::new(provider, base_url, key.clone(), &search.engine_id);
    let search = search.map_err(|problem| ConfigError::Value {
        place: settings.place("search.provider"),
        key: "search.provider".to_owned(),
        problem: format!("cannot be used: {problem}"),
    })?;
    Ok((WebConfig { enabled, search: Some(search) }, key))
}
