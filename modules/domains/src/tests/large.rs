//! A zone of ten thousand records, and names with thousands of them: no step takes the square of their number.

use sdk::json;
use sdk::serde_json::Value;
use simulators::Account;

fn zone(kind: &'static str, account: &Account) -> sdk::Fake {
    let fake = crate::fake().connected("con_d", kind);
    let own = account.clone();
    fake.provider_plays(move |asked| {
        Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
    });
    fake
}

/// A zone file of so many records, half of them at one name.
fn file(records: usize, last: u8) -> String {
    let address = |at: usize| format!("10.{}.{}.{last}", at / 256, at % 256);
    let line = |at: usize| match at % 2 {
        0 => format!("many 300 IN A {}\n", address(at)),
        _ => format!("h{at} 300 IN A {}\n", address(at)),
    };
    (0..records).map(line).collect()
}

#[test]
fn a_zone_of_thousands_is_imported_changed_and_taken_back() {
    let fake = zone("powerdns", &Account::powerdns());
    let import = |text: &str, remove: bool| -> Value {
        let arguments = json!({ "domain": "shop.example", "zone_text": text, "remove": remove });
        fake.call("domains.dns.zone.import", arguments)
            .unwrap_or_else(|fault| panic!("{} {} {:?}", fault.code, fault.message, fault.detail))
    };
    let first = import(&file(5_000, 1), false);
    assert_eq!((&first["applied"], &first["diff"]["add_total"]), (&json!(5_000), &json!(5_000)));
    assert_eq!(first["diff"]["add"].as_array().map(Vec::len), Some(200), "the first of them are shown");
    let same = import(&file(5_000, 1), false);
    assert_eq!((&same["applied"], &same["diff"]["change_total"]), (&json!(0), &json!(0)));
    let second = import(&file(5_000, 2), false);
    assert_eq!((&second["applied"], &second["diff"]["add_total"]), (&json!(5_000), &json!(0)), "each becomes another");
    let back = fake.call("domains.dns.zone.import", second["next"][0]["arguments"].clone()).expect("it");
    assert_eq!((&back["applied"], &back["changed_since"]), (&json!(5_000), &json!([])));
    let arguments = json!({ "domain": "shop.example", "zone_text": file(5_001, 3) });
    assert_eq!(fake.refusal("domains.dns.zone.import", arguments).code, "too_many_records");
}

#[test]
fn a_file_of_a_megabyte_of_long_texts_is_taken_and_kept_for_restore() {
    let fake = zone("powerdns", &Account::powerdns());
    let before = fake.call("domains.dns.zone.export", json!({ "domain": "shop.example" })).expect("it");
    let text: String =
        (0..250).map(|at| format!("t{at} 300 TXT{}\n", format!(" \"{}\"", "x".repeat(240)).repeat(16))).collect();
    assert!(text.len() > 950_000);
    let done =
        fake.call("domains.dns.zone.import", json!({ "domain": "shop.example", "zone_text": text })).expect("it");
    assert_eq!(done["applied"], 250);
    let back = fake.call("domains.dns.zone.import", done["next"][0]["arguments"].clone()).expect("it");
    assert_eq!((&back["applied"], &back["left"]), (&json!(250), &json!(0)));
    let after = fake.call("domains.dns.zone.export", json!({ "domain": "shop.example" })).expect("it");
    assert_eq!(after["zone_text"], before["zone_text"]);
}
