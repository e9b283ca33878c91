//! Which addresses of the internet a page may be fetched from.
//!
//! Only the daemon asks, and each redirect begins anew. What tests need to reach on this machine is a policy that no configuration
//! can name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What may be connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AddressPolicy {
    /// The public internet: nothing on this machine, in this house, or set aside for other uses.
    Public,
    /// Anything: for a server that the operator named in the configuration.
    Anywhere,
    /// The public internet and these, so that a test can have a server.
    #[cfg(test)]
    PublicAnd(Vec<IpAddr>),
}

impl AddressPolicy {
    /// Why this address may not be connected to; `None` if it may.
    pub(crate) fn refusal(&self, address: IpAddr) -> Option<&'static str> {
        match self {
            Self::Public => refusal(address),
            Self::Anywhere => None,
            #[cfg(test)]
            Self::PublicAnd(also) => refusal(address).filter(|_| !also.contains(&address)),
        }
    }
}

/// Blocks of IPv4 that are not public: first address, length of the prefix, what it is. Source: IANA IPv4
/// Special-Purpose Address Registry, and multicast.
const BLOCKS_4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "unspecified"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "a carrier's own"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "this machine"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "for protocols"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "for documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a relay of 6to4"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "for measurements"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "for documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "for documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved"),
];

/// Blocks inside 2000::/3, the one part of IPv6 that is given out, which are not public. Source: IANA IPv6
/// Special-Purpose Address Registry. 2001::/23 holds Teredo, whose addresses lead to IPv4 ones that cannot be seen here.
const BLOCKS_6: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "for protocols, Teredo among them"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "for documentation"),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "6to4"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "for documentation"),
];

fn refusal(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => refusal_4(address),
        IpAddr::V6(address) => match inside(address) {
            Some(mapped) => refusal_4(mapped),
            None => refusal_6(address),
        },
    }
}

fn refusal_4(address: Ipv4Addr) -> Option<&'static str> {
    let in_block = |(first, length, _): &&(Ipv4Addr, u32, &str)| {
        (address.to_bits() ^ first.to_bits()).leading_zeros() >= *length
    };
    BLOCKS_4.iter().find(in_block).map(|(_, _, what)| *what)
}

fn refusal_6(address: Ipv6Addr) -> Option<&'static str> {
    if address.is_loopback() {
        return Some("this machine");
    }
    if address.segments()[0] & 0xe000 != 0x2000 {
        return Some("not a public address of IPv6");
    }
    let in_block = |(first, length, _): &&(Ipv6Addr, u32, &str)| {
        (address.to_bits() ^ first.to_bits()).leading_zeros() >= *length
    };
    BLOCKS_6.iter().find(in_block).map(|(_, _, what)| *what)
}

/// The address of IPv4 that one of IPv6 stands for, where that is plain to see: mapped, and translated by NAT64, through
/// which a network without IPv4 reaches everything.
fn inside(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let is_mapped = [a, b, c, d, e, f] == [0, 0, 0, 0, 0, 0xffff];
    let is_translated = [a, b, c, d, e, f] == [0x64, 0xff9b, 0, 0, 0, 0];
    (is_mapped || is_translated).then(|| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
}

#[cfg(test)]
mod tests;
