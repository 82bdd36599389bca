//! Records are read as RFC 9989 reads them, and found where it says.

use super::{Problem, Wish, find, read, unwilling};
use crate::mailauth::spf::tests::zone;

#[test]
fn tags_are_read_and_what_is_gone_or_wrong_is_said() {
    let policy = read(
        "shop.example",
        "v=DMARC1; p=quarantine; sp=reject; np=REJECT; t=y; adkim=s; pct=50; rua=mailto:a@shop.example!10m, mailto:b@r.example; ruf=https://x; aspf=q",
    );
    assert_eq!((policy.wish, policy.below, policy.missing), (Wish::Quarantine, Some(Wish::Reject), Some(Wish::Reject)));
    assert!(policy.is_test && policy.strict_dkim && !policy.strict_spf);
    assert_eq!(policy.rua.len(), 2);
    assert_eq!(
        policy.problems,
        [Problem::Value("aspf".to_owned()), Problem::Gone("pct".to_owned()), Problem::Address("https://x".to_owned())]
    );
    assert_eq!(read("a.example", "v=DMARC1; rua=mailto:a@a.example").problems, [Problem::Wish]);
    assert_eq!(read("a.example", "v=DMARC1; p=none; p=reject").problems, [Problem::Twice("p".to_owned())]);
}

#[test]
fn the_record_that_decides_is_found_by_the_walk_up_the_tree() {
    let mut zone = zone(&[
        "_dmarc.shop.example TXT v=DMARC1; p=reject; sp=quarantine",
        "_dmarc.own.shop.example TXT v=DMARC1; p=none",
        "_dmarc.both.example TXT v=DMARC1; p=none",
        "_dmarc.both.example TXT v=DMARC1; p=reject",
        "_dmarc.bank TXT v=DMARC1; p=reject; psd=y",
        "_dmarc.team.example TXT v=DMARC1; p=none; psd=n",
        "_dmarc.example TXT v=DMARC1; p=none; psd=y",
    ]);
    let mut of = |domain: &str| {
        let found = find(&mut zone, domain).expect("an answer");
        (found.wish(domain), found.organisation.clone(), found.policy.map(|it| it.domain), found.several)
    };
    let some = |text: &str| Some(text.to_owned());
    // The suffix ends the walk one label above the shop.
    assert_eq!(of("shop.example"), (Some(Wish::Reject), "shop.example".into(), some("shop.example"), vec![]));
    assert_eq!(of("mail.shop.example"), (Some(Wish::Quarantine), "shop.example".into(), some("shop.example"), vec![]));
    assert_eq!(of("own.shop.example"), (Some(Wish::None), "shop.example".into(), some("own.shop.example"), vec![]));
    // Two records are none.
    assert_eq!(of("both.example").3, ["both.example"]);
    assert_eq!(of("a.b.c.bank"), (Some(Wish::Reject), "c.bank".into(), some("bank"), vec![]));
    assert_eq!(of("x.team.example"), (Some(Wish::None), "team.example".into(), some("team.example"), vec![]));
    assert_eq!(super::walk("a.b.c.d.e.f.g.h.i.j").len(), 8);
    assert_eq!(super::walk("a.b.c.d.e.f.g.h.i.j")[1], "d.e.f.g.h.i.j");
}

#[test]
fn who_has_not_said_that_it_takes_reports_is_named() {
    let mut zone = zone(&["shop.example._report._dmarc.takes.example TXT v=DMARC1"]);
    let policy = read(
        "shop.example",
        "v=DMARC1; p=none; rua=mailto:a@takes.example,mailto:b@not.example,mailto:c@in.shop.example",
    );
    assert_eq!(unwilling(&mut zone, &policy, "shop.example"), ["not.example"]);
}
