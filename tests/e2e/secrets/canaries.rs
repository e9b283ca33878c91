//! Fifty made-up secrets, each for one place, and the search for what is left of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// How a canary is known for a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is configured: only its value tells.
    Configured,
    /// As [`Kind::Configured`], with characters that JSON, addresses and shells write in another way.
    Awkward,
    /// It begins with this.
    Token(&'static str),
    /// It is a password in an address.
    Userinfo,
    /// It is a block with a private key.
    Block,
}

use Kind::{Awkward, Block, Configured, Token, Userinfo};

/// Where each canary is put; the first word says into what.
const PLACES: [(&str, Kind); 50] = [
    ("variable OPENAI_API_KEY", Configured),
    ("variable ANTHROPIC_API_KEY", Configured),
    ("variable GITHUB_TOKEN", Configured),
    ("variable DB_PASSWORD", Awkward),
    ("variable CLIENT_SECRET", Configured),
    ("variable APP_CREDENTIALS", Awkward),
    ("variable SMTP_PASSWD", Configured),
    ("variable SIGNING_KEY", Configured),
    ("variable VAULT_TOKEN", Token("hvs.")),
    ("variable lower_case_secret", Configured),
    ("config api_key that is outranked", Configured),
    ("config api_key_file of the brain", Configured),
    ("variable TOOL_API_KEY", Configured),
    ("config api_key_file that is outranked", Configured),
    ("file openai", Token("sk-proj-")),
    ("file anthropic", Token("sk-ant-api03-")),
    ("file github", Token("ghp_")),
    ("file github fine grained", Token("github_pat_")),
    ("file gitlab", Token("glpat-")),
    ("file slack", Token("xoxb-")),
    ("file google", Token("AIza")),
    ("file aws", Token("AKIA")),
    ("file hugging face", Token("hf_")),
    ("file npm", Token("npm_")),
    ("file stripe", Token("sk_live_")),
    ("file web token", Token("eyJ")),
    ("file bearer", Token("Bearer ")),
    ("file address", Userinfo),
    ("file private key", Block),
    ("file name", Token("dop_v1_")),
    ("shell output", Token("ghs_")),
    ("shell error", Token("gho_")),
    ("shell json", Token("shpat_")),
    ("check", Token("ghu_")),
    ("model intent", Token("ghp_")),
    ("model tag", Token("ghp_")),
    ("model name", Token("ghp_")),
    ("model reasoning", Token("ghp_")),
    ("model context", Token("ghp_")),
    ("model criterion", Token("ghp_")),
    ("model argument", Token("ghp_")),
    ("model finish", Token("ghp_")),
    ("model evidence", Token("ghp_")),
    ("model summary", Token("ghp_")),
    ("model escaped", Token("ghp_")),
    ("model error", Token("ghp_")),
    ("request text", Token("ghp_")),
    ("request session", Token("ghp_")),
    ("request answer", Token("ghp_")),
    ("request command", Token("ghp_")),
];

/// A made-up secret.
#[derive(Debug, Clone)]
pub(crate) struct Canary {
    /// Where it is put.
    pub(crate) place: &'static str,
    /// The text that carries it: an address, a header, or nothing else.
    pub(crate) text: String,
    /// What must never be seen: some texts, because a block has several lines.
    secret: Vec<String>,
}

impl Canary {
    fn new(place: &'static str, kind: Kind) -> Self {
        let digits = hex(&Sha256::digest(place));
        let (text, secret) = match kind {
            Configured => (format!("cnry-{}", &digits[..30]), None),
            Awkward => (format!("cn ry/{}+\"q\\=é", &digits[..20]), None),
            Token("AKIA") => (format!("AKIA{}", digits[..16].to_uppercase()), None),
            Token("eyJ") => (format!("eyJ{}.{}.{}", &digits[..20], &digits[20..40], &digits[40..]), None),
            Token(beginning) => (format!("{beginning}{}", &digits[..36]), None),
            Userinfo => {
                (format!("postgres://app:{}@db/x", &digits[..24]), Some(vec![digits[..24].to_owned()]))
            }
            Block => {
                let lines: Vec<String> = (0..4).map(|line| hex(&Sha256::digest([line; 3]))).collect();
                let kind = "PRIVATE KEY";
                (format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----", lines.join("\n")), Some(lines))
            }
        };
        // The word before a token is none of it.
        let secret = secret.unwrap_or_else(|| vec![text.trim_start_matches("Bearer ").to_owned()]);
        Self { place, text, secret }
    }
}

/// All fifty.
pub(crate) struct Canaries(Vec<Canary>);

impl Canaries {
    pub(crate) fn new() -> Self {
        Self(PLACES.iter().map(|(place, kind)| Canary::new(place, *kind)).collect())
    }

    /// The text to put into this place.
    pub(crate) fn at(&self, place: &str) -> &str {
        let found = self.0.iter().find(|canary| canary.place == place);
        &found.unwrap_or_else(|| panic!("no canary for {place:?}")).text
    }

    /// Those whose places begin with this word.
    pub(crate) fn of(&self, word: &str) -> impl Iterator<Item = &Canary> {
        self.0.iter().filter(move |canary| canary.place.starts_with(word))
    }

    /// Every canary in every spelling that must not be seen.
    pub(crate) fn hunt(&self) -> Hunt {
        let mut wanted = Vec::new();
        for canary in &self.0 {
            for secret in &canary.secret {
                let spellings = spellings(secret);
                wanted.extend(spellings.into_iter().map(|spelling| (spelling, canary.place)));
            }
        }
        let search = AhoCorasick::new(wanted.iter().map(|(spelling, _)| spelling)).expect("it is small");
        Hunt { search, wanted }
    }
}

/// Looks for canaries.
pub(crate) struct Hunt {
    search: AhoCorasick,
    wanted: Vec<(String, &'static str)>,
}

impl Hunt {
    /// Panics when something of a canary is in these bytes.
    pub(crate) fn check(&self, name: &str, bytes: &[u8]) {
        let found: BTreeSet<String> = self
            .search
            .find_overlapping_iter(bytes)
            .map(|hit| {
                let (spelling, place) = &self.wanted[hit.pattern().as_usize()];
                let around = &bytes[hit.start().saturating_sub(120)..bytes.len().min(hit.end() + 60)];
                format!("{place} as {spelling:?} in {:?}", String::from_utf8_lossy(around))
            })
            .collect();
        let found: Vec<&String> = found.iter().take(10).collect();
        assert!(found.is_empty(), "{name} tells {found:#?}");
    }

    /// The same for every file below a folder, apart from these.
    pub(crate) fn check_files(&self, folder: &Path, apart_from: &[&str]) {
        let files = files(folder);
        assert!(files.len() > 10, "there are only {} files in {}", files.len(), folder.display());
        for file in files {
            let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
            if !apart_from.contains(&name.as_str()) {
                self.check(&name, &std::fs::read(&file).expect("the folder is ours"));
                self.check("the name of a file", name.as_bytes());
            }
        }
    }

    /// Whether any canary is in these bytes.
    pub(crate) fn finds(&self, bytes: &[u8]) -> bool {
        self.search.find_overlapping_iter(bytes).next().is_some()
    }
}

/// A secret as it is, cut, in JSON, in an address, in base64 and in hexadecimal.
fn spellings(secret: &str) -> BTreeSet<String> {
    /// So much of a secret is told when it can be seen at its beginning, in its middle or at its end.
    const PART: usize = 19;
    let json = |text: &str| {
        let quoted = serde_json::Value::from(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let percent: String = secret
        .bytes()
        .map(|byte| match byte {
            b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    let mut all = BTreeSet::from([
        secret.to_owned(),
        json(secret),
        json(&json(secret)),
        percent,
        hex(secret.as_bytes()),
    ]);
    let characters: Vec<char> = secret.chars().collect();
    if characters.len() >= 24 && !secret.contains(' ') {
        for start in [0, (characters.len() - PART) / 2, characters.len() - PART] {
            all.insert(characters[start..start + PART].iter().collect());
        }
    }
    for before in ["", "x", "xx"] {
        let encoded = BASE64_STANDARD.encode(format!("{before}{secret}"));
        // Without the characters at both ends that something beside the secret has a part in.
        let inner = &encoded[4 * before.len().min(1)..encoded.len() - 4];
        all.insert(inner.to_owned());
        all.insert(inner.replace('+', "-").replace('/', "_"));
    }
    all
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is ours").flatten();
    let nested = entries.map(|entry| match entry.path() {
        path if path.is_dir() => files(&path),
        path if path.is_file() => vec![path],
        _ => Vec::new(),
    });
    nested.flatten().collect()
}
