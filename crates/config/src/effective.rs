//! The value that has effect for each setting: a tier without a value of its own has the shared one of `[model]`, wherever
//! each was written.

use artoo_model::ProviderKind;

use super::draft::ConfigDraft;
use super::error::ConfigError;
use super::key::KeySource;
use super::settings::Settings;
use super::show::{ShownSetting, shown_value};
use super::table::{LANGSEARCH, Preset, SETTINGS, Setting};
use super::value::{Origin, SourcedValue, Value};

/// Every setting in its field.
pub(super) fn draft(settings: &Settings) -> ConfigDraft {
    let mut draft = ConfigDraft::default();
    for setting in SETTINGS {
        if let Some(found) = effective(settings, setting) {
            setting.field.put(&mut draft, &found.value);
        }
    }
    draft
}

/// Every setting with the value that has effect, then those of each MCP server: a tier's line shows the shared value when
/// the tier has none of its own, and a key that is outranked by another way to give it is shown as not set.
pub fn show(settings: &Settings) -> Vec<ShownSetting> {
    let line = |setting: &'static Setting| {
        let found = effective(settings, setting);
        let origin = found.as_ref().map_or(Origin::Default, |found| found.origin).to_string();
        let value = found.and_then(|found| shown_value(setting, found.value));
        ShownSetting { key: setting.key.into(), value, origin }
    };
    let servers = settings.servers().iter().flat_map(|server| server.shown());
    SETTINGS.iter().map(line).chain(servers).collect()
}

/// The settings whose value comes from a variable, each with the variable.
pub fn from_variables(settings: &Settings) -> Vec<(&'static str, &'static str)> {
    let variable = |setting: &'static Setting| match effective(settings, setting)?.origin {
        Origin::Environment(name) => Some((setting.key, name)),
        Origin::Default | Origin::File | Origin::Flag => None,
    };
    SETTINGS.iter().filter_map(variable).collect()
}

/// Whether anything but a model's name says that a server answers, and which: an address, a key, or a provider.
pub fn names_a_server(settings: &Settings) -> bool {
    ["model", "model.brain", "model.tool"].iter().any(|section| {
        let said = |name: &str| settings.configured(&format!("{section}.{name}")).is_some();
        let key = settings.key_of(section).ok().flatten();
        said("base_url") || said("provider") || key.is_some_and(|source| !source.is_none_sent())
    })
}

/// The way to the key that a section gives, for a tier else the shared one.
///
/// # Errors
/// When two ways have the same origin.
pub(super) fn key_of(settings: &Settings, section: &str) -> Result<Option<KeySource>, ConfigError> {
    match settings.key_of(section)? {
        None if section.starts_with("model.") => settings.key_of("model"),
        found => Ok(found),
    }
}

fn effective(settings: &Settings, setting: &'static Setting) -> Option<SourcedValue> {
    let (section, name) = (setting.section(), setting.name());
    match setting.preset {
        _ if setting.field.key_form().is_some() => {
            // Conflicts were refused when the settings were read.
            let source = key_of(settings, section).ok().flatten();
            source.filter(|source| Some(source.form) == setting.field.key_form()).map(|source| source.found)
        }
        Preset::Derived(_) if section == "search" => Some(searcher(settings)),
        Preset::Derived(_) => Some(provider(settings, section)),
        Preset::Shared => inherited(settings, section, name).cloned(),
        Preset::Value(_) | Preset::Nothing => settings.get(setting.key).cloned(),
    }
}

/// The tier's own value, else the shared one, presets included.
fn inherited<'a>(settings: &'a Settings, section: &str, name: &str) -> Option<&'a SourcedValue> {
    settings.configured(&format!("{section}.{name}")).or_else(|| settings.get(&format!("model.{name}")))
}

/// Who searches: who is named, else LangSearch as soon as there is a key for it.
fn searcher(settings: &Settings) -> SourcedValue {
    if let Some(said) = settings.configured("search.provider") {
        return said.clone();
    }
    let word = |word: &str| Value::Text(word.to_owned());
    match settings.key_of(LANGSEARCH) {
        Ok(Some(source)) if !source.is_none_sent() => {
            SourcedValue { value: word("langsearch"), origin: source.found.origin }
        }
        Ok(_) | Err(_) => SourcedValue { value: word("duckduckgo"), origin: Origin::Default },
    }
}

/// Who answers: what is said, else a server as soon as one is described.
fn provider(settings: &Settings, section: &str) -> SourcedValue {
    if let Some(said) = inherited(settings, section, "provider") {
        return said.clone();
    }
    let described = ["base_url", "model"]
        .into_iter()
        .filter_map(|name| inherited(settings, section, name))
        .find(|found| found.origin != Origin::Default);
    let (kind, origin) = match (described, key_of(settings, section)) {
        (Some(found), _) => (ProviderKind::OpenAi, found.origin),
        (None, Ok(Some(source))) if !source.is_none_sent() => (ProviderKind::OpenAi, source.found.origin),
        (None, _) => (ProviderKind::Offline, Origin::Default),
    };
    SourcedValue { value: Value::Text(kind.as_str().to_owned()), origin }
}
