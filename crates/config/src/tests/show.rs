//! `config show` and the documentation.

use super::*;

#[test]
fn secrets_are_hidden_in_every_form() {
    let home = Home::with("[model.tool]\napi_key = \"sk-in-the-file\"\n")
        .env("OPENAI_API_KEY", "sk-in-the-environment")
        .env("OPENAI_MODEL", "m")
        .env("OPENAI_BASE_URL", "https://h/v1?code=sk-in-the-query");
    assert_eq!(home.shown("model.api_key"), "model.api_key = set (hidden)  (environment OPENAI_API_KEY)");
    assert_eq!(
        home.shown("model.brain.api_key"),
        "model.brain.api_key = set (hidden)  (environment OPENAI_API_KEY)"
    );
    assert_eq!(home.shown("model.tool.api_key"), "model.tool.api_key = set (hidden)  (config.toml)");
    assert_eq!(
        home.shown("model.base_url"),
        "model.base_url = https://h/v1?...  (environment OPENAI_BASE_URL)"
    );
    let config = home.config();
    let (json, text) = (as_json(&show(&config.settings)), as_text(&show(&config.settings)));
    assert_eq!(text.lines().count(), SETTINGS.len());
    for form in [json, text] {
        assert!(!form.contains("sk-in"), "{form}");
    }
    assert!(!format!("{:?}", config.models).contains("sk-in-the-file"));
}

#[test]
fn a_tier_shows_what_it_runs_with() {
    let home = Home::new().env("OPENAI_MODEL", "m").env("TOOL_MODEL", "small");
    assert_eq!(
        home.shown("model.brain.provider"),
        "model.brain.provider = openai  (environment OPENAI_MODEL)"
    );
    assert_eq!(home.shown("model.brain.model"), "model.brain.model = m  (environment OPENAI_MODEL)");
    assert_eq!(home.shown("model.tool.model"), "model.tool.model = small  (environment TOOL_MODEL)");
    assert_eq!(
        home.shown("model.tool.base_url"),
        "model.tool.base_url = https://api.openai.com/v1  (default)"
    );
    assert_eq!(home.shown("model.provider"), "model.provider is not set  (default)");
    assert_eq!(Home::new().shown("model.brain.provider"), "model.brain.provider = offline  (default)");
    // A tier without a model would not start; what is configured is shown all the same.
    let home = Home::new().env("OPENAI_API_KEY", "sk-1");
    assert_eq!(
        home.shown("model.tool.provider"),
        "model.tool.provider = openai  (environment OPENAI_API_KEY)"
    );
}

#[test]
fn the_json_form_keeps_numbers() {
    let config = Home::new().flag("control.max_replans=7").config();
    let shown: serde_json::Value = serde_json::from_str(&as_json(&show(&config.settings))).unwrap();
    let line = |key: &str| shown.as_array().unwrap().iter().find(|line| line["key"] == key).unwrap().clone();
    let expected = serde_json::json!({"key": "control.max_replans", "value": 7, "origin": "flag"});
    assert_eq!(line("control.max_replans"), expected);
    assert_eq!(line("control.alpha")["value"], 0.6);
    assert!(line("model.model")["value"].is_null());
    let keys: Vec<String> = show(&config.settings).into_iter().map(|line| line.key.into_owned()).collect();
    assert_eq!(keys, SETTINGS.iter().map(|setting| setting.key).collect::<Vec<_>>());
}

#[test]
fn the_table_names_each_setting_and_variable_once() {
    let mut keys: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), SETTINGS.len());
    for setting in SETTINGS {
        assert!(table::SECTIONS.contains(&setting.section()), "{}", setting.key);
        let others = SETTINGS.iter().filter(|other| other.environment == setting.environment).count();
        let allowed = match setting.environment {
            None => SETTINGS.len(),
            Some("ARTOO_PROVIDER") => 3,
            Some(_) => 1,
        };
        assert!(others <= allowed, "{:?}", setting.environment);
    }
}

#[test]
fn the_documentation_has_a_row_of_five_cells_for_each_setting() {
    let table = markdown_table();
    assert_eq!(table.lines().count(), SETTINGS.len() + 2);
    for line in table.lines() {
        assert_eq!(line.matches('|').count(), 6, "{line}");
    }
    let row = "| `model.brain.model` | `BRAIN_MODEL` | as in `[model]` | text | The brain's model. |";
    assert!(table.contains(row), "{table}");
    assert!(table.contains("| `control.alpha` |  | `0.6` | a number from 0 to 1000 | α, "), "{table}");
}

#[test]
fn the_documentation_shows_the_table_as_it_is() {
    let page = include_str!("../../../../docs/settings.md");
    let table = super::super::markdown_table();
    assert!(page.contains(&table), "put this table into docs/settings.md:\n{table}");
}
