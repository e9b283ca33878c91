//! `artoo model`: which model answers, and another one of the same server, once a real call has shown that it answers.

use artoo_config::folder::Places;
use artoo_config::{Config, Flags, Settings};
use artoo_model::probe::ProbeVerdict;
use artoo_model::{ProviderConfig, Secret};
use clap::Args;

use super::trial::{ModelTrial, TrialVerdict, list, try_configured};
use super::writing::ConfigChange;
use super::{SetupEnd, say, shown};

/// Which model.
#[derive(Debug, Clone, Default, Args)]
pub struct ModelArguments {
    /// Its name as the server knows it; without one, what is configured and what the server has
    pub name: Option<String>,
}

/// Shows the model, or sets another one. One that does not answer is not set.
///
/// # Errors
/// When the configuration cannot be read or written, or a variable outranks it.
pub async fn model(places: &Places, flags: &Flags, arguments: &ModelArguments) -> anyhow::Result<SetupEnd> {
    let settings = Settings::read(places, flags, &artoo_config::process_environment)?;
    let Some(name) = &arguments.name else {
        show(places, flags, &settings).await?;
        return Ok(SetupEnd::Ready);
    };
    if let Some(variable) = outranking(&settings) {
        anyhow::bail!(
            "{variable} is set in this shell and outranks config.toml: unset {variable}, then say it again"
        );
    }
    let set = |key: &str, value: Option<&str>| (key.to_owned(), value.map(str::to_owned));
    let change = ConfigChange::new(
        places,
        &[set("model.model", Some(name)), set("model.brain.model", None), set("model.tool.model", None)],
    )?;
    if change.is_empty() {
        say("config.toml says so already.\n");
        return Ok(SetupEnd::Ready);
    }
    let servers = if artoo_config::names_a_server(&settings) {
        let config = Config::load(places, &naming(flags, name), &artoo_config::process_environment)?;
        let (brain, tool) = (config.models.brain, config.models.tool);
        let both = if brain == tool { vec![brain] } else { vec![brain, tool] };
        both.into_iter().filter(|tier| tier.kind.is_server()).collect()
    } else {
        Vec::new()
    };
    if servers.is_empty() {
        say(&format!(
            "✗ Nothing says which server has {name}, so built-in rules go on answering. Nothing was changed.\nTo find a server: \
             artoo setup\nOne that you know: artoo setup --url URL --model {name}\n"
        ));
        return Ok(SetupEnd::Unchanged);
    }
    for server in &servers {
        if !answers(server).await? {
            return Ok(SetupEnd::Unchanged);
        }
    }
    say(&change.shown(&Secret::default()));
    change.write(places)?;
    say(&format!("back to the built-in rules: {}\n", way_back(&settings)));
    Ok(SetupEnd::Ready)
}

/// Calls the model and says how that went.
///
/// # Errors
/// When the server's address cannot be one.
async fn answers(server: &ProviderConfig) -> anyhow::Result<bool> {
    let name = &server.model;
    let trial = try_configured(server).await?;
    let (verdict, lacks) = trial.verdict();
    if verdict == TrialVerdict::Unusable {
        say(&format!(
            "✗ {name} was not set: {}\nNothing was changed. {}\n",
            lacks.join("; "),
            next(server, &trial)
        ));
        return Ok(false);
    }
    say(&format!("✓ {name} answers · {}\n", trial.facts()));
    lacks.iter().for_each(|lack| say(&format!("! {lack}\n")));
    // A server with one model answers to any name.
    if let Ok(known) = list(server).await
        && !known.iter().any(|listed| listed.name == *name)
    {
        say(&format!("! the server does not name a model {name}; it has {}\n", shown(&known)));
    }
    Ok(true)
}

/// What helps where a model was not set.
fn next(server: &ProviderConfig, trial: &ModelTrial) -> String {
    let name = &server.model;
    match trial.json.verdict {
        ProbeVerdict::UnknownModel if !trial.json.models.is_empty() => {
            format!("The server has {}: artoo model NAME", shown(&trial.json.models))
        }
        ProbeVerdict::UnknownModel | ProbeVerdict::Unreadable | ProbeVerdict::NoPermission => {
            "Another model: artoo model NAME; another server: artoo setup".to_owned()
        }
        ProbeVerdict::Closed | ProbeVerdict::Silent | ProbeVerdict::Busy | ProbeVerdict::Failing => {
            format!("Start it or wait for it, then: artoo model {name}. Another server: artoo setup")
        }
        ProbeVerdict::WrongKey | ProbeVerdict::NoKey => {
            format!("Give the right key: artoo config set model.api_key KEY, then: artoo model {name}")
        }
        ProbeVerdict::WrongAddress => {
            format!("Give its address: artoo config set model.base_url URL, then: artoo model {name}")
        }
        ProbeVerdict::Answers | ProbeVerdict::NoCredit | ProbeVerdict::Untrusted => {
            "Put that right, or take another server: artoo setup".to_owned()
        }
    }
}

async fn show(places: &Places, flags: &Flags, settings: &Settings) -> anyhow::Result<()> {
    let config = Config::load(places, flags, &artoo_config::process_environment)?;
    let (brain, tool) = (&config.models.brain, &config.models.tool);
    if !brain.kind.is_server() && !tool.kind.is_server() {
        say("none: built-in rules answer everyday requests. To find a model: artoo setup\n");
        return Ok(());
    }
    for (tier, of) in [("brain", brain), ("tool", tool)] {
        if brain == tool {
            say(&format!("{} at {}\n", of.model, of.base_url));
            break;
        }
        let line = if of.kind.is_server() {
            format!("{} at {}", of.model, of.base_url)
        } else {
            "built-in rules".to_owned()
        };
        say(&format!("{tier:<6} {line}\n"));
    }
    let of = if brain.kind.is_server() { brain } else { tool };
    match list(of).await {
        Ok(known) => say(&format!("the server has {}\nanother one: artoo model NAME\n", shown(&known))),
        Err(why) => say(&format!("! {why}\n")),
    }
    say(&format!("back to the built-in rules: {}\n", way_back(settings)));
    Ok(())
}

/// The flags with this model for both tiers, as if it were written down.
fn naming(flags: &Flags, name: &str) -> Flags {
    let mut flags = flags.clone();
    flags.set.extend(["model.brain.model", "model.tool.model"].map(|key| format!("{key}={name}")));
    flags
}

/// The variable that names a model, and so outranks `config.toml`.
fn outranking(settings: &Settings) -> Option<&'static str> {
    let mut variables = artoo_config::from_variables(settings).into_iter();
    variables
        .find(|(key, _)| matches!(*key, "model.brain.model" | "model.tool.model"))
        .map(|(_, variable)| variable)
}

/// What a person types so that the built-in rules answer again.
fn way_back(settings: &Settings) -> String {
    match outranking(settings) {
        Some(variable) => format!("unset {variable}; artoo restart"),
        None => "artoo config unset model.model && artoo restart".to_owned(),
    }
}
