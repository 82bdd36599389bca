//! Names at registrars, and zones at DNS providers.

use sdk::json;
use sdk::serde_json::Value;

fn texts(list: &Value, member: &str) -> Vec<String> {
    let all = list.as_array().expect("a list").iter();
    all.map(|it| it[member].as_str().unwrap_or_default().to_owned()).collect()
}

/// A host with two registrars; names end after so many days.
fn registrars() -> sdk::Fake {
    let fake = crate::fake().connected("con_n", "name_com").connected("con_p", "porkbun");
    let day = |days: u64| fake.now().plus(days * 86_400_000).day().to_string();
    let domains = json!({ "domains": [
        { "domainName": "shop.example", "expireDate": format!("{}T00:00:00Z", day(41)), "autorenewEnabled": true, "locked": true, "privacyEnabled": false, "nameservers": ["NS1.dns.example"] },
        { "domainName": "far.example", "expireDate": format!("{}T00:00:00Z", day(600)) },
    ] });
    fake.provider_answers("GET", "/core/v1/domains", 200, &domains);
    let domains = json!({ "status": "SUCCESS", "domains": [
        { "domain": "old.example", "expireDate": format!("{} 23:59:59", day(9)), "autoRenew": 0, "securityLock": "1", "whoisPrivacy": "1" },
    ] });
    fake.provider_answers("POST", "/api/json/v3/domain/listAll", 200, &domains);
    let site = site::Site {
        domain: "www.shop.example".to_owned(),
        origin: "https://www.shop.example".to_owned(),
        ..site::Site::default()
    };
    fake.put_as("81", site);
    fake
}

#[test]
fn names_of_all_registrars_come_with_those_that_end_first() {
    let fake = registrars();
    let seen = fake.call("domains.list", json!({})).expect("it");
    assert_eq!(texts(&seen["domains"], "domain"), ["old.example", "shop.example", "far.example"]);
    let first = &seen["domains"][0];
    assert_eq!(
        (&first["days_left"], &first["auto_renew"], &first["locked"], &first["registrar"]),
        (&json!(9), &json!(false), &json!(true), &json!("Porkbun"))
    );
    let second = &seen["domains"][1];
    assert_eq!(
        (&second["site_id"], &second["nameservers"], &second["privacy"]),
        (&json!("81"), &json!(["ns1.dns.example"]), &json!(false))
    );
    assert!(seen["domains"][2]["auto_renew"].is_null());
    let soon = fake.call("domains.list", json!({ "expiring_days": 41, "limit": 1 })).expect("it");
    assert_eq!((&soon["total"], texts(&soon["domains"], "domain")), (&json!(2), vec!["old.example".to_owned()]));
    let rest = fake
        .call("domains.list", json!({ "expiring_days": 41, "limit": 1, "cursor": soon["next_cursor"] }))
        .expect("it");
    assert_eq!(texts(&rest["domains"], "domain"), ["shop.example"]);
    let one = fake.call("domains.list", json!({ "connection_ref": "con_n" })).expect("it");
    assert_eq!(one["total"], 2);
    assert_eq!(fake.refusal("domains.list", json!({ "connection_ref": "con_x" })).code, "connection_not_found");
    assert_eq!(crate::fake().refusal("domains.list", json!({})).code, "connection_required");
}

#[test]
fn a_registrar_that_fails_leaves_the_others_readable() {
    let fake = registrars();
    fake.provider_fails("GET", "/core/v1/domains", sdk::SendFailure::Timeout);
    let seen = fake.call("domains.list", json!({})).expect("it");
    assert_eq!(texts(&seen["domains"], "domain"), ["old.example"]);
    assert!(seen["degraded"][0]["why"].as_str().is_some_and(|it| it.contains("did not answer")));
    fake.provider_fails("POST", "/api/json/v3/domain/listAll", sdk::SendFailure::ExpiredCredential);
    assert_eq!(fake.refusal("domains.list", json!({ "connection_ref": "con_p" })).code, "connection_expired");
}

fn powerdns() -> sdk::Fake {
    let fake = crate::fake().connected("con_d", "powerdns");
    let set = |name: &str, kind: &str, contents: &[&str]| {
        let records: Vec<Value> = contents.iter().map(|it| json!({ "content": it, "disabled": false })).collect();
        json!({ "name": name, "type": kind, "ttl": 3_600, "records": records })
    };
    fake.provider_answers("GET", "/api/v1/servers/localhost/zones", 200, &json!([{ "name": "shop.example." }]));
    let zone = json!({ "name": "shop.example.", "rrsets": [
        set("www.shop.example.", "CNAME", &["shop.example."]),
        set("shop.example.", "MX", &["20 mx2.mail.example.", "10 mx1.mail.example."]),
        set("shop.example.", "TXT", &["\"v=spf1 include:_spf.mail.example \" \"-all\"", "\"say \\\"hi\\\"\""]),
        set("shop.example.", "SOA", &["ns1.dns.example. hostmaster.shop.example. 1 10800 3600 604800 3600"]),
        { "name": "off.shop.example.", "type": "A", "ttl": 60, "records": [{ "content": "192.0.2.9", "disabled": true }] },
    ] });
    fake.provider_answers("GET", "/api/v1/servers/localhost/zones/shop.example.", 200, &zone);
    fake
}

#[test]
fn records_are_listed_page_by_page_each_with_an_id_that_stays() {
    let fake = powerdns();
    let mut all: Vec<Value> = Vec::new();
    let mut cursor = json!(null);
    loop {
        let mut arguments = json!({ "domain": "blog.shop.example", "limit": 2 });
        if !cursor.is_null() {
            arguments["cursor"] = cursor.clone();
        }
        let page = fake.call("domains.dns.record.list", arguments).expect("a page");
        assert_eq!((&page["zone"], &page["connection_ref"]), (&json!("shop.example"), &json!("con_d")));
        all.extend(page["records"].as_array().expect("a list").clone());
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let shown: Vec<(String, &Value, &Value)> = all
        .iter()
        .map(|it| (format!("{} {}", it["name"], it["type"]).replace('"', ""), &it["content"], &it["priority"]))
        .collect();
    assert_eq!(
        shown,
        [
            ("shop.example MX".to_owned(), &json!("mx1.mail.example"), &json!(10)),
            ("shop.example MX".to_owned(), &json!("mx2.mail.example"), &json!(20)),
            (
                "shop.example SOA".to_owned(),
                &json!("ns1.dns.example. hostmaster.shop.example. 1 10800 3600 604800 3600"),
                &json!(null)
            ),
            ("shop.example TXT".to_owned(), &json!("say \"hi\""), &json!(null)),
            ("shop.example TXT".to_owned(), &json!("v=spf1 include:_spf.mail.example -all"), &json!(null)),
            ("www.shop.example CNAME".to_owned(), &json!("shop.example"), &json!(null)),
        ]
    );
    let again = fake.call("domains.dns.record.list", json!({ "domain": "shop.example", "type": "txt" })).expect("it");
    assert_eq!(again["records"][0]["record_id"], all[3]["record_id"]);
    assert_eq!(
        fake.refusal("domains.dns.record.list", json!({ "domain": "shop.example", "type": "a b" })).code,
        "invalid_type"
    );
    assert_eq!(fake.refusal("domains.dns.record.list", json!({ "domain": "other.example" })).code, "zone_not_found");
    assert_eq!(
        crate::fake().refusal("domains.dns.record.list", json!({ "domain": "shop.example" })).code,
        "connection_required"
    );
}

#[test]
fn a_zone_is_written_as_a_master_file() {
    let fake = powerdns();
    let seen = fake.call("domains.dns.zone.export", json!({ "domain": "shop.example" })).expect("it");
    assert_eq!((&seen["records"], &seen["complete"], &seen["degraded"]), (&json!(6), &json!(true), &json!([])));
    assert_eq!(
        seen["zone_text"],
        "$ORIGIN shop.example.\n$TTL 3600\n\
         shop.example. 3600 IN SOA ns1.dns.example. hostmaster.shop.example. 1 10800 3600 604800 3600\n\
         shop.example. 3600 IN MX 10 mx1.mail.example.\n\
         shop.example. 3600 IN MX 20 mx2.mail.example.\n\
         shop.example. 3600 IN TXT \"say \\\"hi\\\"\"\n\
         shop.example. 3600 IN TXT \"v=spf1 include:_spf.mail.example -all\"\n\
         www.shop.example. 3600 IN CNAME shop.example.\n"
    );
    let listed =
        fake.call("domains.dns.zone.export", json!({ "domain": "shop.example", "format": "json" })).expect("it");
    let records: Value = sdk::serde_json::from_str(listed["zone_text"].as_str().expect("text")).expect("JSON");
    assert_eq!(records.as_array().map(Vec::len), Some(6));
}

#[test]
fn without_a_provider_usual_names_are_asked_for_and_that_is_said() {
    let fake = crate::fake();
    fake.name("shop.example", "A", &["192.0.2.1"]);
    fake.name("shop.example", "TXT", &[&"x".repeat(300)]);
    fake.name("_dmarc.shop.example", "TXT", &["v=DMARC1; p=none"]);
    fake.name("hidden.shop.example", "A", &["192.0.2.2"]);
    let seen = fake.call("domains.dns.zone.export", json!({ "domain": "shop.example" })).expect("it");
    assert_eq!(
        (&seen["records"], &seen["complete"], &seen["degraded"][0]["what"]),
        (&json!(3), &json!(false), &json!("zone_text"))
    );
    let text = seen["zone_text"].as_str().expect("text");
    assert!(text.contains("_dmarc.shop.example. 300 IN TXT \"v=DMARC1; p=none\"\n"), "{text}");
    assert!(text.contains(&format!("\"{}\" \"{}\"", "x".repeat(255), "x".repeat(45))), "{text}");
    assert!(!text.contains("hidden"));
}

#[test]
fn pages_of_cloudflare_are_put_together() {
    let fake = crate::fake().connected("con_c", "cloudflare");
    let zones = json!({ "success": true, "result": [{ "id": "z1", "name": "shop.example" }] });
    fake.provider_plays(move |asked| {
        let query = |name: &str| asked.query.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone());
        let body = match asked.path {
            "/client/v4/zones" => zones.clone(),
            _ => {
                let page: usize = query("page")?.parse().ok()?;
                let record = |at: usize| json!({ "id": format!("r{at}"), "name": format!("h{at:03}.shop.example"), "type": "A", "content": "192.0.2.1", "ttl": 1, "proxied": true });
                let all: Vec<Value> = ((page - 1) * 100..(page * 100).min(130)).map(record).collect();
                json!({ "success": true, "result": all, "result_info": { "total_count": 130 } })
            }
        };
        Some(Ok((200, vec![("content-type".to_owned(), "application/json".to_owned())], body.to_string().into_bytes())))
    });
    let (mut cursor, mut names) = (json!(null), Vec::new());
    for limit in [70, 45, 100] {
        let mut arguments = json!({ "domain": "shop.example", "limit": limit });
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let page = fake.call("domains.dns.record.list", arguments).expect("a page");
        names.extend(texts(&page["records"], "name"));
        cursor = page["next_cursor"].clone();
    }
    let wanted: Vec<String> = (0..130).map(|at| format!("h{at:03}.shop.example")).collect();
    assert_eq!((names, cursor), (wanted, json!(null)));
}
