//! Forms of each kind that are taken, and those that are refused.

use super::{canonical, wrong_owner};

fn form(kind: &str, content: &str, priority: Option<u16>) -> Result<String, String> {
    canonical(kind, content, priority)
        .map(|(content, priority)| priority.map_or_else(|| content.clone(), |it| format!("{it} {content}")))
}

#[test]
fn each_kind_is_taken_in_one_form() {
    for (kind, content, priority, wanted) in [
        ("A", " 192.0.2.10 ", None, "192.0.2.10"),
        ("AAAA", "2001:0DB8:0:0::10", None, "2001:db8::10"),
        ("CNAME", "Shops.Example.NET.", None, "shops.example.net"),
        ("CNAME", "s1._domainkey.mail.example", None, "s1._domainkey.mail.example"),
        ("MX", "MX1.mail.example.", Some(10), "10 mx1.mail.example"),
        ("MX", "20 mx2.mail.example", None, "20 mx2.mail.example"),
        ("MX", "0 .", None, "0 ."),
        ("TXT", "\"v=spf1 include:_spf.mail.example \" \"-all\"", None, "v=spf1 include:_spf.mail.example -all"),
        ("CAA", "0 ISSUE letsencrypt.org", None, "0 issue \"letsencrypt.org\""),
        ("CAA", "128 iodef \"mailto:ca@shop.example\"", None, "128 iodef \"mailto:ca@shop.example\""),
        ("SRV", "10 5 443 Sip.shop.example.", None, "10 5 443 sip.shop.example"),
        ("SRV", "5 443 .", Some(0), "0 5 443 ."),
        ("DS", "2371 13 2 AB", None, "!"),
        ("DS", &format!("2371 13 2 {}", "AB".repeat(32)), None, &format!("2371 13 2 {}", "ab".repeat(32))),
        ("TLSA", &format!("3 1 1 {}", "0f".repeat(32)), None, &format!("3 1 1 {}", "0f".repeat(32))),
        ("HTTPS", "1 . port=8443 alpn=h2,h3", None, "1 . alpn=h2,h3 port=8443"),
        ("SVCB", "0 Pool.svc.example.", None, "0 pool.svc.example"),
    ] {
        let seen = form(kind, content, priority);
        match wanted {
            "!" => assert!(seen.is_err(), "{kind} {content}: {seen:?}"),
            wanted => assert_eq!(seen.as_deref(), Ok(wanted), "{kind} {content}"),
        }
        if let Ok((content, priority)) = canonical(kind, content, priority) {
            assert_eq!(canonical(kind, &content, priority), Ok((content.clone(), priority)), "it stays as it is");
        }
    }
}

#[test]
fn what_no_server_would_serve_is_refused() {
    for (kind, content, priority) in [
        ("A", "2001:db8::1", None),
        ("A", "192.0.2", None),
        ("A", "192.0.2.1", Some(1)),
        ("AAAA", "192.0.2.1", None),
        ("CNAME", "192.0.2.1", None),
        ("CNAME", "a..b", None),
        ("CNAME", "https://shop.example", None),
        ("MX", "mx1.mail.example", None),
        ("MX", "192.0.2.1", Some(10)),
        ("MX", "under_score.example", Some(10)),
        ("TXT", "", None),
        ("TXT", "two\nlines", None),
        ("CAA", "issue letsencrypt.org", None),
        ("CAA", "256 issue x", None),
        ("SRV", "443 sip.shop.example", Some(1)),
        ("TLSA", "3 1 1 abcd", None),
        ("HTTPS", "1 . alpn=h2 alpn=h3", None),
        ("HTTPS", "0 . alpn=h2", None),
        ("HTTPS", "1 . no-default-alpn", None),
        ("HTTPS", "1 . mandatory=port", None),
        ("HTTPS", "1 . ipv4hint=x", None),
        ("SOA", "x", None),
        ("LOC", "x", None),
    ] {
        assert!(canonical(kind, content, priority).is_err(), "{kind} {content}");
    }
    assert!(canonical("TXT", &"x".repeat(4_001), None).is_err());
}

#[test]
fn underscores_stand_only_where_they_may() {
    for (kind, owner, fine) in [
        ("A", "www", true),
        ("A", "", true),
        ("A", "*.shops", true),
        ("A", "a.*", false),
        ("A", "_dmarc", false),
        ("TXT", "_dmarc", true),
        ("CNAME", "s1._domainkey", true),
        ("SRV", "_sip._tls", true),
        ("SRV", "sip", false),
        ("TLSA", "_443._tcp.www", true),
        ("DS", "", false),
        ("MX", "a..b", false),
    ] {
        assert_eq!(wrong_owner(kind, owner).is_none(), fine, "{kind} {owner}");
    }
}
