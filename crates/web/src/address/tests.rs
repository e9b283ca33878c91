use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use super::AddressPolicy;

fn refused(text: &str) -> bool {
    AddressPolicy::Public.refusal(text.parse().unwrap()).is_some()
}

#[test]
fn addresses_that_are_not_public_are_refused() {
    for text in [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.0",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.255",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::2",
        "::7f00:1",
        "::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.1.2.3",
        "64:ff9b:1::1",
        "64:ff9b:0:1::8.8.8.8",
        "100::1",
        "100:0:0:1::1",
        "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:1ff:ffff::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:808:808::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
        "1fff:ffff::1",
        "e000::1",
    ] {
        assert!(refused(text), "{text}");
    }
}

#[test]
fn public_addresses_pass_right_up_to_the_edges() {
    for text in [
        "1.0.0.0",
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2000::1",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2001:db7::1",
        "2001:db9::1",
        "2003::1",
        "2606:4700::1111",
        "2a00:1450::1",
        "3ffe::1",
        "3fff:1000::1",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
    ] {
        assert!(!refused(text), "{text}");
    }
}

#[test]
fn an_operator_may_name_any_server() {
    assert_eq!(AddressPolicy::Anywhere.refusal(IpAddr::V4(Ipv4Addr::LOCALHOST)), None);
    let also = AddressPolicy::PublicAnd(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    assert_eq!(also.refusal(IpAddr::V4(Ipv4Addr::LOCALHOST)), None);
    assert!(also.refusal(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))).is_some());
}

proptest! {
    /// What the standard library calls private, by whatever name, is never public here, in none of its forms.
    #[test]
    fn no_form_of_a_private_address_passes(bits in any::<u32>(), wide in any::<u128>()) {
        let four = Ipv4Addr::from_bits(bits);
        let private = four.is_private() || four.is_loopback() || four.is_link_local() || four.is_multicast()
            || four.is_broadcast() || four.is_documentation() || four.is_unspecified();
        let policy = AddressPolicy::Public;
        if private {
            prop_assert!(policy.refusal(four.into()).is_some());
        }
        let translated = Ipv6Addr::from_bits(0x64_ff9b << 96 | u128::from(bits));
        for six in [four.to_ipv6_mapped(), translated] {
            prop_assert_eq!(policy.refusal(six.into()).is_some(), policy.refusal(four.into()).is_some());
        }
        prop_assert!(policy.refusal(Ipv6Addr::from_bits(u128::from(bits)).into()).is_some(), "compatible");
        let six = Ipv6Addr::from_bits(wide);
        let private = six.is_loopback() || six.is_multicast() || six.is_unique_local() || six.is_unicast_link_local();
        prop_assert!(!private || policy.refusal(six.into()).is_some());
    }
}
