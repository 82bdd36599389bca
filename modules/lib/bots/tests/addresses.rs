//! Addresses of bots: published ranges, names and networks.

use std::net::IpAddr;

use bots::{Malformed, Ranges, family, is_of, network, reverse};

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

#[test]
fn a_list_is_read_in_each_form_that_is_published() {
    let json = r#"{"creationTime":"2026-11-01T00:00:00","prefixes":[{"ipv6Prefix":"2001:db8:1::/48"},{"ipv4Prefix":"192.0.2.0/25"}]}"#;
    for text in [
        json,
        "# ours\n2001:db8:1::/48\n192.0.2.0/25\n",
        "\u{feff}{\"prefixes\":[\"2001:db8:1::/48\",\"192.0.2.0/25\"]}",
    ] {
        let ranges = Ranges::read(text).expect(text);
        let inside = ["192.0.2.0", "192.0.2.127", "::ffff:192.0.2.5", "2001:db8:1:ffff::1"];
        let outside = ["192.0.2.128", "192.0.1.255", "2001:db8:2::", "::"];
        assert!(inside.iter().all(|it| ranges.contains(address(it))), "{text}");
        assert!(!outside.iter().any(|it| ranges.contains(address(it))), "{text}");
        assert_eq!(ranges.prefixes(), 2);
    }
}

#[test]
fn what_is_no_list_is_none() {
    for text in ["", "<html>", "{}", r#"{"prefixes":[]}"#, "192.0.2.0/33", "2001:db8::/129", "192.0.2.0/x", "300.1.1.1"]
    {
        assert_eq!(Ranges::read(text), Err(Malformed), "{text}");
    }
    assert!(Ranges::read("0.0.0.0/0").expect("all of IPv4").contains(address("9.9.9.9")));
    assert!(Ranges::read("::/0").expect("everything").contains(address("9.9.9.9")));
}

#[test]
fn a_name_counts_only_below_a_documented_one() {
    let google = family("googlebot").expect("known");
    assert!(is_of(google, "crawl-66-249-66-1.googlebot.com."));
    assert!(is_of(google, "Rate-Limited-Proxy-1.GOOGLE.com"));
    assert!(!is_of(google, "googlebot.com"));
    assert!(!is_of(google, "crawl-1.notgooglebot.com"));
    assert!(!is_of(google, "googlebot.com.evil.example"));
    assert!(!is_of(family("gptbot").expect("known"), "gptbot.openai.com"), "nobody documents names of its addresses");
}

#[test]
fn addresses_are_asked_for_and_reduced_by_family() {
    assert_eq!(reverse(address("192.0.2.7")), "7.2.0.192.in-addr.arpa");
    assert_eq!(reverse(address("::ffff:192.0.2.7")), "7.2.0.192.in-addr.arpa");
    let six = "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa";
    assert_eq!(reverse(address("4321:0:1:2:3:4:567:89ab")), six, "the example of RFC 3596");
    assert_eq!(network(address("198.51.100.77")), "198.51.100.0/24");
    assert_eq!(network(address("2001:db8:5:6::1")), "2001:db8:5::/48");
}
