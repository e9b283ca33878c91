//! `artoo model`: which model answers, and another one of the same server.

use artoo_config::folder::Places;
use artoo_config::{Config, Flags, Settings};
use artoo_model::{ProviderConfig, Secret};
use clap::Args;

use super::candidates::ServerCandidate;
use super::trial::list;
use super::writing::ConfigChange;
use super::{SetupEnd, say, shown};

/// Which model.
#[derive(Debug, Clone, Default, Args)]
pub struct ModelArguments {
    /// Its name as the server knows it; without one, what is configured and what the server has
    pub name: Option<String>,
}

/// Shows the model, or sets another one.
///
/// # Errors
/// When the configuration cannot be read or written, or a variable outranks it.
pub async fn model(places: &Places, flags: &Flags, arguments: &ModelArguments) -> anyhow::Result<SetupEnd> {
    let Some(name) = &arguments.name else {
        show(places, flags).await?;
        return Ok(SetupEnd::Ready);
    };
    let settings = Settings::read(places, flags, &artoo_config::process_environment)?;
    for (key, variable) in artoo_config::from_variables(&settings) {
        if matches!(key, "model.brain.model" | "model.tool.model") {
            anyhow::bail!(
                "{variable} is set in this shell and outranks config.toml: unset {variable}, then say it again"
            );
        }
    }
    if let Ok(config) = Config::load(places, flags, &artoo_config::process_environment)
        && config.models.brain.kind.is_server()
        && let Ok(known) = list(&candidate(&config.models.brain)).await
        && !known.iter().any(|listed| listed.name == *name)
    {
        say(&format!("! the server does not name a model {name}; it has {}\n", shown(&known)));
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
    say(&change.shown(&Secret::default()));
    change.write(places)?;
    Ok(SetupEnd::Ready)
}

async fn show(places: &Places, flags: &Flags) -> anyhow::Result<()> {
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
    match list(&candidate(of)).await {
        Ok(known) => say(&format!("the server has {}\nanother one: artoo model NAME\n", shown(&known))),
        Err(why) => say(&format!("! {why}\n")),
    }
    Ok(())
}

fn candidate(config: &ProviderConfig) -> ServerCandidate {
    ServerCandidate {
        name: config.base_url.clone(),
        base_url: config.base_url.clone(),
        key: config.api_key.clone(),
        variable: None,
        api: config.api,
        model: None,
    }
}
