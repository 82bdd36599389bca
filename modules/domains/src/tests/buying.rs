//! Names that are quoted, ordered, set and moved, at simulated registrars.

use sdk::json;
use sdk::serde_json::Value;
use sdk::{Authority, DnsAnswer, Entry, Outcome, SendFailure, Told};
use simulators::Account;

/// A host whose customer has an account at a registrar.
struct Shop {
    fake: sdk::Fake,
    account: Account,
    kind: &'static str,
}

fn both() -> [Shop; 2] {
    [("name_com", Account::name_com()), ("porkbun", Account::porkbun())].map(|(kind, account)| {
        let fake = crate::fake().connected("con_r", kind);
        let own = account.clone();
        fake.provider_plays(move |asked| {
            Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
        });
        Shop { fake, account, kind }
    })
}

impl Shop {
    fn call(&self, operation: &str, arguments: Value) -> Value {
        self.fake.call(operation, arguments).unwrap_or_else(|fault| {
            panic!("{} {operation}: {} {} {:?}", self.kind, fault.code, fault.message, fault.detail)
        })
    }

    fn effects(&self, name: &str) -> usize {
        self.account.effects().iter().filter(|it| it.name == name).count()
    }

    /// Orders what is quoted and follows it to its end.
    fn ordered(&self, domain: &str, action: &str) -> Value {
        let quote = self.call("domains.register.quote", json!({ "domain": domain, "action": action }));
        let order = json!({ "domain": domain, "action": action, "expected_quote_hash": quote["quote_hash"] });
        let placed = self.call("domains.register.order", order);
        self.fake.work();
        let job = sdk::prelude::Id::new(placed["job_ref"].as_str().expect("a job"));
        self.fake.jobs().get(&job).expect("the job").result::<Value>().expect("a result")
    }
}

#[test]
fn a_quote_says_the_price_of_later_years_too_and_seals_it() {
    for shop in both() {
        let seen =
            shop.call("domains.register.quote", json!({ "domain": "lamps-of-bristol.com", "action": "register" }));
        assert_eq!(
            (&seen["price"]["amount"], &seen["renewal_price"]["amount"], &seen["blocked_by"]),
            (&json!("12.99"), &json!("12.99"), &json!([])),
            "{}: {seen}",
            shop.kind
        );
        assert_eq!(seen["next"][0]["operation_id"], "domains.register.order");
        let taken = shop.call("domains.register.quote", json!({ "domain": "taken-lamps.com", "action": "register" }));
        assert!(
            taken["quote_hash"].is_null() && taken["blocked_by"][0].is_string() && taken["next"] == json!([]),
            "{taken}"
        );
        let renew =
            shop.call("domains.register.quote", json!({ "domain": "lampen.example", "action": "renew", "years": 9 }));
        assert!(renew["quote_hash"].is_null() && renew["blocked_by"][0].is_string(), "ten years are the most: {renew}");
        let other =
            shop.fake.refusal("domains.register.quote", json!({ "domain": "other.example", "action": "renew" }));
        assert_eq!(other.code, "domain_not_held");
        let years = json!({ "domain": "other.com", "action": "transfer", "years": 2 });
        assert_eq!(shop.fake.refusal("domains.register.quote", years).code, "one_year");
    }
    let refused = crate::fake().refusal("domains.register.quote", json!({ "domain": "a.com", "action": "register" }));
    assert_eq!(refused.code, "connection_required");
}

#[test]
fn what_is_ordered_is_paid_once_and_followed_to_its_end() {
    for shop in both() {
        let done = shop.ordered("lamps-of-bristol.com", "register");
        assert_eq!(
            (&done["state"], &done["proof"], &done["paid"]["amount"]),
            (&json!("confirmed"), &json!("registrar"), &json!("12.99")),
            "{}: {done}",
            shop.kind
        );
        assert_eq!(shop.effects("domain.registered"), 1);
        if shop.kind == "porkbun" {
            // Its price of a suffix is known for these alone.
            let name = json!({ "domain": "shop.example", "action": "renew" });
            assert_eq!(shop.call("domains.register.quote", name)["price"]["amount"], "18.99");
        }
        let renewed = shop.ordered("shop.example", "renew");
        assert_eq!(
            (&renewed["state"], shop.effects("domain.renewed")),
            (&json!("confirmed"), 1),
            "{}: {renewed}",
            shop.kind
        );
    }
}

#[test]
fn an_order_at_another_price_or_without_a_quote_sends_nothing() {
    for shop in both() {
        let quote =
            shop.call("domains.register.quote", json!({ "domain": "lamps-of-bristol.com", "action": "register" }));
        let hash = quote["quote_hash"].clone();
        for (arguments, code) in [
            (
                json!({ "domain": "lamps-of-bath.com", "action": "register", "expected_quote_hash": hash }),
                "quote_changed",
            ),
            (json!({ "domain": "taken-lamps.com", "action": "register", "expected_quote_hash": hash }), "not_for_sale"),
            (
                json!({ "domain": "lamps-of-bristol.com", "action": "register", "expected_quote_hash": "q1_nonsense_nonsense" }),
                "quote_changed",
            ),
            (json!({ "domain": "other.com", "action": "transfer", "expected_quote_hash": hash }), "transfer_and_code"),
            (
                json!({ "domain": "lamps-of-bristol.com", "action": "register", "expected_quote_hash": hash, "contact_ref": "7" }),
                "contact_not_supported",
            ),
        ] {
            let refused = shop.fake.refusal("domains.register.order", arguments.clone());
            assert_eq!(refused.code, code, "{}: {arguments}", shop.kind);
        }
        shop.fake.set_now(shop.fake.now().plus(45 * 60_000));
        let late = json!({ "domain": "lamps-of-bristol.com", "action": "register", "expected_quote_hash": hash });
        assert_eq!(
            shop.fake.refusal("domains.register.order", late).code,
            "quote_changed",
            "it held for half an hour at most"
        );
        assert!(shop.account.effects().is_empty(), "{}", shop.kind);
    }
}

#[test]
fn one_order_of_a_domain_is_under_way_at_a_time() {
    for shop in both() {
        let order = |shop: &Shop| {
            let quote =
                shop.call("domains.register.quote", json!({ "domain": "lamps-of-bristol.com", "action": "register" }));
            json!({ "domain": "lamps-of-bristol.com", "action": "register", "expected_quote_hash": quote["quote_hash"] })
        };
        let first = order(&shop);
        shop.call("domains.register.order", first.clone());
        assert_eq!(shop.fake.refusal("domains.register.order", first).code, "order_running");
        shop.fake.work();
        let renew = json!({ "domain": "shop.example", "action": "renew" });
        let quote = shop.call("domains.register.quote", renew.clone());
        let mut order = renew;
        order["expected_quote_hash"] = quote["quote_hash"].clone();
        shop.call("domains.register.order", order.clone());
        shop.fake.work();
        assert_eq!(shop.fake.refusal("domains.register.order", order).code, "quote_spent");
        assert_eq!(shop.effects("domain.renewed"), 1, "{}: one quote, one order", shop.kind);
        assert_eq!(shop.effects("domain.registered"), 1);
    }
}

#[test]
fn an_answer_that_is_lost_never_makes_a_second_order() {
    // For each request that is lost after it took effect, and before: the name is registered and paid once at most.
    for (kind, account) in [("name_com", Account::name_com as fn() -> Account), ("porkbun", Account::porkbun)] {
        for (lost, took_effect) in (0..8).flat_map(|at| [(at, true), (at, false)]) {
            let fake = crate::fake().connected("con_r", kind);
            let account = account();
            let own = account.clone();
            let armed = std::rc::Rc::new(std::cell::Cell::new(false));
            let (is_armed, seen) = (armed.clone(), std::cell::Cell::new(0));
            fake.provider_plays(move |asked| {
                let fails = is_armed.get() && {
                    seen.set(seen.get() + 1);
                    seen.get() - 1 == lost
                };
                if fails && !took_effect {
                    return Some(Err(SendFailure::UnknownOutcome));
                }
                let said = own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers);
                Some(if fails { Err(SendFailure::UnknownOutcome) } else { Ok(said) })
            });
            let asked = json!({ "domain": "lamps-of-bristol.com", "action": "register" });
            let quote = fake.call("domains.register.quote", asked).expect("a quote");
            let order = json!({ "domain": "lamps-of-bristol.com", "action": "register", "expected_quote_hash": quote["quote_hash"] });
            let placed = fake.call("domains.register.order", order).expect("placed");
            armed.set(true);
            fake.work();
            let job = sdk::prelude::Id::new(placed["job_ref"].as_str().expect("a job"));
            let result = fake.jobs().get(&job).expect("the job").result::<Value>().unwrap_or_default();
            let made = account.effects().iter().filter(|it| it.name == "domain.registered").count();
            let told = (result["state"].as_str().unwrap_or("failed job").to_owned(), made);
            let fits = matches!((told.0.as_str(), made), ("confirmed", 1) | ("unknown" | "failed", 0));
            assert!(fits, "{kind}, request {lost}, effect {took_effect}: {told:?} {result}");
        }
    }
}

#[test]
fn settings_are_read_again_and_what_a_registrar_cannot_set_is_told() {
    for shop in both() {
        let set = shop
            .call("domains.settings.update", json!({ "domain": "shop.example", "auto_renew": false, "locked": false }));
        assert_eq!(
            (&set["settings"]["auto_renew"], &set["before"]["auto_renew"]),
            (&json!(false), &json!(true)),
            "{set}"
        );
        let unsupported = if shop.kind == "porkbun" { json!(["locked"]) } else { json!([]) };
        assert_eq!(set["unsupported"], unsupported, "{}: {set}", shop.kind);
        let back = shop.call("domains.settings.update", set["next"][0]["arguments"].clone());
        assert_eq!(back["settings"], set["before"], "{}: {back}", shop.kind);
        let effects = shop.account.effects().len();
        let same = shop.call(
            "domains.settings.update",
            json!({ "domain": "shop.example", "auto_renew": true, "contact_ref": "7" }),
        );
        assert_eq!((&same["unsupported"], &same["next"]), (&json!(["contact"]), &json!([])));
        assert_eq!(shop.account.effects().len(), effects, "nothing is sent that stands already");
        assert_eq!(
            shop.fake.refusal("domains.settings.update", json!({ "domain": "shop.example" })).code,
            "nothing_to_set"
        );
        let other = json!({ "domain": "other.example", "locked": true });
        assert_eq!(shop.fake.refusal("domains.settings.update", other).code, "domain_not_held");
    }
}

fn answer(name: &str, kind: &str, texts: &[&str], data: Vec<u8>) -> DnsAnswer {
    let entry = |text: &&str| Entry {
        name: format!("{name}."),
        kind: kind.to_owned(),
        ttl: 300,
        text: (*text).to_owned(),
        data: data.clone(),
    };
    let outcome = if texts.is_empty() { Outcome::NoData } else { Outcome::Found };
    let entries = texts.iter().map(entry).collect();
    DnsAnswer { outcome, code: 0, entries, withheld: 0, trust: None, authoritative: true, milliseconds: 1 }
}

/// The servers of the zone, old and new alike, give these addresses and exchangers; the name is signed with a key of this DS.
fn served(fake: &sdk::Fake, mx: &[&str], ds: &[&str], key: Vec<u8>) {
    fake.name("shop.example", "DS", ds);
    for (name, kind, texts) in [
        ("shop.example", "SOA", &["ns1.new.example. hostmaster.shop.example. 1 2 3 4 5"][..]),
        ("shop.example", "A", &["192.0.2.10"][..]),
        ("shop.example", "MX", mx),
    ] {
        let told = |server: &str| Told {
            server: server.to_owned(),
            address: None,
            answer: Ok(answer(name, kind, texts, Vec::new())),
        };
        let servers = vec![told("ns1.new.example"), told("ns2.new.example")];
        fake.servers(name, kind, Ok(Authority { zone: None, servers, more: 0 }));
    }
    let told = |server: &str| Told {
        server: server.to_owned(),
        address: None,
        answer: Ok(answer("shop.example", "DNSKEY", if key.is_empty() { &[] } else { &["257 3 13 x"] }, key.clone())),
    };
    let servers = vec![told("ns1.new.example"), told("ns2.new.example")];
    fake.servers("shop.example", "DNSKEY", Ok(Authority { zone: None, servers, more: 0 }));
}

#[test]
fn name_servers_change_only_where_the_new_ones_hold_the_zone_and_its_key() {
    for shop in both() {
        let new = json!({ "domain": "shop.example", "nameservers": ["ns1.new.example", "NS2.new.example."] });
        let key = [1, 1, 3, 13, 7, 7, 7, 7].to_vec();
        let ds = format!(
            "{} 13 2 {}",
            crate::nameserver::chain::key_tag(&key),
            crate::nameserver::chain::digest("shop.example", &key)
        );
        served(&shop.fake, &["10 mx1.mail.example."], &[&ds], Vec::new());
        let mut forced = new.clone();
        forced["skip_checks"] = json!(true);
        for arguments in [&new, &forced] {
            let refused = shop.fake.refusal("domains.nameserver.update", arguments.clone());
            assert_eq!(refused.code, "dnssec_would_break", "{}: no flag lifts it", shop.kind);
        }
        served(&shop.fake, &["10 mx1.mail.example."], &[&ds], key);
        let done = shop.call("domains.nameserver.update", new.clone());
        assert_eq!(
            (&done["updated"], &done["nameservers"], &done["missing_records"]),
            (&json!(true), &json!(["ns1.new.example", "ns2.new.example"]), &json!([])),
            "{}: {done}",
            shop.kind
        );
        assert_eq!(done["previous"], json!(["ns1.dns.example", "ns2.dns.example"]));
        let undo = &done["next"][1];
        assert_eq!(
            (&undo["operation_id"], &undo["arguments"]["nameservers"]),
            (&json!("domains.nameserver.update"), &done["previous"])
        );
        let same = shop.call("domains.nameserver.update", new);
        assert_eq!((&same["updated"], shop.account.effects().len()), (&json!(true), 1));
        for (servers, code, pointer) in [
            (json!(["ns1.shop.example", "ns2.new.example"]), "glue_needed", "/nameservers/0"),
            (json!(["ns1.new.example", "192.0.2.1"]), "invalid_name", "/nameservers/1"),
            (json!(["ns1.new.example", "NS1.new.example"]), "named_twice", "/nameservers/1"),
        ] {
            let refused = shop
                .fake
                .refusal("domains.nameserver.update", json!({ "domain": "shop.example", "nameservers": servers }));
            assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)));
        }
    }
}

#[test]
fn records_that_the_new_servers_lack_are_named_with_what_is_expected() {
    let [shop, _] = both();
    served(&shop.fake, &["10 mx1.mail.example."], &[], Vec::new());
    // The first of both is in use, the second is new and has no exchanger.
    let told = |server: &str, texts: &[&str]| Told {
        server: server.to_owned(),
        address: None,
        answer: Ok(answer("shop.example", "MX", texts, Vec::new())),
    };
    let servers = vec![told("ns1.dns.example", &["10 mx1.mail.example."]), told("ns2.new.example", &[])];
    shop.fake.servers("shop.example", "MX", Ok(Authority { zone: None, servers, more: 0 }));
    let new = json!({ "domain": "shop.example", "nameservers": ["ns1.new.example", "ns2.new.example"] });
    let refused = shop.fake.refusal("domains.nameserver.update", new.clone());
    assert_eq!(refused.code, "records_differ");
    let details: Value = sdk::serde_json::from_str(refused.detail.as_deref().expect("details")).expect("JSON");
    let missing = &details["missing_records"][0];
    assert_eq!(
        (&missing["server"], &missing["type"], &missing["expected"], &missing["found"]),
        (&json!("ns2.new.example"), &json!("MX"), &json!(["10 mx1.mail.example"]), &json!([]))
    );
    let mut meant = new;
    meant["skip_checks"] = json!(true);
    let done = shop.call("domains.nameserver.update", meant);
    assert_eq!((&done["updated"], done["missing_records"].as_array().map(Vec::len)), (&json!(true), Some(1)));
}

#[test]
fn where_nothing_can_be_compared_or_a_new_server_does_not_answer_nothing_is_changed() {
    let [shop, _] = both();
    let new = json!({ "domain": "shop.example", "nameservers": ["ns1.new.example", "ns2.new.example"] });
    shop.fake.name("shop.example", "DS", &[]);
    let refused = shop.fake.refusal("domains.nameserver.update", new.clone());
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("records_not_compared", Some("/skip_checks")));
    served(&shop.fake, &["10 mx1.mail.example."], &[], Vec::new());
    let told = |server: &str, authoritative: bool| Told {
        server: server.to_owned(),
        address: None,
        answer: Ok(DnsAnswer { authoritative, ..answer("shop.example", "SOA", &["x"], Vec::new()) }),
    };
    let servers = vec![told("ns1.new.example", true), told("ns2.new.example", false)];
    shop.fake.servers("shop.example", "SOA", Ok(Authority { zone: None, servers, more: 0 }));
    let refused = shop.fake.refusal("domains.nameserver.update", new);
    assert_eq!(refused.code, "records_differ");
    let details: Value = sdk::serde_json::from_str(refused.detail.as_deref().expect("details")).expect("JSON");
    let missing = &details["missing_records"][0];
    assert_eq!((&missing["server"], &missing["type"]), (&json!("ns2.new.example"), &json!("SOA")), "{details}");
    assert!(shop.account.effects().is_empty());
}
