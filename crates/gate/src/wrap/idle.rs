//! Programs that are asked for nothing but their version or their help.

use super::INTERPRETERS;
use crate::acts;
use crate::word::Arg;

/// Programs with a short option or a word for it.
const VERSIONS: &[(&str, &[&str])] = &[
    ("python", &["-V"]),
    ("python3", &["-V"]),
    ("node", &["-v"]),
    ("npm", &["-v"]),
    ("perl", &["-v"]),
    ("php", &["-v"]),
    ("make", &["-v"]),
    ("go", &["version"]),
    ("cargo", &["-V"]),
    ("rustc", &["-V"]),
    ("java", &["-version"]),
    ("ssh", &["-V"]),
];
/// Programs that know the long options and are in no other table.
const KNOWN: &[&str] = &[
    "make",
    "cmake",
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "cargo",
    "rustc",
    "rustup",
    "go",
    "java",
    "javac",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "pip",
    "pip3",
    "uv",
    "ssh-keygen",
    "gpg",
    "bc",
    "less",
    "man",
    "tmux",
    "screen",
    "strace",
    "gdb",
    "ld",
    "as",
    "cpp",
    "ninja",
    "meson",
    "swift",
    "xcodebuild",
    "code",
    "pandoc",
    "magick",
    "mdfind",
    "nohup",
    "setsid",
    "stdbuf",
    "ionice",
    "flock",
    "watch",
    "busybox",
    "parallel",
    "exiftool",
];

/// Whether the program is asked for nothing but its version or its help.
pub(super) fn is_idle(args: &[Arg]) -> bool {
    matches!(args, [one] if matches!(one.fixed().as_deref(), Some("--version" | "--help")))
}

/// Whether a program that is not in the table does nothing this time but tell its version or its help.
pub(super) fn is_harmless(name: &str, args: &[Arg]) -> bool {
    let is_short = |word: &str| VERSIONS.iter().any(|(n, words)| *n == name && words.contains(&word));
    let one = match args {
        [one] => one.fixed(),
        _ => None,
    };
    let is_program = INTERPRETERS.contains(&name) || KNOWN.contains(&name) || acts::is_known(name);
    // These know no such option, and some of them then run what they read.
    let is_deaf = matches!(name, "osascript" | "tclsh" | "lua" | "csh" | "tcsh");
    one.as_deref().is_some_and(is_short) || is_program && !is_deaf && is_idle(args)
}
