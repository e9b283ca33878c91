//! Programs of which only those uses are known that show something: the machine's state, a version, a secret.

use artoo_types::evidence::EffectClass;

use super::flags::{Flags, LIVE, NONE, REVEALS};
use super::row::{Changes, Harmless, Help, Program, ProgramOutput, Runs, SandboxNeeds};
use crate::{never, rules};

const fn shows(names: &'static str, harmless: Harmless, help: Help, flags: Flags) -> Program {
    Program {
        names,
        runs: Runs::Nothing,
        effect: EffectClass::Unknown,
        harmless,
        help,
        changes: Changes::Operands,
        never: never::nothing,
        flags,
        output: ProgramOutput::Unknown,
        sandbox: SandboxNeeds::Unbounded,
    }
}

use Harmless::{Alone, FirstWords, FirstWordsThen, No, Rule};
use Help::{Long, LongOr};

pub(super) static ROWS: &[Program] = &[
    shows("arch ifconfig umask jobs times wait alias lsmod uuidgen", Alone, Help::No, LIVE),
    shows(
        "ip",
        FirstWordsThen(&["a", "addr", "address", "route", "r", "link"], &["show", "list"]),
        Help::No,
        LIVE,
    ),
    shows("rpm", FirstWords(&["-q", "-qa", "-qi", "-ql"]), Help::No, LIVE),
    shows("ulimit", FirstWordsThen(&["-a", "-n", "-u", "-c", "-f", "-s", "-t", "-v"], &[]), Help::No, NONE),
    shows("apt-cache", FirstWords(&["policy", "search", "show", "depends", "rdepends"]), Help::Long, LIVE),
    shows("journalctl dmesg", Rule(rules::shows_log), Help::Long, LIVE),
    shows("top", Rule(rules::shows_once), Help::No, LIVE),
    // Versions.
    shows("cargo rustc", No, LongOr(&["-V"]), NONE),
    shows("make npm", No, LongOr(&["-v"]), NONE),
    shows("java", No, LongOr(&["-version"]), NONE),
    shows("go", No, LongOr(&["version"]), NONE),
    shows("cmake ninja meson gcc g++ cc c++ clang ld as cpp gdb javac swift", No, Long, NONE),
    shows("rustup npx yarn pnpm pip pip3 uv xcodebuild code", No, Long, NONE),
    shows("ssh-keygen less tmux screen pandoc magick exiftool", No, Long, NONE),
    // Secrets.
    shows("gpg", No, Long, REVEALS),
    shows("pbpaste secret-tool pass op", No, Help::No, REVEALS),
];
