//! Which files and folders hold secrets, and from which something runs later.

/// Files and folders that hold secrets whoever is at home.
pub(super) const SECRET_ANYWHERE: &[&str] = &[
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssl/private",
    "/library/keychains",
    "/private/etc/master.passwd",
    "/etc/master.passwd",
    "/var/lib/docker",
    "/run/secrets",
    "/etc/shadow-",
    "/etc/gshadow-",
    "/var/backups/shadow.bak",
    "/var/backups/gshadow.bak",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/ssh/ssh_host_ecdsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
    "/etc/ssh/ssh_host_dsa_key",
    "/etc/networkmanager/system-connections",
    "/etc/NetworkManager/system-connections",
    "/etc/wireguard",
    "/etc/krb5.keytab",
    "/proc/kcore",
];

/// Names of entries below `/proc/<pid>` that lead to a process's memory, environment or other files.
pub(super) const SECRET_IN_PROC: &[&str] =
    &["environ", "mem", "root", "cwd", "fd", "map_files", "task", "cmdline", "maps", "exe", "auxv"];

/// File names that hold secrets wherever they are, in lower case.
pub(super) const SECRET_NAMES: &[&str] = &[
    ".env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".pypirc",
    ".git-credentials",
    ".vault-token",
    ".credentials",
    ".credentials.json",
    ".secrets",
    ".token",
    "token",
    "token.txt",
    "access_token",
    "auth_token",
    "api_key",
    "api_key.txt",
    "apikey",
    "service-account.json",
    "kubeconfig",
    "auth.json",
    "terraform.tfstate",
    "terraform.tfstate.backup",
    "wallet.dat",
];

/// Beginnings of file names that hold secrets wherever they are, where what follows is nothing, or an ending of data.
pub(super) const SECRET_STEMS: &[&str] =
    &["credentials", "secrets", "client_secret", "password", "passwords"];

/// Endings that data has, as opposed to a program that works with it.
pub(super) const DATA_ENDINGS: &[&str] = &[
    "", "json", "yaml", "yml", "toml", "ini", "cfg", "conf", "csv", "txt", "xml", "db", "enc", "bak", "old",
];

/// What follows `.env.` where such a file shows how a real one looks, and holds nothing.
pub(super) const ENV_SAMPLES: &[&str] = &["example", "sample", "template", "dist"];

/// Endings of file names that hold keys, wherever they are but for [`PUBLIC_KEYS`].
pub(super) const SECRET_ENDINGS: &[&str] = &[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".ppk",
    ".jks",
    ".keystore",
    ".kdbx",
    ".token",
    "_rsa",
    "_dsa",
    "_ecdsa",
    "_ed25519",
];

/// Folders of the system with keys that everybody may know: certificates.
pub(super) const PUBLIC_KEYS: &[&str] = &[
    "/usr",
    "/etc/ssl/certs",
    "/etc/pki/tls/certs",
    "/etc/ca-certificates",
    "/opt/homebrew",
    "/library/developer",
];

/// Folders in which people's homes lie, in lower case, and homes of their own.
pub(super) const HOMES: &[&str] = &["/home", "/users"];

/// Homes of the system's own person, in lower case.
pub(super) const SYSTEM_HOMES: &[&str] = &["/root", "/var/root", "/private/var/root"];

/// Files below the home folder that a shell, a desktop or a scheduler runs later.
pub(super) const RUNS_LATER_IN_HOME: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".xinitrc",
    ".xprofile",
    ".xsessionrc",
    ".inputrc",
    ".vimrc",
    ".emacs",
    ".emacs.d",
    ".vim",
    ".gitconfig",
    ".config/git",
    ".config/fish",
    ".config/nvim",
    ".config/autostart",
    ".config/systemd",
    ".config/environment.d",
    ".config/zsh",
    ".local/bin",
    ".local/share/applications",
    ".local/share/systemd",
    ".cargo/config",
    ".cargo/config.toml",
    ".cargo/bin",
    "bin",
    "library/launchagents",
    "library/launchdaemons",
    "library/services",
];

/// System folders that make something run later, or in which programs and what they load are searched.
pub(super) const RUNS_LATER_ANYWHERE: &[&str] = &[
    "/etc",
    "/var/spool/cron",
    "/library/launchagents",
    "/library/launchdaemons",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/boot",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/usr/local/lib",
    "/usr/share/dbus-1",
    "/opt/homebrew/bin",
    "/opt/homebrew/sbin",
];

/// Names of folders that are searched for programs.
pub(super) const PROGRAM_FOLDERS: &[&str] = &["bin", "sbin"];

/// Parts of a path, wherever it is and in lower case (a name with capitals stands in both forms), behind which something runs later: version-control hooks and configuration, editor
/// tasks, environments that a shell loads on entering a folder.
pub(super) const RUNS_LATER_PARTS: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".direnv",
    ".devcontainer",
    ".lefthook.yml",
    "lefthook.yml",
    ".mise.toml",
    ".dir-locals.el",
    ".exrc",
    ".nvimrc",
    ".gdbinit",
    ".lldbinit",
    ".sqliterc",
    ".psqlrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".bazelrc",
    ".curlrc",
    ".wgetrc",
    "sitecustomize.py",
    "usercustomize.py",
    ".husky",
    ".vscode",
    ".idea",
    ".zed",
    ".fleet",
    ".cargo",
    ".envrc",
    ".gitattributes",
    ".gitmodules",
    ".pre-commit-config.yaml",
    ".editorconfig-hooks",
    "crontab",
    "authorized_keys",
    "launchagents",
    ".rprofile",
    ".Rprofile",
    ".ghci",
    ".pdbrc",
    ".irbrc",
    ".nvim.lua",
    ".tool-versions",
    "mise.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    "lefthook.yaml",
    ".lefthook.yaml",
    ".dir-locals-2.el",
    ".mcp.json",
    ".claude",
    ".cursor",
    ".codex",
    ".gemini",
    ".windsurf",
    ".continue",
    ".tmux.conf",
    ".screenrc",
    ".mailcap",
    ".forward",
    ".procmailrc",
    ".pam_environment",
    ".xsession",
    ".vimrc",
    ".gvimrc",
    ".helix",
    ".pryrc",
    ".byebugrc",
    ".perldb",
    ".renviron",
    ".octaverc",
    ".ocamlinit",
    ".autoenv.zsh",
    ".mise",
    ".mise.local.toml",
    "mise.local.toml",
    ".kiro",
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    ".aider.conf.yml",
    ".amazonq",
    ".roo",
    ".opencode.json",
    "crush.json",
    ".crush.json",
    ".devcontainer.json",
    ".theia",
    ".nova",
    ".mvn",
    ".ycm_extra_conf.py",
    ".lvimrc",
    ".local.vimrc",
    ".autoenv",
    ".luarc.json",
];

/// Endings of file names that a program runs or loads from wherever they lie: Python's additions to its path.
pub(super) const RUNS_LATER_ENDINGS: &[&str] = &[".pth", ".code-workspace", ".sublime-project"];
