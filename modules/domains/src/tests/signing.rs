//! DNSSEC that is turned on and off, beside a world of servers and parents that this file plays.

use sdk::json;
use sdk::serde_json::Value;
use sdk::{Authority, DnsAnswer, DnsFailure, Entry, Outcome, Told, Trust};
use simulators::Account;

use crate::nameserver::chain::{digest, key_tag};

const ZONE: &str = "shop.example";

/// A zone at PowerDNS, its parent and its registrar.
struct World {
    fake: sdk::Fake,
    dns: Account,
    registrar: Account,
    /// What the parent shows now, and when it began to show nothing.
    at_parent: Vec<String>,
    gone_since: Option<u64>,
}

fn answer(kind: &str, ttl: u32, rows: &[(String, Vec<u8>)]) -> DnsAnswer {
    let entry = |(text, data): &(String, Vec<u8>)| Entry {
        name: format!("{ZONE}."),
        kind: kind.to_owned(),
        ttl,
        text: text.clone(),
        data: data.clone(),
    };
    let outcome = if rows.is_empty() { Outcome::NoData } else { Outcome::Found };
    let entries = rows.iter().map(entry).collect();
    let trust = Some(Trust::Secure);
    DnsAnswer { outcome, code: 0, entries, withheld: 0, trust, authoritative: true, milliseconds: 1 }
}

fn base64(text: &str) -> Vec<u8> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for c in text.chars().filter(|c| *c != '=') {
        bits = (bits << 6) | u32::try_from(letters.find(c).expect("a letter")).expect("small");
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xff).expect("a byte"));
        }
    }
    out
}

impl World {
    fn new(with_registrar: bool) -> Self {
        let mut fake = crate::fake().connected("con_d", "powerdns");
        if with_registrar {
            fake = fake.connected("con_r", "name_com");
        }
        let (dns, registrar) = (Account::powerdns(), Account::name_com());
        let (own, theirs) = (dns.clone(), registrar.clone());
        fake.provider_plays(move |asked| {
            let account = if asked.path.starts_with("/core/") { &theirs } else { &own };
            Some(Ok(account.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
        });
        let mut world = Self { fake, dns, registrar, at_parent: Vec::new(), gone_since: Some(0) };
        world.see(true);
        world
    }

    fn asked(&self, account: &Account, path: &str) -> Value {
        let (_, _, body) = account.ask("GET", path, &[], &[], &[]);
        sdk::serde_json::from_slice(&body).expect("JSON")
    }

    /// Keys that the provider signs with, as records and as DS.
    fn keys(&self) -> Vec<(Vec<u8>, String)> {
        let all = self.asked(&self.dns, "/api/v1/servers/localhost/zones/shop.example./cryptokeys");
        let active = all.as_array().expect("a list").iter().filter(|it| it["active"] == true);
        let key = |it: &Value| {
            let dnskey = it["dnskey"].as_str().expect("a key").rsplit(' ').next().expect("a word").to_owned();
            let mut data = vec![1, 1, 3, 13];
            data.extend(base64(&dnskey));
            let ds = format!("{} 13 2 {}", key_tag(&data), digest(ZONE, &data));
            (data, ds)
        };
        active.map(key).collect()
    }

    /// The parent takes up what the registrar has, if it is told to; the servers show what the provider has.
    fn see(&mut self, parent_follows: bool) {
        if parent_follows {
            let body = self.asked(&self.registrar, "/core/v1/domains/shop.example/dnssec");
            let all = body["dnssec"].as_array().expect("a list").iter();
            let ds = |it: &Value| {
                let digest = it["digest"].as_str().expect("a digest");
                format!("{} {} {} {digest}", it["keyTag"], it["algorithm"], it["digestType"])
            };
            self.at_parent = all.map(ds).collect();
        }
        self.gone_since = match (self.at_parent.is_empty(), self.gone_since) {
            (true, None) => Some(self.fake.now().millis()),
            (true, since) => since,
            (false, _) => None,
        };
        let rows: Vec<(String, Vec<u8>)> = self.at_parent.iter().map(|it| (it.clone(), Vec::new())).collect();
        self.fake.answer(ZONE, "DS", Ok(answer("DS", 3_600, &rows)));
        self.serve("DS", Ok(answer("DS", 3_600, &rows)));
        let keys: Vec<(String, Vec<u8>)> = self.keys().into_iter().map(|it| ("257 3 13 x".to_owned(), it.0)).collect();
        self.serve("DNSKEY", Ok(answer("DNSKEY", 3_600, &keys)));
        self.fake.answer(ZONE, "SOA", Ok(answer("SOA", 3_600, &[("x".to_owned(), Vec::new())])));
    }

    fn serve(&self, kind: &str, answer: Result<DnsAnswer, DnsFailure>) {
        let told = |server: &str| Told { server: server.to_owned(), address: None, answer: answer.clone() };
        let servers = vec![told("ns1.dns.example"), told("ns2.dns.example")];
        self.fake.servers(ZONE, kind, Ok(Authority { zone: None, servers, more: 0 }));
    }

    fn set(&self, enabled: bool) -> Value {
        let arguments = json!({ "domain": ZONE, "enabled": enabled });
        self.fake
            .call("domains.dnssec.set", arguments)
            .unwrap_or_else(|fault| panic!("{} {}", fault.code, fault.message))
    }

    fn later(&self, seconds: u64) {
        self.fake.set_now(self.fake.now().plus(seconds * 1_000));
    }

    /// Calls until it is done; the states on the way.
    fn until(&mut self, enabled: bool, end: &str) -> Vec<String> {
        let mut states = Vec::new();
        for _ in 0..200 {
            self.see(true);
            let told = self.set(enabled);
            let state = told["state"].as_str().expect("a state").to_owned();
            if states.last() != Some(&state) {
                states.push(state.clone());
            }
            if state == end {
                return states;
            }
            self.later(600);
        }
        panic!("{states:?}");
    }
}

#[test]
fn a_zone_is_signed_before_its_key_is_handed_in_and_unsigned_after_it_is_forgotten() {
    let mut world = World::new(true);
    assert_eq!(world.until(true, "on"), ["signing", "waiting_keys", "ds_published", "on"]);
    assert_eq!(world.at_parent, vec![world.keys()[0].1.clone()]);
    let again = world.set(true);
    assert_eq!((&again["state"], &again["next_step_at"]), (&json!("on"), &json!(null)));
    assert_eq!(world.until(false, "off"), ["ds_removed", "waiting_ttl", "off"]);
    assert!(world.at_parent.is_empty() && world.keys().is_empty());
    assert_eq!(world.until(true, "on").last().map(String::as_str), Some("on"), "and on again, with the key of before");
}

#[test]
fn without_a_registrar_the_key_is_told_and_waited_for() {
    let mut world = World::new(false);
    world.set(true);
    for _ in 0..20 {
        world.later(3_600);
        world.see(false);
        world.set(true);
    }
    let told = world.set(true);
    assert_eq!(told["state"], "waiting_parent");
    assert_eq!(told["degraded"][0]["what"], "ds_record");
    let key = &told["ds_record"];
    let digest = key["digest"].as_str().expect("a digest");
    world.at_parent = vec![format!("{} {} {} {digest}", key["key_tag"], key["algorithm"], key["digest_type"])];
    world.see(false);
    assert_eq!(world.set(true)["state"], "on");
    assert_eq!(world.set(false)["state"], "ds_removed");
    world.later(90_000);
    assert_eq!(world.set(false)["state"], "ds_removed", "the parent has it still");
    assert_eq!(world.keys().len(), 1);
}

#[test]
fn it_goes_on_by_itself_until_nothing_is_left() {
    let mut world = World::new(true);
    let told = world.set(true);
    let planned = world.fake.schedules().get("dnssec:shop.example").expect("a schedule");
    let next = planned.next.expect("a moment");
    assert_eq!(told["next_step_at"], sdk::prelude::Moment::from_millis(next).to_string());
    let arguments: Value = sdk::serde_json::from_str(&planned.calls[0].arguments).expect("JSON");
    let wanted = json!({ "domain": ZONE, "enabled": true });
    assert_eq!((planned.calls[0].operation.as_str(), arguments), ("domains.dnssec.set", wanted));
    let due = next.saturating_sub(world.fake.now().millis());
    assert!((300_000..420_000).contains(&due), "in five minutes: {due}");
    world.until(true, "on");
    assert!(world.fake.schedules().get("dnssec:shop.example").is_none());
}

#[test]
fn a_wish_that_changes_on_the_way_hands_in_no_key_that_was_not_waited_for() {
    let mut world = World::new(true);
    for (enabled, state) in [(true, "signing"), (true, "waiting_keys"), (false, "waiting_ttl"), (true, "waiting_keys")]
    {
        world.see(true);
        assert_eq!(world.set(enabled)["state"], state);
        world.later(300);
    }
    assert!(world.registrar.effects().is_empty(), "{:?}", world.registrar.effects());
}

#[test]
fn a_zone_is_never_unsigned_while_its_parent_has_a_key_or_resolvers_may() {
    let mut seed = 11_u64;
    let mut roll = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let (mut unsigned, mut published) = (0, 0);
    for _ in 0..60 {
        let mut world = World::new(true);
        let (mut was_signed, mut wanted) = (false, true);
        let (mut signed_since, mut handed_in) = (0, 0);
        for _ in 0..80 {
            world.see(roll(4) > 0);
            match roll(16) {
                0 => world.serve("DS", Err(DnsFailure::Timeout)),
                1 => world.serve("DS", Err(DnsFailure::Garbled)),
                2 => world.fake.answer(ZONE, "DS", Err(DnsFailure::Unreachable)),
                _ => {}
            }
            let now = world.fake.now().millis();
            // Wishes last for a while, and may change on the way.
            wanted ^= roll(20) == 0;
            let arguments = json!({ "domain": ZONE, "enabled": wanted });
            _ = world.fake.call("domains.dnssec.set", arguments);
            let is_signed = !world.keys().is_empty();
            if was_signed && !is_signed {
                let since = world.gone_since.expect("the parent has no key");
                assert!(now.saturating_sub(since) >= 3_600_000, "resolvers may have it still");
                assert!(world.at_parent.is_empty());
                unsigned += 1;
            }
            if is_signed && !was_signed {
                signed_since = now;
            }
            let effects = world.registrar.effects();
            let handed = effects.iter().filter(|it| it.name == "ds.created").count();
            if handed > handed_in {
                let waited = now.saturating_sub(signed_since);
                assert!(was_signed && waited >= 3_600_000, "answers without signatures may be kept still: {waited}");
                published += 1;
            }
            (was_signed, handed_in) = (is_signed, handed);
            world.later(600 + roll(8) * 3_600);
        }
    }
    assert!(unsigned > 10 && published > 10, "the property was looked at: {unsigned} {published}");
}
