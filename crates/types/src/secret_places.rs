//! Where a home keeps secrets: for the gate, which asks about these places, and for searches, which leave them out.

/// Folders and files below the home folder that hold secrets. Sources: the default paths of OpenSSH, GnuPG, the big
/// cloud tools, package managers, browsers and password stores on Linux and macOS.
pub const SECRET_IN_HOME: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".password-store",
    ".vault-token",
    ".docker/config.json",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/op",
    ".config/google-chrome",
    ".config/chromium",
    ".config/bravesoftware",
    ".config/microsoft-edge",
    ".config/git/credentials",
    ".config/rclone",
    ".config/artoo",
    ".local/share/keyrings",
    ".mozilla",
    ".thunderbird",
    ".bash_history",
    ".zsh_history",
    ".gem/credentials",
    ".m2/settings.xml",
    "library/keychains",
    "library/cookies",
    "library/messages",
    "library/mail",
    "library/safari",
    "library/application support/google/chrome",
    "library/application support/firefox",
    "library/application support/bravesoftware",
    "library/application support/microsoft edge",
    "library/application support/com.apple.tcc",
    ".config/google-chrome-beta",
    ".config/google-chrome-unstable",
    ".config/vivaldi",
    ".config/opera",
    ".config/containers/auth.json",
    ".config/glab-cli",
    ".config/pip",
    ".pip/pip.conf",
    ".terraform.d",
    ".terraformrc",
    ".s3cfg",
    ".oci",
    ".boto",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".gradle/gradle.properties",
    ".cache/huggingface/token",
    ".huggingface/token",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".local/share/kwalletd",
    ".kde/share/apps/kwallet",
    ".wgetrc",
    ".curlrc",
    "snap/firefox",
    "snap/chromium",
    ".var/app",
    ".local/share/fish/fish_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".node_repl_history",
];

/// The names in a home folder below which something of [`SECRET_IN_HOME`] lies, as the systems write them, each once.
pub fn names_in_home() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for place in SECRET_IN_HOME {
        let name = place.split('/').next().unwrap_or(place);
        let name = if name == "library" { "Library" } else { name };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
