//! Bots: their report, and their verification by names.

use sdk::json;

use crate::trial::{self, CHROME, GOOGLE, GOOGLEBOT, GPTBOT, OPENAI, SITE, STRANGER, line, report};

const YANDEX: &str = "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)";

fn lines() -> Vec<String> {
    let mut all: Vec<String> = (0..120)
        .map(|at| line(STRANGER, &format!("02/Sep/2026:09:{:02}:{:02}", at / 60, at % 60), "/x", 200, "MegaGrab/1.0"))
        .collect();
    all.extend([
        line(GOOGLE, "01/Sep/2026:10:00:00", "/blog/a", 200, GOOGLEBOT),
        line(GOOGLE, "02/Sep/2026:10:00:00", "/blog/a", 404, GOOGLEBOT),
        line(STRANGER, "02/Sep/2026:10:00:01", "/b", 200, GOOGLEBOT),
        line(OPENAI, "02/Sep/2026:10:00:02", "/b", 200, GPTBOT),
        line("203.0.113.9", "02/Sep/2026:10:00:03", "/b", 200, YANDEX),
        line("203.0.113.10", "02/Sep/2026:10:00:04", "/b", 200, YANDEX),
        line("203.0.113.11", "02/Sep/2026:10:00:05", "/c", 200, YANDEX),
        line(STRANGER, "02/Sep/2026:10:00:06", "/b", 200, "SmallBot/1.0"),
        line(STRANGER, "02/Sep/2026:10:00:07", "/b", 200, CHROME),
    ]);
    all
}

#[test]
fn families_come_with_what_is_verified_and_what_is_not() {
    let fake = trial::with(&lines());
    let told = report(&fake, "logs.bot.report", &json!({}));
    let of = |name: &str| {
        told["families"]
            .as_array()
            .expect("families")
            .iter()
            .find(|it| it["family"] == name)
            .cloned()
            .unwrap_or_default()
    };
    let google = of("googlebot");
    assert_eq!(
        (&google["hits"], &google["verified_hits"], &google["unverified_hits"]),
        (&json!(3), &json!(2), &json!(1)),
        "{told}"
    );
    assert_eq!(
        (&google["operator"], &google["purpose"], &google["urls"]),
        (&json!("Google"), &json!("search"), &json!(2))
    );
    assert_eq!((&of("megagrab")["hits"], &of("megagrab")["purpose"]), (&json!(120), &json!("unknown")));
    assert_eq!(of("unknown")["hits"], 1, "a bot that hardly came is one of many: {told}");
    assert_eq!((&told["by_status"]["4xx"], &told["by_status"]["404"]), (&json!(1), &json!(1)));
    assert_eq!(told["series"][0], json!({ "date": "2026-09-01", "hits": 1, "by_purpose": { "search": 1 } }));
    assert_eq!(told["known_days"], 2);
    assert!(told["degraded"].to_string().contains("2 of the 28 days"), "{told}");
    let one =
        report(&fake, "logs.bot.report", &json!({ "family": "googlebot", "from": "2026-09-02", "to": "2026-09-02" }));
    assert_eq!((&one["hits"], &one["families_total"], &one["degraded"]), (&json!(2), &json!(1), &json!([])), "{one}");
}

#[test]
fn names_of_addresses_decide_what_ranges_cannot() {
    let fake = trial::with(&lines());
    fake.name("9.113.0.203.in-addr.arpa", "PTR", &["crawl-9.yandex.com."]);
    fake.name("crawl-9.yandex.com", "A", &["203.0.113.9"]);
    // A name that leads elsewhere, and one of another owner.
    fake.name("10.113.0.203.in-addr.arpa", "PTR", &["crawl-10.yandex.com."]);
    fake.name("crawl-10.yandex.com", "A", &["203.0.113.99"]);
    fake.name("7.113.0.203.in-addr.arpa", "PTR", &["host.evil.example."]);
    fake.name("host.evil.example", "A", &["203.0.113.7"]);
    fake.answer("11.113.0.203.in-addr.arpa", "PTR", Err(sdk::DnsFailure::Timeout));
    let started = trial::call(&fake, "logs.bot.verify", &json!({ "site_id": SITE }));
    let done = trial::ended(&fake, &started).expect("a verification");
    // 203.0.113.11 has no answer at all and stays as it is.
    assert_eq!(
        (&done["looked_up"], &done["confirmed"], &done["refuted"], &done["unanswered"]),
        (&json!(4), &json!(1), &json!(2), &json!(1)),
        "{done}"
    );
    let of = |name: &str| {
        done["verified_share"]
            .as_array()
            .expect("shares")
            .iter()
            .find(|it| it["family"] == name)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(
        (&of("googlebot")["verified_hits"], &of("googlebot")["spoofed_hits"], &of("googlebot")["unverified_hits"]),
        (&json!(2), &json!(1), &json!(0))
    );
    assert_eq!(
        (&of("yandexbot")["verified_hits"], &of("yandexbot")["spoofed_hits"], &of("yandexbot")["unverified_hits"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(done["spoofed_total"], 2);
    assert_eq!(
        (&done["spoofed"][0]["network"], &done["spoofed"][0]["addresses"]),
        (&json!("203.0.113.0/24"), &json!(1))
    );
    assert!(!done.to_string().contains("203.0.113.7\""), "no address is shown whole: {done}");
    // Again: nothing moves twice, and the one without an answer is asked again.
    let started = trial::call(&fake, "logs.bot.verify", &json!({ "site_id": SITE }));
    assert_eq!(started["addresses"], 1);
    let again = trial::ended(&fake, &started).expect("a verification");
    assert_eq!(again["verified_share"], done["verified_share"]);
    let told = report(&fake, "logs.bot.report", &json!({ "family": "yandexbot" }));
    assert_eq!((&told["families"][0]["hits"], &told["families"][0]["verified_hits"]), (&json!(3), &json!(1)), "{told}");
}

#[test]
fn what_does_not_exist_is_refused() {
    let fake = trial::website();
    assert_eq!(fake.refusal("logs.bot.report", json!({ "site_id": SITE })).code, "logs_not_imported");
    let fake = trial::with(&lines());
    let refused = |arguments| {
        let fault = fake.refusal("logs.bot.verify", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let pair = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(
        refused(json!({ "site_id": SITE, "families": ["googlebot", "nobot"] })),
        pair("unknown_family", "/families/1")
    );
    assert_eq!(
        refused(json!({ "site_id": SITE, "from": "2026-07-01", "to": "2026-07-02" })),
        pair("period_not_imported", "/from")
    );
    trial::call(&fake, "logs.bot.verify", &json!({ "site_id": SITE }));
    assert_eq!(refused(json!({ "site_id": SITE })), pair("verification_running", "/site_id"));
}

#[test]
fn addresses_of_claimed_bots_are_kept_for_seven_days() {
    let fake = trial::with(&lines());
    let claims = || fake.rows::<crate::stored::Import>().iter().map(|it| it.pending).sum::<u32>();
    assert_eq!(claims(), 1);
    fake.set_now(sdk::value::Moment::from_millis(fake.now().millis() + 8 * 86_400_000));
    trial::source(&fake, &json!({ "name": "other" }));
    assert_eq!(claims(), 0);
    let started = trial::call(&fake, "logs.bot.verify", &json!({ "site_id": SITE }));
    assert_eq!(started["addresses"], 0, "nothing is left to be looked up");
    let told = report(&fake, "logs.bot.report", &json!({ "family": "googlebot" }));
    assert_eq!(told["families"][0]["hits"], 3, "what was counted stays: {told}");
}
