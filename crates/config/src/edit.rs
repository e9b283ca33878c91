//! Single settings of `config.toml` set or taken out; comments, order and all other keys stay as they are.

use toml_edit::{DocumentMut, Item, Table, value};

use super::document::parse;
use super::error::ConfigError;
use super::table::{find, nearest};
use super::value::{Value, ValueKind, from_text};

/// How an error names the text that is to become the file.
const SHOWN: &str = "config.toml";

/// The text of `config.toml` with these settings: each is a key such as `model.base_url` and its value as in a flag; without a
/// value the setting is taken out, also one that is unknown.
///
/// # Errors
/// When a key is unknown and has a value, when a value cannot be, or when the result would be no valid configuration.
pub fn edited(existing: &str, changes: &[(String, Option<String>)]) -> Result<String, ConfigError> {
    let mut document: DocumentMut = existing.parse().map_err(|error: toml_edit::TomlError| {
        let (line, column) = super::document::position(existing, error.span().map_or(0, |span| span.start));
        ConfigError::Syntax { path: SHOWN.to_owned(), line, column, problem: error.message().to_owned() }
    })?;
    for (key, text) in changes {
        match text {
            Some(text) => set(&mut document, key, text)?,
            None => take_out(document.as_table_mut(), key),
        }
    }
    let result = document.to_string();
    parse(&result, SHOWN)?;
    Ok(result)
}

fn set(document: &mut DocumentMut, key: &str, text: &str) -> Result<(), ConfigError> {
    let Some(setting) = find(key) else {
        let (place, key) = (SHOWN.to_owned(), key.to_owned());
        return Err(ConfigError::UnknownKey { nearest: nearest(&key), place, key });
    };
    let kind = setting.field.kind;
    let refuse = |problem| ConfigError::Value { place: SHOWN.to_owned(), key: key.to_owned(), problem };
    let new: toml_edit::Value = match from_text(kind, text).map_err(refuse)? {
        Value::Text(word) if matches!(kind, ValueKind::Word(words) if words.contains(&"true")) => {
            (word == "true").into()
        }
        Value::Text(text) => text.into(),
        Value::Secret(key) => key.expose().into(),
        Value::Number(number) => number.into(),
        Value::Count(count) => i64::try_from(count).unwrap_or(i64::MAX).into(),
        Value::Headers(_) => return Err(refuse("is a table: write it into config.toml".to_owned())),
    };
    let mut table = document.as_table_mut();
    for part in setting.section().split('.') {
        let item = table.entry(part).or_insert_with(|| {
            let mut section = Table::new();
            // A section that only holds others needs no header.
            section.set_implicit(true);
            Item::Table(section)
        });
        let Some(inner) = item.as_table_mut() else {
            let problem =
                format!("cannot be added: write [{}] on a line of its own first", setting.section());
            return Err(refuse(problem));
        };
        table = inner;
    }
    table.set_implicit(false);
    match table.get_mut(setting.name()).and_then(Item::as_value_mut) {
        // What stands around the old value, such as a comment behind it, stays.
        Some(old) => {
            let around = old.decor().clone();
            *old = new;
            *old.decor_mut() = around;
        }
        None => {
            table.insert(setting.name(), value(new));
        }
    }
    Ok(())
}

/// What is not there is as it should be.
fn take_out(top: &mut Table, key: &str) {
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut table = top;
    for part in section.split('.').filter(|part| !part.is_empty()) {
        let Some(inner) = table.get_mut(part).and_then(Item::as_table_mut) else { return };
        table = inner;
    }
    table.remove(name);
}

#[cfg(test)]
mod tests {
    use super::edited;

    fn changes(changes: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
        changes.iter().map(|(key, text)| ((*key).to_owned(), text.map(str::to_owned))).collect()
    }

    fn check(existing: &str, wanted: &[(&str, Option<&str>)], expected: &str) {
        assert_eq!(edited(existing, &changes(wanted)).unwrap(), expected, "{wanted:?} in {existing:?}");
    }

    #[test]
    fn values_are_set_and_all_else_stays() {
        check("", &[("model.model", Some("m"))], "[model]\nmodel = \"m\"\n");
        check(
            "# mine\n[model] # shared\nmodel = 'old' # why\n\n[control]\nalpha = 0.5\n",
            &[("model.model", Some("new")), ("model.base_url", Some("http://h/v1"))],
            "# mine\n[model] # shared\nmodel = \"new\" # why\nbase_url = \"http://h/v1\"\n\n[control]\nalpha = 0.5\n",
        );
        check("", &[("model.tool.model", Some("t"))], "[model.tool]\nmodel = \"t\"\n");
        check(
            "[storage]\n",
            &[("storage.min_free_mib", Some("5")), ("memory.reflect", Some("false"))],
            "[storage]\nmin_free_mib = 5\n\n[memory]\nreflect = false\n",
        );
    }

    #[test]
    fn what_is_taken_out_is_gone_and_may_be_unknown() {
        check("[model]\nmodle = 'x'\nmodel = 'm'\n", &[("model.modle", None)], "[model]\nmodel = 'm'\n");
        check("[model]\nmodel = 'm'\n", &[("search.provider", None)], "[model]\nmodel = 'm'\n");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (existing, key, text, part) in [
            ("", "model.modle", "x", "did you mean `model`?"),
            ("", "model.base_url", "ftp://x", "must be an address"),
            ("", "control.alpha", "much", "a number from 0"),
            ("[model\n", "model.model", "m", "not valid TOML"),
            ("[model]\nmodle = 'x'\n", "model.model", "m", "unknown key `modle`"),
        ] {
            let error = edited(existing, &changes(&[(key, Some(text))])).unwrap_err().to_string();
            assert!(error.contains(part), "{key}: {error}");
        }
    }
}
