//! Every key that is configured anywhere, for the redactor.

use artoo_model::{ModelConfig, Secret};

use super::field::KeyForm;
use super::file::{read_bounded, shown_path};
use super::key::{expand, of_query};
use super::settings::Settings;
use super::table::SETTINGS;
use super::value::{KEY_LIMIT, secret};
use crate::folder::Places;

/// Every key that is written down, that was fetched, that stands in the query of an address, or that lies in a file which a
/// setting names, also where another way outranks it. A file that cannot be read gives none, and no command runs for a key
/// that nobody uses.
pub(super) fn all(settings: &Settings, models: &ModelConfig, places: &Places) -> Vec<Secret> {
    let files = SETTINGS.iter().filter(|setting| setting.field.key_form() == Some(KeyForm::File));
    let in_files = files.filter_map(|setting| {
        let path = expand(settings.configured(setting.key)?.value.text(), places);
        let (text, _) = read_bounded(&path, &shown_path(places, &path), KEY_LIMIT as u64).ok()??;
        secret(&text).ok()
    });
    let fetched = [models.brain.api_key.clone(), models.tool.api_key.clone()];
    let url = |key| settings.get(key).map_or("", |found| found.value.text());
    let search_urls = [url("search.base_url"), url("search.langsearch.base_url")];
    let model_urls = [models.brain.base_url.as_str(), &models.tool.base_url];
    let in_queries = model_urls.into_iter().chain(search_urls).flat_map(of_query);
    let written = settings.secrets().iter().cloned();
    written.chain(fetched).chain(in_files).chain(in_queries).filter(|key| !key.is_empty()).collect()
}
