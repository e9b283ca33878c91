//! `.env` into `config.toml`: the known variables move, everything else in the file stays as it is.

use std::path::Path;

use super::document::{Entry, parse};
use super::error::ConfigError;
use super::field::KeyForm;
use super::file::{FILE_LIMIT, config_path, read_bounded, shown_path};
use super::save::write_config;
use super::table::{SETTINGS, Setting};
use super::value::{Value, from_text};
use crate::folder::Places;

/// Variables of these beginnings are imported. ARTOO_PROVIDER is not: it forces, which a file cannot.
const IMPORTED: [&str; 4] = ["OPENAI_", "BRAIN_", "TOOL_", "LANGSEARCH_"];
/// How an error names the text that is to become the file.
const SHOWN: &str = "config.toml";

/// Copies the known variables of the file `env` into `config.toml`, and says how many. The data folder must exist.
///
/// # Errors
/// As [`import_env`]; also when a file cannot be read or written. Then `config.toml` is as it was.
pub fn import(places: &Places, env: &Path) -> Result<usize, ConfigError> {
    let shown = env.display().to_string();
    let Some((text, _)) = read_bounded(env, &shown, FILE_LIMIT)? else {
        return Err(ConfigError::File { path: shown, problem: "does not exist".to_owned() });
    };
    let path = config_path(places);
    let existing = read_bounded(&path, &shown_path(places, &path), FILE_LIMIT)?;
    let existing = existing.map_or_else(String::new, |(existing, _)| existing);
    let result = import_env(&text, &existing)?;
    write_config(places, &result)?;
    Ok(variables_in(&text)?.len())
}

/// The text of `config.toml` with the known variables of `text` set in it. Comments, other keys and their order stay.
///
/// # Errors
/// When `text` has no known variable or one with a value that cannot be, when `existing` is no valid configuration, or
/// when the result would not be one, such as with an `api_key` beside an `api_key_file`.
pub fn import_env(text: &str, existing: &str) -> Result<String, ConfigError> {
    let found = assignments(text)?;
    if found.is_empty() {
        let names: Vec<&str> = importable().filter_map(|setting| setting.environment).collect();
        return Err(ConfigError::Import(format!("nothing to import: none of {} is set", names.join(", "))));
    }
    parse(existing, SHOWN)?;
    let mut result = existing.to_owned();
    for assignment in &found {
        result = set(&result, assignment)?;
    }
    refuse_second_key(&parse(&result, SHOWN)?, &found)?;
    Ok(result)
}

/// The names of the variables that [`import_env`] would take from `text`, in the order of the settings.
///
/// # Errors
/// When one has a value that cannot be.
pub fn variables_in(text: &str) -> Result<Vec<&'static str>, ConfigError> {
    Ok(assignments(text)?.into_iter().filter_map(|found| found.setting.environment).collect())
}

/// A known variable with its value, as text and checked.
struct Assignment {
    setting: &'static Setting,
    text: String,
    value: Value,
}

fn importable() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|setting| {
        setting.environment.is_some_and(|name| IMPORTED.iter().any(|start| name.starts_with(start)))
    })
}

/// The known variables, one assignment each: the last of a name holds, and an empty one counts as not set. Lines that
/// set no known variable are not looked at.
fn assignments(text: &str) -> Result<Vec<Assignment>, ConfigError> {
    let mut found = Vec::new();
    for setting in importable() {
        let Some(name) = setting.environment else { continue };
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let Some((index, raw)) = lines.filter_map(|(i, line)| Some((i, assigned(line, name)?))).last() else {
            continue;
        };
        let refuse = |problem: String| ConfigError::Import(format!("line {}: {name} {problem}", index + 1));
        let text = unquoted(raw).map_err(|problem| refuse(problem.to_owned()))?;
        if !text.trim().is_empty() {
            let value = from_text(setting.field.kind, &text).map_err(refuse)?;
            found.push(Assignment { setting, text: text.trim().to_owned(), value });
        }
    }
    Ok(found)
}

/// What a line assigns to `name`, still quoted.
fn assigned<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let line = line.trim_start();
    let line = line.strip_prefix("export ").map_or(line, str::trim_start);
    Some(line.strip_prefix(name)?.trim_start().strip_prefix('=')?.trim())
}

/// The value without quotes and without a comment behind it.
fn unquoted(raw: &str) -> Result<String, &'static str> {
    let unclosed = "has a quote that does not close on its line; close it";
    let reference = "refers to another variable or command; write the value itself";
    if let Some(rest) = raw.strip_prefix('\'') {
        return rest.split_once('\'').map(|(value, _)| value.to_owned()).ok_or(unclosed);
    }
    let mut value = String::new();
    let Some(rest) = raw.strip_prefix('"') else {
        let bare = raw.split(" #").next().unwrap_or_default().trim();
        let bare = if bare.starts_with('#') { "" } else { bare };
        let refers = bare.starts_with('$') || bare.contains("${") || bare.contains("$(");
        return if refers { Err(reference) } else { Ok(bare.to_owned()) };
    };
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' if value.contains("${") || value.contains("$(") => return Err(reference),
            '"' => return Ok(value),
            '\\' => value.extend(characters.next()),
            other => value.push(other),
        }
    }
    Err(unclosed)
}

/// The text with one key set: its value replaced, or a line added.
///
/// # Errors
/// When a line for it fits nowhere, since the section is written in another form.
fn set(text: &str, assignment: &Assignment) -> Result<String, ConfigError> {
    let setting = assignment.setting;
    let value = toml::Value::String(assignment.text.clone());
    let here = |entry: &Entry| entry.setting.key == setting.key;
    if let Some(entry) = parse(text, SHOWN)?.into_iter().find(here) {
        return Ok(format!("{}{value}{}", &text[..entry.span.start], &text[entry.span.end..]));
    }
    let result = with_line(text, setting.section(), &format!("{} = {value}\n", setting.name()));
    let entries = parse(&result, SHOWN).unwrap_or_default();
    if entries.iter().any(|entry| here(entry) && entry.value == assignment.value) {
        return Ok(result);
    }
    Err(ConfigError::Import(format!(
        "`{}` cannot be added to this config.toml; write its keys below the line [{}] and import again",
        setting.key,
        setting.section()
    )))
}

/// The text with a line below the header of its section, or with the section at its end.
fn with_line(text: &str, section: &str, line: &str) -> String {
    let mut result = String::with_capacity(text.len() + line.len());
    let mut added = false;
    for existing in text.split_inclusive('\n') {
        result.push_str(existing);
        if !added && is_header(existing, section) {
            if !existing.ends_with('\n') {
                result.push('\n');
            }
            result.push_str(line);
            added = true;
        }
    }
    if !added {
        if !result.is_empty() && !result.ends_with('\n') {
            result.push('\n');
        }
        let gap = if result.is_empty() { "" } else { "\n" };
        result.push_str(&format!("{gap}[{section}]\n{line}"));
    }
    result
}

/// Whether a line is the header of that section. A line within a text of several lines may look the same; the
/// result is read again, so that such a file is refused and not spoiled.
fn is_header(line: &str, section: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default().trim();
    let inner = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| inner.split('.').map(str::trim).eq(section.split('.')))
}

/// Two ways to a key in one section are refused before they are written.
fn refuse_second_key(entries: &[Entry], found: &[Assignment]) -> Result<(), ConfigError> {
    for setting in found.iter().map(|found| found.setting).filter(|setting| setting.is_secret()) {
        let other = entries.iter().map(|entry| entry.setting).find(|other| {
            other.section() == setting.section()
                && matches!(other.field.key_form(), Some(KeyForm::File | KeyForm::Command))
        });
        if let Some(other) = other {
            return Err(ConfigError::Import(format!(
                "config.toml has `{}` already; remove it to use {}, or remove the variable",
                other.key,
                setting.environment.unwrap_or(setting.key)
            )));
        }
    }
    Ok(())
}
