//! `.env` into `config.toml`, and writing it.

use super::*;

fn check(env: &str, existing: &str, expected: &str) {
    assert_eq!(import_env(env, existing).unwrap(), expected, "for {env:?} into {existing:?}");
}

fn check_refused(env: &str, existing: &str, expected: &str) {
    let error = import_env(env, existing).unwrap_err().to_string();
    assert!(error.contains(expected), "for {env:?} into {existing:?}: {error}");
    assert!(!error.contains("very-secret"), "{error}");
}

#[test]
fn a_new_file_gets_its_sections() {
    check(
        "# mine\nOPENAI_API_KEY=sk-1\nexport BRAIN_MODEL = \"big\" # comment\nTOOL_BASE_URL='http://h/v1'\nPATH=/bin\n",
        "",
        "[model]\napi_key = \"sk-1\"\n\n[model.brain]\nmodel = \"big\"\n\n[model.tool]\nbase_url = \"http://h/v1\"\n",
    );
}

#[test]
fn the_key_of_langsearch_is_kept_and_works() {
    let env = "LANGSEARCH_API_KEY=ls-1\nLANGSEARCH_BASE_URL=http://127.0.0.1:9/v1/web-search\n";
    check(
        env,
        "",
        "[search.langsearch]\nbase_url = \"http://127.0.0.1:9/v1/web-search\"\napi_key = \"ls-1\"\n",
    );
    let home = Home::with(&import_env(env, "[search]\nengine_id = \"e\"\n").unwrap());
    let label = home.config().web.search.map(|search| search.label());
    assert_eq!(label.as_deref(), Some("LangSearch at http://127.0.0.1:9/v1/web-search"));
}

#[test]
fn the_rest_of_the_file_stays() {
    check(
        "OPENAI_MODEL=new\nOPENAI_API_KEY=k\nTOOL_MODEL=t\n",
        "# top\n[control]\nalpha = 0.5 # half\n\n[ model ] # shared\nmodel = 'old'   # why\n[model.tool]",
        "# top\n[control]\nalpha = 0.5 # half\n\n[ model ] # shared\napi_key = \"k\"\nmodel = \"new\"   # why\n[model.tool]\n\
         model = \"t\"\n",
    );
    check("OPENAI_MODEL=m", "[control]\nw1 = 1", "[control]\nw1 = 1\n\n[model]\nmodel = \"m\"\n");
    check("OPENAI_MODEL=m", "model.model = 'x'\n", "model.model = \"m\"\n");
    check(
        "OPENAI_MODEL=m",
        "[model.brain]\nmodel='b'\n",
        "[model.brain]\nmodel='b'\n\n[model]\nmodel = \"m\"\n",
    );
}

#[test]
fn values_are_read_as_shells_read_them() {
    let check_value = |raw: &str, value: &str| {
        let text = import_env(&format!("OPENAI_MODEL={raw}\r\n"), "").unwrap();
        assert_eq!(Home::with(&text).config().models.brain.model, value, "for {raw}");
    };
    check_value("plain", "plain");
    check_value("a#b # c", "a#b");
    check_value("'single # \\n'", "single # \\n");
    check_value("\"a \\\"quoted\\\" \\\\ word\" # c", "a \"quoted\" \\ word");
    check_value("'it is \"both\"'", "it is \"both\"");
    check_value("first\nOPENAI_MODEL=last", "last");
}

#[test]
fn what_was_imported_can_be_named() {
    let text = "TOOL_MODEL=t\nOPENAI_API_KEY=k\nBRAIN_MODEL=\nMY_OPENAI_MODEL=x\n#OPENAI_MODEL=y\n";
    assert_eq!(variables_in(text).unwrap(), ["OPENAI_API_KEY", "TOOL_MODEL"]);
}

#[test]
fn what_cannot_be_imported_is_refused() {
    check_refused(
        "A=1\nOPENAI_MODEL=\n",
        "",
        "nothing to import: none of OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API_KEY",
    );
    check_refused("ARTOO_PROVIDER=offline\n", "", "nothing to import");
    check_refused(
        "\nOPENAI_API_KEY=\"very-secret\n",
        "",
        "line 2: OPENAI_API_KEY has a quote that does not close",
    );
    check_refused("OPENAI_API_KEY=${KEY}", "", "line 1: OPENAI_API_KEY refers to another variable");
    check_refused("OPENAI_API_KEY=\"$(pass very-secret)\"", "", "refers to another variable or command");
    check_refused("OPENAI_BASE_URL=me:very-secret@h", "", "line 1: OPENAI_BASE_URL holds an `@`");
    check_refused("OPENAI_MODEL=m", "[model\n", "config.toml line 1 column");
    check_refused("OPENAI_MODEL=m", "[modle]\n", "config.toml line 1: unknown key `modle`");
    check_refused(
        "OPENAI_MODEL=m",
        "model = { api_key = 'k' }\n",
        "`model.model` cannot be added to this config.toml",
    );
    check_refused("OPENAI_MODEL=m", "model.api_key = 'k'\n", "write its keys below the line [model]");
    check_refused(
        "BRAIN_API_KEY=very-secret",
        "[model.brain]\napi_key_file = \"~/k\"\n",
        "config.toml has `model.brain.api_key_file` already; remove it to use BRAIN_API_KEY",
    );
}

#[test]
fn the_file_is_written_for_its_owner_alone() {
    let home = Home::new();
    home.write(".artoo/config.toml", "# open to all\n", 0o644);
    home.write(".artoo/.config.toml.new", "left behind", 0o644);
    let text = import_env("OPENAI_API_KEY=sk-1\nOPENAI_MODEL=m\n", "# open to all\n").unwrap();
    write_config(&home.places, &text).unwrap();
    let path = home.places.data.join("config.toml");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    assert_eq!(fs::read_dir(&home.places.data).unwrap().count(), 1);
    assert_eq!(home.config().models.brain.model, "m");
}

#[test]
fn a_linked_file_is_written_where_it_lies() {
    let home = Home::new();
    let real = home.write("dotfile.toml", "", 0o644);
    let link = home.places.data.join("config.toml");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_config(&home.places, "# new\n").unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "# new\n");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let home = Home::new();
    fs::remove_dir(&home.places.data).unwrap();
    let error = write_config(&home.places, "").unwrap_err().to_string();
    assert!(error.starts_with("~/.artoo/config.toml cannot be written: "), "{error}");
}

#[test]
fn a_file_is_imported_whole_or_not_at_all() {
    let home = Home::with("[control]\nalpha = 0.5\n");
    let env = home.write(".env", "OPENAI_API_KEY=sk-1\nOPENAI_MODEL=m\n", 0o600);
    assert_eq!(crate::import(&home.places, &env).unwrap(), 2);
    let config = home.config();
    assert_eq!((config.models.tool.model.as_str(), config.control.alpha), ("m", 0.5));

    let before = fs::read_to_string(home.places.data.join("config.toml")).unwrap();
    home.write(".env", "OPENAI_MODEL=other\nTOOL_MODEL='open\n", 0o600);
    crate::import(&home.places, &env).unwrap_err();
    assert_eq!(fs::read_to_string(home.places.data.join("config.toml")).unwrap(), before);
    let error = crate::import(&home.places, &home.places.home.join("none")).unwrap_err().to_string();
    assert!(error.ends_with("/none does not exist"), "{error}");
}
