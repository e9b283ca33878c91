//! Which tier is a server, and what it gets from the shared section.

use artoo_model::{ApiForm, ProviderKind, Secret, ToolCallForm};

use super::*;

fn kinds(home: &Home) -> (ProviderKind, ProviderKind) {
    let models = home.config().models;
    (models.brain.kind, models.tool.kind)
}

const BOTH: (ProviderKind, ProviderKind) = (ProviderKind::OpenAi, ProviderKind::OpenAi);
const NEITHER: (ProviderKind, ProviderKind) = (ProviderKind::Offline, ProviderKind::Offline);

#[test]
fn the_shared_variables_configure_both_tiers() {
    let home = Home::new().env("OPENAI_MODEL", "m").env("OPENAI_API_KEY", "sk-12345678");
    let models = home.config().models;
    assert_eq!(models.brain, models.tool);
    assert_eq!(models.brain.kind, ProviderKind::OpenAi);
    assert_eq!(models.brain.base_url, "https://api.openai.com/v1");
    assert_eq!(models.brain.model, "m");
    assert_eq!(models.brain.api_key, Secret::new("sk-12345678"));
}

#[test]
fn a_tiers_own_setting_outranks_the_shared_one_wherever_it_is_written() {
    let home =
        Home::with("[model.brain]\nmodel = \"big\"\ntool_calls = \"native\"\nbase_url = \"http://b/v1\"\n")
            .env("OPENAI_MODEL", "shared")
            .env("OPENAI_BASE_URL", "http://s/v1")
            .env("TOOL_MODEL", "small")
            .env("TOOL_API_KEY", "sk-tool-key");
    let models = home.config().models;
    assert_eq!((models.brain.model.as_str(), models.brain.base_url.as_str()), ("big", "http://b/v1"));
    assert_eq!((models.tool.model.as_str(), models.tool.base_url.as_str()), ("small", "http://s/v1"));
    assert_eq!((models.brain.tool_calls, models.tool.tool_calls), (ToolCallForm::Native, ToolCallForm::Auto));
    assert!(models.brain.api_key.is_empty());
    assert_eq!(models.tool.api_key, Secret::new("sk-tool-key"));
}

#[test]
fn header_fields_are_hidden_shared_and_known_to_the_redactor() {
    let home = Home::with(
        "[model]\nmodel = \"m\"\nca_file = \"/etc/own.pem\"\n[model.headers]\napi-key = \"sk-hidden-key\"\nX-Title = \"artoo\"\n",
    );
    let models = home.config().models;
    assert_eq!(models.brain.headers, models.tool.headers);
    let spoken =
        Home::with("[model]\nmodel = \"m\"\napi = \"messages\"\n[model.tool]\napi = \"responses\"\n")
            .config()
            .models;
    assert_eq!((spoken.brain.api, spoken.tool.api), (ApiForm::Messages, ApiForm::Responses));
    assert_eq!(models.brain.headers["X-Title"].expose(), "artoo");
    assert_eq!(models.brain.ca_file.as_deref(), Some(std::path::Path::new("/etc/own.pem")));
    let priced = |prices: &str| {
        Home::with(&format!("[control]\nmax_cost = 0.5\n[model]\nmodel = \"m\"\n{prices}")).config()
    };
    assert!(priced("").advice().concat().contains("model.prices"));
    let known = priced("prices = \"~/prices.json\"\n");
    assert!(known.advice().is_empty() && known.models.tool.prices.unwrap().is_absolute());
    let settings = home.config().settings;
    let known: Vec<&str> = settings.secrets().iter().map(Secret::expose).collect();
    assert_eq!(known, ["sk-hidden-key"], "a title is no secret");
    let shown = as_text(&show(&settings));
    assert!(shown.contains("X-Title, api-key (hidden)") && !shown.contains("sk-hidden-key"), "{shown}");
    assert!(Home::new().flag("model.headers=a").load().is_err());
}

#[test]
fn each_tier_has_its_own_patience_else_the_shared_one() {
    let home = Home::with(
        "[model]\nmodel = \"m\"\nidle_ms = 700\ncall_ms = 9000\n[model.tool]\ncall_ms = 8000\nfirst_token_ms = 600\n",
    );
    let models = home.config().models;
    let [brain, tool] = [models.brain.patience, models.tool.patience];
    assert_eq!((brain.first_token_ms, brain.idle_ms, brain.call_ms), (180_000, 700, 9_000));
    assert_eq!((tool.first_token_ms, tool.idle_ms, tool.call_ms), (600, 700, 8_000));
}

#[test]
fn a_context_is_set_for_each_tier_or_for_both_else_the_server_is_asked() {
    let contexts = |text: &str| {
        let models = Home::with(text).config().models;
        (models.brain.context, models.tool.context)
    };
    assert_eq!(contexts("[model]\nmodel = \"m\"\n"), (None, None));
    let both = "[model]\nmodel = \"m\"\ncontext = 8192\n";
    assert_eq!(contexts(both), (Some(8192), Some(8192)));
    assert_eq!(contexts(&format!("{both}[model.tool]\ncontext = 4096\n")), (Some(8192), Some(4096)));
    assert!(Home::new().flag("model.context=100").load().is_err());
}

#[test]
fn one_tier_alone_can_be_a_server() {
    let home = Home::new().env("BRAIN_MODEL", "m");
    assert_eq!(kinds(&home), (ProviderKind::OpenAi, ProviderKind::Offline));
    assert_eq!(home.config().advice().len(), 1);
    assert!(home.config().advice()[0].contains("set TOOL_MODEL or OPENAI_MODEL"));
}

#[test]
fn artoo_provider_forces_both_tiers() {
    let file = "[model.brain]\nprovider = \"openai\"\nmodel = \"m\"\n[model.tool]\nprovider = \"openai\"\nmodel = \"m\"\n";
    assert_eq!(kinds(&Home::with(file)), BOTH);
    assert_eq!(kinds(&Home::with(file).env("ARTOO_PROVIDER", "offline")), NEITHER);
    let offline = "[model]\nprovider = \"offline\"\nmodel = \"m\"\n";
    assert_eq!(kinds(&Home::with(offline)), NEITHER);
    assert_eq!(kinds(&Home::with(offline).env("ARTOO_PROVIDER", "openai")), BOTH);
    let mut home = Home::with(offline).env("ARTOO_PROVIDER", "offline");
    home.flags.provider = Some("openai".to_owned());
    assert_eq!(kinds(&home), BOTH);
}

#[test]
fn what_is_not_configured_to_the_end_stops_nothing_and_is_told() {
    let check = |home: Home, begun: &str, of: &str, variable: &str| {
        let expected = format!(
            "{begun} is set and no model is named{of}: the built-in rules answer there. Find one: artoo setup; or set {variable}, \
             or `model` in ~/.artoo/config.toml; or stay offline: artoo config set model.provider offline"
        );
        let config = home.config();
        assert_eq!(config.missing_model().as_ref(), Some(&expected));
        assert_eq!(config.advice(), [expected]);
        config.models
    };
    for (home, begun) in [
        (Home::new().env("ARTOO_PROVIDER", "openai"), "ARTOO_PROVIDER"),
        (Home::new().env("OPENAI_API_KEY", "sk-1"), "OPENAI_API_KEY"),
        (Home::new().env("OPENAI_BASE_URL", "http://h/v1").env("OPENAI_API_KEY", "sk-1"), "OPENAI_BASE_URL"),
        (Home::with("[model]\nbase_url = \"http://h/v1\"\n"), "model.base_url"),
    ] {
        let models = check(home, begun, "", "OPENAI_MODEL");
        assert_eq!((models.brain.kind, models.tool.kind), NEITHER, "{begun}");
    }
    let tool = " for the tool tier";
    check(Home::with("[model.tool]\nprovider = \"openai\"\n"), "model.tool.provider", tool, "TOOL_MODEL");
    // No command for a key runs where no server is.
    let home = Home::with("[model.tool]\napi_key_command = \"exit 1\"\n");
    check(home, "model.tool.api_key_command", tool, "TOOL_MODEL");
    let home = Home::new().env("OPENAI_API_KEY", "sk-1").env("BRAIN_MODEL", "m");
    let models = check(home, "OPENAI_API_KEY", tool, "TOOL_MODEL");
    assert_eq!((models.brain.kind, models.tool.kind), (ProviderKind::OpenAi, ProviderKind::Offline));
}

#[test]
fn whoever_stays_offline_hears_of_no_missing_model() {
    for home in [
        Home::new(),
        Home::new().env("OPENAI_API_KEY", "sk-1").env("ARTOO_PROVIDER", "offline"),
        Home::with("[model]\nprovider = \"offline\"\nbase_url = \"http://h/v1\"\n"),
        Home::new().env("OPENAI_API_KEY", "sk-1").env("OPENAI_MODEL", "m"),
    ] {
        assert_eq!(home.config().missing_model(), None);
    }
}

#[test]
fn what_describes_no_server_configures_none() {
    assert_eq!(kinds(&Home::with("[model]\ntool_calls = \"native\"\napi_key = \"\"\n")), NEITHER);
}
