//! Tests of `address`.

use std::net::IpAddr;

use super::{Cidr, special};

#[test]
fn public_addresses_are_public() {
    for text in [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "93.184.215.14",
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
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "2001:200::1",
        "2a00:1450:4001:82a::200e",
        "2003::1",
        "3ffe::1",
    ] {
        let address: IpAddr = text.parse().expect("an address");
        assert_eq!(special(address), None, "{text}");
    }
}

#[test]
fn every_special_range_is_known_from_its_first_to_its_last_address() {
    for (first, last) in [
        ("0.0.0.0", "0.255.255.255"),
        ("10.0.0.0", "10.255.255.255"),
        ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"),
        ("169.254.0.0", "169.254.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"),
        ("192.0.2.0", "192.0.2.255"),
        ("192.88.99.0", "192.88.99.255"),
        ("192.168.0.0", "192.168.255.255"),
        ("198.18.0.0", "198.19.255.255"),
        ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"),
        ("224.0.0.0", "239.255.255.255"),
        ("240.0.0.0", "255.255.255.255"),
        ("::", "::"),
        ("::1", "::1"),
        ("::ffff:0.0.0.0", "::ffff:255.255.255.255"),
        ("::0.0.0.2", "::255.255.255.255"),
        ("::ffff:0:0.0.0.0", "::ffff:0:255.255.255.255"),
        ("64:ff9b::", "64:ff9b::255.255.255.255"),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
        ("100::", "100::ffff:ffff:ffff:ffff"),
        ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
        ("2001:10::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("4000::", "4000::1"),
        ("5f00::", "5f00:ffff::"),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2606:4700::5efe:7f00:1", "2606:4700::200:5efe:7f00:1"),
    ] {
        for text in [first, last] {
            let address: IpAddr = text.parse().expect("an address");
            assert!(special(address).is_some(), "{text} passes as public");
        }
    }
}

#[test]
fn a_range_contains_its_addresses_and_no_mapped_form_of_them() {
    let range: Cidr = "127.0.0.0/8".parse().expect("a range");
    let contains = |text: &str| range.contains(text.parse().expect("an address"));
    assert!(contains("127.0.0.1") && contains("127.255.255.255"));
    assert!(!contains("128.0.0.1") && !contains("::ffff:127.0.0.1") && !contains("::1"));
    let one: Cidr = "::1".parse().expect("a range of one");
    assert!(one.contains("::1".parse().expect("an address")) && !one.contains("::2".parse().expect("an address")));
    let all: Cidr = "0.0.0.0/0".parse().expect("a range");
    assert!(all.contains("8.8.8.8".parse().expect("an address")));
    assert_eq!(range.to_string(), "127.0.0.0/8");
}

#[test]
fn what_is_no_range_is_refused() {
    for text in ["", "127.0.0.0/33", "::/129", "127.0.0/8", "localhost", "10.0.0.0/-1", "10.0.0.0/"] {
        assert!(text.parse::<Cidr>().is_err(), "{text}");
    }
}
