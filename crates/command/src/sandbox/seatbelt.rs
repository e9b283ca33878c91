//! The profile that confines a command on macOS, in the language of `sandbox-exec`. Later rules win over earlier ones.

use super::{Bounds, Confinement, Grant, ModeRights};

/// The program that applies a profile. Apple calls it deprecated and uses it all over the system.
pub(super) const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// What every confined command gets: to read, to run programs, to talk to itself, and the few services without which a
/// program does not start. What is not named is denied.
const BASE: &str = r#"(version 1)
(deny default)
(allow process-fork)
(allow process-exec)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-write-data
    (literal "/dev/null")
    (literal "/dev/zero")
    (literal "/dev/dtracehelper")
    (literal "/dev/random")
    (literal "/dev/urandom"))
(allow file-ioctl (literal "/dev/dtracehelper"))
(allow ipc-posix-sem)
(allow mach-lookup
    (global-name "com.apple.system.opendirectoryd.libinfo")
    (global-name "com.apple.system.notification_center")
    (global-name "com.apple.system.logger"))
"#;
/// What a command needs besides to use the network: the sockets, and the services that resolve names and check
/// certificates.
const NETWORK: &str = r#"(allow network-outbound (remote tcp) (remote udp))
(allow network-outbound (literal "/private/var/run/mDNSResponder"))
(allow system-socket)
(allow mach-lookup
    (global-name "com.apple.dnssd.service")
    (global-name "com.apple.SystemConfiguration.configd")
    (global-name "com.apple.trustd.agent")
    (global-name "com.apple.SecurityServer"))
"#;

/// What shows processes. It is setuid, and no profile lets a setuid program start but without the profile.
const PROCESSES: &str = "(allow process-exec (with no-sandbox) (literal \"/bin/ps\"))\n";

/// The profile of a confinement; `None` if there is nothing to confine.
pub(super) fn profile(confinement: &Confinement, scratch: &str) -> Option<String> {
    match confinement {
        Confinement::FullPower => None,
        Confinement::Guarded(hidden) => {
            let mut text = "(version 1)\n(allow default)\n".to_owned();
            hide(&mut text, hidden);
            Some(text)
        }
        Confinement::Confined(bounds) => Some(confined(bounds, scratch)),
    }
}

fn confined(bounds: &Bounds, scratch: &str) -> String {
    let mut text = BASE.to_owned();
    let mut allow = |operations: &str, form: &str, path: &str| {
        text.push_str(&format!("(allow {operations} ({form} {}))\n", quoted(path)));
    };
    allow("file-write*", "subpath", scratch);
    for grant in &bounds.grants {
        match grant {
            Grant::New(path) | Grant::Offered(path) => {
                // `touch` sets the time of what was made for it.
                allow("file-write-data file-write-times", "literal", path);
                if bounds.modes == ModeRights::OfGrants {
                    allow("file-write-mode", "literal", path);
                }
            }
            Grant::Content(path) => {
                allow("file-write-data", "literal", path);
                if bounds.modes == ModeRights::OfGrants {
                    allow("file-write-mode file-write-times", "literal", path);
                }
            }
            // It is there already.
            Grant::NewFolder(_) | Grant::Index(_) => {}
            Grant::Mode { path, .. } => allow("file-write-mode", "literal", path),
            Grant::Below(path) => allow("file-write*", "subpath", path),
            Grant::Removals(path) => allow("file-write-unlink", "subpath", path),
            Grant::OwnFolder(path) | Grant::Symlink { path, .. } => {
                allow("file-write-create", "literal", path);
            }
            // Making a link is an operation of its own, of the file and of its new name.
            Grant::HardLink { path, of } => {
                allow("file-write-create file-link", "literal", path);
                allow("file-link", "literal", of);
            }
        }
    }
    if bounds.modes == ModeRights::OfGrants {
        text.push_str("(deny file-write-setugid)\n");
    }
    if bounds.modes == ModeRights::All {
        text.push_str("(allow file-write-mode file-write-times file-write-xattr file-write-flags)\n");
    }
    if bounds.network {
        text.push_str(NETWORK);
    }
    if bounds.shows_processes {
        text.push_str(PROCESSES);
    }
    hide(&mut text, &bounds.hidden);
    text
}

/// Shuts the content of these files, and of all below these folders. Names, sizes and times stay to be seen, as on Linux: a walk
/// over a home folder would otherwise end with an error at each of them.
fn hide(text: &mut String, hidden: &[String]) {
    for path in hidden {
        let place = quoted(path);
        text.push_str(&format!("(deny file-write* file-link process-exec (subpath {place}))\n"));
        text.push_str(&format!(
            "(deny file-read-data file-read-xattr (require-all (subpath {place}) (require-not (vnode-type DIRECTORY))))\n"
        ));
    }
}

/// A path as a string of the profile's language, where a quote and a backslash are escaped and everything else stands for
/// itself, a newline too.
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests;
