//! Records that are written, deleted and taken back, at a simulated Cloudflare and a simulated PowerDNS alike.

use sdk::json;
use sdk::serde_json::Value;
use simulators::Account;

/// A host whose customer holds the shop's zone at a provider.
struct Zone {
    fake: sdk::Fake,
    account: Account,
    kind: &'static str,
}

fn both() -> [Zone; 2] {
    [("cloudflare", Account::cloudflare()), ("powerdns", Account::powerdns())].map(|(kind, account)| {
        let fake = crate::fake().connected("con_d", kind);
        let own = account.clone();
        fake.provider_plays(move |asked| {
            Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
        });
        Zone { fake, account, kind }
    })
}

impl Zone {
    fn call(&self, operation: &str, arguments: Value) -> Value {
        self.fake.call(operation, with_domain(arguments)).unwrap_or_else(|fault| {
            panic!("{} {operation}: {} {} {:?}", self.kind, fault.code, fault.message, fault.detail)
        })
    }

    fn refusal(&self, operation: &str, arguments: Value) -> sdk::Fault {
        self.fake.refusal(operation, with_domain(arguments))
    }

    /// All records, each as a line, in order.
    fn records(&self) -> Vec<String> {
        let listed = self.call("domains.dns.record.list", json!({ "limit": 100 }));
        let line = |it: &Value| {
            let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
            format!("{} {} {} {} {}", text("name"), text("type"), it["priority"], text("content"), it["ttl"])
        };
        let mut all: Vec<String> = listed["records"].as_array().expect("a list").iter().map(line).collect();
        all.sort();
        all
    }

    fn id(&self, name: &str, kind: &str) -> Value {
        let listed = self.call("domains.dns.record.list", json!({ "limit": 100 }));
        let all = listed["records"].as_array().expect("a list");
        let found = all.iter().find(|it| it["name"] == name && it["type"] == kind);
        found.unwrap_or_else(|| panic!("{name} {kind}"))["record_id"].clone()
    }
}

fn with_domain(mut arguments: Value) -> Value {
    if arguments["domain"].is_null() {
        arguments["domain"] = json!("shop.example");
    }
    arguments
}

fn details(refused: &sdk::Fault) -> Value {
    sdk::serde_json::from_str(refused.detail.as_deref().expect("details")).expect("JSON")
}

fn without(all: &[String], gone: &str) -> Vec<String> {
    all.iter().filter(|it| !it.contains(gone)).cloned().collect()
}

#[test]
fn a_record_is_added_changed_and_taken_back_and_others_stay_as_they_are() {
    for zone in both() {
        let before = zone.records();
        let added = zone.call(
            "domains.dns.record.upsert",
            json!({ "records": [{ "name": "shops", "type": "a", "content": "192.0.2.77", "ttl": 600 }] }),
        );
        assert_eq!(
            (&added["applied"][0]["did"], &added["applied"][0]["record"]["name"], &added["unchanged"]),
            (&json!("added"), &json!("shops.shop.example"), &json!(0)),
            "{}: {added}",
            zone.kind
        );
        assert_eq!(without(&zone.records(), "shops."), before, "{}", zone.kind);
        let again = zone.call(
            "domains.dns.record.upsert",
            json!({ "records": [{ "name": "shops.shop.example.", "type": "A", "content": "192.0.2.77" }] }),
        );
        assert_eq!((&again["unchanged"], &again["change_ref"]), (&json!(1), &json!(null)), "nothing is written twice");
        let changed = zone.call(
            "domains.dns.record.upsert",
            json!({ "records": [{ "name": "shops", "type": "A", "content": "192.0.2.77", "ttl": 900 }] }),
        );
        assert_eq!(changed["applied"][0]["before"]["ttl"], 600, "{changed}");
        assert_eq!(without(&zone.records(), "shops."), before, "{}", zone.kind);
        for change in [&changed, &added] {
            let undo = &change["next"][0];
            assert_eq!(undo["operation_id"], "domains.dns.zone.import");
            let back = zone.call("domains.dns.zone.import", undo["arguments"].clone());
            assert_eq!((&back["applied"], &back["changed_since"]), (&json!(1), &json!([])), "{}: {back}", zone.kind);
        }
        assert_eq!(zone.records(), before, "{}: all is as it was", zone.kind);
    }
}

#[test]
fn an_alias_spf_and_dmarc_take_the_place_of_the_one_that_stands() {
    for zone in both() {
        zone.fake.name("_spf.mail.example", "TXT", &["v=spf1 ip4:192.0.2.0/24 -all"]);
        let before = zone.records();
        let records = json!([
            { "name": "www", "type": "CNAME", "content": "edge.cdn.example." },
            { "name": "@", "type": "TXT", "content": "v=spf1 include:_spf.mail.example ip4:203.0.113.9 -all" },
            { "name": "_dmarc.shop.example", "type": "TXT", "content": "v=DMARC1; p=reject" },
            { "name": "@", "type": "TXT", "content": "a-proof=1" },
            { "name": "@", "type": "MX", "content": "mx1.mail.example", "priority": 5 },
        ]);
        let done = zone.call("domains.dns.record.upsert", json!({ "records": records }));
        let did: Vec<&str> =
            done["applied"].as_array().expect("a list").iter().map(|it| it["did"].as_str().expect("a word")).collect();
        assert_eq!(did.iter().filter(|it| **it == "changed").count(), 4, "{}: {done}", zone.kind);
        assert_eq!(zone.records().len(), before.len() + 1, "{}", zone.kind);
        let effects = zone.account.effects();
        assert!(effects.iter().all(|it| !it.name.contains("deleted")), "an upsert removes nothing: {effects:?}");
        zone.call("domains.dns.zone.import", done["next"][0]["arguments"].clone());
        assert_eq!(zone.records(), before, "{}", zone.kind);
    }
}

#[test]
fn what_cannot_stand_is_refused_and_nothing_is_written() {
    for zone in both() {
        let before = zone.records();
        let one = |name: &str, kind: &str, content: &str| json!({ "name": name, "type": kind, "content": content });
        for (records, code, pointer) in [
            (json!([one("www.other.example.", "A", "192.0.2.1")]), "outside_zone", "/records/0/name"),
            (
                json!([one("ok", "A", "192.0.2.1"), one("www.other.com", "A", "192.0.2.1")]),
                "outside_zone",
                "/records/1/name",
            ),
            (json!([one("x", "A", "nonsense")]), "invalid_content", "/records/0/content"),
            (json!([one("x", "LOC", "1 2 3")]), "type_not_supported", "/records/0/type"),
            (json!([one("@", "NS", "ns9.dns.example")]), "zone_servers", "/records/0/type"),
            (json!([one("_x", "A", "192.0.2.1")]), "invalid_name", "/records/0/name"),
            (json!([one("x", "MX", "mail.example")]), "invalid_content", "/records/0/content"),
            (json!([one("x", "A", "192.0.2.1"), one("X", "A", "192.0.2.1")]), "named_twice", "/records/1"),
            (json!([one("blog", "CNAME", "elsewhere.example")]), "record_conflict", "/records"),
            (json!([one("www", "A", "192.0.2.1")]), "record_conflict", "/records"),
            (json!([one("n", "TXT", "v=spf1 -all"), one("n", "TXT", "v=spf1 mx -all")]), "record_conflict", "/records"),
            (json!([one("@", "TXT", "v=spf1 ip5:1 -all")]), "invalid_spf", "/records"),
        ] {
            let refused = zone.refusal("domains.dns.record.upsert", json!({ "records": records }));
            assert_eq!(
                (refused.code.as_str(), refused.pointer.as_deref()),
                (code, Some(pointer)),
                "{}: {records}",
                zone.kind
            );
        }
        let both_wrong = json!([one("x", "A", "nonsense"), one("_y", "A", "192.0.2.1")]);
        let refused = zone.refusal("domains.dns.record.upsert", json!({ "records": both_wrong }));
        assert_eq!(details(&refused)["problems"].as_array().map(Vec::len), Some(2), "every record at fault");
        let proxied = json!([{ "name": "x", "type": "TXT", "content": "y", "proxied": true }]);
        assert_eq!(
            zone.refusal("domains.dns.record.upsert", json!({ "records": proxied })).code,
            "proxied_not_supported"
        );
        let includes: String = (0..11).map(|at| format!("include:i{at}.mail.example ")).collect();
        for at in 0..11 {
            zone.fake.name(&format!("i{at}.mail.example"), "TXT", &["v=spf1 ip4:192.0.2.0/24 -all"]);
        }
        let long = json!([one("@", "TXT", &format!("v=spf1 {includes}-all"))]);
        let refused = zone.refusal("domains.dns.record.upsert", json!({ "records": long }));
        assert_eq!((refused.code.as_str(), details(&refused)["lookups"].clone()), ("spf_too_many_lookups", json!(11)));
        assert_eq!((zone.records(), zone.account.effects().len()), (before, 0), "{}", zone.kind);
    }
}

#[test]
fn all_records_of_a_name_become_those_of_the_call_and_none_is_removed() {
    for zone in both() {
        let mx =
            |priority: u16, name: &str| json!({ "name": "@", "type": "MX", "content": name, "priority": priority });
        let two = json!({ "replace": true, "records": [mx(1, "a.mail.example"), mx(2, "b.mail.example")] });
        let done = zone.call("domains.dns.record.upsert", two);
        assert_eq!(done["applied"].as_array().map(Vec::len), Some(2), "{}: {done}", zone.kind);
        let listed = zone.call("domains.dns.record.list", json!({ "type": "MX" }));
        assert_eq!(listed["records"].as_array().map(Vec::len), Some(2), "{}", zone.kind);
        let refused =
            zone.refusal("domains.dns.record.upsert", json!({ "replace": true, "records": [mx(1, "a.mail.example")] }));
        assert_eq!(refused.code, "records_left");
        assert_eq!(details(&refused)["record_ids"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn what_something_relies_on_is_deleted_only_when_that_is_meant() {
    for zone in both() {
        let before = zone.records();
        let mx = json!({ "record_ids": [zone.id("shop.example", "MX")] });
        let refused = zone.refusal("domains.dns.record.delete", mx.clone());
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("relied_on", Some("/acknowledge")));
        assert_eq!(details(&refused)["relied_on"][0]["purpose"], "mail");
        assert_eq!(zone.records(), before);
        let mut meant = mx;
        meant["acknowledge"] = json!(true);
        let done = zone.call("domains.dns.record.delete", meant);
        assert_eq!((&done["deleted"][0]["did"], &done["relied_on"][0]["purpose"]), (&json!("removed"), &json!("mail")));
        assert_eq!(zone.records().len(), before.len() - 1, "{}", zone.kind);
        let back = zone.call("domains.dns.zone.import", done["next"][0]["arguments"].clone());
        assert_eq!((&back["applied"], zone.records()), (&json!(1), before), "{}", zone.kind);
        for (name, kind, purpose) in [
            ("shop.example", "CAA", "certificate"),
            ("www.shop.example", "CNAME", "website"),
            ("_dmarc.shop.example", "TXT", "mail"),
            ("mail._domainkey.shop.example", "TXT", "mail"),
        ] {
            let refused = zone.refusal("domains.dns.record.delete", json!({ "record_ids": [zone.id(name, kind)] }));
            assert_eq!(details(&refused)["relied_on"][0]["purpose"], purpose, "{name} {kind}");
        }
        let free = zone
            .call("domains.dns.record.delete", json!({ "record_ids": [zone.id("blog.shop.example", "A"), "ffff"] }));
        assert_eq!((&free["not_found"], &free["relied_on"]), (&json!(["ffff"]), &json!([])), "{}", zone.kind);
        assert_eq!(
            zone.refusal("domains.dns.record.delete", json!({ "record_ids": ["ffff"] })).code,
            "record_not_found"
        );
        if zone.kind == "powerdns" {
            let soa = zone.id("shop.example", "SOA");
            let refused =
                zone.refusal("domains.dns.record.delete", json!({ "record_ids": [soa], "acknowledge": true }));
            assert_eq!(refused.code, "zone_frame");
        }
    }
}

#[test]
fn a_zone_that_is_exported_and_imported_again_is_the_same() {
    for zone in both() {
        let before = zone.records();
        let file = zone.call("domains.dns.zone.export", json!({}));
        let text = file["zone_text"].as_str().expect("a text").to_owned();
        let same = zone.call("domains.dns.zone.import", json!({ "zone_text": text, "remove": true }));
        assert_eq!(
            (&same["applied"], &same["left"], &same["change_ref"]),
            (&json!(0), &json!(0), &json!(null)),
            "{}: {same}",
            zone.kind
        );
        let other = text.lines().filter(|it| !it.contains("blog.")).collect::<Vec<_>>().join("\n")
            + "\nnew 600 IN A 192.0.2.50\n";
        let other = other.replace("mx1.mail.example", "mx9.mail.example");
        let shown =
            zone.call("domains.dns.zone.import", json!({ "zone_text": other, "remove": true, "dry_run": true }));
        let diff = &shown["diff"];
        assert_eq!(
            (&diff["add_total"], &diff["change_total"], &diff["remove_total"], &shown["applied"]),
            (&json!(1), &json!(1), &json!(1), &json!(0)),
            "{}: {shown}",
            zone.kind
        );
        assert_eq!(zone.records(), before, "a dry run writes nothing");
        let kept = zone.call("domains.dns.zone.import", json!({ "zone_text": other }));
        assert_eq!((&kept["applied"], &kept["left"]), (&json!(2), &json!(1)), "{}: {kept}", zone.kind);
        assert!(zone.records().iter().any(|it| it.starts_with("blog.")), "without remove nothing goes");
        let gone = zone.call("domains.dns.zone.import", json!({ "zone_text": other, "remove": true }));
        assert_eq!((&gone["applied"], &gone["left"]), (&json!(1), &json!(0)), "{}: {gone}", zone.kind);
        for change in [&gone, &kept] {
            zone.call("domains.dns.zone.import", change["next"][0]["arguments"].clone());
        }
        assert_eq!(zone.records(), before, "{}", zone.kind);
    }
}

#[test]
fn what_others_changed_since_is_not_overwritten() {
    for zone in both() {
        let write = |content: &str| json!({ "replace": true, "records": [{ "name": "blog", "type": "A", "content": content }] });
        let first = zone.call("domains.dns.record.upsert", write("192.0.2.60"));
        zone.call("domains.dns.record.upsert", write("192.0.2.61"));
        let back = zone.call("domains.dns.zone.import", first["next"][0]["arguments"].clone());
        assert_eq!(
            (&back["applied"], &back["changed_since"][0]["content"]),
            (&json!(0), &json!("192.0.2.60")),
            "{}: {back}",
            zone.kind
        );
        let refused = zone.refusal("domains.dns.zone.import", json!({ "restore_ref": "999" }));
        assert_eq!(refused.code, "change_not_found");
        assert_eq!(details(&refused)["changes"].as_array().map(Vec::len), Some(2), "the newest are told");
        assert_eq!(zone.refusal("domains.dns.zone.import", json!({})).code, "one_of_two");
        let wrong = zone.refusal("domains.dns.zone.import", json!({ "zone_text": "a A 192.0.2.1\nb A x\n" }));
        assert_eq!(
            (wrong.code.as_str(), details(&wrong)["problems"][0]["line"].clone()),
            ("invalid_zone_text", json!(2))
        );
    }
}

#[test]
fn a_set_that_another_changed_in_between_is_left_alone() {
    let fake = crate::fake().connected("con_d", "powerdns");
    let account = Account::powerdns();
    let own = account.clone();
    let reads = std::cell::Cell::new(0);
    // Somebody else moves the blog between our two looks at the zone.
    fake.provider_plays(move |asked| {
        if asked.method == "GET" && asked.path.ends_with("shop.example.") {
            reads.set(reads.get() + 1);
            if reads.get() == 2 {
                let theirs = json!({ "rrsets": [{ "name": "blog.shop.example.", "type": "A", "ttl": 60, "changetype": "REPLACE", "records": [{ "content": "203.0.113.5" }] }] });
                _ = own.ask("PATCH", asked.path, &[], theirs.to_string().as_bytes(), &[]);
            }
        }
        Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
    });
    let records = json!([{ "name": "blog", "type": "A", "content": "192.0.2.60" }]);
    let refused = fake
        .refusal("domains.dns.record.upsert", json!({ "domain": "shop.example", "replace": true, "records": records }));
    assert_eq!(refused.code, "changed_meanwhile");
    assert_eq!(account.effects().len(), 1, "theirs alone");
}

#[test]
fn a_lost_answer_is_looked_after_and_never_written_twice() {
    for (kind, account) in [("cloudflare", Account::cloudflare()), ("powerdns", Account::powerdns())] {
        let fake = crate::fake().connected("con_d", kind);
        let own = account.clone();
        fake.provider_plays(move |asked| {
            let said = own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers);
            let is_write = matches!(asked.method, "PATCH" | "POST");
            Some(if is_write { Err(sdk::SendFailure::UnknownOutcome) } else { Ok(said) })
        });
        let records = json!([{ "name": "new", "type": "A", "content": "192.0.2.60" }]);
        let done = fake
            .call("domains.dns.record.upsert", json!({ "domain": "shop.example", "records": records }))
            .expect("done");
        assert_eq!(done["applied"].as_array().map(Vec::len), Some(1), "{kind}: {done}");
        assert!(!done["change_ref"].is_null() && account.effects().len() == 1, "{kind}");
    }
}

#[test]
fn what_was_written_is_told_also_where_the_zone_cannot_be_read_again() {
    for (kind, account) in [("cloudflare", Account::cloudflare()), ("powerdns", Account::powerdns())] {
        let fake = crate::fake().connected("con_d", kind);
        let own = account.clone();
        let written = std::cell::Cell::new(false);
        fake.provider_plays(move |asked| {
            if written.get() {
                return Some(Err(sdk::SendFailure::Unreachable));
            }
            written.set(matches!(asked.method, "PATCH" | "POST"));
            Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
        });
        let records = json!([{ "name": "new", "type": "A", "content": "192.0.2.60" }]);
        let done = fake
            .call("domains.dns.record.upsert", json!({ "domain": "shop.example", "records": records }))
            .expect("told");
        assert_eq!(done["applied"][0]["record"]["name"], "new.shop.example", "{kind}: {done}");
        assert!(!done["change_ref"].is_null() && done["degraded"][0]["what"] == "applied", "{kind}: {done}");
    }
}

#[test]
fn what_takes_the_place_of_an_alias_goes_in_one_step_with_it_and_comes_back() {
    for zone in both() {
        let before = zone.records();
        let file = zone.call("domains.dns.zone.export", json!({}));
        let text = file["zone_text"].as_str().expect("a text");
        let lines = text.lines().filter(|it| !it.starts_with("www."));
        let other = lines.collect::<Vec<_>>().join("\n") + "\nwww 300 IN A 192.0.2.70\n";
        let refused = zone.refusal("domains.dns.zone.import", json!({ "zone_text": other }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("record_conflict", Some("/zone_text")));
        let done = zone.call("domains.dns.zone.import", json!({ "zone_text": other, "remove": true }));
        assert_eq!((&done["applied"], &done["left"]), (&json!(2), &json!(0)), "{}: {done}", zone.kind);
        let back = zone.call("domains.dns.zone.import", done["next"][0]["arguments"].clone());
        assert_eq!((&back["applied"], zone.records()), (&json!(2), before), "{}: {back}", zone.kind);
    }
}

#[test]
fn what_stood_wrong_before_stands_in_nobodys_way_and_comes_back_as_it_was() {
    let (fake, account) = (crate::fake().connected("con_d", "powerdns"), Account::powerdns());
    let two = json!({ "rrsets": [{ "name": "shop.example.", "type": "TXT", "ttl": 3_600, "changetype": "REPLACE",
        "records": [{ "content": "\"v=spf1 -all\"" }, { "content": "\"v=spf1 mx -all\"" }] }] });
    _ = account.ask("PATCH", "/api/v1/servers/localhost/zones/shop.example.", &[], two.to_string().as_bytes(), &[]);
    let own = account.clone();
    fake.provider_plays(move |asked| {
        Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
    });
    let zone = Zone { fake, account, kind: "powerdns" };
    let before = zone.records();
    let other = json!([{ "name": "@", "type": "TXT", "content": "a-proof=1" }]);
    let done = zone.call("domains.dns.record.upsert", json!({ "records": other }));
    zone.call("domains.dns.zone.import", done["next"][0]["arguments"].clone());
    let third = json!([{ "name": "@", "type": "TXT", "content": "v=spf1 a -all" }]);
    assert_eq!(zone.refusal("domains.dns.record.upsert", json!({ "records": third })).code, "record_conflict");
    let one = json!({ "record_ids": [zone.id("shop.example", "TXT")], "acknowledge": true });
    let gone = zone.call("domains.dns.record.delete", one);
    zone.call("domains.dns.zone.import", gone["next"][0]["arguments"].clone());
    assert_eq!(zone.records(), before);
}
