use super::{ModelConfig, ModelConfigError, ProviderConfig, ProviderKind, Secret, ToolCallForm};

#[test]
fn a_secret_is_not_in_any_debug_output() {
    let tier = ProviderConfig {
        kind: ProviderKind::OpenAi,
        api_key: Secret::new(" sk-hidden\n"),
        ..ProviderConfig::default()
    };
    let config = ModelConfig { brain: tier.clone(), tool: tier };
    let shown = format!("{config:?} {config:#?}");
    assert!(!shown.contains("sk-hidden") && shown.contains("Secret(***)"), "{shown}");
    assert_eq!(config.brain.api_key.expose(), "sk-hidden", "a line break is no part of a key");
}

#[test]
fn words_of_the_configuration_are_read_back() {
    for kind in [ProviderKind::OpenAi, ProviderKind::Offline] {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    for form in [ToolCallForm::Json, ToolCallForm::Native] {
        assert_eq!(form.as_str().parse(), Ok(form));
    }
    let unknown: Result<ProviderKind, ModelConfigError> = "claude".parse();
    assert!(unknown.unwrap_err().to_string().contains("\"openai\" or \"offline\""));
}
