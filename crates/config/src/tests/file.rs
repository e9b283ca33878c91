//! What is wrong in `config.toml` is said with file, line and what to do.

use super::*;

fn check(text: &str, expected: &str) {
    assert_eq!(Home::with(text).error(), expected, "for {text:?}");
}

#[test]
fn an_unknown_key_names_its_line_and_the_nearest_key() {
    let start = "~/.artoo/config.toml line";
    check(
        "# 1\n\n# 3\n[model]\n# 5\n# 6\nmodle = \"x\"\n",
        &format!("{start} 7: unknown key `modle`, did you mean `model`?"),
    );
    check("[modle]\nmodel = \"x\"\n", &format!("{start} 1: unknown key `modle`, did you mean `model`?"));
    check("[models.brain]\n", &format!("{start} 1: unknown key `models`, did you mean `model`?"));
    check("[model.brian]\n", &format!("{start} 1: unknown key `brian`, did you mean `brain`?"));
    check(
        "[brain]\nmodel = \"x\"\n",
        &format!("{start} 1: unknown key `brain`, did you mean `model.brain`?"),
    );
    check("api_key = \"sk\"\n", &format!("{start} 1: unknown key `api_key`, did you mean `model.api_key`?"));
    check(
        "[control]\ntheta = 0.5\nmaxReplans = 2\n",
        &format!("{start} 3: unknown key `maxReplans`, did you mean `max_replans`?"),
    );
    check(
        "[control]\napi_key_file = \"x\"\n",
        &format!("{start} 2: unknown key `api_key_file`, did you mean `model.api_key_file`?"),
    );
}

#[test]
fn the_first_fault_of_the_file_is_the_one_named() {
    check(
        "[model]\nzzz = 1\n[control]\nalpha = \"x\"\n",
        "~/.artoo/config.toml line 2: unknown key `zzz`, did you mean `model`?",
    );
}

#[test]
fn broken_toml_names_line_and_column() {
    let error = Home::with("[model]\nmodel = gpt\n").error();
    assert!(error.starts_with("~/.artoo/config.toml line 2 column 9: this is not valid TOML ("), "{error}");
    assert!(
        error.ends_with("correct that line, or move the file away to start from the defaults"),
        "{error}"
    );
    let error = Home::with("[model]\nmodel = \"a\"\nmodel = \"b\"\n").error();
    assert!(error.starts_with("~/.artoo/config.toml line 3 column 1: "), "{error}");
    let error = Home::with("[model]\napi_key = \"sk-very-secret\n").error();
    assert!(!error.contains("very-secret"), "{error}");
}

#[test]
fn a_value_of_the_wrong_type_says_which_is_right() {
    let at = |place: &str, rest: &str| format!("~/.artoo/config.toml line {place}: {rest}");
    check(
        "[control]\nalpha = \"0.6\"\n",
        &at(
            "2 column 9",
            "`control.alpha` must be a number from 0 to 1000 without quotes, not of the TOML type string",
        ),
    );
    check(
        "[control]\nmax_replans = 2.0\n",
        &at(
            "2 column 15",
            "`control.max_replans` must be a whole number from 0 to 20 without quotes, not of the TOML type float",
        ),
    );
    check(
        "[model]\nmodel = 4\n",
        &at("2 column 9", "`model.model` must be text in quotes, not of the TOML type integer"),
    );
    check(
        "[model.tool]\napi_key = 123456789\n",
        &at("2 column 11", "`model.tool.api_key` must be a key in quotes, not of the TOML type integer"),
    );
    check(
        "model = \"gpt\"\n",
        &at("1", "`model` is a section: write [model] on a line of its own, and its keys below"),
    );
    check(
        "[[control]]\n",
        &at("1", "`control` is a section: write [control] on a line of its own, and its keys below"),
    );
    check(
        "[model.brain.model]\nx = 1\n",
        &at("1 column 1", "`model.brain.model` must be text in quotes, not of the TOML type table"),
    );
}

#[test]
fn other_spellings_of_toml_mean_the_same() {
    let home = Home::with(
        "model.model = 'm'\nmodel.tool = { tool_calls = 'native' }\n[control]\ntime_budget_ms = 0xFFFF\nalpha = 1\n",
    );
    let config = home.config();
    assert_eq!(config.models.tool.tool_calls, artoo_model::ToolCallForm::Native);
    assert_eq!((config.control.time_budget_ms, config.control.alpha), (65_535, 1.0));
}

#[test]
fn a_file_with_a_key_that_others_can_read_is_refused() {
    for mode in [0o644, 0o640, 0o604, 0o620] {
        let home = Home::new().env("OPENAI_API_KEY", "sk-other");
        let path = home.write(".artoo/config.toml", "[model]\nmodel = \"m\"\napi_key = \"sk-1\"\n", mode);
        let error = home.error();
        assert!(
            error.starts_with("~/.artoo/config.toml holds a key and others can read it (mode 0"),
            "{error}"
        );
        assert!(error.ends_with(&format!("run `chmod 600 {}`", path.display())), "{error}");
    }
}

#[test]
fn a_readable_file_without_a_key_is_fine() {
    let home = Home::new();
    home.write(".artoo/config.toml", "[model]\nmodel = \"m\"\napi_key = \"\"\napi_key_file = \"\"\n", 0o644);
    assert!(home.error().contains("`model.api_key_file` is empty"), "{}", home.error());
    home.write(".artoo/config.toml", "[model]\nmodel = \"m\"\napi_key = \"\"\n", 0o644);
    assert!(home.config().models.brain.api_key.is_empty());
}

#[test]
fn what_is_no_small_text_file_is_refused() {
    let home = Home::with(&"#".repeat(1 << 20));
    assert_eq!(home.config().models, ModelConfig::default());
    home.write(".artoo/config.toml", &"#".repeat((1 << 20) + 1), 0o600);
    assert_eq!(
        home.error(),
        "~/.artoo/config.toml is larger than 1048576 bytes; check that it is the right file"
    );
    fs::write(home.places.data.join("config.toml"), b"# \xff\n").unwrap();
    assert!(home.error().contains("is not UTF-8 text"), "{}", home.error());
    fs::remove_file(home.places.data.join("config.toml")).unwrap();
    fs::create_dir(home.places.data.join("config.toml")).unwrap();
    assert!(home.error().contains("is not a file"), "{}", home.error());
}
