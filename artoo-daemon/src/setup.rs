//! `artoo setup` and `artoo model`: find a model, try it with real calls, and write it into `config.toml`.
//!
//! They run as a program of their own in the person's shell, not in the daemon: the shell has the keys that a service never sees, a
//! configuration that keeps the daemon from starting is what they mend, and no key travels over the socket. The client starts them,
//! and starts the daemon anew where something was written.

mod candidates;
mod model;
mod trial;
mod writing;

use std::io::{BufRead, IsTerminal, Write};

use artoo_config::folder::Places;
use artoo_model::probe::ListedModel;
use artoo_model::{ApiForm, Secret};
use clap::Args;

use candidates::{ServerCandidate, candidates, key_variables};
pub use model::{ModelArguments, model};
use trial::{ModelTrial, TrialVerdict, list, try_model};
use writing::ConfigChange;
pub use writing::existing;

/// Models of one server that are shown.
const SHOWN: usize = 12;
/// Models that are tried one after the other when nobody is there to choose: the first of a server may be a small one.
const TRIED: usize = 3;

/// What to look for.
#[derive(Debug, Clone, Default, Args)]
pub struct SetupArguments {
    /// Ask nothing: take the first server and model that answer as they should
    #[arg(long, short)]
    pub yes: bool,
    /// Only this server, for example http://127.0.0.1:11434/v1
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// This model
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupEnd {
    /// The configuration names a model that answers.
    Ready,
    /// It is as it was.
    Unchanged,
}

/// A server that answers, with its models.
struct FoundServer {
    candidate: ServerCandidate,
    models: Vec<ListedModel>,
}

/// Looks for models, tries one, and writes it down.
///
/// # Errors
/// When the configuration cannot be read or written.
pub async fn setup(places: &Places, arguments: &SetupArguments) -> anyhow::Result<SetupEnd> {
    let found = look(arguments).await;
    if found.is_empty() {
        say(&nothing(arguments.url.as_deref()));
        return Ok(SetupEnd::Unchanged);
    }
    let asks = !arguments.yes && std::io::stdin().is_terminal();
    let chosen = if asks { choose(&found, arguments).await } else { take_first(&found, arguments).await };
    let Some((server, listed, trial)) = chosen else { return Ok(SetupEnd::Unchanged) };
    report(&server.candidate, &listed, &trial);
    if trial.verdict().0 == TrialVerdict::Unusable {
        say("Nothing was written. artoo works as before; try another model: artoo setup --model NAME\n");
        return Ok(SetupEnd::Unchanged);
    }
    let change = ConfigChange::new(places, &settings(&server.candidate, &listed))?;
    write(places, &change, &server.candidate.key, asks)
}

/// Asks every candidate for its models, all at once, and says what each said.
async fn look(arguments: &SetupArguments) -> Vec<FoundServer> {
    let all = candidates(arguments.url.as_deref(), artoo_config::process_environment);
    let asked = all.into_iter().map(|candidate| {
        tokio::spawn(async move {
            // A list is of all models, whichever is named.
            let models = list(&candidate.provider("-")).await;
            (candidate, models)
        })
    });
    let mut found = Vec::new();
    for asked in asked.collect::<Vec<_>>() {
        let Ok((candidate, models)) = asked.await else { continue };
        let from = candidate.variable.map_or_else(String::new, |name| format!(", key from {name}"));
        match models {
            Ok(models) if models.is_empty() => {
                say(&format!(
                    "! {} at {}: no model is there yet{from}\n",
                    candidate.name, candidate.base_url
                ));
            }
            Ok(models) => {
                say(&format!(
                    "✓ {} at {}: {}{from}\n",
                    candidate.name,
                    candidate.base_url,
                    counted(models.len())
                ));
                found.push(FoundServer { candidate, models });
            }
            // A list is not everybody's; a model that is named can be tried without it.
            Err(_) if arguments.url.is_some() && arguments.model.is_some() => {
                say(&format!("! {} gives no list of models\n", candidate.base_url));
                found.push(FoundServer { candidate, models: Vec::new() });
            }
            Err(why) if candidate.variable.is_some() || arguments.url.is_some() => {
                say(&format!("! {why}{from}\n"));
            }
            // Nobody said that a server is there.
            Err(_) => {}
        }
    }
    found
}

/// The first model that answers as it should, where nobody is there to be asked.
async fn take_first<'a>(
    found: &'a [FoundServer],
    arguments: &SetupArguments,
) -> Option<(&'a FoundServer, ListedModel, ModelTrial)> {
    let mut last = None;
    for server in found {
        let named = arguments.model.as_ref().or(server.candidate.model.as_ref());
        let models = match named {
            Some(name) => vec![of_name(server, name)],
            // Which model of a service is meant, its list does not say, and each costs something else.
            None if server.candidate.variable.is_some() => {
                let names = shown(&server.models);
                say(&format!(
                    "  {} has many models; name one: artoo setup --url {} --model NAME\n  {names}\n",
                    server.candidate.name, server.candidate.base_url
                ));
                continue;
            }
            None => server.models.iter().take(TRIED).cloned().collect(),
        };
        for listed in models {
            say(&format!("  trying {} ...\n", listed.name));
            match try_model(&server.candidate, &listed).await {
                Ok(trial) if trial.verdict().0 != TrialVerdict::Unusable => {
                    return Some((server, listed, trial));
                }
                Ok(trial) => last = Some((server, listed, trial)),
                Err(why) => say(&format!("! {why}\n")),
            }
        }
    }
    last
}

/// The model that a person chooses.
async fn choose<'a>(
    found: &'a [FoundServer],
    arguments: &SetupArguments,
) -> Option<(&'a FoundServer, ListedModel, ModelTrial)> {
    let mut rows = Vec::new();
    for server in found {
        let named = arguments.model.as_ref().map(|name| vec![of_name(server, name)]);
        let models = named.unwrap_or_else(|| server.models.clone());
        rows.extend(models.into_iter().map(|listed| (server, listed)));
    }
    let (server, listed) = match rows.as_slice() {
        [only] => only.clone(),
        several => {
            for (number, (server, listed)) in several.iter().take(SHOWN).enumerate() {
                say(&format!("  {:>2}  {}  ({})\n", number + 1, listed.name, server.candidate.name));
            }
            if let Some(more) = several.len().checked_sub(SHOWN).filter(|more| *more > 0) {
                say(&format!("      and {more} more; type a name\n"));
            }
            let typed = ask("Which model? [1] ")?;
            let wanted = if typed.is_empty() { "1".to_owned() } else { typed };
            let by_number =
                wanted.parse::<usize>().ok().and_then(|number| several.get(number.checked_sub(1)?));
            let by_name = || several.iter().find(|(_, listed)| listed.name == wanted);
            let Some(row) = by_number.or_else(by_name) else {
                say(&format!("There is no model {wanted}. Nothing was written.\n"));
                return None;
            };
            row.clone()
        }
    };
    say(&format!("  trying {} ...\n", listed.name));
    match try_model(&server.candidate, &listed).await {
        Ok(trial) => Some((server, listed, trial)),
        Err(why) => {
            say(&format!("! {why}\n"));
            None
        }
    }
}

fn of_name(server: &FoundServer, name: &str) -> ListedModel {
    let known = server.models.iter().find(|listed| listed.name == name);
    known.cloned().unwrap_or_else(|| ListedModel { name: name.to_owned(), context: None })
}

fn report(candidate: &ServerCandidate, listed: &ListedModel, trial: &ModelTrial) {
    let (verdict, lacks) = trial.verdict();
    let mark = match verdict {
        TrialVerdict::Good => "✓ good for artoo",
        TrialVerdict::Usable => "! usable",
        TrialVerdict::Unusable => "✗ not usable",
    };
    say(&format!("{mark}: {} of {} · {}\n", listed.name, candidate.name, trial.facts()));
    lacks.iter().for_each(|lack| say(&format!("  {lack}\n")));
}

/// What has to stand in the configuration for this model. What the shared section says, a tier does not say otherwise.
fn settings(candidate: &ServerCandidate, listed: &ListedModel) -> Vec<(String, Option<String>)> {
    let set = |key: &str, value: &str| (key.to_owned(), Some(value.to_owned()));
    let out = |key: &str| (key.to_owned(), None);
    let mut settings = vec![
        out("model.provider"),
        set("model.base_url", &candidate.base_url),
        set("model.model", &listed.name),
    ];
    settings.push(match candidate.api {
        ApiForm::Chat => out("model.api"),
        ApiForm::Responses => set("model.api", "responses"),
        ApiForm::Messages => set("model.api", "messages"),
    });
    // The daemon finds out by itself whether the server makes tool calls of its own.
    settings.push(out("model.tool_calls"));
    settings.extend([out("model.api_key_file"), out("model.api_key_command")]);
    settings.push(if candidate.key.is_empty() {
        out("model.api_key")
    } else {
        set("model.api_key", candidate.key.expose())
    });
    for tier in ["model.brain", "model.tool"] {
        settings.extend(["provider", "base_url", "model", "api"].map(|name| out(&format!("{tier}.{name}"))));
    }
    settings
}

/// Shows the change, asks where somebody is there, and writes it.
fn write(places: &Places, change: &ConfigChange, key: &Secret, asks: bool) -> anyhow::Result<SetupEnd> {
    if change.is_empty() {
        say("config.toml says so already.\n");
        return Ok(SetupEnd::Ready);
    }
    let target = places.data.join("config.toml");
    say(&format!("{}:\n{}", target.display(), change.shown(key)));
    if asks
        && !ask("Write this? [Y/n] ").is_some_and(|typed| matches!(typed.as_str(), "" | "y" | "Y" | "yes"))
    {
        say("Nothing was written.\n");
        return Ok(SetupEnd::Unchanged);
    }
    change.write(places)?;
    for name in ["OPENAI_MODEL", "OPENAI_BASE_URL", "BRAIN_MODEL", "TOOL_MODEL", "ARTOO_PROVIDER"] {
        if artoo_config::process_environment(name).is_some_and(|value| !value.trim().is_empty()) {
            say(&format!(
                "! {name} is set in this shell and outranks the file; to use the file: unset {name}\n"
            ));
        }
    }
    Ok(SetupEnd::Ready)
}

fn nothing(url: Option<&str>) -> String {
    let looked = match url {
        Some(url) => format!("No model answers at {url}."),
        None => "No model was found: no Ollama, LM Studio or llama-server answers on this machine, and the shell has no key that \
                 one could use."
            .to_owned(),
    };
    let keys: Vec<&str> = key_variables().take(3).collect();
    format!(
        "{looked}\nartoo works all the same: built-in rules answer everyday requests, offline.\nFor a model, start a server (for \
         Ollama: `ollama pull NAME`, then `ollama serve`) or export a key ({}, ...), then: artoo setup\n",
        keys.join(", ")
    )
}

fn shown(models: &[ListedModel]) -> String {
    let names: Vec<&str> = models.iter().take(SHOWN).map(|listed| listed.name.as_str()).collect();
    let rest = models.len().saturating_sub(SHOWN);
    if rest > 0 { format!("{} and {rest} more", names.join(", ")) } else { names.join(", ") }
}

fn counted(models: usize) -> String {
    if models == 1 { "1 model".to_owned() } else { format!("{models} models") }
}

/// What a person types; None at the end of the input.
fn ask(question: &str) -> Option<String> {
    say(question);
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim().to_owned())
}

/// Prints at once. A reader that has gone away is no error. What a server said may not steer the terminal.
fn say(text: &str) {
    let text: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    let mut out = std::io::stdout().lock();
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}
