//! The internet of the tools, and who searches.

use artoo_model::Secret;
use artoo_web::SearchProvider;

use super::*;
use crate::web::UNTIL_THEN;

fn label(home: &Home) -> Option<String> {
    home.config().web.search.map(|search| search.label())
}

#[test]
fn without_a_word_duckduckgo_searches_and_pages_are_fetched() {
    let home = Home::new();
    assert!(home.config().web.enabled);
    assert_eq!(label(&home).as_deref(), Some("DuckDuckGo"));
}

#[test]
fn every_word_for_who_searches_is_one_that_the_tools_know() {
    let setting = table::find("search.provider").expect("there is such a setting");
    let value::ValueKind::Word(words) = setting.field.kind else { panic!("it takes words") };
    let unknown: Vec<_> = words.iter().filter(|word| SearchProvider::of_word(word).is_none()).collect();
    assert_eq!(unknown, [&"none"]);
}

#[test]
fn a_switch_is_a_truth_value_of_toml_or_a_word() {
    for line in ["enabled = false", "enabled = \"false\""] {
        let home = Home::with(&format!("[web]\n{line}\n[search]\nprovider = \"brave\"\n"));
        // What is switched off needs no key.
        assert!(!home.config().web.enabled && home.config().web.search.is_none(), "{line}");
        assert_eq!(home.shown("web.enabled"), "web.enabled = false  (config.toml)");
    }
    assert!(Home::new().flag("web.enabled=true").config().web.enabled);
    let error = Home::with("[web]\nenabled = 0\n").error();
    assert!(error.contains("`web.enabled` must be true or false"), "{error}");
}

#[test]
fn a_search_can_be_switched_off_alone() {
    let home = Home::with("[search]\nprovider = \"none\"\n");
    assert!(home.config().web.enabled && home.config().web.search.is_none());
}

#[test]
fn a_provider_gets_its_key_and_the_key_is_a_secret() {
    let home = Home::with("[search]\nprovider = \"brave\"\napi_key_file = \"brave.key\"\n");
    home.write(".artoo/brave.key", "BSA-not-to-be-told\n", 0o600);
    let config = home.config();
    assert_eq!(config.web.search.as_ref().map(|s| s.label()).as_deref(), Some("Brave"));
    assert!(config.secrets.contains(&Secret::new("BSA-not-to-be-told")));
    assert!(!format!("{config:?}").contains("BSA-not"));
    let shown = Home::with("[search]\nprovider = \"brave\"\napi_key = \"BSA-x\"\n").shown("search.api_key");
    assert_eq!(shown, "search.api_key = set (hidden)  (config.toml)");
}

#[test]
fn a_key_of_langsearch_lets_it_search_and_reaches_no_other_provider() {
    let keyed = || Home::new().env("LANGSEARCH_API_KEY", "ls-not-to-be-told");
    let config = keyed().config();
    assert_eq!(config.web.search.as_ref().map(|s| s.label()).as_deref(), Some("LangSearch"));
    assert!(config.secrets.contains(&Secret::new("ls-not-to-be-told")));
    let said = "search.provider = langsearch  (environment LANGSEARCH_API_KEY)";
    assert_eq!(keyed().shown("search.provider"), said);
    let elsewhere = keyed().env("LANGSEARCH_BASE_URL", "http://127.0.0.1:9/v1/web-search");
    assert_eq!(label(&elsewhere).as_deref(), Some("LangSearch at http://127.0.0.1:9/v1/web-search"));
    let text = "[search]\nprovider = \"brave\"\napi_key_file = \"brave.key\"\n";
    let brave =
        Home::with(text).env("LANGSEARCH_API_KEY", "ls").env("LANGSEARCH_BASE_URL", "http://127.0.0.1:9/x");
    brave.write(".artoo/brave.key", "BSA\n", 0o600);
    assert_eq!(label(&brave).as_deref(), Some("Brave"));
    let named = Home::with("[search]\nprovider = \"langsearch\"\n").error();
    assert!(named.contains("needs a key"), "{named}");
    assert_eq!(label(&keyed().flag("search.provider=none")), None);
}

#[test]
fn a_searxng_may_be_on_this_machine() {
    let home = Home::with("[search]\nprovider = \"searxng\"\nbase_url = \"http://127.0.0.1:8888\"\n");
    assert_eq!(label(&home).as_deref(), Some("SearxNG at http://127.0.0.1:8888/"));
}

#[test]
fn what_is_missing_is_said_with_the_setting_that_lacks() {
    for (text, expected) in [
        ("provider = \"searxng\"", "set search.base_url"),
        ("provider = \"brave\"", "set search.api_key_file"),
        ("provider = \"google\"\napi_key = \"k\"", "set search.engine_id"),
        ("provider = \"bing\"", "`search.provider` must be duckduckgo or langsearch"),
        ("api_key = \"k\"\napi_key_file = \"f\"", "are both set"),
        ("keys = \"k\"", "unknown key `keys`"),
    ] {
        let error = Home::with(&format!("[search]\n{text}\n")).error();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

/// A start that a key of the search could stop would take everything else away too.
#[test]
fn without_its_key_nobody_searches_and_the_rest_starts() {
    for lines in [
        "provider = \"brave\"",
        "provider = \"brave\"\napi_key_file = \"~/nokey\"",
        "provider = \"langsearch\"\napi_key_command = \"false\"",
    ] {
        let config = Home::with(&format!("[search]\n{lines}\n")).config();
        assert!(config.web.enabled && config.web.search.is_none(), "{lines}");
        let [why] = config.advice().try_into().expect("one thing is told");
        assert!(why.contains("search.") && why.ends_with(UNTIL_THEN), "{why}");
    }
}
