//! What tools may do in the internet, and who searches.

use std::time::Duration;

use artoo_model::Secret;
use artoo_web::{SearchConfig, SearchConfigError, SearchProvider, WebConfig};

use super::draft::SearchDraft;
use super::error::ConfigError;
use super::settings::Settings;
use super::table::LANGSEARCH;
use crate::folder::Places;

/// What holds without the key of a search, and what applies it.
pub(super) const UNTIL_THEN: &str = "Until then nobody searches the web; afterwards: artoo restart";

/// The network of the tools, and the key of the search provider, empty when it uses none. Where its key cannot be fetched within
/// `deadline`, nobody searches, and `lacking` is told why.
///
/// # Errors
/// When the provider lacks something else.
pub(super) fn config(
    enabled: bool,
    search: &SearchDraft,
    settings: &Settings,
    places: &Places,
    deadline: Duration,
    lacking: &mut Vec<String>,
) -> Result<(WebConfig, Secret), ConfigError> {
    let Some(provider) = search.provider.filter(|_| enabled) else {
        return Ok((WebConfig { enabled, search: None }, Secret::default()));
    };
    let is_langsearch = provider == SearchProvider::LangSearch;
    let source = match settings.key_of("search")? {
        None if is_langsearch => settings.key_of(LANGSEARCH)?,
        found => found,
    };
    let fetched = source.map_or_else(|| Ok(Secret::default()), |source| source.fetch(places, deadline));
    let key = match fetched {
        Ok(key) => key,
        Err(why) => {
            lacking.push(format!("{why}. {UNTIL_THEN}"));
            return Ok((WebConfig { enabled, search: None }, Secret::default()));
        }
    };
    let own_url = search.langsearch_url.as_deref().filter(|_| is_langsearch);
    let base_url = search.base_url.as_deref().or(own_url);
    let search = SearchConfig::new(provider, base_url, key.clone(), &search.engine_id);
    let unusable = |problem: &SearchConfigError| ConfigError::Value {
        place: settings.place("search.provider"),
        key: "search.provider".to_owned(),
        problem: format!("cannot be used: {problem}"),
    };
    let search = match search {
        Ok(search) => search,
        Err(problem @ SearchConfigError::NoKey(_)) => {
            lacking.push(format!("{}. {UNTIL_THEN}", unusable(&problem)));
            return Ok((WebConfig { enabled, search: None }, Secret::default()));
        }
        Err(problem) => return Err(unusable(&problem)),
    };
    Ok((WebConfig { enabled, search: Some(search) }, key))
}
