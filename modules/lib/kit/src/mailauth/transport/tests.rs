//! Exchangers and policies are judged by their standards.

use super::{Bimi, StsPolicy, StsRecord, bimi, exchangers, sts_record, tls_reports};
use crate::mailauth::spf::tests::zone;

#[test]
fn exchangers_must_be_names_with_addresses() {
    let mut zone = zone(&[
        "shop.example MX 10 mail.shop.example",
        "shop.example MX 20 192.0.2.1",
        "shop.example MX 30 gone.shop.example",
        "mail.shop.example AAAA 2001:db8::1",
        "quiet.example MX 0 .",
    ]);
    let seen = exchangers(&mut zone, "shop.example").expect("an answer");
    assert_eq!(
        (seen.without_address, seen.addresses),
        (vec!["gone.shop.example".to_owned()], vec!["192.0.2.1".to_owned()])
    );
    assert!(exchangers(&mut zone, "quiet.example").expect("an answer").is_null);
}

#[test]
fn a_policy_of_mta_sts_covers_names_by_one_label() {
    let text = "version: STSv1\r\nmode: enforce\r\nmx: mail.shop.example\r\nmx: *.post.example\r\nmax_age: 604800\r\n";
    let policy = StsPolicy::parse(text).expect("a policy");
    assert!(policy.covers("MAIL.shop.example.") && policy.covers("a.post.example"));
    assert!(!policy.covers("a.b.post.example") && !policy.covers("post.example"));
    for wrong in [
        "",
        "version: STSv1\nmode: enforce\nmax_age: 1",
        "version: STSv1\nmode: on\nmx: a.b\nmax_age: 1",
        "mode: none\nmax_age: 1",
    ] {
        assert_eq!(StsPolicy::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn records_of_transport_are_read() {
    let mut zone = zone(&[
        "_mta-sts.a.example TXT v=STSv1; id=20260101;",
        "_mta-sts.b.example TXT v=STSv1; id=not-fine",
        "_smtp._tls.a.example TXT v=TLSRPTv1; rua=mailto:t@a.example",
        "_smtp._tls.b.example TXT v=TLSRPTv1; rua=ftp://x",
        "default._bimi.a.example TXT v=BIMI1; l=https://a.example/logo.svg; a=",
    ]);
    assert_eq!(sts_record(&mut zone, "a.example"), Ok(StsRecord::Id("20260101".to_owned())));
    assert!(matches!(sts_record(&mut zone, "b.example"), Ok(StsRecord::Wrong(_))));
    assert_eq!(sts_record(&mut zone, "c.example"), Ok(StsRecord::None));
    assert_eq!(tls_reports(&mut zone, "a.example"), Ok(Ok(vec!["mailto:t@a.example".to_owned()])));
    assert!(matches!(tls_reports(&mut zone, "b.example"), Ok(Err(_))));
    let Ok(Some(Bimi { location, evidence, .. })) = bimi(&mut zone, "a.example") else { panic!("a record") };
    assert_eq!((location.as_str(), evidence), ("https://a.example/logo.svg", None));
}
