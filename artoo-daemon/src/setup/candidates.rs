//! Where a model may answer: servers that run on this machine by habit, and services whose key this shell has. Names of models stand
//! nowhere here: they go stale.

use artoo_model::{ApiForm, ProviderConfig, ProviderKind, Secret};

/// A server that may be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerCandidate {
    /// What people call it.
    pub(super) name: String,
    /// Its address.
    pub(super) base_url: String,
    /// The key; empty where none is wanted.
    pub(super) key: Secret,
    /// The variable that the key comes from.
    pub(super) variable: Option<&'static str>,
    /// Which interface it speaks.
    pub(super) api: ApiForm,
    /// The model that the environment names.
    pub(super) model: Option<String>,
}

impl ServerCandidate {
    /// What the daemon would be told to use this model of it.
    pub(super) fn provider(&self, model: &str) -> ProviderConfig {
        ProviderConfig {
            kind: ProviderKind::OpenAi,
            base_url: self.base_url.clone(),
            model: model.to_owned(),
            api_key: self.key.clone(),
            api: self.api,
            ..ProviderConfig::default()
        }
    }
}

/// A server that people start on their own machine.
struct LocalServer {
    name: &'static str,
    port: u16,
    /// The server's own variable for another address or port.
    variable: Option<&'static str>,
}

/// Ports as the servers have them when nothing is said. Sources: the manuals of Ollama, LM Studio and llama.cpp.
const LOCAL: [LocalServer; 3] = [
    LocalServer { name: "Ollama", port: 11_434, variable: Some("OLLAMA_HOST") },
    LocalServer { name: "LM Studio", port: 1_234, variable: None },
    LocalServer { name: "llama-server", port: 8_080, variable: Some("LLAMA_ARG_PORT") },
];

/// A service that wants a key.
struct KeyedService {
    name: &'static str,
    /// The variable of its key.
    key: &'static str,
    /// The variable of another address, and what has to follow it.
    address: Option<(&'static str, &'static str)>,
    base_url: &'static str,
    api: ApiForm,
}

const fn chat(name: &'static str, key: &'static str, base_url: &'static str) -> KeyedService {
    KeyedService { name, key, address: None, base_url, api: ApiForm::Chat }
}

/// Services by the variable that people export for them.
const KEYED: [KeyedService; 10] = [
    KeyedService {
        address: Some(("OPENAI_BASE_URL", "")),
        ..chat("OpenAI", "OPENAI_API_KEY", "https://api.openai.com/v1")
    },
    KeyedService {
        address: Some(("ANTHROPIC_BASE_URL", "/v1")),
        api: ApiForm::Messages,
        ..chat("Anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1")
    },
    chat("DeepSeek", "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1"),
    chat("Moonshot", "MOONSHOT_API_KEY", "https://api.moonshot.ai/v1"),
    chat("OpenRouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    chat("Groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1"),
    chat("Mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1"),
    chat("Gemini", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"),
    chat("xAI", "XAI_API_KEY", "https://api.x.ai/v1"),
    chat("Together", "TOGETHER_API_KEY", "https://api.together.xyz/v1"),
];

/// The variables whose values are keys of services.
pub(super) fn key_variables() -> impl Iterator<Item = &'static str> {
    KEYED.iter().map(|service| service.key)
}

/// Every server worth asking, those of this machine first. With `url` that one alone: with the key that belongs to the address, or
/// OpenAI's where OPENAI_BASE_URL names it.
pub(super) fn candidates(
    url: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Vec<ServerCandidate> {
    let variable =
        |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let model = variable("OPENAI_MODEL");
    let keyed = KEYED.iter().filter_map(|service| {
        let key = variable(service.key)?;
        let own = service.address.and_then(|(name, end)| {
            let address = variable(name)?;
            let address = address.trim_end_matches('/').to_owned();
            Some(if address.ends_with(end) { address } else { format!("{address}{end}") })
        });
        Some(ServerCandidate {
            name: service.name.to_owned(),
            base_url: own.unwrap_or_else(|| service.base_url.to_owned()),
            key: Secret::new(&key),
            variable: Some(service.key),
            api: service.api,
            model: model.clone().filter(|_| service.key == "OPENAI_API_KEY"),
        })
    });
    let bare = |name: &str, base_url: String| ServerCandidate {
        name: name.to_owned(),
        base_url,
        key: Secret::default(),
        variable: None,
        api: ApiForm::Chat,
        model: None,
    };
    if let Some(url) = url {
        let url = url.trim_end_matches('/');
        let known = keyed.into_iter().find(|candidate| candidate.base_url.trim_end_matches('/') == url);
        return vec![known.unwrap_or_else(|| bare(url, url.to_owned()))];
    }
    let local = LOCAL.iter().map(|server| {
        let said = server.variable.and_then(&variable);
        let place =
            said.map_or_else(|| format!("127.0.0.1:{}", server.port), |said| place(&said, server.port));
        bare(server.name, format!("http://{place}/v1"))
    });
    local.chain(keyed).collect()
}

/// Host and port of what a server's own variable says: a port, a host, both, or an address. A server that listens everywhere is
/// asked on this machine.
fn place(said: &str, port: u16) -> String {
    let said = said.trim_start_matches("http://").trim_end_matches('/');
    if said.parse::<u16>().is_ok() {
        return format!("127.0.0.1:{said}");
    }
    let said = said.replace("0.0.0.0", "127.0.0.1");
    if said.starts_with(':') {
        format!("127.0.0.1{said}")
    } else if said.contains(':') {
        said
    } else {
        format!("{said}:{port}")
    }
}

#[cfg(test)]
mod tests {
    use artoo_model::ApiForm;

    use super::candidates;

    fn check(url: Option<&str>, variables: &[(&str, &str)], expected: &[(&str, &str, &str)]) {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let found = candidates(url, variable);
        let found: Vec<_> =
            found.iter().map(|one| (one.name.as_str(), one.base_url.as_str(), one.key.expose())).collect();
        assert_eq!(found, expected, "{url:?} {variables:?}");
    }

    #[test]
    fn this_machine_is_asked_first_and_every_key_has_its_address() {
        let local = [
            ("Ollama", "http://127.0.0.1:11434/v1", ""),
            ("LM Studio", "http://127.0.0.1:1234/v1", ""),
            ("llama-server", "http://127.0.0.1:8080/v1", ""),
        ];
        check(None, &[("ANTHROPIC_API_KEY", " ")], &local);
        let variables =
            [("OPENAI_API_KEY", "o"), ("OPENAI_BASE_URL", "http://h/v1/"), ("ANTHROPIC_API_KEY", "a")];
        let keyed = [("OpenAI", "http://h/v1", "o"), ("Anthropic", "https://api.anthropic.com/v1", "a")];
        check(None, &variables, &[&local[..], &keyed[..]].concat());
        let found = candidates(None, |name| (name == "ANTHROPIC_API_KEY").then(|| "a".to_owned()));
        assert_eq!(found[3].api, ApiForm::Messages);
    }

    #[test]
    fn a_server_that_listens_elsewhere_is_found_there() {
        for (said, place) in [
            ("127.0.0.1:99", "127.0.0.1:99"),
            ("0.0.0.0", "127.0.0.1:11434"),
            ("0.0.0.0:99", "127.0.0.1:99"),
            (":99", "127.0.0.1:99"),
            ("99", "127.0.0.1:99"),
            ("http://box:99/", "box:99"),
            ("box", "box:11434"),
        ] {
            let found = candidates(None, |name| (name == "OLLAMA_HOST").then(|| said.to_owned()));
            assert_eq!(found[0].base_url, format!("http://{place}/v1"), "{said}");
        }
    }

    #[test]
    fn a_key_goes_to_its_own_address_alone() {
        let key = ("OPENAI_API_KEY", "o");
        check(Some("http://other/v1"), &[key], &[("http://other/v1", "http://other/v1", "")]);
        let named = [key, ("OPENAI_BASE_URL", "http://other/v1")];
        check(Some("http://other/v1/"), &named, &[("OpenAI", "http://other/v1", "o")]);
    }
}
