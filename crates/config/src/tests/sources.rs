//! Flag before environment before file before default.

use super::*;

#[test]
fn nothing_configured_is_the_default() {
    let config = Home::new().config();
    assert_eq!(config.models, ModelConfig::default());
    assert_eq!(config.control, ControlParams::default());
    assert!(config.advice().is_empty());
}

#[test]
fn each_source_outranks_the_next() {
    let file = "[model]\nmodel = \"from-file\"\n[control]\nalpha = 0.5\n";
    let home = Home::with(file);
    assert_eq!(home.shown("model.model"), "model.model = from-file  (config.toml)");
    assert_eq!(home.shown("control.alpha"), "control.alpha = 0.5  (config.toml)");
    assert_eq!(home.shown("control.beta"), "control.beta = 0.3  (default)");

    let home = home.env("OPENAI_MODEL", " from-env ").flag("control.alpha=0.25");
    assert_eq!(home.shown("model.model"), "model.model = from-env  (environment OPENAI_MODEL)");
    assert_eq!(home.config().control.alpha, 0.25);

    let home = home.flag("model.model=from-flag").flag("model.model=from-later-flag");
    assert_eq!(home.shown("model.model"), "model.model = from-later-flag  (flag)");
    assert_eq!(home.config().models.brain.model, "from-later-flag");
}

#[test]
fn an_empty_variable_is_not_set() {
    let home = Home::with("[model]\nmodel = \"m\"\n").env("OPENAI_MODEL", "").env("BRAIN_MODEL", "  ");
    assert_eq!(home.config().models.brain.model, "m");
    assert_eq!(Home::new().env("OPENAI_API_KEY", "").config().models, ModelConfig::default());
}

#[test]
fn errors_name_the_variable_or_flag() {
    let check = |home: Home, expected: &str| assert_eq!(home.error(), expected);
    check(
        Home::new().env("ARTOO_PROVIDER", "local"),
        "environment variable ARTOO_PROVIDER: `model.provider` must be offline or openai, not \"local\"",
    );
    check(
        Home::new().env("TOOL_BASE_URL", "127.0.0.1:8080"),
        "environment variable TOOL_BASE_URL: `model.tool.base_url` must be an address such as \
         http://127.0.0.1:11434/v1",
    );
    check(
        Home::new().flag("control.max_replans=21"),
        "flag --set: `control.max_replans` must be a whole number from 0 to 20, not \"21\"",
    );
    check(
        Home::new().flag("control.alhpa=1"),
        "flag --set: unknown key `control.alhpa`, did you mean `alpha`?",
    );
    check(
        Home::new().flag("control.alpha"),
        "flag --set control.alpha: write a key and a value, such as --set control.alpha=0.7",
    );
}

#[test]
fn a_key_is_refused_as_a_flag_and_not_repeated() {
    let error = Home::new().flag("model.brain.api_key=sk-very-secret").error();
    assert!(error.contains("set BRAIN_API_KEY, or model.brain.api_key_file in config.toml"), "{error}");
    assert!(!error.contains("very-secret"), "{error}");
}

#[test]
fn an_address_with_a_password_is_refused_unseen() {
    let error = Home::new().env("OPENAI_BASE_URL", "https://me:hunter2@host/v1").error();
    assert!(
        error.contains("OPENAI_BASE_URL") && error.contains("put a user name or key into api_key"),
        "{error}"
    );
    assert!(!error.contains("hunter2"), "{error}");
}
