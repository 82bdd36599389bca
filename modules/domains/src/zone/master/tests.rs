//! Texts as servers and people write them.

use super::read;

fn shown(text: &str) -> Vec<String> {
    let zone = read(text, "shop.example");
    assert!(zone.problems.is_empty(), "{:?}", zone.problems);
    let line = |it: &super::Record| {
        let ttl = it.ttl.map_or_else(|| "-".to_owned(), |it| it.to_string());
        let priority = it.priority.map(|it| format!("{it} ")).unwrap_or_default();
        format!("{} {ttl} {} {priority}{}", it.name, it.r#type, it.content)
    };
    zone.records.iter().map(|(_, it)| line(it)).collect()
}

#[test]
fn the_manners_of_writing_a_zone_come_to_the_same_records() {
    let text = "
$TTL 1h30m ; for all
@   IN SOA ns1.dns.example. hostmaster (
        2026110101 ; serial
        3h 1h 1w 1h )
    IN NS ns1.dns.example.
    NS ns2
www 300 IN CNAME @
    ; a comment alone
WWW2 IN 1d CNAME www
mail IN A 192.0.2.1
     IN AAAA 2001:DB8::1
@ MX 10 mail
@ MX 20 mx2.mail.example.
@ TXT \"v=spf1 include:_spf.mail.example \" \"-all\"
@ TXT unquoted
_dmarc TXT v=DMARC1\\;p=none
q TXT \"say \\\"hi\\\"; \\065\"
@ CAA 0 issue \"letsencrypt.org\"
_sip._tls SRV 10 5 443 sip
$ORIGIN shops.shop.example.
a A 192.0.2.2
@ HTTPS 1 . alpn=\"h2,h3\" port=8443
$ORIGIN deep
b A 192.0.2.3
";
    assert_eq!(
        shown(text),
        [
            "shop.example 5400 NS ns1.dns.example",
            "shop.example 5400 NS ns2.shop.example",
            "www.shop.example 300 CNAME shop.example",
            "www2.shop.example 86400 CNAME www.shop.example",
            "mail.shop.example 5400 A 192.0.2.1",
            "mail.shop.example 5400 AAAA 2001:db8::1",
            "shop.example 5400 MX 10 mail.shop.example",
            "shop.example 5400 MX 20 mx2.mail.example",
            "shop.example 5400 TXT v=spf1 include:_spf.mail.example -all",
            "shop.example 5400 TXT unquoted",
            "_dmarc.shop.example 5400 TXT v=DMARC1;p=none",
            "q.shop.example 5400 TXT say \"hi\"; A",
            "shop.example 5400 CAA 0 issue \"letsencrypt.org\"",
            "_sip._tls.shop.example 5400 SRV 10 5 443 sip.shop.example",
            "a.shops.shop.example 5400 A 192.0.2.2",
            "shops.shop.example 5400 HTTPS 1 . alpn=h2,h3 port=8443",
            "b.deep.shops.shop.example 5400 A 192.0.2.3",
        ]
    );
    let zone = read(text, "shop.example");
    let skipped: Vec<(usize, &str)> = zone.skipped.iter().map(|it| (it.line, it.kind.as_str())).collect();
    assert_eq!(skipped, [(3, "SOA")]);
}

#[test]
fn a_record_without_a_time_has_that_of_the_one_before() {
    assert_eq!(
        shown("a 60 A 192.0.2.1\nb A 192.0.2.2\n"),
        ["a.shop.example 60 A 192.0.2.1", "b.shop.example 60 A 192.0.2.2"]
    );
    assert_eq!(shown("a A 192.0.2.1"), ["a.shop.example - A 192.0.2.1"]);
}

#[test]
fn what_is_no_master_file_is_told_with_its_line() {
    for (text, line, words) in [
        ("www A 192.0.2.1\n$INCLUDE other.zone\n", 2, "$INCLUDE is not followed"),
        ("$GENERATE 1-9 h$ A 192.0.2.$", 1, "$GENERATE is not followed"),
        ("www A (\n192.0.2.1\n", 1, "a parenthesis is not closed"),
        ("a A 192.0.2.1\nb TXT \"open\n", 2, "a quote is not closed"),
        ("www A 192.0.2.1)", 1, "a parenthesis closes"),
        ("  A 192.0.2.1", 1, "the first record has no name"),
        ("www CH A 192.0.2.1", 1, "the class CH"),
        ("www A 2001:db8::1", 1, "IPv4"),
        ("www NONSENSE x", 1, "NONSENSE is no kind of record"),
        ("www", 1, "there is no kind"),
        ("@ MX mail", 1, "MX: something is missing"),
        ("www CNAME a b", 1, "something is too much"),
        ("$TTL soon", 1, "this is no time"),
        ("a..b A 192.0.2.1", 1, "is not a name"),
    ] {
        let zone = read(text, "shop.example");
        let problem = zone.problems.first().unwrap_or_else(|| panic!("{text}"));
        assert!(problem.line == line && problem.problem.contains(words), "{text}: {problem:?}");
    }
    let zone = read("a A 192.0.2.1\nb A x\nc A y\n", "shop.example");
    assert_eq!((zone.records.len(), zone.problems.len()), (1, 2), "one wrong line leaves the others readable");
}

#[test]
fn a_text_of_any_bytes_is_read_or_refused_and_never_more() {
    let pieces = ["\"", "(", ")", "\\", "$TTL", " ", "\n", ";", "a", "TXT", "\\0", "é", "IN", "1h"];
    let mut seed = 7_u64;
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[usize::try_from(seed >> 33).unwrap_or(0) % pieces.len()]);
        }
        _ = read(&text, "shop.example");
    }
}

/// Fifty zones, written in many manners, with what dnspython 2.9.2 (`dns.zone.from_text`) reads in each: one line a record, in
/// canonical form, in order. Made on 2026-11-29.
const REFERENCE: &str = include_str!("tests/reference.txt");

#[test]
fn zones_are_read_as_the_reference_reads_them() {
    let mut zones = 0;
    for block in REFERENCE.split("=== zone ").skip(1) {
        let (text, wanted) = block.split_once("--- records\n").expect("two parts");
        let (number, text) = text.split_once('\n').expect("a number and a text");
        let zone = read(text, "shop.test");
        assert!(zone.problems.is_empty(), "zone {number}: {:?}", zone.problems);
        let mut lines: Vec<String> = zone
            .records
            .iter()
            .map(|(_, it)| {
                let priority = it.priority.map(|it| format!("{it} ")).unwrap_or_default();
                format!("{} {} {priority}{}", it.name, it.r#type, it.content)
            })
            .collect();
        lines.sort();
        lines.dedup();
        assert_eq!(lines, wanted.lines().collect::<Vec<_>>(), "zone {number}");
        zones += 1;
    }
    assert_eq!(zones, 50);
}
