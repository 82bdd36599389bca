//! Tests of `url`.

use super::{Url, is_local, is_tracking, normalize, path_and_query, registrable_domain, same_site};

#[test]
fn addresses_that_mean_the_same_get_one_spelling() {
    for (given, normal) in [
        ("HTTP://WWW.Example.COM:80", "http://www.example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/%7euser/%41%2f%c3%bc", "http://example.com/~user/A%2F%C3%BC"),
        ("http://example.com/ü?q=ä", "http://example.com/%C3%BC?q=%C3%A4"),
        ("http://example.com/a#part", "http://example.com/a"),
        ("http://example.com/a?", "http://example.com/a"),
        ("http://example.com/a?b=2&a=1", "http://example.com/a?b=2&a=1"),
        ("http://example.com/a?utm_source=x&id=7&GCLID=9", "http://example.com/a?id=7"),
        ("http://user:secret@example.com/", "http://example.com/"),
        ("http://example.com./", "http://example.com/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("  http://example.com/a b ", "http://example.com/a%20b"),
        ("http://example.com/100%", "http://example.com/100%"),
    ] {
        assert_eq!(normalize(given).as_deref(), Some(normal), "{given}");
    }
}

#[test]
fn normalising_twice_changes_nothing_more() {
    for url in [
        "http://example.com/%2541",
        "http://example.com/%252e%252e/x",
        "http://example.com/a?x=%2526",
        "http://example.com//a//",
    ] {
        let once = normalize(url).expect("an address");
        assert_eq!(normalize(&once).as_deref(), Some(once.as_str()), "{url}");
    }
}

#[test]
fn what_is_not_an_http_address_has_no_normal_form() {
    for url in [
        "mailto:a@example.com",
        "javascript:void(0)",
        "ftp://example.com/",
        "/relative",
        "http://",
        "data:text/plain,x",
    ] {
        assert_eq!(normalize(url), None, "{url}");
    }
}

#[test]
fn the_list_of_tracking_parameters_is_sorted_and_exact() {
    assert!(super::tracking::is_tracking("utm_anything"));
    assert!(is_tracking("fbclid") && is_tracking("MSCLKID"));
    assert!(!is_tracking("id") && !is_tracking("ref") && !is_tracking("utm"));
}

#[test]
fn www_and_the_scheme_do_not_make_another_site_but_a_port_or_a_subdomain_does() {
    let site = Url::parse("https://shop.example/").expect("an address");
    for (other, same) in [
        ("http://www.shop.example/a", true),
        ("https://shop.example:443/", true),
        ("https://shop.example:8443/", false),
        ("https://blog.shop.example/", false),
        ("https://shop.example.evil.example/", false),
    ] {
        assert_eq!(same_site(&site, &Url::parse(other).expect("an address")), same, "{other}");
    }
}

#[test]
fn the_registrable_domain_follows_the_public_suffix_list() {
    assert_eq!(registrable_domain("a.b.example.co.uk"), Some("example.co.uk"));
    assert_eq!(registrable_domain("127.0.0.1"), None);
    assert_eq!(registrable_domain("co.uk"), None);
}

#[test]
fn local_addresses_are_seen_by_their_spelling() {
    for (url, local) in [
        ("http://localhost:3000/", true),
        ("http://10.1.2.3/", true),
        ("http://[::1]/", true),
        ("http://2130706433/", true),
        ("http://staging.local/", true),
        ("http://example.com/", false),
        ("http://93.184.216.34/", false),
    ] {
        assert_eq!(is_local(&Url::parse(url).expect("an address")), local, "{url}");
    }
}

#[test]
fn rules_see_path_and_query_without_the_fragment() {
    assert_eq!(path_and_query("https://example.com/a?b#c"), "/a?b");
    assert_eq!(path_and_query("https://example.com?b"), "?b");
    assert_eq!(path_and_query("https://example.com"), "");
}

/// The same address with the documented differences to w3lib's `canonicalize_url` taken away:
/// it sorts parameters, writes `a` as `a=`, and encodes values as forms do (a space is `+`, `/` is `%2F`).
fn as_w3lib(ours: &str) -> String {
    let Some((path, query)) = ours.split_once('?') else { return ours.to_owned() };
    let mut pairs: Vec<(String, String)> = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (spelled(name), spelled(value)))
        .collect();
    pairs.sort();
    let pairs: Vec<String> = pairs.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("{path}?{}", pairs.join("&"))
}

/// Form encoding, as Python's `quote_plus` writes it.
fn spelled(text: &str) -> String {
    let bytes: Vec<u8> = url::form_urlencoded::parse(format!("x={text}").as_bytes())
        .next()
        .map(|(_, value)| value.into_owned().into_bytes())
        .unwrap_or_default();
    bytes
        .into_iter()
        .map(|byte| match byte {
            b' ' => "+".to_owned(),
            byte if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

/// Why an address may be spelled otherwise than by w3lib.
fn documented(url: &str, normal: &str) -> Option<&'static str> {
    let lower = url.to_ascii_lowercase();
    let authority = lower.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if authority.contains('@') {
        Some("user names are dropped here and kept there")
    } else if (lower.starts_with("http:") && authority.ends_with(":80"))
        || (lower.starts_with("https:") && authority.ends_with(":443"))
    {
        Some("default ports are dropped here (RFC 3986 6.2.3) and kept there")
    } else if ["utm_", "gclid=", "fbclid="].iter().any(|name| url.contains(name)) && !normal.contains("utm_") {
        Some("tracking parameters are dropped here")
    } else if normal.split('?').next().is_some_and(|path| path.contains("%2B")) {
        Some("an encoded plus in a path stays, since plus is reserved (RFC 3986 2.2), and is decoded there")
    } else {
        None
    }
}

#[test]
fn two_thousand_addresses_are_spelled_as_w3lib_spells_them_but_for_the_documented_differences() {
    let (mut same, mut compared, mut others) = (0, 0, Vec::new());
    for line in include_str!("w3lib.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (url, theirs) = line.split_once('\t').expect("two columns");
        let ours = normalize(url).expect("an address");
        if documented(url, &ours).is_some() {
            continue;
        }
        compared += 1;
        if as_w3lib(&ours) == as_w3lib(theirs) {
            same += 1;
        } else {
            others.push(format!("{url}\n  ours   {}\n  theirs {}", as_w3lib(&ours), as_w3lib(theirs)));
        }
    }
    assert!(compared > 1_500, "{compared}");
    assert!(
        same == compared,
        "{same} of {compared}\n{}",
        others.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
    );
}
