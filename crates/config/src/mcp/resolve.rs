//! Servers as they are started, their keys fetched.

use std::collections::BTreeMap;
use std::time::Duration;

use artoo_mcp::{McpServer, McpTransport};
use artoo_model::Secret;
use artoo_types::evidence::EffectClass;

use super::{ServerSettings, ServerValue};
use crate::error::ConfigError;
use crate::folder::Places;
use crate::key;
use crate::table::MCP_SERVERS;
use crate::value::is_secret;

/// The ways to give a key.
const KEY_WAYS: [&str; 3] = ["api_key", "api_key_file", "api_key_command"];

/// The servers that are to be started. Keys are fetched at the same time, so that this takes no longer than one. A server whose key
/// cannot be fetched is left out, and `lacking` is told why.
///
/// # Errors
/// What is missing, or cannot be together.
pub(crate) fn all(
    written: &[ServerSettings],
    places: &Places,
    deadline: Duration,
    lacking: &mut Vec<String>,
) -> Result<Vec<McpServer>, ConfigError> {
    let enabled =
        written.iter().filter(|server| !matches!(server.get("enabled"), Some(ServerValue::Switch(false))));
    let resolved: Result<Vec<ResolvedServer>, ConfigError> = std::thread::scope(|scope| {
        let fetching: Vec<_> =
            enabled.map(|server| scope.spawn(move || server.resolve(places, deadline))).collect();
        let joined = fetching.into_iter().map(|thread| thread.join());
        joined.map(|server| server.expect("reading a key does not panic")).collect()
    });
    let mut servers = Vec::new();
    for server in resolved? {
        match server {
            ResolvedServer::Ready(server) => servers.push(*server),
            ResolvedServer::Keyless(name, why) => lacking.push(format!(
                "{why}. Until then the MCP server {name} is not started; afterwards: artoo restart"
            )),
        }
    }
    Ok(servers)
}

/// What is secret in servers that are to be started, fetched keys included.
pub(crate) fn secrets(servers: &[McpServer]) -> Vec<Secret> {
    let of = |server: &McpServer| {
        let (table, address) = match &server.way {
            McpTransport::Process { environment, .. } => (environment, ""),
            McpTransport::Http { headers, address } => (headers, address.as_str()),
        };
        let secret = table.iter().filter(|(name, _)| is_secret(name));
        let in_table = secret.map(|(_, value)| Secret::new(super::bare(value.expose())));
        in_table.chain(key::of_query(address)).collect::<Vec<_>>()
    };
    servers.iter().flat_map(of).collect()
}

/// What became of a server that is to be started.
enum ResolvedServer {
    /// It can be.
    Ready(Box<McpServer>),
    /// Its key cannot be fetched: its name, and why.
    Keyless(String, ConfigError),
}

impl ServerSettings {
    fn resolve(&self, places: &Places, deadline: Duration) -> Result<ResolvedServer, ConfigError> {
        let key = match self.key()? {
            None => None,
            Some((name, value)) => match self.fetch(name, value, places, deadline) {
                Ok(key) => Some(key),
                Err(why) => return Ok(ResolvedServer::Keyless(self.name.clone(), why)),
            },
        };
        let way = match (self.text("command"), self.text("url")) {
            (Some(program), None) => self.process(program, key)?,
            (None, Some(address)) => self.http(address, key)?,
            (Some(_), Some(_)) => {
                return Err(self.problem("url", "and `command` are both set; keep one of them"));
            }
            (None, None) => {
                return Err(self.problem("command", "is not set: say which program, or which `url`, it is"));
            }
        };
        let effects = match self.get("effects") {
            Some(ServerValue::Effects(effects)) => effects.clone(),
            _ => BTreeMap::new(),
        };
        let default_effect = match self.get("default_effect") {
            Some(ServerValue::Effect(effect)) => *effect,
            _ => EffectClass::Unknown,
        };
        let (start_timeout, timeout) = (self.time("start_timeout_ms"), self.time("timeout_ms"));
        let tools = match self.get("tools") {
            Some(ServerValue::Texts(tools)) => Some(tools.clone()),
            _ => None,
        };
        let name = self.name.clone();
        let server = McpServer { name, way, tools, effects, default_effect, start_timeout, timeout };
        Ok(ResolvedServer::Ready(Box::new(server)))
    }

    fn process(&self, program: &str, key: Option<Secret>) -> Result<McpTransport, ConfigError> {
        if self.get("headers").is_some() {
            return Err(self.problem("headers", "is for a `url`; give a program its values with `env`"));
        }
        let arguments = match self.get("args") {
            Some(ServerValue::Texts(texts)) => texts.clone(),
            _ => Vec::new(),
        };
        let mut environment = self.table("env");
        match (key, self.text("api_key_env")) {
            (Some(key), Some(name)) => {
                environment.insert(name.to_owned(), key);
            }
            (Some(_), None) => {
                return Err(self.problem("api_key_env", "is not set: say which variable holds the key"));
            }
            (None, Some(_)) => {
                return Err(self.problem("api_key_env", "has no key to hold: set api_key_file too"));
            }
            (None, None) => {}
        }
        let full_power = matches!(self.get("full_power"), Some(ServerValue::Switch(true)));
        Ok(McpTransport::Process { program: program.to_owned(), arguments, environment, full_power })
    }

    fn http(&self, address: &str, key: Option<Secret>) -> Result<McpTransport, ConfigError> {
        for name in ["args", "env", "api_key_env", "full_power"] {
            if self.get(name).is_some() {
                return Err(self.problem(name, "is for a `command`; a `url` takes `headers`"));
            }
        }
        let mut headers = self.table("headers");
        if let Some(key) = key {
            headers.insert("authorization".to_owned(), Secret::new(&format!("Bearer {}", key.expose())));
        }
        if !headers.is_empty() && address.starts_with("http://") && !is_of_this_machine(address) {
            let problem =
                "has no encryption, so that its headers and key would be seen on the way: write https://";
            return Err(self.problem("url", problem));
        }
        Ok(McpTransport::Http { address: address.to_owned(), headers })
    }

    /// The setting that gives the key, where one does.
    fn key(&self) -> Result<Option<(&'static str, &ServerValue)>, ConfigError> {
        let mut given = KEY_WAYS.into_iter().filter_map(|name| Some((name, self.get(name)?)));
        let first = given.next();
        match (first, given.next()) {
            (Some((name, _)), Some((other, _))) => {
                Err(self.problem(other, &format!("and `{name}` are both set; keep one of them")))
            }
            (first, _) => Ok(first),
        }
    }

    fn fetch(
        &self,
        name: &'static str,
        value: &ServerValue,
        places: &Places,
        deadline: Duration,
    ) -> Result<Secret, ConfigError> {
        match value {
            ServerValue::Secret(key) => Ok(key.clone()),
            ServerValue::Text(text) => {
                let fetched = match name {
                    "api_key_command" => key::fetch_command(name, text, deadline),
                    _ => key::fetch_file(name, text, places),
                };
                fetched.map_err(|error| {
                    if let ConfigError::Key { problem, .. } = &error {
                        self.problem(name, problem)
                    } else {
                        self.problem(name, &format!("leads to a problem: {error}"))
                    }
                })
            }
            ServerValue::Texts(_)
            | ServerValue::Table(_)
            | ServerValue::Effect(_)
            | ServerValue::Effects(_)
            | ServerValue::Count(_)
            | ServerValue::Switch(_) => Ok(Secret::default()),
        }
    }

    fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(ServerValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn table(&self, name: &str) -> BTreeMap<String, Secret> {
        match self.get(name) {
            Some(ServerValue::Table(table)) => table.clone(),
            _ => BTreeMap::new(),
        }
    }

    fn time(&self, name: &str) -> Duration {
        let preset = super::KEYS.iter().find(|key| key.name == name).and_then(|key| key.preset.parse().ok());
        Duration::from_millis(match self.get(name) {
            Some(ServerValue::Count(number)) => *number,
            _ => preset.expect("the table gives every time a preset"),
        })
    }

    fn problem(&self, name: &str, problem: &str) -> ConfigError {
        let key = format!("{MCP_SERVERS}.{}.{name}", self.name);
        ConfigError::Value { place: self.place.clone(), key, problem: problem.to_owned() }
    }
}

/// Whether an address without encryption leads to this machine.
fn is_of_this_machine(address: &str) -> bool {
    let host = address.trim_start_matches("http://").split('/').next().unwrap_or_default();
    let name = if host.starts_with('[') {
        host.split(']').next().unwrap_or_default().trim_start_matches('[')
    } else {
        host.split(':').next().unwrap_or_default()
    };
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
