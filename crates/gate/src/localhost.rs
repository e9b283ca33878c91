//! Requests to servers of the same machine, and signals to what the command has started. In a box the network is the command's
//! own and signals stay inside, so that both reach what the command itself has started, and nothing else.

use crate::arg::{Arg, Hole, Part};

/// What an address may begin with.
const SCHEMES: &[&str] = &["http://", "https://", "ws://", "wss://", "ftp://", "tcp://"];

/// Whether all addresses among these words are of this machine, and there is one.
pub(crate) fn asks_itself(args: &[Arg]) -> bool {
    let hosts: Vec<Host> = args.iter().filter(|arg| !arg.is_option()).map(host).collect();
    hosts.contains(&Host::Here) && !hosts.contains(&Host::Elsewhere)
}

/// Whether all that `kill` is told to end are jobs of the command, by `%1`, `$!` or a variable that holds the latter.
pub(crate) fn ends_own(args: &[Arg]) -> bool {
    let is_signal = |arg: &&Arg| arg.fixed().is_some_and(|text| text.bytes().all(|b| b.is_ascii_uppercase()));
    let is_job = |arg: &Arg| match arg.0.as_slice() {
        [Part::Hole { kind: Hole::Child, .. }] => true,
        _ => arg.fixed().is_some_and(|text| text.starts_with('%')),
    };
    let mut named = args.iter().filter(|arg| !arg.is_option() && !is_signal(arg)).peekable();
    named.peek().is_some() && named.all(is_job)
}

/// Where a word leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Host {
    /// To this machine.
    Here,
    /// To another, or nobody knows where.
    Elsewhere,
    /// It is no address: a port, the value of an option, a file.
    NoAddress,
}

fn host(arg: &Arg) -> Host {
    let (text, is_whole) = known(arg);
    let scheme = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
    let rest = scheme.unwrap_or(&text);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let end = match rest.strip_prefix('[') {
        Some(inside) => inside.find(']').map(|at| at + 2),
        None => rest.find([':', '/', '?', '#']),
    };
    let name = match end {
        Some(end) => rest.get(..end).unwrap_or(rest),
        None if is_whole => rest,
        // The name goes on with what is known only when it runs.
        None if scheme.is_some() => return Host::Elsewhere,
        None => return Host::NoAddress,
    };
    let is_here = matches!(name, "localhost" | "[::1]" | "[::]" | "0.0.0.0") || is_loopback(name);
    match (is_here, scheme) {
        (true, _) => Host::Here,
        (false, Some(_)) => Host::Elsewhere,
        (false, None) => Host::NoAddress,
    }
}

/// The word in lower case up to what is known only when it runs, with the characters that the shell may expand; whether that is
/// all of it.
fn known(arg: &Arg) -> (String, bool) {
    let mut text = String::new();
    for part in &arg.0 {
        match part {
            Part::Text(piece) | Part::Wild(piece) => text.push_str(&piece.to_lowercase()),
            Part::Split(_) | Part::Hole { .. } => return (text, false),
        }
    }
    (text, true)
}

fn is_loopback(name: &str) -> bool {
    name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}
