//! Tests of DNS queries against a real name server with signed, bogus and unsigned zones.

use std::collections::BTreeMap;
use std::net::UdpSocket;

use super::*;

mod zones;

const WWW: [u8; 4] = [192, 0, 9, 80];

fn asked(name: &str, kind: &str) -> Question {
    Question { name: name.to_owned(), kind: kind.to_owned() }
}

fn guard(zones: &zones::Zones) -> Guard {
    let policy = OutboundPolicy {
        dns: vec![zones.address],
        anchor: Some(zones.anchor.clone()),
        resolve: BTreeMap::from([("ns1.example".to_owned(), zones.address)]),
        ..OutboundPolicy::default()
    };
    Guard::new(policy).expect("a guard")
}

async fn lookup(guard: &Guard, name: &str, kind: &str) -> Answer {
    let answer = guard.lookup(&asked(name, kind), &mut Vec::new()).await;
    answer.unwrap_or_else(|failure| panic!("{name} {kind}: {failure}"))
}

fn texts(answer: &Answer) -> Vec<(String, String)> {
    answer.entries.iter().map(|entry| (entry.kind.clone(), entry.text.clone())).collect()
}

fn pair(kind: &str, text: &str) -> (String, String) {
    (kind.to_owned(), text.to_owned())
}

#[tokio::test]
async fn a_signed_answer_is_secure_and_comes_with_its_records() {
    let zones = zones::start(WWW).await;
    let guard = guard(&zones);
    let answer = lookup(&guard, "www.good.example", "A").await;
    assert_eq!((answer.outcome, answer.code, answer.trust), (Outcome::Found, 0, Some(Trust::Secure)));
    assert_eq!(texts(&answer), [pair("A", "192.0.9.80")]);
    assert_eq!((answer.entries[0].name.as_str(), answer.entries[0].ttl), ("www.good.example.", 300));
    assert_eq!(answer.entries[0].data, WWW);
    let answer = lookup(&guard, "good.example", "mx").await;
    assert_eq!(texts(&answer), [pair("MX", "10 mail.good.example.")]);
    assert_eq!(answer.entries[0].data, b"\x00\x0a\x04mail\x04good\x07example\x00");
    assert_eq!(lookup(&guard, "good.example", "DNSKEY").await.trust, Some(Trust::Secure));
    assert_eq!(lookup(&guard, "good.example", "DS").await.trust, Some(Trust::Secure));
}

#[tokio::test]
async fn the_aliases_on_the_way_are_told_too() {
    let zones = zones::start(WWW).await;
    let answer = lookup(&guard(&zones), "alias.good.example", "A").await;
    assert_eq!(texts(&answer), [pair("CNAME", "www.good.example."), pair("A", "192.0.9.80")]);
    assert_eq!(answer.trust, Some(Trust::Secure));
}

#[tokio::test]
async fn no_such_name_and_no_such_record_are_told_apart_and_proven() {
    let zones = zones::start(WWW).await;
    let guard = guard(&zones);
    let none = lookup(&guard, "nobody.good.example", "A").await;
    assert_eq!((none.outcome, none.code, none.trust), (Outcome::NoName, 3, Some(Trust::Secure)));
    let other = lookup(&guard, "www.good.example", "MX").await;
    assert_eq!((other.outcome, other.code, other.trust), (Outcome::NoData, 0, Some(Trust::Secure)));
    assert!(none.entries.is_empty() && other.entries.is_empty());
}

#[tokio::test]
async fn a_zone_under_another_key_is_bogus_and_one_without_is_insecure() {
    let zones = zones::start(WWW).await;
    let guard = guard(&zones);
    let bogus = lookup(&guard, "www.bogus.example", "A").await;
    assert_eq!((bogus.outcome, bogus.trust), (Outcome::Found, Some(Trust::Bogus)));
    let plain = lookup(&guard, "www.plain.example", "A").await;
    assert_eq!((plain.outcome, plain.trust), (Outcome::Found, Some(Trust::Insecure)));
    assert_eq!(texts(&plain), [pair("A", "192.0.9.3")]);
}

#[tokio::test]
async fn text_keeps_its_parts_and_an_answer_too_long_for_a_datagram_comes_whole() {
    let zones = zones::start(WWW).await;
    let guard = guard(&zones);
    let answer = lookup(&guard, "text.good.example", "TXT").await;
    assert_eq!(texts(&answer), [pair("TXT", r#""v=spf1 -all" "say \"hi\"""#)]);
    assert_eq!(answer.entries[0].data, b"\x0bv=spf1 -all\x08say \"hi\"");
    let long = lookup(&guard, "long.good.example", "TXT").await;
    assert_eq!((long.outcome, long.entries[0].data.len()), (Outcome::Found, 40 * 101));
    assert_eq!(long.trust, Some(Trust::Secure));
}

#[tokio::test]
async fn what_only_the_hosts_own_resolver_can_know_of_the_inside_is_left_out() {
    let zones = zones::start(WWW).await;
    let guard = guard(&zones);
    let answer = lookup(&guard, "inside.good.example", "A").await;
    assert_eq!((texts(&answer), answer.withheld), (vec![pair("A", "192.0.9.80")], 1));
    let mut trail = Vec::new();
    for name in ["db.internal", "localhost", "3.2.1.10.in-addr.arpa"] {
        assert_eq!(guard.lookup(&asked(name, "A"), &mut trail).await, Err(Failure::Refused), "{name}");
    }
    assert_eq!(trail.iter().filter(|decision| decision.verdict == Verdict::Name).count(), 3);
}

#[tokio::test]
async fn a_binding_of_a_service_is_written_as_in_a_zone_file() {
    let zones = zones::start(WWW).await;
    let answer = lookup(&guard(&zones), "svc.good.example", "HTTPS").await;
    assert_eq!(texts(&answer), [pair("HTTPS", "1 . alpn=h2,h3 no-default-alpn port=8443")]);
}

#[tokio::test]
async fn a_list_of_bad_names_answers_in_loopback_addresses_and_only_one_that_the_operator_set_does() {
    let zones = zones::start(WWW).await;
    let without = lookup(&guard(&zones), "old.com.good.example", "A").await;
    assert_eq!((texts(&without), without.withheld), (Vec::new(), 1));
    let policy = OutboundPolicy {
        dns: vec![zones.address],
        anchor: Some(zones.anchor.clone()),
        blocklists: vec!["Good.example.".to_owned()],
        ..OutboundPolicy::default()
    };
    let listed = Guard::new(policy).expect("a guard");
    assert_eq!(texts(&lookup(&listed, "old.com.good.example", "A").await), [pair("A", "127.0.1.2")]);
    let inside = lookup(&listed, "inside.good.example", "A").await;
    assert_eq!(
        (texts(&inside), inside.withheld),
        (vec![pair("A", "192.0.9.80")], 1),
        "what is no word of a list stays inside"
    );
}

#[tokio::test]
async fn each_server_of_a_zone_says_what_it_has() {
    let (old, new) = (zones::start([192, 0, 9, 1]).await, zones::start([192, 0, 9, 2]).await);
    let servers = [("ns1.example".to_owned(), old.address), ("ns2.example".to_owned(), new.address)];
    let policy = OutboundPolicy { dns: vec![old.address], resolve: servers.into(), ..OutboundPolicy::default() };
    let guard = Guard::new(policy).expect("a guard");
    let question = asked("www.good.example", "A");
    let mut trail = Vec::new();
    let authority = guard.authoritative(&question, &[], 13, &mut trail).await.expect("the zone answers");
    assert_eq!((authority.zone.as_deref(), authority.more), (Some("good.example."), 0));
    let said: Vec<_> = authority
        .servers
        .iter()
        .map(|told| {
            let answer = told.answer.as_ref().expect("it answers");
            assert!(answer.authoritative && answer.trust.is_none());
            (told.server.as_str(), answer.entries[0].text.as_str())
        })
        .collect();
    assert_eq!(said, [("ns1.example", "192.0.9.1"), ("ns2.example", "192.0.9.2")]);
    assert_eq!(trail.len(), 3);
    let one = guard.authoritative(&question, &[], 1, &mut Vec::new()).await.expect("the zone answers");
    assert_eq!((one.servers.len(), one.more), (1, 1));
}

#[tokio::test]
async fn each_public_resolver_says_what_it_tells_the_world() {
    let (old, new) = (zones::start([192, 0, 9, 1]).await, zones::start([192, 0, 9, 2]).await);
    let nobody = UdpSocket::bind("127.0.0.1:0").expect("a port").local_addr().expect("it had an address");
    let named = [("Old", old.address), ("New", new.address), ("Nobody", nobody)];
    let public_resolvers = named.map(|(name, address)| (name.to_owned(), address)).into();
    let policy = OutboundPolicy { dns: vec![old.address], public_resolvers, ..OutboundPolicy::default() };
    let guard = Guard::new(policy).expect("a guard");
    let told = guard.resolvers(&asked("www.good.example", "A"), &mut Vec::new()).await.expect("told");
    let said = |told: &Told| told.answer.as_ref().map(|answer| answer.entries[0].text.clone()).map_err(|it| *it);
    assert_eq!(
        told.iter().map(|it| (it.server.as_str(), said(it))).collect::<Vec<_>>(),
        [
            ("Old", Ok("192.0.9.1".to_owned())),
            ("New", Ok("192.0.9.2".to_owned())),
            ("Nobody", Err(Failure::Unreachable))
        ]
    );
    let inside = guard.resolvers(&asked("db.internal", "A"), &mut Vec::new()).await;
    assert_eq!(inside.map(|_| ()), Err(Failure::Refused), "names of the inside are told to nobody");
}

#[tokio::test]
async fn servers_that_are_not_public_are_not_asked() {
    let zones = zones::start(WWW).await;
    let guard = guard(&zones);
    let silent = UdpSocket::bind("127.0.0.1:0").expect("a port");
    silent.set_nonblocking(true).expect("a socket");
    let servers = ["127.0.0.1", "10.0.0.53", "169.254.169.254", "ns.internal", "ns1.example"].map(str::to_owned);
    let mut trail = Vec::new();
    let told = guard.authoritative(&asked("www.good.example", "A"), &servers, 13, &mut trail).await.expect("told");
    assert_eq!(told.zone, None);
    let outcomes: Vec<_> = told.servers.iter().map(|told| told.answer.as_ref().err().copied()).collect();
    let refused = Some(Failure::Refused);
    assert_eq!(outcomes, [refused, refused, refused, refused, None]);
    assert!(told.servers.iter().take(4).all(|told| told.address.is_none()));
    assert_eq!(trail.iter().filter(|decision| decision.verdict != Verdict::Permitted).count(), 4);
}

#[tokio::test]
async fn a_name_without_a_zone_and_a_resolver_that_is_not_there_are_failures() {
    let zones = zones::start(WWW).await;
    let question = asked("nowhere.invented", "A");
    let found = guard(&zones).authoritative(&question, &[], 3, &mut Vec::new()).await;
    assert_eq!(found.map(|_| ()), Err(Failure::Unresolved));
    let nobody = UdpSocket::bind("127.0.0.1:0").expect("a port").local_addr().expect("it had an address");
    let policy = OutboundPolicy { dns: vec![nobody], ..OutboundPolicy::default() };
    let guard = Guard::new(policy).expect("a guard");
    let answer = guard.lookup(&asked("www.good.example", "A"), &mut Vec::new()).await;
    assert_eq!(answer.map(|_| ()), Err(Failure::Unreachable));
}
