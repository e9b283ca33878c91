//! Programs that talk to the network.

use artoo_types::evidence::EffectClass;

use super::flags::{FETCHES, Flags, LOOKS_LIKE_COMMAND, NONE, QUOTED_COMMANDS, USES_KEYS};
use super::row::{Changes, FileNeeds, Harmless, Help, NewNames, Program, ProgramOutput, Runs, SandboxNeeds};
use crate::{never, rules};

const fn sends(names: &'static str, help: Help, flags: Flags, sandbox: SandboxNeeds) -> Program {
    Program {
        names,
        runs: Runs::Nothing,
        effect: EffectClass::Send,
        harmless: Harmless::No,
        help,
        changes: Changes::Operands,
        never: never::nothing,
        flags,
        output: ProgramOutput::Unknown,
        sandbox,
    }
}

/// To write into its folder, under names that its options or the address tell.
const DOWNLOADING: FileNeeds = FileNeeds {
    writing: true,
    making: NewNames::No,
    replacing: false,
    removing: false,
    folder: true,
    modes: true,
    beside_new_folder: false,
    only_with: None,
};
const CURL: FileNeeds = FileNeeds {
    modes: false,
    only_with: Some(("oODcK", &["output", "remote", "dump", "cookie-jar", "trace", "config"])),
    ..DOWNLOADING
};

use Help::{Long, LongOr};
use SandboxNeeds::{Escalation, Files, Unbounded};

pub(super) static ROWS: &[Program] = &[
    sends("curl", Long, FETCHES | LOOKS_LIKE_COMMAND, Files(CURL)),
    sends("wget", Long, FETCHES | LOOKS_LIKE_COMMAND, Files(DOWNLOADING)),
    sends("fetch http https xh aria2c lynx w3m links nc ncat netcat", Long, FETCHES, Unbounded),
    sends("ftp lftp tftp telnet socat websocat", Long, FETCHES, Unbounded),
    sends("scp sftp rclone", Long, FETCHES | USES_KEYS, Unbounded),
    sends("ssh", LongOr(&["-V"]), USES_KEYS | QUOTED_COMMANDS, Unbounded),
    sends("gh aws gcloud az gsutil kubectl helm terraform", LongOr(&["version"]), USES_KEYS, Unbounded),
    Program {
        harmless: Harmless::Rule(rules::openssl),
        ..sends("openssl", LongOr(&["version"]), USES_KEYS, Unbounded)
    },
    sends("ssh-copy-id psql mysql", Long, USES_KEYS, Unbounded),
    sends("dig drill kdig nslookup host ping6 traceroute nmap whois finger", Long, NONE, Unbounded),
    sends("mail mailx mutt sendmail rsh s3cmd mongo mongosh redis-cli ntpdate", Long, NONE, Unbounded),
    sends("snmpget mosquitto_pub ngrok wscat shortcuts open xdg-open", Long, NONE, Unbounded),
    sends("ping", Long, NONE, Escalation),
];
